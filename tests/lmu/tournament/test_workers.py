"""Tournaments whose games are played in worker processes: as without them, also if workers or the server are killed."""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.table import KICKED
from catan_p2p.log.audit import audit
from tests.lmu.tournament.hosting import Hosted, hosting, playing

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot hand connections over")

NAMES = ("Ann:a1", "Ben", "Cid:c3", "Dan")


def games(out: Path) -> list[Any]:
    return json.loads((out / "tournament.json").read_text("utf-8"))["games"]  # type: ignore[no-any-return]


def check(out: Path) -> None:
    """All games are over, and their logs and results agree."""
    for game in games(out):
        assert game["state"] == "over"
        report = audit(out / f"Catan_{game['game']}")
        assert report.is_fine and report.history is not None
        last = report.history.actions[-1].state
        assert last.is_over
        assert game["seats"][last.ap - 1] == game["winner"]
        assert game["actions"] == len(report.history.actions)
        assert (out / "public" / f"Catan_{game['game']}" / ".git").is_dir()


async def killed(hosted: Hosted) -> None:
    """Kill a worker that plays."""
    workers = hosted.server._workers
    assert workers is not None
    busy = next(worker for worker in workers._workers if worker.tables)
    os.kill(busy.process.pid, signal.SIGKILL)
    await hosted.noted("a worker has ended")


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
def test_a_tournament_in_workers_goes_on_after_one_is_killed(tmp_path: Path) -> None:
    async def body() -> None:
        async with hosting(tmp_path, rounds=2, workers=2, computers=4) as hosted, playing(hosted.url, NAMES) as tasks:
            await hosted.noted("begins with")
            watching = await hosted.talk("Zuschauer 0")
            await killed(hosted)
            await hosted.server.done.wait()
            assert [len(played) for played in await asyncio.gather(*tasks)] == [2] * 4
            heard = await watching.hear_all()
            assert any(isinstance(message, m.GameOver) for message in heard)

    asyncio.run(body())
    check(tmp_path)
    assert not any(b"\n\n" in path.read_bytes() for path in (tmp_path / "messages").glob("*"))
    messages = "".join(path.read_text("utf-8") for path in (tmp_path / "messages").glob("*"))
    assert ":a1" not in messages and '"Token":"' not in messages


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
def test_the_organizer_s_commands_reach_workers(tmp_path: Path) -> None:
    async def body() -> None:
        settings: dict[str, Any] = {"rounds": 2, "workers": 1, "tables": 1, "patience_s": 1.0, "points": 10}
        async with hosting(tmp_path, **settings) as hosted, playing(hosted.url, NAMES[1:]):
            talk = await hosted.talk("Ann:a1", "White")
            await talk.say(m.ReadyToStart())
            assert await talk.hear(m.GameStartedMessage)
            await hosted.server.obey("pause")
            await asyncio.sleep(0.3)
            before = (tmp_path / "messages" / "Catan_0.jsonl").stat().st_size
            await asyncio.sleep(0.5)
            assert (tmp_path / "messages" / "Catan_0.jsonl").stat().st_size == before
            await hosted.server.obey("resume")
            await hosted.server.obey("kick Ann")
            assert (await talk.hear(m.ServerFailure)).text == KICKED
            assert await talk.hear(type(None)) is None
            out = await hosted.talk("Ann:a1", "White")
            assert (await out.hear(m.ServerFailure)).text == KICKED
            await hosted.server.obey("admit Ann")
            back = await hosted.talk("Ann:a1", "White")
            assert await back.hear(m.GameStartedMessage)
            double = await hosted.talk("Ben")
            assert (await double.hear(m.RequestReply)).text == "Ben ist schon da"
            other = await hosted.talk("Ann:a1", "White")
            assert await other.hear(m.GameStartedMessage)
            assert await back.hear(type(None)) is None, "who has the secret displaces"
            await hosted.server.obey("skip 0")
            assert await other.hear(type(None)) is None
            await hosted.server.obey("skip 1")
            await hosted.server.done.wait()

    asyncio.run(body())
    assert [game["state"] for game in games(tmp_path)] == ["void", "void"]


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
def test_a_tournament_in_workers_outlives_its_server(tmp_path: Path) -> None:
    async def body() -> None:
        for more in (20_000, 100_000):
            async with hosting(tmp_path, rounds=2, workers=2, computers=4) as hosted, playing(hosted.url, NAMES):
                before = sum(path.stat().st_size for path in (tmp_path / "messages").glob("*"))
                while sum(path.stat().st_size for path in (tmp_path / "messages").glob("*")) < before + more:
                    await asyncio.sleep(0.01)
        async with hosting(tmp_path, rounds=2, workers=1, computers=4) as hosted, playing(hosted.url, NAMES):
            await hosted.server.done.wait()

    asyncio.run(body())
    check(tmp_path)
