"""Checking who is present: what parties have signed about it, as a trace for ``spec/CatanViewsTrace.tla``.

``read_changes`` derives the trace from any repositories of one game. They do not record when a seat took something in,
so each is assumed to do that as soon as it can, but nothing that its own next commit does not build on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

from catan_p2p.game.actions import Claim
from catan_p2p.game.actions.absence import is_owing
from catan_p2p.game.constants import Player
from catan_p2p.game.state import WITHIN_PHASES
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.history import begin, game_refs
from catan_p2p.log.nodes import LineNode, ReplyNode
from catan_p2p.log.reading import take_in
from catan_p2p.log.refs import HEADS, copy_at
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.valid_commits import ValidCommits
from catan_p2p.log.views.deciding import returning
from catan_p2p.log.views.nodes import AcceptanceNode, Node, ProposalNode, RequestNode, VoteNode
from catan_p2p.log.views.view import Change, View
from catan_p2p.model_check.peers import Event, NotFollowed, TraceVerdict, follow, trace_module
from catan_p2p.model_check.tlc import TlcProgram, TlcProgress
from catan_p2p.model_check.trace import tla

_CONFIG = """\
SPECIFICATION TraceSpec
INVARIANTS
    Arrived
CONSTANTS
    Trace <- RecordedTrace
