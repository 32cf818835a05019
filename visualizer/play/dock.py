"""The seat at the foot of the window: the player's hand, the choices, and what has happened."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from catan_p2p.game.cards import DEV_CARDS, RESOURCES, Cards, count, total
from catan_p2p.game.constants import Player
from catan_p2p.game.scoring import player_points
from catan_p2p.game.state import State

from ..pictures.icons import badge, icon
from ..pictures.palette import (
    CHOSEN,
    DIM,
    FAINT,
    GAIN,
    GOLD,
    INK,
    LOSS,
    PANEL,
    PANEL_EDGE,
    QUIET,
    ROW,
    faded,
    player_color,
    player_text_color,
)
from ..pictures.scene import Layer, Panel, Target, TextMeasure
from ..pictures.shapes import Box, Color, Rect, Shape, Text
from ..pictures.typeset import LEAST, fitting, label, lines
from ..view import TargetId
from .button_words import key_words, shortest
from .choices import SeatMoment
from .draft import ResourceRow, SeatChoice, forms


class DockTool(NamedTuple):
    """A button that is there at every moment."""

    name: str
    words: str
    key: str


TOOLS = (
    DockTool("say", "Say", "I"),
    DockTool("log", "Log", "L"),
    DockTool("history", "History", "H"),
    DockTool("rules", "Costs, rules", "U"),
    DockTool("play for me", "Play for me", "P"),
    DockTool("settings", "Settings", "S"),
    DockTool("keys", "Keys", "?"),
    DockTool("leave", "Leave", "Q"),
)


class DockContents(NamedTuple):
    """What the seat shows besides the choices."""

    colour: str
    player: Player
    state: State
    waiting: str
    """Who is awaited, and for how long."""
    news: tuple[tuple[str, str], ...]
    """What has happened since the person last acted, as colours and words, the newest last."""
    notice: str = ""
    """Why something was refused, or a problem with other players."""
    hint: str = ""
    """A first-time hint."""
    is_played: bool = False
    """Whether a policy plays for the person now."""
    flash: float = 0.0
    """The brightness, from 0 to 1, of the frame that flashes when the person's turn begins."""
    busy: bool = False
    """Whether an action is on its way into the log."""
    tools: tuple[DockTool, ...] = TOOLS


_NO_NEWS = "nothing has happened since you acted"
_FEW = 4
"""At most this many choices leave room for a notice of two lines."""
HAND_SHARE, NEWS_SHARE = 0.27, 0.25


def dock(
    area: Rect, moment: SeatMoment, seen: DockContents, focused: TargetId | None, em: float, measure: TextMeasure
) -> Panel:
    """The panel at the foot of the window."""
    return _DockLayout(area, moment, seen, focused, em, measure).panel()


