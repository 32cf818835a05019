"""A game as a page: it loads nothing, and shows what the game was; also in a real browser, where there is one."""

import base64
import hashlib
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from catan_p2p.game.cards import total
from catan_p2p.game.constants import Constants, profile
from catan_p2p.game.rules import initial_state
from catan_p2p.game.scoring import points_of
from catan_p2p.simulation.game import SimulationSettings, play_game
from tests.typed import Typed
from tests.visualizer.browser import browsing, needs_chromium
from visualizer.data.feed import read_whole
from visualizer.data.recording import GameRecording, PlayedStep, RecordedPlayer
from visualizer.pages.page import page
from visualizer.pages.steps import MAX_STEPS, TooManySteps

SETTINGS = {
    "two": SimulationSettings(players=2, policies=("builder",), seed=3),
    "four, together": SimulationSettings(players=4, policies=("builder",), rules="standard", seed=2, chance="joint"),
    "six, on a drawn island": SimulationSettings(
        players=6, policies=("builder",), rules="standard", map="large", seed=5
    ),
    "three, at random": SimulationSettings(players=3, rules="standard; PointsToWin = 4", map="variable", seed=1),
}


@pytest.fixture(scope="module", params=SETTINGS)
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> GameRecording:
    out = tmp_path_factory.mktemp("page")
    play_game(out, 0, SETTINGS[request.param])
    return read_whole(out / "Catan_0")[0]


class Read(HTMLParser):
    """A page as it is parsed: the elements, what they need, and the texts of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: dict[str, str] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs
        if tag not in ("meta", "input"):
            self.open.append("data" if ("id", "game") in attrs else tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() in (tag, "data"), tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts[self.open[-1]] = data


def digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@pytest.mark.sampled(6)
@pytest.mark.long
def test_a_page_is_whole_and_loads_nothing(game: GameRecording) -> None:
    text = page(game)
    read = Read(text)
    assert read.open == []
    needed = [value for name, value in read.attributes if name in ("src", "href", "action", "srcset", "style")]
    assert all(value is not None and value.startswith("#") for value in needed)
    assert not re.search(r"https?:|url\(|@import|fetch\(|XMLHttp|WebSocket", text)
    policy = dict(read.attributes)["content"]
    assert policy is not None
    for kind in ("style", "script"):
        assert f"{kind}-src 'sha256-{digest(read.texts[kind])}'" in text
    assert "default-src 'none'" in text


def test_the_steps_of_a_page_are_those_of_the_game(game: GameRecording) -> None:
    told = json.loads(Read(page(game)).texts["data"])
    shown = [step for step in game.steps if step.reply_kind not in ("pledge", "chance")]
    assert len(told["steps"]) == len(shown)
    now, players = told["first"], len(game.seats)
    places = len(told["points"]) + len(told["roads"])
    for one, step in zip(told["steps"], shown, strict=True):
        for index, value in zip(one["d"][::2], one["d"][1::2], strict=True):
            now[index] = value
        assert now[places] == step.state.ba
        hands = [now[places + 4 + 7 * i : places + 11 + 7 * i] for i in range(players)]
        assert [hand[0] for hand in hands] == [*points_of(step.state)]
        assert [hand[1] for hand in hands] == [total(hand.rc) for hand in step.state.h]
        assert sum(value > 0 for value in now[: len(told["points"])]) == sum(
            (v | c).bit_count() for v, c in zip(step.state.s.villages, step.state.s.cities, strict=True)
        )


def test_a_page_is_small(game: GameRecording) -> None:
    assert len(page(game).encode()) < 350_000 + 150 * len(game)


def test_a_name_can_do_nothing_in_a_page() -> None:
    constants = Constants(profile("standard", 2))
    name = "</script><img src=x onerror=alert(1)>{{script}}"
    recording = GameRecording(constants, [RecordedPlayer(1, "Red", name), RecordedPlayer(2, "Blue", "&amp;")], name)
    recording.append(PlayedStep("0" * 40, (), "Red_0", None, initial_state(constants)))
    read = Read(page(recording))
    assert json.loads(read.texts["data"])["players"][0]["name"] == name
    assert ("src", "x") not in read.attributes
    assert read.texts["script"].startswith('"use strict"')


def test_a_game_without_end_is_refused(game: GameRecording, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("visualizer.pages.steps.MAX_STEPS", 10)
    with pytest.raises(TooManySteps, match="expected at most 10"):
        page(game)
    assert MAX_STEPS >= 20_000  # a simulation ends there


def test_the_verb_writes_a_page(tmp_path: Path, typed: Typed) -> None:
    play_game(tmp_path, 0, SETTINGS["two"])
    out = tmp_path / "game.html"
    assert re.search(r"game.html: \d+ actions, \d+ kB", typed(0, "page", tmp_path / "Catan_0", "-o", out).err)
    assert Read(out.read_text(encoding="utf-8")).open == []
    assert "catan-p2p page: " in typed(2, "page", tmp_path / "none", "-o", out).err


def test_a_page_needs_no_pygame(tmp_path: Path) -> None:
    code = "import visualizer.pages.page, sys; assert not {'pygame', 'PIL'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])


# In a browser


@pytest.mark.sampled(6)
@pytest.mark.long
@needs_chromium
@pytest.mark.parametrize("size", ["1280,800", "400,800"])
def test_a_browser_replays_a_game(game: GameRecording, tmp_path: Path, size: str) -> None:
    file = tmp_path / "game.html"
    file.write_text(page(game), encoding="utf-8")
    last = sum(step.reply_kind not in ("pledge", "chance") for step in game.steps) - 1
    with browsing(file.as_uri(), tmp_path / "profile", size) as browser:
        words = "document.getElementById('words').textContent"
        assert browser.value(words).startswith(f"0 of {last}: Red begins the game")
        browser.press("ArrowRight")
        browser.press("ArrowRight")
        browser.press("ArrowLeft")
        assert browser.value(words).startswith("1 of ")
        browser.press("End")
        assert browser.value(words).startswith(f"{last} of {last}: ")
        rows = "[...document.querySelectorAll('tbody tr')].map(row => +row.cells[1].textContent)"
        assert browser.value(rows) == [*points_of(game.steps[-1].state)]
        assert browser.value("document.querySelector('#log [aria-selected=true]').textContent") in browser.value(words)
        built = 'document.querySelectorAll(\'#pieces use[href^="#village"], #pieces use[href^="#city"]\').length'
        final = game.steps[-1].state.s
        settled = sum((v | c).bit_count() for v, c in zip(final.villages, final.cities, strict=True))
        assert browser.value(built) == settled
        browser.press("Home")
        browser.press(" ")
        browser.wait_until(f"!{words}.startsWith('0 of')")
        browser.press(" ")
        assert browser.value("document.getElementById('play').textContent") == "play"
        slide = "at => { at.value = 5; at.dispatchEvent(new Event('input')); }"
        browser.value(f"({slide})(document.getElementById('at'))")
        assert browser.value(words).startswith("5 of ")
        assert browser.value("document.documentElement.scrollWidth <= innerWidth")
        assert browser.value("performance.getEntriesByType('resource').length") == 0
