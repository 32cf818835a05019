"""The table of effect mutations: it knows every effect of the specification, and what CI runs sees each mistake."""

import re

import pytest

from catan_p2p.game.actions import ACTIONS, HIDDEN_ACTIONS, ActionKind
from catan_p2p.model_check.models import LIVENESS, SMALL_MODELS, TRAILS
from tests.model_check.all_mutants import Variant, catan_with
from tests.model_check.effect_mutations import IMPLIED, STEPS, is_effect, judge, mutants
from tests.model_check.guard_mutations import quick_tlc
from tests.model_check.spec_text import definitions, updates

pytestmark = pytest.mark.long


def test_every_check_is_one_that_ci_runs() -> None:
    """The chosen steps are tests/model_check/test_given.py, the models tests/model_check/test_models.py."""
    models = {model.name for model in (*SMALL_MODELS, *LIVENESS, TRAILS)}
    assert {one.check for one in mutants()} <= {STEPS, *models}


def test_what_nothing_sees_is_among_the_mistakes() -> None:
    assert set(IMPLIED) <= {(one.definition, one.what) for one in mutants()}


def test_there_are_many_and_no_two_are_the_same() -> None:
    changed = {(one.file, one.start, one.old, one.new) for one in mutants()}
    assert len(changed) == len(mutants()) > 300
    assert len({(one.definition, one.what) for one in mutants()}) == len(mutants())


PRIMED = re.compile(r"\b(?:SU|G)' =|UNCHANGED (?:SU|G|vars)\b")


def test_every_primed_expression_has_a_mistake() -> None:
    for kind in (*ACTIONS, *HIDDEN_ACTIONS):
        one = definitions()[kind.name]
        starts = [found.start() for found in PRIMED.finditer(one.text)]
        assert starts, kind.name
        for start, end in zip(starts, [*starts[1:], len(one.text)], strict=True):
            here = [mutant for mutant in mutants() if mutant.definition == kind.name]
            assert any(start <= mutant.start - one.start < end for mutant in here), one.text[start:end]


def test_every_update_has_a_mistake() -> None:
    for one in filter(is_effect, definitions().values()):
        for update in updates(one.text):
            assert any(mutant.start == one.start + update.start for mutant in mutants()), (one.name, update)


@pytest.mark.parametrize("kind", (*ACTIONS, *HIDDEN_ACTIONS), ids=lambda kind: kind.name)
def test_every_action_has_mistakes(kind: ActionKind) -> None:
    assert sum(one.definition == kind.name for one in mutants()) >= 2


NAMED = (
    "monopoly takes from one player only",
    "a village does not cut the longest road",
    "a wharf closed to cities",
    "dice sum 2 never yields",
    "the first harvest gives one card per type",
    "a tie among others gives the bonus to the lowest seat",
    "the phase after an offer: trading only",
    "the phase after an offer: never apart",
    "the phase after a withdrawal: trading only",
    "a shortage when the bank has exactly enough",
    "the last road is not placed by the card",
    "one road only if it is the last",
)


def test_mistakes_that_once_went_unseen_are_among_them() -> None:
    assert set(NAMED) <= {one.what for one in mutants()}
    for action in ("BuildRoad", "BuildVillage", "BuyDevCard", "BuildCity", "PlayKnight", "PlayRoadBuilding"):
        assert any(one.definition == action and one.what == "a win is overlooked" for one in mutants())


def test_variants_are_told_apart_by_a_variable() -> None:
    """The text in which all mutants are at once has each of them, and its definition as it was."""
    one = next(one for one in mutants() if one.what == "a wharf closed to cities")
    start = one.start - definitions()["HasWharf"].start
    text = catan_with([Variant("HasWharf", start, one.old, one.new)])
    assert "CASE mutant = 1 -> HasWharf_1(p, wt) [] OTHER -> HasWharf_0(p, wt)" in text
    assert f"HasWharf_0{definitions()['HasWharf'].text.removeprefix('HasWharf')}" in text
    assert one.new in text


@pytest.mark.needs("spec")
def test_mistakes_are_seen_and_what_changes_nothing_is_not() -> None:
    """Two at once, and one that is none."""
    wanted = {("SignEnd", "!.due[p] stays"), ("Shuffle", "!.tp stays")}
    one, other = (m for m in mutants() if (m.definition, m.what) in wanted)
    none = one._replace(what="none", new=one.old)
    assert set(judge([one, other, none], quick_tlc())) == {one, other}


@pytest.mark.soak
@pytest.mark.needs("spec")
def test_every_mistake_in_an_effect_is_noticed() -> None:
    seen = judge(mutants(), quick_tlc())
    assert {(one.definition, one.what) for one in mutants() if one not in seen} == set(IMPLIED)
