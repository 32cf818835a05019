"""Whether a commit is valid: that follows from what it links to, and nothing else.

Every commit continues its player's chain and keeps what the chain has promised; in a game with views it names its
player's previous commit (``After``). An action or reply is judged by the game after its first parent and the replies
that it merges; what parties sign about a change of the view by ``log.views.rules``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from catan_p2p.game.actions import ComeBack, Excuse, Pledge
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.limits import MAX_COMMIT_BYTES, MAX_HIDDEN_COMMIT_BYTES, MAX_PARENTS
from catan_p2p.log import authorship
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.commit import LogEntry, decode_commit, parse_entry
from catan_p2p.log.game import FormatError
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.nodes import DueRecord, LineNode, Promises, ReplyNode
from catan_p2p.log.place import CommitPlace, Refused
from catan_p2p.log.rules import RULES
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Put, SuccessorTree, hash_only
from catan_p2p.log.valid_commits import ValidCommits, after_own_shares, next_record, owing_first
from catan_p2p.log.verdict import CommitRejected, LoggedStep, too_large
from catan_p2p.log.views.messages import ViewMessage
from catan_p2p.log.views.nodes import Node
from catan_p2p.log.views.rules import VIEW_RULES


def judge(
    graph: ValidCommits, commit: ObjectId, data: bytes, put: Put = hash_only, successor: SuccessorTree | None = None
) -> Node | CommitRejected:
    """Judge the bytes of a commit whose parents are all in the graph; the graph does not change.

    The bytes must match the id. ``put`` receives every new file and tree of an action. A tree that the judge has
    already made for the same action, ``successor``, is not made again, and nothing of it is put.
    """
    is_hidden = graph.game.constants.rules.hands == "hidden"
    most = MAX_HIDDEN_COMMIT_BYTES if is_hidden else MAX_COMMIT_BYTES
    if len(data) > most:
        return too_large(commit, data, most)
    try:
        parts = decode_commit(data)
        if not parts.parents:
            return CommitRejected("game", commit, f"it begins another game than {graph.root[:10]}")
        entry = parse_entry(parts.message, graph.game.constants)
        action, after = entry.action, entry.after
        if graph.has_views and after is None:
            raise FormatError("it names no previous commit of its player (After)")
        if not graph.has_views and after is not None:
            raise FormatError("it names a previous commit of its player, as in a game with views")
        if graph.has_views and len(parts.parents) > MAX_PARENTS:
            raise FormatError(f"it has {len(parts.parents)} parents, expected at most {MAX_PARENTS}")
    except FormatError as error:
        return CommitRejected("format", commit, str(error))
    player = action.player
    if player > len(graph.game.seats):
        return CommitRejected("format", commit, f"there is no player {player}")
    forged = authorship.forgery(commit, parts, graph.game, player, graph.verify)
    if forged is not None:
        return forged
    if not graph.known >= {*parts.parents}:
        return CommitRejected("parents", commit, "it builds on a commit that is not known")
    try:
        place = CommitPlace(graph, commit, parts, after, player)
        if isinstance(action, ViewMessage):
            return VIEW_RULES[action.kind](place, action)
        return (_reply if is_reply(action) else _action)(place, entry, put, successor)
    except Refused as error:
        return CommitRejected(error.reason, commit, str(error), error.guards)


def _action(place: CommitPlace, entry: LogEntry, put: Put, successor: SuccessorTree | None) -> LineNode:
    graph, head = place.graph, place.line()
    at = head.link.commit
    replies = place.replies_to(at)
    view = place.view_at(head)
    place.require_no_more()
    place.require_decided(view, head, replies)
    place.require_free(view, at)
    merged = tuple(node.link.commit for node in replies.values()) if replies else ()
    ledger = graph.ledger_with(head, merged)
    pending = graph.pending(head, view)
    # Whoever is proven to have lied about cards is excused by the proof alone; their party stays in the view.
    is_proven = isinstance(entry.action, Excuse) and (entry.seal is not None or entry.place is not None)
    is_record = isinstance(entry.action, Excuse | ComeBack) and not is_proven
    if pending or is_record:
        _require_record(place, entry, ledger, pending)
        pending = pending[1:]
    ledger = after_own_shares(ledger, place.player, place.promises.told)
    step = _judged(Candidate(place.commit, place.parts_of((at, *merged)), entry, ledger, put, successor))
    mine = place.promises
    after = Promises(
        view, place.commit, mine.replied_to, mine.reply, asked=mine.asked, told=_told(place, entry, ledger)
    )
    return LineNode(place.link(after), ledger.extend(step), view, pending, step)


def _require_record(place: CommitPlace, entry: LogEntry, ledger: Ledger, pending: Sequence[DueRecord]) -> None:
    state, action = ledger.line.state, entry.action
    if not pending:
        raise Refused("votes", "expected no record, since nothing was decided")
    expected = next_record(state, pending)
    if type(action) is not type(expected) or replace(action, player=expected.player) != expected:
        what = "return" if pending[0].is_back else "excuse"
        raise Refused("votes", f"expected the {what} of player {expected.absent}")
    if owing := owing_first(state, pending):
        raise Refused("guard", f"player {owing[0]} owes a reply first")
    if action.player != expected.player:
        raise Refused("votes", f"player {expected.player} records the decision")


def _reply(place: CommitPlace, entry: LogEntry, put: Put, successor: SuccessorTree | None) -> ReplyNode:
    head = place.line()
    view = place.view_at(head)
    place.require_no_more()
    place.require_free(view, head.head)
    player = place.player
    if place.party not in view.present:
        raise Refused("excused", f"player {player} is left out")
    if place.promises.reply_to(head.head) is not None:
        raise Refused("promise", f"its player has replied to {head.head[:10]} already")
    ledger = after_own_shares(place.graph.ledger_with(head, ()), player, place.promises.told)
    step = _judged(Candidate(place.commit, place.parts_of((head.head,)), entry, ledger, put, successor))
    asked, told = place.promises.asked, _told(place, entry, ledger)
    after = Promises(view, head.head, head.head, place.commit, asked=asked, told=told)
    return ReplyNode(place.link(after), step, head.head, view)


def _told(place: CommitPlace, entry: LogEntry, ledger: Ledger) -> int:
    """The number of the newest share that the player has told once the commit is there."""
    if entry.share is None:
        return place.promises.told
    return 0 if isinstance(entry.action, Pledge) else ledger.known_shares.next_number(place.player)


def _judged(candidate: Candidate) -> LoggedStep:
    if candidate.before.parents != candidate.parents:
        raise Refused("parents", f"{type(candidate.action).__name__} cannot follow these replies")
    for rule in RULES:
        if (refusal := rule(candidate)) is not None:
            raise Refused(refusal.reason, refusal.detail, refusal.guards)
    return candidate.accepted()
