"""What the peers of a game did, as a trace of ``spec/CatanP2PTrace.tla``: TLC says whether that is the replication.

``read_peers`` works it out from the peers' repositories. When each peer took in what is not told there, so every peer
is taken to hear of a commit no sooner than it must have: before it builds on it, votes, or at the end. If the log of
somebody builds on what nobody has shown, or a repository has lost what its player did, there is no such order, and TLC
refuses the trace.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from catan_p2p.game.actions import Excuse, Vote
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.constants import Constants, Player
from catan_p2p.log.commit import Entry, decode_commit, parse_entry
from catan_p2p.log.game import FormatError, Game
from catan_p2p.log.history import begin, game_refs
from catan_p2p.log.reading import new_commits
from catan_p2p.log.refs import HEADS, LogBranch, ReplyBranch, branch_at
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.storage.store import Store
from catan_p2p.log.verdict import Rejected
from catan_p2p.model_check.tlc import Tlc
from catan_p2p.model_check.trace import action_tuple, constants_config, constants_module, tla

Event = tuple[Any, ...]
"""An event of the module, its kind first, then the player."""

_CHUNK = 50
_CONFIG = """\
SPECIFICATION PeersSpec
VIEW Telling
INVARIANTS
    Arrived
    NeverBothNowAndThen
    NothingIsForgotten
