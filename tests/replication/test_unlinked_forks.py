"""What is taken in of players who have forked and to which nobody else links: one acceptance of each proposed value."""

from collections.abc import Sequence

import pytest

from catan_p2p.game.actions import OfferTrade, WithdrawTrade
from catan_p2p.game.rules import decisions
from catan_p2p.limits import MAX_REMEMBERED
from catan_p2p.log.commit import decode_commit
from catan_p2p.log.reading import Commits
from catan_p2p.log.refs import local_ref, remote_ref
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.views.messages import split_after, with_after
from catan_p2p.replication.core import commit_intake
from catan_p2p.replication.core.commit_author import CommitAuthor
from catan_p2p.replication.core.commit_intake import CommitIntake
from catan_p2p.replication.core.effects import KeepObjects
from catan_p2p.replication.core.events import CommitsBrought, HeadHeard, MessageDue
from catan_p2p.replication.core.replica_state import ReplicaState
from catan_p2p.replication.core.source import BranchSource
from catan_p2p.replication.core.unlinked_forks import needed_for
from tests.log.views.table import ViewPlayer, ViewTable
from tests.log.views.test_views import stopped
from tests.seat_keys import sign_as_author


class ForkedTable:
    """Three of four have voted, one of them in two ways; all three have the first vote, the listener both of them.

    Of five, four have voted: the proposal merges no vote of the one who has voted in two ways.
    """

    def __init__(self, players: int = 4, *, coordinates: bool = False) -> None:
        self.table = ViewTable(players, "thesis" if players == 4 else "standard")
        self.table.play(40)
        silent = stopped(self.table)
        voters = self.table.up()
        coordinator = self.table.parties[voters[0].duty.change.coordinator(1)]
        assert coordinator is not silent
        self.forker, self.listener, *_ = sorted(voters, key=lambda one: (one is coordinator) != coordinates)
        proposal = None
        for one in sorted(voters, key=lambda one: one is self.forker):
            if one is self.forker and players > 4:
                proposal = coordinator.duty.due()
            vote = one.due([silent.party])
            self.votes = [one.written(vote) for _ in range(4)]
            self.table.tell(one.sign(vote))
        proposal = proposal or coordinator.duty.due()
        assert proposal is not None
        assert proposal.kind == "propose"
        self.proposal = coordinator.sign(proposal)
        self.listener.hear(self.votes[0])
        assert self.forker.party in self.listener.graph.forkers

    def acceptances(self, number: int) -> list[ObjectId]:
        """So many acceptances of the proposal by the forker, of which an honest player would have signed one."""
        self.forker.hear(self.proposal)
        due = self.forker.due()
        assert due.kind == "accept"
        return [self.forker.written(due) for _ in range(number)]

    def after_another(self, vote: ObjectId, after: ObjectId | None = None) -> ObjectId:
        """An acceptance by the forker that links to another vote than theirs, and names it, or another ``after``."""
        parts = decode_commit(self.table.objects.read(self.acceptances(1)[0])[1])
        message = with_after(split_after(parts.message)[0], after or vote)
        parts = sign_as_author(parts._replace(parents=(self.proposal, vote), message=message))
        return self.table.objects.add("commit", parts.encode())

    def taken(self, one: ViewPlayer, *commits: ObjectId) -> dict[ObjectId, bool]:
        """Which of these commits, parents first, a player takes in."""
        branch = self.table.game.branch(self.forker.player)
        self.source, self.ref = BranchSource(self.forker.player, branch.colour, branch.colour), local_ref(branch)
        self.held = ReplicaState(one.play, one.player, self.table.objects.read, [self.source])
        self.intake = CommitIntake(self.held)
        hear(self.intake, self.held, self.ref, commits)
        return {commit: commit in one.graph for commit in commits}


def hear(intake: CommitIntake, held: ReplicaState, ref: str, commits: Sequence[ObjectId]) -> None:
    """Let a player look at a ref of the only source that leads to these commits, parents first."""
    read = Commits((commit, held.read(commit)[1]) for commit in commits)
    intake.hear(HeadHeard(next(iter(held.sources)), ref, commits[-1], CommitsBrought(read)))
    kept = {step.objects[-1] for step in held.effects if isinstance(step, KeepObjects)}
    assert kept >= {("commit", data) for commit, data in read if commit in held.graph}


def test_one_acceptance_of_each_value_is_taken_in() -> None:
    forked = ForkedTable()
    forked.listener.hear(forked.proposal)
    several = forked.acceptances(4)
    for _ in range(2):
        assert [*forked.taken(forked.listener, *several).values()] == [True, False, False, False]


def test_what_only_an_acceptance_links_to_is_taken_in_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """One player may have left because of it, and signs nothing more: the others would wait for that one for ever."""
    forked = ForkedTable(5)
    forked.listener.hear(forked.proposal)
    first, second, third = forked.votes[1:]
    wrong = forked.after_another(first, after=second)
    assert forked.taken(forked.listener, first, wrong) == {first: False, wrong: False}
    accepted = forked.after_another(second)
    with monkeypatch.context() as patch:
        patch.setattr(commit_intake, "MAX_UNLINKED", 1)
        assert forked.taken(forked.listener, second, accepted) == {second: False, accepted: False}
    assert forked.taken(forked.listener, second, accepted) == {second: True, accepted: True}
    again = forked.after_another(third)
    assert forked.taken(forked.listener, third, again) == {third: False, again: False}


