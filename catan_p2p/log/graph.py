"""The commit graph of one game as one peer has validated it, and the rules by which it grows.

The graph is a line of actions that begins with the root. Where several players owe a reply at the same time, a discard
after a seven or an answer to an offer, the replies hang on the commit replied to side by side, and the first other
action after them joins them. ``check`` judges a commit that somebody else wrote by the rules in ``log.rules``,
``write`` writes one, and both go by the same preparation: which parents the action must have, the state before, and the
one tree it produces. ``log.line`` looks commits up; ``log.promises`` says what votes promise.
"""

from __future__ import annotations

from collections.abc import Callable

from catan_p2p.game.actions import Action, Call, EmptyBuild, Pledge, Reveal, Vote
from catan_p2p.game.actions.replies import are_optional, is_reply, may_reply
from catan_p2p.game.chance import Nonce, Share
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import effect, settlement
from catan_p2p.game.state import State
from catan_p2p.log.authorship import author_of
from catan_p2p.log.ballot import Round
from catan_p2p.log.commit import Commit, Entry, decode_commit, entry_message
from catan_p2p.log.line import Continuation, Prepared
from catan_p2p.log.promises import PromisedLine
from catan_p2p.log.proof import Charge
from catan_p2p.log.rules import judge
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Put, hash_only, next_tree
from catan_p2p.log.verdict import Rejected, Step