"""


class Verdict(NamedTuple):
    """Whether the trace was accepted; ``reached`` is the number of the event that could not be taken, from 1."""

    accepted: bool
    reached: int
    detail: str


def check_peers(events: Sequence[Event], constants: Constants, tlc: Tlc, *, signed: bool) -> Verdict:
    """Let TLC say whether these events are a behaviour of the replication (``PeersSpec``); ``TlcError`` if it cannot.

    ``signed``: whether every player has a key.
    """
    chunks = [events[i : i + _CHUNK] for i in range(0, len(events), _CHUNK)] or [[]]
    lines = ["---- MODULE RunPeers ----", "EXTENDS CatanP2PTrace", constants_module(constants)]
    lines += [f"AnySilent == {'Players' if constants.rules.leaving else '{}'}"]
    lines += [f"Part{i} ==\n  <<" + ",\n    ".join(tla(one) for one in chunk) + ">>" for i, chunk in enumerate(chunks)]
    lines += ["RecordedTrace == " + " \\o ".join(f"Part{i}" for i in range(len(chunks))), "===="]
    settings = (
        "    Trace <- RecordedTrace\n    Silent <- AnySilent\n    Margin = 1\n"
        "    NewestWith <- NoNewest\n    ToldBy <- ToldElsewhere\n    Past <- KnownPast\n"
        f"    Signed = {tla(signed)}\n    Liars = {{}}\n    Lies = {{}}\n"
        "    MaxHeight = 100000\n    MaxCrashes = 100000\n    MaxCuts = 0\n    MaxLies = 0\n"
    )
    with tempfile.TemporaryDirectory(prefix="catan-p2p-peers-") as scratch:
        module = Path(scratch) / "RunPeers.tla"
        module.write_text("\n".join(lines) + "\n", encoding="utf-8")
        result = tlc.run(module, _CONFIG + constants_config(constants) + settings, ["-workers", "1"])
    reached = [int(line.partition('"reached", ')[2].rstrip("> ")) for line in result.printed if "reached" in line]
    is_accepted = result.verdict == "fine" and any('"accepted"' in line for line in result.printed)
    return Verdict(is_accepted, 0 if is_accepted else max(reached, default=0), result.detail)


class NotFollowed(Exception):
    """The peers of a game cannot be checked, as the message says: the module has no such games."""


class Peers(NamedTuple):
    """What the peers of one game did; ``commits`` are those of the line, number n at place n - 1."""

    game: Game
    events: tuple[Event, ...]
    commits: tuple[ObjectId, ...]

    @property
    def is_signed(self) -> bool:
        """Whether every player has a key."""
        return all(seat.key is not None for seat in self.game.seats)

    def told(self, number: int) -> str:
        """An event in words, its number counted from 1."""
        kind, player, *rest = self.events[number - 1]
        colour = self.game.seats[player - 1].colour
        match kind:
            case "Act":
                return f"{colour} cannot record {self.commits[rest[0] - 1][:10]} ({rest[3][0]})"
            case "TakeIn":
                return f"{colour} cannot take in {self.commits[rest[0] - 1][:10]}"
            case "Yes" | "No":
                return f"{colour} cannot vote {kind.lower()} on {self.game.seats[rest[0] - 1].colour}"
            case "Stands":
                return f"the repository of {colour} is not what {colour} has recorded and shown"
        return f"{colour} cannot {kind.lower()}"


class _Commit(NamedTuple):
    """A commit of a game as its message and parents tell it."""

    entry: Entry
    parents: tuple[ObjectId, ...]
    height: int
    date: int


def read_peers(paths: Sequence[Path]) -> Peers:
    """What the players of one game did whose repositories are at ``paths``.

    Raises ``StoreError`` if one of them cannot be read or belongs to another game, ``BadRoot`` if it has none, and
    ``NotFollowed`` if hands are hidden or somebody was proven to have lied.
    """
    refs: list[Mapping[str, ObjectId]] = []
    data: dict[ObjectId, bytes] = {}
    game, root = None, None
    for path in paths:
        with Store.open(path, writer=None) as store:
            heads = game_refs(store)
            logs = [head for ref, head in heads.items() if isinstance(branch_at(ref), LogBranch)]
            if not logs:
                raise StoreError(f"{path}: not a game: it has no branch such as Red_0")
            graph = begin(str(path), logs[0], store.read)
            game, root = game or graph.game, root or graph.root
            if graph.root != root:
                raise StoreError(f"{path}: another game than that of {paths[0]}")
            for head in heads.values():
                commits = new_commits(head, data, store.read)
                if isinstance(commits, Rejected):
                    raise StoreError(f"{path}: {commits.commit[:10]}: {commits.detail}")
                data.update(commits)
            refs.append(heads)
    if game is None or root is None:
        raise StoreError("no repository of a player")
    if game.constants.rules.hands == "hidden":
        raise NotFollowed("hands are hidden")
    return _Retold(game, root, data).told(refs)


class _Retold:
    """Puts what was done in an order in which it can have been done."""

    def __init__(self, game: Game, root: ObjectId, data: Mapping[ObjectId, bytes]) -> None:
        self._game, self._root = game, root
        self._commits: dict[ObjectId, _Commit] = {}
        for commit, raw in data.items():
            if commit != root:
                self._commits[commit] = self._read(commit, raw)
        self._excusing = {
            vote
            for commit in self._commits.values()
            if isinstance(commit.entry.action, Excuse)
            for vote in commit.parents
            if self._is_vote(vote) and self._commits[vote].entry.action.player == commit.entry.action.player
        }
        """The votes of players who then have excused somebody."""
        self._numbers = {root: 0}
        self._events: list[Event] = []
        players = game.constants.players
        self._head = dict.fromkeys(players, root)
        self._replies: dict[Player, set[ObjectId]] = {player: set() for player in players}
        """What each holds that replies to their head."""
        self._replies_to: dict[ObjectId, list[ObjectId]] = {}
        self._log = dict.fromkeys(players, root)
        self._reply: dict[Player, ObjectId] = {}
        self._is_new: set[Player] = set()

    def _read(self, commit: ObjectId, raw: bytes) -> _Commit:
        parts = decode_commit(raw)
        try:
            entry = parse_entry(parts.message, self._game.constants)
        except FormatError as error:
            raise StoreError(f"{commit[:10]}: {error}") from error
        if entry.charge is not None:
            raise NotFollowed("somebody was proven to have lied")
        parents = tuple(parts.parents)
        heights = (self._commits[one].height if one in self._commits else 0 for one in parents)
        return _Commit(entry, parents, 1 + max(heights, default=0), parts.author.time_s)

    def told(self, refs: Sequence[Mapping[str, ObjectId]]) -> Peers:
        """All that was done, and what each repository has in the end."""
        for commit in sorted(self._commits, key=self._when):
            entry = self._commits[commit].entry
            if isinstance(entry.action, Vote):
                self._vote(entry.action, self._commits[commit])
            else:
                self._act(commit)
        for own in refs:
            self._end(own)
        commits = sorted(self._numbers, key=self._numbers.__getitem__)[1:]
        return Peers(self._game, tuple(self._events), tuple(commits))

    def _when(self, commit: ObjectId) -> tuple[int, int, int, int]:
        """Parents before children; then votes, the first of who excused, and a no after what it names."""
        entry, _, height, date = self._commits[commit]
        vote = entry.action
        if not isinstance(vote, Vote):
            return height, 0, 0, 0
        if entry.names is not None:
            height = max(height, self._commits[entry.names].height)
        rank = 2 if vote.says == "no" else 0 if commit in self._excusing else 1
        return height, 1, rank, date

    # What a peer does

    def _act(self, commit: ObjectId) -> None:
        entry, parents, *_ = self._commits[commit]
        player, events = entry.action.player, self._events
        base, *rest = (one for one in parents if not self._is_vote(one))
        self._bring(player, base)
        for reply in rest:
            self._take_in(player, reply)
        self._keep(player)
        self._numbers[commit] = len(self._numbers)
        merges = sorted(self._numbers.get(one, -1) for one in rest)
        if is_reply(entry.action):
            self._tidy(player)
        events.append(
            ("Act", player, self._numbers[commit], self._numbers.get(base, -1), merges, action_tuple(entry.action))
        )
        if is_reply(entry.action):
            self._reply[player] = commit
            self._replies_to.setdefault(base, []).append(commit)
            self._replies[player].add(commit)
            events.append(("Publish", player, ["reply"]))
            return
        self._log[player] = self._head[player] = commit
        self._replies[player] = set()
        events.append(("Publish", player, ["log"]))

    def _vote(self, vote: Vote, commit: _Commit) -> None:
        base, player = commit.parents[0], vote.player
        while self._is_vote(base):  # a no that takes a yes back
            base = self._commits[base].parents[0]
        names = commit.entry.names
        self._bring(player, base)
        for reply in self._replies_to.get(base, ()):  # without them it may not be the turn of who is voted on
            if self._commits[reply].entry.action.player not in (player, vote.absent):
                self._take_in(player, reply)
        if names is not None:
            self._take_in(player, names)
        self._keep(player)
        if names is None:
            self._events.append(("Yes", player, vote.absent))
        else:
            self._events.append(("No", player, vote.absent, self._numbers.get(base, -1), self._numbers.get(names, -1)))

    def _end(self, own: Mapping[str, ObjectId]) -> None:
        """What a repository has; the own log has moved to the head of another, where the game is over."""
        logs = {ref: branch for ref in own if isinstance(branch := branch_at(ref), LogBranch)}
        log = next(ref for ref in logs if ref.startswith(HEADS))
        colour = logs[log].colour
        player = 1 + next(i for i, seat in enumerate(self._game.seats) if seat.colour == colour)
        heads = {own[ref] for ref in logs if self._leads_to(own[ref], self._log[player])} - {self._root}
        head = max(heads, key=lambda one: (self._commits[one].height, one), default=self._root)
        replies = {at for ref, at in own.items() if _is_reply(ref) and self._commits[at].parents[0] == head}
        self._bring(player, head)
        for reply in replies:
            self._take_in(player, reply)
        self._keep(player)
        kept = [at for ref, at in own.items() if ref.startswith(HEADS) and _is_reply(ref)]
        if not kept:
            self._tidy(player)
        at = own[log]
        if at != self._root and self._commits[at].entry.action.player != player:
            at = self._log[player]
        shown = self._numbers.get(at, -1), self._numbers[kept[0]] if kept else 0
        known = sorted(self._numbers[one] for one in self._replies[player])
        self._events.append(("Stands", player, self._numbers[self._head[player]], known, *shown, [*shown]))

    # What a peer hears

    def _is_vote(self, commit: ObjectId) -> bool:
        return commit in self._commits and isinstance(self._commits[commit].entry.action, Vote)

    def _leads_to(self, head: ObjectId, old: ObjectId) -> bool:
        """Whether a commit of the line continues another."""
        while head not in (old, self._root):
            head = self._commits[head].parents[0]
        return head == old

    def _bring(self, player: Player, head: ObjectId) -> None:
        """Let a player take in what leads to a commit of the line."""
        way: list[ObjectId] = []
        at = head
        while at != self._head[player] and at != self._root:
            way.append(at)
            at = self._commits[at].parents[0]
        for commit in reversed(way):
            for parent in self._commits[commit].parents[1:]:
                if not self._is_vote(parent):
                    self._take_in(player, parent)
            self._take_in(player, commit)

    def _take_in(self, player: Player, commit: ObjectId) -> None:
        if commit in self._replies[player] or commit == self._head[player]:
            return
        self._events.append(("TakeIn", player, self._numbers.get(commit, -1)))
        self._is_new.add(player)
        if is_reply(self._commits[commit].entry.action):
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
    branch = branch_at(ref)
    return isinstance(branch, ReplyBranch) and not branch.is_vote
