"""The entrants of a tournament: each has a name, and a secret that protects the name.

The protocol has no passwords, so a client writes the secret behind its name: ``Ann:secret`` in ``Spieler``. The server
does not pass it on. Files have one entrant per line, as ``Ann:secret`` or ``Ann``, and comments after # at line starts.
"""

import secrets
from collections.abc import Sequence
from typing import NamedTuple

from catan_p2p.log.game import name_problem

MAX_ENTRANTS = 40
MAX_FILE_BYTES = 64 << 10
COMPUTER = "Computer"
"""Entrants of this name and a number are the server's own computer players."""


class EntrantSecret(NamedTuple):
    """An entrant's name and secret; None if it needs none."""

    name: str
    secret: str | None = None
    is_computer: bool = False


class BadEntrants(ValueError):
    """An invalid list of entrants; the message names the line."""


def read_entrants(text: str, computers: int, password: str | None) -> list[EntrantSecret]:
    """The entrants of a file, then ``computers`` computer players. ``password`` is the secret of lines without one."""
    found: list[EntrantSecret] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, colon, secret = (part.strip() for part in line.partition(":"))
        problem = name_problem(name)
        if problem is None and colon and not secret:
            problem = "nothing after the colon, expected a secret"
        if problem is None and name.casefold() in {one.name.casefold() for one in found}:
            problem = f"the name {name!r} a second time"
        if problem is None and name.split(" ")[0].casefold() in (COMPUTER.casefold(), "zuschauer"):
            problem = f"the name {name!r}, which the server uses itself"
        if problem is not None:
            raise BadEntrants(f"line {number}: {problem}")
        found.append(EntrantSecret(name, secret or password))
    found += [EntrantSecret(f"{COMPUTER} {i}", is_computer=True) for i in range(1, computers + 1)]
    if len(found) > MAX_ENTRANTS:
        raise BadEntrants(f"{len(found)} entrants, at most {MAX_ENTRANTS}")
    return found


def recognized(said: str, entrants: Sequence[EntrantSecret]) -> EntrantSecret | None:
    """The entrant of a client that gives ``Name:secret``; None if there is none, or the secret is wrong or missing."""
    name, _, secret = (part.strip() for part in said.partition(":"))
    for entrant in entrants:
        if entrant.is_computer or entrant.name.casefold() != name.casefold():
            continue
        if entrant.secret is None or secrets.compare_digest(entrant.secret.encode(), secret.encode()):
            return entrant
    return None
