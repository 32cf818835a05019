"""The learning of the value: its gradient, and that the same command learns the same, also in two runs."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks import learning
from catan_p2p.game.flat import places
from catan_p2p.players.strategist import learned

pytestmark = pytest.mark.needs("env")


def test_the_weights_that_the_program_comes_with_are_written_as_they_are_read(tmp_path: Path) -> None:
    weights = learning.stored(learned.FILE)
    assert tuple(weights) == learned.weights()
    assert len(weights) == places.WEIGHTS
    learning.write(tmp_path / "weights.txt", weights)
    assert (tmp_path / "weights.txt").read_bytes() == learned.FILE.read_bytes()


def test_a_step_goes_down_along_the_gradient() -> None:
    rng = np.random.default_rng(3)
    shape = (40, learning.SEATS)
    present = np.arange(learning.SEATS) < rng.integers(2, learning.SEATS + 1, (40, 1))
    targets = np.where(present, rng.random(shape), 0)
    batch = learning.Record(rng.normal(size=(*shape, places.INPUTS)), present, targets / targets.sum(1, keepdims=True))
    network = learning.Network(rng.normal(0, 0.1, places.WEIGHTS))
    before = network.weights.copy()
    loss = network.learn(batch, 0.0)
    gradient = network.moments[0] / 0.1
    for at in rng.choice(places.WEIGHTS, 30, replace=False):
        changed = before.copy()
        changed[at] += 1e-2
        more = learning.Network(changed).learn(batch, 0.0)
        changed[at] -= 2e-2
        less = learning.Network(changed).learn(batch, 0.0)
        assert (more - less) / 2e-2 == pytest.approx(gradient[at], abs=2e-3), at
    network.learn(batch, 1e-3)
    assert network.learn(batch, 0.0) < loss


@pytest.mark.long
def test_two_runs_learn_what_one_learns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "PLAYERS", (2,))
    monkeypatch.setattr(learning, "MOST_MOVES", 400)
    given = ["--games", "1", "--kept", "1", "--begin", str(learned.FILE)]
    for folder, numbers in (("one", ("2",)), ("two", ("1", "2"))):
        for number in numbers:
            assert learning.main([*given, "--out", str(tmp_path / folder), "--generations", number]) == 0
    one, two = ((tmp_path / folder / "weights-2.txt").read_bytes() for folder in ("one", "two"))
    assert one == two != learned.FILE.read_bytes()
