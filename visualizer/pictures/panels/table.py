"""The strip under the island in games by the whole rule book: what concerns all players.

The rolls for who begins, the standing offer with its answers, who builds in the special building phase, who began, and
how many development cards were played this turn.
"""

from functools import lru_cache

from catan_p2p.game.actions.offering import proposers
from catan_p2p.game.actions.roll_for_start import OUT
from catan_p2p.game.cards import RESOURCES, Cards, unpack
from catan_p2p.game.constants import Player, Rules
from catan_p2p.game.state import NO_OFFER, TRADE_PHASES, State

from ...data.recording import RecordedPlayer
from ..icons import badge, icon
from ..palette import DIM, GAIN, GOLD, INK, LOSS, PANEL, PANEL_EDGE, QUIET
from ..scene import Layer, Panel, Target, TextMeasure
from ..shapes import Box, Color, Rect, Shape, Text

_SIZES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)
"""Shares of the ordinary size that are tried until everything fits."""
SIGNS: dict[str, Color] = {"asked": GOLD, "accept": GAIN, "reject": LOSS}
"""The colour of the sign for each answer."""


def has_table(rules: Rules) -> bool:
    """Whether the rules have anything to show here; the thesis's rules do not."""
    return rules.domestic_trade or rules.special_building or rules.start_order != "seat" or rules.dev_cards_per_turn > 0


@lru_cache(maxsize=64)
def table_panel(seats: tuple[RecordedPlayer, ...], state: State, area: Rect, em: float, measure: TextMeasure) -> Panel:
    """The strip in a state, as large as fits."""
    strips = (_StripLayout(seats, state, area, em * size, measure) for size in _SIZES)
    strip = next((strip for strip in strips if strip.fits), None) or _StripLayout(seats, state, area, em * 0.4, measure)
    return Panel(Layer("table", area, PANEL, tuple(strip.shapes)), tuple(strip.targets))


class _StripLayout:
    """Lays the strip out from left to right, and the number of played cards from right to left."""

    def __init__(
        self, seats: tuple[RecordedPlayer, ...], state: State, area: Rect, em: float, measure: TextMeasure
    ) -> None:
        self.seats, self.state, self.area, self.em, self.measure = seats, state, area, em, measure
        self.rules = state.constants.rules
        self.x, self.y = area.x + 0.6 * em, area.center[1]
        self.right = area.right - 0.7 * em
        self.shapes: list[Shape] = [Box(*area, PANEL, 0.0, PANEL_EDGE, 1)]
        self.targets: list[Target] = [Target(("table",), area)]
        if state.sup == "Rolling":
            self._rolls()
        elif state.tp == "Offering":
            self._offer()
        elif state.tp == "SpecialBuilding":
            self._special()
        else:
            self._turn()

    @property
    def fits(self) -> bool:
        """Whether the left part ends before the right one."""
        return self.x <= self.right

    def _rolls(self) -> None:
        self._text("Who begins?", INK, bold=True)
        for seat in self.seats:
            start, roll = self.x, self.state.rolls[seat.player - 1]
            self._badge(seat.player, self.state.su_ap == seat.player)
            text, tone = ("…", QUIET) if not roll else ("out", QUIET) if roll == OUT else (str(roll), INK)
            self._text(text, tone, bold=roll > OUT)
            self._target(("start_roll", seat.player), start)

    def _offer(self) -> None:
        state = self.state
        start = self.x
        self._badge(state.ap, not any(answer == "asked" for answer in state.ans))
        self._text("gives", DIM)
        self._cards(state.offer.give)
        self._text("for", DIM)
        self._cards(state.offer.receive)
        self._target(("offer",), start)
        self.x += 0.7 * self.em
        for seat in self.seats:
            answer = state.ans[seat.player - 1]
            if state.prop[seat.player - 1] != NO_OFFER:
                self._proposal(seat.player)
            elif answer in SIGNS:
                start = self.x
                self._badge(seat.player, answer == "asked")
                self._icon(answer, SIGNS[answer])
                self._target(("answer", seat.player), start)

    def _proposal(self, player: Player) -> None:
        start = self.x
        self._badge(player, True)
        self._cards(self.state.prop[player - 1].give)
        self._text("for", DIM)
        self._cards(self.state.prop[player - 1].receive)
        self._target(("answer", player), start)
        self.x += 0.4 * self.em

    def _special(self) -> None:
        state = self.state
        start = self.x
        self._badge(state.sb, True)
        self._text("may build in the special building phase", INK)
        self._target(("special",), start)
        self._text("then", DIM)
        self._badge(state.next_player(state.ap), False)
        self._text("rolls", DIM)

    def _turn(self) -> None:
        state = self.state
        self._played()
        if self.rules.start_order != "seat":
            start = self.x
            self._badge(state.first, False)
            self._text("began", DIM)
            self._target(("first",), start)
        if self.rules.domestic_trade and state.tp in TRADE_PHASES:
            self.x += 0.5 * self.em
            said = proposers(state)
            for player in said:
                self._proposal(player)
            if not said:
                self._text("no offer stands", QUIET)

    def _played(self) -> None:
        """How many development cards were played of those that a turn allows, at the right."""
        limit = self.rules.dev_cards_per_turn
        if not limit or self.state.tp in ("bot", "top"):
            return
        text, size = f"{self.state.pd} of {limit} played", 0.95 * self.em
        end = self.right
        self.right -= self.measure(text, size)
        self.shapes.append(Text(end, self.y, text, size, INK if self.state.pd else DIM, False, 1.0))
        side = round(1.35 * self.em, 1)
        self.right -= 0.4 * self.em + side
        self.shapes.append(icon("deck", self.right + side / 2, self.y, side))
        self.targets.append(Target(("played",), Rect(self.right, self.area.y, end - self.right, self.area.h)))
        self.right -= 0.5 * self.em

    # Pieces

    def _text(self, text: str, tone: Color, bold: bool = False) -> None:
        size = 0.95 * self.em
        self.shapes.append(Text(self.x, self.y, text, size, tone, bold))
        self.x += self.measure(text, size, bold) + 0.55 * self.em

    def _badge(self, player: Player, ringed: bool) -> None:
        side = round(1.6 * self.em, 1)
        self.shapes.append(badge(self.seats[player - 1].colour, self.x + side / 2, self.y, side, ringed))
        self.x += side + 0.35 * self.em

    def _icon(self, name: str, tone: Color = INK) -> None:
        side = round(1.35 * self.em, 1)
        self.shapes.append(icon(name, self.x + side / 2, self.y, side, tone))
        self.x += side + 0.45 * self.em

    def _cards(self, cards: Cards) -> None:
        for name, number in zip(RESOURCES, unpack(cards), strict=True):
            if number:
                self.shapes.append(Text(self.x, self.y, str(number), self.em, INK, True))
                self.x += self.measure(str(number), self.em, True) + 0.2 * self.em
                self._icon(name)

    def _target(self, name: tuple[object, ...], start: float) -> None:
        self.targets.append(Target(name, Rect(start, self.area.y, self.x - start, self.area.h)))
