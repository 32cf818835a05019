"""The folders beside a seat: the agreements of a table whose game has not begun, and the host's computer players."""

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
    """The folder of the waiting room of the seat at ``path``."""
    return path.absolute().with_name(f".{path.absolute().name}.table")


def computers_folder(path: Path) -> Path:
    """The folder of the repositories of the computer players that the seat at ``path`` hosts."""
    return path.absolute().with_name(f"{path.absolute().name}{COMPUTERS_FOLDER}")


def is_computers_folder(path: Path) -> bool:
    """Whether the name of a folder is that of a host's computer players."""
    return path.name.endswith(COMPUTERS_FOLDER)


def read_agreed(path: Path) -> dict[str, Any] | None:
    """What was agreed at the table where the player waits for the seat at ``path``; None if there is no such table."""
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
    """Remove the waiting room of the seat at ``path``, once the seat is made or cannot be had.

    The key goes first, since without it the folder is no waiting room any more. What was agreed goes last, so that a
    verb that is interrupted here still knows what it was about.
    """
    folder = room_folder(path)
    with suppress(OSError):
        disk.remove(folder / KEY_FILE)
        for left in list(folder.iterdir()):
            if left.name != AGREED_FILE:
                shutil.rmtree(left) if left.is_dir() else disk.remove(left)
    shutil.rmtree(folder, ignore_errors=True)
