"""Measures the three latencies of the thesis: one server, peers that share a repository, peers with one each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any

from catan_p2p.game import invariants
from catan_p2p.game.actions import Action
from catan_p2p.game.randomness import SeededRandomness
from catan_p2p.game.state import State, initial_state
from catan_p2p.intervals import spread
from catan_p2p.log.history import load_history
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.metrics.deltas import group_hand_overs
from catan_p2p.metrics.hand_over_costs import FetchCosts, GamePublisher, time_git_fetches, time_synchronizations
from catan_p2p.metrics.link import DelayingProxy
from catan_p2p.metrics.rows import COSTS
from catan_p2p.players.choosing import checked
from catan_p2p.players.moves import moves
from catan_p2p.players.policies import make_policy
from catan_p2p.simulation.game import RunawayGame, SimulationSettings, game_constants
from catan_p2p.simulation.run import parse_record, resume_run
from catan_p2p.simulation.timings import read_timings, timings_file


@dataclass(frozen=True, slots=True)
class CentralGame:
    """A game that one server has played: its actions in order, the last state, and the seconds that it took."""

    actions: tuple[Action, ...]
    last: State
    elapsed_s: float


def play_central(number: int, settings: SimulationSettings) -> CentralGame:
    """Play game ``number`` of a simulation centrally; the same seed gives the same actions as on Git.

    Invariants are checked after every action, as peers do. Raises ``RunawayGame`` beyond the cap on actions.
    """
    begin = perf_counter()
    state = initial_state(game_constants(number, settings))
    policies = [checked(make_policy(settings.policy_of(player))) for player in state.constants.players]
    actions: list[Action] = []
    for before, action, after in moves(state, policies, SeededRandomness(settings.seed, number)):
        invariants.check(after, before)
        state = after
        actions.append(action)
        if len(actions) > settings.max_actions:
            raise RunawayGame(f"game {number}, seed {settings.seed}: no winner after {len(actions)} actions")
    return CentralGame(tuple(actions), state, perf_counter() - begin)


DELAYS_S = (0.0, 0.01, 0.05)
"""One-way delays of the link that are measured by default."""


@dataclass(frozen=True, slots=True)
class Latency:
    """The spread of ``count`` measured times of the same thing, in seconds.

    ``setting`` is ``central``, ``shared`` or ``separate``, ``what`` says what was timed; ``transport`` and ``delay_s``
    (one way) are those of the link between two repositories. ``low_s`` and ``high_s`` are the 5th and the 95th
    percentile. ``received_bytes`` is the mean number of bytes over the link. ``run``, ``game`` and ``head``, its last
    commit, identify the measured game; older files lack these three.
    """

    players: int
    setting: str
    what: str
    transport: str
    delay_s: float
    count: int
    mean_s: float
    deviation_s: float
    median_s: float
    low_s: float
    high_s: float
    received_bytes: float | None = None
    run: str = ""
    game: int = 0
    head: str = ""


def _latency(
    players: int,
    setting: str,
    what: str,
    values: Sequence[float],
    transport: str = "",
    delay_s: float = 0.0,
    received_bytes: float | None = None,
) -> Latency:
    ordered, found = sorted(values), spread(values)
    return Latency(
        players=players,
        setting=setting,
        what=what,
        transport=transport,
        delay_s=delay_s,
        count=found.count,
        mean_s=found.mean,
        deviation_s=found.deviation,
        median_s=found.median,
        low_s=ordered[round(0.05 * (len(ordered) - 1))],
        high_s=ordered[round(0.95 * (len(ordered) - 1))],
        received_bytes=received_bytes,
    )


def measure_latencies(
    game: Path, *, delays_s: Sequence[float] = DELAYS_S, hand_overs: int = 20, repeats: int = 20
) -> list[Latency]:
    """All latencies of one game that peers played over one repository; ``StoreError`` if there is none at ``game``.

    The central latency is measured by playing the same game again; those of the shared repository were recorded by the
    simulation. Between repositories, ``hand_overs`` of the game are fetched again, over the path of the other
    repository and over git:// on this machine with each of the delays.
    """
    history = load_history(game)
    players = history.game.constants.player_count
    settings = resume_run(game.parent).settings
    # The first of everything also pays for loading code and files, so it is not counted.
    played = [play_central(history.game.number, settings) for _ in range(1 + repeats)][1:]
    found = [_latency(players, "central", "action", [one.elapsed_s / len(one.actions) for one in played])]
    timings = read_timings(timings_file(game))
    acting = [sum(getattr(timing, name) for name in COSTS) for timing in timings.actions.values()]
    for what, values in (
        ("action", acting),
        ("synchronization with news", [sync.sync_s for sync in timings.with_news]),
        ("synchronization without news", [sync.sync_s for sync in timings.without_news]),
    ):
        if values:
            found.append(_latency(players, "shared", what, values))
    groups = group_hand_overs(history.actions)
    first = max(1, len(groups) // 2 - hand_overs // 2)  # from the middle of the game
    with GamePublisher(game, history, groups) as publisher:
        for work, timed in (("synchronization", time_synchronizations), ("git fetch", time_git_fetches)):
            timed(publisher, str(publisher.path), settings, first, 1, None)
            fetched = timed(publisher, str(publisher.path), settings, first, hand_overs, None)
            found += _separate(players, work, "path", 0.0, fetched)
            for delay_s in delays_s:
                with DelayingProxy(publisher.port, delay_s) as proxy:
                    url = f"git://127.0.0.1:{proxy.port}/{publisher.path.name}"
                    if delay_s == delays_s[0]:
                        timed(publisher, url, settings, first, 1, None)
                    fetched = timed(publisher, url, settings, first, hand_overs, proxy)
                found += _separate(players, work, "git", delay_s, fetched)
    head = history.actions[-1].commit
    return [replace(one, run=game.resolve().parent.name, game=history.game.number, head=head) for one in found]


def _separate(players: int, work: str, transport: str, delay_s: float, fetched: FetchCosts) -> list[Latency]:
    received = fmean(fetched.received_bytes) if fetched.received_bytes else None
    return [
        _latency(players, "separate", f"{work} with news", fetched.with_news_s, transport, delay_s, received),
        _latency(players, "separate", f"{work} without news", fetched.without_news_s, transport, delay_s),
    ]


def write_latencies(path: Path, latencies: Sequence[Latency], machine: dict[str, object]) -> None:
    """Write latencies as JSON, with the machine on which they were measured."""
    text = json.dumps({"machine": machine, "latencies": [asdict(one) for one in latencies]}, indent=2)
    with disk.explained("write", path):
        path.write_text(text + "\n", encoding="utf-8")


def read_latencies(path: Path) -> list[Latency]:
    """The latencies in a file; none if it does not exist; ``StoreError`` if it is another kind of file."""
    try:
        kept: Any = json.loads(path.read_text(encoding="utf-8"))
        return [parse_record(Latency, one) for one in kept["latencies"]]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"{path}: cannot read: {error.strerror or error}") from error
    except (ValueError, TypeError, KeyError) as error:
        raise StoreError(f"{path}: not latencies: {error}") from None
