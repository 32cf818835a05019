"""Votes without end: on old commits, on every commit there is, and on every lie that can be told."""

from pathlib import Path

from tests.attacks.registry import attack
from tests.log.test_many_votes import MANY, flood, long_game, merged_by, next_of
from tests.replication.test_many_votes import many_votes_on_lies
from tests.replication.test_many_votes import votes_on_old_commits as on_old_commits
from tests.replication.test_settling import false_height

ACCEPTED = "the next commits merge 8 each, and are accepted"


# Without MAX_MERGED_VOTES_OF_PLAYER the next commit is refused for its size.
@attack("389 valid votes of one player", ACCEPTED, tries=MANY)
def many_votes(folder: Path) -> None:
    table = long_game()
    table.held(*flood(table))
    step, bad = next_of(table)
    assert bad is None
    assert sum(merged_by(table, step).values()) == 8


# Without votes.is_decided all of them are taken in.
@attack("80 votes on commits long passed", "left alone, nobody charged", tries=80)
def votes_on_old_commits(folder: Path) -> None:
    folder.mkdir()
    on_old_commits(folder, 80)


# Without MAX_OWN_CHARGES each lie takes a vote of everybody.
@attack("10 forks of one player", "4 votes each settle it; the liar is out", tries=10)
def many_votes_on_lies_of_one(folder: Path) -> None:
    folder.mkdir()
    many_votes_on_lies(folder)


# With the greatest height of a side in the place of the least, the side of who tells it survives.
@attack(
    "a tied vote with a made-up height",
    "it wins no tie; the liar is out",
)
def height_that_nobody_reached(folder: Path) -> None:
    folder.mkdir()
    false_height(folder)
