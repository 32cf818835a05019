"""What a new game begins with: the rules of its profile, its map, and what lies on the board."""

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
from catan_p2p.game.cards import total
from catan_p2p.game.constants import MAX_HIDDEN_DEV_CARDS, Chance, Constants, Hands, Rules, UnsupportedRules, shared
from catan_p2p.game.playable import check_playable
from catan_p2p.game.randomness import SeededRandomness
from catan_p2p.log.game import rules_named

LARGE_MAP_NAME = "large"
LARGE_FROM_PLAYERS = 5
"""From so many players on, the rule book's games are on the large island unless another map is chosen."""


OFFERS_A_TURN = 10
"""So many offers, and proposals of each of the others, a turn has at a table of people, unless its rules say otherwise.

Nobody makes as many in earnest: people two or three, the built-in players fewer than ten.
"""

FAIR = {"Chance": "joint", "Leaving": "yes"}
"""What a table between people has unless somebody declines it."""

HANDS_AT_TABLES: Hands = "hidden"
"""Who sees hands at a table between people unless somebody says so."""

PATIENCE_S = 600
"""So long a silent player is waited for at a table that may go on without one, unless its rules say otherwise."""


def at_table(
    rules: str,
    *,
    chance: str | None = None,
    leaving: bool | None = None,
    patience_s: int | None = None,
    hands: Hands | None = None,
    fair: bool = False,
) -> str:
    """The rules that ``rules`` names with what a table of people has besides, where they do not name it themselves.

    Offers and proposals are bounded. ``chance`` says who draws, ``hands`` who sees them, and with ``leaving`` the
    others may go on without a silent player, who is waited for ``patience_s`` seconds. What is None is as the rules
    say, or at a ``fair`` table, where nobody has to trust or to wait for anybody, as in ``FAIR``; hands that cannot be
    hidden by these rules are open there. ``UnsupportedRules`` if what is given contradicts the rules.
    """
    named = changes_in(rules)
    given = {"Chance": chance, "Leaving": None if leaving is None else "yes" if leaving else "no", "Hands": hands}
    for name, value in given.items():
        if value is not None and named.get(name, value) != value:
            option = f"--{'' if leaving else 'no-'}leaving" if name == "Leaving" else f"--{name.lower()} {value}"
            raise UnsupportedRules(f"{option}: the rules say {name} = {named[name]}")
    chosen = {**(FAIR if fair else {}), **{name: value for name, value in given.items() if value is not None}}
    rules += "".join(f"; {name} = {value}" for name, value in chosen.items() if name not in named)
    table = rules_named(rules, 2, may_be_hidden=True)
    if patience_s is not None and (not table.leaving or table.patience not in (0, patience_s)):
        wrong = f"the rules say Patience = {table.patience}" if table.leaving else "nobody may leave by these rules"
        raise UnsupportedRules(f"--patience: {wrong}")
    is_at_risk = table.leaving and table.chance == "actor"  # two who choose their dice can tie as often as they like
    may_hide = fair and hands is None and table.chance == "joint"
    defaults = {
        "Hands": HANDS_AT_TABLES if may_hide and 1 <= total(table.dev_card_pool) <= MAX_HIDDEN_DEV_CARDS else 0,
        "OffersPerTurn": OFFERS_A_TURN if table.domestic_trade else 0,
        "ProposalsPerTurn": OFFERS_A_TURN if table.table_talk else 0,
        "Patience": (patience_s or PATIENCE_S) if table.leaving else 0,
        "StartOrder": "dice_then_seat" if table.start_order == "dice" and is_at_risk else 0,
    }
    return rules + "".join(f"; {name} = {value}" for name, value in defaults.items() if value and name not in named)


def changes_in(rules: str) -> dict[str, str]:
    """The constants that a rule text names besides its profile, as they are spelled there."""
    return dict(change.split(" = ", 1) for change in rules.split("; ")[1:])


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
    check_playable(constants, "map" if "\n" in map else map)
    return constants


def of_new_game(rules: Rules) -> Rules:
    """The same rules with what new games have besides: where it can be, a signed end."""
    return replace(rules, signed_end=rules.hands == "hidden" and rules.leaving)


def drawn_map(rules: str, players: int, map: str) -> str | None:
    """The name of the map of such a game, if it is one that is drawn; None if it is the same every time."""
    name = _meant(rules, players, map)
    return name if name in DRAWN_MAPS else None


def _meant(rules: str, players: int, map: str) -> str:
    if map == DEFAULT_MAP_NAME and not rules.startswith("thesis") and players >= LARGE_FROM_PLAYERS:
        return LARGE_MAP_NAME
    return map
