"""Shares of a draw that a liar hears before an accomplice calls for it."""

from __future__ import annotations

from pathlib import Path

from tests.attacks.registry import attack
from tests.replication.test_told_shares import call_after_the_votes, call_before_the_votes

ANOTHER = "a share is told that nobody knows, and the game goes on"


@attack("a call shown to one player alone, who reveals; once the liar is excused, an accomplice calls again", ANOTHER)
def share_told_to_an_excused_liar(folder: Path) -> None:
    folder.mkdir()
    call_after_the_votes(folder)


@attack("the same, where the accomplice calls before all have voted, and leaves the votes out", ANOTHER)
def share_told_before_the_votes(folder: Path) -> None:
    folder.mkdir()
    call_before_the_votes(folder)