"""

_Position = tuple[ObjectId, str]
"""A commit of the line, and the id of the view in which somebody holds it."""


class ChangesTrace(NamedTuple):
    """What was signed about who is present in one game; ``commits`` has, by event, the commit that it is about."""

    game: GameDefinition
    constants: Mapping[str, str]
    """The constants of the module, as TLA+."""
    events: tuple[Event, ...]
    commits: tuple[ObjectId, ...]

    def told(self, number: int) -> str:
        """A sentence about why an event is refused; ``number`` counts from 1."""
        return f"{self.commits[number - 1][:10]} is no step of spec/CatanViews.tla ({self.events[number - 1][0]})"


def check_changes(
    trace: ChangesTrace,
    tlc: TlcProgram,
    progress: Callable[[TlcProgress], None] | None = None,
    most_s: float | None = None,
) -> TraceVerdict:
    """Let TLC check whether a trace is a behaviour of ``CatanViews``; ``TlcError`` if it cannot, or not in time."""
    definitions = [f"The{name} == {value}" for name, value in trace.constants.items()]
    text = trace_module("RunViews", "CatanViewsTrace", trace.events, definitions)
    config = _CONFIG + "".join(f"    {name} <- The{name}\n" for name in trace.constants)
    return follow("RunViews", text, config, len(trace.events), tlc, progress, most_s)


def read_changes(paths: Sequence[Path]) -> ChangesTrace | None:
    """The trace of a game that players may leave, whose repositories are at ``paths``; None if nobody has voted.

    Raises ``StoreError`` if a repository cannot be read or belongs to another game, ``BadRoot`` if it has none, and
    ``NotFollowed`` if ``CatanViews`` does not cover the game.
    """
    graph: CommitGraph | None = None
    for path in paths:
        with GitStore.open(path, writer=None) as store:
            heads = {*game_refs(store).values(), *(at for ref, at in store.list_refs(HEADS).items() if copy_at(ref))}
            if not heads:
                raise StoreError(f"{path}: not a game: it has no branch such as Red_0")
            one = begin(str(path), min(heads), store.read)
            if not one.game.has_views or (graph is not None and one.root != graph.root):
                raise StoreError(f"{path}: another game than that of {paths[0]}")
            graph = graph or one
            for head in sorted(heads):
                take_in(graph, head, store.read)
    assert graph is not None, "no repository"
    return changes_of(graph.valid)


def changes_of(valid: ValidCommits) -> ChangesTrace | None:
    """The same for all that a graph holds."""
    return _OrderedChanges(valid).trace() if valid.changes.votes else None


class _Need(NamedTuple):
    """What a seat does next: takes something in, once something ``after`` has happened, or signs its own commit."""

    after: object
    commit: ObjectId
    event: Event = ()
    """Empty where it waits for its own commit."""


class _OrderedChanges:
    """Puts what was signed into a possible order, and derives the events. Seats are those of the specification."""

    def __init__(self, valid: ValidCommits) -> None:
        self._valid = valid
        parties = sorted({*valid.party_of.values()})
        second = [player for player, party in valid.party_of.items() if player != party]
        twice = [valid.party_of[player] for player in second]
        if len({*twice}) < len(twice):
            raise NotFollowed("a party has three seats, which spec/CatanViews.tla does not cover")
        self._seat: dict[Player, int] = {party: i for i, party in enumerate(parties, 1)}
        """By player; of a party, that of its first one."""
        second.sort(key=valid.party_of.__getitem__)
        self._seat |= {player: len(parties) + i for i, player in enumerate(second, 1)}
        self._party_at = {seat: self._seat[valid.party_of[player]] for player, seat in self._seat.items()}
        self._liars = {self._seat[party] for party in valid.forkers}
        if len(self._liars) > 1:
            raise NotFollowed("several parties have forked, which spec/CatanViews.tla does not cover")
        self._twice = sorted(self._seat[party] for party in twice)
        self._events: list[tuple[Event, ObjectId]] = []
        self._happened: set[object] = set()
        self._views_by_id: dict[str, View] = {}
        for node in valid.nodes.values():
            view: View | None = node.view if isinstance(node, ProposalNode | RequestNode) else node.link.promises.view
            while view is not None and view.id not in self._views_by_id:
                self._views_by_id[view.id] = view
                view = view.before
        self._heads: dict[_Position, int] = {}
        """The numbers of heads."""
        self._base = {id: self._base_of(id) for id in self._views_by_id}
        self._nodes = self._represented()
        self._at: dict[int, _Position] = {}
        """By honest seat where it is, once all that is planned is done."""
        self._holds: dict[int, frozenset[ObjectId]] = {}
        self._needs: dict[int, deque[_Need]] = {}
        self._planned: set[str] = set()
        """The views of which it is planned how all come to where they are told from."""
        self._settled: dict[int, Change] = {}
        self._accepted: dict[tuple[Change, int, str], set[int]] = {}

    # What is told

    def _voted_in(self, id: str) -> list[ObjectId]:
        """The heads of votes by those who hold a view."""
        cast = (votes.values() for rounds in self._valid.changes.votes.values() for votes in rounds.values())
        return [vote.head for votes in cast for vote in votes if vote.view.id == id]

    def _base_of(self, id: str) -> ObjectId | None:
        """The commit from which a view is told: where the heads of all votes in it meet; None if there are none."""
        heads = self._voted_in(id)
        return reduce(self._valid.line.meeting, heads) if heads else None

    def _represented(self) -> list[Node]:
        """The commits that are told, in an order in which each follows its parents."""
        valid, line = self._valid, set[ObjectId]()
        for id in self._views_by_id:
            base = self._base[id]
            for head in self._voted_in(id):
                while head != base:
                    line.add(head)
                    head = valid.line.before(head)
        told = [node for node in valid.nodes.values() if isinstance(node, VoteNode | ProposalNode | AcceptanceNode)]
        votes = [vote for vote in told if isinstance(vote, VoteNode)]
        held = {reply for vote in votes for reply in vote.replies.values()}
        self._requests = {request for vote in votes for request in vote.requests.values()}
        for node in map(valid.nodes.__getitem__, line):
            assert isinstance(node, LineNode) and node.step is not None
            if isinstance(node.step.action, Claim):
                raise NotFollowed("a change of the view after the game was claimed")
            held |= {*node.step.parents[1:]}
        self._held = held
        found = [*told, *map(valid.nodes.__getitem__, (*line, *held, *self._requests))]
        found = [node for node in found if not isinstance(node, ReplyNode) or self._is_owed(node)]
        return sorted(found, key=lambda node: (node.link.height, node.link.commit))

    def _is_owed(self, reply: ReplyNode) -> bool:
        """Whether the game needed a reply; others, with table talk, are left out."""
        before = self._valid.line_node(reply.head)
        return is_owing(before.ledger.line.state, reply.step.action.player)

    def _owed(self, replies: Iterable[ObjectId]) -> frozenset[ObjectId]:
        nodes = map(self._valid.nodes.__getitem__, replies)
        return frozenset(node.link.commit for node in nodes if isinstance(node, ReplyNode) and self._is_owed(node))

    def _reply(self, commit: ObjectId) -> tuple[int, int]:
        """A reply: its seat, and a number that tells apart those of a liar."""
        node = self._valid.nodes[commit]
        assert isinstance(node, ReplyNode)
        player = node.step.action.player
        same = sorted(self._held.intersection(one.link.commit for one in self._valid.replies_of(node.head, player)))
        if len(same) > 2:
            raise NotFollowed("a liar has signed more than two replies to one commit")
        return self._seat[player], 1 + same.index(commit)

    def _replies(self, commits: Iterable[ObjectId]) -> list[tuple[int, int]]:
        return sorted(map(self._reply, self._owed(commits)))

    def _asked(self, commits: Iterable[ObjectId]) -> list[tuple[int, int]]:
        """Requests, like replies."""
        return sorted(map(self._request, commits))

    def _request(self, commit: ObjectId) -> tuple[int, int]:
        node = self._valid.nodes[commit]
        assert isinstance(node, RequestNode)
        beside = [one for one in map(self._valid.nodes.__getitem__, self._requests) if isinstance(one, RequestNode)]
        same = sorted(
            one.link.commit for one in beside if one.link.player == node.link.player and one.view.id == node.view.id
        )
        if len(same) > 2:
            raise NotFollowed("a liar has asked more than twice in one view")
        return self._seat[node.link.player], 1 + same.index(commit)

    def _info(self, commit: ObjectId) -> tuple[Any, ...]:
        """What the game says after a commit of the line: see the module."""
        valid, node = self._valid, self._valid.line_node(commit)
        state = node.ledger.line.state
        heard = {player: valid.replies_of(commit, player) for player in self._seat}
        replies = {player: one[0].link.commit for player, one in heard.items() if one}
        after = valid.ledger_with(node, [*replies.values()]).line.state
        number = 1 if commit == valid.root else 1 + sorted(valid.following(node.link.parents[0])).index(commit)
        owing = [self._seat[player] for player in self._seat if is_owing(state, player)]
        caller = state.caller if state.tp in WITHIN_PHASES else 0
        to_act = self._seat.get(after.to_act, 1)
        away = [player for player in self._seat if state.away[player - 1]]
        asked = dict.fromkeys([valid.party_of[player] for player in away], valid.root)
        back = [self._seat[party] for party, _ in returning(valid, commit, replies, node.view, asked)]
        seats = sorted(self._seat[player] for player in away)
        gone = sorted(map(self._seat.__getitem__, valid.gone(commit, node.view)))
        return number, sorted(owing), self._seat[caller] if caller else 0, to_act, seats, sorted(back), gone

    # The order

    def trace(self) -> ChangesTrace:
        """The whole trace."""
        valid = self._valid
        first = self._views_by_id[valid.root]
        start = self._base[first.id] or valid.root
        self._heads[start, first.id] = 1
        seats = [seat for seat in self._party_at if self._party_at[seat] not in self._liars]
        self._at = dict.fromkeys(seats, (start, first.id))
        self._holds = dict.fromkeys(seats, frozenset())
        self._needs = {seat: deque() for seat in seats}
        for node in self._nodes:
            self._plan(node)
        self._happened |= {("head", start, first.id)}
        for node in self._nodes:
            self._add(node)
        order = [self._seat[player] for player in sorted(self._seat)]
        constants = {
            "NParties": str(len({*self._party_at.values()})),
            "Twice": _set(self._twice),
            "Liars": _set(sorted(self._liars)),
            "Rounds": str(max(round for rounds in valid.changes.votes.values() for round in rounds)),
            "First": tla(self._info(start)),
            "Order": tla(order),
        }
        events, commits = zip(*self._events, strict=True)
        return ChangesTrace(valid.game, constants, events, commits)

    def _emit(self, commit: ObjectId, *event: Any) -> None:
        self._events.append((tuple(part() if callable(part) else part for part in event), commit))

    def _number(self, head: ObjectId, view: View) -> int:
        """The number of a head in a view; where the view begins, that of its decision."""
        key = (head, view.id)
        if key not in self._heads:
            if view.before is None or view.value.head != head:
                raise NotFollowed(f"{head[:10]} cannot be put into an order")
            value = view.value
            parties = [[self._seat[party] for party in part] for part in (value.out, value.proven)]
            before = self._number(head, view.before)
            back = self._asked(request for _, request in value.back)
            self._emit(head, "value", before, *parties, self._replies(value.replies), back)
            self._heads[key] = len(self._heads) + 1
        return self._heads[key]

    def _later(self, head: ObjectId, view: View) -> Callable[[], int]:
        """The number of a head that has none yet."""
        return lambda: self._number(head, view)

    # What each seat does, one after the other

    def _plan(self, node: Node) -> None:
        """Plan what its seat takes in before a commit."""
        commit, seat = node.link.commit, self._seat_of(node)
        match node:
            case LineNode(step=step) if step is not None:
                self._plan_jump(node.view, commit)
                self._plan_own(seat, node.view, step.parents[0], step.parents[1:], commit)
                self._put(seat, (commit, node.view.id), frozenset())
            case ReplyNode():
                self._plan_jump(node.view, commit)
                self._plan_own(seat, node.view, node.head, (), commit)
                if seat in self._at:
                    self._holds[seat] |= {commit}
            case VoteNode():
                self._plan_jump(node.view, commit)
                self._plan_own(seat, node.view, node.head, node.replies.values(), commit)
                self._put(seat, (node.head, node.view.id), self._owed(node.replies.values()))
            case RequestNode():
                self._plan_jump(node.view, commit)
                if seat in self._at and not self._views_by_id[self._at[seat][1]].has_passed(node.view.id):
                    self._go_to(seat, node.view, node.view.value.head, (), commit)
                self._wait(seat, commit)
            case ProposalNode() | AcceptanceNode():
                if seat in self._at and not node.change.without:
                    view = self._views_by_id[node.change.id]
                    if not self._views_by_id[self._at[seat][1]].has_passed(view.id):
                        self._go_to(seat, view, view.value.head, (), commit)
                self._wait(seat, commit)

    def _put(self, seat: int, at: _Position, holds: frozenset[ObjectId]) -> None:
        if seat in self._at:
            self._at[seat], self._holds[seat] = at, holds

    def _plan_jump(self, view: View, commit: ObjectId) -> None:
        """Let everybody who is there be in a view before it is told what was played there before its first vote."""
        if not self._has_jump(view) or view.id in self._planned:
            return
        self._planned.add(view.id)
        base = self._base[view.id]
        assert base is not None
        for seat in self._at:
            if self._party_at[seat] in map(self._seat.__getitem__, view.present):
                self._go_to(seat, view, view.value.head, (), commit)
                self._wait(seat, base)
                self._put(seat, (base, view.id), frozenset())

    def _has_jump(self, view: View) -> bool:
        return view.before is not None and self._base[view.id] not in (None, view.value.head)

    def _plan_own(self, seat: int, view: View, head: ObjectId, replies: Iterable[ObjectId], commit: ObjectId) -> None:
        if seat in self._at:
            self._go_to(seat, view, head, replies, commit)
            self._wait(seat, commit)

    def _wait(self, seat: int, commit: ObjectId) -> None:
        if seat in self._at:
            self._needs[seat].append(_Need(None, commit))

    def _go_to(self, seat: int, view: View, head: ObjectId, replies: Iterable[ObjectId], commit: ObjectId) -> None:
        """Let a seat take in what leads from where it is to a head in a view, with replies."""
        at, id = self._at[seat]
        needs, line = self._needs[seat], self._valid.line
        for one in self._learnt(self._views_by_id[id], view):
            needs.append(_Need(("view", one.id), commit, ("learn", seat, self._later(one.value.head, one))))
            at = one.value.head
            own = {reply for reply in self._holds[seat] if self._is_own(reply, seat, at)}
            self._holds[seat] = self._owed(one.value.replies) | own
        way: list[ObjectId] = []
        step = head
        while step != at and line.leads(step, at):
            way.append(step)
            # What was played before the first vote of a view is one step.
            step = at if step == self._base[view.id] and at == view.value.head else line.before(step)
        for taken in reversed(way if step == at else ()):
            needs.append(_Need(("head", taken, view.id), commit, ("take", seat, self._later(taken, view))))
            self._holds[seat] = frozenset()
        # Otherwise it is a voter who goes over to another side.
        if step == at:
            for reply in sorted(self._owed(replies) - self._holds[seat]):
                needs.append(_Need(("reply", reply), commit, ("hear", seat, *self._reply(reply))))
                self._holds[seat] |= {reply}
            at = head
        self._at[seat] = at, view.id

    def _is_own(self, reply: ObjectId, seat: int, head: ObjectId) -> bool:
        node = self._valid.nodes[reply]
        return isinstance(node, ReplyNode) and node.head == head and self._reply(reply)[0] == seat

    def _learnt(self, now: View, then: View) -> list[View]:
        """The views that a seat learns of on the way from one to another."""
        way: list[View] = []
        view: View | None = then
        while view is not None and view.id != now.id:
            way.insert(0, view)
            if view.settles is not None and now.has_passed(view.settles):
                break
            view = view.before
        return way

    def _meet(self, seat: int) -> None:
        """Let a seat take in what has happened of what it needs next."""
        needs = self._needs[seat]
        while needs and needs[0].after in self._happened:
            need = needs.popleft()
            self._emit(need.commit, *need.event)

    def _own(self, seat: int, commit: ObjectId) -> None:
        """Let a seat come to its own commit, or to where a view is told from."""
        self._meet(seat)
        needs = self._needs[seat]
        if not needs or needs[0].event or needs[0].commit != commit:
            raise NotFollowed(f"{commit[:10]} cannot be put into an order")
        needs.popleft()

    def _happen(self, key: object) -> None:
        self._happened.add(key)
        for seat in self._needs:
            self._meet(seat)

    # Commits

    def _seat_of(self, node: Node) -> int:
        is_of_game = isinstance(node, LineNode | ReplyNode) and node.step is not None
        return self._seat[node.step.action.player if is_of_game else node.link.player]  # type: ignore[union-attr]

    def _add(self, node: Node) -> None:
        commit, seat = node.link.commit, self._seat_of(node)
        is_liar = seat not in self._needs
        if isinstance(node, LineNode | ReplyNode | VoteNode | RequestNode):
            self._jump(node.view)
        if isinstance(node, VoteNode) and not is_liar:
            self._settle(node.change, seat, commit)
        if not is_liar:
            self._own(seat, commit)
        if isinstance(node, LineNode):
            self._act(node, seat, is_liar=is_liar)
        elif isinstance(node, ReplyNode):
            if not is_liar:
                self._emit(commit, "reply", seat)
            self._happen(("reply", commit))
        elif isinstance(node, VoteNode):
            if not is_liar:
                self._vote(node, seat)
        elif isinstance(node, RequestNode):
            if not is_liar:
                self._emit(commit, "ask", seat)
        elif isinstance(node, ProposalNode):
            self._propose(node, seat, is_liar=is_liar)
        else:
            self._accept(node, seat, is_liar=is_liar)

    def _jump(self, view: View) -> None:
        """Tell what was played in a view before its first vote."""
        base = self._base[view.id]
        if not self._has_jump(view) or base is None or (base, view.id) in self._heads:
            return
        for seat in self._needs:
            if self._party_at[seat] in map(self._seat.__getitem__, view.present):
                self._own(seat, base)
        node = self._valid.line_node(base)
        self._emit(base, "jump", self._seat_of(node), self._number(view.value.head, view), self._info(base))
        self._heads[base, view.id] = len(self._heads) + 1
        self._happen(("head", base, view.id))

    def _act(self, node: LineNode, seat: int, *, is_liar: bool) -> None:
        assert node.step is not None
        head, *replies = node.step.parents
        info = self._info(node.head)
        if is_liar:
            self._emit(node.head, "lie", seat, self._number(head, node.view), info, self._replies(replies))
        else:
            self._emit(node.head, "act", seat, info)
        self._heads[node.head, node.view.id] = len(self._heads) + 1
        self._happen(("head", node.head, node.view.id))

    def _vote(self, vote: VoteNode, seat: int) -> None:
        commit = vote.link.commit
        number = self._number(vote.head, vote.view)
        waits = sorted(self._seat[party] for party in vote.waits)
        proof = bool(self._liars.intersection(self._seat[one] for one in self._valid.forked((commit,))))
        held, asked = self._replies(vote.replies.values()), self._asked(vote.requests.values())
        self._emit(commit, "vote", seat, vote.round, number, held, waits, proof, asked)

    def _settle(self, change: Change, seat: int, commit: ObjectId) -> None:
        if change.without and self._settled.get(seat) != change:
            self._meet(seat)
            self._emit(commit, "settle", seat)
            self._settled[seat] = change

    def _propose(self, node: ProposalNode, seat: int, *, is_liar: bool) -> None:
        commit = node.link.commit
        linked = map(self._valid.nodes.__getitem__, node.link.parents)
        votes = [vote for vote in linked if isinstance(vote, VoteNode)]
        # The last one may be its own previous vote.
        votes = [vote for vote in votes if (vote.change, vote.round) == (node.change, node.round)]
        said: list[Any] = []
        for vote in votes:
            by = self._seat[vote.link.player]
            if by not in self._liars:
                said.append((by,))
                continue
            accepted = vote.accepted
            last = (0, 0) if accepted is None else (accepted[0], self._number(accepted[1].head, accepted[2]))
            waits = sorted(self._seat[party] for party in vote.waits)
            held, asked = self._replies(vote.replies.values()), self._asked(vote.requests.values())
            said.append((by, self._number(vote.head, vote.view), held, *last, waits, asked))
        number = self._number(node.value.head, node.view)
        proven = bool(self._valid.forked(vote.link.commit for vote in votes))
        if is_liar:
            left = self._views_by_id[node.change.id]
            start = self._number(left.value.head, left) if left.before is not None else 1
            without = sorted(self._seat[party] for party in node.change.without)
            self._emit(commit, "plot", seat, node.round, number, start, without, said, proven)
        else:
            self._emit(commit, "propose", seat, node.round, number, said, proven)

    def _accept(self, node: AcceptanceNode, seat: int, *, is_liar: bool) -> None:
        if not is_liar:
            number = self._number(node.value.head, node.view)
            self._emit(node.link.commit, "accept", seat, node.round, number)
        by = self._accepted.setdefault((node.change, node.round, node.view.id), set())
        by.add(node.link.player)
        if node.change.is_majority(by):
            self._happen(("view", node.view.id))


def _set(numbers: Sequence[int]) -> str:
    return "{" + ", ".join(map(str, numbers)) + "}"
