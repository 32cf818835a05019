"""Going on where players were shown two continuations by one: what a peer knows of lies, and how it moves over."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from catan_p2p.game.actions import Action, Call, Reveal
from catan_p2p.game.actions.replies import REPLIES, owes_reply, vote_word
from catan_p2p.game.chance import Nonce, Share
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.limits import MAX_LIES
from catan_p2p.log.ballot import Cast, Round
from catan_p2p.log.evidence import EvidenceBox, Refusal, read_evidence, read_refusals
from catan_p2p.log.game import FormatError
from catan_p2p.log.graph import Graph
from catan_p2p.log.reading import new_commits
from catan_p2p.log.refs import ABANDONED, REMOTES, ReplyBranch, abandoned_ref, local_ref, parse_branch, remote_ref
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, StoreError
from catan_p2p.log.storage.store import Store
from catan_p2p.log.verdict import Rejected, Step, fork
from catan_p2p.players.choosing import Chooser
from catan_p2p.replication.peer import Clock, GaveUp, Peer, Randomness
from catan_p2p.replication.told_shares import ToldShares
from catan_p2p.time_source import SYSTEM_TIME, TimeSource


class Settler(Peer):
    """A peer that keeps the proofs of others' lies, and follows what all others settle on."""

    def __init__(
        self,
        store: Store,
        graph: Graph,
        player: Player,
        chooser: Chooser,
        randomness: Randomness,
        clock: Clock,
        *,
        secret: bytes | None = None,
        new_nonce: Callable[[], Nonce] | None = None,
        time: TimeSource = SYSTEM_TIME,
    ) -> None:
        super().__init__(
            store, graph, player, chooser, randomness, clock, secret=secret, new_nonce=new_nonce, time=time
        )
        self.is_signed = all(seat.key is not None for seat in graph.game.seats)
        self.lies: dict[Round, tuple[bytes, bytes]] = {}
        """What was proven of others: the two commits of each lie, by what they continue."""
        self.apart: set[Round] = set()
        """Those of which another than the liar has shown a commit that is not held here."""
        self._evidence = EvidenceBox(store.folder / "catan-p2p", store.medium)
        self._tracked: dict[str, ObjectId] = {}
        self.told = ToldShares(player, self.game.constants, self._number_of)
        self._unrecorded: set[str] = set()
        """Tracking refs whose move could not be recorded: what they lead to is known, and not kept."""

    def _look_at_all_anew(self) -> None:
        """What was refused or left alone may be right now."""

    def _recall_lies(self) -> None:
        """Take note of the lies that were proven before a restart."""
        if not self._may_settle:
            return
        for line in read_refusals(self._evidence.folder, self.store.medium):
            if line.get("other") and line.get("certain", True):
                names = (f"{line['colour']}/{line[word]}" for word in ("commit", "other"))
                with suppress(StoreError):
                    one, other = (read_evidence(self._evidence.folder, name, self.store.medium) for name in names)
                    self._learn_lie(one[1], other[1], is_apart=line["seen_at"] != line["colour"])

    @property
    def _may_settle(self) -> bool:
        return self.is_signed and self.game.constants.rules.leaving

    def _learn_lie(self, one: bytes, other: bytes, *, is_apart: bool) -> None:
        """Remember a lie; ``is_apart`` where another than the liar has shown the other commit."""
        if not self._may_settle:
            return
        with suppress(FormatError):
            lie = self.graph.read_lie(one, other)
            known = self.apart if is_apart else self.lies.keys() - self.apart
            if lie.round in known or sum(round.absent == lie.round.absent for round in known) >= MAX_LIES:
                return
            self.lies.setdefault(lie.round, lie.commits)
            if is_apart:
                self.apart.add(lie.round)

    def proof_of(self, round: Round, held: ObjectId | None) -> tuple[bytes, bytes]:
        """The two commits of a lie; who knows them from another's vote only keeps them as evidence now."""
        if round not in self.lies:
            told = next(cast for cast in self.graph.ballot.of(round).values() if cast.charge is not None)
            assert told.charge is not None
            data = dict(zip(told.charge.commits, told.charge.proof, strict=True))
            one, other = sorted(data, key=lambda commit: commit == held)
            liar, voter = (self.game.seats[player - 1].colour for player in (round.absent, told.voter))
            refusal = Refusal(liar, voter, local_ref(self._vote_branch(told)), fork(one, other))

            def read(commit: ObjectId) -> tuple[ObjectKind, bytes]:
                return "commit", data[commit]

            self._evidence.keep(refusal, read, read)
            self.lies[round] = told.charge.proof
        return self.lies[round]

    def act(self, max_actions: int | None = None) -> list[Step]:
        """Act like any peer, but no more once all others have settled on what this player did twice."""
        if self.withholds_share or any(round.absent == self.player for round in self.graph.settling.outcomes):
            return []
        return super().act(max_actions)

    # Shares that were told on a branch that did not survive

    def _recall_told(self) -> None:
        """Take note of the shares that were told on branches kept aside before a restart."""
        if self._may_settle and self._is_joint:
            for head in self.store.list_refs(ABANDONED, broken=[]).values():
                self._note_told(head, self.graph)

    @property
    def _is_joint(self) -> bool:
        return self.game.constants.rules.chance == "joint"

    def _number_of(self, share: Share) -> int:
        return self._chain_for(Reveal(self.player)).number_of(share)

    def _note_told(self, head: ObjectId, known: Graph) -> ObjectId | None:
        """Take note of the shares told up to a commit; the newest own commit that tells one, None if there is none."""
        commits = new_commits(head, known, self.store.read)
        return None if isinstance(commits, Rejected) else self.told.take_in(commits)

    @property
    def withholds_share(self) -> bool:
        """Whether the share that this player would tell now was told for another call: then they wait for the others.

        Their vote on the lie, once it is merged, lets them tell another one; else the others have to excuse them.
        """
        state = self.graph.state
        if self.told.highest == 0 or not self.is_awaited or self.graph.head in self.told.reveals:
            return False
        if owes_reply(state, self.player):
            return state.tp == "Drawing" and self._has_told(Reveal(self.player))
        return state.tp != "Drawing" and self._has_told(Call(self.player, "RollDice"))

    def _has_told(self, action: Action) -> bool:
        number = self.graph.share_number(action)
        return number is not None and 0 < number <= self.told.highest

    def _share_for(self, action: Action) -> Share | None:
        if self._has_told(action):
            raise GaveUp(f"the next share of player {self.player} was told for another call, which has not survived")
        return super()._share_for(action)

    def _log_action(self, action: Action, after: State) -> Step:
        """Log an action; a reveal for the same call as on a branch that was left is that one again."""
        known = self.told.reveals.get(self.graph.head) if isinstance(action, Reveal) else None
        if known is not None and isinstance(step := self.graph.check(known, self.store.read(known)[1]), Step):
            ref = local_ref(self.game.reply_branch(self.graph.head, REPLIES[Reveal], self.player))
            self.store.record(ref, known, self.store.own_ref(ref))
            self._own_replies[ref] = known
            self.graph.add(step)
            return step
        return super()._log_action(action, after)

    # Moving over

    def move_to_survivor(self) -> None:
        """Where all others have settled on another commit of a liar's than the one that is held, go back to before it.

        What was built on it is kept in ``refs/abandoned/``, the commit itself among the evidence.
        """
        while (round := self.graph.overruled()) is not None:
            fresh = self.graph.without(round, self.store.read)
            self._drop_refs(fresh)
            fresh.ballot.me = 0 if fresh.state.away[self.player - 1] else self.player
            self.graph = fresh
            self._show_own_again()
            self._keep_votes_again()
            self.rejected.clear()
            self._look_at_all_anew()
            self.store.publish()

    def _drop_refs(self, fresh: Graph) -> None:
        """Let no branch lead to what a graph has left out; what is this player's own is kept aside."""
        left = (self.graph.head, *self._own_replies.values()) if self._may_settle and self._is_joint else ()
        for commit in left:
            if (told := self._note_told(commit, fresh)) is not None:
                self.store.record(abandoned_ref(told), told, self.store.own_ref(abandoned_ref(told)))
        log = self.store.own_ref(self._log)
        if log is not None and log not in fresh:
            self.store.record(abandoned_ref(log), log, self.store.own_ref(abandoned_ref(log)))
            self.store.record(self._log, fresh.head, log)
        for ref, reply in [*self._own_replies.items()]:
            if reply not in fresh:
                self.store.record(abandoned_ref(reply), reply, self.store.own_ref(abandoned_ref(reply)))
                self.store.delete_ref(ref, reply)
                del self._own_replies[ref]
        for ref in {*self.store.list_refs(REMOTES, broken=[]), *self._tracked}:
            head = self.store.own_ref(ref)
            if head is not None and head not in fresh and parse_branch(ref.rpartition("/")[2]) is not None:
                self.store.delete_ref(ref, head)
                self._tracked.pop(ref, None)
                self._unrecorded.discard(ref)

    def _show_own_again(self) -> None:
        """Show the own replies and votes again that were merged by what has been dropped."""
        graph = self.graph
        own = [step.commit for player, step in graph.replies.items() if player == self.player]
        own += [cast.commit for cast in graph.ballot.loose.values() if cast.voter == self.player]
        newest = {local_ref(self._own_branch(commit)): commit for commit in own}  # a no stands for the yes before it
        for ref, commit in newest.items():
            if self.store.own_ref(ref) is None:
                self.store.record(ref, commit, None)
            self._own_replies[ref] = commit

    def _own_branch(self, commit: ObjectId) -> ReplyBranch:
        cast, reply = self.graph.ballot.loose.get(commit), self.graph.replies.get(self.player)
        if cast is not None:
            return self._vote_branch(cast)
        assert reply is not None and reply.commit == commit
        return self.game.reply_branch(self.graph.head, REPLIES[type(reply.action)], self.player)

    def _vote_branch(self, cast: Cast) -> ReplyBranch:
        return self.game.reply_branch(cast.round.base, vote_word(cast.round.stage, cast.round.absent), cast.voter)

    def _keep_votes_again(self) -> None:
        """Let refs lead to others' votes again that were merged by what has been dropped, or a restart forgets them."""
        for cast in reversed([*self.graph.ballot.loose.values()]):  # a no stands for the yes before it
            if cast.voter == self.player:
                continue
            ref = remote_ref(self.game.seats[cast.voter - 1].colour, self._vote_branch(cast))
            if self.store.own_ref(ref) is None:
                self.store.record(ref, cast.commit, None)
                self._tracked[ref] = cast.commit
