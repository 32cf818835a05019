"""The file of a person's seats at servers, so that a program that was closed or has crashed can resume its game."""

import contextlib
import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from catan_p2p.log.storage.disk import written_whole
from catan_p2p.log.storage.objects import StoreError

MAX_SEATS = 20
"""The file keeps this many of the newest seats."""
MAX_FILE_BYTES = 64 << 10


class KeptSeat(NamedTuple):
    """The token that gets a seat back, and the players' numbers in the order of play."""

    token: str
    order: tuple[int, ...]


class KeptSeats:
    """The file of seats. Only its owner may read it, since anyone who has a token can take the seat."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def seat(self, url: str, name: str) -> KeptSeat | None:
        """The seat kept for a name at a server, None if there is none."""
        for entry in reversed(self._entries()):
            if (entry["url"], entry["name"]) == (url, name):
                return KeptSeat(entry["token"], tuple(entry["order"]))
        return None

    def keep(self, url: str, name: str, seat: KeptSeat | None) -> None:
        """Keep the seat of a name at a server; None forgets it. A failure to write is ignored."""
        entries = [entry for entry in self._entries() if (entry["url"], entry["name"]) != (url, name)]
        if seat is not None:
            entries.append({"url": url, "name": name, "token": seat.token, "order": [*seat.order]})
        with contextlib.suppress(OSError, StoreError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with written_whole(self._path) as beside:
                file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
                with os.fdopen(file, "w", encoding="utf-8") as writing:
                    json.dump(entries[-MAX_SEATS:], writing, ensure_ascii=False)

    def _entries(self) -> list[dict[str, Any]]:
        """The valid entries of the file."""
        try:
            with self._path.open("rb") as file:
                found = json.loads(file.read(MAX_FILE_BYTES))
        except (OSError, ValueError, RecursionError):
            return []
        return [entry for entry in found if _is_entry(entry)] if isinstance(found, list) else []


def _is_entry(entry: Any) -> bool:
    return (
        isinstance(entry, dict)
        and all(isinstance(entry.get(key), str) for key in ("url", "name", "token"))
        and isinstance(entry.get("order"), list)
        and all(type(id) is int for id in entry["order"])
    )
