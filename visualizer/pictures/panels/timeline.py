"""The timeline: curves of points, with marks for sevens, trades and builds below; and the buttons."""

from collections.abc import Callable
from functools import lru_cache

from ...data.recording import GameRecording
from .. import palette
from ..icons import badge, icon
from ..scene import Layer, Panel, Target, TextMeasure
from ..shapes import Box, Circle, Color, Path, Point, Polygon, Rect, Shape, Text
from ..typeset import label

_MARKS = 1.9
"""Height of the band with the marks, in em."""
_LEGEND, _AXIS = 1.5, 1.25
"""Heights of the legend above the curves and of the axis below the marks, in em."""
_LEFT, _RIGHT = 2.6, 0.9
_HUNDRED = 100
_TICKS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
_MARK_WORDS = ("seven", "trade", "road", "village", "city")
_PIECES = 48
_SMALL = 0.82
_COMING: Color = (16, 22, 28, 120)
"""Laid over later steps."""


def track_area(area: Rect, em: float) -> Rect:
    """The part of the timeline that stands for steps: its left side is the first step, its right side the last."""
    return Rect(area.x + _LEFT * em, area.y, area.w - (_LEFT + _RIGHT) * em, area.h)


def horizon(length: int, index: int, hides_future: bool) -> int:
    """How many steps the timeline has room for; without the future a round number, which does not give away the end."""
    return (index // _HUNDRED + 1) * _HUNDRED + 1 if hides_future else length


def x_of(index: int, length: int, track: Rect) -> float:
    """The x of a step on the timeline."""
    return track.x + track.w * (index / (length - 1) if length > 1 else 0.0)


def index_at(x: float, length: int, track: Rect) -> int:
    """The step nearest to an x on the timeline."""
    share = (x - track.x) / track.w if track.w else 0.0
    return max(0, min(length - 1, round(share * (length - 1))))


@lru_cache(maxsize=4)
def curve_panel(recording: GameRecording, length: int, room: int, area: Rect, em: float, measure: TextMeasure) -> Panel:
    """The points of all players over the first ``length`` steps, and marks for sevens, trades, builds.

    ``room`` is how many steps the axis has room for; with a legend above and the turns below.
    """
    track = track_area(area, em)
    shapes: list[Shape] = [Box(*area, palette.TRACK, 0.0, palette.PANEL_EDGE, 1)]
    axis_top = area.bottom - _AXIS * em
    marks_top = axis_top - _MARKS * em
    plot_top = area.y + (_LEGEND + 0.4) * em
    plot = Rect(track.x, plot_top, track.w, marks_top - plot_top - 0.4 * em)
    goal = recording.constants.rules.points_to_win
    most = max(goal, max(max(points) for points in recording.points[:length]))
    rise = plot.h / most

    def level(points: float) -> float:
        return plot.bottom - points * rise

    for points in sorted({0, goal // 2, goal}):
        tone: Color = (70, 84, 60) if points == goal else (44, 58, 70)
        shapes.append(Path(((track.x, level(points)), (track.right, level(points))), tone, 1.0))
        shapes.append(Text(track.x - 0.5 * em, level(points), str(points), em * _SMALL, palette.DIM, False, 1.0))
    for seat in recording.seats:
        line = _curve([points[seat.player - 1] for points in recording.points[:length]], room, track, level)
        # Players with equal points would have the same line: each is shifted a little.
        shift = (seat.player - (len(recording.seats) + 1) / 2) * em * 0.09
        line = tuple((x, y + shift) for x, y in line)
        shapes.append(Path(line, palette.player_color(seat.colour), max(1.5, em * 0.13)))
    shapes.append(Path(((area.x, marks_top), (area.right, marks_top)), palette.PANEL_EDGE, 1.0))
    shapes += _marks(recording, length, room, track, marks_top, em)
    shapes += _axis(recording, length, room, track, area, em, measure)
    shapes += _legend(recording, area, em, measure)
    return Panel(Layer("curve", area, palette.TRACK, tuple(shapes)), (Target(("timeline",), area, True),))


def _axis(
    recording: GameRecording, length: int, room: int, track: Rect, area: Rect, em: float, measure: TextMeasure
) -> list[Shape]:
    """The numbers of the turns below the marks, at their first steps, as dense as can be read."""
    y = area.bottom - 0.58 * _AXIS * em
    shapes: list[Shape] = [Text(area.x + 0.45 * em, y, "turn", em * _SMALL, palette.DIM)]
    begins: dict[int, int] = {}
    for index, turn in enumerate(recording.turns[:length]):
        begins.setdefault(turn, index)
    begins.pop(0, None)
    apart = measure("0000", em * _SMALL)
    last = max(begins, default=0)
    per_turn = (x_of(begins[last], room, track) - x_of(begins[1], room, track)) / max(1, last - 1) if last else 0.0
    tick = next((tick for tick in _TICKS if tick * per_turn >= 1.5 * apart), _TICKS[-1])
    right = area.x + 0.45 * em + measure("turn", em * _SMALL) + 0.3 * em
    for turn in sorted({1, *range(tick, last + 1, tick)}):
        x, half = x_of(begins.get(turn, 0), room, track), measure(str(turn), em * _SMALL) / 2
        if turn in begins and x - half > right and x + half < area.right - 2:
            shapes.append(
                Path(((x, area.bottom - _AXIS * em), (x, area.bottom - (_AXIS - 0.2) * em)), palette.FAINT, 1.0)
            )
            shapes.append(Text(x, y, str(turn), em * _SMALL, palette.DIM, False, 0.5))
            right = x + half + 0.6 * em
    return shapes


def _legend(recording: GameRecording, area: Rect, em: float, measure: TextMeasure) -> list[Shape]:
    """The legend of curves and marks; names of players are left out if they do not fit."""
    y, size = area.y + 0.55 * _LEGEND * em, em * _SMALL
    right = area.right - 0.6 * em
    shapes: list[Shape] = []
    for kind in reversed(_MARK_WORDS):
        width = measure(kind, size)
        shapes.append(Text(right, y, kind, size, palette.DIM, False, 1.0))
        shapes += _mark(kind, right - width - 0.55 * em, y - 0.42 * em, y + 0.45 * em, em, palette.INK)
        right -= width + 1.7 * em
    x = area.x + 0.45 * em
    shapes.append(Text(x, y, "points", size, palette.DIM))
    x += measure("points", size) + 0.6 * em
    names = sum(measure(seat.name, size) + 2.0 * em for seat in recording.seats) <= right - x
    for seat in recording.seats:
        shapes.append(badge(seat.colour, x + 0.5 * em, y, round(em, 1)))
        x += 1.25 * em
        if names:
            shapes.append(Text(x, y, seat.name, size, palette.player_text_color(seat.colour)))
            x += measure(seat.name, size) + 0.75 * em
    return shapes


def _curve(values: list[int], room: int, track: Rect, level: Callable[[float], float]) -> tuple[Point, ...]:
    """The corners of a staircase line through the values."""
    points: list[Point] = [(track.x, level(values[0]))]
    for i in range(1, len(values)):
        if values[i] != values[i - 1]:
            x = x_of(i, room, track)
            points += [(x, level(values[i - 1])), (x, level(values[i]))]
    return (*points, (x_of(len(values) - 1, room, track), level(values[-1])))


def _marks(recording: GameRecording, length: int, room: int, track: Rect, top: float, em: float) -> list[Shape]:
    shapes: list[Shape] = []
    foot = top + (_MARKS - 0.25) * em
    for mark in recording.marks:
        if mark.index < length:
            tone = palette.player_color(recording.colour(mark.player))
            shapes += _mark(mark.kind, x_of(mark.index, room, track), top, foot, em, tone)
    return shapes


def _mark(kind: str, x: float, top: float, foot: float, em: float, tone: Color) -> list[Shape]:
    """The mark of a seven, a trade or a build; builds stand on the lower edge."""
    middle = min(top + 0.42 * em, (top + foot) / 2)
    if kind == "seven":
        r = 0.27 * em
        return [Polygon(((x - r, middle - r), (x + r, middle - r), (x, middle + r)), (240, 96, 84))]
    if kind == "trade":
        return [Circle(x, middle, 0.22 * em, palette.TRACK, tone, 0.14 * em)]
    high = {"road": 0.28, "village": 0.62, "city": 0.78}[kind] * em
    stick = Path(((x, foot - high), (x, foot)), tone, max(1.5, em * 0.15))
    if kind != "city":
        return [stick]
    return [stick, Circle(x, foot - high, 0.2 * em, tone, (255, 255, 255), 0.08 * em)]


def playhead(index: int, room: int, pointed: int | None, area: Rect, em: float) -> Layer:
    """The position of the shown step on the timeline; later steps are shaded."""
    track = track_area(area, em)
    x, top, foot = round(x_of(index, room, track)), area.y + _LEGEND * em, area.bottom - _AXIS * em
    shapes: list[Shape] = []
    # In pieces, so that from one step to the next only the piece at the playhead is drawn again.
    piece = max(1, round(area.w / _PIECES))
    for left in range(round(area.x), round(area.right) - 1, piece):
        right = min(left + piece, round(area.right) - 1)
        if right > x:
            shapes.append(Box(max(left, x), top, right - max(left, x), foot - top, _COMING))
    if pointed is not None and pointed != index:
        px = x_of(pointed, room, track)
        shapes.append(Path(((px, top), (px, foot)), palette.faded(palette.INK, 110), 1.5))
    shapes.append(Path(((x, top), (x, foot)), palette.GOLD, max(2.0, em * 0.14)))
    r = 0.42 * em
    shapes.append(Polygon(((x - r, top), (x + r, top), (x, top + 1.4 * r)), palette.GOLD))
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
    recording: GameRecording,
    length: int,
    index: int,
    playing: bool,
    speed: float,
    live: bool,
    following: bool,
    has_peers: bool,
    hides_future: bool,
    area: Rect,
    em: float,
    measure: TextMeasure,
) -> Panel:
    """The buttons under the island, and the number of the shown step."""
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
            shapes.append(Text(x + width / 2, y, speed_text(speed), em * 0.9, palette.INK, True, 0.5))
            targets.append(Target(("speed",), Rect(x, y - side / 2, width, side)))
            x += width + 0.2 * em
            continue
        lit = name == "follow" and live
        shapes += _button(name, x, y, side, em, lit, name == "follow" and not following)
        targets.append(Target(("button", name), Rect(x, y - side / 2, side, side), True))
        x += side + 0.2 * em
    text = f"step {index}" + ("" if hides_future else f" of {length - 1}")
    if area.right - x > 6 * em:
        turn = recording.turns[index]
        more = f"turn {turn}, " if turn else "set-up, "
        if measure(more + text, em * 0.95) < area.right - x - em:
            text = more + text
        shapes.append(
            label(measure, area.right, y, text, em * 0.95, area.right - x - 0.6 * em, palette.DIM, False, 1.0)
        )
    return Panel(Layer("controls", area, (18, 26, 34), tuple(shapes)), tuple(targets))


def _dead(name: str, index: int, last: int) -> bool:
    return (index == 0 and name.startswith(("first", "previous"))) or (
        index >= last and name.startswith(("last", "next"))
    )


def _button(name: str, x: float, y: float, side: float, em: float, lit: bool, dead: bool) -> list[Shape]:
    ground: Color = palette.CHOSEN if lit else palette.PANEL
    tone: Color = palette.mixed(palette.FAINT, palette.PANEL, 0.35) if dead else palette.GOLD if lit else palette.INK
    shapes: list[Shape] = [Box(x, y - side / 2, side, side, ground, 0.4 * em, palette.PANEL_EDGE, 1)]
    if name == "help":
        shapes.append(Text(x + side / 2, y, "?", em * 1.15, tone, True, 0.5))
    else:
        shapes.append(icon(name, x + side / 2, y, round(side * 0.55, 1), tone))
    return shapes
