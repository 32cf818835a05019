"""The commit graph of one game as one peer has validated it, and the rules by which it grows.

The graph is a line of actions that begins with the root. Where several players owe a reply at the same time, a discard
after a seven or an answer to an offer, the replies hang on the commit replied to side by side, and the first other
action after them joins them. ``check`` judges a commit that somebody else wrote, ``extend``
writes one, and both go by the same preparation: which parents the action must have, the state before, and the one tree
it produces. ``log.line`` looks commits up; ``log.promises`` says what votes forbid.
"""

from __future__ import annotations

from collections.abc import Callable

from catan_p2p.game import invariants
from catan_p2p.game.actions import Action, Call, Claim, EmptyBuild, Excuse, Pledge, Reveal, Vote
from catan_p2p.game.actions.replies import VoteStage, are_optional, is_reply, may_reply
from catan_p2p.game.chance import Draw, Nonce, Share
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import broken_guards, effect, settlement
from catan_p2p.game.state import State
from catan_p2p.limits import MAX_COMMIT_BYTES
from catan_p2p.log.authorship import author_of, forgery
from catan_p2p.log.ballot import Round
from catan_p2p.log.commit import Commit, Entry, decode_commit, entry_message, parse_entry
from catan_p2p.log.game import FormatError
from catan_p2p.log.line import Continuation, Prepared
from catan_p2p.log.promises import PromisedLine
from catan_p2p.log.proof import Charge
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Put, hash_only, next_tree
from catan_p2p.log.verdict import Rejected, Step, fork, too_large


