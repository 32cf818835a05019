"""The reveal of a player's share of a draw: everybody but the caller takes it, concurrently."""

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.actions.parameters import Seat
from catan_p2p.game.actions.parts import Action, unmet, with_hand, with_seat
from catan_p2p.game.cards import NO_CARDS, total
from catan_p2p.game.constants import Player
from catan_p2p.game.state import NOTHING_HIDDEN, State


@dataclass(frozen=True, slots=True)
class Reveal(Action):
    """Player ``player`` reveals their share of the draw that was called for.

    Where hands are hidden, the victim of a theft seals the whole hand instead, and the others reveal to a buyer their
    shares of the decryption of a card. Mirrors ``Reveal(p)`` in spec/Catan.tla. What is revealed is in the commit, not
    in the state.
    """

    player: Seat

    phases = ("Drawing",)
    rule = "chance"
    reply = "chance"


def broken(state: State, action: Reveal) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.tp == "Drawing" or "RV1 phase",
        state.due[action.player - 1] or "RV2 due",
    )


def effect(state: State, action: Reveal) -> State:
    """The state after the action, whose guards must hold."""
    after = state._replace(due=with_seat(state.due, action.player, False))
    if state.hid is NOTHING_HIDDEN or state.call.victim != action.player:
        return after
    seat, hand = action.player - 1, state.h[action.player - 1]
    sealed = with_seat(state.hid.sealed, action.player, state.hid.sealed[seat] + total(hand.rc))
    return after._replace(h=with_hand(state, action.player, rc=NO_CARDS), hid=state.hid._replace(sealed=sealed))


def instances(state: State, player: Player) -> Sequence[Reveal]:
    """The one instance, if enabled."""
    return (Reveal(player),) if state.tp == "Drawing" and state.due[player - 1] else ()
