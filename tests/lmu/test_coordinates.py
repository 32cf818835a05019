"""Tiles, settlement points and road points in the protocol's coordinates: derived from geometry, compared with a table.

The table was written before this program, for four systems of coordinates at once.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from catan_p2p.game.board import DEFAULT_BOARD, HexCoordinates, board_of
from catan_p2p.game.board.layouts import ISLAND, LARGE_ISLAND
from catan_p2p.game.board.variable import spiral_map
from catan_p2p.lmu.codec import TilePlace
from catan_p2p.lmu.coordinates import board_from, chart_fields, chart_harbours, places_of


def rows() -> Iterator[tuple[str, tuple[TilePlace, ...], tuple[int, ...]]]:
    """Kind, places of the protocol, and the numbers of the tiles that they are."""
    table = Path(__file__).with_name("data") / "coordinates.tsv"
    for line in table.read_text(encoding="utf-8").splitlines()[1:]:
        kind, lmu, hecs = line.split("\t")
        places = tuple(TilePlace(*map(int, pair.split(","))) for pair in lmu.split(" "))
        tiles = [HexCoordinates(*map(int, triple.split(","))) for triple in hecs.split(" ")]
        yield kind, places, tuple(DEFAULT_BOARD.tile_number[at] for at in tiles)


def test_the_table_is_whole() -> None:
    assert Counter(kind for kind, _, _ in rows()) == {"tile": 19, "sea": 18, "node": 54, "edge": 72}


def test_every_place_of_the_table_is_ours() -> None:
    places = places_of(DEFAULT_BOARD)
    points = {frozenset(tiles): n for n, tiles in enumerate(DEFAULT_BOARD.settlement_tiles) if n}
    roads = {frozenset(tiles): n for n, tiles in enumerate(DEFAULT_BOARD.road_tiles) if n}
    for kind, at, tiles in rows():
        if kind in ("tile", "sea"):
            assert places.tile(at[0]) == tiles[0]
            assert places.tiles[tiles[0]] == at[0]
        elif kind == "node":
            assert places.settlement(at[::-1]) == points[frozenset(tiles)]
            assert set(places.settlements[points[frozenset(tiles)]]) == set(at)
        else:
            assert places.road(at[::-1]) == roads[frozenset(tiles)]
            assert set(places.roads[roads[frozenset(tiles)]]) == set(at)


@pytest.mark.parametrize("island", [ISLAND, LARGE_ISLAND], ids=["standard", "large"])
def test_a_board_that_is_told_is_that_board(island: object) -> None:
    board = board_of(spiral_map(island, Random(5)))  # type: ignore[arg-type]
    again = board_from(chart_fields(board), chart_harbours(board))
    assert {(tile.at, tile.terrain, tile.number) for tile in again.map.tiles} == {
        (tile.at, tile.terrain, tile.number) for tile in board.map.tiles
    }
    assert set(again.wharf_tiles) == set(board.wharf_tiles)
