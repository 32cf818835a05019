"""The cost of a table whose players may leave: whole games at one, beside games in which nobody may (``Leaving``).

    python -m benchmarks.leaving

All have keys and draw together, and nobody leaves. The same players with the same seeds play both alternately, over
simulated links; what is drawn differs, and so does the number of actions a turn, so the cost of an action is compared,
which is one commit at both. Processor time and bytes are those of all players together. Hops are the delays of a link
that fit into the time from one action to the next, in virtual time.
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import mean

from benchmarks.chance import Cost
from benchmarks.rows import Row, print_rows
from catan_p2p.log.history import load_history
from catan_p2p.sealing import checked
from catan_p2p.simulation.game import SimulationSettings, game_folder
from catan_p2p.simulation.laboratory.game import play_network_game
from catan_p2p.simulation.laboratory.spec import parse_network
from catan_p2p.simulation.laboratory.world import SimulatedWorld

PLAYERS = (3, 4)
_RULES = "brief; Leaving = "
_DELAY_MS = 200
_LINKS = f"lan; latency = constant {_DELAY_MS} ms; machine = quick"


def rows(*, quick: bool = False) -> list[Row]:
    """Milliseconds, bytes and hops an action, with open and with hidden hands."""
    _play(_settings("hidden", 3, 1, "yes"))  # a warm-up, which does not count
    found = []
    for hands in ("open", "hidden"):
        for players in PLAYERS[:1] if quick else PLAYERS:
            found += _rows(hands, players, 2 if quick else 3, 1 if quick else 2)
    return found


def _settings(hands: str, players: int, seed: int, leaving: str) -> SimulationSettings:
    chosen = SimulationSettings(players, 1, seed, ("builder",), _RULES + leaving, chance="joint", signed=True)
    return replace(chosen, hands=hands, topology="network", network=_LINKS)


def _rows(hands: str, players: int, seeds: int, repeats: int) -> list[Row]:
    ways = ("yes", "no")
    costs: dict[str, Cost] = dict.fromkeys(ways, Cost())
    for seed in range(1, seeds + 1):
        tried = [{way: _play(_settings(hands, players, seed, way)) for way in ways} for _ in range(repeats)]
        for way in ways:
            costs[way] = costs[way].plus(min((one[way] for one in tried), key=lambda cost: cost.spent_s))
    title, beside = f"an action where players may leave, {hands} hands, {players} players", "where nobody may leave"
    may, stay = (costs[way] for way in ways)
    spent, size = ([getattr(cost, field) / cost.commits for cost in (may, stay)] for field in ("spent_s", "size_bytes"))
    hops = [mean(_hops(_settings(hands, players, seed, way)) for seed in range(1, seeds + 1)) for way in ways]
    return [
        Row(f"{title}: processor", 1e3 * spent[0], "ms", beside, 1e3 * spent[1], "", f"{may.commits} commits"),
        Row(f"{title}: .git", size[0], "B", beside, size[1]),
        Row(f"{title}: hops", hops[0], "", beside, hops[1]),
    ]


def _play(settings: SimulationSettings) -> Cost:
    """The cost of a game in a process that has not checked any proof yet."""
    checked.forget()
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
        begin = time.process_time()
        result = play_network_game(Path(temporary), 0, settings, None).result
        spent_s = time.process_time() - begin
        turns = load_history(game_folder(Path(temporary), 0), may_be_hidden=True).turns
        return Cost(turns, result.commits, result.repository_bytes, spent_s)


def _hops(settings: SimulationSettings) -> float:
    """The delays that fit between two actions of a game over delayed links, on average."""
    world = SimulatedWorld(0, settings, parse_network(_LINKS))
    world.run()
    shown = [known.shown for known in world.recording.actions.values()]
    return (max(shown) - min(shown)) / 1e3 / _DELAY_MS / len(shown)


if __name__ == "__main__":
    sys.exit(print_rows(rows))
