"""Pledges, calls and reveals, and what comes of a draw."""

from dataclasses import replace
from functools import partial

from catan_p2p.game.actions import (
    BuyDevCard,
    Call,
    EmptyBuild,
    MoveBandit,
    PlayKnight,
    Pledge,
    Reveal,
    RollDice,
    RollForStart,
)
from catan_p2p.game.constants import BRIEF, THESIS, Constants, profile
from catan_p2p.game.state import NO_CALL, CalledDraw, initial_state
from tests.game.actions.cases import EffectCase
from tests.game.actions.givens import AHEAD, CALLED_FOR_DICE, CALLED_FOR_START, CARD_PRICE
from tests.game.actions.hidden_positions import HIDDEN, hiding
from tests.game.actions.openings import OPENED_BY_DICE
from tests.positions import position, set_up

_drawing = partial(position, phase="Drawing")
_JOINT = replace(THESIS, chance="joint")
_JOINT_STANDARD = replace(profile("brief", 6), chance="joint")
_AHEAD_HIDDEN = replace(HIDDEN, chance_ahead=True)
_AHEAD_THESIS = replace(THESIS, chance="joint", chance_ahead=True)
_ROBBED = {"hands": {2: "1 Ore, 1 Wool"}, "rules": _JOINT}
_KNIGHT = {"available": {1: "1 Knight"}, "hands": {2: "1 Ore, 1 Wool"}, "rules": _JOINT_STANDARD}
_THIRD_HOLDS = {"hands": {3: "1 Ore"}, "rules": _JOINT}
_BEGUN = initial_state(Constants(_JOINT))
_BEGUN_WITH_DICE = initial_state(Constants(_JOINT_STANDARD, player_count=3))
_OPENED_TOGETHER = Constants(replace(BRIEF, chance="joint"), opening=OPENED_BY_DICE.opening)
_BEGUN_WITH_TURN = initial_state(Constants(_JOINT, opening=OPENED_BY_DICE.opening))

