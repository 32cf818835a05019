"""Every guard of the replication is needed: without it TLC finds a counterexample.

A guard is taken out of a copy of the specification; the invariants and the game that is to be implemented stay as they
are.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from catan_p2p.model_check.tlc import Tlc, TlcResult, spec_folder


class Deletion(NamedTuple):
    """Guards that are taken out together, by their tags, and the model in which that is seen."""

    name: str
    tags: tuple[str, ...]
    model: str
    replaced: tuple[str, str] = ("", "")
    """Words of the module that are replaced, where it is not a guard that matters."""


QUICK = (
    Deletion("validate before moving", ("TI8",), "MCP2PLiar"),
    Deletion("fast-forward only", ("TI5",), "MCP2PTwo"),
    Deletion("wait for all discards", ("SI5", "MB3"), "MCP2PTwo"),
    Deletion("delete after merge", ("RM4",), "MCP2PTwo"),
    Deletion("wait for all answers", ("SI5", "CT3", "WT3"), "MCP2POffer"),
    Deletion("attested, without signatures", ("TI9",), "MCP2PForger"),
    Deletion("attested, by signature", ("TI9",), "MCP2PForgerSigned"),
    Deletion("charge only with what is attested", ("PR5",), "MCP2PForger"),
    Deletion("charge only with a contradiction", ("PR4",), "MCP2PTwo"),
)
SLOW = (
    Deletion("all parents first", ("TI6",), "MCP2PTwo"),
    Deletion("one continuation only", ("TI7",), "MCP2PLiarLoss"),
    Deletion("act in turn", ("SI4",), "MCP2PTwo"),
    Deletion("one action at a time", ("PL2",), "MCP2PTwo"),
    Deletion("charge only with what is attested, by signature", ("PR5",), "MCP2PForgerSigned"),
    Deletion("fast-forward only, with answers", ("TI5",), "MCP2POffer"),
    Deletion("all parents first, with answers", ("TI6",), "MCP2POffer"),
    Deletion("one continuation only, with answers", ("TI7",), "MCP2PLiarAnswer"),
    Deletion("validate before moving, with answers", ("TI8",), "MCP2PLiarAnswer"),
    Deletion("delete after merge, with answers", ("RM4",), "MCP2PTwoOffers"),
    Deletion("act in turn, with answers", ("SI4",), "MCP2PTwoOffers"),
    Deletion(
        "show copies of others' logs",
        (),
        "MCP2PUnsigned",
        ("Visible(p) == Reached(shown[p]) \\cup Commits(journal[p].seen)", "Visible(p) == Reached(shown[p])"),
    ),
)


def without(folder: Path, tags: tuple[str, ...], replaced: tuple[str, str] = ("", "")) -> Path:
    """A copy of the specification in which the guards with these tags are gone from what the peers do.

    A guard of the game is taken out of the game that the peers play, and stays in the game that they are to implement.
    """
    for file in spec_folder().glob("*.tla"):
        shutil.copy(file, folder)
    for config in spec_folder().glob("MCP2P*.cfg"):
        shutil.copy(config, folder)
    module = folder / "CatanP2P.tla"
    assert replaced[0] in module.read_text()
    module.write_text(module.read_text().replace(*replaced) if replaced[0] else module.read_text())
    for tag in tags:
        module = folder / "CatanP2P.tla"
        if not _lines_of(module, tag):
            played = folder / "CatanPlayed.tla"
            if not played.exists():
                played.write_text((folder / "Catan.tla").read_text().replace("MODULE Catan -", "MODULE CatanPlayed -"))
                module.write_text(module.read_text().replace("EXTENDS Catan\n", "EXTENDS CatanPlayed\n"))
            module = played
        (line,) = _lines_of(module, tag)
        module.write_text(module.read_text().replace(line + "\n", ""))
    return folder


def _lines_of(module: Path, tag: str) -> list[str]:
    return [line for line in module.read_text().splitlines() if re.search(rf"\\\* {tag} \w+$", line)]


def check(folder: Path, model: str) -> TlcResult:
    """Run TLC on a model of a copy of the specification."""
    return Tlc.find().run(folder / "MCP2P.tla", folder / f"{model}.cfg")


@pytest.mark.spec
@pytest.mark.parametrize("deletion", QUICK, ids=lambda deletion: deletion.name)
def test_a_deleted_guard_is_noticed(tmp_path: Path, deletion: Deletion) -> None:
    result = check(without(tmp_path, deletion.tags, deletion.replaced), deletion.model)
    assert result.verdict in ("invariant", "property", "deadlock"), result.detail
    assert result.states


@pytest.mark.soak
@pytest.mark.spec
@pytest.mark.parametrize("deletion", SLOW, ids=lambda deletion: deletion.name)
def test_a_less_prominent_deleted_guard_is_noticed_too(tmp_path: Path, deletion: Deletion) -> None:
    test_a_deleted_guard_is_noticed(tmp_path, deletion)
