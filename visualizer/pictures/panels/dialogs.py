"""Dialogs and other layers over everything else: tooltips, keys, the jump to a commit, replicas, messages."""

from collections.abc import Sequence

from ...commands import COMMANDS
from ...data.recording import GameRecording
from ...data.search import EXAMPLES, look_for
from ...view import ViewSituation
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
    ROW,
    SHADE,
    WINDOW,
    player_text_color,
)
from ..scene import Layer, Panel, Target, TextMeasure
from ..shapes import Box, Rect, Shape, Text
from ..typeset import fitting, label, lines, shortened, widest
from ..words import sentences

_LINE = 1.4
_NOTICE_LINES = 4
HEX_KEYS = "0123456789abcdef"


def tooltip(
    words: list[str], near: Rect, window: Rect, em: float, measure: TextMeasure, places: Sequence[Rect] = ()
) -> Layer | None:
    """A box with an explanation beside, below or above what it explains, always inside the window.

    It covers as few as possible of the ``places`` that can be chosen.
    """
    if not words:
        return None
    most = min(24 * em, window.w - 4 * em)
    broken = [
        (line, i == 0) for i, text in enumerate(words) for line in lines(measure, text, em * 0.95, most, 4, i == 0)
    ]
    width = round(max(measure(text, em * 0.95, bold) for text, bold in broken) + 1.6 * em)
    height = round(len(broken) * _LINE * em * 0.95 + 0.9 * em)
    room = window.inset(4)
    right, low = room.right - width, room.bottom - height
    spots = [
        Rect(round(max(room.x, min(x, right))), round(max(room.y, min(y, low))), width, height)
        for x, y in _spots(near, room, width, height, 0.9 * em)
    ]
    hidden = [sum(spot.overlaps(place) for place in (*places, near)) for spot in spots]
    area = spots[hidden.index(min(hidden))] if places else spots[0]
    shapes: list[Shape] = [Box(*area, (14, 20, 27, 244), 0.5 * em, FAINT, 1.2)]
    top = area.y + 0.45 * em + _LINE * em * 0.475
    for i, (text, bold) in enumerate(broken):
        tone = INK if bold else (200, 212, 222)
        shapes.append(Text(area.x + 0.8 * em, top + i * _LINE * em * 0.95, text, em * 0.95, tone, bold))
    return Layer("tooltip", area, None, tuple(shapes))


def _spots(near: Rect, room: Rect, width: float, height: float, gap: float) -> list[tuple[float, float]]:
    """Candidate positions of a box: the preferred one first, then around what is explained, then farther away."""
    middle, level = near.center[0] - width / 2, near.center[1] - height / 2
    right, left = (near.right + gap, level), (near.x - gap - width, level)
    below, above = (middle, near.bottom + gap), (middle, near.y - gap - height)
    upright = below if below[1] + height <= room.bottom else above
    first = right if right[0] + width <= room.right else left if left[0] >= room.x else upright
    corners = [(x, y) for x in (room.x, room.right - width) for y in (room.y, room.bottom - height)]
    near_by = [(x, y) for x in (right[0], left[0]) for y in (below[1], above[1])]
    farther = [(near.x + dx, near.y + dy) for reach in (3, 6, 9) for dx, dy in _ways(reach * gap, width, height)]
    return [first, right, left, below, above, *near_by, *farther, *corners]


def _ways(reach: float, width: float, height: float) -> list[tuple[float, float]]:
    """Moves by ``reach`` to the right, left, down and up, for a box of this size."""
    return [(reach, -height / 2), (-reach - width, -height / 2), (-width / 2, reach), (-width / 2, -reach - height)]


def _frame(width: float, height: float, window: Rect, em: float, title: str) -> tuple[Rect, list[Shape], Target]:
    """A dialog in the middle of the window with its title and its closing button."""
    width, height = min(width, window.w - em), min(height, window.h - em)
    area = Rect(round(window.center[0] - width / 2), round(window.center[1] - height / 2), round(width), round(height))
    side = 1.9 * em
    corner = Rect(area.right - side - 0.5 * em, area.y + 0.5 * em, side, side)
    shapes: list[Shape] = [
        Box(*window, SHADE),
        Box(*area, PANEL, 0.8 * em, PANEL_EDGE, 1.5),
        Text(area.x + 1.4 * em, area.y + 1.45 * em, title, em * 1.3, INK, True),
        Box(*corner, ROW, 0.4 * em),
        Text(*corner.center, "×", em * 1.2, INK, True, 0.5),
    ]
    return area, shapes, Target(("button", "close"), corner, True)


