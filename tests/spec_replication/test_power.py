"""The replication where the power fails: TLC explores it, and each guard is needed."""

import re
from typing import NamedTuple

import pytest

from catan_p2p.model_check.configurations import config_text
from catan_p2p.model_check.replication_models import POWER, ask_constants
from catan_p2p.model_check.replication_steps import describe_steps
from catan_p2p.model_check.tlc import spec_folder
from tests.for_each import with_soak
from tests.model_check.guard_mutations import alone, quick_tlc, run_texts
from tests.model_check.spec_text import module_text
from tests.spec_replication.test_guards import named
from tests.spec_replication.test_models import explore

pytestmark = pytest.mark.long


class PowerMistake(NamedTuple):
    """Words of the module that are replaced by others, which TLC sees."""

    name: str
    broken: str
    """The invariant or property that TLC sees broken when it checks nothing else."""
    replaced: tuple[str, str]
    untold: tuple[str, ...] = ()
    """What is told of steps that the peers never take."""


UNSYNCED = ("    /\\ tail[p] = <<>>                                       \\* PS1 synced\n", "")
NO_SYNC = ("synced' = [synced EXCEPT ![p] = journal[p]]", "synced' = synced")
QUICK = (
    PowerMistake("show before the journal is synced", "ShownIsDurable", UNSYNCED),
    PowerMistake("show before the journal is synced, as others see it", "NothingSeenIsUndone", UNSYNCED),
)
SLOW = (
    PowerMistake("show before the journal is synced, twice", "NobodyHonestContradicts", UNSYNCED),
    PowerMistake(
        "a sync that forgets nothing", "PowerTypeOK", NO_SYNC, ("no step of the peers leads here, which changes tail",)
    ),
)
"""Every invariant of the module is here or above."""


@pytest.mark.sampled(3, together=True)
@pytest.mark.needs("spec")
def test_the_model_is_explored_completely() -> None:
    explore(POWER)


@pytest.mark.sampled(3, together=True)
@pytest.mark.needs("spec")
@pytest.mark.parametrize("mistake", with_soak(QUICK, SLOW), ids=lambda mistake: mistake.name)
def test_a_mistake_is_noticed(mistake: PowerMistake) -> None:
    text = module_text("CatanPower.tla")
    assert mistake.replaced[0] in text
    changed = {"CatanPower.tla": text.replace(*mistake.replaced)}
    result = run_texts(POWER.module_file, config_text(alone(POWER.name, mistake.broken)), changed)
    assert result.verdict in ("invariant", "property"), result.detail
    assert named(result) == mistake.broken
    steps = describe_steps(result.states, ask_constants(quick_tlc(), POWER.module_file, POWER.config))
    assert len(steps) == len(result.states)
    assert tuple(step for step in steps if step.startswith(("no step", "nothing"))) == mistake.untold


def test_every_property_of_the_module_has_been_seen_broken() -> None:
    defined = {*re.findall(r"^(\w+) ==", module_text("CatanPower.tla"), re.MULTILINE)}
    listed = {name for part in re.split("INVARIANTS|PROPERTIES", POWER.config)[1:] for name in part.split()}
    assert listed & defined == {mistake.broken for mistake in (*QUICK, *SLOW)}


def test_the_table_in_the_specification_has_the_first_mistake() -> None:
    text = (spec_folder() / "README.md").read_text(encoding="utf-8").partition("### Where the power fails\n")[2]
    ((name, broken),) = re.findall(r"^\| (.+?) \| `(\w+)` \| .+ \|$", text, re.MULTILINE)
    assert (name, broken) == (f"{QUICK[0].name} (PS1)", QUICK[0].broken)
