"""Games of replicas in real repositories, for tests: honest seats, and what a hostile player can write."""

import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from catan_p2p.game.constants import Chance, Constants, Hands, Player, Rules
from catan_p2p.game.new_game import of_new_game
from catan_p2p.game.randomness import SeededRandomness, logical_clock
from catan_p2p.game.rule_names import rules_named
from catan_p2p.log.commit import Commit, decode_commit, trailers_of
from catan_p2p.log.game import GameDefinition, new_game
from catan_p2p.log.refs import COLOURS, HEADS
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.transport.their_files import TheirRefs, git_folder
from catan_p2p.players.choosing import PolicyChooser
from catan_p2p.players.policies import POLICIES
from catan_p2p.replication.replica import Neighbour, Replica
from catan_p2p.tables.joining import create_seat, join_game
from catan_p2p.tables.opening import opened_seat
from catan_p2p.tables.seat import SeatSettings, read_settings, write_settings
from tests.seat_keys import KEYS, PUBLIC_KEYS

SHORT = "thesis; PointsToWin = 5"
"""For games that are played to the end: half as long."""
MOST_IDLE_ROUNDS = 500
"""In a game in which nobody has got on for so many rounds nobody will."""
IDLE_S = 0.03
"""What would be looked for every now and then is waited for so long: 15 seconds of the rounds above."""


def make_seats(
    folder: Path,
    players: int = 2,
    seed: int = 5,
    *,
    signed: bool = False,
    policy: str = "builder",
    rules: Rules | str = "thesis",
    chance: Chance | None = None,
    hands: Hands = "open",
    parties: Iterable[Sequence[Player]] = (),
) -> list[Path]:
    """The repositories of a new game, each with paths to all others as remotes; ``chance`` goes before the rules'."""
    named = rules if isinstance(rules, Rules) else rules_named(rules, players)
    rules = replace(named, chance=chance or named.chance, hands=hands)
    game = game_of(rules, players, signed=signed, parties=parties)
    paths = [folder / seat.colour for seat in game.seats]
    for path in paths:
        remotes = {other.name: str(other) for other in paths if other != path}
        settings = SeatSettings(path.name, seed, "logical", policy, remotes)
        make_seat(path, game, settings, paths[0], nonce=f"seed {seed}", time_s=logical_clock(0))
    return paths


def game_of(
    rules: Rules, players: int, *, signed: bool = False, parties: Iterable[Sequence[Player]] = ()
) -> GameDefinition:
    """A new game; its keys are ``KEYS`` if it is signed, as every game is that players may leave."""
    keys = PUBLIC_KEYS if signed or rules.leaving else {}
    return new_game(0, Constants(of_new_game(rules), player_count=players), COLOURS[:players], keys, parties=parties)


def make_seat(path: Path, game: GameDefinition, settings: SeatSettings, first: Path, **root: Any) -> None:
    """A seat's repository: the ``first`` one creates the game, with what is wanted in its ``root``, all others join."""
    key = KEYS[settings.colour] if game.seats[0].key else None
    if path == first:
        create_seat(path, game, settings, key, **root)
    else:
        join_game(str(first), path, settings, key)


def open_replica(  # type: ignore[no-untyped-def]
    path: Path,
    clock: Callable[[int], int] = logical_clock,
    *,
    alone: bool = False,
    chooser: PolicyChooser | None = None,
):
    """The replica of a seat, as ``catan-p2p peer`` opens it; its policy decides if no other ``chooser`` does."""
    settings = read_settings(path)
    chooser = chooser or POLICIES[settings.policy or "builder"]()
    return opened_seat(path, settings, chooser, SeededRandomness, clock, alone=alone)


def copied_table(table: Path, folder: Path) -> Path:
    """A copy of the seats of a table, which read each other."""
    shutil.copytree(table, folder, dirs_exist_ok=True)
    for seat in folder.iterdir():
        settings = read_settings(seat)
        settings.remotes = {colour: str(folder / colour) for colour in settings.remotes}
        write_settings(seat, settings)
    return folder


@contextmanager
def opened(paths: Sequence[Path], *, alone: bool = False) -> Iterator[list[Replica]]:
    """The replicas of several seats."""
    with ExitStack() as stack:
        yield [stack.enter_context(open_replica(path, alone=alone)) for path in paths]


def play_rounds(replicas: Sequence[Replica], until: Callable[[Replica], bool]) -> None:
    """Let each look and act in turn until one of them has what is wanted."""
    idle = 0
    while idle < MOST_IDLE_ROUNDS:
        before = [replica.graph.head for replica in replicas]
        for replica in replicas:
            replica.synchronize()
            replica.act()
            if until(replica):
                return
        if before == [replica.graph.head for replica in replicas]:
            idle += 1
            time.sleep(IDLE_S)
        else:
            idle = 0
    raise AssertionError("it did not come to that")


