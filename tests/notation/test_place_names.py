"""Names of places, and events in words."""

from random import Random

import pytest

from catan_p2p.game.board import DEFAULT_BOARD, board_of, draw_map
from catan_p2p.notation import NotExpressible, place_names
from catan_p2p.view.events import VillageBuilt
from tests.for_each import for_each


@for_each("system", ["catan", "sgn", "hexgrid", "catanatron"])
def test_names_of_places_both_ways(system: str) -> None:
    names = place_names(system)  # type: ignore[arg-type]
    assert len(names.settlements) == 54 and len(names.roads) == 72
    assert {names.settlement(name) for name in names.settlements.values()} == set(range(1, 55))
    assert {names.road(name) for name in names.roads.values()} == set(range(1, 73))
    assert {names.tile(name) for name in names.tiles.values()} >= set(DEFAULT_BOARD.land)


def test_names_that_are_known() -> None:
    assert place_names("catan").settlement("(1 S)") == place_names("sgn").settlement("[[0,-2],[0,-1],[-1,-1]]")
    assert place_names("hexgrid").tile("0x37") == place_names("catan").tile("1")
    assert place_names("catanatron").tile("0,0,0") == place_names("catan").tile("19")
    with pytest.raises(KeyError):
        place_names("catan").road("(20 W)")
    large = board_of(draw_map("large", Random(1)))
    assert len(place_names("sgn", large).settlements) > 54
    with pytest.raises(NotExpressible, match="for the standard island only"):
        place_names("hexgrid", large)


def test_an_event_is_a_few_words() -> None:
    assert str(VillageBuilt(2, 17)) == "player 2: VillageBuilt, at 17"
