"""Synchronizes once for a player whose program rarely runs: takes in what is new, and does what needs no decision."""

from __future__ import annotations

from catan_p2p.game.actions import AnswerTrade
from catan_p2p.game.actions.answer_trade import is_asked
from catan_p2p.game.actions.parts import could_pay
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.voting import VotingDuty

VISIT_S = 30.0
_STEP_S = 0.05


def visit(replica: Replica, most_s: float = VISIT_S) -> int:
    """Look at all others once, for at most ``most_s`` seconds; return the number of new commits.

    Actions without a decision are taken: pledges, shares of a draw that another player has called for, declining an
    offer that this player evidently cannot pay, and what changes of the view ask for, such as an answer to
    others' votes. Nobody is voted on. What is published is pushed, if there is a relay.
    """
    until = replica.time.monotonic() + most_s
    new = replica.synchronize(answer_s=most_s)
    while not replica.catch_up.is_over and replica.time.monotonic() < until and not _all_in_trouble(replica):
        replica.wait(_STEP_S)
        new += replica.synchronize(answer_s=max(0.0, until - replica.time.monotonic()))
    voting = VotingDuty(replica, replica.time)
    voting.go_on(None)
    while replica.is_awaited and not replica.has_choice:
        if not replica.act():
            break
    if replica.may_sign and _plainly_cannot_pay(replica):
        replica.carry_out(AnswerTrade(replica.player, "reject"))
    voting.look()
    voting.keep()
    replica.store.publish()
    if replica.relay is not None:
        replica.relay.flush(replica.store, replica.graph, max(_STEP_S, until - replica.time.monotonic()))
    return new


def _plainly_cannot_pay(replica: Replica) -> bool:
    """Whether this player owes an answer to an offer that they evidently cannot pay, so declining reveals nothing."""
    state, player = replica.graph.state, replica.player
    return state.tp == "Offering" and is_asked(state, player) and not could_pay(state, player, state.offer.receive)


def _all_in_trouble(replica: Replica) -> bool:
    return all(neighbour.trouble is not None for neighbour in replica.neighbours)
