"""Turns, debts and wins of players who are away."""

from dataclasses import replace
from functools import partial

from catan_p2p.game.constants import BRIEF, THESIS, profile
from catan_p2p.game.state import CalledDraw, WayBack
from tests.game.broken_states.broken_state import BrokenState, mistyped
from tests.positions import position, set_up

_without_second = partial(position, 3, away=(False, True, False))
_LEAVING = replace(THESIS, leaving=True)
_LEAVING_BY_DICE = replace(_LEAVING, start_order="dice")
_LEAVING_FOR_SIX = replace(profile("brief", 6), leaving=True)
_DISCARDING_WITHOUT = _without_second(
    phase="Discarding", hands={2: "4 Ore", 3: "8 Ore"}, limits=(0, 0, 4), rules=_LEAVING
)
_RETURNS = replace(_LEAVING, returns=1)
_SECOND_AWAY = _without_second(rules=_LEAVING)
_PLACING_WITHOUT = set_up(
    3, turn=3, villages={1: (20,)}, roads={1: (23,)}, rules=_LEAVING_BY_DICE, away=(False, True, False)
)
_PLACING_AGAIN_WITHOUT = set_up(
    3,
    stage="PhaseTwo",
    turn=1,
    villages={1: (20,), 3: (10, 54)},
    roads={1: (23,), 3: (9, 72)},
    rules=_LEAVING_BY_DICE,
    away=(False, True, False),
)

AWAY: tuple[BrokenState, ...] = (
    BrokenState("AwayAreSkipped", "away where nobody may leave", position(3), {"away": (False, True, False)}),
    BrokenState("AwayAreSkipped", "the turn is of one who is away", _SECOND_AWAY, {"ap": 2}),
    BrokenState(
        "AwayAreSkipped",
        "one who is away has won",
        _without_second(phase="top", rules=_LEAVING),
        {"ap": 2},
    ),
    BrokenState(
        "AwayAreSkipped",
        "a discard is awaited of one who is away",
        position(3, phase="Discarding", hands={2: "8 Ore", 3: "8 Wool"}, rules=_LEAVING),
        {"away": (False, True, False)},
    ),
    BrokenState("AwayAreSkipped", "one plays on alone", _SECOND_AWAY, {"away": (False, True, True)}),
    BrokenState(
        "AwayAreSkipped",
        "the game is claimed by one who is away",
        position(3, phase="top", dice=0, rules=_LEAVING, away=(False, True, True)),
        {"ap": 2},
    ),
    BrokenState(
        "AwayAreSkipped",
        "who rolls for the start is away",
        set_up(3, stage="Rolling", rolls=(0, 1, 0), rules=_LEAVING_BY_DICE, away=(False, True, False)),
        {"away": (True, True, False)},
    ),
    BrokenState(
        "AwayAreSkipped",
        "who is away builds between two turns",
        _without_second(phase="SpecialBuilding", builder=3, rules=_LEAVING_FOR_SIX),
        {"sb": 2},
    ),
    BrokenState(
        "AwayAreSkipped",
        "a share is awaited of one who is away",
        _without_second(
            phase="Drawing",
            call=CalledDraw("RollDice", "DiceRoll", 0, 0),
            due=(False, False, True),
            rules=replace(_LEAVING, chance="joint"),
        ),
        {"due": (False, True, True)},
    ),
    BrokenState("AwayAreSkipped", "who is away has a limit", _DISCARDING_WITHOUT, {"lim": (0, 3, 4)}),
    BrokenState(
        "AwayAreSkipped",
        "who is away holds too much",
        _DISCARDING_WITHOUT._replace(lim=(0, 4, 4)),
        {"h": (_DISCARDING_WITHOUT.h[0], _DISCARDING_WITHOUT.h[2], _DISCARDING_WITHOUT.h[1])},
    ),
    BrokenState(
        "AwayAreSkipped",
        "who is away is asked",
        _without_second(
            phase="Offering",
            offer=("1 Ore", "1 Wool"),
            answers=("none", "reject", "asked"),
            hands={1: "1 Ore", 2: "1 Wool", 3: "1 Wool"},
            rules=replace(BRIEF, leaving=True),
        ),
        {"ans": ("none", "asked", "asked")},
    ),
    BrokenState(
        "AwayAreSkipped",
        "who begins is away",
        set_up(3, turn=3, first=3, rules=_LEAVING_BY_DICE, away=(False, True, False)),
        {"first": 2, "ap": 2},
    ),
    BrokenState(
        "AwayAreSkipped",
        "a player has not placed the first village",
        _PLACING_WITHOUT,
        {"first": 3, "ap": 3, "su_ap": 1},
    ),
    BrokenState("AwayAreSkipped", "the second stage begins too early", _PLACING_WITHOUT, {"sup": "PhaseTwo"}),
    BrokenState("AwayAreSkipped", "a player places a third village", _PLACING_AGAIN_WITHOUT, {"su_ap": 3}),
    BrokenState(
        "AwayAreSkipped",
        "the turns begin too early",
        _PLACING_AGAIN_WITHOUT,
        {"tp": "DiceRoll"},
    ),
    mistyped("seats for three", away=(False, False, False)),
    mistyped("ways back for three", ret=(WayBack(0, False),) * 3),
    mistyped("a return that the rules do not know", ret=(WayBack(0, False), WayBack(1, False))),
    mistyped("less than no return", ret=(WayBack(-1, False), WayBack(0, False))),
    BrokenState(
        "AwayAreSkipped",
        "who is there again misses turns",
        _without_second(rules=_RETURNS, ways_back={2: (1, True)}),
        {"away": (False, False, False)},
    ),
    BrokenState(
        "AwayAreSkipped",
        "who may not come back misses turns",
        _without_second(rules=_RETURNS),
        {"ret": (WayBack(1, False), WayBack(0, True), WayBack(1, False))},
    ),
    BrokenState(
        "TurnOrder",
        "another than the first begins, who is there",
        position(3, first=2, turn=2, rules=_LEAVING, away=(True, False, False)),
        {"away": (False, False, False)},
    ),
    BrokenState(
        "TurnOrder",
        "won without dice by one of three",
        position(3, phase="top", dice=0, rules=_LEAVING, away=(False, True, True)),
        {"away": (False, False, False)},
    ),
    BrokenState(
        "TurnOrder",
        "claimed in the set-up, with another's turn to roll for the start",
        set_up(3, stage="Rolling", rules=_LEAVING_BY_DICE, away=(False, True, True))._replace(tp="top"),
        {"su_ap": 2},
    ),
)
