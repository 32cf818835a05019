"""Which games can be played: every constant in its range, room, somebody who can move, a win that can be reached.

Such games were begun, joined and verified before: they hung, ended in a traceback or broke an invariant. Without
``_check_ranges``, ``_check_dice``, ``_check_map``, ``_check_bank`` or the line about points its cases turn red.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from catan_p2p.game.board import DEFAULT_MAP, Map, MapError, board_of
from catan_p2p.game.cards import pack
from catan_p2p.game.constants import BRIEF, THESIS, Constants, Rules, UnsupportedRules, profile
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.playable import RANGES, check_playable, constant_name, deviations, most_points
from catan_p2p.log.game import FormatError, game_files, new_game, parse_game
from catan_p2p.log.refs import COLOURS
from tests.for_each import for_each

UNPLAYABLE: dict[str, tuple[Mapping[str, Any], str]] = {
    "a sum that no dice show": ({"dice": (13,)}, "Dice = 13: expected sums of two dice"),
    "no sum": ({"dice": ()}, "Dice = none"),
    "a sum twice": ({"dice": (6, 6, 8)}, "Dice = 6 6 8"),
    "sums in another order": ({"dice": (8, 6)}, "Dice = 8 6"),
    "sevens only": ({"dice": (7,)}, "Dice = 7: no tile of the map yields"),
    "ties for ever": (
        {"dice": (6,), "start_order": "dice"},
        "Dice = 6: expected at least two sums where StartOrder = dice",
    ),
    "no resources": ({"resource_pool": 0}, "ResourcePool: 0 Lumber, expected at least"),
    "a short bank": ({"resource_pool": pack((19, 19, 19, 19, 1))}, "ResourcePool: 1 Ore, expected at least"),
    "more cards than are counted": ({"resource_pool": pack((120, 120, 19, 19, 19))}, "ResourcePool: more than"),
    "more development cards": ({"dev_card_pool": pack((100, 100, 100, 0, 0))}, "DevCardPool: more than"),
    "a win without a move": ({"points_to_win": 2}, "PointsToWin = 2: expected 3 to"),
    "a win out of reach": ({"points_to_win": 23}, "PointsToWin = 23: nobody can have more than 22"),
    "a win out of reach without pieces": (
        {"villages": 2, "cities": 0, "dev_card_pool": 0},
        "PointsToWin = 10: nobody can have more than 4",
    ),
}


@for_each(("changes", "complaint"), UNPLAYABLE.values(), ids=UNPLAYABLE)
def test_a_game_that_cannot_be_played_is_refused(changes: Mapping[str, Any], complaint: str) -> None:
    constants = Constants(replace(THESIS, **changes))
    with pytest.raises(UnsupportedRules, match=complaint):
        check_playable(constants)
    with pytest.raises(FormatError, match=complaint if constants.rules.dice else "rules, line"):
        parse_game(game_files(new_game(0, constants)), 0)


@for_each("name", RANGES)
@for_each("beyond", [-1, 1])
def test_a_constant_outside_its_range_is_named(name: str, beyond: int) -> None:
    value = RANGES[name][0] - 1 if beyond < 0 else RANGES[name][1] + 1
    try:
        constants = Constants(replace(THESIS, **{name: value}))
    except UnsupportedRules:
        return  # no constants of any game
    with pytest.raises(UnsupportedRules, match=f"{constant_name(name)} = {value}: expected"):
        check_playable(constants)


def test_every_constant_that_is_a_number_has_a_range() -> None:
    numbers = {name for name in Rules.__dataclass_fields__ if type(getattr(THESIS, name)) is int} - {
        "resource_pool",
        "dev_card_pool",
    }
    assert numbers == set(RANGES)


@pytest.mark.parametrize("players", [5, 6])
def test_five_under_thesis_rules_are_refused_wherever_they_come_from(players: int) -> None:
    complaint = f"{players} players: expected at most 4 where SpecialBuilding = no"
    constants = Constants(THESIS, player_count=players)
    with pytest.raises(UnsupportedRules, match=complaint):
        new_constants("thesis", COLOURS[:players])
    with pytest.raises(FormatError, match=complaint):
        parse_game(game_files(new_game(0, constants)), 0)


def test_a_map_without_sea_around_it_or_without_room_is_refused() -> None:
    inland = Map(tuple(tile for tile in DEFAULT_MAP.tiles if tile.is_land), ())
    with pytest.raises(MapError, match="beside a land tile"):
        check_playable(Constants(board=board_of(inland)))
    island = {DEFAULT_MAP.tiles[0].at}
    land = next(tile.at for tile in DEFAULT_MAP.tiles if tile.is_land and tile.number)
    island = {land, *land.neighbours()}
    tiles = tuple(
        tile if tile.at == land else tile._replace(terrain="sea", number=None)
        for tile in DEFAULT_MAP.tiles
        if tile.at in island
    )
    with pytest.raises(MapError, match="settlement points that are not beside the bandit"):
        check_playable(Constants(board=board_of(Map(tiles, ()))))


@for_each(("name", "players"), [("thesis", 2), ("thesis", 4), ("brief", 4), ("standard", 6)])
def test_the_profiles_can_be_played(name: str, players: int) -> None:
    constants = new_constants(name, COLOURS[:players])
    check_playable(constants)
    # Five villages and four cities, five cards, two bonuses.
    assert most_points(constants) == 9 + 4 + 5 + 4


def test_deviations_name_what_differs_from_a_profile() -> None:
    assert deviations(profile("brief", 3), BRIEF) == ()
    assert deviations(replace(BRIEF, dice=(6, 8), roads=9), BRIEF) == ("roads", "dice")
