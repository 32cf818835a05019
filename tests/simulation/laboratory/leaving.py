"""Games over simulated links in which a player goes away, withholds, comes back or lies: ``python -m ...leaving``.

The peers, with their votes and what they settle, are the program's own; time, links and disks are simulated. In the end
all who are there and honest must be on one commit at which the game is over, and none of them away (``oracle.py``);
nobody honest is charged, and whatever two of them had accepted is in the game. That last is not asked where somebody
lies, and no more is compared where two who were left have both claimed the game. Of two who are silent at once one
comes back: else nobody could be excused.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace
from typing import NamedTuple

from catan_p2p.game.actions import (
    Action,
    AnswerTrade,
    Claim,
    CloseGame,
    ConcludeTrade,
    OpenAll,
    ProposeTrade,
    WithdrawTrade,
)
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.log.commit import Commit, decode_commit, parse_action
from catan_p2p.log.evidence import read_refusals
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.history import read_history
from catan_p2p.log.reading import new_commits
from catan_p2p.log.refs import HEADS
from catan_p2p.log.signing import signer
from catan_p2p.log.storage.objects import ObjectId, ObjectMissing, object_id
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.transport.queries import PushMove
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.log.views.messages import ViewMessage
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.turn_clock import TURN_PATIENCES
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.distributions import US
from catan_p2p.simulation.laboratory.hosts import FOLDER, Host
from catan_p2p.simulation.laboratory.lies import ForgedRefs
from catan_p2p.simulation.laboratory.scene import PromiseBroken, ShownRepository, SimulatedRepository
from catan_p2p.simulation.laboratory.served_disk import Objects
from catan_p2p.simulation.laboratory.spec import parse_network
from tests.simulation.laboratory.lines import Lines
from tests.simulation.laboratory.oracle import ON_THE_WAY_S, PATIENCE_S, OracleWorld
from tests.simulation.laboratory.sums import Sums, run_simulated, watched
from tests.simulation.laboratory.worlds import settings

NETWORKS = (
    "lan",
    "world; overlay = ring",
    "continent; overlay = star",
    "city; overlay = gossip 2",
    "world",
    "mobile; looks = hooks",
    "satellite",
    "city; transport = path",
)
RULES = (
    "thesis; PointsToWin = 4; Leaving = yes; HandLimit = 3",
    "thesis; PointsToWin = 4; Leaving = yes; HandLimit = 3; Chance = joint",
    "brief; PointsToWin = 4; Leaving = yes",
    "brief; PointsToWin = 4; Leaving = yes; Chance = joint; TableTalk = yes",
)
HIDDEN_RULES = tuple(f"{words}; Chance = joint" for words in RULES if "joint" not in words)
WAYS = ("killed", "cut off", "withholds", "comes back", "races", "two silent", "forks", "replies twice")
"""What a player does.

