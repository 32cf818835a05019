"""The viewer: opening a game of 1,000 commits, and the cost of a frame beside the sixtieth of a second it may take.

A frame is the scene, the redrawing of what has changed, and the transfer to SDL's dummy screen, or to the one that the
variable SDL_VIDEODRIVER names. Times are processor times, so that other load does not matter much::

    python benchmarks/viewer.py [--quick] [--size WxH ...]
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from benchmarks.games import log_again, record_game
from benchmarks.memory import resident_mb
from benchmarks.rows import Row, as_text
from visualizer.data.feed import GameFeed, GameReader, applied
from visualizer.data.recording import GameRecording
from visualizer.view import RecordingView
from visualizer.window.screen import PlainScreen
from visualizer.window.window import ViewerWindow

FRAME_MS = 1000 / 60
SIZES = ((1280, 800), (1920, 1080), (3840, 2160))


class Bench:
    """A window whose views the benchmark sets."""

    def __init__(self, path: Path, size: tuple[int, int]) -> None:
        pygame.display.init()
        self.window = ViewerWindow(GameFeed(path), RecordingView(), PlainScreen(size, fullscreen=False))
        self.window.replay.recording = load(path)
        self.window.show()

    @property
    def last(self) -> int:
        assert self.window.replay.recording is not None
        return self.window.replay.recording.last

    def frames_ms(self, views: Iterable[RecordingView]) -> list[float]:
        """The milliseconds of processor time of each frame."""
        found = []
        for view in views:
            begin = time.process_time()
            self.window.replay.view = view
            self.window.show()
            found.append(1000 * (time.process_time() - begin))
        return found


def load(path: Path) -> GameRecording:
    """The game as the viewer reads it."""
    reader = GameReader(path, None, following=False)
    update = reader.refresh()
    reader.close()
    recording = applied(None, update) if update else None
    if recording is None:
        raise SystemExit(f"{path}: not a game")
    return recording


def opening_s(path: Path, repeats: int) -> float:
    """Seconds to the first picture: reading and validating every commit, and drawing."""
    found = []
    for _ in range(repeats):
        begin = time.perf_counter()
        Bench(path, SIZES[0])
        found.append(time.perf_counter() - begin)
        pygame.display.quit()
    return statistics.median(found)


def stepping(bench: Bench, count: int) -> list[RecordingView]:
    """One action after the other."""
    return [RecordingView(index=i) for i in range(bench.last // 3, min(bench.last, bench.last // 3 + count))]


def dragging(bench: Bench, count: int) -> list[RecordingView]:
    """The timeline is dragged: another place every frame."""
    rng, index, found = Random(1), bench.last // 2, []
    for _ in range(count):
        index = max(0, min(bench.last, index + rng.randint(-40, 40)))
        found.append(RecordingView(index=index, pressed=True))
    return found


def pointing(bench: Bench, count: int) -> list[RecordingView]:
    """The mouse moves over the island: another tooltip every frame."""
    rng = Random(1)
    return [RecordingView(index=bench.last // 2, pointed=("point", rng.randint(1, 54))) for _ in range(count)]


KINDS: dict[str, Callable[[Bench, int], list[RecordingView]]] = {
    "stepping": stepping,
    "dragging": dragging,
    "pointing": pointing,
}


def following_mb(path: Path, rounds: int) -> tuple[float, float]:
    """The memory early and late, while a game is shown step by step repeatedly in one window."""
    bench = Bench(path, SIZES[0])
    views = [RecordingView(index=i) for i in range(0, bench.last, 3)]
    early = 0.0
    for number in range(rounds):
        bench.frames_ms(views)
        if number == rounds // 3:
            early = resident_mb()
    late = resident_mb()
    pygame.display.quit()
    return early, late


def rows(*, quick: bool = False, sizes: Iterable[tuple[int, int]] = SIZES) -> list[Row]:
    """Opening, frames of three kinds in three sizes, and memory."""
    count = 60 if quick else 400
    found = []
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
        folder = Path(temporary)
        game, recorded = record_game(folder / "games", 4, seed=1, actions=1000)
        log_again(folder / "game", game, recorded)
        shutil.rmtree(folder / "games")
        path = folder / "game"
        found.append(Row("opening a game of 1,000 commits", opening_s(path, 3 if quick else 7), "s", target="< 1"))
        for size in sizes:
            bench = Bench(path, size)
            for kind, views in KINDS.items():
                bench.frames_ms(views(bench, 20))
                times = sorted(bench.frames_ms(views(bench, count)))
                note = f"95 % within {times[int(0.95 * len(times))]:.1f} ms"
                title = f"a frame while {kind}, {size[0]}x{size[1]}"
                row = Row(title, statistics.median(times), "ms", "a sixtieth of a second", FRAME_MS, "<= 1", note)
                found.append(row)
            pygame.display.quit()
        early, late = following_mb(path, 6 if quick else 15)
        found.append(Row("memory of a window in use", late, "MB", "a third of the way", early, "<= 1.05"))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer frames")
    parser.add_argument("--size", action="append", metavar="WxH", help="only this size of the window")
    args = parser.parse_args()
    sizes = [tuple(map(int, size.split("x"))) for size in args.size or []] or SIZES
    print(as_text(rows(quick=args.quick, sizes=sizes)))  # type: ignore[arg-type]
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    sys.exit(main())
