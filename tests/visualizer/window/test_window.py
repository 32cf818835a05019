"""The window, on SDL's dummy screen: events in, pictures out, and news from the feed."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

from catan_p2p.game.constants import Constants
from tests.for_each import for_each
from tests.log.storage.repositories import copy_of
from tests.visualizer.games import FOUR_DISCARDS, WrittenGame, random_actions
from visualizer.control.replay import ReplayFeed
from visualizer.data.feed import GameFeed
from visualizer.pictures.layout import layout
from visualizer.pictures.panels.timeline import track_area, x_of
from visualizer.view import RecordingView
from visualizer.window import frames
from visualizer.window.frames import key_name, run_frames
from visualizer.window.screen import open_screen, size_on
from visualizer.window.window import ViewerWindow

CONSTANTS = Constants(player_count=4)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WrittenGame]:
    game = WrittenGame(tmp_path_factory.mktemp("window") / "Catan_0", CONSTANTS)
    game.write(*random_actions(CONSTANTS, FOUR_DISCARDS, most=340))
    yield game
    game.close()


class Session:
    """A window that is driven frame by frame."""

    def __init__(self, path: Path, size: tuple[int, int] = (1000, 700), following: bool = False) -> None:
        self.feed = GameFeed(path, following=following)
        self.window = ViewerWindow(self.feed, RecordingView(live=following), open_screen(size))
        self.feed.start()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.feed.stop()
        pygame.display.quit()

    def frame(self, seconds: float = 0.0) -> None:
        for event in pygame.event.get():
            self.window.handle(event)
        self.window.tick(seconds)
        self.window.show()

    def until(self, is_so: Callable[[ReplayFeed], object]) -> None:
        """Take what the feed says until something holds of it, then show it."""
        for _ in range(200):
            self.window.replay.take_updates(timeout_s=0.05)
            if is_so(self.window.replay):
                break
        self.frame()
        assert is_so(self.window.replay), self.window.replay.situation

    def wait(self, steps: int) -> None:
        self.until(lambda replay: len(replay.recording or ()) >= steps)
        assert len(self.window.replay.recording or ()) == steps

    def key(self, key: int, unicode: str = "", mod: int = 0) -> None:
        self.window.handle(pygame.event.Event(pygame.KEYDOWN, key=key, unicode=unicode, mod=mod))
        self.frame()

    def mouse(self, kind: int, x: float, y: float, button: int = 1) -> None:
        at = (round(x), round(y))
        values = {"pos": at} if kind == pygame.MOUSEMOTION else {"pos": at, "button": button}
        self.window.handle(pygame.event.Event(kind, **values))
        self.frame()

    @property
    def index(self) -> int:
        return self.window.replay.view.index

    @property
    def pixels(self) -> bytes:
        return pygame.image.tobytes(self.window.canvas.screen.surface(), "RGB")


@pytest.fixture
def session(written: WrittenGame) -> Iterator[Session]:
    with Session(written.path) as session:
        session.frame()
        session.wait(341)
        yield session


def test_keys_step_and_the_picture_follows(session: Session) -> None:
    seen = [session.pixels]
    for key, mod, index in (
        (pygame.K_RIGHT, 0, 1),
        (pygame.K_RIGHT, 0, 2),
        (pygame.K_RIGHT, pygame.KMOD_LCTRL, 4),
        (pygame.K_END, 0, 340),
        (pygame.K_LEFT, 0, 339),
        (pygame.K_HOME, 0, 0),
    ):
        session.key(key, mod=mod)
        assert session.index == index
        seen.append(session.pixels)
    assert seen[0] == seen[-1]
    assert len(set(seen)) == len(seen) - 1


def test_a_drag_on_the_timeline_moves_through_the_game(session: Session) -> None:
    parts = layout(1000, 700)
    track = track_area(parts.timeline, parts.em)
    session.mouse(pygame.MOUSEBUTTONDOWN, x_of(10, 341, track), parts.timeline.center[1])
    for index in (40, 170, 320):
        session.mouse(pygame.MOUSEMOTION, x_of(index, 341, track), 5)
        assert session.index == index
    session.mouse(pygame.MOUSEBUTTONUP, 0, 0)
    session.mouse(pygame.MOUSEMOTION, x_of(40, 341, track), 5)
    assert session.index == 320


def test_it_plays_at_its_speed_and_stops_at_the_end(session: Session) -> None:
    session.key(pygame.K_SPACE, " ")
    for _ in range(30):
        session.frame(1 / 30)
    assert session.index in (3, 4)
    session.window.replay.view = RecordingView(index=338, playing=True, speed=64)
    session.frame(0.2)
    assert (session.index, session.window.replay.view.playing) == (340, False)


def test_help_opens_and_closes(session: Session) -> None:
    before = session.pixels
    session.key(pygame.K_QUESTION, "?", pygame.KMOD_LSHIFT)
    assert session.window.replay.view.dialog == "help"
    assert session.pixels != before
    session.key(pygame.K_ESCAPE)
    assert session.pixels == before


def test_the_window_may_take_any_size(session: Session) -> None:
    for size in ((300, 200), (1400, 500), (640, 480), (90, 900), (1, 1), (1000, 700)):
        pygame.display.set_mode(size, pygame.RESIZABLE)
        session.frame()
        session.key(pygame.K_RIGHT)
        assert session.window.canvas.screen.surface().get_size() == size
    assert session.index == 6


def test_a_click_in_a_window_that_is_too_small_still_hits(session: Session) -> None:
    pygame.display.set_mode((320, 240), pygame.RESIZABLE)
    session.frame()
    scene = session.window.canvas.scene
    assert scene is not None
    x, y = next(target for target in scene.targets if target.id == ("button", "last")).box.center
    session.mouse(pygame.MOUSEBUTTONDOWN, x / 2, y / 2)
    assert session.index == 340


def test_the_wheel_steps_over_the_island(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pygame.mouse, "get_pos", lambda: (200, 300))
    session.window.handle(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=-2))
    assert session.index == 2


def test_a_picture_is_saved_under_a_free_name(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("catan-1.png", "catan-2.png"):
        session.key(pygame.K_s, "s")
        assert (tmp_path / name).stat().st_size > 1000
        assert name in (session.window.replay.view.notice or "")
    monkeypatch.setattr("visualizer.drawing.export.free_name", lambda *_: tmp_path / "no" / "x.png")
    session.key(pygame.K_s, "s")
    assert "cannot be written" in (session.window.replay.view.notice or "")


def test_a_replica_is_switched_to_and_back(session: Session) -> None:
    assert session.window.replay.recording is not None
    session.key(pygame.K_END)
    control = session.window.control()
    assert control is not None
    session.window.take(control.click(session.window.replay.view, ("peer", "Orange")))
    session.until(lambda replay: replay.situation.peer == "Orange")
    assert len(session.window.replay.recording) == 341
    session.window.replay.feed.choose("Red")
    session.until(lambda replay: replay.situation.peer == "Red")
    assert len(session.window.replay.recording) < 341
    assert session.index == session.window.replay.recording.last


def test_closing_the_window_or_q_ends_it(session: Session) -> None:
    session.window.handle(pygame.event.Event(pygame.QUIT))
    assert not session.window.running
    session.window.running = True
    session.key(pygame.K_q, "q")
    assert not session.window.running


def test_it_begins_at_the_commit_asked_for(written: WrittenGame) -> None:
    with Session(written.path) as session:
        session.window.replay.start_at = written.commits[123][:10]
        session.wait(341)
        assert session.index == 123


def test_fullscreen_is_entered_and_left(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    modes: list[tuple[tuple[int, int], int]] = []
    real = pygame.display.set_mode
    monkeypatch.setattr(
        pygame.display, "set_mode", lambda size, flags: modes.append((size, flags)) or real(size, flags)
    )
    session.key(pygame.K_F11)
    assert session.window.fullscreen
    session.key(pygame.K_F11)
    assert not session.window.fullscreen
    assert modes == [((0, 0), pygame.FULLSCREEN), ((1000, 700), pygame.RESIZABLE)]


def test_a_running_game_is_followed_and_looking_back_is_not_disturbed(tmp_path: Path) -> None:
    actions = random_actions(CONSTANTS, FOUR_DISCARDS, most=200)
    game = WrittenGame(tmp_path / "Catan_0", CONSTANTS)
    game.write(*actions[:50])
    with Session(game.path, following=True) as session:
        session.wait(51)
        assert session.index == 50
        game.write(*actions[50:80])
        session.wait(81)
        assert session.index == 80
        session.key(pygame.K_LEFT)
        game.write(*actions[80:120])
        session.wait(121)
        assert session.index == 79
        session.key(pygame.K_f, "f")
        assert session.index == 120
    game.close()


def test_a_folder_that_vanishes_under_the_window_is_a_message_in_it(written: WrittenGame, tmp_path: Path) -> None:
    copy = copy_of(written.path, tmp_path / "copy")
    with Session(copy, following=True) as session:
        session.wait(341)
        before = session.pixels
        shutil.rmtree(copy)
        session.until(lambda replay: "vanished" in (replay.situation.problem or ""))
        assert session.pixels != before
        session.key(pygame.K_LEFT)
        assert session.index == 339


def test_a_broken_repository_is_a_message_in_the_window(tmp_path: Path) -> None:
    (tmp_path / "broken/.git").mkdir(parents=True)
    with Session(tmp_path / "broken") as session:
        session.until(lambda replay: "broken" in (replay.situation.problem or ""))
        session.key(pygame.K_RIGHT)
        session.mouse(pygame.MOUSEBUTTONDOWN, 50, 50)
        session.key(pygame.K_q, "q")
        assert not session.window.running


def test_a_colour_that_does_not_play_is_a_message_in_the_window(written: WrittenGame) -> None:
    feed = GameFeed(written.path, peer="Brown", following=True)
    feed.start()
    (update,) = feed.take(timeout_s=10)
    feed.stop()
    assert update.game is None
    assert update.situation.problem == "Brown does not play in this game; Red, Blue, Green, Orange do"


@for_each(
    ("key", "unicode", "mod", "name"),
    [
        (pygame.K_RIGHT, "", 0, "Right"),
        (pygame.K_RIGHT, "", pygame.KMOD_RSHIFT, "Shift+Right"),
        (pygame.K_LEFT, "", pygame.KMOD_RCTRL, "Ctrl+Left"),
        (pygame.K_SLASH, "?", pygame.KMOD_LSHIFT, "?"),
        (pygame.K_a, "a", 0, "a"),
        (pygame.K_c, "\x03", pygame.KMOD_LCTRL, None),
        (pygame.K_LSHIFT, "", pygame.KMOD_LSHIFT, None),
    ],
)
def test_keys_are_spelled_as_in_the_table(key: int, unicode: str, mod: int, name: str | None) -> None:
    assert key_name(pygame.event.Event(pygame.KEYDOWN, key=key, unicode=unicode, mod=mod)) == name


class NotedWindow:
    """A window that notes what it is asked to do, and closes after a click."""

    def __init__(self) -> None:
        self.running = True
        self.done: list[str] = []

    def start(self) -> None:
        """Begin."""

    def stop(self) -> None:
        """End."""

    def handle(self, event: pygame.event.Event) -> None:
        if event.type in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN):
            self.done.append(pygame.event.event_name(event.type))
            self.running = event.type == pygame.KEYDOWN

    def tick(self, seconds: float) -> None:
        """Let time pass."""

    def show(self) -> bool:
        if not self.running or self.done:
            self.done.append("shown")
        return False


def test_a_click_is_for_the_picture_that_the_key_before_it_makes() -> None:
    open_screen((200, 100))
    pygame.event.clear()
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_ESCAPE, unicode="", mod=0))
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(1, 1), button=1))
    window = NotedWindow()
    run_frames(window)
    pygame.display.quit()
    assert window.done == ["KeyDown", "shown", "MouseButtonDown", "shown"]


class RestingWindow(NotedWindow):
    """A window on which nothing moves; it is closed by the first frame after somebody has called."""

    def __init__(self) -> None:
        super().__init__()
        self.frames, self.called = 0, threading.Event()

    def tick(self, seconds: float) -> None:
        self.frames += 1
        self.running = not self.called.is_set()


def test_a_window_rests_until_somebody_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "_REST_S", 600.0)
    open_screen((200, 100))
    pygame.event.clear()
    window = RestingWindow()
    counts: list[int] = []
    has_rested, look = threading.Event(), frames._events

    def look_or_rest(*, rests: bool) -> list[pygame.event.Event]:
        if rests:
            has_rested.set()
        return look(rests=rests)

    monkeypatch.setattr(frames, "_events", look_or_rest)

    def call() -> None:
        while counts[-2:-1] != [window.frames] or not has_rested.is_set():  # it draws for a while
            counts.append(window.frames)
            time.sleep(0.3)
        window.called.set()
        frames.wake()

    caller = threading.Thread(target=call)
    caller.start()
    run_frames(window)
    caller.join()
    pygame.display.quit()
    assert window.frames == counts[-1] + 1
    assert window.done == ["shown"]


@pytest.mark.parametrize(
    ("desktop", "size"),
    [
        ((1024, 768), (984, 658)),
        ((1280, 720), (1240, 610)),
        ((1920, 1080), (1600, 970)),
        ((2560, 1440), (2048, 1152)),
        ((3840, 2160), (3072, 1728)),
        ((5120, 1440), (2051, 1152)),
        ((320, 200), (640, 480)),
    ],
)
def test_a_new_window_has_most_of_any_screen(desktop: tuple[int, int], size: tuple[int, int]) -> None:
    assert size_on(*desktop) == size
