"""A store in memory, and games played on it: for tests of what stands above the store."""

from collections.abc import Callable
from random import Random

from catan_p2p.game.actions import Action
from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.rule_names import rules_named
from catan_p2p.game.rules import apply, awaited, decisions, draw
from catan_p2p.game.state import State
from catan_p2p.log.commit import Commit, decode_commit
from catan_p2p.log.game import GameDefinition, new_game
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.reading import read_root
from catan_p2p.log.root import root_commit
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, ObjectMissing, object_id
from catan_p2p.log.verdict import CommitRejected, LoggedStep


class Objects:
    """Objects by id."""

    def __init__(self) -> None:
        self.kept: dict[ObjectId, tuple[ObjectKind, bytes]] = {}

    def add(self, kind: ObjectKind, data: bytes, base: ObjectId | None = None) -> ObjectId:
        oid = object_id(kind, data)
        self.kept[oid] = kind, data
        return oid

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        if oid not in self.kept:
            raise ObjectMissing(f"no object {oid}")
        return self.kept[oid]


class LoggedGame:
    """A game whose commits are written into memory: one graph writes, others may check."""

    def __init__(self, players: int = 2, number: int = 0, nonce: str = "test", rules: str = "thesis") -> None:
        self.objects = Objects()
        self.game: GameDefinition = new_game(number, Constants(rules_named(rules, players), player_count=players))
        self.root, _ = root_commit(self.game, nonce, 1000, self.objects.add)
        self.graph = self.fresh_graph()
        self.steps: list[LoggedStep] = []

    def fresh_graph(self) -> CommitGraph:
        graph = read_root(self.root, self.objects.read)
        assert isinstance(graph, CommitGraph), graph
        return graph

    @property
    def state(self) -> State:
        return self.graph.state

    def take(self, action: Action, after: State | None = None) -> LoggedStep:
        """Log an action; ``after`` replaces the state that it leads to."""
        if after is None:
            after = apply(self.graph.before(action), action)
        time_s = 1000 + self.graph.next_height(action.player)
        step = self.graph.write(action, after, time_s, self.objects.add)
        self.graph.add(step)
        self.steps.append(step)
        return step

    def play_until(self, stop: Callable[[State], bool], seed: int = 0, order: Callable[..., Player] = min) -> None:
        """Random actions until a state; ``order`` picks who acts if several may."""
        rng = Random(seed)
        while not (self.state.is_over or stop(self.state)):
            player = order(awaited(self.state))
            self.take(draw(self.state, rng.choice(decisions(self.state, player)), rng))

    def forge(self, step: LoggedStep, **changes: object) -> ObjectId:
        """The id of a commit like a step's, with some of its parts changed; its bytes are kept."""
        commit: Commit = decode_commit(self.objects.read(step.commit)[1])._replace(**changes)  # type: ignore[arg-type]
        return self.objects.add("commit", commit.encode())

    def check(self, graph: CommitGraph, commit: ObjectId) -> LoggedStep | CommitRejected:
        return graph.check(commit, self.objects.read(commit)[1])

    def replay(self, upto: int) -> CommitGraph:
        """A second peer's graph that has validated the first so many steps."""
        graph = self.fresh_graph()
        for step in self.steps[:upto]:
            checked = self.check(graph, step.commit)
            assert isinstance(checked, LoggedStep), checked
            graph.add(checked)
        return graph
