"""What a loss of power, or a failing medium, leaves of a seat: it is mended, and everything that was validated is kept.

Red --- Blue        unless a test says otherwise; Red's repository is damaged
"""

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.actions import RollDice
from catan_p2p.log.refs import local_ref
from catan_p2p.log.storage import cat_file
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectMissing, StoreError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.replication import play as play_module
from catan_p2p.replication.play import once_there_is_room
from catan_p2p.replication.replica import Replica
from catan_p2p.tables.repair import heal, mend_seat
from catan_p2p.tables.seat import read_settings
from catan_p2p.tables.status import read_status
from tests.replication.campaign import flip_a_byte
from tests.replication.conftest import Deal
from tests.replication.tables import (
    finish,
    git,
    is_sound,
    make_seats,
    open_replica,
    opened,
    play_rounds,
    settle,
    use_remote,
    write_object,
)
from tests.replication.test_hostile import Forger
from tests.typed import Typed

pytestmark = [pytest.mark.long, pytest.mark.sampled(9)]

Harm = Callable[[Path], None]


@pytest.fixture
def played(tmp_path: Path) -> tuple[list[Path], str]:
    """Red and Blue after some turns, and Red's newest action."""
    paths = make_seats(tmp_path, 2, signed=True)
    with opened(paths) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 40 and replica.graph.state.tp == "DiceRoll")
        settle(replicas)
        return paths, replicas[0].graph.head


def mended(path: Path) -> Replica:
    """What ``catan-p2p peer`` does before it plays; the replica is closed again."""
    heal(path)
    try:
        with open_replica(path) as replica:
            return replica
    except ObjectDamaged:
        mend_seat(path, read_settings(path))
        with open_replica(path) as replica:
            return replica


def own_ref(path: Path) -> Path:
    return path / ".git" / "refs" / "heads" / "Red_0"


def every_pack(path: Path, content: bytes, suffix: str) -> None:
    for file in (path / ".git" / "objects" / "pack").glob(f"*.{suffix}"):
        file.chmod(0o644)
        file.write_bytes(content[: file.stat().st_size])


def old_lock(path: Path, name: str) -> None:
    lock = path / ".git" / name
    lock.write_bytes(b"")
    long_ago = time.time() - 3600
    os.utime(lock, (long_ago, long_ago))


HARMS: dict[str, Harm] = {
    "own ref empty": lambda red: own_ref(red).write_bytes(b"") and None,
    "own ref of zeros": lambda red: own_ref(red).write_bytes(bytes(41)) and None,
    "own ref of garbage": lambda red: own_ref(red).write_bytes(os.urandom(41)) and None,
    "own ref gone": lambda red: own_ref(red).unlink(),
    "all refs of zeros": lambda red: [ref.write_bytes(bytes(41)) for ref in all_refs(red)] and None,
    "tracking refs empty": lambda red: (
        [ref.write_bytes(b"") for ref in all_refs(red) if "remotes" in str(ref)] and None
    ),
    "all refs gone": lambda red: shutil.rmtree(red / ".git" / "refs"),
    "HEAD gone": lambda red: (red / ".git" / "HEAD").unlink(),
    "HEAD of zeros": lambda red: (red / ".git" / "HEAD").write_bytes(bytes(23)) and None,
    "config empty": lambda red: (red / ".git" / "config").write_bytes(b"") and None,
    "index of zeros": lambda red: (red / ".git" / "index").write_bytes(bytes(100)) and None,
    "packs empty": lambda red: every_pack(red, b"", "pack"),
    "packs of zeros": lambda red: every_pack(red, bytes(1 << 20), "pack"),
    "indexes empty": lambda red: every_pack(red, b"", "idx"),
    "packs gone": lambda red: shutil.rmtree(red / ".git" / "objects" / "pack"),
    "journal with zeros at the end": lambda red: journal(red, b"\0" * 512),
    "journal with garbage at the end": lambda red: journal(red, bytes(range(256))),
    "journal of zeros": lambda red: (red / ".git/catan-p2p/writer.journal").write_bytes(bytes(600)) and None,
    "refusals not UTF-8": lambda red: (red / ".git/catan-p2p/refusals.jsonl").write_bytes(b"\xff\xfe\n7\n") and None,
    "list of packs of zeros": lambda red: (red / ".git/catan-p2p/writer.packs").write_bytes(bytes(200)) and None,
    "lock of the own ref": lambda red: old_lock(red, "refs/heads/Red_0.lock"),
    "lock of packed refs": lambda red: old_lock(red, "packed-refs.lock"),
    "lock of the index": lambda red: old_lock(red, "index.lock"),
    "lock of HEAD": lambda red: old_lock(red, "HEAD.lock"),
}