CHANCE: tuple[EffectCase, ...] = (
    EffectCase(Pledge(1), "the first of two", _BEGUN, _BEGUN._replace(due=(False, True))),
    EffectCase(
        Pledge(1),
        "the last of all, the set-up begins",
        _BEGUN._replace(due=(True, False)),
        _BEGUN._replace(due=(False, False), tp="bot"),
    ),
    EffectCase(
        Pledge(2),
        "the last of all, the first turn begins",
        _BEGUN_WITH_TURN._replace(due=(False, True)),
        _BEGUN_WITH_TURN._replace(due=(False, False), tp="DiceRoll"),
    ),
    EffectCase(
        Pledge(2),
        "the last of all, who begins is rolled for, after an opening too",
        initial_state(_OPENED_TOGETHER)._replace(due=(False, True)),
        initial_state(_OPENED_TOGETHER)._replace(due=(False, False), tp="bot"),
    ),
    EffectCase(
        Call(2, "RollDice"),
        "everybody but the caller owes a share",
        position(3, phase="DiceRoll", turn=2, rules=_JOINT),
        _drawing(3, turn=2, call=CALLED_FOR_DICE, due=(True, False, True), rules=_JOINT),
    ),
    EffectCase(
        Call(1, "RollDice"),
        "all others have told shares ahead, and the caller could play a card",
        position(phase="DiceRoll", rules=AHEAD, available={1: "1 Monopoly"}, ahead=(False, True)),
        _drawing(
            call=CALLED_FOR_DICE, due=(False, True), rules=AHEAD, available={1: "1 Monopoly"}, ahead=(False, True)
        ),
    ),
    EffectCase(
        Call(1, "RollDice"),
        "one of the others has told no shares ahead",
        position(3, phase="DiceRoll", rules=AHEAD, ahead=(True, False, True)),
        _drawing(3, call=CALLED_FOR_DICE, due=(False, True, True), rules=AHEAD, ahead=(True, False, True)),
    ),
    EffectCase(
        Call(1, "BuyDevCard"),
        "a card while building",
        position(rules=_JOINT, **CARD_PRICE),
        _drawing(call=CalledDraw("BuyDevCard", "Building", 0, 0), due=(False, True), rules=_JOINT, **CARD_PRICE),
    ),
    EffectCase(
        Call(2, "BuyDevCard"),
        "a card between two turns",
        position(phase="SpecialBuilding", builder=2, hands={2: "1 Wool, 1 Grain, 1 Ore"}, rules=_JOINT_STANDARD),
        _drawing(
            builder=2,
            call=CalledDraw("BuyDevCard", "SpecialBuilding", 0, 0),
            due=(True, False),
            hands={2: "1 Wool, 1 Grain, 1 Ore"},
            rules=_JOINT_STANDARD,
        ),
    ),
    EffectCase(
        Call(1, "PlayKnight", 8, 2),
        "a knight before the dice",
        position(phase="DiceRoll", **_KNIGHT),
        _drawing(call=CalledDraw("PlayKnight", "DiceRoll", 8, 2), due=(False, True), **_KNIGHT),
    ),
    EffectCase(
        Reveal(3),
        "the others still owe theirs",
        _drawing(4, call=CALLED_FOR_DICE, due=(False, True, True, True), **_THIRD_HOLDS),
        _drawing(4, call=CALLED_FOR_DICE, due=(False, True, False, True), **_THIRD_HOLDS),
    ),
    EffectCase(
        Reveal(2),
        "the last: the phase is still that of the draw",
        _drawing(call=CALLED_FOR_DICE, due=(False, True), rules=_JOINT),
        _drawing(call=CALLED_FOR_DICE, rules=_JOINT),
    ),
    EffectCase(
        RollForStart(1, 5),
        "drawn together, the next has to roll",
        _BEGUN_WITH_DICE._replace(tp="Drawing", call=CalledDraw("RollForStart", "bot", 0, 0), due=(False,) * 3),
        _BEGUN_WITH_DICE._replace(tp="bot", call=NO_CALL, due=(False,) * 3, rolls=(5, 0, 0), su_ap=2),
    ),
    EffectCase(
        RollForStart(3, 5),
        "drawn together, who ties rolls again",
        _BEGUN_WITH_DICE._replace(**CALLED_FOR_START, due=(False,) * 3, rolls=(4, 5, 0), su_ap=3),
        _BEGUN_WITH_DICE._replace(tp="bot", due=(False,) * 3, rolls=(1, 0, 0), su_ap=2),
    ),
    EffectCase(
        RollForStart(3, 5),
        "drawn together, the highest roll begins",
        _BEGUN_WITH_DICE._replace(**CALLED_FOR_START, due=(False,) * 3, rolls=(4, 9, 0), su_ap=3),
        set_up(3, turn=2, first=2, rules=_JOINT_STANDARD),
    ),
    EffectCase(
        RollForStart(2, 7),
        "drawn together, after an opening the first turn begins",
        initial_state(_OPENED_TOGETHER)._replace(**CALLED_FOR_START, due=(False, False), rolls=(4, 0), su_ap=2),
        initial_state(_OPENED_TOGETHER)._replace(
            sup="PhaseTwo", su_ap=2, first=2, ap=2, tp="DiceRoll", due=(False, False)
        ),
    ),
    EffectCase(
        RollDice(1, 7),
        "a seven drawn together",
        _drawing(call=CALLED_FOR_DICE, rules=_JOINT),
        position(phase="MovingBandit", rules=_JOINT),
    ),
    EffectCase(
        RollDice(1, 2),
        "any other sum drawn together",
        _drawing(call=CALLED_FOR_DICE, rules=_JOINT),
        position(phase="Trading", dice=2, rules=_JOINT),
    ),
    EffectCase(
        EmptyBuild(1),
        "shares are told ahead, and one has not told theirs",
        position(3, phase="TradingBuilding", rules=AHEAD, ahead=(False, True, False)),
        position(3, phase="DiceRoll", turn=2, rules=AHEAD, ahead=(True, True, False)),
    ),
    EffectCase(
        EmptyBuild(3),
        "shares are told ahead, and the next player has a card to play before the dice",
        position(
            3,
            phase="TradingBuilding",
            turn=3,
            available={1: "1 Monopoly"},
            rules=AHEAD,
            ahead=(True, True, False),
        ),
        position(3, phase="DiceRoll", available={1: "1 Monopoly"}, rules=AHEAD, ahead=(False, True, True)),
    ),
    EffectCase(
        EmptyBuild(2),
        "shares are told ahead, and no card may be played before the dice",
        position(turn=2, available={1: "1 Knight"}, rules=_AHEAD_THESIS, ahead=(True, False)),
        position(phase="DiceRoll", available={1: "1 Knight"}, rules=_AHEAD_THESIS, ahead=(True, True)),
    ),
    EffectCase(
        EmptyBuild(1),
        "shares are told ahead, and another than the next player has a card",
        position(3, phase="TradingBuilding", available={3: "1 Knight"}, rules=AHEAD, ahead=(False, True, True)),
        position(3, phase="DiceRoll", turn=2, available={3: "1 Knight"}, rules=AHEAD, ahead=(True, True, True)),
    ),
    EffectCase(
        EmptyBuild(3),
        "shares are told ahead, and the next player has a hidden card to show before the dice",
        hiding(position(3, turn=3, rules=_AHEAD_HIDDEN, ahead=(True, True, False)), held=(1, 0, 0)),
        hiding(position(3, phase="DiceRoll", rules=_AHEAD_HIDDEN, ahead=(False, True, True)), held=(1, 0, 0)),
    ),
    EffectCase(
        EmptyBuild(1),
        "shares are told ahead, and another than the next player has a hidden card",
        hiding(position(3, rules=_AHEAD_HIDDEN, ahead=(False, True, True)), held=(0, 0, 1)),
        hiding(position(3, phase="DiceRoll", turn=2, rules=_AHEAD_HIDDEN, ahead=(True, True, True)), held=(0, 0, 1)),
    ),
    EffectCase(
        RollDice(1, 8),
        "all shares were told ahead",
        position(3, phase="DiceRoll", rules=AHEAD, ahead=(True, True, True)),
        position(3, phase="TradingBuilding", dice=8, rules=AHEAD, ahead=(False, True, True)),
    ),
    EffectCase(
        RollDice(1, 7),
        "a seven of shares that were told ahead",
        position(phase="DiceRoll", rules=AHEAD, ahead=(True, True)),
        position(phase="MovingBandit", rules=AHEAD, ahead=(False, True)),
    ),
    EffectCase(
        RollDice(1, 7),
        "drawn with a call, as the roller has a card to play before",
        _drawing(call=CALLED_FOR_DICE, rules=AHEAD, ahead=(False, True)),
        position(phase="MovingBandit", rules=AHEAD, ahead=(False, True)),
    ),
    EffectCase(
        MoveBandit(1, 8, 2, "Ore"),
        "a theft drawn together",
        _drawing(call=CalledDraw("MoveBandit", "MovingBandit", 8, 2), **_ROBBED),
        position(phase="Trading", dice=7, bandit=8, hands={1: "1 Ore", 2: "1 Wool"}, rules=_JOINT),
    ),
    EffectCase(
        BuyDevCard(1, "Knight"),
        "a card drawn together",
        _drawing(call=CalledDraw("BuyDevCard", "Building", 0, 0), rules=_JOINT, **CARD_PRICE),
        position(bought={1: "1 Knight"}, hands={1: "1 Wool"}, rules=_JOINT),
    ),
    EffectCase(
        PlayKnight(1, 8, 2, "Wool"),
        "a theft drawn together before the dice",
        _drawing(call=CalledDraw("PlayKnight", "DiceRoll", 8, 2), **_KNIGHT),
        position(
            phase="DiceRoll",
            played=1,
            bandit=8,
            unveiled={1: "1 Knight"},
            hands={1: "1 Wool", 2: "1 Ore"},
            rules=_JOINT_STANDARD,
        ),
    ),
    EffectCase(
        MoveBandit(1, 8, 2, "Ore"),
        "one card to steal: nothing is drawn",
        position(phase="MovingBandit", hands={2: "1 Ore"}, rules=_JOINT),
        position(phase="Trading", dice=7, bandit=8, hands={1: "1 Ore"}, rules=_JOINT),
    ),
)
