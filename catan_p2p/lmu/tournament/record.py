"""Every message of a game, for disputes: one file a game, one JSON object a line, bounded.

A line has the time, who sent it or to whom it went (``""`` is everybody who watches), and the message. Tokens and what
stands behind the colon of a name are left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from catan_p2p.lmu.codec import Json
from catan_p2p.lmu.framing import Rubbish
from catan_p2p.lmu.messages import write_json
from catan_p2p.lmu.tournament.entrants import without_secret

MAX_BYTES = 64 << 20
"""A file that is longer takes no more messages; a game of people has about one megabyte."""
PUBLIC = ""


class GameRecord:
    """The open file of one game."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("ab")
        self._bytes = self._file.tell()
        self._is_full = self._bytes >= MAX_BYTES
        if self._bytes and not self._is_full:
            self._file.write(b"\n")  # ends a line that a kill has cut; readers skip empty ones

    def heard(self, name: str, one: Any) -> None:
        """A client has sent this."""
        said = one.why if isinstance(one, Rubbish) else _without_secrets(one)
        self._add({"from": name, "unreadable" if isinstance(one, Rubbish) else "message": said})

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


def public_messages(path: Path) -> Iterator[str]:
    """What those who watch were told, as the file has it; what a kill has cut off is left out."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for line in file:
            try:
                found = json.loads(line)
            except ValueError:
                continue
            if PUBLIC in found.get("to", ()):
                yield write_json(found["message"])


def numbers_told(texts: Iterable[str]) -> dict[str, int]:
    """By name, the numbers that players have in messages."""
    found: dict[str, int] = {}
    for text in texts:
        player = json.loads(text).get("Statusupdate", {}).get("Spieler", {})
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
