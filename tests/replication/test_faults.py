"""What breaks: processes, links, disks, clocks. Every test ends with all peers on one commit and nothing lost."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.randomness import logical_clock
from catan_p2p.log.history import load_history
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import ObjectDamaged, StoreError
from catan_p2p.log.transport.serve import RepositoryServer
from catan_p2p.replication.play import LookPace, PeerLife, is_full, may_pass, play
from catan_p2p.replication.replica import Replica
from catan_p2p.tables.repair import mend_seat
from catan_p2p.tables.seat import read_settings
from tests.replication.campaign import flip_a_byte, play_one
from tests.replication.cut_proxy import CutProxy
from tests.replication.tables import (
    SHORT,
    finish,
    git,
    is_over,
    is_sound,
    make_seats,
    neighbour,
    open_replica,
    opened,
    play_rounds,
    settle,
    use_remote,
)

pytestmark = [pytest.mark.long, pytest.mark.sampled(6, together=True)]


@pytest.mark.parametrize(("rules", "players"), [("thesis", 2), ("brief", 3)])
def test_killed_again_and_again_through_a_whole_game(tmp_path: Path, rules: str, players: int) -> None:
    """Real processes, kill -9; each has a secret seed and the time of day, so that nothing lost could come back."""
    figures = play_one(
        tmp_path,
        7,
        players=players,
        transport="path",
        signed=True,
        faults_s=6.0,
        rules=rules,
        full_disks=False,
    )
    assert figures.failures == []
    assert figures.lost == 0
    assert figures.acknowledged > 100
    assert figures.faults["kill"] + figures.faults["kill_all"] > 2


_ACT_AND_DIE = """
import os, sys
from pathlib import Path
from tests.replication.tables import open_replica

with open_replica(Path(sys.argv[1])) as replica:
    replica.synchronize()
    steps = replica.act()
    assert replica.is_awaited, "nothing is published as long as the turn goes on"
    print(*(step.commit for step in steps), flush=True)
    os._exit(9)
"""


def test_what_was_acknowledged_and_not_published_outlives_the_process(tmp_path: Path) -> None:
    paths = make_seats(tmp_path, 2)
    with opened(paths) as replicas:
        play_rounds(replicas, lambda _: replicas[0].graph.state.tp == "DiceRoll" and replicas[0].is_awaited)
        settle(replicas)
    published = git(paths[0], "rev-parse", "Red_0")
    command = [sys.executable, "-c", _ACT_AND_DIE, str(paths[0])]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 9, done.stderr
    assert git(paths[0], "rev-parse", "Red_0") == published
    with open_replica(paths[0]) as red:
        assert done.stdout.split()
        assert all(commit in red.graph for commit in done.stdout.split())


@pytest.mark.soak
@pytest.mark.parametrize("rules", ["thesis", "brief"])
@pytest.mark.parametrize("seed", range(1, 13))
def test_faults_of_all_kinds_for_long(tmp_path: Path, seed: int, rules: str) -> None:
    transport, players, signed = ("path", "git")[seed % 2], 2 + seed % 3, seed % 3 == 0
    figures = play_one(tmp_path, seed, players=players, transport=transport, signed=signed, faults_s=25.0, rules=rules)
    assert figures.failures == []


@pytest.fixture
def wired(tmp_path: Path) -> Iterator[tuple[list[Path], CutProxy, CutProxy]]:
    """Red --(proxy)--> Blue's daemon, Blue --(proxy)--> Red's daemon."""
    paths = make_seats(tmp_path, 2)
    with (
        RepositoryServer(paths[0], "127.0.0.1", 0) as red,
        RepositoryServer(paths[1], "127.0.0.1", 0) as blue,
        CutProxy(red.port) as to_red,
        CutProxy(blue.port) as to_blue,
    ):
        use_remote(paths[0], "Blue", to_blue.url)
        use_remote(paths[1], "Red", to_red.url)
        yield paths, to_red, to_blue


def look_now(replica: Replica) -> int:
    for one in replica.neighbours:
        one.backoff._next = 0.0
    return replica.synchronize()


def play_patiently(replicas: list[Replica], length: int) -> None:
    for _ in range(500):
        for replica in replicas:
            if not look_now(replica) and not replica.act():
                replica.wait(0.01)
        if all(len(replica.graph) >= length for replica in replicas):
            return
    raise AssertionError("the game does not go on")


def test_a_partition_that_heals(wired: tuple[list[Path], CutProxy, CutProxy]) -> None:
    paths, to_red, to_blue = wired
    with opened(paths) as replicas:
        play_patiently(replicas, 15)
        for wire in (to_red, to_blue):
            wire.set("cut")
        for _ in range(3):
            for replica in replicas:
                assert look_now(replica) == 0
                replica.act()
        stuck = max(len(replica.graph) for replica in replicas)
        assert any(one.trouble for replica in replicas for one in replica.neighbours)
        for wire in (to_red, to_blue):
            wire.set("open")
        play_patiently(replicas, stuck + 20)
        assert all(one.trouble is None for replica in replicas for one in replica.neighbours)


def test_a_cut_in_one_direction(wired: tuple[list[Path], CutProxy, CutProxy]) -> None:
    paths, to_red, _ = wired
    with opened(paths) as (red, blue):
        play_patiently([red, blue], 15)
        to_red.set("cut")
        for _ in range(3):
            look_now(red)
            look_now(blue)
            red.act()
            blue.act()
        assert neighbour(blue, "Red").trouble
        assert neighbour(red, "Blue").trouble is None
        to_red.set("open")
        play_patiently([red, blue], len(red.graph) + 20)


def test_slow_links(wired: tuple[list[Path], CutProxy, CutProxy]) -> None:
    paths, to_red, to_blue = wired
    for wire in (to_red, to_blue):
        wire.set("slow")
    with opened(paths) as replicas:
        play_patiently(replicas, 20)


def test_a_disk_that_is_full_again_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of thirty writes fails; whoever is told so tries again, and the game comes out as if nothing had happened."""
    with opened(make_seats(tmp_path / "calm", 2)) as replicas:
        expected = finish(replicas)
    paths = make_seats(tmp_path / "full", 2)
    rng, failures = Random(1), 0

    def failing(write: object) -> object:
        def wrapped(*args: object, **kwargs: object) -> object:
            nonlocal failures
            if rng.random() < 1 / 30:
                failures += 1
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return write(*args, **kwargs)  # type: ignore[operator]

        return wrapped

    with opened(paths) as replicas:
        for name in ("append", "create", "replace", "link"):
            monkeypatch.setattr(disk, name, failing(getattr(disk, name)))
        while not all(is_over(replica) for replica in replicas):
            for replica in replicas:
                try:
                    replica.synchronize()
                    replica.act()
                    replica.store.publish()
                except StoreError as error:
                    assert is_full(error), error
        monkeypatch.undo()
        assert failures > 20
        for replica in replicas:
            replica.fast_forward()
        settle(replicas)
        assert {replica.graph.head for replica in replicas} == {expected}
    for path in paths:
        assert is_sound(path)


