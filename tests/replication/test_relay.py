"""Players who know nothing of one another but a relay: a repository to which each pushes their own branches.

Red ---> relay <--- Blue
"""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import pytest

from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.transport.remote import checked_url
from catan_p2p.replication.invitation import Invitation, parse_invitation
from catan_p2p.replication.table import open_table, take_seat
from catan_p2p.replication.terms import Expected
from catan_p2p.replication.waiting_room import room_folder
from catan_p2p.simulation.setup import new_constants
from tests.replication.relays import bare, flush, has_actions, meet_at, play_on, seats_at, sit_down
from tests.replication.tables import git, is_over, is_sound, make_seats, open_replica, opened


def test_a_game_over_a_folder_to_its_end(tmp_path: Path) -> None:
    relay = bare(tmp_path / "relay")
    with opened(seats_at(tmp_path, str(relay))) as replicas:
        play_on(replicas, is_over)
        newest = replicas[0].graph.head
        assert {replica.graph.head for replica in replicas} == {newest}
        assert all(not replica.rejected for replica in replicas)
    refs = git(relay, "for-each-ref", "--format=%(objectname) %(refname)").splitlines()
    assert refs == [f"{newest} refs/heads/Blue_0", f"{newest} refs/heads/Red_0"]
    assert is_sound(relay)


def test_a_table_is_opened_and_joined_over_a_folder_and_the_game_goes_on(tmp_path: Path) -> None:
    game = sit_down(tmp_path, str(tmp_path / "new" / "relay"), 4)
    assert all(seat.key is not None for seat in game.seats)
    paths = [tmp_path / seat.colour for seat in game.seats]
    assert not any(room_folder(path).exists() for path in paths)
    with opened(paths) as replicas:
        play_on(replicas, has_actions(12))
        assert {replica.graph.root for replica in replicas} == {replicas[0].graph.root}


def test_a_second_table_has_a_number_of_its_own(tmp_path: Path) -> None:
    relay = str(tmp_path / "relay")
    assert [sit_down(tmp_path / name, relay).number for name in ("one", "two")] == [0, 1]
    with opened([tmp_path / "one" / "Red", tmp_path / "one" / "Blue"]) as replicas:
        play_on(replicas, has_actions(8))


def test_an_invitation_is_one_line_that_comes_back_as_it_was() -> None:
    given = Invitation("ssh://git@host.example/~/table.git", 12, bytes(range(16)), bytes(range(240, 256)))
    assert parse_invitation(f" {given}\n") == given
    assert parse_invitation(given.url) is None


def test_a_seat_is_taken_once(tmp_path: Path) -> None:
    lines: list[str] = []
    relay = str(tmp_path / "relay")

    def invite(line: str) -> None:
        lines.append(line)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_table(
            tmp_path / "Red", relay, new_constants("thesis", ("Red", "Blue")), ("Red", "Blue"), None, print, invite
        )
    invitation = parse_invitation(lines[0])
    assert invitation is not None
    with pytest.raises(StoreError, match="no seat for Green, expected one of Blue"):
        take_seat(tmp_path / "x", invitation, "Green", None, Expected(), print)
    with pytest.raises(StoreError, match="not written by who wrote the invitation"):
        take_seat(tmp_path / "x", invitation._replace(pin=bytes(16)), "Blue", None, Expected(), print)
    assert not room_folder(tmp_path / "x").exists()

    def leave(words: str) -> None:
        if "has a seat" in words:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        take_seat(tmp_path / "Blue", invitation, "Blue", None, Expected(), leave)
    with pytest.raises(StoreError, match="the seat of Blue is taken"):
        take_seat(tmp_path / "x", invitation, "Blue", None, Expected(), print)
    # Both go on where they were.
    assert sit_down_again(tmp_path, relay, invitation) == lines[0]


def sit_down_again(folder: Path, relay: str, invitation: Invitation) -> str:
    lines: list[str] = []
    guest = Thread(target=take_seat, args=(folder / "Blue", invitation, "Blue", None, Expected(), print))
    guest.start()
    colours = ("Red", "Blue")
    open_table(folder / "Red", relay, new_constants("thesis", colours), colours, None, print, lines.append)
    guest.join()
    with opened([folder / colour for colour in colours]) as replicas:
        play_on(replicas, has_actions(4))
    return lines[0]


def test_nothing_is_pushed_that_is_not_published(tmp_path: Path) -> None:
    relay = bare(tmp_path / "relay")
    paths = seats_at(tmp_path, str(relay))
    with open_replica(paths[0], alone=True) as red:
        flush(red)
        shown = git(relay, "rev-parse", "Red_0")
        red._act_once()
        red.push()
        red.synchronize()
        assert red.graph.head != shown
        assert git(relay, "rev-parse", "Red_0") == shown
        flush(red)
        assert git(relay, "rev-parse", "Red_0") == red.store.read_ref("refs/heads/Red_0") == red.graph.head


def test_a_game_without_keys_has_no_relay(tmp_path: Path) -> None:
    paths = make_seats(tmp_path, 2)
    meet_at(paths[0], str(bare(tmp_path / "relay")))
    with pytest.raises(StoreError, match="no relay for a game without keys"), open_replica(paths[0]):
        pass


@pytest.mark.parametrize("url", ["https://ann:secret@git.example/t.git", "ssh://ann:secret@git.example/t.git"])
def test_a_url_with_a_password_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(StoreError) as caught:
        checked_url(url)
    assert "secret" not in str(caught.value)
