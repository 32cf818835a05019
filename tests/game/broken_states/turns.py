"""Turns of the wrong player, and cards bought in them."""

from typing import Any

from catan_p2p.game.cards import ONE
from catan_p2p.game.state import Bank, State
from tests.game.broken_states.broken_state import PLAIN, ROLLING, SET_UP, SOUND, BrokenState
from tests.positions import position, set_up


def _bought(of: State, player: int) -> dict[str, Any]:
    """The player has bought a knight."""
    hands = tuple(
        hand._replace(bc=hand.bc + ONE["Knight"]) if seat == player else hand for seat, hand in enumerate(of.h, 1)
    )
    return {"h": hands, "bnk": Bank(of.bnk.rc, of.bnk.dc - ONE["Knight"])}


_DISCARDING = position(phase="Discarding", hands={1: "8 Ore"})
_SET_UP_TWO = set_up(stage="PhaseTwo", turn=2, villages={1: (20,), 2: (15,)}, roads={1: (23,), 2: (16,)})
_LAST_PLACED = {"s": PLAIN.s, "r": PLAIN.r, "b": PLAIN.b}

TURNS: tuple[BrokenState, ...] = (
    BrokenState("BoughtByActive", "bought by another", PLAIN, _bought(PLAIN, 2)),
    BrokenState("BoughtByActive", "the turn has passed", SOUND, {"ap": 2}),
    BrokenState("BoughtByActive", "before the dice are rolled", SOUND, {"tp": "DiceRoll", "dice": 0}),
    BrokenState("BoughtByActive", "while moving the bandit", SOUND, {"tp": "MovingBandit", "dice": 7}),
    BrokenState("TurnOrder", "player 1 again in the set-up", SET_UP, {"su_ap": 1}),
    BrokenState("TurnOrder", "the second stage begins too soon", SET_UP, {"sup": "PhaseTwo"}),
    BrokenState("TurnOrder", "the first stage goes on too long", _SET_UP_TWO, {"sup": "PhaseOne"}),
    BrokenState("TurnOrder", "the second stage in the order of the first", _SET_UP_TWO, {"su_ap": 1}),
    BrokenState("TurnOrder", "a village placed, the turn not passed", _SET_UP_TWO, _LAST_PLACED),
    BrokenState(
        "TurnOrder",
        "all placed, still in the set-up",
        set_up(stage="PhaseTwo", turn=1, villages={1: (20,), 2: (15, 36)}, roads={1: (23,), 2: (16, 57)}),
        {**_LAST_PLACED, "su_ap": 1},
    ),
    BrokenState("TurnOrder", "another's turn of the game in the set-up", SET_UP, {"ap": 2}),
    BrokenState("TurnOrder", "dice in the set-up", SET_UP, {"dice": 8}),
    BrokenState("TurnOrder", "a limit in the set-up", SET_UP, {"lim": (4, 0)}),
    BrokenState("TurnOrder", "the dice are rolled before all have placed", _SET_UP_TWO, {"tp": "DiceRoll", "su_ap": 1}),
    BrokenState("TurnOrder", "the first stage after the set-up", PLAIN, {"sup": "PhaseOne"}),
    BrokenState("TurnOrder", "player 2's set-up after the set-up", PLAIN, {"su_ap": 2}),
    BrokenState("TurnOrder", "dice before the roll", ROLLING, {"dice": 8}),
    BrokenState("TurnOrder", "no dice after the roll", PLAIN, {"dice": 0}),
    BrokenState("TurnOrder", "the bandit moves without a seven", position(phase="MovingBandit"), {"dice": 8}),
    BrokenState("TurnOrder", "discards without a seven", _DISCARDING, {"dice": 8}),
    BrokenState("TurnOrder", "a limit after the discards", _DISCARDING, {"tp": "Trading"}),
    BrokenState("TurnOrder", "discards without a limit", _DISCARDING, {"lim": (0, 0)}),
)
