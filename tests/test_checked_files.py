"""Whether the linters see every file of the library: one that a setting leaves out is checked by nobody, in silence."""

import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def library() -> set[str]:
    """The Python files that users run: of both packages, and of the build."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    there = {name for name in listed.stdout.splitlines() if (ROOT / name).exists()}
    return {name for name in there if "/" not in name or name.startswith(("catan_p2p/", "visualizer/"))}


def test_the_library_is_found() -> None:
    assert {"compile_core.py", "catan_p2p/__init__.py", "visualizer/play/dock.py"} <= library()


@pytest.mark.needs("dev")
def test_mypy_checks_every_file(monkeypatch: pytest.MonkeyPatch) -> None:
    from mypy.main import process_options

    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("MYPYPATH", "")
    found, options = process_options(["--config-file", "pyproject.toml"])
    assert options.strict_equality and options.disallow_untyped_defs
    # Packages are listed file by file, single modules by their names.
    paths = [Path(source.path or f"{source.module}.py") for source in found]
    checked = {path.resolve().relative_to(ROOT).as_posix() for path in paths}
    assert sorted(library() - checked) == []


@pytest.mark.needs("dev")
def test_ruff_checks_every_file() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--show-files", "."],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    checked = {Path(line).relative_to(ROOT).as_posix() for line in done.stdout.splitlines()}
    assert sorted(library() - checked) == []


def test_every_file_must_have_docstrings() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"]["lint"]
    assert "D1" in settings["select"]
    for pattern in settings["per-file-ignores"]:
        assert not [name for name in library() if fnmatch(name, pattern)]
