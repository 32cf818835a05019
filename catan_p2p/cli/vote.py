"""``catan-p2p vote``: vote to go on without a silent player for whom the game waits."""

import argparse
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.output import FINE, WRONG_USAGE, emit, say
from catan_p2p.cli.visiting import may_give_up
from catan_p2p.log.evidence import refusal_in_words
from catan_p2p.log.valid_commits import parties_of
from catan_p2p.replication.prospects import is_left_out, left_out_in_words
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.sync_once import VISIT_S
from catan_p2p.replication.voting import VotingDuty, VotingProblem
from catan_p2p.sentences import listed
from catan_p2p.sessions.visiting import visited_seat
from catan_p2p.tables.foreign_commits import describe_displaced

_LOOKS = 3
"""The others are looked at this many times before the vote: what they have seen of the player may settle it."""


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "vote",
        help="vote to go on without a silent player",
        description="Vote to go on without a silent player. Once more than half of those present have voted, and have "
        "agreed on where the game stands, it goes on without whoever is still awaited there: a player who comes back "
        "before that plays on. The agreement takes a few hops; peer, play and turn do it by themselves. No peer may "
        "run on DIR meanwhile.",
        epilog="With two players left there is no vote: --claim wins the game and ends it. If the rules have a "
        "Patience, a vote and a claim are possible only after this time without news. Exit codes: 0 the vote is cast, "
        "1 the game cannot go on, 2 there is nothing to vote on, or not yet.",
    )
    parser.add_argument("path", type=values.path, metavar="DIR", help="your repository")
    parser.add_argument(
        "--on",
        type=values.colour,
        metavar="COLOUR",
        help="on whom (default: the player for whom the game waits, if it is only one)",
    )
    parser.add_argument("--claim", action="store_true", help="with two players left: win the game, which ends it")
    parser.set_defaults(func=run)


@may_give_up
def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    with visited_seat(args.path, alone=True) as replica:
        replica.tell_refusal = lambda one: say(refusal_in_words(one.as_json(), replica.game.called))
        for _ in range(_LOOKS):
            replica.synchronize()
        replica.store.publish()
        for one in replica.store.displaced:
            say(describe_displaced(one))
        voting = VotingDuty(replica)
        try:
            emit(_vote(replica, voting, args.on, claims=args.claim))
        except VotingProblem as error:
            replica.store.publish()
            say(f"catan-p2p vote: {error}")
            return WRONG_USAGE
        finally:
            voting.keep()
        replica.store.publish()
        if replica.relay is not None and not replica.relay.flush(replica.store, replica.graph, VISIT_S):
            say("the relay does not answer: the vote is sent by the next turn, peer or play")
    return FINE


def _vote(replica: Replica, voting: VotingDuty, on: str | None, *, claims: bool) -> str:
    """Vote for going on without whoever is awaited, or claim the game of two."""
    state, game = replica.graph.state, replica.game
    called = [*game.called.values()]
    if not state.constants.rules.leaving:
        raise VotingProblem("nobody may leave this game: it was not begun with new-game --leaving")
    if state.tp == "top":
        raise VotingProblem(f"the game is over: {called[state.ap - 1]} has won")
    if is_left_out(replica.graph, replica.player):
        raise VotingProblem(left_out_in_words(replica.graph, replica.player))
    voting.go_on()  # what is due by the votes of others may settle it
    found = voting.prospects()
    party_of = parties_of(game)
    if on is not None:
        found = tuple(one for one in found if one.absent == party_of.get(game.player_of(on) or 0))
    if len(found) != 1:
        raise VotingProblem(_nobody([called[one.absent - 1] for one in found], on and game.called.get(on, on)))
    prospect = found[0]
    if claims and not prospect.is_claim:
        is_vote = len(state.present) > 2
        raise VotingProblem(
            "more than two players are left: vote without --claim" if is_vote else prospect.in_words(called)
        )
    if prospect.is_claim:
        if prospect.is_possible and not claims:
            raise VotingProblem(f"{prospect.in_words(called)}: --claim does, and the game ends")
        return f"{called[replica.player - 1]} claims the game: {voting.claim().commit}"
    if prospect.said is None:
        voting.vote(prospect.absent)
    after = next((one for one in voting.prospects() if one.absent == prospect.absent), None)
    gone = called[prospect.absent - 1]
    return f"the game goes on without {gone}" if after is None else after.in_words(called)


def _nobody(silent: list[str], on: str | None) -> str:
    if len(silent) > 1:
        return f"{listed(silent)} are awaited: say on whom with --on COLOUR"
    return f"{on} is not awaited" if on else "nobody else is awaited"
