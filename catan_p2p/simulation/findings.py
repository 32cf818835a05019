"""The findings of a simulation: a line for each in ``findings.jsonl``, written at once.

Several processes may write to the file. Each line is appended by a single write, so no two lines mix.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

from catan_p2p.log.commit import action_message
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.replication.peer import PeerFinding

FINDINGS_FILE = "findings.jsonl"

FoundLine: TypeAlias = dict[str, Any]
"""A finding as a JSON object: what was found, and what is needed to reproduce it."""

_TEXT: tuple[type, ...] = (str,)
_NUMBER: tuple[type, ...] = (int,)
_OF_A_PEER: dict[str, tuple[type, ...]] = {
    "name": _TEXT,
    "seed": (int, type(None)),
    "game": _NUMBER,
    "commit": _TEXT,
    "player": _NUMBER,
    "action": _TEXT,
}
_FIELDS: dict[str, dict[str, tuple[type, ...]]] = {
    "invariant": _OF_A_PEER,
    "not_refused": _OF_A_PEER,
    "no_winner": {"game": _NUMBER, "detail": _TEXT},
}
"""For each kind, the other fields of a line and their types."""


class FindingLog:
    """The findings of one game, including those of an earlier run of it; a recorded finding is in the file at once."""

    def __init__(self, path: Path, game: int, seed: int | None) -> None:
        self._path = path
        self._game = game
        self._seed = seed
        self.lines = read_findings(path, game)

    def record(self, finding: PeerFinding) -> None:
        """Append a finding, unless it is there already; ``StoreError`` if it cannot be written."""
        # A game that is continued after a crash can find the same thing again.
        line = describe_finding(finding, self._game, self._seed)
        if line not in self.lines:
            append_line(self._path, line)
            self.lines.append(line)


def describe_finding(finding: PeerFinding, game: int, seed: int | None) -> FoundLine:
    """A peer's finding as the line of a log; ``seed`` is None where it is a secret."""
    return {
        "kind": finding.kind,
        "name": finding.name,
        "seed": seed,
        "game": game,
        "commit": finding.commit,
        "player": finding.player,
        "action": action_message(finding.action),
    }


def describe_no_winner(game: int, why: str) -> FoundLine:
    """A game without a winner as the line of a log."""
    return {"kind": "no_winner", "game": game, "detail": why}


def spell_finding(line: FoundLine) -> str:
    """A finding in words, on one line."""
    if line["kind"] == "no_winner":
        return str(line["detail"])
    subject, *trailers = line["action"].split("\n")
    parameters = [text for text in trailers if text and not text.startswith(("Action: ", "Player: "))]
    action = f"{subject} ({', '.join(parameters)})" if parameters else subject
    wrong = f"breaks {line['name']}" if line["kind"] == "invariant" else "was not refused"
    seed = "" if line["seed"] is None else f", seed {line['seed']}"
    return f"game {line['game']}{seed}: {action} after {line['commit'][:10]} {wrong}"


def append_line(path: Path, line: FoundLine) -> None:
    """Append a JSON object by a single write; ``StoreError`` if it cannot be written."""
    data = (json.dumps(line) + "\n").encode()
    with disk.explained("write", path):
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            if os.write(file, data) != len(data):
                raise StoreError(f"{path}: cannot write a whole line")
        finally:
            os.close(file)


def whole_lines(path: Path) -> list[str]:
    """The complete lines of a file, none if there is no such file; ``StoreError`` if it cannot be read.

    An unfinished last line is left out: a killed process left it, or another process is just writing it.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"{path}: cannot read: {error.strerror or error}") from error
    return data.decode("utf-8", "replace").split("\n")[:-1]


def read_findings(path: Path, game: int | None = None) -> list[FoundLine]:
    """The findings in a file; with ``game``, only what peers found in that game.

    ``StoreError`` if a line is not a finding.
    """
    found = [_parse_finding(line, path) for line in whole_lines(path)]
    if game is None:
        return found
    return [line for line in found if line["game"] == game and line["kind"] != "no_winner"]


def write_findings(path: Path, lines: Sequence[FoundLine]) -> None:
    """Replace a file by these findings, whole or not at all; ``StoreError`` if it cannot be written."""
    with disk.written_whole(path) as beside:
        beside.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def _parse_finding(line: str, path: Path) -> FoundLine:
    try:
        found = json.loads(line)
        fields = _FIELDS[found["kind"]]
        if not all(type(found[name]) in kinds for name, kinds in fields.items()):  # not isinstance: true is no number
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise StoreError(f"{path}: not a finding: {line[:80]!r}") from None
    whole: FoundLine = found
    return whole
