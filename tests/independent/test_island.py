"""The two sides mean the same points: geometry, wharfs and yields worked out twice, from different numberings."""

from random import Random

import pytest
from catanatron.models.board import STATIC_GRAPH

from catan_p2p.game.board import DEFAULT_BOARD, THREE_TO_ONE, Board, board_of, numbers
from catan_p2p.game.board.layouts import ISLAND, LARGE_ISLAND
from catan_p2p.game.board.variable import free_map, spiral_map
from catan_p2p.game.cards import RESOURCES, pack
from tests.independent.island import OUR_RESOURCE, THEIR_RESOURCE, Island, island_of

pytestmark = pytest.mark.needs("bench")

BOARDS = {
    "default": DEFAULT_BOARD,
    **{f"spiral {seed}": board_of(spiral_map(ISLAND, Random(seed))) for seed in range(5)},
    **{f"free {seed}": board_of(free_map(ISLAND, Random(seed))) for seed in range(5)},
}


@pytest.fixture(params=BOARDS)
def island(request: pytest.FixtureRequest) -> Island:
    return island_of(BOARDS[request.param])


def test_every_point_has_one_node_and_every_road_one_edge(island: Island) -> None:
    assert sorted(island.node) == [*range(1, 55)]
    assert set(island.node.values()) == set(island.map.land_nodes)
    assert sorted(island.edge) == [*range(1, 73)]
    assert len(set(island.edge.values())) == 72


def test_a_road_point_touches_the_same_two_settlement_points(island: Island) -> None:
    for road, edge in island.edge.items():
        assert {island.node[point] for point in island.board.ends[road]} == set(edge)


def test_adjacent_settlement_points_are_neighbours(island: Island) -> None:
    for point, node in island.node.items():
        beside = {island.node[other] for other in numbers(island.board.adjacent_settlements[point])}
        assert beside == set(STATIC_GRAPH.neighbors(node)) & island.map.land_nodes


def test_a_settlement_point_has_the_same_tiles_beside_it(island: Island) -> None:
    for point, node in island.node.items():
        yields = [tile.resource for tile in island.map.adjacent_tiles[node] if tile.resource is not None]
        assert island.board.first_yield[point] == pack(yields.count(THEIR_RESOURCE[resource]) for resource in RESOURCES)


def test_every_number_yields_the_same_at_the_same_points(island: Island) -> None:
    for dice in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12):
        ours = {(p.tile, at) for p in island.board.producers.get(dice, ()) for at in numbers(p.corners)}
        theirs = {
            (island.tile[cube], island.point[node])
            for cube, tile in island.map.land_tiles.items()
            if tile.number == dice
            for node in tile.nodes.values()
        }
        assert ours == theirs


def test_wharfs_serve_the_same_settlement_points(island: Island) -> None:
    theirs = {
        THREE_TO_ONE if resource is None else OUR_RESOURCE[resource]: {island.point[node] for node in nodes}
        for resource, nodes in island.map.port_nodes.items()
    }
    assert {type: set(numbers(points)) for type, points in island.board.wharf_points.items()} == theirs


def test_another_island_is_refused() -> None:
    with pytest.raises(ValueError, match="nineteen tiles"):
        Island(Board(spiral_map(LARGE_ISLAND, Random(1))))
