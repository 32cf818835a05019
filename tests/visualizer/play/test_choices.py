"""Every action of both profiles, by mouse and by keys: what is clicked, and what is then done."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from catan_p2p.game import actions as a
from catan_p2p.game.board import THREE_TO_ONE
from catan_p2p.game.constants import BRIEF, THESIS
from catan_p2p.game.state import State
from tests.positions import cards, position, set_up
from tests.visualizer.play.memory import memory_session
from tests.visualizer.play.person import Hands, settings

SPACE = {"roads": {1: (23, 64, 21)}, "villages": {3: (54,)}}
RICH = {1: "4 Lumber, 4 Brick, 4 Wool, 4 Grain, 4 Ore", 2: "3 Lumber, 3 Brick", 3: "1 Ore", 4: "2 Ore"}


class Case(NamedTuple):
    """A position, what is clicked one after the other, and the action that is then decided on."""

    state: State
    clicks: tuple[str, ...]
    action: a.Action
    why: str = ""

    @property
    def name(self) -> str:
        rules = "brief" if self.state.constants.rules.domestic_trade else "thesis"
        joint = "-joint" if self.state.constants.rules.chance == "joint" else ""
        return f"{type(self.action).__name__}-{rules}{joint}{self.why}"


def turn(rules: object, **more: object) -> State:
    """Red's turn with a hand full of cards."""
    phase = more.pop("phase", "Building")
    phase = "TradingBuilding" if rules is BRIEF else phase
    more = {"hands": RICH, **more}
    return position(4, phase=phase, rules=rules, **more)  # type: ignore[arg-type]


def both(make: object) -> list[Case]:
    """The same under both profiles."""
    return [case for rules in (THESIS, BRIEF) for case in make(rules)]  # type: ignore[operator]


def building(rules: object) -> list[Case]:
    card = {1: "1 Knight, 1 Monopoly, 1 YearOfPlenty, 1 RoadBuilding"}
    ready = turn(rules, available=card)
    return [
        Case(turn(rules), ("road", "road 22", "yes"), a.BuildRoad(1, 22)),
        Case(turn(rules), ("road 22", "yes"), a.BuildRoad(1, 22), "-at-once"),
        Case(turn(rules, **SPACE), ("village", "point 11", "yes"), a.BuildVillage(1, 11)),
        Case(turn(rules), ("city", "point 20", "yes"), a.BuildCity(1, 20)),
        Case(turn(rules), ("card", "yes"), a.BuyDevCard(1, "Monopoly")),
        Case(turn(rules), ("end turn", "yes"), a.EmptyBuild(1)),
        Case(ready, ("monopoly", "all Ore", "yes"), a.PlayMonopoly(1, "Ore")),
        Case(
            ready,
            ("year of plenty", "take Ore", "take Wool", "take less Wool", "take Ore", "take them"),
            a.PlayYearOfPlenty(1, "Ore", "Ore"),
        ),
        Case(ready, ("road building", "road 22", "road 21", "yes"), a.PlayRoadBuilding(1, 22, 21)),
        Case(ready, ("knight", *_first_robbery(ready)), a.PlayKnight(1, 0, 0, "none")),
    ]


def _first_robbery(state: State) -> tuple[str, ...]:
    from visualizer.play.draft import ActionDraft
    from visualizer.play.moment import moment

    names = ("Red", "Blue", "Green", "Orange")
    draft = ActionDraft("knight") if state.tp not in ("MovingBandit", "Discarding") else ActionDraft()
    tile = moment(state, 1, names, draft).places[0]
    then = tile.then
    assert isinstance(then, ActionDraft)
    if then.ask is not None:
        return tile.name, "yes"
    return tile.name, moment(state, 1, names, then).choices[0].name, "yes"


def trading(rules: object) -> list[Case]:
    state = turn(rules, phase="Trading")
    wharf = turn(rules, phase="Trading", villages={1: (20, 1)}, hands={1: "3 Lumber, 3 Ore"})
    four = Case(state, ("bank", "give Lumber", "take Ore", "trade"), a.TradeFourToOne(1, "Lumber", "Ore"))
    return [four, *_wharfs(wharf)]


