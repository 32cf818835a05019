"""The replication where the power fails: TLC explores it, and each guard is needed."""

import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from catan_p2p.model_check.configurations import config_text
from catan_p2p.model_check.replication_models import POWER, ask_constants
from catan_p2p.model_check.replication_steps import describe_steps
from catan_p2p.model_check.tlc import spec_folder
from tests.model_check.guard_mutations import alone, quick_tlc
from tests.spec_replication.test_guards import named
from tests.spec_replication.test_models import explore

pytestmark = pytest.mark.long


class PowerMistake(NamedTuple):
    """Words of the module that are replaced by others, which TLC sees."""

    name: str
    broken: str
    """The invariant or property that TLC sees broken when it checks nothing else."""
    replaced: tuple[str, str]


UNSYNCED = ("    /\\ tail[p] = <<>>                                       \\* PS1 synced\n", "")
NO_SYNC = ("synced' = [synced EXCEPT ![p] = journal[p]]", "synced' = synced")
QUICK = (
    PowerMistake("show before the journal is synced", "ShownIsDurable", UNSYNCED),
    PowerMistake("show before the journal is synced, as others see it", "NothingSeenIsUndone", UNSYNCED),
)
SLOW = (
    PowerMistake("show before the journal is synced, twice", "NobodyHonestContradicts", UNSYNCED),
    PowerMistake("a sync that forgets nothing", "PowerTypeOK", NO_SYNC),
)
"""Every invariant of the module is here or above."""


@pytest.mark.sampled(3, together=True)
@pytest.mark.needs("spec")
def test_the_model_is_explored_completely() -> None:
    explore(POWER)


@pytest.mark.sampled(3, together=True)
@pytest.mark.needs("spec")
@pytest.mark.parametrize("mistake", QUICK, ids=lambda mistake: mistake.name)
def test_a_mistake_is_noticed(tmp_path: Path, mistake: PowerMistake) -> None:
    for file in spec_folder().glob("*.tla"):
        shutil.copy(file, tmp_path)
    module, (old, new) = tmp_path / "CatanPower.tla", mistake.replaced
    assert old in module.read_text()
    module.write_text(module.read_text().replace(old, new))
    model = tmp_path / POWER.module_file.name
    result = quick_tlc().run(model, config_text(alone(POWER.name, mistake.broken)), ["-deadlock"])
    assert result.verdict in ("invariant", "property"), result.detail
    assert named(result) == mistake.broken
    steps = describe_steps(result.states, ask_constants(quick_tlc(), model, POWER.config))
    assert len(steps) == len(result.states)
    assert not [step for step in steps if step.startswith(("no step", "nothing"))]


@pytest.mark.soak
@pytest.mark.needs("spec")
@pytest.mark.parametrize("mistake", SLOW, ids=lambda mistake: mistake.name)
def test_a_mistake_is_noticed_after_a_while(tmp_path: Path, mistake: PowerMistake) -> None:
    test_a_mistake_is_noticed(tmp_path, mistake)


def test_every_property_of_the_module_has_been_seen_broken() -> None:
    defined = {*re.findall(r"^(\w+) ==", (spec_folder() / "CatanPower.tla").read_text(), re.MULTILINE)}
    listed = {name for part in re.split("INVARIANTS|PROPERTIES", POWER.config)[1:] for name in part.split()}
    assert listed & defined == {mistake.broken for mistake in (*QUICK, *SLOW)}


def test_the_table_in_the_specification_has_the_first_mistake() -> None:
    text = (spec_folder() / "README.md").read_text(encoding="utf-8").partition("### Where the power fails\n")[2]
    ((name, broken),) = re.findall(r"^\| (.+?) \| `(\w+)` \| .+ \|$", text, re.MULTILINE)
    assert (name, broken) == (f"{QUICK[0].name} (PS1)", QUICK[0].broken)
