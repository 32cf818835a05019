"""Games of separate processes: one that dies ends the others, and all tell how far they are."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from catan_p2p.log.storage.objects import StoreError
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.separate import PeerProcess, play_separate_game

pytestmark = pytest.mark.long

SETTINGS = SimulationSettings(players=2, seed=5, policies=("random",), topology="separate")


def processes_of(folder: Path) -> list[int]:
    """The processes with this folder in their command line."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if f"\0{folder}\0".encode() in command:
            found.append(int(process.name))
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")
def test_a_killed_peer_ends_the_others_and_is_named(tmp_path: Path) -> None:
    red, blue = tmp_path / "Catan_0" / "Red", tmp_path / "Catan_0" / "Blue"

    def kill() -> None:
        while not (own := processes_of(blue)):
            time.sleep(0.05)
        time.sleep(0.3)
        os.kill(own[0], signal.SIGKILL)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    with pytest.raises(StoreError, match=r"Blue: killed by SIGKILL"):
        play_separate_game(tmp_path, 0, SETTINGS)
    while processes_of(blue) or processes_of(red):  # who reads for the one that was killed ends when it notices
        time.sleep(0.01)


def test_a_peer_that_ends_badly_is_told_with_its_last_line() -> None:
    program = "import sys; print('one', file=sys.stderr); sys.exit('two')"
    with PeerProcess("Red", [sys.executable, "-c", program]) as peer:
        while not peer.has_ended:
            time.sleep(0.01)
        with pytest.raises(StoreError, match="Red: ended with exit code 1: two"):
            peer.report()


def test_separate_peers_tell_progress(tmp_path: Path) -> None:
    told: list[tuple[int, int, tuple[int, ...]]] = []
    result = play_separate_game(tmp_path, 0, SETTINGS, lambda *what: told.append(what)).result
    assert told
    assert all(game == 0 and 0 < actions <= result.actions and len(points) == 2 for game, actions, points in told)
    assert [actions for _, actions, _ in told] == sorted(actions for _, actions, _ in told)
