"""Games over simulated links in which a player withholds shares of rolls: ``python -m ...laboratory.withholding``.

The player wishes for a seven, and tells a share after all others, who have to call for each roll. If all shares make no
seven, and those of the others do, the player tells none, is left out, and comes back: as often as the game lets them.
docs/how-it-works/chance.md says what that gains.
"""

import sys
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from catan_p2p.game.actions import ComeBack, Reveal, RollDice, RollForStart
from catan_p2p.game.actions.drawing import is_seen
from catan_p2p.game.chance import SharedDraw
from catan_p2p.game.rules import settlement
from catan_p2p.log.history import read_history
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.laboratory.hosts import FOLDER, Host
from catan_p2p.simulation.laboratory.scene import PromiseBroken
from tests.simulation.laboratory.leaving import NETWORKS, Away, LeavingWorld
from tests.simulation.laboratory.sums import Sums, run_simulated, watched
from tests.simulation.laboratory.worlds import settings

WISH = 7
MOST = 2
"""How often somebody may withhold: the first time costs a turn, the second one the seat."""
RULES = "thesis; PointsToWin = 6; Leaving = yes; Chance = joint"


class WithholdingWorld(LeavingWorld):
    """A game in which a player withholds what makes no seven."""

    def __init__(self, seed: int, policies: str, hands: str, players: int) -> None:
        rng = Random(f"withholding {seed}")
        players = players or 3 + seed % 2
        words = f"{rng.choice(NETWORKS)}; machine = quick"
        chosen = settings(words, seed, players, rules=RULES, signed=True, policies=policies, hands=hands)
        super().__init__(0, chosen, Away(1 + rng.randrange(players), "withholds shares", 10**9))
        self.gone.add(self.leaver.name)
        self._calls: dict[ObjectId, bool] = {}
        """By call whose roll the player could choose: whether the share was withheld."""
        self.choices = Counter[str]()

    def has_started(self, host: Host, replica: Replica) -> None:
        super().has_started(host, replica)
        if host is self.leaver:
            act = replica.act

            def acting(most: int | None = None) -> list[LoggedStep]:
                return [] if self._withholds(replica) else act(most)

            replica.act = acting  # type: ignore[method-assign]

    def _withholds(self, replica: Replica) -> bool:
        """Whether the player tells no share now: not yet, or not at all."""
        graph, state, me = replica.graph, replica.graph.state, replica.player
        if state.tp != "Drawing" or not state.due[me - 1] or state.away[me - 1] or not is_seen(state.call.what):
            return False
        if sum(state.due) > 1:
            return True
        if graph.head not in self._calls:
            theirs = dict(graph.known_shares.revealed)
            share = replica._share_for(Reveal(me))
            assert share is not None

            def dice(shares: dict[int, str]) -> int | None:
                draw = SharedDraw(graph.root, graph.known_shares.draws, tuple(sorted(shares.items())))
                action = settlement(state._replace(due=(False,) * len(state.due)), draw.numbers())
                return action.dice if isinstance(action, RollDice | RollForStart) else None

            with_own, without = dice({**theirs, me: share}), dice(theirs)
            self._calls[graph.head] = with_own != WISH and without == WISH
            self.choices["chosen"] += 1
            self.choices["fair"] += with_own == WISH
            self.choices["withheld"] += self._calls[graph.head]
        return self._calls[graph.head]

    def check(self) -> None:
        """What is withheld is drawn without it, and nobody withholds more often than they may."""
        super().check()
        host = self.there[0]
        with GitStore.within(host.disk, FOLDER, writer=None) as store:
            history = read_history(store.list_refs("refs/"), store.read, host.name)
        player, call = self.leaver.seat.player, None
        for one in history.actions:
            if one.commit in self._calls:
                call = one.commit
            elif isinstance(one.action, RollDice | RollForStart) and call is not None:
                self.choices["sevens"] += one.action.dice == WISH
                self.choices["withheld in vain"] += self._calls[call] and one.action.dice != WISH
                call = None
            self.choices["back"] += isinstance(one.action, ComeBack) and one.action.absent == player
        if self.choices["withheld"] > MOST or self.choices["back"] >= MOST:
            raise PromiseBroken(f"{self.leaver.name} has withheld more often than {MOST} times: {self.choices}")


@dataclass
class Figures(Sums):
    """What a campaign has seen."""

    choices: Counter[str] = field(default_factory=Counter)


def play_one(seed: int, policies: str = "builder", hands: str = "", players: int = 0) -> Figures:
    """One game of the campaign."""
    hands = hands or ("open, returns", "hidden, returns")[seed // 2 % 2]
    world = WithholdingWorld(seed, policies, hands, players)
    found = watched(Figures(), world, f"seed {seed}", world.check)
    found.choices = world.choices
    return found


if __name__ == "__main__":
    sys.exit(run_simulated("Let players of simulated games withhold shares of rolls.", play_one, Figures(), 200, 9000))
