"""Commands of a server's host: lines typed at its terminal, or appended to a file in its folder by ``lmu tell``."""

import asyncio
import contextlib
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from catan_p2p.log.storage.lock import ProcessLock

CONTROL_FILE = "control"
MAX_COMMAND_CHARS = 200
MAX_COMMANDS = 100
"""The most commands that are read at once."""

SERVER_COMMANDS = ("list", "pause", "resume", "kick NAME", "admit NAME", "begin GAME")
"""The commands of every server."""
TOURNAMENT_COMMANDS = (*SERVER_COMMANDS, "skip GAME")


class ControlFile:
    """Reads the commands that are appended to the control file of a folder from now on, and holds the file's lock.

    ``StoreError`` if another server uses the folder, or the file cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / CONTROL_FILE
        self._lock = ProcessLock(self._path, "hosting games in this folder")
        # Commands in the file were meant for an earlier server.
        self._at = self._path.stat().st_size

    def commands(self) -> list[str]:
        """The lines added since the last call; a line without its newline waits for the next one."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._at)
                data = file.read(MAX_COMMAND_CHARS * MAX_COMMANDS)
        except OSError:
            return []
        whole = data[: data.rfind(b"\n") + 1]
        self._at += len(whole)
        return [line.strip()[:MAX_COMMAND_CHARS] for line in whole.decode("utf-8", "replace").splitlines()]

    def close(self) -> None:
        """Release the lock, so that another server can use the folder."""
        self._lock.release()


def hear_terminal(take: Callable[[str], None]) -> None:
    """Call ``take`` in the running loop with each typed line, if this process has a terminal."""
    if not sys.stdin or not sys.stdin.isatty():
        return
    if sys.platform != "win32":
        signal.signal(signal.SIGTTIN, signal.SIG_IGN)  # a background job gets an error from reading, and is not stopped
    loop = asyncio.get_running_loop()

    def read() -> None:
        with contextlib.suppress(OSError, ValueError, RuntimeError):  # the last one: the loop has ended
            for line in sys.stdin:
                if line.strip():
                    loop.call_soon_threadsafe(take, line.strip()[:MAX_COMMAND_CHARS])

    threading.Thread(target=read, name="terminal", daemon=True).start()
