"""Which game is played in the window, and where it is read from."""

from __future__ import annotations

from collections.abc import Sequence

from catan_p2p.sessions.messages import Sit

from ..data.feed import Feed


class Table:
    """Which game is played: where it lies, who of those at the screen are people, and how its peers are started."""

    def __init__(self, sit: Sit, people: Sequence[str]) -> None:
        self.sit = sit
        self.people = tuple(people)


def feed_of(table: Table) -> Feed:
    """Reads the repository of the first person at a table."""
    path = table.sit.path
    single = not table.sit.new and (path / ".git").exists()
    return Feed(path if single else path / table.people[0], following=True, is_played=True)
