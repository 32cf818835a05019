"""Maps drawn with letters."""

import re
from random import Random

from catan_p2p.game.board import DEFAULT_MAP, MAPS, HexCoordinates, Tile, Wharf, draw_map, make_map
from catan_p2p.game.board.drawing import draw
from tests.for_each import for_each


def test_the_default_map() -> None:
    assert draw(DEFAULT_MAP) == DRAWN


DRAWN = """\
                    3:1\\        ~        Grain/       ~
                ~      mount. 10  pasture 2   forest 9     Ore/
       Lumber>   fields 12   hills 6   pasture 4   hills 10      ~
     ~       fields 9  forest 11    desert    forest 3   mount. 8     <3:1
        Brick>    forest 8   mount. 3   fields 4  pasture 5      ~
                ~       hills 5    fields 6  pasture 11   Wool\\
                    3:1/        ~         3:1\\        ~
"""


@for_each("name", MAPS)
def test_every_tile_and_wharf_is_drawn_and_no_two_touch(name: str) -> None:
    drawn = draw_map(name, Random(5))
    cells = CELL.findall(draw(drawn))
    assert CELL.sub("", draw(drawn)).strip() == ""
    assert len(cells) == len(drawn.tiles)
    assert sum(cell[0] == "<" or cell[-1] in "/\\>" for cell in cells) == len(drawn.wharfs)
    assert sum("3:1" in cell for cell in cells) == sum(wharf.type == "ThreeToOne" for wharf in drawn.wharfs)


CELL = re.compile(r"(?<!\S)(?:~|desert|(?:forest|hills|pasture|fields|mount\.) \d+|<?(?:3:1|[A-Z][a-z]+)[/\\>]?)(?!\S)")
"""A tile as it is drawn, with a blank on either side."""


@for_each(("neighbour", "mark"), list(enumerate(("Ore\\", "Ore/", "<Ore", "Ore>", "Ore/", "Ore\\"))))
def test_a_wharf_points_to_its_land(neighbour: int, mark: str) -> None:
    sea = HexCoordinates(1, 1, 1)
    land = sea.neighbours()[neighbour]
    drawn = draw(make_map([Tile(sea, "sea", None), Tile(land, "desert", None)], [Wharf((land, sea), "Ore")]))
    assert mark in drawn