class Graph(PromisedLine):
    """The validated part of a game's commit graph.

    ``head`` is the newest commit of the line, without the replies that still hang on it; ``replies`` are those, by
    player. ``state`` is the state after all of them, ``turns`` counts the turns that have ended.
    """

    def begun_again(self) -> Graph:
        """The graph of the same game that holds its root only."""
        fresh = Graph(self.game, self.root, self._first, self.verify, self._sign)
        fresh.tell_step = self.tell_step
        fresh.watch = self.watch
        return fresh

    # Growing

    def check(self, commit: ObjectId, data: bytes, put: Put = hash_only) -> Step | Rejected:
        """Judge the bytes of a commit all of whose parents are in the graph; the graph does not change.

        The bytes must be those of the id, as Git guarantees for objects that it has read. ``put`` gets every file and
        tree that the action makes anew, whether or not the commit's own tree turns out to be the same.
        """
        return judge(self, commit, data, put)

    def write(
        self,
        action: Action,
        after: State,
        time_s: int,
        put: Put,
        share: Share | None = None,
        shows: tuple[int, int] | None = None,
        names: ObjectId | None = None,
        nonce: Nonce | None = None,
    ) -> Step:
        """Write the commit of an action of ours that leads to the state ``after``; the graph does not change yet.

        ``share`` is what a pledge, a call or a reveal tells, ``shows`` what either of the dice shows that somebody saw,
        ``names`` the commit that a vote names, ``nonce`` what a pledge tells besides its share.
        """
        prepared = self.prepare(action)
        if not isinstance(action, Vote):
            prepared = prepared._replace(parents=(*prepared.parents, *self._brought(action)))
        entry = self.lottery.entry(action, prepared.state, self.drawn(prepared.state, action), share)
        entry = entry._replace(shows=shows or entry.shows, names=names, nonce=nonce)
        return self._written(prepared, entry, after, time_s, put)

    def write_vote(
        self,
        round: Round,
        vote: Vote,
        time_s: int,
        put: Put,
        names: ObjectId | None = None,
        charge: Charge | None = None,
    ) -> Step:
        """Write a vote of ours on any commit of the line; ``names`` is the commit that a no names.

        A no after a yes of ours takes that back.
        """
        prepared = self.before_vote(round)
        yes = self.ballot.of(round).get(vote.player)
        if yes is not None and vote.says == "no":
            prepared = prepared._replace(parents=(yes.commit,))
        return self._written(prepared, Entry(vote, names=names, charge=charge), prepared.state, time_s, put)

    def _written(self, prepared: Prepared, entry: Entry, after: State, time_s: int, put: Put) -> Step:
        action = entry.action
        draw = self.drawn(prepared.state, action)
        tree = next_tree(prepared.tree, after, put)
        author = author_of(self.game, action.player, time_s)
        commit = Commit(tree.root, prepared.parents, author, author, entry_message(entry))
        if self._sign is not None:
            commit = self._sign(commit)
        return Step(put("commit", commit.encode()), prepared.parents, action, tree, time_s, entry, draw)

    def add(self, step: Step) -> None:
        """Take in a commit that was accepted or written."""
        self._tell(step)
        self._height[step.commit] = 1 + max(self._height[parent] for parent in step.parents)
        self._spend(step)
        self.lottery.take_in(step.entry)
        if isinstance(step.action, Vote):
            round = self.round_voted_on(step.parents, step.entry)
            self.ballot.add(step.commit, round, step.action, step.entry.charge)
            if step.entry.charge is not None:
                self._weigh(round)
            return
        self.action_count += 1
        if is_reply(step.action):
            self.replies[step.action.player] = step
            self._replied[self.head, step.action.player] = step.commit
            # Replies commute, and it was enabled without the others.
            self.state = effect(self.state, step.action)
            return
        if isinstance(step.action, EmptyBuild) and step.action.player == self.state.ap:
            self.turns += 1
        if are_optional(self._tree.state):
            self._optional.add(self.head)
        if self.game.constants.rules.leaving:
            self._past[self.head] = self._present()
            self.ballot.merge(step.commit, [parent for parent in step.parents if parent in self.ballot.loose])
            spent = {player: self.lottery.spent(player) for player in self.game.constants.players}
            if spent != self._spent:
                self._spent = spent
        self._next[self.head] = Continuation(step.commit, step.action.player, step.parents)
        self.head = step.commit
        self._tree = step.tree
        self.state = step.state
        self.replies = {}

    def _tell(self, step: Step) -> None:
        if self.tell_step is None and self.watch is None:
            return
        before = self.prepare(step.action, step.parents).state
        if self.tell_step is not None:
            self.tell_step(step, before)
        if self.watch is not None and not isinstance(step.action, Vote):
            if is_reply(step.action):
                self.watch(self.state, step.action, effect(self.state, step.action))
            else:
                self.watch(before, step.action, step.state)

    def before(self, action: Action) -> State:
        """The state in which an action that comes next takes place: a reply sees no other reply."""
        return self.prepare(action).state

    def next_height(self, player: Player) -> int:
        """The height that the player's next commit will have; all replies to one commit have the same."""
        if may_reply(self.state, player):
            return 1 + self._height[self.head]
        return 1 + max(self._height[self.head], *(self._height[reply.commit] for reply in self.replies.values()), 0)

    # Moving over

    def without(self, round: Round, read: Callable[[ObjectId], tuple[str, bytes]]) -> Graph:
        """The graph for who has moved over: it ends where the liar lied, with all votes that hang there or before."""
        fresh = self.begun_again()
        fresh.tell_step = None
        replies = [reply for (base, player), reply in self._replied.items() if base == round.base]
        if round.stage == "lies":
            replies = [reply for reply in replies if reply != self.answer_to(round)]
        rounds = sorted(self.ballot.rounds(), key=lambda one: one != round)
        votes = [cast.commit for one in rounds for cast in self.ballot.of(one).values()]
        for head in (round.base, *replies, *votes):
            fresh.take_in(head, read)
        fresh.tell_step = self.tell_step
        return fresh

    def take_in(self, head: ObjectId, read: Callable[[ObjectId], tuple[str, bytes]]) -> None:
        """Take in what a commit leads to, up to the first that is refused."""
        stack = [head]
        while stack:
            commit = stack[-1]
            data = read(commit)[1]
            lacking = [parent for parent in decode_commit(data).parents if parent not in self and parent != commit]
            if commit not in self and lacking:
                stack += reversed(lacking)
                continue
            stack.pop()
            if commit not in self:
                step = self.check(commit, data)
                if isinstance(step, Rejected):
                    return
                self.add(step)

    # Chance that all players make together

    @property
    def draws(self) -> int:
        """How many draws have been called for."""
        return self.lottery.draws

    def nonce_of(self, player: Player) -> Nonce | None:
        """The nonce in a player's pledge, None if there is no pledge of theirs or it tells none."""
        return self.lottery.nonce_of(player)

    def share_number(self, action: Action) -> int | None:
        """Which share of their player a pledge, a call or a reveal that comes next has to tell; None for all others."""
        if isinstance(action, Pledge):
            return 0
        if not isinstance(action, Call | Reveal):
            return None
        parents = (*self.prepare(action).parents, *self._brought(action))
        return self.lottery.next_number(action.player, self.spent_in(action.player, None, parents))

    def _brought(self, action: Action) -> tuple[ObjectId, ...]:
        """The votes that an action of ours merges: those held that there is room for, a reveal only what it needs."""
        if not is_reply(action):
            return self.to_merge(action)
        late = self.late_vote(action.player) if isinstance(action, Reveal) else None
        return () if late is None else (late.commit,)

    def _spend(self, step: Step) -> None:
        """Take note of the shares that count as told by the votes that a commit merges."""
        for vote in step.parents:
            cast = self.ballot.loose.get(vote)
            if cast is not None and cast.charge is not None and self._counts(cast, step.commit, step.parents):
                self.lottery.spend(cast.voter, cast.charge.spent or 0)

    def settlement(self) -> Action:
        """The action that settles the draw under way, once everybody has revealed."""
        draw = self.drawn(self.state)
        assert draw is not None, "a share is due"
        return settlement(self.state, draw.numbers())
