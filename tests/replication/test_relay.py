"""Players who know nothing of one another but a relay: a repository to which each pushes their own branches.

Red ---> relay <--- Blue
"""

import shutil
import sys
from contextlib import ExitStack
from pathlib import Path
from queue import Queue
from threading import Barrier, Thread, current_thread

import pytest

from catan_p2p.cli import join as join_verb
from catan_p2p.cli.join import free_colour
from catan_p2p.cli.main import main
from catan_p2p.game.new_game import new_constants
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.transport.remote import checked_url
from catan_p2p.log.transport.serve import RepositoryServer, knock
from catan_p2p.replication.relay import SeatRelay
from catan_p2p.simulation.separate import free_ports
from catan_p2p.tables import hosting
from catan_p2p.tables.announcing import AnnouncedTable, TableAnnouncer, find_tables, in_short
from catan_p2p.tables.invitation import Invitation, parse_invitation
from catan_p2p.tables.joining import join_game
from catan_p2p.tables.records import TableTerms
from catan_p2p.tables.repair import mend_seat
from catan_p2p.tables.seat import SeatSettings, read_settings
from catan_p2p.tables.status import read_status
from catan_p2p.tables.taking_seat import look_at_table
from catan_p2p.tables.terms import computers_in_words
from catan_p2p.tables.waiting_folder import room_folder
from catan_p2p.tables.waiting_room import Told, waiting_room
from tests.replication.meeting import WaitingHost, host, in_threads, join, leave_at, sit_and_leave
from tests.replication.relays import bare, flush, has_actions, meet_at, play_on, seats_at, sit_down
from tests.replication.tables import KEYS, SHORT, git, is_over, is_sound, make_seats, open_replica, opened, play_rounds
from tests.typed import Typed

pytestmark = [pytest.mark.long, pytest.mark.sampled(5, together=True)]


def test_a_game_over_a_folder_to_its_end(tmp_path: Path) -> None:
    relay = bare(tmp_path / "relay")
    with opened(seats_at(tmp_path, str(relay), rules=SHORT)) as replicas:
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
    given: list[Invitation] = []
    relay = str(tmp_path / "relay")

    def invite(invitation: Invitation, words: str) -> None:
        assert words == "Red, Blue: thesis rules; map default"
        given.append(invitation)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        host(tmp_path / "Red", relay, invite)
    invitation = given[0]
    with pytest.raises(StoreError, match="no seat for Green, expected one of Blue"):
        join(tmp_path / "x", invitation, "Green")
    with pytest.raises(StoreError, match="the table there is not the one of the invitation"):
        join(tmp_path / "x", invitation._replace(pin=bytes(16)))
    with pytest.raises(StoreError, match="the end of the invitation was changed"):
        join(tmp_path / "x", invitation._replace(secret=bytes(16)))
    assert not room_folder(tmp_path / "x").exists()
    sit_and_leave(tmp_path / "Blue", invitation)
    with pytest.raises(StoreError, match="the seat of Blue is taken"):
        join(tmp_path / "x", invitation)
    # Both go on where they were.
    sit_down_again(tmp_path, relay, invitation)


def test_without_a_colour_a_free_seat_is_taken_and_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with WaitingHost(tmp_path / "Red", "relay", colours=("Red", "Blue", "Green")) as given:
        invitation = parse_invitation(str(given))
        assert invitation is not None
        sit_and_leave(tmp_path / "catan-blue", invitation)
        assert free_colour(invitation, None) == "Blue", "interrupted, it goes on where it was"
        assert free_colour(invitation, tmp_path / "elsewhere") == "Green"
        there, here = ["join", str(invitation), "elsewhere"], ["join", str(invitation)]
        assert in_threads(*(lambda one=one: main([*one, "--start", "no"]) for one in (there, here))) == [0, 0]
    assert free_colour(invitation, None) == "Blue", "there is the seat"
    assert read_settings(tmp_path / "elsewhere").colour == "Green"
    with pytest.raises(StoreError, match="all seats are taken"):
        free_colour(invitation, tmp_path / "nowhere")
    assert main(["join", "relay", "there"]) == 2
    assert "not an invitation; to join a game at a URL, say whose seat: --as COLOUR" in capsys.readouterr().err


