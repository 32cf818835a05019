"""Time: the points curve with sevens, trades and builds below it, and the buttons."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from ...data.recording import Recording
from ..icons import icon
from ..palette import (
    CHOSEN,
    DIM,
    FAINT,
    GOLD,
    INK,
    PANEL,
    PANEL_EDGE,
    TRACK,
    faded,
    mixed,
    player_color,
)
from ..scene import Layer, Measure, Target
from ..shapes import Box, Circle, Color, Path, Point, Polygon, Rect, Shape, Text
from ..typeset import label
from .players import Panel

_MARKS = 1.9
"""Height of the band with the marks, in em."""
_SIDE = 0.8
_PIECES = 48
_COMING: Color = (16, 22, 28, 120)
"""Over what is still to come."""


def track_area(area: Rect, em: float) -> Rect:
    """Where the steps lie within the timeline: its left side is the first, its right side the last."""
    return Rect(area.x + _SIDE * em, area.y, area.w - 2 * _SIDE * em, area.h)


def x_of(index: int, length: int, track: Rect) -> float:
    """Where a step lies on the timeline."""
    return track.x + track.w * (index / (length - 1) if length > 1 else 0.0)


def index_at(x: float, length: int, track: Rect) -> int:
    """The step nearest to a place on the timeline."""
    share = (x - track.x) / track.w if track.w else 0.0
    return max(0, min(length - 1, round(share * (length - 1))))


@lru_cache(maxsize=4)
def curve_panel(recording: Recording, length: int, area: Rect, em: float, measure: Measure) -> Panel:
    """The points of all players over all steps, and marks for sevens, trades, builds; the same for every step shown."""
    track = track_area(area, em)
    shapes: list[Shape] = [Box(*area, TRACK, 0.0, PANEL_EDGE, 1)]
    marks_top = area.bottom - _MARKS * em
    plot = Rect(track.x, area.y + 0.5 * em, track.w, marks_top - area.y - 0.9 * em)
    goal = recording.constants.rules.points_to_win
    most = max(goal, max(max(points) for points in recording.points))
    rise = plot.h / most

    def level(points: float) -> float:
        return plot.bottom - points * rise

    shapes.append(Path(((track.x, level(goal)), (track.right, level(goal))), (70, 84, 60), 1.0))
    shapes.append(Path(((track.x, plot.bottom), (track.right, plot.bottom)), (44, 58, 70), 1.0))
    for seat in recording.seats:
        line = _curve([points[seat.player - 1] for points in recording.points], track, level)
        shift = (seat.player - (len(recording.seats) + 1) / 2) * em * 0.09
        line = tuple((x, y + shift) for x, y in line)
        shapes.append(Path(line, player_color(seat.colour), max(1.5, em * 0.13)))
    shapes.append(Path(((area.x, marks_top), (area.right, marks_top)), PANEL_EDGE, 1.0))
    shapes += _marks(recording, length, track, marks_top, em)
    return Panel(Layer("curve", area, TRACK, tuple(shapes)), (Target(("timeline",), area, True),))


def _curve(values: list[int], track: Rect, level: Callable[[float], float]) -> tuple[Point, ...]:
    """Only the corners of the steps."""
    points: list[Point] = [(track.x, level(values[0]))]
    for i in range(1, len(values)):
        if values[i] != values[i - 1]:
            x = x_of(i, len(values), track)
            points += [(x, level(values[i - 1])), (x, level(values[i]))]
    return (*points, (x_of(len(values) - 1, len(values), track), level(values[-1])))


def _marks(recording: Recording, length: int, track: Rect, top: float, em: float) -> list[Shape]:
    shapes: list[Shape] = []
    wide = max(1.5, em * 0.15)
    foot = top + (_MARKS - 0.25) * em
    for mark in recording.marks:
        x = x_of(mark.index, length, track)
        tone = player_color(recording.colour(mark.player))
        if mark.kind == "seven":
            r, y = 0.27 * em, top + 0.42 * em
            shapes.append(Polygon(((x - r, y - r), (x + r, y - r), (x, y + r)), (240, 96, 84)))
            continue
        if mark.kind == "trade":
            shapes.append(Circle(x, top + 0.42 * em, 0.22 * em, TRACK, tone, 0.14 * em))
            continue
        high = {"road": 0.28, "village": 0.62, "city": 0.78}[mark.kind] * em
        shapes.append(Path(((x, foot - high), (x, foot)), tone, wide))
        if mark.kind == "city":
            shapes.append(Circle(x, foot - high, 0.2 * em, tone, (255, 255, 255), 0.08 * em))
    return shapes


def playhead(recording: Recording, index: int, pointed: int | None, area: Rect, em: float) -> Layer:
    """Where the game is on the timeline: what is still to come lies in the shade."""
    track = track_area(area, em)
    length = len(recording)
    x = round(x_of(index, length, track))
    shapes: list[Shape] = []
    # In pieces, so that from one step to the next only the piece at the playhead is another.
    piece = max(1, round(area.w / _PIECES))
    for left in range(round(area.x), round(area.right) - 1, piece):
        right = min(left + piece, round(area.right) - 1)
        if right > x:
            shapes.append(Box(max(left, x), area.y + 1, right - max(left, x), area.h - 2, _COMING))
    if pointed is not None and pointed != index:
        px = x_of(pointed, length, track)
        shapes.append(Path(((px, area.y + 2), (px, area.bottom - 2)), faded(INK, 110), 1.5))
    shapes.append(Path(((x, area.y + 1), (x, area.bottom - 1)), GOLD, max(2.0, em * 0.14)))
    r = 0.42 * em
    shapes.append(Polygon(((x - r, area.y), (x + r, area.y), (x, area.y + 1.4 * r)), GOLD))
    return Layer("playhead", area, None, tuple(shapes))


BUTTONS: tuple[str, ...] = (
    "first", "previous_round", "previous_turn", "previous_action", "play", "next_action", "next_turn", "next_round",
    "last",
)  # fmt: skip
TOOLS: tuple[str, ...] = ("slower", "speed", "faster", "jump", "follow", "peer", "help")


def speed_text(speed: float) -> str:
    """Actions a second in short: ``4/s``."""
    return f"{speed:g}/s"


@lru_cache(maxsize=64)
def controls_panel(
    recording: Recording,
    length: int,
    index: int,
    playing: bool,
    speed: float,
    live: bool,
    following: bool,
    has_peers: bool,
    area: Rect,
    em: float,
    measure: Measure,
) -> Panel:
    """The buttons under the island, and in words where the game is."""
    shapes: list[Shape] = []
    targets: list[Target] = []
    side = min(2.15 * em, area.h * 0.8)
    y, x = area.center[1], area.x
    for name in BUTTONS:
        shown = "pause" if name == "play" and playing else name
        shapes += _button(shown, x, y, side, em, name == "play", _dead(name, index, length - 1))
        targets.append(Target(("button", name), Rect(x, y - side / 2, side, side), True))
        x += side + 0.2 * em
    x += 0.6 * em
    for name in TOOLS:
        if name == "peer" and not has_peers:
            continue
        if name == "speed":
            width = measure("64/s", em * 0.9, True) + 0.5 * em
            shapes.append(Text(x + width / 2, y, speed_text(speed), em * 0.9, INK, True, 0.5))
            targets.append(Target(("speed",), Rect(x, y - side / 2, width, side)))
            x += width + 0.2 * em
            continue
        lit = name == "follow" and live
        shapes += _button(name, x, y, side, em, lit, name == "follow" and not following)
        targets.append(Target(("button", name), Rect(x, y - side / 2, side, side), True))
        x += side + 0.2 * em
    text = f"step {index} of {length - 1}"
    if area.right - x > 6 * em:
        turn = recording.turns[index]
        more = f"turn {turn}, " if turn else "set-up, "
        if measure(more + text, em * 0.95) < area.right - x - em:
            text = more + text
        shapes.append(label(measure, area.right, y, text, em * 0.95, area.right - x - 0.6 * em, DIM, False, 1.0))
    return Panel(Layer("controls", area, (18, 26, 34), tuple(shapes)), tuple(targets))


def _dead(name: str, index: int, last: int) -> bool:
    return (index == 0 and name.startswith(("first", "previous"))) or (
        index >= last and name.startswith(("last", "next"))
    )


def _button(name: str, x: float, y: float, side: float, em: float, lit: bool, dead: bool) -> list[Shape]:
    ground: Color = CHOSEN if lit else PANEL
    tone: Color = mixed(FAINT, PANEL, 0.35) if dead else GOLD if lit else INK
    shapes: list[Shape] = [Box(x, y - side / 2, side, side, ground, 0.4 * em, PANEL_EDGE, 1)]
    if name == "help":
        shapes.append(Text(x + side / 2, y, "?", em * 1.15, tone, True, 0.5))
    else:
        shapes.append(icon(name, x + side / 2, y, round(side * 0.55, 1), tone))
    return shapes
