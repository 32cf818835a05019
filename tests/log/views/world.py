"""Players that hear one another late, in any order or never, lose patience when they like, stop and start again."""

from __future__ import annotations

from random import Random

from catan_p2p.game.constants import Player
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.views.nodes import VoteNode
from catan_p2p.log.views.view import Change, ViewValue
from tests.log.views.table import ViewPlayer, ViewTable


class ViewWorld:
    """A table whose messages are delivered at random: ``pending`` are those that a player has not heard."""

    def __init__(self, table: ViewTable, seed: int, liar: Player = 0) -> None:
        self.table, self.rng, self.liar = table, Random(seed), liar
        self.stops = 0.004
        """How often somebody stops."""
        self.patience = self.rng.choice((0.02, 0.1))
        self.hears = self.rng.choice((0.7, 0.2))
        """How often whoever can hear something does."""
        self.honest = [one for one in table.players if one.party != liar]
        self.pending: dict[ViewPlayer, list[ObjectId]] = {one: [] for one in self.honest}
        self.twins: list[ViewPlayer] = []
        """Peers with the liar's keys, each of which goes on from what it has heard; the first are the liar's own."""
        self.hidden: list[ObjectId] = []
        """What they have signed."""
        if liar:
            self.twins += [one for one in table.players if one.party == liar]
            self.pending |= {one: [] for one in self.twins}

    def may_stop(self, one: ViewPlayer) -> bool:
        """Whether more than half of every view would still be there without this party."""
        down = self.table.down | {one.party, self.liar}
        views = [other.graph.view.present for other in self.honest]
        return all(2 * len({*present} - down) > len(present) for present in views)

    def step(self) -> None:
        """One thing happens at random."""
        one = self.rng.choice([*self.honest, *self.twins])
        if one in self.twins and len(self.twins) < 5 and self.rng.random() < 0.05:
            self._fork(one)
            return
        if not one.is_up:
            one.is_up = self.rng.random() < 0.05
            return
        if one.party != self.liar and self.rng.random() < self.stops and self.may_stop(one):
            one.is_up = False
            return
        if self.pending[one] and self.rng.random() < self.hears:
            self.hear_one(one)
            return
        patience = 0.2 if one.party == self.liar else self.patience
        waited = one.duty.awaited() if self.rng.random() < patience else ()
        due = one.duty.request() or one.duty.due(waited, is_round_over=self.rng.random() < self.patience)
        if due is not None:
            self.tell(one, one.sign(due))
        elif actions := one.actions():
            self.tell(one, one.act(self.rng.choice(actions)))

    def _fork(self, one: ViewPlayer) -> None:
        """The liar starts a second peer, which holds what its player has signed up to some time, or some of it."""
        twin = ViewPlayer(self.table, one.player)
        end = one.graph.chain_ends[one.player]
        for _ in range(self.rng.choice((0, 0, 1, 2, 5))):
            end = one.graph.chains.before(end)
        twin.hear(end)
        self.twins.append(twin)
        self.pending[twin] = []

    def tell(self, one: ViewPlayer, commit: ObjectId) -> None:
        """All others will hear a commit; of a liar's only some of them."""
        lies = one.party == self.liar
        if lies:
            self.hidden.append(commit)
        for other, waiting in self.pending.items():
            if other is not one and (not lies or self.rng.random() < 0.5):
                waiting.append(commit)

    def hear_one(self, one: ViewPlayer) -> None:
        waiting = self.pending[one]
        commit = waiting.pop(self.rng.randrange(len(waiting)))
        if one not in self.twins or not one.lists_fork_of(commit):
            one.hear(commit)

    def quiet(self) -> None:
        """All that are up hear everything, and sign what is due until nothing is.

        Patience ends when nothing else happens: for those who are down, then for whoever acts no more.
        """
        for one in self.honest:
            self.pending[one] += self.hidden  # what one of them has, all have
        for _ in range(2000):
            for one in self.honest:
                while one.is_up and self.pending[one]:
                    self.hear_one(one)
            if not any(self._sign_one(*when) for when in ((False, False), (True, False), (True, True))):
                return
        raise AssertionError("it is never quiet")

    def _sign_one(self, is_round_over: bool, is_waited: bool) -> bool:
        """Whether somebody has signed something in a change; nobody waits for people who can act."""
        up = [one for one in self.honest if one.is_up]
        if is_waited and any(one.actions() for one in up):
            return False
        for one in up:
            waited = [
                party for party in one.duty.awaited() if is_waited or party in self.table.down or party == self.liar
            ]
            if (due := one.duty.request() or one.duty.due(waited, is_round_over=is_round_over)) is not None:
                self.tell(one, one.sign(due))
                return True
        return False

    # What must hold

    def check(self) -> None:
        decided: dict[Change, set[ViewValue]] = {}
        for one in self.honest:
            for change, values in one.graph.changes.decisions.items():
                decided.setdefault(change, set()).update(values)
        for change, found in decided.items():
            most = 2 if self.liar and len(self.table.parties) % 2 and not change.without else 1
            assert len(found) <= most, f"{change}: {found}"
        for one in self.honest:
            view = one.graph.view
            while view.before is not None:
                for out in {*view.value.out} - {self.liar}:
                    votes = [
                        node
                        for node in one.graph.nodes.values()
                        if isinstance(node, VoteNode) and node.change.id == view.before.id and out in node.waits
                    ]
                    assert 2 * len({vote.link.player for vote in votes}) > len(view.before.electorate)
                view = view.before
            assert {*one.graph.forkers} <= {self.liar}
