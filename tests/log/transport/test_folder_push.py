"""A push to a folder leaves nothing of itself there, whatever cuts it."""

import errno
from pathlib import Path

import pytest

from catan_p2p.log.storage import disk
from catan_p2p.log.transport import folder_push
from catan_p2p.log.transport.folder_push import push_to_folder
from catan_p2p.log.transport.queries import PushMove
from catan_p2p.log.transport.remote import Unreachable
from tests.log.transport.packs import REF, with_a_large_pack
from tests.replication.relays import bare
from tests.replication.tables import git


def files(relay: Path) -> set[str]:
    return {file.suffix for file in (relay / "objects" / "pack").iterdir()}


def test_nothing_is_left_of_a_push_that_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, head = with_a_large_pack(tmp_path / "own", 1 << 20)
    relay, moves = bare(tmp_path / "relay"), [PushMove(REF, None, head)]

    def broken(path: Path, data: bytes, **_: object) -> None:
        raise OSError(errno.EIO, "broken")

    with monkeypatch.context() as patch:
        patch.setattr(disk, "create", broken)
        with pytest.raises(Unreachable, match="broken"):
            push_to_folder(relay, own, moves)
    assert files(relay) == set()
    assert not list((own / "catan-p2p" / "incoming").iterdir())
    assert push_to_folder(relay, own, moves) == {}
    assert {".pack", ".idx"} <= files(relay) <= {".pack", ".idx", ".rev"}
    assert git(relay, "rev-parse", REF) == head
    assert git(relay, "fsck", "--no-dangling") == ""


def test_what_a_killed_push_has_left_is_removed_by_the_next_and_nothing_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, head = with_a_large_pack(tmp_path / "own", 1 << 20)
    relay, moves = bare(tmp_path / "relay"), [PushMove(REF, None, head)]
    packs = relay / "objects" / "pack"

    def killed(path: Path, data: bytes, **_: object) -> None:
        path.write_bytes(data[:1000])
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(disk, "create", killed)
        patch.setattr(disk, "remove", lambda path: None)
        with pytest.raises(KeyboardInterrupt):
            push_to_folder(relay, own, moves)
    (left,) = packs.iterdir()
    assert left.name.startswith("tmp_pack_catan_")
    anothers = packs / f"tmp_pack_catan_{'0' * 16}"
    anothers.write_bytes(b"of another seat")
    assert push_to_folder(relay, own, moves) == {}
    assert not left.exists()
    assert anothers.exists()


def test_two_pushes_of_a_seat_do_not_meet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, head = with_a_large_pack(tmp_path / "own", 1 << 10)
    relay = bare(tmp_path / "relay")
    monkeypatch.setattr("catan_p2p.log.storage.lock._DYING_S", 0.0)
    (own / "catan-p2p").mkdir()
    with folder_push._pushing(own), pytest.raises(Unreachable, match="already pushing"):
        push_to_folder(relay, own, [PushMove(REF, None, head)])
