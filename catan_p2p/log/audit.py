"""Auditing a game repository: the history as a peer validates it, and Git's own check of the objects."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from catan_p2p.log.folders import GamePath, find_games
from catan_p2p.log.history import BadRoot, GameHistory, game_refs, read_history
from catan_p2p.log.opened_hands import OpenedHands, openings
from catan_p2p.log.refs import HEADS, REMOTES, copy_at, parse_branch
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.storage.repository import GitCommandError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.verdict import CommitRejected

_ABOUT_A_FILE = re.compile(r"(error|warning): refs/[\w/]*[^\w/:]", re.ASCII)
"""What newer versions of Git say of a file among the refs whose name is not one of this program's."""
_QUOTED = re.compile(r"^std(out|err): '")
"""How GitPython introduces what Git has printed."""


@dataclass(frozen=True, slots=True)
class RepositoryAudit:
    """The verdict on one repository."""

    history: GameHistory | None
    """None if the game does not even begin."""
    rejected: tuple[CommitRejected, ...]
    damage: str | None
    """The first complaint of ``git fsck``, None if there is none."""
    ignored_refs: tuple[str, ...]
    """Refs that do not belong to the game; a peer does not look at them."""
    stray_files: tuple[str, ...] = ()
    """Files of other programs among the refs: no refs at all."""
    openings: OpenedHands | None = None
    """The opened cards; None before the end, and where hands are open."""

    @property
    def is_fine(self) -> bool:
        """Whether nothing is wrong."""
        return not self.rejected and self.damage is None and not (self.openings and self.openings.false)


def whole_games(path: Path) -> tuple[GamePath, ...]:
    """Each game at ``path`` with all its repositories; ``StoreError`` if any is missing."""
    found = find_games(path)
    if found.lacking:
        raise StoreError(str(found.lacking[0]))
    return found.games


def audit(path: Path) -> RepositoryAudit:
    """Audit the repository at ``path``; ``StoreError`` if it is no game repository at all."""
    with GitStore.open(path, writer=None) as store:
        refs, strays = store.list_refs("refs/"), store.stray_files()
        damage = _fsck(store, refs.values())
        ignored = tuple(
            ref
            for ref in refs
            if not ref.startswith(REMOTES)
            and not (ref.startswith(HEADS) and parse_branch(ref.removeprefix(HEADS)))
            and copy_at(ref) is None
        )
        try:
            history = read_history(game_refs(store), store.read, str(path))
        except BadRoot as error:
            return RepositoryAudit(None, (error.rejected,), damage, ignored, strays)
        is_told = history.last.is_over and history.game.constants.rules.hands == "hidden"
        told = openings(history) if is_told else None
        return RepositoryAudit(history, history.rejected, damage, ignored, strays, told)


def _fsck(store: GitStore, heads: Iterable[ObjectId]) -> str | None:
    """The first complaint of ``git fsck`` about what these heads lead to, None if there is none."""
    try:
        # Named, since Git takes any file among the refs for a ref, also those that a sync service leaves there.
        store.repo.git.fsck("--strict", "--no-dangling", "--no-progress", *sorted({*heads}))
    except GitCommandError as error:
        text = _QUOTED.sub("", str(error.stderr or error.stdout or error).strip()).strip("'")
        lines = [line.strip() for line in text.splitlines() if not _ABOUT_A_FILE.match(line.strip())]
        if not lines:
            return None if text else "git fsck failed"
        # What is missing says more than the lines before it, of which objects name it.
        return next((line for line in lines if line.startswith("missing ")), lines[0])
    return None
