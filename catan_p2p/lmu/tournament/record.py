"""Every message of a game, for disputes: one file a game, one JSON object a line, bounded.

A line has the time, who sent it or to whom it went (``""`` is everybody who watches), and the message. Tokens and what
stands behind the colon of a name are left out.
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
"""A file that is longer takes no more messages; a game of people has about one megabyte."""
PUBLIC = ""
_PUBLIC_MARKER = f',"to":{write_json([PUBLIC])},"message":'.encode()
_TIME_FROM = len('{"time":"')
_TIME_BYTES = len('{"time":"2026-01-31T12:00:00.000+00:00"')
_READ_BYTES = 1 << 20
"""Longer than any line."""


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
        """A client has sent this."""
        said = one.why if isinstance(one, InvalidText) else _without_secrets(one)
        self._add({"from": name, "unreadable" if isinstance(one, InvalidText) else "message": said})

    def told(self, names: Sequence[str], text: str) -> None:
        """These were sent this."""
        self._add_line(f'{{{_now()},"to":{write_json([*names])},"message":{_clean(text)}}}')

    def noted(self, text: str) -> None:
        """The server's own log has this."""
        self._add({"note": text})

    def flush(self) -> None:
        """Let the system have what was added."""
        self._file.flush()

    def close(self) -> None:
        """No more comes."""
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
    """The files of the games that a process plays."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: dict[int, GameRecord] = {}

    def path(self, number: int) -> Path:
        """Where the messages of a game are kept."""
        return self._folder / f"Catan_{number}.jsonl"

    def of(self, number: int) -> GameRecord:
        """The file of a game, open from now on."""
        if number not in self._open:
            self._open[number] = GameRecord(self.path(number))
        return self._open[number]

    def close(self, number: int) -> None:
        """Another process writes the file from now on, or nobody."""
        if number in self._open:
            self._open.pop(number).close()

    def close_all(self) -> None:
        """Nothing more comes."""
        for number in [*self._open]:
            self.close(number)


class PublicTail:
    """What those who watch are told, read from a game's file while it grows; what a kill has cut off is left out."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._at = 0

    def read(self, until: float = math.inf) -> list[str]:
        """The next messages that were told until then, in seconds since 1970: some, or none for now."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._at)
                data = file.read(_READ_BYTES)
        except OSError:
            return []
        found: list[str] = []
        for line in data[: data.rfind(b"\n") + 1].splitlines(keepends=True):
            head, marker, message = line.partition(_PUBLIC_MARKER)
            if marker and len(head) == _TIME_BYTES and message.endswith(b"}\n"):
                if datetime.fromisoformat(head[_TIME_FROM:-1].decode()).timestamp() > until:
                    break
                found.append(message[:-2].decode("utf-8", "replace"))
            self._at += len(line)
        return found

    @property
    def is_at_end(self) -> bool:
        """Whether everything was read that is there."""
        return self._at >= (self._path.stat().st_size if self._path.exists() else 0)


def public_messages(path: Path, until: float = math.inf) -> Iterator[str]:
    """What those who watch were told until then, as the file has it."""
    tail = PublicTail(path)
    while True:
        before = tail._at
        yield from tail.read(until)
        if tail._at == before:
            return


def numbers_told(texts: Iterable[str]) -> dict[str, int]:
    """By name, the numbers that players have in messages."""
    found: dict[str, int] = {}
    for text in texts:
        try:
            player = json.loads(text).get("Statusupdate", {}).get("Spieler", {})
        except ValueError:  # what a loss of power has left
            continue
        if isinstance(player.get("Name"), str) and isinstance(player.get("id"), int):
            found[player["Name"]] = player["id"]
    return found


def _now() -> str:
    return f'"time":"{datetime.now(UTC).isoformat(timespec="milliseconds")}"'


def _clean(text: str) -> str:
    """A message of the server's as it is kept: the token of ``Willkommen`` lets nobody else in."""
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
