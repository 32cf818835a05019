"""Pledges, calls and shares that are owed where they cannot be, or not where they must."""

from dataclasses import replace
from functools import partial
from typing import Any

from catan_p2p.game.board import as_points
from catan_p2p.game.constants import BRIEF, THESIS, Constants, profile
from catan_p2p.game.state import NO_CALL, CalledDraw, State, initial_state
from tests.game.actions.hidden_positions import HIDDEN, hiding
from tests.game.broken_states.broken_state import PLAIN, BrokenState
from tests.positions import cards, position, set_up

_drawing = partial(position, phase="Drawing")
_JOINT = replace(THESIS, chance="joint")
_PLEDGING = initial_state(Constants(_JOINT))
_FIRST_PLACED = set_up(turn=2, villages={1: (20,)}, roads={1: (23,)}, rules=_JOINT)
_TO_ROB = _drawing(
    3,
    call=CalledDraw("MoveBandit", "MovingBandit", 8, 2),
    due=(False, True, True),
    villages={2: (15, 36)},
    roads={2: (57,)},
    hands={2: "1 Ore, 1 Wool"},
    rules=_JOINT,
)
_TO_BUY = _drawing(
    6,
    builder=3,
    call=CalledDraw("BuyDevCard", "SpecialBuilding", 0, 0),
    due=(True, True, False, True, True, True),
    rules=replace(profile("brief", 6), chance="joint", dev_card_pool=cards("1 Monopoly, 1 Knight")),
)
_TO_START = set_up(3, stage="Rolling", rules=replace(_JOINT, start_order="dice"))._replace(
    tp="Drawing", call=CalledDraw("RollForStart", "bot", 0, 0), due=(False, True, True)
)
_SECOND_TO_START = _TO_START._replace(su_ap=2, rolls=(5, 0, 0), due=(True, False, True))
_AT_SEA = _drawing(
    call=CalledDraw("MoveBandit", "MovingBandit", 6, 2),
    due=(False, True),
    villages={2: (1, 36)},
    roads={2: (57,)},
    hands={2: "1 Ore, 1 Wool"},
    rules=_JOINT,
)
_BOUGHT_BEFORE = _drawing(call=CalledDraw("BuyDevCard", "Building", 0, 0), bought={1: "1 Knight"}, dice=7, rules=_JOINT)
_TEN_BETWEEN_TURNS = _drawing(
    turn=1,
    builder=2,
    call=CalledDraw("BuyDevCard", "SpecialBuilding", 0, 0),
    villages={1: (43, 20)},
    cities={1: (50, 9, 1, 54)},
    rules=replace(BRIEF, chance="joint", special_building=True),
)
_AHEAD = replace(BRIEF, chance="joint", chance_ahead=True, leaving=True)
_ROLLED_AHEAD = position(3, phase="TradingBuilding", rules=_AHEAD, ahead=(False, True, True))
_WITH_CARD_BEHIND = position(3, phase="DiceRoll", rules=_AHEAD, available={2: "1 Knight"}, ahead=(True, True, True))
_WITH_HIDDEN_CARD_BEHIND = hiding(
    position(3, phase="DiceRoll", rules=replace(HIDDEN, chance_ahead=True), ahead=(True, True, True)), held=(0, 1, 0)
)


def _called(sound: State, **changes: Any) -> dict[str, Any]:
    return {"call": sound.call._replace(**changes)}


