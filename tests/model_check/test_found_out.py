"""Every promise of spec/CatanFoundOut.tla is kept, and is seen to fail without the guard that keeps it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from catan_p2p.model_check.check import check_model
from catan_p2p.model_check.models import FOUND_OUT
from catan_p2p.model_check.tlc import spec_folder
from tests.model_check.guard_mutations import quick_tlc

pytestmark = pytest.mark.spec

TAGS = ("VO1 all", "VO2 newest", "VO3 void", "CH1 watcher", "FO2 bound")
"""Without any of them, not all the honest end alike: VO3 is what was lacking where play stood still."""


def run(tmp_path: Path, **changes: str) -> str:
    """What TLC finds where constants have other values."""
    text = FOUND_OUT.config_file.read_text(encoding="utf-8")
    for name, value in changes.items():
        text, count = re.subn(rf"{name} = .*", f"{name} = {value}", text)
        assert count == 1
    config = tmp_path / "FoundOut.cfg"
    config.write_text(text, encoding="utf-8")
    return quick_tlc().run(spec_folder() / "CatanFoundOut.tla", config, ["-deadlock"]).verdict


def test_every_promise_is_kept() -> None:
    assert check_model(FOUND_OUT, quick_tlc()).is_as_expected


@pytest.mark.parametrize("sends", ["{}", '{"no"}'])
def test_play_goes_on_whatever_the_excuser_sends(tmp_path: Path, sends: str) -> None:
    assert run(tmp_path, LiarSends=sends) == "fine"


@pytest.mark.soak
def test_every_promise_is_kept_among_four(tmp_path: Path) -> None:
    assert run(tmp_path, NPlayers="4") == "fine"


@pytest.mark.parametrize("tag", TAGS)
def test_play_stands_still_or_forks_without_a_guard(tmp_path: Path, tag: str) -> None:
    assert run(tmp_path, Without=f'{{"{tag}"}}') == "property"


def test_every_guard_is_taken_out_in_some_case() -> None:
    text = (spec_folder() / "CatanFoundOut.tla").read_text(encoding="utf-8")
    assert {*re.findall(r'"(\w\w\d \w+)"', text)} == {*TAGS}
