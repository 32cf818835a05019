"""The commit graph of one game as one peer has validated it, and as it grows.

The graph is a line of actions that begins with the root. Where several players owe a reply at the same time, a discard
after a seven or an answer to an offer, their replies hang side by side on the commit that they reply to, and the first
other action after them joins them. ``check`` judges a commit by somebody else with the rules in ``log.rules``,
``write`` writes one. Both start from the same context: which parents the action must have, the state before it, and the
one tree that it produces. The validated part is an immutable value, ``log.ledger``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from catan_p2p.game.actions import Action, Call, Pledge, Reveal
from catan_p2p.game.actions.absence import all_awaited
from catan_p2p.game.actions.drawing import is_seen, is_shared
from catan_p2p.game.actions.replies import is_reply, may_reply
from catan_p2p.game.chance import Nonce, Share
from catan_p2p.game.constants import Player
from catan_p2p.game.move_watcher import Watch
from catan_p2p.game.rules import effect, settlement
from catan_p2p.game.state import State
from catan_p2p.log.authorship import Sign, author_of
from catan_p2p.log.commit import NOTHING_TOLD, Commit, LogEntry, SecretParts, entry_message
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.line import ActionContext
from catan_p2p.log.rules import judge
from catan_p2p.log.shared_work import SharedWork
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Put, StateTree, SuccessorTree, hash_only, next_tree
from catan_p2p.log.verdict import CommitRejected, LoggedStep

if TYPE_CHECKING:
    from catan_p2p.log.sealed_cards import SealedCards


class CommitGraph:
    """The validated part of a game's commit graph, as it grows: it holds the newest ``ledger``.

    Its attributes repeat what callers ask most; see ``GameLine``. ``sign`` signs the commits that are written. Graphs
    of one process that begin with the same ledger may be given the same ``shared`` work.
    """

    def __init__(self, first: Ledger, sign: Sign | None = None, shared: SharedWork | None = None) -> None:
        self.game, self.root = first.game, first.root
        self.tell_step: Callable[[LoggedStep, State], None] | None = None
        """Called for each accepted commit, with the state before its action."""
        self.watch: Watch | None = None
        """Called for each action, with the state before and after it; ``at_root`` starts over."""
        self._first = first
        self._sign = sign
        self._shared = shared
        self._ids_held = 0
        """The exclusive or of the ids of all commits except the root: it does not depend on their order."""
        self._successor: SuccessorTree | None = None
        """The tree of the action written last, whose commit is judged next."""
        self._hold(first)

    def _hold(self, ledger: Ledger) -> None:
        self.ledger, self.line, self.known_shares = ledger, ledger.line, ledger.known_shares
        self.head, self.state, self.replies = self.line.head, self.line.state, self.line.replies
        self.turns, self.action_count = self.line.turns, self.line.action_count

    def __contains__(self, commit: object) -> bool:
        return commit in self.line.heights

    def __len__(self) -> int:
        return self.line.heights.count

    def height(self, commit: ObjectId) -> int:
        """How many commits the longest path to the root has; KeyError for a commit that was not accepted."""
        return self.line.heights[commit]

    def at_root(self) -> CommitGraph:
        """Return the graph of the same game that holds only its root."""
        fresh = CommitGraph(self._first, self._sign, self._shared)
        fresh.tell_step, fresh.watch = self.tell_step, self.watch
        return fresh

    # Growing

    def check(self, commit: ObjectId, data: bytes, put: Put = hash_only) -> LoggedStep | CommitRejected:
        """Judge the bytes of a commit whose parents are all in the graph; the graph does not change.

        The bytes must match the id, as Git guarantees for objects that it has read. ``put`` receives every new file and
        tree of the action, whether or not the commit's own tree turns out to be the same.
        """
        # A shared verdict would leave ``put`` without the objects.
        if put is not hash_only:
            return judge(self.ledger, commit, data, put)
        if self._shared is None:
            return judge(self.ledger, commit, data, successor=self._successor)
        return self._shared.verdict(self._ids_held, self.ledger, commit, data, self._successor)

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
        step = self._signed(entry, prepared.parents, tree, time_s, put)
        return step._replace(draw=draw, sealed_cards=_sealed_cards_after(prepared, entry))

    def own_ledger(self, player: Player) -> Ledger:
        """What is known of the game before a player's next action."""
        return self.ledger

    def _signed(
        self, entry: LogEntry, parents: tuple[ObjectId, ...], tree: StateTree, time_s: int, put: Put
    ) -> LoggedStep:
        author = author_of(self.game, entry.action.player, time_s)
        commit = Commit(tree.root, parents, author, author, entry_message(entry))
        if self._sign is not None:
            commit = self._sign(commit)
        return LoggedStep(put("commit", commit.encode()), parents, entry.action, tree, time_s, entry)

    def add(self, step: LoggedStep) -> None:
        """Add a commit that was accepted or written."""
        self._tell(step)
        if self._shared is None:
            self._hold(self.ledger.extend(step))
            return
        self._ids_held ^= int(step.commit, 16)
        self._hold(self._shared.ledger(self._ids_held, self.ledger, step))

    def _tell(self, step: LoggedStep) -> None:
        if self.tell_step is None and self.watch is None:
            return
        before = self.line.prepare(step.action, step.parents).state
        if self.tell_step is not None:
            self.tell_step(step, before)
        if self.watch is not None:
            # The state passed on includes the earlier replies, as if replies came one after the other.
            if is_reply(step.action):
                self.watch(self.state, step.action, effect(self.state, step.action))
            else:
                self.watch(before, step.action, step.state)

    def prepare(self, action: Action) -> ActionContext:
        """Return the context of an action that comes next: a reply sees no other reply."""
        return self.line.prepare(action)

    def may_act(self, player: Player) -> bool:
        """Whether a player signs actions and replies now."""
        return True

    @property
    def awaited(self) -> tuple[Player, ...]:
        """The players whom the game waits for: once others are left out, whoever records that."""
        return all_awaited(self.state)

    @property
    def position(self) -> str:
        """What changes with everything new in the line, a reply, or a view."""
        return f"{self.head} {sorted(self.replies)}"

    def before(self, action: Action) -> State:
        """Return the state before an action that comes next: a reply sees no other reply."""
        return self.prepare(action).state

    def next_height(self, player: Player) -> int:
        """Return the height of the player's next commit; all replies to one commit have the same height."""
        if not self.replies or may_reply(self.state, player):
            return 1 + self.height(self.head)
        return 1 + max(map(self.height, (self.head, *(reply.commit for reply in self.replies.values()))))

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
    from catan_p2p.sealing.group import ProofRefused

    after = prepared.sealed_cards.after(entry, prepared.state, prepared.parents[0])
    return None if isinstance(after, ProofRefused) else after
