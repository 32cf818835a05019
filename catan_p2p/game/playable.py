"""Whether a game with given constants can be played: one check for every way in which rules and maps come in.

``Constants`` allows whatever the specification can be checked with, small models included. What somebody else wrote (a
root commit, a map file, a file of rules) must also be a game: every constant in a sensible range, room for everybody,
somebody who can always move, and a win within reach.
"""

from dataclasses import fields
from functools import lru_cache

from catan_p2p.game.actions.parts import COST_CITY, COST_DEV_CARD, COST_ROAD, COST_VILLAGE
from catan_p2p.game.board import MAX_TILES, THREE_TO_ONE, Board, MapError, numbers
from catan_p2p.game.cards import RESOURCES, SHIFT, Cards, count, covers, unpack
from catan_p2p.game.constants import Constants, Rules, UnsupportedRules

RANGES: dict[str, tuple[int, int]] = {
    "dev_cards_per_turn": (0, 50),
    "road_building_needs": (1, 2),
    "points_to_win": (3, 40),
    "hand_limit": (1, 100),
    "longest_road_min": (3, 50),
    "largest_army_min": (1, 50),
    "roads": (2, 25),
    "villages": (2, 25),
    "cities": (0, 25),
    "offer_max": (0, 6),
    "offers_per_turn": (0, 100),
    "proposals_per_turn": (0, 100),
    "patience": (0, 7 * 24 * 3600),
    "returns": (0, 9),
}
"""The least and the greatest value of each numeric constant. More roads would make the longest trail too long to
search for, larger offers would be too many to list. Because the two roads of the set-up may touch, and the set-up
awards no bonus cards, a longest road of two would belong to nobody.
"""

MAX_POOL = 250
"""The most cards that a pool may have in all."""

DICE_SUMS = range(2, 13)

FEW_PLAYERS = 4
"""With more players than this, the special building phase is needed, as in the rule book's extension."""


@lru_cache(maxsize=1 << 6)
def check_playable(constants: Constants, map_name: str = "map") -> None:
    """Raise ``UnsupportedRules`` or ``MapError`` unless these players can play this game to its end.

    The checks are necessary for a win, not sufficient: nobody can tell beforehand how a game goes.
    """
    rules, board = constants.rules, constants.board
    _check_ranges(rules)
    _check_dice(rules)
    _check_map(board, map_name)
    check_room(board, constants.player_count, map_name)
    if constants.player_count > FEW_PLAYERS and not rules.special_building:
        raise UnsupportedRules(
            f"{constants.player_count} players: expected at most {FEW_PLAYERS} where SpecialBuilding = no, as in the "
            "thesis rules",
            helps="--rules standard, or a FILE with SpecialBuilding = yes",
        )
    _check_bank(constants)
    most = most_points(constants)
    if most < rules.points_to_win:
        raise UnsupportedRules(
            f"PointsToWin = {rules.points_to_win}: nobody can have more than {most} with these constants on this map",
            helps="--rules FILE with fewer PointsToWin, or --map with a larger map",
        )


def constant_name(field: str) -> str:
    """The name of a rule constant in the specification and in files: ``PointsToWin`` for ``points_to_win``."""
    return "".join(word.capitalize() for word in field.split("_"))


def deviations(rules: Rules, profile: Rules) -> tuple[str, ...]:
    """The fields in which rules differ from those of a profile, in the order of the fields."""
    return tuple(field.name for field in fields(Rules) if getattr(rules, field.name) != getattr(profile, field.name))


def _check_ranges(rules: Rules) -> None:
    for name, (least, most) in RANGES.items():
        value = getattr(rules, name)
        if not least <= value <= most:
            helps = f"--rules FILE with {constant_name(name)} in that range"
            raise UnsupportedRules(f"{constant_name(name)} = {value}: expected {least} to {most}", helps)
    for name in ("resource_pool", "dev_card_pool"):
        if sum(unpack(getattr(rules, name))) > MAX_POOL:
            raise UnsupportedRules(f"{constant_name(name)}: more than {MAX_POOL} cards")


