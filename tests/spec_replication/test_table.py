"""The replication with votes, excuses, settled lies and failing power: TLC explores it, and each guard is needed."""

import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from catan_p2p.model_check.configurations import config_text
from catan_p2p.model_check.models import TlcModel
from catan_p2p.model_check.replication_models import LARGE_TABLE_MODELS, POWER, TABLE_MODELS, ask_constants
from catan_p2p.model_check.replication_steps import describe_steps
from catan_p2p.model_check.tlc import TlcResult, spec_folder
from tests.model_check.guard_mutations import alone, quick_tlc
from tests.spec_replication.test_guards import named
from tests.spec_replication.test_models import explore

pytestmark = pytest.mark.long

MODELS = {model.name: model for model in (*TABLE_MODELS, *LARGE_TABLE_MODELS, POWER)}


class Mistake(NamedTuple):
    """Guards that are taken out together, by their tags, or words that are replaced, and the model that shows it."""

    name: str
    model: str
    broken: str
    """The invariant or property that TLC sees broken when it checks nothing else."""
    tags: tuple[str, ...] = ()
    replaced: tuple[str, str] = ("", "")


NO_SYNC = ("synced' = [synced EXCEPT ![p] = journal[p]]", "synced' = synced")
NO_SPENT = ("1 + Max({LastShare(p, c), SpentOn(p, c)})", "1 + LastShare(p, c)")
LESS_FAR = ("reached(c) > reached(d) \\/", "reached(c) < reached(d) \\/")
SKIPPED = ("!.ap = NextPresent(g.away, @),", "!.ap = NextPresent(g.away, x),")
PUT_ASIDE = "@ \\cup ((Held(p) \\cup Kept(p)) \\ (Past(on) \\cup replies))"
NO_COPY = (" \\cup UNION {Past(c) : c \\in Named \\cap Kept(p)}", "")
NO_NEWEST = (" \\/ IsVotedFor(p, c)", "")
MAYBE = ('[VoteBy(p, x, on, "yes") EXCEPT', '[VoteBy(p, x, on, "maybe") EXCEPT')

QUICK = (
    Mistake("accept against one's promise", "MCTableSilent", "OneEnd", ("RT1",)),
    Mistake("a yes before the one who would excuse", "MCTableSilent", "OneVote", ("VY9",)),
    Mistake("accept against one's promise, in one vote", "MCTableSilent", "OneVote", ("RT1",)),
    Mistake("who watches testifies", "MCTableTwoAway", "OneEnd", ("VN6",)),
    Mistake("take in again what was put aside", "MCTableTwoAway", "EveryViewGoesOn", ("RT4",)),
    Mistake("the turn goes to the seat after the builder", "MCTableSpecial", "SharedRefinesNext", (), SKIPPED),
    Mistake("show before the journal is synced", "MCPower", "ShownIsDurable", ("PS1",)),
    Mistake("show before the journal is synced, as others see it", "MCPower", "NothingSeenIsUndone", ("PS1",)),
    Mistake("no copy at a relay of what votes name", "MCTableRelay", "NamedIsShown", (), NO_COPY),
    Mistake("go back before all have voted", "MCTableLie", "OneLie", ("MO3",)),
    Mistake("the side that has not come as far survives", "MCTableLie", "OneLie", (), LESS_FAR),
    Mistake("a vote that counts no shares as told", "MCTableShares", "SharesAreTold", (), NO_SPENT),
    Mistake("a share is told twice", "MCTableFork", "NoShareOutlivesItsCall", ("SP1",), NO_SPENT),
)
SLOW = (
    Mistake("a vote that says something else", "MCTableSilent", "TableTypeOK", (), MAYBE),
    Mistake("excuse without all votes", "MCTableSilent", "OneEnd", ("ME1",)),
    Mistake("a voter goes back", "MCTableSilent", "NothingSharedIsPutAside", ("RT1", "RN3")),
    Mistake("nothing is put aside", "MCTableSilent", "NothingIsLostAtTable", (), (PUT_ASIDE, "@ \\cup {}")),
    Mistake("settle on the other side", "MCTableFork", "OneSurvives", ("ML2", "ML3")),
    Mistake("show before the journal is synced, twice", "MCPower", "NobodyHonestContradicts", ("PS1",)),
    Mistake(
        "a sync that forgets nothing",
        "MCPower",
        "PowerTypeOK",
        (),
        NO_SYNC,
    ),
)
"""Every invariant and property of these modules is here or above."""

STANDSTILLS = (
    Mistake("no copy at a relay of what votes name", "MCTableRelay", "", (), NO_COPY),
    Mistake("take in nothing that only votes lead to", "MCTableRelay", "", (), NO_NEWEST),
)
"""What keeps the others from going on without a liar."""

HARMLESS = (Mistake("the vote alone is enough", "MCTableFork", "NoShareOutlivesItsCall", ("SP1",)),)
"""What TLC finds nothing wrong with: the other guard is there."""


