"""A game as one page for any browser: the island as SVG, what each step changes, and a little JavaScript.

The page loads nothing, and its content security policy forbids it to. The shapes are those of the viewer's pictures. A
page has 200 to 350 kB, some 100 bytes an action. A page that follows a game gets its steps from ``server``.
"""

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path as File
from typing import Any

from catan_p2p.game.board import Board
from catan_p2p.view.places import around, tile_name

from ..data.recording import GameRecording
from ..pictures import palette
from ..pictures.explain import wharf_words
from ..pictures.island import pieces
from ..pictures.island.geometry import IslandGeometry
from ..pictures.island.land import terrain_layer
from ..pictures.shapes import Box, Circle, Color, Path, Polygon, Rect, Shape, Sprite, Text
from .steps import ShownSteps, values

AREA = Rect(0, 0, 1000, 900)
_CLEAR = (0, 0, 0, 0)
"""The colour of shapes that only give a place its name."""
_ROAD_ENDS = ("village", "village")
"""Roads are drawn as between two villages, whatever stands there: so few shapes of roads are needed."""


def page(recording: GameRecording, host: str = "") -> str:
    """The page of a game; ``steps.TooLong`` if it has too many steps.

    With a ``host``, such as ``127.0.0.1:8000``, it is the page of a game that is followed there: it contains no steps,
    and fetches them from the host.
    """
    shown = ShownSteps()
    if not host:
        shown.take(recording, 0)
    folder = File(__file__).parent
    scripts = ("page.js", "follow.js") if host else ("page.js",)
    style, script = (
        "".join((folder / name).read_text("utf-8") for name in names) for names in (("page.css",), scripts)
    )
    policy = f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}"
    parts = {
        "policy": f"{policy}; connect-src ws://{host}" if host else policy,
        "title": escape(f"Catan: {', '.join(seat.name for seat in recording.seats)}"),
        "style": style,
        "island": "\n".join(_island(recording)),
        "game": encoded(_game(recording, shown)),
        "script": script,
    }
    text = (folder / "page.html").read_text("utf-8")
    return "".join(parts[part[: -len("}}")]] if part.endswith("}}") else part for part in _split(text))


def encoded(told: Any) -> str:
    """JSON that may stand inside a script element: a ``<`` in it could end the element."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _split(text: str) -> Iterator[str]:
    """A template in pieces: text, and ``name}}`` for each ``{{name}}``."""
    for i, part in enumerate(text.split("{{")):
        name, end, rest = part.partition("}}")
        yield from (f"{name}{end}", rest) if i else (part,)


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


# Data


def _game(recording: GameRecording, shown: ShownSteps) -> dict[str, Any]:
    """The data of the game: where pieces lie, and the name of each place for screen readers."""
    board, place = recording.constants.board, IslandGeometry(recording.constants.board, AREA)
    points = zip(place.settlements[1:], board.settlement_tiles[1:], strict=True)
    roads = range(1, len(place.roads))
    return {
        "root": recording.steps[0].commit,
        "points": [[*_rounded(at), around(board, tiles)] for at, tiles in points],
        "roads": [
            [*_rounded(_middle(place, road)), _slope(place, road), around(board, board.road_tiles[road])]
            for road in roads
        ],
        "tiles": [_tile(board, place, tile) for tile in range(1, board.tile_count + 1)],
        "players": [{"name": seat.name, "tone": _tone(palette.player_color(seat.colour))} for seat in recording.seats],
        "first": values(recording, recording.steps[0]),
        "steps": shown.steps,
    }


def _rounded(at: Iterable[float]) -> list[float]:
    return [round(x, 1) for x in at]


def _middle(place: IslandGeometry, road: int) -> tuple[float, float]:
    (x0, y0), (x1, y1) = place.roads[road]
    return (x0 + x1) / 2, (y0 + y1) / 2


def _slope(place: IslandGeometry, road: int) -> int:
    """The direction of a road in degrees, which names its shape."""
    return _road(place, "Red", road).name[2]  # type: ignore[return-value]


def _road(place: IslandGeometry, colour: str, road: int) -> Sprite:
    return pieces.road(colour, place.roads[road], _ROAD_ENDS, place.size)


def _tile(board: Board, place: IslandGeometry, tile: int) -> list[float | str]:
    """Middle and number of a tile, where the bandit stands on it, and its name."""
    number = board.map.tiles[tile - 1].number
    x, y = place.tiles[tile]
    dx, dy = pieces.BANDIT_AT if number else (0.0, 0.0)
    bandit = (x + dx * place.size, y + dy * place.size)
    return [*_rounded((x, y)), number or 0, *_rounded(bandit), tile_name(board, tile)]


# Pictures


def _island(recording: GameRecording) -> Iterator[str]:
    """The island without pieces, and the pieces to be put on it: ``#village1``, ``#road2-30``, ``#bandit``."""
    board = recording.constants.board
    place = IslandGeometry(board, AREA)
    yield f'<svg viewBox="0 0 {AREA.w:g} {AREA.h:g}" role="group" aria-label="the island"><defs>'
    slopes = {_slope(place, road): road for road in range(1, len(place.roads))}
    for seat in recording.seats:
        for kind in ("village", "city"):
            yield _symbol(f"{kind}{seat.player}", pieces.settlement(kind, seat.colour, 0, 0, place.size).shapes)
        for slope, road in slopes.items():
            yield _symbol(f"road{seat.player}-{slope}", _road(place, seat.colour, road).shapes)
    yield _symbol("bandit", pieces.bandit(0, 0, place.size, False).shapes)
    yield _symbol("new", pieces.glow(0, 0, 0.42 * place.size))
    yield _symbol("rolled", pieces.glow(0, 0, 0.4 * place.size))
    yield "</defs>"
    for shape in terrain_layer(board, AREA).shapes:
        yield svg(shape)
    for tile, (x, y) in enumerate(place.tiles):
        number = board.map.tiles[tile - 1].number if tile else None
        if number is not None:
            yield svg(pieces.token(number, x, y + pieces.TOKEN_DROP * place.size, place.size, False, False))
    for tile, (x, y) in enumerate(place.tiles[1:], 1):
        if board.map.tiles[tile - 1].is_land:
            yield _named(Circle(x, y, 0.8 * place.size, _CLEAR), tile_name(board, tile))
    for wharf in place.wharfs:
        yield _named(Circle(*wharf.sign, wharf.radius, _CLEAR), wharf_words(wharf.type))
    yield '<g id="pieces"></g></svg>'


