"""Training of the learned value of ``strategist`` by self-play on the flat core.

    python -m benchmarks.learning --out FOLDER --generations 60 --games 500
    python -m benchmarks.learning --out FOLDER --generations 120 --games 500 --depth 2

In each generation the newest network plays games against itself, in all seats, on the default map and random ones, with
some random moves. Positions are recorded with the inputs of each seat; their targets are lambda returns of the later
predictions and the winner. Then the network is trained on the positions of the last generations, by Adam on the
cross-entropy. The first network ranks players by the rolls that their plans need. ``FOLDER`` has the weights after each
generation; a later command continues after the last one, without the recorded positions.
In a checkout, run ``make compiled`` first. Only NumPy is needed, on one core. On one machine, a seed is reproducible.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from catan_p2p.game.constants import Constants
from catan_p2p.game.flat import fastest, places
from catan_p2p.game.new_game import new_constants
from catan_p2p.log.refs import COLOURS
from catan_p2p.players.strategist.learned import PARTS

RULES = "brief; DomesticTrade = no"
SEATS = 6
PLAYERS = (2, 2, 2, 3, 3, 4, 4, 4, 4, 5, 6)
MAPS = ("default", "variable", "variable-free")
MOST_MOVES = 3000
PLAN_AT = places.INPUTS - 3


class Record(NamedTuple):
    """The positions of one game: the inputs by seat (zero for empty seats), the seats taken, and the targets."""

    inputs: Any
    present: Any
    targets: Any


def first_weights(rng: Any) -> Any:
    """A network that ranks players by their plans alone, apart from small random weights."""
    n, m = places.INPUTS, places.HIDDEN
    first = rng.normal(0.0, (2.0 / n) ** 0.5, (n, m))
    first[:, 0] = 0.0
    first[PLAN_AT, 0] = -100.0 / 12 / 8
    bias = np.zeros(m)
    bias[0] = 34.0 / 8
    last = rng.normal(0.0, 0.02, m)
    last[0] = 8.0
    return np.concatenate([first.ravel(), bias, last])


def play(
    constants: Constants, weights: list[float], rng: Random, risk: float, trace: float, depth: int
) -> Record | None:
    """One game of the network against itself; None if it does not end."""
    core = fastest()
    flat = core.begin(constants)
    searcher = core.searcher(flat, constants, weights)
    searcher.depth, searcher.width = depth, 3
    valuer, players = searcher.valuer, constants.player_count
    inputs, said = [], []
    for _ in range(MOST_MOVES):
        player = flat.awaited()
        if player == places.NOBODY:
            break
        number = flat.list_moves(player)
        if number > 1 and rng.random() < risk:
            move = flat.move(rng.randrange(number))
        else:
            move = searcher.choose(flat, player)
        phase = flat.phase()
        if phase == places.DICE_ROLL or (phase <= places.MOVING_BANDIT and rng.random() < 0.5):
            viewer = player if rng.random() < 0.5 else rng.randrange(players) + 1
            valuer.take_in(flat, viewer)
            said.append([valuer.chance(flat, seat) for seat in range(1, players + 1)])
            inputs.append([valuer.inputs(flat, seat, viewer) for seat in range(1, players + 1)])
        flat.do(flat.draw(move, rng.getrandbits))
    else:
        return None
    winner = max(range(players), key=lambda seat: flat.points(seat + 1))
    target = np.zeros(players)
    target[winner] = 1.0
    targets = np.zeros((len(said), SEATS), np.float32)
    for i in reversed(range(len(said))):
        targets[i, :players] = target
        chances = np.array(said[i])
        target = trace * target + (1 - trace) * chances / chances.sum()
    kept = np.zeros((len(said), SEATS, places.INPUTS), np.float16)
    kept[:, :players] = inputs
    present = np.zeros((len(said), SEATS), bool)
    present[:, :players] = True
    return Record(kept, present, targets)


class Network:
    """The weights in one vector, as the flat core expects them, and Adam's moments."""

    def __init__(self, weights: Any) -> None:
        self.weights = weights
        self.moments = [np.zeros_like(weights), np.zeros_like(weights)]
        self.steps = 0

    def parts(self, vector: Any) -> tuple[Any, Any, Any]:
        """The input weights, the biases, and the output weights."""
        n, m = places.INPUTS, places.HIDDEN
        return vector[: n * m].reshape(n, m), vector[n * m : n * m + m], vector[n * m + m :]

    def learn(self, batch: Record, rate: float) -> float:
        """Make one step of Adam; returns the loss before it."""
        first, bias, last = self.parts(self.weights)
        x, here = batch.inputs.astype(np.float32), batch.present
        hidden = np.maximum(x @ first.astype(np.float32) + bias.astype(np.float32), 0)
        scores = np.where(here, hidden @ last.astype(np.float32), -1e9)
        scores -= scores.max(1, keepdims=True)
        chances = np.exp(scores)
        chances /= chances.sum(1, keepdims=True)
        loss = -(batch.targets * np.log(np.maximum(chances, 1e-9))).sum() / len(x)
        wrong = np.where(here, chances - batch.targets, 0) / len(x)
        gradient = np.zeros_like(self.weights)
        d_first, d_bias, d_last = self.parts(gradient)
        d_last[:] = np.einsum("bs,bsm->m", wrong, hidden)
        d_hidden = (wrong[:, :, None] * last.astype(np.float32)) * (hidden > 0)
        flat = d_hidden.reshape(-1, places.HIDDEN)
        d_first[:] = x.reshape(-1, places.INPUTS).T @ flat
        d_bias[:] = flat.sum(0)
        self.steps += 1
        one, two = self.moments
        one += 0.1 * (gradient - one)
        two += 0.001 * (gradient**2 - two)
        size = rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        self.weights = self.weights - size * one / (np.sqrt(two) + 1e-8)
        return float(loss)


