"""Moves refs of a repository behind any URL that Git can push to: ssh://, https://, git://, a hosting service.

Git checks here that a move continues what is there, unless it is forced; a forced one holds only if the ref is still
where it was seen. Credentials are left to Git: it asks its helpers and the ssh agent, and nobody at a terminal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from catan_p2p.limits import MAX_COMPLAINT_CHARACTERS, MAX_PUSH_REPORT_BYTES
from catan_p2p.log.storage.objects import NULL_ID
from catan_p2p.log.transport.bounded import run_bounded
from catan_p2p.log.transport.git_command import git_command, git_environment, last_line
from catan_p2p.log.transport.queries import PushMove
from catan_p2p.log.transport.remote import RemoteUnreachable

# Otherwise the user's settings could add tags and submodules to a push, or sign it.
_OPTIONS = (
    "push.gpgSign=false",
    "push.followTags=false",
    "push.recurseSubmodules=no",
    "push.negotiate=false",
    "pack.threads=1",
)
_REFUSED = "!"


def push_with_git(url: str, own: Path, moves: Sequence[PushMove]) -> Mapping[str, str]:
    """Move refs of theirs; return the refused moves with the reasons, by ref."""
    command = [*git_command(_OPTIONS), "push", "--porcelain", "--no-verify"]
    for move in moves:
        if move.is_forced or move.new is None:
            # An expected value of zeros means that the ref must not exist.
            command.append(f"--force-with-lease={move.ref}:{move.old or NULL_ID}")
    command += ["--", url, *(f"{move.new or ''}:{move.ref}" for move in moves)]
    code, out, complaint, _ = run_bounded(command, git_environment(own), MAX_PUSH_REPORT_BYTES)
    told = _read_report(out.decode("utf-8", "replace"))
    lacking = [move.ref for move in moves if move.ref not in told]
    # A ref without a line in the report has neither moved nor been refused: the connection failed.
    if lacking:
        raise RemoteUnreachable(f"{url}: {last_line(complaint) or f'git push ended with code {code}'}")
    wanted = {move.ref for move in moves}
    words = _remote_words(complaint)
    return {
        ref: f"{why}: {words}" if words and "hook declined" in why else why
        for ref, why in told.items()
        if why is not None and ref in wanted
    }


def _remote_words(complaint: str) -> str:
    """Return what a hook there said, in one line."""
    lines = (line.removeprefix("remote:").strip() for line in complaint.splitlines() if line.startswith("remote:"))
    return " ".join(line for line in lines if line)[:MAX_COMPLAINT_CHARACTERS]


def _read_report(text: str) -> dict[str, str | None]:
    """Read the report of ``git push --porcelain``: for each ref the reason of a refusal, else None."""
    told: dict[str, str | None] = {}
    for line in text.splitlines():
        flag, _, rest = line.partition("\t")
        names, _, summary = rest.partition("\t")
        ref = names.rpartition(":")[2]
        if len(flag) == 1 and ref.startswith("refs/"):
            told[ref] = (summary or "refused") if flag == _REFUSED else None
    return told
