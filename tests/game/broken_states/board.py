"""Places and bonus cards that the pieces do not allow."""

from typing import Any

from catan_p2p.game.board import as_points
from catan_p2p.game.cards import ONE
from catan_p2p.game.state import Bank, PlacedSettlements, State
from tests.game.broken_states.broken_state import ROW, SOUND, BrokenState
from tests.positions import position


def _moved(*first: int) -> PlacedSettlements:
    """The settlements with player 1's villages elsewhere."""
    return PlacedSettlements((as_points(first), SOUND.s.villages[1]), SOUND.s.cities)


_LONGEST = position(roads={1: ROW}, longest_road=1)
_FOUR = position(roads={1: ROW[:-1]})
_ARMY = position(unveiled={1: "3 Knight", 2: "3 Knight"}, largest_army=1)


def _unveiled(knights: int, of: State = SOUND) -> dict[str, Any]:
    """Player 2 has so many more knights, from the bank."""
    card = knights * ONE["Knight"]
    hand = of.h[1]._replace(uc=of.h[1].uc + card)
    return {"h": (of.h[0], hand), "bnk": Bank(of.bnk.rc, of.bnk.dc - card)}


BOARD: tuple[BrokenState, ...] = (
    BrokenState("DistanceRule", "two neighbours of one player", SOUND, {"s": _moved(20, 19)}),
    BrokenState("DistanceRule", "neighbours of two players", SOUND, {"s": _moved(20, 12)}),
    BrokenState(
        "DistanceRule",
        "a city beside a village",
        position(cities={2: (1,)}, roads={2: (16, 57, 1)}),
        {"s": PlacedSettlements(SOUND.s.villages, (0, as_points((12,))))},
    ),
    BrokenState("RoadsConnected", "a village is somewhere else", SOUND, {"s": _moved(20, 50)}),
    BrokenState("RoadsConnected", "a road is somewhere else", SOUND, {"r": (as_points((23, 1)), SOUND.r[1])}),
    BrokenState("RoadsConnected", "a road at an adversary's village", SOUND, {"r": (as_points((23, 17)), SOUND.r[1])}),
    BrokenState("BanditOnLand", "the bandit at sea", SOUND, {"ba": 1}),
    BrokenState("BonusHolders", "an army without knights", SOUND, {"la": 1}),
    BrokenState("BonusHolders", "nobody leads the one army", _ARMY, {"la": 0, **_unveiled(1, _ARMY)}),
    BrokenState("BonusHolders", "another has more knights", _ARMY, _unveiled(1, _ARMY)),
    BrokenState("BonusHolders", "another has as many and leads", SOUND, _unveiled(3)),
    BrokenState("BonusHolders", "a longest road without roads", SOUND, {"lr": 2}),
    BrokenState("BonusHolders", "nobody has the one longest road", _LONGEST, {"lr": 0}),
    BrokenState(
        "BonusHolders",
        "a fifth road in a row and no card",
        _FOUR,
        {"r": (_LONGEST.r[0], _FOUR.r[1]), "b": _LONGEST.b},
    ),
    BrokenState(
        "BonusHolders",
        "the longest road is cut",
        position(roads={1: ROW, 2: (11, 57)}, villages={2: (10, 36)}, longest_road=1),
        {"s": PlacedSettlements((_LONGEST.s.villages[0], as_points((11, 36))), _LONGEST.s.cities)},
    ),
)
