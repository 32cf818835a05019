"""Table talk between repositories: who is silent is not waited for, and a late reply is nobody's fault.

Red (active) ---- Blue      each has a repository of their own, and looks when it is told to
      \\          /
        -- Green
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from catan_p2p.game.actions import AnswerTrade, OfferTrade, ProposeTrade, WithdrawTrade
from catan_p2p.game.cards import ONE, RESOURCES, kinds
from catan_p2p.game.rules import NotEnabled
from catan_p2p.game.state import Offer
from catan_p2p.log.audit import audit
from catan_p2p.log.graph import DueMessage
from catan_p2p.log.refs import HEADS
from catan_p2p.log.verdict import CommitRejected
from catan_p2p.replication.play import LookPace, PeerLife
from catan_p2p.replication.replica import Replica
from catan_p2p.sessions.messages import ActionRefused
from catan_p2p.sessions.seat_driver import Metronome, SeatControl, SeatDriver
from tests.replication.tables import finish, make_seats, open_replica, opened, play_rounds

pytestmark = [pytest.mark.long, pytest.mark.sampled(5)]

TALK = "brief; TableTalk = yes; OfferMax = 0"


def _may_trade(replica: Replica) -> bool:
    """It is this player's turn to trade, and everybody has something to give."""
    state = replica.graph.state
    return state.tp == "TradingBuilding" and state.ap == replica.player and all(hand.rc for hand in state.h)


def _swap(replica: Replica, receive: int = 0) -> Offer:
    """A card that the player has for one of another type."""
    give = kinds(replica.graph.state.h[replica.player - 1].rc)[0]
    return Offer(ONE[RESOURCES[give]], receive or ONE[RESOURCES[(give + 1) % 5]])


@pytest.fixture(params=["signed", "unsigned"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[Replica]]:
    """Three replicas, the active player's first, who is about to trade; all have seen that."""
    seats = make_seats(tmp_path, 3, 2, signed=request.param == "signed", rules=TALK)
    with opened(seats) as replicas:
        play_rounds(replicas, _may_trade)
        active = next(replica for replica in replicas if _may_trade(replica))
        active.store.publish()
        others = [replica for replica in replicas if replica is not active]
        for replica in others:
            replica.synchronize()
            assert replica.graph.head == active.graph.head
        yield [active, *others]


def _no_fault(replicas: list[Replica]) -> None:
    for replica in replicas:
        assert replica.refusals == 0
        assert not any(replica.store.folder.glob("catan-p2p/evidence/*"))


def _plays_on(replicas: list[Replica]) -> None:
    finish(replicas)
    _no_fault(replicas)
    for replica in replicas:
        assert not [ref for ref in replica.store.list_refs(HEADS) if "_answer_" in ref or "_proposal_" in ref]
        assert audit(replica.store.folder.parent).is_fine


def test_the_active_player_withdraws_while_somebody_is_silent(table: list[Replica]) -> None:
    active, quick, slow = table
    offer = active.carry_out(OfferTrade(active.player, *_swap(active)))
    for other in (quick, slow):
        other.synchronize()
    answer = quick.carry_out(AnswerTrade(quick.player, "reject"))
    active.synchronize()
    withdrawal = active.carry_out(WithdrawTrade(active.player))
    assert withdrawal.parents == (offer.commit, answer.commit)
    late = slow.carry_out(AnswerTrade(slow.player, "reject"))
    assert late.parents == (offer.commit,)
    for replica in table:
        replica.synchronize()
        assert replica.graph.head == withdrawal.commit
    verdict = active.graph.check(late.commit, slow.store.read(late.commit)[1])
    assert isinstance(verdict, CommitRejected) and verdict.reason == "overtaken"
    assert late.commit not in active.graph
    assert audit(active.store.folder.parent).is_fine
    _plays_on(table)


def test_a_proposal_that_was_not_heard_has_no_effect(table: list[Replica]) -> None:
    active, quick, slow = table
    roll = active.graph.head
    proposal = slow.carry_out(ProposeTrade(slow.player, *_swap(slow)))
    assert proposal.parents == (roll,)
    offer = active.carry_out(OfferTrade(active.player, *_swap(active)))
    assert offer.parents == (roll,), "it had not looked"
    for _ in range(2):
        for replica in (slow, quick, active):
            replica.synchronize()
    assert {replica.graph.head for replica in table} == {offer.commit}
    slow.store.publish()
    assert not [ref for ref in slow.store.list_refs(HEADS) if "_proposal_" in ref], "it is removed"
    _plays_on(table)


def test_proposals_are_merged_by_whatever_the_active_player_does_next(table: list[Replica]) -> None:
    active, blue, green = sorted(table, key=lambda replica: (replica is not table[0], replica.player))
    roll = active.graph.head
    said = [other.carry_out(ProposeTrade(other.player, *_swap(other))) for other in (blue, green)]
    with pytest.raises(NotEnabled, match="PT8 once"):
        blue.carry_out(ProposeTrade(blue.player, *_swap(blue, ONE["Ore"] * 9)))
    active.synchronize()
    assert [offer for offer in active.graph.state.prop if offer.give] != []
    offer = active.carry_out(OfferTrade(active.player, *_swap(active)))
    assert offer.parents == (roll, *(step.commit for step in said))
    assert not any(proposed.give for proposed in offer.state.prop)
    _plays_on(table)


def test_a_player_who_was_away_removes_the_late_answer(table: list[Replica]) -> None:
    active, quick, slow = table
    active.carry_out(OfferTrade(active.player, *_swap(active)))
    slow.synchronize()
    active.carry_out(WithdrawTrade(active.player))
    slow.carry_out(AnswerTrade(slow.player, "reject"))
    path = slow.store.folder.parent
    slow.store.close()
    with open_replica(path) as again:
        assert [ref for ref in again.store.list_refs(HEADS) if "_answer_" in ref]
        again.synchronize()
        assert again.graph.head == active.graph.head
        again.store.publish()
        assert not [ref for ref in again.store.list_refs(HEADS) if "_answer_" in ref]
        _no_fault([active, quick, again])


@pytest.mark.sampled(1)
def test_an_own_offer_is_left_as_it_is_after_a_vote(tmp_path: Path) -> None:
    with opened(make_seats(tmp_path, 3, 2, signed=True, rules=f"{TALK}; Leaving = yes")) as replicas:
        play_rounds(replicas, _may_trade)
        active = next(replica for replica in replicas if _may_trade(replica))
        active.carry_out(OfferTrade(active.player, *_swap(active)))
        life = PeerLife(active, LookPace(answers_s=0.0))
        colour = active.game.seats[active.player - 1].colour
        driver = SeatDriver(colour, active, SeatControl(None), Metronome(0.0), is_person=True)
        assert life._is_unanswered()
        active.sign(DueMessage("vote", 1))
        assert not life._is_unanswered()
        assert driver.carry_out(WithdrawTrade(active.player)) == ActionRefused(
            colour, "the game is not waiting for you"
        )
