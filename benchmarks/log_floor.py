"""The cost of a logged action beside the floor: the same objects only hashed, deflated and appended to one file.

Both are timed alternately in one run, so that the ratio holds on any machine::

    python benchmarks/log_floor.py [--actions N | --game PATH] [--repeats R] [--cpu] [--lag S] [--out DIR] [--json]

The workload is a game's repository (``--game``), or a synthetic one shaped like a game of four: the tree of
docs/reference/model.md and one publication per turn. As in a simulation, whose peers share a process, most publications
wait for the next one; ``--lag 0`` writes each at once, as a separate peer does. ``compare`` takes any other list of
actions.
"""

import argparse
import hashlib
import json
import os
import random
import statistics
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypeAlias

from catan_p2p.log.storage.objects import ObjectId, ObjectKind, object_id
from catan_p2p.log.storage.store import GitStore

Clock: TypeAlias = Callable[[], float]

LAG_S = 0.01
"""A tenth of a simulation's lag, since logging an action takes less than a tenth of the time of playing it."""
COLOURS = ("Red", "Blue", "Green", "Orange")


@dataclass(frozen=True, slots=True)
class LoggedAction:
    """The new objects of one action, the commit last.

    ``publish``: whether others should see the action at once; ``gone`` are the refs deleted after it.
    """

    ref: str
    old: ObjectId | None
    objects: Sequence[tuple[ObjectKind, bytes]]
    publish: bool
    gone: Sequence[tuple[str, ObjectId]] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Milliseconds are per action, bytes per commit; ``floor_plain_ms`` deflates with zlib's default memory."""

    actions: int
    objects: int
    store_ms: float
    fold_ms: float
    floor_ms: float
    floor_plain_ms: float
    ratio: float
    ratio_plain: float
    git_bytes: float
    gc_bytes: float
    parts: dict[str, float] = field(default_factory=dict)


def compare(
    actions: Sequence[LoggedAction],
    out: Path,
    repeats: int = 5,
    clock: Clock = time.perf_counter,
    lag_s: float = LAG_S,
) -> Comparison:
    """Log ``actions`` into new repositories under ``out`` and measure it against the floor, alternating."""
    store_s, fold_s, floor_s, plain_s = [], [], [], []
    path = out / "repository-1"
    for number in range(1, repeats + 1):
        # a new folder each time: file systems are slow to find an inode among those just freed
        path = out / f"repository-{number}"
        plain_s.append(floor(actions, out / "floor", tuned=False, clock=clock))
        floor_s.append(floor(actions, out / "floor", tuned=True, clock=clock))
        logging_s, folding_s = log(actions, path, clock, lag_s)
        store_s.append(logging_s)
        fold_s.append(folding_s)
    parts = sizes(path / ".git")
    before = sum(parts.values())
    with GitStore.open(path) as store:
        store.gc()
    after = sum(sizes(path / ".git").values())
    count = len(actions)
    store_ms, fold_ms, floor_ms, plain_ms = (
        statistics.median(times) / count * 1e3 for times in (store_s, fold_s, floor_s, plain_s)
    )
    return Comparison(
        actions=count,
        objects=sum(len(action.objects) for action in actions),
        store_ms=store_ms,
        fold_ms=fold_ms,
        floor_ms=floor_ms,
        floor_plain_ms=plain_ms,
        ratio=(store_ms + fold_ms) / floor_ms,
        ratio_plain=(store_ms + fold_ms) / plain_ms,
        git_bytes=before / count,
        gc_bytes=after / count,
        parts={name: size / count for name, size in parts.items()},
    )


def floor(actions: Iterable[LoggedAction], path: Path, *, tuned: bool, clock: Clock = time.perf_counter) -> float:
    """Return the seconds it takes to hash all objects and to deflate and append the new ones, one append per action.

    ``tuned`` uses the small deflate window that the store uses; otherwise zlib.compress at level 1.
    """
    start = clock()
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    known = set()
    for action in actions:
        parts = []
        for kind, data in action.objects:
            oid = hashlib.sha1(b"%s %d\0" % (kind.encode(), len(data)) + data).digest()
            if oid in known:
                continue
            known.add(oid)
            parts.append(oid)
            if tuned:
                compressor = zlib.compressobj(1, zlib.DEFLATED, 12, 4)
                parts.append(compressor.compress(data) + compressor.flush())
            else:
                parts.append(zlib.compress(data, 1))
        os.write(file, b"".join(parts))
    os.close(file)
    return clock() - start


