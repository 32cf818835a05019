"""A host who opens a table and guests who take seats at it, each in a thread or until they are interrupted."""

from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from typing import Any

import pytest

from catan_p2p.game.new_game import new_constants
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.transport.serve import Address, RepositoryServer
from catan_p2p.tables.hosting import open_table
from catan_p2p.tables.invitation import Invitation
from catan_p2p.tables.taking_seat import take_seat
from catan_p2p.tables.terms import ExpectedTerms

STUCK_S = 300.0
"""Longer than anything here takes, even where many tests run at once."""
TWO = ("Red", "Blue")

Told = Callable[[str], object]


def host(
    seat: Path,
    place: str | Address,
    show: Callable[[Invitation, str], object],
    tell: Told = print,
    *,
    colours: Sequence[str] = TWO,
    rules: str = "thesis",
    **others: Any,
) -> GameDefinition:
    """Open a table for the first of these colours, and wait until the game begins."""
    constants = new_constants(rules, colours, hands=None)
    return open_table(seat, place, constants, colours, None, tell, show, **others)  # type: ignore[arg-type]


def join(
    seat: Path,
    invitation: Invitation,
    colour: str = "Blue",
    tell: Told = print,
    listen: Address | None = None,
    **others: Any,
) -> GameDefinition:
    """Take a seat, and wait until the game begins."""
    return take_seat(seat, invitation, colour, None, ExpectedTerms(), tell, listen, **others)[0]  # type: ignore[arg-type]


def leave_at(*words: str) -> Told:
    """What to tell somebody who is interrupted as soon as they hear some of these words."""

    def tell(line: str) -> None:
        if any(one in line for one in words):
            raise KeyboardInterrupt

    return tell


def invited(seat: Path, place: str | Address, tell: Told = print, **table: Any) -> Invitation:
    """Open a table, and be interrupted as soon as there is an invitation: that."""
    shown: list[Invitation] = []

    def show(invitation: Invitation, words: str) -> None:
        shown.append(invitation)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        host(seat, place, show, tell, **table)
    return shown[0]


def sit_and_leave(seat: Path, invitation: Invitation, colour: str = "Blue", listen: Address | None = None) -> None:
    """Take a seat, and be interrupted as soon as it is taken."""
    with pytest.raises(KeyboardInterrupt):
        join(seat, invitation, colour, leave_at("has a seat"), listen)


class WaitingHost:
    """A host who waits at a table in a thread, and who serves once the game has begun if it is at an address.

    At the end of a ``with`` the game must have begun, or the host have been interrupted; it raises what else the host
    fails with.
    """

    def __init__(self, seat: Path, place: str | Address, tell: Told = print, **table: Any) -> None:
        self._shown, self._is_over = Queue[Invitation](), Event()
        self._results = Queue[tuple[int, Any]]()
        """What the host fails with."""
        self._thread = Thread(target=self._wait, args=(seat, place, tell), kwargs=table, daemon=True)
        self._thread.start()
        (self.invitation,) = self.meanwhile(lambda: self._shown.get(timeout=STUCK_S))

    def _wait(self, seat: Path, place: str | Address, tell: Told, **table: Any) -> None:
        try:
            host(seat, place, lambda one, words: self._shown.put(one), tell, **table)
            if not isinstance(place, str):
                with RepositoryServer(seat, *place):
                    self._is_over.wait()
        except KeyboardInterrupt:
            pass
        except BaseException as error:  # noqa: BLE001 - raised by whoever waits for the host
            self._results.put((-1, error))

    def meanwhile(self, *jobs: Callable[[], Any]) -> list[Any]:
        """What comes of other jobs, side by side, unless the host fails before their end."""
        return in_threads(*jobs, results=self._results)

    @property
    def is_waiting(self) -> bool:
        return self._thread.is_alive()

    def __enter__(self) -> Invitation:
        return self.invitation

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        self._is_over.set()
        if kind is None:
            self._thread.join()
            if not self._results.empty():
                raise self._results.get()[1]


def in_threads(*jobs: Callable[[], Any], results: "Queue[tuple[int, Any]] | None" = None) -> list[Any]:
    """Do these things side by side; what came of each. It is an error if one is stuck.

    The first failure is raised at once; it may be one that somebody else has put into ``results``.
    """
    results = Queue() if results is None else results

    def work(number: int, job: Callable[[], Any]) -> None:
        try:
            results.put((number, job()))
        except BaseException as error:  # noqa: BLE001 - raised below
            results.put((number, error))

    for number, job in enumerate(jobs):
        Thread(target=work, args=(number, job), daemon=True).start()
    found: dict[int, Any] = {}
    while len(found) < len(jobs):
        number, one = results.get(timeout=STUCK_S)
        if isinstance(one, BaseException):
            raise one
        found[number] = one
    return [found[number] for number in range(len(jobs))]
