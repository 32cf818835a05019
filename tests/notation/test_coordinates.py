"""The places of the standard island in every system of coordinates: derived from geometry, compared with a table."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from catan_p2p.game.board import DEFAULT_BOARD, Board, HexCoordinates, make_map
from catan_p2p.notation.coordinates import (
    EDGE_DIRECTIONS,
    NODE_DIRECTIONS,
    STANDARD_PLACES,
    axial_of,
    clockwise,
    is_standard_island,
    ring,
    tile_at,
)
from catan_p2p.notation.sgn.words import places_of


class Row(NamedTuple):
    kind: str
    catanlog: str
    hexgrid: str
    axial: list[tuple[int, int]]
    hecs: list[HexCoordinates]

    @property
    def tiles(self) -> tuple[int, ...]:
        return tuple(sorted(DEFAULT_BOARD.tile_number[at] for at in self.hecs))


def rows(*kinds: str) -> Iterator[Row]:
    table = Path(__file__).with_name("data") / "coordinates.tsv"
    for line in table.read_text().splitlines()[1:]:
        kind, catanlog, hexgrid, axial, hecs = line.split("\t")
        if kind in kinds:
            pairs = [tuple(map(int, pair.split(","))) for pair in axial.split(" ")]
            places = [HexCoordinates(*map(int, place.split(","))) for place in hecs.split(" ")]
            yield Row(kind, catanlog, hexgrid, pairs, places)  # type: ignore[arg-type]


def test_the_table_is_whole() -> None:
    counts = {kind: len(list(rows(kind))) for kind in ("tile", "sea", "node", "edge")}
    assert counts == {"tile": 19, "sea": 18, "node": 54, "edge": 72}


def test_axial_and_board_coordinates_convert_both_ways() -> None:
    for row in rows("tile", "sea", "node", "edge"):
        assert sorted(map(tile_at, row.axial)) == sorted(row.hecs)
        assert sorted(map(axial_of, row.hecs)) == sorted(row.axial)


def test_tile_ids_and_hexgrid_numbers_of_tiles() -> None:
    for row in rows("tile"):
        (number,) = row.tiles
        assert STANDARD_PLACES.tiles[int(row.catanlog)] == number
        assert STANDARD_PLACES.tile_ids[number] == int(row.catanlog)
        assert STANDARD_PLACES.hexgrid_tiles[int(row.hexgrid, 16)] == number


@pytest.mark.parametrize(
    ("kind", "tiles"),
    [("node", DEFAULT_BOARD.settlement_tiles), ("edge", DEFAULT_BOARD.road_tiles)],
    ids=["node", "edge"],
)
def test_canonical_names_and_hexgrid_numbers(kind: str, tiles: tuple[tuple[int, ...], ...]) -> None:
    for row in rows(kind):
        point = tiles.index(row.tiles)
        assert getattr(STANDARD_PLACES, f"{kind}_names")[point] == row.catanlog
        assert getattr(STANDARD_PLACES, f"{kind}s")[row.catanlog] == point
        assert getattr(STANDARD_PLACES, f"hexgrid_{kind}s")[int(row.hexgrid, 16)] == point


def test_every_tile_and_direction_spells_a_place() -> None:
    spelled = {(id, way) for id in range(1, 20) for way in NODE_DIRECTIONS}
    assert set(STANDARD_PLACES.nodes) == {f"({id} {way})" for id, way in spelled}
    spelled = {(id, way) for id in range(1, 20) for way in EDGE_DIRECTIONS}
    assert set(STANDARD_PLACES.edges) == {f"({id} {way})" for id, way in spelled}
    assert set(STANDARD_PLACES.nodes.values()) == set(range(1, 55))
    assert set(STANDARD_PLACES.edges.values()) == set(range(1, 73))


def test_the_canonical_spelling_has_the_lowest_tile_id() -> None:
    assert STANDARD_PLACES.nodes["(1 S)"] == STANDARD_PLACES.nodes["(2 NE)"] == STANDARD_PLACES.nodes["(13 NW)"]
    assert STANDARD_PLACES.node_names[STANDARD_PLACES.nodes["(2 NE)"]] == "(1 S)"
    for names in (STANDARD_PLACES.nodes, STANDARD_PLACES.edges):
        lowest: dict[int, int] = {}
        for name, point in names.items():
            id = int(name[1:].split(" ")[0])
            lowest[point] = min(id, lowest.get(point, 99))
        canonical = STANDARD_PLACES.node_names if names is STANDARD_PLACES.nodes else STANDARD_PLACES.edge_names
        assert all(canonical[point].startswith(f"({id} ") for point, id in lowest.items())


def test_sgn_spells_the_same_places() -> None:
    places = places_of(DEFAULT_BOARD)
    for row in rows("node"):
        assert places.intersections[tuple(sorted(row.axial))] == DEFAULT_BOARD.settlement_tiles.index(row.tiles)
    for row in rows("tile", "sea"):
        assert places.tiles[row.axial[0]] == row.tiles[0]
    assert sorted(places.paths.values()) == list(range(1, 73))


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("[[0,0],[-1,1],[-1,0]]", "of two tiles with the smallest r the one with the largest q"),
        ("[[0,-1],[0,0],[-1,0]]", "the tile with the smallest r, then clockwise"),
        ("[[2,1],[1,2],[1,1]]", "on the coast"),
    ],
)
def test_sgn_begins_an_intersection_with(text: str, first: str) -> None:
    assert text in places_of(DEFAULT_BOARD).intersection_texts


def test_sgn_lists_tiles_from_the_sea_inwards_and_clockwise() -> None:
    ordered = sorted((axial_of(tile.at) for tile in DEFAULT_BOARD.map.tiles), key=clockwise)
    assert ordered[:4] == [(0, -3), (1, -3), (2, -3), (3, -3)]
    assert ordered[18:21] == [(0, -2), (1, -2), (2, -2)]
    assert ordered[-1] == (0, 0)


def test_rings_run_counter_clockwise_from_the_north_west() -> None:
    assert ring(0) == ((0, 0),)
    assert ring(1) == ((0, -1), (-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1))


def test_other_islands_are_told_apart() -> None:
    assert is_standard_island(DEFAULT_BOARD)
    tiles = [tile for tile in DEFAULT_BOARD.map.tiles if tile.at != HexCoordinates(0, 0, 1)]
    assert not is_standard_island(Board(make_map(tiles, ())))
