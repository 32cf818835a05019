"""Dialogs over the table: settings, keys, and the curtain between two people at one screen."""

from ..pictures.icons import badge
from ..pictures.palette import DIM, FAINT, GAIN, GOLD, INK, LOSS, PANEL, PANEL_EDGE, QUIET, ROW, SHADE, faded
from ..pictures.scene import Layer, Panel, Target, TextMeasure
from ..pictures.shapes import Box, Rect, Shape, Text
from ..pictures.typeset import label
from ..view import TargetId
from .menu import Menu
from .talk import typed_line, wrapped

KEYS: tuple[tuple[str, str], ...] = (
    ("Enter, Space", "choose what is framed in gold; never the end of a turn"),
    ("Tab, Shift+Tab", "go to the next choice, or to the one before"),
    ("arrow keys", "go to the next choice in that direction"),
    ("Escape", "back; nothing is done"),
    ("D", "roll the dice"),
    ("R, V, C, B", "build a road, a village, a city; buy a card"),
    ("T, O", "trade with the bank, offer a trade; T also chooses to whom"),
    ("K, M, Y, W", "play a knight, monopoly, year of plenty, road building"),
    ("1 to 5, 6 to 0", "choose resources to give, to take; with Shift less"),
    ("A, X", "accept, reject or take back"),
    ("Z, J", "decline all offers of this turn, or of this player; see them again"),
    ("E", "end the turn"),
    ("G", "vote to go on without a silent player, if the rules allow it"),
    ("P", "let a computer play for you, or play again yourself"),
    ("I", "say something to the others"),
    ("Home, End", "to the beginning of the game, back to now"),
    ("Page Up, Page Down", "one turn back, one turn forward"),
    ("L", "open or close the log of all commits"),
    ("H, U", "what the dice brought so far; costs and rules"),
    ("F", "explain what the arrow keys choose, as pointing by mouse does"),
    ("+ and -", "larger and smaller texts"),
    ("S, ?, F11, Q", "settings, this list, fill the screen, leave"),
)


def list_dialog(menu: Menu, focused: TargetId | None, window: Rect, em: float, measure: TextMeasure) -> Panel:
    """A dialog with a title, sentences and lines to click, and explanations beside them."""
    title, told, items, problem, seats, aside, is_wide = menu
    width = min((30 if aside else 56 if is_wide else 40) * em, window.w - 2 * em)
    beside = min(25 * em, window.w - em - width) if aside else 0.0
    sentence = [(line, DIM) for part in told.splitlines() for line in wrapped(measure, part, em, width - 3 * em)]
    sentence += [(line, LOSS) for line in wrapped(measure, problem, em, width - 3 * em) if problem]
    height = min((len(items) * 2.5 + len(sentence) * 1.5 + 4.2 + 2.8 * bool(seats)) * em, window.h - em)
    area = in_middle(window, width + beside, height)
    shapes: list[Shape] = [Box(*window, SHADE), Box(*area, PANEL, 0.8 * em, PANEL_EDGE, 1.5)]
    shapes.append(label(measure, area.x + 1.5 * em, area.y + 1.6 * em, title, em * 1.35, width - 3 * em, INK, True))
    if aside:
        # Imported here: the first page of the lobby has no aside, and opens sooner without the island's modules.
        from .menu_aside import aside_shapes

        place = Rect(area.x + width, area.y + 1.2 * em, beside - 1.2 * em, area.h - 2.3 * em)
        shapes += aside_shapes(aside, place, em, measure)
    y = area.y + 3.2 * em
    for line, tone in sentence:
        shapes.append(Text(area.x + 1.5 * em, y, line, em, tone))
        y += 1.5 * em
    for i, (colour, has_come) in enumerate(seats):
        x, middle = area.x + (1.5 + 6.2 * i) * em, y + 1.1 * em
        shapes.append(badge(colour, x + 0.9 * em, middle, round(1.8 * em, 1), has_come))
        words, tone = ("is here", GAIN) if has_come else ("awaited", QUIET)
        shapes.append(label(measure, x + 2.1 * em, middle, words, em * 0.9, 4 * em, tone))
        if not has_come:
            shapes.append(Box(x - 0.1 * em, middle - em, 2 * em, 2 * em, faded(PANEL, 150)))
    y += 2.8 * em * bool(seats)
    targets = [Target(("shade",), window)]
    high = (area.bottom - 0.8 * em - y) / max(1, len(items))
    for item in items:
        place = Rect(area.x + 1.2 * em, y, width - 2.4 * em, high - 0.35 * em)
        edge = INK if item.id == focused else GOLD if item.is_main else FAINT
        shapes.append(Box(*place, ROW, 0.4 * em, edge, 2 if item.id == focused or item.is_main else 1))
        middle = place.center[1]
        targets.append(Target(item.id, place, True))
        y += high
        if item.typed is not None:
            is_at = item.id == focused
            shapes += typed_line(item.typed, item.words, place, place.w - 1.5 * em, em, measure, has_caret=is_at)
            continue
        key_width = measure(item.key, em * 0.85) + 0.6 * em
        note_width = measure(item.note, em, True)
        room = place.w - key_width - note_width - 2 * em
        left = place.x + 0.7 * em
        if item.badge:
            shapes.append(badge(item.badge, left + 0.6 * em, middle, round(1.3 * em, 1)))
            left, room = left + 1.8 * em, room - 1.8 * em
        shapes.append(label(measure, left, middle, item.words, em, room, INK))
        shapes.append(Text(place.right - key_width - 0.7 * em, middle, item.note, em, GOLD, True, 1.0))
        shapes.append(Text(place.right - 0.6 * em, middle, item.key, em * 0.85, DIM, False, 1.0))
    return Panel(Layer("dialog", window, None, tuple(shapes)), tuple(targets))


