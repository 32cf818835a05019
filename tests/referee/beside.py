"""The referee beside the program: wherever a graph judges or takes in a commit, the referee judges it as well.

Any tests can be run so: ``pytest -p tests.referee.beside tests/log tests/attacks``. A commit on which the two do not
agree fails the test that showed it.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch
from weakref import WeakKeyDictionary

import pytest

from catan_p2p.log.game import game_files
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Put, hash_only
from catan_p2p.log.valid_commits import ValidCommits
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from tests.referee import referee


class Beside:
    """What has been judged by both; ``differences`` should stay empty."""

    def __init__(self) -> None:
        self.judged: Counter[str] = Counter()
        """By reason, and ``accepted``, how many commits."""
        self.differences: list[str] = []
        self.forks = 0
        """How many commits were taken in by graphs that hold the proof of a fork."""
        self._logs: WeakKeyDictionary[CommitGraph, tuple[referee.Log, list[ObjectId]]] = WeakKeyDictionary()
        self._data: dict[ObjectId, bytes] = {}

    def written(self, commit: ObjectId, data: bytes) -> None:
        """Remember the bytes of a commit."""
        self._data[commit] = data

    def taken(self, graph: CommitGraph, step: LoggedStep) -> None:
        """Note that a graph has taken a commit in."""
        self._log(graph)[1].append(step.commit)

    def given_up(self, valid: ValidCommits, commit: ObjectId) -> None:
        """Note that a graph with views was linked to a commit that it does not take in."""
        for graph, (log, waiting) in self._logs.items():
            if graph.valid is valid:
                log.node.pop(commit, None)
                waiting[:] = [one for one in waiting if one != commit]

    def _log(self, graph: CommitGraph) -> tuple[referee.Log, list[ObjectId]]:
        if graph not in self._logs:
            log = referee.log_of(graph.root, referee.Game(game_files(graph.game)))
            self._logs[graph] = log, []
        return self._logs[graph]

    def compare(self, graph: CommitGraph, commit: ObjectId, data: bytes, found: LoggedStep | CommitRejected) -> None:
        """Judge what the program has judged, after all that it has taken in before."""
        self.written(commit, data)
        log, waiting = self._log(graph)
        while waiting:
            taken = waiting.pop(0)
            if taken not in log.node:
                if not graph.game.has_views:
                    self._same(log, taken, "", None, ())
                log.take(log.judge(taken, self._data[taken]))
        if graph.game.has_views:
            self._agree(log, commit, found)
        elif isinstance(found, LoggedStep):
            self._same(log, commit, "", None, ())
        elif commit not in log.node:
            self._same(log, commit, found.reason, found.other, found.guards)

    def _agree(self, log: referee.Log, commit: ObjectId, found: LoggedStep | CommitRejected) -> None:
        """With views, a commit may be wrong in several ways; both must accept it, or neither."""
        reason, told = found.reason if isinstance(found, CommitRejected) else "", ""
        try:
            log.judge(commit, self._data[commit])
        except referee.Refused as refused:
            told = f"{refused.reason}: {refused.detail}"
        self.judged[reason or "accepted"] += 1
        if bool(reason) != bool(told):
            what = self._data[commit].decode(errors="replace").partition("\n\n")[2]
            self.differences.append(f"{commit}: program {found}, referee {told}\n{what}")
            raise AssertionError(self.differences[-1])

    def _same(
        self, log: referee.Log, commit: ObjectId, reason: str, other: str | None, guards: tuple[str, ...]
    ) -> None:
        expected = reason, other, tuple(guard.split(" ")[0] for guard in guards)
        try:
            log.judge(commit, self._data[commit])
            told: tuple[str, str | None, tuple[str, ...]] = "", None, ()
            detail = ""
        except referee.Refused as refused:
            told, detail = (refused.reason, refused.other, refused.guards), refused.detail
        self.judged[reason or "accepted"] += 1
        if told != expected:
            what = self._data[commit].decode(errors="replace").partition("\n\n")[2]
            self.differences.append(f"{commit}: program {expected}, referee {told} ({detail})\n{what}")
            raise AssertionError(self.differences[-1])


@contextmanager
def beside() -> Iterator[Beside]:
    """Let the referee judge whatever graphs judge, until the end of the block."""
    table = Beside()
    check, add, write, link = CommitGraph.check, CommitGraph.add, CommitGraph.write, CommitGraph.link
    unlink = ValidCommits.unlink

    def checked(self: CommitGraph, commit: ObjectId, data: bytes, put: Put = hash_only) -> LoggedStep | CommitRejected:
        found = check(self, commit, data, put)
        table.compare(self, commit, data, found)
        return found

    def added(self: CommitGraph, step: LoggedStep) -> None:
        add(self, step)
        table.taken(self, step)
        table.forks += bool(self.valid.forkers)

    def linked(self: CommitGraph, step: LoggedStep) -> None:
        link(self, step)
        table.taken(self, step)

    def unlinked(self: ValidCommits, commit: ObjectId) -> None:
        unlink(self, commit)
        table.given_up(self, commit)

    def wrote(self: CommitGraph, action: Any, after: Any, time_s: int, put: Put, *rest: Any, **told: Any) -> LoggedStep:
        def kept(kind: str, data: bytes) -> ObjectId:
            made = put(kind, data)  # type: ignore[arg-type]
            if kind == "commit":
                table.written(made, data)
            return made

        return write(self, action, after, time_s, kept, *rest, **told)

    with (
        patch.object(CommitGraph, "check", checked),
        patch.object(CommitGraph, "add", added),
        patch.object(CommitGraph, "write", wrote),
        patch.object(CommitGraph, "link", linked),
        patch.object(ValidCommits, "unlink", unlinked),
    ):
        yield table
    assert not table.differences, table.differences[0]


@pytest.fixture(autouse=True)
def _beside() -> Iterator[None]:
    with beside():
        yield
