"""A table of players without repositories: each holds a graph of their own, and hears what others have signed, or not.

A party plays one seat or several, each with a graph. Nothing has a clock: a party has waited one patience when the test
says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from catan_p2p.game.actions import Action
from catan_p2p.game.constants import Player, Rules
from catan_p2p.game.rule_names import rules_named
from catan_p2p.game.rules import decisions
from catan_p2p.log.commit import decode_commit
from catan_p2p.log.graph import DueMessage
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.valid_commits import next_record, owing_first
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.log.views.nodes import Node
from catan_p2p.replication.core.view_duty import ViewDuty
from tests.log.table import LogTable


class ViewPlayer:
    """One player: a graph, and what was signed; that of a party's first seat votes for it."""

    def __init__(self, table: ViewTable, player: Player) -> None:
        self.table, self.player = table, player
        self.play = table.fresh_graph()
        self.play.lead_from(player)
        self.graph = self.play.valid
        self.party = self.graph.party_of[player]
        self.duty = ViewDuty(self.graph, player)

    @property
    def is_up(self) -> bool:
        """Whether the machine of the player's party works."""
        return self.party not in self.table.down

    @is_up.setter
    def is_up(self, is_up: bool) -> None:
        (self.table.down.discard if is_up else self.table.down.add)(self.party)

    def hear(self, commit: ObjectId) -> None:
        """Take in a commit and all that it links to; it must be valid."""
        missing = [commit]
        while missing:
            one = missing[-1]
            lacking = [] if one in self.graph else [at for at in self.table.parents(one) if at not in self.graph]
            missing += lacking
            if not lacking:
                missing.pop()
                if one not in self.graph:
                    self.add(one)

    def lists_fork_of(self, commit: ObjectId) -> bool:
        """Whether a commit links to something by this player that this peer does not hold."""
        known, missing = self.graph, [commit]
        while missing:
            one = missing.pop()
            if one in known:
                continue
            parts = decode_commit(self.table.objects.read(one)[1])
            if parts.author.name == self.table.game.seats[self.player - 1].name:
                return True
            missing += parts.parents
        return False

    def add(self, commit: ObjectId) -> Node:
        step = self.judged(commit)
        assert not isinstance(step, CommitRejected), str(step)
        self.play.add(step)
        return self.graph.nodes[commit]

    def judged(self, commit: ObjectId) -> LoggedStep | CommitRejected:
        return self.play.check(commit, self.table.objects.read(commit)[1])

    # Playing

    def actions(self) -> list[Action]:
        """What the player does next, as honest programs do: nothing after a vote."""
        graph = self.graph
        if self.duty.has_left or self.party not in graph.view.present:
            return []
        pending, state = graph.pending(graph.line_node(graph.newest), graph.view), self.play.state
        if pending:
            if not (owing := owing_first(state, pending)):
                record = next_record(state, pending)
                return [record] if record.player == self.player else []
            if self.player not in owing:
                return []
        return [self.table.next_action(self.player, graph=self.play)] if self.has_choice else []

    @property
    def has_choice(self) -> bool:
        """Whether the player can do something now."""
        state, seat = self.play.state, self.player
        if state.tp not in ("Pledging", "Drawing"):
            return bool(decisions(state, seat))
        can_settle = state.tp == "Drawing" and state.caller == seat and self.play.known_shares.draw(state) is not None
        return bool(state.due[seat - 1]) or can_settle

    def act(self, action: Action) -> ObjectId:
        """Write an action, and take it in."""
        commit = self.table.write(action, time_s=self.table.tick(), graph=self.play).commit
        self.add(commit)
        return commit

    def due(self, waited: Collection[Player] = (), *, is_round_over: bool = False) -> DueMessage:
        """What the player signs next about a change of the view."""
        due = self.duty.due(waited, is_round_over=is_round_over)
        assert due is not None
        return due

    def sign(self, due: DueMessage) -> ObjectId:
        """Write a vote, proposal or acceptance, and take it in."""
        commit = self.written(due)
        self.add(commit)
        return commit

    def written(self, due: DueMessage) -> ObjectId:
        """Write one without taking it in."""
        return self.play.sign(self.player, due, self.table.tick(), self.table.objects.add).commit


class ViewTable(LogTable):
    """All players of one game, each with a graph of their own; commits that were written are in ``objects``."""

    def __init__(
        self,
        players: int,
        rules: Rules | str = "thesis",
        parties: Iterable[tuple[Player, ...]] = (),
        seed: int = 0,
    ) -> None:
        if isinstance(rules, str):
            rules = rules_named(rules, players)
        rules = replace(rules, leaving=True)
        super().__init__(players, rules, nonce=f"views {seed}", seed=seed, parties=parties)
        self.seed = seed
        self.time_s = 0
        self.down: set[Player] = set()
        """The parties whose machines do not work."""
        self.players = [ViewPlayer(self, player) for player in self.game.constants.players]
        self.parties = {one.party: one for one in self.players if one.player == one.party}
        """By party, the player at its first seat."""

    def tick(self) -> int:
        self.time_s += 1
        return self.time_s

    def parents(self, commit: ObjectId) -> tuple[ObjectId, ...]:
        return decode_commit(self.objects.read(commit)[1]).parents

    def tell(self, commit: ObjectId, but: Collection[Player] = ()) -> None:
        """All who are up hear a commit."""
        for one in self.players:
            if one.is_up and one.party not in but:
                one.hear(commit)

    def play(self, actions: int) -> None:
        """All who are up play until so many more actions are in the line, each heard at once."""
        for _ in range(actions):
            found = [(one, action) for one in self.up() for action in one.actions()]
            assert found, "nobody acts"
            one, action = self.rng.choice(found)
            self.tell(one.act(action))

    def settle(self, *, waited: bool = True, most: int = 200) -> None:
        """All who are up sign what is due in a change, each heard at once; rounds are over when nothing else is due."""
        view = max(one.graph.view.number for one in self.up())
        for _ in range(most):
            if not (self._sign_one(waited, False) or self._sign_one(waited, True)):
                return
            if min(one.graph.view.number for one in self.up()) > view:
                return
        raise AssertionError("a change without end")

    def _sign_one(self, waited: bool, is_round_over: bool) -> bool:
        for one in self.up():
            silent = [party for party in one.duty.awaited() if not self.parties[party].is_up] if waited else ()
            due = one.duty.request() or one.duty.due(silent, is_round_over=is_round_over)
            if due is not None:
                self.tell(one.sign(due))
                return True
        return False

    def up(self) -> list[ViewPlayer]:
        return [one for one in self.players if one.is_up]
