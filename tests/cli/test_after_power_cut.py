"""The verbs that read do so after a loss of power, before any peer has opened the repository, and change nothing."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import catan_p2p
from catan_p2p.cli.main import main
from catan_p2p.log.storage.journal import read_journal
from catan_p2p.log.storage.pack import PackBuilder, listed_objects, restore
from catan_p2p.tables.seat import read_settings, write_settings
from tests.replication.tables import make_seats, opened, play_rounds

TORN: dict[str, Callable[[Path], object]] = {
    "refs and packs": lambda folder: None,
    "config": lambda folder: (folder / "config").write_bytes(bytes(200)),
    "HEAD": lambda folder: (folder / "HEAD").write_bytes(b""),
}


def files_in(folder: Path) -> dict[str, bytes | None]:
    """Everything in a folder; of a folder, that it is there."""
    return {str(file.relative_to(folder)): file.read_bytes() if file.is_file() else None for file in folder.rglob("*")}


@pytest.fixture(scope="module")
def seat(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """Red's repository as a loss of power leaves it, and how many commits it has."""
    folder = tmp_path_factory.mktemp("game")
    paths = make_seats(folder, 2)
    for path in paths:
        settings = read_settings(path)
        settings.durable = True
        write_settings(path, settings)
    with opened(paths) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 30)
        for replica in replicas:
            replica.synchronize()
            replica.store.publish()
        count = len(replicas[0].graph)
        red = shutil.copytree(paths[0], folder / "copy")
    git = red / ".git"
    found = read_journal(git / "catan-p2p" / "writer.journal")
    for ref in {record.move.ref for record in found.records}:
        if (git / ref).is_file():
            (git / ref).write_bytes(b"")
    kept: set[str] = set()
    for records in found.publications:
        kept |= restore(((record.entries, record.entry_count) for record in records), PackBuilder()).keys()
    torn = [file for file in (git / "objects" / "pack").glob("*.idx") if listed_objects(file.read_bytes()) <= kept]
    for index in torn:
        for file in (index, index.with_suffix(".pack")):
            file.unlink()
            file.write_bytes(b"")
    assert len(torn) > 3
    return red, count


@pytest.mark.sampled(3)
@pytest.mark.parametrize("torn", TORN)
def test_reading_verbs_need_no_peer_after_a_loss_of_power(
    seat: tuple[Path, int], tmp_path: Path, torn: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(shutil.copytree(seat[0], tmp_path / "red"))
    TORN[torn](path / ".git")
    before = files_in(path)
    for command in (
        ["status", str(path)],
        ["verify", str(path)],
        ["log", str(path)],
        ["stats", str(path)],
        ["metrics", str(path)],
        ["page", str(path), "--out", str(tmp_path / "game.html")],
        ["export", str(path), "--format", "sgn", "--out", str(tmp_path / "game.sgn")],
        ["verify", str(path), "--json"],
    ):
        assert main(command) == 0, (command, capsys.readouterr().err)
        assert capsys.readouterr().err.count("snapshot-") == 0
    assert len(catan_p2p.load(path)) == seat[1] - 1
    assert files_in(path) == before
