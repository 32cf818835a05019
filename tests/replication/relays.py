"""Seats that play over a relay, for tests."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

from catan_p2p.game.constants import Chance
from catan_p2p.game.new_game import new_constants
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.storage.repository import create_repository
from catan_p2p.log.transport.serve import Address, RepositoryServer
from catan_p2p.replication.replica import Replica
from catan_p2p.tables.hosting import open_table
from catan_p2p.tables.invitation import Invitation, parse_invitation
from catan_p2p.tables.seat import read_settings, write_settings
from catan_p2p.tables.taking_seat import take_seat
from catan_p2p.tables.terms import ExpectedTerms
from tests.replication.tables import make_seats


def bare(path: Path) -> Path:
    """An empty repository without a work tree."""
    create_repository(path, work_tree=False, branch="main")
    return path


def seats_at(
    folder: Path, url: str, players: int = 2, *, chance: Chance = "actor", rules: str = "thesis"
) -> list[Path]:
    """The repositories of a new signed game, whose players know nothing of one another but the relay."""
    paths = make_seats(folder, players, signed=True, chance=chance, rules=rules)
    for path in paths:
        meet_at(path, url)
    return paths


def meet_at(path: Path, url: str) -> None:
    """Let a seat play over a relay only."""
    settings = read_settings(path)
    settings.remotes, settings.relay = {}, url
    write_settings(path, settings)


def play_on(replicas: Sequence[Replica], until: Callable[[Replica], bool]) -> None:
    """Let each look, act and push in turn until all of them have what is wanted."""
    for replica in replicas:
        assert replica.relay is not None
        replica.relay.meeting.least_s = 0.0
    for _ in range(20_000):
        for replica in replicas:
            replica.synchronize()
            replica.act()
            if replica.graph.state.is_over:
                replica.fast_forward()
            flush(replica)
        if all(until(replica) for replica in replicas):
            return
    raise AssertionError("it did not come to that")


def flush(replica: Replica) -> None:
    """Let a peer push all that it has published."""
    assert replica.relay is not None
    replica.store.publish()
    assert replica.relay.flush(replica.store, replica.graph), replica.relay.trouble


def has_actions(count: int) -> Callable[[Replica], bool]:
    return lambda replica: len(replica.graph) > count


def sit_down(
    folder: Path,
    place: str | Address,
    players: int = 2,
    ports: Sequence[int] = (),
    drawn: str | None = None,
    names: Mapping[str, str] | None = None,
) -> GameDefinition:
    """Open a table and take all seats at it, each by a thread: seats ``folder/<Colour>``, guests at these ports.

    ``names`` are those of the players, by colour.
    """
    names = names or {}
    colours = COLOURS[:players]
    constants = new_constants("thesis", colours)
    failures: list[BaseException] = []
    guests: list[Thread] = []

    def invite(invitation: Invitation, words: str) -> None:
        assert parse_invitation(str(invitation)) == invitation

        def join(colour: str) -> None:
            port = dict(zip(colours[1:], ports, strict=False)).get(colour)
            listen = None if port is None else ("127.0.0.1", port)
            try:
                take_seat(
                    folder / colour, invitation, colour, None, ExpectedTerms(), print, listen, name=names.get(colour)
                )
            except BaseException as error:  # noqa: BLE001 - told below
                failures.append(error)

        for colour in colours[1:]:
            guests.append(Thread(target=join, args=(colour,)))
            guests[-1].start()

    name = names.get(colours[0])
    game = open_table(folder / colours[0], place, constants, colours, None, print, invite, drawn=drawn, name=name)
    with ExitStack() as stack:
        if not isinstance(place, str):  # the host's peer serves now
            stack.enter_context(RepositoryServer(folder / colours[0], *place))
        for guest in guests:
            guest.join()
    assert not failures, failures
    return game
