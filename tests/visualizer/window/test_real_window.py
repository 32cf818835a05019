"""A real window on a virtual display: keys and clicks as a person gives them, and the pixels that are then shown."""

import os
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pygame
import pytest

from catan_p2p.game.constants import Constants
from tests.visualizer.games import FOUR_DISCARDS, WrittenGame, random_actions
from visualizer.data.feed import GameReader, applied
from visualizer.data.recording import GameRecording
from visualizer.drawing.fonts import FontSet
from visualizer.drawing.renderer import SceneRenderer
from visualizer.pictures.layout import layout
from visualizer.pictures.panels.timeline import track_area, x_of
from visualizer.pictures.picture import picture
from visualizer.pictures.scene import Scene
from visualizer.view import RecordingView, TargetId, ViewSituation

SIZE = (1100, 720)
AWAY = (2, SIZE[1] - 2)
"""A place on the window's margin, where nothing is explained."""
PATIENCE_S = 60.0

pytestmark = [
    pytest.mark.skipif(
        not (shutil.which("Xvfb") and shutil.which("xdotool")), reason="needs a virtual display: Xvfb and xdotool"
    ),
    pytest.mark.long,
]


class Display:
    """A virtual display just as large as the window."""

    def __init__(self, folder: Path) -> None:
        read, write = os.pipe()
        frames = folder / "frames"
        frames.mkdir()
        command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-fbdir", str(frames)]
        self.server = subprocess.Popen(
            [*command, "-nolisten", "tcp"], pass_fds=(write,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(write)
        with os.fdopen(read) as pipe:
            self.name = ":" + pipe.readline().strip()
        self.frame = frames / "Xvfb_screen0"
        self.do("mousemove", *AWAY)

    def environment(self) -> dict[str, str]:
        """The environment of a program that opens its window here."""
        kept = {name: value for name, value in os.environ.items() if name != "SDL_VIDEODRIVER"}
        return {**kept, "DISPLAY": self.name, "SDL_AUDIODRIVER": "dummy"}

    def close(self) -> None:
        self.server.terminate()
        self.server.wait(timeout=120)

    def do(self, *args: object) -> None:
        environment = os.environ | {"DISPLAY": self.name}
        subprocess.run(["xdotool", *map(str, args)], env=environment, check=True, timeout=20, capture_output=True)

    def shown(self) -> bytes:
        """The pixels on the screen as RGB, out of the server's frame buffer (an XWD file)."""
        data = self.frame.read_bytes()
        header, *_ = struct.unpack(">25I", data[:100])
        line, colors = struct.unpack(">I", data[48:52])[0], struct.unpack(">I", data[76:80])[0]
        body = data[header + 12 * colors :]
        rows = [body[y * line : y * line + 4 * SIZE[0]] for y in range(SIZE[1])]
        return pygame.image.tobytes(pygame.image.frombuffer(b"".join(rows), SIZE, "BGRA"), "RGB")


class ShownProgram:
    """The program in its window on a display, whose pixels are compared with a scene."""

    def __init__(self, display: Display, folder: Path, *args: str) -> None:
        self.display, self.fonts = display, FontSet()
        self.log = folder / "errors.txt"
        self.errors = self.log.open("w+")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "catan_p2p", *args, "--size", f"{SIZE[0]}x{SIZE[1]}"],
            env=display.environment(),
            stderr=self.errors,
        )

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=120)
        self.errors.close()
        assert "Traceback" not in self.log.read_text()

    def shows_scene(self, scene: Scene) -> None:
        """Wait until the window shows exactly this scene."""
        surface = pygame.Surface(SIZE, 0, 32)
        SceneRenderer(self.fonts).draw(scene, surface)
        wanted = pygame.image.tobytes(surface, "RGB")
        _wait(lambda: self.process.poll() is not None or _alike(self.display.shown(), wanted))
        assert self.process.poll() is None, "the program has ended"

    def click_in(self, scene: Scene, id: TargetId) -> None:
        """Click in the window where something is in the scene."""
        target = scene.target_under(id, None)
        assert target is not None
        x, y = target.box.center
        self.display.do("mousemove", round(x), round(y), "click", 1, "mousemove", *AWAY)


