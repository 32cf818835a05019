"""The game behind a table: a peer for each seat, all of them on one repository, each on its own branch.

The peers share what they hold. Each commit is validated once, before it is recorded: from its bytes, by a graph that no
peer writes with, as any other peer would. The same check once more for every seat would find nothing else.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple, Protocol

from catan_p2p.game.actions import Action, RollDice, RollForStart
from catan_p2p.game.actions.replies import is_reply, reply_kinds
from catan_p2p.game.constants import Constants
from catan_p2p.game.secret_streams import is_secret, seat_randomness, stream_of
from catan_p2p.game.state import State
from catan_p2p.log.game import GameDefinition, new_game
from catan_p2p.log.reading import find_root, take_in
from catan_p2p.log.refs import HEADS, foreign_ref, local_ref
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.players.random_player import RandomPolicy
from catan_p2p.replication.peer import Clock, Peer, open_graph
from catan_p2p.simulation.game import create_game
from catan_p2p.tables.foreign_commits import put_branches_back
from catan_p2p.tables.repair import heal_around

WHEN_ASKED_S = 1e9
"""The lag of a store that publishes when its table says so: that may wait for the disk."""


class ActionTaken(NamedTuple):
    """An action with its outcome of chance, the states around it, and the two dice if it was a roll."""

    before: State
    action: Action
    after: State
    dice: tuple[int, int]


class TableGame(Protocol):
    """What a table needs of a game."""

    @property
    def state(self) -> State:
        """The state after everything that was done."""

    def carry_out(self, action: Action) -> ActionTaken:
        """Do an action that is enabled, its chance drawn here."""

    def publish(self) -> None:
        """Have what was done outlive a loss of power, and show it to those who follow the game. This may take long."""

    def finish(self) -> None:
        """Leave the game as a finished one, or as one that was broken off."""


class GitGame:
    """A game as a Git repository, made at ``path``, ``names`` by colour; ``StoreError`` if it cannot be written.

    ``resumed`` goes on with one that a process left, however it ended.
    """

    def __init__(
        self,
        path: Path,
        number: int,
        seed: int,
        constants: Constants,
        colours: tuple[str, ...],
        clock: Clock,
        names: Mapping[str, str] | None = None,
    ) -> None:
        game = new_game(number, constants, colours, names=names)
        create_game(path, game, secrets.token_hex(16) if is_secret(seed) else f"seed {seed}", "power")
        self._open(path, number, seed, clock)

    @classmethod
    def resumed(cls, path: Path, number: int, seed: int, clock: Clock) -> GitGame:
        """The game at ``path``, with all that was logged; ``StoreError`` if it is none or cannot be written."""
        found = cls.__new__(cls)
        with disk.explained("go on", path):
            for name in ("index.lock", "HEAD.lock"):  # a check-out that was killed
                disk.remove(path / ".git" / name)
        heal_around(path / ".git")
        found._open(path, number, seed, clock)
        for peer in found._peers:
            peer.resume()
        for _ in found._peers:  # a reply may be known only once the commit that it replies to is
            for peer in found._peers:
                peer.synchronize()
        for head in found._store.list_refs(HEADS).values():
            refused = take_in(found._checked, head, found._store.read)
            if refused is not None:
                raise StoreError(f"{path}: {refused}")
        return found

    def _open(self, path: Path, number: int, seed: int, clock: Clock) -> None:
        self.path = path
        self._dice = stream_of(seed, f"{number}/dice")
        self._store = GitStore.open(path, durability="power", lag_s=WHEN_ASKED_S, place_for=foreign_ref)
        refs = self._store.list_refs(HEADS)
        root: ObjectId | CommitRejected | None = None
        for head in refs.values():
            root = find_root(head, self._store.read)
            if isinstance(root, str):  # or another program has put something there
                break
        else:
            self._store.close()
            raise StoreError(f"{path}: {root or 'not a game: it has no branch such as Red_0'}")
        self._judged: LoggedStep | None = None
        randomness = seat_randomness(seed, number)
        graph, self._checked = open_graph(self._store, root), open_graph(self._store, root)
        for player in graph.game.constants.players:
            put_branches_back(self._store, graph, player)
        self._peers = [
            Peer(self._store, graph, player, RandomPolicy(), randomness, clock)
            for player in graph.game.constants.players
        ]
        for peer in self._peers:
            peer.core.author.judge = self._judge

    @property
    def game(self) -> GameDefinition:
        """What the root fixes: constants, number, seats."""
        return self._peers[0].game

    @property
    def state(self) -> State:
        """The state as the first peer knows it: all know the same after each action."""
        return self._peers[0].graph.state

    @property
    def length(self) -> tuple[int, int]:
        """How many actions and turns there were."""
        graph = self._peers[0].graph
        return len(graph) - 1, graph.turns

    def carry_out(self, action: Action) -> ActionTaken:
        """Have the player's peer log the action once it is checked as any other peer would; ``UnacceptableCommit``, and
        nothing is logged, if it is refused."""
        actor = self._peers[action.player - 1]
        before = actor.graph.state
        step = actor.carry_out(action)
        assert self._judged is not None
        self._checked.add(self._judged)
        if reply_kinds(before):
            for peer in self._peers:
                peer.synchronize()  # removes the branches of replies that are merged
        after = actor.graph.state if is_reply(action) else step.state
        return ActionTaken(before, step.action, after, two_dice(step.action, self._dice))

    def _judge(self, commit: ObjectId, data: bytes) -> LoggedStep | CommitRejected:
        """Validate a commit as another reader would, who knows of the game what was validated so."""
        verdict = self._checked.check(commit, data)
        self._judged = None if isinstance(verdict, CommitRejected) else verdict
        return verdict

    def publish(self) -> None:
        """Move the branches that others see, once what was done outlives a loss of power."""
        self._store.publish(now=True)

    def finish(self) -> None:
        """Let every log end on the newest commit, fold the repository, and check out the player whose turn it is."""
        for peer in self._peers:
            peer.fast_forward()
        self._store.fold()
        state = self.state
        self._store.check_out(local_ref(self._peers[0].game.branch(state.ap)))
        self._store.close()


def two_dice(action: Action, rng: Random) -> tuple[int, int]:
    """Two dice that have the sum of a roll, each such pair as likely as any other; (1, 1) for other actions."""
    if not isinstance(action, RollDice | RollForStart):
        return 1, 1
    first = rng.randint(max(1, action.dice - 6), min(6, action.dice - 1))
    return first, action.dice - first
