"""Campaigns: games played one after the other or in several processes, and what they have found, added up."""

import gc
import json
import os
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, fields
from functools import partial
from multiprocessing import get_context
from typing import Any, ClassVar, Self, TypeVar


@dataclass
class Figures:
    """Counts, counters and lists: what one game of a campaign has found, or several."""

    tell_every: ClassVar[int] = 0
    """A line about progress follows so many games; 0: none."""
    spent: ClassVar[tuple[str, ...]] = ()
    """Which of ``elapsed_s`` and ``cpu_s`` are told at the end."""

    games: int = 0
    failures: list[str] = field(default_factory=list)

    def add(self, other: Self) -> None:
        """Take another's figures in, each with its own kind of sum."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))

    @property
    def has_failed(self) -> bool:
        return bool(self.failures)

    def as_json(self) -> dict[str, Any]:
        return dict(vars(self))

    def summary(self, spent: dict[str, float]) -> str:
        """What the campaign prints at its end."""
        return json.dumps(self.as_json() | {name: spent[name] for name in self.spent}, indent=2)


FiguresT = TypeVar("FiguresT", bound=Figures)
Play = Callable[[int, Namespace], FiguresT]
"""Plays the game with this seed as the command line asks for; it can be pickled if there may be several processes."""


def options(description: str | None, games: int, seed: int = 1) -> ArgumentParser:
    """The options of a campaign: how many games are played, and the seed of the first."""
    parser = ArgumentParser(description=description)
    parser.add_argument("--games", type=int, default=games, help=f"(default: {games})")
    parser.add_argument("--seed", type=int, default=seed, help=f"of the first game (default: {seed})")
    return parser


def run_campaign(args: Namespace, play: Play[FiguresT], figures: FiguresT) -> int:
    """Play the games that the command line asks for and print their figures; 1 if something has failed.

    ``figures`` are empty ones, to which those of all games are added.
    """
    begin, used = time.monotonic(), sum(os.times()[:4])
    for found in _played(play, args):
        figures.add(found)
        for failure in found.failures:
            print(failure, file=sys.stderr, flush=True)
        if figures.tell_every and figures.games % figures.tell_every == 0:
            told = f"{figures.games} games, {len(figures.failures)} failures, {time.monotonic() - begin:.0f} s"
            print(told, file=sys.stderr, flush=True)
    spent = {"elapsed_s": time.monotonic() - begin, "cpu_s": sum(os.times()[:4]) - used}
    print(figures.summary({name: round(value, 1) for name, value in spent.items()}))
    return 1 if figures.has_failed else 0


def collect_seldom() -> None:
    """Let the collector of garbage look seldom while a game is played: it takes a sixth of the time otherwise.

    Whoever does so collects after each game: what is left of many is hundreds of megabytes.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def _collected(play: Play[FiguresT], args: Namespace, seed: int) -> FiguresT:
    found = play(seed, args)
    gc.collect()
    return found


def _played(play: Play[FiguresT], args: Namespace) -> Iterator[FiguresT]:
    """What came of each game, in order, in as many processes as the command line asks for."""
    seeds, jobs = range(args.seed, args.seed + args.games), getattr(args, "jobs", 1)
    if jobs == 1:
        yield from (play(seed, args) for seed in seeds)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), collect_seldom) as pool:
        yield from pool.map(partial(_collected, play, args), seeds, chunksize=8)
