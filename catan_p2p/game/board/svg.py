"""A board, with or without pieces on it, as an SVG picture: for notebooks and web pages.

Players are told apart by colour and by shape of outline; every tile and piece has a title that says what it is.

It takes the board as plain attributes, so that the board can draw itself.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from catan_p2p.game.board.maps import THREE_TO_ONE
from catan_p2p.game.board.places import Place, hexagon, places
from catan_p2p.game.board.points import Points, numbers
from catan_p2p.game.board.tiles import Tile
from catan_p2p.game.palette import PLAYER_COLOURS, player_colour

TERRAIN_COLOURS = {
    "sea": "#bcd9ea",
    "desert": "#e8dcb0",
    "forest": "#5f8f58",
    "hills": "#c9855b",
    "pasture": "#a8cf78",
    "fields": "#efd160",
    "mountains": "#a3a7ad",
}
OUTLINE = "#333333"
_MARGIN = 0.4


class BoardPieces(NamedTuple):
    """What stands on a board: each seat's villages, cities and roads, and the bandit's tile (0 for none).

    ``colours`` are the names of the players' colours, by seat.
    """

    villages: Sequence[Points] = ()
    cities: Sequence[Points] = ()
    roads: Sequence[Points] = ()
    bandit: int = 0
    colours: Sequence[str] = tuple(PLAYER_COLOURS)


NO_PIECES = BoardPieces()


def board_svg(board: Any, pieces: BoardPieces = NO_PIECES, width: int = 480) -> str:
    """The picture, ``width`` pixels wide, as one ``<svg>`` element that needs nothing from outside."""
    shapes = [*_tiles(board), *_wharfs(board), *_roads(board, pieces), *_settlements(board, pieces)]
    if pieces.bandit:
        shapes.append(_bandit(board, pieces.bandit))
    left, top, right, bottom = extent(board)
    high, wide = bottom - top, right - left
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="Catan board" width="{width}" '
        f'height="{round(width * high / wide)}" viewBox="{left:.2f} {top:.2f} {wide:.2f} {high:.2f}" '
        'font-family="sans-serif" text-anchor="middle">'
    )
    return "\n".join([head, *shapes, "</svg>"])


def extent(board: Any) -> tuple[float, float, float, float]:
    """West, north, east and south bounds of the picture, in sizes of a tile."""
    at = places(board)
    seen = [corner for tile in board.land for corner in hexagon(at.tiles[tile])]
    seen += [(x + dx, y + dy) for x, y in at.wharfs for dx in (-0.35, 0.35) for dy in (-0.35, 0.35)]
    xs, ys = [x for x, _ in seen], [y for _, y in seen]
    return min(xs) - _MARGIN, min(ys) - _MARGIN, max(xs) + _MARGIN, max(ys) + _MARGIN


def _polygon(corners: Iterable[Place], fill: str, title: str, stroke: str = OUTLINE) -> str:
    points = " ".join(f"{x:.2f},{y:.2f}" for x, y in corners)
    shape = f'<polygon points="{points}" fill="{fill}" stroke="{stroke}" stroke-width="0.04">'
    return f"{shape}<title>{title}</title></polygon>"


def _text(at: Place, text: str, size: float, colour: str = "#222222", weight: str = "normal") -> str:
    # Not all viewers centre text vertically, so it is moved down by about half of its height.
    x, y = at
    return (
        f'<text x="{x:.2f}" y="{y + size * 0.36:.2f}" font-size="{size}" fill="{colour}" font-weight="{weight}" '
        f'pointer-events="none">{text}</text>'
    )


def _tiles(board: Any) -> Iterable[str]:
    at = places(board)
    for number, tile in enumerate(board.map.tiles, 1):
        yield _polygon(hexagon(at.tiles[number]), TERRAIN_COLOURS[tile.terrain], _told(number, tile), "#ffffff")
        if tile.number is not None:
            x, y = at.tiles[number]
            yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="0.36" fill="#fbf6e4" pointer-events="none"/>'
            often = tile.number in (6, 8)
            yield _text((x, y - 0.05), str(tile.number), 0.38, "#a01818" if often else "#222222", "bold")
            yield _text((x, y + 0.22), "•" * (6 - abs(7 - tile.number)), 0.16, "#a01818" if often else "#222222")


def _told(number: int, tile: Tile) -> str:
    yields = f" {tile.number}: {tile.resource}" if tile.number is not None else ""
    return f"tile {number}, {tile.terrain}{yields}"


def _wharfs(board: Any) -> Iterable[str]:
    at = places(board)
    for (x, y), ((a, b), type) in zip(at.wharfs, board.wharf_tiles, strict=True):
        edge = next(at.roads[i] for i, pair in enumerate(board.road_tiles) if set(pair) == {a, b})
        for px, py in edge:
            yield f'<line x1="{x:.2f}" y1="{y:.2f}" x2="{px:.2f}" y2="{py:.2f}" stroke="#7a5a3a" stroke-width="0.06"/>'
        told = "3:1" if type == THREE_TO_ONE else f"2:1 {type}"
        yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="0.3" fill="#fffdf5" stroke="#7a5a3a" stroke-width="0.03">'
        yield f"<title>wharf {told}</title></circle>"
        if type == THREE_TO_ONE:
            yield _text((x, y), "3:1", 0.24)
        else:
            yield _text((x, y - 0.09), "2:1", 0.18)
            yield _text((x, y + 0.09), type, 0.14)


def _roads(board: Any, pieces: BoardPieces) -> Iterable[str]:
    at = places(board)
    for seat, built in enumerate(pieces.roads):
        for road in numbers(built):
            (x1, y1), (x2, y2) = (_towards(end, at.roads[road]) for end in at.roads[road])
            # An outline below the coloured line.
            ends = f'x1="{x1:.2f}" y1="{y1:.2f}" x2="{x2:.2f}" y2="{y2:.2f}" stroke-linecap="round"'
            yield f'<line {ends} stroke="{OUTLINE}" stroke-width="0.2"/>'
            yield f'<line {ends} stroke="{player_colour(pieces.colours[seat])}" stroke-width="0.13">'
            yield f"<title>road of player {seat + 1} on {road}</title></line>"


def _towards(end: Place, edge: tuple[Place, Place]) -> Place:
    x, y = (edge[0][0] + edge[1][0]) / 2, (edge[0][1] + edge[1][1]) / 2
    return end[0] + (x - end[0]) * 0.22, end[1] + (y - end[1]) * 0.22


def _settlements(board: Any, pieces: BoardPieces) -> Iterable[str]:
    at = places(board)
    for seat, (villages, cities) in enumerate(zip(pieces.villages, pieces.cities, strict=True)):
        for kind, outline, built in (("village", VILLAGE, villages), ("city", CITY, cities)):
            for point in numbers(built):
                x, y = at.settlements[point]
                corners = [(x + dx, y + dy) for dx, dy in outline]
                yield _polygon(corners, player_colour(pieces.colours[seat]), f"{kind} of player {seat + 1} on {point}")


VILLAGE = ((-0.17, 0.17), (-0.17, -0.05), (0.0, -0.23), (0.17, -0.05), (0.17, 0.17))
CITY = ((-0.28, 0.2), (-0.28, -0.16), (-0.14, -0.32), (0.0, -0.16), (0.0, -0.04), (0.28, -0.04), (0.28, 0.2))


def _bandit(board: Any, tile: int) -> str:
    x, y = places(board).tiles[tile]
    x += 0.5
    return (
        f'<g fill="#222222"><title>bandit on tile {tile}</title><circle cx="{x:.2f}" cy="{y - 0.3:.2f}" r="0.14"/>'
        f'<ellipse cx="{x:.2f}" cy="{y + 0.08:.2f}" rx="0.18" ry="0.28"/></g>'
    )
