"""The options of a new game in the lobby."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec

from catan_p2p.game.board import DEFAULT_MAP_NAME, MAPS, MapError
from catan_p2p.game.constants import HANDS, PROFILES, Hands, UnsupportedRules
from catan_p2p.game.new_game import new_constants
from catan_p2p.log.refs import COLOURS
from catan_p2p.tables.setup import HANDS_AT_TABLES, STRENGTHS

PATIENCES = {
    "1 minute": 60,
    "3 minutes": 180,
    "10 minutes": 600,
    "1 hour": 3600,
    "8 hours": 8 * 3600,
    "1 day": 24 * 3600,
}
"""How long to wait for a silent player, in seconds; see docs/guides/peers.md."""
RELAY, NETWORK = MEETINGS = ("at a relay", "in this network")


@dataclass(frozen=True, slots=True)
class NewGameOptions:
    """The chosen options of a new game."""

    players: int = 4
    people: int = 1
    """How many of the players are at this screen."""
    strength: str = "strong"
    """How well computer players play, a key of ``STRENGTHS``."""
    rules: str = "standard"
    map: str = DEFAULT_MAP_NAME
    colour: str = COLOURS[0]
    meeting: str = RELAY
    """Where the players of a table for other people meet, one of ``MEETINGS``."""
    computers: int = 0
    """How many seats, the last ones, computer players have at a table for other people."""
    patience: str = "10 minutes"
    """How long to wait for a silent player at a table for other people, a key of ``PATIENCES``."""
    hands: Hands = HANDS_AT_TABLES
    """Who sees hands at a table for other people."""
    announced: str = "no"
    """Whether a table for other people is announced in this network."""

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of all players, in the order of seats; the person who chooses is first."""
        others = [colour for colour in COLOURS if colour != self.colour]
        return (self.colour, *others[: self.players - 1])

    @property
    def here(self) -> tuple[str, ...]:
        """The colours of the people at this screen."""
        return self.colours[: self.people]

    @property
    def computer_seats(self) -> tuple[str, ...]:
        """The colours of computer players at a table for other people."""
        return self.colours[len(self.colours) - self.computers :]

    def problem(self) -> str:
        """Why there is no such game; empty if there is one."""
        try:
            new_constants(self.rules, self.colours, self.map)
        except (MapError, UnsupportedRules) as error:
            return f"There is no such game: {error}"
        return ""

    def changed(self, name: str, by: int) -> NewGameOptions:
        """The options with another value of one of them: the next one, or with ``by`` -1 the previous one."""
        values = _VALUES[name]
        at = (values.index(getattr(self, name)) + by) % len(values)
        found = replace(self, **{name: values[at]})  # type: ignore[arg-type]
        if name == "meeting":  # players who meet in this network look for the table there
            found = replace(found, announced="yes" if found.meeting == NETWORK and find_spec("zeroconf") else "no")
        for count, least, most in (("computers", 0, found.players - 2), ("people", 1, found.players)):
            if getattr(found, count) > most:  # after the most comes the least
                found = replace(found, **{count: least if name == count and by > 0 else most})  # type: ignore[arg-type]
        return found


_VALUES: Mapping[str, Sequence[object]] = {
    "players": range(2, len(COLOURS) + 1),
    "people": range(1, len(COLOURS) + 1),
    "strength": tuple(STRENGTHS),
    "computers": range(len(COLOURS) - 1),
    "patience": tuple(PATIENCES),
    "meeting": MEETINGS,
    "hands": HANDS,
    "announced": ("no", "yes"),
    "rules": tuple(reversed(PROFILES)),
    "map": tuple(MAPS),
    "colour": COLOURS,
}
