"""The header of the window: the dice, whose turn it is, what has just happened, who plays; and the tabs."""

from functools import lru_cache

from catan_p2p.game.cards import describe

from ...data.recording import GameRecording
from ...view import TABS, Tab, ViewSituation
from ..icons import badge, icon
from ..palette import CHOSEN, DIM, GOLD, INK, LOSS, PANEL, PANEL_EDGE, WINDOW, player_text_color
from ..scene import Layer, Panel, Target, TextMeasure
from ..shapes import Box, Circle, Rect, Shape, Sprite, Text, moved
from ..typeset import fitting, label
from ..words import phase, sentences
from .players import active


@lru_cache(maxsize=64)
def header_panel(
    recording: GameRecording,
    index: int,
    situation: ViewSituation,
    live: bool,
    area: Rect,
    em: float,
    measure: TextMeasure,
) -> Panel:
    """From left to right: the dice; turn and phase, with the step in words below; the players, with a status below."""
    step = recording.steps[index]
    state = step.state
    shapes: list[Shape] = []
    targets: list[Target] = []
    y = area.center[1]
    x = area.x + 0.7 * em
    size = round(2.3 * em, 1)
    faces = recording.faces(index)
    at = x + size / 2
    shapes.append(dice(at, y, size, state.dice) if faces is None else two_dice(at, y, size, faces))
    targets.append(Target(("dice",), Rect(x, y - size / 2, size, size)))
    x += size + 0.5 * em
    player = active(state)
    side = round(2.0 * em, 1)
    shapes.append(badge(recording.colour(player), x + side / 2, y, side, ringed=True))
    targets.append(Target(("player", player), Rect(x, y - side / 2, side, side)))
    x += side + 0.6 * em
    text, tone = _status(recording, situation, live)
    most = area.w * 0.34
    name = fitting(measure, _who(recording), em, most - em, True)
    title_width = min(max(measure(name, em, True), measure(text, em * 0.88)) + em, most)
    room = area.right - x - title_width - 0.7 * em
    colour = recording.colour(player)
    told = fitting(measure, sentences(recording, step), em * 0.9, room)
    shapes.append(
        label(measure, x, y - 0.62 * em, _now(recording, index), em * 1.1, room, player_text_color(colour), True)
    )
    shapes.append(label(measure, x, y + 0.72 * em, told, em * 0.9, room, INK))
    targets.append(Target(("phase",), Rect(x, area.y, room, area.h)))
    right = area.right - 0.7 * em
    shapes.append(label(measure, right, y - 0.62 * em, name, em, title_width, INK, True, 1.0))
    shapes.append(label(measure, right, y + 0.72 * em, text, em * 0.88, title_width, tone, False, 1.0))
    targets.append(Target(("source",), Rect(right - title_width, area.y, title_width, area.h)))
    return Panel(Layer("header", area, WINDOW, tuple(shapes)), tuple(targets))


def _now(recording: GameRecording, index: int) -> str:
    state = recording.steps[index].state
    if state.tp == "top":
        return f"{recording.name(state.ap)} has won with {recording.points[index][state.ap - 1]} points"
    if state.tp == "Offering":
        give, receive = state.offer
        offer = f"{recording.name(state.ap)} offers {describe(give)} for {describe(receive)}"
        return f"{offer}; {phase(recording, state)}"
    return f"{recording.name(active(state))}: {phase(recording, state)}"


def _who(recording: GameRecording) -> tuple[str, ...]:
    """All names; if they do not fit, the number of players."""
    names = [recording.name(player) for player in recording.constants.players]
    return ", ".join(names), f"{len(names)} players"


def _status(recording: GameRecording, situation: ViewSituation, live: bool) -> tuple[str, tuple[int, int, int]]:
    # There is room for one of these: the most serious one.
    if situation.refused:
        return f"{len(situation.refused)} refused: see the end of the log", LOSS[:3]
    if situation.problem:
        return "cannot be read further: point here", LOSS[:3]
    if situation.peer:
        behind = dict(situation.behind).get(situation.peer, 0)
        return f"as {situation.peer} knows it" + (f", {behind} behind" if behind else ""), GOLD[:3]
    if situation.remark:
        return situation.remark, GOLD[:3]
    if situation.following:
        return ("live" if live else "live, looking back"), GOLD[:3]
    return ("over" if recording.steps[-1].state.is_over else "not over"), DIM[:3]


@lru_cache(maxsize=64)
def dice(x: float, y: float, size: float, total: int) -> Sprite:
    """The two dice with their sum, which is all that a game without joint draws records; a dash before the roll."""
    text = str(total) if total else "–"
    face = size * 0.29
    shapes: tuple[Shape, ...] = (
        moved(icon("dice", 0, 0, size), 0.0, 0.0),
        Text(size * 0.14, size * 0.14, text, face * 1.55, (192, 32, 32) if total == 7 else (40, 34, 30), True, 0.5),
    )
    half = size / 2
    return Sprite(
        ("dice", size, total), round(x), round(y), shapes, ((-half, -half), (half, -half), (half, half), (-half, half))
    )


_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""Columns and rows of the pips of each face."""


@lru_cache(maxsize=64)
def two_dice(x: float, y: float, size: float, faces: tuple[int, int]) -> Sprite:
    """Both dice with their pips, which only a joint draw records."""
    side = size * 0.52
    shapes: list[Shape] = []
    for face, centre in zip(faces, (-0.24 * size, 0.24 * size), strict=True):
        tone = (192, 32, 32) if sum(faces) == 7 else (40, 34, 30)
        middle = centre, centre * 0.8
        corner = middle[0] - side / 2, middle[1] - side / 2
        shapes.append(Box(*corner, side, side, (250, 250, 246), side * 0.2, (40, 34, 30), 1.0))
        shapes += [
            Circle(middle[0] + column * side * 0.26, middle[1] + row * side * 0.26, side * 0.1, tone)
            for column, row in _PIPS[face]
        ]
    half = size / 2
    return Sprite(
        ("two dice", size, faces),
        round(x),
        round(y),
        tuple(shapes),
        ((-half, -half), (half, -half), (half, half), (-half, half)),
    )


@lru_cache(maxsize=8)
def tabs_panel(tab: Tab, area: Rect, em: float) -> Panel:
    """The two tabs of a narrow window."""
    shapes: list[Shape] = []
    targets: list[Target] = []
    width = area.w / len(TABS)
    words = {"players": "Players", "log": "Log"}
    for i, name in enumerate(TABS):
        place = Rect(area.x + i * width, area.y, width, area.h)
        chosen = name == tab
        shapes.append(Box(*place.inset(1), CHOSEN if chosen else PANEL, 0.4 * em, PANEL_EDGE, 1))
        shapes.append(Text(*place.center, words[name], em, INK if chosen else DIM, chosen, 0.5))
        targets.append(Target(("tab", name), place, True))
    return Panel(Layer("tabs", area, WINDOW, tuple(shapes)), tuple(targets))
