"""Breaks the network, the disks and the processes of games on purpose, and counts what was lost: nothing, it must be.

Every game is played by processes of ``catan-p2p peer`` with the time of day as their clock and a secret seed each, so
that an action that were lost could not come back by itself. When it is over: every peer ends on the same commit, every
action that a peer has acknowledged is in it, the repositories are in order, and TLC accepts the game.

    python -m tests.replication.campaign --games 20 --seed 1 --keep DIR
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from catan_p2p.game.constants import CHANCES, HANDS, Chance, Hands
from catan_p2p.game.rule_names import rules_named
from catan_p2p.log.audit import audit
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.model_check.recording import read_recording
from catan_p2p.model_check.tlc import TlcError, TlcProgram
from catan_p2p.model_check.trace import check_recording
from tests import campaigns
from tests.replication.processes import PeerProcess, ProcessTable
from tests.replication.tables import game_of, git, told_shares

LIMIT_S = 240.0
KINDS: tuple[tuple[Chance, Hands], ...] = (("actor", "open"), ("joint", "open"), ("joint", "hidden"))
"""Who draws and who sees hands, in the games of a campaign."""
OPENINGS = "--glob=*_opening_*"
"""The branches on which cards are opened after a game of hidden hands."""
TMPFS_BYTES = 24 << 20


@dataclass
class Figures(campaigns.Figures):
    """What a campaign did and found."""

    tell_every = 1

    actions: int = 0
    acknowledged: int = 0
    lost: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    draws: int = 0
    """That all players made together."""
    told_twice: int = 0
    """Calls, pledges and reveals besides another one of the same player for the same draw."""
    traces_checked: int = 0

    def as_json(self) -> dict[str, Any]:
        return super().as_json() | {"faults_in_all": sum(self.faults.values())}


@contextmanager
def small_disk(path: Path) -> Iterator[Path | None]:
    """A file system of a few megabytes in memory; None where it cannot be mounted."""
    path.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={TMPFS_BYTES}", "tmpfs", str(path)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        yield None
        return
    try:
        yield path
    finally:
        subprocess.run(["umount", "-l", str(path)], capture_output=True, check=False)


# Faults


def kill(table: ProcessTable, rng: Random) -> bool:
    """kill -9 of one peer, and a new start."""
    peer = _any_peer(table, rng)
    if not peer.is_running:
        return False
    peer.kill()
    time.sleep(rng.choice((0.0, 0.0, 0.3)))
    peer.start()
    return True


def kill_all(table: ProcessTable, rng: Random) -> bool:
    """kill -9 of every peer at once."""
    running = [peer for peer in table.peers.values() if peer.is_running]
    for peer in running:
        peer.signal(signal.SIGKILL)
    for peer in running:
        peer.wait()
        peer.start()
    return bool(running)


def absence(table: ProcessTable, rng: Random) -> bool:
    """A peer stands still for a while."""
    peer = _any_peer(table, rng)
    peer.signal(signal.SIGSTOP)
    time.sleep(rng.uniform(0.1, 0.8))
    peer.signal(signal.SIGCONT)
    return peer.is_running


def one_way_cut(table: ProcessTable, rng: Random) -> bool:
    """One peer cannot fetch from another, who still can from it."""
    wire = table.wires.proxies[rng.choice(sorted(table.wires.proxies))]
    wire.set(rng.choice(("cut", "stalled")))
    time.sleep(rng.uniform(0.2, 1.0))
    wire.set("open")
    return True


def partition(table: ProcessTable, rng: Random) -> bool:
    """Some peers cannot reach the others, nor these them."""
    side = set(rng.sample(table.colours, rng.randrange(1, len(table.colours))))
    cut = [wire for (a, b), wire in table.wires.proxies.items() if (a in side) != (b in side)]
    for wire in cut:
        wire.set("cut")
    time.sleep(rng.uniform(0.3, 1.2))
    for wire in cut:
        wire.set("open")
    return True


def slow_links(table: ProcessTable, rng: Random) -> bool:
    """Every piece of data takes its time."""
    for wire in table.wires.proxies.values():
        wire.set("slow")
    time.sleep(rng.uniform(0.3, 1.0))
    for wire in table.wires.proxies.values():
        wire.set("open")
    return True


def full_disk(table: ProcessTable, rng: Random) -> bool:
    """Nothing more can be written on one peer's disk for a while."""
    disk = table.disks[rng.choice(sorted(table.disks))]
    filler = disk / "filler"
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(1 << 16))
    with contextlib.suppress(OSError), filler.open("ab", buffering=0) as file:
        while file.write(bytes(512)):
            pass
    time.sleep(rng.uniform(0.2, 0.6))
    filler.unlink()
    return True


