"""Every guard of the replication is needed, and every property notices something: TLC finds a counterexample.

A guard is taken out of a copy of the specification, or words of it are replaced; the invariants and the game that is to
be implemented stay as they are.
"""

import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from catan_p2p.model_check.configurations import config_text, configured, settings_of
from catan_p2p.model_check.tlc import TlcResult, spec_folder
from tests.for_each import with_soak
from tests.model_check.guard_mutations import alone, quick_tlc

pytestmark = [pytest.mark.long, pytest.mark.sampled(6)]


class Deletion(NamedTuple):
    """Guards that are taken out together, by their tags, and the model in which that is seen."""

    name: str
    """As in the table of spec/README.md, where it is in a row of its own."""
    tags: tuple[str, ...]
    model: str
    broken: str
    """The invariant or property that TLC sees broken first, or ``deadlock``."""
    replaced: tuple[str, str] = ("", "")
    """Words of the module that are replaced, where it is not a guard that matters."""


QUICK = (
    Deletion("validate before moving", ("TI8",), "MCP2PLiar", "OnlySound"),
    Deletion("fast-forward only", ("TI5",), "MCP2PTwo", "EveryViewIsAGame"),
    Deletion("wait for all discards", ("SI5", "MB3"), "MCP2PTwo", "OwnersOnly"),
    Deletion("delete after the merge is kept", ("RM4",), "MCP2PTwo", "NothingIsLost"),
    Deletion("wait for all answers", ("SI5", "CT3", "WT3"), "MCP2POffer", "OwnersOnly"),
    Deletion("attested", ("TI9",), "MCP2PForger", "NoneForged"),
    Deletion("charge only with what is attested", ("PR5",), "MCP2PForger", "ProofsAreTrue"),
    Deletion("charge only with a contradiction", ("PR4",), "MCP2PTwo", "ProofsAreTrue"),
)
SLOW = (
    Deletion("all parents first", ("TI6",), "MCP2PTwo", "EveryViewIsAGame"),
    Deletion("one continuation only", ("TI7",), "MCP2PLiarLoss", "NeverBoth"),
    Deletion("act in turn", ("SI4",), "MCP2PTwo", "OwnersOnly"),
    Deletion("one action at a time", ("PL2",), "MCP2PTwo", "RefinesNext"),
    Deletion("attested, by signature", ("TI9",), "MCP2PForgerSigned", "NoneForged"),
    Deletion("charge only with what is attested, by signature", ("PR5",), "MCP2PForgerSigned", "ProofsAreTrue"),
    Deletion("fast-forward only, with answers", ("TI5",), "MCP2POffer", "EveryViewIsAGame"),
    Deletion("all parents first, with answers", ("TI6",), "MCP2POffer", "EveryViewIsAGame"),
    Deletion("one continuation only, with answers", ("TI7",), "MCP2PLiarAnswer", "NeverBoth"),
    Deletion("validate before moving, with answers", ("TI8",), "MCP2PLiarAnswer", "OnlySound"),
    Deletion("delete after the merge is kept, with answers", ("RM4",), "MCP2PTwoOffers", "NothingIsLost"),
    Deletion("act in turn, with answers", ("SI4",), "MCP2PTwoOffers", "OwnersOnly"),
    Deletion(
        "show copies of others' logs",
        (),
        "MCP2PUnsigned",
        "deadlock",
        ("Visible(p) == Reached(shown[p]) \\cup Commits(journal[p].seen)", "Visible(p) == Reached(shown[p])"),
    ),
    Deletion(
        "remember the own reply",
        (),
        "MCP2PTwo",
        "NothingIsForgotten",
        ("journal[p].seen.replies \\cup ({journal[p].reply} \\ {NoCommit})", "journal[p].seen.replies"),
    ),
    Deletion(
        "remember what was seen of others",
        (),
        "MCP2PTwo",
        "NothingIsForgotten",
        ("{journal[p].log, journal[p].seen.head}", "{journal[p].log}"),
    ),
)

RESTARTED = "shown' = [shown EXCEPT ![p] = [ref \\in Refs |-> journal[p][ref]]]"
READING = "ReadFrom(p, q) \\/ ProveFrom(p, q)"
FAIR = "WF_p2pVars(Diligent(p) \\/ Eager(p) \\/ Recovering(p))"
LAZY = "WF_p2pVars(Diligent(p) \\/ Recovering(p))"
QUICKLY_RED = (
    Deletion("", ("SI4",), "MCP2PTwo", "Prefixes"),
    Deletion("", (), "MCP2PTwo", "NothingIsForgotten", ("{journal[p].log, journal[p].seen.head}", "{journal[p].log}")),
    Deletion("", ("TI8",), "MCP2PLiar", "ViewsAreSound"),
    Deletion(
        "",
        (),
        "MCP2PTwo",
        "GameIsSound",
        ("!.bnk.RC = with(@, commit.G.bnk.RC, game.bnk.RC)", "!.bnk.RC = @"),
    ),
    Deletion("", (), "MCP2PTwo", "LogsOnlyGrow", (RESTARTED, RESTARTED.replace("journal[p][ref]", "RootId"))),
)
SLOWLY_RED = (
    Deletion("", (), "MCP2PTwo", "P2PTypeOK", ("/\\ up' = up \\cup {p}", "/\\ up' = up \\cup {p, NoOwner}")),
    Deletion("", ("SI4",), "MCP2PTwo", "OwnersOnly"),
    Deletion("", ("RM4",), "MCP2PTwo", "NothingIsLost"),
    Deletion("", ("SI5", "MB3"), "MCP2PTwo", "MergesAreWhole"),
    Deletion("", ("RM4",), "MCP2PTwo", "RemovedAfterMerge"),
    Deletion("", ("PR4",), "MCP2PTwo", "ProofsAreTrue"),
    Deletion("", ("TI8",), "MCP2PLiar", "OnlySound"),
    Deletion("", ("TI9",), "MCP2PForger", "NoneForged"),
    Deletion("", ("TI5",), "MCP2PTwo", "EveryViewIsAGame"),
    Deletion("", ("PL2",), "MCP2PTwo", "RefinesNext"),
    Deletion("", ("TI5",), "MCP2PCountedTalk", "EveryViewIsAnUncountedGame"),
    Deletion("", ("PL2",), "MCP2PCountedTalk", "RefinesNextUncounted"),
    Deletion("", ("TI7",), "MCP2PLiarLoss", "NeverBoth"),
    Deletion("", ("PL2",), "MCP2PSetup", "Refines"),
    Deletion("", (), "MCP2PLive", "Convergence", (READING, "ProveFrom(p, q)")),
    Deletion("", (), "MCP2PLive", "PlayGoesOn", (FAIR, LAZY)),
    Deletion("", (), "MCP2PLive", "TheAwaitedGoOn", (FAIR, LAZY)),
    Deletion("", (), "MCP2PLiarLive", "LiarsAreNamed", (READING, "ReadFrom(p, q)")),
)
"""For every property a mistake that it notices when it alone is checked."""


