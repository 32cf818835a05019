"""Every promise of spec/CatanSettling.tla is kept, and is seen to fail without the guard that keeps it."""

import re

import pytest

from catan_p2p.model_check.check import check_model
from catan_p2p.model_check.models import SETTLEMENTS, TWO_LIARS, TlcModel
from catan_p2p.model_check.tlc import spec_folder
from tests.model_check.guard_mutations import quick_tlc, run_changed, without

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long, pytest.mark.sampled(6, together=True)]

RED = {
    "NothingOnItIsLost": [("MCSettle", "AC1 bound"), ("MCSettle", "SE1 newest"), ("MCSettle", "VT1 newest")],
    "OnTheSideThatSurvives": [("MCSettleReplies", "AC2 survivor")],
    "Agreement": [
        ("MCSettleFour", "MO1 all"),
        ("MCSettle", "SE2 next"),
        ("MCSettleLiar", "FO1 newest"),
        ("MCSettleLiar", "FO2 next"),
    ],
    "NobodyHonestContradicts": [("MCSettleReplies", "OU1 merger")],
    "NobodyWinsByAWord": [("MCSettleTie", "SU1 all")],
}
"""By property the models that show it to fail, and without which guard."""

CASES = [(name, model, tag) for name, cases in RED.items() for model, tag in cases]


LONG = ("MCSettleTie", TWO_LIARS.name)
"""What takes long: CI explores MCSettleTie by check-spec."""


@pytest.mark.parametrize(
    "model",
    [
        pytest.param(model, id=model.name, marks=[pytest.mark.soak] if model.name in LONG else [])
        for model in (*SETTLEMENTS, TWO_LIARS)
    ],
)
def test_every_promise_is_kept(model: TlcModel) -> None:
    assert check_model(model, quick_tlc()).is_as_expected


@pytest.mark.parametrize(
    ("name", "model", "tag"),
    [
        pytest.param(*case, id=f"{case[0]}-{case[2]}", marks=[pytest.mark.soak] if case[1] == TWO_LIARS.name else [])
        for case in CASES
    ],
)
def test_a_promise_fails_without_its_guard(name: str, model: str, tag: str) -> None:
    changes: dict[str, str | int] = {"SPECIFICATION": "", "INIT": "Init", "NEXT": "Next", "Without": without(tag)}
    if tag == "AC2 survivor":  # two have to be on the side that does not survive
        changes["NPlayers"] = 4
    if model == "MCSettleTie":
        changes["CONSTRAINT"] = ""
    result = run_changed(model, name, **changes)
    assert result.verdict == "invariant", result.detail
    assert name in result.detail


def test_every_guard_is_taken_out_in_some_case() -> None:
    text = (spec_folder() / "CatanSettling.tla").read_text(encoding="utf-8")
    tags = {*re.findall(r'Keeps\("([^"]+)"', text), *re.findall(r'"(\w\w1 \w+)" \\(?:not)?in Without', text)}
    assert tags == {tag for _, _, tag in CASES}
