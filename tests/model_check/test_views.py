"""Every promise of spec/CatanViews.tla is kept, and is seen to fail without the guard that keeps it."""

import re

import pytest

from catan_p2p.model_check.tlc import spec_folder
from tests.model_check.guard_mutations import reworded, run_changed, without

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long, pytest.mark.sampled(3, together=True)]
SELDOM = pytest.mark.sampled(12, together=True)
"""Of what takes TLC up to a minute."""

RED = {
    "AC1 promise": ("MCViews", "NobodyHonestForks"),
    "AC2 promise": ("MCViewsRounds", "Agreement"),
    "AC3 once": ("MCViewsLiar", "NobodyHonestForks"),
    "BA1 alone": ("MCViewsAwayFour", "OnlyWhoMayComesBack"),
    "BA2 proven": ("MCViewsAwayLiar", "OnlyWhoMayComesBack"),
    "BA3 game": ("MCViewsBack", "OnlyWhoMayComesBack"),
    "BA4 company": ("MCViewsAway", "TheLastComesBack"),
    "LE1 undone": ("MCViews", "NothingBuiltOnUndone"),
    "PR1 coordinator": ("MCViewsRounds", "NobodyHonestIsProven"),
    "PR2 once": ("MCViews", "NobodyHonestForks"),
    "PR3 rising": ("MCViewsRounds", "RisingRounds"),
    "PR4 patience": ("MCViewsAgain", "WhoeverNeverActsIsLeftOut"),
    "RE1 present": ("MCViewsReplies", "NobodyLeftOutReplies"),
    "RQ1 away": ("MCViewsBack", "OnlyWhoMayComesBack"),
    "RQ2 once": ("MCViewsBack", "NobodyHonestForks"),
    "VA1 majority": ("MCViewsRounds", "Agreement"),
    "VA2 counted": ("MCViewsLiar", "Agreement"),
    "VA3 locks": ("MCViewsRounds", "Agreement"),
    "VA4 named": ("MCViews", "LeftOutAfterWaiting"),
    "VA5 tie": ("MCViewsSix", "Agreement"),
    "VA6 once": ("MCViewsAgain", "WhoeverNeverActsIsLeftOut"),
    "VA7 two": ("MCViewsAgain", "TwoArePresent"),
    "VA8 several": ("MCViewsAll", "AllVotesGiveAValue"),
    "VA9 again": ("MCViews", "AVoteKeepsIn"),
    "VA10 before": ("MCViewsReplied", "AVoteKeepsIn"),
    "VA11 since": ("MCViewsSince", "AVoteKeepsIn"),
    "VA12 gone": ("MCViewsGone", "TwoArePresent"),
    "VA13 record": ("MCViewsDue", "SomebodyRecords"),
    "VO1 rising": ("MCViews", "NobodyHonestForks"),
    "VO2 member": ("MCViewsTwice", "LeftOutAfterWaiting"),
    "VO3 side": ("MCViews", "NobodyHonestForks"),
    "VO4 over": ("MCViewsDivided", "PlayGoesOn"),
    "VO5 view": ("MCViewsAwayLate", "OnlyWhoMayComesBack"),
}
"""By guard a model that shows a promise to fail without it."""

STANDS_STILL = "TA1 frozen"
"""Without this, voters take in nothing more."""


@pytest.mark.parametrize("tag", RED)
def test_a_promise_fails_without_its_guard(tag: str) -> None:
    model, promise = RED[tag]
    result = run_changed(model, promise, Without=without(tag))
    assert result.verdict in ("invariant", "property"), result.detail
    assert promise in result.detail or result.verdict == "property"


def test_voters_who_take_in_nothing_more_get_stuck() -> None:
    result = run_changed("MCViewsLate", "PlayGoesOn", Without=without(STANDS_STILL))
    assert result.verdict == "property", result.detail


SETTLED = "AC4 settled"


def test_a_party_that_settles_keeps_its_promise() -> None:
    result = run_changed("MCViewsOn", "NobodyHonestForks", Without=without(SETTLED), Height=1)
    assert result.verdict == "invariant", result.detail


