"""Whether a commit of a game with views is valid: that follows from what it links to, and nothing else.

Every commit continues its player's chain (``After``) and keeps what the chain has promised. An action or reply is
judged by the game after its first parent and the replies that it merges; votes, proposals and acceptances as
spec/CatanViews.tla says. A commit's parents have one order: what it builds on, the replies to that, what it merges of a
change, by id, and its player's previous commit, unless that is an ancestor of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from catan_p2p.game.actions import Excuse, Pledge
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.constants import Player
from catan_p2p.limits import MAX_CHANGES, MAX_COMMIT_BYTES, MAX_HIDDEN_COMMIT_BYTES, MAX_PARENTS, MAX_ROUNDS
from catan_p2p.log import authorship
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.commit import Commit, LogEntry, decode_commit, parse_entry
from catan_p2p.log.game import FormatError
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.rules import actions
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Put, StateTree, hash_only
from catan_p2p.log.verdict import CommitRejected, Reason, too_large
from catan_p2p.log.views.graph import ViewGraph, after_own_shares, is_needed_first, next_seat
from catan_p2p.log.views.messages import MessageKind, ViewMessage
from catan_p2p.log.views.nodes import (
    AcceptanceNode,
    ChainLink,
    LineNode,
    Node,
    Promises,
    ProposalNode,
    ReplyNode,
    VoteNode,
)
from catan_p2p.log.views.view import Change, View

RULES = (actions.guard, actions.chance, actions.sealed, actions.tree)
"""What an action may do, apart from its place."""


class Refused(Exception):
    """A commit is refused; ``reason`` is one of those in ``log.verdict``."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason: Reason = reason


