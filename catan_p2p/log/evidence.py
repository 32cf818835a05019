"""The commits that a peer has refused, kept with the reasons.

A refused commit may be anything, so it never becomes an object of the repository, where Git would check, serve or pack
it. Its bytes are a file of their own, ``evidence/<Colour>/<commit>`` in the peer's private folder. Its trees and files
are not kept, since the commit names them and its action determines which they should be. The list of refusals is a file
with one JSON object per line. Both outlive a loss of power, and both are bounded for each player: a player who sends
junk for ever fills neither disk nor memory, and cannot use up the room for proofs of contradictions.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from catan_p2p.limits import MAX_EVIDENCE_COMMITS, MAX_HIDDEN_COMMIT_BYTES, MAX_REFUSAL_LINES
from catan_p2p.log.storage import disk, objects
from catan_p2p.log.storage.medium import FileMedium
from catan_p2p.log.verdict import CommitRejected

REFUSALS_FILE = "refusals.jsonl"
EVIDENCE_FOLDER = "evidence"
_HEADING = b"catan-p2p evidence 1\n"
_NAME = re.compile(r"[A-Z][a-z]+/[0-9a-f]{40}")
_WORDS = ("colour", "seen_at", "ref", "reason", "commit", "detail")


@dataclass(frozen=True, slots=True)
class RefusedCommit:
    """A refused commit: in whose repository it was seen, and who is charged with it."""

    colour: str
    """The player charged with it; if that is not certain, the player in whose name the commit is."""
    seen_at: str
    ref: str
    rejected: CommitRejected
    is_certain: bool = True
    """False if nobody can know who lies: a contradiction without signatures, in another player's repository."""

    def as_json(self) -> dict[str, Any]:
        """Return the refusal as a JSON object."""
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


def read_refusals(folder: Path, medium: FileMedium = disk) -> list[dict[str, Any]]:
    """Read the refusals in a peer's own folder, oldest first; any line that is not one is skipped."""
    with disk.explained("read", folder / REFUSALS_FILE):
        content = medium.read(folder / REFUSALS_FILE)
    if content is None:
        return []
    return [line for raw in content.split(b"\n") if (line := _parse_line(raw)) is not None]


def refusal_in_words(line: dict[str, Any], called: Mapping[str, str]) -> str:
    """Say which commit was refused and why, of a refusal as a JSON object; ``called`` are the players' names."""
    author, seen_at = (called.get(line[word], line[word]) for word in ("colour", "seen_at"))
    whose, doubt = f"of {author}", ""
    if not line.get("certain", True):
        whose, doubt = f"in the name of {author}", f"; without keys nobody can tell whether {author} or {seen_at} lies"
    other = f"; the other commit is {line['other']}" if line.get("other") else ""
    return (
        f"refused ({line['reason']}): {line['commit']} {whose}, seen at {seen_at} as {line['ref']}: "
        f"{line['detail']}{other}{doubt}"
    )


def _parse_line(raw: bytes) -> dict[str, Any] | None:
    try:
        line = json.loads(raw)
    # Deeply nested JSON exhausts the stack.
    except (ValueError, RecursionError):
        return None
    if not isinstance(line, dict) or not all(isinstance(line.get(word), str) for word in _WORDS):
        return None
    return line


def list_evidence(folder: Path) -> dict[str, objects.ObjectId]:
    """Return the refused commits in a peer's own folder, by ``<Colour>/<commit>``."""
    found = {}
    for path in sorted((folder / EVIDENCE_FOLDER).glob("*/*")):
        try:
            found[f"{path.parent.name}/{path.name}"] = objects.parse_object_id(path.name)
        except ValueError:
            continue
    return found


def read_evidence(folder: Path, name: str, medium: FileMedium = disk) -> tuple[objects.ObjectKind, bytes]:
    """Read a refused commit, by ``<Colour>/<commit>``; return its kind and bytes.

    ``ObjectDamaged`` if the file does not match its name.
    """
    path = folder / EVIDENCE_FOLDER / name
    if not _NAME.fullmatch(name):
        raise objects.StoreError(f"{name!r}: expected COLOUR/COMMIT, such as Red/ and an object id")
    with disk.explained("read", path):
        content = medium.read(path)
    if content is None:
        raise objects.StoreError(f"{path}: no such evidence")
    header, _, data = content.removeprefix(_HEADING).partition(b"\0")
    kind = next((kind for kind in objects.KINDS if header == kind.encode()), None)
    if kind is None or not content.startswith(_HEADING) or objects.object_id(kind, data) != path.name:
        raise objects.ObjectDamaged(f"{path}: its content does not match the object id in its name")
    return kind, data


