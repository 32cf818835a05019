"""The guards of the specification, by tag, are those of the program; each of them is needed or known to be implied."""

import inspect
import re
import sys

import pytest

from catan_p2p.game.actions import ACTIONS, HIDDEN_ACTIONS, ActionKind
from catan_p2p.model_check.models import MODELS
from catan_p2p.model_check.tlc import spec_folder
from tests.model_check import unseen
from tests.model_check.guard_mutations import (
    IMPLIED,
    MODEL_OF,
    is_noticed,
    model_of,
    quick_tlc,
    run_model,
    tags,
    without_guard,
)

pytestmark = pytest.mark.long

TAG = re.compile(r'"([A-Z]{2}\d+ \w+)"')
ACTION = re.compile(r"^(\w+)\(p[^)]*\) ==\n((?:    .*\n)+)", re.MULTILINE)


@pytest.mark.parametrize("kind", (*ACTIONS, *HIDDEN_ACTIONS), ids=lambda kind: kind.name)
def test_guard_tags_are_equal_on_both_sides(kind: ActionKind) -> None:
    text = (spec_folder() / "Catan.tla").read_text(encoding="utf-8")
    body = next(found[2] for found in ACTION.finditer(text) if found[1] == kind.name)
    in_spec = re.findall(r"\\\* ([A-Z]{2}\d+ \w+)$", body, re.MULTILINE)
    in_program = TAG.findall(inspect.getsource(sys.modules[kind.cls.__module__]))
    assert in_spec == list(dict.fromkeys(in_program))


def test_every_guard_has_a_model_and_what_others_imply_is_a_guard() -> None:
    assert {model_of(tag) for tag in tags()} <= {model.name for model in MODELS}
    assert set(IMPLIED) <= set(tags())


def test_the_page_has_every_mistake_that_nothing_sees() -> None:
    assert unseen.PAGE.read_text(encoding="utf-8") == unseen.page()


@pytest.mark.soak
@pytest.mark.needs("spec")
@pytest.mark.parametrize("letters", MODEL_OF)
def test_deleting_a_guard_is_noticed(letters: str) -> None:
    tlc = quick_tlc()
    wanted = [tag for tag in tags() if tag.startswith(letters)]
    whole = {name: run_model(name, tlc) for name in {model_of(tag) for tag in wanted}}
    for tag in wanted:
        seen = run_model(model_of(tag), tlc, without_guard(tag))
        assert is_noticed(whole[model_of(tag)], seen) is (tag not in IMPLIED), tag
