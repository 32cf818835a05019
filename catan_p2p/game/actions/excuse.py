"""The commit that excuses a player from the rest of the game, for being silent or a proven liar."""

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.actions.absence import (
    hidden_dropped,
    is_deck_lost,
    is_owing,
    is_preparing,
    is_set_up,
    returns_limited,
    skipped,
    skipped_builder,
    unasked,
    without_in_setup,
)
from catan_p2p.game.actions.parameters import Seat
from catan_p2p.game.actions.parts import Action, unmet
from catan_p2p.game.actions.shuffle import begun_anew, shuffled_anew, shuffled_back
from catan_p2p.game.actions.sign_end import closed
from catan_p2p.game.constants import Player
from catan_p2p.game.state import NOTHING_HIDDEN, RUNNING_PHASES, WITHIN_PHASES, State


@dataclass(frozen=True, slots=True)
class Excuse(Action):
    """Player ``player`` states that ``absent`` is excused, and skipped from now on.

    Mirrors ``Excuse(p, x)`` in spec/Catan.tla. Several players may be excused, one after the other; meanwhile those
    who come next may still owe replies. The commits that it merges show that it was agreed on.
    """

    player: Seat
    absent: Seat

    phases = RUNNING_PHASES
    rule = "leaving"


def broken(state: State, action: Excuse) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    absent = action.absent
    return unmet(
        state.constants.rules.leaving or "EX1 rule",
        state.tp != "top" or "EX2 phase",
        not state.away[absent - 1] or "EX3 seat",
        len(state.present) > 2 or "EX4 players",
        (not state.away[action.player - 1] and action.player != absent) or "EX5 other",
        not is_owing(state, action.player) or state.tp in WITHIN_PHASES or "EX6 replies",
    )


def effect(state: State, action: Excuse) -> State:
    """The state after the action, whose guards must hold.

    Where hands are hidden, the others shuffle the rest of the deck before play goes on: without the player nobody
    could open it, and the player may have told what is in it. Before the game they begin with it anew, once all have
    pledged. Where only the player's signature under the end is missing, the game is closed without it.
    """
    absent = action.absent
    limited = returns_limited(state, absent)
    if state.hid is NOTHING_HIDDEN:
        return _without(limited, absent)
    is_new = is_preparing(state)
    after = _without(hidden_dropped(limited, absent), absent)
    if after.tp == "Pledging":
        return after
    if is_new:
        return begun_anew(after)
    if is_deck_lost(state, absent):
        return after._replace(hid=after.hid._replace(deck="lost"))
    is_rest = state.tp == "Shuffling" and state.hid.deck == "rest"
    return shuffled_back(after) if state.hid.keyless[absent - 1] and not is_rest else shuffled_anew(after)


def _without(state: State, absent: Player) -> State:
    if not is_set_up(state):
        return without_in_setup(state, absent)
    after = unasked(state, absent)
    if state.tp == "Signing":
        return after if any(after.due) else closed(after)
    if state.builder != absent:
        return after
    return skipped_builder(after, absent) if state.phase == "SpecialBuilding" else skipped(after, absent)


def instances(state: State, player: Player) -> Sequence[Excuse]:
    """Every enabled instance, by who is absent."""
    if not state.constants.rules.leaving:
        return ()
    return [one for absent in state.constants.players if not broken(state, one := Excuse(player, absent))]
