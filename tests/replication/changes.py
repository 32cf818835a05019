"""Changes of the view in real repositories, in time that passes only when nothing is left to do."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from catan_p2p.game.constants import Chance, Hands, Player
from catan_p2p.game.rule_names import rules_named
from catan_p2p.log.views.graph import ViewGraph
from catan_p2p.log.views.play_graph import PlayGraph
from catan_p2p.log.views.view import View
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.view_voting import ViewVoting, voting_duty
from tests.replication.tables import make_seats, opened, play_rounds
from tests.virtual_time import VirtualTime

PATIENCE_S = 60
STEP_S = 20.0
"""Less than what a peer takes for the sleep of its machine."""


def seats(
    folder: Path,
    players: int,
    chance: Chance = "actor",
    hands: Hands = "open",
    patience_s: int = PATIENCE_S,
    parties: Iterable[Sequence[Player]] = (),
) -> list[Path]:
    """The repositories of a new game that players may leave, with views."""
    rules = rules_named("standard", players)
    rules = replace(rules, leaving=True, patience=patience_s, signed_end=hands == "hidden")
    return make_seats(folder, players, 7, rules=rules, chance=chance, hands=hands, parties=parties)


def play_until(replicas: Sequence[Replica], awaited: Collection[Player]) -> None:
    """Play on until exactly these parties are awaited, as all know."""
    while any(awaited_by(replica) != {*awaited} for replica in replicas):
        least = len(replicas[0].graph) + 1
        play_rounds(replicas, lambda replica: len(replica.graph) >= least)  # noqa: B023 - called before it changes
        for replica in replicas:
            replica.synchronize()


class Clocks:
    """Time that passes only when nothing is left to do, and each peer's part in changes of the view."""

    def __init__(self, replicas: Sequence[Replica]) -> None:
        self.time = VirtualTime()
        self.voting = {replica: ViewVoting(replica, self.time) for replica in replicas}

    def pass_patience(self, rounds: int = 40) -> None:
        """All look at one another and do what is due in a change, until the view has changed."""
        before = self.view.number
        for _ in range(rounds):
            for replica, voting in self.voting.items():
                replica.synchronize()
                voting.go_on(PATIENCE_S)
                if self.pending(replica):
                    replica.act()  # a reply that the record waits for
            if self.view.number > before and not any(self.pending(replica) for replica in self.voting):
                return
            self.time.sleep(STEP_S)
        raise AssertionError("the view has not changed")

    @property
    def view(self) -> View:
        return max((views_of(replica).view for replica in self.voting), key=lambda view: view.number)

    @staticmethod
    def pending(replica: Replica) -> bool:
        graph = views_of(replica)
        return bool(graph.pending(graph.line_node(graph.newest), graph.view))


def views_of(replica: Replica) -> ViewGraph:
    assert isinstance(replica.graph, PlayGraph)
    return replica.graph.views


def awaited_by(replica: Replica) -> frozenset[Player]:
    """The parties that are awaited, as a peer knows it."""
    graph = views_of(replica)
    return graph.awaited(graph.newest, graph.replies(), graph.view)


@contextmanager
def without_one(paths: Sequence[Path], commits: int) -> Iterator[tuple[list[Replica], Path]]:
    """Play, and close whoever is awaited then; the peers of the others, and the path of that one."""
    with opened(paths) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > commits)
        for replica in replicas:
            replica.synchronize()
        silent = next(replica for replica in replicas if replica.is_awaited)
        path = silent.store.folder.parent
        yield [replica for replica in replicas if replica is not silent], path


# One player is away


class Absence(NamedTuple):
    """Who leaves once so many commits are known to them, and when they are back: after so many rounds, or never."""

    player: Player
    at: int
    back_after: int | None = None
    settles: bool = False
    """They leave when all shares of a draw are told and it is for them to say what comes of it."""

    def begins(self, leaver: Replica) -> bool:
        """Whether they leave now."""
        state = leaver.graph.state
        is_to_settle = state.tp == "Drawing" and leaver.is_awaited and not any(state.due)
        return len(leaver.graph) >= self.at and (is_to_settle or not self.settles)


class AbsenceTable:
    """Players who look, act and vote in turn; one of them is away for a time."""

    def __init__(self, replicas: Sequence[Replica], absence: Absence) -> None:
        self.replicas = replicas
        self._absence = absence
        self.time = VirtualTime()
        self._voting = {one.player: voting_duty(one, self.time) for one in replicas}
        self._left_at: int | None = None
        self._round = 0

    @property
    def leaver(self) -> Replica:
        return next(replica for replica in self.replicas if replica.player == self._absence.player)

    @property
    def there(self) -> list[Replica]:
        """Who looks and acts now."""
        after = self._absence.back_after
        is_away = self._left_at is not None and (after is None or self._round < self._left_at + after)
        return [replica for replica in self.replicas if not is_away or replica is not self.leaver]

    def play_round(self) -> None:
        """Let everybody who is there look, act and vote once; time passes if nothing comes of it."""
        self._round += 1
        before = [len(replica.graph) for replica in self.replicas]
        for replica in self.there:
            replica.synchronize()
            if replica is self.leaver and self._left_at is None and self._absence.begins(replica):
                self._left_at = self._round
                continue
            replica.act()
            self._voting[replica.player].go_on(PATIENCE_S)
        if before == [len(replica.graph) for replica in self.replicas]:
            self.time.sleep(STEP_S)

    def finish(self, rounds: int = 2000) -> None:
        """Play until everybody who is there knows the end."""
        while not all(replica.graph.state.is_over for replica in self.there):
            self.play_round()
            rounds -= 1
            assert rounds, "the game stands still"
