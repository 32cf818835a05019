"""A game is watched by URL: the copy holds what is shown, grows with it, and is bounded."""

import threading
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.log.history import load_history
from catan_p2p.log.transport.mirror import BranchMirror
from catan_p2p.log.transport.remote import RemoteUnreachable
from catan_p2p.log.transport.serve import RepositoryServer
from tests.replication.tables import make_seats, opened, play_rounds


@pytest.mark.long
def test_a_copy_holds_the_whole_game_and_grows_with_it(tmp_path: Path) -> None:
    seats = make_seats(tmp_path / "table", 3, 7)
    with opened(seats) as replicas, RepositoryServer(seats[0], "127.0.0.1", 0) as server:
        mirror = BranchMirror(f"git://127.0.0.1:{server.port}/", tmp_path / "copy.git")
        lengths = []
        for least in (10, 30):
            play_rounds(replicas, lambda one, least=least: len(one.graph) > least)
            mirror.fetch()
            seen = load_history(mirror.folder)
            assert [one.commit for one in seen.actions] == [one.commit for one in load_history(seats[0]).actions]
            assert not seen.rejected
            lengths.append(len(seen.actions))
        assert lengths[0] < lengths[1]


def test_a_copy_is_bounded_and_what_cannot_be_reached_is_named(tmp_path: Path) -> None:
    seats = make_seats(tmp_path / "table", 2, 7)
    with opened(seats) as replicas, RepositoryServer(seats[0], "127.0.0.1", 0) as server:
        play_rounds(replicas, lambda one: len(one.graph) > 10)
        url = f"git://127.0.0.1:{server.port}/"
        with pytest.raises(RemoteUnreachable, match="sends more than 4096 bytes"):
            BranchMirror(url, tmp_path / "small.git", most_bytes=4096).fetch()
        cut = BranchMirror(url, tmp_path / "cut.git")
        left = cut.folder / "objects" / "pack" / "tmp_pack_abc"
        cut.fetch()
        left.write_bytes(b"cut")
    with pytest.raises(RemoteUnreachable):
        cut.fetch()
    assert not left.exists()
    with pytest.raises(RemoteUnreachable, match=r"git://127\.0\.0\.1"):
        BranchMirror(url, tmp_path / "gone.git").fetch()


@pytest.mark.long
def test_a_served_game_is_watched_by_its_url_and_nothing_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pygame")
    monkeypatch.setenv("CATAN_P2P_HOME", str(tmp_path / "home"))
    seats = make_seats(tmp_path / "table", 2, 7)
    with opened(seats) as replicas, RepositoryServer(seats[0], "127.0.0.1", 0) as server:
        play_rounds(replicas, lambda one: len(one.graph) > 10)
        url, picture = f"git://127.0.0.1:{server.port}/", tmp_path / "now.png"
        assert main(["watch", url, "--snapshot", str(picture)]) == 0
    assert picture.exists()
    assert [*(tmp_path / "home" / "watched").iterdir()] == []
    assert main(["watch", url, "--snapshot", str(picture)]) == 2
    assert url in capsys.readouterr().err


def test_following_goes_on_after_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catan_p2p.log.transport.mirror.PAUSE_S", 0.0)
    mirror, again, tries = BranchMirror("git://127.0.0.1:1/", tmp_path / "copy.git"), threading.Event(), []

    def fetch() -> None:
        tries.append(1)
        if len(tries) < 3:
            raise RemoteUnreachable("gone")
        again.set()

    monkeypatch.setattr(mirror, "fetch", fetch)
    mirror.follow()
    assert again.wait(60.0)
    mirror.close()
