"""The panels of the players: hand, development cards by state, pieces left, points and where they come from."""

from collections.abc import Iterator
from functools import lru_cache

from catan_p2p.game.actions.discard import owed
from catan_p2p.game.actions.roll_for_start import OUT
from catan_p2p.game.cards import DEV_CARDS, NO_CARDS, RESOURCES, Cards, count, total, unpack
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.rules import awaited
from catan_p2p.game.scoring import army_size, player_points
from catan_p2p.game.state import State
from catan_p2p.view.bounds import CardRange
from catan_p2p.view.knowledge import PublicKnowledge, known_of

from ...data.recording import RecordedPlayer
from ..icons import badge, icon
from ..palette import (
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
    mixed,
    player_color,
    player_text_color,
    tinted,
)
from ..scene import Layer, Panel, Target, TextMeasure
from ..shapes import Box, Color, Rect, Shape, Text
from ..typeset import fitting, label
from ..words import points_from, trail_of

_ICON, _CHANGE, _APART = 1.25, 0.74, 0.45
"""Sizes of an icon and of a change, and the gap between a change and the next icon, in em."""
_NEEDED = ((5, 8.6), (4, 5.2), (3, 4.1))
"""How many rows a panel has, with the least height for them in em; below these heights, two."""
ANSWER_NOTES: dict[str, tuple[str, Color]] = {
    "asked": ("is asked", GOLD),
    "accept": ("accepts", GAIN),
    "reject": ("rejects", LOSS),
}
"""The note about a player to whom an offer is made, by the answer."""
CARD_STATES = (("bc", "new"), ("ac", "ready"), ("uc", "shown"))


_SOURCES = ("villages", "cities", "victory point cards", "longest road", "largest army")
_SOURCE_WORDS = tuple(
    dict(zip(_SOURCES, words, strict=True))
    for words in (
        ("villages", "cities", "cards", "longest road", "largest army"),
        ("villages", "cities", "cards", "road", "army"),
        ("vill.", "cities", "cards", "road", "army"),
    )
)
"""Names of the sources of points, each form shorter than the one before."""


