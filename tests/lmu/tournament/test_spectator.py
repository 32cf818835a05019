"""``watch`` at a server: a view of what spectators are told, or a reason why there is none."""

import asyncio
import threading
import time
from argparse import Namespace
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from catan_p2p.cli import watch
from catan_p2p.cli.main import main
from catan_p2p.lmu import spectator
from catan_p2p.lmu.client import CannotConnect
from catan_p2p.lmu.hosting import ServerSettings
from catan_p2p.lmu.spectator import LmuSpectator
from catan_p2p.notation import load_view
from catan_p2p.view import events as e
from tests.lmu.scenes import server_of
from tests.lmu.tournament.hosting import hosting, playing

NAMES = ("Ann:a1", "Ben", "Cid:c3", "Dan")


def test_a_game_is_watched_to_its_end(tmp_path: Path) -> None:
    seen = tmp_path / "seen"

    async def watched() -> None:
        async with hosting(tmp_path / "out", delay_s=0.0) as hosted:
            with closing(LmuSpectator(f"{hosted.url}#0", seen)) as watching:
                async with playing(hosted.url, NAMES):
                    await asyncio.to_thread(watching.wait)
                    await hosted.server.done.wait()
                    await asyncio.to_thread(watching._thread.join)

    asyncio.run(watched())
    told, shown = load_view(seen), load_view(tmp_path / "out" / "public" / "Catan_0")
    assert isinstance(told.steps[-1].event, e.GameWon)
    assert [step.event for step in told.steps] == [step.event for step in shown.steps]


@pytest.mark.parametrize(("version", "why"), [("", "Zusehen kann man nur bei Turnieren"), ("Gruppe 7", "a server of")])
def test_where_nobody_can_watch_it_says_so_and_takes_no_seat(tmp_path: Path, version: str, why: str) -> None:
    async def refused() -> None:
        async with server_of(ServerSettings()) as (server, port, _, _games):
            server._version = version or server._version
            watching = LmuSpectator(f"ws://127.0.0.1:{port}/catan", tmp_path / "seen")
            with closing(watching), pytest.raises(CannotConnect, match=why):
                await asyncio.to_thread(watching.wait)
            while any(hosted.table.members for hosted in server._hosted):
                await asyncio.sleep(0.01)

    asyncio.run(refused())


class Slow(LmuSpectator):
    """A spectator whose thread does nothing before somebody wants something of it."""

    def _run(self) -> None:
        while not self._loop._ready:  # type: ignore[attr-defined]
            time.sleep(0.001)
        super()._run()


def test_whoever_closes_at_once_does_not_wait_for_the_server(tmp_path: Path) -> None:
    async def silent() -> bool:
        server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
        watching = Slow(f"tcp://127.0.0.1:{server.sockets[0].getsockname()[1]}", tmp_path / "seen")
        closing = threading.Thread(target=watching.close, daemon=True)
        closing.start()
        await asyncio.to_thread(closing.join, 30)
        is_closed = not closing.is_alive()
        server.close()
        return is_closed

    assert asyncio.run(silent())


def test_watch_opens_the_window_once_there_is_something_to_see(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", "tcp://127.0.0.1:9"]) == 2
    assert "cannot connect" in capsys.readouterr().err
    done: list[Any] = []

    class Told:
        def __init__(self, url: str, path: Path) -> None:
            self.path = path

        def wait(self) -> None:
            done.append(self.path)

        def close(self) -> None:
            done.append("closed")

    class Viewer:
        def watch(self, args: Namespace) -> int:
            done.append((args.path, args.follow))
            return 0

    monkeypatch.setattr(spectator, "LmuSpectator", Told)
    module_of = watch.viewer
    monkeypatch.setattr(watch, "viewer", lambda module: Viewer() if module == "main" else module_of(module))
    assert main(["watch", "ws://127.0.0.1:9/catan#3"]) == 0
    assert main(["watch", "ws://127.0.0.1:9/catan", "--snapshot", "then.png"]) == 0
    assert [one[1] for one in done[1::3]] == [True, False]
    assert done[0] == done[1][0]
    assert done[2] == "closed"
