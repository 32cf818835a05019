"""Stages and turns that cannot follow, and who has bought or begun."""

from dataclasses import replace

from catan_p2p.game.constants import BRIEF, THESIS, profile
from tests.game.broken_states.broken_state import BY_BOOK, PLAIN, ROLLING, SET_UP, BrokenState
from tests.positions import position, set_up

_BY_DICE = replace(THESIS, start_order="dice")
_FOR_START = set_up(stage="Rolling", rules=_BY_DICE)
_BY_DICE_SET_UP = set_up(turn=2, villages={1: (20,)}, roads={1: (23,)}, rules=_BY_DICE)
_SET_UP_BY_BOOK = set_up(turn=2, villages={1: (20,)}, roads={1: (23,)}, rules=BRIEF)
_SPECIAL = position(3, phase="SpecialBuilding", builder=2, bought={2: "1 Knight"}, rules=profile("brief", 6))
_SPECIAL_AGAIN = position(3, phase="SpecialBuilding", builder=2, rules=profile("brief", 6))

ORDER: tuple[BrokenState, ...] = (
    BrokenState("BoughtByActive", "bought by another than the special builder", _SPECIAL, {"sb": 3}),
    BrokenState("TurnOrder", "rolls for the start though seat 1 begins", set_up(), {"sup": "Rolling"}),
    BrokenState("TurnOrder", "known who begins before all have rolled", _FOR_START, {"first": 2, "ap": 2}),
    BrokenState("TurnOrder", "rolls for the start after the set-up", PLAIN, {"rolls": (4, 0)}),
    BrokenState("TurnOrder", "seat 2 begins though seat 1 does", PLAIN, {"first": 2, "su_ap": 2}),
    BrokenState(
        "TurnOrder",
        "a village placed before it is known who begins",
        _FOR_START,
        {"s": _BY_DICE_SET_UP.s, "r": _BY_DICE_SET_UP.r, "b": _BY_DICE_SET_UP.b},
    ),
    BrokenState("TurnOrder", "another rolls first", _FOR_START, {"su_ap": 2}),
    BrokenState("TurnOrder", "who has rolled rolls again", _FOR_START, {"rolls": (4, 0)}),
    BrokenState("TurnOrder", "another began the set-up", _BY_DICE_SET_UP, {"first": 2}),
    BrokenState("TurnOrder", "the set-up in the order of another", _BY_DICE_SET_UP, {"first": 2, "ap": 2}),
    BrokenState("TurnOrder", "a card played in the set-up", _SET_UP_BY_BOOK, {"pd": 1}),
    BrokenState("TurnOrder", "a special builder in the set-up", SET_UP, {"sb": 2}),
    BrokenState("TurnOrder", "the end before the dice where the end of a turn decides", ROLLING, {"tp": "top"}),
    BrokenState("TurnOrder", "the dice not rolled, by the rule book", BY_BOOK, {"dice": 0}),
    BrokenState("TurnOrder", "a special builder at another time", PLAIN, {"sb": 2}),
    BrokenState("TurnOrder", "nobody in the special building phase", _SPECIAL_AGAIN, {"sb": 0}),
    BrokenState("TurnOrder", "the active player in the special building phase", _SPECIAL_AGAIN, {"sb": 1}),
    BrokenState("TypeOK", "two cards played in a turn", BY_BOOK, {"pd": 2}),
)