def _shade(window: Rect) -> Target:
    """A target as large as the window: a click beside a dialog closes it, and nothing below it can be reached."""
    return Target(("button", "close"), window, True)


def help_dialog(window: Rect, em: float, measure: TextMeasure) -> Panel:
    """All commands with their keys; each is a button."""
    columns = 2 if window.w > 62 * em else 1
    rows = -(-len(COMMANDS) // columns)
    height = min(1.9 * em, (window.h - 6.5 * em) / rows)
    size = min(em, height * 0.72)
    words_width = widest(measure, (command.words for command in COMMANDS), size)
    keys_width = widest(measure, (", ".join(command.keys) for command in COMMANDS), size, True)
    column = min(words_width + keys_width + 3.2 * em, (window.w - 3 * em) / columns)
    area, shapes, close = _frame(column * columns + 2.2 * em, rows * height + 5.2 * em, window, em, "Keys")
    inner = (area.w - 2.2 * em) / columns
    targets = [_shade(window), Target(("dialog",), area), close]
    for i, command in enumerate(COMMANDS):
        x = area.x + 1.1 * em + (i // rows) * inner
        y = area.y + 3 * em + (i % rows + 0.5) * height
        place = Rect(x, y - height * 0.45, inner - 0.6 * em, height * 0.9)
        shapes.append(Box(*place, ROW, 0.35 * em))
        keys = ", ".join(command.keys)
        keys_room = min(measure(keys, size, True), place.w * 0.5)
        shapes.append(label(measure, place.x + 0.6 * em, y, command.words, size, place.w - keys_room - 2 * em, INK))
        shapes.append(label(measure, place.right - 0.6 * em, y, keys, size, keys_room, GOLD, True, 1.0))
        targets.append(Target(("button", command.name), place, True))
    note = "The mouse does all of it too: click, drag the timeline, turn the wheel, point to have things explained."
    y = area.bottom - 1.2 * em
    shapes.append(label(measure, area.x + 1.4 * em, y, note, em * 0.88, area.w - 2.8 * em, DIM))
    return Panel(Layer("dialog", window, None, tuple(shapes)), tuple(targets))


def jump_dialog(
    recording: GameRecording, typed: str, index: int, window: Rect, em: float, measure: TextMeasure
) -> Panel:
    """The dialog for jumping: a commit's id, a player, a seven or a point, typed or clicked; and the steps found."""
    area, shapes, close = _frame(36 * em, 27.5 * em, window, em, "Jump")
    targets = [_shade(window), Target(("dialog",), area), close]
    left, width = area.x + 1.4 * em, area.w - 2.8 * em
    field = Rect(left, area.y + 3.0 * em, width, 2.2 * em)
    shapes.append(Box(*field, WINDOW, 0.4 * em, GOLD, 1.5))
    shown = typed or f"type {EXAMPLES}"
    shapes.append(
        label(
            measure,
            field.x + 0.8 * em,
            field.center[1],
            shown,
            em * 1.1,
            width - 1.6 * em,
            INK if typed else QUIET,
            bool(typed),
        )
    )
    keys = [*HEX_KEYS, "del", "go"]
    unit: float = width / 9
    for i, key in enumerate(keys):
        place = Rect(left + (i % 9) * unit, field.bottom + (0.6 + i // 9 * 2.3) * em, unit - 0.25 * em, 2.05 * em)
        shapes.append(Box(*place, CHOSEN if key == "go" else ROW, 0.4 * em))
        size = em * (1.1 if len(key) == 1 else 0.95)
        shapes.append(
            label(measure, *place.center, key, size, place.w - 0.2 * em, GOLD if key == "go" else INK, True, 0.5)
        )
        targets.append(Target(("type", key), place, True))
    y = field.bottom + 6.3 * em
    unit = width / (len(recording.seats) + 1)
    for i, goal in enumerate(("seven", *(seat.colour for seat in recording.seats))):
        place = Rect(left + i * unit, y - 0.9 * em, unit - 0.25 * em, 1.8 * em)
        shapes.append(Box(*place, ROW, 0.4 * em))
        tone = INK if goal == "seven" else player_text_color(goal)
        shapes.append(label(measure, *place.center, goal, em * 0.9, place.w - 0.3 * em, tone, True, 0.5))
        targets.append(Target(("goto", goal), place, True))
    y += 2.1 * em
    found = look_for(recording, typed, index)
    text = _found_words(typed, len(found))
    shapes.append(label(measure, left, y, text, em * 0.9, width, LOSS if typed and not found else DIM))
    room = int((area.bottom - y - 1.3 * em) // (1.6 * em))
    for row in found[: max(0, room)]:
        y += 1.6 * em
        step = recording.steps[row]
        place = Rect(left, y - 0.75 * em, width, 1.5 * em)
        shapes.append(Box(*place, ROW, 0.3 * em))
        shapes.append(Text(left + 0.5 * em, y, step.commit[:10], em * 0.9, DIM))
        at = left + measure("0" * 10, em * 0.9) + 1.4 * em
        tone = player_text_color(recording.colour(step.player))
        wide = place.right - at - 0.4 * em
        told = fitting(measure, sentences(recording, step), em * 0.95, wide)
        shapes.append(label(measure, at, y, told, em * 0.95, wide, tone))
        targets.append(Target(("row", row), place, True))
    return Panel(Layer("dialog", window, None, tuple(shapes)), tuple(targets))


def _found_words(typed: str, number: int) -> str:
    if not typed:
        return "Nothing typed yet."
    if not number:
        return "Nothing in this game is called so."
    return "One step: Enter goes there." if number == 1 else f"{number} steps; Enter goes to the first."


def peer_dialog(situation: ViewSituation, window: Rect, em: float, measure: TextMeasure) -> Panel:
    """Whose replica of the game is shown, and how far behind each is."""
    rows: list[tuple[str | None, str]] = [(None, "the most advanced replica"), *((c, c) for c in situation.peers)]
    area, shapes, close = _frame(26 * em, (len(rows) * 2.3 + 4) * em, window, em, "Whose replica?")
    targets = [_shade(window), Target(("dialog",), area), close]
    behind = dict(situation.behind)
    for i, (colour, words) in enumerate(rows):
        place = Rect(area.x + 1.2 * em, area.y + (3 + i * 2.3) * em, area.w - 2.4 * em, 2.1 * em)
        chosen = colour == situation.peer
        shapes.append(Box(*place, CHOSEN if chosen else ROW, 0.4 * em, GOLD if chosen else None, 1.2))
        x, y = place.x + 0.8 * em, place.center[1]
        if colour is not None:
            shapes.append(badge(colour, x + 0.6 * em, y, round(1.3 * em, 1)))
            x += 1.8 * em
        steps = behind.get(colour or "", 0)
        note = f"{steps} behind" if steps else "knows all of it" if colour in behind else ""
        note_width = measure(note, em * 0.88)
        shapes.append(Text(x, y, shortened(measure, words, em, place.right - x - note_width - 1.5 * em), em, INK))
        shapes.append(Text(place.right - 0.6 * em, y, note, em * 0.88, GOLD if steps else DIM, False, 1.0))
        targets.append(Target(("peer", colour), place, True))
    return Panel(Layer("dialog", window, None, tuple(shapes)), tuple(targets))


def message_layer(title: str, text: str, window: Rect, em: float, measure: TextMeasure) -> Layer:
    """A message instead of a game."""
    width = min(44 * em, window.w - 2 * em)
    broken = lines(measure, text, em * 1.05, width - 4 * em, 8)
    height = (len(broken) * 1.6 + 5) * em
    area = Rect(window.center[0] - width / 2, window.center[1] - height / 2, width, height)
    shapes: list[Shape] = [
        Box(*area, PANEL, 0.8 * em, PANEL_EDGE, 1.5),
        label(measure, area.x + 2 * em, area.y + 1.9 * em, title, em * 1.4, width - 4 * em, INK, True),
    ]
    for i, line in enumerate(broken):
        shapes.append(Text(area.x + 2 * em, area.y + (3.9 + i * 1.6) * em, line, em * 1.05, DIM))
    return Layer("message", window, WINDOW, tuple(shapes))


def notice_layer(text: str, island: Rect, em: float, measure: TextMeasure, tone: tuple[int, int, int]) -> Layer:
    """Messages at the upper side of the island, such as an error or the name of a saved picture."""
    size, high = em * 0.95, 1.35 * em
    told = lines(measure, text, size, island.w - 3 * em, _NOTICE_LINES)
    width = max(measure(line, size) for line in told) + 1.8 * em
    area = Rect(
        round(island.center[0] - width / 2),
        round(island.y + 0.5 * em),
        round(width),
        round(len(told) * high + 0.6 * em),
    )
    shapes: list[Shape] = [Box(*area, (14, 20, 27, 236), 0.5 * em, tone, 1.2)]
    for i, line in enumerate(told):
        shapes.append(Text(area.center[0], area.y + 0.3 * em + (i + 0.5) * high, line, size, tone, False, 0.5))
    return Layer("notice", area, None, tuple(shapes))
