"""Steps per second of the learning environment, beside catanatron's environment in the same run.

Both have two players, a learner that is uniformly random over its legal actions and a random opponent, and run
alternately in shares of a second. Each step gives an observation of all that the learner may know, and the legal
actions. The ratio is the median of the ratios of neighbouring shares. It is measured on both cores, if the compiled one
is installed (``make compiled``)::

    python -m benchmarks.run environment

Needs the extra ``env``, and catanatron's environment: ``pip install --no-deps catanatron_gym==4.0.0`` (it pins an older
Gymnasium than it needs, hence without its dependencies; ``make bench`` does this).
"""

from __future__ import annotations

import statistics
import warnings
from collections.abc import Callable
from itertools import product
from random import Random
from time import process_time
from unittest.mock import patch

from benchmarks.rows import Row
from catan_p2p.game import flat

TARGETS = {"compiled": ">= 15", "python": ">= 2"}
"""The target of the ratio, by core."""

Steps = Callable[[float], float]
"""Takes seconds of processor time; returns the steps per second made in them."""


def ours(rules: str) -> Steps:
    """Our environment, one game after the other."""
    from catan_p2p.env import CatanEnv

    env, rng = CatanEnv(rules=rules), Random(1)
    _, info = env.reset(seed=1)

    def run(seconds: float) -> float:
        nonlocal info
        begin, steps = process_time(), 0
        while (spent := process_time() - begin) < seconds:
            legal = info["action_mask"].nonzero()[0]
            _, _, over, cut_off, info = env.step(legal[int(rng.random() * len(legal))])
            steps += 1
            if over or cut_off:
                _, info = env.reset()
        return steps / spent

    return run


def vector(rules: str, count: int = 16) -> Steps:
    """Our vectorized environment; steps of all games count."""
    from catan_p2p.env import CatanVectorEnv

    env, rng = CatanVectorEnv(count, rules=rules), Random(1)
    _, info = env.reset(seed=1)

    def run(seconds: float) -> float:
        nonlocal info
        begin, steps = process_time(), 0
        while (spent := process_time() - begin) < seconds:
            legal = [mask.nonzero()[0] for mask in info["action_mask"]]
            _, _, _, _, info = env.step([its[int(rng.random() * len(its))] if len(its) else 0 for its in legal])
            steps += count
        return steps / spent

    return run


def theirs() -> Steps:
    """catanatron's environment, one game after the other."""
    try:  # Since 3.3 it is catanatron's own.
        from catanatron.gym.envs.catanatron_env import CatanatronEnv
    except ImportError:
        from catanatron_gym.envs import CatanatronEnv

    env, rng = CatanatronEnv(), Random(1)
    _, info = env.reset(seed=1)

    def run(seconds: float) -> float:
        nonlocal info
        begin, steps = process_time(), 0
        while (spent := process_time() - begin) < seconds:
            _, _, over, cut_off, info = env.step(rng.choice(info["valid_actions"]))
            steps += 1
            if over or cut_off:
                _, info = env.reset()
        return steps / spent

    return run


def rows(quick: bool) -> list[Row]:
    """Steps a second by both profiles, and of the vectorized environment, each beside catanatron's."""
    rounds, seconds = (3, 0.3) if quick else (9, 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = theirs()
        found = []
        cores = dict.fromkeys((flat.fastest(), flat.PYTHON))
        for core, (what, make) in product(
            cores,
            (
                ("thesis rules", lambda: ours("thesis")),
                ("rule book", lambda: ours("brief")),
                ("16 games in a vector, rule book", lambda: vector("brief")),
            ),
        ):
            with patch.object(flat, "fastest", return_value=core):
                run = make()
            pairs = [(run(seconds), other(seconds)) for _ in range(rounds)]
            value, beside = (statistics.median(of) for of in zip(*pairs, strict=True))
            ratios = [mine / its for mine, its in pairs]
            note = f"ratios {min(ratios):.2f} to {max(ratios):.2f}"
            what = f"environment, {core.name} core, {what}"
            found.append(Row(what, value, "steps/s", "catanatron's environment", beside, TARGETS[core.name], note))
    return found
