"""What a person is preparing to do; nothing of it is in the game yet."""

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
"""What is being prepared: a piece, a first settlement, a move of the bandit, a card, a trade; nothing if empty."""


@dataclass(frozen=True, slots=True)
class ActionDraft:
    """A person's choices so far."""

    mode: Mode = ""
    picks: tuple[int, ...] = ()
    """Chosen places: points, roads or tiles, depending on the mode; of an offer or a proposal, the player asked."""
    give: Cards = NO_CARDS
    """Cards to give: to the bank, to others, or to discard."""
    take: Cards = NO_CARDS
    """Cards wanted in return."""
    ask: Action | None = None
    """The action to be confirmed."""
    deal: AgreedDeal = NO_DEAL
    """The terms that this confirms; they must still stand when it is sent."""


NOTHING = ActionDraft()


class SeatRequest(NamedTuple):
    """A choice that is no action of the game, such as ``settings``, ``play for me``, ``undo`` or ``new_game``."""

    name: str
    value: str = ""


class WhyNot(str):
    """Why something cannot be done; ``shorter`` says the same in ever fewer words."""

    __slots__ = ("shorter",)
    shorter: tuple[str, ...]

    def __new__(cls, words: str, *shorter: str) -> "WhyNot":
        """A reason in full, then shorter forms for places with little room."""
        made = super().__new__(cls, words)
        made.shorter = shorter
        return made


def forms(words: str) -> tuple[str, ...]:
    """A text and its shorter forms, if it has any."""
    return (words, *words.shorter) if isinstance(words, WhyNot) else (words,)


class SeatChoice(NamedTuple):
    """A choice that can be clicked, or made by a key."""

    id: TargetId
    name: str
    """Its name in the public description of the screen."""
    words: str
    key: str
    """The key that does the same; places on the island have none."""
    then: ActionDraft | Action | SeatRequest | None
    """What it leads to; None if it cannot be done."""
    refusal: str = ""
    """Why it cannot be done; a ``WhyNot`` if there are shorter forms."""
    icon: str = ""
    cost: Cards = NO_CARDS
    is_main: bool = False
    """Whether Enter does it."""
    gain: Cards = NO_CARDS
    """The cards gained for the cost, in a trade."""


class ResourceRow(NamedTuple):
    """A row of five resources to choose from: how many of each are chosen, and at most can be (None for no limit)."""

    words: str
    chosen: Cards
    held: tuple[int | None, ...]
    more: tuple[SeatChoice, ...]
    less: tuple[SeatChoice, ...]