def all_refs(path: Path) -> list[Path]:
    return [file for file in (path / ".git" / "refs").rglob("*") if file.is_file()]


def journal(path: Path, end: bytes) -> None:
    with (path / ".git/catan-p2p/writer.journal").open("ab") as file:
        file.write(end)


@pytest.mark.parametrize("harm", HARMS)
def test_what_a_loss_of_power_leaves_is_mended(played: tuple[list[Path], str], harm: str) -> None:
    paths, head = played
    HARMS[harm](paths[0])
    mended(paths[0])
    assert is_sound(paths[0])
    with opened(paths) as replicas:
        replicas[0].synchronize()
        assert head in replicas[0].graph
        play_rounds(replicas, lambda replica: len(replica.graph) > 60)
    assert all(read_status(path).refusals == () for path in paths)


@pytest.mark.soak
@pytest.mark.parametrize("harm", HARMS)
def test_a_mended_seat_plays_to_the_end(played: tuple[list[Path], str], harm: str) -> None:
    paths, _ = played
    HARMS[harm](paths[0])
    mended(paths[0])
    with opened(paths) as replicas:
        finish(replicas)
    assert main(["verify", *map(str, paths)]) == 0
    assert main(["peer", str(paths[0])]) == 0  # at the end of a game it leaves the work tree as the game ended
    assert not git(paths[0], "status", "--porcelain")


@pytest.mark.parametrize("harm", ["packs empty", "indexes empty", "own ref gone", "HEAD gone", "all refs of zeros"])
def test_the_peer_itself_mends_its_seat(played: tuple[list[Path], str], harm: str) -> None:
    paths, head = played
    HARMS[harm](paths[0])
    assert main(["peer", str(paths[0]), "--stop-after", "1"]) == 0
    with open_replica(paths[0]) as red:
        assert head in red.graph


def test_settings_that_are_lost_are_told_with_the_command_that_helps(
    played: tuple[list[Path], str], typed: Typed
) -> None:
    paths, _ = played
    (paths[0] / ".git/catan-p2p/seat.json").write_bytes(bytes(100))
    assert "catan-p2p join URL NEW_DIR --as COLOUR" in typed(2, "peer", paths[0]).err


# What was accepted stays accepted


def rolled(deal: Deal) -> tuple[Forger, str]:
    """Blue's roll... that is Red's here: Red has rolled an 8, and Blue has accepted it."""
    red = Forger(deal("roll-signed"))
    red.publish(eight := red.write(red.draft(RollDice(1, 8))))
    with open_replica(red.path.parent / "Blue") as blue:
        blue.synchronize()
        assert eight in blue.graph
    return red, eight


@pytest.mark.parametrize(
    "harm",
    [
        "packs empty",
        "packs of zeros",
        "indexes empty",
        "packs gone",
        "tracking refs empty",
        "all refs of zeros",
        "all refs gone",
        "dirt",
    ],
)
def test_what_was_accepted_is_not_rewritten_by_damage_and_a_restart(deal: Deal, harm: str) -> None:
    """Red rolls an 8, Blue accepts it, is damaged and started again; then Red shows a 9. Green has seen the 8."""
    red, eight = rolled(deal)
    folder = red.path.parent
    with open_replica(folder / "Green") as green:
        green.synchronize()
    nine = red.write(red.draft(RollDice(1, 9)))
    red.publish(nine)
    blue = folder / "Blue"
    if harm == "dirt":
        write_object(blue, "commit", b"this is no commit")
    else:
        HARMS[harm](blue)
    mended(blue)
    with open_replica(blue) as replica:
        replica.synchronize()
        assert nine not in replica.graph
        assert eight in replica.graph
    status = read_status(blue)
    assert ("fork", nine) in {(line["reason"], line["commit"]) for line in status.refusals}
    assert {f"Red/{eight}", f"Red/{nine}"} <= status.evidence.keys()


def test_what_was_accepted_and_can_be_read_nowhere_is_not_forgotten(deal: Deal) -> None:
    """Only Blue has ever seen the 8; Blue loses it, and does not take a 9 for it."""
    red, eight = rolled(deal)
    red.publish(red.write(red.draft(RollDice(1, 9))))
    file = red.path / ".git" / "objects" / eight[:2] / eight[2:]
    file.unlink()
    blue = red.path.parent / "Blue"
    shutil.rmtree(blue / ".git" / "objects" / "pack")
    heal(blue)
    with pytest.raises(ObjectDamaged):
        mend_seat(blue, read_settings(blue))
    with pytest.raises(ObjectDamaged), open_replica(blue):
        pass


