"""What a game can be: factors, their levels, which levels go together, and the rows that cover all pairs or triples.

A row gives every factor a level. A covering array of strength 2 has for every two levels of different factors that go
together a row with both; of strength 3 the same for every three. ``covertable`` makes them, always the same ones.
"""

from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from covertable import make

from catan_p2p.game.board import MapError, draw_map
from catan_p2p.game.board.map_file import format_map_file
from catan_p2p.game.constants import UnsupportedRules
from catan_p2p.game.new_game import new_constants
from catan_p2p.log.refs import COLOURS

RULES = {
    "thesis": "thesis; PointsToWin = 4",
    "small hands": "thesis; PointsToWin = 4; HandLimit = 3",
    "brief": "brief; PointsToWin = 4",
    "standard": "standard; PointsToWin = 4",
    "own rules": "brief; CombinedTradeBuild = no; DevCardsPerTurn = 0; PointsToWin = 5; HandLimit = 4; OfferMax = 2",
}
"""Rule texts by the names of their levels. With five players and six, those by the rule book have special building."""

EVENTS = ("nobody", "leaves", "crashes", "stands still", "withholds", "forks", "replies twice")
"""What one of the players does.

=============  ======================================================================================
nobody         nothing: all play to the end
leaves         the process ends for ever
crashes        the process is killed, and started again
stands still   the process does nothing for longer than the others wait, and goes on
withholds      the player looks, votes and relays, and never acts again: no turn, no discard, no share
forks          the player continues a commit in two ways, each shown to some
replies twice  the same with a reply: a discard, an answer, a share
=============  ======================================================================================
"""

LIES = ("forks", "replies twice")

FACTORS: dict[str, tuple[Any, ...]] = {
    "rules": tuple(RULES),
    "players": (2, 3, 4, 5, 6),
    "map": ("default", "beginners", "variable", "file"),
    "chance": ("actor", "joint"),
    "hands": ("open", "hidden"),
    "leaving": ("yes", "no"),
    "keys": ("yes", "no"),
    "transport": ("folder", "git", "relay", "ring"),
    "policy": ("random", "builder", "strategist", "mixed"),
    "event": EVENTS,
    "when": ("opening", "set-up", "early", "middle", "late"),
    "who": ("first", "last"),
}
"""The levels of every factor of a game in the laboratory."""

REAL_FACTORS: dict[str, tuple[Any, ...]] = FACTORS | {
    "players": (2, 3, 4, 6),
    "transport": ("folder", "git", "relay", "ring", "http"),
    "event": ("nobody", "leaves", "crashes", "stands still", "withholds"),
    "when": ("opening", "set-up", "early", "middle"),
    "place": ("peers", "turn", "window"),
}
"""The same of a game of real processes.

======  =============================================================================================
peers   every seat is a process of ``catan-p2p peer``
turn    one seat is looked after by ``catan-p2p turn``, and played for a moment whenever it is awaited
window  all seats are led by the process that a window has, without the window
======  =============================================================================================
"""


class Row(NamedTuple):
    """One game: a level of every factor."""

    rules: str
    players: int
    map: str
    chance: str
    hands: str
    leaving: str
    keys: str
    transport: str
    policy: str
    event: str
    when: str
    who: str
    place: str = "laboratory"

    def __str__(self) -> str:
        return ", ".join(map(str, self))

    @property
    def may_stand_still(self) -> bool:
        """Whether docs say that play may stand still where a player is gone: nobody may leave, or there are no keys."""
        return "no" in (self.leaving, self.keys)


def rule_text(row: Row) -> str:
    """The rules of a row's game, in words."""
    return RULES[row.rules] + "; Leaving = yes" * (row.leaving == "yes")


@lru_cache
def map_of(level: str) -> str:
    """What settings say of a map: its name, or the text of a map file."""
    return format_map_file(draw_map("large-free", Random("matrix"))) if level == "file" else level


@lru_cache
def is_playable(rules: str, players: int, map: str) -> bool:
    """Whether the program begins such a game: the thesis knows four players, the beginners' map as well."""
    try:
        new_constants(RULES[rules], COLOURS[:players], map_of(map))
    except (UnsupportedRules, MapError):
        return False
    return True


CONSTRAINTS = (
    (("rules", "players", "map"), lambda row: is_playable(row["rules"], row["players"], row["map"])),
    (("hands", "chance"), lambda row: row["hands"] == "open" or row["chance"] == "joint"),
    # What comes through others is believed only if it is signed, and only who has signed two commits has lied.
    (("transport", "keys"), lambda row: row["keys"] == "yes" or row["transport"] not in ("relay", "ring")),
    # Where play goes on without a player, every log is signed.
    (("leaving", "keys"), lambda row: row["keys"] == "yes" or row["leaving"] == "no"),
    (("event", "keys"), lambda row: row["keys"] == "yes" or row["event"] not in LIES),
    # With two players nobody is there to be shown another commit.
    (("event", "players"), lambda row: row["players"] > 2 or row["event"] not in LIES),
    # Where nothing happens, it happens at no time to nobody in particular.
    (("event", "when"), lambda row: row["event"] != "nobody" or row["when"] == "opening"),
    (("event", "who"), lambda row: row["event"] != "nobody" or row["who"] == "first"),
)
"""Which levels go together: the factors that matter, and what must hold of them."""

REAL_CONSTRAINTS = (
    (("transport", "keys"), lambda row: row["keys"] == "yes" or row["transport"] != "http"),
    (("place", "event"), lambda row: row["place"] == "peers" or row["event"] == "nobody"),
    # A window's table has no keys as long as all sit at it, and its seats are folders.
    (("place", "keys"), lambda row: row["place"] != "window" or row["keys"] == "no"),
    # All players of a window's new table are in that program.
    (("place", "hands"), lambda row: row["place"] != "window" or row["hands"] == "open"),
    (("place", "transport"), lambda row: row["place"] != "window" or row["transport"] == "folder"),
)
"""Those of games of real processes, besides."""


@lru_cache
def rows(strength: int, *, real: bool = False) -> tuple[Row, ...]:
    """A covering array of this strength, in a fixed order: of games in the laboratory, or of real processes."""
    factors, constraints = (REAL_FACTORS, (*CONSTRAINTS, *REAL_CONSTRAINTS)) if real else (FACTORS, CONSTRAINTS)
    rules = [{"operator": "fn", "requires": list(names), "evaluate": holds} for names, holds in constraints]
    made = make({name: list(levels) for name, levels in factors.items()}, strength=strength, constraints=rules)
    return tuple(Row(**row) for row in made)
