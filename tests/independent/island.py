"""One map in both numberings: our tiles, settlement points and road points, and catanatron's coordinates and nodes.

catanatron puts the middle tile at (0, 0, 0) and counts three cube coordinates from there; it numbers the corners of the
land tiles from 0 and names an edge by its two corners.
"""

from functools import lru_cache
from typing import TypeAlias

from catanatron.models.board import STATIC_GRAPH
from catanatron.models.coordinate_system import UNIT_VECTORS, add
from catanatron.models.enums import BRICK, ORE, SHEEP, WHEAT, WOOD
from catanatron.models.map import BASE_MAP_TEMPLATE, CatanMap, LandTile, MapTemplate, Port, Water, initialize_tiles

from catan_p2p.game.board import THREE_TO_ONE, Board, HexCoordinates
from catan_p2p.game.cards import Resource

Cube: TypeAlias = tuple[int, int, int]
Edge: TypeAlias = tuple[int, int]

MIDDLE = HexCoordinates(1, 1, 3)
"""The tile in the middle of the nineteen-tile island."""

THEIR_RESOURCE: dict[Resource, str] = {"Lumber": WOOD, "Brick": BRICK, "Wool": SHEEP, "Grain": WHEAT, "Ore": ORE}
OUR_RESOURCE: dict[str, Resource] = {theirs: ours for ours, theirs in THEIR_RESOURCE.items()}


def cube_of(at: HexCoordinates) -> Cube:
    """Where a tile of ours lies in cube coordinates: half tiles to the east and rows to the south of the middle."""
    row = 2 * at.row + at.arr - (2 * MIDDLE.row + MIDDLE.arr)
    east = 2 * at.col - at.arr - (2 * MIDDLE.col - MIDDLE.arr)
    x, rest = divmod(east - row, 2)
    assert rest == 0
    return (x, -x - row, row)


class Island:
    """A map of nineteen land tiles and the sea around them, on both sides."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.cube: dict[int, Cube] = {i: cube_of(tile.at) for i, tile in enumerate(board.map.tiles, 1)}
        """From our number of a tile."""
        self.tile: dict[Cube, int] = {cube: i for i, cube in self.cube.items()}
        if set(self.tile) != set(BASE_MAP_TEMPLATE.topology):
            raise ValueError("catanatron knows the island of nineteen tiles only")
        self.map = self._their_map()
        self.node: dict[int, int] = self._nodes()
        """From our number of a settlement point."""
        self.point: dict[int, int] = {node: point for point, node in self.node.items()}
        self.edge: dict[int, Edge] = self._edges()
        """From our number of a road point; the lower corner first."""
        self.road: dict[Edge, int] = {edge: road for road, edge in self.edge.items()}

    def _their_map(self) -> CatanMap:
        """The map as catanatron's own template makes it, nothing left to its dice."""
        tiles = {self.cube[i]: tile for i, tile in enumerate(self.board.map.tiles, 1)}
        wharfs = {}
        for (one, other), type in self.board.wharf_tiles:
            sea, land = (one, other) if other in self.board.land else (other, one)
            towards = next(d for d, step in UNIT_VECTORS.items() if add(self.cube[sea], step) == self.cube[land])
            assert self.cube[sea] not in wharfs, "catanatron has one port on a tile of the sea"
            wharfs[self.cube[sea]] = (towards, None if type == THREE_TO_ONE else THEIR_RESOURCE[type])
        topology, numbers, ports, resources = {}, [], [], []
        for cube in BASE_MAP_TEMPLATE.topology:  # in the same order, so that the corners get the numbers of its graph
            tile = tiles[cube]
            if tile.is_land:
                topology[cube] = LandTile
                resources.append(None if tile.resource is None else THEIR_RESOURCE[tile.resource])
                if tile.resource is not None:
                    numbers.append(tile.number)
            elif cube in wharfs:
                towards, resource = wharfs[cube]
                topology[cube] = (Port, towards)
                ports.append(resource)
            else:
                topology[cube] = Water
        template = MapTemplate(numbers, ports, resources, topology)
        return CatanMap.from_tiles(initialize_tiles(template, numbers[::-1], ports[::-1], resources[::-1]))

    def _nodes(self) -> dict[int, int]:
        around: dict[int, set[int]] = {}
        for cube, tile in self.map.tiles.items():
            for node in tile.nodes.values():
                around.setdefault(node, set()).add(self.tile[cube])
        theirs = {tuple(sorted(tiles)): node for node, tiles in around.items() if node in self.map.land_nodes}
        return {point: theirs[triple] for point, triple in enumerate(self.board.settlement_tiles) if point}

    def _edges(self) -> dict[int, Edge]:
        beside: dict[Edge, set[int]] = {}
        for cube, tile in self.map.tiles.items():
            for a, b in tile.edges.values():
                beside.setdefault((min(a, b), max(a, b)), set()).add(self.tile[cube])
        land = STATIC_GRAPH.subgraph(self.map.land_nodes)
        theirs = {tuple(sorted(tiles)): edge for edge, tiles in beside.items() if land.has_edge(*edge)}
        return {road: theirs[pair] for road, pair in enumerate(self.board.road_tiles) if road}


@lru_cache(maxsize=64)
def island_of(board: Board) -> Island:
    """The island of a board, made once."""
    return Island(board)
