"""Which check sees a mistake in any sub-expression of what the specification's actions do.

``python -m tests.model_check.sub_expression_mutations --kept FILE`` tries every mistake of sub_expressions.py and
writes ``build/mutations/sub_expressions.md``. FILE keeps what was seen, a line for each mistake and check: a run that
was interrupted goes on from there, and what stands elsewhere now is tried anew. Names of modules look at those only,
and ``--every`` takes a sample; the table is written by whole runs, or by ``--table``.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from catan_p2p.model_check.models import MODELS
from catan_p2p.model_check.replication_models import DISK_MODELS, LARGE_REPLICATION_MODELS, REPLICATION_MODELS
from catan_p2p.model_check.tlc import TlcProgram
from tests.conftest import day
from tests.model_check.given import Given
from tests.model_check.given_steps import groups
from tests.model_check.guard_mutations import quick_tlc
from tests.model_check.mutant_search import States, given_states, model_states, search
from tests.model_check.spec_text import actions_reaching, module_text
from tests.model_check.sub_expressions import Change, bodies, changes
from tests.model_check.successors import varied_states
from tests.model_check.test_successors import TABLES, constants_of
from tests.shared import made_table, short, table_row

NEXT = {
    "Catan.tla": "Next",
    "CatanChance.tla": "Next",
    "CatanShares.tla": "Next",
    "CatanPatience.tla": "Next",
    "CatanP2P.tla": "P2PNext",
    "CatanEnding.tla": "Next",
    "CatanPower.tla": "PowerNext",
}
"""The modules, and what their actions are called together."""

MODELS_OF = {
    "CatanChance.tla": ("MCDrawLiar", "MCDrawHonest"),
    "CatanShares.tla": ("MCShares",),
    "CatanPatience.tla": ("MCTurnClock", "MCFreeTurn"),
    "CatanP2P.tla": ("MCP2PTalk", "MCP2PTwo", "MCP2POffer", "MCP2PLiar", "MCP2PCountedTalk", "MCP2PLiarLoss"),
    "CatanEnding.tla": ("MCEnding",),
    "CatanPower.tla": ("MCPower",),
}
"""By module the models in which it is looked for, quick ones first."""

CATAN_MODELS = ("MCPlaces", "MCSpared", "MCFriendly", "MCScarce", "MCHarvest", "MCOutlaw", "MCLeaveFour")
"""For what the given states do not show of ``Catan.tla``."""

AT_ONCE = 250
"""How many mistakes one run of TLC tries."""

IMPLIED = Path(__file__).with_suffix(".json")
"""Mistakes that no check sees, with the reason: they change nothing in any state that can be reached."""


def effects(file: str, tlc: TlcProgram) -> list[Change]:
    """The changes of a module that concern what its actions do: those of definitions that they mention.

    Which guards a test leaves out (``Without``) is no part of the specification.
    """
    text = module_text(file)
    names = [body.name for body in bodies(file, tlc) if body.start > text.index("VARIABLES")]
    texts = {body.name: re.sub(r"\\\*.*", "", text[body.start : body.end]) for body in bodies(file, tlc)}
    reached, left = {"Init"}, [NEXT[file]]
    while left:
        name = left.pop()
        if name not in reached:
            reached.add(name)
            left += set(re.findall(r"\w+", texts[name])) & set(names)
    wanted = reached - {"Init", "Keeps"}
    return [one for one in changes(file, tlc) if one.definition in wanted and "Without" not in one.old]


def checks(file: str) -> Iterator[States]:
    """Where mistakes in a module are looked for, one after the other."""
    peers = (*REPLICATION_MODELS, *LARGE_REPLICATION_MODELS, *DISK_MODELS)
    known = {model.name: model for model in (*MODELS, *peers)}
    if file == "Catan.tla":
        for constants, cases in groups().items():
            yield given_states("given steps", constants, [Given(case.before, case.action) for case in cases])
        for table in TABLES:
            states = varied_states(constants_of(table), 1, 60)
            yield given_states("random states", constants_of(table), [Given(state, "next") for state in states])
    for name in MODELS_OF.get(file, CATAN_MODELS):
        yield model_states(known[name])


def key(change: Change) -> str:
    """What a change is called in the file that is kept: the text that it changes is part of it."""
    return json.dumps([change.file, change.definition, change.start, change.old, change.new])


def sample(found: Sequence[Change], every: int, first: int) -> list[Change]:
    """One of ``every`` mistakes, spread over the module; numbers ``first`` that follow one another try them all."""
    return [one for place, one in enumerate(found) if (place + first) % every == 0]


def seek(file: str, kept: Path, tlc: TlcProgram, wanted: Callable[[Sequence[Change]], Sequence[Change]]) -> None:
    """Try what was not tried yet, some hundred mistakes at once in one check after the other, and keep what is seen."""
    told = read(kept)
    places = list(checks(file))
    every = wanted(effects(file, tlc))
    for i in range(0, len(every), AT_ONCE):
        for number, states in enumerate(places):
            name = f"{states.name} {number}"
            left = [one for one in every[i : i + AT_ONCE] if not any(told.get(key(one), {}).values())]
            left = [one for one in left if name not in told.get(key(one), {})]
            kinds = [actions_reaching(one.definition) if file == "Catan.tla" else () for one in left]
            seen = search(file, left, kinds, states, tlc)
            with kept.open("a", encoding="utf-8") as lines:
                for one in left:
                    told.setdefault(key(one), {})[name] = seen.get(one, "")
                    print(json.dumps([key(one), name, seen.get(one, "")]), file=lines)
            print(f"{file} from {i}, {name}: {len(left)} tried, {len(seen)} seen", flush=True)


def read(kept: Path) -> dict[str, dict[str, str]]:
    """What the file says: by mistake, by check, where it was seen, empty if it was not."""
    found: dict[str, dict[str, str]] = {}
    for line in kept.read_text(encoding="utf-8").splitlines() if kept.exists() else ():
        one, name, where = json.loads(line)
        found.setdefault(one, {})[name] = where
    return found


def reasons() -> dict[tuple[str, str, str, str], str]:
    """Why no check sees a mistake: by module, definition, the text and what stands there instead."""
    rows = json.loads(IMPLIED.read_text(encoding="utf-8")) if IMPLIED.exists() else []
    return {(row[0], row[1], row[2], row[3]): row[4] for row in rows}


def unseen(file: str, kept: Path, tlc: TlcProgram) -> list[Change]:
    """The mistakes that were tried and that no check saw."""
    told, places = read(kept), list(checks(file))
    last = f"{places[-1].name} {len(places) - 1}"
    return [one for one in effects(file, tlc) if last in (at := told.get(key(one), {})) and not any(at.values())]


HEAD = """# What turns red when any sub-expression changes

