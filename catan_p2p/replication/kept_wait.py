"""The file ``catan-p2p/waited.json`` in a player's repository: how long this peer has waited for others."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.medium import FileMedium
from catan_p2p.replication.turn_clock import KeptWait

WAITED_FILE = "waited.json"


def read_wait(folder: Path, medium: FileMedium = disk) -> KeptWait | None:
    """Read what a player's private folder keeps; None if that is nothing, or unreadable."""
    try:
        found = json.loads(medium.read(folder / WAITED_FILE) or b"")
        waits = {int(player): tuple(map(float, times)) for player, times in found.pop("waits").items()}
        silent_s, monotonic_s, date_s = (float(found[name]) for name in ("silent_s", "monotonic_s", "date_s"))
        where = str(found["position"]), str(found["turn"])
        return KeptWait(*where, silent_s, waits, monotonic_s, date_s, str(found["machine"]))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def keep_wait(waited: KeptWait, folder: Path, medium: FileMedium = disk) -> None:
    """Write the wait, whole or not at all. If a full disk refuses it, the wait only becomes longer."""
    beside = folder / f"{WAITED_FILE}.new"
    with suppress(OSError):
        medium.remove(beside)
        medium.create(beside, json.dumps(waited._asdict()).encode())
        medium.replace(beside, folder / WAITED_FILE)
