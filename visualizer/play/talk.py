"""The chat of a table: the line in which a message is typed, and the last messages."""

from collections.abc import Sequence

from catan_p2p.safe_text import shown

from ..pictures.icons import badge
from ..pictures.palette import CHOSEN, DIM, FAINT, GOLD, INK, LOSS, PANEL, PANEL_EDGE, QUIET, ROW
from ..pictures.scene import Layer, Panel, Target, TextMeasure
from ..pictures.shapes import Box, Rect, Shape, Text
from ..pictures.typeset import label
from ..view import TargetId
from .conversation import HeardMessage, TypedLine
from .menu import TALK_ITEMS

_ROW = 1.35


def talk_panel(
    said: Sequence[HeardMessage],
    line: TypedLine,
    focused: TargetId | None,
    window: Rect,
    foot: Rect,
    em: float,
    measure: TextMeasure,
) -> Panel:
    """The panel above the seat: the last messages, the line, and its buttons."""
    width = min(58 * em, window.w - 2 * em)
    rows = _rows(said, width - 3.8 * em, int((min(19 * em, foot.y - em) - 6.6 * em) // (_ROW * em)), em, measure)
    height = (len(rows) * _ROW + 6.6) * em
    area = Rect(round(window.center[0] - width / 2), round(foot.y - height - 0.3 * em), round(width), round(height))
    shapes: list[Shape] = [Box(*area, PANEL, 0.6 * em, PANEL_EDGE, 2)]
    # The uppermost target counts: a click beside the panel closes it, a click on it does nothing.
    targets = [Target(("talk", "close"), window), Target(("shade",), area)]
    below = area.bottom - 5.6 * em
    for i, (colour, text) in enumerate(rows):
        middle = area.y + (0.5 + (i + 0.5) * _ROW) * em
        if colour:
            shapes.append(badge(colour, area.x + 1.6 * em, middle, round(1.1 * em, 1)))
        shapes.append(Text(area.x + 2.6 * em, middle, text, em, INK if said else QUIET))
    place = Rect(area.x + em, below, area.w - 2 * em, 2.3 * em)
    shapes.append(Box(*place, ROW, 0.4 * em, GOLD, 2))
    shapes += typed_line(line.typed, "type a message to all players, then Enter", place, place.w - 6 * em, em, measure)
    left = f"{len(line.typed)} of {line.most}"
    shapes.append(Text(place.right - 0.5 * em, place.center[1], left, 0.8 * em, DIM, False, 1.0))
    x = area.x + em
    for item in TALK_ITEMS:
        box = Rect(x, area.bottom - 2.8 * em, 9.5 * em, 2.2 * em)
        edge = INK if item.id == focused else GOLD if item.is_main else FAINT
        shapes.append(Box(*box, CHOSEN if item.is_main else ROW, 0.4 * em, edge, 2 if item.is_main else 1))
        shapes.append(label(measure, box.x + 0.6 * em, box.center[1], item.words, em, 5 * em, INK))
        key = "Esc" if item.key == "Escape" else item.key
        shapes.append(Text(box.right - 0.5 * em, box.center[1], key, 0.8 * em, DIM, False, 1.0))
        targets.append(Target(item.id, box, True))
        x += 10 * em
    if line.problem:
        shapes.append(label(measure, x, box.center[1], line.problem, 0.9 * em, area.right - x - em, LOSS))
    return Panel(Layer("talk", area.inset(-4), None, tuple(shapes)), tuple(targets))


def typed_line(
    typed: str, hint: str, place: Rect, room: float, em: float, measure: TextMeasure, *, has_caret: bool = True
) -> list[Shape]:
    """The end of the typed text, as much as there is room for, and the caret; the hint if nothing is typed."""
    text = shown(typed)
    # By a twentieth at a time: a pasted line may have thousands of characters.
    while text and measure(text, em) > room:
        text = text[max(1, len(text) // 20) :]
    words, tone = (text, INK) if typed else (hint, QUIET)
    shapes: list[Shape] = [label(measure, place.x + 0.6 * em, place.center[1], words, em, room, tone)]
    if has_caret:
        caret = place.x + 0.7 * em + (measure(text, em) if typed else -0.2 * em)
        shapes.append(Box(round(caret), place.y + 0.5 * em, max(1, round(0.12 * em)), place.h - em, GOLD))
    return shapes


def _rows(
    said: Sequence[HeardMessage], width: float, most: int, em: float, measure: TextMeasure
) -> list[tuple[str, str]]:
    """The lines of the last messages, as many as fit, the newest below; the first line of each has its colour."""
    if not said:
        return [("", "no messages yet; all players can read what you write")]
    rows: list[tuple[str, str]] = []
    for message in reversed(said):
        broken = wrapped(measure, shown(message.text), em, width)
        if rows and len(rows) + len(broken) > most:
            break
        rows[:0] = [(message.colour if i == 0 else "", text) for i, text in enumerate(broken)]
    return rows


def wrapped(measure: TextMeasure, text: str, size: float, width: float) -> list[str]:
    """The whole text in lines, broken between words, or within words that are longer than a line."""
    found = [""]
    for word in text.split(" "):
        longer = f"{found[-1]} {word}" if found[-1] else word
        if measure(longer, size) <= width:
            found[-1] = longer
            continue
        if found[-1]:
            found.append("")
        for letter in word:
            if found[-1] and measure(found[-1] + letter, size) > width:
                found.append("")
            found[-1] += letter
    return found
