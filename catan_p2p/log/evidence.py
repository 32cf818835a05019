"""What a peer keeps of commits that it refused: the commits themselves, under refs of their own, and why.

A refused commit is kept as it is if its tree is small and plain, so that ``git show`` tells everything; otherwise its
bytes are kept as a file. Either way ``git fsck --strict`` finds nothing to complain of. The list of refusals is a file
with one JSON object a line. Both are bounded: a peer that sends rubbish for ever fills neither disk nor memory.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catan_p2p.log.commit import decode_commit
from catan_p2p.log.game import FormatError
from catan_p2p.log.graph import Rejected
from catan_p2p.log.reading import Read, tree_entries
from catan_p2p.log.refs import EVIDENCE, evidence_ref
from catan_p2p.log.storage.objects import Damaged, ObjectId, ObjectKind, ObjectMissing, StoreError
from catan_p2p.log.storage.store import Store

MAX_REFS = 64
"""So many refused commits are kept for each colour, ..."""
MAX_LINES = 1000
"""... and so many refusals are listed in all."""
_MAX_OBJECTS = 256
_MAX_DEPTH = 6
_NAME = re.compile(r"[A-Za-z0-9_]{1,40}")

REFUSALS_FILE = "refusals.jsonl"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A commit that was refused: in whose repository it was, and whose doing it is."""

    colour: str
    """Who is charged with it; if that is not certain, in whose name the commit is."""
    seen_at: str
    ref: str
    rejected: Rejected
    is_certain: bool = True
    """False where nobody can tell who lies: a contradiction without signatures, in another's repository."""

    def as_json(self) -> dict[str, Any]:
        """The same as a JSON object."""
        bad = self.rejected
        return {
            "colour": self.colour,
            "seen_at": self.seen_at,
            "ref": self.ref,
            "reason": bad.reason,
            "commit": bad.commit,
            "other": bad.other,
            "guards": list(bad.guards),
            "detail": bad.detail[:500],
            "certain": self.is_certain,
        }


def read_refusals(folder: Path) -> list[dict[str, Any]]:
    """The refusals listed in a peer's own folder, oldest first; a line left unfinished by a kill is skipped."""
    try:
        text = (folder / REFUSALS_FILE).read_text("utf-8")
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{folder / REFUSALS_FILE}: cannot read: {error}") from error
    found = []
    for line in text.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


class EvidenceBox:
    """Keeps refused commits in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._path = store.folder / "catan-p2p" / REFUSALS_FILE
        self._listed = {
            (line.get("reason"), line.get("commit"), line.get("ref")) for line in read_refusals(self._path.parent)
        }

    def keep(self, refusal: Refusal, read: Read) -> None:
        """Keep a refused commit and, where there is one, the commit that proves it; once each."""
        bad = refusal.rejected
        key = (bad.reason, bad.commit, refusal.ref)
        if key in self._listed or len(self._listed) >= MAX_LINES:
            return
        if len(self._store.list_refs(f"{EVIDENCE}{refusal.colour}/")) < MAX_REFS:
            self._keep_commit(refusal.colour, bad.commit, read)
            if bad.other is not None:
                self._point(refusal.colour, bad.other, bad.other)
        self._list(refusal)
        self._listed.add(key)

    def _list(self, refusal: Refusal) -> None:
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(refusal.as_json()) + "\n")
        except OSError as error:
            raise StoreError(f"{self._path}: cannot write: {error.strerror or error}") from error

    def _keep_commit(self, colour: str, commit: ObjectId, read: Read) -> None:
        if self._holds(commit):
            self._point(colour, commit, commit)
            return
        try:
            kind, data = read(commit)
        except (ObjectMissing, Damaged):
            return  # nothing to keep: it could not be read, or is too large
        if kind == "commit" and (objects := _closure(data, read)) is not None:
            for found in objects:
                self._store.add(*found)
            self._point(colour, commit, self._store.add(kind, data))
        else:
            self._point(colour, commit, self._store.add("blob", data))

    def _holds(self, commit: ObjectId) -> bool:
        try:
            return self._store.read(commit)[0] == "commit"
        except (ObjectMissing, Damaged):
            return False

    def _point(self, colour: str, commit: ObjectId, at: ObjectId) -> None:
        ref = evidence_ref(colour, commit)
        old = self._store.own_ref(ref)
        if old != at:
            self._store.record(ref, at, old)


def _closure(data: bytes, read: Read) -> list[tuple[ObjectKind, bytes]] | None:
    """All trees and files of a commit, None if they are too many, too strange or not there."""
    try:
        commit = decode_commit(data)
        found: list[tuple[ObjectKind, bytes]] = []
        _collect(commit.tree, read, found, _MAX_DEPTH)
    except (FormatError, ObjectMissing, Damaged):
        return None
    # Its parents were accepted before it was judged, so they are in the store; a root of another game has none.
    return found


def _collect(tree: ObjectId, read: Read, found: list[tuple[ObjectKind, bytes]], depth: int) -> None:
    if depth == 0:
        raise FormatError("folders too deep")
    entries = tree_entries(tree, read)
    names = [name + "/" if mode == "40000" else name for name, (mode, _) in entries.items()]
    if names != sorted(names):
        raise FormatError("entries out of order")
    for name, (mode, oid) in entries.items():
        if not _NAME.fullmatch(name) or mode not in ("100644", "40000"):
            raise FormatError(f"the entry {name!r}")
        if mode == "40000":
            _collect(oid, read, found, depth - 1)
        else:
            kind, data = read(oid)
            if kind != "blob":
                raise FormatError(f"{name!r} is a {kind}")
            found.append((kind, data))
        if len(found) > _MAX_OBJECTS:
            raise FormatError("too many objects")
    found.append(read(tree))
