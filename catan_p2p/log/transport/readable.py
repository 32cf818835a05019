"""Checks whether everything that the refs of a repository lead to can be read there.

A disk may lose objects while the refs stay. To find out, the repository is read without any objects of our own, so that
none of them stands in for one that is missing there. Apart from ``opening``, as most workers are never asked for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from catan_p2p.limits import MAX_LISTING_BYTES
from catan_p2p.log.storage.git_program import NEW_REPOSITORY
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.transport.bounded import run_bounded
from catan_p2p.log.transport.git_command import git_command, git_environment, last_line
from catan_p2p.log.transport.git_remote import FETCH, FETCH_OPTIONS
from catan_p2p.log.transport.quarantine import Quarantine
from catan_p2p.log.transport.remote import RemoteUnreachable
from catan_p2p.log.transport.their_files import git_folder, reading_theirs

_LOST = (
    "possible repository corruption on the remote side",
    "couldn't find remote ref",
    "not our ref",
    "did not send all necessary objects",
    "unresolved delta",
    "missing blob",
    "bad object",
)
"""What Git says when a server lacks objects that its refs lead to; for a broken connection it says something else."""


def readable_in_folder(path: Path, own: Path, heads: Mapping[str, ObjectId]) -> Mapping[str, ObjectId]:
    """The same for a folder, whose files are read by a Git that runs in our repository."""
    environment = reading_theirs(own, git_folder(path) / "objects") | {"LC_ALL": "C"}
    # A file that lists commits would stand in for the commits themselves.
    walk = ["git", "-c", "core.commitGraph=false", "rev-list", "--objects", "--quiet", "--stdin"]

    def are_there(*oids: ObjectId) -> bool:
        return run_bounded(walk, environment, 0, "".join(f"{oid}\n" for oid in oids).encode()).code == 0

    # One walk for all heads is the rule; only after a loss each head is walked by itself.
    if are_there(*heads.values()):
        return heads
    return {ref: head for ref, head in heads.items() if are_there(head)}


def readable_with_git(
    url: str, own: Path, incoming: Path, heads: Mapping[str, ObjectId], most_bytes: int
) -> Mapping[str, ObjectId]:
    """The same for any URL: everything is fetched into an empty repository, which is thrown away."""
    quarantine = Quarantine(incoming / "whole", most_bytes)
    quarantine.begin()
    empty = quarantine.objects / "empty.git"
    environment = git_environment(own)

    def run(arguments: list[str], folder: Path) -> tuple[int, str]:
        done = run_bounded(
            [*git_command(FETCH_OPTIONS), *arguments],
            environment | NEW_REPOSITORY | {"GIT_DIR": str(folder)},
            MAX_LISTING_BYTES,
            writes_too_much=lambda: quarantine.size > most_bytes,
        )
        if done.wrote_too_much:
            raise RemoteUnreachable(f"{url}: sends more than {most_bytes} bytes")
        return done.code, done.complaint

    try:
        code, complaint = run(["init", "--quiet", "--bare", str(empty)], empty)
        if code == 0:
            code, complaint = run([*FETCH, "--", url, *(f"+{ref}:{ref}" for ref in heads)], empty)
        if code == 0:
            return heads
        if any(words in complaint for words in _LOST):
            return {}
        raise RemoteUnreachable(f"{url}: {last_line(complaint) or f'git ended with code {code}'}")
    finally:
        quarantine.clear()
