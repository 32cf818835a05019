"""The wheel: what it brings, where it puts it, and that the viewer in it works."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from catan_p2p.game.constants import Constants
from tests.shared import ROOT, wheels
from tests.visualizer.games import WrittenGame, random_actions

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    return wheels(tmp_path_factory)[0]


def test_the_wheel_puts_one_package_at_the_top_and_the_viewer_inside_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith((".dist-info", ".data"))} == {"catan_p2p"}
    assert {"catan_p2p/py.typed", "catan_p2p/visualizer/py.typed", "catan_p2p/spec/Catan.tla"} <= names
    sources = {path.relative_to(ROOT).as_posix() for path in (ROOT / "visualizer").rglob("*.py")}
    assert {f"catan_p2p/{name}" for name in sources} <= names
    assert not [name for name in names if "__pycache__" in name]


def test_the_viewer_works_from_the_wheel_alone(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--no-deps", "--no-index", "--quiet"]
    subprocess.run([*pip, "--target", str(target), str(wheel)], check=True, capture_output=True)
    constants = Constants(player_count=3)
    game = WrittenGame(tmp_path / "Catan_0", constants)
    game.write(*random_actions(constants, 2, most=20))
    game.close()
    code = (
        "import sys; from catan_p2p.cli.main import main; code = main(sys.argv[1:]); "
        "print(*sorted(name for name in sys.modules if name.endswith('visualizer'))); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "watch", str(game.path), "--snapshot", str(tmp_path / "end.png")],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(target), "SDL_VIDEODRIVER": "dummy"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "catan_p2p.visualizer\n"), done.stderr
    assert (tmp_path / "end.png").stat().st_size > 10_000
