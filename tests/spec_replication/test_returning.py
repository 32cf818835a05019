"""Disks that go back: TLC finds nobody honest charged, and finds it at once where a peer does not ask the others."""

import re
import shutil
from pathlib import Path

import pytest

from catan_p2p.model_check.configurations import size_of
from catan_p2p.model_check.replication_models import RETURNING
from catan_p2p.model_check.tlc import TlcResult, spec_folder
from tests.model_check.guard_mutations import quick_tlc

pytestmark = pytest.mark.long


def check_without(folder: Path, tag: str) -> TlcResult:
    """Explore the model of a copy of the specification in which a guard is gone."""
    for file in spec_folder().glob("*.tla"):
        shutil.copy(file, folder)
    module = folder / "CatanReturning.tla"
    (line,) = [line for line in module.read_text().splitlines() if re.search(rf"\\\* {tag} \w+$", line)]
    module.write_text(module.read_text().replace(line + "\n", ""))
    return quick_tlc().run(folder / RETURNING.module_file.name, RETURNING.config, ["-deadlock"])


@pytest.mark.needs("spec")
def test_whoever_asks_the_others_first_is_never_charged() -> None:
    result = quick_tlc().run(RETURNING.module_file, RETURNING.config, RETURNING.arguments())
    assert result.verdict == "fine", result.detail
    assert (result.distinct, result.generated, result.depth) == size_of(RETURNING.name)


@pytest.mark.sampled(3)
@pytest.mark.needs("spec")
@pytest.mark.parametrize("tag", ["SH1", "HR5"], ids=["it acts before it has heard", "it hears without taking in"])
def test_whoever_does_not_is_charged(tmp_path: Path, tag: str) -> None:
    result = check_without(tmp_path, tag)
    assert result.verdict == "invariant", result.detail
    assert re.search(r"NothingSeenIsTakenBack|NobodyHonestContradicts|ProofsAreTrue|Prefixes", result.detail)
