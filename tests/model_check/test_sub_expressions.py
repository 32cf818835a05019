"""Mistakes in sub-expressions are drawn from SANY's tree, and a run of TLC tells those that it sees from the others."""

from __future__ import annotations

import pytest

from catan_p2p.model_check.models import SHARES
from tests.model_check.guard_mutations import quick_tlc
from tests.model_check.mutant_search import model_states, search
from tests.model_check.sub_expression_mutations import TABLE, effects, reasons


def test_every_mistake_that_nothing_sees_has_a_reason() -> None:
    rows = TABLE.read_text(encoding="utf-8").partition("## Not seen")[2].splitlines()[4:]
    told = {row.rpartition(" | ")[2].removesuffix(" |").replace("\\|", "|") for row in rows}
    assert rows
    assert told == set(reasons().values())


@pytest.mark.spec
def test_a_mistake_is_seen_and_what_changes_nothing_is_not() -> None:
    tlc = quick_tlc()
    found = [one for one in effects("CatanShares.tla", tlc) if one.definition == "MoveOver"]
    assert {one.what for one in found} >= {"without voted", "B for A", "side stays"}
    none = found[0]._replace(new=found[0].old, what="none")
    seen = search("CatanShares.tla", [*found, none], [()] * (len(found) + 1), model_states(SHARES[0]), tlc)
    assert none not in seen
    assert len(seen) == len(found)
