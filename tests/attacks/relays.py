"""A relay that lies, and players who do in it what only a relay can: whoever may push can write anywhere there.

Red ---> relay <--- Blue
"""

import os
import shutil
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from catan_p2p.limits import MAX_A_MINUTE, MAX_REFS_IN_FOLDER
from catan_p2p.log.commit import Commit, Signature
from catan_p2p.log.evidence import read_refusals
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.keys import new_private_key, spell_public_key
from catan_p2p.log.signing import signer
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.transport.folder_push import push_to_folder
from catan_p2p.log.transport.push_locks import LOCK_S
from catan_p2p.log.transport.queries import PushMove
from catan_p2p.replication.replica import Replica
from catan_p2p.tables.chat_writing import say
from catan_p2p.tables.seat import private_folder
from tests.attacks.registry import attack
from tests.attacks.streams import daemon
from tests.attacks.table import BOUND_S, SLOW
from tests.log.storage.repositories import commit_at
from tests.replication.git_servers import Conduct, http_server
from tests.replication.meeting import WaitingHost, invited, join
from tests.replication.peers import STEP_S, PeerTable
from tests.replication.relays import bare, flush, has_actions, meet_at, play_on, seats_at
from tests.replication.tables import (
    KEYS,
    git,
    make_seats,
    open_replica,
    opened,
    play_rounds,
    write_commit,
    write_object,
)
from tests.replication.test_turn_clock import PATIENCE_S

BLUES, REDS = "refs/heads/Blue_0", "refs/heads/Red_0"
COLOURS = ("Red", "Blue")
GONE = "own: removed; another's: stays, reported with its date"


def put(relay: Path, ref: str, commit: ObjectId | str) -> None:
    git(relay, "update-ref", ref, commit)


def charged(replicas: Sequence[Replica]) -> set[str]:
    """Who stands in anybody's list of refusals."""
    return {line["colour"] for r in replicas for line in read_refusals(private_folder(r.store.folder.parent))}


def foreign(relay: Path, ref: str) -> ObjectId:
    """A commit in a player's name that the player has not signed."""
    commit = commit_at(relay, ref)
    return write_commit(relay, commit._replace(committer=Signature("Green_0", "Green_0@catan-p2p.invalid", 7)))


@attack("somebody else writes in a player's name", "refused, charged to the relay, replaced")
def relay_forges_a_log(folder: Path) -> None:
    relay = bare(folder / "relay")
    with opened(seats_at(folder, str(relay))) as replicas:
        red, blue = replicas
        play_on(replicas, has_actions(4))
        put(relay, REDS, foreign(relay, REDS))
        blue.synchronize()
        assert blue.neighbours[0].rejected, "nobody has signed that"
        play_on(replicas, has_actions(8))
        assert charged(replicas) == {"Relay"}
        assert git(relay, "rev-parse", REDS) == red.store.read_ref(REDS)


@attack("a relay loses its refs", "pushed again")
def relay_loses_refs(folder: Path) -> None:
    relay = bare(folder / "relay")
    with opened(seats_at(folder, str(relay))) as replicas:
        play_on(replicas, has_actions(4))
        for ref in (REDS, BLUES):
            git(relay, "update-ref", "-d", ref)
        for replica in replicas:
            replica.synchronize()
            flush(replica)
        assert git(relay, "for-each-ref", "--format=%(refname)").split() == [BLUES, REDS]
        play_on(replicas, has_actions(8))
        assert charged(replicas) == set()


@attack("a relay shows old refs", "pushed again, nobody charged")
def relay_shows_old_refs(folder: Path) -> None:
    relay = bare(folder / "relay")
    with opened(seats_at(folder, str(relay))) as replicas:
        red, blue = replicas
        play_on(replicas, has_actions(8))
        newest = git(relay, "rev-parse", REDS)
        put(relay, REDS, git(relay, "rev-parse", f"{REDS}~3"))
        blue.synchronize()
        assert blue.neighbours[0].note is None or "goes back" in blue.neighbours[0].note
        red.synchronize()
        flush(red)
        assert git(relay, "rev-parse", REDS) == newest
        play_on(replicas, has_actions(10))
        assert charged(replicas) == set()


