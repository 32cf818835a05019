"""Game repositories as recordings: every commit is validated as a peer would, whenever a branch has moved.

A path may be the repository of a game, the folder of a simulation with one game in it, or a folder that holds the
replicas of its players, each in a folder named after a colour.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from catan_p2p.game.invariants import InvariantBroken
from catan_p2p.game.rules import apply, awaited
from catan_p2p.game.state import State, initial_state
from catan_p2p.log import verdict
from catan_p2p.log.folders import is_game, is_repository, replicas_in
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.history import HiddenHands, foreign
from catan_p2p.log.opened_hands import OpenedGame, open_readable
from catan_p2p.log.reading import read_game, take_in
from catan_p2p.log.refs import COLOURS, REMOTES, Branch, ReplyBranch, branch_at, branch_name
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.storage.repository import GitError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.tree import Objects
from catan_p2p.log.verdict import MAY_MEND, CommitRejected
from catan_p2p.view.events import ChangeSigned, PlayerEvent

from ..view import ShownRefusal
from .line_course import LineCourse
from .recording import GameRecording, PlayedStep, RecordedPlayer

if TYPE_CHECKING:
    from catan_p2p.log.sealed_cards import SealedCards

    from .hidden_game import HiddenGame

READING_ERRORS = (StoreError, OSError, ValueError, GitError, InvariantBroken)
"""What reading may raise if a repository is broken, or vanishes meanwhile."""


class NoGame(Exception):
    """There is no game at a path; the message says what is there instead."""


class WatchedRepository:
    """One repository that is read again and again. Belongs to the thread that reads it.

    If it ``is_played`` here, the hidden cards of its player are shown.
    """

    def __init__(self, path: Path, is_played: bool = False) -> None:
        self.path = path
        self._is_played = is_played
        self._hidden: HiddenGame | None = None
        self._course: LineCourse | None = None
        """In a game with views: the commits of the line, which may go back."""
        self.graph: CommitGraph | None = None
        self.commits: list[PlayedStep] = []
        self.heads: dict[str, str] = {}
        """The head of each branch, by its short name; of several copies of a branch, the furthest."""
        self.heads_of: dict[str, list[ObjectId]] = {}
        """By colour, the heads that this player is known to have."""
        self.problem: str | None = None
        self.remark: str | None = None
        self._store: GitStore | OpenedGame | None = None
        self._seen: dict[str, ObjectId] | None = None
        self._refused: dict[ObjectId, CommitRejected] = {}
        self._refusals: dict[ObjectId, ShownRefusal] = {}

    @property
    def is_read(self) -> bool:
        """Whether there is a game to show."""
        return self.graph is not None

    @property
    def game(self) -> GameDefinition:
        """The game; only once something has been read."""
        assert self.graph is not None
        return self.graph.game

    @property
    def public(self) -> list[PlayedStep]:
        """The commits as everybody sees them."""
        return self.commits if self._hidden is None else self._hidden.public

    @property
    def refused(self) -> tuple[ShownRefusal, ...]:
        """The refused commits, in the order in which they were found."""
        return tuple(self._refusals.values())

    def known_to(self, colour: str) -> set[ObjectId]:
        """The commits that a player is known to have, by their heads; not all of them need be shown."""
        known: set[ObjectId] = set()
        stack = list(self.heads_of.get(colour, ()))
        while stack:
            commit = stack.pop()
            if commit not in known:
                assert self.graph is not None
                known.add(commit)
                stack += self.graph.valid.nodes[commit].link.parents
        return known

    def close(self) -> None:
        """Close the repository."""
        store, self._store = self._store, None
        if store is not None:
            store.close()

    def refresh(self) -> bool:
        """Read what is new; returns whether anything has changed. Errors become ``problem``."""
        before = (len(self.commits), self.problem, self._seen)
        try:
            if not self.path.exists():
                raise StoreError(f"{self.path}: the folder has vanished")
            if self._store is None:
                self._store = self._opened()
            refs = self._store.list_refs("refs/")
            if refs == self._seen and self.problem is None:
                return False
            self._read(self._store, refs)
            self._seen = refs
        except READING_ERRORS as error:
            self.problem = _one_line(error)
            self.close()
        return before != (len(self.commits), self.problem, self._seen)

    def _opened(self) -> GitStore | OpenedGame:
        """The repository to read; of a game whose hidden cards have been opened, the game with all cards open."""
        if not self._is_played:
            with contextlib.suppress(HiddenHands):
                return open_readable(self.path)
        return GitStore.open(self.path, writer=None)

    def _read(self, store: GitStore | OpenedGame, refs: Mapping[str, ObjectId]) -> None:
        found = [(_owner(ref, at), at, head) for ref, head in refs.items() if (at := branch_at(ref)) is not None]
        # Logs first, with the replies that they merge; then the other replies by seat, in the order of a merge.
        found.sort(key=lambda item: (isinstance(item[1], ReplyBranch), COLOURS.index(item[1].colour)))
        if not found:
            raise StoreError(f"{self.path}: not a game: it has no branch such as Red_0")
        if self.graph is None:
            self._begin(store, [head for _, _, head in found])
        assert self.graph is not None
        problems = []
        for _, branch, head in found:
            refused = foreign(self.game, branch, head) or self._extend(self.graph, store, head)
            if refused is not None:
                self._note_refusal(refused, branch)
                if str(refused) not in problems:
                    problems.append(str(refused))
        if self._course is not None:
            self._follow_line(self._course)
        self._note_heads(found)
        self.problem = "; ".join(problems) or None
        # At a table, the seat says whose signature the end still waits for.
        if self._hidden is not None and not (self._is_played and awaited(self.graph.state)):
            self.remark = self._hidden.closed(self.graph)

    def _begin(self, store: GitStore | OpenedGame, heads: Iterable[ObjectId]) -> None:
        refused: CommitRejected | None = None
        for head in heads:
            graph = read_game(head, store.read)
            if isinstance(graph, CommitGraph):
                self.graph = graph
                first = branch_name(graph.game.branch(1))
                if graph.game.constants.rules.hands == "hidden":
                    # Imported here: players at tables with open hands do not wait for it.
                    from .hidden_game import HiddenGame

                    self._hidden = HiddenGame(graph.game, graph.root, self.path if self._is_played else None)
                self._keep(PlayedStep(graph.root, (), first, None, graph.state))
                if graph.game.has_views:
                    self._course = LineCourse(graph)
                return
            refused = refused or graph
        raise StoreError(f"{self.path}: {refused}")

    def _extend(self, graph: CommitGraph, store: GitStore | OpenedGame, head: ObjectId) -> CommitRejected | None:
        """Add all commits up to a head. A refusal is final, except for missing commits, which may still arrive."""
        if head in self._refused:
            return self._refused[head]
        refused = take_in(graph, head, store.read, self._note)
        if refused is not None and refused.reason not in MAY_MEND:
            self._refused[head] = refused
        return refused

    def _note(self, step: verdict.LoggedStep, made: Objects) -> None:
        assert self.graph is not None
        if self._course is not None:
            return
        branch = branch_name(self.game.branch_for(step.parents[0], step.action))
        self._keep(PlayedStep(step.commit, step.parents, branch, step.action, self.graph.state, draw=step.draw))

    def _follow_line(self, course: LineCourse) -> None:
        """Show the line as it is now: what it has given up goes, and what is new comes."""
        kept, steps = course.news(self.public)
        del self.commits[kept:]
        if self._hidden is not None:
            self._hidden.truncate(kept)
        for step, sealed_cards in steps:
            self._keep(step, sealed_cards)

    def _keep(self, commit: PlayedStep, sealed_cards: SealedCards | None = None) -> None:
        if self._hidden is None:
            self.commits.append(commit)
            return
        assert self.graph is not None
        sealed_cards = sealed_cards or self.graph.line.hearing_all().sealed_cards
        assert sealed_cards is not None
        self._hidden.add(commit, sealed_cards, self.commits)

    def _note_refusal(self, refused: CommitRejected, branch: Branch) -> None:
        """Remember a refused commit and its parents in the game; one that is missing may still arrive."""
        assert self.graph is not None
        if refused.reason in MAY_MEND or self._store is None:
            return
        if refused.commit in self._refusals or refused.commit in self.graph:
            return
        # Parsed leniently: the commit may be refused because it is malformed.
        parents: list[ObjectId] = []
        with contextlib.suppress(*READING_ERRORS):
            head = self._store.read(refused.commit)[1].partition(b"\n\n")[0].decode("utf-8", "replace")
            parents = [ObjectId(line[7:]) for line in head.split("\n") if line.startswith("parent ")]
        known = tuple(parent for parent in parents if parent in self.graph)
        why = refused.reason, refused.detail
        self._refusals[refused.commit] = ShownRefusal(refused.commit, known, branch.colour, branch_name(branch), *why)

    def _note_heads(self, found: Iterable[tuple[str, Branch, ObjectId]]) -> None:
        assert self.graph is not None
        heads: dict[str, ObjectId] = {}
        self.heads_of = {}
        for owner, branch, head in found:
            if head not in self.graph:
                continue
            name = branch_name(branch)
            if name not in heads or self.graph.height(head) > self.graph.height(heads[name]):
                heads[name] = head
            self.heads_of.setdefault(owner, []).append(head)
        self.heads = dict(heads)


def _owner(ref: str, branch: Branch) -> str:
    """The colour of the player who knows what the branch at ``ref`` holds."""
    return ref.removeprefix(REMOTES).partition("/")[0] if ref.startswith(REMOTES) else branch.colour


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def replay(commits: Iterable[PlayedStep], known: Collection[str]) -> list[PlayedStep]:
    """The commits among those known, each with the state that they alone lead to."""
    found: list[PlayedStep] = []
    state: State | None = None
    for commit in commits:
        if commit.commit in known:
            if state is None or commit.action is None:
                state = initial_state(commit.state.constants)
            elif not isinstance(commit.action, ChangeSigned):  # these change no state of the game
                assert not isinstance(commit.action, PlayerEvent), "a commit of a repository is an action"
                state = apply(state, commit.action)
            found.append(replace(commit, state=state))
    return found


def empty_recording(game: GameDefinition) -> GameRecording:
    """A recording of a game without any step yet."""
    called = zip(game.seats, game.names, strict=True)
    seats = [RecordedPlayer(player, seat.colour, name) for player, (seat, name) in enumerate(called, 1)]
    return GameRecording(game.constants, seats, f"Catan_{game.number}", game.number)


def find_replicas(path: Path) -> dict[str, Path]:
    """The repositories to read for a path: replicas by colour, or one repository by the empty name.

    ``NoGame`` if there is no game at the path, or several to choose from.
    """
    if not path.exists():
        raise NoGame(f"{path}: no such folder")
    if not path.is_dir():
        raise NoGame(f"{path}: not a folder")
    if is_repository(path):
        return {"": path}
    if replicas := replicas_in(path):
        return {replica.name.capitalize(): replica for replica in replicas}
    # A repository is created in a hidden folder and renamed when it is complete: hidden ones are not ready yet.
    children = (child for child in path.iterdir() if not child.name.startswith(".") and child.is_dir())
    games = sorted(child for child in children if is_game(child))
    if len(games) == 1:
        return find_replicas(games[0])
    if games:
        raise NoGame(f"{path}: holds {len(games)} games; name one, such as {games[0]}")
    raise NoGame(f"{path}: not a Git repository")
