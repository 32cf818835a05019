"""The shuffle of the deck, by each player in the order of seats: before a game of hidden hands begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.actions.parameters import Seat
from catan_p2p.game.actions.parts import unmet
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State, first_phase


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Player ``player`` shuffles the deck; the new one is in the commit, not in the state."""

    player: Seat


def broken(state: State, action: Shuffle) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.tp == "Shuffling" or "SH1 phase",
        state.to_act == action.player or "SH2 turn",
    )


def effect(state: State, action: Shuffle) -> State:
    """The state after; no guard is broken."""
    after = state._replace(hid=state.hid._replace(shuffles=action.player))
    is_last = action.player == state.constants.player_count
    return after._replace(tp=first_phase(state.constants)) if is_last else after


def instances(state: State, player: Player) -> Sequence[Shuffle]:
    """The one instance, if enabled."""
    return (Shuffle(player),) if state.tp == "Shuffling" and state.to_act == player else ()