class Viewer(ShownProgram):
    """The viewer in its window, beside a drawing of what it should show."""

    def __init__(self, display: Display, folder: Path, path: Path) -> None:
        super().__init__(display, folder, "watch", str(path))
        reader = GameReader(path, None, following=False)
        update = reader.refresh()
        reader.close()
        assert update is not None
        recording = applied(None, update)
        assert recording is not None
        self.recording: GameRecording = recording
        self.situation: ViewSituation = update.situation

    def scene(self, view: RecordingView) -> Scene:
        return picture(self.recording, view, self.situation, SIZE, self.fonts.width)

    def shows(self, view: RecordingView) -> None:
        self.shows_scene(self.scene(view))

    def key(self, name: str) -> None:
        self.display.do("key", name)

    def click(self, target: TargetId, view: RecordingView) -> None:
        self.click_in(self.scene(view), target)


def _alike(shown: bytes, wanted: bytes) -> bool:
    """Equal but for the mouse's arrow in a corner."""
    if len(shown) != len(wanted):
        return False
    row = 3 * SIZE[0]
    return all(
        shown[y * row + (120 if y > SIZE[1] - 40 else 0) : (y + 1) * row]
        == wanted[y * row + (120 if y > SIZE[1] - 40 else 0) : (y + 1) * row]
        for y in range(SIZE[1])
    )


def _wait(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end, "the window never showed what was expected"
        time.sleep(0.05)


@pytest.fixture
def viewer(tmp_path: Path) -> Iterator[Viewer]:
    constants = Constants(player_count=4)
    game = WrittenGame(tmp_path / "Catan_0", constants)
    game.write(*random_actions(constants, FOUR_DISCARDS, most=330))
    with closing(game), closing(Display(tmp_path)) as display, closing(Viewer(display, tmp_path, game.path)) as viewer:
        yield viewer


def test_keys_and_clicks_lead_to_what_is_shown(viewer: Viewer) -> None:
    viewer.shows(RecordingView())
    viewer.key("Right")
    viewer.key("Right")
    viewer.shows(RecordingView(index=2))
    viewer.key("ctrl+Right")
    viewer.shows(RecordingView(index=4))
    viewer.click(("button", "last"), RecordingView(index=4))
    viewer.shows(RecordingView(index=330))
    viewer.key("question")
    viewer.shows(RecordingView(index=330, dialog="help"))
    viewer.key("Escape")
    parts = layout(*SIZE)
    track = track_area(parts.timeline, parts.em)
    y = round(parts.timeline.center[1])
    start, end = (round(x_of(index, 331, track)) for index in (330, 314))
    viewer.display.do("mousemove", start, y, "mousedown", 1, "mousemove", end, y, "mouseup", 1, "mousemove", *AWAY)
    viewer.shows(RecordingView(index=314))
    viewer.click(("row", 309), RecordingView(index=314))
    top = next(target.id[1] for target in viewer.scene(RecordingView(index=314)).targets if target.id[0] == "row")
    viewer.shows(RecordingView(index=309, row_top=top))  # type: ignore[arg-type]
    viewer.key("g")
    for digit in viewer.recording.steps[100].commit[:8]:
        viewer.key(digit)
    viewer.key("Return")
    viewer.shows(RecordingView(index=100))
    viewer.key("q")
    assert viewer.process.wait(timeout=PATIENCE_S) == 0


def test_a_window_in_the_screens_own_pixels_shows_the_same(tmp_path: Path) -> None:
    display = Display(tmp_path)
    code = (
        "import sys, pygame\n"
        "from visualizer.window.screen import DenseScreen, open_screen\n"
        f"screen = open_screen({SIZE}, dense=True)\n"
        "assert isinstance(screen, DenseScreen), screen\n"
        f"assert screen.points() == {SIZE} == screen.surface().get_size()\n"
        "for color in ((200, 30, 30), (30, 200, 90)):\n"
        "    for _ in range(5):\n"
        "        pygame.event.get()\n"
        "        screen.surface().fill(color, (10, 10, 500, 300))\n"
        "        screen.present([pygame.Rect(10, 10, 500, 300)])\n"
        "        pygame.time.wait(50)\n"
        "    print('drawn', flush=True)\n"
        "    sys.stdin.readline()\n"
        "screen.close()\n"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], env=display.environment(), text=True, **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for color in ((200, 30, 30), (30, 200, 90)):
            assert process.stdout.readline() == "drawn\n"
            at = 3 * (SIZE[0] * 100 + 300)
            _wait(lambda at=at, color=color: tuple(display.shown()[at : at + 3]) == color)  # type: ignore[misc]
            process.stdin.write("\n")
            process.stdin.flush()
        assert process.wait(timeout=PATIENCE_S) == 0
    display.close()
