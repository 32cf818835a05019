"""Two people at one screen of a real display: every click and every key comes through an X server.

Red, Blue: people, with a curtain between them; Green: a computer player.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from catan_p2p.log.audit import audit
from tests.visualizer.play.person import Hands
from tests.visualizer.play.x_display import lacking, virtual_display

pytestmark = [pytest.mark.skipif(lacking() is not None, reason=lacking() or ""), pytest.mark.long]
RULES = "brief; PointsToWin = 3"


@pytest.mark.parametrize("hands", ["mouse", pytest.param("keys", marks=pytest.mark.soak)])
def test_two_people_at_one_screen_play_to_the_end(tmp_path: Path, hands: Hands) -> None:
    table = tmp_path / "table"
    command = [sys.executable, "-m", "tests.visualizer.play.guest", hands, "", "--", "play", "--out", str(table)]
    command += ["--hot-seat", "Red,Blue", "--players", "3", "--rules", RULES, "--seed", "1"]
    with virtual_display() as display:
        environment = {**os.environ, **display, "CATAN_P2P_HOME": str(tmp_path / "home")}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for colour in ("Red", "Blue", "Green"):
        verdict = audit(table / colour)
        assert verdict.is_fine, verdict
        assert verdict.history is not None and verdict.history.last.is_over
