"""Train a masked policy for a minute on one core, and let it play against `random`.

The policy is a table of preferences: one for each action and one for each kind of action. Of the legal actions it takes
one with a probability that grows with its preferences. After each game the preferences of what was followed by points
grow, and those of what was not shrink (REINFORCE with a moving average as baseline). It needs the extra `env` only.
"""

from __future__ import annotations

import argparse
from time import process_time

import numpy as np

from catan_p2p.env import CatanEnv
from catan_p2p.env.action_space import ACTION_COUNT, BLOCKS

KIND = np.repeat(np.arange(len(BLOCKS)), [block.size for block in BLOCKS])
"""Of each action its kind."""
DISCOUNT = 0.95
RATE = 0.3


class Preferences:
    """The policy: a number for each action, and one for each kind of action."""

    def __init__(self) -> None:
        self.of_action = np.zeros(ACTION_COUNT)
        self.of_kind = np.zeros(len(BLOCKS))

    def chances(self, legal: np.ndarray) -> np.ndarray:
        """How likely each of the legal actions is taken."""
        weights = self.of_action[legal] + self.of_kind[KIND[legal]]
        weights = np.exp(weights - weights.max())
        return weights / weights.sum()

    def choose(self, mask: np.ndarray, rng: np.random.Generator) -> tuple[int, np.ndarray, np.ndarray]:
        """An action drawn from the legal ones; these, and the chance of each."""
        legal = np.flatnonzero(mask)
        chances = self.chances(legal)
        return int(legal[np.searchsorted(chances.cumsum(), rng.random() * 0.999999)]), legal, chances


def play(env: CatanEnv, policy: Preferences, rng: np.random.Generator) -> tuple[list, list[float], bool]:
    """One game: what was chosen from what, the rewards, whether it was won."""
    _, info = env.reset()
    chosen, rewards = [], []
    while True:
        choice = policy.choose(info["action_mask"], rng)
        _, reward, over, cut_off, info = env.step(choice[0])
        chosen.append(choice)
        rewards.append(reward)
        if over or cut_off:
            return chosen, rewards, reward >= 1


def learn(policy: Preferences, chosen: list, rewards: list[float], baseline: float) -> float:
    """Follow the gradient of one game; the mean of its discounted returns."""
    returns, value = np.zeros(len(rewards)), 0.0
    for i in reversed(range(len(rewards))):
        value = rewards[i] + DISCOUNT * value
        returns[i] = value
    gains = RATE * (returns - baseline)
    for (action, legal, chances), gain in zip(chosen, gains, strict=True):
        if len(legal) > 1:
            np.add.at(policy.of_kind, KIND[legal], -gain * chances)
            policy.of_action[legal] -= gain * chances
            policy.of_kind[KIND[action]] += gain
            policy.of_action[action] += gain
    return float(returns.mean())


def train(seconds: float, seed: int = 1, most_games: int = 1_000_000) -> tuple[Preferences, int]:
    """A policy trained for so many seconds of processor time, or games, and on how many games."""
    rng = np.random.default_rng(seed)
    env = CatanEnv(opponents="random", rules="standard", players=2, reward="points")
    env.reset(seed=seed)
    policy, baseline, games, begin = Preferences(), 0.0, 0, process_time()
    while process_time() - begin < seconds and games < most_games:
        chosen, rewards, _ = play(env, policy, rng)
        baseline += 0.05 * (learn(policy, chosen, rewards, baseline) - baseline)
        games += 1
    return policy, games


def test(policy: Preferences, games: int, seed: int = 1000) -> int:
    """How many of so many games against `random` the policy wins."""
    rng = np.random.default_rng(seed)
    env = CatanEnv(opponents="random", rules="standard", players=2)
    env.reset(seed=seed)
    return sum(play(env, policy, rng)[2] for _ in range(games))


def main() -> None:
    """Train and test."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to train (default: 60)")
    parser.add_argument("--games", type=int, default=100, help="how many games to test with (default: 100)")
    args = parser.parse_args()
    policy, games = train(args.seconds)
    print(f"trained on {games} games; wins {test(policy, args.games)} of {args.games} against random")
    for kind in np.argsort(-policy.of_kind):
        print(f"{policy.of_kind[kind]:8.2f}  {BLOCKS[kind].name}")


if __name__ == "__main__":
    main()
