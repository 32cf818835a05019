"""The vote on going on without a player: it changes nothing in the game, only in the log."""

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.actions.absence import is_awaited
from catan_p2p.game.actions.parameters import Said, Seat
from catan_p2p.game.actions.parts import Action, unmet
from catan_p2p.game.constants import Player
from catan_p2p.game.state import RUNNING_PHASES, State


@dataclass(frozen=True, slots=True)
class Vote(Action):
    """Player ``player`` says whether to go on without ``absent``, whom the game waits for.

    Mirrors ``Vote(p, x, says)`` in spec/Catan.tla.
    """

    player: Seat
    absent: Seat
    says: Said

    phases = RUNNING_PHASES
    rule = "leaving"


def broken(state: State, action: Vote) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.constants.rules.leaving or "VO1 rule",
        state.tp != "top" or "VO2 phase",
        not state.away[action.player - 1] or "VO3 seat",
        action.player != action.absent or "VO4 other",
        len(state.present) > 2 or "VO5 players",
        is_awaited(state, action.absent) or "VO6 awaited",
    )


def effect(state: State, action: Vote) -> State:
    """The same state; no guard is broken."""
    return state


def instances(state: State, player: Player) -> Sequence[Vote]:
    """Every enabled instance, by who is absent: yes, then no."""
    if not state.constants.rules.leaving:
        return ()
    votes = (Vote(player, absent, says) for absent in state.constants.players for says in ("yes", "no"))
    return [vote for vote in votes if not broken(state, vote)]


def decisions(state: State, player: Player) -> Sequence[Vote]:
    """None: a vote is not a move of the game."""
    return ()
