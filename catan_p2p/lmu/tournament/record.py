"""A record of all messages of a game, to settle disputes: one file per game, one JSON object per line, bounded.

A line has the time, the sender or the receivers (``""`` stands for the spectators), and the message. Tokens, and what
stands behind the colon of a name, are left out.
"""

import json
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from catan_p2p.lmu.codec import Json
from catan_p2p.lmu.framing import InvalidText
from catan_p2p.lmu.messages import write_json
from catan_p2p.lmu.seats import without_secret

MAX_BYTES = 64 << 20
"""The longest file; a game of people has about one megabyte."""
PUBLIC = ""
_PUBLIC_MARKER = f',"to":{write_json([PUBLIC])},"message":'.encode()
_TIME_FROM = len('{"time":"')
_TIME_BYTES = len('{"time":"2026-01-31T12:00:00.000+00:00"')
_READ_BYTES = 1 << 20
"""The bytes of one read; longer than any line, so that a read never stalls on one."""


class GameRecord:
    """The open file of one game."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+b")
        self._bytes = self._file.seek(0, os.SEEK_END)
        self._is_full = self._bytes >= MAX_BYTES
        if self._bytes and not self._is_full:
            self._file.seek(-1, os.SEEK_END)
            if self._file.read() != b"\n":
                self._file.write(b"\n")  # ends a line that a kill has cut

    def heard(self, name: str, one: Any) -> None:
        """Record what a client has sent."""
        said = one.why if isinstance(one, InvalidText) else _without_secrets(one)
        self._add({"from": name, "unreadable" if isinstance(one, InvalidText) else "message": said})

    def told(self, names: Sequence[str], text: str) -> None:
        """Record a message to these receivers."""
        self._add_line(f'{{{_now()},"to":{write_json([*names])},"message":{_clean(text)}}}')

    def noted(self, text: str) -> None:
        """Record a line of the server's log."""
        self._add({"note": text})

    def flush(self) -> None:
        """Pass what was added to the operating system, where readers see it."""
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _add(self, what: dict[str, Json]) -> None:
        self._add_line(f"{{{_now()},{write_json(what)[1:]}")

    def _add_line(self, line: str) -> None:
        if self._is_full:
            return
        data = f"{line}\n".encode("utf-8", "backslashreplace")
        if self._bytes + len(data) > MAX_BYTES:
            self._is_full = True
            data = f'{{{_now()},"note":"the file is full"}}\n'.encode()
        self._file.write(data)
        self._bytes += len(data)


class GameRecords:
    """The records of the games that a process plays."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: dict[int, GameRecord] = {}

    def path(self, number: int) -> Path:
        """The path of a game's record."""
        return self._folder / f"Catan_{number}.jsonl"

    def of(self, number: int) -> GameRecord:
        """The record of a game, which is opened if need be."""
        if number not in self._open:
            self._open[number] = GameRecord(self.path(number))
        return self._open[number]

    def close(self, number: int) -> None:
        """Close a game's record, so that another process can write it."""
        if number in self._open:
            self._open.pop(number).close()

    def close_all(self) -> None:
        """Close all records."""
        for number in [*self._open]:
            self.close(number)


class PublicTail:
    """Reads the spectators' messages from a game's record while it grows, without lines that a crash has cut."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._at = 0

    def read(self, until: float = math.inf) -> list[str]:
        """Some of the next messages that were sent by ``until``, in seconds since 1970; none if there are none yet."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._at)
                data = file.read(_READ_BYTES)
        except OSError:
            return []
        found: list[str] = []
        for line in data[: data.rfind(b"\n") + 1].splitlines(keepends=True):
            # JSON is not parsed, since this reads every line of all running games; the head's length shows it is whole.
            head, marker, message = line.partition(_PUBLIC_MARKER)
            if marker and len(head) == _TIME_BYTES and message.endswith(b"}\n"):
                if datetime.fromisoformat(head[_TIME_FROM:-1].decode()).timestamp() > until:
                    break
                found.append(message[:-2].decode("utf-8", "replace"))
            self._at += len(line)
        return found

    @property
    def is_at_end(self) -> bool:
        """Whether the whole file was read."""
        return self._at >= (self._path.stat().st_size if self._path.exists() else 0)


def public_messages(path: Path, until: float = math.inf) -> Iterator[str]:
    """The spectators' messages that were sent by ``until``."""
    tail = PublicTail(path)
    while True:
        before = tail._at
        yield from tail.read(until)
        if tail._at == before:
            return


def numbers_told(texts: Iterable[str]) -> dict[str, int]:
    """The players' numbers in messages, by name."""
    found: dict[str, int] = {}
    for text in texts:
        try:
            player = json.loads(text).get("Statusupdate", {}).get("Spieler", {})
        except ValueError:  # a power cut has left garbage
            continue
        if isinstance(player.get("Name"), str) and isinstance(player.get("id"), int):
            found[player["Name"]] = player["id"]
    return found


def _now() -> str:
    return f'"time":"{datetime.now(UTC).isoformat(timespec="milliseconds")}"'


def _clean(text: str) -> str:
    """A server's message as it is recorded: without the token of ``Willkommen``, which would give the seat away."""
    if not text.startswith('{"Willkommen"'):
        return text
    message = json.loads(text)
    message["Willkommen"].pop("Token", None)
    return write_json(message)


def _without_secrets(one: Any) -> Json:
    if isinstance(one, dict):
        return {
            key: without_secret(value)
            if key == "Name" and isinstance(value, str)
            else None
            if key == "Token"
            else _without_secrets(value)
            for key, value in one.items()
        }
    return [_without_secrets(each) for each in one] if isinstance(one, list) else one
