"""Starts the process that leads the peers of a table, before there is anything for it to do."""

import subprocess
import sys
from contextlib import suppress


def start_process() -> subprocess.Popen[bytes]:
    """Start the process: it imports all it needs, and waits for its first order. Nothing slow is imported here."""
    command = [sys.executable, "-m", "catan_p2p.sessions.worker"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def dismiss(process: subprocess.Popen[bytes]) -> None:
    """End a process that never got an order."""
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):
            if stream is not None:
                stream.close()
    process.terminate()
    process.wait()
