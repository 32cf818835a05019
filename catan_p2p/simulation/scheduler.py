"""Whose peer runs next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from catan_p2p.game.constants import Player


def round_robin(players: range, rng: Random) -> Iterator[Player]:
    """Each in turn, as in the thesis (section 5.1.2)."""
    while True:
        yield from players


def at_random(players: range, rng: Random) -> Iterator[Player]:
    """Anybody at any time, uniformly."""
    while True:
        yield players[int(rng.random() * len(players))]


SCHEDULES: dict[str, Callable[[range, Random], Iterator[Player]]] = {"round-robin": round_robin, "random": at_random}
"""The schedules by the name that the command line gives them."""
