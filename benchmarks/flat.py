"""The speed of the flat core with random games and tournaments, beside catanatron's random players and the mirror.

All play shares of a few whole games alternately. The fastest share of each counts, so that other work on the machine
matters less. ``python -m benchmarks.run flat``; in a checkout, run ``make compiled`` first for the compiled core.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from time import process_time

from benchmarks import engine
from benchmarks.rows import Row
from catan_p2p.game.constants import Constants, profile
from catan_p2p.game.flat import PYTHON, CoreBuild, fastest
from catan_p2p.game.randomness import CountedRandomness
from catan_p2p.players.policies import make_policy
from catan_p2p.players.unlogged import on_the_flat_core, on_the_mirror

MOST = 1_000_000
BATCH = 1000
ONE_BY_ONE = ">= 5"
COMPILED = ">= 80"
IN_A_BATCH = ">= 100"


def play(core: CoreBuild, players: int, seed: int) -> int:
    """Play the game of ``engine.play`` with this seed; returns its number of actions."""
    return core.begin(Constants(player_count=players)).play(Random(seed).getrandbits, MOST)


def play_batch(core: CoreBuild, players: int, count: int, steps: int = 10) -> int:
    """Play ``count`` games at once, each ``steps`` actions at a time; returns the actions of all."""
    first = core.begin(Constants(player_count=players))
    going = [(first.copy(), Random(seed).getrandbits) for seed in range(count)]
    actions = 0
    while going:
        left = []
        for game, bits in going:
            made = game.play(bits, steps)
            actions += made
            if made == steps:
                left.append((game, bits))
        going = left
    return actions


def rate(play_some: Callable[[], int]) -> float:
    """Actions per second of processor time in one share."""
    begin = process_time()
    actions = play_some()
    return actions / (process_time() - begin)


def shares(players: int, rounds: int, games: int) -> dict[str, float]:
    """The best rate of each, measured alternately."""
    cores = {core.name: core for core in (PYTHON, fastest())}
    best: dict[str, float] = {}
    for number in range(rounds):
        seeds = range(number * games, (number + 1) * games)
        runs: dict[str, Callable[[], int]] = {
            "catanatron": lambda: sum(engine.play_catanatron(players, seed + 1) for seed in seeds),  # noqa: B023
            "mirror": lambda: sum(engine.play(players, seed, is_checked=False) for seed in seeds),  # noqa: B023
        }
        for name, core in cores.items():
            runs[name] = lambda core=core: sum(play(core, players, seed) for seed in seeds)  # type: ignore[misc]  # noqa: B023
        if "compiled" in cores:
            runs["batch"] = lambda: play_batch(cores["compiled"], players, BATCH)
        for name, run in runs.items():
            best[name] = max(best.get(name, 0.0), rate(run))
    return best


def tournament(core: CoreBuild | None, policy: str, games: int) -> int:
    """Play the first games of a tournament of four players with one policy; returns the actions of all."""
    policies, actions = [make_policy(policy)] * 4, 0
    for number in range(games):
        constants, randomness = Constants(profile("brief", 4), player_count=4), CountedRandomness(0, number)
        if core is None:
            actions += on_the_mirror(constants, policies, randomness, MOST).actions
        else:
            actions += on_the_flat_core(core, constants, policies, randomness, MOST).actions
    return actions


def tournaments(quick: bool) -> list[Row]:
    """Rates of tournaments with the same luck on the fastest core, beside the mirror."""
    found = []
    for policy in ("random", "builder"):
        best: dict[str, float] = {}
        for _ in range(2 if quick else 5):
            for name, core in (("flat", fastest()), ("mirror", None)):
                run = partial(tournament, core, policy, 2 if quick else 8)
                best[name] = max(best.get(name, 0.0), rate(run))
        what = f"tournament of four {policy}, flat core, {fastest().name}"
        found.append(Row(what, best["flat"], "actions/s", "the mirror", best["mirror"]))
    return found


def rows(quick: bool) -> list[Row]:
    """Rates of both cores and of a batch, beside catanatron, and beside the mirror without invariants."""
    found = tournaments(quick)
    for players in (2, 4):
        best = shares(players, 2 if quick else 5, 2 if quick else 4)
        title = f"random play, {players} players"
        for name in ("python", "compiled"):
            if name in best:
                what, target = f"{title}, flat core, {name}", ONE_BY_ONE if name == "python" else COMPILED
                found += [
                    Row(what, best[name], "actions/s", "catanatron, ticks", best["catanatron"], target),
                    Row(what, best[name], "actions/s", "the mirror, unchecked", best["mirror"]),
                ]
        if "batch" in best:
            what = f"{title}, {BATCH} games at once, compiled"
            found.append(Row(what, best["batch"], "actions/s", "catanatron, ticks", best["catanatron"], IN_A_BATCH))
    return found
