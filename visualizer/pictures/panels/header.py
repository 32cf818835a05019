"""The line above everything: which game, what has just happened, whose turn it is, the dice, and tabs."""

from __future__ import annotations

from functools import lru_cache

from catan_p2p.cards import describe

from ...data.recording import Recording
from ...view import TABS, Situation, Tab
from ..icons import badge, icon
from ..palette import CHOSEN, DIM, GOLD, INK, LOSS, PANEL, PANEL_EDGE, WINDOW, player_text_color
from ..scene import Layer, Measure, Target
from ..shapes import Box, Rect, Shape, Sprite, Text, moved
from ..typeset import fitting, label
from ..words import phase, sentences
from .players import Panel, active


@lru_cache(maxsize=64)
def header_panel(
    recording: Recording, index: int, situation: Situation, live: bool, area: Rect, em: float, measure: Measure
) -> Panel:
    """From left to right: the dice, whose turn it is and the phase above the step in words, the game's name."""
    step = recording.steps[index]
    state = step.state
    shapes: list[Shape] = []
    targets: list[Target] = []
    y = area.center[1]
    x = area.x + 0.7 * em
    size = round(2.3 * em, 1)
    shapes.append(dice(x + size / 2, y, size, state.dice))
    targets.append(Target(("dice",), Rect(x, y - size / 2, size, size)))
    x += size + 0.5 * em
    player = active(state)
    side = round(2.0 * em, 1)
    shapes.append(badge(recording.colour(player), x + side / 2, y, side, ringed=True))
    targets.append(Target(("player", player), Rect(x, y - side / 2, side, side)))
    x += side + 0.6 * em
    name = _name(recording, situation)
    text, tone = _status(recording, situation, live)
    title_width = min(max(measure(name, em, True), measure(text, em * 0.88)) + em, area.w * 0.34)
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


def _now(recording: Recording, index: int) -> str:
    state = recording.steps[index].state
    if state.tp == "top":
        return f"{recording.colour(state.ap)} has won with {recording.points[index][state.ap - 1]} points"
    if state.tp == "Offering":
        give, receive = state.offer
        offer = f"{recording.colour(state.ap)} offers {describe(give)} for {describe(receive)}"
        return f"{offer}; {phase(recording, state)}"
    return f"{recording.colour(active(state))}: {phase(recording, state)}"


def _name(recording: Recording, situation: Situation) -> str:
    return recording.title or situation.source or "Catan"


def _status(recording: Recording, situation: Situation, live: bool) -> tuple[str, tuple[int, int, int]]:
    if situation.refused:
        return f"{len(situation.refused)} refused: see the log's end", LOSS[:3]
    if situation.problem:
        return "cannot be read further: point here", LOSS[:3]
    if situation.remark:
        return situation.remark, GOLD[:3]
    if situation.peer:
        behind = dict(situation.behind).get(situation.peer, 0)
        return f"as {situation.peer} knows it" + (f", {behind} behind" if behind else ""), GOLD[:3]
    if situation.following:
        return ("live" if live else "live, looking back"), GOLD[:3]
    return f"{len(recording.seats)} players", DIM[:3]


@lru_cache(maxsize=64)
def dice(x: float, y: float, size: float, total: int) -> Sprite:
    """The two dice with their sum, which is all that a game records; a dash before the roll."""
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
