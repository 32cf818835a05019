"""The rolls for the start and the two rounds of the set-up."""

from dataclasses import replace

from catan_p2p.game.actions import RollForStart, SetupPhaseOne, SetupPhaseTwo
from catan_p2p.game.constants import THESIS, Rules
from tests.game.actions.cases import GuardCase
from tests.positions import cards, set_up

# One village and one road of player 1's are placed: player 2 is next, in the first or in the second stage.
_FIRST = {"turn": 2, "villages": {1: (20,)}, "roads": {1: (23,)}}
_SECOND = {"stage": "PhaseTwo", "turn": 2, "villages": {1: (20,), 2: (15,)}, "roads": {1: (23,), 2: (16,)}}
# A road of player 1's without the village that a real game would have beside it.
_STRAY_ROAD = {1: (23, 64), 2: (16,)}

_BY_DICE = replace(THESIS, start_order="dice")

START: tuple[GuardCase, ...] = (
    GuardCase("RS1 phase", set_up(rules=_BY_DICE), RollForStart(1, 6)),
    GuardCase(
        "RS1 phase",
        set_up(stage="Rolling", rules=replace(_BY_DICE, dice=(6,)))._replace(tp="Pledging"),
        RollForStart(1, 6),
        "before the pledges",
    ),
    GuardCase("RS2 turn", set_up(stage="Rolling", rules=_BY_DICE), RollForStart(2, 6)),
    GuardCase("RS3 dice", set_up(stage="Rolling", rules=replace(_BY_DICE, dice=(6, 7, 8))), RollForStart(1, 9)),
)

SETUP: tuple[GuardCase, ...] = (
    GuardCase("SO1 phase", set_up(**_FIRST)._replace(tp="Trading"), SetupPhaseOne(2, 43, 64)),
    GuardCase("SO2 stage", set_up(**_SECOND), SetupPhaseOne(2, 43, 64)),
    GuardCase("SO3 turn", set_up(**_FIRST), SetupPhaseOne(1, 43, 64)),
    GuardCase("SO4 free", set_up(**_FIRST), SetupPhaseOne(2, 20, 22)),
    GuardCase("SO5 distance", set_up(**_FIRST), SetupPhaseOne(2, 19, 21)),
    GuardCase("SO6 bandit", set_up(**_FIRST), SetupPhaseOne(2, 22, 25)),
    GuardCase("SO7 road_free", set_up(**{**_FIRST, "roads": _STRAY_ROAD}), SetupPhaseOne(2, 43, 64)),
    GuardCase("SO8 touch", set_up(**_FIRST), SetupPhaseOne(2, 43, 1)),
    # Whoever touches a road beside the bandit is beside the bandit: never broken alone.
    GuardCase("SO9 road_bandit", set_up(**_FIRST), SetupPhaseOne(2, 22, 26), also=("SO6 bandit",)),
    GuardCase("ST1 phase", set_up(**_SECOND)._replace(tp="Trading"), SetupPhaseTwo(2, 43, 64)),
    GuardCase("ST2 stage", set_up(**_FIRST), SetupPhaseTwo(2, 43, 64)),
    GuardCase("ST3 turn", set_up(**_SECOND), SetupPhaseTwo(1, 43, 64)),
    GuardCase("ST4 free", set_up(**_SECOND), SetupPhaseTwo(2, 20, 22), "an adversary's village"),
    GuardCase("ST4 free", set_up(**_SECOND), SetupPhaseTwo(2, 15, 17), "an own village"),
    GuardCase("ST5 distance", set_up(**_SECOND), SetupPhaseTwo(2, 19, 21), "to an adversary"),
    GuardCase("ST5 distance", set_up(**_SECOND), SetupPhaseTwo(2, 12, 12), "to an own village"),
    GuardCase("ST6 bandit", set_up(**_SECOND), SetupPhaseTwo(2, 22, 25)),
    GuardCase("ST7 road_free", set_up(**{**_SECOND, "roads": _STRAY_ROAD}), SetupPhaseTwo(2, 43, 64)),
    GuardCase("ST8 touch", set_up(**_SECOND), SetupPhaseTwo(2, 43, 1)),
    GuardCase("ST9 road_bandit", set_up(**_SECOND), SetupPhaseTwo(2, 22, 26), also=("ST6 bandit",)),
    GuardCase(
        "ST10 stock", set_up(**_SECOND, rules=Rules(resource_pool=cards("19 Ore, 19 Grain"))), SetupPhaseTwo(2, 43, 64)
    ),
)
