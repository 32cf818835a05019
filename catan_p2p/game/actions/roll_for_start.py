"""The rolls that decide who begins."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from catan_p2p.game.actions.drawing import is_drawn, settled
from catan_p2p.game.actions.parameters import DiceSum, Seat
from catan_p2p.game.actions.parts import Action, NumberSource, unmet, with_seat
from catan_p2p.game.actions.roll_dice import two_dice
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State

OUT = 1
"""In ``rolls``: the player has lost to a higher roll and does not roll again."""


@dataclass(frozen=True, slots=True)
class RollForStart(Action):
    """Player ``player`` rolls ``dice`` in sum; the player who rolls highest begins, and ties roll again.

    By ``StartOrder = dice_then_seat`` the first of them in the order of seats begins where all who have rolled tie.

    Mirrors ``RollForStart(p, dice)`` in spec/Catan.tla (rule book, "Set-up Phase").
    """

    player: Seat
    dice: DiceSum

    phases = ("bot", "Drawing")
    drawn = "dice"


def broken(state: State, action: RollForStart) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        (state.sup == "Rolling" and state.phase == "bot") or "RS1 phase",
        state.su_ap == action.player or "RS2 turn",
        action.dice in state.constants.rules.dice or "RS3 dice",
        is_drawn(state, "RollForStart") or "RS4 drawn",
    )


def effect(state: State, action: RollForStart) -> State:
    """The state after the action, whose guards must hold."""
    return rolled(settled(state), with_seat(state.rolls, action.player, action.dice))


def rolled(state: State, rolls: tuple[int, ...]) -> State:
    """The state after these rolls: ``RolledSetup`` and ``RolledGame`` of the specification."""
    if 0 in rolls:
        return state._replace(rolls=rolls, su_ap=rolls.index(0) + 1)
    highest = max(rolls)
    leaders = rolls.count(highest)
    by_seat = state.constants.rules.start_order == "dice_then_seat" and leaders + rolls.count(OUT) == len(rolls)
    if leaders > 1 and not by_seat:
        again = tuple(0 if roll == highest else OUT for roll in rolls)
        return state._replace(rolls=again, su_ap=again.index(0) + 1)
    leader = rolls.index(highest) + 1
    return state._replace(
        sup="PhaseTwo" if state.constants.opening else "PhaseOne",
        su_ap=leader,
        first=leader,
        rolls=(0,) * len(rolls),
        ap=leader,
        tp="DiceRoll" if state.constants.opening else "bot",
    )


def instances(state: State, player: Player) -> Sequence[RollForStart]:
    """Every enabled instance, by sum."""
    if state.sup != "Rolling" or state.phase != "bot" or state.su_ap != player or not is_drawn(state, "RollForStart"):
        return ()
    return _rolls(player, state.constants.rules.dice)


@lru_cache
def _rolls(player: Player, dice: tuple[int, ...]) -> tuple[RollForStart, ...]:
    return tuple(RollForStart(player, sum) for sum in dice)


def decisions(state: State, player: Player) -> Sequence[RollForStart]:
    """One instance for all sums: rolling is one decision."""
    return instances(state, player)[:1]


def draw(state: State, action: RollForStart, rng: NumberSource) -> RollForStart:
    """The same roll with the sum of two six-sided dice."""
    return replace(action, dice=sum(two_dice(state, rng)))
