"""A page that follows a game: what it is told, to whom, and how a browser shows it."""

import asyncio
import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import websockets.asyncio.server
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from catan_p2p.cli.main import main
from catan_p2p.game.actions import Action
from catan_p2p.game.constants import Constants
from tests.visualizer.browser import browsing, needs_chromium
from tests.visualizer.games import FOUR_DISCARDS, WrittenGame, random_actions, recorded
from visualizer.data.feed import read_whole
from visualizer.data.recording import GameRecording
from visualizer.pages import server as page_server
from visualizer.pages.server import PageServer
from visualizer.pages.steps import ShownSteps

FOUR = Constants(player_count=4)
ACTIONS = random_actions(FOUR, FOUR_DISCARDS, 400)


@contextmanager
def served(path: Path) -> Iterator[str]:
    """A page of the game at a path, by its URL."""
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        started: asyncio.Future[str] = loop.create_future()
        serving = loop.create_task(PageServer(path).serve(started))

        async def run() -> None:
            await asyncio.wait([serving])

        url = loop.run_until_complete(asyncio.wait_for(asyncio.shield(started), 60))
        thread = Thread(target=runner.run, args=(run(),))
        thread.start()
        try:
            yield url
        finally:
            loop.call_soon_threadsafe(serving.cancel)
            thread.join()


@pytest.fixture
def written(tmp_path: Path) -> Iterator[WrittenGame]:
    game = WrittenGame(tmp_path / "Catan_0", FOUR)
    game.write(*ACTIONS[:40])
    yield game
    game.close()


def wait(url: str) -> str:
    """The page, once the game has been read."""
    while "Waiting" in (found := str(urlopen(url).read().decode())):
        pass
    return found


def listening(url: str, **headers: str) -> ClientConnection:
    """A connection that is told the steps."""
    wait(url)
    return connect(f"{url.replace('http', 'ws')}steps", additional_headers=headers, proxy=None)


def told(reader: ClientConnection) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reader.recv(timeout=60))
    return found


def shown(recording: GameRecording) -> list[dict[str, Any]]:
    steps = ShownSteps()
    steps.take(recording, 0)
    return steps.steps


def test_every_step_is_told_once(written: WrittenGame) -> None:
    with served(written.path) as url, listening(url) as reader:
        first = told(reader)
        assert (first["root"], first["kept"], first["problem"]) == (written.root, 0, None)
        steps = first["steps"]
        assert len(steps) == 41
        at = 40
        for more in (41, 60, 200):
            written.write(*ACTIONS[at:more])
            while len(steps) < more + 1:
                news = told(reader)
                assert news["kept"] <= len(steps)
                assert news["kept"] or more == 40
                del steps[news["kept"] :]
                steps += news["steps"]
            at = more
        assert steps == shown(read_whole(written.path)[0])
        with listening(url) as other:
            assert told(other)["steps"] == steps


def test_what_does_not_stand_is_told_anew() -> None:
    recording, other = recorded(FOUR, 3, most=300), recorded(FOUR, FOUR_DISCARDS, most=400)
    for kept in (0, 1, 2):
        steps = ShownSteps()
        growing = recorded(FOUR, 3, most=300)
        steps.take(growing, 0)
        growing.truncate(kept)
        for step in other.steps[kept:]:
            growing.append(step)
        assert steps.take(growing, kept) == kept
        assert steps.steps == shown(growing)
    assert steps.steps != shown(recording)


def test_a_page_can_step_by_turn_round_and_seven() -> None:
    recording = recorded(FOUR, FOUR_DISCARDS)
    for bit, indices in ((1, recording.turn_ends), (2, recording.round_ends)):
        assert [i for i, step in enumerate(shown(recording)) if step.get("s", 0) & bit] == indices
    sevens = [mark.index for mark in recording.marks if mark.kind == "seven"]
    assert [i for i, step in enumerate(shown(recording)) if step.get("s", 0) & 4] == sevens != []


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("", {"Host": "rebound.example:80"}, 403),
        ("", {"Origin": "http://elsewhere.example"}, 403),
        ("steps", {"Origin": "null"}, 403),
        ("other", {}, 404),
        ("steps", {}, 426),
    ],
)
def test_only_the_page_is_served_and_only_to_itself(
    written: WrittenGame, path: str, headers: dict[str, str], status: int
) -> None:
    with served(written.path) as url:
        wait(url)
        with pytest.raises(HTTPError) as refused:
            urlopen(Request(url + path, headers=headers))
        refused.value.close()
        assert refused.value.code == status
        with pytest.raises(InvalidStatus, match="403"), listening(url, Origin="http://elsewhere.example"):
            pass


