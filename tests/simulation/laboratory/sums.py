"""Campaigns of simulated games, and what they have seen."""

from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.simulation.laboratory.scene import PromiseBroken
from catan_p2p.simulation.laboratory.world import SimulatedWorld
from tests.campaigns import Figures, options, run_campaign


@dataclass
class Sums(Figures):
    """The figures of simulated games."""

    spent = ("cpu_s",)

    mistakes: int = 0
    """Decisions that a policy has failed to make."""

    @property
    def has_failed(self) -> bool:
        return bool(self.failures or self.mistakes)


FoundT = TypeVar("FoundT", bound=Sums)


def watched(found: FoundT, world: SimulatedWorld, told: str, check: Callable[[], None] = lambda: None) -> FoundT:
    """Play a game and check it; what is broken goes to the failures, after what tells which game it is."""
    found.games = 1
    try:
        world.run()
        check()
    except (PromiseBroken, GaveUp) as error:
        found.failures.append(f"{told}, {world.network.profile} {world.network.overlay}: {error}")
    return found


def run_simulated(
    description: str, play_one: Callable[[int, str], FoundT], figures: FoundT, games: int, seed: int = 1
) -> int:
    """Run a campaign of simulated games whose policies the command line may name."""
    parser = options(description, games, seed)
    parser.add_argument(
        "--policy", default="builder", help="who decides: a policy, or one for each seat in turn (default: builder)"
    )

    def play(number: int, args: Namespace) -> FoundT:
        return play_one(number, args.policy)

    return run_campaign(parser.parse_args(), play, figures)