CHANGED: dict[str, tuple[str, str, tuple[str, str, str], dict[str, int]]] = {
    "a tie that always needs more votes stands still": (
        "MCViewsTie",
        "PlayGoesOn",
        ("CatanViews.tla", r" /\ mayBe(Lowest(most)) /\ ~(others \subseteq proven)", ""),
        {},
    ),
    "whoever is left out is told to be in the game": (
        "MCViewsTable",
        "LeftOutAreAway",
        ("CatanViewsTable.tla", "IF told # {} THEN", "IF FALSE THEN"),
        {},
    ),
    "whoever comes back is told to stay away": (
        "MCViewsTableBack",
        "LeftOutAreAway",
        ("CatanViewsTable.tla", "IF back # {} THEN", "IF FALSE THEN"),
        {},
    ),
    "coordinators by head prove the honest liars": (
        "MCViewsRounds",
        "NobodyHonestIsProven",
        ("CatanViews.tla", "p = Coordinator(change[p], r)", "(NextSeat(line[p]) - p + r) % NParties = 0"),
        {"Height": 1},
    ),
    "a second seat that goes back with its party acts twice on one head": (
        "MCViewsSecond",
        "NobodyHonestForks",
        (
            "CatanViews.tla",
            r"/\ line' = [line EXCEPT ![p] = x]",
            r"/\ line' = [s \in HonestSeats |-> IF At(s) = p THEN x ELSE line[s]]",
        ),
        {},
    ),
}
"""A model and a promise of it that fails where words of a module are replaced, with other settings."""


@pytest.mark.parametrize("mistake", [pytest.param(next(iter(CHANGED)), marks=SELDOM), *[*CHANGED][1:]])
def test_a_promise_fails_with_other_words(mistake: str) -> None:
    model, promise, words, settings = CHANGED[mistake]
    result = run_changed(model, promise, modules=reworded(*words), **settings)
    assert result.verdict == ("property" if promise == "PlayGoesOn" else "invariant"), result.detail


AFTER_AN_ACTION = {"Height": 1, "Rounds": 1}


@SELDOM
@pytest.mark.parametrize("tag", ["AC1 promise", "AC2 promise", "PR2 once", "VA1 majority", "VA3 locks", "VO1 rising"])
def test_the_inductive_invariant_needs_a_guard(tag: str) -> None:
    settings = AFTER_AN_ACTION if tag == "AC1 promise" else {}
    result = run_changed("MCViewsInductive", "Inductive", Without=without(tag), **settings)
    assert result.verdict == "invariant", result.detail


@pytest.mark.parametrize("tag", ["AC1 promise", "CR1 written", "CR2 promised"])
def test_the_game_at_a_table_needs_the_promise_and_what_was_signed_before_a_crash(tag: str) -> None:
    result = run_changed("MCViewsTable", "ViewsHold", Without=without(tag))
    assert result.verdict == "invariant", result.detail


@pytest.mark.parametrize(("liar", "parties"), [(2, 3), (2, 5)])
def test_a_liar_of_three_or_five_can_have_two_decisions(liar: int, parties: int) -> None:
    result = run_changed("MCViewsSettle", Liars=f"{{{liar}}}", NParties=parties, Height=0, INVARIANTS="Agreement")
    assert result.verdict == "invariant", result.detail


@pytest.mark.parametrize(("parties", "down"), [(4, 2), (5, 3)])
def test_nobody_goes_on_where_half_are_down(parties: int, down: int) -> None:
    result = run_changed("MCViewsFiveDown", "PlayGoesOn", NParties=parties, MaxDown=down, Rounds=1)
    assert result.verdict == "property", result.detail


def test_a_second_seat_acts_after_its_party_has_voted() -> None:
    assert run_changed("MCViewsSecond", INVARIANTS="NothingUndoneAtAll").verdict == "invariant"


def test_whoever_has_no_seat_left_is_left_out_where_three_others_play() -> None:
    assert run_changed("MCViewsGoneFour", INVARIANTS="NobodyGoneIsLeftOut", PROPERTIES="").verdict == "invariant"


def test_a_settlement_is_decided() -> None:
    assert run_changed("MCViewsSettle", INVARIANTS="NothingSettled").verdict == "invariant"


@pytest.mark.parametrize(
    ("model", "never"),
    [
        ("MCViewsBack", "NobodyComesBack"),
        ("MCViewsAway", "NobodyIsBackAmongFew"),
        ("MCViewsAwayFour", "NobodyIsBackAmongFew"),
        ("MCViewsTableBack", "WhoIsAwayStaysAway"),
    ],
)
def test_somebody_comes_back_also_while_another_is_silent(model: str, never: str) -> None:
    assert run_changed(model, INVARIANTS=never, PROPERTIES="").verdict == "invariant"


def test_every_guard_is_taken_out_in_some_case() -> None:
    text = (spec_folder() / "CatanViews.tla").read_text(encoding="utf-8")
    tags = re.findall(r'Keeps\("([^"]+)"|"(\w\w\d+ \w+)" \\(?:not)?in Without', text)
    assert {one or other for one, other in tags} == {*RED, STANDS_STILL, SETTLED}
