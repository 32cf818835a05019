"""Every promise of spec/CatanLeaving.tla is kept, and is seen to fail without the guard that keeps it."""

import re
from pathlib import Path

import pytest

from catan_p2p.model_check.check import check_model
from catan_p2p.model_check.models import VOTES, TlcModel
from catan_p2p.model_check.tlc import spec_folder
from tests.model_check.guard_mutations import quick_tlc, run_changed, without

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long, pytest.mark.sampled(3, together=True)]

RED = {
    "Agreement": [
        ("MCVote", "AC1 promise"),
        ("MCVote", "YE1 open"),
        ("MCVote", "EX1 all"),
        ("MCVoteExcuser", "FO1 votes"),
    ],
    "NobodyHonestContradicts": [("MCVote", "NO1 once"), ("MCVote", "BU1 rests"), ("MCVote", "BU2 taken")],
}
"""By invariant the models that show it to fail, and without which guard."""

STANDS_STILL = {
    "YE2 first": ("MCVoteFirst", ("YE2 first",), "", ""),
    "no yes is taken back": (
        "MCVoteGone",
        (),
        'Keeps("AC1 promise", p = Successor \\/ (Says("yes", p) \\in sent => Testimonies(heard[p], p) # {}))',
        'Keeps("AC1 promise", Says("yes", p) \\in sent => Testimonies(heard[p], p) # {})',
    ),
}
"""What lets play stand still: the model, without which guards, and what of the specification becomes what."""

CASES = [(name, model, tag) for name, cases in RED.items() for model, tag in cases]


@pytest.mark.soak
@pytest.mark.parametrize("model", VOTES, ids=lambda model: model.name)
def test_every_promise_is_kept(model: TlcModel) -> None:
    assert check_model(model, quick_tlc()).is_as_expected


@pytest.mark.parametrize(("name", "model", "tag"), CASES, ids=[f"{name}-{tag}" for name, _, tag in CASES])
def test_a_promise_fails_without_its_guard(name: str, model: str, tag: str) -> None:
    players = 4 if model == "MCVoteExcuser" else 3  # of the others two have to be honest
    result = run_changed(model, name, SPECIFICATION="UnfairSpec", NPlayers=players, Without=without(tag))
    assert result.verdict == "invariant", result.detail
    assert name in result.detail


@pytest.mark.parametrize("mistake", STANDS_STILL)
def test_play_goes_on_without_somebody_who_has_not_voted_by_what_is_red_here(tmp_path: Path, mistake: str) -> None:
    model, tags, guard, weaker = STANDS_STILL[mistake]
    spec = tmp_path / "CatanLeaving.tla"
    text = (spec_folder() / spec.name).read_text(encoding="utf-8")
    assert guard in text
    spec.write_text(text.replace(guard, weaker) if guard else text, encoding="utf-8")
    result = run_changed(model, module=spec, Without=without(*tags))
    assert result.verdict == "property", result.detail


def test_a_vote_need_not_end_where_nobody_has_to_vote() -> None:
    result = run_changed("MCVote", "PlayGoesOn", SPECIFICATION="UnfairSpec")
    assert result.verdict == "property", result.detail


def test_every_guard_is_taken_out_in_some_case() -> None:
    text = (spec_folder() / "CatanLeaving.tla").read_text(encoding="utf-8")
    tags = {*re.findall(r'Keeps\("([^"]+)"', text), *re.findall(r'"(\w\w\d \w+)" \\in Without', text)}
    assert tags == {tag for _, _, tag in CASES} | {"YE2 first"}
