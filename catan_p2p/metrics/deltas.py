"""The size of the change of a commit: as ``git diff`` prints it, and as Git would send it."""

import os
import re
import subprocess
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from catan_p2p.game.actions.replies import is_reply
from catan_p2p.log.history import LoggedAction
from catan_p2p.log.storage.alike import make_delta
from catan_p2p.log.storage.git_program import own_environment
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.storage.repository import GitCommandError, git

CHUNK = 2000
"""The most commits in one call of Git, which bounds the memory that its output takes."""

_ID_LINE = re.compile(rb"^([0-9a-f]{40})\n", re.MULTILINE)


def ask(repo: git.Repo, arguments: Sequence[str], lines: Iterable[str]) -> bytes:
    """The output of ``git <arguments>`` with these lines on standard input; ``StoreError`` if Git fails."""
    # The lines are in a file: with a pipe, Git could wait until its output is read while this process still writes.
    with tempfile.TemporaryFile() as asked:
        asked.writelines(f"{line}\n".encode() for line in lines)
        asked.seek(0)
        try:
            answer: bytes = repo.git.execute(
                [git.Git.GIT_PYTHON_GIT_EXECUTABLE or "git", *arguments],
                istream=cast(BinaryIO, asked),
                stdout_as_string=False,
                strip_newline_in_stdout=False,
            )
        except GitCommandError as error:
            reason = str(error.stderr or error).strip().splitlines()
            raise StoreError(f"{repo.git_dir}: git {arguments[0]} failed: {reason[-1] if reason else error}") from error
    return answer


def by_commit(answer: bytes) -> Iterator[tuple[ObjectId, bytes]]:
    """Split the output of ``git diff-tree --stdin`` into pairs of a commit and its part.

    A commit that does not differ from its parent is not in the output.
    """
    marks = list(_ID_LINE.finditer(answer))
    for mark, following in zip_longest(marks, marks[1:]):
        yield ObjectId(mark[1].decode()), answer[mark.end() : following.start() if following else len(answer)]


def chunks(items: Iterable[tuple[ObjectId, ObjectId]]) -> Iterator[list[tuple[ObjectId, ObjectId]]]:
    """The same pairs in lists of at most ``CHUNK``."""
    rest = iter(items)
    while chunk := list(islice(rest, CHUNK)):
        yield chunk


def read_objects(repo: git.Repo, ids: Iterable[ObjectId]) -> dict[ObjectId, bytes]:
    """The bytes of these objects, read by one process; ``StoreError`` names one that is missing."""
    answer = ask(repo, ["cat-file", "--batch"], ids)
    found = {}
    at = 0
    while at < len(answer):
        # Each object is a line "<id> <type> <size>", its bytes, and a line break; a missing one "<id> missing".
        end = answer.index(b"\n", at)
        words = answer[at:end].split()
        if len(words) != 3:
            raise StoreError(f"{repo.git_dir}: {answer[at:end].decode()}")
        size = int(words[2])
        found[ObjectId(words[0].decode())] = answer[end + 1 : end + 1 + size]
        at = end + 1 + size + 1
    return found


_PACK_FRAME_BYTES = 32
"""Header (12 bytes) and checksum (20) of a pack."""
_BASE_ID_BYTES = 20
"""The id of its base before each delta."""


class StorageDelta(NamedTuple):
    """The data that a commit adds to its first parent.

    ``diff_bytes`` is what ``git diff <parent> <commit> | wc -c`` prints, as the thesis counts. ``changed_object_count``
    counts the commit, its root tree, and every tree and file below it that the parent does not have at this place. An
    object of an earlier commit counts again, so the sum of a game exceeds the objects in its repository.
    ``pack_bytes`` is their size in a pack for a peer that has the parent, each whole or as a delta against the older
    version, deflated as Git does. Git chooses other deltas: its packs are a few percent larger or smaller, a sixth
    larger where hands are hidden.
    """

    diff_bytes: int
    changed_object_count: int
    pack_bytes: int


def diff_sizes(repo: git.Repo, pairs: Iterable[tuple[ObjectId, ObjectId]]) -> dict[ObjectId, int]:
    """The bytes of ``git diff <parent> <commit>`` for each (commit, parent), with one process for ``CHUNK`` commits."""
    sizes: dict[ObjectId, int] = {}
    for chunk in chunks(pairs):
        # -M because git diff detects renames by default, and diff-tree does not.
        answer = ask(repo, ["diff-tree", "--stdin", "-p", "-M", "--no-color"], (" ".join(pair) for pair in chunk))
        sizes |= {commit: 0 for commit, _ in chunk}
        for commit, patch in by_commit(answer):
            sizes[commit] = len(patch)
    return sizes


