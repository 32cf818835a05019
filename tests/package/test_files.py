"""The files that others' programs look for: they name the version and the extras that there are."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

from catan_p2p import __version__
from tests.for_each import for_each

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FOR_DEVELOPERS = {"all", "bench", "compiled", "dev", "docs", "test"}


def test_what_is_cited_is_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.*)$", text, re.MULTILINE)[1] == __version__  # type: ignore[index]
    assert PROJECT["description"] in text


def test_all_is_every_extra_that_users_can_want() -> None:
    (everything,) = PROJECT["optional-dependencies"]["all"]
    named = set(re.search(r"\[(.*)\]", everything)[1].split(","))  # type: ignore[index]
    assert named == PROJECT["optional-dependencies"].keys() - FOR_DEVELOPERS


@for_each("extra", PROJECT["optional-dependencies"])
def test_every_extra_is_explained(extra: str) -> None:
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("| extra |")[2].partition("\n\n")[0]
    assert f"`{extra}`" in table


def test_hooks_run_what_lint_runs() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    (lint,) = re.findall(r"^lint:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for program in ("ruff check", "ruff format", "mypy"):
        assert program in hooks and program in lint


def test_who_plays_installs_only_what_playing_needs() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (play,) = re.findall(r"^play: \$\(VENV\)/(\S+)", makefile, re.MULTILINE)
    (recipe,) = re.findall(rf"^\$\(VENV\)/{play}:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert re.findall(r"-e '(.*)'", recipe) == [".[play]"]
    wanted = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["visualizer"]
    names = {re.split(r"[>=<]", one)[0] for one in wanted}
    assert names == {"GitPython", "cryptography", "pygame", "pygame-ce", "Pillow"}


@for_each("python", ["3.11", "3.12", "3.13", "3.14", "3.15"])
def test_a_window_has_one_pygame_on_every_python(python: str) -> None:
    wanted = [Requirement(one) for one in PROJECT["optional-dependencies"]["visualizer"]]
    version = {"python_version": python, "python_full_version": f"{python}.0"}
    names = [one.name for one in wanted if one.marker is None or one.marker.evaluate(version)]
    assert names == ["pygame-ce" if python >= "3.14" else "pygame", "Pillow"]


@for_each("extra", [*PROJECT["optional-dependencies"]])
def test_only_one_extra_says_which_pygame(extra: str) -> None:
    """The others that draw take it from there, so that all have the same on every Python."""
    named = [Requirement(one).name for one in PROJECT["optional-dependencies"][extra]]
    assert extra == "visualizer" or not {"pygame", "pygame-ce"} & {*named}
