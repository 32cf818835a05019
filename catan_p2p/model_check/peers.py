"""Checking the peers of a game: what they did, as a trace that TLC compares with ``spec/CatanP2PTrace.tla``.

``read_peers`` derives the trace from the peers' repositories. These do not record when a peer took in a commit, so a
peer is assumed to do that as late as possible: before it builds on the commit, or at the end. TLC refuses the trace if
there is no possible order: a log builds on what no peer has shown, or a repository has lost what its player did. It
also refuses a commit whose tree does not follow from its action. Games that players may leave are left out: what peers
sign there besides actions is not in the module.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, NamedTuple

from catan_p2p.game.actions import Action
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.state import State
from catan_p2p.log.commit import decode_commit, parse_action
from catan_p2p.log.game import FormatError, GameDefinition
from catan_p2p.log.history import begin, game_refs
from catan_p2p.log.reading import Read, new_commits
from catan_p2p.log.refs import HEADS, LogBranch, ReplyBranch, branch_at
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.verdict import CommitRejected
from catan_p2p.model_check.recording import TreeReader
from catan_p2p.model_check.tlc import OutOfTime, TlcError, TlcProgram, TlcProgress
from catan_p2p.model_check.trace import action_tuple, constants_config, constants_module, tla, tree_changes

Event = tuple[Any, ...]
"""An event of the module: its kind, the player, and its parameters."""

_CHUNK = 50
_CONFIG = """\
SPECIFICATION PeersSpec
VIEW Telling
INVARIANTS
    Arrived
    NeverBothNowAndThen
    NothingIsForgotten
