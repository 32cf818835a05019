"""A tournament's server is killed, over and over, and goes on: every game ends, and every log is a game's."""

import asyncio
import contextlib
import json
import socket
import sys
from pathlib import Path
from random import Random

import pytest

from catan_p2p.log.audit import audit
from tests.lmu.tournament.hosting import CLIENTS, playing

pytestmark = pytest.mark.long


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


async def started(out: Path, port: int, players: int) -> asyncio.subprocess.Process:
    names = out.parent / "clients"
    command = ["lmu", "tournament", "--clients", str(names), "--rounds", "2", "--points", "4", "--wait", "10m"]
    command += ["--listen", "127.0.0.1:0", "--tcp", f"127.0.0.1:{port}", "--patience", "10m", "--seed", "7"]
    command += ["--players", str(players), "--computers", str(players - 4), "--out", str(out)]
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "catan_p2p.cli.main", *command, stderr=asyncio.subprocess.PIPE
    )


def recorded_bytes(out: Path) -> int:
    return sum(file.stat().st_size for file in (out / "messages").glob("*")) if (out / "messages").is_dir() else 0


async def played_with_kills(out: Path, kills: list[int], players: int = 4) -> str:
    """Kill the server whenever so many more bytes of messages are kept; then let it end. What the last one said."""
    port = free_port()
    (out.parent / "clients").write_text(CLIENTS)
    async with playing(f"tcp://127.0.0.1:{port}", ("Ann:a1", "Ben", "Cid:c3", "Dan")):
        for more in kills:
            server = await started(out, port, players)
            ending = asyncio.ensure_future(server.communicate())
            until = recorded_bytes(out) + more
            while recorded_bytes(out) < until and not ending.done():
                await asyncio.sleep(0.002)
            if not ending.done():
                with contextlib.suppress(ProcessLookupError):
                    server.kill()
            _, told = await ending
            assert server.returncode in (0, -9), told.decode()
        server = await started(out, port, players)
        _, said = await server.communicate()
        assert server.returncode == 0, said.decode()
    return said.decode()


def check(out: Path, said: str) -> None:
    games = json.loads((out / "tournament.json").read_text("utf-8"))["games"]
    assert [game["state"] for game in games] == ["over"] * len(games), said
    for game in games:
        report = audit(out / f"Catan_{game['game']}")
        assert report.is_fine
        assert report.history is not None
        last = report.history.actions[-1].state
        assert last.is_over
        assert game["seats"][last.ap - 1] == game["winner"]
    lines = [line for path in (out / "messages").glob("*.jsonl") for line in path.read_text("utf-8").splitlines()]
    assert all(lines), "no empty ones"
    broken = 0
    for line in lines:
        try:
            json.loads(line)
        except ValueError:
            broken += 1
    assert broken <= 12, "only what a kill has cut"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("players", [4, 5])
def test_a_tournament_outlives_kills(players: int, tmp_path: Path) -> None:
    said = asyncio.run(played_with_kills(tmp_path / "out", [1, 60_000, 200_000], players))
    check(tmp_path / "out", said)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
def test_a_tournament_outlives_kills_at_many_points(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    kills = [int(10 ** rng.uniform(0, 5.2)) for _ in range(12)]
    check(tmp_path / "out", asyncio.run(played_with_kills(tmp_path / "out", kills, 4 + seed % 2)))
