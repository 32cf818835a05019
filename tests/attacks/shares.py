"""Shares of a draw that a liar hears before an accomplice calls for it."""

from pathlib import Path

from tests.attacks.registry import attack
from tests.replication.test_told_shares import call_after_the_votes, call_before_the_votes

ANOTHER = "the share told is a new one; the game goes on"


@attack("a call shown to one player, who reveals; an accomplice calls again after the excuse", ANOTHER)
def share_told_to_an_excused_liar(folder: Path) -> None:
    folder.mkdir()
    call_after_the_votes(folder)


@attack("the same; the accomplice calls before all have voted and omits the votes", ANOTHER)
def share_told_before_the_votes(folder: Path) -> None:
    folder.mkdir()
    call_before_the_votes(folder)