def test_evidence_and_refusals_come_along(deal: Deal) -> None:
    red, _ = rolled(deal)
    red.publish(red.write(red.draft(RollDice(1, 9))))
    blue = red.path.parent / "Blue"
    with open_replica(blue) as replica:
        replica.synchronize()
    before = read_status(blue)
    refs = git(blue, "for-each-ref", "--format=%(refname) %(objectname)")
    assert before.evidence
    flip_a_byte(blue, Random(1))
    mended(blue)
    after = read_status(blue)
    assert list(blue.parent.glob("Blue.damaged-*"))
    assert (after.evidence, after.refusals) == (before.evidence, before.refusals)
    assert git(blue, "for-each-ref", "--format=%(refname) %(objectname)") == refs


def test_dirt_is_told_from_damage(played: tuple[list[Path], str], typed: Typed) -> None:
    """Objects and refs that are not the game's make no new repository."""
    red = played[0][0]
    write_object(red, "commit", b"this is no commit")
    (red / ".git" / "refs" / "heads" / "mine").write_bytes(bytes(41))
    assert not is_sound(red)
    with open_replica(red) as replica:
        assert replica.dirt
    assert "does no harm" in typed(0, "peer", red, "--stop-after", "0.5").err
    assert not list(red.parent.glob("*.damaged-*"))


def test_git_s_complaints_do_not_stop_the_reading(played: tuple[list[Path], str]) -> None:
    """Git writes a line for every damaged object; nobody reading them, it would stop after 64 KiB."""
    red = played[0][0]
    with GitStore.open(red, writer=None) as store:
        oid = store.list_refs()[local_ref(store_branch())]
    loose = red / ".git" / "objects" / oid[:2]
    loose.mkdir(exist_ok=True)
    every_pack(red, b"", "idx")
    (loose / oid[2:]).write_bytes(b"damaged")
    with GitStore.open(red, writer=None) as store:
        reader = cat_file.own_objects(store.folder)
        for _ in range(3):
            for number in range(700):
                with pytest.raises((ObjectMissing, ObjectDamaged)):
                    reader.read(oid if number % 7 == 0 else type(oid)(f"{number:040x}"))
        reader.close()


def store_branch():  # type: ignore[no-untyped-def]
    from catan_p2p.log.refs import LogBranch

    return LogBranch("Red", 0)


# A full disk


def full() -> StoreError:
    error = StoreError("the disk is full")
    error.__cause__ = OSError(28, "No space left on device")
    return error


def test_a_full_disk_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_module, "_ROOM_S", 0.0)
    told: list[str] = []
    tries = 0

    def do() -> int:
        nonlocal tries
        tries += 1
        if tries < 4:
            raise full()
        return 7

    assert once_there_is_room(do, told.append) == 7
    assert told == ["waiting for free space: the disk is full"]
    with pytest.raises(StoreError):
        once_there_is_room(lambda: (_ for _ in ()).throw(full()), told.append, until=0.0)
    with pytest.raises(StoreError, match="another"):
        once_there_is_room(lambda: (_ for _ in ()).throw(StoreError("another")), told.append)


def test_a_disk_that_is_full_at_the_start_and_at_the_end_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Opening the store, folding and checking out are refused twice each."""
    paths = make_seats(tmp_path, 2)
    with opened(paths) as replicas:
        finish(replicas)
    monkeypatch.setattr(play_module, "_ROOM_S", 0.0)
    left = dict.fromkeys(("open", "fold", "check_out"), 2)

    def refusing(name: str) -> Callable[..., object]:
        real = getattr(GitStore, name)

        def call(*args: object, **options: object) -> object:
            if left[name]:
                left[name] -= 1
                raise full()
            return real(*args, **options)

        return call

    for name in ("fold", "check_out"):
        monkeypatch.setattr(GitStore, name, refusing(name))
    real_open = GitStore.open

    def open_store(path: Path, **options: object) -> GitStore:
        if options.get("writer", "writer") is not None and left["open"]:
            left["open"] -= 1
            raise full()
        return real_open(path, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(GitStore, "open", open_store)
    assert main(["peer", str(paths[0]), "--stay", "0"]) == 0
    assert left == {"open": 0, "fold": 0, "check_out": 0}
    assert capsys.readouterr().err.count("waiting for free space") == 3
    assert is_sound(paths[0])


def test_no_remote_answers_while_mending(played: tuple[list[Path], str], tmp_path: Path) -> None:
    """What can be read here is enough where nothing of the game is lost."""
    red = played[0][0]
    use_remote(red, "Blue", str(tmp_path / "nowhere"))
    own_ref(red).write_bytes(b"")
    mended(red)
    assert (
        played[1]
        in subprocess.run(
            ["git", "-C", str(red), "rev-list", "--all"], capture_output=True, text=True, check=True
        ).stdout
    )
