"""Excuses and claims, and what nobody may do who is away."""

from dataclasses import replace

from catan_p2p.game.actions import Claim, Excuse, ProposeTrade
from catan_p2p.game.constants import BRIEF, THESIS, Constants
from catan_p2p.game.state import initial_state
from tests.game.actions.cases import GuardCase
from tests.game.actions.givens import JOINT
from tests.positions import cards, position

_LEAVING = replace(THESIS, leaving=True)
_SECOND_AWAY = {"away": (False, True, False), "rules": _LEAVING}

ABSENCE: tuple[GuardCase, ...] = (
    GuardCase(
        "PT10 seat",
        position(
            3,
            phase="TradingBuilding",
            hands={2: "1 Wool"},
            rules=replace(BRIEF, table_talk=True, leaving=True),
            away=(False, True, False),
        ),
        ProposeTrade(2, cards("1 Wool"), cards("1 Ore")),
    ),
    GuardCase("EX1 rule", position(3), Excuse(2, 1)),
    GuardCase("EX2 phase", position(3, phase="top", rules=_LEAVING), Excuse(2, 1)),
    GuardCase("EX3 seat", position(4, rules=_LEAVING, away=(False, True, False, False)), Excuse(1, 2)),
    GuardCase("EX4 players", position(rules=_LEAVING), Excuse(2, 1), "two play"),
    GuardCase("EX4 players", position(3, **_SECOND_AWAY), Excuse(3, 1), "two are left"),
    GuardCase("EX5 other", position(3, rules=_LEAVING), Excuse(1, 1), "themselves"),
    GuardCase("EX5 other", position(4, rules=_LEAVING, away=(False, True, False, False)), Excuse(2, 1), "who is away"),
    GuardCase(
        "EX6 replies",
        position(3, phase="Discarding", hands={2: "8 Ore", 3: "8 Wool"}, rules=_LEAVING),
        Excuse(3, 2),
        "a discard",
    ),
    GuardCase(
        "EX6 replies",
        position(
            3,
            phase="Offering",
            answers=("none", "asked", "asked"),
            offer=("1 Ore", "1 Wool"),
            hands={1: "1 Ore", 2: "1 Wool", 3: "1 Wool"},
            rules=replace(BRIEF, leaving=True),
        ),
        Excuse(3, 2),
        "an answer",
    ),
    GuardCase(
        "EX6 replies",
        initial_state(Constants(replace(JOINT, leaving=True), player_count=3)),
        Excuse(1, 2),
        "a pledge",
    ),
    GuardCase("CL1 rule", position(), Claim(2, 1)),
    GuardCase("CL2 phase", position(phase="top", rules=_LEAVING), Claim(2, 1)),
    GuardCase("CL3 players", position(3, rules=_LEAVING), Claim(2, 1), "three play"),
    GuardCase("CL3 players", position(rules=_LEAVING), Claim(1, 1), "themselves"),
    GuardCase("CL3 players", position(3, **_SECOND_AWAY), Claim(2, 1), "by one who is away"),
    GuardCase("CL4 awaited", position(rules=_LEAVING), Claim(1, 2)),
    GuardCase(
        "CL5 replies",
        position(phase="Discarding", hands={1: "8 Ore", 2: "8 Wool"}, rules=_LEAVING),
        Claim(1, 2),
    ),
)