def judge(graph: ViewGraph, commit: ObjectId, data: bytes, put: Put = hash_only) -> Node | CommitRejected:
    """Judge the bytes of a commit whose parents are all in the graph; the graph does not change.

    The bytes must match the id. ``put`` receives every new file and tree of an action.
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
        if after is None:
            raise FormatError("it names no previous commit of its player (After)")
        if len(parts.parents) > MAX_PARENTS:
            raise FormatError(f"it has {len(parts.parents)} parents, expected at most {MAX_PARENTS}")
    except FormatError as error:
        return CommitRejected("format", commit, str(error))
    player = action.player
    if player > len(graph.game.seats):
        return CommitRejected("format", commit, f"there is no player {player}")
    forged = authorship.forgery(commit, parts, graph.game, player, graph.verify)
    if forged is not None:
        return forged
    try:
        place = _Place(graph, commit, parts, after, player)
        if isinstance(action, ViewMessage):
            return _VIEW_RULES[action.kind](place, action)
        return (_reply if is_reply(action) else _action)(place, entry, put)
    except Refused as error:
        return CommitRejected(error.reason, commit, str(error))
    except _BrokenRule as broken:
        return broken.refusal


class _BrokenRule(Exception):
    def __init__(self, refusal: CommitRejected) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


class _Place:
    """A commit's parents, taken one after the other, and its place in its player's chain."""

    def __init__(self, graph: ViewGraph, commit: ObjectId, parts: Commit, after: ObjectId, player: Player) -> None:
        self.graph, self.commit, self.parts, self.after, self.player = graph, commit, parts, after, player
        self.parents, self.party = parts.parents, graph.party_of[player]
        if after not in graph:
            raise Refused("chain", f"After is {after[:10]}, which it does not link to")
        self.promises: Promises = graph.nodes[after].link.promises
        if after != graph.root and graph.nodes[after].link.player != player:
            raise Refused("chain", f"After is {after[:10]}, which is by another player")
        self._left = list(self.parents)

    def first(self) -> Node:
        """Take the first parent: what it builds on."""
        return self.graph.nodes[self._left.pop(0)]

    def line(self) -> LineNode:
        """Take the first parent, which must be in the line."""
        node = self.first()
        if not isinstance(node, LineNode):
            raise Refused("parents", f"it builds on {node.link.commit[:10]}, which is no action of the line")
        return node

    def replies_to(self, head: ObjectId) -> dict[Player, ReplyNode]:
        """Take the replies to a commit of the line, by player, in the order of players."""
        found: dict[Player, ReplyNode] = {}
        while self._left and isinstance(node := self.graph.nodes[self._left[0]], ReplyNode) and node.head == head:
            player = node.step.action.player
            if found and player <= max(found):
                break
            found[player] = node
            self._left.pop(0)
        return found

    def votes(self, change: Change | None, rounds: Sequence[int]) -> list[VoteNode]:
        """Take further parents that are votes in these rounds of a change, in the order of their ids; None: of one."""
        found: list[VoteNode] = []
        while self._left and isinstance(node := self.graph.nodes[self._left[0]], VoteNode):
            change = change or node.change
            is_next = not found or found[-1].link.commit < node.link.commit
            if not is_next or node.change != change or node.round not in rounds:
                break
            found.append(node)
            self._left.pop(0)
        return found

    def forks(self) -> None:
        """Take further parents that prove forks, in the order of their ids: at most two of a player's commits."""
        found: list[ObjectId] = []
        while self._left and self._left != [self.after] and self._left[0] > (found[-1] if found else ""):
            found.append(self._left.pop(0))
        count = Counter(self.graph.nodes[commit].link.player for commit in found)
        tips, own = self.graph.tips(self._taken), self.party
        if any(n > 2 or len(tips[one]) < 2 or self.graph.party_of[one] == own for one, n in count.items()):
            raise Refused("parents", "it merges commits that prove nothing")

    def link(self, promises: Promises) -> ChainLink:
        """Return the place in the chain, once all parents are taken; ``promises`` are those after the commit."""
        graph, player, after = self.graph, self.player, self.after
        before = graph.tips(self._taken)
        if self._left:
            if self._left != [after] or any(graph.chains.leads(end, after) for end in before[player]):
                raise Refused("parents", f"it merges {self._left[0][:10]} for no reason, or in the wrong place")
            before = graph.tips(self.parents)
        # Whoever links to something that they have signed after ``after`` has forked, and knows it.
        if before[player] != {after}:
            raise Refused("chain", f"After is {after[:10]}, but it links to something else by the same player")
        tips = {**before, player: frozenset((self.commit,))}
        height = 1 + max(graph.nodes[parent].link.height for parent in self.parents)
        return ChainLink(self.commit, self.parents, player, after, height, tips, promises)

    @property
    def _taken(self) -> tuple[ObjectId, ...]:
        """The parents taken so far."""
        return self.parents[: len(self.parents) - len(self._left)]

    def require_tree(self, tree: StateTree) -> None:
        """Refuse another tree than this one."""
        if self.parts.tree != tree.root:
            raise Refused("tree", f"its tree is {self.parts.tree[:10]}, expected {tree.root[:10]}")

    # Views

    def decision(self) -> AcceptanceNode | None:
        """Take the acceptances that follow if they are of more than half, and return one of them."""
        found: list[AcceptanceNode] = []
        for commit in self._left:
            node = self.graph.nodes[commit]
            if not isinstance(node, AcceptanceNode) or (found and node[1:5] != found[0][1:5]):
                break
            if found and commit <= found[-1].link.commit:
                break
            found.append(node)
        # One alone may be the player's previous commit.
        if not found or not found[0].change.is_majority([node.link.player for node in found]):
            return None
        self._left = self._left[len(found) :]
        return found[0]

    def change_from(self, view: View) -> Change:
        """Take another decision that follows, and return the change of a vote: a settlement where there are two."""
        mine = self.promises
        if (other := self.decision()) is not None:
            left = view.passed(other.change.id)
            if left is None or other.change.without or view.has_passed(other.view.id):
                raise Refused("votes", "the decision that it merges contradicts none of its own view")
            return Change.of(left, self.graph.forked(self._taken))
        if mine.change is not None and mine.has_left(view):
            return mine.change
        return Change.of(view)

    def view_at(self, head: LineNode) -> View:
        """Take the acceptances that follow, and return the view in which the commit is: theirs, or that of the head."""
        if (one := self.decision()) is None:
            return head.view
        view: View | None = one.view
        # Several decisions may begin at one commit, if nobody recorded the first.
        while view is not None and view.id != head.view.id:
            if view.value.head != head.head:
                raise Refused("votes", "the decision that it merges begins at another commit")
            view = view.before
        if view is None:
            raise Refused("votes", "the decision that it merges leads from another view")
        return one.view

    def require_decided(self, view: View, head: LineNode, replies: dict[Player, ReplyNode]) -> None:
        """Refuse what begins a view without the replies that were decided, or with others by who is left out."""
        if view.value.head != head.head:
            return
        if not {*view.value.replies} <= {node.link.commit for node in replies.values()}:
            raise Refused("votes", "it lacks replies that were decided")
        for player, node in replies.items():
            if node.link.commit not in view.value.replies and self.graph.party_of[player] not in view.present:
                raise Refused("votes", f"it merges a reply of player {player}, who is left out")

    def require_free(self, view: View, head: ObjectId) -> None:
        """Refuse an action, reply or first vote that goes back behind something that its player has signed."""
        mine = self.promises
        if mine.has_left(view):
            raise Refused("promise", "its player has voted in this view, and signs nothing more of it")
        if view.id == mine.view.id:
            if not self.graph.line.leads(head, mine.built_on):
                raise Refused("promise", f"its player has already built on {mine.built_on[:10]}")
        elif not view.is_from(mine.view):
            raise Refused("promise", "its player has signed something in a later view")