Written by `python -m tests.model_check.sub_expression_mutations --kept FILE` (hours; it goes on from FILE after an
interruption): SANY's tree of each module tells every sub-expression of what its actions do, and each is changed in all
ways that its operator allows. *Given steps* are those of tests/model_check/test_given.py, *random states* those of
tests/model_check/test_successors.py; models are compared with the program state by state, or counted. What TLC can no
longer evaluate counts as seen.

| module | mistakes | tried so far | seen by | not seen |
| --- | ---: | ---: | --- | ---: |
"""


def write_table(files: Sequence[str], kept: Path, tlc: TlcProgram) -> None:
    """One row for each module, then the mistakes that no check sees, with the reason if there is one."""
    told = read(kept)
    rows, left = [], []
    for file in files:
        places = list(checks(file))
        last = f"{places[-1].name} {len(places) - 1}"
        tried = [one for one in effects(file, tlc) if any((at := told.get(key(one), {})).values()) or last in at]
        by: Counter[str] = Counter()
        for one in tried:
            where = next((name for name, at in told[key(one)].items() if at), "")
            by[where.rpartition(" ")[0]] += 1
        seen = ", ".join(f"{name} {count:,}" for name, count in by.items() if name)
        rows.append(f"| `{file}` | {len(effects(file, tlc)):,} | {len(tried):,} | {seen} | {by['']:,} |\n")
        for one in unseen(file, kept, tlc):
            why = reasons().get((one.file, one.definition, one.old, one.new), "not explained yet")
            cells = (file.removesuffix(".tla"), one.definition, f"`{short(one.old)}`", one.what, why)
            left.append(table_row(*cells))
    titles = "| module | definition | text | the mistake | why nothing sees it |\n| --- | --- | --- | --- | --- |\n"
    print(made_table("sub_expressions", HEAD + "".join(rows) + "\n## Not seen\n\n" + titles + "".join(left)))


def main() -> int:
    """Try every mistake in these modules; 1 if one that no check sees has no reason."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--kept", type=Path, required=True, help="the file that keeps what was seen")
    parser.add_argument("--table", action="store_true", help="only write the table of what is kept")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="mistakes in these definitions only")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="try a sample: one of N (default: all)")
    parser.add_argument("--first", type=int, default=day(), metavar="K", help="which sample (default: by the date)")
    parser.add_argument("files", nargs="*", metavar="MODULE.tla", help="these modules only")
    chosen = parser.parse_args()
    files = chosen.files or list(NEXT)
    tlc = quick_tlc()
    chosen.kept.parent.mkdir(parents=True, exist_ok=True)

    def wanted(found: Sequence[Change]) -> list[Change]:
        named = [one for one in found if not chosen.only or one.definition in chosen.only]
        return sample(named, chosen.every, chosen.first)

    for file in () if chosen.table else files:
        seek(file, chosen.kept, tlc, wanted)
    if chosen.table or not (chosen.files or chosen.only or chosen.every > 1):
        write_table(files, chosen.kept, tlc)
    known = reasons()
    left = [one for file in files for one in unseen(file, chosen.kept, tlc)]
    left = [one for one in left if (one.file, one.definition, one.old, one.new) not in known]
    print(f"{len(left)} without a reason")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