def _named(shape: Shape, name: str) -> str:
    """A shape with a name, for tooltips and for screen readers."""
    return f'<g role="img" aria-label="{escape(name)}"><title>{escape(name)}</title>{svg(shape)}</g>'


def _symbol(id: str, shapes: Iterable[Shape]) -> str:
    return f'<g id="{id}">{"".join(map(svg, shapes))}</g>'


def svg(shape: Shape) -> str:
    """A shape as an SVG element."""
    match shape:
        case Polygon(points, fill, stroke, width):
            return f'<polygon points="{_points(points)}"{_paint("fill", fill)}{_stroke(stroke, width)}/>'
        case Circle(x, y, radius, fill, stroke, width):
            return f'<circle cx="{x:.4g}" cy="{y:.4g}" r="{radius:.3g}"{_paint("fill", fill)}{_stroke(stroke, width)}/>'
        case Path(points, color, width, closed):
            kind = "polygon" if closed else "polyline"
            return f'<{kind} points="{_points(points)}" fill="none"{_stroke(color, width)}/>'
        case Box(x, y, w, h, fill, radius, stroke, width):
            place = f'x="{x:.4g}" y="{y:.4g}" width="{w:.4g}" height="{h:.4g}" rx="{radius:.3g}"'
            return f"<rect {place}{_paint('fill', fill)}{_stroke(stroke, width)}/>"
        case Text(x, y, text, size, color, bold, align):
            anchor = {0.0: "start", 0.5: "middle", 1.0: "end"}[align]
            weight = ' font-weight="bold"' if bold else ""
            place = f'x="{x:.4g}" y="{y + size * 0.36:.4g}" font-size="{size:.3g}" text-anchor="{anchor}"'
            return f"<text {place}{weight}{_paint('fill', color)}>{escape(text)}</text>"
        case Sprite(_, x, y, shapes):
            return f'<g transform="translate({x:.4g} {y:.4g})">{"".join(map(svg, shapes))}</g>'


def _points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.4g},{y:.4g}" for x, y in points)


def _stroke(color: Color | None, width: float) -> str:
    if color is None or not width:
        return ""
    return f'{_paint("stroke", color)} stroke-width="{width:.3g}"'


def _paint(what: str, color: Color | None) -> str:
    if color is None:
        return f' {what}="none"'
    faded = f' {what}-opacity="{color[3] / 255:.2g}"' if len(color) == 4 else ""
    return f' {what}="{_tone(color)}"{faded}'


def _tone(color: Color) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color[:3])