def damaged_object(table: ProcessTable, rng: Random) -> bool:
    """kill -9, then a byte of the oldest pack is another one; the peer mends itself when it starts.

    Once a game, and not before the others have a copy of everything: what is damaged everywhere is gone.
    """
    peer = _any_peer(table, rng)
    if not peer.is_running or table.has_damage or any(len(one.acknowledged) < 5 for one in table.peers.values()):
        return False
    table.has_damage = True
    peer.kill()
    flip_a_byte(peer.path, rng)
    peer.start()
    return True


def flip_a_byte(path: Path, rng: Random) -> None:
    packs = sorted((path / ".git" / "objects" / "pack").glob("*.pack"), key=lambda pack: pack.stat().st_mtime_ns)
    if packs:
        data = bytearray(packs[0].read_bytes())
        data[rng.randrange(12, len(data) - 20)] ^= 0x55
        packs[0].chmod(0o644)
        packs[0].write_bytes(data)


def _any_peer(table: ProcessTable, rng: Random) -> PeerProcess:
    return table.peers[rng.choice(table.colours)]


def possible_faults(table: ProcessTable) -> list[Any]:
    found = [kill, kill, kill, kill_all, absence, damaged_object]
    if table.wires.proxies:
        found += [one_way_cut, one_way_cut, partition, partition, slow_links]
    if table.disks:
        found += [full_disk, full_disk]
    return found


# Games


def play_one(
    folder: Path,
    seed: int,
    *,
    players: int,
    transport: str,
    signed: bool,
    faults_s: float,
    rules: str = "thesis",
    chance: Chance = "actor",
    hands: Hands = "open",
    full_disks: bool = True,
    tlc: TlcProgram | None = None,
    keep: Path | None = None,
) -> Figures:
    """Play one game with faults for its first ``faults_s`` seconds, and check what came of it."""
    rng, figures = Random(seed), Figures(games=1)
    begin = time.monotonic()
    kind = f"{chance} chance, {hands} hands"
    name = f"seed {seed}, {rules}, {kind}, {players} players, {transport}, {'signed' if signed else 'unsigned'}"
    game = game_of(replace(rules_named(rules, players), chance=chance, hands=hands), players, signed=signed)
    with ExitStack() as stack:
        small = {
            seat.colour: stack.enter_context(small_disk(folder / f"disk-{seat.colour}"))
            for seat in game.seats
            if full_disks
        }
        disks = {colour: disk for colour, disk in small.items() if disk is not None}
        seeds = [rng.getrandbits(64) for _ in game.seats]
        table = ProcessTable(folder, game, seeds, disks=disks, is_served=transport == "git")
        stack.enter_context(table.running())
        faults = possible_faults(table)
        while not all(peer.has_finished for peer in table.peers.values()):
            if time.monotonic() - begin > LIMIT_S:
                figures.failures.append(f"{name}: not over after {LIMIT_S:g} s: {_complaints(table)}")
                break
            if time.monotonic() - begin < faults_s:
                fault = rng.choice(faults)
                if fault(table, rng):
                    figures.faults[fault.__name__] += 1
                time.sleep(rng.uniform(0.05, 0.4))
            else:
                time.sleep(0.05)
            for peer in table.peers.values():
                if not peer.is_running and not peer.has_finished:
                    # It could not even be opened, on a full disk: whoever runs a peer starts it again.
                    peer.wait()
                    time.sleep(0.2)
                    peer.start()
        for peer in table.peers.values():
            if not peer.is_running:
                peer.wait()
        try:
            _check(table, name, figures, tlc)
        except StoreError as error:
            figures.failures.append(f"{name}: {error}")
        if figures.failures and keep is not None:
            for peer in table.peers.values():
                shutil.copytree(peer.path.parent, keep / folder.name / peer.colour, dirs_exist_ok=True, symlinks=True)
                (keep / folder.name / f"{peer.colour}.said").write_text("\n".join(peer.complaints))
    return figures


