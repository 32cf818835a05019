"""The LMU server under load: tables of four clients that play at full speed, or pause before each message.

    python -m benchmarks.lmu [TABLES ...] [--seconds S] [--think S]

All clients share one process; the server has its own. The rows are messages per second, the time from a
client's message to its Serverantwort, the server's processor time per message, and its memory per table. If clients and
server share processor cores, compare the processor time.
"""

import argparse
import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.rows import Row, as_text
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.client import CLIENT_VERSION, _understood
from catan_p2p.lmu.client_player import ClientPlayer
from catan_p2p.lmu.connection import StreamWire
from catan_p2p.lmu.framing import JsonSplitter

PLAYERS = 4
COLOURS = ("Red", "Orange", "Blue", "White")


@dataclass
class Load:
    """The messages of all clients."""

    sent: int = 0
    heard: int = 0
    latencies_s: list[float] = field(default_factory=list)
    begun: int = 0


async def client(port: int, seat: int, seed: int, think_s: float, load: Load) -> None:
    """Play as one client until its game is over or it is cancelled."""
    wire = StreamWire(*await asyncio.open_connection("127.0.0.1", port))
    player = ClientPlayer(CLIENT_VERSION, f"Player {seat}", COLOURS[seat], "builder", seed)
    asked: deque[float] = deque()
    try:
        async for one in wire.objects(JsonSplitter(m.MESSAGES["server"].keys(), 1 << 20)):
            message = _understood(one)
            assert message is not None
            load.heard += 1
            load.begun += isinstance(message, m.GameStartedMessage)
            if isinstance(message, m.RequestReply | m.ServerFailure) and asked:
                load.latencies_s.append(time.perf_counter() - asked.popleft())
            sends = player.hear(message)
            if sends and think_s and player.model.board is not None:
                await asyncio.sleep(think_s)
            for send in sends:
                if not isinstance(send, m.ClientHello):
                    asked.append(time.perf_counter())
                await wire.write([m.write_message(send)])
                load.sent += 1
            if player.is_over:
                return
    finally:
        wire.abort()


def family(pid: int) -> list[int]:
    """A process and its children; Linux."""
    found = [pid]
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(stat.parent.name))
    return found


def memory_bytes(pid: int) -> int:
    """The resident memory of a process and its children; Linux."""
    texts = [Path(f"/proc/{each}/status").read_text() for each in family(pid)]
    return 1024 * sum(int(line.split()[1]) for text in texts for line in text.splitlines() if line.startswith("VmRSS"))


@dataclass
class Measured:
    """The results of one load."""

    tables: int
    messages_per_s: float
    heard_per_s: float
    median_ms: float
    p99_ms: float
    table_bytes: float
    cpu_share: float
    cpu_ms: float
    """The server's processor time per message of a client."""


async def _measure(tables: int, seconds: float, think_s: float) -> Measured:
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as folder:
        command = ["lmu", "serve", "--listen", "127.0.0.1:0", "--tcp", "127.0.0.1:0", "--tables", str(tables)]
        command += ["--seed", "1", "--patience", "600", "--out", folder]
        server = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "catan_p2p.cli.main", *command, stderr=subprocess.PIPE
        )
        assert server.stderr is not None
        port = 0
        while not port:
            line = (await server.stderr.readline()).decode()
            if not line:
                raise RuntimeError("the server ended at once")
            port = int(line.rpartition(":")[2]) if "tcp://" in line else 0
        drain = asyncio.ensure_future(server.stderr.read())
        empty = memory_bytes(server.pid)
        load = Load()
        clients = []
        for table in range(tables):
            for seat in range(PLAYERS):
                clients.append(asyncio.ensure_future(client(port, seat, PLAYERS * table + seat, think_s, load)))
            while load.begun < PLAYERS * (table + 1):
                await asyncio.sleep(0.005)
                broken = next((one for one in clients if one.done() and one.exception()), None)
                if broken is not None:
                    broken.result()
        load.latencies_s.clear()
        sent, heard, begin, cpu = load.sent, load.heard, time.perf_counter(), _cpu_s(server.pid)
        await asyncio.sleep(seconds)
        elapsed = time.perf_counter() - begin
        full, used = memory_bytes(server.pid), _cpu_s(server.pid) - cpu
        times = sorted(load.latencies_s) or [0.0]
        for one in clients:
            one.cancel()
        await asyncio.gather(*clients, return_exceptions=True)
        server.terminate()
        await server.wait()
        await drain
    return Measured(
        tables,
        (load.sent - sent) / elapsed,
        (load.heard - heard) / elapsed,
        1000 * times[len(times) // 2],
        1000 * times[min(len(times) - 1, int(0.99 * len(times)))],
        (full - empty) / tables,
        used / elapsed,
        1000 * used / max(1, load.sent - sent),
    )


def _cpu_s(pid: int) -> float:
    """The processor time of a process and its children so far."""
    used = 0
    for each in family(pid):
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        used += int(fields[11]) + int(fields[12])
    return used / os.sysconf("SC_CLK_TCK")


def measure(tables: int, seconds: float, think_s: float) -> Measured:
    """Play at ``tables`` tables for ``seconds``."""
    return asyncio.run(_measure(tables, seconds, think_s))


def rows(*, quick: bool) -> list[Row]:
    """One table and four at full speed."""
    found = []
    for tables, think_s in ((1, 0.0), (4, 0.0)):
        one = measure(tables, 2.0 if quick else 15.0, think_s)
        how = "at full speed" if not think_s else f"thinking {think_s:g} s"
        title = f"LMU, {tables} tables of 4 clients {how}"
        note = f"{one.heard_per_s:.0f} messages/s to clients, server at {100 * one.cpu_share:.0f} % of a core"
        found += [
            Row(f"{title}: from clients", one.messages_per_s, "messages/s", note=note),
            Row(f"{title}: p99 to the answer", one.p99_ms, "ms", "median", one.median_ms),
            Row(f"{title}: processor time", one.cpu_ms, "ms/message"),
            Row(f"{title}: memory", one.table_bytes / 1024, "kB/table"),
        ]
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the given numbers of tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("tables", type=int, nargs="*", default=[1, 4])
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--think", type=float, default=0.0)
    given = parser.parse_args(arguments)
    found = []
    for tables in given.tables:
        one = measure(tables, given.seconds, given.think)
        print(one)
        found.append(Row(f"{tables} tables: from clients", one.messages_per_s, "messages/s"))
        found.append(Row(f"{tables} tables: p99 to the answer", one.p99_ms, "ms", "median", one.median_ms))
        found.append(Row(f"{tables} tables: processor time", one.cpu_ms, "ms/message"))
        found.append(Row(f"{tables} tables: memory", one.table_bytes / 1024, "kB/table"))
    print(as_text(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
