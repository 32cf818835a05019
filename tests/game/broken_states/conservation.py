"""Cards and pieces that are lost, or come from nowhere."""

from dataclasses import replace
from typing import Any

from catan_p2p.game.board import as_points
from catan_p2p.game.cards import ONE, pack
from catan_p2p.game.constants import THESIS
from catan_p2p.game.state import Buildings, PlacedSettlements
from tests.game.broken_states.broken_state import SOUND, BrokenState, first_hand
from tests.positions import cards, position


def _lost(invariant: str, what: str, **changes: Any) -> BrokenState:
    return BrokenState(invariant, what, SOUND, changes)


_FEWER_ROADS = (Buildings(12, 3, 4), SOUND.b[1])
_FEWER_VILLAGES = (Buildings(13, 2, 4), SOUND.b[1])
_FEWER_CITIES = (SOUND.b[0], Buildings(13, 3, 3))

CONSERVATION: tuple[BrokenState, ...] = (
    _lost("ConservationOfResourceCards", "one lost by the bank", bnk=SOUND.bnk._replace(rc=SOUND.bnk.rc - 1)),
    _lost("ConservationOfResourceCards", "one more in a hand", h=first_hand(rc=cards("3 Ore"))),
    _lost("ConservationOfResourceCards", "one became another", h=first_hand(rc=cards("1 Ore, 1 Wool"))),
    _lost(
        "ConservationOfDevelopmentCards",
        "one lost by the bank",
        bnk=SOUND.bnk._replace(dc=SOUND.bnk.dc - ONE["VictoryPoint"]),
    ),
    _lost("ConservationOfDevelopmentCards", "one lost by the discard pile", dp=0),
    _lost("ConservationOfDevelopmentCards", "one bought is lost", h=first_hand(bc=0)),
    _lost("ConservationOfDevelopmentCards", "one more available", h=first_hand(ac=cards("1 Knight"))),
    _lost("ConservationOfDevelopmentCards", "one unveiled is lost", h=first_hand(uc=0)),
    _lost("ConservationOfBuildings", "a road lost from the supply", b=_FEWER_ROADS),
    _lost("ConservationOfBuildings", "a village lost from the supply", b=_FEWER_VILLAGES),
    _lost("ConservationOfBuildings", "a city lost from the supply", b=_FEWER_CITIES),
    _lost("ConservationOfBuildings", "a road lost from the board", r=(as_points((23,)), SOUND.r[1])),
    _lost(
        "ConservationOfBuildings",
        "a village more on the board",
        s=PlacedSettlements((as_points((20, 43, 1)), SOUND.s.villages[1]), SOUND.s.cities),
    ),
    _lost(
        "ConservationOfBuildings",
        "a city more on the board",
        s=PlacedSettlements(SOUND.s.villages, (as_points((1,)), 0)),
    ),
)


_HUNDREDS = pack([100] * 5)
_HUGE = position(3, rules=replace(THESIS, resource_pool=_HUNDREDS, dev_card_pool=_HUNDREDS))
# 356 of the first type and 99 of the second look like 100 and 100 if the counts are added in fields of eight bits.
_QUARTER = 89 * ONE["Lumber"]
_REST = pack((89, 99, 100, 100, 100))
CARRIED: tuple[BrokenState, ...] = (
    BrokenState(
        "ConservationOfResourceCards",
        "as many cards more of a type as a field holds",
        _HUGE,
        {"h": tuple(hand._replace(rc=_QUARTER) for hand in _HUGE.h), "bnk": _HUGE.bnk._replace(rc=_REST)},
    ),
    BrokenState(
        "ConservationOfDevelopmentCards",
        "as many cards more of a type as a field holds",
        _HUGE,
        {
            "h": (*(hand._replace(ac=_QUARTER) for hand in _HUGE.h[:2]), _HUGE.h[2]),
            "dp": _QUARTER,
            "bnk": _HUGE.bnk._replace(dc=_REST),
        },
    ),
)
