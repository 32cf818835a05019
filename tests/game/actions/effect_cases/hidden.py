"""Shuffles, monopolies on sealed cards and points that are shown, where hands are hidden."""

from dataclasses import replace

from catan_p2p.game.actions import Call, EmptyBuild, OpenAll, Reveal, ShowPoint, Shuffle, Surrender
from catan_p2p.game.state import Called
from tests.game.actions.cases import EffectCase
from tests.game.actions.hidden_positions import HIDDEN, SHUFFLING, asked, hidden, hiding
from tests.positions import position

_HELD = hiding(position(rules=HIDDEN), held=(1, 0))
_SHOWN = position(rules=HIDDEN, unveiled={1: "1 VictoryPoint"})
_ROBBED = hiding(position(phase="MovingBandit", hands={2: "1 Wool"}, rules=HIDDEN), "1 Ore", sealed=(0, 1))
_WON = position(phase="Building", unveiled={1: "5 VictoryPoint"}, rules=replace(HIDDEN, points_to_win=5))
_CALLED = Called("MoveBandit", "MovingBandit", 8, 2)

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
)
"""What changes, component by component."""
