"""What follows from votes and decisions: the change that comes next, and the value that the votes of a round give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from catan_p2p.game.actions import ComeBack
from catan_p2p.game.actions.parts import sealed_by, unseen
from catan_p2p.game.actions.roll_dice import first_cards
from catan_p2p.game.cards import Cards
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import broken_guards, effect
from catan_p2p.game.state import State
from catan_p2p.log.ancestors import Ancestors
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.valid_commits import ValidCommits
from catan_p2p.log.views.changes import Decision
from catan_p2p.log.views.nodes import VoteNode
from catan_p2p.log.views.view import Change, View, ViewValue


def conflict(valid: ValidCommits) -> tuple[Change, Decision] | None:
    """Two decisions of one change: the settlement that follows, and the decision that is not this line's.

    Of several changes, the newest one.
    """
    found = valid.changes.contradicted(valid.view)
    if found is None:
        return None
    left, own, other = found
    return Change.of(left, valid.forked((*own.acceptances, *other.acceptances))), other


def next_change(valid: ValidCommits) -> Change:
    """The change that comes next: a settlement, where there are two decisions."""
    found = conflict(valid)
    return Change.of(valid.view) if found is None else found[0]


def _counted(valid: ValidCommits, votes: Sequence[VoteNode]) -> tuple[list[VoteNode], list[Player]]:
    """The votes of parties that have not forked, and those that have, as all of the votes show."""
    proven = valid.forked(vote.link.commit for vote in votes)
    return [vote for vote in votes if vote.link.player not in proven], proven


def value_of(valid: ValidCommits, votes: Sequence[VoteNode]) -> tuple[ViewValue, View] | None:
    """The value that the votes of a round give, and the view that it begins; None if more votes are needed.

    It is what the coordinator of the round proposes: ``Values`` of the specification.
    """
    change = votes[0].change
    counted, proven = _counted(valid, votes)
    voters = {vote.link.player for vote in counted}
    if not change.is_majority(voters):
        return None
    accepted = [vote.accepted for vote in counted if vote.accepted is not None]
    if accepted:
        highest = max(round for round, _, _ in accepted)
        count = Counter(view.id for round, _, view in accepted if round == highest)
        most, uncounted = max(count.values()), len(change.members) - len(counted)
        id, *others = sorted(id for id in count if count[id] == most)
        # In a tie one of them may have been decided by those who are not counted: then more votes are needed.
        is_open = {*change.members} - voters - {*proven}
        if others and is_open and 2 * (most + uncounted) > len(change.members):
            return None
        return next((value, view) for _, value, view in accepted if view.id == id)
    counted = kept_side(counted, change)
    head = walk(counted, valid.line)
    there = [vote for vote in counted if vote.head == head]
    view = max((vote.view for vote in there), key=lambda one: (one.number, one.id))
    held: dict[Player, set[ObjectId]] = {}
    for vote in there:
        for player, reply in vote.replies.items():
            held.setdefault(player, set()).add(reply)
    # Two replies of one player prove a fork, and neither is of the line then.
    replies = {player: next(iter(found)) for player, found in sorted(held.items()) if len(found) == 1}
    waited = valid.awaited(head, replies, view)
    # A vote keeps its voter in, but once: whoever was awaited at this very commit before must have replied, or act now.
    named = {party for party in waited if change.is_majority([v.link.player for v in there if party in v.waits])}
    lasting = set[Player]()
    if view.begins_again_at(head):
        replied = {valid.party_of[player] for player, one in replies.items() if one not in view.value.replies}
        lasting = named & valid.awaited(head, dict(enumerate(view.value.replies)), view) - replied
    missing = waited - voters - {*proven}
    if not missing <= named:
        return None
    asked = {party: request for vote in counted for party, request in vote.requests.items() if party not in proven}
    back = returning(valid, head, replies, view, asked)
    lied = {*proven, *valid.gone(head, view)}
    # Nobody plays alone: then all votes keep their voters in, and if that is not enough, nothing is decided before
    # somebody comes back, with whom there are enough to leave out others by the next change. Nor is it if nobody would
    # be left to record it: whoever comes back can do so only once that is recorded.
    choices = (sorted({*view.present} & {*some, *lied}) for some in (missing | lasting, missing))
    enough = (
        tuple(late) for late in choices if len(view.present) - len(late) >= 2 and valid.can_record(head, view, late)
    )
    out = next(enough, None)
    if out is None:
        if not (change.without or back):
            return None
        out = ()
    proven_out = tuple(party for party in out if party in lied)
    value = ViewValue(head, tuple(replies.values()), out, proven_out, () if out else back)
    return value, view.after(value, change.id if change.without else None)


def returning(
    valid: ValidCommits,
    head: ObjectId,
    replies: Mapping[Player, ObjectId],
    view: View,
    requests: Mapping[Player, ObjectId],
) -> tuple[tuple[Player, ObjectId], ...]:
    """Which requests the game grants after a commit of the line and these replies to it, by party.

    The root stands for a request that is still to be made.
    """
    node, found = valid.line_node(head), list[tuple[Player, ObjectId]]()
    if not requests or valid.pending(node, view):
        return ()
    ledger = valid.ledger_with(node, [replies[player] for player in sorted(replies)])
    state = ledger.line.state
    for party, request in sorted(requests.items()):
        seats = valid.may_return(party, ledger)
        if seats and (after := _with_back(valid, request, state, seats)) is not None:
            state = after
            found.append((party, request))
    return tuple(found)


def _shown(valid: ValidCommits, request: ObjectId, state: State, seat: Player) -> Cards:
    """The sealed cards that a request opens; of one that is still to be made, some."""
    return first_cards(unseen(state), sealed_by(state, seat)) if request == valid.root else valid.shown(request, seat)


def _with_back(valid: ValidCommits, request: ObjectId, state: State, seats: Sequence[Player]) -> State | None:
    """The state in which these seats are back, with the cards opened; None if one of them may not come back."""
    for seat in seats:
        action = ComeBack(state.present[0], seat, _shown(valid, request, state, seat))
        if broken_guards(state, action):
            return None
        state = effect(state, action)
    return state


def side_of(valid: ValidCommits, votes: Sequence[VoteNode], view: View | None = None) -> ObjectId | None:
    """The commit of the line to which votes of more than half lead; None if they are not more than half.

    In a settlement, it is None for a voter whose ``view`` is on the side that is not kept.
    """
    change, (counted, _) = votes[0].change, _counted(valid, votes)
    if not change.is_majority([vote.link.player for vote in counted]):
        return None
    kept = kept_side(counted, change)
    if change.without and view is not None and view.side_of(change.id).id != kept[0].view.side_of(change.id).id:
        return None
    return walk(kept, valid.line)


def kept_side(votes: list[VoteNode], change: Change) -> list[VoteNode]:
    """In a settlement, the votes on the side that is kept: from which more have gone on, then the lower id."""
    if not change.without:
        return votes
    sides = Counter(vote.view.side_of(change.id).id for vote in votes)
    side = min(sides, key=lambda id: (-sides[id], id))
    return [vote for vote in votes if vote.view.side_of(change.id).id == side]


def walk(votes: Collection[VoteNode], line: Ancestors) -> ObjectId:
    """From what all hold on, always the successor that more of the votes hold, then the one with the lower id."""
    heads = [vote.head for vote in votes]
    at = heads[0]
    for head in heads:
        at = line.meeting(at, head)
    while heads := [head for head in heads if head != at and line.leads(head, at)]:
        count = Counter(line.at(head, line.depth(at) + 1) for head in heads)
        at = min(count, key=lambda one: (-count[one], one))
    return at
