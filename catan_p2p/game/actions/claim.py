"""The claim of a game whose only other remaining player is silent."""

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.actions.absence import hidden_dropped, is_awaited, is_owing, returns_limited, skipped, unasked
from catan_p2p.game.actions.drawing import ROBBERIES
from catan_p2p.game.actions.parameters import Seat
from catan_p2p.game.actions.parts import Action, unmet
from catan_p2p.game.actions.sign_end import closed
from catan_p2p.game.constants import Player
from catan_p2p.game.state import NOTHING_HIDDEN, RUNNING_PHASES, State


@dataclass(frozen=True, slots=True)
class Claim(Action):
    """Player ``player`` claims the game: only ``absent`` is left besides, and the game waits for them.

    Mirrors ``Claim(p, x)`` in spec/Catan.tla.
    """

    player: Seat
    absent: Seat

    phases = RUNNING_PHASES
    rule = "leaving"


def broken(state: State, action: Claim) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    player, absent = action.player, action.absent
    return unmet(
        state.constants.rules.leaving or "CL1 rule",
        state.tp != "top" or "CL2 phase",
        (player != absent and {*state.present} == {player, absent}) or "CL3 players",
        is_awaited(state, absent) or is_accusable(state, player, absent) or "CL4 awaited",
        not is_owing(state, player) or "CL5 replies",
    )


def is_accusable(state: State, player: Player, absent: Player) -> bool:
    """Whether a robber has an answer that may be a lie: the commit has to show that it is, or the log refuses it."""
    what, victim = state.call.what, state.call.victim
    return state.hid is not NOTHING_HIDDEN and what in ROBBERIES and (state.ap, victim) == (player, absent)


def effect(state: State, action: Claim) -> State:
    """The state after the action, whose guards must hold. A winner stays the winner, even if silent at the end."""
    state = returns_limited(state, action.absent)
    if state.tp == "Signing":
        return closed(unasked(state, action.absent))
    if state.hid is not NOTHING_HIDDEN:
        state = hidden_dropped(state, action.absent)
    return skipped(unasked(state, action.absent), action.absent)._replace(tp="top")


def instances(state: State, player: Player) -> Sequence[Claim]:
    """The one instance, if enabled."""
    if not state.constants.rules.leaving:
        return ()
    return [one for absent in state.constants.players if not broken(state, one := Claim(player, absent))]
