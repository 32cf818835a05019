"""Both wheels in a fresh environment: each plays, one replaces the other, and what is uninstalled leaves nothing."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from shutil import which

import pytest

from tests.shared import wheels

pytestmark = pytest.mark.long


class Environment:
    """A fresh virtual environment, which finds what the program depends on where these tests do."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=False)
        self.programs = folder / ("Scripts" if os.name == "nt" else "bin")
        self.folder = folder
        (self.site,) = folder.glob("[Ll]ib/**/site-packages")
        (self.site / "tests.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
        self.empty = self.files()

    def files(self) -> set[Path]:
        """All files but what Python compiles when it runs."""
        return {path for path in self.folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts}

    def pip(self, *args: str) -> None:
        """Install or uninstall here, with the pip of these tests."""
        pip = [sys.executable, "-m", "pip", "--python", str(self.programs / "python"), "--disable-pip-version-check"]
        subprocess.run([*pip, *args], check=True, capture_output=True, cwd=self.folder)

    def run(self, *args: str) -> str:
        """What the program prints."""
        done = subprocess.run([self.programs / "catan-p2p", *args], capture_output=True, text=True, cwd=self.folder)
        assert done.returncode == 0, done.stderr
        return done.stdout


GAMES = ("tournament", "--policies", "builder,random", "--rules", "thesis", "--games", "2", "--seed", "1", "--json")


def test_each_wheel_plays_and_leaves_nothing(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    platform, pure = wheels(tmp_path_factory)
    environment = Environment(tmp_path / "fresh")
    told, played = [], []
    for wheel in (platform, pure):
        environment.pip("install", "--no-index", "--no-deps", "--force-reinstall", str(wheel))
        before = environment.files()
        told.append(environment.run("--version", "--verbose").splitlines()[1])
        played.append(environment.run(*GAMES, "--jobs", "1"))
        assert environment.files() == before
    built = list(environment.site.glob("catan_p2p/compiled/[!_]*"))
    environment.pip("uninstall", "--yes", "catan-p2p")
    assert environment.files() == environment.empty
    assert [path.name for path in built] == ["reason"]
    assert played[0] == played[1]
    assert told[1] == "core: python (the package was built without it: a package for every platform was asked for)"
    assert pure.name.endswith("-py3-none-any.whl")
    if which("cc") is not None:
        assert told[0] == "core: compiled" and "-none-any" not in platform.name
