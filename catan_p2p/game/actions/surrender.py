"""What a monopoly takes of sealed cards: each player who has some reveals it, concurrently."""

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.actions.parameters import ResourceCards, Seat
from catan_p2p.game.actions.parts import Action, unmet, with_seat
from catan_p2p.game.cards import NO_CARDS, ONE, Cards, bracketed, count, covers
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State


@dataclass(frozen=True, slots=True)
class Surrender(Action):
    """Player ``player`` gives up ``cards``: all of their sealed cards of the resource that a monopoly takes."""

    player: Seat
    cards: ResourceCards

    def __repr__(self) -> str:
        return f"Surrender(player={self.player}, cards={bracketed(self.cards)})"

    phases = ("Surrendering",)
    rule = "hands"
    reply = "loss"

    def needs(self, state: State) -> Cards:
        """What the monopoly takes."""
        return self.cards


def broken(state: State, action: Surrender) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.tp == "Surrendering" or "SU1 phase",
        state.due[action.player - 1] or "SU2 due",
        action.cards == wanted_of(state, action.cards) or "SU3 resource",
        covers(state.h[action.player - 1].rc, action.cards) or "SU4 hand",
    )


def surrendering(state: State) -> tuple[bool, ...]:
    """Who has to say what a monopoly takes of their sealed cards."""
    return tuple(
        seat != state.ap and sealed > 0 and not state.away[seat - 1] for seat, sealed in enumerate(state.hid.sealed, 1)
    )


def wanted_of(state: State, cards: Cards) -> Cards:
    """Those of some cards that the monopoly takes."""
    wanted = state.hid.wanted
    return NO_CARDS if wanted == "none" else ONE[wanted] * count(cards, wanted)


def effect(state: State, action: Surrender) -> State:
    """The state after the action, whose guards must hold."""
    hands = state.h
    if action.cards:
        loser, winner = state.h[action.player - 1], state.h[state.ap - 1]
        hands = with_seat(hands, action.player, loser._replace(rc=loser.rc - action.cards))
        hands = with_seat(hands, state.ap, winner._replace(rc=winner.rc + action.cards))
    due = with_seat(state.due, action.player, False)
    after = state._replace(h=hands, due=due)
    if any(due):
        return after
    return after.resumed


def instances(state: State, player: Player) -> Sequence[Surrender]:
    """Every instance that may be true, as far as everybody knows, by the number of cards."""
    if state.tp != "Surrendering" or not state.due[player - 1] or state.hid.wanted == "none":
        return ()
    return [Surrender(player, ONE[state.hid.wanted] * n) for n in range(state.hid.sealed[player - 1] + 1)]
