"""The reveal of a player's share of a draw: everybody but the caller takes it, concurrently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.actions.parameters import Seat
from catan_p2p.game.actions.parts import unmet, with_seat
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State


@dataclass(frozen=True, slots=True)
class Reveal:
    """Player ``player`` reveals their share of the draw that was called for.

    Mirrors ``Reveal(p)`` in spec/Catan.tla. The share is in the commit, not in the state.
    """

    player: Seat


def broken(state: State, action: Reveal) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.tp == "Drawing" or "RV1 phase",
        state.due[action.player - 1] or "RV2 due",
    )


def effect(state: State, action: Reveal) -> State:
    """The state after; no guard is broken."""
    return state._replace(due=with_seat(state.due, action.player, False))


def instances(state: State, player: Player) -> Sequence[Reveal]:
    """The one instance, if enabled."""
    return (Reveal(player),) if state.tp == "Drawing" and state.due[player - 1] else ()