def _check_dice(rules: Rules) -> None:
    spelled = " ".join(map(str, rules.dice))
    if not rules.dice or any(dice not in DICE_SUMS for dice in rules.dice) or [*rules.dice] != sorted({*rules.dice}):
        raise UnsupportedRules(f"Dice = {spelled or 'none'}: expected sums of two dice, 2 to 12, ascending")
    if rules.start_order == "dice" and len(rules.dice) < 2:
        raise UnsupportedRules(
            f"Dice = {spelled}: expected at least two sums where StartOrder = dice, or nobody ever begins"
        )


def _check_map(board: Board, name: str) -> None:
    if board.tile_count > MAX_TILES:
        raise MapError(f"{name}: {board.tile_count} tiles, expected at most {MAX_TILES}")
    tiles = board.map.tiles
    for number in board.land:
        lacking = [at for at in tiles[number - 1].at.neighbours() if at not in board.tile_number]
        if lacking:
            raise MapError(
                f"{name}: no tile {','.join(map(str, lacking[0]))} beside a land tile, "
                "expected a tile on every side of it"
            )


def check_room(board: Board, player_count: int, name: str) -> None:
    """Raise ``MapError`` unless this many players can always place two villages each, wherever they place them.

    A village takes its own point and at most three adjacent ones. Points beside the bandit do not count, because under
    the thesis's rules nobody may build there.
    """
    outside = board.settlement_count - len(numbers(board.corners[board.bandit_start]))
    # In the worst case all villages but the last take four points each, and one more must be free.
    needed = 4 * (2 * player_count - 1) + 1
    if outside < needed:
        raise MapError(
            f"{name}: {outside} settlement points that are not beside the bandit, expected at least {needed} for "
            f"{player_count} players",
            helps="--map with a larger map",
        )


def _check_bank(constants: Constants) -> None:
    """Every second village must earn its first cards, wherever it stands; else the set-up could come to a halt."""
    pool = unpack(constants.rules.resource_pool)
    for i, resource in enumerate(RESOURCES):
        most = max((unpack(cards)[i] for cards in constants.board.first_yield), default=0)
        if pool[i] < most * constants.player_count:
            raise UnsupportedRules(
                f"ResourcePool: {pool[i]} {resource}, expected at least {most * constants.player_count} for the first "
                f"cards of {constants.player_count} players on this map",
                helps="--rules FILE with a larger ResourcePool, or another --map",
            )


def most_points(constants: Constants) -> int:
    """The most points that a player can have: from pieces that can be paid for, cards and the two bonuses."""
    rules = constants.rules
    obtainable = _obtainable(constants)
    cards = rules.dev_card_pool if covers(obtainable, COST_DEV_CARD) else 0
    paves = covers(obtainable, COST_ROAD) or count(cards, "RoadBuilding") > 0
    settles = covers(obtainable, COST_VILLAGE)
    cities = rules.cities if covers(obtainable, COST_CITY) else 0
    # A city returns the village that it replaces, which can be built elsewhere.
    settlements = min(rules.villages + cities if settles else 2, constants.board.settlement_count)
    return (
        settlements
        + min(cities, settlements)
        + count(cards, "VictoryPoint")
        + (2 if (rules.roads if paves else 2) >= rules.longest_road_min else 0)
        + (2 if count(cards, "Knight") >= rules.largest_army_min else 0)
    )


def _obtainable(constants: Constants) -> Cards:
    """The pool without resources that nobody can ever get: not on the map, and not to be traded for.

    Raises ``UnsupportedRules`` if no roll yields anything.
    """
    rules, board = constants.rules, constants.board
    pool = rules.resource_pool
    if not any(dice in board.producers for dice in rules.dice):
        raise UnsupportedRules(f"Dice = {' '.join(map(str, rules.dice))}: no tile of the map yields for these sums")
    there = {tile.resource for tile in board.map.tiles}
    # Four to one is always possible, wharfs make it cheaper.
    rates = [4, *(3 if type == THREE_TO_ONE else 2 for type, points in board.wharf_points.items() if points)]
    if any(resource in there and count(pool, resource) >= min(rates) for resource in RESOURCES):
        return pool
    return sum(count(pool, resource) << SHIFT[resource] for resource in RESOURCES if resource in there)
