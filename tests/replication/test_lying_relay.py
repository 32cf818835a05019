"""A relay that begins anew, or lets nothing be replaced, and seats that went back or play twice over one.

More of what a relay can do is in tests/attacks/relays.py.

Red ---> relay <--- Blue        the relay, or whoever may push there, does what it likes
"""

import shutil
import subprocess
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path

import pytest

from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.transport.opening import open_remote
from catan_p2p.log.transport.shared_repository import SharedRepository
from catan_p2p.replication.relay import RelayObjects
from tests.attacks.relays import REDS, charged, foreign, put
from tests.replication.git_servers import Conduct, http_backend, http_server
from tests.replication.relays import bare, flush, has_actions, play_on, seats_at
from tests.replication.tables import git, is_sound, open_replica, opened
from tests.virtual_time import VirtualTime


@pytest.fixture
def relay(tmp_path: Path) -> Path:
    return bare(tmp_path / "relay")


@pytest.mark.long
def test_a_relay_that_begins_anew_gets_everything_again(tmp_path: Path, relay: Path) -> None:
    with opened(seats_at(tmp_path, str(relay))) as replicas:
        play_on(replicas, has_actions(6))
        shutil.rmtree(relay)
        bare(relay)
        play_on(replicas, has_actions(12))
        git(relay, "fsck", "--strict")


needs_http = pytest.mark.skipif(http_backend() is None, reason="needs git-http-backend, which comes with Git's server")


def loose(relay: Path) -> None:
    """Make every object of a repository a file of its own."""
    packs = [pack.rename(relay / pack.name) for pack in (relay / "objects" / "pack").glob("*.pack")]
    for pack in packs:
        subprocess.run(["git", "unpack-objects", "-q"], cwd=relay, input=pack.read_bytes(), check=True)
        pack.unlink()
    for file in (relay / "objects" / "pack").iterdir():
        file.unlink()


def lose(relay: Path, what: str) -> None:
    """Lose objects of a relay, and keep its refs."""
    loose(relay)
    heads = {*git(relay, "for-each-ref", "--format=%(objectname)").split()}
    newest = {*git(relay, "rev-list", "--objects", "--no-object-names", "--all", "--max-count=3").split()}
    oldest = {*git(relay, "rev-list", "--objects", "--no-object-names", "--all", "--skip=3").split()}
    for file in (relay / "objects").glob("??/*"):
        oid = file.parent.name + file.name
        if {"all": True, "below": oid not in heads, "newest": oid in newest, "oldest": oid in oldest}[what]:
            file.unlink()


@pytest.mark.sampled(12)
@pytest.mark.long
@pytest.mark.parametrize("what", ["all", "below", "newest", "oldest"])
@pytest.mark.parametrize("transport", ["folder", pytest.param("http", marks=needs_http)])
def test_a_relay_that_lost_its_objects_and_kept_its_refs_gets_them_again(
    tmp_path: Path, relay: Path, what: str, transport: str
) -> None:
    with http_server(tmp_path, Conduct()) if transport == "http" else nullcontext() as url:
        paths = seats_at(tmp_path, str(relay) if url is None else f"{url}/relay")
        with opened(paths) as replicas:
            play_on(replicas, has_actions(6))
            acting = next(replica for replica in replicas if replica.act())
            flush(acting)
            lose(relay, what)
            count = len(acting.graph)
            meetings = [replica.relay for replica in replicas if replica.relay is not None]
            for one in meetings:
                one.objects.least_s = one.objects.gone_s = 0.5
            for _ in range(20_000):
                for replica, one in zip(replicas, meetings, strict=True):
                    replica.synchronize()
                    if len(replica.graph) < count + 6:
                        replica.act()
                    replica.store.publish()
                    one.flush(replica.store, replica.graph, 0.2)
                if all(len(replica.graph) >= count + 6 for replica in replicas) and is_sound(relay):
                    return
        raise AssertionError([len(replica.graph) - count for replica in replicas])


