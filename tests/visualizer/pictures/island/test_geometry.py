"""Where everything lies, on every map: from the coordinates of the tiles alone."""

from itertools import pairwise
from math import dist, hypot, isclose, sqrt

import pytest

from catan_p2p.game.board import Board, numbers
from tests.for_each import for_each
from tests.visualizer.games import boards
from visualizer.pictures.island.geometry import IslandGeometry
from visualizer.pictures.shapes import Rect, extent

AREA = Rect(10, 20, 700, 640)
NAMES = tuple(boards())


@pytest.fixture(params=NAMES)
def place(request: pytest.FixtureRequest) -> IslandGeometry:
    return IslandGeometry(boards()[request.param], AREA)


def test_neighbouring_tiles_are_one_tile_apart_and_no_others(place: IslandGeometry) -> None:
    board = place.board
    for number, tile in enumerate(board.map.tiles, 1):
        beside = {board.tile_number[at] for at in tile.at.neighbours() if at in board.tile_number}
        for other in range(1, board.tile_count + 1):
            apart = dist(place.tiles[number], place.tiles[other])
            assert isclose(apart, sqrt(3) * place.size, rel_tol=1e-6) == (other in beside)


def test_a_settlement_point_is_a_corner_of_each_of_its_three_tiles(place: IslandGeometry) -> None:
    for point, tiles in list(enumerate(place.board.settlement_tiles))[1:]:
        for tile in tiles:
            assert isclose(dist(place.settlements[point], place.tiles[tile]), place.size, rel_tol=1e-6)
            nearest = min(dist(place.settlements[point], corner) for corner in place.tile_corners(tile))
            assert nearest < 1e-6 * place.size


def test_a_road_point_runs_between_its_settlement_points(place: IslandGeometry) -> None:
    for road, ends in list(enumerate(place.board.ends))[1:]:
        first, second = place.roads[road]
        assert isclose(dist(first, second), place.size, rel_tol=1e-6)
        for end in ends:
            assert min(dist(place.settlements[end], first), dist(place.settlements[end], second)) < 1e-6 * place.size
        assert {point for _, point in place.road_end_points(road)} - {0} == set(ends)


def test_a_wharf_stands_off_the_coast_as_far_from_one_corner_as_from_the_other(place: IslandGeometry) -> None:
    board = place.board
    for wharf, ((a, b), type) in zip(place.wharfs, board.wharf_tiles, strict=True):
        land, sea = (a, b) if board.map.tiles[a - 1].is_land else (b, a)
        assert dist(wharf.sign, place.tiles[sea]) < dist(wharf.sign, place.tiles[land])
        assert isclose(dist(wharf.sign, wharf.corners[0]), dist(wharf.sign, wharf.corners[1]), rel_tol=1e-6)
        served = {p for p, tiles in enumerate(board.settlement_tiles) if {a, b} <= set(tiles)}
        for point in served:
            assert min(dist(place.settlements[point], corner) for corner in wharf.corners) < 1e-6 * place.size
        assert wharf.type == type


def test_land_wharfs_and_pieces_lie_within_the_area_and_use_all_of_one_side(place: IslandGeometry) -> None:
    points = [corner for tile in place.board.land for corner in place.tile_corners(tile)]
    for wharf in place.wharfs:
        (x, y), r = wharf.sign, wharf.radius
        points += [(x - r, y - r), (x + r, y + r)]
    box = extent(points)
    assert AREA.holds(box)
    assert box.w > AREA.w * 0.75 or box.h > AREA.h * 0.75


@for_each("area", [Rect(0, 0, 300, 280), Rect(0, 0, 3000, 1500), Rect(0, 0, 640, 2000)])
@for_each("name", NAMES)
def test_any_area_is_filled_as_far_as_the_shape_allows(name: str, area: Rect) -> None:
    place = IslandGeometry(boards()[name], area)
    assert area.holds(extent([corner for tile in place.board.land for corner in place.tile_corners(tile)]))


def test_rows_run_from_north_to_south_and_columns_from_west_to_east(place: IslandGeometry) -> None:
    tiles = place.board.map.tiles
    for (a, first), (b, second) in pairwise(enumerate(tiles, 1)):
        if first.at.order[0] == second.at.order[0]:
            assert place.tiles[a][0] < place.tiles[b][0]
            assert place.tiles[a][1] == place.tiles[b][1]
        else:
            assert place.tiles[a][1] < place.tiles[b][1]


def test_the_six_corners_of_a_tile_are_the_settlement_points_around_it() -> None:
    board: Board = boards()["default"]
    place = IslandGeometry(board, AREA)
    for tile in board.land:
        x, y = place.tiles[tile]
        around = [place.settlements[point] for point in numbers(board.corners[tile])]
        assert len(around) == 6
        assert all(isclose(hypot(px - x, py - y), place.size, rel_tol=1e-6) for px, py in around)
