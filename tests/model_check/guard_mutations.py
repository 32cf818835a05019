"""The mutation table: which model sees that a guard of the specification is missing.

``python -m tests.model_check.guard_mutations`` makes the table anew: it deletes every guard, one at a time, and counts.
"""

import re
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from catan_p2p.model_check.configurations import config_text, settings_of
from catan_p2p.model_check.models import MODELS
from catan_p2p.model_check.tlc import TlcProgram, TlcResult
from tests.model_check.archive import options
from tests.model_check.spec_text import definitions, module_text
from tests.shared import made_table

GUARD = re.compile(r"^    /\\ (?P<condition>.*\S)\s*\\\* (?P<tag>[A-Z]{2}\d+ \w+)$", re.MULTILINE)

MODEL_OF = {
    **dict.fromkeys(("SO", "ST"), "MCSetup"),
    **dict.fromkeys(("RD", "DI", "MB"), "MCSeven"),
    **dict.fromkeys(("ET", "TF", "TT", "TW"), "MCTrade"),
    **dict.fromkeys(("EB", "BR", "BV", "BC"), "MCBuild"),
    **dict.fromkeys(("BD", "PK"), "MCKnights"),
    **dict.fromkeys(("PM", "PY", "PR"), "MCProgress"),
    **dict.fromkeys(("OT", "AT", "CT", "WT"), "MCOffers"),
    "PT": "MCTalk",
    "OO": "MCToOne",
    "RS": "MCStart",
    "PL": "MCPledge",
    **dict.fromkeys(("EX", "CL"), "MCLeaveOffers"),
    "CB": "MCReturnChance",
    **dict.fromkeys(("CA", "RV"), "MCChance"),
    "SH": "MCSealedStart",
    "SU": "MCSealedMonopoly",
    "SP": "MCSealedDeck",
    **dict.fromkeys(("SE", "CG", "OA"), "MCSealedLeave"),
}
"""The model that exercises an action, by the letters of its tags."""

MODEL_OF_TAG = {
    **dict.fromkeys(("BR4 supply", "BV4 supply", "BV6 distance", "BC4 supply"), "MCScarce"),
    "CA1 rule": "MCSeven",
    "EX1 rule": "MCOffers",
    "CL1 rule": "MCHarvest",
    "CL5 replies": "MCLeaveSeven",
    "EX3 seat": "MCLeaveFour",
    "CB4 foreseen": "MCReturnAhead",
    "CB5 settled": "MCReturnSettled",
    "PT10 seat": "MCLeaveTalk",
    **dict.fromkeys(("OT9 limit", "PT11 limit"), "MCCountedTalk"),
    "CA7 available": "MCLastKnight",
    "CA12 target": "MCFriendly",
    "CA15 ahead": "MCAhead",
    **dict.fromkeys(("CA3 stage", "RV1 phase", "RS4 drawn"), "MCPledge"),
    **dict.fromkeys(("RD4 drawn", "MB9 drawn", "BD5 drawn", "PK10 drawn"), "MCChance"),
    "BV2 turn": "MCCombined",
    "BC6 bandit": "MCRoads",
    "OT1 rule": "MCCards",
    "OO1 rule": "MCOffers",
    **dict.fromkeys(("OO5 seat", "OO10 taker"), "MCLeaveToOne"),
    "PT1 rule": "MCOffers",
    **dict.fromkeys(("AT3 hand", "CT5 hand"), "MCTalk"),
    "ST1 phase": "MCScarce",
    **dict.fromkeys(("PM4 limit", "PY5 limit", "PR12 second_supply", "PK9 limit"), "MCCards"),
    **dict.fromkeys(("PR4 supply", "PR7 bandit", "PR11 second_bandit", "PR13 single", "PR14 limit"), "MCPlaces"),
}
"""Guards that another model exercises."""

