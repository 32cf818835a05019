"""Ten bugs as somebody could write them into the program, to see whether the laboratory finds them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from catan_p2p.log.rules import guard
from catan_p2p.log.storage import journal, ref_files, writer
from catan_p2p.log.transport import pacing
from catan_p2p.replication import play, replica
from catan_p2p.replication.core.looking import Looking
from catan_p2p.simulation.laboratory import hosts

Plant = Callable[[pytest.MonkeyPatch], None]


def nothing_is_synced(patch: pytest.MonkeyPatch) -> None:
    """What is acknowledged is not waited for."""
    patch.setattr(journal.Journal, "sync", lambda self: None)


def journal_is_not_replayed(patch: pytest.MonkeyPatch) -> None:
    """What a killed process had acknowledged is not taken out of the journal."""
    real = writer.Writer._replay
    patch.setattr(writer.Writer, "_replay", lambda self, publications: real(self, [[]]))


def journal_begins_anew_too_early(patch: pytest.MonkeyPatch) -> None:
    """The journal is emptied once packs and refs are written, not once they are on the medium."""
    patch.setattr(journal.Journal, "mark", lambda self: self.reset())


def stale_locks_stay(patch: pytest.MonkeyPatch) -> None:
    """The locks of a killed process are not removed."""
    patch.setattr(ref_files.RefFiles, "remove_stale_locks", lambda self, trails, locks: None)


def full_disk_ends_the_peer(patch: pytest.MonkeyPatch) -> None:
    """A full disk is not waited for."""
    patch.setattr(play, "is_full", lambda error: False)
    patch.setattr(hosts, "is_full", lambda error: False)


def never_again_after_a_failure(patch: pytest.MonkeyPatch) -> None:
    """A neighbour who could not be reached once is not looked at any more."""

    def failed(self: Any, error: Exception) -> None:
        self.trouble, self._next = str(error), math.inf

    patch.setattr(pacing.Backoff, "failed", failed)


def refused_ref_never_again(patch: pytest.MonkeyPatch) -> None:
    """A branch of which something was refused is not looked at any more."""
    real = Looking.is_fresh
    patch.setattr(
        Looking,
        "is_fresh",
        lambda self, one, ref, head: ref not in one.rejected and real(self, one, ref, head),
    )


def own_log_is_not_resumed(patch: pytest.MonkeyPatch) -> None:
    """A peer starts as if it had not played yet."""
    patch.setattr(replica.Replica, "resume", lambda self: None)


def leaves_too_early(patch: pytest.MonkeyPatch) -> None:
    """A peer goes when the game is over, whoever has not heard of it."""
    patch.setattr(play, "knows_head", lambda one, player: True)
    patch.setattr(play, "_LINGER_S", 0.0)


def guards_are_not_checked(patch: pytest.MonkeyPatch) -> None:
    """An action of somebody else's is carried out without looking whether it is enabled."""
    patch.setattr(guard, "broken_guards", lambda state, action: ())


PLANTED: dict[str, tuple[Plant, int]] = {
    plant.__name__: (plant, games)
    for plant, games in (
        (nothing_is_synced, 40),
        (journal_is_not_replayed, 40),
        (journal_begins_anew_too_early, 40),
        (stale_locks_stay, 40),
        (full_disk_ends_the_peer, 40),
        (never_again_after_a_failure, 40),
        (refused_ref_never_again, 40),
        (own_log_is_not_resumed, 40),
        (leaves_too_early, 40),
        (guards_are_not_checked, 60),
    )
}
"""The bugs, and within how many games of the campaign each is found."""
