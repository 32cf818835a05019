"""Games over a simulated relay that lets the views of honest players stand still, at tables with a patience.

    python -m tests.simulation.laboratory.frozen --games 20 --seed 1 --part 0.7

Nobody leaves or lies. Again and again the relay shows some of the players, for a part of the table's patience, what it
had when that began, and takes what they push. A freeze begins ten seconds after the one before has ended.
"""

import sys
from argparse import Namespace
from collections.abc import Container
from random import Random

from catan_p2p.simulation.laboratory.distributions import US
from catan_p2p.simulation.laboratory.lies import ForgedRefs, HonestRepository
from catan_p2p.simulation.laboratory.scene import ShownRepository, SimulatedRepository
from tests.campaigns import options, run_campaign
from tests.simulation.laboratory import leaving
from tests.simulation.laboratory.leaving import RULES, Away, LeavingWorld
from tests.simulation.laboratory.sums import drawn_table, table_option, watched
from tests.simulation.laboratory.worlds import settings

PATIENCE_S = 20
"""The table's, in its root."""
PAUSE_S = 10.0
NETWORKS = ("continent; overlay = star", "city; overlay = star", "mobile; overlay = star")


class Figures(leaving.Figures):
    """What a campaign has seen; ``left`` are the freezes."""

    def summary(self, spent: dict[str, float]) -> str:
        return f"{self.games} games, {self.actions} actions, {self.left} freezes, {self.excused} excused"


class Frozen:
    """A listing that stands still for some visitors until a moment, in microseconds."""

    def __init__(self, host: SimulatedRepository, to: Container[str], until: int) -> None:
        self._to = to
        self._served: HonestRepository = host.honest
        self._refs = dict(self._served.refs)
        self._until = until
        host.later(until - host.world.now, host.has_news)

    def __call__(self, source: SimulatedRepository, visitor: SimulatedRepository) -> ShownRepository:
        """What a visitor is shown."""
        is_frozen = visitor.name in self._to and source.world.now < self._until
        return ForgedRefs(self._served, self._refs, {}) if is_frozen else self._served


class FrozenWorld(LeavingWorld):
    """A game in which views of the relay freeze for a part of the patience, as often as there is time."""

    def __init__(self, seed: int, part: float, hands: str, players: int) -> None:
        rng = Random(f"frozen {seed}")
        words, rules = NETWORKS[seed % len(NETWORKS)], rng.choice(RULES)
        rules, players = f"{rules}; Patience = {PATIENCE_S}", players or 3 + seed % 2
        chosen = settings(f"{words}; machine = quick", seed, players, rules=rules, signed=True, hands=hands)
        super().__init__(0, chosen, Away(1, "frozen", 10**9))
        self._views = rng
        self._freeze_us = int(part * PATIENCE_S * US)
        self.freezes = 0
        self.at(int(5 * US), self._freeze)

    def _freeze(self) -> None:
        if all(host.is_done for host in self.hosts) or self.relay is None:
            return
        names = [host.name for host in self.hosts]
        until = self.now + self._freeze_us
        for host in self.hosts:
            self.is_silent(host, self._freeze_us)  # the table is cut in two
        self.relay.lie = Frozen(self.relay, self._views.sample(names, self._views.randrange(1, len(names))), until)
        self.freezes += 1
        self.at(until + int(PAUSE_S * US), self._freeze)


def play_one(seed: int, part: float, hands: str = "open", players: int = 0) -> Figures:
    """One game; ``failures`` says what does not hold in it."""
    world = FrozenWorld(seed, part, hands, players)
    found = watched(Figures(), world, f"seed {seed}, {part} of the patience", world.check)
    found.left = world.freezes
    if part < 1 and found.excused:
        found.failures.append(f"seed {seed}, {part} of the patience: {world.watcher.graph.state.away} are excused")
    return found


def play_asked(seed: int, args: Namespace) -> Figures:
    """One game, frozen for as long as the command line asks for."""
    return play_one(seed, args.part, *drawn_table(seed, args))


if __name__ == "__main__":
    parser = options("Let a relay's views stand still in simulated games.", 20)
    parser.add_argument("--part", type=float, default=0.7, help="how long, as a part of the patience (default: 0.7)")
    table_option(parser)
    sys.exit(run_campaign(parser.parse_args(), play_asked, Figures()))