"""
_WITHOUT_TRACE = ("-deadlock", "-difftrace")
"""TLC's arguments for a trace. A refused trace is a deadlock, and the module prints how far it came, so TLC need not
report the deadlock, which takes long."""


class TraceVerdict(NamedTuple):
    """Whether the trace was accepted; if not, ``reached`` is the number of the refused event, from 1."""

    accepted: bool
    reached: int
    detail: str


def check_peers(
    events: Sequence[Event],
    constants: Constants,
    tlc: TlcProgram,
    progress: Callable[[TlcProgress], None] | None = None,
    *,
    signed: bool,
    most_s: float | None = None,
) -> TraceVerdict:
    """Let TLC check whether these events are a behaviour of the replication (``PeersSpec``).

    ``signed``: whether every player has a key. Raises ``TlcError`` if TLC cannot check the events, or not within
    ``most_s``; the message then says how far it came.
    """
    config = _CONFIG + peers_constants(constants, signed=signed)
    return follow("RunPeers", peers_module(events, constants), config, len(events), tlc, progress, most_s)


def follow(
    name: str,
    text: str,
    config: str,
    count: int,
    tlc: TlcProgram,
    progress: Callable[[TlcProgress], None] | None,
    most_s: float | None,
) -> TraceVerdict:
    """Let TLC follow a trace of so many events in a module; ``TlcError`` if it cannot, or not within ``most_s``."""
    with tempfile.TemporaryDirectory(prefix="catan-p2p-peers-") as scratch:
        module = Path(scratch) / f"{name}.tla"
        module.write_text(text, encoding="utf-8")
        try:
            result = tlc.run(module, config, _WITHOUT_TRACE, progress=progress, most_s=most_s)
        except OutOfTime as error:
            done = max(0, error.reached - 1)
            raise TlcError(
                f"{error}; the first {done} of {count} events of the peers are a behaviour of the replication"
            ) from error
    if result.verdict in ("error", "assumption"):
        raise TlcError(f"TLC cannot check what the peers did: {result.detail}")
    is_accepted = result.verdict == "fine" and any('"accepted"' in line for line in result.printed)
    return TraceVerdict(is_accepted, 0 if is_accepted else result.reached, result.detail)


def peers_module(events: Sequence[Event], constants: Constants) -> str:
    """The module ``RunPeers``: these events as the constant ``Trace`` of ``CatanP2PTrace``."""
    return trace_module("RunPeers", "CatanP2PTrace", events, [constants_module(constants)])


def trace_module(name: str, extended: str, events: Sequence[Event], definitions: Iterable[str]) -> str:
    """A module with these events as ``RecordedTrace``, in parts, besides other definitions."""
    chunks = [events[i : i + _CHUNK] for i in range(0, len(events), _CHUNK)] or [[]]
    lines = [f"---- MODULE {name} ----", f"EXTENDS {extended}", *definitions]
    lines += [f"Part{i} ==\n  <<" + ",\n    ".join(tla(one) for one in chunk) + ">>" for i, chunk in enumerate(chunks)]
    lines += ["RecordedTrace == " + " \\o ".join(f"Part{i}" for i in range(len(chunks))), "===="]
    return "\n".join(lines) + "\n"


def peers_constants(constants: Constants, *, signed: bool) -> str:
    """The CONSTANTS of that module in a configuration."""
    return constants_config(constants) + (
        "    Trace <- RecordedTrace\n"
        "    NewestWith <- NoNewest\n    Past <- KnownPast\n    IsKnown <- DiffersByDate\n"
        f"    Signed = {tla(signed)}\n    Liars = {{}}\n    Lies = {{}}\n"
        "    MaxHeight = 100000\n    MaxCrashes = 100000\n    MaxCuts = 0\n    MaxLies = 0\n"
    )


_TOLD = {
    "Keep": "keeps what was kept before",
    "Publish": "shows what was shown before",
    "Remove": "removes a reply that nobody has merged",
}


class NotFollowed(Exception):
    """The module does not cover this game, so its peers cannot be checked; the message says why."""


class PeerTrace(NamedTuple):
    """The events of the peers of one game; commit number n of the events is ``commits[n - 1]``."""

    game: GameDefinition
    events: tuple[Event, ...]
    commits: tuple[ObjectId, ...]

    @property
    def is_signed(self) -> bool:
        """Whether every player has a key."""
        return all(seat.key is not None for seat in self.game.seats)

    def told(self, number: int) -> str:
        """A sentence about why an event is refused; ``number`` counts from 1."""
        kind, player, *rest = self.events[number - 1]
        colour = self.game.seats[player - 1].colour
        match kind:
            case "Act":
                return f"{colour} cannot record {self.commits[rest[0] - 1][:10]} ({rest[3][0]}) with this tree"
            case "TakeIn":
                return f"{colour} cannot take in {self.commits[rest[0] - 1][:10]}"
            case "Stands":
                return f"the repository of {colour} is not what {colour} has recorded and shown"
        return f"{colour} {_TOLD[kind]}"


class _TracedCommit(NamedTuple):
    """A commit of a game: the action in its message, and its parents."""

    action: Action
    parents: tuple[ObjectId, ...]


def read_peers(paths: Sequence[Path]) -> PeerTrace:
    """The events of the players of one game, whose repositories are at ``paths``.

    Raises ``StoreError`` if a repository cannot be read or belongs to another game, ``BadRoot`` if it has none, and
    ``NotFollowed`` if players may leave the game, or if a tree cannot be read.
    """
    refs: list[Mapping[str, ObjectId]] = []
    data: dict[ObjectId, bytes] = {}
    states: dict[ObjectId, State] = {}
    game, root = None, None
    for path in paths:
        with GitStore.open(path, writer=None) as store:
            heads = game_refs(store)
            logs = [head for ref, head in heads.items() if isinstance(branch_at(ref), LogBranch)]
            if not logs:
                raise StoreError(f"{path}: not a game: it has no branch such as Red_0")
            graph = begin(str(path), logs[0], store.read)
            if graph.game.has_views:
                raise NotFollowed("players may leave it, which spec/CatanP2P.tla does not cover")
            game, root = game or graph.game, root or graph.root
            if graph.root != root:
                raise StoreError(f"{path}: another game than that of {paths[0]}")
            for head in heads.values():
                commits = new_commits(head, data, store.read)
                if isinstance(commits, CommitRejected):
                    raise StoreError(f"{path}: {commits.commit[:10]}: {commits.detail}")
                data.update(commits)
            states |= _read_states(game, data.keys() - states.keys(), data, store.read)
            refs.append(heads)
    if game is None or root is None:
        raise StoreError("no repository of a player")
    return _OrderedTrace(game, root, data, states).told(refs)


def _read_states(
    game: GameDefinition, commits: Iterable[ObjectId], data: Mapping[ObjectId, bytes], read: Read
) -> Iterator[tuple[ObjectId, State]]:
    """The states in the trees of these commits."""
    trees = TreeReader(game, read)
    for commit in commits:
        tree = decode_commit(data[commit]).tree
        try:
            yield commit, trees.state(tree)
        except FormatError as error:
            raise NotFollowed(f"{commit[:10]}: {error}") from error


class _OrderedTrace:
    """Puts the commits of a game into a possible order, and derives the events."""

    def __init__(
        self, game: GameDefinition, root: ObjectId, data: Mapping[ObjectId, bytes], states: Mapping[ObjectId, State]
    ) -> None:
        self._game, self._root = game, root
        self._states = states
        """The states in the trees of the commits that some repository has."""
        self._commits = {commit: self._read(commit, raw) for commit, raw in data.items() if commit != root}
        self._heights = self._measure()
        self._numbers = {root: 0}
        self._events: list[Event] = []
        players = game.constants.players
        self._head = dict.fromkeys(players, root)
        self._replies: dict[Player, set[ObjectId]] = {player: set() for player in players}
        """The replies to the head that each player holds."""
        self._log = dict.fromkeys(players, root)
        self._reply: dict[Player, ObjectId] = {}
        self._is_new: set[Player] = set()

    def _read(self, commit: ObjectId, raw: bytes) -> _TracedCommit:
        try:
            parts = decode_commit(raw)
            action = parse_action(parts.message, self._game.constants)
        except FormatError as error:
            raise StoreError(f"{commit[:10]}: {error}") from error
        return _TracedCommit(action, tuple(parts.parents))

    def _measure(self) -> dict[ObjectId, int]:
        """The height of each commit: one more than those of its parents."""
        heights = {self._root: 0}
        after = {commit: one.parents for commit, one in self._commits.items()}
        for commit in TopologicalSorter(after).static_order():
            heights.setdefault(commit, 1 + max((heights[one] for one in after.get(commit, ())), default=0))
        return heights

    def told(self, refs: Sequence[Mapping[str, ObjectId]]) -> PeerTrace:
        """All events, ending with what each repository has at the end."""
        for commit in sorted(self._commits, key=self._heights.__getitem__):
            self._act(commit)
        for own in refs:
            self._end(own)
        commits = sorted(self._numbers, key=self._numbers.__getitem__)[1:]
        return PeerTrace(self._game, tuple(self._events), tuple(commits))

    # What a peer does

    def _act(self, commit: ObjectId) -> None:
        action, (base, *rest) = self._commits[commit]
        player, events = action.player, self._events
        self._bring(player, base)
        for reply in rest:
            self._take_in(player, reply)
        self._keep(player)
        self._numbers[commit] = len(self._numbers)
        merges = sorted(self._numbers.get(one, -1) for one in rest)
        if is_reply(action):
            self._tidy(player)
        on, seen = self._numbers.get(base, -1), self._seen(base, commit)
        events.append(("Act", player, self._numbers[commit], on, merges, action_tuple(action), seen))
        if is_reply(action):
            self._reply[player] = commit
            self._replies[player].add(commit)
            events.append(("Publish", player, ["reply"]))
            return
        self._log[player] = self._head[player] = commit
        self._replies[player] = set()
        events.append(("Publish", player, ["log"]))

    def _seen(self, base: ObjectId, commit: ObjectId) -> list[list[Event]]:
        """The differences between the trees of two commits; empty if no repository has both trees."""
        before, after = self._states.get(base), self._states.get(commit)
        return [] if before is None or after is None else [tree_changes(before, after)]

    def _end(self, own: Mapping[str, ObjectId]) -> None:
        """Add the event that states a repository's content; after the end, the own log may be at another's commit."""
        logs = {ref: branch for ref in own if isinstance(branch := branch_at(ref), LogBranch)}
        log = next((ref for ref in logs if ref.startswith(HEADS)), None)
        if log is None:
            return
        colour = logs[log].colour
        player = 1 + next(i for i, seat in enumerate(self._game.seats) if seat.colour == colour)
        heads = {own[ref] for ref in logs if self._leads_to(own[ref], self._log[player])} - {self._root}
        head = max(heads, key=lambda one: (self._heights[one], one), default=self._root)
        replies = {at for ref, at in own.items() if _is_reply(ref) and self._commits[at].parents[0] == head}
        self._bring(player, head)
        for reply in replies:
            self._take_in(player, reply)
        self._keep(player)
        kept = [at for ref, at in own.items() if ref.startswith(HEADS) and _is_reply(ref)]
        if not kept:
            self._tidy(player)
        at = own[log]
        if at != self._root and self._commits[at].action.player != player:
            at = self._log[player]
        shown = self._numbers.get(at, -1), self._numbers[kept[0]] if kept else 0
        known = sorted(self._numbers[one] for one in self._replies[player])
        self._events.append(("Stands", player, self._numbers[self._head[player]], known, *shown, [*shown]))

    # What a peer takes in

    def _leads_to(self, head: ObjectId, old: ObjectId) -> bool:
        """Whether a commit of the line is another one or descends from it."""
        while head not in (old, self._root):
            head = self._commits[head].parents[0]
        return head == old

    def _bring(self, player: Player, head: ObjectId) -> None:
        """Let a player take in the commits that lead to one of the line."""
        if self._leads_to(self._head[player], head):
            return
        way: list[ObjectId] = []
        at = head
        while at != self._head[player] and at != self._root:
            way.append(at)
            at = self._commits[at].parents[0]
        for commit in reversed(way):
            for parent in self._commits[commit].parents[1:]:
                self._take_in(player, parent)
            self._take_in(player, commit)

    def _take_in(self, player: Player, commit: ObjectId) -> None:
        if commit in self._replies[player] or commit == self._head[player]:
            return
        self._events.append(("TakeIn", player, self._numbers.get(commit, -1)))
        self._is_new.add(player)
        if is_reply(self._commits[commit].action):
            self._replies[player].add(commit)
        else:
            self._head[player], self._replies[player] = commit, set()

    def _keep(self, player: Player) -> None:
        if player in self._is_new:
            self._is_new.discard(player)
            self._events.append(("Keep", player))

    def _tidy(self, player: Player) -> None:
        """Let a player remove the temporary branch of the last reply: it is merged, or came too late."""
        if self._reply.pop(player, None) is not None:
            self._events += [("Remove", player), ("Publish", player, ["reply"])]


def _is_reply(ref: str) -> bool:
    return isinstance(branch_at(ref), ReplyBranch)
