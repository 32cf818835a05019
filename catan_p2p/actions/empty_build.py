"""The end of a turn, or of the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from catan_p2p.actions.parameters import Seat
from catan_p2p.actions.parts import unmet, with_hand
from catan_p2p.cards import NO_CARDS
from catan_p2p.constants import Player
from catan_p2p.scoring import player_points
from catan_p2p.state import State


@dataclass(frozen=True, slots=True)
class EmptyBuild:
    """Player ``player`` stops building: they have won, or the turn passes to the next player.

    Mirrors ``EmptyBuild(p)`` in spec/Catan.tla (thesis, action 9).
    """

    player: Seat


def broken(state: State, action: EmptyBuild) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.tp == "Building" or "EB1 phase",
        state.ap == action.player or "EB2 turn",
    )


def effect(state: State, action: EmptyBuild) -> State:
    """The state after; no guard is broken."""
    player = action.player
    if player_points(state, player) >= state.constants.rules.points_to_win:
        return state._replace(tp="top")
    hand = state.h[player - 1]
    return state._replace(
        ap=player % state.constants.player_count + 1,
        tp="DiceRoll",
        dice=0,
        h=with_hand(state, player, bc=NO_CARDS, ac=hand.ac + hand.bc) if hand.bc else state.h,
    )


def instances(state: State, player: Player) -> Sequence[EmptyBuild]:
    """The one instance, if enabled."""
    return _only(player) if state.tp == "Building" and state.ap == player else ()


@lru_cache
def _only(player: Player) -> tuple[EmptyBuild]:
    return (EmptyBuild(player),)