IMPLIED = {
    "SO1 phase": "SO2 stage: PhaseOne is over before the phase is anything but bot (TurnOrder)",
    "SO7 road_free": "SO5 distance and SO8 touch: a road beside sp leads from a settlement on sp or next to it",
    "SO9 road_bandit": "SO6 bandit and SO8 touch: the tiles of a road that touches sp lie around sp",
    "ST7 road_free": "ST5 distance and ST8 touch, as SO7",
    "ST9 road_bandit": "ST6 bandit and ST8 touch, as SO9",
    "AT1 phase": "AT2 asked: somebody is asked only while Offering (OfferIsCovered)",
    "CT1 phase": "CT4 accepted: somebody accepts or proposes only in those phases (OfferIsCovered)",
    "PT1 rule": "PT2 phase: without table talk there is no phase for it (TalkPhases)",
    "SU1 phase": "SU3 resource: a resource is wanted only while Surrendering (TypeOK)",
    "SP1 rule": "SP4 card: with open hands nobody holds a card that the others have not seen (TypeOK)",
    "DI1 phase": "DI2 owes: a limit is set only while Discarding (TurnOrder)",
}
"""Guards that the others imply in every reachable state: to delete one changes nothing. Why, by tag."""

HEAD = """# What turns red without a guard

Written by `make mutations` (tests/model_check/guard_mutations.py): every guard of `Catan.tla` is deleted, one at a
time, and one model explored without it.

| guard | model | without it |
| --- | --- | --- |
"""


SHARES_RED = {
    "NoShareOutlivesItsCall": [("MCShares", {"SH1 chain"})],
    "LaterCallsTakeLaterShares": [("MCShares", {"SH1 chain"})],
}
"""By property of ``CatanShares.tla``, which models show it to fail, without which guards; test_shares runs them."""

AHEAD_RED = {
    "KnownIsMade": [("MCAheadThree", {"AH2 forced"}), ("MCAheadThree", {"AH3 in turn"})],
    "NoTwoKnown": [("MCAheadThree", {"AH1 by turns"})],
    "ExcusesMakeAnew": [("MCAheadThree", {"AH5 void"})],
    "WhoForesees": [("MCAheadFour", {"AH6 anew"}), ("MCAheadTwo", {"AH7 until"})],
    "AloneNothingIsLeft": [("MCAheadThree", {"AH4 card"})],
    "OfTwoNobodyForesees": [("MCAheadTwo", {"AH7 until"})],
}
"""The same of ``CatanAhead.tla``; test_ahead runs them."""


def shares_rows() -> str:
    """The end of the table: what turns red without guards of ``CatanShares.tla`` and ``CatanAhead.tla``."""
    return SHARES_HEAD + _rows(SHARES_RED) + AHEAD_HEAD + _rows(AHEAD_RED)


def _rows(red: Mapping[str, list[tuple[str, set[str]]]]) -> str:
    rows = [
        f"| {', '.join(f'`{tag}`' for tag in sorted(tags))} | `{model}` | {name} is violated. |"
        for name, cases in red.items()
        for model, tags in cases
    ]
    return "\n".join(rows) + "\n"


SHARES_HEAD = """
The same for `CatanShares.tla`, whose guard tests/model_check/test_shares.py takes out by name:

| guards | model | without them |
| --- | --- | --- |
"""

AHEAD_HEAD = """
The same for `CatanAhead.tla` and tests/model_check/test_ahead.py:

| guards | model | without them |
| --- | --- | --- |
"""


class Seen(NamedTuple):
    """What a model shows when a guard is missing: what TLC says, and how many states there are then."""

    verdict: str
    generated: int
    distinct: int


def model_of(tag: str) -> str:
    """The model in which a guard's absence is noticed."""
    return MODEL_OF_TAG.get(tag, MODEL_OF[tag[:2]])


def model_reaching(action: str) -> str:
    """The model that exercises an action."""
    guard = GUARD.search(definitions()[action].text)
    assert guard is not None
    return MODEL_OF[guard["tag"][:2]]


@cache
def quick_tlc() -> TlcProgram:
    """TLC with a Java machine that starts quickly: the models are small. Looked for once."""
    return replace(TlcProgram.find(), options=options())


def tags() -> list[str]:
    """The tags of all guards of the specification, in order."""
    return [found["tag"] for found in GUARD.finditer(module_text("Catan.tla"))]


def without_guard(tag: str, file: str = "Catan.tla") -> dict[str, str]:
    """The specification without one guard: the text of its module by the name of the file."""
    text = module_text(file)
    guard = next(found for found in GUARD.finditer(text) if found["tag"] == tag)
    return {file: text[: guard.start()] + text[guard.end() + 1 :]}


