"""The program where nothing is there that only POSIX has; a fake of Windows, for none was at hand.

Red listens <--- Blue joins; both play to the end
"""

import subprocess
import sys
from pathlib import Path

import pytest

from catan_p2p.log.audit import audit
from catan_p2p.simulation.separate import free_ports

PATIENCE_S = 1200.0
RULES = "thesis; PointsToWin = 3; Chance = joint"


def posing(*words: object) -> list[str]:
    return [sys.executable, "-m", "tests.package.posing", *map(str, words)]


@pytest.mark.needs("all")
def test_every_module_can_be_imported() -> None:
    done = subprocess.run(posing(), capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_a_game_is_hosted_joined_and_served_to_its_end(tmp_path: Path) -> None:
    playing = ("--start", "peer", "--policy", "builder", "--listen")
    ports = [f"127.0.0.1:{port}" for port in free_ports(2)]
    red = posing("host", tmp_path / "red", "--players", 2, "--rules", RULES, *playing, ports[0])
    with subprocess.Popen(red, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as host:
        try:
            assert host.stdout is not None
            invitation = host.stdout.readline().strip()
            blue = posing("join", invitation, tmp_path / "blue", "--as", "Blue", *playing, ports[1])
            guest = subprocess.run(blue, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
            assert guest.returncode == 0, guest.stderr
            assert host.wait(PATIENCE_S) == 0
        finally:
            host.kill()
    verdicts = [audit(tmp_path / name) for name in ("red", "blue")]
    for verdict in verdicts:
        assert verdict.is_fine and verdict.history is not None and verdict.history.last.is_over