def test_what_a_forker_proposes_is_a_value_once_somebody_else_links_to_it() -> None:
    forked = ForkedTable(coordinates=True)
    forked.listener.hear(forked.proposal)
    accepted, again = forked.acceptances(2)
    assert forked.taken(forked.listener, accepted) == {accepted: False}
    other = next(one for one in forked.table.up() if one not in (forked.listener, forked.forker))
    other.hear(forked.proposal)
    ref = remote_ref(forked.source.colour, forked.table.game.branch(other.player))
    assert not forked.source.is_fresh(forked.ref, accepted)
    hear(forked.intake, forked.held, ref, [forked.proposal, other.sign(other.due())])
    assert forked.source.is_fresh(forked.ref, accepted)
    assert forked.taken(forked.listener, accepted, again) == {accepted: True, again: False}


def test_whoever_votes_looks_again_at_what_forkers_show() -> None:
    forked = ForkedTable(coordinates=True)
    accepted = forked.acceptances(1)[0]
    assert not any(forked.taken(forked.listener, forked.proposal, accepted).values())
    assert not forked.source.is_fresh(forked.ref, accepted)
    due = forked.listener.due(is_round_over=True)
    author = CommitAuthor(forked.held)
    author.sign(MessageDue(due, forked.table.tick()))
    author.store()
    assert forked.source.is_fresh(forked.ref, accepted)


def test_what_somebody_else_links_to_is_taken_in_with_a_valid_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    forked = ForkedTable(coordinates=True)
    other, vote = next(one for one in forked.table.up() if one not in (forked.listener, forked.forker)), forked.votes[2]
    other.hear(vote)
    linking = other.written(other.due(is_round_over=True))
    parts = decode_commit(forked.table.objects.read(linking)[1])
    wrong = sign_as_author(parts._replace(parents=(*parts.parents, forked.votes[1])))
    bad = forked.table.objects.add("commit", wrong.encode())
    looked = list[ObjectId]()

    def noted(one: ObjectId, left: dict[ObjectId, bytes]) -> list[ObjectId]:
        looked.append(one)
        return needed_for(one, left)

    monkeypatch.setattr(commit_intake, "needed_for", noted)
    forged = forked.table.objects.add("commit", parts._replace(author=parts.author._replace(time_s=0)).encode())
    assert not any(forked.taken(forked.listener, vote, forged).values())
    # All that one player makes others judge counts together, be it valid or not.
    for most in (4, 5):
        monkeypatch.setattr(commit_intake, "MAX_LINKED", most)
        assert not any(forked.taken(forked.listener, *forked.votes[1:3], bad).values())
        for _ in range(2):
            hear(forked.intake, forked.held, forked.ref, [vote, linking])
        assert {vote in forked.listener.graph, linking in forked.listener.graph} == {most == 5}
    assert looked == [bad, linking] * 2


def test_whoever_alone_saw_a_very_long_turn_of_a_forker_is_heard() -> None:
    """Others judge all that an honest player can have built on: else that one would be out of the game."""
    table = ViewTable(4, "standard")
    while not (offers := [(one, offer) for one in table.up() if (offer := plain_offer(one)) is not None]):
        table.play(1)
    [(forker, offer)] = offers
    alone, listener, _ = (one for one in table.up() if one is not forker)
    listener.hear(table.write(offer, time_s=table.tick(), graph=forker.play).commit)
    turn = list[ObjectId]()
    for _ in range(MAX_REMEMBERED // 2 + 1):
        turn += (forker.act(offer), forker.act(WithdrawTrade(forker.player)))
    alone.hear(turn[-1])
    due = alone.due([forker.party])
    branch = table.game.branch(alone.player)
    source = BranchSource(alone.player, branch.colour, branch.colour)
    held = ReplicaState(listener.play, listener.player, table.objects.read, [source])
    vote = alone.sign(due)
    hear(CommitIntake(held), held, local_ref(branch), [*turn, vote])
    assert forker.party in listener.graph.forkers
    assert vote in listener.graph


def plain_offer(one: ViewPlayer) -> OfferTrade | None:
    """An offer that a player can make now."""
    return next((it for it in decisions(one.play.state, one.player) if isinstance(it, OfferTrade)), None)


@pytest.mark.parametrize("is_signed", [False, True])
def test_what_is_not_signed_or_has_no_parents_is_no_acceptance(is_signed: bool) -> None:
    forked = ForkedTable()
    forked.listener.hear(forked.proposal)
    honest = decode_commit(forked.table.objects.read(forked.acceptances(1)[0])[1])
    late = honest.author._replace(time_s=honest.author.time_s + 1)
    wrong = sign_as_author(honest._replace(parents=())) if is_signed else honest._replace(author=late)
    commit = forked.table.objects.add("commit", wrong.encode())
    assert forked.taken(forked.listener, commit) == {commit: False}


def test_an_acceptance_that_comes_with_its_proposal_is_taken_in() -> None:
    forked = ForkedTable()
    first = forked.acceptances(1)[0]
    assert forked.taken(forked.listener, forked.proposal, first) == {forked.proposal: True, first: True}