def _complaints(table: ProcessTable) -> dict[str, list[str]]:
    return {colour: peer.complaints[-3:] for colour, peer in table.peers.items()}


def _check(table: ProcessTable, name: str, figures: Figures, tlc: TlcProgram | None) -> None:
    heads = {}
    for colour, peer in table.peers.items():
        if peer.code != 0:
            figures.failures.append(f"{name}: {colour} ended with code {peer.code}: {peer.complaints[-3:]}")
        heads[colour] = git(peer.path, "rev-parse", f"refs/heads/{colour}_0", check=False)
        verdict = audit(peer.path)
        if not verdict.is_fine or verdict.history is None or not verdict.history.last.is_over:
            problem = verdict.rejected or verdict.damage or "not over"
            figures.failures.append(f"{name}: verify does not accept the repository of {colour}: {problem}")
    if len(set(heads.values())) != 1:
        figures.failures.append(f"{name}: the peers ended on different commits: {heads}")
    first = next(iter(table.peers.values()))
    # The cards are opened on branches of their own, which nothing merges.
    in_the_log = set(git(first.path, "rev-list", next(iter(heads.values())), OPENINGS, check=False).split())
    figures.actions += max(0, len(in_the_log) - 1)
    for colour, peer in table.peers.items():
        told = {line for line in peer.acknowledged if len(line) == 40}
        figures.acknowledged += len(told)
        lost = told - in_the_log
        figures.lost += len(lost)
        if lost:
            figures.failures.append(f"{name}: {colour} acknowledged what is not in the log: {sorted(lost)}")
    told = told_shares([peer.path for peer in table.peers.values()])
    figures.draws += sum(one.is_call for one in told)
    twice = {str(one): sorted(commits) for one, commits in told.items() if len(commits) > 1}
    figures.told_twice += len(twice)
    if twice:
        figures.failures.append(f"{name}: told twice: {twice}")
    if tlc is not None:
        refusal = check_recording(read_recording(first.path), tlc)
        figures.traces_checked += 1
        if refusal is not None:
            figures.failures.append(f"{name}: TLC refuses the game: {refusal}")


@cache
def _tlc() -> TlcProgram | None:
    with contextlib.suppress(TlcError):
        return TlcProgram.find()
    return None


def play_asked(seed: int, args: Namespace) -> Figures:
    """One game of the campaign that the command line asks for: all kinds in turn."""
    i = seed - args.seed
    kinds = [(who, how) for who, how in KINDS if args.chance in (None, who) and args.hands in (None, how)]
    chance, hands = kinds[i // 6 % len(kinds)]
    with TemporaryDirectory(prefix="catan-p2p-faults-", ignore_cleanup_errors=True) as folder:
        return play_one(
            Path(folder),
            seed,
            players=2 + i % 3,
            transport=("path", "git")[i // 3 % 2],
            signed=i % 2 == 1,
            rules=("thesis", "brief")[i % 4 // 2],
            chance=chance,
            hands=hands,
            faults_s=args.faults_s,
            tlc=None if args.no_tlc else _tlc(),
            keep=args.keep,
        )


def main() -> int:
    parser = campaigns.options("Break games on purpose and count what is lost.", 12)
    parser.add_argument("--chance", choices=CHANCES, help="only games in which these draw")
    parser.add_argument("--hands", choices=HANDS, help="only games in which hands are like this")
    parser.add_argument("--faults-s", type=float, default=25.0, help="how long each game is disturbed (default: 25)")
    parser.add_argument("--no-tlc", action="store_true", help="do not let TLC check the games")
    parser.add_argument("--keep", type=Path, help="where to keep the repositories of games that failed")
    return campaigns.run_campaign(parser.parse_args(), play_asked, Figures())


if __name__ == "__main__":
    os.environ.setdefault("GIT_TERMINAL_PROMPT", "0")
    sys.exit(main())
