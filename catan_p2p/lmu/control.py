"""Commands of a server's host: lines typed at its terminal."""

import asyncio
import contextlib
import signal
import sys
import threading
from collections.abc import Callable

MAX_COMMAND_CHARS = 200

SERVER_COMMANDS = ("list", "pause", "resume", "kick NAME", "admit NAME", "begin GAME")
"""The commands of every server."""


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
