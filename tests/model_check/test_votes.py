"""Every promise of spec/CatanLeaving.tla is kept, and is seen to fail without the guard that keeps it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from catan_p2p.model_check.check import check_model
from catan_p2p.model_check.models import VOTES, Model
from catan_p2p.model_check.tlc import spec_folder
from tests.model_check.guard_mutations import quick_tlc

pytestmark = pytest.mark.spec

RED = {
    "Agreement": [
        ("MCVote", "AC1 promise"),
        ("MCVote", "YE1 open"),
        ("MCVote", "EX1 all"),
        ("MCVoteExcuser", "FO1 votes"),
    ],
    "NobodyHonestContradicts": [("MCVote", "NO1 once"), ("MCVote", "BU1 rests")],
}
"""By property the models that show it to fail, and without which guard."""

CASES = [(name, model, tag) for name, cases in RED.items() for model, tag in cases]


@pytest.mark.soak
@pytest.mark.parametrize("model", VOTES, ids=lambda model: model.name)
def test_every_promise_is_kept(model: Model) -> None:
    assert check_model(model, quick_tlc()).is_as_expected


@pytest.mark.parametrize(("name", "model", "tag"), CASES, ids=[f"{name}-{tag}" for name, _, tag in CASES])
def test_a_promise_fails_without_its_guard(tmp_path: Path, name: str, model: str, tag: str) -> None:
    text = (spec_folder() / f"{model}.cfg").read_text(encoding="utf-8")
    constants = (
        text.partition("CONSTANTS")[2].partition("INVARIANTS")[0].replace("Without = {}", f'Without = {{"{tag}"}}')
    )
    if model == "MCVoteExcuser":  # of the others two have to be honest
        constants = constants.replace("NPlayers = 3", "NPlayers = 4")
    config = tmp_path / "Vote.cfg"
    config.write_text(f"SPECIFICATION UnfairSpec\nCONSTANTS{constants}INVARIANT {name}\n")
    result = quick_tlc().run(spec_folder() / "CatanLeaving.tla", config, ["-deadlock"])
    assert result.verdict == "invariant", result.detail
    assert name in result.detail


def test_a_vote_need_not_end_where_nobody_has_to_vote(tmp_path: Path) -> None:
    text = (spec_folder() / "MCVote.cfg").read_text(encoding="utf-8")
    constants = text.partition("CONSTANTS")[2].partition("INVARIANTS")[0]
    config = tmp_path / "Vote.cfg"
    config.write_text(f"SPECIFICATION UnfairSpec\nCONSTANTS{constants}PROPERTY PlayGoesOn\n")
    result = quick_tlc().run(spec_folder() / "CatanLeaving.tla", config, ["-deadlock"])
    assert result.verdict == "property", result.detail


def test_every_guard_is_taken_out_in_some_case() -> None:
    text = (spec_folder() / "CatanLeaving.tla").read_text(encoding="utf-8")
    tags = {*re.findall(r'Keeps\("([^"]+)"', text), *re.findall(r'"(\w\w1 \w+)" \\in Without', text)}
    assert tags == {tag for _, _, tag in CASES}
