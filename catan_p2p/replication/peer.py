"""One replica of a game: it sees others' moves when it synchronizes, validates each itself, and extends its own log."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from catan_p2p.game import invariants
from catan_p2p.game.actions import ACTIONS, KIND_OF, Action, ComeBack, Excuse, Pledge, Reveal, RollDice
from catan_p2p.game.actions.replies import are_optional, is_reply, may_reply, owes_reply, reply_kinds
from catan_p2p.game.chance import ChanceUsedUp, Nonce, Share, ShareChain
from catan_p2p.game.constants import Player
from catan_p2p.game.invariants import InvariantBroken
from catan_p2p.game.move_watcher import MoveWatcher
from catan_p2p.game.rules import NotEnabled, apply, awaited, draw_or_call, refused_kinds
from catan_p2p.game.state import State
from catan_p2p.limits import MAX_GAME_COMMITS
from catan_p2p.log.commit import NOTHING_TOLD, decode_commit, parse_action
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.reading import new_commits
from catan_p2p.log.refs import HEADS, branch_at, local_ref
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.players.choosing import PolicyChooser, checked, shown_decisions
from catan_p2p.replication.core import events
from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.replication.core.core import ReplicaCore
from catan_p2p.replication.core.effects import Effect, ForgetRef, KeepObjects, RecordRef, ReportCommit, ShowRefs
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

if TYPE_CHECKING:
    from catan_p2p.log.graph import DueMessage
    from catan_p2p.replication.core.source import BranchSource
    from catan_p2p.replication.own_cards import OwnCards

INVARIANT_NAMES = frozenset(invariant.name for invariant in invariants.INVARIANTS)
COURSE = ("Pledging", "Shuffling", "Drawing", "Surrendering", "Signing", "top")
"""The phases without decisions: steps of a joint draw, and openings."""
MAX_CHOICES = 100
"""How often a peer chooses again after an action that broke an invariant, before it gives up."""


Randomness: TypeAlias = Callable[[int, Player], Random]
"""Returns the source of a player's choices and chances at a height of the log."""

Clock: TypeAlias = Callable[[int], int]
"""Returns the date of a commit at a height of the log, in seconds since 1970."""


class PeerFinding(NamedTuple):
    """Something that should not have happened: a broken invariant, or an attempt that was not refused."""

    kind: Literal["invariant", "not_refused"]
    name: str
    """The name of the invariant or the action."""
    commit: ObjectId
    """The last good commit."""
    player: Player
    action: Action


class ActionTiming(NamedTuple):
    """The cost of one action of one peer, in seconds."""

    commit: ObjectId
    player: Player
    choose_s: float
    apply_s: float
    check_s: float
    write_s: float


class SyncTiming(NamedTuple):
    """The cost of one synchronization of one peer, in seconds, and the number of commits that it brought."""

    player: Player
    commits: int
    sync_s: float


