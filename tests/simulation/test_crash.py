"""kill -9 at random moments: the game opens, has lost nothing it acknowledged, and ends as it would have without."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from catan_p2p.log.audit import audit
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.simulation.game import SimulationSettings, play_game

pytestmark = [pytest.mark.long, pytest.mark.sampled(5)]

PLAY = """
import sys
from pathlib import Path
from catan_p2p.simulation import game
from catan_p2p.log.storage.store import GitStore

record = GitStore.record
def acknowledged(self, ref, new, old):
    record(self, ref, new, old)
    if new is not None:
        print(new, flush=True)
GitStore.record = acknowledged
seed, rules, chance = int(sys.argv[2]), sys.argv[3], sys.argv[4]
game.play_game(Path(sys.argv[1]), 0, game.Settings(4, 1, seed, ("builder",), rules, chance=chance))
"""


def run_and_kill(out: Path, seed: int, rules: str, chance: str, after_s: float, log: Path) -> bool:
    """Play in a process of its own and kill it; whether the game ended before that."""
    with log.open("a") as acknowledged:
        command = [sys.executable, "-c", PLAY, str(out), str(seed), rules, chance]
        process = subprocess.Popen(command, stdout=acknowledged)
        try:
            return process.wait(after_s) == 0
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            return False


def campaign(tmp_path: Path, seed: int, kills: int, rules: str = "thesis", chance: str = "actor") -> int:
    """Kill a game again and again, let it end, and compare with the same game undisturbed; how often it was killed."""
    rng = random.Random(seed)
    settings = SimulationSettings(players=4, seed=seed, policies=("builder",), rules=rules, chance=chance)
    expected = play_game(tmp_path / "calm", 0, settings).result.head
    out, log = tmp_path / "killed", tmp_path / "acknowledged"
    begin = time.monotonic()
    run_and_kill(tmp_path / "timed", seed, rules, chance, 60, tmp_path / "unused")
    duration_s = time.monotonic() - begin
    killed = 0
    while killed < kills and not run_and_kill(out, seed, rules, chance, rng.uniform(0.3, 1) * duration_s * 0.9, log):
        killed += 1
        if (out / "Catan_0").exists():
            check_nothing_lost(out / "Catan_0", log)
    result = play_game(out, 0, settings).result
    assert result.head == expected
    verdict = audit(out / "Catan_0")
    assert verdict.is_fine
    return killed


def check_nothing_lost(game: Path, log: Path) -> None:
    with GitStore.open(game) as store:
        for commit in log.read_text().split():
            assert store.read(commit)[0] == "commit"  # type: ignore[arg-type]
    verdict = audit(game)
    assert verdict.is_fine, (verdict.damage, verdict.rejected)
    reachable = subprocess.run(
        ["git", "-C", str(game), "rev-list", "--all"], capture_output=True, text=True, check=True
    ).stdout.split()
    assert set(log.read_text().split()) <= set(reachable)


@pytest.mark.parametrize(
    ("rules", "chance"),
    [("thesis", "actor"), ("brief", "actor"), ("brief", "joint"), ("brief; ChanceAhead = yes", "joint")],
)
def test_a_killed_game_loses_nothing_and_ends_as_if_it_had_not_been_killed(
    tmp_path: Path, rules: str, chance: str
) -> None:
    assert campaign(tmp_path, seed=1, kills=4, rules=rules, chance=chance) > 0


@pytest.mark.soak
@pytest.mark.parametrize("rules", ["thesis", "brief"])
@pytest.mark.parametrize("chance", ["actor", "joint"])
@pytest.mark.parametrize("seed", range(20))
def test_games_killed_many_times(tmp_path: Path, seed: int, rules: str, chance: str) -> None:
    campaign(tmp_path, seed, kills=25, rules=rules, chance=chance)


def test_a_folder_that_is_no_game_is_told(tmp_path: Path) -> None:
    (tmp_path / "Catan_0").mkdir()
    with pytest.raises(StoreError, match="not a Git repository"):
        play_game(tmp_path, 0, SimulationSettings())
