"""The speed of the rules engine with random games, beside catanatron's random players in the same run.

Both play whole games in one process, without Git, alternately in shares of a second. The engine checks its invariants
after every action. The ratio is the median of the ratios of neighbouring shares, so that it holds on any machine and
under any steady load::

    python benchmarks/engine.py [--players N ...] [--rounds R] [--seconds S] [--seed S] [--json]

Needs the extra ``bench``: pip install 'catan-p2p[bench]'.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from random import Random
from time import process_time

from catan_p2p.game.constants import Constants
from catan_p2p.game.invariants import check
from catan_p2p.game.rules import apply, awaited, decisions, draw, initial_state


@dataclass(frozen=True, slots=True)
class Comparison:
    """Medians over the rounds, per second of processor time; ``ratio`` is ours divided by theirs."""

    players: int
    rounds: int
    actions_per_s: float
    unchecked_actions_per_s: float
    ticks_per_s: float
    ratio: float
    ratio_min: float
    ratio_max: float


def play(players: int, seed: int, *, is_checked: bool = True) -> int:
    """Play one game of uniformly random decisions; returns its number of actions."""
    rng = Random(seed)
    state = initial_state(Constants(player_count=players))
    actions = 0
    while not state.is_over:
        decision = rng.choice(decisions(state, awaited(state)[0]))
        after = apply(state, draw(state, decision, rng))
        if is_checked:
            check(after, since=state)
        state = after
        actions += 1
    return actions


def play_catanatron(players: int, seed: int) -> int:
    """Play one game of catanatron's random players, to its end or its limit of turns; returns its number of ticks."""
    from catanatron import Color, Game, RandomPlayer
    from catanatron.game import TURNS_LIMIT

    game = Game([RandomPlayer(color) for color in list(Color)[:players]], seed=seed)
    ticks = 0
    while game.winning_color() is None and game.state.num_turns < TURNS_LIMIT:
        game.play_tick()
        ticks += 1
    return ticks


def rate(play_one: Callable[[int], int], seeds: Callable[[], int], seconds: float) -> float:
    """Actions per second of processor time in one share: whole games until the time is over."""
    actions, start = 0, process_time()
    while True:
        actions += play_one(seeds())
        elapsed = process_time() - start
        if elapsed >= seconds:
            return actions / elapsed


def compare(players: int, rounds: int, seconds: float, seed: int) -> Comparison:
    """Measure both engines alternately; the first share of each is a warm-up and does not count."""
    rng = Random(seed)

    def seeds() -> int:
        return rng.randrange(1, 2**32)

    shares: list[tuple[float, float, float]] = []
    for number in range(rounds + 1):
        share = (
            rate(lambda s: play(players, s), seeds, seconds),
            rate(lambda s: play(players, s, is_checked=False), seeds, seconds),
            rate(lambda s: play_catanatron(players, s), seeds, seconds),
        )
        if number:
            shares.append(share)
    ratios = [ours / theirs for ours, _, theirs in shares]
    actions, unchecked, ticks = (statistics.median(column) for column in zip(*shares, strict=True))
    return Comparison(players, rounds, actions, unchecked, ticks, statistics.median(ratios), min(ratios), max(ratios))


def _whole(text: str) -> int:
    if not (text.isdecimal() and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 600:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time above 0 and up to 600 seconds")
    return value


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare for each number of players and print the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--players", type=int, nargs="+", choices=(2, 3, 4), default=[2, 4])
    parser.add_argument("--rounds", type=_whole, default=7, help="shares of each that count (default 7)")
    parser.add_argument("--seconds", type=_seconds, default=0.7, help="length of a share (default 0.7)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of the table")
    given = parser.parse_args(arguments)
    try:
        import catanatron  # noqa: F401
    except ImportError:
        print("engine.py: catanatron is not installed: pip install 'catan-p2p[bench]'", file=sys.stderr)
        return 2
    print(f"seed {given.seed}", file=sys.stderr)
    if not given.json:
        print("players   actions/s   unchecked   catanatron ticks/s   ratio (least to most)")
    for players in given.players:
        found = compare(players, given.rounds, given.seconds, given.seed)
        if given.json:
            print(json.dumps(asdict(found)), flush=True)
        else:
            print(
                f"{found.players:7}{found.actions_per_s:12,.0f}{found.unchecked_actions_per_s:12,.0f}"
                f"{found.ticks_per_s:21,.0f}{found.ratio:8.2f} ({found.ratio_min:.2f} to {found.ratio_max:.2f})",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
