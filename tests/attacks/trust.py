"""What would make an honest player a liar, and evidence that is made to poison whoever keeps it.

The damage that a loss of power leaves is here too: it needs no attacker, and an attacker would like it.
"""

from functools import partial
from pathlib import Path

from catan_p2p.game.actions import EmptyTrade, RollDice
from catan_p2p.limits import MAX_EVIDENCE_COMMITS
from catan_p2p.log.evidence import list_evidence, read_refusals
from catan_p2p.tables.status import read_status
from tests.attacks.registry import attack, put
from tests.attacks.table import deal
from tests.log.storage.test_power_cut import assert_kept, cuts_of
from tests.replication.tables import git, is_sound, open_replica
from tests.replication.test_hostile import Forger
from tests.replication.test_mending import HARMS, mended
from tests.replication.test_poison import box_of, commit_of, file_and_folder_alike, one_name_twice, strange_author
from tests.replication.test_rejoining import from_a_copy, from_another_player, played_unseen_by_green

KEPT = "kept"


def _poisoned(folder: Path, poison: object) -> None:
    red = Forger(deal(folder))
    red.publish(bad := poison(red))  # type: ignore[operator]
    blue = folder / "Blue"
    for _ in range(2):
        with open_replica(blue) as replica:
            replica.synchronize()
            assert bad not in replica.graph
    assert is_sound(blue)
    assert list(read_status(blue).evidence) == [f"Red/{bad}"]
    assert not list(folder.glob("*.damaged-*"))


for _name, _what, _poison in (
    ("tree_with_one_name_twice", "whose tree names an entry twice", one_name_twice),
    ("tree_with_file_and_folder_alike", "whose tree has a file and a folder of one name", file_and_folder_alike),
    ("author_that_no_check_lets_pass", "by an author `Bl>ue_0`", strange_author),
):
    put(_name, f"a refused commit {_what}", KEPT, partial(_poisoned, poison=_poison))


@attack("400 refused commits, then a fork", "the fork's proof is kept", tries=401)
def junk_before_a_fork(folder: Path) -> None:
    folder.mkdir()
    _, refuse = box_of(folder)
    for number in range(400):
        refuse(number, "guard")
    refuse(5000, "fork")
    assert f"Red/{commit_of(5000)[0]}" in list_evidence(folder)
    assert len(list_evidence(folder)) == MAX_EVIDENCE_COMMITS + 2
    assert read_refusals(folder)[-1]["reason"] == "fork"


@attack("a roll rewritten after a peer that had accepted it lost its packs", "the first roll stays", tries=1)
def roll_rewritten_after_damage(folder: Path) -> None:
    red = Forger(deal(folder))
    red.publish(eight := red.write(red.draft(RollDice(1, 8))))
    blue = folder / "Blue"
    with open_replica(blue) as replica:
        replica.synchronize()
        assert eight in replica.graph
    red.publish(nine := red.write(red.draft(RollDice(1, 9))))
    HARMS["packs empty"](blue)
    mended(blue)
    with open_replica(blue) as replica:
        replica.synchronize()
        assert eight in replica.graph and nine not in replica.graph
    assert f"Red/{nine}" in read_status(blue).evidence


@attack("asking a daemon for refused commits by id", "not there")
def refused_commits_by_id(folder: Path) -> None:
    red = Forger(deal(folder))
    red.publish(bad := red.write(red.draft(EmptyTrade(1), red.graph.state)))
    blue = folder / "Blue"
    with open_replica(blue) as replica:
        replica.synchronize()
        replica.store.publish()
    assert f"Red/{bad}" in read_status(blue).evidence
    assert git(blue, "cat-file", "-t", bad, check=False) == ""


def _goes_back(folder: Path, back: object) -> None:
    folder.mkdir(exist_ok=True)
    paths, newest = played_unseen_by_green(folder, signed=True)
    back(paths[0], folder / "backup")  # type: ignore[operator]
    with open_replica(paths[0]) as red:
        assert red.act() == []
        red.synchronize()
        assert newest in red.graph
        red.store.publish()
    assert all(read_status(path).refusals == () for path in paths)


@attack("a peer's folder restored from a backup", "it continues from the newest commit; nobody charged")
def folder_from_a_backup(folder: Path) -> None:
    _goes_back(folder, from_a_copy)


@attack("joining again to roll again", "it continues from the newest commit; nobody charged")
def joining_again_to_roll_again(folder: Path) -> None:
    _goes_back(folder, from_another_player)


@attack("a power cut before every sync and after everything shown", "everything shown is there", times=3, tries=60)
def power_cuts(folder: Path) -> None:
    folder.mkdir()
    for cut in cuts_of(folder, "power", seed=2):
        assert_kept(cut)


@attack("24 kinds of zeroed, empty or missing files and stale locks", "repaired, nothing lost", is_long=True, tries=24)
def what_a_cut_leaves(folder: Path) -> None:
    for number, harm in enumerate(HARMS.values()):
        place = folder / str(number)
        red = deal(place) / "Red"
        head = git(red, "rev-parse", "Red_0")
        harm(red)
        mended(red)
        assert is_sound(red)
        with open_replica(red) as replica:
            assert head in replica.graph
