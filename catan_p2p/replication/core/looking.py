"""What a look asks of another player's repository, and which of the answers are followed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping

from catan_p2p.game.actions.replies import may_reply, reply_kinds
from catan_p2p.game.constants import Player
from catan_p2p.limits import MAX_OWN_COPIES, MAX_STRAY_BRANCHES
from catan_p2p.log.refs import (
    HEADS,
    REMOTES,
    Branch,
    CommitCopy,
    ReplyBranch,
    branch_at,
    copy_at,
    local_ref,
    remote_ref,
)
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.replication.core.replica_state import ReplicaState
from catan_p2p.replication.core.source import BranchSource

Heads = Mapping[str, ObjectId]
"""The heads of a source, by ref."""


class SourceLooks:
    """Where one player looks for what is new."""

    def __init__(self, held: ReplicaState) -> None:
        self._held = held

    def wanted(self, source: BranchSource, *, relayed: Container[Player]) -> tuple[str, ...]:
        """The refs to look for: the player's log and reply, and copies of the logs of others who are ``relayed``.

        A known reply is looked for, too: its player may have shown another one elsewhere. For a player who cannot be
        looked at directly, the source's copies of others' copies are included, because any number of players may be on
        the way from there.
        """
        found: list[str] = []
        for player in self._held.game.constants.players:
            if player == source.player:
                found += [local_ref(branch) for branch in self._branches(player)]
            elif player in relayed and player != self._held.player:
                seats = self._held.game.seats if self._held.is_far(player) else (self._held.game.seats[player - 1],)
                found += [remote_ref(seat.colour, branch) for branch in self._branches(player) for seat in seats]
        return tuple(dict.fromkeys(found))

    def _branches(self, player: Player) -> list[Branch]:
        """The branches of a player that may have something new."""
        game, graph = self._held.game, self._held.graph
        if game.has_views:
            return [game.branch(player)]
        known = graph.replies.get(player)
        kinds = set(reply_kinds(graph.state)) if known is not None or may_reply(graph.state, player) else set()
        if known is not None and (kind := known.action.reply) is not None:
            kinds.add(kind)
        replies = [game.reply_branch(graph.head, kind, player) for kind in sorted(kinds)] if kinds else ()
        return [game.branch(player), *replies]

    def is_fresh(self, source: BranchSource, ref: str, head: ObjectId) -> bool:
        """Whether a head at a ref is not dealt with, and may belong there."""
        copy = copy_at(ref)
        if copy is not None and copy.commit != head:
            return False
        replies = self._held.graph.replies
        is_reply = replies and any(head == reply.commit for reply in replies.values())
        return not is_reply and source.is_fresh(ref, head)

    def own_copies(self, source: BranchSource, heads: Heads) -> dict[str, ObjectId]:
        """What a source holds of the own log that is not dealt with: its copies, and others' copies that it has."""
        held = self._held
        copies = [ref for ref in heads if (branch := branch_at(ref)) is not None and branch.colour == held.colour]
        nearest = remote_ref(held.colour, held.game.branch(held.player))
        # Bounded, since anybody can show any number of refs in this player's name.
        wanted = sorted(copies, key=lambda ref: (ref != nearest, ref))[:MAX_OWN_COPIES]
        return {ref: heads[ref] for ref in wanted if self.is_fresh(source, ref, heads[ref])}

    def strays(self, source: BranchSource, heads: Heads) -> Iterator[tuple[str, ObjectId]]:
        """Replies to past commits, and copies: honest players remove them, others may have shown somebody else more."""
        looked_at: Counter[str] = Counter()
        for ref, head in heads.items():
            branch = copy_at(ref) or branch_at(ref)
            if branch is None or head in self._held.graph or branch.colour == self._held.colour:
                continue
            if looked_at[branch.colour] >= MAX_STRAY_BRANCHES:
                continue
            if self._is_stray(source, ref, branch) and self.is_fresh(source, ref, head):
                looked_at[branch.colour] += 1
                yield ref, head

    def _is_stray(self, source: BranchSource, ref: str, branch: Branch | CommitCopy) -> bool:
        """Whether a branch may hold something unique: a reply to a past commit, or a copy.

        A reply to an unknown commit may, too: its player may have been shown another commit.
        """
        held, graph = self._held, self._held.graph
        if isinstance(branch, CommitCopy):
            return held.is_signed and branch.colour == source.colour and branch.game == held.game.number
        if not isinstance(branch, ReplyBranch):
            return False
        is_far = ref.startswith(REMOTES) and held.is_far(held.game.player_of(branch.colour) or 0)
        if ref not in (local_ref(branch), remote_ref(branch.colour, branch)) and not is_far:
            return False
        if ref.startswith(HEADS) and branch.colour != source.colour:
            return False
        if branch.base not in graph:
            return held.is_signed
        return branch.base != graph.head

    def has_openings(self, source: BranchSource, heads: Heads) -> bool:
        """Whether a source has copies of all openings by others after a game of hidden hands, from wherever."""
        graph, there = self._held.graph, {*heads.values()}
        away = graph.state.away
        others = [one for one in self._held.game.constants.players if one != source.player and not away[one - 1]]
        return all(one in graph.replies and graph.replies[one].commit in there for one in others)

    def held_there(self, source: BranchSource, refused: Container[ObjectId]) -> tuple[ObjectId, ...]:
        """Commits that a source probably has, the most useful first; also what was ``refused`` from it."""
        held, graph = self._held, self._held.graph
        seen = [head for head in source.seen.values() if head in graph or head in refused]
        refs = (remote_ref(source.colour, held.game.branch(player)) for player in held.game.constants.players)
        logs = [held.refs[ref] for ref in refs if ref in held.refs]
        replies = [reply.commit for reply in graph.replies.values()]
        return tuple(dict.fromkeys((*seen, *logs, graph.head, *replies, graph.root)))
