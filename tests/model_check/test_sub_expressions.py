"""Mistakes in sub-expressions are drawn from SANY's tree, and a run of TLC tells those that it sees from the others."""

import os

import pytest

from catan_p2p.model_check.models import SHARES
from tests.conftest import FIRST
from tests.model_check.guard_mutations import quick_tlc
from tests.model_check.mutant_search import model_states, search
from tests.model_check.sub_expression_mutations import effects, reasons, sample


@pytest.mark.needs("spec")
def test_what_nothing_sees_is_among_the_mistakes() -> None:
    tlc = quick_tlc()
    for file in {file for file, *_ in reasons()}:
        known = {key[1:] for key in reasons() if key[0] == file}
        assert known <= {(one.definition, one.old, one.new) for one in effects(file, tlc)}


@pytest.mark.needs("spec")
def test_the_mistakes_of_the_day_are_seen_or_have_a_reason_and_what_changes_nothing_is_not_seen() -> None:
    file, tlc = "CatanShares.tla", quick_tlc()
    every = effects(file, tlc)
    told = {one.what for one in every if one.definition == "MoveOver"}
    assert told >= {"B for A", "side stays"}
    left = sample(every, 9, int(os.environ[FIRST]))
    none = left[0]._replace(new=left[0].old, what="none")
    left = [one for one in left if (one.file, one.definition, one.old, one.new) not in reasons()]
    assert left
    for number, model in enumerate(SHARES):
        tried = [*left, none] if number == 0 else left
        seen = search(file, tried, [()] * len(tried), model_states(model), tlc) if left else {}
        assert none not in seen
        left = [one for one in left if one not in seen]
    assert left == []
