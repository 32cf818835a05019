"""The choices of a player at a moment of the game, and how they are collected."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from catan_p2p.game.actions import Action
from catan_p2p.game.cards import NO_CARDS, ONE, RESOURCES, Cards, Resource, count, total
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.sessions.messages import deal_in

from .draft import NOTHING, ActionDraft, ResourceRow, SeatChoice, SeatRequest
from .reasons import reasons

GIVE_KEYS, TAKE_KEYS = "12345", "67890"
"""The keys of the five resources, in a row of cards to give and in one of cards to take."""


@dataclass(slots=True)
class SeatMoment:
    """What the seat shows now."""

    title: str = ""
    hint: str = ""
    """The key of the hint for this moment, in ``HINTS``."""
    choices: list[SeatChoice] = field(default_factory=list)
    places: list[SeatChoice] = field(default_factory=list)
    """Choices on the island."""
    rows: list[ResourceRow] = field(default_factory=list)
    is_mine: bool = False
    """Whether the game waits for this person."""

    def all(self) -> Iterable[SeatChoice]:
        """Every choice, those of rows included."""
        yield from self.places
        for row in self.rows:
            yield from row.more
            yield from row.less
        yield from self.choices


class ChoiceMaker:
    """Collects the choices of one player, from a state and a draft, into a moment."""

    def __init__(
        self, state: State, player: Player, names: tuple[str, ...], draft: ActionDraft, colours: tuple[str, ...] = ()
    ) -> None:
        self.state, self.player, self.names, self.draft = state, player, names, draft
        self.colours = colours or names
        self.hand = state.h[player - 1]
        self.found = SeatMoment()

    # Single choices

    def _button(
        self,
        name: str,
        words: str,
        key: str,
        then: ActionDraft | Action | SeatRequest | None,
        refusal: str = "",
        icon: str = "",
        cost: Cards = NO_CARDS,
        *,
        main: bool = False,
        gain: Cards = NO_CARDS,
    ) -> None:
        then = None if refusal else then
        self.found.choices.append(SeatChoice(("do", name), name, words, key, then, refusal, icon, cost, main, gain))

    def _place(self, kind: str, number: int, then: ActionDraft | Action) -> None:
        self.found.places.append(SeatChoice((kind, number), f"{kind} {number}", f"{kind} {number}", "", then))

    def _cancel(self) -> None:
        self._button("cancel", "Back", "Escape", NOTHING, icon="previous_action")

    def _ask_for(self, action: Action) -> ActionDraft:
        return replace(self.draft, ask=action, deal=deal_in(self.state, action))

    def _why_not(self, action: Action) -> str:
        return reasons(self.state, action, most=2)

    # Rows of resources

    def _row(
        self,
        side: str,
        words: str,
        chosen: Cards,
        held: tuple[int | None, ...],
        keys: str,
        most: int,
        other: Cards = NO_CARDS,
    ) -> None:
        more, less = [], []
        for i, name in enumerate(RESOURCES):
            number, there = count(chosen, name), held[i]
            refusal = ""
            if there is not None and number >= there:
                refusal = f"there is no more {name}" if there else f"there is no {name}"
            elif total(chosen) >= most:
                refusal = f"no more than {most}"
            elif count(other, name):
                refusal = "the same thing twice"
            then = replace(self.draft, **{side: chosen + ONE[name]})  # type: ignore[arg-type]
            more.append(self._pick(side, name, f"one more {name}", keys[i], then, refusal))
            then = replace(self.draft, **{side: chosen - ONE[name]})  # type: ignore[arg-type]
            less.append(self._pick(f"{side} less", name, f"one {name} less", f"Shift+{keys[i]}", then,
                                   "" if number else "none is chosen"))  # fmt: skip
        self.found.rows.append(ResourceRow(words, chosen, held, tuple(more), tuple(less)))

    def _pick(self, side: str, name: Resource, words: str, key: str, then: ActionDraft, refusal: str) -> SeatChoice:
        return SeatChoice(("do", side, name), f"{side} {name}", words, key, None if refusal else then, refusal, name)
