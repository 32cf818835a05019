"""Campaigns of simulated games, and what they have seen."""

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.simulation.laboratory.scene import PromiseBroken
from tests.campaigns import Figures, options, run_campaign
from tests.simulation.laboratory.oracle import OracleWorld
from tests.simulation.laboratory.worlds import any_table


@dataclass
class Sums(Figures):
    """The figures of simulated games."""

    spent = ("cpu_s",)

    actions: int = 0
    mistakes: int = 0
    """Decisions that a policy has failed to make."""
    proven: int = 0
    """Players whose fork was proven."""
    excused: int = 0
    """Players who were left out."""
    still: Counter[str] = field(default_factory=Counter)
    """Games that stand still where that is to be expected, by the reason."""
    returned: int = 0
    """How often somebody who was left out has come back."""
    away: Counter[str] = field(default_factory=Counter)
    """Why others, honest and there, did not play again, in games with returns."""
    slow: int = 0
    """Players who were left out because a move took longer over the network than the others waited."""

    @property
    def has_failed(self) -> bool:
        return bool(self.failures or self.mistakes)


FoundT = TypeVar("FoundT", bound=Sums)


def watched(found: FoundT, world: OracleWorld, told: str, check: Callable[[], None] = lambda: None) -> FoundT:
    """Play a game and check it; what is broken goes to the failures, after what tells which game it is."""
    found.games = 1
    try:
        world.run()
        check()
    except (PromiseBroken, GaveUp) as error:
        found.failures.append(f"{told}, {world.network.profile} {world.network.overlay}: {error}")
    graph = world.referee.graph
    found.actions, found.excused = len(graph) - 1, sum(graph.state.away)
    found.proven = len(graph.valid.forkers) if graph.game.has_views else 0
    found.mistakes = sum(host.seat.chooser.mistakes for host in world.hosts)
    found.slow, found.returned = len(world.slow), world.returned
    found.away = Counter(world.why_away.values())
    if world.stands_still:
        found.still[world.stands_still] += 1
    return found


def table_option(parser: ArgumentParser) -> None:
    """Let the command line ask for any table."""
    parser.add_argument("--any-table", action="store_true", help="3 to 6 players, with open or hidden hands")


def drawn_table(seed: int, args: Namespace) -> tuple[str, int] | tuple[()]:
    """The hands and the number of players of a game, if the command line asks for any table."""
    return any_table(seed) if args.any_table else ()


def run_simulated(
    description: str,
    play_one: Callable[..., FoundT],
    figures: FoundT,
    games: int,
    seed: int = 1,
    *,
    tables: bool = True,
) -> int:
    """Run a campaign of simulated games whose policies the command line may name.

    ``play_one`` is given the seed, the policies and, where one may be drawn, the ``drawn_table``.
    """
    parser = options(description, games, seed)
    if tables:
        table_option(parser)
    parser.add_argument(
        "--policy", default="builder", help="who decides: a policy, or one for each seat in turn (default: builder)"
    )

    def play(number: int, args: Namespace) -> FoundT:
        return play_one(number, args.policy, *(drawn_table(number, args) if tables else ()))

    return run_campaign(parser.parse_args(), play, figures)