def is_over(replica: Replica) -> bool:
    return replica.graph.state.is_over


def settle(replicas: Sequence[Replica]) -> None:
    """Let everybody see what everybody has published."""
    for _ in range(3):
        for replica in replicas:
            replica.synchronize()
            replica.store.publish()


def finish(replicas: Sequence[Replica]) -> ObjectId:
    """Play to the end; the commit on which all of them end."""
    play_rounds(replicas, lambda _: all(is_over(replica) for replica in replicas))
    for replica in replicas:
        replica.fast_forward()
    settle(replicas)
    heads = {replica.graph.head for replica in replicas}
    assert len(heads) == 1
    for replica in replicas:
        for neighbour in replica.neighbours:
            assert neighbour.rejected == {}, neighbour.rejected
    return heads.pop()


def git(repository: Path, *args: str, data: bytes = b"", check: bool = True) -> str:
    """What git prints."""
    done = subprocess.run(["git", "-C", str(repository), *args], input=data, capture_output=True, check=False)
    assert not check or done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


def heads_of(repository: Path) -> dict[str, ObjectId]:
    """Where the branches of a repository are, by name: read from their files, for those who ask at every turn."""
    return TheirRefs(git_folder(repository)).list(HEADS)


def is_sound(repository: Path) -> bool:
    """Whether Git finds nothing to complain of."""
    done = subprocess.run(["git", "-C", str(repository), "fsck", "--strict"], capture_output=True, check=False)
    return done.returncode == 0


class Told(NamedTuple):
    """A pledge, a call or a reveal: who tells a share, on which commit."""

    player: str
    base: ObjectId
    is_call: bool


def told_shares(repositories: Sequence[Path]) -> dict[Told, set[ObjectId]]:
    """Every commit that tells a share, of all objects there are: also of those to which nothing leads any more."""
    found: dict[Told, set[ObjectId]] = {}
    for repository in repositories:
        for oid, kind, data in all_objects(repository):
            if kind != "commit":
                continue
            commit = decode_commit(data)
            trailers = trailers_of(commit.message)
            if "Share" in trailers:
                told = Told(trailers["Player"], commit.parents[0], "Draw" in trailers)
                found.setdefault(told, set()).add(oid)
    return found


def all_objects(repository: Path) -> Iterator[tuple[ObjectId, str, bytes]]:
    """Id, kind and bytes of every object of a repository, whether or not anything leads to it."""
    command = ["git", "-C", str(repository), "cat-file", "--batch-all-objects", "--batch", "--unordered"]
    output = subprocess.run(command, capture_output=True, check=True).stdout
    at = 0
    while at < len(output):
        end = output.index(b"\n", at)
        oid, kind, size = output[at:end].decode().split(" ")
        at = end + 1 + int(size)
        yield ObjectId(oid), kind, output[end + 1 : at]
        at += 1


# What a hostile player writes: anything, anywhere in the own repository.


def write_object(repository: Path, kind: str, data: bytes) -> ObjectId:
    return ObjectId(git(repository, "hash-object", "-w", "-t", kind, "--literally", "--stdin", data=data))


def write_commit(repository: Path, commit: Commit | bytes) -> ObjectId:
    return write_object(repository, "commit", commit if isinstance(commit, bytes) else commit.encode())


def write_tree(repository: Path, entries: Mapping[str, tuple[str, ObjectId]]) -> ObjectId:
    ordered = sorted(entries, key=lambda name: name + "/" if entries[name][0] == "40000" else name)
    data = b"".join(f"{entries[n][0]} {n}".encode() + b"\0" + bytes.fromhex(entries[n][1]) for n in ordered)
    return write_object(repository, "tree", data)


def point(repository: Path, ref: str, commit: ObjectId) -> None:
    """Move a ref as only a hostile player does: wherever it likes."""
    path = repository / ".git" / ref
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name("moved")
    beside.write_text(f"{commit}\n")
    beside.replace(path)


def refused(replica: Replica, colour: str) -> set[str]:
    """The reasons for which a neighbour's heads are refused now."""
    return {bad.reason for bad in neighbour(replica, colour).rejected.values()}


def neighbour(replica: Replica, colour: str) -> Neighbour:
    return next(one for one in replica.neighbours if one.colour == colour)


def use_remote(path: Path, colour: str, url: str) -> None:
    """Let a seat fetch from elsewhere."""
    settings = read_settings(path)
    settings.remotes[colour] = url
    write_settings(path, settings)