class Peer:
    """A player at work in a repository that all players share: it carries out on ``store`` what ``core`` decides.

    ``graph`` is what it has validated; nothing else determines its actions. Shares of draws are made from ``secret``
    and from the nonce that ``new_nonce`` made for the pledge; None in games that can be repeated.
    """

    def __init__(
        self,
        store: GitStore,
        graph: CommitGraph,
        player: Player,
        chooser: PolicyChooser,
        randomness: Randomness,
        clock: Clock,
        *,
        sources: Iterable[BranchSource] = (),
        secret: bytes | None = None,
        new_nonce: Callable[[], Nonce] | None = None,
        time: TimeSource = SYSTEM_TIME,
    ) -> None:
        self.store = store
        self.time = time
        self.player = player
        self.game = graph.game
        """The game it takes part in."""
        others = [other for other in self.game.constants.players if other != player]
        self._others = [(other, local_ref(self.game.branch(other))) for other in others]
        self.core = ReplicaCore(graph, player, store.read, sources)
        self.findings: list[PeerFinding] = []
        self.tell_finding: Callable[[PeerFinding], None] = lambda finding: None
        """Called with every finding at once: after it, this process may end in any way."""
        self._tell_step: Callable[[LoggedStep, State], None] = lambda step, before: None
        self.timings: list[ActionTiming] = []
        self.syncs: list[SyncTiming] = []
        self.tries = 0
        self._moves_looked_at: int | None = None
        """The value of the store's ``moves_shown`` before the last look at the others."""
        self._due: deque[Effect] = deque()
        """Pending effects; they wait while the disk is full."""
        self._chooser = checked(chooser)
        is_hidden = self.game.constants.rules.hands == "hidden"
        self._own: OwnCards | None = None
        """What only this player knows where hands are hidden."""
        self._cards_of_party: dict[Player, OwnCards] = {}
        """The same of other seats of the party."""
        if is_hidden and secret is not None:
            # Imported here, since it takes longer than all else of a peer, and games with open hands need none of it.
            from catan_p2p.replication.own_cards import OwnCards

            self._own = OwnCards(graph.root, player, secret, self.game.names)
        # With hidden hands a chooser may see only its own view, so it is not shown the moves.
        if isinstance(self._chooser, MoveWatcher) and not is_hidden:
            graph.watch = self._chooser.watch
        self._randomness = randomness
        self._clock = clock
        self._secret = secret
        self._new_nonce = new_nonce
        self._chains: dict[bool, ShareChain] = {}
        """The own chain of shares of draws, and that of rolls that are told ahead (True)."""

    @property
    def graph(self) -> CommitGraph:
        """What it has validated."""
        return self.core.held.graph

    @property
    def rejected(self) -> Mapping[ObjectId, CommitRejected]:
        """The commits that it has refused last."""
        return self.core.held.rejected

    @property
    def tell_step(self) -> Callable[[LoggedStep, State], None]:
        """Called for each accepted commit from now on, with the state before its action."""
        return self._tell_step

    @tell_step.setter
    def tell_step(self, told: Callable[[LoggedStep, State], None]) -> None:
        self._tell_step = told
        self.graph.tell_step = self.core.held.tell

    @property
    def opens_cards(self) -> bool:
        """Whether hands are hidden, so that everybody opens their cards once the game is over."""
        return self._own is not None

    @property
    def mistakes(self) -> int:
        """How many decisions the chooser failed to make; for each, the player did the least that the rules allow."""
        return self._chooser.mistakes

    @property
    def is_awaited(self) -> bool:
        """Whether the game, as this peer knows it, waits for this player."""
        return self.player in awaited(self.graph.state) and self.graph.may_act(self.player)

    @property
    def may_settle(self) -> bool:
        """Whether this player may act in their own turn before all others have said what they may, but need not."""
        state = self.graph.state
        return state.ap == self.player and are_optional(state) and self.graph.may_act(self.player)

    @property
    def has_choice(self) -> bool:
        """Whether the player has a choice, or only a forced reply."""
        if not self.is_awaited or self.graph.state.tp in COURSE:
            return False
        return self._own is None or self._own.course(self.graph.line) is None

    def is_capped(self, max_actions: int | None) -> bool:
        """Whether the game, as this peer knows it, has this many actions; None: never.

        Actions after the end of a game do not count.
        """
        graph = self.graph
        return max_actions is not None and graph.action_count >= max_actions and not graph.state.is_over

    # The loop between the core and the repository

    def feed(self, event: events.Event) -> None:
        """Pass an event to the core, and carry out the effects.

        ``StoreError`` if the repository refuses one: the rest is carried out before the next event.
        """
        if self._due:
            self.flush()
        self._due.extend(self.core.step(event))
        self.flush()

    def flush(self) -> None:
        """Carry out the pending effects."""
        while self._due:
            # Removed only after it was carried out, so that a failed effect is tried again.
            self._carry_out(self._due[0])
            self._due.popleft()

    def _carry_out(self, effect: Effect) -> None:
        store = self.store
        match effect:
            case KeepObjects(objects):
                store.add_all(objects)
            case RecordRef(ref, _, new):
                if (at := store.own_ref(ref)) != new:
                    store.record(ref, new, at)
            case ForgetRef(ref, old):
                if store.own_ref(ref) == old:
                    store.delete_ref(ref, old)
            case ShowRefs():
                store.publish()
            case ReportCommit(step, before):
                self._tell_step(step, before)

    def _write(self, event: events.ActionDecided | events.MessageDue) -> LoggedStep:
        """Record an own commit; if that fails, it has not happened."""
        if self._due:
            self.flush()
        self._due.extend(self.core.step(event))
        try:
            self.flush()
        except BaseException:
            # The commit must not be recorded later: the player may decide something else by then.
            self._due.clear()
            raise
        step = self.core.author.written
        assert step is not None
        self.feed(events.DecisionStored())
        return step

    # Synchronizing

    def resume(self) -> None:
        """Take in the player's own log and temporary branches: after a restart, before anything else.

        Raises ``ObjectDamaged`` if that cannot be read: a peer that does not know what it did must not act.
        """
        colour = self.game.seats[self.player - 1].colour
        branches = ((ref, branch_at(ref)) for ref in self.store.list_refs(HEADS, broken=[]))
        self._restart([ref for ref, branch in branches if branch is not None and branch.colour == colour])

    def _restart(self, refs: Iterable[str]) -> None:
        log = local_ref(self.game.branch(self.player))
        found = {ref: head for ref in (*refs, log) if (head := self.store.own_ref(ref)) is not None}
        try:
            self.feed(events.ProcessRestarted(found))
        except ObjectDamaged as error:
            raise ObjectDamaged(f"{self.store.folder}: {error}") from error

    def synchronize(self) -> int:
        """Look at the other players' branches, validate and take in what is new; return the number of new commits.

        A branch whose head was refused is left alone until it moves. Nothing is written except the removal of an own
        temporary branch whose reply is merged. If no ref has moved since the last call, nothing is looked at or timed.
        """
        moves = self.store.moves_shown
        if moves is not None and moves == self._moves_looked_at and not self._due:
            return 0
        begin, graph = self.time.monotonic(), self.graph
        before = len(graph)
        for _, ref in self._others:
            self._follow(ref)
        state = graph.state
        for kind in reply_kinds(state):
            for other, _ in self._others:
                if may_reply(state, other):
                    self._follow(local_ref(self.game.reply_branch(graph.head, kind, other)))
        self.feed(events.LooksEnded())
        count = len(graph) - before
        self.syncs.append(SyncTiming(self.player, count, self.time.monotonic() - begin))
        self._moves_looked_at = moves
        return count

    def _follow(self, ref: str) -> None:
        """Look at another player's branch; raises ``GaveUp`` if an enabled action breaks an invariant."""
        head, graph = self.store.read_ref(ref), self.graph
        if head is None or head in graph or head in self.rejected:
            return
        self.feed(events.HeadHeard(None, ref, head, events.CommitsBrought(new_commits(head, graph, self.store.read))))
        bad = self.rejected.get(head)
        if bad is not None and bad.reason == "guard" and bad.guards[0] in INVARIANT_NAMES:
            action = parse_action(decode_commit(self.store.read(bad.commit)[1]).message, self.game.constants)
            self._found(PeerFinding("invariant", bad.guards[0], self.graph.head, action.player, action))
            raise GaveUp(f"the commit {bad.commit[:10]} broke the invariant {bad.guards[0]}")

    # Acting

    def act(self, max_actions: int | None = None) -> list[LoggedStep]:
        """Act while the game waits for this player and the phase of the turn stays the same.

        What was written is published once the game waits for somebody else. Returns the commits written, none if the
        game does not wait for this player or has ``max_actions`` actions already. Raises ``GaveUp`` if no choice keeps
        the invariants, no shares are left or the game is too long, ``StoreError`` if the repository cannot be written.
        """
        steps = []
        state = self.graph.state
        phase, is_awaited = state.phase, self.is_awaited
        while is_awaited and state.phase == phase and not self.is_capped(max_actions):
            steps.append(self._act_once())
            state, is_awaited = self.graph.state, self.is_awaited
        if steps and not is_awaited:
            self.feed(events.PlayerPassed())
        return steps

    def carry_out(self, action: Action) -> LoggedStep:
        """Log an own action that was decided elsewhere, with its chance drawn here, and publish it.

        ``NotEnabled`` if it is not allowed, ``InvariantBroken`` if it breaks an invariant, ``GaveUp`` if no shares are
        left or the game is too long, ``StoreError`` if the repository cannot be written; then nothing is logged.
        """
        rng = self._randomness(self.graph.next_height(self.player), self.player)
        action = self._with_outcome(action, rng)
        if self._own is not None and (broken := self._own.lacking(self.graph.line, action)):
            raise NotEnabled(action, broken)
        if is_reply(action):
            apply(self.graph.state, action)  # the own reply, if there is one, is not in the state before
        return self._published(self._log_checked(action))

    def act_one(self) -> LoggedStep:
        """Log one action, like ``act``, and publish it at once; only while the game waits for this player."""
        return self._published(self._act_once())

    def _published(self, step: LoggedStep) -> LoggedStep:
        self.feed(events.PlayerPassed())
        return step

    def sign(self, due: DueMessage) -> LoggedStep:
        """Log what is due in a change of the view, dated now. It is not published yet."""
        if due.kind == "request" and self._own is not None:
            due = due._replace(openings=self._own.openings_of_party(self.graph.valid, self._cards_of_party))
        return self._write(events.MessageDue(due, self._clock(self.graph.next_height(self.player))))

    def hold_secrets(self, secrets: Mapping[Player, bytes]) -> None:
        """Take the secrets of the party's other seats, whose sealed cards a request to come back opens, too."""
        if self._own is not None:
            kind, root = type(self._own), self.graph.root
            self._cards_of_party = {seat: kind(root, seat, secret) for seat, secret in secrets.items()}

    @property
    def may_ask(self) -> bool:
        """Whether a request to come back can be signed: all sealed cards of the party can be opened here."""
        if self._own is None:
            return True
        valid, state = self.graph.valid, self.graph.state
        seats = valid.may_return(self.player, valid.line_node(valid.newest).ledger)
        known = {self.player, *self._cards_of_party}
        return all(seat in known or not state.hid.sealed[seat - 1] for seat in seats)

    def record(self, record: Excuse | ComeBack) -> LoggedStep:
        """Log the record of a decision. It is not published yet."""
        return self._log_checked(record)

    def _act_once(self) -> LoggedStep:
        next_action = self._decider(self.graph.state)
        for _ in range(MAX_CHOICES):
            begin = self.time.monotonic()
            action = next_action()
            try:
                return self._log_checked(action, self.time.monotonic() - begin)
            except InvariantBroken as error:
                self._found(PeerFinding("invariant", error.name, self.graph.head, self.player, action))
        raise GaveUp(f"{MAX_CHOICES} actions in a row broke an invariant, the last one {self.findings[-1].name}")

    def _log_checked(self, action: Action, choose_s: float = 0.0) -> LoggedStep:
        """Apply, check and log an own action; ``NotEnabled`` or ``InvariantBroken`` if it is no step of the game."""
        begin = self.time.monotonic()
        before = self.graph.before(action)
        after = apply(before, action)
        applied = self.time.monotonic()
        invariants.check(after, before)
        checked = self.time.monotonic()
        step = self._log_action(action, after)
        spent = (choose_s, applied - begin, checked - applied, self.time.monotonic() - checked)
        self.timings.append(ActionTiming(step.commit, self.player, *spent))
        return step

    def _decider(self, state: State) -> Callable[[], Action]:
        """Return the function that yields the next action: the one that a draw requires, else the player's choice."""
        if state.tp == "Pledging":
            return lambda: Pledge(self.player)
        if self._own is not None and (course := self._own.course(self.graph.line)) is not None:
            return lambda: course
        if state.tp == "Drawing":
            return lambda: Reveal(self.player) if owes_reply(state, self.player) else self.graph.settlement()
        if state.tp == "DiceRoll" and state.is_ahead:
            return self._roll_ahead
        rng = self._randomness(self.graph.next_height(self.player), self.player)
        return lambda: self._choose(state, rng)

    def _with_outcome(self, action: Action, rng: Random) -> Action:
        """Turn a decision into what is logged: a call for a joint draw, else the action with its outcome."""
        state = self.graph.state
        if isinstance(action, RollDice) and state.tp == "DiceRoll" and state.is_ahead:
            return self._roll_ahead()
        return draw_or_call(state, action, rng)

    def _roll_ahead(self) -> Action:
        """Return the roll for which all others have told their shares ahead."""
        roll = RollDice(self.player, self.game.constants.rules.dice[0])
        share = self._share_for(roll, is_ahead=True)
        return roll if share is None else self.graph.settlement(share)

    def _choose(self, state: State, rng: Random) -> Action:
        """Return the player's choice, with its chance drawn where that is left to the player."""
        if self._own is not None:
            return self._own.choose(self._chooser, self.graph.line, rng)
        shown = shown_decisions(state, self.player)
        return draw_or_call(state, self._chooser.choose(state, self.player, shown, rng), rng)

    def _share_for(self, action: Action, *, is_ahead: bool = False) -> Share | None:
        """Return the share of an own pledge, call or reveal, or the one that an action tells ahead for a roll.

        It is made only when it is told, and told once.
        """
        number = self.graph.ahead_number(action) if is_ahead else self.graph.share_number(action)
        if number is None:
            return None
        try:
            return (self._chain(of_rolls=True) if is_ahead else self._chain_for(action)).share(number)
        except ChanceUsedUp as error:
            raise GaveUp(str(error)) from error

    def _chain_for(self, action: Action) -> ShareChain:
        """The own chain: a new one for a pledge, else that of the pledge, which may predate a loss."""
        if isinstance(action, Pledge) and self._new_nonce is not None:
            return self._chain_of(self._new_nonce(), of_rolls=False)
        return self._chain()

    def _chain(self, *, of_rolls: bool = False) -> ShareChain:
        """The own chain of draws or rolls, once there is a pledge."""
        nonce = self.graph.known_shares.nonces.get(self.player)
        if nonce is None and False in self._chains:
            nonce = self._chains[False].nonce  # the pledge is being written
        return self._chain_of(nonce, of_rolls=of_rolls)

    def _chain_of(self, nonce: Nonce | None, *, of_rolls: bool) -> ShareChain:
        known = self._chains.get(of_rolls)
        if known is None or known.nonce != nonce:
            if self._secret is None:
                raise ValueError(f"player {self.player} has no secret to make shares of")
            known = self._chains[of_rolls] = ShareChain(
                self.graph.root, self.player, self._secret, nonce, of_rolls=of_rolls
            )
        return known

    def _log_action(self, action: Action, after: State) -> LoggedStep:
        if len(self.graph) >= MAX_GAME_COMMITS:
            raise GaveUp(f"the game has {len(self.graph)} commits, and a newcomer could not read many more")
        share = ahead = None
        rules = self.game.constants.rules
        if rules.chance == "joint":
            share = self._share_for(action)
            if rules.chance_ahead:
                ahead = self._share_for(action, is_ahead=True)
        told = NOTHING_TOLD
        nonce = self._chains[False].nonce if isinstance(action, Pledge) and share is not None else None
        if self._own is not None:
            told = self._own.told(self.graph.prepare(action), action, nonce)
        time_s = self._clock(self.graph.next_height(self.player))
        return self._write(events.ActionDecided(action, after, time_s, share, nonce, told, ahead))

    def fast_forward(self) -> None:
        """Move the own log to the newest validated commit, and publish."""
        self.feed(events.LogEnded())

    def try_every_action(self, rng: Random) -> None:
        """Try every action as a player who is not on turn: each must be refused.

        Rules, phase or turn refuse most of them as a whole; of the others a random instance is tried. An action that is
        not refused is a finding; it is not carried out.
        """
        state, constants = self.graph.state, self.game.constants
        for kind, is_refused in zip(ACTIONS, refused_kinds(state, self.player), strict=True):
            if not is_refused and kind.cls.rule == "leaving":
                continue  # whoever claims or excuses need not be on turn
            self.tries += 1
            if is_refused:
                continue
            action = kind.sample(constants, self.player, rng)
            try:
                apply(state, action)
            except NotEnabled:
                continue
            name = KIND_OF[type(action)].name
            self._found(PeerFinding("not_refused", name, self.graph.head, self.player, action))

    def _found(self, finding: PeerFinding) -> None:
        self.findings.append(finding)
        self.tell_finding(finding)
