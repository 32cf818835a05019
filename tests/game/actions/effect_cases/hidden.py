"""Shuffles, monopolies on sealed cards and points that are shown, where hands are hidden."""

from dataclasses import replace

from catan_p2p.game.actions import (
    Call,
    Claim,
    CloseGame,
    EmptyBuild,
    Excuse,
    OpenAll,
    Reveal,
    ShowPoint,
    Shuffle,
    SignEnd,
    Surrender,
)
from catan_p2p.game.state import Called
from tests.game.actions.cases import EffectCase
from tests.game.actions.hidden_positions import HIDDEN, SHUFFLING, SIGNED, asked, hidden, hiding, signing
from tests.positions import position

_HELD = hiding(position(rules=HIDDEN), held=(1, 0))
_SHOWN = position(rules=HIDDEN, unveiled={1: "1 VictoryPoint"})
_ROBBED = hiding(position(phase="MovingBandit", hands={2: "1 Wool"}, rules=HIDDEN), "1 Ore", sealed=(0, 1))
_WON = position(phase="Building", unveiled={1: "5 VictoryPoint"}, rules=replace(HIDDEN, points_to_win=5))
_WON_BY_THREE = position(3, phase="Building", unveiled={1: "5 VictoryPoint"}, rules=replace(SIGNED, points_to_win=5))
_CALLED = Called("MoveBandit", "MovingBandit", 8, 2)
_OF_THREE = hiding(
    position(3, phase="MovingBandit", hands={2: "1 Wool"}, rules=SIGNED), "1 Ore", sealed=(0, 1, 0), deck="rest"
)
_LEFT = {"away": (True, False, False), "tp": "Shuffling", "ap": 2, "dice": 0}

HIDDEN_EFFECTS: tuple[EffectCase, ...] = (
    EffectCase(Shuffle(1), "the first", SHUFFLING, SHUFFLING._replace(hid=hidden(shuffles=1))),
    EffectCase(
        Shuffle(2),
        "the last, the set-up begins",
        SHUFFLING._replace(hid=hidden(shuffles=1)),
        SHUFFLING._replace(hid=hidden(), tp="bot"),
    ),
    EffectCase(
        Surrender(2, 0),
        "of nothing, the last",
        asked(2, "1 Wool", sealed=(0, 1)),
        hiding(position(rules=HIDDEN), "1 Wool", sealed=(0, 1)),
    ),
    EffectCase(ShowPoint(1, "held"), "of a card held", _HELD, _SHOWN._replace(hid=hidden())),
    EffectCase(
        ShowPoint(1, "bought"),
        "of a card bought this turn",
        hiding(position(rules=HIDDEN), bought=(1, 0)),
        _SHOWN._replace(hid=hidden()),
    ),
    EffectCase(
        OpenAll(2),
        "after the end",
        hiding(position(phase="top", rules=HIDDEN, due=(True, True))),
        hiding(position(phase="top", rules=HIDDEN, due=(True, False))),
    ),
    EffectCase(
        EmptyBuild(1),
        "the end, all owe their openings",
        hiding(_WON),
        hiding(_WON)._replace(tp="top", due=(True, True)),
    ),
    EffectCase(
        EmptyBuild(1),
        "the end, all but the winner sign it",
        hiding(_WON_BY_THREE, deck="rest"),
        hiding(_WON_BY_THREE, deck="rest")._replace(tp="Signing", due=(False, True, True)),
    ),
    EffectCase(
        EmptyBuild(1),
        "the end, who has left signs nothing",
        hiding(_WON_BY_THREE, deck="rest")._replace(away=(False, True, False)),
        hiding(_WON_BY_THREE, deck="rest")._replace(away=(False, True, False), tp="Signing", due=(False, False, True)),
    ),
    EffectCase(SignEnd(2), "of one of two", signing(False, True, True), signing(False, False, True)),
    EffectCase(
        CloseGame(1),
        "by the winner, all owe their openings",
        signing(False, False, False),
        signing(True, True, True)._replace(tp="top"),
    ),
    EffectCase(
        Excuse(1, 3),
        "closes the game without a signature",
        signing(False, False, True),
        signing(True, True, False)._replace(tp="top", away=(False, False, True)),
    ),
    EffectCase(
        Excuse(2, 1),
        "closes the game without the winner",
        signing(False, False, False),
        signing(False, True, True)._replace(tp="top", away=(True, False, False)),
    ),
    EffectCase(
        Claim(2, 1),
        "closes a game that the other has won",
        signing(False, False),
        signing(False, True)._replace(tp="top", away=(True, False)),
    ),
    EffectCase(
        Call(1, "MoveBandit", 8, 2),
        "of a sealed card, only the victim answers",
        _ROBBED,
        _ROBBED._replace(tp="Drawing", call=_CALLED, due=(False, True)),
    ),
    EffectCase(
        Reveal(2),
        "the victim seals the hand",
        _ROBBED._replace(tp="Drawing", call=_CALLED, due=(False, True)),
        hiding(position(phase="MovingBandit", rules=HIDDEN), "1 Ore, 1 Wool", sealed=(0, 2))._replace(
            tp="Drawing", call=_CALLED
        ),
    ),
    EffectCase(
        Excuse(2, 1),
        "a robber gets no answer",
        _OF_THREE._replace(tp="Drawing", call=_CALLED, due=(False, True, False)),
        _OF_THREE._replace(**_LEFT, hid=_OF_THREE.hid._replace(shuffles=0, back="DiceRoll")),
    ),
    EffectCase(
        Excuse(2, 1),
        "a monopoly takes no more",
        asked(3, "1 Ore", (False, True, True), rules=SIGNED, sealed=(0, 1, 0), deck="rest"),
        hiding(
            position(3, rules=SIGNED)._replace(**_LEFT),
            "1 Ore",
            sealed=(0, 1, 0),
            shuffles=0,
            back="DiceRoll",
            deck="rest",
        ),
    ),
)
"""What changes, component by component."""
