"""What the log says about every action."""

from typing import Any

import pytest

from catan_p2p.game.actions import ACTIONS, HIDDEN_ACTIONS, Action, RollForStart
from catan_p2p.game.constants import BRIEF
from catan_p2p.game.rules import apply
from catan_p2p.game.state import State
from catan_p2p.game.words import describe_action
from tests.game.actions.effect_cases import PLAIN_CASES
from tests.positions import set_up

NAMES = ("Red", "Blue", "Green", "Orange", "White", "Brown")


def said(action: Action, before: State) -> str:
    """What the log says about an action."""
    return describe_action(action, before, apply(before, action), NAMES)


def test_every_case_is_told_and_its_end_too() -> None:
    for case in PLAIN_CASES:
        text = said(case.action, case.before)
        assert text, case.name
        assert ("wins with" in text) == (case.after.is_over and not case.before.is_over), case.name
        bonus = (case.before.lr, case.before.la) != (case.after.lr, case.after.la)
        assert ("now has" in text) == bonus, case.name


def told(kind: str, what: str) -> str:
    """What is said in the case of this name."""
    case = next(case for case in PLAIN_CASES if case.name == f"{kind}: {what}")
    return said(case.action, case.before)


@pytest.mark.parametrize(
    ("kind", "what", "text"),
    [
        ("RollForStart", "the next one rolls", "rolls 8 for the start"),
        ("RollForStart", "the highest roll begins", "rolls 5 for the start; Blue begins"),
        ("OfferTrade", "all who could pay are asked", "offers 2 Ore for 1 Wool to Blue and Green"),
        ("AnswerTrade", "one accepts", "accepts the offer"),
        ("AnswerTrade", "one rejects", "rejects the offer"),
        ("ConcludeTrade", "the cards change hands with the one chosen", "trades 2 Ore for 1 Wool with Green"),
        ("WithdrawTrade", "nothing changes hands", "withdraws the offer"),
        ("PlayRoadBuilding", "the last road alone", "plays road building and builds on 22"),
        ("BuildCity", "a city wins at once", "builds a city on point 20; Red wins with 10 points"),
        (
            "BuildRoad",
            "the longest road wins at once",
            "builds a road on 19; Red now has the longest road; Red wins with 10 points",
        ),
        ("EmptyBuild", "ten points win", "wins with 10 points"),
        (
            "EmptyBuild",
            "ten points gained meanwhile win when the turn begins",
            "ends the turn; Blue wins with 10 points",
        ),
        ("EmptyBuild", "the first after the player who can pay for anything builds", "ends the turn; Green may build"),
        (
            "EmptyBuild",
            "the next who can pay for anything follows, cards bought become available",
            "ends the special building; Orange may build",
        ),
        ("Shuffle", "the first", "shuffles the deck"),
        ("Surrender", "of nothing, the last", "gives up nothing of the sealed cards"),
        ("EmptyBuild", "the end, all but the winner sign it", "wins with 7 points"),
        ("SignEnd", "of one of two", "signs the end"),
        ("CloseGame", "by the winner, all owe their openings", "closes the game, whose end all have signed"),
        ("Excuse", "closes the game without the winner", "excuses Red from the game"),
        ("Claim", "closes a game that the other has won", "closes the game, Red being silent"),
        ("OpenAll", "after the end", "opens all cards"),
        ("ShowPoint", "of a card held", "shows a victory point"),
        ("Reveal", "the victim seals the hand", "seals the hand"),
        ("EmptyBuild", "the turn passes once the active player comes round", "ends the special building"),
    ],
)
def test_words(kind: str, what: str, text: str) -> None:
    assert told(kind, what) == text


def test_ties_for_the_start_are_told() -> None:
    rolling: dict[str, Any] = {"stage": "Rolling", "turn": 4, "rules": BRIEF}
    three = set_up(4, rolls=(9, 3, 9, 0), **rolling)
    assert said(RollForStart(4, 9), three) == "rolls 9 for the start; Red, Green and Orange roll again"
    assert said(RollForStart(4, 2), three) == "rolls 2 for the start; Red and Green roll again"
    assert said(RollForStart(4, 10), three) == "rolls 10 for the start; Orange begins"


def test_every_action_is_told() -> None:
    assert {type(case.action) for case in PLAIN_CASES} == {kind.cls for kind in (*ACTIONS, *HIDDEN_ACTIONS)}