def test_nobody_else_is_listened_to(written: WrittenGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_server, "MAX_WATCHERS", 2)
    with served(written.path) as url, listening(url) as one:
        with listening(url), pytest.raises(InvalidStatus, match="503"), listening(url):
            pass
        told(one)
        one.send("x" * 17)
        with pytest.raises(ConnectionClosed, match="1009"):
            one.recv(timeout=60)
        assert url.startswith("http://127.0.0.1:")


def test_a_game_without_end_is_followed_as_far_as_a_page_goes(
    written: WrittenGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("visualizer.pages.steps.MAX_STEPS", 45)
    with served(written.path) as url, listening(url) as reader:
        steps = told(reader)["steps"]
        problem = None
        for more in (50, 60):
            written.write(*ACTIONS[len(written.commits) - 1 : more])
            while problem is None or len(written.commits) > more + 1:
                news = told(reader)
                problem = news["problem"]
                steps[news["kept"] :] = news["steps"]
        assert problem is not None and "expected at most 45" in problem
        assert len(steps) == 45
        with listening(url) as other:
            assert told(other)["steps"] == steps


@pytest.mark.long
def test_a_slow_reader_is_told_no_more_than_it_takes(written: WrittenGame) -> None:
    with served(written.path) as url, listening(url) as slow, listening(url) as quick:
        told(quick)
        seen = 41
        for action in ACTIONS[40:70]:
            written.write(action)
            while seen < len(written.commits):
                news = told(quick)
                seen = news["kept"] + len(news["steps"])
        first = told(slow)
        assert first["kept"] == 0
        steps = first["steps"]
        while len(steps) < seen:
            news = told(slow)
            del steps[news["kept"] :]
            steps += news["steps"]
        assert steps == shown(read_whole(written.path)[0])


def test_a_game_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "later"
    path.mkdir()
    with served(path) as url:
        assert "Waiting for the game" in urlopen(url).read().decode()
        game = WrittenGame(path / "Catan_0", FOUR)
        game.write(*ACTIONS[:3])
        with listening(url) as reader:
            assert told(reader)["root"] == game.root
        game.close()


def test_the_verb_serves_until_it_is_interrupted(written: WrittenGame) -> None:
    command = [sys.executable, "-m", "catan_p2p", "page", str(written.path), "--follow"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as verb:
        assert verb.stderr is not None
        found = re.search(r"followed at (http://127\.0\.0\.1:(\d+)/)\n", verb.stderr.readline())
        assert found
        with listening(found[1]) as reader:
            assert len(told(reader)["steps"]) == 41
            assert main(["page", str(written.path), "--follow", "--port", found[2]]) == 2
            verb.send_signal(signal.SIGINT)
            assert verb.wait(60) == 0
        assert verb.stderr.read() == ""


def test_the_verb_says_what_it_cannot_do(written: WrittenGame, capsys: pytest.CaptureFixture[str]) -> None:
    for line, words in (
        (["--follow", "--port", "70000"], "at most 65535"),
        (["-o", "x.html", "--port", "8000"], "it needs --follow"),
        (["-o", "x.html", "--follow"], "not allowed with"),
        ([], "one of the arguments -o/--out --follow is required"),
    ):
        try:
            code = main(["page", str(written.path), *line])
        except SystemExit as error:
            code = error.code  # type: ignore[assignment]
        assert code == 2
        assert words in capsys.readouterr().err


WORDS = "document.getElementById('words').textContent"


@pytest.mark.long
@needs_chromium
def test_a_browser_follows_a_game(written: WrittenGame, tmp_path: Path) -> None:
    with served(written.path) as url:
        wait(url)
        with browsing(url, tmp_path / "profile", "1280,800") as browser:
            browser.wait_until(f"{WORDS}.startsWith('40 of 40')")
            written.write(*ACTIONS[40:60])
            browser.wait_until(f"{WORDS}.startsWith('60 of 60')")
            browser.press("ArrowLeft")
            written.write(*ACTIONS[60:70])
            browser.wait_until(f"{WORDS}.startsWith('59 of 70')")
            browser.press("End")
            written.write(*ACTIONS[70:80])
            browser.wait_until(f"{WORDS}.startsWith('80 of 80')")
            seen = "at => { const a = at.getBoundingClientRect(), b = at.parentNode.getBoundingClientRect(); return "
            seen += "a.top > b.top - 1 && a.bottom < b.bottom + 1; }"
            browser.wait_until(f"({seen})(document.querySelector('#log [aria-selected]'))")
            lines = browser.value("[...document.querySelectorAll('#log li')].map(line => line.textContent)")
            assert lines == [step["w"] for step in shown(read_whole(written.path)[0])]
            # Nothing but the page was asked for, and nothing else can be.
            assert browser.value("performance.getEntriesByType('resource').length") == 0
            asked = "fetch('http://127.0.0.1:1/').then(() => 'loaded', error => error.name + '')"
            assert (
                browser.ask("Runtime.evaluate", expression=asked, awaitPromise=True)["result"]["value"] == "TypeError"
            )


@pytest.mark.long
@needs_chromium
def test_a_page_that_lost_its_program_says_so(written: WrittenGame, tmp_path: Path) -> None:
    with ExitStack() as browsers:
        with served(written.path) as url:
            wait(url)
            browser = browsers.enter_context(browsing(url, tmp_path / "profile", "800,600"))
            browser.wait_until(f"{WORDS}.startsWith('40 of 40')")
            problem = "document.getElementById('problem').textContent"
            assert browser.value(problem) == ""
        browser.wait_until(f"{problem} === 'The program that follows the game cannot be reached.'")
        browser.press("ArrowLeft")
        assert browser.value(WORDS).startswith("39 of 40")


@pytest.mark.long
@needs_chromium
def test_a_screen_reader_hears_names_for_all_that_is_shown(written: WrittenGame, tmp_path: Path) -> None:
    built: list[Action] = list(ACTIONS[40:300])
    written.write(*built)
    recording = read_whole(written.path)[0]
    with served(written.path) as url:
        wait(url)
        with browsing(url, tmp_path / "profile", "1280,800") as browser:
            browser.wait_until(f"{WORDS}.startsWith('{recording.last} of')")
            names = browser.names()
            images = [name for role, name in names if role == "image"]
            state = recording.steps[-1].state
            roads = sum(roads.bit_count() for roads in state.r)
            settled = sum((v | c).bit_count() for v, c in zip(state.s.villages, state.s.cities, strict=True))
            assert sum(": road between " in name for name in images) == roads > 0
            assert sum(bool(re.search(": (village|city) at ", name)) for name in images) == settled > 0
            assert [name for name in images if name.startswith("bandit on ")]
            land = sum(tile.is_land for tile in recording.constants.board.map.tiles)
            wharfs = len(recording.constants.board.wharf_tiles)
            assert len(images) == roads + settled + 1 + land + wharfs
            buttons = {name for role, name in names if role == "button"}
            assert buttons == {"to the beginning", "a step back", "play", "a step forward", "to the end", "keys"}
            assert {name for role, name in names if role == "columnheader"} >= {"points", "development cards"}
            assert ("rowheader", "Red") in names
            assert ("option", shown(recording)[-1]["w"]) in names


@pytest.mark.long
@needs_chromium
def test_every_key_of_a_page_does_what_its_list_says(written: WrittenGame, tmp_path: Path) -> None:
    written.write(*ACTIONS[40:])
    recording = read_whole(written.path)[0]
    with served(written.path) as url:
        wait(url)
        with browsing(url, tmp_path / "profile", "1280,800") as browser:
            browser.wait_until(f"{WORDS}.startsWith('{recording.last} of')")

            def at(key: str) -> int:
                browser.press(key)
                return int(browser.value(WORDS).partition(" ")[0])

            assert at("Home") == 0
            assert at("ArrowDown") == recording.next_stop(0, "turn")
            assert at("ArrowDown") == (second := recording.next_stop(recording.next_stop(0, "turn"), "turn"))
            assert at("PageDown") == (third := recording.next_stop(second, "round"))
            assert at("PageUp") == recording.previous_stop(third, "round")
            assert at("ArrowUp") == recording.previous_stop(recording.previous_stop(third, "round"), "turn")
            assert at("7") == min(mark.index for mark in recording.marks if mark.kind == "seven")
            speed = "document.getElementById('speed').value"
            assert (at("+"), browser.value(speed))[1] == "4"
            assert (at("-"), browser.value(speed))[1] == "2"
            is_open = "document.getElementById('help').open"
            assert (at("?"), browser.value(is_open))[1]
            before = at("ArrowRight")
            assert before == at("x")
            assert (at("Escape"), browser.value(is_open))[1] is False
            assert at("ArrowRight") == before + 1


def test_a_browser_that_does_not_read_does_not_keep_the_server_from_its_end(
    written: WrittenGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than the buffers of sockets hold; and nothing but the server's own end ends such a connection."""
    spelled, serve = page_server.encoded, websockets.asyncio.server.serve
    monkeypatch.setattr(page_server, "encoded", lambda message: spelled(message) + " " * 30_000_000)
    monkeypatch.setattr(
        websockets.asyncio.server, "serve", lambda *given, **options: serve(*given, **options, ping_interval=None)
    )
    with socket.socket() as reader, served(written.path) as url:
        wait(url)
        host = url.removeprefix("http://").rstrip("/")
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        reader.connect(("127.0.0.1", int(host.partition(":")[2])))
        upgrade = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13")
        key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
        lines = ("GET /steps HTTP/1.1", f"Host: {host}", f"Origin: http://{host}", *upgrade, key)
        reader.sendall("".join(f"{line}\r\n" for line in (*lines, "")).encode())
        assert reader.recv(12) == b"HTTP/1.1 101"