@pytest.mark.parametrize("number", [errno.EIO, errno.EROFS, errno.ENOSPC, errno.EDQUOT])
def test_a_disk_that_refuses_for_a_while_is_waited_for_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Neither the action is written, nor what was written of it taken back: it goes on when the disk does."""
    paths = make_seats(tmp_path, 2)
    append, failures = disk.append, 0

    def refusing(descriptor: int, data: bytes) -> None:
        nonlocal failures
        if failures < 4:
            failures += 1
            os.write(descriptor, data[: len(data) // 2])
            raise OSError(number, os.strerror(number))
        append(descriptor, data)

    def stuck(descriptor: int, size: int) -> None:
        if failures < 4:
            raise OSError(number, os.strerror(number))
        os.ftruncate(descriptor, size)

    told: list[str] = []
    with open_replica(paths[0], alone=True) as red:
        with monkeypatch.context() as patch:
            patch.setattr(disk, "append", refusing)
            patch.setattr(disk, "truncate", stuck)
            life = PeerLife(red, LookPace(), lambda replica, words: told.append(words))
            for _ in range(200):
                failures += 1 if told else 0  # the disk comes back by itself
                if life.turn():
                    break
        assert len(red.graph) > 1
        head = red.graph.head
    waits = {words for words in told if words.startswith("waiting for ")}
    assert len(waits) == 1, waits
    assert "writer.journal: cannot write the action: " in waits.pop()
    with open_replica(paths[0]) as red:
        assert red.graph.head == head
    assert is_sound(paths[0])


@pytest.mark.parametrize("number", [errno.EIO, errno.EROFS, errno.ENOSPC])
def test_a_disk_that_refuses_at_the_start_is_waited_for_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], number: int
) -> None:
    """Each write of a start is refused in turn, and taken the second time."""
    path = make_seats(tmp_path, 2)[0]
    names = ("append", "create", "rewrite", "replace", "link", "remove", "open_append", "make_folder", "truncate")
    tries = refused = 0

    def failing(call: Any) -> Any:
        def called(*arguments: Any, **options: Any) -> Any:
            nonlocal tries, refused
            tries += 1
            if tries == at:
                refused += 1
                raise OSError(number, os.strerror(number))
            return call(*arguments, **options)

        return called

    for name in names:
        monkeypatch.setattr(disk, name, failing(getattr(disk, name)))
    for at in range(1, 40):
        tries = refused = 0
        (path / ".git" / "HEAD").write_bytes(b"")  # something is to be mended
        code = main(["peer", str(path), "--alone", "--policy", "random", "--stop-after", "0.3"])
        told = capsys.readouterr().err
        assert code == 0, (at, told)
        if not refused:
            break
    monkeypatch.undo()
    assert at > 5
    assert is_sound(path)


def test_what_cannot_be_read_is_not_waited_for() -> None:
    try:
        raise ObjectDamaged("x: cannot read: Input/output error") from OSError(errno.EIO, "Input/output error")
    except ObjectDamaged as error:
        assert not may_pass(error)


def test_what_could_not_be_published_is_published_once_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody but this peer can go on, and it has nothing left to do but to show what it did."""
    paths = make_seats(tmp_path, 2)
    before = git(paths[0], "rev-parse", "Red_0")
    with open_replica(paths[0]) as red:
        publish, failures = red.store.publish, 0

        def failing() -> None:
            nonlocal failures
            if failures < 2:
                failures += 1
                raise StoreError("full") from OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            publish()

        monkeypatch.setattr(red.store, "publish", failing)
        seen = []

        def told(replica: Replica, what: str) -> None:
            seen.append(git(paths[0], "rev-parse", "Red_0"))

        play(red, LookPace(max_s=1.5), told)
        assert failures == 2
        assert seen[-1] != before, "it is there before the peer ends"