def keys_dialog(window: Rect, em: float, measure: TextMeasure) -> Panel:
    """All keys; a click anywhere closes the list."""
    width = min(48 * em, window.w - em)
    high = min(1.75 * em, (window.h - 5 * em) / len(KEYS))
    area = in_middle(window, width, len(KEYS) * high + 4.2 * em)
    shapes: list[Shape] = [Box(*window, SHADE), Box(*area, PANEL, 0.8 * em, PANEL_EDGE, 1.5)]
    shapes.append(Text(area.x + 1.5 * em, area.y + 1.6 * em, "Keys", em * 1.35, INK, True))
    size = min(em, high * 0.72)
    left = max(measure(keys, size, True) for keys, _ in KEYS)
    for i, (keys, words) in enumerate(KEYS):
        y = area.y + 3.2 * em + (i + 0.5) * high
        shapes.append(Text(area.x + 1.5 * em, y, keys, size, GOLD, True))
        x = area.x + 2.7 * em + left
        shapes.append(label(measure, x, y, words, size, area.right - x - em, INK))
    return Panel(Layer("dialog", window, None, tuple(shapes)), (Target(("set", "close"), window, True),))


def curtain(colour: str, window: Rect, area: Rect, em: float, measure: TextMeasure) -> Panel:
    """A panel in place of the seat until the next person sits down: it shows the board, and nobody's hand."""
    shapes: list[Shape] = [Box(*area, PANEL, 0.8 * em, GOLD, 2)]
    x, y = area.center[0], area.y + (area.h - 9.4 * em) / 2
    shapes.append(badge(colour, x, y + 1.8 * em, round(3.2 * em, 1)))
    shapes.append(Text(x, y + 4.5 * em, f"It is {colour}'s turn; all others, look away", em * 1.2, INK, True, 0.5))
    place = Rect(x - 9 * em, y + 6 * em, 18 * em, 2.6 * em)
    shapes.append(Box(*place, ROW, 0.4 * em, GOLD, 2))
    words = f"I am {colour} (Enter)"
    shapes.append(label(measure, *place.center, words, em * 1.1, place.w - em, INK, True, 0.5))
    return Panel(
        Layer("curtain", area, PANEL, tuple(shapes)),
        (Target(("shade",), window), Target(("curtain", colour), place, True)),
    )


def in_middle(window: Rect, width: float, height: float) -> Rect:
    """A rectangle of this size in the middle of the window."""
    x, y = window.center
    return Rect(round(x - width / 2), round(y - height / 2), round(width), round(height))