def measure_deltas(repo: git.Repo, root: ObjectId, actions: Sequence[LoggedAction]) -> dict[ObjectId, StorageDelta]:
    """The delta of every action's commit to its first parent; ``root`` is the commit before the first of them."""
    pairs = [(logged.commit, logged.parents[0]) for logged in actions]
    diffs = diff_sizes(repo, pairs)
    root_tree = ObjectId(str(repo.commit(root).tree.hexsha))
    trees = {root: root_tree, **{logged.commit: logged.tree for logged in actions}}
    deltas = {}
    for chunk in chunks(pairs):
        new = _new_objects(repo, chunk, trees)
        data = read_objects(repo, sorted({oid for replaced in new.values() for pair in replaced for oid in pair}))
        for commit, replaced in new.items():
            size = _PACK_FRAME_BYTES + sum(_entry_bytes(data[old], data[now]) for old, now in replaced)
            deltas[commit] = StorageDelta(diffs[commit], len(replaced), size)
    return deltas


def _new_objects(
    repo: git.Repo, pairs: Sequence[tuple[ObjectId, ObjectId]], trees: dict[ObjectId, ObjectId]
) -> dict[ObjectId, list[tuple[ObjectId, ObjectId]]]:
    """For each commit, pairs of a replaced object and the new one: commit, root tree, and all below that differs."""
    arguments = ["diff-tree", "--stdin", "-r", "-t", "--raw", "--no-abbrev", "--no-renames"]
    answer = ask(repo, arguments, (" ".join(pair) for pair in pairs))
    new = {}
    for commit, parent in pairs:
        new[commit] = [(parent, commit)]
        if trees[parent] != trees[commit]:
            new[commit].append((trees[parent], trees[commit]))
    for commit, text in by_commit(answer):
        for line in text.decode("utf-8", "replace").splitlines():
            _, _, old, now, _ = line.split(" ", 4)
            if set(old) != {"0"} and set(now) != {"0"}:  # zeros: the file was added or removed
                new[commit].append((ObjectId(old), ObjectId(now)))
    return new


def _entry_bytes(old: bytes, now: bytes) -> int:
    whole = _header_bytes(len(now)) + len(zlib.compress(now))
    delta = make_delta(old, now)
    return min(whole, _header_bytes(len(delta)) + _BASE_ID_BYTES + len(zlib.compress(delta)))


def _header_bytes(size: int) -> int:
    # An entry begins with its size: four bits in the first byte, seven in each further one.
    return 1 + max(0, (size.bit_length() - 4 + 6) // 7)


class HandOver(NamedTuple):
    """Consecutive commits of one player, which another peer receives at once, and the bytes that Git sends for them."""

    head: ObjectId
    commits: int
    sent_bytes: int


def hand_overs(repo: git.Repo, actions: Sequence[LoggedAction]) -> list[HandOver]:
    """Every hand-over of a game, with the size of the pack that ``upload-pack`` would send to a peer that lacks it.

    Each needs a process. A discard is a hand-over of its own.
    """
    found = []
    for group in group_hand_overs(actions):
        have = {parent for logged in group for parent in logged.parents} - {logged.commit for logged in group}
        head = group[-1].commit
        found.append(HandOver(head, len(group), _sent_bytes(repo, head, sorted(have))))
    return found


def group_hand_overs(actions: Sequence[LoggedAction]) -> list[list[LoggedAction]]:
    """The actions of a game in groups; a new one begins with another player, a reply, or a commit that merges."""
    groups: list[list[LoggedAction]] = []
    for logged in actions:
        last = groups[-1][-1] if groups else None
        follows = (
            last is not None
            and logged.parents == (last.commit,)
            and logged.action.player == last.action.player
            and not is_reply(logged.action)
        )
        if follows:
            groups[-1].append(logged)
        else:
            groups.append([logged])
    return groups


def _sent_bytes(repo: git.Repo, head: ObjectId, have: Sequence[ObjectId]) -> int:
    wanted = "\n".join([head, *(f"^{commit}" for commit in have)]) + "\n"
    command = ["pack-objects", "--revs", "--thin", "--stdout", "--delta-base-offset", "--quiet"]
    done = subprocess.run(
        ["git", *command],
        env=os.environ | own_environment(Path(repo.git_dir)),
        input=wanted.encode(),
        capture_output=True,
    )
    if done.returncode != 0:
        reason = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise StoreError(f"{repo.git_dir}: git pack-objects failed: {reason[-1] if reason else done.returncode}")
    return len(done.stdout)