def without(folder: Path, tags: tuple[str, ...], replaced: tuple[str, str] = ("", "")) -> Path:
    """A copy of the specification in which the guards with these tags are gone from what the peers do.

    A guard of the game is taken out of the game that the peers play, and stays in the game that they are to implement.
    """
    for file in spec_folder().glob("*.tla"):
        shutil.copy(file, folder)
    module = folder / "CatanP2P.tla"
    assert replaced[0] in module.read_text()
    module.write_text(module.read_text().replace(*replaced) if replaced[0] else module.read_text())
    for tag in tags:
        module = folder / "CatanP2P.tla"
        if not _lines_of(module, tag):
            played = folder / "CatanPlayed.tla"
            if not played.exists():
                played.write_text((folder / "Catan.tla").read_text().replace("MODULE Catan -", "MODULE CatanPlayed -"))
                for extending in (module, folder / "MCStrip.tla"):
                    extending.write_text(extending.read_text().replace("EXTENDS Catan\n", "EXTENDS CatanPlayed\n"))
            module = played
        (line,) = _lines_of(module, tag)
        module.write_text(module.read_text().replace(line + "\n", ""))
    return folder


def _lines_of(module: Path, tag: str) -> list[str]:
    return [line for line in module.read_text().splitlines() if re.search(rf"\\\* {tag} \w+$", line)]


def check(folder: Path, model: str) -> TlcResult:
    """Run TLC on a model of a copy of the specification."""
    return quick_tlc().run(folder / "MCP2P.tla", config_text(settings_of(model)))


def check_alone(folder: Path, model: str, name: str) -> TlcResult:
    """The same with one property only, and no look for standstills."""
    return quick_tlc().run(folder / "MCP2P.tla", config_text(alone(model, name)), ["-deadlock"])


def named(result: TlcResult) -> str:
    """What TLC says is broken; a temporal property it does not name."""
    if result.verdict == "deadlock":
        return "deadlock"
    found = re.search(r"(?:Invariant|Action property|property) (\w+) (?:is|was) violated", result.detail)
    return found[1] if found else result.detail.splitlines()[0]


@pytest.mark.needs("spec")
@pytest.mark.parametrize("deletion", with_soak(QUICK, SLOW), ids=lambda deletion: deletion.name)
def test_a_deleted_guard_is_noticed(tmp_path: Path, deletion: Deletion) -> None:
    result = check(without(tmp_path, deletion.tags, deletion.replaced), deletion.model)
    assert named(result) == deletion.broken
    assert result.states


def test_the_table_in_the_specification_says_what_is_noticed() -> None:
    text = (
        (spec_folder() / "README.md")
        .read_text(encoding="utf-8")
        .partition("### Without this guard\n")[2]
        .partition("### ")[0]
    )
    rows = re.findall(r"^\| ([^|]+) \| ([^|]*) \| ([^|]+) \| [^|]+ \|$", text, re.MULTILINE)[1:]
    told = {name: (tags, broken.strip("`")) for name, tags, broken in rows if not set(name) <= {"-"}}
    for name, (tags, broken) in told.items():
        (deletion,) = [one for one in (*QUICK, *SLOW) if one.name == name]
        assert broken == ("no standstill" if deletion.broken == "deadlock" else deletion.broken), name
        assert not deletion.tags or tags == ", ".join(deletion.tags), name
    assert {one.name.partition(", ")[0] for one in (*QUICK, *SLOW)} <= set(told)


@pytest.mark.needs("spec")
@pytest.mark.parametrize("deletion", with_soak(QUICKLY_RED, SLOWLY_RED), ids=lambda deletion: deletion.broken)
def test_a_property_alone_notices_a_mistake(tmp_path: Path, deletion: Deletion) -> None:
    result = check_alone(without(tmp_path, deletion.tags, deletion.replaced), deletion.model, deletion.broken)
    assert result.verdict in ("invariant", "property"), result.detail  # of the one that is checked
    assert result.verdict == "property" or named(result) == deletion.broken


def test_every_property_has_been_seen_broken() -> None:
    models = [settings_of(name) for name in configured() if name.startswith("MCP2P") and name != "MCP2PTrace"]
    kinds = ("INVARIANTS", "PROPERTIES")
    listed = {name for settings in models for kind in kinds for name in str(settings.get(kind, "")).split()}
    assert {one.broken for one in (*QUICKLY_RED, *SLOWLY_RED)} == listed
