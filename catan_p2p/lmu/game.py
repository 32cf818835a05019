"""The game of a table: one peer per seat, all on one repository, each on its own branch.

The peers share one graph of commits. A second graph, which no peer writes with, validates each commit once from its
bytes before it is recorded, as another peer would. Repeating the same check for every seat would find nothing more.
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
from catan_p2p.log.history import begin
from catan_p2p.log.refs import HEADS, foreign_ref, local_ref
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.players.random_player import RandomPolicy
from catan_p2p.replication.peer import Clock, Peer
from catan_p2p.simulation.game import create_game

WHEN_ASKED_S = 1e9
"""The publication lag of a store that publishes only when its table calls ``publish``, which may wait for the disk."""


class ActionTaken(NamedTuple):
    """An action with its chance outcome, the states before and after, and the two dice of a roll."""

    before: State
    action: Action
    after: State
    dice: tuple[int, int]


class TableGame(Protocol):
    """The game as a table uses it; ``GitGame``, or a test's."""

    @property
    def state(self) -> State:
        """The state after the last action."""

    def carry_out(self, action: Action) -> ActionTaken:
        """Carry out an enabled action; its chance outcome is drawn here."""

    def publish(self) -> None:
        """Sync the actions so far to disk and show them to readers of the repository. This may wait for the disk."""

    def finish(self) -> None:
        """Close the game, whether it has ended or was broken off."""


class GitGame:
    """A game in a new Git repository at ``path``; ``names`` are by colour. ``StoreError`` if it cannot be written."""

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
        self.path = path
        self._dice = stream_of(seed, f"{number}/dice")
        self._store = GitStore.open(path, durability="power", lag_s=WHEN_ASKED_S, place_for=foreign_ref)
        head, read = next(iter(self._store.list_refs(HEADS).values())), self._store.read
        self._judged: LoggedStep | None = None
        randomness = seat_randomness(seed, number)
        graph, self._checked = begin(str(path), head, read), begin(str(path), head, read)
        self._peers = [
            Peer(self._store, graph, player, RandomPolicy(), randomness, clock)
            for player in graph.game.constants.players
        ]
        for peer in self._peers:
            peer.core.author.judge = self._judge

    @property
    def game(self) -> GameDefinition:
        """The definition in the root commit: constants, number, seats."""
        return self._peers[0].game

    @property
    def state(self) -> State:
        """The state of the first peer; after each action all peers have the same."""
        return self._peers[0].graph.state

    @property
    def length(self) -> tuple[int, int]:
        """The numbers of actions and of turns so far."""
        graph = self._peers[0].graph
        return graph.action_count, graph.turns

    def carry_out(self, action: Action) -> ActionTaken:
        """Log the action by its player's peer once the second graph has accepted the commit.

        ``UnacceptableCommit`` if it is refused; nothing is logged then.
        """
        actor = self._peers[action.player - 1]
        before = actor.graph.state
        step = actor.carry_out(action)
        assert self._judged is not None
        self._checked.add(self._judged)
        if reply_kinds(before):
            for peer in self._peers:
                peer.synchronize()  # removes the branches of replies that are merged
        # The tree of a reply contains no concurrent reply; the graph's state has all of them so far.
        after = actor.graph.state if is_reply(action) else step.state
        return ActionTaken(before, step.action, after, two_dice(step.action, self._dice))

    def _judge(self, commit: ObjectId, data: bytes) -> LoggedStep | CommitRejected:
        """Validate a commit from its bytes with the second graph."""
        verdict = self._checked.check(commit, data)
        self._judged = None if isinstance(verdict, CommitRejected) else verdict
        return verdict

    def publish(self) -> None:
        """Sync the journal to disk, then move the branches that readers see."""
        self._store.publish(now=True)

    def finish(self) -> None:
        """Fast-forward every branch to the newest commit, fold the repository, check out the active player's branch."""
        for peer in self._peers:
            peer.fast_forward()
        self._store.fold()
        state = self.state
        self._store.check_out(local_ref(self._peers[0].game.branch(state.ap)))
        self._store.close()


def two_dice(action: Action, rng: Random) -> tuple[int, int]:
    """Two dice with the sum of a roll, all such pairs equally likely; (1, 1) if the action is not a roll."""
    if not isinstance(action, RollDice | RollForStart):
        return 1, 1
    first = rng.randint(max(1, action.dice - 6), min(6, action.dice - 1))
    return first, action.dice - first
