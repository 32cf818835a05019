"""Every promise of spec/CatanShares.tla is kept, and is seen to fail without the guard that keeps it."""

import re

import pytest

from catan_p2p.model_check.check import check_model
from catan_p2p.model_check.models import SHARES, TlcModel
from catan_p2p.model_check.tlc import spec_folder
from tests.model_check.guard_mutations import SHARES_RED, quick_tlc, run_changed, without

pytestmark = [pytest.mark.needs("spec"), pytest.mark.sampled(3)]

CASES = [(name, model, tags) for name, cases in SHARES_RED.items() for model, tags in cases]


@pytest.mark.parametrize("model", SHARES, ids=lambda model: model.name)
def test_every_promise_is_kept(model: TlcModel) -> None:
    assert check_model(model, quick_tlc()).is_as_expected


@pytest.mark.parametrize(
    ("name", "model", "tags"), CASES, ids=[f"{name}-{model}-{len(tags)}" for name, model, tags in CASES]
)
def test_a_promise_fails_without_its_guards(name: str, model: str, tags: set[str]) -> None:
    result = run_changed(model, name, Without=without(*tags))
    assert result.verdict == "invariant", result.detail
    assert name in result.detail


def test_every_guard_is_taken_out_in_some_case() -> None:
    text = (spec_folder() / "CatanShares.tla").read_text(encoding="utf-8")
    tags = {*re.findall(r'"(\w\w\d \w+)" \\in Without', text)}
    assert tags == {tag for _, _, tags in CASES for tag in tags}
