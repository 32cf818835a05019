"""Public views whose files or commits were damaged, or forged: they are read, or there is a StoreError."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from io import StringIO
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest

from catan_p2p import notation
from catan_p2p.game.cards import ONE
from catan_p2p.game.constants import profile
from catan_p2p.log.commit import decode_commit
from catan_p2p.log.reading import tree_entries
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, StoreError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.notation.repair import forced
from catan_p2p.notation.statistics.gathering import gather
from catan_p2p.view import consequences
from catan_p2p.view.events import TradeAnswered, TradeOffered, TradeProposed, TurnEnded
from catan_p2p.view.words import EventWording, in_words
from tests.notation import samples
from tests.notation.mutants import mutate
from tests.notation.replays import as_colonist, events_of_
from tests.notation.test_contradictions import own_game

Objects: TypeAlias = dict[ObjectId, tuple[ObjectKind, bytes]]
FORMATS: tuple[notation.Format, ...] = ("catan", "sgn", "colonist")
"""One with lines of its own, one whose header names no players, and one whose events are kept as JSON."""


def write(path: Path, format: notation.Format) -> Objects:
    """Write a view of this format; returns what in its objects a reader looks at."""
    constants, steps = own_game(3, 12, "brief", "builder", 60)
    told = list(notation.in_order_of_play(events_of_(constants, steps)))
    if format == "sgn":
        text = samples.written(told, "sgn") + '["1","BC",{"intersection":[[0,0],[1,0],[1,-1]]}]\n'
    else:
        text = as_colonist(told, perspective=1) if format == "colonist" else samples.written(told, format)
    events = list(notation.in_order_of_play(notation.read(StringIO(text, newline="\n"))))
    imported = notation.import_game(events, format, "brief", [])
    assert imported.why_view is not None
    notation.write_view(path, imported.view, "test")
    return objects_of(path)


def objects_of(path: Path) -> Objects:
    """The commits of a view, and the files that say what it is: of its root, the findings of its newest commit."""
    found: Objects = {}
    with GitStore.open(path, writer=None) as store:
        head = oid = next(iter(store.list_refs("refs/heads/").values()))
        while True:
            found[oid] = store.read(oid)
            commit = decode_commit(found[oid][1])
            if not commit.parents:
                break
            oid = commit.parents[0]
        entries = tree_entries(commit.tree, store.read)
        newest = tree_entries(decode_commit(found[head][1]).tree, store.read)
        for _, file in (entries["source"], entries["header"], entries["players"], newest["findings"]):
            found[file] = store.read(file)
    return found


def damaged(data: bytes, format: notation.Format, rng: Random) -> bytes:
    """The bytes with some changes to what they say; a commit keeps what comes before its message."""
    head, separator, text = data.partition(b"\n\n") if data.startswith(b"tree ") else (b"", b"", data)
    changed = mutate(text.decode(), "catanatron" if format == "colonist" else format, rng)
    return head + separator + changed.encode("utf-8", "surrogatepass")


def check_views(
    folder: Path, format: notation.Format, count: int, seed: int, patch: Callable[[object, str, object], None]
) -> Counter[str]:
    """Read so many damaged views; whatever but StoreError is raised on the way is a bug."""
    path = folder / format
    objects, rng, outcomes = write(path, format), Random(seed), Counter[str]()
    read_object, changed = GitStore.read, Objects()

    def read_changed(store: GitStore, oid: ObjectId, limit_bytes: int | None = None) -> tuple[ObjectKind, bytes]:
        return changed.get(oid) or objects.get(oid) or read_object(store, oid, limit_bytes)

    patch(GitStore, "read", read_changed)
    for _ in range(count):
        changed.clear()
        oid = rng.choice(list(objects)[-5:] if rng.random() < 0.3 else list(objects))
        kind, data = objects[oid]
        changed[oid] = kind, damaged(data, format, rng)
        try:
            view = notation.load_view(path)
        except StoreError:
            outcomes["refused"] += 1
            continue
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error} for {changed[oid][1]!r}") from error
        try:
            gather(view.start, view.steps, view.format)
            assert all(view.words(step) for step in view.steps)
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error} for {changed[oid][1]!r}") from error
        outcomes["read"] += 1
    return outcomes


# Events that are kept as JSON


OFFERS = [TradeOffered(1, ONE["Ore"], ONE["Wool"]), TradeProposed(2, ONE["Ore"], ONE["Wool"]), TradeAnswered(2, True)]
CLOCKS = [TurnEnded(1, -68), TurnEnded(2, 10**12)]  # as a `.catan` file may say
EVENTS = [*samples.every_token(), *OFFERS, *CLOCKS]
STRANGE = (
    *(None, True, -1, 0, 7, 60, 200, 10**30, 0.5, "x", "none", "Lumber", "Knight"),
    *([], {}, [1], [1, 1], [0, 0, 0, 0, 0], [9999] * 5, [-1, 0, 0, 0, 0], ["x"] * 5, [True, 0, 0, 0, 0], {"x": 1}),
)


def test_every_event_comes_back_from_its_line() -> None:
    assert [
        notation.event_lines.parse(notation.event_lines.spell(event), samples.start(4)) for event in EVENTS
    ] == EVENTS


def test_a_line_with_a_strange_value_is_refused_or_can_be_judged() -> None:
    start = samples.start(4)
    table, rules = notation.table_for(start, "colonist"), profile("brief", 4)
    refused = 0
    for event in {type(event): event for event in EVENTS}.values():
        name, told = json.loads(notation.event_lines.spell(event))
        for key in (*(field.name for field in fields(event)), "strange"):
            for value in STRANGE:
                try:
                    back = notation.event_lines.parse(json.dumps([name, {**told, key: value}]), start)
                except notation.NotationError:
                    refused += 1
                    continue
                steps = list(forced(start, [back], table, rules))
                gather(start, steps, "colonist")
                events = consequences.told(back, steps[0].before, steps[0].after)
                assert in_words(events, EventWording(table.names, steps[0].before.state.constants.board))
                assert notation.event_lines.parse(notation.event_lines.spell(back), start) == back
    assert refused > 500


# Whole views


@pytest.mark.sampled(3)
@pytest.mark.long
@pytest.mark.parametrize("format", FORMATS)
def test_100_damaged_views_are_read_or_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: notation.Format
) -> None:
    outcomes = check_views(tmp_path, format, 100, 1, monkeypatch.setattr)
    assert outcomes["refused"] > 10 and outcomes["read"] > 10, outcomes


@pytest.mark.soak
@pytest.mark.parametrize("format", FORMATS)
def test_30_000_damaged_views_are_read_or_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: notation.Format
) -> None:
    print(format, dict(check_views(tmp_path, format, 30_000, 2, monkeypatch.setattr)))
