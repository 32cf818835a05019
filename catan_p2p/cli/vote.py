"""``catan-p2p vote``: vote on whether the game goes on without a silent player for whom it waits."""

import argparse
from collections.abc import Collection, Mapping
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.output import FINE, WRONG_USAGE, emit, say
from catan_p2p.cli.visiting import may_give_up
from catan_p2p.game.actions import Excuse, Vote
from catan_p2p.game.actions.absence import excuser
from catan_p2p.game.constants import Player
from catan_p2p.log import votes
from catan_p2p.log.ballot import CastVote
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.log.views.graph import parties_of
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.sync_once import VISIT_S
from catan_p2p.replication.view_voting import ViewVoting, voting_duty
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
        help="vote on going on without a silent player",
        description="Vote on going on without a silent player. A yes promises to accept nothing more from that "
        "player until somebody else has accepted it. A no names a commit of theirs that is already "
        "here, which ends the vote; it is possible only after somebody's yes. When all the others "
        "have said yes, the next player to act excuses the silent one: by this command, or automatically by "
        "peer, play or turn. Against a player who has been proven to have forked, a yes says which of the two "
        "commits is held here. No peer may run on DIR meanwhile.",
        epilog="With two players left, a yes claims the game and wins it. If the rules have a Patience, "
        "a vote and a claim are possible only after this time without news. Exit codes: 0 the vote is cast, "
        "1 the game cannot go on, 2 there is nothing to vote on, or not yet.",
    )
    parser.add_argument("path", type=values.path, metavar="DIR", help="your repository")
    parser.add_argument(
        "says",
        choices=("yes", "no"),
        nargs="?",
        default="yes",
        metavar="yes|no",
        help="your vote; in games of format 2 nobody says no",
    )
    parser.add_argument(
        "--on",
        type=values.colour,
        metavar="COLOUR",
        help="on whom (default: the player for whom the game waits, if it is only one)",
    )
    parser.set_defaults(func=run)


@may_give_up
def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    with visited_seat(args.path, alone=True) as replica:
        for _ in range(_LOOKS):
            replica.synchronize()
        replica.store.publish()
        for one in replica.store.displaced:
            say(describe_displaced(one))
        voting = voting_duty(replica)
        try:
            if isinstance(voting, ViewVoting):
                emit(_vote_in_view(replica, voting, args.says, args.on))
            else:
                emit(_vote(replica, voting, args.says, args.on))
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


def _vote_in_view(replica: Replica, voting: ViewVoting, says: str, on: str | None) -> str:
    """Vote for going on without whoever is awaited, or claim the game of two."""
    state, game = replica.graph.state, replica.game
    called = [*game.called.values()]
    if state.tp == "top":
        raise VotingProblem(f"the game is over: {called[state.ap - 1]} has won")
    voting.go_on()  # what is due by the votes of others may settle it
    found = voting.prospects()
    party_of = parties_of(game)
    if on is not None:
        found = tuple(one for one in found if one.absent == party_of.get(game.player_of(on) or 0))
    if len(found) != 1:
        raise VotingProblem(_nobody(True, [called[one.absent - 1] for one in found], on and game.called.get(on, on)))
    prospect = found[0]
    if prospect.is_claim:
        if says == "no":
            raise VotingProblem("only two are left: there is nothing to say no to")
        return f"{called[replica.player - 1]} claims the game: {voting.claim().commit}"
    if prospect.said is None or says == "no":
        voting.vote(prospect.absent, "yes" if says == "yes" else "no")
    after = next((one for one in voting.prospects() if one.absent == prospect.absent), None)
    gone = called[prospect.absent - 1]
    return f"the game goes on without {gone}" if after is None else after.in_words(called)