def _wharfs(state: State) -> list[Case]:
    """Trades at a wharf of each kind, wherever the map has one."""
    found = []
    for kind, make in ((THREE_TO_ONE, a.TradeThreeToOne), ("Ore", a.TradeTwoToOne)):
        points = next(points for type, points in state.constants.board.wharf_points.items() if type == kind)
        point = next(n for n in range(1, 55) if points >> n & 1)
        bit = 1 << point
        villages = (state.s.villages[0] & 1 << 20 | bit, *state.s.villages[1:])
        at = state._replace(s=state.s._replace(villages=villages))
        found.append(Case(at, ("bank", "give Ore", "take Wool", "trade"), make(1, "Ore", "Wool")))
    return found


OFFERED = position(
    4,
    phase="Offering",
    rules=BRIEF,
    hands=RICH,
    offer=("1 Lumber", "1 Ore"),
    answers=("none", "none", "accept", "reject"),
)
ASKED = position(
    4, phase="Offering", turn=2, rules=BRIEF, hands=RICH, offer=("1 Lumber", "1 Ore"),
    answers=("asked", "none", "reject", "reject"),
)  # fmt: skip
TALK = replace(BRIEF, table_talk=True)
TO_ONE = replace(TALK, offers_to_one=True)
COUNTERED = ASKED._replace(constants=replace(ASKED.constants, rules=TALK))
PROPOSING = position(4, phase="TradingBuilding", turn=2, rules=TALK, hands=RICH)
PROPOSED = position(4, phase="TradingBuilding", rules=TALK, hands=RICH, proposals={2: ("1 Brick", "1 Wool")})
TALKED = position(
    4, phase="Offering", rules=TALK, hands=RICH, offer=("1 Lumber", "1 Ore"),
    answers=("none", "asked", "accept", "reject"),
)  # fmt: skip
SEVEN = {1: "9 Ore", 2: "1 Lumber"}
JOINT = replace(BRIEF, chance="joint")
CASES = [
    Case(set_up(4, rules=BRIEF, stage="Rolling"), ("roll",), a.RollForStart(1, 0)),
    Case(set_up(4), ("point 20", "road 23", "yes"), a.SetupPhaseOne(1, 20, 23)),
    Case(set_up(4, rules=BRIEF), ("point 20", "road 23", "yes"), a.SetupPhaseOne(1, 20, 23)),
    Case(set_up(4, stage="PhaseTwo"), ("point 20", "cancel", "point 43", "road 64", "yes"), a.SetupPhaseTwo(1, 43, 64)),
    Case(set_up(4, stage="PhaseTwo", rules=BRIEF), ("point 43", "road 64", "yes"), a.SetupPhaseTwo(1, 43, 64)),
    Case(position(4, phase="DiceRoll"), ("roll",), a.RollDice(1, 2)),
    Case(position(4, phase="DiceRoll", rules=BRIEF), ("roll",), a.RollDice(1, 2)),
    Case(position(4, phase="DiceRoll", rules=JOINT), ("roll",), a.RollDice(1, 2)),
    Case(
        position(4, phase="Discarding", hands=SEVEN),
        ("give Ore", "give Ore", "give less Ore", "give Ore", "give Ore", "give Ore", "discard"),
        a.Discard(1, cards("4 Ore")),
    ),
    Case(position(4, phase="MovingBandit", hands=RICH), _first_robbery(position(4, phase="MovingBandit", hands=RICH)),
         a.MoveBandit(1, 0, 0, "none")),
    Case(position(4, phase="Trading"), ("stop trading",), a.EmptyTrade(1)),
    *both(building),
    *both(trading),
    Case(
        turn(BRIEF),
        ("offer", "give Wool", "give Wool", "take Lumber", "take Brick", "take less Brick", "make offer"),
        a.OfferTrade(1, cards("2 Wool"), cards("1 Lumber")),
    ),
    Case(
        turn(TO_ONE, phase="TradingBuilding"),
        ("offer", "to", "to", "give Wool", "take Lumber", "make offer"),
        a.OfferTradeTo(1, 3, cards("1 Wool"), cards("1 Lumber")),
    ),
    Case(
        turn(TO_ONE, phase="TradingBuilding"),
        ("offer", "to", "to", "to", "to", "give Wool", "take Lumber", "make offer"),
        a.OfferTrade(1, cards("1 Wool"), cards("1 Lumber")),
        "-to-all",
    ),
    Case(ASKED, ("accept", "no", "accept", "yes"), a.AnswerTrade(1, "accept")),
    Case(ASKED, ("reject",), a.AnswerTrade(1, "reject"), "-reject"),
    Case(OFFERED, ("with Green", "yes"), a.ConcludeTrade(1, 3)),
    Case(OFFERED, ("withdraw",), a.WithdrawTrade(1)),
    Case(
        COUNTERED,
        ("propose", "give less Ore", "give Wool", "make proposal"),
        a.ProposeTrade(1, cards("1 Wool"), cards("1 Lumber")),
    ),
    Case(
        PROPOSING,
        ("propose", "give Wool", "take Lumber", "take Lumber", "make proposal"),
        a.ProposeTrade(1, cards("1 Wool"), cards("2 Lumber")),
        "-unasked",
    ),
    Case(PROPOSED, ("with Blue", "no", "with Blue", "yes"), a.ConcludeTrade(1, 2), "-proposed"),
    Case(TALKED, ("with Green", "yes"), a.ConcludeTrade(1, 3), "-unheard"),
    Case(TALKED, ("withdraw",), a.WithdrawTrade(1), "-unheard"),
]  # fmt: skip


