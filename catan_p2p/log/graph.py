"""The commit graph of one game as one peer has validated it, and as it grows.

The graph is a line of actions that begins with the root. Where several players owe a reply at the same time, a discard
after a seven or an answer to an offer, their replies hang side by side on the commit that they reply to, and the first
other action after them joins them. Where players may be left out, it also holds what parties sign about that, and the
line may go back, and on from another commit. ``check`` judges a commit by what it links to, ``write`` and ``sign``
write one. All valid commits are in ``valid``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from catan_p2p.game.actions import Action, Call, Pledge, Reveal
from catan_p2p.game.actions.drawing import is_seen, is_shared
from catan_p2p.game.actions.replies import is_reply, may_reply, may_skip_replies
from catan_p2p.game.chance import Nonce, Share
from catan_p2p.game.constants import Player
from catan_p2p.game.move_watcher import Watch
from catan_p2p.game.rules import effect, settlement
from catan_p2p.game.state import State
from catan_p2p.log.authorship import Sign, author_of
from catan_p2p.log.commit import NOTHING_TOLD, Commit, LogEntry, SecretParts, decode_commit, entry_message, parse_entry
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.line import ActionContext
from catan_p2p.log.nodes import LineNode, ReplyNode
from catan_p2p.log.shared_work import SharedWork
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Put, StateTree, SuccessorTree, hash_only, next_tree
from catan_p2p.log.valid_commits import ValidCommits, after_own_shares, owing_first
from catan_p2p.log.verdict import CommitRejected, LoggedStep, Reason, fork
from catan_p2p.log.views.deciding import conflict, next_change, value_of
from catan_p2p.log.views.messages import HandOpening, MessageKind, ViewMessage
from catan_p2p.log.views.nodes import Node, ProposalNode, VoteNode
from catan_p2p.sealing.group import ProofRefused

if TYPE_CHECKING:
    from catan_p2p.log.sealed_cards import SealedCards


_OF_THE_COMMIT = frozenset({"size", "format", "game", "author", "signature"})
"""The reasons that come before all about its place."""


class DueMessage(NamedTuple):
    """What a party signs about a change of the view: see ``CommitGraph.sign``."""

    kind: MessageKind
    round: int = 0
    waits: tuple[Player, ...] = ()
    votes: tuple[VoteNode, ...] = ()
    """Of a vote, those with which its round begins; of a proposal, those that it merges."""
    requests: tuple[ObjectId, ...] = ()
    """Of a vote, the requests to come back that it merges, by party."""
    forks: tuple[ObjectId, ...] = ()
    """Of a vote, what proves forks, together with what it builds on."""
    proposal: ProposalNode | None = None
    """What an acceptance accepts."""
    side: ObjectId | None = None
    """Of a vote, the commit of the line to which its voter goes over; None: it stays where it is."""
    openings: tuple[HandOpening, ...] = ()
    """Of a request, where hands are hidden."""


class CommitGraph:
    """The validated part of a game's commit graph, as it grows; the line, the state and what follows are its newest.

    A step of what is signed about a change of the view has a ``ViewMessage`` in the place of its action. Its attributes
    repeat what callers ask most; see ``GameLine``. ``sign`` signs the commits that are written. Graphs of one process
    that begin with the same ledger may be given the same ``shared`` work.
    """

    def __init__(self, first: Ledger, sign: Sign | None = None, shared: SharedWork | None = None) -> None:
        self.game, self.root = first.game, first.root
        self.valid = ValidCommits(first)
        self.tell_step: Callable[[LoggedStep, State], None] | None = None
        """Called for each accepted commit, with the state before its action."""
        self.watch: Watch | None = None
        """Called for each action, with the state before and after it; ``at_root`` starts over."""
        self._first = first
        self._sign_commit = sign
        self._given, self._shared = shared, shared or SharedWork()
        """What was given is shared with the graphs made of this one; without it, each judges for itself."""
        self._written: dict[ObjectId, bytes] = {}
        """The bytes of what was written and not added yet."""
        self._successor: SuccessorTree | None = None
        """The tree of the action written last, whose commit is judged next."""
        self._hold(first)

    def _hold(self, ledger: Ledger) -> None:
        self.ledger, self.line, self.known_shares = ledger, ledger.line, ledger.known_shares
        self.head, self.state, self.replies = self.line.head, self.line.state, self.line.replies
        self.turns, self.action_count = self.line.turns, self.line.action_count

    def __contains__(self, commit: object) -> bool:
        return commit in self.valid.nodes

    def __len__(self) -> int:
        return len(self.valid.nodes)

    def height(self, commit: ObjectId) -> int:
        """How many commits the longest path to the root has; KeyError for a commit that was not accepted."""
        return self.valid.nodes[commit].link.height

    def at_root(self) -> CommitGraph:
        """Return the graph of the same game that holds only its root."""
        fresh = CommitGraph(self._first, self._sign_commit, self._given)
        fresh.tell_step, fresh.watch = self.tell_step, self.watch
        return fresh

    def link(self, step: LoggedStep) -> None:
        """Let what links to a commit that was just judged be judged, too, until ``valid.unlink`` or ``add``."""
        self.valid.link(self._shared.nodes[step.commit])

    # Growing

    def check(self, commit: ObjectId, data: bytes, put: Put = hash_only) -> LoggedStep | CommitRejected:
        """Judge the bytes of a commit whose parents are all in the graph; the graph does not change.

        The bytes must match the id, as Git guarantees for objects that it has read. ``put`` receives every new file and
        tree of the action, whether or not the commit's own tree turns out to be the same.
        """
        # A tree that was made before would leave ``put`` without the objects.
        successor = self._successor if put is hash_only else None
        node = self._shared.verdict(self.valid, commit, data, put, successor)
        if isinstance(node, CommitRejected):
            return node if self.valid.has_views or node.reason in _OF_THE_COMMIT else self._misplaced(node, data)
        if not self.valid.has_views and not self.valid.is_end(node.link.parents[0]):
            assert isinstance(node, LineNode | ReplyNode) and node.step is not None
            if (passed := self._passed(commit, node.step.parents, node.step.action)) is not None:
                return passed
        if not isinstance(node, LineNode | ReplyNode):
            parts = decode_commit(data)
            entry = parse_entry(parts.message, self.game.constants)
            return LoggedStep(commit, parts.parents, entry.action, node.tree, parts.author.time_s, entry)
        assert node.step is not None
        return node.step._replace(parents=node.link.parents) if self.valid.has_views else node.step

    def _misplaced(self, refused: CommitRejected, data: bytes) -> CommitRejected:
        """Where nothing settles forks, whoever builds on something else than the newest commit is refused for that."""
        parts = decode_commit(data)
        action = parse_entry(parts.message, self.game.constants).action
        passed = self._passed(refused.commit, parts.parents, action) if parts.parents[0] in self else None
        return passed or refused

    def _passed(self, commit: ObjectId, parents: tuple[ObjectId, ...], action: Action) -> CommitRejected | None:
        """Refuse what the line has passed, or what lacks replies that are known; the most specific reason comes first.

        That is ``fork``, ``late``, ``overtaken`` or ``parents``: several of them name a second commit as proof.
        """
        valid, base, is_a_reply = self.valid, parents[0], is_reply(action)
        following = valid.following(base)
        known = next((one.link.commit for one in valid.replies_of(base, action.player)), None) if is_a_reply else None
        if not following:
            heard = () if is_a_reply else tuple(self.replies[player].commit for player in sorted(self.replies))
            if heard and may_skip_replies(self.line.tree.state, action):
                heard = tuple(reply for reply in heard if reply in parents)
            if parents != (self.head, *heard):
                return CommitRejected("parents", commit, f"{type(action).__name__} cannot follow these commits")
            return None if known is None else fork(commit, known)
        next_line = valid.line_node(following[0])
        if is_a_reply:
            assert next_line.step is not None
            is_optional = may_skip_replies(valid.line_node(base).ledger.line.state, next_line.step.action)
            reason: Reason = "overtaken" if known is None and is_optional else "late"
            return CommitRejected(reason, commit, f"play has already gone on in {next_line.head[:10]}", other=known)
        if next_line.link.player == action.player:
            return fork(commit, next_line.head)
        return CommitRejected("parents", commit, f"{next_line.head[:10]} already continues from the same commit")

    def add(self, step: LoggedStep) -> None:
        """Add a commit that was accepted or written; the line may go back, and go on from another commit."""
        data = self._written.pop(step.commit, None)
        if step.commit not in self._shared.nodes:
            assert data is not None, "it was checked or written"
            accepted = self.check(step.commit, data)
            assert isinstance(accepted, LoggedStep), accepted
        valid = self.valid
        node, was_at = self._shared.nodes[step.commit], valid.newest
        if self.tell_step is not None:
            self.tell_step(step, self._before(node))
        before = self.state if self.watch is None or isinstance(node, ReplyNode) else self._before(node)
        valid.add(node)
        self._hold(valid.ledger)
        if self.watch is None or isinstance(step.action, ViewMessage):
            return
        at = valid.newest
        if (at == step.commit and valid.line.before(at) == was_at) or (at == was_at and step.commit in self._heard):
            self.watch(before, step.action, self.state)
        elif at != was_at:
            self._watch_again()

    def _before(self, node: Node) -> State:
        """The state before a commit: a reply sees no other reply."""
        if not isinstance(node, LineNode | ReplyNode):
            return self.state
        assert node.step is not None
        base, *replies = node.step.parents
        heard = [
            reply.step.action for reply in map(self.valid.nodes.__getitem__, replies) if isinstance(reply, ReplyNode)
        ]
        return reduce(effect, heard, self.valid.line_node(base).ledger.line.state)

    @property
    def _heard(self) -> set[ObjectId]:
        return {reply.commit for reply in self.replies.values()}

    def line_commits(self) -> list[ObjectId]:
        """The actions of the line, and the replies that it merges or that hang on its newest commit, in order."""
        line, newest = self.valid.line, self.valid.newest
        found = list[ObjectId]()
        for depth in range(1, line.depth(newest) + 1):
            node = self.valid.line_node(line.at(newest, depth))
            if node.step is not None:
                found += (*node.step.parents[1:], node.head)
        return [*found, *(self.replies[player].commit for player in sorted(self.replies))]

    def course(self, kept: int = 0) -> Iterator[tuple[LineNode | ReplyNode, State, Ledger]]:
        """The commits of the line from a number on, in order, with the state and the game after all so far.

        Replies to one commit commute: each is followed by the state after it and those before it.
        """
        commits, valid = self.line_commits(), self.valid
        replies = list[ObjectId]()
        for i, commit in enumerate(commits):
            node = valid.nodes[commit]
            if isinstance(node, LineNode):
                replies.clear()
                if i >= kept:
                    yield node, node.ledger.line.state, node.ledger
                continue
            assert isinstance(node, ReplyNode)
            replies.append(commit)
            if i >= kept:
                ledger = valid.ledger_with(valid.line_node(node.head), replies)
                yield node, ledger.line.state, ledger

    def _watch_again(self) -> None:
        """Show all moves of the line from the beginning, as after a restart."""
        assert self.watch is not None
        before = self._first.line.state
        for node, after, _ in self.course():
            assert node.step is not None
            self.watch(before, node.step.action, after)
            before = after

    # Writing

    def write(
        self,
        action: Action,
        after: State,
        time_s: int,
        put: Put,
        share: Share | None = None,
        shows: tuple[int, int] | None = None,
        nonce: Nonce | None = None,
        told: SecretParts = NOTHING_TOLD,
        ahead: Share | None = None,
    ) -> LoggedStep:
        """Write the commit of an own action that leads to the state ``after``; the graph does not change yet.

        ``share`` is the share of a pledge, a call or a reveal, ``shows`` the two dice that somebody saw, ``nonce`` that
        of a pledge, ``told`` the part about sealed cards, ``ahead`` a share of rolls to come.
        """
        ledger = self.own_ledger(action.player)
        prepared, known = ledger.line.prepare(action), ledger.known_shares
        draw = known.draw(prepared.state, action, ahead)
        entry = known.entry(action, prepared.state, draw, share)
        if shows is not None or nonce is not None or ahead is not None:
            entry = entry._replace(shows=shows or entry.shows, nonce=nonce, ahead=ahead)
        if told is not NOTHING_TOLD:
            entry = entry._replace(**told._asdict())
        draw = known.draw(prepared.state, action, entry.ahead)
        tree = next_tree(prepared.tree, after, put)
        self._successor = SuccessorTree(prepared.tree, action, tree)
        step = self._sign(entry, prepared.parents, tree, time_s, put)
        sealed_cards = _sealed_cards_after(prepared, entry)
        is_plain = draw is None and sealed_cards is None
        return step if is_plain else step._replace(draw=draw, sealed_cards=sealed_cards)

    @property
    def _newest(self) -> LineNode:
        return self.valid.line_node(self.valid.newest)

    def own_ledger(self, player: Player) -> Ledger:
        """The same as a player knows it who has told shares elsewhere."""
        told = self.valid.promises_of(player).told
        return after_own_shares(self.ledger, player, told)

    def sign(self, party: Player, due: DueMessage, time_s: int, put: Put) -> LoggedStep:
        """Write what a party signs about a change of the view, on what the graph holds."""
        valid, votes = self.valid, tuple(sorted(vote.link.commit for vote in due.votes))
        parents: tuple[ObjectId, ...]
        if due.kind == "request":
            head, message = self._newest, ViewMessage("request", party, valid.view.number, openings=due.openings)
            return self._sign(LogEntry(message), (head.head, *self._decision()), head.tree, time_s, put)  # type: ignore[arg-type]
        if due.proposal is not None:
            proposal = due.proposal
            change, head, parents = proposal.change, valid.line_node(proposal.head), (proposal.link.commit,)
        elif due.kind == "propose":
            found = value_of(valid, due.votes)
            assert found is not None
            change, head, parents = due.votes[0].change, valid.line_node(found[0].head), votes
        else:
            change, contrary = next_change(valid), conflict(valid)
            head = self._newest if due.side is None else valid.line_node(due.side)
            other = () if contrary is None else contrary[1].acceptances
            replies = valid.replies(head.head).values()
            parents = (head.head, *replies, *self._decision(), *other, *votes, *due.requests, *sorted(due.forks))
        message = ViewMessage(due.kind, party, change.number, due.round, tuple(sorted(due.waits)))
        return self._sign(LogEntry(message), parents, head.tree, time_s, put)  # type: ignore[arg-type]

    def _decision(self) -> tuple[ObjectId, ...]:
        """The acceptances that the next action merges: of the newest decision, unless the line has it."""
        decision = self.valid.changes.decision_of(self.valid.view)
        return () if decision is None or self._newest.view.id == self.valid.view.id else decision.acceptances

    def _sign(
        self, entry: LogEntry, parents: tuple[ObjectId, ...], tree: StateTree, time_s: int, put: Put
    ) -> LoggedStep:
        player = entry.action.player
        if self.valid.has_views:
            valid, after = self.valid, self.valid.chain_ends[player]
            if not isinstance(entry.action, ViewMessage):
                parents = (*parents, *self._decision())
            if not any(valid.chains.leads(end, after) for end in valid.tips(parents)[player]):
                parents = (*parents, after)
            entry = entry._replace(after=after)
        author = author_of(self.game, player, time_s)
        commit = Commit(tree.root, parents, author, author, entry_message(entry))
        if self._sign_commit is not None:
            commit = self._sign_commit(commit)
        data = commit.encode()
        written = put("commit", data)
        self._written[written] = data
        return LoggedStep(written, parents, entry.action, tree, time_s, entry)

    def prepare(self, action: Action) -> ActionContext:
        """Return the context of an action that comes next: a reply sees no other reply."""
        return self.line.prepare(action)

    def before(self, action: Action) -> State:
        """Return the state before an action that comes next: a reply sees no other reply."""
        return self.prepare(action).state

    def next_height(self, player: Player) -> int:
        """Return the height of the player's next commit; all replies to one commit have the same height."""
        if self.valid.has_views:
            return 1 + max(self.height(self.head), self.height(self.valid.chain_ends[player]))
        if not self.replies or may_reply(self.state, player):
            return 1 + self.valid.nodes[self.head].link.height
        return 1 + max(map(self.height, (self.head, *(reply.commit for reply in self.replies.values()))))

    def may_act(self, player: Player) -> bool:
        """Whether a player signs actions and replies now: not after a vote in this view, or before its record.

        The record of a decision waits for replies by those who stay.
        """
        valid = self.valid
        if not valid.has_views:
            return True
        party, head = valid.party_of[player], valid.line_node(self.head)
        promises = valid.promises_of(player)
        if party not in valid.view.present or party in valid.forkers or promises.has_left(valid.view):
            return False
        # A caller who has forked may have seen a share for another call of the same number.
        if self.state.tp == "Drawing" and valid.party_of[self.state.caller] in valid.forkers:
            return False
        pending = valid.pending(head, valid.view)
        return not pending or player in owing_first(self.state, pending)

    @property
    def awaited(self) -> tuple[Player, ...]:
        """The players who are awaited in the newest view."""
        return self.valid.awaited_seats(self.valid.newest, self.valid.replies(), self.valid.view)

    @property
    def position(self) -> str:
        """What changes with everything new in the line, a reply, or a view."""
        return f"{self.head} {sorted(self.replies)} {self.valid.view.id}"

    def lead_from(self, me: Player) -> None:
        """Let the line lead from what a player has signed."""
        self.valid.me = me

    # Chance that all players make together

    def share_number(self, action: Action) -> int | None:
        """Return the number of the share that a pledge, a call or a reveal must tell next; None for other actions."""
        if isinstance(action, Pledge):
            return 0
        if not isinstance(action, Call | Reveal) or not self._is_shared(action):
            return None
        return self.own_ledger(action.player).known_shares.next_number(action.player)

    def ahead_number(self, action: Action) -> int | None:
        """Return the number of the share of rolls that an action must tell ahead; None if it tells none."""
        return self.known_shares.ahead_number(self.before(action), action)

    def _is_shared(self, action: Call | Reveal) -> bool:
        """Whether the outcome of the draw is public."""
        if isinstance(action, Reveal):
            return is_shared(self.state)
        return self.game.constants.rules.hands == "open" or is_seen(action.what)

    def settlement(self, ahead: Share | None = None) -> Action:
        """Return the action that settles the current draw, once all players have revealed their shares.

        With ``ahead``, the roller's own share, it is the roll whose other shares were told ahead.
        """
        draw = self.known_shares.draw(self.state, ahead=ahead)
        assert draw is not None, "a share is due"
        return settlement(self.state, draw.numbers())


def _sealed_cards_after(prepared: ActionContext, entry: LogEntry) -> SealedCards | None:
    """The sealed cards after an own action; None where hands are open, or where whoever judges it will refuse it."""
    if prepared.sealed_cards is None:
        return None
    after = prepared.sealed_cards.after(entry, prepared.state, prepared.parents[0])
    return None if isinstance(after, ProofRefused) else after