def _vote(replica: Replica, voting: VotingDuty, says: str, on: str | None) -> str:
    state = replica.graph.state
    colours, called = [*replica.game.called], [*replica.game.called.values()]
    if state.tp == "top":
        raise VotingProblem(f"the game is over: {called[state.ap - 1]} has won")
    # Proofs and the votes of others come first: they can settle who leaves, and then there is nothing to vote on.
    charged = voting.charge_liars() if says == "yes" else []
    written = voting.go_on()
    if charged:
        return _charged(replica, charged[0], called)
    if written and (replica.graph.state is not state or says == "no"):
        return _told(written[-1], called)
    if on is None and (lie := _lie_under_way(replica)) is not None:
        liar, voted = lie
        already = f"{called[replica.player - 1]} has said yes already to going on without {called[liar - 1]}"
        lacking = _spell_lacking(replica.graph, liar, voted, called)
        raise VotingProblem(f"{already}, whose lie is proven{lacking}; vote on somebody else with --on COLOUR")
    if state.constants.rules.leaving and len(state.present) == 2:
        if says == "no":
            raise VotingProblem("only two are left: yes claims the game, and there is nothing to say no to")
        return f"{called[replica.player - 1]} claims the game: {voting.claim().commit}"
    silent = [player for player in voting.voter.silent() if on in (None, colours[player - 1])]
    if not state.constants.rules.leaving or len(silent) != 1:
        raise VotingProblem(
            _nobody(
                state.constants.rules.leaving,
                [called[one - 1] for one in silent],
                on and replica.game.called.get(on, on),
            )
        )
    voting.vote(silent[0], "yes" if says == "yes" else "no")
    if excused := voting.go_on():
        return _told(excused[-1], called)
    graph, absent = replica.graph, silent[0]
    said = graph.ballot.of(graph.line.round_of(absent))
    return f"yes to going on without {called[absent - 1]}{_next(graph, absent, said, called)}"


def _told(step: LoggedStep, called: list[str]) -> str:
    """The result of the votes, in words."""
    assert isinstance(step.action, Vote | Excuse)
    absent = called[step.action.absent - 1]
    if isinstance(step.action, Vote):
        return f"no to going on without {absent}, who has done {step.entry.names}"
    return f"everybody has said yes: {absent} is excused by {step.commit}"


def _charged(replica: Replica, step: LoggedStep, called: list[str]) -> str:
    """The result of a vote with the proof of a lie, in words."""
    charge, graph = step.entry.charge, replica.graph
    assert isinstance(step.action, Vote) and charge is not None
    liar = step.action.absent
    held = "" if charge.holds is None else f"; {charge.holds} is held here"
    told = f"yes to going on without {called[liar - 1]}, who has signed both {' and '.join(charge.commits)}{held}"
    if graph.state.away[liar - 1]:
        return f"{told}; excused by {graph.head}"
    voted = next(said for round in graph.settling.rounds() if step.commit in _commits(said := graph.ballot.of(round)))
    return f"{told}{_next(graph, liar, voted, called) or '; all others have said so'}"


def _lie_under_way(replica: Replica) -> tuple[Player, Collection[Player]] | None:
    """The player on whose lie this player has voted and who is not excused yet, and the players who have voted."""
    graph = replica.graph
    for round in graph.settling.rounds():
        voted = graph.settling.charges(round)
        if replica.player in voted and not graph.state.away[round.absent - 1]:
            return round.absent, voted
    return None


def _spell_lacking(graph: CommitGraph, absent: Player, voted: Collection[Player], called: list[str]) -> str:
    lacking = [called[one - 1] for one in graph.state.present if one != absent and one not in voted]
    return f"; not voted yet: {listed(lacking)}" if lacking else ""


def _commits(said: Mapping[Player, CastVote]) -> set[ObjectId]:
    return {cast.commit for cast in said.values()}


def _next(graph: CommitGraph, absent: Player, voted: Collection[Player], called: list[str]) -> str:
    """The next step after a vote, in words: who excuses the absent player, or who has not voted yet."""
    if absent in votes.excusable(graph.ledger):
        return f"; {called[excuser(graph.state, absent) - 1]} excuses {called[absent - 1]} next"
    return _spell_lacking(graph, absent, voted, called)


def _nobody(leaving: bool, silent: list[str], on: str | None) -> str:
    if not leaving:
        return "nobody may leave this game: it was not begun with new-game --leaving"
    if len(silent) > 1:
        return f"{listed(silent)} are awaited: say on whom with --on COLOUR"
    return f"{on} is not awaited" if on else "nobody else is awaited"
