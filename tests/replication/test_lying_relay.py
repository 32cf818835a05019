"""A relay that begins anew, or lets nothing be replaced, and seats that went back or play twice over one.

More of what a relay can do is in tests/attacks/relays.py.

Red ---> relay <--- Blue        the relay, or whoever may push there, does what it likes
"""

import shutil
from pathlib import Path

import pytest

from tests.attacks.relays import REDS, charged, foreign, put
from tests.replication.git_servers import Conduct, http_backend, http_server
from tests.replication.relays import bare, flush, has_actions, play_on, seats_at
from tests.replication.tables import git, open_replica, opened


@pytest.fixture
def relay(tmp_path: Path) -> Path:
    return bare(tmp_path / "relay")


def test_a_relay_that_begins_anew_gets_everything_again(tmp_path: Path, relay: Path) -> None:
    with opened(seats_at(tmp_path, str(relay))) as replicas:
        play_on(replicas, has_actions(6))
        shutil.rmtree(relay)
        bare(relay)
        play_on(replicas, has_actions(12))
        git(relay, "fsck", "--strict")


@pytest.mark.skipif(http_backend() is None, reason="needs git-http-backend, which comes with Git's server")
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
        assert "another copy of this seat plays" in (second.relay.trouble or ""), second.relay.trouble
        assert git(relay, "rev-parse", REDS) == shown


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