@attack(
    "a relay shows a player nothing new, for less or more than the patience",
    "less: nobody voted on; more: the player is left out and watches; nobody charged",
    tries=2,
)
def relay_freezes_views(folder: Path) -> None:
    for frozen_s in (0.9 * PATIENCE_S, 1.1 * PATIENCE_S):
        _freeze(folder / f"{frozen_s:.0f}", frozen_s)


def _freeze(folder: Path, frozen_s: float) -> None:
    relay = bare(folder / "relay")
    paths = make_seats(folder, 3, 7, rules=f"thesis; Leaving = yes; Patience = {PATIENCE_S}", signed=True)
    for path in paths:
        (folder / f"to-{path.name}").symlink_to(relay)
        meet_at(path, str(folder / f"to-{path.name}"))
    with opened(paths) as replicas:
        play_on(replicas, has_actions(8))
        table = PeerTable(replicas)

        def look(at: Sequence[Replica]) -> int:
            """Look at the relay and vote, with the pauses of a change; how much was signed in it."""
            done = 0
            for _ in range(6):
                for replica in at:
                    done += len(table.turn(replica, PATIENCE_S, acts=False))
                    flush(replica)
                table.time.sleep(STEP_S if done else 0.0)
            return done

        look(replicas)
        one = next(replica for replica in replicas if replica.is_awaited)
        others = [replica for replica in replicas if replica is not one]
        way = folder / f"to-{one.store.folder.parent.name}"
        shutil.copytree(relay, folder / "then")
        _lead(way, folder / "then")
        one.act()
        flush(one)  # which the others do not see
        table.time.sleep(frozen_s)
        votes = look(others)
        _lead(way, relay)
        look(replicas)
        is_long = frozen_s > PATIENCE_S
        assert (votes > 0) == is_long
        assert {replica.graph.state.away[one.player - 1] for replica in replicas} == {is_long}
        play_on(replicas, has_actions(len(others[0].graph) + 6))
        assert len({replica.graph.head for replica in others}) == 1 and one.graph.head in others[0].graph
        assert charged(replicas) == set()


def _lead(way: Path, to: Path) -> None:
    way.unlink()
    way.symlink_to(to)


def _crowd(relay: Path, names: Iterable[str]) -> None:
    """Put refs into a relay, all in one file."""
    head = git(relay, "rev-parse", REDS)
    with (relay / "packed-refs").open("a") as packed:
        packed.writelines(f"{head} refs/heads/{name}\n" for name in sorted(names))


@attack("3,000 refs of 500 old games", "not sent")
def relay_of_old_games(folder: Path) -> None:
    relay = bare(folder / "relay")
    with opened(seats_at(folder, str(relay))) as replicas:
        play_on(replicas, has_actions(4))
        games = range(1, 501)
        _crowd(
            relay, (f"{who}_{game}" for game in games for who in ("Red", "Blue", "Green", "Orange", "White", "Brown"))
        )
        play_on(replicas, has_actions(8))
        for replica in replicas:
            assert replica.relay is not None and replica.relay.meeting.listing is not None
            assert len(replica.relay.meeting.listing) < 10
        assert charged(replicas) == set()


# With a listing of 1 MiB at most, and refs that are told in their order, nobody saw the others any more.
@attack("`http://`: 30,000 useless refs of this game", "the needed ones are sent")
def relay_of_many_refs(folder: Path) -> None:
    relay = bare(folder / "relay")
    with http_server(folder, Conduct()) as url:
        paths = seats_at(folder, f"{url}/relay")
        with opened(paths) as replicas:
            play_on(replicas, has_actions(4))
            _crowd(relay, (f"{number:040x}_loss_Red_0" for number in range(30_000)))
            play_on(replicas, has_actions(6))
            for replica in replicas:
                assert len((replica.relay and replica.relay.meeting.listing) or ()) < MAX_REFS_IN_FOLDER + 40


