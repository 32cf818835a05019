"""Whether a vote, a proposal, an acceptance or a request is valid, as spec/CatanViews.tla says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from catan_p2p.game.actions import ComeBack
from catan_p2p.game.cards import NO_CARDS, Cards
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import broken_guards
from catan_p2p.limits import MAX_CHANGES, MAX_ROUNDS
from catan_p2p.log.nodes import LineNode, Promises
from catan_p2p.log.place import CommitPlace, Refused
from catan_p2p.log.views.deciding import side_of, value_of
from catan_p2p.log.views.messages import MessageKind, ViewMessage
from catan_p2p.log.views.nodes import AcceptanceNode, Node, ProposalNode, RequestNode, VoteNode
from catan_p2p.log.views.view import Change, View


def _in_round(place: CommitPlace, change: Change, message: ViewMessage) -> Promises:
    """The promises after a message in a round of a change, which must be allowed by those before."""
    mine = place.promises
    if place.party not in change.members:
        raise Refused("excused", f"player {place.party} does not count in this change")
    if change.again >= MAX_CHANGES:
        raise Refused("votes", f"view {change.number} is the last one")
    if not 1 <= message.round <= MAX_ROUNDS or message.player != place.party or message.view != change.number:
        raise Refused("votes", f"round {message.round} of player {message.player} from view {message.view}")
    if mine.change != change:
        return mine._replace(change=change, round=message.round, signed=frozenset((message.kind,)), accepted=None)
    is_behind = message.round < mine.round or (message.kind == "vote" and message.round == mine.round)
    if is_behind or (message.round == mine.round and message.kind in mine.signed):
        raise Refused("promise", f"its player has already signed something in round {mine.round}")
    signed = mine.signed if message.round == mine.round else frozenset()
    return mine._replace(round=message.round, signed=signed | {message.kind})


def _vote(place: CommitPlace, message: ViewMessage) -> VoteNode:
    graph, head = place.graph, place.line()
    replies = place.replies_to(head.head)
    view = place.view_at(head)
    place.require_decided(view, head, replies)
    change = place.change_from(view)
    votes = place.votes(change, (message.round - 1, message.round))
    requests = place.requests(change)
    place.forks()
    _require_round(votes, change, message)
    mine = place.promises
    # Whoever hears of two decisions gives up the change from one of them.
    if mine.change != change and not (change.without and mine.has_left(view)):
        place.require_free(view, head.head)
    elif not graph.line.leads(head.head, mine.built_on):
        side = side_of(graph, votes) if votes else None
        # Where a liar has divided the voters, all go over to what more than half of them lead to.
        if side is None or not graph.line.leads(head.head, side):
            raise Refused("promise", f"its player has already built on {mine.built_on[:10]}")
    held = {player: node.link.commit for player, node in replies.items()}
    if mine.reply_to(head.head) not in (None, held.get(place.player)) and not graph.is_exact(head, view):
        raise Refused("promise", "it lacks a reply by its own player")
    waited = graph.awaited(head.head, held, view)
    if not {*message.waits} <= waited - {place.party}:
        raise Refused("votes", "its voter cannot have waited for those")
    place.require_tree(head.tree)
    after = _in_round(place, change, message)._replace(view=view, built_on=head.head, left=view)
    link = place.link(after)
    return VoteNode(link, change, message.round, head.head, held, message.waits, requests, view, head.tree)


def _require_round(votes: Sequence[VoteNode], change: Change, message: ViewMessage) -> None:
    """A later round begins with votes of more than half in the one before, or in that round: never with one alone."""
    is_begun = any(
        change.is_majority([vote.link.player for vote in votes if vote.round == round])
        for round in (message.round - 1, message.round)
    )
    if message.round > 1 and not is_begun:
        raise Refused("votes", f"no more than half have voted in round {message.round - 1}, or in this one")


def _propose(place: CommitPlace, message: ViewMessage) -> ProposalNode:
    graph = place.graph
    votes = place.votes(None, (message.round,))
    if not votes:
        raise Refused("votes", "a proposal merges votes")
    change = votes[0].change
    if len({vote.link.player for vote in votes}) < len(votes):
        raise Refused("votes", "it merges two votes of one party")
    if change.coordinator(message.round) != place.party:
        raise Refused("votes", f"player {change.coordinator(message.round)} coordinates round {message.round}")
    found = value_of(graph, votes)
    if found is None:
        raise Refused("votes", "the votes that it merges give no value")
    value, new = found
    head = graph.nodes[value.head]
    place.require_tree(head.tree)
    link = place.link(_taking_part(place, message, change, new))
    return ProposalNode(link, change, message.round, value.head, value, new, head.tree)


def _accept(place: CommitPlace, message: ViewMessage) -> AcceptanceNode:
    proposal = place.proposal()
    if proposal.round != message.round:
        raise Refused("votes", "it accepts no proposal of this round")
    after = _taking_part(place, message, proposal.change, proposal.view)
    place.require_tree(proposal.tree)
    link = place.link(after._replace(accepted=(message.round, proposal.value, proposal.view)))
    return AcceptanceNode(link, *proposal[1:5], proposal.view, proposal.tree)


def _taking_part(place: CommitPlace, message: ViewMessage, change: Change, new: View) -> Promises:
    """The promises of who proposes or accepts in a change: they sign nothing more of the view that is left."""
    mine, view = place.promises, new.before
    assert view is not None
    after = _in_round(place, change, message)
    if mine.change == change:
        return after
    if change.without:
        raise Refused("promise", "its player has not voted in this settlement")
    if not view.is_from(mine.view):
        raise Refused("promise", "its player has signed something in a later view")
    built_on = mine.built_on if view.id == mine.view.id else view.value.head
    return after._replace(view=view, built_on=built_on, left=view)


def _request(place: CommitPlace, message: ViewMessage) -> RequestNode:
    head, mine = place.line(), place.promises
    view = place.view_at(head)
    if not place.graph.game.constants.rules.returns:
        raise Refused("excused", "nobody comes back at this table")
    if place.party in view.present or message.player != place.party or message.view != view.number:
        raise Refused("votes", f"player {message.player} asks in view {message.view}")
    if place.party in place.graph.forked(place.parents):
        raise Refused("excused", f"player {place.party} has forked")
    if not view.is_from(mine.view):
        raise Refused("promise", "its player has signed something in a later view")
    if mine.asked is not None and (mine.asked.id == view.id or not view.is_from(mine.asked)):
        raise Refused("promise", "its player has asked in this view, or a later one")
    place.require_tree(head.tree)
    shown = _shown(place, message, head, view)
    return RequestNode(place.link(mine._replace(asked=view)), view, head.head, head.tree, shown)


def _shown(place: CommitPlace, message: ViewMessage, head: LineNode, view: View) -> Mapping[Player, Cards]:
    """The sealed cards that a request opens, all of its party, by seat.

    Where hands are hidden, each seat may come back once the phase is one in which it can: so its hand is as it stays.
    """
    graph, sealed_cards, state = place.graph, head.ledger.line.sealed_cards, head.ledger.line.state
    seats = graph.may_return(place.party, head.ledger)
    if sealed_cards is None:
        if message.openings:
            raise Refused("format", "it opens cards, and no hands are hidden")
        return {}
    if graph.pending(head, view) or not seats:
        raise Refused("guard", "a record is due before its party can come back")
    sealed = [seat for seat in seats if state.hid.sealed[seat - 1]]
    if len(message.openings) != len(sealed):
        raise Refused("seal", f"it opens {len(message.openings)} hands, expected {len(sealed)}")
    openings = dict(zip(sealed, message.openings, strict=True))
    for seat in seats:
        shown = openings[seat].shown if seat in openings else NO_CARDS
        broken = {*broken_guards(state, ComeBack(state.present[0], seat, shown))} - {"CB1 phase", "CB4 foreseen"}
        if broken:
            raise Refused("guard", f"player {seat} may not come back: {', '.join(sorted(broken))}", (*sorted(broken),))
        if seat not in openings:
            continue
        wrong = sealed_cards.opening_problem(seat, shown, openings[seat].seal, head.head)
        if wrong is not None:
            raise Refused("seal", wrong.reason)
    return {seat: one.shown for seat, one in openings.items()}


VIEW_RULES: Mapping[MessageKind, Callable[[CommitPlace, ViewMessage], Node]] = {
    "vote": _vote,
    "propose": _propose,
    "accept": _accept,
    "request": _request,
}
