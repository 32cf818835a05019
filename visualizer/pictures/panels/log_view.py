"""The log: the commit graph with a row for each commit, the newest below."""

from functools import lru_cache
from math import cos, pi

from catan_p2p.log.refs import LogBranch, parse_branch

from ...data.graph import GraphEdge, edges_between, lane_count, lane_of
from ...data.recording import GameRecording, PlayedStep
from ...view import ShownRefusal
from ..icons import badge
from ..palette import (
    CHOSEN,
    DIM,
    FAINT,
    GOLD,
    INK,
    LOSS,
    PANEL,
    PANEL_EDGE,
    QUIET,
    mark,
    mark_color,
    mixed,
    player_color,
    player_text_color,
    readable,
)
from ..scene import Layer, Panel, Target, TextMeasure
from ..shapes import Box, Circle, Color, Path, Point, Polygon, Rect, Shape, Sprite, Text, moved, scaled
from ..typeset import fitting, label
from ..words import deeds

ID_LENGTH = 7
_ROW = 1.62
_HEAD = 2.0
_WORDS = 11.5
"""The least room for the words of a row beside the id, in em."""


class LogPlan:
    """Which rows fit into an area, and where."""

    def __init__(
        self, recording: GameRecording, area: Rect, em: float, top: int | None, index: int, length: int | None = None
    ) -> None:
        self.length = len(recording) if length is None else length
        self.area = area
        self.em = em
        self.row_height = round(_ROW * em)
        self.head = Rect(area.x, area.y, area.w, round(_HEAD * em))
        self.list = Rect(area.x, self.head.bottom, area.w, area.bottom - self.head.bottom)
        self.row_count = max(1, int(self.list.h // self.row_height))
        self.top = first_row(self.length, self.row_count, top, index)
        self.bottom = min(self.length, self.top + self.row_count) - 1
        lanes = lane_count(recording)
        self.lane_width = min(1.25 * em, max(0.75 * em, area.w * 0.32 / lanes))
        self.graph_right = area.x + 0.5 * em + self.lane_width * lanes
        self.node_size = round(min(1.12 * em, self.lane_width * 0.98), 1)

    def row_middle(self, row: int) -> float:
        """The y of a row."""
        return self.list.y + (row - self.top + 0.5) * self.row_height

    def lane_middle(self, lane: int) -> float:
        """The x of a lane."""
        return self.area.x + 0.5 * self.em + (lane + 0.5) * self.lane_width


def first_row(length: int, row_count: int, top: int | None, index: int) -> int:
    """The first visible row: where the log was scrolled to, else such that the shown step is visible."""
    wanted = index - round(row_count * 0.6) if top is None else top
    return max(0, min(wanted, length - row_count))


def log_length(recording: GameRecording, index: int, refused: int, hides_future: bool) -> int:
    """How many rows the log has: all commits and the refused ones; without the future, those up to the shown step."""
    return index + 1 if hides_future else len(recording) + refused


def log_panel(
    recording: GameRecording,
    index: int,
    top: int | None,
    area: Rect,
    em: float,
    measure: TextMeasure,
    refused: tuple[ShownRefusal, ...] = (),
    hides_future: bool = False,
) -> list[Panel]:
    """The log of a recording with one step chosen: its head with the lanes' names, and the list of commits.

    Refused commits stand below all others, in red. Without the future the shown step is the last row.
    """
    heads = tuple(recording.heads.items())
    shown = index + 1 if hides_future else len(recording)
    refused = () if hides_future else refused
    return [
        _head(recording, shown, len(refused), area, em, measure),
        _list(recording, shown, index, top, heads, refused, area, em, measure),
    ]


@lru_cache(maxsize=4)
def _head(recording: GameRecording, length: int, refused: int, area: Rect, em: float, measure: TextMeasure) -> Panel:
    plan = LogPlan(recording, area, em, None, 0)
    y = plan.head.center[1]
    shapes: list[Shape] = [Box(*plan.head, mixed(PANEL, INK, 0.05))]
    targets = []
    for seat in recording.seats:
        x = plan.lane_middle(seat.player - 1)
        shapes.append(badge(seat.colour, x, y, plan.node_size))
        half = plan.lane_width / 2
        targets.append(Target(("lane", seat.player), Rect(x - half, plan.head.y, 2 * half, plan.head.h)))
    left = plan.graph_right + 0.5 * em
    if recording.most_replies:
        first = plan.lane_middle(len(recording.seats)) - plan.lane_width / 2
        targets.append(Target(("replies",), Rect(first, plan.head.y, plan.graph_right - first, plan.head.h)))
        for i in range(recording.most_replies):
            shapes.append(_reply_sign(plan.lane_middle(len(recording.seats) + i), y, plan.node_size))
    text = f"{length} commits" if length != 1 else "1 commit"
    text += f", {refused} refused" if refused else ""
    shapes.append(
        label(measure, left, y, text, em * 0.95, area.right - left - 0.5 * em, LOSS if refused else DIM, True)
    )
    return Panel(Layer("log head", plan.head, PANEL, tuple(shapes)), tuple(targets))


def _reply_sign(x: float, y: float, size: float) -> Sprite:
    r = size * 0.3
    shapes = (Circle(0.0, 0.0, r, None, FAINT, r * 0.4),)
    return Sprite(("reply", size), round(x), round(y), shapes, ((-r, -r), (r, -r), (r, r), (-r, r)))


@lru_cache(maxsize=32)
def _list(
    recording: GameRecording,
    length: int,
    index: int,
    top: int | None,
    heads: tuple[tuple[str, str], ...],  # only for the key of the cache: a recording changes in place
    refused: tuple[ShownRefusal, ...],
    area: Rect,
    em: float,
    measure: TextMeasure,
) -> Panel:
    plan = LogPlan(recording, area, em, top, index, length + len(refused))
    shapes: list[Shape] = [Box(*plan.list, PANEL, 0.0, PANEL_EDGE, 1)]
    if plan.top <= index <= plan.bottom:
        y = plan.row_middle(index) - plan.row_height / 2
        shapes.append(Box(area.x + 1, y, area.w - 2, plan.row_height, CHOSEN))
    for lane in range(len(recording.seats)):
        x = plan.lane_middle(lane)
        tone = mixed(PANEL, player_color(recording.seats[lane].colour), 0.22)
        shapes.append(Path(((x, plan.list.y), (x, plan.list.bottom)), tone, max(1.0, em * 0.07)))
    for edge in edges_between(recording, plan.top, plan.bottom):
        if edge.row < length:
            shapes += _edge(recording, plan, edge, edge.row <= index)
    targets = []
    scroll = plan.row_count < plan.length
    right = area.right - (1.1 if scroll else 0.6) * em
    for i, refusal in enumerate(refused):
        if plan.top <= length + i <= plan.bottom:
            shapes += _refused_row(recording, plan, refusal, length + i, right, measure)
            y = plan.row_middle(length + i) - plan.row_height / 2
            targets.append(Target(("refused", i), Rect(area.x, y, right - area.x, plan.row_height)))
    for row in range(plan.top, min(length, plan.bottom + 1)):
        step = recording.steps[row]
        shapes += _row(recording, plan, step, row == index, row > index, right, measure)
        y = plan.row_middle(row) - plan.row_height / 2
        targets.append(Target(("row", row), Rect(area.x, y, right - area.x, plan.row_height), True))
    if scroll:
        shapes += _scroll_bar(plan, plan.length)
        bar = Rect(area.right - 0.9 * em, plan.list.y, 0.9 * em, plan.list.h)
        targets.append(Target(("scroll",), bar, True))
    return Panel(Layer("log", plan.list, PANEL, tuple(shapes)), tuple(targets))


def _scroll_bar(plan: LogPlan, length: int) -> list[Shape]:
    high = max(1.5 * plan.em, plan.list.h * plan.row_count / length)
    at = plan.list.y + (plan.list.h - high) * plan.top / max(1, length - plan.row_count)
    return [Box(plan.area.right - 0.65 * plan.em, at + 2, 0.4 * plan.em, high - 4, FAINT, 0.2 * plan.em)]


def _row(
    recording: GameRecording,
    plan: LogPlan,
    step: PlayedStep,
    chosen: bool,
    later: bool,
    right: float,
    measure: TextMeasure,
) -> list[Shape]:
    em, y = plan.em, plan.row_middle(step.index)
    colour = recording.colour(step.player)
    shapes: list[Shape] = [badge(colour, plan.lane_middle(lane_of(recording, step)), y, plan.node_size, ringed=chosen)]
    # From right to left, so that the flags stand in the order of the branches.
    for name in reversed(recording.heads_at(step.commit)):
        owner = head_colour(name)
        if owner is not None:
            right -= 1.05 * em
            shapes.append(_flag(owner, right + 0.5 * em, y, round(1.05 * em, 1)))
    tone = player_text_color(colour)
    later_tone = readable(mixed(tone, PANEL, 0.5), PANEL)
    ink = later_tone if later else INK if chosen else tone
    id_ink = QUIET if later else readable(DIM, CHOSEN) if chosen else DIM
    return [*shapes, *_words(plan, y, step.commit, deeds(recording, step), right, ink, id_ink, chosen, measure)]


def _words(
    plan: LogPlan,
    y: float,
    commit: str,
    forms: tuple[str, ...],
    right: float,
    ink: Color,
    id_ink: Color,
    bold: bool,
    measure: TextMeasure,
) -> list[Shape]:
    """The id and the words of a row, as many as fit and never cut; without the id if space is short."""
    em, left = plan.em, plan.graph_right + 0.5 * plan.em
    room = right - left - 0.4 * em
    shapes: list[Shape] = []
    id_width = measure("0" * ID_LENGTH, em * 0.85) + 0.6 * em
    if room > id_width + _WORDS * em:
        shapes.append(Text(left, y, commit[:ID_LENGTH], em * 0.85, id_ink))
        left, room = left + id_width, room - id_width
    text = fitting(measure, forms, em * 0.95, room, bold)
    shapes.append(label(measure, left, y, text, em * 0.95, room, ink, bold))
    return shapes


def _refused_row(
    recording: GameRecording, plan: LogPlan, refused: ShownRefusal, row: int, right: float, measure: TextMeasure
) -> list[Shape]:
    """The row of a refused commit: a red node with a cross, connected to its parents by red lines."""
    colours = [seat.colour for seat in recording.seats]
    lane = colours.index(refused.colour) if refused.colour in colours else 0
    x, y = plan.lane_middle(lane), plan.row_middle(row)
    shapes: list[Shape] = []
    for parent in refused.parents:
        parent_row = recording.row_of.get(parent)
        if parent_row is None:
            continue
        parent_lane = lane_of(recording, recording.steps[parent_row])
        x0, y0 = plan.lane_middle(parent_lane), plan.row_middle(parent_row)
        bend = max(y0, y - plan.row_height)
        line = () if bend <= y0 else ((x0, max(y0, plan.list.y)),)
        shapes.append(Path((*line, *_curve((x0, bend), (x, y))), LOSS, max(1.5, plan.em * 0.16)))
    shapes.append(_refused_sign(x, y, plan.node_size))
    in_short = f"refused ({refused.reason})"
    forms = (f"{in_short}: {refused.detail}", in_short, "refused")
    return [*shapes, *_words(plan, y, refused.commit, forms, right, LOSS, LOSS, False, measure)]


@lru_cache(maxsize=64)
def _refused_sign(x: float, y: float, size: float) -> Sprite:
    r = size / 2
    cross = tuple(
        Path(((-0.4 * r, s * -0.4 * r), (0.4 * r, s * 0.4 * r)), (255, 255, 255), max(1.0, 0.28 * r)) for s in (1, -1)
    )
    shapes: tuple[Shape, ...] = (Circle(0.0, 0.0, r * 0.94, (200, 24, 24), (255, 255, 255), r * 0.14), *cross)
    return Sprite(("refused", size), round(x), round(y), shapes, ((-r, -r), (r, -r), (r, r), (-r, r)))


def head_colour(branch: str) -> str | None:
    """The colour of the player whose log a branch is, None for the branch of a reply."""
    found = parse_branch(branch)
    return found.colour if isinstance(found, LogBranch) else None


@lru_cache(maxsize=128)
def _flag(colour: str, x: float, y: float, size: float) -> Sprite:
    """A flag in the player's colour, at the head of that player's branch."""
    r = size / 2
    tone = player_color(colour)
    cloth = ((-0.7 * r, -0.85 * r), (0.95 * r, -0.85 * r), (0.95 * r, 0.85 * r), (-0.7 * r, 0.85 * r), (-0.2 * r, 0.0))
    sign = tuple(moved(scaled(part, r * 0.4), 0.38 * r, 0.0) for part in mark(colour, mark_color(colour)))
    shapes = (Polygon(cloth, tone, GOLD, max(1.0, 0.14 * r)), *sign)
    return Sprite(("flag", colour, size), round(x), round(y), shapes, ((-r, -r), (r, -r), (r, r), (-r, r)))


def _edge(recording: GameRecording, plan: LogPlan, edge: GraphEdge, done: bool) -> list[Shape]:
    x0, y0 = plan.lane_middle(edge.parent_lane), plan.row_middle(edge.parent_row)
    x1, y1 = plan.lane_middle(edge.lane), plan.row_middle(edge.row)
    tone = player_color(recording.colour(edge.player))
    tone = mixed(tone, (255, 255, 255), 0.1) if done else mixed(tone, PANEL, 0.6)
    width = max(1.5, plan.em * 0.16)
    if edge.parent_lane == edge.lane:
        return [Path(((x0, y0), (x1, y1)), tone, width)]
    bend = plan.row_height
    if edge.late:
        start = (x1, y1) if y1 - y0 <= bend else (x0, y1 - bend)
        straight = [((x0, y0), (x0, y1 - bend))] if y1 - y0 > bend else []
        curve = _curve((x0, max(y0, y1 - bend)), (x1, y1))
    else:
        start = (x1, min(y1, y0 + bend))
        straight = [(start, (x1, y1))] if y1 - y0 > bend else []
        curve = _curve((x0, y0), start)
    return [Path(curve, tone, width), *(Path(line, tone, width) for line in straight)]


def _curve(start: Point, end: Point) -> tuple[Point, ...]:
    """A curve that is vertical at both ends."""
    (x0, y0), (x1, y1) = start, end
    return tuple((x0 + (x1 - x0) * (1 - cos(pi * i / 10)) / 2, y0 + (y1 - y0) * i / 10) for i in range(11))
