"""Every promise of spec/CatanShares.tla is kept, and is seen to fail without the guards that keep it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from catan_p2p.model_check.check import check_model
from catan_p2p.model_check.models import SHARES, Model
from catan_p2p.model_check.tlc import spec_folder
from tests.model_check.guard_mutations import SHARES_RED, TABLE, quick_tlc, shares_rows

pytestmark = pytest.mark.spec

CASES = [(name, model, tags) for name, cases in SHARES_RED.items() for model, tags in cases]


def run(tmp_path: Path, model: str, tags: set[str], head: str, tail: str) -> str:
    text = (spec_folder() / f"{model}.cfg").read_text(encoding="utf-8")
    quoted = ", ".join(f'"{tag}"' for tag in sorted(tags))
    constants = text.partition("CONSTANTS")[2].partition("INVARIANTS")[0].replace("{}", f"{{{quoted}}}")
    config = tmp_path / "Shares.cfg"
    config.write_text(f"SPECIFICATION {head}\nCONSTANTS{constants}{tail}\n")
    result = quick_tlc().run(spec_folder() / "CatanShares.tla", config, ["-deadlock"])
    return f"{result.verdict}: {result.detail}"


@pytest.mark.parametrize("model", SHARES, ids=lambda model: model.name)
def test_every_promise_is_kept(model: Model) -> None:
    assert check_model(model, quick_tlc()).is_as_expected


@pytest.mark.parametrize(
    ("name", "model", "tags"), CASES, ids=[f"{name}-{model}-{len(tags)}" for name, model, tags in CASES]
)
def test_a_promise_fails_without_its_guards(tmp_path: Path, name: str, model: str, tags: set[str]) -> None:
    is_live = name == "EveryCallIsAnswered"
    found = run(tmp_path, model, tags, "Spec", f"{'PROPERTY' if is_live else 'INVARIANT'} {name}")
    assert found.startswith("property" if is_live else "invariant"), found
    assert is_live or name in found


def test_the_vote_alone_keeps_shares_apart_where_no_more_were_told_than_it_counts(tmp_path: Path) -> None:
    found = run(
        tmp_path, "MCShares", {"SH3 once"}, "Spec", "INVARIANTS NoShareOutlivesItsCall LaterCallsTakeLaterShares"
    )
    assert found.startswith("fine"), found


def test_every_guard_is_taken_out_in_some_case() -> None:
    text = (spec_folder() / "CatanShares.tla").read_text(encoding="utf-8")
    tags = {*re.findall(r'Keeps\("([^"]+)"', text), *re.findall(r'"(\w\w\d \w+)" \\notin Without', text)}
    assert tags == {tag for _, _, tags in CASES for tag in tags}


def test_the_table_of_mutations_has_these_cases() -> None:
    assert TABLE.read_text(encoding="utf-8").endswith(shares_rows())