@pytest.mark.parametrize("hands", ["mouse", "keys"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_clicked_is_done(case: Case, hands: Hands, tmp_path: Path) -> None:
    session, memory = memory_session(tmp_path, case.state)
    with session:
        for name in case.clicks:
            assert not memory.done, f"done before {name} was clicked"
            session.use(name, hands)
        session.frame()
    assert [type(action) for action in memory.done] == [type(case.action)]
    if not isinstance(case.action, a.MoveBandit | a.PlayKnight):
        assert memory.done == [case.action]


def test_every_action_that_a_person_decides_on_has_a_case() -> None:
    decided = [kind for kind in a.ACTIONS if kind.cls.rule not in ("chance", "leaving", "returns")]
    of_others = {"OfferTrade", "AnswerTrade", "ConcludeTrade", "WithdrawTrade", "RollForStart"}
    for is_domestic in (False, True):
        there = {type(case.action) for case in CASES if case.state.constants.rules.domestic_trade == is_domestic}
        lacking = {kind.name for kind in decided if kind.cls not in there and (is_domestic or kind.cls.rule is None)}
        assert lacking <= ({"EmptyTrade", "Discard", "MoveBandit"} if is_domestic else of_others)


def test_who_is_not_asked_before_does_it_at_once(tmp_path: Path) -> None:
    session, memory = memory_session(tmp_path, turn(BRIEF), options=settings(asks=False))
    with session:
        session.use("end turn")
    assert memory.done == [a.EmptyBuild(1)]


def test_a_button_or_a_place_that_cannot_be_had_says_why(tmp_path: Path) -> None:
    state = turn(BRIEF, hands={1: "1 Lumber", 2: "1 Ore"})
    session, memory = memory_session(tmp_path, state)
    with session:
        refusals = dict(session.screen.refusals)
        assert refusals["road"] == "1 Brick is missing"
        assert refusals["city"] == "2 Grain and 3 Ore are missing"
        session.click_on(("do", "road"))
        assert session.screen.notice == "1 Brick is missing"
    assert not memory.done


def test_a_place_too_close_to_a_village_says_so(tmp_path: Path) -> None:
    session, memory = memory_session(tmp_path, turn(BRIEF, **SPACE))
    with session:
        session.use("village")
        session.click_on(("point", 19))
        assert "too close to a village" in session.screen.notice
    assert not memory.done
