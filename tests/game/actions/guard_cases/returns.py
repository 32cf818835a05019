"""Who cannot come back, and when nobody can."""

from dataclasses import replace

from catan_p2p.game.actions import ComeBack
from catan_p2p.game.constants import BRIEF, THESIS
from tests.game.actions.cases import GuardCase
from tests.game.actions.hidden_positions import SIGNED, hiding
from tests.positions import cards, position

_RETURNS = replace(THESIS, leaving=True, returns=2)
_AHEAD = replace(BRIEF, leaving=True, returns=2, chance="joint", chance_ahead=True)
_SECOND = {"away": (False, True, False), "ways_back": {2: (1, True)}, "rules": _RETURNS}
_FORESEEN = _SECOND | {"phase": "DiceRoll", "rules": _AHEAD}
_HIDDEN = _SECOND | {"rules": replace(SIGNED, returns=2)}
_SEALED = hiding(position(3, **_HIDDEN), "2 Ore", sealed=(0, 2, 0), deck="rest")

RETURNS: tuple[GuardCase, ...] = (
    GuardCase("CB1 phase", position(3, phase="MovingBandit", **_SECOND), ComeBack(1, 2)),
    GuardCase("CB2 other", position(3, **_SECOND), ComeBack(2, 2)),
    GuardCase("CB3 missed", position(3, **_SECOND | {"ways_back": {2: (1, False)}}), ComeBack(1, 2)),
    GuardCase("CB4 foreseen", position(3, ahead=(True, False, True), **_FORESEEN), ComeBack(1, 2)),
    GuardCase("CB5 settled", position(3, villages={2: (15,)}, roads={2: (16,)}, **_SECOND), ComeBack(1, 2)),
    GuardCase("CB6 shown", _SEALED, ComeBack(1, 2, cards("1 Ore")), why="all of them"),
    GuardCase("CB6 shown", _SEALED, ComeBack(1, 2, cards("1 Wool, 1 Ore")), why="what there can be"),
)
