"""Frames of a window in which a person plays, while the peers of the table fetch, validate and write.

``python -m benchmarks.play`` plays on SDL's dummy screen, the person's seat handed to a computer player, and prints
which part of the frames was ready within a sixtieth of a second, by the time of day and by the processor's.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path

BUDGET_S = 1 / 60


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--pace", type=float, default=0.25, help="seconds that a player takes for an action")
    args = parser.parse_args()
    os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
    with tempfile.TemporaryDirectory() as folder:
        walls, cpus, steps = frames(Path(folder), args.players, args.seconds, args.pace)
    for name, times in (("time of day", walls), ("processor time", cpus)):
        times.sort()
        within = sum(1 for seconds in times if seconds <= BUDGET_S) / len(times)
        middle, late = times[len(times) // 2], times[int(len(times) * 0.95)]
        print(
            f"{name}: {len(times)} frames over {steps} steps; median {1000 * middle:.2f} ms, "
            f"95 % within {1000 * late:.2f} ms; {100 * within:.1f} % within 1/60 s"
        )


def frames(folder: Path, players: int, seconds: float, pace_s: float) -> tuple[list[float], list[float], int]:
    """The time of each frame, and the steps that the game made meanwhile."""
    import pygame

    from catan_p2p.log.refs import COLOURS
    from catan_p2p.sessions.messages import LeadPeers
    from catan_p2p.sessions.new_table import NewTable
    from visualizer.play.draft import SeatRequest
    from visualizer.play.settings import WindowSettings
    from visualizer.play.table import LocalTable
    from visualizer.play.window import PlayWindow
    from visualizer.window.screen import open_screen

    new = NewTable(COLOURS[:players], frozenset({COLOURS[0]}), seed=1)
    table = LocalTable(LeadPeers(folder / "table", new), COLOURS[:1])
    settings = WindowSettings(sound=False, hints=False, pace_s=pace_s)
    window = PlayWindow(table, open_screen((1280, 800)), settings, folder / "settings.json")
    walls: list[float] = []
    cpus: list[float] = []
    clock = pygame.time.Clock()
    window.start()
    try:
        while window.session.seat.state is None:
            window.tick(BUDGET_S)
            time.sleep(0.01)
        window.session.wish(SeatRequest("play for me"))
        end = time.monotonic() + seconds
        while time.monotonic() < end and not (
            window.session.seat.state is not None and window.session.seat.state.is_over
        ):
            wall, cpu = time.perf_counter(), time.thread_time()
            for event in pygame.event.get():
                window.handle(event)
            window.tick(clock.get_time() / 1000)
            window.show()
            walls.append(time.perf_counter() - wall)
            cpus.append(time.thread_time() - cpu)
            clock.tick(60)
        return walls, cpus, len(window.viewer.replay.recording or ())
    finally:
        window.stop()


if __name__ == "__main__":
    main()
