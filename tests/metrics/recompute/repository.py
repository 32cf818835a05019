"""A recorded game, read with plain Git and from the files that the simulation wrote beside it."""

import csv
import json
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Self

REPLIES = ("discard", "answer_trade", "propose_trade", "pledge", "open_all")
RESOURCES = ("Lumber", "Brick", "Wool", "Grain", "Ore")
PIECES = {"Village": 1, "City": 2}
ROOT_TREE = ""


def git(repo: Path, *arguments: str, text: str = "") -> bytes:
    """What Git prints."""
    return subprocess.run(["git", "-C", repo, *arguments], input=text.encode(), capture_output=True, check=True).stdout


class Commit(NamedTuple):
    id: str
    parents: list[str]
    trailers: list[tuple[str, str]]

    @property
    def action(self) -> str:
        return dict(self.trailers)["Action"]

    @property
    def player(self) -> int:
        return int(dict(self.trailers)["Player"])


class Game:
    """One game: its repository, and what the simulation recorded beside it."""

    def __init__(self, run: Path, number: int) -> None:
        self.run, self.number, self.repo = run, number, run / f"Catan_{number}"
        self.settings = json.loads((run / "run.json").read_text())
        lines = map(json.loads, (run / "games.jsonl").read_text().splitlines())
        self.result = [line for line in lines if line["game"] == number][-1]
        with (run / f"Catan_{number}.timings.csv").open() as file:
            self.syncs = [row for row in csv.DictReader(file) if row["kind"] == "sync"]
        self._reader = subprocess.Popen(
            ["git", "-C", self.repo, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        root, *self.actions = self._commits()
        self.root = root.id
        self.nonce = dict(root.trailers)["Nonce"]
        self.seats = [line.split()[1] for line in self.file(root.id, "players").splitlines()]
        self._trees: dict[str, dict[str, str]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._reader.communicate()

    def _commits(self) -> list[Commit]:
        log = git(self.repo, "log", "--all", "--topo-order", "--reverse", "--format=%H%x00%P%x00%B%x01").decode()
        found = []
        for entry in log.split("\x01")[:-1]:
            commit, parents, message = entry.strip("\n").split("\0")
            trailers = [tuple(line.split(": ", 1)) for line in message.strip().split("\n\n")[-1].split("\n")]
            found.append(Commit(commit, parents.split(), trailers))  # type: ignore[arg-type]
        return [commit for commit in found if commit.action != "vote"]

    def file(self, commit: str, path: str) -> str:
        asked, told = self._reader.stdin, self._reader.stdout
        assert asked is not None and told is not None
        asked.write(f"{commit}:{path}\n".encode())
        asked.flush()
        return told.read(int(told.readline().split()[2]) + 1)[:-1].decode()

    def state(self, commit: str, name: str) -> list[str]:
        return self.file(commit, f"state/game/{name}").split("\n")[:-1]

    def tree(self, commit: str) -> dict[str, str]:
        """The object ids of all files and folders of a commit, by path; the root tree's is that of ``ROOT_TREE``."""
        if commit not in self._trees:
            lines = git(self.repo, "ls-tree", "-r", "-t", commit).decode().splitlines()
            below = {path: words.split()[2] for words, path in (line.split("\t") for line in lines)}
            self._trees[commit] = below | {ROOT_TREE: git(self.repo, "rev-parse", f"{commit}^{{tree}}").decode()}
        return self._trees[commit]

    @property
    def is_hidden(self) -> bool:
        return "Hands = hidden" in self.file(self.root, "rules")

    @cached_property
    def turn(self) -> dict[str, int]:
        """How often the dice had been rolled once each commit was made."""
        turn = {self.root: 0}
        for one in self.actions:
            turn[one.id] = max(turn[parent] for parent in one.parents) + (one.action == "roll_dice")
        return turn

    def phase(self, commit: str) -> str:
        """The phase after a commit; while something is drawn or asked for, the one in which that began."""
        [phase] = self.state(commit, "turn_phase")
        if phase == "Surrendering":
            return next(line.split()[2] for line in self.state(commit, "hidden_cards") if line.startswith("wanted "))
        return dict(line.split() for line in self.state(commit, "call"))["phase"] if phase == "Drawing" else phase

    def bank(self, commit: str) -> dict[str, int]:
        return {name: int(n) for name, n in (line.split() for line in self.state(commit, "bank/resource_cards"))}

    def gained(self, one: Commit) -> dict[str, int] | None:
        """What the bank gave out for a roll or the second settlement, by resource; None for other actions."""
        if one.action not in ("roll_dice", "setup_phase_two"):
            return None
        before, after = self.bank(one.parents[0]), self.bank(one.id)
        return {resource: before[resource] - after[resource] for resource in RESOURCES}

    def points(self, commit: str, player: int) -> int:
        name = f"player_{player}"
        placed = [line.split(",") for line in self.state(commit, "settlement_points")]
        cards = dict(line.split() for line in self.state(commit, f"player_hands/{name}/unveiled_cards"))
        bonus = sum(2 for card in ("longest_road", "largest_army") if self.state(commit, card) == [name])
        return sum(PIECES[kind] for _, owner, kind in placed if owner == name) + int(cards["VictoryPoint"]) + bonus

    @cached_property
    def deltas(self) -> dict[str, dict[str, int]]:
        return {one.id: self._delta(one.id, one.parents[0]) for one in self.actions}

    def _delta(self, commit: str, parent: str) -> dict[str, int]:
        old, new = self.tree(parent), self.tree(commit)
        return {
            "diff_bytes": len(git(self.repo, "diff", parent, commit)),
            "changed_object_count": 1 + sum(old.get(path) != oid for path, oid in new.items()),
            "pack_bytes": self.sent_bytes(commit, [parent]),
        }

    def sent_bytes(self, commit: str, have: Sequence[str]) -> int:
        """The size of the pack that Git makes of a commit for a peer that has others."""
        options = ("--revs", "--thin", "--stdout", "--delta-base-offset", "--quiet")
        return len(
            git(self.repo, "pack-objects", *options, text="".join(f"{x}\n" for x in [commit, *("^" + x for x in have)]))
        )

    @cached_property
    def hand_overs(self) -> list[list[Commit]]:
        """Actions of one player in a row; a reply and a commit that merges some begin a new one."""
        found: dict[str, list[Commit]] = {}
        for one in self.actions:
            row = found.get(one.parents[0]) if len(one.parents) == 1 and one.action not in REPLIES else None
            if row is None or row[-1].id != one.parents[0] or row[-1].player != one.player:
                row = []
            row.append(one)
            found[one.id] = row
        return list({id(row): row for row in found.values()}.values())

    def sizes(self) -> dict[str, int]:
        return folder_sizes(self.repo / ".git")

    def sizes_after_gc(self) -> dict[str, int]:
        with tempfile.TemporaryDirectory() as temporary:
            copy = Path(temporary) / ".git"
            shutil.copytree(self.repo / ".git", copy)
            subprocess.run(["git", "--git-dir", copy, "gc", "--quiet", "--prune=now"], check=True)
            return {f"gc_{name}": size for name, size in folder_sizes(copy).items() if name != "index_bytes"}


def folder_sizes(folder: Path) -> dict[str, int]:
    """The sizes of a Git folder: as ``du`` has it, of all files, of packs and of their indexes."""
    du = subprocess.run(["du", "-s", "--block-size=1", folder], capture_output=True, text=True, check=True).stdout
    files = [path for path in folder.rglob("*") if path.is_file()]
    size = {end: sum(path.stat().st_size for path in files if path.name.endswith(end)) for end in ("", ".pack", ".idx")}
    return {
        "disk_bytes": int(du.split()[0]),
        "file_bytes": size[""],
        "pack_bytes": size[".pack"],
        "index_bytes": size[".idx"],
    }
