"""A game as one page for any browser: the island as SVG, what each step changes, and a little JavaScript.

The page loads nothing, and its policy forbids it to. The shapes are those of the viewer's pictures. A step is stored as
the places in a list of values that it changes: a page has 200 to 350 kB, and some 100 bytes an action.
"""

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path as File
from typing import Any

from catan_p2p.game.board import Board, numbers
from catan_p2p.game.cards import count, total
from catan_p2p.game.constants import NO_OWNER

from .data.recording import Recording, Step
from .pictures import palette
from .pictures.island import pieces
from .pictures.island.geometry import Geometry
from .pictures.island.land import terrain_layer
from .pictures.panels.players import active
from .pictures.shapes import Box, Circle, Color, Path, Polygon, Rect, Shape, Sprite, Text
from .pictures.words import phase, sentence

AREA = Rect(0, 0, 1000, 900)
MAX_STEPS = 50_000
"""A page of more steps is refused: it would have several megabytes."""
_UNSHOWN = ("pledge", "chance", "vote")
"""Replies that change nothing which is seen."""
_ROAD_ENDS = ("village", "village")
"""Roads are drawn as between two villages, whatever stands there."""


class TooLong(ValueError):
    """A game of too many steps for a page."""


def page(recording: Recording) -> str:
    """The page of a game; ``TooLong`` if it has more than ``MAX_STEPS`` steps."""
    shown = [step for step in recording.steps if step.reply_kind not in _UNSHOWN]
    if len(shown) > MAX_STEPS:
        raise TooLong(f"{len(shown)} steps, expected at most {MAX_STEPS}")
    folder = File(__file__).parent
    style, script = ((folder / f"page.{kind}").read_text("utf-8") for kind in ("css", "js"))
    policy = f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}"
    parts = {
        "policy": policy,
        "title": escape(f"Catan: {', '.join(seat.name for seat in recording.seats)}"),
        "style": style,
        "island": "\n".join(_island(recording)),
        "game": json.dumps(_game(recording, shown), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        "script": script,
    }
    text = (folder / "page.html").read_text("utf-8")
    return "".join(parts[part[: -len("}}")]] if part.endswith("}}") else part for part in _split(text))


def _split(text: str) -> Iterator[str]:
    """A template in pieces: text, and ``name}}`` for each ``{{name}}``."""
    for i, part in enumerate(text.split("{{")):
        name, end, rest = part.partition("}}")
        yield from (f"{name}{end}", rest) if i else (part,)


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


# What happens


def _game(recording: Recording, shown: list[Step]) -> dict[str, Any]:
    board, place = recording.constants.board, Geometry(recording.constants.board, AREA)
    first = _values(recording, recording.steps[0])
    steps, before = [], first
    for step in shown:
        now = _values(recording, step)
        changed = [x for i, (old, new) in enumerate(zip(before, now, strict=True)) if old != new for x in (i, new)]
        steps.append({"p": step.player - 1, "w": sentence(recording, step), "d": changed})
        before = now
    return {
        "points": [_rounded(at) for at in place.settlements[1:]],
        "roads": [[*_rounded(_middle(place, road)), _slope(place, road)] for road in range(1, len(place.roads))],
        "tiles": [_tile(board, place, tile) for tile in range(1, board.tile_count + 1)],
        "players": [{"name": seat.name, "tone": _tone(palette.player_color(seat.colour))} for seat in recording.seats],
        "first": first,
        "steps": steps,
    }


def _values(recording: Recording, step: Step) -> list[int | str]:
    """What a page shows after a step: points, roads, bandit, dice, who acts, phase, and seven values of each player."""
    state, known, board = step.state, step.known, recording.constants.board
    points = [0] * board.settlement_count
    roads = [0] * board.road_count
    for seat in recording.constants.players:
        for built, value in ((state.s.villages, 2 * seat - 1), (state.s.cities, 2 * seat)):
            for point in numbers(built[seat - 1]):
                points[point - 1] = value
        for road in numbers(state.r[seat - 1]):
            roads[road - 1] = seat
    told = "" if state.is_over else phase(recording, state)
    found: list[int | str] = [*points, *roads, state.ba, state.dice, active(state), told]
    for seat, hand in enumerate(state.h, 1):
        cards = known.hand(seat).number
        number = cards.low if cards.is_exact else str(cards)
        bought = total(hand.bc + hand.ac) + known.unknown(seat)
        bonuses = (int(state.lr == seat != NO_OWNER), int(state.la == seat != NO_OWNER), int(state.away[seat - 1]))
        found += [recording.points[step.index][seat - 1], number, bought, count(hand.uc, "Knight"), *bonuses]
    return found


def _rounded(at: Iterable[float]) -> list[float]:
    return [round(x, 1) for x in at]


def _middle(place: Geometry, road: int) -> tuple[float, float]:
    (x0, y0), (x1, y1) = place.roads[road]
    return (x0 + x1) / 2, (y0 + y1) / 2


def _slope(place: Geometry, road: int) -> int:
    """Which of the shapes of a road lies there: their directions, in degrees."""
    return _road(place, "Red", road).name[2]  # type: ignore[return-value]


def _road(place: Geometry, colour: str, road: int) -> Sprite:
    return pieces.road(colour, place.roads[road], _ROAD_ENDS, place.size)


def _tile(board: Board, place: Geometry, tile: int) -> list[float]:
    """Middle and number of a tile, and where the bandit stands on it."""
    number = board.map.tiles[tile - 1].number
    x, y = place.tiles[tile]
    dx, dy = pieces.BANDIT_AT if number else (0.0, 0.0)
    return [*_rounded((x, y)), number or 0, *_rounded((x + dx * place.size, y + dy * place.size))]


# What it looks like


def _island(recording: Recording) -> Iterator[str]:
    """The island without pieces, and the pieces to be put on it: ``#village1``, ``#road2-30``, ``#bandit``."""
    board = recording.constants.board
    place = Geometry(board, AREA)
    yield f'<svg viewBox="0 0 {AREA.w:g} {AREA.h:g}" role="img" aria-label="the island"><defs>'
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
    yield '<g id="pieces"></g></svg>'


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
