"""What peers did, as a trace of ``spec/CatanP2PTrace.tla``: recorded from their events and effects.

A ``Recorder`` follows the replicas of one game, wherever they run in this process: in the laboratory, or with real
repositories. It notes what each has recorded, taken in, kept, removed and shown, when it died and started, and after
every event what the program said that it held.
"""

from typing import Any

from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.constants import Constants
from catan_p2p.game.state import State, initial_state
from catan_p2p.log.refs import HEADS, REMOTES, ReplyBranch, branch_at
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.model_check.peers import Event
from catan_p2p.model_check.trace import action_tuple, tree_changes
from catan_p2p.replication.core.effects import Effect, ForgetRef, RecordRef, ReportCommit
from catan_p2p.replication.core.events import LogEnded
from catan_p2p.replication.peer import Peer


def _is_reply_branch(ref: str) -> bool:
    return isinstance(branch_at(ref), ReplyBranch)


class Recorder:
    """Follows the peers of one game; ``events`` is what they did, in order."""

    def __init__(self, constants: Constants) -> None:
        self.constants = constants
        self.events: list[Event] = []
        self._number: dict[ObjectId, int] = {}
        self._states: dict[ObjectId, State] = {}
        """What the trees of these commits hold."""
        self._branches: dict[int, dict[str, int]] = {}
        """By player, where the own log and temporary branch are, and where they are shown."""
        self._is_new: set[int] = set()
        self._down: set[int] = set()
        self._over: set[int] = set()
        """Whose own log has moved to another's commit, at the end."""

    def number(self, commit: ObjectId, root: ObjectId) -> int:
        """The number of a commit, 0 for the root."""
        return 0 if commit == root else self._number[commit]

    def follow(self, peer: Peer) -> None:
        """Follow a peer from its start on: once it has opened its repository, and taken in what that holds."""
        player = peer.player
        if player in self._down:
            self._down.discard(player)
            self.events.append(("Restart", player))
            own = self._branches[player]
            own["shown log"], own["shown reply"] = own["log"], own["reply"]
        else:
            self._branches[player] = dict.fromkeys(("log", "reply", "shown log", "shown reply"), 0)
        carry_out, feed, publish = peer._carry_out, peer.feed, peer.store.publish

        def carrying_out(effect: Effect) -> None:
            carry_out(effect)
            self._carried_out(peer, effect)

        def feeding(event: Any) -> None:
            feed(event)
            if isinstance(event, LogEnded):
                self._over.add(player)  # the own log moves to the end, which the specification leaves out
            self._stands(peer)

        def publishing() -> None:
            publish()
            self._published(peer)

        if peer.graph.tell_step is None:
            peer.tell_step = lambda step, before: None  # from now on it tells what it takes in
        peer._carry_out, peer.feed = carrying_out, feeding  # type: ignore[method-assign]
        peer.store.publish = publishing  # type: ignore[method-assign]
        self._stands(peer)

    def died(self, player: int) -> None:
        """Note that the process of a peer has ended."""
        if player in self._branches and player not in self._down:
            self._down.add(player)
            self._is_new.discard(player)
            self.events.append(("Crash", player))

    def _carried_out(self, peer: Peer, effect: Effect) -> None:
        player, own = peer.player, self._branches[peer.player]
        match effect:
            case ReportCommit(step, _) if step.action.player == player:
                root = peer.graph.root
                number = self._number.setdefault(step.commit, len(self._number) + 1)
                on, *merges = (self.number(parent, root) for parent in step.parents)
                before = self._states.get(step.parents[0]) or initial_state(self.constants)
                self._states[step.commit] = step.state
                seen = [tree_changes(before, step.state)]
                self.events.append(("Act", player, number, on, sorted(merges), action_tuple(step.action), seen))
                own["reply" if is_reply(step.action) else "log"] = number
            case ReportCommit(step, _):
                self.events.append(("TakeIn", player, self._number[step.commit]))
                self._is_new.add(player)
            case RecordRef(ref, _, _) if ref.startswith(REMOTES) and player in self._is_new:
                self._is_new.discard(player)
                self.events.append(("Keep", player))
            case ForgetRef(ref, _) if ref.startswith(HEADS) and _is_reply_branch(ref):
                if own["reply"]:
                    own["reply"] = 0
                    self.events.append(("Remove", player))

    def _published(self, peer: Peer) -> None:
        own = self._branches[peer.player]
        moved = [ref for ref in ("log", "reply") if own[ref] != own[f"shown {ref}"]]
        if moved:
            for ref in moved:
                own[f"shown {ref}"] = own[ref]
            self.events.append(("Publish", peer.player, moved))

    def _stands(self, peer: Peer) -> None:
        """Note what the program holds, and what its repository has, read from there."""
        graph, root, player = peer.graph, peer.graph.root, peer.player
        if player in self._over or not self.events or self.events[-1][0] == "Stands" or peer._due:
            return
        refs = peer.store.list_refs(HEADS)
        log = peer.core.held.log
        replies = sorted(self.number(reply.commit, root) for reply in graph.replies.values())
        own = self._branches[player]
        if {graph.head, *refs.values()} - self._number.keys() - {root}:
            return
        shown_reply = [
            head
            for ref, head in refs.items()
            if _is_reply_branch(ref) and branch_at(ref).colour == peer.core.held.colour
        ]
        self.events.append(
            (
                "Stands",
                player,
                self.number(graph.head, root),
                replies,
                self.number(peer.store.own_ref(log) or root, root),
                own["reply"],
                [self.number(refs.get(log, root), root), self.number(shown_reply[-1], root) if shown_reply else 0],
            )
        )