def log(
    actions: Iterable[LoggedAction], path: Path, clock: Clock = time.perf_counter, lag_s: float = LAG_S
) -> tuple[float, float]:
    """Return the seconds it takes to log and publish all actions, and to fold the packs at the end."""
    GitStore.create(path).close()
    with GitStore.open(path, lag_s=lag_s) as store:
        start = clock()
        for action in actions:
            for kind, data in action.objects:
                new = store.add(kind, data)
            store.record(action.ref, new, action.old)
            for ref, old in action.gone:
                store.delete_ref(ref, old)
            if action.publish:
                store.publish()
        store.publish()
        logged = clock()
        store.fold()
        return logged - start, clock() - logged


def sizes(folder: Path) -> dict[str, int]:
    """Return the bytes below a Git folder by the kind of file."""
    found: dict[str, int] = {}
    for file in folder.rglob("*"):
        if file.is_file():
            kind = file.suffix if file.suffix in (".pack", ".idx") else "other"
            found[kind] = found.get(kind, 0) + file.stat().st_size
    return found


def recorded_actions(path: Path) -> list[LoggedAction]:
    """Return the commits of a repository as actions, parents first, each on its author's branch.

    The last of consecutive commits of one author is published.
    """
    with GitStore.open(path, writer=None) as store:
        log = store.repo.git.log("--all", "--topo-order", "--reverse", "--format=%H %an").splitlines()
        rows = [line.split(" ", 1) for line in log]
        seen: set[ObjectId] = set()
        heads: dict[str, ObjectId] = {}
        actions = []
        for number, (commit, author) in enumerate(rows):
            data = store.read(ObjectId(commit))[1]
            objects: list[tuple[ObjectKind, bytes]] = []
            collect_new(store, "tree", tree_of(store, ObjectId(commit)), seen, objects)
            objects.append(("commit", data))
            ref = f"refs/heads/{author}"
            last = number + 1 == len(rows) or rows[number + 1][1] != author
            actions.append(LoggedAction(ref, heads.get(ref), objects, last))
            heads[ref] = ObjectId(commit)
    return actions


def tree_of(store: GitStore, commit: ObjectId) -> ObjectId:
    return ObjectId(store.read(commit)[1][5:45].decode())


def collect_new(
    store: GitStore,
    kind: ObjectKind,
    oid: ObjectId,
    seen: set[ObjectId],
    objects: list[tuple[ObjectKind, bytes]],
) -> None:
    """Add an object and all below it to ``objects``, except those already ``seen``."""
    if oid in seen:
        return
    seen.add(oid)
    data = store.read(oid)[1]
    if kind == "tree":
        for mode, child in entries_of(data).values():
            collect_new(store, "tree" if mode == b"40000" else "blob", child, seen, objects)
    objects.append((kind, data))


def entries_of(tree: bytes) -> dict[bytes, tuple[bytes, ObjectId]]:
    entries = {}
    while tree:
        mode_and_name, _, rest = tree.partition(b"\0")
        mode, _, name = mode_and_name.partition(b" ")
        entries[name] = mode, ObjectId(rest[:20].hex())
        tree = rest[20:]
    return entries


