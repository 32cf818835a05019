"""The discard of half a hand after a seven: the one action that players take concurrently."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from catan_p2p.game.actions.parameters import ResourceCards, Seat
from catan_p2p.game.actions.parts import Action, pay, unmet
from catan_p2p.game.cards import Cards, bracketed, covers, selections, total
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State


@dataclass(frozen=True, slots=True)
class Discard(Action):
    """Player ``player`` returns ``cards``, half of their resource cards rounded down, to the bank.

    Mirrors ``Discard(p, cards)`` in spec/Catan.tla (thesis, action 4, first part).
    """

    player: Seat
    cards: ResourceCards

    def __repr__(self) -> str:
        return f"Discard(player={self.player}, cards={bracketed(self.cards)})"

    phases = ("Discarding",)
    reply = "loss"

    def needs(self, state: State) -> Cards:
        """What is given up."""
        return self.cards


def owed(state: State, player: Player) -> int:
    """How many cards a player still has to discard, 0 if none."""
    limit = state.lim[player - 1]
    # A limit of 0 means that nothing is due.
    return max(0, state.hand_size(player) - limit) if limit else 0


def is_discard_due(state: State) -> bool:
    """Whether anybody still has to discard."""
    return any(limit and owed(state, seat) for seat, limit in enumerate(state.lim, 1))


def broken(state: State, action: Discard) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    due = owed(state, action.player)
    return unmet(
        state.tp == "Discarding" or "DI1 phase",
        due > 0 or "DI2 owes",
        total(action.cards) == due or "DI3 amount",
        covers(state.h[action.player - 1].rc, action.cards) or "DI4 hand",
    )


def effect(state: State, action: Discard) -> State:
    """The state after the action, whose guards must hold."""
    hands, bank = pay(state, action.player, action.cards)
    return state._replace(h=hands, bnk=bank)


def instances(state: State, player: Player) -> Sequence[Discard]:
    """Every enabled instance, by the cards given up, first resource first."""
    if state.tp != "Discarding" or not (due := owed(state, player)):
        return ()
    return _discards(player, state.h[player - 1].rc, due)


@lru_cache(maxsize=64)
def _discards(player: Player, hand: Cards, due: int) -> tuple[Discard, ...]:
    return tuple(Discard(player, cards) for cards in selections(hand, due))
