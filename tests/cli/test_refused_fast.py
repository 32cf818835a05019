"""A wrong folder is refused before anything heavy is loaded."""

import subprocess
import sys
from pathlib import Path

import pytest

from catan_p2p.simulation.game import SimulationSettings, play_game
from tests.typed import Typed

HEAVY = {"matplotlib", "numpy", "pandas", "PIL", "pyarrow", "pygame"}
VERBS = [
    "report PATH",
    "stats PATH --plot picture.png",
    "metrics PATH --format parquet",
    "watch PATH",
    "watch PATH --snapshot picture.png",
    "page PATH -o page.html",
    "verify PATH",
]


@pytest.mark.sampled(4)
@pytest.mark.long
@pytest.mark.parametrize("path", ["nowhere", "empty"])
@pytest.mark.parametrize("verb", VERBS)
def test_a_wrong_folder_is_refused_before_anything_heavy_is_loaded(tmp_path: Path, verb: str, path: str) -> None:
    (tmp_path / "empty").mkdir()
    arguments = [path if word == "PATH" else word for word in verb.split()]
    program = (
        f"import sys\nfrom catan_p2p.cli.main import main\ncode = main({arguments!r})\n"
        "print(*{name.partition('.')[0] for name in sys.modules})\nsys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert path in done.stderr
    assert not HEAVY & set(done.stdout.split())


LONG = {
    "pyarrow": ["metrics", "{run}", "--format", "parquet"],
    "matplotlib": ["tournament", "--policies", "builder,builder", "--games", "2", "--plot", "standings.png"],
}


@pytest.mark.parametrize("package", LONG)
def test_a_package_that_is_missing_is_said_before_the_long_work(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: Typed
) -> None:
    from catan_p2p.cli import metrics, tournament

    def work(*_: object, **__: object) -> None:
        raise AssertionError("the long work has begun")

    play_game(
        tmp_path / "run", 0, SimulationSettings(players=2, rules="thesis; PointsToWin = 3", policies=("builder",))
    )
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr(metrics, "measure", work)
    monkeypatch.setattr(tournament, "play_all", work)
    assert f"needs {package}" in typed(2, *[word.format(run=tmp_path / "run") for word in LONG[package]]).err
