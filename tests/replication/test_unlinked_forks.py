"""What is taken in of players who have forked and to which nobody else links: one acceptance of each proposed value."""

from catan_p2p.log.commit import decode_commit
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.views.nodes import ProposalNode
from catan_p2p.replication.core.unlinked_forks import unlinked_forks
from tests.log.views.table import ViewPlayer, ViewTable
from tests.log.views.test_views import stopped
from tests.seat_keys import sign_as_author


class ForkedTable:
    """Three of four have voted, one of them in two ways; all three have the first vote, the listener both of them."""

    def __init__(self) -> None:
        self.table = ViewTable(4)
        self.table.play(40)
        silent = stopped(self.table)
        voters = self.table.up()
        coordinator = self.table.parties[voters[0].duty.change.coordinator(1)]
        assert coordinator is not silent
        self.forker, self.listener = [one for one in voters if one is not coordinator]
        other = ""
        for one in voters:
            vote = one.duty.due([silent.party])
            assert vote is not None
            if one is self.forker:
                other = self.forker.written(vote._replace(waits=()))
            self.table.tell(one.sign(vote))
        proposal = coordinator.duty.due()
        assert proposal is not None
        self.proposal = coordinator.sign(proposal)
        self.listener.hear(other)
        assert self.forker.party in self.listener.graph.forkers

    def acceptances(self, number: int) -> list[ObjectId]:
        """So many acceptances of the proposal by the forker, of which an honest player would have signed one."""
        self.forker.hear(self.proposal)
        due = self.forker.duty.due()
        assert due is not None
        assert due.kind == "accept"
        return [self.forker.written(due) for _ in range(number)]

    def taken(self, one: ViewPlayer, *commits: ObjectId) -> dict[ObjectId, bool]:
        """Which of these commits, parents first, a player takes in."""
        read = tuple((commit, self.table.objects.read(commit)[1]) for commit in commits)
        alone = unlinked_forks(one.graph, read)
        return {commit: commit not in alone for commit in commits}


def test_one_acceptance_of_each_value_is_taken_in() -> None:
    forked = ForkedTable()
    forked.listener.hear(forked.proposal)
    first, *others = forked.acceptances(4)
    assert forked.taken(forked.listener, first) == {first: True}
    forked.listener.hear(first)
    for commit in others:
        assert forked.taken(forked.listener, commit) == {commit: False}


def test_what_is_not_signed_is_no_acceptance() -> None:
    forked = ForkedTable()
    forked.listener.hear(forked.proposal)
    honest = decode_commit(forked.table.objects.read(forked.acceptances(1)[0])[1])
    forged = honest._replace(author=honest.author._replace(time_s=honest.author.time_s + 1))
    commit = forked.table.objects.add("commit", forged.encode())
    assert forked.taken(forked.listener, commit) == {commit: False}


def test_what_only_an_acceptance_links_to_is_not_taken_in() -> None:
    """It may turn out to be no acceptance, and its forker could sign any number of such."""
    forked = ForkedTable()
    forked.listener.hear(forked.proposal)
    parts = decode_commit(forked.table.objects.read(forked.acceptances(1)[0])[1])
    vote = decode_commit(forked.table.objects.read(forked.forker.graph.chain_ends[forked.forker.party])[1])
    later = vote.author._replace(time_s=vote.author.time_s + 9)
    add = forked.table.objects.add
    private = add("commit", sign_as_author(vote._replace(author=later, committer=later)).encode())
    accepted = add("commit", sign_as_author(parts._replace(parents=(*parts.parents[:1], private))).encode())
    assert forked.taken(forked.listener, private, accepted) == {private: False, accepted: False}


def test_an_acceptance_without_parents_stops_nobody() -> None:
    forked = ForkedTable()
    parts = decode_commit(forked.table.objects.read(forked.acceptances(1)[0])[1])
    commit = forked.table.objects.add("commit", sign_as_author(parts._replace(parents=())).encode())
    assert forked.taken(forked.listener, commit) == {commit: False}


def test_an_acceptance_that_comes_with_its_proposal_is_taken_in() -> None:
    forked = ForkedTable()
    first = forked.acceptances(1)[0]
    assert forked.taken(forked.listener, forked.proposal, first) == {forked.proposal: True, first: True}


def test_an_acceptance_of_what_nobody_is_known_to_have_proposed_is_not() -> None:
    forked = ForkedTable()
    first = forked.acceptances(1)[0]
    assert forked.taken(forked.listener, first) == {first: False}
    forked.listener.hear(forked.proposal)
    assert isinstance(forked.listener.graph.nodes[forked.proposal], ProposalNode)
    assert forked.taken(forked.listener, first) == {first: True}
