"""Shuffles, monopolies on sealed cards and points that are shown, where hands are hidden."""

from catan_p2p.game.actions import (
    BuildRoad,
    CloseGame,
    Excuse,
    MoveBandit,
    OpenAll,
    PlayKnight,
    ShowPoint,
    Shuffle,
    SignEnd,
    Surrender,
)
from tests.game.actions.cases import GuardCase
from tests.game.actions.hidden_positions import HIDDEN, SHUFFLING, asked, hiding, signing
from tests.positions import cards, position

_HELD = hiding(position(rules=HIDDEN), held=(1, 0))
_WITHOUT_POINTS = position(rules=HIDDEN, unveiled={2: "5 VictoryPoint"})

HIDDEN_GUARDS: tuple[GuardCase, ...] = (
    GuardCase("SH1 phase", hiding(position(rules=HIDDEN), shuffles=0), Shuffle(1)),
    GuardCase("SH2 turn", SHUFFLING, Shuffle(2)),
    GuardCase("SU1 phase", hiding(position(rules=HIDDEN, due=(False, True))), Surrender(2, 0)),
    GuardCase("SU2 due", asked(due=(False, False)), Surrender(2, 0)),
    GuardCase("SU3 resource", asked(hands={2: "1 Wool"}), Surrender(2, cards("1 Wool"))),
    GuardCase("SU4 hand", asked(), Surrender(2, cards("1 Ore"))),
    GuardCase(
        "PK10 drawn",
        hiding(
            position(phase="Surrendering", due=(False, True), available={1: "1 Knight"}, rules=HIDDEN),
            wanted="Ore",
            back="Building",
        ),
        PlayKnight(1, 8, 2, "none"),
        "a monopoly waits for cards",
    ),
    GuardCase("SE1 phase", signing(False, True, True)._replace(tp="top"), SignEnd(2)),
    GuardCase("SE2 due", signing(False, False, True), SignEnd(2)),
    GuardCase("CG1 phase", signing(False, False, False)._replace(tp="top"), CloseGame(1)),
    GuardCase("CG2 signed", signing(False, False, True), CloseGame(1)),
    GuardCase("CG3 turn", signing(False, False, False), CloseGame(2)),
    GuardCase("OA1 phase", hiding(position(rules=HIDDEN, due=(True, False))), OpenAll(1)),
    GuardCase("OA2 due", hiding(position(phase="top", rules=HIDDEN, due=(False, True))), OpenAll(1)),
    GuardCase("EX6 replies", signing(False, True, True), Excuse(3, 2), "a signature"),
    GuardCase(
        "CG3 turn", signing(False, False, False)._replace(away=(True, False, False)), CloseGame(3), "the next does"
    ),
    GuardCase("SP1 rule", position(), ShowPoint(1, "held"), also=("SP4 card",)),
    GuardCase("SP2 phase", _HELD._replace(tp="MovingBandit"), ShowPoint(1, "held")),
    GuardCase("SP3 turn", _HELD._replace(hid=_HELD.hid._replace(held=(0, 1))), ShowPoint(2, "held")),
    GuardCase("SP4 card", hiding(position(rules=HIDDEN), held=(0, 1)), ShowPoint(1, "held"), "only another holds one"),
    GuardCase("SP4 card", _HELD, ShowPoint(1, "bought"), "it was bought before"),
    GuardCase("SP4 card", hiding(_WITHOUT_POINTS, held=(1, 0)), ShowPoint(1, "held"), "all are known"),
    GuardCase(
        "PK3 available",
        hiding(position(rules=HIDDEN, hands={2: "1 Ore"}), bought=(1, 0), held=(0, 1)),
        PlayKnight(1, 13, 2, "Ore"),
        "sealed, and only another holds one",
    ),
    GuardCase(
        "MB8 card",
        hiding(position(rules=HIDDEN, phase="MovingBandit", hands={2: "1 Ore"}), "1 Wool", sealed=(1, 0)),
        MoveBandit(1, 13, 2, "sealed"),
        "only another holds sealed cards",
    ),
    GuardCase(
        "BR3 cost", hiding(position(rules=HIDDEN), "2 Ore", sealed=(2, 0)), BuildRoad(1, 22), "all sealed are Ore"
    ),
    GuardCase(
        "BR3 cost",
        hiding(position(rules=HIDDEN), "1 Lumber, 1 Brick", sealed=(1, 1)),
        BuildRoad(1, 22),
        "another holds one of the two sealed cards",
    ),
)
"""At least one case for each guard of the actions that only such games have."""
