"""Policies that are not this program's: they play, and whatever else they do costs a decision, not the game."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import catan_p2p
from catan_p2p.game.randomness import CountedRandomness
from catan_p2p.game.rules import apply, decisions
from catan_p2p.game.secret_streams import SecretStream
from catan_p2p.players.choosing import PolicyMistake, checked
from catan_p2p.players.foreign import ForeignPolicy
from catan_p2p.players.policies import UnknownPolicy, check_policy, make_policy, policy_names
from catan_p2p.simulation.game import SimulationSettings, play_game

pytestmark = pytest.mark.long

POLICIES = '''
"""Policies of somebody else."""
import os
import time

from catan_p2p.game.actions import BuildCity


class Hasty:
    def choose(self, state, player, decisions, rng):
        return rng.choice(decisions)


class Builder:
    def __init__(self):
        from catan_p2p.players.builder import BuilderPolicy
        self.own = BuilderPolicy()

    def choose(self, state, player, decisions, rng):
        return self.own.choose(state, player, decisions, rng)


class Troubled(Builder):
    """Does what it should not with the sums that give it its name below."""

    when = (11,)

    def choose(self, state, player, decisions, rng):
        if state.tp == "Building" and state.dice in self.when:
            return self.misbehave(state, player, decisions)
        return super().choose(state, player, decisions, rng)


class Raises(Troubled):
    when = (8, 9, 10)

    def misbehave(self, state, player, decisions):
        raise ValueError("no idea\\nat all")


class Nonsense(Troubled):
    when = (8, 9, 10)

    def misbehave(self, state, player, decisions):
        return "build a road"


class Illegal(Troubled):
    when = (8, 9, 10)

    def misbehave(self, state, player, decisions):
        return BuildCity(player, 1)


class Unreadable(Troubled):
    def misbehave(self, state, player, decisions):
        return lambda: None


class Dies(Troubled):
    def misbehave(self, state, player, decisions):
        os._exit(3)


class Hangs(Troubled):
    def misbehave(self, state, player, decisions):
        while True:
            time.sleep(1)


class Prints(Builder):
    def choose(self, state, player, decisions, rng):
        print("thinking", flush=True)
        return super().choose(state, player, decisions, rng)


class NoPolicy:
    pass
'''

SLEEPY = """
import os
import time

class Sleepy:
    def choose(self, state, player, decisions, rng):
        while "AWAKE" not in os.environ:
            time.sleep(1)
        return decisions[0]
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name = f"policies_of_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(POLICIES, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return name


def test_a_foreign_class_plays_as_it_would_here(module: str) -> None:
    foreign = catan_p2p.play(players=2, rules="thesis", policies=[f"{module}:Builder", "builder"], seed=4)
    own = catan_p2p.play(players=2, rules="thesis", policies="builder", seed=4)
    assert [step.action for step in foreign] == [step.action for step in own]


@pytest.mark.parametrize("make", [lambda: SecretStream(b"key"), lambda: CountedRandomness(1, 0).choice(5, 1)])
def test_a_generator_that_keeps_its_state_lets_it_choose_the_same_again(
    module: str, make: Callable[[], Random]
) -> None:
    foreign = ForeignPolicy(f"{module}:Hasty")
    state = catan_p2p.new_game(players=2, seed=1)
    state = apply(state, decisions(state, 1)[0])
    offered = decisions(state, 2)
    chosen = [foreign.choose(state, 2, offered, rng) for rng in (make(), make())]
    assert chosen[0] == chosen[1] and chosen[0] in offered


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Raises", "raises ValueError: no idea at all"),
        ("Nonsense", "answers nonsense: 'build a road'"),
        ("Illegal", "answers what is not allowed: BuildCity(player=1, at=1): BC3 cost"),
        ("Unreadable", "raises "),
        ("Dies", "ended its process"),
        ("Hangs", "hangs: no decision in"),
    ],
)
def test_what_it_does_wrong_costs_the_decision_and_not_the_game(
    module: str, name: str, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    policy = checked(ForeignPolicy(f"{module}:{name}", limit_s=2.0))
    game = catan_p2p.play(players=2, rules="thesis", policies=[policy, "builder"], seed=4)
    assert game.winner
    assert policy.mistakes > 0
    assert any(told in record.message and "player 1 loses the decision" in record.message for record in caplog.records)
    assert len({record.message.partition(":")[0] for record in caplog.records}) <= 3


def test_what_it_prints_disturbs_nobody(module: str) -> None:
    game = catan_p2p.play(players=2, rules="thesis", policies=[f"{module}:Prints", "builder"], seed=4)
    assert game.winner == catan_p2p.play(players=2, rules="thesis", policies="builder", seed=4).winner


def test_simulate_takes_one_from_the_current_folder(module: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "catan_p2p", "simulate", "--policy", f"{module}:Hasty,builder", "--seed", "1"]
    done = subprocess.run(
        [*command, "--players", "2", "--out", "run"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    play_game(tmp_path / "again", 0, SimulationSettings(policies=(f"{module}:Hasty", "builder"), seed=1))
    one, other = (catan_p2p.Game.open(tmp_path / out / "Catan_0") for out in ("run", "again"))
    assert one[-1].commit == other[-1].commit


@pytest.mark.parametrize("name", ["nobody", "no_such_module:Policy", "catan_p2p.game.cards:pack", "catan_p2p:Nobody"])
def test_a_policy_that_there_is_not_is_refused_at_once(name: str) -> None:
    with pytest.raises(UnknownPolicy, match="policy"):
        check_policy(name)
    with pytest.raises(ValueError, match="policy"):
        catan_p2p.play(players=2, policies=name)


def test_own_policies_decide_in_this_process() -> None:
    assert not isinstance(make_policy("builder"), ForeignPolicy)
    assert policy_names()[:3] == ("random", "beginner", "builder")


def test_it_has_half_as_long_after_each_time_that_it_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sleepy.py").write_text(SLEEPY, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("catan_p2p.players.foreign.START_S", 0.0)
    state, rng = catan_p2p.new_game(players=2, rules="thesis"), Random(1)
    options, policy = decisions(state, 1), ForeignPolicy("sleepy:Sleepy", limit_s=0.4)
    told = []
    for _ in range(3):
        with pytest.raises(PolicyMistake) as caught:
            policy.choose(state, 1, options, rng)
        told.append(str(caught.value))
    assert told == [f"hangs: no decision in {limit} s" for limit in ("0.4", "0.2", "0.1")]
    policy.limit_s = 8000.0
    monkeypatch.setenv("AWAKE", "yes")
    for _ in range(2):
        assert policy.choose(state, 1, options, rng) in options
    assert policy._hung == 0
