"""The commit graph of one game as one peer has validated it, and the rules by which it grows.

The graph is a line of actions that begins with the root. Where several players owe a reply at the same time, a discard
after a seven or an answer to an offer, the replies hang on the commit replied to side by side, and the first other
action after them joins them. ``check`` judges a commit that somebody else wrote, ``extend``
writes one, and both go by the same preparation: which parents the action must have, the state before, and the one tree
it produces.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from catan_p2p import invariants
from catan_p2p.actions import Action, Call, Claim, EmptyBuild, Excuse, Pledge, Reveal, Vote
from catan_p2p.actions.absence import excuser
from catan_p2p.actions.replies import CHARGES, VoteStage, are_optional, is_reply, may_reply
from catan_p2p.chance import Draw, Share
from catan_p2p.constants import Player
from catan_p2p.log.authorship import Sign, SignatureCheck, author_of, forgery
from catan_p2p.log.ballot import Ballot, Cast, Round, stage_of
from catan_p2p.log.commit import Commit, Entry, decode_commit, entry_message, parse_entry
from catan_p2p.log.game import FormatError, Game
from catan_p2p.log.lottery import Lottery
from catan_p2p.log.proof import Charge
from catan_p2p.log.settling import Lie, Settling, read_lie
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Put, Tree, hash_only, next_tree
from catan_p2p.log.verdict import Reason, Rejected, Step, fork
from catan_p2p.rules import broken_guards, effect, settlement
from catan_p2p.state import State


class _Prepared(NamedTuple):
    """What an action meets: required parents, the state before, and the tree that the new one is derived from."""

    parents: tuple[ObjectId, ...]
    state: State
    tree: Tree


class _Past(NamedTuple):
    """What a commit of the line was continued from: its tree, the replies to it in order, and the state after them."""

    tree: Tree
    replies: tuple[ObjectId, ...]
    state: State


class _Continuation(NamedTuple):
    """The commit that follows another in the line, and whose it is."""

    commit: ObjectId
    player: Player


class Graph:
    """The validated part of a game's commit graph.

    ``head`` is the newest commit of the line, without the replies that still hang on it; ``replies`` are those, by
    player. ``state`` is the state after all of them, ``turns`` counts the turns that have ended.
    """

    def __init__(
        self,
        game: Game,
        root: ObjectId,
        tree: Tree,
        verify: SignatureCheck | None = None,
        sign: Sign | None = None,
    ) -> None:
        self.game = game
        self.root = root
        self.head = root
        self.state = tree.state
        self.replies: dict[Player, Step] = {}
        self.turns = 0
        self.tell_step: Callable[[Step, State], None] | None = None
        """Told each commit that is taken in, with the state in which its action took place."""
        self._first = tree
        self._tree = tree
        self._verify = verify
        self._sign = sign
        self._lottery = Lottery(root)
        self._next: dict[ObjectId, _Continuation] = {}
        self._replied: dict[tuple[ObjectId, Player], ObjectId] = {}
        self._optional: set[ObjectId] = set()
        """The commits that play has gone on from without having to wait for replies to them."""
        self._height: dict[ObjectId, int] = {root: 0}
        self.ballot = Ballot()
        """Votes on players who are silent; in games that nobody may leave there are none."""
        self.settling = Settling(self.ballot)
        self._past: dict[ObjectId, _Past] = {}

    def __contains__(self, commit: object) -> bool:
        return commit in self._height

    def height(self, commit: ObjectId) -> int:
        """How many commits the longest way to the root has; KeyError for a commit that was not accepted."""
        return self._height[commit]

    def __len__(self) -> int:
        return len(self._height)

    def begun_again(self) -> Graph:
        """The graph of the same game that holds its root only."""
        fresh = Graph(self.game, self.root, self._first, self._verify, self._sign)
        fresh.tell_step = self.tell_step
        return fresh

    def is_forged(self, commit: ObjectId, data: bytes) -> bool:
        """Whether the bytes of a commit are not by whom its message says."""
        parts = decode_commit(data)
        player = parse_entry(parts.message, self.game.constants).action.player
        return forgery(commit, parts, self.game, player, self._verify) is not None

    # Growing

    def check(self, commit: ObjectId, data: bytes, put: Put = hash_only) -> Step | Rejected:
        """Judge the bytes of a commit all of whose parents are in the graph; the graph does not change.

        The bytes must be those of the id, as Git guarantees for objects that it has read. ``put`` gets every file and
        tree that the action makes anew, whether or not the commit's own tree turns out to be the same.
        """
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
            merged = ()
        required = tuple(parent for parent in parts.parents if parent not in merged)
        prepared = self._prepare(action, required)
        if parts.parents != (*prepared.parents, *merged):
            return self._misplaced(commit, parts.parents, action)
        broken = self._unpromised(commit, action, merged)
        if broken is not None:
            return broken
        if is_reply(action) and action.player in self.replies:
            return fork(commit, self.replies[action.player].commit)
        guards = broken_guards(prepared.state, action)
        if guards:
            return Rejected("guard", commit, f"{action} is not enabled: {', '.join(guards)}", guards)
        draw = self._drawn(prepared.state, action)
        wrong = self._lottery.problem(entry, prepared.state, draw)
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
    ) -> Step:
        """Write the commit of an action of ours that leads to the state ``after``; the graph does not change yet.

        ``share`` is what a pledge, a call or a reveal tells, ``shows`` what either of the dice shows that somebody saw,
        ``names`` the commit that a vote names.
        """
        prepared = self._prepare(action)
        if not is_reply(action) and not isinstance(action, Vote):
            prepared = prepared._replace(parents=(*prepared.parents, *sorted(self.ballot.loose)))
        entry = self._lottery.entry(action, prepared.state, self._drawn(prepared.state, action), share)
        return self._written(prepared, entry._replace(shows=shows or entry.shows, names=names), after, time_s, put)

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

    def _written(self, prepared: _Prepared, entry: Entry, after: State, time_s: int, put: Put) -> Step:
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
        if self.tell_step is not None:
            self.tell_step(step, self._prepare(step.action, step.parents).state)
        self._height[step.commit] = 1 + max(self._height[parent] for parent in step.parents)
        self._lottery.take_in(step.entry)
        if isinstance(step.action, Vote):
            round = self._round(step.parents, step.entry)
            self.ballot.add(step.commit, round, step.action, step.entry.charge)
            if step.entry.charge is not None:
                self._weigh(round)
            return
        if is_reply(step.action):
            self.replies[step.action.player] = step
            self._replied[self.head, step.action.player] = step.commit
            self.state = effect(self.state, step.action)  # replies commute, and it was enabled without the others
            return
        if isinstance(step.action, EmptyBuild) and step.action.player == self.state.ap:
            self.turns += 1
        if are_optional(self._tree.state):
            self._optional.add(self.head)
        if self.game.constants.rules.leaving:
            self._past[self.head] = self._present()
            self.ballot.merge(step.commit, [parent for parent in step.parents if parent in self.ballot.loose])
        self._next[self.head] = _Continuation(step.commit, step.action.player)
        self.head = step.commit
        self._tree = step.tree
        self.state = step.state
        self.replies = {}

    def before(self, action: Action) -> State:
        """The state in which an action that comes next takes place: a reply sees no other reply."""
        return self._prepare(action).state

    def next_height(self, player: Player) -> int:
        """The height that the player's next commit will have; all replies to one commit have the same."""
        if may_reply(self.state, player):
            return 1 + self._height[self.head]
        return 1 + max(self._height[self.head], *(self._height[reply.commit] for reply in self.replies.values()), 0)

    # Votes on players who are silent

    def round_of(self, absent: Player) -> Round:
        """What would be voted on now about a player."""
        return Round(self.head, stage_of(self.state, absent), absent)

    def answer_to(self, round: Round) -> ObjectId | None:
        """The commit of the player voted on that was accepted all the same, None if none was."""
        if round.stage in ("owes", "lies"):
            return self._replied.get((round.base, round.absent))
        following = self._next.get(round.base)
        return following.commit if following is not None and following.player == round.absent else None

    def is_testified(self, round: Round, but: Player = 0) -> bool:
        """Whether another than the player voted on, and ``but``, has a commit in the line that builds on the answer."""
        answer = self.answer_to(round)
        if answer is None or self.ballot.is_no_merged_by(round, answer):  # a liar may say no before there is an answer
            return answer is not None
        return any(
            step.player not in (round.absent, but) or self.ballot.is_no_merged_by(round, step.commit)
            for step in self._built_on(round)
        )

    def excuser(self, round: Round) -> Player:
        """Who would excuse the player voted on."""
        past = self._past_of(round.base)
        assert past is not None
        return excuser(past.state, round.absent)

    def doubted(self, player: Player) -> Iterator[tuple[Round, ObjectId]]:
        """Where others have voted to go on without an action that a player holds, and nobody has testified to it.

        Who has said yes themselves could not hold it, but for who would excuse.
        """
        for round in [*self.ballot.rounds()]:
            votes, answer = self.ballot.of(round), self.answer_to(round)
            if round.stage in CHARGES or answer is None or player == round.absent:
                continue
            if self.ballot.is_refused(round) or self.is_testified(round):
                continue
            if player not in votes or self.excuser(round) == player:
                yield round, answer

    def excusable(self) -> tuple[Player, ...]:
        """Whom all others have agreed to go on without."""
        return tuple(
            absent
            for absent in self.state.present
            if self._is_agreed(Excuse(0, absent), self.ballot.loose) and not self.state.is_over
        )

    def _built_on(self, round: Round) -> list[_Continuation]:
        """The commits of the line after the answer of the player voted on; none without an answer."""
        answer = self.answer_to(round)
        at = answer if round.stage in ("turn", "fork") or answer is None else round.base
        found = []
        while at is not None and (following := self._next.get(at)) is not None:
            found.append(following)
            at = following.commit
        return found

    def _built_by(self, action: Excuse | Claim, base: ObjectId) -> ObjectId | None:
        """Where its player has gone on from what the other did after ``base``, to go on without whom it says."""
        stages: tuple[VoteStage, ...] = ("owes", "turn")
        found = (step for stage in stages for step in self._built_on(Round(base, stage, action.absent)))
        return next((step.commit for step in found if step.player == action.player), None)

    def _is_agreed(self, excuse: Excuse, merged: Collection[ObjectId]) -> bool:
        voters = [player for player in self.state.present if player != excuse.absent]
        if self.ballot.is_agreed(self.round_of(excuse.absent), voters, merged):
            return True
        return self.settling.is_agreed(excuse.absent, merged, self.answer_to, self._height.get)

    def _unpromised(self, commit: ObjectId, action: Action, merged: Collection[ObjectId]) -> Rejected | None:
        """Refuse what breaks a promise: an action that this player would accept, or that its own player built on."""
        if self.settling.binds(action.player, commit):
            return Rejected("promised", commit, f"a vote says that player {action.player} has lied")
        for round in self.ballot.rounds():
            if round.stage in CHARGES or self.settling.is_settled(round.base, round.absent):
                continue
            if round.absent == action.player and round.base == self.head and self.ballot.binds(round):
                if (round.stage == "owes") == is_reply(action) and self.excuser(round) != self.ballot.me:
                    return Rejected("promised", commit, f"a vote says to go on without player {action.player}")
            own, yes = self.ballot.of(round).get(action.player), self.ballot.taken_back(round)
            if own is None or is_reply(action) or self.answer_to(round) is None:
                continue
            if own.says == "no":
                is_shown = own.commit in merged or own.commit not in self.ballot.loose
                if not is_shown and yes is not None and yes.voter == action.player:
                    return self._broken_promise(commit, yes.commit)
                continue
            noes = [one for one in self.ballot.of(round).values() if one.says == "no" and one.commit in merged]
            if not noes and not self.is_testified(round, action.player):
                return self._broken_promise(commit, own.commit)
        return None

    def _denied_before(self, commit: ObjectId, action: Excuse, base: ObjectId) -> Rejected | None:
        """Refuse an excuse by who has said no to it."""
        stages: tuple[VoteStage, ...] = ("owes", "turn")
        votes = (self.ballot.of(Round(base, stage, action.absent)).get(action.player) for stage in stages)
        return next((self._broken_promise(commit, own.commit) for own in votes if own and own.says == "no"), None)

    def _broken_promise(self, commit: ObjectId, other: ObjectId) -> Rejected:
        return Rejected("vote", commit, f"{other[:10]} says otherwise, by the same player", other=other)

    def _past_of(self, base: ObjectId) -> _Past | None:
        return self._present() if base == self.head else self._past.get(base)

    def _present(self) -> _Past:
        """What is voted on now; a vote sees no replies that play need not wait for."""
        if are_optional(self._tree.state):
            return _Past(self._tree, (), self._tree.state)
        return _Past(self._tree, tuple(self.replies[player].commit for player in sorted(self.replies)), self.state)

    def _round(self, parents: tuple[ObjectId, ...], entry: Entry) -> Round:
        if (yes := self.ballot.cast(parents[0])) is not None:
            return yes.round
        vote, past = entry.action, self._past_of(parents[0])
        assert past is not None and isinstance(vote, Vote)
        if entry.charge is not None:
            return self.read_lie(*entry.charge.proof).round
        state = past.tree.state if len(parents) == 1 else past.state
        return Round(parents[0], stage_of(state, vote.absent), vote.absent)

    def _before_vote(self, round: Round) -> _Prepared:
        past = self._past_of(round.base)
        assert past is not None
        if round.stage in ("owes", *CHARGES):
            return _Prepared((round.base,), past.tree.state, past.tree)
        return _Prepared((round.base, *past.replies), past.state, past.tree)

    def _check_vote(self, commit: ObjectId, parts: Commit, entry: Entry, vote: Vote, put: Put) -> Step | Rejected:
        if (yes := self.ballot.cast(parts.parents[0])) is not None:
            return self._check_taken_back(commit, parts, entry, yes, put)
        past = self._past_of(parts.parents[0])
        if past is None or parts.parents[1:] not in ((), past.replies):
            return self._misplaced(commit, parts.parents, vote)
        unproven = self._unproven(commit, parts.parents[0], entry)
        if unproven is not None:
            return unproven
        round = self._round(parts.parents, entry)
        known = self.ballot.of(round).get(vote.player)
        if known is not None:
            return fork(commit, known.commit)
        before = self._before_vote(round)
        guards = broken_guards(before.state, vote)
        if entry.charge is not None:
            guards = tuple(tag for tag in guards if tag != "VO6 awaited")
        if parts.parents != before.parents and not guards:
            return Rejected("parents", commit, "a vote on a turn has all replies that play waits for as parents")
        if guards:
            return Rejected("guard", commit, f"{vote} is not enabled: {', '.join(guards)}", guards)
        tree = next_tree(before.tree, before.state, put)
        if tree.root != parts.tree:
            return Rejected("tree", commit, f"its tree is {parts.tree[:10]}, the action produces {tree.root[:10]}")
        if entry.charge is not None:
            return self._denied(commit, round, entry.charge, vote) or Step(
                commit, parts.parents, vote, tree, parts.author.time_s, entry
            )
        answer = self.answer_to(round)
        if vote.says == "yes" and answer is not None and not self.ballot.is_no_merged_by(round, answer):
            for step in self._built_on(round):
                if step.player == vote.player:
                    return self._broken_promise(commit, step.commit)
                if step.player != round.absent or self.ballot.is_no_merged_by(round, step.commit):
                    break
        return Step(commit, parts.parents, vote, tree, parts.author.time_s, entry)

    def _check_taken_back(self, commit: ObjectId, parts: Commit, entry: Entry, yes: Cast, put: Put) -> Step | Rejected:
        """Judge a no that builds on a yes: of the same player, who would excuse and has not."""
        vote, round = entry.action, yes.round
        assert isinstance(vote, Vote)
        of_yes = Vote(yes.voter, round.absent, "no")
        if parts.parents != (yes.commit,) or vote != of_yes or round.stage in CHARGES:
            return self._misplaced(commit, parts.parents, vote)
        last = self.ballot.of(round)[vote.player]
        if self.excuser(round) != vote.player or last != yes:
            return fork(commit, last.commit)
        following = self._next.get(round.base)
        if self.answer_to(round) is None and following is not None and following.player == vote.player:
            return self._broken_promise(commit, following.commit)
        before = self._before_vote(round)
        tree = next_tree(before.tree, before.state, put)
        if tree.root != parts.tree:
            return Rejected("tree", commit, f"its tree is {parts.tree[:10]}, the action produces {tree.root[:10]}")
        return Step(commit, parts.parents, vote, tree, parts.author.time_s, entry)

    # Votes by the proof of a lie

    def read_lie(self, one: bytes, other: bytes) -> Lie:
        """What two commits prove in this game; ``FormatError`` if that is nothing."""
        if any(seat.key is None for seat in self.game.seats):
            raise FormatError("without keys nobody can prove anything")
        return read_lie(one, other, self.game.constants, self.is_forged)

    def has_passed(self, base: ObjectId) -> bool:
        """Whether the line goes on from a commit."""
        return base in self._next

    def newest_of(self, liar: Player) -> ObjectId:
        """The newest commit that would be lost if a liar's were not counted: the line's, or the liar's reply to it."""
        return self.replies[liar].commit if liar in self.replies else self.head

    def is_dropped(self, bad: Rejected) -> bool:
        """Whether a commit was refused because another of its player's has survived in its place."""
        return bad.reason == "fork" and bad.other is not None and bad.other in self.settling.outcomes.values()

    def overruled(self) -> Round | None:
        """Where another commit survives than the one that is held: whoever holds this has to move over."""
        return next(
            (
                round
                for round, kept in self.settling.outcomes.items()
                if kept is not None and self.answer_to(round) not in (None, kept)
            ),
            None,
        )

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

    def _weigh(self, round: Round) -> None:
        past = self._past_of(round.base)
        assert past is not None
        state = past.tree.state
        is_merged = round.stage == "lies" and state.to_act != round.absent
        voters = [player for player in state.present if player != round.absent]
        self.settling.weigh(round, voters, state.to_act if is_merged else 0)

    def _unproven(self, commit: ObjectId, base: ObjectId, entry: Entry) -> Rejected | None:
        """Refuse a vote whose proof proves nothing, or something else than it says."""
        charge, vote = entry.charge, entry.action
        if charge is None or not isinstance(vote, Vote):
            return None
        try:
            lie = self.read_lie(*charge.proof)
        except FormatError as error:
            return Rejected("proof", commit, str(error))
        if (lie.round.base, lie.round.absent) != (base, vote.absent) or charge.commits != tuple(sorted(charge.commits)):
            return Rejected("proof", commit, f"it proves no lie of player {vote.absent} after {base[:10]}")
        if charge.holds is not None and charge.holds not in charge.commits:
            return Rejected("proof", commit, f"{charge.holds[:10]}, which it holds, is not in its proof")
        return None

    def _denied(self, commit: ObjectId, round: Round, charge: Charge, vote: Vote) -> Rejected | None:
        """Refuse a vote by who has built on another of the liar's commits than the one they say to hold."""
        if self.answer_to(round) in (None, charge.holds) or round.base in self._optional:
            return None
        steps = (step for step in self._built_on(round) if step.player == vote.player)
        return next((self._broken_promise(commit, step.commit) for step in steps), None)

    # Chance that all players make together

    @property
    def draws(self) -> int:
        """How many draws have been called for."""
        return self._lottery.draws

    def share_number(self, action: Action) -> int | None:
        """Which share of their player a pledge, a call or a reveal that comes next has to tell; None for all others."""
        if isinstance(action, Pledge):
            return 0
        if isinstance(action, Reveal):
            return self.draws
        return self.draws + 1 if isinstance(action, Call) else None

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

    def _prepare(self, action: Action, parents: tuple[ObjectId, ...] | None = None) -> _Prepared:
        """What an action meets that comes next; ``parents`` are those that somebody else's commit has.

        Where replies are optional, another action may have been taken before some of them were heard.
        """
        if isinstance(action, Vote):
            return self._before_vote(self.round_of(action.absent))
        first = self._tree.state
        if is_reply(action):
            return _Prepared((self.head,), first, self._tree)
        heard = [self.replies[player] for player in sorted(self.replies)]
        if parents is None or not are_optional(first) or len(parents) == len(heard) + 1:
            return _Prepared((self.head, *(reply.commit for reply in heard)), self.state, self._tree)
        heard = [reply for reply in heard if reply.commit in parents]
        state = first
        for reply in heard:
            state = effect(state, reply.action)
        return _Prepared((self.head, *(reply.commit for reply in heard)), state, self._tree)

    def _misplaced(self, commit: ObjectId, parents: tuple[ObjectId, ...], action: Action) -> Rejected:
        first = parents[0]
        if self.state.away[action.player - 1]:
            return Rejected("excused", commit, f"player {action.player} has been excused")
        if isinstance(action, Excuse | Claim) and (other := self._built_by(action, first)) is not None:
            return self._broken_promise(commit, other)
        if isinstance(action, Excuse) and (denied := self._denied_before(commit, action, first)) is not None:
            return denied
        if is_reply(action) and first in self._next:
            detail = f"play has already gone on in {self._next[first].commit[:10]}"
            other = self._replied.get((first, action.player))
            reason: Reason = "overtaken" if other is None and first in self._optional else "late"
            return Rejected(reason, commit, detail, other=other)
        if first in self._next and self._next[first].player == action.player:
            return fork(commit, self._next[first].commit)
        return Rejected(
            "parents", commit, f"{type(action).__name__} cannot follow {', '.join(p[:10] for p in parents)}"
        )