==============  =====================================================================================
killed          the process ends for ever
cut off         nothing comes through to them or from them any more
withholds       they look, vote and relay, and never act again: no turn, no discard, no answer, no share
comes back      they stand still until the others have long excused them; with returns, only a little longer
races           they stand still for about as long as the others wait
two silent      two of them stand still; the second one comes back: the excuser, where that is another
forks           they continue a commit in two ways, each shown to some, and go on with one
replies twice   the same with a reply: a discard, an answer, a share
==============  =====================================================================================
"""


class Away(NamedTuple):
    """Who does what, and from how many commits on."""

    player: int
    way: str
    at: int
    owes: bool = False
    """Whether that is where they owe a reply: a discard, an answer, a share; for some time at least."""

    def is_now(self, graph: CommitGraph) -> bool:
        """Whether it is time."""
        is_asked = graph.state.tp in ("Discarding", "Offering", "Drawing")
        return len(graph) >= self.at and (not self.owes or is_asked or len(graph) > self.at + 40)


class Watcher:
    """The referee of a game in which somebody may lie: who has acknowledged and taken in what, on all lines."""

    def __init__(self, world: LeavingWorld, lines: Lines) -> None:
        self._world = world
        self.lines = lines
        self.held: dict[str, set[ObjectId]] = {}
        """By player what they have acknowledged, or accepted of others."""
        self._news_at: dict[Host, int] = {}
        self._turns: dict[Host, tuple[int, int]] = {}
        """By peer the turn, and since when it lasts; a liar may have two peers in one seat."""
        self._places: dict[Host, set[tuple[ObjectId, Player]]] = {}
        """By peer what was continued by whom: what a liar puts in the place of that is nothing new."""
        self._unshown: dict[Host, dict[ObjectId, tuple[LoggedStep, bytes]]] = {}
        """By peer its own commits that nobody else can have seen yet: they may be lost, and others follow."""
        self.opened: set[tuple[str, ObjectId]] = set()
        """Who has told the key to their cards, and on which commit."""
        self.broken: PromiseBroken | None = None
        """What was broken first: the game goes on, and nothing more is judged."""

    @property
    def graph(self) -> CommitGraph:
        graphs = [host.replica.graph for host in self._world.hosts if host.replica is not None]
        return max(graphs, key=len) if graphs else SimpleNamespace(__len__=lambda: 1)  # type: ignore[return-value]

    def has_started(self, host: Host, replica: Replica) -> None:
        self._news_at.setdefault(host, self._world.now)  # a program that starts again has waited all along
        self._turns.setdefault(host, (replica.graph.line.turns_ended, self._world.now))
        for head in replica.store.list_refs(HEADS).values():  # what was written as the process was killed
            commits = new_commits(head, self.lines.graph, replica.store.read)
            for commit, data in [] if isinstance(commits, CommitRejected) else commits:
                if isinstance(step := self.lines.graph.check(commit, data), LoggedStep):
                    self.lines.take_in(step, data)
        replica.tell_step = lambda step, before: self._took_in(host, replica, step)

    def _took_in(self, host: Host, replica: Replica, step: LoggedStep) -> None:
        self._world._taken_in(host, step)
        if self.broken is None:
            try:
                self._judge(host, replica, step)
            except PromiseBroken as error:
                self.broken = error

    def _judge(self, host: Host, replica: Replica, step: LoggedStep) -> None:
        self._check_patience(host, replica, step)
        if isinstance(step.action, OpenAll):
            self.opened.add((self._world.hosts[step.action.player - 1].name, step.parents[0]))
        with suppress(ObjectMissing):  # who moves over at the same moment does not keep it
            data = replica.store.read(step.commit)[1]
            if step.action.player == replica.player:
                self._unshown.setdefault(host, {})[step.commit] = step, data
            else:
                self.lines.take_in(step, data)
        # What an excused player sees, who only watches, is no acceptance.
        if not replica.graph.state.away[replica.player - 1] and _is_accepted(replica, step):
            self.held.setdefault(host.name, set()).add(step.commit)

    def _check_patience(self, host: Host, replica: Replica, step: LoggedStep) -> None:
        """Nobody votes on who is silent before they have waited, in silence or in all of a turn.

        Whom a liar shows another commit in the place of one that they hold has waited for the others all along.
        """
        if replica.player in self.lines.liars or step.commit in self.lines.data:
            return  # what a peer is given back was signed before
        now, graph = self._world.now, replica.graph
        if self._turns[host][0] != graph.line.turns_ended:
            self._turns[host] = graph.line.turns_ended, now
        if not isinstance(step.action, ViewMessage):
            valid, known = graph.valid, self._places.setdefault(host, set())
            # What is of another side than what this player holds is no news.
            place = (valid.newest, valid.view.id, *sorted(valid.replies().values()))
            if place not in known:
                known.add(place)
                self._news_at[host] = now
            return
        is_own = step.action.player == replica.player and step.action.waits and step.action.round == 1
        silent_s, turn_s = ((now - since) / US for since in (self._news_at[host], self._turns[host][1]))
        if is_own and silent_s < PATIENCE_S and turn_s < TURN_PATIENCES * PATIENCE_S:
            raise PromiseBroken(f"{host.name} votes on {step.action.waits} after a silence of {silent_s:.3f} s")

    def has_died(self, host: Host) -> None:
        """A peer was killed; what nobody else can have seen may be lost."""
        self._unshown.pop(host, None)

    def goes_back(self, host: Host) -> None:
        """A host now has an older copy of its repository, and holds what it is given back."""
        self._world.has_gone_back(host)
        self.held.pop(host.name, None)

    def has_acknowledged(self, host: Host, commit: ObjectId) -> None:
        self.held.setdefault(host.name, set()).add(commit)
        self._take_in_own(host, {commit})

    def has_shown(self, host: Host) -> None:
        """A repository shows something new."""
        self._take_in_own(host, {*host.served.refs.values()})

    def _take_in_own(self, host: Host, heads: set[ObjectId]) -> None:
        """Take note of what a peer has written up to the last of these heads."""
        unshown = self._unshown.get(host, {})
        for commit in [*unshown][: max((n for n, commit in enumerate(unshown, 1) if commit in heads), default=0)]:
            self._note(*unshown.pop(commit))

    def _note(self, step: LoggedStep, data: bytes) -> None:
        try:
            self.lines.take_in(step, data)
        except PromiseBroken as error:
            self.broken = self.broken or error

    def has_stepped(self, host: Host) -> None:
        """Nothing."""

    def check_end(self, hosts: list[Host]) -> None:
        """Nothing: ``LeavingWorld.check`` does."""


def _is_accepted(replica: Replica, step: LoggedStep) -> bool:
    """Whether a peer holds more than the bytes: the commit is in its line, and the peer has not voted."""
    assert replica.graph.game.has_views
    valid = replica.graph.valid
    promises = valid.nodes[valid.chain_ends[valid.party_of[replica.player]]].link.promises
    is_in_line = step.commit in valid.line and valid.line.leads(valid.newest, step.commit)
    return (is_in_line or step.commit in valid.replies().values()) and not promises.has_left(valid.view)


class Forking:
    """A repository that goes on in one way, and is shown to some as if it had gone on in another."""

    def __init__(self, host: Host, ref: str, instead: Objects, to: set[str]) -> None:
        self._to = to
        self._host = host
        self._instead = {ref: [*instead][-1]}
        self._objects = instead

    def __call__(self, source: SimulatedRepository, visitor: SimulatedRepository) -> ShownRepository:
        served = self._host.honest
        return (
            ForgedRefs(served, {**served.refs, **self._instead}, self._objects) if visitor.name in self._to else served
        )


class LeavingWorld(OracleWorld):
    """A game in which one player goes away or lies."""

    def __init__(self, number: int, chosen: SimulationSettings, away: Away) -> None:
        super().__init__(number, chosen, parse_network(chosen.network))
        self.away = away
        self.leaver: Host = self.hosts[away.player - 1]
        liars = {away.player} if away.way in ("forks", "replies twice") else set()
        objects = self.hosts[0].seat.objects
        self.watcher = Watcher(self, Lines(self.referee.root, objects, liars, lambda: self.now))
        self.referee = self.watcher  # type: ignore[assignment]
        self._rng = self.stream("leaving")
        self._has_left = False
        self.gone: set[str] = set()
        self._alone: set[str] = set()
        """Who is away and not done when all others are: nobody is there any more to hear it from."""
        for host in self.hosts:
            host.seat.pace.stay_s = 600.0

    def has_started(self, host: Host, replica: Replica) -> None:
        super().has_started(host, replica)
        if host is self.leaver:
            act = replica.act

            def acting(max_actions: int | None = None) -> list[LoggedStep]:
                if self._has_left and self.away.way == "withholds":
                    return []
                if not self._has_left and self.away.is_now(replica.graph) and replica.is_awaited:
                    return self._leave(replica, act)
                return act(max_actions)

            replica.act = acting  # type: ignore[method-assign]

    def _leave(self, replica: Replica, act: Callable[..., list[LoggedStep]]) -> list[LoggedStep]:
        """The player is awaited, and goes away or lies."""
        way, host = self.away.way, self.leaver
        if way in ("forks", "replies twice"):
            return self._lie(replica, act)
        self._has_left = True
        others = [one for one in self.hosts if one is not host]
        if way in ("killed", "cut off", "withholds"):
            self._go(host)
        if way == "killed":
            host.restart_after_us = 10**15
            host.kill()
        elif way == "cut off":
            names = [one.name for one in others] + ["relay"] * (self.relay is not None)
            self.cuts.cut([(a, b) for n in names for a, b in ((n, host.name), (host.name, n))], refuses=False)
        elif way == "comes back":
            long_s = PATIENCE_S + 20 * self._rng.random() if self.has_returns else 200
            self.stand_still(host, int(long_s * US))
        elif way == "races":
            self.stand_still(host, int((PATIENCE_S - 3 + 12 * self._rng.random()) * US))
        elif way == "two silent":
            self.stand_still(host, 10**15)
            self._go(host)
            second = self.hosts[self.away.player % len(self.hosts)]
            self.stand_still(second, int((5 + 60 * self._rng.random()) * US))
        return []

    def has_ended(self, host: Host) -> None:
        super().has_ended(host)
        waiting = [one for one in self.hosts if not one.is_done and one.name not in self.gone]
        if all(self._is_away(one, host) for one in waiting):
            self._alone.update(one.name for one in waiting)
            self._ended = len(self.hosts)  # liars, and who is away, wait for nobody

    def _is_away(self, host: Host, other: Host) -> bool:
        """Whether a player is away and knows it, or another knows it and this one is silent, or only just back."""
        back_us = int(ON_THE_WAY_S * US)
        is_silent = any(since <= self.now <= until + back_us for since, until in self._silences.get(host.name, ()))
        knowing = other if is_silent else host
        return knowing.replica is not None and knowing.replica.graph.state.away[host.seat.player - 1]

    def _go(self, host: Host) -> None:
        self.gone.add(host.name)
        self._ended += 1

    def _lie(self, replica: Replica, act: Callable[..., list[LoggedStep]]) -> list[LoggedStep]:
        """Act, and show some of the others another commit in the place of the first."""
        before, state = len(replica.graph), replica.graph.state
        step = replica.act_one()
        if not self._is_forked(state, step.action) or not step.parents:
            return [step]
        assert len(replica.graph) > before
        host = self.leaver
        commit = self._another(step, decode_commit(replica.store.read(step.commit)[1]))
        author = commit.author._replace(time_s=commit.author.time_s + 1 + self._rng.randrange(9))
        assert host.seat.key is not None
        other = signer(host.seat.key)(commit._replace(author=author, committer=author, signature=None)).encode()
        names = [one.name for one in self.hosts if one is not host and one.name not in self.gone]
        to = set(self._rng.sample(names, self._rng.randrange(1, len(names))))
        self._show_another(replica, step.commit, Objects({object_id("commit", other): ("commit", other)}), to)
        return [step]

    def _is_forked(self, state: State, action: Action) -> bool:
        """Whether this action is one that the player does in two ways."""
        return is_reply(action) == (self.away.way == "replies twice")

    def _another(self, step: LoggedStep, commit: Commit) -> Commit:
        """The other way, but for its date."""
        return commit

    def _show_another(self, replica: Replica, commit: ObjectId, instead: Objects, to: set[str]) -> None:
        """Show some players another commit, the last of these objects, where the liar goes on with this one."""
        host, self._has_left = self.leaver, True
        self.gone.add(host.name)
        refs = replica.store.list_refs(HEADS)
        ref = next(ref for ref, head in refs.items() if head == commit)
        host.served.look()
        if self.relay is None:
            host.lie = Forking(host, ref, instead, to)
        else:
            self.relay.lie = Forking(self.relay, ref, instead, to)  # type: ignore[arg-type, assignment]
            commits = host.honest.missing([commit], set(self.relay.refs.values()))
            self.relay.push(host, [PushMove(ref, self.relay.refs.get(ref), commit)], commits)
            self.relay.objects.update(instead)  # what others build on either is taken there

    # What must hold in the end

    @property
    def there(self) -> list[Host]:
        """Who is there and honest."""
        return [host for host in self.hosts if host.name not in self.gone | self._alone]

    def check(self) -> None:
        """Raise ``PromiseBroken`` if something that is promised does not hold."""
        heads: dict[str, ObjectId | None] = {}
        honest = {host.name for host in self.hosts} - (self.gone if self.is_lied else set())
        excused: set[str] = set()
        claims = 0
        lines = {}
        for host in self.there:
            with GitStore.within(host.disk, FOLDER, writer=None) as store:
                history = read_history(store.list_refs("refs/"), store.read, host.name)
                refusals = read_refusals(FOLDER / "catan-p2p", host.disk)
            heads[host.name] = history.graph.head  # a log ends with what its player signed last
            actions = [one for one in history.actions if not isinstance(one.action, OpenAll)]
            lines[host.name] = {one.commit for one in actions}
            last = actions[-1].action
            claims += isinstance(last, Claim) and last.player == host.seat.player
            excused |= {seat.colour for seat, away in zip(self.game.seats, history.last.away, strict=True) if away}
            if history.rejected or not (history.last.is_over or self.stands_still):
                raise PromiseBroken(f"{host.name}: {history.rejected or 'the game is not over'}")
            charged = {line["colour"] for line in refusals if line["reason"] != "missing"} & honest
            if charged:
                raise PromiseBroken(f"{host.name} charges {charged}: {refusals}")
        if claims > 1 or self.stands_still:
            return  # two were left, and both have claimed the game: there is nobody to ask; or they play no more
        active = {head for name, head in heads.items() if name not in excused}
        if len(active) != 1 or len({frozenset(line) for line in lines.values()}) != 1:
            raise PromiseBroken(f"the peers ended on different commits: {heads}")
        line = next(iter(lines.values()))
        self._check_lost(line)
        if self.is_lied:
            self._check_proof()
        self._check_opened(line, excused)

    def _check_proof(self) -> None:
        """What proves a fork must have reached all once one of them has it, wherever it was shown."""
        for player in self.watcher.lines.liars:
            holding, lacking = set[str](), set[str]()
            for host in self.there:
                graph = None if host.replica is None else host.replica.graph
                if graph.game.has_views:
                    (holding if graph.valid.party_of[player] in graph.valid.forkers else lacking).add(host.name)
            if holding and lacking:
                raise PromiseBroken(f"{holding} hold the proof against player {player}, and {lacking} do not")

    def _check_opened(self, line: set[ObjectId], excused: set[str]) -> None:
        """Look whether an honest player who is there has told their key on a side that does not stand."""
        there = {host.name for host in self.there} - excused
        for name, end in self.watcher.opened:
            if name in there and end not in line and not self._is_closed(end, line):
                raise PromiseBroken(
                    f"{name} has told the key to their cards after {end[:10]}, which is not in the game"
                )

    def _is_closed(self, commit: ObjectId, line: set[ObjectId]) -> bool:
        """Whether a commit closes the game on the end and the signatures of the line, as another one has done there."""
        closed = decode_commit(self.watcher.lines.data[commit])
        action = parse_action(closed.message, self.game.constants)
        return isinstance(action, CloseGame) and set(closed.parents) <= line

    @property
    def is_lied(self) -> bool:
        return self._has_left and self.away.way in ("forks", "replies twice")

    def _check_lost(self, line: set[ObjectId]) -> None:
        held = Counter(commit for host in self.there for commit in self.watcher.held.get(host.name, ()))
        # What more than half held before they voted stands; its player counts, too.
        most = len(self.hosts) // 2 + 1
        lost = [
            one for one, by in held.items() if by >= most and one not in line and not self._is_passed_over(one, line)
        ]
        if lost and not self.is_lied:
            raise PromiseBroken(f"{most} had accepted {lost}, which is not in the game")

    def _is_passed_over(self, commit: ObjectId, line: set[ObjectId]) -> bool:
        for host in self.there:
            with GitStore.within(host.disk, FOLDER, writer=None) as store:
                try:
                    data = store.read(commit)[1]
                except ObjectMissing:
                    continue
            decoded = decode_commit(data)
            action = parse_action(decoded.message, self.game.constants)
            if isinstance(action, AnswerTrade) and self.game.constants.rules.table_talk:
                return decoded.parents[0] in self._settled_offers(line)
            return isinstance(action, ViewMessage | ProposeTrade | OpenAll)
        return False

    def _settled_offers(self, line: set[ObjectId]) -> set[ObjectId]:
        """The offers that their players have settled, perhaps before all answers to them had come."""
        written = [decode_commit(self.watcher.lines.data[commit]) for commit in line]
        settlements = ConcludeTrade | WithdrawTrade
        return {
            commit.parents[0]
            for commit in written
            if commit.parents and isinstance(parse_action(commit.message, self.game.constants), settlements)
        }


@dataclass
class Figures(Sums):
    """What a campaign has seen."""

    left: int = 0
    ways: Counter[str] = field(default_factory=Counter)


def game_of(seed: int, policies: str = "builder", hands: str = "open", players: int = 0) -> LeavingWorld:
    """A game of the campaign: everything else goes with the seed, and so do the players if there are 0."""
    rng = Random(f"leaving {seed}")
    way, turn = WAYS[seed % len(WAYS)], seed // len(WAYS) + seed
    players = players or 3 + turn % 2
    if way == "two silent":
        players = max(4, players)
    words = f"{NETWORKS[turn % len(NETWORKS)]}; machine = quick"
    late = 1 if "returns" not in hands else 6 if "hidden" in hands else 2  # who comes back has settled before
    away = Away(1 + rng.randrange(players), way, late * rng.randrange(1, 60), owes=rng.random() < 0.5)
    rules = rng.choice(HIDDEN_RULES if hands.startswith("hidden") else RULES)
    chosen = settings(words, seed, players, rules=rules, signed=True, policies=policies, hands=hands)
    return LeavingWorld(0, chosen, away)


def play_one(seed: int, policies: str = "builder", hands: str = "open", players: int = 0) -> Figures:
    """One game of the campaign."""
    world = game_of(seed, policies, hands, players)
    found = watched(Figures(), world, f"seed {seed}, {world.away}", world.check)
    found.left = int(world._has_left)
    if world._has_left:
        found.ways[world.away.way] += 1
    return found


if __name__ == "__main__":
    sys.exit(run_simulated("Let players of simulated games leave and lie.", play_one, Figures(), 200))
