"""What a new game begins with: the rules of its profile, its map, and what lies on the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from catan_p2p.game.board import (
    BEGINNERS_MAP_NAME,
    BEGINNERS_MAX_PLAYERS,
    DEFAULT_MAP_NAME,
    DRAWN_MAPS,
    MapError,
    Opening,
    beginners_opening,
    board_of,
    draw_map,
)
from catan_p2p.game.constants import Chance, Constants, UnsupportedRules
from catan_p2p.game.playable import check_playable
from catan_p2p.game.randomness import SeededRandomness
from catan_p2p.log.game import rules_named

LARGE_MAP_NAME = "large"
LARGE_FROM_PLAYERS = 5
"""From so many players on, the standard rules are played on the large island unless another map is chosen."""


OFFERS_A_TURN = 10
"""So many offers, and proposals of each of the others, a turn has at a table of people, unless its rules say otherwise.

Nobody makes as many in earnest: people two or three, the built-in players fewer than ten.
"""

PATIENCE_S = 600
"""So long a silent player is waited for at a table that may go on without one, unless its rules say otherwise."""


def at_table(rules: str, *, leaving: bool = False, patience_s: int | None = None) -> str:
    """The rules that ``rules`` names with what a table of people has besides, where they do not name it themselves.

    Offers and proposals are bounded; with ``leaving``, the others may go on without a silent player, who is waited for
    ``patience_s`` seconds. ``UnsupportedRules`` if a patience is given that contradicts the rules.
    """
    named = {change.partition(" = ")[0] for change in rules.split("; ")[1:]}
    if leaving and "Leaving" not in named:
        rules += "; Leaving = yes"
    chosen = rules_named(rules, 2)
    if patience_s is not None and (not chosen.leaving or chosen.patience not in (0, patience_s)):
        wrong = f"the rules say Patience = {chosen.patience}" if chosen.leaving else "nobody may leave by these rules"
        raise UnsupportedRules(f"--patience: {wrong}")
    defaults = {
        "OffersPerTurn": OFFERS_A_TURN if chosen.domestic_trade else 0,
        "ProposalsPerTurn": OFFERS_A_TURN if chosen.table_talk else 0,
        "Patience": (patience_s or PATIENCE_S) if chosen.leaving else 0,
    }
    return rules + "".join(f"; {name} = {value}" for name, value in defaults.items() if value and name not in named)


def new_constants(
    rules: str,
    colours: Sequence[str],
    map: str = DEFAULT_MAP_NAME,
    seed: int = 0,
    number: int = 0,
    chance: str = "actor",
    leaving: bool = False,
) -> Constants:
    """The constants of game ``number`` of a seed, for these colours in the order of seats.

    ``rules`` names a profile, with changes or without; ``map`` is the name of a map, or the text of a map file;
    ``chance``, one of ``CHANCES``, says who draws; ``leaving``, whether the others may go on without a player. A map
    that is drawn depends on seed and number alone. ``MapError`` if these players cannot play on that map,
    ``UnsupportedRules`` if not by these rules.
    """
    players = len(colours)
    opening: Opening = ()
    if map == BEGINNERS_MAP_NAME:
        if players > BEGINNERS_MAX_PLAYERS:
            raise MapError(f"{map}: for at most {BEGINNERS_MAX_PLAYERS} players, not {players}")
        opening = beginners_opening(colours)
    map = _meant(rules, players, map)
    board = board_of(draw_map(map, SeededRandomness(seed, number).stream("map")))
    named = rules_named(rules, players)
    if chance != "actor":
        named = replace(named, chance=cast(Chance, chance))
    if leaving:
        named = replace(named, leaving=True)
    constants = Constants(named, board, players, opening)
    check_playable(constants, "map" if "\n" in map else map)
    return constants


def drawn_map(rules: str, players: int, map: str) -> str | None:
    """The name of the map of such a game, if it is one that is drawn; None if it is the same every time."""
    name = _meant(rules, players, map)
    return name if name in DRAWN_MAPS else None


def is_drawn(rules: str, players: int, map: str) -> bool:
    """Whether the map of such a game depends on its seed."""
    return drawn_map(rules, players, map) is not None


def _meant(rules: str, players: int, map: str) -> str:
    if map == DEFAULT_MAP_NAME and rules.startswith("standard") and players >= LARGE_FROM_PLAYERS:
        return LARGE_MAP_NAME
    return map
