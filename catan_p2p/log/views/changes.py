"""What parties have signed about changes of the view, and what was decided by it."""

from __future__ import annotations

from typing import NamedTuple

from catan_p2p.game.constants import Player
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.views.nodes import AcceptanceNode, ProposalNode, RequestNode, VoteNode
from catan_p2p.log.views.view import Change, View, ViewValue


class Decision(NamedTuple):
    """A value that more than half have accepted in one round, with their acceptances."""

    change: Change
    round: int
    value: ViewValue
    view: View
    """The view that it begins."""
    acceptances: tuple[ObjectId, ...]


class Changes:
    """What parties have signed about changes, by change, and the decisions that follow from it."""

    def __init__(self) -> None:
        self.votes: dict[Change, dict[int, dict[Player, VoteNode]]] = {}
        """By change and round, a vote of each party that has voted there."""
        self.proposals: dict[Change, list[ProposalNode]] = {}
        """By change, what was proposed."""
        self.requests: dict[str, dict[Player, ObjectId]] = {}
        """By id of a view, who has asked to come back, with the request."""
        self.decisions: dict[Change, dict[ViewValue, Decision]] = {}
        """By change, what was decided, the one heard first first."""
        self._decided: dict[str, Decision] = {}
        """By id of a view, the decision that began it."""
        self._settled: set[str] = set()
        """The ids of views from which two decisions lead, of which one was settled on."""
        self._divided: set[str] = set()
        """The ids of views from which two decisions lead that are not settled."""
        self._accepted: dict[tuple[Change, int, ViewValue], dict[Player, AcceptanceNode]] = {}

    def cast(self, change: Change, round: int) -> dict[Player, VoteNode]:
        """The votes of a round, by party."""
        return self.votes.get(change, {}).get(round, {})

    def has_accepted(self, proposal: ProposalNode, party: Player) -> bool:
        """Whether a party has accepted the value of a proposal in its round."""
        return party in self._accepted.get((proposal.change, proposal.round, proposal.value), ())

    def add(self, node: VoteNode | ProposalNode | AcceptanceNode | RequestNode) -> Decision | None:
        """Add what a party has signed; return the decision of a settlement, if there is one with this."""
        party = node.link.player
        if isinstance(node, VoteNode):
            self.votes.setdefault(node.change, {}).setdefault(node.round, {}).setdefault(party, node)
            return None
        if isinstance(node, ProposalNode):
            self.proposals.setdefault(node.change, []).append(node)
            return None
        if isinstance(node, RequestNode):
            self.requests.setdefault(node.view.id, {}).setdefault(party, node.link.commit)
            return None
        same = self._accepted.setdefault((node.change, node.round, node.value), {})
        same.setdefault(party, node)
        decided = self.decisions.setdefault(node.change, {})
        if not node.change.is_majority(same) or (node.value in decided and node.round >= decided[node.value].round):
            return None
        acceptances = tuple(sorted(one.link.commit for one in same.values()))
        decision = decided[node.value] = Decision(node.change, node.round, node.value, node.view, acceptances)
        self._decided[node.view.id] = decision
        if node.change.without:
            self._settled.add(node.change.id)
            self._divided.discard(node.change.id)
            return decision
        if len(decided) > 1 and node.change.id not in self._settled:
            self._divided.add(node.change.id)
        return None

    def decision_in(self, view: View) -> Decision | None:
        """The decision that leads from a view to the next; None if there is none."""
        return next(iter(self.decisions.get(Change.of(view), {}).values()), None)

    def decision_of(self, view: View) -> Decision | None:
        """The decision that began a view, None of the first one."""
        return self._decided.get(view.id)

    def contradicted(self, view: View) -> tuple[View, Decision, Decision] | None:
        """The newest view before this one from which two decisions lead: that on the way to this one, and the other.

        None if there is none, or if all of them are settled.
        """
        passed = [left for id in self._divided if (left := view.passed(id)) is not None]
        left = max(passed, key=lambda one: one.number, default=view)
        if left is view:
            return None
        side, decided = view.side_of(left.id), self.decisions[Change.of(left)]
        return left, decided[side.value], next(one for one in decided.values() if one.view.id != side.id)