class _DockLayout:
    def __init__(
        self,
        area: Rect,
        moment: SeatMoment,
        seen: DockContents,
        focused: TargetId | None,
        em: float,
        measure: TextMeasure,
    ) -> None:
        self.area, self.moment, self.seen, self.focused = area, moment, seen, focused
        self.em, self.measure = em, measure
        self.shapes: list[Shape] = []
        self.targets: list[Target] = [Target(("seat",), area)]

    def panel(self) -> Panel:
        x, y, w, h = self.area
        mine = self.moment.is_mine and not self.seen.is_played
        self.shapes.append(Box(x, y, w, h, PANEL, 0.0, GOLD if mine else PANEL_EDGE, 2 if mine else 1))
        if self.seen.flash > 0:
            self.shapes.append(Box(x, y, w, h, faded(GOLD, round(70 * self.seen.flash)), 0.0, GOLD, 4))
        self.shapes.append(Box(x + 2, y + 2, round(0.4 * self.em), h - 4, player_color(self.seen.colour)))
        pad = 0.8 * self.em
        hand = Rect(x + pad, y + 0.3 * self.em, w * HAND_SHARE - pad, h - 0.6 * self.em)
        news = Rect(x + w * (1 - NEWS_SHARE), hand.y, w * NEWS_SHARE - 0.6 * self.em, hand.h)
        middle = Rect(hand.right + pad, hand.y, news.x - hand.right - 2 * pad, hand.h)
        self._hand(hand)
        self._middle(middle)
        self._news(news)
        return Panel(Layer("seat", self.area, PANEL, tuple(self.shapes)), tuple(self.targets))

    # The hand

    def _hand(self, area: Rect) -> None:
        em, seen = self.em, self.seen
        y = area.y + 0.95 * em
        self.shapes.append(badge(seen.colour, area.x + 0.8 * em, y, round(1.6 * em, 1), self.moment.is_mine))
        unseen = count(seen.state.h[seen.player - 1].ac + seen.state.h[seen.player - 1].bc, "VictoryPoint")
        number = f"{player_points(seen.state, seen.player)}{f' + {unseen}' if unseen else ''}"
        points = f"{number} of {seen.state.constants.rules.points_to_win} points"
        room = area.w - 2.2 * em
        tone = player_text_color(seen.colour)
        wide = room - self.measure(points, em * 0.9) - 0.6 * em
        by_computer = (f"You are {seen.colour}, played for you", f"{seen.colour}, played for you", "a computer")
        names = by_computer if seen.is_played else (f"You are {seen.colour}",)
        name = fitting(self.measure, names, em * 1.05, wide, True)
        self.shapes.append(label(self.measure, area.x + 2.0 * em, y, name, em * 1.05, wide, tone, True))
        self.shapes.append(Text(area.right, y, points, em * 0.9, INK, False, 1.0))
        hand = seen.state.h[seen.player - 1]
        top, high = area.y + 2.0 * em, min(4.3 * em, (area.h - 2.0 * em) * 0.5)
        self._cards(Rect(area.x, top, area.w, high), RESOURCES, hand.rc)
        below = Rect(area.x, top + high + 0.3 * em, area.w, area.bottom - top - high - 0.3 * em)
        self._development(below)

    def _cards(self, area: Rect, names: Sequence[str], cards: Cards) -> None:
        """A card for each resource, with its number."""
        em, width = self.em, area.w / len(names)
        for i, name in enumerate(names):
            number = count(cards, name)
            place = Rect(area.x + i * width, area.y, width - 0.3 * em, area.h)
            self.shapes.append(Box(*place, CHOSEN if number else ROW, 0.4 * em, FAINT if number else None, 1))
            side = round(min(place.w * 0.7, place.h * 0.52), 1)
            self.shapes.append(icon(name, place.center[0], place.y + place.h * 0.33, side))
            if not number:
                self.shapes.append(Box(*place, faded(ROW, 190), 0.4 * em))
            size = min(1.4 * em, place.h * 0.34)
            y = place.bottom - place.h * 0.21
            self.shapes.append(Text(place.center[0], y, str(number), size, INK if number else QUIET, True, 0.5))
            self.targets.append(Target(("hand", self.seen.player, name), place))

    def _development(self, area: Rect) -> None:
        hand, em = self.seen.state.h[self.seen.player - 1], self.em
        groups = [
            (state, word, getattr(hand, state)) for state, word in (("ac", "ready"), ("bc", "new"), ("uc", "shown"))
        ]
        parts = [(state, kind, count(cards, kind)) for state, _, cards in groups for kind in DEV_CARDS]
        parts = [part for part in parts if part[2]]
        y = area.y + min(1.0 * em, area.h / 2)
        if not parts:
            number = total(hand.rc)
            told = f"{number} card{'' if number == 1 else 's'}, no development cards"
            self.shapes.append(label(self.measure, area.x, y, told, em * 0.85, area.w, QUIET))
            return
        x, side = area.x, round(1.3 * em, 1)
        words = {state: word for state, word, _ in groups}
        before = ""
        for state, kind, number in parts:
            if state != before:
                self.shapes.append(Text(x, y, words[state], em * 0.78, DIM))
                x += self.measure(words[state], em * 0.78) + 0.35 * em
                before = state
            self.shapes.append(icon(kind, x + side / 2, y, side))
            place = Rect(x, y - side / 2, side, side)
            x += side + 0.2 * em
            if number > 1:
                self.shapes.append(Text(x, y, str(number), em * 0.85, INK, True))
                x += self.measure(str(number), em * 0.85, True) + 0.25 * em
            self.targets.append(Target(("card", self.seen.player, state, kind), place))

    # What can be done

    def _middle(self, area: Rect) -> None:
        em, moment = self.em, self.moment
        tone = GOLD if moment.is_mine and not self.seen.is_played else INK
        told = self.seen.notice or self.seen.hint
        top = area.y + 2.0 * em
        if self.measure(moment.title, em * 1.05, True) > area.w:
            title = lines(self.measure, moment.title, em, area.w, 2, True)
            self._lines(title, area.x, area.y + 0.85 * em, 1.3 * em, em, tone, True)
            top += 0.9 * em
        else:
            y = area.y + 0.95 * em
            self.shapes.append(label(self.measure, area.x, y, moment.title, em * 1.2, area.w, tone, True))
        if told:
            color = LOSS if self.seen.notice else GAIN
            is_roomy = not moment.rows and len(moment.choices) <= _FEW
            broken = lines(self.measure, told, em * 0.9, area.w, 2) if is_roomy else [told]
            for i, line in enumerate(broken):
                y = top + (0.5 + 1.15 * i) * em
                self.shapes.append(label(self.measure, area.x, y, line, em * 0.9, area.w, color))
            top += 1.15 * em * (len(broken) - 1)
        elif top > area.y + 2.0 * em:
            top -= 0.6 * em
        top += 1.4 * em
        rest = Rect(area.x, top, area.w, area.bottom - top)
        for row in moment.rows:
            high = min(2.7 * em, (rest.h - 2.4 * em) / len(moment.rows))
            self._row(Rect(rest.x, top, rest.w, high - 0.2 * em), row)
            top += high
        self._grid(Rect(rest.x, top, rest.w, rest.bottom - top), moment.choices)

    def _lines(
        self, broken: Sequence[str], x: float, y: float, high: float, size: float, tone: Color, bold: bool = False
    ) -> None:
        """Lines of a text, one below the other."""
        for i, line in enumerate(broken):
            self.shapes.append(Text(x, y + i * high, line, size, tone, bold))

    def _grid(self, area: Rect, choices: Sequence[SeatChoice]) -> None:
        """Buttons in rows.

        A second click at one place must do no harm: "yes" is not where the dice are rolled, and "end turn" is apart.
        """
        if not choices:
            return
        em = self.em
        first = 1 if choices[0].name == "yes" else 0
        columns = max(3, min(len(choices), int(area.w / (11.2 * em)), 5))
        while columns < 6 and -(-len(choices) // columns) * 2.0 * em > area.h:
            columns += 1
        rows = -(-len(choices) // columns)
        high = min(3.0 * em, area.h / rows)
        wide = min(area.w / columns, 18 * em)
        size = Rect(0, 0, wide - 0.35 * em, high - 0.3 * em)
        for i, choice in enumerate((c for c in choices if c.name != "end turn"), first):
            x, y = area.x + (i % columns) * wide, area.y + (i // columns) * high
            self._button(size._replace(x=x, y=y), choice)
        for choice in choices:
            if choice.name == "end turn":
                self._button(size._replace(x=area.right - wide, y=area.bottom - high), choice)

    def _button(self, place: Rect, choice: SeatChoice) -> None:
        em, live = self.em, choice.then is not None and not self.seen.busy
        fill = CHOSEN if live else ROW
        edge = GOLD if live and choice.is_main else FAINT if live else None
        if choice.id == self.focused:
            edge = INK
        self.shapes.append(Box(*place, fill, 0.4 * em, edge, 2 if choice.is_main or choice.id == self.focused else 1))
        second = bool(choice.cost) or (not live and bool(choice.refusal))
        y = place.y + place.h * (0.3 if second else 0.5)
        x, side = place.x + 0.5 * em, round(min(1.5 * em, place.h * 0.62), 1)
        if choice.icon:
            tone = player_color(self.seen.colour) if choice.icon in ("road", "village", "city") else INK
            at = (x + side / 2, place.y + place.h / 2)
            if choice.icon.startswith("badge "):
                self.shapes.append(badge(choice.icon.removeprefix("badge "), *at, side))
            else:
                self.shapes.append(icon(choice.icon, *at, side, tone))
            x += side + 0.4 * em
        self._name(Rect(x, place.y, place.right - x, place.h), y, choice, live)
        if second:
            low = place.y + place.h * 0.74
            if not live and choice.refusal:
                wide = place.right - x - 0.3 * em
                text = fitting(self.measure, (*forms(choice.refusal), ""), em * 0.78, wide)
                self.shapes.append(label(self.measure, x, low, text, em * 0.78, wide, LOSS))
            else:
                self._cost(x, low, place.right - 0.3 * em - x, min(0.9 * em, 0.44 * place.h), choice)
        self.targets.append(Target(choice.id, place, live))

    def _name(self, place: Rect, y: float, choice: SeatChoice, live: bool) -> None:
        """The name of a button and its key, shorter on narrower buttons; on the narrowest, only the icon is left."""
        em, size = self.em, self.em * 0.98
        room = place.w - 1.2 * em - self.measure(choice.words, size, live)
        key = fitting(self.measure, key_words(choice.key, choice.is_main), em * 0.75, max(room, em))
        least = shortest(choice)
        room = place.w - self.measure(key, em * 0.75) - 0.8 * em
        if room < self._least(least, size, live) <= place.w - 0.5 * em:
            key, room = "", place.w - 0.5 * em
        self.shapes.append(Text(place.right - 0.4 * em, y, key, em * 0.75, DIM, False, 1.0))
        called = (choice.words, least, *([""] if choice.icon else []))
        words = fitting(self.measure, called, size, room, live)
        self.shapes.append(label(self.measure, place.x, y, words, size, room, INK if live else DIM, live))

    def _least(self, text: str, size: float, bold: bool) -> float:
        """The least width that a label needs."""
        return self.measure(text, size * LEAST, bold)

    def _cost(self, x: float, y: float, room: float, side: float, choice: SeatChoice) -> None:
        """The cost card by card; of a trade, first the cards gained. Many cards overlap."""
        em = self.em
        groups = [cards for cards in (choice.gain, choice.cost) if cards]
        word = self.measure("for", 0.75 * em) + 0.5 * em if choice.gain else 0.0
        number = sum(total(cards) for cards in groups)
        if room < word + len(groups) * side:
            return
        step = min(0.95 * em, (room - word - len(groups) * side) / max(1, number - len(groups)))
        for i, cards in enumerate(groups):
            if i:
                self.shapes.append(Text(x + 0.2 * em, y, "for", 0.75 * em, DIM))
                x += word
            for name in RESOURCES:
                for _ in range(count(cards, name)):
                    self.shapes.append(icon(name, x + side / 2, y, round(side, 1)))
                    x += step
            x += side - step

    def _row(self, area: Rect, row: ResourceRow) -> None:
        em = self.em
        y = area.center[1]
        words = 4.6 * em
        self.shapes.append(label(self.measure, area.x, y, row.words, em * 0.95, words - 0.3 * em, INK, True))
        width = min((area.w - words) / 5, 8.2 * em)
        for i, name in enumerate(RESOURCES):
            place = Rect(area.x + words + i * width, area.y, width - 0.3 * em, area.h)
            more = row.more[i]
            number = count(row.chosen, name)
            chosen = number > 0
            edge = GOLD if chosen else FAINT if more.then else None
            if more.id == self.focused:
                edge = INK
            self.shapes.append(Box(*place, CHOSEN if chosen else ROW, 0.4 * em, edge, 2 if chosen else 1))
            side = round(min(1.5 * em, place.h * 0.66), 1)
            left = place.x + 0.3 * em
            if row.less:
                minus = Rect(place.x, place.y, 1.5 * em, place.h)
                if row.less[i].then is not None:
                    self.shapes.append(Text(*minus.center, "−", em * 1.1, INK, True, 0.5))
                left += 1.3 * em
            self.shapes.append(icon(name, left + side / 2, y, side))
            held = row.held[i]
            text = str(number) if row.less else str(held)
            if row.less and held is not None:
                text = f"{number}/{held}"
            if row.less or row.words == "Give":
                tone, x = INK if more.then or chosen else DIM, left + side + 0.2 * em
                room = place.right - x - 1.2 * em
                if self.measure(text, em * 0.95, True) <= room:
                    self.shapes.append(Text(x, y, text, em * 0.95, tone, True))
                else:
                    low = place.bottom - 0.6 * em
                    self.shapes.append(
                        Text(place.right - 0.3 * em, low, text.partition("/")[0], em * 0.9, tone, True, 1.0)
                    )
            key = more.key
            self.shapes.append(Text(place.right - 0.3 * em, place.y + 0.55 * em, key, em * 0.68, DIM, False, 1.0))
            self.targets.append(Target(more.id, place, more.then is not None))
            if row.less:
                self.targets.append(Target(row.less[i].id, minus, row.less[i].then is not None))

    # What has happened

    def _news(self, area: Rect) -> None:
        em = self.em
        seen = self.seen
        waiting = lines(self.measure, seen.waiting, em * 0.95, area.w, 2, True)
        self._lines(waiting, area.x, area.y + 0.95 * em, 1.15 * em, em * 0.95, INK, True)
        below = (0.75 + 1.15 * len(waiting)) * em
        tools_high, shapes, targets = _tool_panel(seen.tools, area, em, self.measure, is_played=seen.is_played)
        room = area.h - below - tools_high
        size = em * 0.85
        fit = max(1, int(room // (1.25 * size)))
        told: list[tuple[str, str, bool]] = []
        for colour, words in reversed(self.seen.news):
            broken = lines(self.measure, words, size, area.w - 1.2 * em, 2)
            if len(told) + len(broken) > fit:
                break
            told[:0] = [(colour, line, i == 0) for i, line in enumerate(broken)]
        if not self.seen.news:
            told = [("", line, True) for line in lines(self.measure, _NO_NEWS, size, area.w, 2)]
        y = area.y + below
        for i, (colour, line, first) in enumerate(told):
            at = y + (i + 0.5) * 1.25 * size
            if first and colour:
                self.shapes.append(badge(colour, area.x + 0.45 * em, at, round(0.9 * em, 1)))
            self.shapes.append(Text(area.x + 1.2 * em if colour else area.x, at, line, size, INK if colour else QUIET))
        self.shapes += shapes
        self.targets += targets


def _rows(wide: Sequence[float], room: float) -> list[slice]:
    """Which items of these widths share a row: as many as fit; if two rows are enough, half in each."""
    if sum(wide) <= room:
        return [slice(0, len(wide))]
    half = (len(wide) + 1) // 2
    if max(sum(wide[:half]), sum(wide[half:])) <= room:
        return [slice(0, half), slice(half, len(wide))]
    starts, filled = [0], 0.0
    for i, width in enumerate(wide):
        if filled and filled + width > room:
            starts.append(i)
            filled = 0.0
        filled += width
    return [slice(start, end) for start, end in pairwise([*starts, len(wide)])]


@lru_cache(maxsize=4)
def _tool_panel(
    tools: tuple[DockTool, ...], area: Rect, em: float, measure: TextMeasure, *, is_played: bool
) -> tuple[float, tuple[Shape, ...], tuple[Target, ...]]:
    """The tools at the foot of an area, each as wide as its words need, in as many rows as they need."""
    words = ["I play again P" if is_played and t.name == "play for me" else f"{t.words} {t.key}" for t in tools]
    wide = [measure(text, em * 0.8) + 0.9 * em for text in words]
    rows = _rows(wide, 1.06 * area.w)  # labels may shrink a little
    high = min(1.7 * em, 4.2 * em / len(rows))
    height = 0.2 * em + high * len(rows)
    shapes: list[Shape] = []
    targets: list[Target] = []
    for i, row in enumerate(rows):
        more = (area.w - sum(wide[row])) / len(tools[row])
        x, y = area.x, area.bottom - height + i * height / len(rows)
        for tool, text, width in zip(tools[row], words[row], wide[row], strict=True):
            place = Rect(x, y + 0.2 * em, width + more - 0.25 * em, height / len(rows) - 0.2 * em)
            shapes.append(Box(*place, ROW, 0.35 * em))
            shapes.append(label(measure, *place.center, text, em * 0.8, place.w - 0.3 * em, INK, False, 0.5))
            targets.append(Target(("tool", tool.name), place, True))
            x += width + more
    return height, tuple(shapes), tuple(targets)
