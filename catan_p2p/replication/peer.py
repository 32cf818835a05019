"""One replica of a game: it sees others' moves when it synchronizes, validates each for itself, and extends its log."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Literal, NamedTuple, TypeAlias

from catan_p2p.game import invariants
from catan_p2p.game.actions import ACTIONS, KIND_OF, Action, Call, Pledge, Reveal, Vote
from catan_p2p.game.actions.replies import REPLIES, is_reply, may_reply, owes_reply, reply_kinds, vote_word
from catan_p2p.game.chance import Chain, ChanceUsedUp, Nonce, Share
from catan_p2p.game.constants import Player
from catan_p2p.game.invariants import InvariantBroken
from catan_p2p.game.rules import NotEnabled, apply, awaited, called_for, decisions, draw_or_call
from catan_p2p.game.state import State
from catan_p2p.game.watching import Watching
from catan_p2p.log.ballot import Round
from catan_p2p.log.commit import decode_commit, parse_action
from catan_p2p.log.game import Game
from catan_p2p.log.graph import Graph
from catan_p2p.log.proof import Charge
from catan_p2p.log.reading import new_commits, read_root
from catan_p2p.log.recent import Recent
from catan_p2p.log.refs import HEADS, Branch, ReplyBranch, local_ref, parse_branch
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.storage.store import Store
from catan_p2p.log.verdict import Rejected, Step
from catan_p2p.players.choosing import Chooser, checked
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

COURSE = ("Pledging", "Drawing")
"""The phases in which nobody decides anything: the course of a draw that all make together."""
MAX_CHOICES = 100
"""How often a peer chooses again after an action that broke an invariant, before it gives up."""


Randomness: TypeAlias = Callable[[int, Player], Random]
"""Where a player's choices and chances at a height of the log come from."""

Clock: TypeAlias = Callable[[int], int]
"""The date, in seconds since 1970, of a commit at a height of the log."""

RefName: TypeAlias = Callable[[Player, Branch], str]
"""The name of the ref under which this peer sees a branch of another player."""


class Finding(NamedTuple):
    """Something that should not have happened: a broken invariant, or a try that was not refused."""

    kind: Literal["invariant", "not_refused"]
    name: str
    """The invariant's, or the action's."""
    commit: ObjectId
    """The last good commit."""
    player: Player
    action: Action


class ActionTiming(NamedTuple):
    """What one action of one peer cost, in seconds."""

    commit: ObjectId
    player: Player
    choose_s: float
    apply_s: float
    check_s: float
    write_s: float


class SyncTiming(NamedTuple):
    """What one synchronization of one peer cost, in seconds, and how many commits it brought."""

    player: Player
    commits: int
    sync_s: float


class GaveUp(Exception):
    """A peer cannot go on, as the message says.

    Every choice broke an invariant, or a commit that it reads does; or its chain of shares has no more of them.
    """


class Unacceptable(GaveUp):
    """A commit of this peer's own that the others would refuse: a mistake of this program. It was shown to nobody."""


def open_graph(store: Store, root: ObjectId) -> Graph:
    """The graph of the game that begins with ``root``, holding nothing else; ``ValueError`` if the root is refused."""
    graph = read_root(root, store.read)
    if isinstance(graph, Rejected):
        raise ValueError(str(graph))
    return graph