@attack("a relay takes a player's seat, before or instead", "nobody uninvited gets one")
def relay_takes_a_seat(folder: Path) -> None:
    relay, key = folder / "relay", new_private_key(b"relay".ljust(32))
    said: list[str] = []
    with (table := WaitingHost(folder / "Red", str(relay), said.append)) as invitation:
        word, author = spell_public_key(key), Signature("table", "table@catan-p2p.invalid", 7)
        text = f"seat\n\nColour: Blue\nUrl: -\nProof: {'0' * 64}\nKey: {word}\n"
        record = signer(key)(Commit(write_object(relay, "tree", b""), (), author, author, text))
        put(relay, "refs/tables/0/Blue", write_commit(relay, record))

        def guest() -> GameDefinition:
            while git(relay, "for-each-ref", "refs/tables/0/Blue"):
                threading.Event().wait(0.05)
            return join(folder / "Blue", invitation)

        (game,) = table.meanwhile(guest)
    assert "Blue: a claim of this seat was refused: it was made without the invitation; the seat is free again" in said
    assert spell_public_key(key) not in [seat.key for seat in game.seats]


@attack("a relay begins another game, or is another host's table", "the guest does not join")
def relay_begins_another_game(folder: Path) -> None:
    relay = folder / "relay"
    ours = make_seats(folder / "theirs", 2, signed=True)[0]
    failed: list[str] = []
    invitation = invited(folder / "Red", str(relay))
    git(relay, "fetch", "-q", str(ours), f"{REDS}:{REDS}")
    for place, other in (("Blue", invitation), ("another", invitation._replace(pin=bytes(16)))):
        try:
            join(folder / place, other)
        except StoreError as error:
            failed.append(str(error))
    assert "is not the game of the host who wrote the invitation" in failed[0], failed
    assert "the table there is not the one of the invitation" in failed[1], failed
    assert not (folder / "Blue").exists()


@attack("a shared folder with hooks and configuration that run programs", "none runs")
def relay_runs_programs(folder: Path) -> None:
    relay, ran = bare(folder / "relay"), folder / "ran"
    for name in ("pre-receive", "update", "post-receive", "post-update", "reference-transaction", "post-index-change"):
        hook = relay / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
        hook.chmod(0o755)
    git(relay, "config", "core.alternateRefsCommand", f"touch {ran}; true")
    git(relay, "config", "core.fsmonitor", f"touch {ran}; true")
    (relay / "objects" / "info").mkdir(exist_ok=True)
    (relay / "objects" / "info" / "alternates").write_text(f"{folder / 'Red' / '.git' / 'objects'}\n")
    with opened(seats_at(folder, str(relay))) as replicas:
        play_on(replicas, has_actions(4))
    assert not ran.exists()


@attack("a shared folder whose `refs` and packs are links", "nothing is written there", tries=2)
def relay_leads_elsewhere(folder: Path) -> None:
    for place in ("objects/pack", "refs/heads"):
        relay, elsewhere = bare(folder / place / "relay"), folder / place / "elsewhere"
        elsewhere.mkdir()
        shutil.rmtree(relay / place)
        (relay / place).symlink_to(elsewhere)
        with open_replica(seats_at(folder / place, str(relay))[0]) as red:
            assert red.relay is not None
            assert not red.relay.flush(red.store, red.graph, 1.0)
            assert red.relay.trouble is not None and "outside the repository" in red.relay.trouble
        assert not [*elsewhere.iterdir()]


def _locked(relay: Path, content: str, age_s: float) -> Path:
    """A lock on Red's branch at the relay that was made so long ago."""
    lock = relay / f"{REDS}.lock"
    lock.write_text(content)
    then_s = time.time() - age_s
    os.utime(lock, (then_s, then_s))
    return lock