DRAWS: tuple[BrokenState, ...] = (
    BrokenState("SharesAreDue", "pledges where the actor draws", set_up(), {"tp": "Pledging", "due": (True, True)}),
    BrokenState("SharesAreDue", "pledging, and nobody owes a pledge", set_up(), {"tp": "Pledging"}),
    BrokenState("SharesAreDue", "everybody has pledged", _PLEDGING, {"due": (False, False)}),
    BrokenState("SharesAreDue", "a call before the pledges", _PLEDGING, {"call": NO_CALL._replace(what="RollDice")}),
    BrokenState(
        "SharesAreDue",
        "a village before the pledges",
        _PLEDGING,
        {name: getattr(_FIRST_PLACED, name) for name in ("s", "r", "b", "su_ap")},
    ),
    BrokenState("SharesAreDue", "a share while building", PLAIN, {"due": (False, True)}),
    BrokenState("SharesAreDue", "a call while building", PLAIN, {"call": _TO_ROB.call}),
    BrokenState("TypeOK", "called for where sealed cards are told", _TO_ROB, _called(_TO_ROB, tp="Surrendering")),
    BrokenState("SharesAreDue", "the draw is over, its call stands", _TO_ROB, {"tp": "MovingBandit"}),
    BrokenState(
        "SharesAreDue",
        "a draw where the actor draws",
        position(phase="DiceRoll"),
        {"tp": "Drawing", "call": CalledDraw("RollDice", "DiceRoll", 0, 0)},
    ),
    BrokenState("SharesAreDue", "called for in another phase", _TO_ROB, _called(_TO_ROB, tp="Trading")),
    BrokenState("SharesAreDue", "the caller has not revealed", _TO_ROB, {"due": (True, True, True)}),
    BrokenState("SharesAreDue", "another has called", _TO_ROB, {"ap": 3}),
    BrokenState("SharesAreDue", "another has called between two turns", _TO_BUY, {"sb": 4}),
    BrokenState("SharesAreDue", "another has called for the start", _TO_START, {"su_ap": 2, "rolls": (5, 0, 0)}),
    BrokenState(
        "SharesAreDue",
        "another has called, in another stage",
        _SECOND_TO_START,
        {
            "call": CalledDraw("RollDice", "DiceRoll", 0, 0),
            **{
                name: getattr(position(3, first=2), name)
                for name in ("sup", "first", "rolls", "s", "r", "b", "bnk", "h")
            },
        },
    ),
    BrokenState("SharesAreDue", "a call while pledging", _TO_START, {"tp": "Pledging"}),
    BrokenState("SharesAreDue", "the victim has called", _TO_ROB._replace(due=(False,) * 3), {"ap": 2}),
    BrokenState("SharesAreDue", "nothing can be stolen", _TO_ROB, {"h": (_TO_ROB.h[1], _TO_ROB.h[0], _TO_ROB.h[2])}),
    BrokenState(
        "SharesAreDue",
        "one type of card left",
        _TO_BUY,
        {"bnk": _TO_BUY.bnk._replace(dc=cards("1 Knight")), "dp": cards("1 Monopoly")},
    ),
    BrokenState(
        "SharesAreDue",
        "a call for a roll whose shares were told ahead",
        _drawing(3, call=CalledDraw("RollDice", "DiceRoll", 0, 0), rules=_AHEAD),
        {"ahead": (True, True, True)},
    ),
    BrokenState("SharesAreDue", "shares ahead by other rules", PLAIN, {"ahead": (False, True)}),
    BrokenState("SharesAreDue", "shares ahead of who has rolled", _ROLLED_AHEAD, {"ahead": (True, False, True)}),
    BrokenState("SharesAreDue", "shares ahead of another who has rolled", _ROLLED_AHEAD, {"ap": 2}),
    BrokenState(
        "SharesAreDue",
        "shares ahead of a winner who has rolled",
        position(3, phase="top", dice=0, rules=_AHEAD, ahead=(True, True, True)),
        {"dice": 8},
    ),
    BrokenState(
        "SharesAreDue",
        "a draw that needs no call, as the others have left",
        _drawing(3, call=CalledDraw("RollDice", "DiceRoll", 0, 0), rules=_AHEAD, ahead=(True, False, True)),
        {"away": (False, True, False)},
    ),
    BrokenState(
        "SharesAreDue",
        "all ahead, and another hand with a card to play before",
        _WITH_CARD_BEHIND,
        {"h": (_WITH_CARD_BEHIND.h[1], _WITH_CARD_BEHIND.h[0], _WITH_CARD_BEHIND.h[2])},
    ),
    BrokenState(
        "SharesAreDue",
        "all ahead, and a hidden card to play before",
        _WITH_HIDDEN_CARD_BEHIND,
        {"hid": _WITH_HIDDEN_CARD_BEHIND.hid._replace(held=(1, 0, 0))},
    ),
    BrokenState(
        "SharesAreDue",
        "shares ahead of who leaves",
        position(4, phase="DiceRoll", rules=_AHEAD, ahead=(False, True, False, False)),
        {"away": (False, True, False, False)},
    ),
    BrokenState(
        "SharesAreDue",
        "all ahead, and a card to play before",
        position(3, phase="DiceRoll", rules=_AHEAD, available={1: "1 Knight"}),
        {"ahead": (True, True, False)},
    ),
    BrokenState(
        "SharesAreDue",
        "shares ahead of who has left",
        position(4, phase="DiceRoll", rules=_AHEAD, away=(False, True, False, False)),
        {"ahead": (False, True, False, False)},
    ),
    BrokenState("TypeOK", "nobody is said to have told shares ahead", PLAIN, {"ahead": ()}),
    BrokenState("SharesAreDue", "the bandit is there", _TO_ROB, {"ba": 8}),
    BrokenState("SharesAreDue", "the bandit goes to sea", _AT_SEA, _called(_AT_SEA, to=1)),
    BrokenState("SharesAreDue", "the victim is elsewhere", _TO_ROB, _called(_TO_ROB, to=7)),
    BrokenState(
        "SharesAreDue",
        "the victim has moved",
        _TO_ROB,
        {"s": _TO_ROB.s._replace(villages=(_TO_ROB.s.villages[0], as_points((1, 36)), _TO_ROB.s.villages[2]))},
    ),
    BrokenState(
        "BoughtByActive", "called for by the bandit", _BOUGHT_BEFORE, _called(_BOUGHT_BEFORE, tp="MovingBandit")
    ),
    BrokenState("TurnOrder", "called for before the dice", _TO_ROB, _called(_TO_ROB, tp="DiceRoll")),
    BrokenState(
        "WinAtOnce",
        "called for in their turn",
        _TEN_BETWEEN_TURNS,
        {**_called(_TEN_BETWEEN_TURNS, tp="TradingBuilding"), "sb": 0},
    ),
)
