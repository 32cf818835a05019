"""The network laboratory: virtual time beside real time, and how much it can play.

python -m benchmarks.network calibrate [MS]    real peers over a delayed link, and the same game in virtual time
python -m benchmarks.network rate [GAMES]      the campaign, games over the world preset, ten thousand spectators
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.delayed import play_delayed
from catan_p2p.simulation.game import Settings
from catan_p2p.simulation.network.spec import parse_network
from catan_p2p.simulation.network.world import World

_SHORT = "thesis; PointsToWin = 3"


def calibrate(one_way_ms: int, players: int = 2, seed: int = 1) -> tuple[float, float, int]:
    """Seconds from the first action to the last, of real peers and in virtual time, and how many actions there were."""
    settings = Settings(players, 1, seed, ("builder",), _SHORT, topology="separate", transport="git")
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
        real_s, actions = play_delayed(Path(temporary), settings, one_way_ms / 1000)
    world = World(0, settings, parse_network(f"lan; latency = constant {one_way_ms} ms"))
    world.run()
    shown = [known.shown for known in world.recording.actions.values()]
    return real_s, (max(shown) - min(shown)) / 1e6, actions


def _played(words: str, players: int, seed: int, rules: str = _SHORT) -> World:
    world = World(0, Settings(players, 1, seed, ("builder",), rules, topology="network"), parse_network(words))
    world.run()
    return world


def _report(what: str, games: int, begin: float) -> None:
    each = (time.process_time() - begin) / games
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{what}: {each:.2f} s of CPU a game, {2 * 3600 / each:.0f} in an hour on two idle cores; {memory} MiB at most"
    )


def rate(games: int) -> None:
    """Print what games take."""
    from tests.simulation.network.campaign import play_one

    begin, failures = time.process_time(), 0
    for seed in range(1, games + 1):
        failures += len(play_one(seed).failures)
        if seed in (games // 4, games):
            _report(f"{seed} games of the campaign, {failures} failures", seed, begin)
    begin = time.process_time()
    for seed in range(1, games // 10 + 1):
        _played("world", 4, seed)
    _report(f"{games // 10} short games of four over the world preset", games // 10, begin)
    begin = time.process_time()
    world = _played("continent; overlay = star; looks = every 2 s; spectators = 10000", 2, 1)
    _report(f"a game with 10,000 spectators, {world.events} events", 1, begin)


def main(words: list[str]) -> int:
    what, number = words[0] if words else "calibrate", int(words[1]) if len(words) > 1 else 0
    if what == "rate":
        rate(number or 200)
        return 0
    real_s, virtual_s, actions = calibrate(number or 100)
    print(f"{actions} actions: real {real_s:.2f} s, virtual {virtual_s:.2f} s, ratio {virtual_s / real_s:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
