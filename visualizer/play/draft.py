"""What a person is about to do, before it is done: nothing of it is in the game yet."""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from catan_p2p.game.actions import Action
from catan_p2p.game.cards import NO_CARDS, Cards
from catan_p2p.sessions.messages import NO_DEAL, AgreedDeal

from ..view import TargetId

Mode: TypeAlias = Literal[
    "",
    "road",
    "village",
    "city",
    "settle",
    "knight",
    "bandit",
    "roads",
    "monopoly",
    "plenty",
    "bank",
    "offer",
    "propose",
]
"""What is being prepared: a piece, the first settlement, the bandit's way, a card, a trade; nothing if empty."""


@dataclass(frozen=True, slots=True)
class ActionDraft:
    """A person's choices so far."""

    mode: Mode = ""
    picks: tuple[int, ...] = ()
    """Places chosen: points, roads or tiles, by the mode; of an offer or a proposal, to whom it goes."""
    give: Cards = NO_CARDS
    """Cards to give: to the bank, to others, or to discard."""
    take: Cards = NO_CARDS
    """Cards wanted in return."""
    ask: Action | None = None
    """What is done if it is confirmed."""
    deal: AgreedDeal = NO_DEAL
    """What is agreed to by that."""


NOTHING = ActionDraft()


class SeatRequest(NamedTuple):
    """Something that is no move in the game: ``hand_over``, ``take_back``, ``settings``, ``new_game``, ..."""

    name: str
    value: str = ""


class WhyNot(str):
    """Why something cannot be done, in words; ``shorter`` is the same in ever fewer."""

    __slots__ = ("shorter",)
    shorter: tuple[str, ...]

    def __new__(cls, words: str, *shorter: str) -> "WhyNot":
        """Words; ever fewer of them where there is little room."""
        made = super().__new__(cls, words)
        made.shorter = shorter
        return made


def forms(words: str) -> tuple[str, ...]:
    """Words, and fewer that say the same."""
    return (words, *words.shorter) if isinstance(words, WhyNot) else (words,)


class SeatChoice(NamedTuple):
    """Something that can be clicked, or chosen by a key."""

    id: TargetId
    name: str
    """As the public description of the screen calls it."""
    words: str
    key: str
    """The key that does the same; of places on the island none has its own."""
    then: ActionDraft | Action | SeatRequest | None
    """What it leads to; None if it cannot be done."""
    refusal: str = ""
    """Why not, in words; a ``WhyNot`` where there are fewer that say it, too."""
    icon: str = ""
    cost: Cards = NO_CARDS
    is_main: bool = False
    """Whether Enter does it."""
    gain: Cards = NO_CARDS
    """What is had for the cost, in a trade."""


class ResourceRow(NamedTuple):
    """Five resources to choose from: how many are chosen of each, and how many there are at most, None if many."""

    words: str
    chosen: Cards
    held: tuple[int | None, ...]
    more: tuple[SeatChoice, ...]
    less: tuple[SeatChoice, ...]
