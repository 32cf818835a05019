"""Auditing a game repository: the history as a peer validates it, and Git's own check of the objects."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from catan_p2p.log.folders import GamePath, find_games
from catan_p2p.log.history import BadRoot, GameHistory, game_refs, read_history
from catan_p2p.log.opened_hands import OpenedHands, openings
from catan_p2p.log.refs import HEADS, REMOTES, copy_at, parse_branch
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.storage.repository import GitCommandError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.verdict import CommitRejected


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
        damage = _fsck(store)
        refs = store.list_refs("refs/")
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
            return RepositoryAudit(None, (error.rejected,), damage, ignored)
        is_told = history.last.is_over and history.game.constants.rules.hands == "hidden"
        return RepositoryAudit(history, history.rejected, damage, ignored, openings(history) if is_told else None)


def _fsck(store: GitStore) -> str | None:
    try:
        store.repo.git.fsck("--strict", "--no-dangling", "--no-progress")
    except GitCommandError as error:
        text = str(error.stderr or error.stdout or error).strip()
        return text.splitlines()[0] if text else "git fsck failed"
    return None
