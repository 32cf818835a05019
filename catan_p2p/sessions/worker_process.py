"""The process that leads the peers of a table, started before there is anything for it to do."""

import subprocess
import sys
from contextlib import suppress


def start_process() -> subprocess.Popen[bytes]:
    """Start it: it gets ready, and waits to be told which table. Nothing is imported here that takes long."""
    command = [sys.executable, "-m", "catan_p2p.sessions.worker"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def dismiss(process: subprocess.Popen[bytes]) -> None:
    """End one that was never told anything."""
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):
            if stream is not None:
                stream.close()
    process.terminate()
    process.wait()
