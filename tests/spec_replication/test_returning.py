"""Disks that go back: TLC finds nobody honest charged, and finds it at once where a peer does not ask the others."""

import re

import pytest

from catan_p2p.model_check.replication_models import RETURNING
from tests.model_check.guard_mutations import run_texts, without_guard
from tests.spec_replication.test_models import explore

pytestmark = pytest.mark.long


@pytest.mark.needs("spec")
def test_whoever_asks_the_others_first_is_never_charged() -> None:
    explore(RETURNING)


@pytest.mark.sampled(3)
@pytest.mark.needs("spec")
@pytest.mark.parametrize(
    "tag", ["SH1 heard", "HR5 held"], ids=["it acts before it has heard", "it hears without taking in"]
)
def test_whoever_does_not_is_charged(tag: str) -> None:
    result = run_texts(RETURNING.module_file, RETURNING.config, without_guard(tag, "CatanReturning.tla"))
    assert result.verdict == "invariant", result.detail
    assert re.search(r"NothingSeenIsTakenBack|NobodyHonestContradicts|ProofsAreTrue|Prefixes", result.detail)