def test_clocks_hours_apart(tmp_path: Path) -> None:
    paths = make_seats(tmp_path, 3, signed=True, rules=SHORT)
    with (
        open_replica(paths[0]) as red,
        open_replica(paths[1], lambda height: logical_clock(height) + 5 * 3600) as blue,
        open_replica(paths[2], lambda height: logical_clock(height) - 7 * 3600) as green,
    ):
        finish([red, blue, green])
    times = [logged.time_s for logged in load_history(paths[0]).actions]
    assert times != sorted(times)
    assert main(["verify", *map(str, paths)]) == 0


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_object_is_found_at_the_next_start_and_mended(tmp_path: Path, seed: int) -> None:
    paths = make_seats(tmp_path, 2)
    with opened(paths) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 40)
        settle(replicas)
        head = replicas[0].graph.head
    own = git(paths[0], "rev-parse", "Red_0")
    flip_a_byte(paths[0], Random(seed))
    with pytest.raises(ObjectDamaged), open_replica(paths[0]):
        pass
    aside = mend_seat(paths[0], read_settings(paths[0]))
    assert aside.exists()
    assert is_sound(paths[0])
    assert git(paths[0], "rev-parse", "Red_0") == own
    with opened(paths) as replicas:
        settle(replicas)
        assert replicas[0].graph.head == head
        finish(replicas)


def test_a_peer_whose_last_commit_is_nowhere_any_more_does_not_act(tmp_path: Path) -> None:
    """It might say something else than before: that would be a fork."""
    paths = make_seats(tmp_path, 2)
    with opened(paths) as (red, blue):
        play_rounds([red, blue], lambda replica: len(replica.graph) > 20 and red.is_awaited and replica is blue)
        red.synchronize()
        red.act()
    for pack in (paths[0] / ".git" / "objects" / "pack").glob("*"):
        pack.unlink()
    with pytest.raises(ObjectDamaged), open_replica(paths[0]):
        pass
    with pytest.raises(ObjectDamaged, match="can be read neither here nor elsewhere"):
        mend_seat(paths[0], read_settings(paths[0]))
    assert (paths[0] / ".git").exists()


def test_others_play_on_with_what_they_have_while_a_repository_is_gone(tmp_path: Path) -> None:
    paths = make_seats(tmp_path, 3, signed=True, rules=SHORT)
    with opened(paths) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 20)
        settle(replicas)
        (paths[1] / ".git").rename(tmp_path / "away")
        for replica in (replicas[0], replicas[2]):
            for _ in range(3):
                look_now(replica)
            assert neighbour(replica, "Blue").trouble
        (tmp_path / "away").rename(paths[1] / ".git")
        for replica in (replicas[0], replicas[2]):
            look_now(replica)
            assert neighbour(replica, "Blue").trouble is None
        finish(replicas)