def _share(line: dict[str, Any]) -> tuple[str, bool]:
    """The player charged, and whether the refusal proves a contradiction: each such pair has a quota of its own."""
    # An uncertain charge counts against the player who showed it, so nobody can fill another player's quota.
    colour = line["colour"] if line.get("certain", True) else line["seen_at"]
    return colour, line["reason"] == "fork" or (line["reason"] == "late" and line.get("other") is not None)


Found: TypeAlias = Mapping[objects.ObjectId, tuple[objects.ObjectKind, bytes]]
"""Kind and bytes of commits by id."""


class EvidenceBox:
    """Keeps refused commits in a peer's private folder."""

    def __init__(self, folder: Path, medium: FileMedium = disk) -> None:
        self.folder = self._folder = folder
        self._medium = medium
        self._path = folder / REFUSALS_FILE
        self._listed: set[tuple[str, str, str]] = set()
        self._lines: defaultdict[tuple[str, bool], int] = defaultdict(int)
        self._commits: defaultdict[tuple[str, bool], set[str]] = defaultdict(set)
        for line in read_refusals(folder, medium):
            self._count(line)

    def keep(self, refusal: RefusedCommit, found: Found) -> None:
        """Keep a refused commit and the commit that proves it, as far as they were found; each once."""
        line = refusal.as_json()
        bad, share = refusal.rejected, _share(line)
        if (bad.reason, bad.commit, refusal.ref) in self._listed or self._lines[share] >= MAX_REFUSAL_LINES:
            return
        # A full quota for commits still leaves room for the reason, which takes a line only.
        if len(self._commits[share] | {bad.commit}) <= MAX_EVIDENCE_COMMITS:
            self._keep_commit(refusal.colour, bad.commit, found)
            if bad.other is not None:
                self._keep_commit(refusal.colour, bad.other, found)
        self._list(line)
        self._count(line)

    def _count(self, line: dict[str, Any]) -> None:
        share = _share(line)
        self._listed.add((line["reason"], line["commit"], line["ref"]))
        self._lines[share] += 1
        # More ids are not needed to know that the quota is full.
        if len(self._commits[share]) < MAX_EVIDENCE_COMMITS:
            self._commits[share].add(line["commit"])

    def _list(self, line: dict[str, Any]) -> None:
        with disk.explained("write", self._path):
            medium = self._medium
            is_new = not medium.exists(self._path)
            descriptor = medium.open_append(self._path)
            try:
                # A loss of power may have torn the last line: the next one must not be appended to it.
                torn = not is_new and not (medium.read(self._path) or b"\n").endswith(b"\n")
                medium.append(descriptor, b"\n" * torn + json.dumps(line).encode() + b"\n")
                medium.sync(descriptor)
            finally:
                medium.close(descriptor)
            if is_new:
                medium.sync_folder(self._folder)

    def _keep_commit(self, colour: str, commit: objects.ObjectId, found: Found) -> None:
        path = self._folder / EVIDENCE_FOLDER / colour / commit
        try:
            if objects.object_id(*read_evidence(self._folder, f"{colour}/{commit}", self._medium)) == commit:
                return
        except objects.StoreError:
            pass  # not there, or damaged: written anew
        if commit not in found:
            return  # nothing to keep: it could not be read, or is too large
        kind, data = found[commit]
        # Only what its id confirms is evidence.
        if len(data) > MAX_HIDDEN_COMMIT_BYTES or objects.object_id(kind, data) != commit:
            return
        with disk.explained("keep the evidence", path):
            medium = self._medium
            # Each new folder's name is made durable in the folder above it.
            for folder in (path.parent.parent, path.parent):
                if not medium.is_folder(folder):
                    medium.make_folder(folder)
                    medium.sync_folder(folder.parent)
            # Complete under another name first, so a loss of power leaves no half evidence.
            beside = path.with_suffix(".new")
            medium.remove(beside)
            medium.create(beside, _HEADING + kind.encode() + b"\0" + data, synced=True)
            medium.replace(beside, path)
            medium.sync_folder(path.parent)


def evidence_files(folder: Path) -> Iterator[Path]:
    """Iterate over the files of a peer's own folder that hold refusals, relative to it."""
    if (folder / REFUSALS_FILE).is_file():
        yield Path(REFUSALS_FILE)
    for name in list_evidence(folder):
        yield Path(EVIDENCE_FOLDER) / name
