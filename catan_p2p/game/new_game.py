"""What a new game begins with: the rules of its profile, its map, and what lies on the board."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from catan_p2p.game.board import BEGINNERS_MAP_NAME, DEFAULT_MAP_NAME, DRAWN_MAPS, MapError, Opening, board_of, draw_map
from catan_p2p.game.board.openings import BEGINNERS_MAX_PLAYERS, beginners_opening
from catan_p2p.game.constants import Chance, Constants, Rules, shared
from catan_p2p.game.playable import check_playable
from catan_p2p.game.randomness import SeededRandomness
from catan_p2p.game.rule_names import rules_named

LARGE_MAP_NAME = "large"
LARGE_FROM_PLAYERS = 5
"""From so many players on, the rule book's games are on the large island unless another map is chosen."""


def new_constants(
    rules: str,
    colours: Sequence[str],
    map: str = DEFAULT_MAP_NAME,
    seed: int = 0,
    number: int = 0,
    chance: str = "actor",
    hands: str | None = "open",
) -> Constants:
    """The constants of game ``number`` of a seed, for these colours in the order of seats.

    ``rules`` names a profile, with changes or without; ``map`` is the name of a map, or the text of a map file;
    ``chance``, one of ``CHANCES``, says who draws, ``hands``, one of ``HANDS``, who sees them; with None the rules say
    so. A map that is drawn depends on seed and number alone. ``MapError`` if these players cannot play on that map,
    ``UnsupportedRules`` if not by these rules.
    """
    players = len(colours)
    opening: Opening = ()
    if map == BEGINNERS_MAP_NAME:
        if players > BEGINNERS_MAX_PLAYERS:
            raise MapError(f"{map}: for at most {BEGINNERS_MAX_PLAYERS} players, not {players}", "another --map")
        opening = beginners_opening(colours)
    map = _meant(rules, players, map)
    board = board_of(draw_map(map, SeededRandomness(seed, number).stream("map")))
    named = rules_named(rules, players, may_be_hidden=hands != "open")
    if chance != "actor":
        named = replace(named, chance=cast(Chance, chance))
    if hands == "hidden":
        named = replace(named, hands="hidden")
    constants = shared(Constants(of_new_game(named), board, players, opening))
    # The text of a map file has line breaks, and would make a long message.
    check_playable(constants, "map" if "\n" in map else map)
    return constants


def of_new_game(rules: Rules) -> Rules:
    """The rules as a new game has them: with a signed end where hands are hidden and players may leave."""
    return replace(rules, signed_end=rules.hands == "hidden" and rules.leaving)


def drawn_map(rules: str, players: int, map: str) -> str | None:
    """The name of the map of such a game, if it is one that is drawn; None if it is the same every time."""
    name = _meant(rules, players, map)
    return name if name in DRAWN_MAPS else None


def _meant(rules: str, players: int, map: str) -> str:
    if map == DEFAULT_MAP_NAME and not rules.startswith("thesis") and players >= LARGE_FROM_PLAYERS:
        return LARGE_MAP_NAME
    return map
