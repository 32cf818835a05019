"""Files that systems and sync services leave among the refs: no verb takes them for refs of the game."""

from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.log.audit import _ABOUT_A_FILE
from catan_p2p.log.storage.objects import ObjectDamaged
from catan_p2p.log.storage.ref_files import RefFiles
from catan_p2p.log.transport.their_files import TheirRefs
from catan_p2p.replication.sync_once import visit
from tests.replication.relays import bare, seats_at
from tests.replication.tables import open_replica
from tests.typed import Typed

STRAYS = (
    "desktop.ini",
    "Thumbs.db",
    ".DS_Store",
    "Icon\r",
    "Red_0 (conflicted copy)",
    ".syncthing.Red_0.tmp",
    ".~tmp~/Red_0",
    "Red_0-LAPTOP",
)
CONFLICT = "Red_0.sync-conflict-20261129-101010-ABCDEFG"


def litter(heads: Path, head: str) -> None:
    """Leave such files in a folder of branches; one of them is a copy of a branch."""
    for name in STRAYS:
        (heads / name).parent.mkdir(exist_ok=True)
        (heads / name).write_text("[.ShellClassInfo]\n")
    (heads / CONFLICT).write_text(f"{head}\n")


@pytest.fixture
def relay(tmp_path: Path) -> Path:
    """The relay of a game of two, littered after the first actions, and the seats beside it."""
    path = bare(tmp_path / "relay")
    for seat in seats_at(tmp_path, str(path)):
        with open_replica(seat) as replica:
            visit(replica)
    litter(path / "refs/heads", (path / "refs/heads/Red_0").read_text().strip())
    return path


def test_every_verb_reads_on(relay: Path, tmp_path: Path, typed: Typed) -> None:
    out, err = typed(0, "verify", relay)
    assert "in order" in out
    assert "no refs of the game, left alone: 'refs/heads/.DS_Store'" in err
    assert err.endswith("and 4 more\n")
    assert f"refs/heads/{CONFLICT}" in typed(0, "verify", "--json", relay).out
    for verb in ("log", "stats"):
        assert main([verb, str(relay)]) == 0, verb
    assert main(["page", str(relay), "-o", str(tmp_path / "page.html")]) == 0
    for seat in ("Red", "Blue"):
        assert main(["turn", str(tmp_path / seat)]) in (0, 3), seat


def test_they_are_no_refs_for_a_reader(relay: Path) -> None:
    refs = RefFiles(relay, lock_wait_s=0.0)
    assert {*refs.list("refs/heads/")} == {*TheirRefs(relay).list("refs/heads/")} >= {"refs/heads/Red_0"}
    assert {*refs.strays()} == {f"refs/heads/{name}" for name in (*STRAYS, CONFLICT)}


def test_a_damaged_ref_of_the_game_is_still_damage(relay: Path, typed: Typed) -> None:
    (relay / "refs/heads/Blue_0").write_text("not an id\n")
    with pytest.raises(ObjectDamaged, match="Blue_0: a ref that holds no object id"):
        RefFiles(relay, lock_wait_s=0.0).list("refs/")
    assert "Blue_0: a ref that holds no object id" in typed(2, "verify", relay).err


@pytest.mark.parametrize(
    ("line", "is_ignored"),
    [
        ("error: refs/heads/desktop.ini: badRefContent: [.ShellClassInfo]", True),
        ("error: refs/heads/Red_0 (conflicted copy): badRefName: invalid refname format", True),
        ("error: refs/heads/Red_0-LAPTOP: badRefContent: 12", True),
        ("error: refs/heads/Red_0: badRefContent: 12", False),
        ("error: bad object 1234", False),
    ],
)
def test_what_newer_versions_of_git_say_of_them_is_no_damage(line: str, is_ignored: bool) -> None:
    assert bool(_ABOUT_A_FILE.match(line)) == is_ignored