class Graph(PromisedLine):
    """The validated part of a game's commit graph.

    ``head`` is the newest commit of the line, without the replies that still hang on it; ``replies`` are those, by
    player. ``state`` is the state after all of them, ``turns`` counts the turns that have ended.
    """

    def begun_again(self) -> Graph:
        """The graph of the same game that holds its root only."""
        fresh = Graph(self.game, self.root, self._first, self._verify, self._sign)
        fresh.tell_step = self.tell_step
        fresh.watch = self.watch
        return fresh

    # Growing

    def check(self, commit: ObjectId, data: bytes, put: Put = hash_only) -> Step | Rejected:
        """Judge the bytes of a commit all of whose parents are in the graph; the graph does not change.

        The bytes must be those of the id, as Git guarantees for objects that it has read. ``put`` gets every file and
        tree that the action makes anew, whether or not the commit's own tree turns out to be the same.
        """
        if len(data) > MAX_COMMIT_BYTES:
            return too_large(commit, data)
        try:
            parts = decode_commit(data)
            if not parts.parents:
                return Rejected("game", commit, f"it begins another game than {self.root[:10]}")
            entry = parse_entry(parts.message, self.game.constants)
        except FormatError as error:
            return Rejected("format", commit, str(error))
        action = entry.action
        # Who wrote it comes first: nobody can be charged with a fork by a commit that is not theirs.
        forged = forgery(commit, parts, self.game, action.player, self._verify)
        if forged is not None:
            return forged
        if isinstance(action, Vote):
            return self._check_vote(commit, parts, entry, action, put)
        stage: VoteStage = "lies" if is_reply(action) else "fork"
        kept = self.settling.rival(Round(parts.parents[0], stage, action.player), commit)
        if kept is not None:
            return fork(commit, kept)
        merged = tuple(sorted({*parts.parents} & self.ballot.loose.keys()))
        if is_reply(action):
            late = self._late_vote(action.player) if isinstance(action, Reveal) else None
            merged = () if late is None or late.commit not in merged else (late.commit,)
        required = tuple(parent for parent in parts.parents if parent not in merged)
        prepared = self._prepare(action, required)
        if parts.parents != (*prepared.parents, *merged):
            return self._misplaced(commit, parts.parents, action)
        broken = self._overfull(commit, merged) or self._unpromised(commit, action, merged)
        if broken is not None:
            return broken
        if is_reply(action) and action.player in self.replies:
            return fork(commit, self.replies[action.player].commit)
        guards = broken_guards(prepared.state, action)
        if guards:
            return Rejected("guard", commit, f"{action} is not enabled: {', '.join(guards)}", guards)
        draw = self._drawn(prepared.state, action)
        spent = self._spent_in(action.player, commit, parts.parents)
        wrong = self._lottery.problem(entry, prepared.state, draw, spent)
        if wrong is not None:
            return Rejected("chance", commit, wrong)
        if isinstance(action, Excuse) and not self._is_agreed(action, merged):
            return self._denied_before(commit, action, self.head) or Rejected(
                "votes", commit, "it merges not all others' votes for it"
            )
        after = effect(prepared.state, action)
        invariants.check(after, prepared.state)
        tree = next_tree(prepared.tree, after, put)
        if tree.root != parts.tree:
            return Rejected("tree", commit, f"its tree is {parts.tree[:10]}, the action produces {tree.root[:10]}")
        return Step(commit, parts.parents, action, tree, parts.author.time_s, entry, draw)

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
        prepared = self._prepare(action)
        if not isinstance(action, Vote):
            prepared = prepared._replace(parents=(*prepared.parents, *self._brought(action)))
        entry = self._lottery.entry(action, prepared.state, self._drawn(prepared.state, action), share)
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
        prepared = self._before_vote(round)
        yes = self.ballot.of(round).get(vote.player)
        if yes is not None and vote.says == "no":
            prepared = prepared._replace(parents=(yes.commit,))
        return self._written(prepared, Entry(vote, names=names, charge=charge), prepared.state, time_s, put)

    def _written(self, prepared: Prepared, entry: Entry, after: State, time_s: int, put: Put) -> Step:
        action = entry.action
        draw = self._drawn(prepared.state, action)
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
        self._lottery.take_in(step.entry)
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
            spent = {player: self._lottery.spent(player) for player in self.game.constants.players}
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
        before = self._prepare(step.action, step.parents).state
        if self.tell_step is not None:
            self.tell_step(step, before)
        if self.watch is not None and not isinstance(step.action, Vote):
            if is_reply(step.action):
                self.watch(self.state, step.action, effect(self.state, step.action))
            else:
                self.watch(before, step.action, step.state)

    def before(self, action: Action) -> State:
        """The state in which an action that comes next takes place: a reply sees no other reply."""
        return self._prepare(action).state

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
        return self._lottery.draws

    def nonce_of(self, player: Player) -> Nonce | None:
        """The nonce in a player's pledge, None if there is no pledge of theirs or it tells none."""
        return self._lottery.nonce_of(player)

    def share_number(self, action: Action) -> int | None:
        """Which share of their player a pledge, a call or a reveal that comes next has to tell; None for all others."""
        if isinstance(action, Pledge):
            return 0
        if not isinstance(action, Call | Reveal):
            return None
        parents = (*self._prepare(action).parents, *self._brought(action))
        return self._lottery.next_number(action.player, self._spent_in(action.player, None, parents))

    def _brought(self, action: Action) -> tuple[ObjectId, ...]:
        """The votes that an action of ours merges: those held that there is room for, a reveal only what it needs."""
        if not is_reply(action):
            return self.to_merge(action)
        late = self._late_vote(action.player) if isinstance(action, Reveal) else None
        return () if late is None else (late.commit,)

    def _spend(self, step: Step) -> None:
        """Take note of the shares that count as told by the votes that a commit merges."""
        for vote in step.parents:
            cast = self.ballot.loose.get(vote)
            if cast is not None and cast.charge is not None and self._counts(cast, step.commit, step.parents):
                self._lottery.spend(cast.voter, cast.charge.spent or 0)

    def settlement(self) -> Action:
        """The action that settles the draw under way, once everybody has revealed."""
        draw = self._drawn(self.state)
        assert draw is not None, "a share is due"
        return settlement(self.state, draw.numbers())

    def _drawn(self, state: State, action: Action | None = None) -> Draw | None:
        """The draw that an action settles in this state, None if nothing is drawn or somebody still has to reveal.

        Votes settle none, and those who go on without its caller drop it.
        """
        if state.tp != "Drawing" or any(state.due) or isinstance(action, Vote | Excuse | Claim):
            return None
        return self._lottery.draw()

    def _prepare(self, action: Action, parents: tuple[ObjectId, ...] | None = None) -> Prepared:
        """What an action meets that comes next; ``parents`` are those that somebody else's commit has.

        Where replies are optional, another action may have been taken before some of them were heard.
        """
        if isinstance(action, Vote):
            return self._before_vote(self.round_of(action.absent))
        first = self._tree.state
        if is_reply(action):
            return Prepared((self.head,), first, self._tree)
        heard = [self.replies[player] for player in sorted(self.replies)]
        if parents is None or not are_optional(first) or len(parents) == len(heard) + 1:
            return Prepared((self.head, *(reply.commit for reply in heard)), self.state, self._tree)
        heard = [reply for reply in heard if reply.commit in parents]
        state = first
        for reply in heard:
            state = effect(state, reply.action)
        return Prepared((self.head, *(reply.commit for reply in heard)), state, self._tree)