class SyntheticGame:
    """Four players' branches over one state tree, with random changes drawn from ``seed``."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._files = self._initial_files()
        self._ids: dict[str, ObjectId] = {}
        self._trees: dict[str, bytes] = {}
        self._heads: dict[str, ObjectId | None] = {f"refs/heads/{colour}_0": None for colour in COLOURS}
        self._head: ObjectId | None = None
        self._clock = 0
        self._player = 1

    def actions(self, count: int) -> Iterator[LoggedAction]:
        """Iterate over the root commit and ``count`` - 1 actions."""
        yield self._commit("set_up player_1", list(self._files), publish=True)
        done = 1
        while done < count:
            turn = self._turn()
            for at, (name, paths) in enumerate(turn):
                for path in paths:
                    self._change(path)
                last = at == len(turn) - 1
                if last:
                    self._change("state/game/active_player")
                yield self._commit(f"{name} player_{self._player}", paths, publish=last)
                done += 1
                if done == count:
                    return
            self._player = self._player % 4 + 1

    def _turn(self) -> list[tuple[str, list[str]]]:
        draw, game = self._random, "state/game"
        hands = [f"{game}/player_hands/player_{n}" for n in (1, 2, 3, 4)]
        mine, bank, phase = hands[self._player - 1], f"{game}/bank/resource_cards", f"{game}/turn_phase"
        paid = [f"{mine}/resource_cards", bank]
        pieces = f"{game}/player_buildings/player_{self._player}"
        gained = [f"{hand}/resource_cards" for hand in draw.sample(hands, draw.randint(1, 3))]
        turn = [("roll_dice", [f"{game}/dice", phase, bank, *gained])]
        turn += [("trade_four_to_one", paid)] * draw.randint(0, 2)
        turn += [("empty_trade", [phase])]
        if draw.random() < 0.5:
            turn.append(("build_road", [*paid, f"{game}/road_points", pieces, f"{game}/longest_road"]))
        if draw.random() < 0.25:
            turn.append(("build_village", [*paid, f"{game}/settlement_points", pieces]))
        if draw.random() < 0.3:
            turn.append(("buy_dev_card", [*paid, f"{game}/bank/development_cards", f"{mine}/bought_cards"]))
        if draw.random() < 0.3:
            robbed = [f"{hand}/resource_cards" for hand in draw.sample(hands, 2)]
            turn.append(
                ("play_knight", [f"{game}/bandit", f"{mine}/available_cards", f"{mine}/unveiled_cards", *robbed])
            )
        turn.append(("empty_build", [phase, f"{game}/dice", f"{game}/active_player", f"{mine}/bought_cards"]))
        return turn

    def _commit(self, subject: str, paths: list[str], *, publish: bool) -> LoggedAction:
        objects: list[tuple[ObjectKind, bytes]] = []
        dirty = set()
        for path in dict.fromkeys(paths):
            self._put(objects, path, "blob", self._files[path])
            parent = path
            while parent:
                parent = parent.rpartition("/")[0]
                dirty.add(parent)
        for folder in sorted(dirty, key=lambda path: (-path.count("/") - bool(path), path)):
            self._put(objects, folder, "tree", self._tree(folder))
        colour = COLOURS[self._player - 1]
        ref = f"refs/heads/{colour}_0"
        self._clock += 1
        who = f"{colour} <{colour.lower()}@catan> {1_700_000_000 + self._clock} +0000"
        parent_line = f"parent {self._head}\n" if self._head else ""
        trailers = f"Player: {self._player}\nAt: {self._random.randint(1, 72)}\n"
        text = f"tree {self._ids['']}\n{parent_line}author {who}\ncommitter {who}\n\n{subject}\n\n{trailers}"
        objects.append(("commit", text.encode()))
        old, self._head = self._heads[ref], object_id("commit", text.encode())
        self._heads[ref] = self._head
        return LoggedAction(ref, old, objects, publish)

    def _put(self, objects: list[tuple[ObjectKind, bytes]], path: str, kind: ObjectKind, data: bytes) -> None:
        old = self._ids.get(path)
        self._ids[path] = object_id(kind, data)
        if self._ids[path] != old:
            objects.append((kind, data))

    def _tree(self, folder: str) -> bytes:
        names = {}
        prefix = f"{folder}/" if folder else ""
        for path in self._files:
            if path.startswith(prefix):
                name, _, rest = path.removeprefix(prefix).partition("/")
                names[name + ("/" if rest else "")] = prefix + name
        return b"".join(
            (b"40000 " if name.endswith("/") else b"100644 ")
            + name.rstrip("/").encode()
            + b"\0"
            + bytes.fromhex(self._ids[names[name]])
            for name in sorted(names)
        )

    def _change(self, path: str) -> None:
        draw, lines = self._random, self._files[path].decode().splitlines()
        at = draw.randrange(len(lines))
        head, _, _ = lines[at].rpartition(" ")
        limit = {"turn_phase": 5, "bandit": 37, "dice": 12, "active_player": 4}.get(path.rpartition("/")[2], 9)
        lines[at] = f"{head} {draw.randint(0, limit)}".lstrip()
        self._files[path] = ("\n".join(lines) + "\n").encode()

    def _initial_files(self) -> dict[str, bytes]:
        resources = "".join(f"{name} 0\n" for name in ("Lumber", "Brick", "Wool", "Grain", "Ore"))
        cards = "".join(
            f"{name} 0\n" for name in ("Monopoly", "YearOfPlenty", "RoadBuilding", "Knight", "VictoryPoint")
        )
        files = {
            "rules": "".join(f"Constant{at} = {at}\n" for at in range(25)),
            "players": "".join(f"{at} {colour} name\n" for at, colour in enumerate(COLOURS, 1)),
            "map/tiles": "".join(f"{at % 2},{at // 7},{at % 7},forest,{at % 12}\n" for at in range(37)),
            "map/wharfs": "".join(f"{at} {at + 1} Ore\n" for at in range(9)),
            "state/initialization/init_phase": "PhaseTwo\n",
            "state/initialization/active_player": "1\n",
            "state/game/settlement_points": "".join(f"{at} none 0\n" for at in range(1, 55)),
            "state/game/road_points": "".join(f"{at} 0\n" for at in range(1, 73)),
            "state/game/bank/resource_cards": resources,
            "state/game/bank/development_cards": cards,
        }
        for name in ("active_player", "turn_phase", "dice", "bandit", "longest_road", "largest_army"):
            files[f"state/game/{name}"] = "0\n"
        files["state/game/discard_pile"] = cards
        for player in (1, 2, 3, 4):
            hand = f"state/game/player_hands/player_{player}"
            files[f"{hand}/resource_cards"] = resources
            for name in ("bought_cards", "available_cards", "unveiled_cards"):
                files[f"{hand}/{name}"] = cards
            files[f"state/game/player_buildings/player_{player}"] = "Road 15\nVillage 5\nCity 4\n"
        return {path: text.encode() for path, text in files.items()}


def main() -> int:
    """Run the comparison on the synthetic game and print it."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("--actions", type=int, default=1000)
    arguments.add_argument("--game", type=Path, help="log the actions of this repository again")
    arguments.add_argument("--repeats", type=int, default=5)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--out", type=Path, help="keep the repository there (a new folder)")
    arguments.add_argument("--cpu", action="store_true", help="processor time, steadier on a busy machine, not elapsed")
    arguments.add_argument("--lag", type=float, default=LAG_S, metavar="S", help="seconds a publication may wait")
    arguments.add_argument("--json", action="store_true")
    given = arguments.parse_args()
    actions = recorded_actions(given.game) if given.game else list(SyntheticGame(given.seed).actions(given.actions))
    with tempfile.TemporaryDirectory() as temporary:
        out = given.out or Path(temporary)
        out.mkdir(parents=True, exist_ok=True)
        found = compare(actions, out, given.repeats, time.process_time if given.cpu else time.perf_counter, given.lag)
    if given.json:
        print(json.dumps(asdict(found)))
        return 0
    print(f"{found.actions} actions, {found.objects / found.actions:.1f} objects each")
    print(f"store                   {found.store_ms:.3f} ms an action, and {found.fold_ms:.3f} to fold in the end")
    print(f"floor, same deflate     {found.floor_ms:.3f} ms an action: ratio {found.ratio:.2f}")
    print(f"floor, zlib.compress    {found.floor_plain_ms:.3f} ms an action: ratio {found.ratio_plain:.2f}")
    shares = ", ".join(f"{name} {size:.0f}" for name, size in found.parts.items())
    print(f".git                    {found.git_bytes:.0f} bytes a commit ({shares}); {found.gc_bytes:.0f} after git gc")
    return 0


if __name__ == "__main__":
    sys.exit(main())
