"""Every guard of every action is told in words."""

import re
from dataclasses import replace

from catan_p2p.game.actions import RollDice
from catan_p2p.game.constants import BRIEF
from tests.for_each import for_each
from tests.game.actions.guard_cases import GUARD_CASES, GuardCase
from tests.positions import position
from visualizer.play.draft import ActionDraft
from visualizer.play.places import refusal_at
from visualizer.play.reasons import missing, reason, reasons


@for_each("case", GUARD_CASES, ids=lambda case: case.name)
def test_every_guard_that_is_broken_is_said_in_words(case: GuardCase) -> None:
    told = reason(case.state, case.action, case.tag)
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9 ,:-]+", told), told
    assert case.tag not in told


def test_what_a_cost_lacks_is_counted() -> None:
    held = position(hands={1: "1 Lumber, 2 Grain"}).h[0].rc
    city = position(hands={1: "2 Grain, 3 Ore"}).h[0].rc
    assert missing(held, city) == "3 Ore are missing"
    assert missing(0, city) == "2 Grain and 3 Ore are missing"


def test_a_place_is_refused_for_what_is_wrong_with_it() -> None:
    rich = {1: "5 Lumber, 5 Brick, 5 Wool, 5 Grain"}
    state = position(4, phase="TradingBuilding", hands=rich, rules=BRIEF)
    assert "too close to a village" in refusal_at(state, 1, ActionDraft("village"), "point", 19)
    assert "the place is taken" in refusal_at(state, 1, ActionDraft("village"), "point", 15)
    assert refusal_at(state, 1, ActionDraft("road"), "road", 1) == "no road of yours leads there"
    poor = position(4, phase="TradingBuilding", rules=BRIEF)
    assert refusal_at(poor, 1, ActionDraft(), "road", 22) == "1 Lumber and 1 Brick are missing"


def test_nobody_has_to_call_for_what_needs_no_call() -> None:
    rules = replace(BRIEF, chance="joint", chance_ahead=True)
    told = position(3, phase="DiceRoll", rules=rules, ahead=(True, True, True))
    assert reasons(told, RollDice(1, 8)) == ""
    assert reasons(position(3, phase="DiceRoll", rules=rules), RollDice(1, 8)) == "", "it is called for"


def test_what_can_be_done_has_no_reason_against_it() -> None:
    from catan_p2p.game.actions import EmptyBuild

    assert reasons(position(), EmptyBuild(1)) == ""
