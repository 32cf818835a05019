"""A relay that loses refs, shows old ones, lets nothing be replaced, or in which others write in a player's place.

Red ---> relay <--- Blue        the relay, or whoever may push there, does what it likes
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from catan_p2p.log.commit import Signature
from catan_p2p.log.evidence import read_refusals
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.seat import private_folder
from tests.replication.git_servers import Conduct, http_backend, http_server
from tests.replication.relays import bare, flush, has_actions, play_on, seats_at
from tests.replication.tables import commit_at, git, open_replica, opened, write_commit

BLUES = "refs/heads/Blue_0"
REDS = "refs/heads/Red_0"


@pytest.fixture
def relay(tmp_path: Path) -> Path:
    return bare(tmp_path / "relay")


def put(relay: Path, ref: str, commit: ObjectId | str) -> None:
    git(relay, "update-ref", ref, commit)


def charged(replicas: Sequence[Replica]) -> set[str]:
    """Who stands in anybody's list of refusals."""
    return {line["colour"] for r in replicas for line in read_refusals(private_folder(r.store.folder.parent))}


def test_refs_that_are_lost_are_pushed_again(tmp_path: Path, relay: Path) -> None:
    with opened(seats_at(tmp_path, str(relay))) as replicas:
        play_on(replicas, has_actions(6))
        for ref in (REDS, BLUES):
            git(relay, "update-ref", "-d", ref)
        for replica in replicas:
            replica.synchronize()
            flush(replica)
        assert git(relay, "for-each-ref", "--format=%(refname)").split() == [BLUES, REDS]
        play_on(replicas, has_actions(12))
        assert charged(replicas) == set()


def test_a_relay_that_begins_anew_gets_everything_again(tmp_path: Path, relay: Path) -> None:
    with opened(seats_at(tmp_path, str(relay))) as replicas:
        play_on(replicas, has_actions(6))
        shutil.rmtree(relay)
        bare(relay)
        play_on(replicas, has_actions(12))
        git(relay, "fsck", "--strict")


def test_old_refs_are_pushed_over_and_charge_nobody(tmp_path: Path, relay: Path) -> None:
    with opened(seats_at(tmp_path, str(relay))) as replicas:
        red, blue = replicas
        play_on(replicas, has_actions(12))
        newest = git(relay, "rev-parse", REDS)
        put(relay, REDS, git(relay, "rev-parse", f"{REDS}~3"))
        blue.synchronize()
        assert blue.neighbours[0].note is None or "goes back" in blue.neighbours[0].note
        red.synchronize()
        flush(red)
        assert git(relay, "rev-parse", REDS) == newest
        play_on(replicas, has_actions(16))
        assert charged(replicas) == set()


def foreign(relay: Path, ref: str) -> ObjectId:
    """A commit in a player's name that the player has not signed."""
    commit = commit_at(relay, ref)
    return write_commit(relay, commit._replace(committer=Signature("Green_0", "Green_0@catan-p2p.invalid", 7)))


def test_what_others_write_in_a_players_place_is_refused_and_replaced(tmp_path: Path, relay: Path) -> None:
    with opened(seats_at(tmp_path, str(relay))) as replicas:
        red, blue = replicas
        play_on(replicas, has_actions(6))
        put(relay, REDS, foreign(relay, REDS))
        blue.synchronize()
        assert blue.neighbours[0].rejected, "nobody has signed that"
        play_on(replicas, has_actions(12))
        assert charged(replicas) == {"Relay"}
        assert git(relay, "rev-parse", REDS) == red.store.read_ref(REDS)


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
            assert replica.inquiry.is_over
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


def test_a_folder_that_runs_hooks_and_programs_runs_none_of_ours(tmp_path: Path, relay: Path) -> None:
    """Whoever has the folder chooses its configuration; nothing of it is carried out by those who push."""
    ran = tmp_path / "ran"
    for name in ("pre-receive", "update", "post-receive", "post-update", "reference-transaction", "post-index-change"):
        hook = relay / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
        hook.chmod(0o755)
    git(relay, "config", "core.alternateRefsCommand", f"touch {ran}; true")
    git(relay, "config", "core.fsmonitor", f"touch {ran}; true")
    (relay / "objects" / "info").mkdir(exist_ok=True)
    (relay / "objects" / "info" / "alternates").write_text(f"{tmp_path / 'Red' / '.git' / 'objects'}\n")
    with opened(seats_at(tmp_path, str(relay))) as replicas:
        play_on(replicas, has_actions(4))
    assert not ran.exists()


@pytest.mark.parametrize("place", ["objects/pack", "refs/heads"])
def test_a_folder_that_leads_elsewhere_is_not_written_to(tmp_path: Path, relay: Path, place: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.rmtree(relay / place)
    (relay / place).symlink_to(elsewhere)
    with open_replica(seats_at(tmp_path, str(relay))[0]) as red:
        assert red.relay is not None
        assert not red.relay.flush(red.store, red.graph, 1.0)
        assert red.relay.trouble is not None and "elsewhere" in red.relay.trouble
    assert not [*elsewhere.iterdir()]