def stored(path: Path) -> Any:
    """The weights of a file."""
    return np.array([int(one) for one in path.read_text("ascii").split()]) / PARTS


def write(path: Path, weights: Any) -> None:
    """Write weights to a file: a row for each input, then the biases and the output weights."""
    rows = np.round(weights * PARTS).astype(int).reshape(-1, places.HIDDEN)
    path.write_text("".join(f"{' '.join(map(str, row))}\n" for row in rows), "ascii")


def rounded(weights: Any) -> list[float]:
    """The weights as rounded in a file, so that self-play uses exactly the stored network."""
    return [float(x) for x in np.round(weights * PARTS) / PARTS]


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and write the weights."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learning", description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--begin", type=Path, help="weights to begin with, in place of the plan")
    parser.add_argument("--generations", type=int, default=60)
    parser.add_argument("--games", type=int, default=400, help="games of each generation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kept", type=int, default=8, help="generations learned from")
    parser.add_argument("--depth", type=int, default=1, help="moves of a turn that are looked ahead")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--trace", type=float, default=0.97, help="lambda of the returns")
    chosen = parser.parse_args(arguments)
    chosen.out.mkdir(parents=True, exist_ok=True)
    state = chosen.out / "state.npz"
    rng = np.random.default_rng(chosen.seed)
    network, begun = Network(stored(chosen.begin) if chosen.begin else first_weights(rng)), 0
    if state.exists():
        with np.load(state) as saved:
            network.weights, begun = saved["weights"], int(saved["generation"])
            network.moments, network.steps = [saved["one"], saved["two"]], int(saved["steps"])
    window: list[Record] = []
    for generation in range(begun, chosen.generations):
        start = time.process_time()
        weights = rounded(network.weights)
        progress = generation / chosen.generations
        rate = chosen.rate * (1.0 if progress < 0.5 else 0.3 if progress < 0.8 else 0.1)
        trace = 1.0 if generation < 3 and not chosen.begin else chosen.trace
        found = []
        for number in range(chosen.games):
            chance = Random(f"{chosen.seed}/{generation}/{number}")
            players = chance.choice(PLAYERS)
            island = chance.choice(MAPS) if players < 5 else "large"
            constants = new_constants(RULES, COLOURS[:players], island, chosen.seed, generation * chosen.games + number)
            record = play(constants, weights, chance, 0.03 if number % 2 else 0.005, trace, chosen.depth)
            if record is not None:
                found.append(record)
        played = time.process_time() - start
        window.append(Record(*(np.concatenate(parts) for parts in zip(*found, strict=True))))
        window = window[-chosen.kept :]
        losses = []
        shuffler = np.random.default_rng([chosen.seed, generation])
        for part in [*window, window[-1]]:
            order = shuffler.permutation(len(part.inputs))
            for i in range(0, len(order), 512):
                at = order[i : i + 512]
                losses.append(network.learn(Record(part.inputs[at], part.present[at], part.targets[at]), rate))
        line = f"{generation}: {len(found)} games, {len(window[-1].inputs)} positions, loss {np.mean(losses):.4f}"
        write(chosen.out / f"weights-{generation + 1}.txt", network.weights)
        spent = time.process_time() - start
        print(f"{line}, {played:.0f} s of {spent:.0f} s playing", file=sys.stderr, flush=True)
        one, two = network.moments
        np.savez(
            state.with_suffix(".new.npz"),
            weights=network.weights,
            one=one,
            two=two,
            steps=network.steps,
            generation=generation + 1,
        )
        state.with_suffix(".new.npz").replace(state)
    return 0


if __name__ == "__main__":
    sys.exit(main())
