"""``--listen HOST:0``: any free port, which the invitation and the guest's claim name, also after an interruption."""

from pathlib import Path

import pytest

from catan_p2p.cli import host
from catan_p2p.cli.main import main
from catan_p2p.log.transport.serve import parse_address, parse_host
from catan_p2p.tables.seat import read_settings
from catan_p2p.tables.waiting_folder import read_agreed
from catan_p2p.tables.waiting_room import waiting_room, with_port
from tests.replication.meeting import WaitingHost


@pytest.mark.long
def test_a_table_at_any_port_is_joined_by_a_guest_at_any_port(tmp_path: Path) -> None:
    place = with_port(tmp_path / "red", ("127.0.0.1", 0))
    with WaitingHost(tmp_path / "red", place) as invitation:
        assert parse_host(invitation.url) == place
        assert place[1] != 0
        command = ["join", str(invitation), str(tmp_path / "blue"), "--as", "Blue", "--listen", "127.0.0.1:0"]
        assert main([*command, "--start", "no"]) == 0
    assert parse_address(read_settings(tmp_path / "red").listen or "") == place
    guest = parse_host(read_settings(tmp_path / "red").remotes["Blue"])
    assert guest[1] not in (0, place[1])
    assert parse_address(read_settings(tmp_path / "blue").listen or "") == guest
    assert parse_host(read_settings(tmp_path / "blue").remotes["Red"]) == place


def test_an_interrupted_seat_keeps_its_port(tmp_path: Path) -> None:
    with waiting_room(tmp_path / "red", "unused", {"port": 9401}):
        pass
    assert with_port(tmp_path / "red", ("127.0.0.1", 0)) == ("127.0.0.1", 9401)
    assert with_port(tmp_path / "red", ("127.0.0.1", 9402)) == ("127.0.0.1", 9402)
    assert with_port(tmp_path / "blue", ("127.0.0.1", 0))[1] > 0


@pytest.mark.parametrize("options", [(), ("--announce",)])
def test_it_is_kept_whether_a_table_is_announced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    """So that the window goes on as the terminal began."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(host, "TableAnnouncer", object)
    monkeypatch.setattr(host, "flush_output", interrupted)
    path = tmp_path / "red"
    assert main(["host", str(path), "--listen", "127.0.0.1:0", "--players", "2", "--hands", "open", *options]) == 130
    agreed = read_agreed(path)
    assert agreed is not None and agreed["announced"] is bool(options)