@pytest.mark.long
def test_a_seat_that_starts_sends_again_what_the_relay_has_lost(tmp_path: Path, relay: Path) -> None:
    paths = seats_at(tmp_path, str(relay))
    with opened(paths) as replicas:
        play_on(replicas, has_actions(6))
    lose(relay, "all")
    with open_replica(paths[0]) as red:
        assert red.relay is not None
        assert red.relay.flush(red.store, red.graph)
    git(relay, "rev-list", "--objects", "--quiet", REDS)


@pytest.mark.long
def test_a_relay_that_goes_on_losing_objects_gets_them_ever_more_seldom(tmp_path: Path, relay: Path) -> None:
    time = VirtualTime()
    paths = seats_at(tmp_path, str(relay))
    with opened(paths) as replicas:
        play_on(replicas, has_actions(6))
    meeting = SharedRepository(open_remote(str(relay), paths[0] / ".git", tmp_path / "incoming"), time=time)
    objects = RelayObjects(meeting, time)
    head = ObjectId(git(relay, "rev-parse", REDS))
    lose(relay, "all")
    asked = []
    try:
        for _ in range(2000):
            objects.tend({REDS: head}, ())
            while not objects.is_known:
                meeting.turn()
                objects.tend({REDS: head}, ())
            if objects.is_lost(REDS, head):
                asked.append(time.monotonic())
                objects.was_pushed(REDS)
                meeting.changed_at = time.monotonic()
            time.sleep(1.0)
    finally:
        meeting.close()
    pauses = [round(after - before) for before, after in pairwise(asked)]
    assert pauses[:4] == [60, 120, 240, 480] and {*pauses[4:]} <= {600}, pauses


@pytest.mark.long
@needs_http
def test_where_nothing_may_be_replaced_junk_is_told_and_replies_stay(tmp_path: Path, relay: Path) -> None:
    for option in ("receive.denyNonFastForwards", "receive.denyDeletes"):
        git(relay, "config", option, "true")
    with http_server(tmp_path, Conduct()) as url, opened(seats_at(tmp_path, f"{url}/relay")) as replicas:
        red = replicas[0]
        play_on(replicas, has_actions(4))
        put(relay, REDS, foreign(relay, REDS))
        for _ in range(3):
            red.synchronize()
        assert red.relay is not None
        red.relay.flush(red.store, red.graph, 1.0)
        assert "refuses Red_0" in (red.relay.trouble or ""), red.relay.trouble
        put(relay, REDS, red.store.read_ref(REDS) or "")
        play_on(replicas, has_actions(8))


@pytest.mark.long
def test_a_second_copy_of_a_seat_is_told_and_nothing_is_replaced(tmp_path: Path, relay: Path) -> None:
    """Both copies hear that nothing newer is there, then both act: the second one to push sees the first one's log."""
    paths = seats_at(tmp_path, str(relay))
    with open_replica(paths[0]) as red:
        flush(red)
    copy = tmp_path / "copy"
    shutil.copytree(paths[0], copy)
    with open_replica(paths[0]) as red, open_replica(copy, clock=lambda height: height + 7) as second:
        for replica in (red, second):
            replica.synchronize()
            assert replica.catch_up.is_over
        red.act()
        flush(red)
        shown = git(relay, "rev-parse", REDS)
        second.act()
        assert second.graph.head != red.graph.head
        assert second.relay is not None
        for _ in range(3):
            second.synchronize()
            second.relay.flush(second.store, second.graph, 0.3)
        assert "another copy of this seat is playing" in (second.relay.trouble or ""), second.relay.trouble
        assert git(relay, "rev-parse", REDS) == shown


@pytest.mark.long
def test_a_seat_from_a_backup_goes_on_from_what_the_relay_has(tmp_path: Path, relay: Path) -> None:
    paths = seats_at(tmp_path, str(relay))
    with opened(paths) as replicas:
        play_on(replicas, has_actions(4))
    shutil.copytree(paths[0], tmp_path / "backup")
    with opened(paths) as replicas:
        play_on(replicas, has_actions(10))
        newest = replicas[0].graph.head
    shutil.rmtree(paths[0])
    (tmp_path / "backup").rename(paths[0])
    with opened(paths) as replicas:
        assert newest not in replicas[0].graph
        play_on(replicas, has_actions(14))
        assert newest in replicas[0].graph
        assert charged(replicas) == set()
