"""The network laboratory: virtual time beside real time, and how much it can play.

python -m benchmarks.network calibrate [MS ...]         real peers over delayed links, and the same in virtual time
python -m benchmarks.network rate [GAMES]               the campaign, and short games over the world preset
python -m benchmarks.network world [GAMES] [--jobs N]   whole games of four over the world preset
python -m benchmarks.network spectators [COUNT]         one game with that many spectators
python -m benchmarks.network draws [MS]                 turns with joint draws beside turns in which the actor draws
"""

import argparse
import gc
import resource
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from benchmarks.delayed import play_delayed
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.figures import summary
from catan_p2p.simulation.laboratory.spec import parse_network
from catan_p2p.simulation.laboratory.world import SimulatedWorld

_SHORT = "thesis; PointsToWin = 3"


def calibrate(one_way_ms: int, players: int = 2, seed: int = 1) -> tuple[float, float, int]:
    """Seconds from the first action to the last, with real peers and in virtual time, and the number of turns."""
    settings = SimulationSettings(players, 1, seed, ("builder",), _SHORT, topology="separate", transport="git")
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
        told = play_delayed(Path(temporary), settings, one_way_ms / 1000)
        real_s = told[-1].at_s - told[0].at_s
    world = SimulatedWorld(0, settings, parse_network(f"lan; latency = constant {one_way_ms} ms"))
    world.run()
    shown = [known.shown for known in world.recording.actions.values()]
    return real_s, (max(shown) - min(shown)) / 1e6, world.referee.graph.turns


def compare(delays_ms: list[int], games: int) -> None:
    """Print both for some delays, and how much a turn lengthens for each millisecond of delay.

    In some games, polls repeatedly just miss a publication, so the medians of several games are compared. The peers'
    computing time is the same for all delays, so it cancels out in the difference of two delays.
    """
    found = []
    for delay in delays_ms:
        turns_ms = []
        for seed in range(1, games + 1):
            real_s, virtual_s, turns = calibrate(delay, seed=seed)
            turns_ms.append((1000 * real_s / turns, 1000 * virtual_s / turns))
        real_ms, virtual_ms = (median(column) for column in zip(*turns_ms, strict=True))
        ratios = sorted(virtual / real for real, virtual in turns_ms)
        print(
            f"{delay} ms one way: a turn takes {real_ms:.0f} ms, in virtual time {virtual_ms:.0f} ms in the middle of "
            f"{games} games; ratio {median(ratios):.3f}, of single games "
            + ", ".join(f"{ratio:.2f}" for ratio in ratios),
            flush=True,
        )
        found.append((delay, real_ms, virtual_ms))
    for (near, *times), (far, *later) in pairwise(found):
        real, virtual = ((b - a) / (far - near) for a, b in zip(times, later, strict=True))
        print(f"a millisecond more: {real:.2f} ms a turn, in virtual time {virtual:.2f} ms, ratio {virtual / real:.3f}")


def _played(words: str, players: int, seed: int, rules: str = _SHORT) -> SimulatedWorld:
    world = SimulatedWorld(
        0, SimulationSettings(players, 1, seed, ("builder",), rules, topology="network"), parse_network(words)
    )
    world.run()
    return world


def _report(what: str, games: int, begin: float) -> None:
    each = (time.process_time() - begin) / games
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{what}: {each:.2f} s of CPU a game, {2 * 3600 / each:.0f} in an hour on two idle cores; {memory} MiB at most"
    )


