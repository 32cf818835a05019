"""Pledges, calls and reveals."""

from dataclasses import replace
from typing import Any

from catan_p2p.game.actions import BuyDevCard, Call, MoveBandit, PlayKnight, Pledge, Reveal, RollDice, RollForStart
from catan_p2p.game.constants import BRIEF, profile
from catan_p2p.game.state import CalledDraw, Drawn, State, TurnPhase
from tests.game.actions.cases import GuardCase
from tests.game.actions.givens import AHEAD, JOINT
from tests.positions import cards, position, set_up

_JOINT_STANDARD = replace(BRIEF, chance="joint")


def _drawing(what: Drawn, phase: TurnPhase, to: int = 0, victim: int = 0, **position_of: Any) -> State:
    """A draw of player 1's that player 2 has revealed their share for."""
    return position(phase="Drawing", call=CalledDraw(what, phase, to, victim), rules=JOINT, **position_of)


_ROBBED = {"hands": {2: "1 Ore, 1 Wool"}}
_WITH_KNIGHT = {"available": {1: "1 Knight"}, **_ROBBED}
_PRICE = {"hands": {1: "1 Wool, 1 Grain, 1 Ore"}}
_CALL_FOR_KNIGHT = Call(1, "PlayKnight", 8, 2)

CHANCE: tuple[GuardCase, ...] = (
    GuardCase("PL1 phase", position(rules=JOINT, due=(True, True)), Pledge(1)),
    GuardCase("PL2 due", position(phase="Pledging", rules=JOINT, due=(False, True)), Pledge(1)),
    GuardCase("RV1 phase", position(rules=JOINT, due=(True, True)), Reveal(1)),
    GuardCase("RV2 due", _drawing("RollDice", "DiceRoll", due=(False, True)), Reveal(1)),
    GuardCase("CA1 rule", position(phase="DiceRoll"), Call(1, "RollDice")),
    GuardCase("CA2 phase", position(rules=JOINT), Call(1, "RollDice"), "for the dice"),
    GuardCase("CA2 phase", _drawing("RollDice", "DiceRoll", due=(False, True)), Call(1, "RollDice"), "twice"),
    GuardCase("CA2 phase", position(phase="DiceRoll", rules=JOINT, **_WITH_KNIGHT), _CALL_FOR_KNIGHT, "for a knight"),
    GuardCase("CA2 phase", position(phase="Trading", rules=JOINT, **_PRICE), Call(1, "BuyDevCard"), "for a card"),
    GuardCase("CA2 phase", position(rules=JOINT, **_ROBBED), Call(1, "MoveBandit", 8, 2), "for the bandit"),
    GuardCase("CA3 stage", set_up(rules=JOINT), Call(1, "RollForStart")),
    GuardCase("CA4 turn", position(phase="DiceRoll", rules=JOINT), Call(2, "RollDice"), "of the dice"),
    GuardCase("CA4 turn", set_up(stage="Rolling", rules=JOINT), Call(2, "RollForStart"), "of a roll for the start"),
    GuardCase(
        "CA4 turn",
        position(
            6,
            phase="SpecialBuilding",
            builder=3,
            rules=replace(profile("brief", 6), chance="joint"),
            hands={1: "1 Wool, 1 Grain, 1 Ore", 3: "1 Wool, 1 Grain, 1 Ore"},
        ),
        Call(1, "BuyDevCard"),
        "of a card between two turns",
    ),
    GuardCase(
        "CA5 discards",
        position(phase="Discarding", rules=JOINT, hands={2: "4 Ore, 4 Wool"}),
        Call(1, "MoveBandit", 8, 2),
    ),
    GuardCase("CA6 cost", position(rules=JOINT), Call(1, "BuyDevCard")),
    GuardCase("CA7 available", position(rules=JOINT, **_ROBBED), _CALL_FOR_KNIGHT),
    GuardCase(
        "CA8 limit",
        position(phase="TradingBuilding", rules=_JOINT_STANDARD, played=1, **_WITH_KNIGHT),
        _CALL_FOR_KNIGHT,
    ),
    GuardCase("CA9 plain", position(phase="DiceRoll", rules=JOINT), Call(1, "RollDice", 8), "a tile"),
    GuardCase("CA9 plain", position(phase="DiceRoll", rules=JOINT), Call(1, "RollDice", 0, 2), "a victim"),
    GuardCase("CA10 elsewhere", position(rules=JOINT, bandit=8, **_WITH_KNIGHT), _CALL_FOR_KNIGHT),
    GuardCase(
        "CA11 land",
        position(rules=JOINT, villages={2: (1, 36)}, **_WITH_KNIGHT),
        Call(1, "PlayKnight", 1, 2),
    ),
    GuardCase(
        "CA12 target",
        position(rules=JOINT, **_WITH_KNIGHT),
        Call(1, "PlayKnight", 32, 0),
        "nobody has settled there",
        ("CA14 open",),
    ),
    GuardCase("CA13 victim", position(3, rules=JOINT, **_WITH_KNIGHT), Call(1, "PlayKnight", 7, 2), "elsewhere"),
    GuardCase(
        "CA13 victim",
        position(rules=JOINT, available={1: "1 Knight"}, hands={1: "1 Ore, 1 Wool"}),
        Call(1, "PlayKnight", 8, 1),
        "themselves",
    ),
    GuardCase(
        "CA14 open",
        position(rules=JOINT, available={1: "1 Knight"}, hands={2: "3 Ore"}),
        _CALL_FOR_KNIGHT,
        "all alike",
    ),
    GuardCase("CA14 open", position(rules=JOINT, available={1: "1 Knight"}), _CALL_FOR_KNIGHT, "an empty hand"),
    GuardCase(
        "CA14 open",
        position(rules=replace(JOINT, dev_card_pool=cards("2 Knight")), **_PRICE),
        Call(1, "BuyDevCard"),
        "one type of card left",
    ),
    GuardCase("CA14 open", position(phase="DiceRoll", rules=replace(JOINT, dice=(4,))), Call(1, "RollDice"), "one sum"),
    GuardCase("CA15 ahead", position(phase="DiceRoll", rules=AHEAD, ahead=(True, True)), Call(1, "RollDice")),
    GuardCase(
        "CA15 ahead",
        position(
            3,
            phase="DiceRoll",
            rules=replace(AHEAD, leaving=True),
            ahead=(True, False, True),
            away=(False, True, False),
        ),
        Call(1, "RollDice"),
        "of all who are there",
    ),
    GuardCase("RS4 drawn", set_up(stage="Rolling", rules=JOINT), RollForStart(1, 6)),
    GuardCase("RD4 drawn", position(phase="DiceRoll", rules=JOINT), RollDice(1, 6), "no call"),
    GuardCase(
        "RD4 drawn",
        position(3, phase="DiceRoll", rules=AHEAD, ahead=(True, False, True)),
        RollDice(1, 6),
        "one has told no share ahead",
    ),
    GuardCase("RD4 drawn", _drawing("RollDice", "DiceRoll", due=(False, True)), RollDice(1, 6), "a share is due"),
    GuardCase(
        "RD4 drawn",
        _drawing("PlayKnight", "DiceRoll", 8, 2, **_WITH_KNIGHT),
        RollDice(1, 6),
        "something else was called for",
    ),
    GuardCase(
        "MB9 drawn", position(phase="MovingBandit", rules=JOINT, **_ROBBED), MoveBandit(1, 8, 2, "Ore"), "no call"
    ),
    GuardCase(
        "MB9 drawn",
        _drawing("MoveBandit", "MovingBandit", 13, 2, **_ROBBED),
        MoveBandit(1, 8, 2, "Ore"),
        "another tile",
    ),
    GuardCase(
        "MB9 drawn",
        _drawing(
            "MoveBandit",
            "MovingBandit",
            8,
            2,
            players=3,
            hands={2: "1 Ore, 1 Wool", 3: "1 Ore, 1 Wool"},
            villages={3: (7, 54), 2: (15, 36)},
        ),
        MoveBandit(1, 8, 3, "Ore"),
        "another victim",
    ),
    GuardCase("BD5 drawn", position(rules=JOINT, **_PRICE), BuyDevCard(1, "Knight")),
    GuardCase("PK10 drawn", position(rules=JOINT, **_WITH_KNIGHT), PlayKnight(1, 8, 2, "Ore"), "no call"),
    GuardCase(
        "PK10 drawn",
        _drawing("BuyDevCard", "Building", available={1: "1 Knight"}, hands={2: "2 Ore"}),
        PlayKnight(1, 8, 2, "Ore"),
        "needs no draw, while another is under way",
    ),
)
