"""The folders beside a seat: what was agreed at a table that is waited for, and the seats of a host's computers."""

import json
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError

KEY_FILE = "key"
AGREED_FILE = "table.json"
COMPUTERS_FOLDER = ".computers"


def room_folder(path: Path) -> Path:
    """Where the waiting room of the seat at ``path`` is."""
    return path.absolute().with_name(f".{path.absolute().name}.table")


def computers_folder(path: Path) -> Path:
    """Where the repositories of the computer players are that the seat at ``path`` plays, as its host."""
    return path.absolute().with_name(f"{path.absolute().name}{COMPUTERS_FOLDER}")


def is_computers_folder(path: Path) -> bool:
    """Whether a folder is of a host's computer players, by its name."""
    return path.name.endswith(COMPUTERS_FOLDER)


def read_agreed(path: Path) -> dict[str, Any] | None:
    """What was agreed at the table where the seat at ``path`` is waited for; None if there is none."""
    file = room_folder(path) / AGREED_FILE
    try:
        agreed = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise StoreError(f"{file}: cannot read: {error}") from None
    if not isinstance(agreed, dict):
        raise StoreError(f"{file}: not what was agreed at a table")
    return agreed


def leave_room(path: Path) -> None:
    """Remove the waiting room of the seat at ``path``, which is made now, or is not to be had.

    First goes the key, without which it is no room any more, and last what was agreed: a verb that is interrupted here
    still knows what it was about.
    """
    folder = room_folder(path)
    with suppress(OSError):
        disk.remove(folder / KEY_FILE)
        for left in list(folder.iterdir()):
            if left.name != AGREED_FILE:
                shutil.rmtree(left) if left.is_dir() else disk.remove(left)
    shutil.rmtree(folder, ignore_errors=True)