# Actions and replies


def _action(place: _Place, entry: LogEntry, put: Put) -> LineNode:
    graph, head = place.graph, place.line()
    replies = place.replies_to(head.head)
    view = place.view_at(head)
    place.require_decided(view, head, replies)
    place.require_free(view, head.head)
    ledger = graph.ledger_with(head, [replies[player].link.commit for player in replies])
    pending = graph.pending(head, view)
    # Whoever is proven to have lied about cards is excused by the proof alone; their party stays in the view.
    accuses = isinstance(entry.action, Excuse) and (entry.seal is not None or entry.place is not None)
    if pending or (isinstance(entry.action, Excuse) and not accuses):
        _require_record(place, entry, ledger, pending)
        pending = pending[1:]
    ledger = after_own_shares(ledger, place.player, place.promises.told)
    candidate = _candidate(place, entry, ledger, (head.head, *(node.link.commit for node in replies.values())), put)
    step = candidate.accepted()
    mine = place.promises
    after = Promises(view, place.commit, mine.replied_to, mine.reply, told=_told(place, entry, ledger))
    return LineNode(place.link(after), ledger.extend(step), view, pending, step)


def _require_record(place: _Place, entry: LogEntry, ledger: Ledger, pending: Sequence[Player]) -> None:
    state, action = ledger.line.state, entry.action
    if not isinstance(action, Excuse) or not pending or action.absent != pending[0]:
        expected = f"the excuse of player {pending[0]}" if pending else "no excuse, since nobody was left out"
        raise Refused("votes", f"expected {expected}")
    staying = [seat for seat in state.present if seat not in pending]
    if owing := [seat for seat in staying if is_needed_first(state, seat, pending)]:
        raise Refused("guard", f"player {owing[0]} owes a reply first")
    author = next_seat(state, staying)
    if action.player != author:
        raise Refused("votes", f"player {author} records the decision")


def _reply(place: _Place, entry: LogEntry, put: Put) -> ReplyNode:
    head = place.line()
    view = place.view_at(head)
    place.require_free(view, head.head)
    player = place.player
    if place.party not in view.present:
        raise Refused("excused", f"player {player} is left out")
    if place.promises.reply_to(head.head) is not None:
        raise Refused("promise", f"its player has replied to {head.head[:10]} already")
    ledger = after_own_shares(place.graph.ledger_with(head, ()), player, place.promises.told)
    step = _candidate(place, entry, ledger, (head.head,), put).accepted()
    after = Promises(view, head.head, head.head, place.commit, told=_told(place, entry, ledger))
    return ReplyNode(place.link(after), step, head.head, view)


def _told(place: _Place, entry: LogEntry, ledger: Ledger) -> int:
    """The number of the newest share that the player has told once the commit is there."""
    if entry.share is None:
        return place.promises.told
    return 0 if isinstance(entry.action, Pledge) else ledger.known_shares.next_number(place.player)


