"""The rolls for the start and the two rounds of the set-up."""

from dataclasses import replace
from functools import partial

from catan_p2p.game.actions import RollForStart, SetupPhaseOne, SetupPhaseTwo
from catan_p2p.game.constants import BRIEF, THESIS, Rules
from catan_p2p.game.state import State
from tests.game.actions.cases import EffectCase
from tests.game.actions.openings import OPENED_BY_DICE
from tests.positions import position, set_up

_second_round = partial(set_up, stage="PhaseTwo")
_BY_DICE = replace(THESIS, start_order="dice")
_THEN_BY_SEAT = replace(THESIS, start_order="dice_then_seat")


def _rolling(*rolls: int, turn: int, rules: Rules = _BY_DICE) -> State:
    return set_up(3, stage="Rolling", turn=turn, rolls=rolls, rules=rules)


def _with_opening(state: State) -> State:
    return state._replace(constants=OPENED_BY_DICE)


START: tuple[EffectCase, ...] = (
    EffectCase(RollForStart(1, 8), "the next one rolls", _rolling(0, 0, 0, turn=1), _rolling(8, 0, 0, turn=2)),
    EffectCase(
        RollForStart(3, 5),
        "the highest roll begins",
        _rolling(4, 9, 0, turn=3),
        set_up(3, turn=2, first=2, rules=_BY_DICE),
    ),
    EffectCase(
        RollForStart(3, 6),
        "who ties for the highest rolls again, the others are out",
        _rolling(6, 4, 0, turn=3),
        _rolling(0, 1, 0, turn=1),
    ),
    EffectCase(
        RollForStart(1, 2),
        "who is out does not roll again",
        _rolling(0, 1, 0, turn=1),
        _rolling(2, 1, 0, turn=3),
    ),
    EffectCase(
        RollForStart(3, 6),
        "where some of those who have rolled tie, these roll again",
        _rolling(6, 4, 0, turn=3, rules=_THEN_BY_SEAT),
        _rolling(0, 1, 0, turn=1, rules=_THEN_BY_SEAT),
    ),
    EffectCase(
        RollForStart(3, 6),
        "where all who have rolled tie, and seats decide then, the first of them begins",
        _rolling(1, 6, 0, turn=3, rules=_THEN_BY_SEAT),
        set_up(3, turn=2, first=2, rules=_THEN_BY_SEAT),
    ),
    EffectCase(
        RollForStart(2, 7),
        "after an opening the first turn begins",
        _with_opening(
            set_up(
                2,
                stage="Rolling",
                turn=2,
                rolls=(4, 0),
                rules=BRIEF,
                villages={1: (20, 43), 2: (15, 36)},
                roads={1: (23, 64), 2: (16, 57)},
            )
        ),
        _with_opening(position(phase="DiceRoll", first=2, turn=2, rules=BRIEF)),
    ),
)

FIRST_ROUND: tuple[EffectCase, ...] = (
    EffectCase(
        SetupPhaseOne(1, 20, 23),
        "the last player clockwise begins the second round",
        set_up(turn=1, first=2, villages={2: (15,)}, roads={2: (16,)}, rules=_BY_DICE),
        _second_round(turn=1, first=2, villages={1: (20,), 2: (15,)}, roads={1: (23,), 2: (16,)}, rules=_BY_DICE),
    ),
    EffectCase(
        SetupPhaseOne(1, 20, 23),
        "the next player places",
        set_up(),
        set_up(turn=2, villages={1: (20,)}, roads={1: (23,)}),
    ),
    EffectCase(
        SetupPhaseOne(2, 15, 16),
        "the last player begins the second round",
        set_up(turn=2, villages={1: (20,)}, roads={1: (23,)}),
        _second_round(turn=2, villages={1: (20,), 2: (15,)}, roads={1: (23,), 2: (16,)}),
    ),
    EffectCase(
        SetupPhaseOne(2, 15, 16),
        "one of three players",
        set_up(3, turn=2, villages={1: (20,)}, roads={1: (23,)}),
        set_up(3, turn=3, villages={1: (20,), 2: (15,)}, roads={1: (23,), 2: (16,)}),
    ),
)