@pytest.mark.parametrize("is_one_folder", [False, True])
def test_who_is_not_the_first_at_a_free_seat_takes_the_next(
    is_one_folder: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All guests look before the first of them has said a word: each sees that Blue is free."""
    monkeypatch.chdir(tmp_path)
    colours, looked = ("Red", "Blue", "Green", "Orange"), Barrier(3)

    def look_together(invitation: Invitation, tell: Told) -> tuple[TableTerms, tuple[str, ...]]:
        found = look_at_table(invitation, tell)
        if looked.n_waiting or len(seen) < 3:
            seen.append(current_thread().name)
            looked.wait(300.0)
        return found

    seen: list[str] = []
    monkeypatch.setattr(join_verb, "look_at_table", look_together)
    folders = [[]] * 3 if is_one_folder else [["one"], ["two"], ["three"]]
    with WaitingHost(tmp_path / "Red", "relay", colours=colours) as invitation:
        words = [["join", str(invitation), *folder, "--start", "no"] for folder in folders]
        assert in_threads(*(lambda one=one: main(one) for one in words)) == [0] * 3
    assert len(seen) == 3
    paths = [f"catan-{colour.lower()}" for colour in colours[1:]] if is_one_folder else ["one", "two", "three"]
    assert sorted(read_settings(Path(path)).colour for path in paths) == sorted(colours[1:])


def sit_down_again(folder: Path, relay: str, invitation: Invitation) -> None:
    with WaitingHost(folder / "Red", relay) as again:
        join(folder / "Blue", invitation)
    with opened([folder / colour for colour in ("Red", "Blue")]) as replicas:
        play_on(replicas, has_actions(4))
    assert again == invitation


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


@pytest.mark.parametrize(
    "url",
    ["https://ann:secret@git.example/t.git", "https://secret@git.example/t.git", "ssh://ann:secret@git.example/t.git"],
)
def test_a_url_with_a_password_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(StoreError) as caught:
        checked_url(url)
    assert "secret" not in str(caught.value)


def test_a_table_without_a_relay_is_joined_at_the_hosts_address(tmp_path: Path) -> None:
    ports = free_ports(3)
    game = sit_down(tmp_path, ("127.0.0.1", ports[0]), 3, ports[1:])
    paths = [tmp_path / seat.colour for seat in game.seats]
    urls = {seat.colour: f"git://127.0.0.1:{port}/" for seat, port in zip(game.seats, ports, strict=True)}
    # Guests learn of each other from the host's repository, whose peer is at the same address from now on.
    for path in paths:
        known = read_settings(path).remotes
        assert known.items() <= urls.items() and len(known) == 2
        assert read_settings(path).relay is None
    with ExitStack() as stack:
        for path, port in zip(paths, ports, strict=True):
            stack.enter_context(RepositoryServer(path, "127.0.0.1", port))
        replicas = stack.enter_context(opened(paths))
        play_rounds(replicas, has_actions(8))


def test_who_comes_back_before_the_host_waits_for_the_host(tmp_path: Path) -> None:
    here, there = (("127.0.0.1", port) for port in free_ports(2))
    told = Queue[str]()
    with WaitingHost(tmp_path / "Red", here, leave_at("has come")) as invitation:
        sit_and_leave(tmp_path / "Blue", invitation, listen=there)
    with pytest.raises(StoreError):  # whoever was never there may have a wrong address
        join(tmp_path / "other", invitation, listen=there)
    guest = Thread(target=join, args=(tmp_path / "Blue", invitation, "Blue", told.put, there), daemon=True)
    guest.start()
    assert invitation.url in told.get(timeout=300.0)
    with WaitingHost(tmp_path / "Red", here):
        guest.join(300.0)
    assert read_settings(tmp_path / "Blue").colour == "Blue"


@pytest.mark.parametrize(
    "said", [b"", b"[]", b"[1, 2]", b'["refs/heads/Red_0", "x"]', b'["refs/tables/0/Blue", "x"]', b"{" * 999]
)
def test_what_is_said_at_the_door_is_nothing_or_a_record(tmp_path: Path, said: bytes) -> None:
    with waiting_room(tmp_path / "Red", str(tmp_path / "none"), {}) as room:
        assert room.admit(said, "192.0.2.1", ["refs/tables/0/Blue"]) is None
        assert room.store.list_refs() == {}


def test_a_door_is_open_only_while_somebody_waits_behind_it(tmp_path: Path) -> None:
    path = make_seats(tmp_path)[0]
    heard: list[tuple[bytes, str]] = []
    with RepositoryServer(path, "127.0.0.1", 0, door=lambda *said: heard.append(said)) as server:
        assert knock("127.0.0.1", server.port, b"hello")
    with RepositoryServer(path, "127.0.0.1", 0) as server:
        assert not knock("127.0.0.1", server.port, b"hello")
    assert heard == [(b"hello", "127.0.0.1")]
    with pytest.raises(StoreError):
        knock("127.0.0.1", server.port, b"hello")


def test_announced_tables_are_found(tmp_path: Path) -> None:
    pytest.importorskip("zeroconf")
    line = str(Invitation("git://127.0.0.1:9401/", 0, bytes(16), bytes(16), True))
    try:
        with TableAnnouncer(["127.0.0.1"]).shown(line, "Red, Blue: standard rules; all draw together; map default"):
            found = find_tables(120.0, ["127.0.0.1"], enough=1)
    except StoreError as error:
        pytest.skip(f"no multicast here: {error}")
    assert found == [AnnouncedTable(line, "Red, Blue: standard rules; map default")]


def test_without_zeroconf_tables_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, typed: Typed) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    assert "pip install 'catan-p2p[lan]'" in typed(2, "tables").err


def test_a_damaged_seat_is_mended_from_the_relay_and_a_lost_one_joins_again(tmp_path: Path) -> None:
    relay = str(bare(tmp_path / "relay"))
    paths = seats_at(tmp_path, relay)
    with opened(paths) as replicas:
        play_on(replicas, has_actions(6))
        newest = replicas[0].graph.head
    for pack in (paths[0] / ".git" / "objects" / "pack").glob("*.pack"):
        pack.unlink()
    mend_seat(paths[0], read_settings(paths[0]))
    paths[1].rename(tmp_path / "lost")
    settings = SeatSettings("Blue", 7, "logical", "builder", relay=relay)
    join_game(relay, paths[1], settings, KEYS["Blue"])
    with opened(paths) as replicas:
        assert all(newest in replica.graph for replica in replicas)
        play_on(replicas, has_actions(10))
        assert not any(replica.rejected for replica in replicas)


def test_a_peer_says_what_is_in_the_way_of_pushing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: Typed
) -> None:
    flushing = SeatRelay.flushing
    monkeypatch.setattr(SeatRelay, "flushing", lambda relay, store, graph: flushing(relay, store, graph, 0.5))
    relay = bare(tmp_path / "relay")
    red = seats_at(tmp_path, str(relay))[0]
    shutil.rmtree(relay / "refs" / "heads")
    (relay / "refs" / "heads").symlink_to(tmp_path)
    assert "Relay: " in typed(0, "peer", red, "--stop-after", "3", "--alone").err


def test_players_are_called_what_they_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = {"Red": "Ada", "Blue": "ADA", "Green": "Grace Hopper"}
    game = sit_down(tmp_path, str(tmp_path / "relay.git"), 4, names=names)
    assert game.names == ("Ada", "Blue", "Grace Hopper", "Orange")
    assert [seat.name for seat in game.seats] == ["Ada", "Blue_0", "Grace Hopper", "Orange_0"]
    told = capsys.readouterr().out
    assert "Blue: the name 'ADA' could be taken for another player's; Blue plays without a name" in told
    assert read_status(tmp_path / "Green").graph.game == game


def test_a_host_gives_nobody_another_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosting, "names_of", lambda *told: {"Red": "Ada", "Blue": "Fool"})
    with pytest.raises(StoreError, match="another name for Blue"):
        sit_down(tmp_path, str(tmp_path / "relay.git"), 2, names={"Red": "Ada", "Blue": "Grace"})


@pytest.mark.parametrize(
    ("computers", "short"),
    [
        ({}, ""),
        ({"Blue": "builder"}, "; 1 computer"),
        ({"Blue": "builder", "Green": "x", "White": "y"}, "; 3 computers"),
    ],
)
def test_what_is_announced_is_short_and_says_what_matters(computers: dict[str, str], short: str) -> None:
    colours = ("Red", "Blue", "Green", "Orange", "White")
    rules = new_constants("standard; Chance = joint; Leaving = yes", colours).rules
    words = "; ".join(
        [
            "Red, Blue, Green, Orange: standard rules; all draw together; nobody sees another's hand; map default",
            *computers_in_words(computers, colours, rules),
        ]
    )
    assert in_short(words) == f"Red, Blue, Green, Orange: standard rules; map default{short}"
    assert in_short(in_short(words)) == in_short(words)
