"""A table at a place that was mistyped: the corrected command works, and nothing is left of the mistake."""

import shutil
from pathlib import Path

import pytest

from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.storage.repository import create_repository
from catan_p2p.log.transport.remote import RemoteUnreachable
from catan_p2p.log.transport.serve import RepositoryServer
from catan_p2p.simulation.separate import free_ports
from catan_p2p.tables.waiting_folder import room_folder
from catan_p2p.tables.waiting_room import MayNotPush
from tests.replication.meeting import host, invited, join, sit_and_leave


def unreachable() -> str:
    return f"git://127.0.0.1:{free_ports(1)[0]}/"


def test_a_relay_that_nobody_serves_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(RemoteUnreachable):
        invited(tmp_path / "red", unreachable())
    assert not [*tmp_path.iterdir()]
    assert invited(tmp_path / "red", str(tmp_path / "relay")).url == str(tmp_path / "relay")


def test_a_relay_that_takes_no_push_leaves_nothing(tmp_path: Path) -> None:
    create_repository(tmp_path / "readable", work_tree=False, branch="main")
    server = RepositoryServer(tmp_path / "readable", "127.0.0.1", 0)
    with server, pytest.raises(MayNotPush, match="you may not push there"):
        invited(tmp_path / "red", f"git://127.0.0.1:{server.port}/")
    assert not room_folder(tmp_path / "red").exists()
    assert invited(tmp_path / "red", str(tmp_path / "relay"))


def test_a_killed_program_leaves_nothing_that_is_in_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room, kept = room_folder(tmp_path / "red"), tmp_path / "kept"

    def killed(*given: object) -> int:
        shutil.copytree(room, kept)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr("catan_p2p.tables.hosting._claim", killed)
        host(tmp_path / "red", str(tmp_path / "mistyped"), lambda *shown: None)
    assert not room.exists()
    kept.rename(room)
    assert invited(tmp_path / "red", str(tmp_path / "relay")).url == str(tmp_path / "relay")


def test_an_open_table_to_which_nobody_has_come_is_closed_for_another_relay(tmp_path: Path) -> None:
    mistyped, relay = str(tmp_path / "realy"), str(tmp_path / "relay")
    first = invited(tmp_path / "red", mistyped)
    told: list[str] = []
    assert invited(tmp_path / "red", relay, told.append).url == relay
    assert told[0] == f"{mistyped}: the table there is closed, since nobody had come to it"
    with pytest.raises(StoreError, match="there is no table for this invitation"):
        join(tmp_path / "blue", first)


def test_a_table_to_which_somebody_has_come_is_not_given_up_and_no_second_relay_is_made(tmp_path: Path) -> None:
    first = invited(tmp_path / "red", str(tmp_path / "relay"))
    sit_and_leave(tmp_path / "blue", first)
    with pytest.raises(StoreError, match="waits for another table there"):
        invited(tmp_path / "red", str(tmp_path / "other"))
    assert not (tmp_path / "other").exists()
    assert invited(tmp_path / "red", str(tmp_path / "relay")) == first


def test_a_relay_that_has_gone_is_not_made_anew(tmp_path: Path) -> None:
    invited(tmp_path / "red", str(tmp_path / "relay"))
    (tmp_path / "relay").rename(tmp_path / "away")
    told: list[str] = []
    invited(tmp_path / "red", str(tmp_path / "relay"), told.append)
    assert not (tmp_path / "relay").exists()
    assert not [line for line in told if "a new relay" in line]


def test_a_new_relay_is_told_of_and_lies_within_no_other_one(tmp_path: Path) -> None:
    told: list[str] = []
    invited(tmp_path / "red", str(tmp_path / "relay"), told.append)
    assert told == [f"{tmp_path / 'relay'}: a new relay, since there is no such folder"]
    with pytest.raises(StoreError, match=f"lies within the repository {tmp_path / 'relay'};"):
        invited(tmp_path / "blue", str(tmp_path / "relay" / "catan"))
    assert not room_folder(tmp_path / "blue").exists()
    assert not (tmp_path / "relay" / "catan").exists()


def test_a_guest_at_a_mistyped_place_can_correct_it(tmp_path: Path) -> None:
    invitation = invited(tmp_path / "red", str(tmp_path / "relay"))
    for wrong in (invitation._replace(url=unreachable()), invitation._replace(url=str(tmp_path / "nowhere"))):
        with pytest.raises(StoreError):
            join(tmp_path / "blue", wrong)
        assert not room_folder(tmp_path / "blue").exists()

    sit_and_leave(tmp_path / "blue", invitation)
    assert room_folder(tmp_path / "blue").exists()