_AT_ONCE_WITH_ONE = replace(BRIEF, start_order="seat", points_to_win=1)
_ONE_EACH = {"villages": {1: (20,), 2: (15,)}, "roads": {1: (23,), 2: (16,)}}
_ONE_OF_THREE = {"villages": {1: (20,), 2: (15,), 3: (10,)}, "roads": {1: (23,), 2: (16,), 3: (9,)}}
_LAST_LEFT = {"villages": {1: (20,), 2: (15, 36)}, "roads": {1: (23,), 2: (16, 57)}}
_SECOND_YIELD = {2: "1 Lumber, 1 Wool, 1 Grain"}

SECOND_ROUND: tuple[EffectCase, ...] = (
    EffectCase(
        SetupPhaseTwo(1, 43, 64),
        "counterclockwise the last seat follows the first",
        _second_round(
            3,
            turn=1,
            first=2,
            villages={1: (20,), 2: (15,), 3: (10,)},
            roads={1: (23,), 2: (16,), 3: (9,)},
            rules=_BY_DICE,
        ),
        _second_round(
            3,
            turn=3,
            first=2,
            villages={1: (20, 43), 2: (15,), 3: (10,)},
            roads={1: (23, 64), 2: (16,), 3: (9,)},
            hands={1: "1 Brick, 1 Grain, 1 Ore"},
            rules=_BY_DICE,
        ),
    ),
    EffectCase(
        SetupPhaseTwo(2, 36, 57),
        "who began ends the set-up",
        _second_round(turn=2, first=2, villages={1: (20, 43), 2: (15,)}, roads={1: (23, 64), 2: (16,)}, rules=_BY_DICE),
        position(phase="DiceRoll", first=2, turn=2, hands={2: "1 Lumber, 1 Wool, 1 Grain"}, rules=_BY_DICE),
    ),
    EffectCase(
        SetupPhaseTwo(2, 36, 57),
        "the second village earns one card of each tile",
        _second_round(turn=2, **_ONE_EACH),
        _second_round(turn=1, hands=_SECOND_YIELD, **_LAST_LEFT),
    ),
    EffectCase(
        SetupPhaseTwo(3, 54, 72),
        "the order of play is reversed",
        _second_round(3, turn=3, **_ONE_OF_THREE),
        _second_round(
            3,
            turn=2,
            villages={**_ONE_OF_THREE["villages"], 3: (10, 54)},
            roads={**_ONE_OF_THREE["roads"], 3: (9, 72)},
            hands={3: "1 Wool"},
        ),
    ),
    EffectCase(
        SetupPhaseTwo(2, 9, 8),
        "sea yields nothing",
        _second_round(turn=2, **_ONE_EACH),
        _second_round(turn=1, villages={1: (20,), 2: (15, 9)}, roads={1: (23,), 2: (16, 8)}, hands={2: "1 Grain"}),
    ),
    EffectCase(
        SetupPhaseTwo(2, 42, 56),
        "two tiles of a kind yield two cards",
        _second_round(turn=2, **_ONE_EACH),
        _second_round(
            turn=1, villages={1: (20,), 2: (15, 42)}, roads={1: (23,), 2: (16, 56)}, hands={2: "2 Grain, 1 Ore"}
        ),
    ),
    EffectCase(
        SetupPhaseTwo(2, 36, 57),
        "nobody wins before the set-up is over",
        _second_round(turn=2, rules=_AT_ONCE_WITH_ONE, **_ONE_EACH),
        _second_round(turn=1, rules=_AT_ONCE_WITH_ONE, hands=_SECOND_YIELD, **_LAST_LEFT),
    ),
    EffectCase(
        SetupPhaseTwo(1, 43, 64),
        "the second village wins at once, if so few points are enough",
        _second_round(turn=1, rules=_AT_ONCE_WITH_ONE, hands=_SECOND_YIELD, **_LAST_LEFT),
        position(phase="top", dice=0, rules=_AT_ONCE_WITH_ONE, hands={1: "1 Brick, 1 Grain, 1 Ore", **_SECOND_YIELD}),
    ),
    EffectCase(
        SetupPhaseTwo(1, 43, 64),
        "the first player ends the set-up",
        _second_round(turn=1, hands=_SECOND_YIELD, **_LAST_LEFT),
        position(phase="DiceRoll", hands={1: "1 Brick, 1 Grain, 1 Ore", **_SECOND_YIELD}),
    ),
)