def player_areas(area: Rect, player_count: int, em: float) -> list[Rect]:
    """The areas of all players' panels: one below the other, or in two columns if that leaves more room."""
    gap = round(0.45 * em)
    columns = 2 if area.w > 40 * em and area.h / player_count < 8 * em else 1
    per_column = -(-player_count // columns)
    height = min((area.h + gap) / per_column - gap, 11.5 * em)
    width = (area.w - gap * (columns - 1)) / columns
    return [
        Rect(
            round(area.x + (i // per_column) * (width + gap)),
            round(area.y + (i % per_column) * (height + gap)),
            round(width),
            round(height),
        )
        for i in range(player_count)
    ]


@lru_cache(maxsize=128)
def player_panel(
    seat: RecordedPlayer,
    state: State,
    before: State,
    area: Rect,
    em: float,
    measure: TextMeasure,
    known: PublicKnowledge | None = None,
    earlier: PublicKnowledge | None = None,
    veiled: bool = False,
    got: Cards = NO_CARDS,
) -> Panel:
    """The panel of one player after a step; ``before`` is the state before it, from which changes are computed.

    ``known`` and ``earlier`` are what is known of the cards after and before it, by default what the states say. Of a
    ``veiled`` player only counts are shown, and the cards they ``got`` by the last roll, which all have seen.
    """
    rows = next((rows for rows, needed in _NEEDED if area.h >= needed * em), 2)
    return _PanelBuilder(seat, state, before, area, em, measure, rows, known, earlier, veiled, got).panel()


def active(state: State) -> Player:
    """The player whose turn it is, or who may build in the special building phase."""
    return state.su_ap if state.phase == "bot" else state.builder


class _PanelBuilder:
    """Lays out one panel from top to bottom."""

    def __init__(
        self,
        seat: RecordedPlayer,
        state: State,
        before: State,
        area: Rect,
        em: float,
        measure: TextMeasure,
        rows: int,
        known: PublicKnowledge | None,
        earlier: PublicKnowledge | None,
        veiled: bool,
        got: Cards,
    ) -> None:
        self.got = got
        self.seat, self.player = seat, seat.player
        self.state, self.before = state, before
        self.area, self.measure = area, measure
        known = known or known_of(state)
        self.held, self.earlier = known.hand(seat.player), (earlier or known_of(before)).hand(seat.player)
        self.unknown = known.unknown(seat.player)
        self.veiled = veiled
        if veiled:
            hand = state.h[seat.player - 1]
            self.unknown += total(hand.bc + hand.ac)
        pad = min(0.35 * em, area.h * 0.05)
        self.row_height = (area.h - 2 * pad) / rows
        self.em = min(em, self.row_height * 0.8)
        self.left, self.right = area.x + 0.95 * self.em, area.right - 0.6 * self.em
        self.middles = [area.y + pad + self.row_height * (i + 0.5) for i in range(rows)]
        self.shapes: list[Shape] = []
        self.targets: list[Target] = [Target(("player", self.player), area)]

    def panel(self) -> Panel:
        self._frame()
        middles = iter(self.middles)
        self._title(next(middles))
        self._resources(next(middles))
        if len(self.middles) > 2:
            self._cards(next(middles))
        if len(self.middles) > 3:
            self._pieces(next(middles))
        if len(self.middles) > 4:
            self._sources(next(middles))
        return Panel(Layer(f"player {self.player}", self.area, PANEL, tuple(self.shapes)), tuple(self.targets))

    def _frame(self) -> None:
        x, y, w, h = self.area
        waited = self.player in awaited(self.state)
        is_away = self.state.away[self.player - 1]
        tone = DIM if is_away else player_color(self.seat.colour)
        fill = tinted(self.seat.colour) if waited else PANEL
        self.shapes.append(Box(x, y, w, h, fill, 0.0, GOLD if waited else PANEL_EDGE, 2 if waited else 1))
        self.shapes.append(Box(x + 2, y + 2, round(0.35 * self.em), h - 4, tone))

    def _title(self, y: float) -> None:
        em, state = self.em, self.state
        size = min(1.7 * em, self.row_height * 0.95)
        self.shapes.append(
            badge(self.seat.colour, self.left + size / 2, y, round(size, 1), active(state) == self.player)
        )
        points, goal = player_points(state, self.player), state.constants.rules.points_to_win
        right = self.right
        for text, tone, scale, bold in ((f"/{goal}", DIM, 0.9, False), (str(points), INK, 1.35, True)):
            self.shapes.append(Text(right, y, text, em * scale, tone, bold, 1.0))
            right -= self.measure(text, em * scale, bold) + 0.1 * em
        self.targets.append(Target(("points", self.player), Rect(right, y - em * 0.8, self.right - right, em * 1.6)))
        right -= 0.5 * em
        if len(self.middles) < 4:
            right = self._lengths(y, right)
        if len(self.middles) == 2:
            right = self._totals(y, right)
        left = self.left + size + 0.5 * em
        name = label(
            self.measure,
            left,
            y,
            self.seat.name,
            em * 1.1,
            right - left - 0.5 * em,
            DIM if self.state.away[self.player - 1] else player_text_color(self.seat.colour),
            True,
        )
        self.shapes.append(name)
        left += self.measure(name.text, name.size, True) + 0.6 * em
        note = self._note()
        if note and right - left > 3 * em:
            text, tone = note
            self.shapes.append(label(self.measure, left, y, text, em * 0.85, right - left - 0.5 * em, tone))

    def _lengths(self, y: float, right: float) -> float:
        """The longest trail and the army, before the points, in a panel without a row for them."""
        for name, number, ink in reversed(self._bonuses()):
            width = 1.5 * self.em + self.measure(str(number), self.em, True)
            x = right - width
            self.shapes += counted(self.measure, name, x, y, self.em * 0.9, width, number, 0, INK, ink)
            self.targets.append(Target(("bonus", self.player, name), Rect(x, y - self.em * 0.8, width, self.em * 1.6)))
            right = x - 0.4 * self.em
        return right

    def _bonuses(self) -> list[tuple[str, int, Color]]:
        """The numbers that count for the two bonus cards, in gold if the player holds the card."""
        state, player = self.state, self.player
        return [
            ("longest_road", trail_of(state, player), GOLD if state.lr == player else INK),
            ("largest_army", army_size(state, player), GOLD if state.la == player else INK),
        ]

    def _note(self) -> tuple[str, Color] | None:
        state = self.state
        if state.away[self.player - 1]:
            return "excused", DIM
        due = owed(state, self.player)
        if due:
            return f"must discard {due}", LOSS
        if state.is_over and state.ap == self.player:
            return "has won", GOLD
        if state.sup == "Rolling":
            return self._start_note()
        if state.tp == "Offering":
            return self._offer_note()
        if state.sb == self.player:
            return "builds", GOLD
        if state.tp != "bot" and state.ap == self.player:
            return "their turn", GOLD if state.sb == NO_OWNER else DIM
        if state.tp == "bot" and state.su_ap == self.player:
            return "places", GOLD
        return None

    def _start_note(self) -> tuple[str, Color]:
        roll = self.state.rolls[self.player - 1]
        if roll > OUT:
            return f"rolled {roll}", INK
        if roll == OUT:
            return "rolled less", DIM
        return ("rolls", GOLD) if self.state.su_ap == self.player else ("still to roll", DIM)

    def _offer_note(self) -> tuple[str, Color] | None:
        if self.state.ap == self.player:
            return "offers", GOLD
        return ANSWER_NOTES.get(self.state.ans[self.player - 1])

    def _totals(self, y: float, right: float) -> float:
        """The number of all development cards, in the shortest panel."""
        hand = self.state.h[self.player - 1]
        number = str(
            total(hand.uc) + self.unknown if self.veiled else total(hand.bc + hand.ac + hand.uc) + self.unknown
        )
        self.shapes.append(Text(right, y, number, self.em * 0.9, INK, True, 1.0))
        right -= self.measure(number, self.em * 0.9, True) + 0.75 * self.em
        self.shapes.append(icon("deck", right, y, round(1.1 * self.em, 1)))
        self.targets.append(
            Target(("cards", self.player), Rect(right - self.em, y - self.em * 0.7, 2.6 * self.em, self.em * 1.4))
        )
        return right - 0.6 * self.em

    def _resources(self, y: float) -> None:
        width = (self.right - self.left) / (1 + len(RESOURCES))
        if self.veiled:
            self._backs(y, self.held.most, self.earlier.most, width)
            return
        hand, old = self.held, self.earlier
        ranges = zip(("hand", *RESOURCES), (hand.number, *hand.kinds), (old.number, *old.kinds), strict=True)
        for i, (name, number, earlier) in enumerate(ranges):
            x = self.left + i * width
            self.shapes += ranged(self.measure, name, x, y, self.em, width, number, earlier)
            self.targets.append(
                Target(("hand", self.player, name), Rect(x, y - self.row_height / 2, width, self.row_height))
            )

    def _backs(self, y: float, number: int, earlier: int, width: float) -> None:
        """A hidden hand: its number of cards, and their backs, overlapping as much as needed."""
        self.shapes += counted(self.measure, "hand", self.left, y, self.em, 1.6 * width, number, number - earlier)
        self.targets.append(
            Target(("hand", self.player, "hand"), Rect(self.left, y - self.row_height / 2, 2 * width, self.row_height))
        )
        high = min(1.35 * self.em, self.row_height * 0.8)
        left, wide = self.left + 1.7 * width, 0.7 * high
        right = self._shown_gains(y) if self.got else self.right
        apart = min(wide * 0.6, (right - left - wide) / max(1, number - 1))
        for i in range(number):
            self.shapes.append(Box(left + i * apart, y - high / 2, wide, high, CHOSEN, 0.15 * self.em, FAINT, 1.0))

    def _shown_gains(self, y: float) -> float:
        """Add the gains of the last roll at the right; returns their left edge."""
        x, em = self.right, self.em
        for name in reversed(RESOURCES):
            if number := count(self.got, name):
                x -= 1.2 * em
                self.shapes.append(icon(name, x + 0.6 * em, y, round(1.1 * em, 1)))
                x -= self.measure(f"+{number}", 0.85 * em, True) + 0.1 * em
                self.shapes.append(Text(x, y, f"+{number}", 0.85 * em, GAIN, True))
                x -= 0.3 * em
        return x - 0.3 * em

    def _cards(self, y: float) -> None:
        hand, em = self.state.h[self.player - 1], self.em
        shown = CARD_STATES[2:] if self.veiled else CARD_STATES
        groups = [(state, word, list(_kinds(getattr(hand, state)))) for state, word in shown]
        groups = [group for group in groups if group[2]]
        left = self.left
        if self.unknown:
            text = f"{self.unknown} hidden" if self.veiled else f"{self.unknown} unknown"
            self.shapes += counted(self.measure, "deck", left, y, em, 8 * em, self.unknown, text=text)
            left += self.measure(text, em, True) + 2.2 * em
        elif not groups:
            self.shapes.append(Text(self.left, y, "no development cards", em * 0.85, QUIET))
        if not groups:
            return
        slots = sum(_slot(number) for _, _, kinds in groups for _, number in kinds)
        words = sum(self.measure(word, em * 0.78) + 0.35 * em for _, word, _ in groups)
        room = self.right - left - 0.5 * em * len(groups)
        unit = min(2.1 * em, (room - words) / slots)
        if unit < 1.3 * em:  # too narrow for the icon of a card
            self._card_counts(y, groups, left)
            return
        x = left
        for state, word, kinds in groups:
            self.shapes.append(Text(x, y, word, em * 0.78, DIM))
            x += self.measure(word, em * 0.78) + 0.35 * em
            for kind, number in kinds:
                self._card(state, kind, number, x, y, unit * _slot(number))
                x += unit * _slot(number)
            x += 0.5 * em

    def _card_counts(self, y: float, groups: list[tuple[str, str, list[tuple[str, int]]]], left: float) -> None:
        """How many cards there are in each state, if they do not fit one by one."""
        told = ", ".join(f"{sum(number for _, number in kinds)} {word}" for _, word, kinds in groups)
        side = round(1.2 * self.em, 1)
        self.shapes.append(icon("deck", left + side / 2, y, side))
        x = left + side + 0.4 * self.em
        self.shapes.append(label(self.measure, x, y, told, self.em * 0.9, self.right - x, INK))
        place = Rect(self.left, y - self.row_height / 2, self.right - self.left, self.row_height)
        self.targets.append(Target(("cards", self.player), place))

    def _card(self, state: str, kind: str, number: int, x: float, y: float, width: float) -> None:
        em = self.em
        high = min(self.row_height * 0.92, 1.6 * em)
        fill: Color | None = {"bc": None, "ac": mixed(PANEL, GOLD, 0.3), "uc": CHOSEN}[state]
        edge: Color = {"bc": FAINT, "ac": GOLD, "uc": CHOSEN}[state]
        self.shapes.append(Box(x, y - high / 2, width - 0.15 * em, high, fill, 0.25 * em, edge, 1.0))
        many = number > 1
        size = round(
            min(1.15 * em, (width - 0.2 * em) * (0.8 if not many else 0.56 if number < 10 else 0.44), high * 0.85), 1
        )
        at = x + 0.12 * em + size / 2 if many else x + width / 2 - 0.08 * em
        self.shapes.append(icon(kind, at, y, size))
        if many:
            self.shapes.append(
                label(
                    self.measure,
                    x + width - 0.25 * em,
                    y,
                    str(number),
                    em * 0.85,
                    width - size - 0.3 * em,
                    INK,
                    True,
                    1.0,
                )
            )
        self.targets.append(Target(("card", self.player, state, kind), Rect(x, y - high / 2, width, high)))

    def _pieces(self, y: float) -> None:
        """The pieces left, and the numbers that count for the two bonus cards."""
        left, x = self.state.b[self.player - 1], self.left
        tone = player_color(self.seat.colour)
        self.shapes.append(Text(x, y, "left", self.em * 0.78, DIM))
        x += self.measure("left", self.em * 0.78) + 0.4 * self.em
        cells: list[tuple[str, int, Color, Color]] = [
            (name, getattr(left, name), tone, INK) for name in ("road", "village", "city")
        ]
        cells += [(name, number, tone, ink) for name, number, ink in self._bonuses()]
        width = (self.right - x) / len(cells)
        for i, (name, number, color, ink) in enumerate(cells):
            at = x + i * width
            self.shapes += counted(self.measure, name, at, y, self.em, width, number, 0, color, ink)
            kind = "bonus" if name.startswith("l") else "pieces"  # "longest_road" or "largest_army"
            self.targets.append(
                Target((kind, self.player, name), Rect(at, y - self.row_height / 2, width, self.row_height))
            )

    def _sources(self, y: float) -> None:
        """The points by their sources, in words, for the icons above stand for pieces that are left."""
        x, size = self.left, self.em * 0.85
        self.shapes.append(Text(x, y, "points", self.em * 0.78, DIM))
        x += self.measure("points", self.em * 0.78) + 0.4 * self.em
        shown = [(name, number) for name, number in points_from(self.state, self.player).items() if number]
        forms = [", ".join(f"{words[name]} {number}" for name, number in shown) for words in _SOURCE_WORDS]
        text = fitting(self.measure, forms, size, self.right - x) if shown else "none yet"
        self.shapes.append(label(self.measure, x, y, text, size, self.right - x, INK if shown else QUIET))
        place = Rect(self.left, y - self.row_height / 2, self.right - self.left, self.row_height)
        self.targets.append(Target(("points", self.player), place))


def _slot(number: int) -> float:
    """The width of a slot with this number of cards, relative to one with a single card."""
    return 1.0 if number == 1 else 1.35 if number < 10 else 1.7


def _kinds(cards: Cards) -> Iterator[tuple[str, int]]:
    return ((kind, number) for kind, number in zip(DEV_CARDS, unpack(cards), strict=True) if number)


def ranged(
    measure: TextMeasure, name: str, x: float, y: float, em: float, width: float, number: CardRange, earlier: CardRange
) -> list[Shape]:
    """An icon with a number or a range, and its change if both numbers are known."""
    return counted(measure, name, x, y, em, width, number.high, number.more_than(earlier), text=str(number))


def counted(
    measure: TextMeasure,
    name: str,
    x: float,
    y: float,
    em: float,
    width: float,
    number: int,
    change: int = 0,
    tone: Color = INK,
    ink: Color = INK,
    text: str | None = None,
) -> list[Shape]:
    """An icon with a number and its change, if any, side by side, made small enough for ``width``.

    ``text`` is shown in place of a number that is not certain.
    """
    text, extra = text or str(number), f"{change:+d}" if change else ""
    size = em

    def needed(size: float) -> float:
        more = measure(extra, size * _CHANGE, True) + 0.12 * size if extra else 0.0
        return _ICON * size + 0.2 * size + measure(text, size, True) + more + (_APART * em if extra else 0.0)

    while needed(size) > width and size > 6:
        size -= 0.5
    side = round(_ICON * size, 1)
    color = ink if number else QUIET
    shapes: list[Shape] = [icon(name, x + side / 2, y, side, tone if number else faded_tone(tone))]
    x += side + 0.2 * size
    shapes.append(Text(x, y, text, size, color, True))
    if extra:
        x += measure(text, size, True) + 0.12 * size
        shapes.append(Text(x, y, extra, size * _CHANGE, GAIN if change > 0 else LOSS, True))
    return shapes


def faded_tone(tone: Color) -> Color:
    """The colour of an icon whose number is 0."""
    return mixed(tone, PANEL, 0.5)