def run_model(name: str, tlc: TlcProgram, modules: Mapping[str, str] | None = None) -> Seen:
    """Check a small model; ``modules`` are texts to take for modules of the specification, by their files' names."""
    model = next(known for known in MODELS if known.name == name)
    result = run_texts(model.module_file, model.config, modules or {}, tlc)
    if result.verdict == "error":
        raise RuntimeError(f"{name}: {result.detail}")
    detail = result.detail.splitlines()[0].strip() if result.verdict != "fine" else "fine"
    return Seen(detail, result.generated, result.distinct)


def run_texts(module: Path, config: str, modules: Mapping[str, str], tlc: TlcProgram | None = None) -> TlcResult:
    """Have TLC check a module, with other texts for ``modules`` of the specification, by their files' names."""
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copy(module, scratch)
        for file_name, text in modules.items():
            (Path(scratch) / file_name).write_text(text, encoding="utf-8")
        return (tlc or quick_tlc()).run(Path(scratch) / module.name, config, ["-deadlock"])


def run_changed(
    model: str, *promises: str, modules: Mapping[str, str] | None = None, **changes: str | int
) -> TlcResult:
    """Have TLC check some of a model's promises alone, or all, with other settings or ``modules`` than it has."""
    known = next(known for known in MODELS if known.name == model)
    settings = alone(model, *promises) if promises else settings_of(model)
    return run_texts(known.module_file, config_text(settings | changes), modules or {})


def reworded(file: str, old: str, new: str) -> dict[str, str]:
    """A module of the specification, by its file's name, with other words for those that stand in it once."""
    text = module_text(file)
    assert text.count(old) == 1, f"{old!r} is in {file} {text.count(old)} times"
    return {file: text.replace(old, new)}


def alone(model: str, *promises: str) -> dict[str, str | int]:
    """A model's settings with some of its promises only, either invariants or properties."""
    settings = settings_of(model)
    kind = "INVARIANTS" if promises[0] in str(settings.get("INVARIANTS", "")).split() else "PROPERTIES"
    return settings | {"INVARIANTS": "", "PROPERTIES": "", kind: " ".join(promises)}


def without(*tags: str) -> str:
    """What a model's constant ``Without`` is where these guards are gone."""
    return "{" + ", ".join(f'"{tag}"' for tag in tags) + "}"


def is_noticed(whole: Seen, mutated: Seen) -> bool:
    """Whether a model tells the mutated specification from the whole one."""
    return mutated.verdict != "fine" or mutated[1:] != whole[1:]


def _told(tag: str, whole: Seen, mutated: Seen) -> str:
    """What a model shows without a guard, as a cell of the table."""
    if mutated.verdict != "fine":
        return mutated.verdict
    if not is_noticed(whole, mutated):
        return f"nothing: implied by {IMPLIED[tag]}" if tag in IMPLIED else "nothing"
    return (
        f"{mutated.distinct:,} distinct states of {mutated.generated:,} "
        f"instead of {whole.distinct:,} of {whole.generated:,}"
    )


def main() -> int:
    """Delete every guard and tell what happens; 1 if a deletion goes unnoticed that should not."""
    tlc = quick_tlc()
    wanted = sys.argv[1:]
    names = {model_of(tag) for tag in tags() if not wanted or any(tag.startswith(letters) for letters in wanted)}
    whole = {name: run_model(name, tlc) for name in sorted(names)}
    rows, unnoticed = [], []
    for tag in tags():
        if wanted and not any(tag.startswith(letters) for letters in wanted):
            continue
        model = model_of(tag)
        seen = run_model(model, tlc, without_guard(tag))
        noticed = is_noticed(whole[model], seen)
        rows.append(f"| {tag} | `{model}` | {_told(tag, whole[model], seen)} |")
        print(f"{tag:22} {model:11} {'noticed' if noticed else 'UNNOTICED':10} {seen}", flush=True)
        if noticed == (tag in IMPLIED):
            unnoticed.append(tag)
    if not wanted:
        print(made_table("guards", HEAD + "\n".join(rows) + "\n" + shares_rows()))
    print("as it should be" if not unnoticed else f"not as it should be: {', '.join(unnoticed)}")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