def alter(folder: Path, mistake: Mistake) -> Path:
    """A copy of the specification with a mistake; the game that is to be implemented stays as it is."""
    for file in spec_folder().glob("*.tla"):
        shutil.copy(file, folder)
    played = (folder / "Catan.tla").read_text().replace("MODULE Catan -", "MODULE CatanPlayed -")
    (folder / "CatanPlayed.tla").write_text(played)
    for extending in (folder / "CatanP2P.tla", folder / "MCStrip.tla"):
        extending.write_text(extending.read_text().replace("EXTENDS Catan\n", "EXTENDS CatanPlayed\n"))
    changed = [folder / f"{name}.tla" for name in ("CatanPlayed", "CatanTable", "CatanPower")]
    for old, new in [mistake.replaced] if mistake.replaced[0] else []:
        (module,) = [module for module in changed if old in module.read_text()]
        module.write_text(module.read_text().replace(old, new))
    for tag in mistake.tags:
        tagged = re.compile(rf"^.*\\\* {tag} \w+\n", re.MULTILINE)
        (module,) = [module for module in changed[1:] if tagged.search(module.read_text())]
        module.write_text(tagged.sub("", module.read_text()))
    return folder


def check(folder: Path, mistake: Mistake) -> TlcResult:
    """Have TLC check the one invariant or property that the mistake breaks."""
    model = MODELS[mistake.model]
    return quick_tlc().run(
        folder / model.module_file.name, config_text(alone(model.name, mistake.broken)), ["-deadlock"]
    )


@pytest.mark.sampled(8)
@pytest.mark.needs("spec")
@pytest.mark.parametrize("model", (*TABLE_MODELS, POWER), ids=lambda model: model.name)
def test_a_model_is_explored_completely(model: TlcModel) -> None:
    explore(model)


@pytest.mark.soak
@pytest.mark.needs("spec")
@pytest.mark.parametrize("model", LARGE_TABLE_MODELS, ids=lambda model: model.name)
def test_a_large_model_is_explored_completely(model: TlcModel) -> None:
    explore(model)


@pytest.mark.sampled(12)
@pytest.mark.needs("spec")
@pytest.mark.parametrize("mistake", QUICK, ids=lambda mistake: mistake.name)
def test_a_mistake_is_noticed(tmp_path: Path, mistake: Mistake) -> None:
    result = check(alter(tmp_path, mistake), mistake)
    assert result.verdict in ("invariant", "property"), result.detail
    assert named(result) == mistake.broken
    model = MODELS[mistake.model]
    constants = ask_constants(quick_tlc(), tmp_path / model.module_file.name, model.config)
    steps = describe_steps(result.states, constants)
    assert len(steps) == len(result.states)
    assert not [step for step in steps if step.startswith(("no step", "nothing"))]


@pytest.mark.sampled(3)
@pytest.mark.needs("spec")
@pytest.mark.parametrize("mistake", STANDSTILLS, ids=lambda mistake: mistake.name)
def test_honest_players_stand_still_with_a_mistake(tmp_path: Path, mistake: Mistake) -> None:
    model = MODELS[mistake.model]
    config = model.config.replace("NamedIsShown", "")
    result = quick_tlc().run(alter(tmp_path, mistake) / model.module_file.name, config, model.arguments())
    assert result.verdict == "deadlock", result.detail


@pytest.mark.soak
@pytest.mark.needs("spec")
@pytest.mark.parametrize("mistake", SLOW, ids=lambda mistake: mistake.name)
def test_a_mistake_is_noticed_after_a_while(tmp_path: Path, mistake: Mistake) -> None:
    test_a_mistake_is_noticed(tmp_path, mistake)


@pytest.mark.needs("spec")
@pytest.mark.parametrize("mistake", HARMLESS, ids=lambda mistake: mistake.name)
def test_one_guard_of_two_is_enough(tmp_path: Path, mistake: Mistake) -> None:
    assert check(alter(tmp_path, mistake), mistake).verdict == "fine"


@pytest.mark.soak
@pytest.mark.needs("spec")
def test_who_has_moved_over_tells_one_share_after_the_other() -> None:
    """Were shares counted from the lie on, the second would have the number of the first, and never be told."""
    settings = alone("MCTableShares", "DebugTwoSharesAfterLie") | {
        "PROPERTIES": "",
        "INVARIANTS": "DebugTwoSharesAfterLie",
        "Rules": "<- BuyingRules",
        "RCP": "<- TwiceCardCards",
        "Init": "<- BothBuying",
        "MaxHeight": 8,
    }
    result = quick_tlc().run(spec_folder() / "MCTable.tla", config_text(settings), ["-deadlock"])
    assert named(result) == "DebugTwoSharesAfterLie", result.detail


def test_every_property_of_these_modules_has_been_seen_broken() -> None:
    defined = {
        name
        for module in ("CatanTable", "MCTable", "CatanPower")
        for name in re.findall(r"^(\w+) ==", (spec_folder() / f"{module}.tla").read_text(), re.MULTILINE)
    }
    listed = {
        name
        for model in MODELS.values()
        for part in re.split("INVARIANTS|PROPERTIES", model.config)[1:]
        for name in part.split()
    }
    assert listed & defined == {mistake.broken for mistake in (*QUICK, *SLOW)}


def test_the_table_in_the_specification_has_the_quick_mistakes() -> None:
    text = (
        (spec_folder() / "README.md").read_text(encoding="utf-8").partition("### Mistakes at a table that goes on\n")[2]
    )
    rows = re.findall(r"^\| (.+?) \| `(\w+)` \| .+ \|$", text, re.MULTILINE)
    told = {(mistake.name, tag, mistake.broken) for mistake in QUICK for tag in (mistake.tags or ("",))}
    for name, broken in rows:
        words, _, tag = name.partition(" (")
        assert (words, tag[:3], broken) in told
    assert {broken for _, broken in rows} >= {mistake.broken for mistake in QUICK} - {"NothingSeenIsUndone"}