class Peer:
    """A player's replica of a game over a store.

    ``graph`` is what it has validated; nothing else decides what it does. ``sees`` says under which ref it looks for a
    branch of another player: the branch itself in a shared repository, its remote-tracking ref otherwise. Shares of
    draws come from ``secret`` and from what ``new_nonce`` made for the pledge; None where a game can be repeated.
    """

    def __init__(
        self,
        store: Store,
        graph: Graph,
        player: Player,
        chooser: Chooser,
        randomness: Randomness,
        clock: Clock,
        sees: RefName = lambda player, branch: local_ref(branch),
        secret: bytes | None = None,
        new_nonce: Callable[[], Nonce] | None = None,
        time: TimeSource = SYSTEM_TIME,
    ) -> None:
        self.store = store
        self.time = time
        self.graph = graph
        self.player = player
        self.findings: list[Finding] = []
        self.tell_finding: Callable[[Finding], None] = lambda finding: None
        """Told every finding at once: after it, this process may end in any way."""
        self.rejected: dict[ObjectId, Rejected] = Recent()
        self.timings: list[ActionTiming] = []
        self.syncs: list[SyncTiming] = []
        self.tries = 0
        self._chooser = checked(chooser)
        if isinstance(self._chooser, Watching):
            graph.watch = self._chooser.watch
        self._randomness = randomness
        self._clock = clock
        self._sees = sees
        self._secret = secret
        self._new_nonce = new_nonce
        self._chain: Chain | None = None
        self._log = local_ref(self.game.branch(player))
        self._others = [
            (other, sees(other, self.game.branch(other))) for other in self.game.constants.players if other != player
        ]
        self._own_replies: dict[str, ObjectId] = {}
        """The own temporary branches that are still there, by ref."""

    @property
    def game(self) -> Game:
        """The game it takes part in."""
        return self.graph.game

    @property
    def mistakes(self) -> int:
        """How many decisions the chooser has failed to make; the player did the least that the rules allow instead."""
        return self._chooser.mistakes

    @property
    def is_awaited(self) -> bool:
        """Whether the game, as this peer knows it, waits for this player."""
        return self.player in awaited(self.graph.state)

    @property
    def has_choice(self) -> bool:
        """Whether what is awaited of this player is theirs to decide, and not a step in the course of a draw."""
        return self.is_awaited and self.graph.state.tp not in COURSE

    def is_capped(self, max_actions: int | None) -> bool:
        """Whether the game, as this peer knows it, has so many actions or more; None: never."""
        return max_actions is not None and len(self.graph) - 1 >= max_actions

    # Synchronizing

    def resume(self) -> None:
        """Take in what the player's own log and temporary branches hold: after a restart, before anything else."""
        head = self.store.own_ref(self._log)
        if head is not None:
            self._take_in(head)
        ours = self.game.seats[self.player - 1].colour
        for ref, commit in self.store.list_refs(HEADS, broken=[]).items():
            branch = parse_branch(ref.removeprefix(HEADS))
            if isinstance(branch, ReplyBranch) and branch.colour == ours:
                self._own_replies[ref] = commit
                self._take_in(commit)
        self.graph.ballot.me = self.player

    def synchronize(self) -> int:
        """Look at the other players' branches, validate what is new and take it in; how many commits that were.

        A branch whose head was refused is left alone until it moves. Nothing is written but the removal of the own
        temporary branch, once its reply is merged.
        """
        begin = self.time.monotonic()
        before = len(self.graph)
        for _, ref in self._others:
            self._follow(ref)
        state = self.graph.state
        for kind in reply_kinds(state):
            for other, _ in self._others:
                if may_reply(state, other):
                    self._follow(self._sees(other, self.game.reply_branch(self.graph.head, kind, other)))
        self._remove_own_replies()
        count = len(self.graph) - before
        self.syncs.append(SyncTiming(self.player, count, self.time.monotonic() - begin))
        return count

    def _follow(self, ref: str) -> None:
        head = self.store.read_ref(ref)
        if head is not None and head not in self.graph and head not in self.rejected:
            self._take_in(head)

    def _take_in(self, head: ObjectId) -> None:
        commits = new_commits(head, self.graph, self.store.read)
        if isinstance(commits, Rejected):
            self.rejected[head] = commits
            return
        for commit, data in commits:
            step = self._checked(commit, data)
            if isinstance(step, Rejected):
                self.rejected[head] = step
                return
            self.graph.add(step)

    def _checked(self, commit: ObjectId, data: bytes) -> Step | Rejected:
        """Validate a commit; raises ``GaveUp`` if its action is enabled and breaks an invariant, which is a finding."""
        try:
            return self.graph.check(commit, data)
        except InvariantBroken as error:
            action = parse_action(decode_commit(data).message, self.game.constants)
            self._found(Finding("invariant", error.name, self.graph.head, action.player, action))
            raise GaveUp(f"the commit {commit[:10]} broke the invariant {error.name}") from error

    def _remove_own_replies(self) -> None:
        """Remove the own temporary branches whose replies are merged, or came too late to be."""
        outstanding = self.graph.replies.get(self.player)
        for ref, commit in [*self._own_replies.items()]:
            if commit in self.graph.ballot.loose:
                continue
            known = commit in self.graph and (outstanding is None or commit != outstanding.commit)
            if known or (commit in self.rejected and self.rejected[commit].reason == "overtaken"):
                self.store.delete_ref(ref, commit)
                del self._own_replies[ref]

    # Acting

    def act(self, max_actions: int | None = None) -> list[Step]:
        """Act for as long as the game waits for this player and the phase of the turn is the same.

        What was written is published once the game waits for somebody else. Returns the commits written, none if it
        does not wait for this player or has ``max_actions`` actions already. Raises ``GaveUp`` if no choice keeps the
        invariants or there are no more shares, ``StoreError`` if the repository cannot be written.
        """
        steps = []
        phase = self.graph.state.phase
        while self.is_awaited and self.graph.state.phase == phase and not self.is_capped(max_actions):
            steps.append(self._act_once())
        if steps and not self.is_awaited:
            self._remove_own_replies()
            self.store.publish()
        return steps

    def carry_out(self, action: Action) -> Step:
        """Log one action of this player's that was decided elsewhere, its chance drawn here, and publish it.

        ``NotEnabled`` if it cannot be taken, ``InvariantBroken`` if it breaks an invariant, ``GaveUp`` if there are no
        more shares, ``StoreError`` if the repository cannot be written; nothing is logged then.
        """
        rng = self._randomness(self.graph.next_height(self.player), self.player)
        action = draw_or_call(self.graph.state, action, rng)
        before = self.graph.before(action)
        if is_reply(action):
            apply(self.graph.state, action)  # the own reply, if there is one, is not in the state before
        after = apply(before, action)
        invariants.check(after, before)
        return self._published(self._log_action(action, after))

    def act_one(self) -> Step:
        """One action, as ``act`` takes many, published at once; only while the game waits for this player."""
        return self._published(self._act_once())

    def _published(self, step: Step) -> Step:
        self._remove_own_replies()
        self.store.publish()
        return step

    def cast(self, round: Round, vote: Vote, names: ObjectId | None = None, charge: Charge | None = None) -> Step:
        """Log a vote of this player's; ``names`` is the commit that a no names. It is not published yet.

        A no after a yes takes that back.
        """
        time_s = self._clock(1 + self.graph.height(round.base))
        step = self._approved(self.graph.write_vote(round, vote, time_s, self.store.add, names, charge))
        ref = local_ref(self.game.reply_branch(round.base, vote_word(round.stage, round.absent), self.player))
        self.store.record(ref, step.commit, self.store.own_ref(ref))
        self._own_replies[ref] = step.commit
        self.graph.add(step)
        self.graph.ballot.me = self.player
        return step

    def _take_votes_back(self) -> None:
        """Say no where this player holds what their yes was against: nobody builds on what they have voted against."""
        for round, answer in self.graph.doubted(self.player):
            if self.player in self.graph.ballot.of(round):
                self.testify(round, answer)

    def testify(self, round: Round, answer: ObjectId) -> Step:
        """Say no, for this player holds what the player voted on did. It is not published yet."""
        return self.cast(round, Vote(self.player, round.absent, "no"), answer)

    def _act_once(self) -> Step:
        state = self.graph.state
        next_action = self._decider(state)
        for _ in range(MAX_CHOICES):
            begin = self.time.monotonic()
            action = next_action()
            chosen = self.time.monotonic()
            before = self.graph.before(action)
            after = apply(before, action)
            applied = self.time.monotonic()
            try:
                invariants.check(after, before)
            except InvariantBroken as error:
                self._found(Finding("invariant", error.name, self.graph.head, self.player, action))
                continue
            checked = self.time.monotonic()
            step = self._log_action(action, after)
            self.timings.append(
                ActionTiming(
                    step.commit,
                    self.player,
                    chosen - begin,
                    applied - chosen,
                    checked - applied,
                    self.time.monotonic() - checked,
                )
            )
            return step
        raise GaveUp(f"{MAX_CHOICES} actions in a row broke an invariant, the last one {self.findings[-1].name}")

    def _decider(self, state: State) -> Callable[[], Action]:
        """Tells what this player does next: what the course of a draw asks for, else what the player chooses."""
        if state.tp == "Pledging":
            return lambda: Pledge(self.player)
        if state.tp == "Drawing":
            return lambda: Reveal(self.player) if owes_reply(state, self.player) else self.graph.settlement()
        rng = self._randomness(self.graph.next_height(self.player), self.player)
        return lambda: self._choose(state, rng)

    def _choose(self, state: State, rng: Random) -> Action:
        """What this player chooses to do next, its chance drawn where that is left to them."""
        options = decisions(state, self.player)
        # Who chooses sees what can be decided as ever; what needs a draw is called for.
        shown = [called_for(state, option) if isinstance(option, Call) else option for option in options]
        return draw_or_call(state, self._chooser.choose(state, self.player, shown, rng), rng)

    def _share_for(self, action: Action) -> Share | None:
        """What a pledge, a call or a reveal of ours tells; it is made only when it is told."""
        number = self.graph.share_number(action)
        if number is None:
            return None
        try:
            return self._chain_for(action).share(number)
        except ChanceUsedUp as error:
            raise GaveUp(str(error)) from error

    def _chain_for(self, action: Action) -> Chain:
        """The own chain: a new one for a pledge, for all else that of the pledge, which may be from before a loss."""
        nonce = self.graph.nonce_of(self.player)
        if isinstance(action, Pledge) and self._new_nonce is not None:
            nonce = self._new_nonce()
        if self._chain is None or self._chain.nonce != nonce:
            if self._secret is None:
                raise ValueError(f"player {self.player} has no secret to make shares of")
            self._chain = Chain(self.graph.root, self.player, self._secret, nonce)
        return self._chain

    def _log_action(self, action: Action, after: State) -> Step:
        self._take_votes_back()
        time_s = self._clock(self.graph.next_height(self.player))
        share = self._share_for(action)
        nonce = self._chain.nonce if isinstance(action, Pledge) and self._chain is not None else None
        step = self._approved(self.graph.write(action, after, time_s, self.store.add, share, nonce=nonce))
        kind = REPLIES.get(type(action))
        if kind is not None:
            ref = local_ref(self.game.reply_branch(self.graph.head, kind, self.player))
            self.store.record(ref, step.commit, None)
            self._own_replies[ref] = step.commit
        else:
            self.store.record(self._log, step.commit, self.store.own_ref(self._log))
        self.graph.add(step)
        return step

    def _approved(self, step: Step) -> Step:
        """A commit of ours, judged before it is recorded as the others will judge it; ``Unacceptable`` if refused."""
        verdict = self.graph.check(step.commit, self.store.read(step.commit)[1])
        if isinstance(verdict, Rejected):
            raise Unacceptable(f"this player's own {type(step.action).__name__} is not acceptable: {verdict}")
        return step

    def fast_forward(self) -> None:
        """Move the own log to the newest commit that this peer has validated, and publish."""
        head = self.store.own_ref(self._log)
        if head != self.graph.head:
            self.store.record(self._log, self.graph.head, head)
        self.store.publish()

    def try_every_action(self, rng: Random) -> None:
        """Try a random instance of every action, as a player whose turn it is not: each must be refused.

        One that is not refused is a finding; it is not carried out.
        """
        state, constants = self.graph.state, self.game.constants
        for kind in ACTIONS:
            action = kind.sample(constants, self.player, rng)
            self.tries += 1
            try:
                apply(state, action)
            except NotEnabled:
                continue
            name = KIND_OF[type(action)].name
            self._found(Finding("not_refused", name, self.graph.head, self.player, action))

    def _found(self, finding: Finding) -> None:
        self.findings.append(finding)
        self.tell_finding(finding)