def _candidate(place: _Place, entry: LogEntry, ledger: Ledger, parents: tuple[ObjectId, ...], put: Put) -> Candidate:
    candidate = Candidate(place.commit, place.parts._replace(parents=parents), entry, ledger, put)
    if candidate.before.parents != parents:
        raise Refused("parents", f"{type(entry.action).__name__} cannot follow these replies")
    for rule in RULES:
        if (refusal := rule(candidate)) is not None:
            raise _BrokenRule(refusal)
    return candidate


# Changes of the view


def _in_round(place: _Place, change: Change, message: ViewMessage) -> Promises:
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


def _vote(place: _Place, message: ViewMessage) -> VoteNode:
    graph, head = place.graph, place.line()
    replies = place.replies_to(head.head)
    view = place.view_at(head)
    place.require_decided(view, head, replies)
    change = place.change_from(view)
    votes = place.votes(change, (message.round - 1, message.round))
    place.forks()
    _require_round(votes, change, message)
    mine = place.promises
    # Whoever hears of two decisions gives up the change from one of them.
    if mine.change != change and not (change.without and mine.has_left(view)):
        place.require_free(view, head.head)
    elif not graph.line.leads(head.head, mine.built_on):
        side = graph.side_of(votes) if votes else None
        # Where a liar has divided the voters, all go over to what more than half of them lead to.
        if side is None or not graph.line.leads(head.head, side):
            raise Refused("promise", f"its player has already built on {mine.built_on[:10]}")
    held = {player: node.link.commit for player, node in replies.items()}
    if mine.reply_to(head.head) not in (None, held.get(place.player)):
        raise Refused("promise", "it lacks a reply by its own player")
    waited = graph.awaited(head.head, held, view)
    if not {*message.waits} <= waited - {place.party}:
        raise Refused("votes", "its voter cannot have waited for those")
    place.require_tree(head.tree)
    after = _in_round(place, change, message)._replace(view=view, built_on=head.head, left=view)
    link = place.link(after)
    return VoteNode(link, change, message.round, head.head, held, message.waits, view, head.tree)


def _require_round(votes: Sequence[VoteNode], change: Change, message: ViewMessage) -> None:
    """A later round begins with votes of more than half in the one before, or in that round: never with one alone."""
    is_begun = any(
        change.is_majority([vote.link.player for vote in votes if vote.round == round])
        for round in (message.round - 1, message.round)
    )
    if message.round > 1 and not is_begun:
        raise Refused("votes", f"no more than half have voted in round {message.round - 1}, or in this one")


def _propose(place: _Place, message: ViewMessage) -> ProposalNode:
    graph = place.graph
    votes = place.votes(None, (message.round,))
    if not votes:
        raise Refused("votes", "a proposal merges votes")
    change = votes[0].change
    if len({vote.link.player for vote in votes}) < len(votes):
        raise Refused("votes", "it merges two votes of one party")
    if change.coordinator(message.round) != place.party:
        raise Refused("votes", f"player {change.coordinator(message.round)} coordinates round {message.round}")
    found = graph.value_of(votes)
    if found is None:
        raise Refused("votes", "the votes that it merges give no value")
    value, new = found
    head = graph.nodes[value.head]
    place.require_tree(head.tree)
    link = place.link(_taking_part(place, message, change, new))
    return ProposalNode(link, change, message.round, value.head, value, new, head.tree)


def _accept(place: _Place, message: ViewMessage) -> AcceptanceNode:
    proposal = place.first()
    if not isinstance(proposal, ProposalNode) or proposal.round != message.round:
        raise Refused("votes", "it accepts no proposal of this round")
    after = _taking_part(place, message, proposal.change, proposal.view)
    place.require_tree(proposal.tree)
    link = place.link(after._replace(accepted=(message.round, proposal.value, proposal.view)))
    return AcceptanceNode(link, *proposal[1:5], proposal.view, proposal.tree)


def _taking_part(place: _Place, message: ViewMessage, change: Change, new: View) -> Promises:
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


_VIEW_RULES: Mapping[MessageKind, Callable[[_Place, ViewMessage], Node]] = {
    "vote": _vote,
    "propose": _propose,
    "accept": _accept,
}