# Without _names_own in the push to a folder the first two locks stay for ever; without LOCK_S the third one goes.
@attack("a lock on a player's branch: from the player's own cut push, or another's", GONE, tries=7)
def relay_keeps_a_lock(folder: Path) -> None:
    relay = bare(folder / "relay")
    with opened(seats_at(folder, str(relay))) as replicas:
        red, blue = replicas
        play_on(replicas, has_actions(4))
        pushed, foreigner = git(relay, "rev-parse", REDS), foreign(relay, REDS)
        play_rounds(replicas, lambda replica: replica is red and len(red.graph) > 6)
        red.store.publish()
        unpushed = red.graph.head
        for content, age_s, is_removed in (
            (f"{pushed}\n", 0.0, False),
            (f"{foreigner}\n", 10 * LOCK_S, False),
            ("", 10 * LOCK_S, False),
            ("\0" * 41, 10 * LOCK_S, False),
            (f"{pushed}", 10 * LOCK_S, False),
            (f"{pushed}\n", 2 * LOCK_S, True),
            (f"{unpushed}\n", -2 * LOCK_S, True),
        ):
            git(relay, "update-ref", REDS, pushed)
            lock = _locked(relay, content, age_s)
            moves = [PushMove(REDS, ObjectId(pushed), unpushed)]
            refused = push_to_folder(relay, red.store.folder, moves)
            assert lock.exists() != is_removed, content
            assert bool(refused) != is_removed
            who = "another push of this seat" if content == f"{pushed}\n" else "somebody else"
            assert is_removed or (refused[REDS].startswith(who) and "has held its lock since 20" in refused[REDS])
            lock.unlink(missing_ok=True)
            assert [*lock.parent.glob(".*")] == []
        red.synchronize()
        flush(red)
        play_on(replicas, has_actions(10))
    assert blue.refusals == red.refusals == 0


@attack("300 messages at once, and a relay that changes messages", "20 a minute are heard, no others")
def relay_floods_the_chat(folder: Path) -> None:
    relay = bare(folder / "relay")
    paths = seats_at(folder, str(relay))
    say(paths[0], "hello")
    root, before = git(paths[0], "rev-parse", "Red_0"), git(paths[0], "rev-parse", "refs/chat/Red")
    last = commit_at(paths[0], "refs/chat/Red")._replace(signature=None)
    for number in range(2, 301):
        text = f"spam {number}\n\nGame: {root}\nMessage: {number}\n"
        commit = signer(KEYS["Red"])(last._replace(message=text, parents=(ObjectId(before),)))
        before = write_commit(paths[0], commit)
    git(paths[0], "update-ref", "refs/chat/Red", before)
    with opened(paths) as replicas:
        play_on(replicas, has_actions(4))
        blue = replicas[1]
        assert blue.chat is not None
        assert len(blue.chat.messages) == MAX_A_MINUTE
        put(relay, "refs/chat/Red", foreign(relay, REDS))
        blue.chat._taken["Red"].clear()
        play_on(replicas, has_actions(8))
        assert "Red" in blue.chat.muted
        assert all(message.text in ("hello", *(f"spam {n}" for n in range(2, 301))) for message in blue.chat.messages)


@attack("a silent relay", "avoided; pushes wait, and the peer still ends when told to")
def silent_relay(folder: Path) -> None:
    with (
        daemon(lambda connection: threading.Event().wait(BOUND_S * 20) and None, scheme="http") as url,
        open_replica(seats_at(folder, url)[0], alone=True) as red,
    ):
        assert red.relay is not None
        red.relay.meeting.remote.heads_s = BOUND_S
        red.synchronize(answer_s=0.05)
        assert red.act(), "a player whose move it is need not wait"
        assert not red.relay.flush(red.store, red.graph, 2 * BOUND_S)
        assert SLOW in (red.relay.trouble or red.neighbours[0].trouble or "")
