"""What several tests need and what takes long to make: made once for a run of the tests, whichever worker is first."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from catan_p2p.compiled import PURE

ROOT = Path(__file__).parents[1]
BUILT = "CATAN_P2P_WHEELS"
"""The variable that names a folder with the wheels of this very tree, as ``make wheels`` builds them."""
_POLL_S = 0.05


def made_table(name: str, text: str) -> Path:
    """Write a table that a campaign makes, below ``build``, which is no part of the source; returns where it is."""
    path = ROOT / "build" / "mutations" / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def table_row(*cells: str) -> str:
    """A row of a Markdown table; what its cells have of bars is escaped."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def short(text: str) -> str:
    """The text in one line of at most 50 characters."""
    words = " ".join(text.split())
    return words if len(words) <= 50 else f"{words[:47]}..."


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """The folder ``name``, filled by ``make`` unless another worker of pytest-xdist has done so; nobody changes it."""
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder, lock, done = (base / f"{name}{ending}" for ending in ("", ".lock", ".done"))
    while not done.exists():
        try:
            lock.mkdir()
        except FileExistsError:
            time.sleep(_POLL_S)
            continue
        try:
            if not done.exists():
                folder.mkdir(exist_ok=True)
                make(folder)
                done.touch()
        finally:
            lock.rmdir()
    return folder


def _build(target: str, source: Path, folder: Path, **environment: str) -> None:
    command = [sys.executable, "-P", "-m", "hatchling", "build", "--target", target, "--directory", str(folder)]
    env = {**{name: value for name, value in os.environ.items() if name != PURE}, **environment}
    subprocess.run(command, cwd=source, env=env, check=True, stdout=subprocess.DEVNULL)


def wheels(factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Wheels, built with hatchling itself, without a network: for this platform, of the source package; and for all.

    The second is of this checkout. They are not built where they are already in the folder that ``BUILT`` names.
    """
    pytest.importorskip("hatchling", reason="needs hatchling, which builds wheels")

    def build(folder: Path) -> None:
        made = sorted(Path(os.environ[BUILT]).glob("*.whl")) if BUILT in os.environ else []
        if len(made) == 2:
            for wheel in made:
                kind = folder / ("all" if wheel.name.endswith("-none-any.whl") else "platform")
                kind.mkdir()
                shutil.copy(wheel, kind)
            return
        _build("sdist", ROOT, folder / "packed")
        (source,) = (folder / "packed").iterdir()
        shutil.unpack_archive(source, folder / "source", filter="data")
        (unpacked,) = (folder / "source").iterdir()
        _build("wheel", unpacked, folder / "platform")
        _build("wheel", ROOT, folder / "all", **{PURE: "1"})

    made = made_once(factory, "wheels", build)
    (platform,), (pure,) = (made / "platform").iterdir(), (made / "all").iterdir()
    return platform, pure


def run_without(module: str, *args: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the program where a module is not installed."""
    program = (
        f"import sys; sys.modules[{module!r}] = None\nfrom catan_p2p.cli.main import main\nsys.exit(main(sys.argv[1:]))"
    )
    return subprocess.run([sys.executable, "-c", program, *args], capture_output=True, text=True, check=False)