def rate(games: int) -> None:
    """Print the cost of games."""
    from tests.campaigns import collect_seldom
    from tests.simulation.laboratory.campaign import play_one

    collect_seldom()
    begin, failures = time.process_time(), 0
    for seed in range(1, games + 1):
        failures += len(play_one(seed).failures)
        gc.collect()
        if not seed % (games // 4 or 1):
            _report(f"{seed} games of the campaign, {failures} failures", seed, begin)
    begin = time.process_time()
    for seed in range(1, games // 10 + 1):
        _played("world", 4, seed)
    _report(f"{games // 10} short games of four over the world preset", games // 10, begin)


def _over_world(seed: int) -> tuple[int, int, float, float, int]:
    """The actions, events, seconds of virtual time and of CPU, and memory in KiB of one whole game."""
    begin = time.process_time()
    world = _played("world", 4, seed, "thesis")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    gc.collect()
    return len(world.referee.graph) - 1, world.events, world.now / 1e6, time.process_time() - begin, memory


def over_world(games: int, jobs: int) -> None:
    """Print the cost of whole games of four over the world preset."""
    from tests.campaigns import collect_seldom

    begin, found = time.monotonic(), []
    with ProcessPoolExecutor(jobs, get_context("spawn"), collect_seldom) as pool:
        for told in pool.map(_over_world, range(1, games + 1), chunksize=4):
            found.append(told)
            if not len(found) % (games // 4 or 1):
                actions, events, virtual_s, cpu_s, _ = (sum(column) for column in zip(*found, strict=True))
                print(
                    f"{len(found)} games: {actions} actions, {events} events, {virtual_s:.0f} s of virtual time, "
                    f"{cpu_s:.0f} s of CPU, {time.monotonic() - begin:.0f} s by the clock; "
                    f"{max(memory for *_, memory in found) // 1024} MiB a process at most",
                    flush=True,
                )


def follow(count: int) -> None:
    """Print the cost of a game with ``count`` spectators who poll every ten seconds, and players who think."""
    begin = time.process_time()
    world = _played(
        f"continent; overlay = star; looks = every 10 s; thinking = lognormal 2 s 0.6; spectators = {count}", 2, 1
    )
    told = summary(world)["spectators"]
    _report(f"a game that {count} follow, {world.events} events", 1, begin)
    print(
        f"{world.now / 1e6:.0f} s of virtual time, {told['looks']} looks, staleness p50 {told['staleness']['p50_s']} s"
    )


def draws(one_way_ms: int) -> None:
    """Print how long a turn takes with each way to draw, and the three parts of a joint roll."""
    print("players  overlay  looks     actor s  joint s  ratio  ahead s  ratio  to the call s  last share s  roll s")
    for players in (2, 3, 4):
        for overlay, looks in (("all", "follow"), ("all", "back-off"), ("star", "back-off"), ("star", "hooks")):
            words = f"lan; latency = constant {one_way_ms} ms; overlay = {overlay}; looks = {looks}"
            worlds = {
                way: _played(words, players, 1, f"{_SHORT}; {rules}")
                for way, rules in (
                    ("actor", "Chance = actor"),
                    ("joint", "Chance = joint"),
                    ("ahead", "Chance = joint; ChanceAhead = yes"),
                )
            }
            turn_s = {way: summary(world)["turn"]["p50_s"] for way, world in worlds.items()}
            to_call, to_share, to_roll = _parts_of_a_roll(worlds["joint"])
            print(
                f"{players:>7}  {overlay:<7}  {looks:<8}  {turn_s['actor']:>7.2f}  {turn_s['joint']:>7.2f}  "
                f"{turn_s['joint'] / turn_s['actor']:>5.2f}  {turn_s['ahead']:>7.2f}  "
                f"{turn_s['ahead'] / turn_s['actor']:>5.2f}  {to_call:>13.2f}  {to_share:>12.2f}  {to_roll:>6.2f}",
                flush=True,
            )


def _parts_of_a_roll(world: SimulatedWorld) -> tuple[float, float, float]:
    """The median seconds from the end of a turn to the call, on to the last share, and on to the roll."""
    done = sorted(world.recording.actions.values(), key=lambda known: known.written)
    found = []
    for at, end in enumerate(done):
        if end.kind != "EmptyBuild":
            continue
        roll = next((i for i in range(at, len(done)) if done[i].kind == "RollDice"), None)
        call = next((i for i in range(at, len(done)) if done[i].kind == "Call"), None)
        if roll is None or call is None or call > roll:
            continue
        shares = [known for known in done[call:roll] if known.kind == "Reveal"]
        last = max(shares, key=lambda known: known.shown)
        found.append((done[call].shown - end.shown, last.shown - done[call].shown, done[roll].written - last.shown))
    to_call, to_share, to_roll = (median(column) / 1e6 for column in zip(*found, strict=True))
    return to_call, to_share, to_roll


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.network", description=(__doc__ or "").splitlines()[0])
    parts = parser.add_subparsers(dest="part", required=True)
    calibrating = parts.add_parser(
        "calibrate", help="real peers over delayed links, and the same games in virtual time"
    )
    calibrating.add_argument("delays", nargs="*", type=int, default=[100, 400], metavar="MS", help="one way")
    calibrating.add_argument("--games", type=int, default=5, help="of each delay (default: 5)")
    rating = parts.add_parser("rate", help="the cost of games of the campaign, and of short ones over the world preset")
    rating.add_argument("games", nargs="?", type=int, default=200)
    whole = parts.add_parser("world", help="whole games of four over the world preset")
    whole.add_argument("games", nargs="?", type=int, default=1000)
    whole.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    followed = parts.add_parser("spectators", help="one game with that many spectators")
    followed.add_argument("count", nargs="?", type=int, default=10_000)
    drawn = parts.add_parser("draws", help="turns with joint draws beside turns in which the actor draws")
    drawn.add_argument("delay", nargs="?", type=int, default=100, metavar="MS", help="one way (default: 100)")
    args = parser.parse_args(words)
    if args.part == "rate":
        rate(args.games)
    elif args.part == "world":
        over_world(args.games, args.jobs)
    elif args.part == "spectators":
        follow(args.count)
    elif args.part == "draws":
        draws(args.delay)
    else:
        compare(args.delays, args.games)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
