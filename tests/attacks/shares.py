"""Shares of a draw that a liar hears before an accomplice calls for it."""

from pathlib import Path

from tests.attacks.registry import attack
from tests.replication.test_forks import call_after_the_change

ANOTHER = "the share told is a new one; the game goes on"


@attack("a call shown to one player, who reveals; an accomplice calls again after the change of the view", ANOTHER)
def share_told_to_a_liar(folder: Path) -> None:
    folder.mkdir()
    call_after_the_change(folder)
