"""How much the program talks, and how it is started: quiet, verbose, without colours, as a module, from a shell."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from catan_p2p import __version__
from catan_p2p.cli import output
from catan_p2p.cli.main import VERBS, main, spelled
from catan_p2p.game import flat
from tests.typed import Typed

pytestmark = pytest.mark.long

SIMULATE = ["simulate", "--policy", "builder", "--seed", "3"]


def said(args: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """What a command that ends well prints, and what it says beside that."""
    assert main(args) == 0
    told = capsys.readouterr()
    return told.out, told.err


def test_quiet_leaves_the_data_and_verbose_adds_progress(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    usual, talk = said([*SIMULATE, "--out", str(tmp_path / "usual")], capsys)
    assert talk.splitlines() == [
        f"seed 3, 1 game of 2 players, in {tmp_path}/usual",
        "game 0: Blue wins after 247 actions (1 of 1)",
    ]
    quiet, nothing = said([*SIMULATE, "--quiet", "--out", str(tmp_path / "quiet")], capsys)
    assert nothing == ""
    assert [line.split()[:9] for line in quiet.splitlines()[:2]] == [
        line.split()[:9] for line in usual.splitlines()[:2]
    ]
    _, verbose = said([*SIMULATE, "-v", "--out", str(tmp_path / "verbose")], capsys)
    assert len(verbose.splitlines()) > len(talk.splitlines())
    assert "1 actions, points" in verbose or "actions, points" in verbose
    assert said(["map", "default"], capsys)[1] == ""


@pytest.mark.parametrize("no_color", ["", "1"])
def test_no_colour_is_ever_printed(
    no_color: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """There are none, with or without NO_COLOR; the progress on a terminal is erased and no more."""
    if no_color:
        monkeypatch.setenv("NO_COLOR", no_color)
        monkeypatch.setenv("FORCE_COLOR", "1")
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    for args in (["map", "default"], [*SIMULATE, "-v", "--out", str(tmp_path / "run")]):
        assert main(args) == 0
    told = capsys.readouterr()
    assert told.out and told.err
    assert "\x1b" not in told.out + told.err


def test_progress_on_a_terminal_uses_no_colour(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    output.show_progress("half way")
    output.end_progress()
    assert not re.search(r"\x1b\[[\d;]*m", capsys.readouterr().err)


def test_the_module_is_the_program() -> None:
    done = subprocess.run([sys.executable, "-m", "catan_p2p", "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"catan-p2p {__version__}\n")


@pytest.mark.parametrize("core", [None, "there is no compiler"])
def test_the_version_in_detail_tells_the_core(
    core: str | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(flat, "why_not_compiled", lambda: core)
    monkeypatch.setattr(flat, "fastest", lambda: flat.PYTHON)
    assert main(["--version", "--verbose"]) == main(["--version", "-v"]) == 0
    told = f"catan-p2p {__version__}\ncore: python{'' if core is None else f' ({core})'}\n"
    assert capsys.readouterr().out == 2 * told


@pytest.mark.skipif(find_spec("shtab") is None and not os.environ.get("CI"), reason="needs the extra completion")
@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_a_shell_completes_every_verb(shell: str, typed: Typed) -> None:
    script = typed(0, "--print-completion", shell).out
    for verb in VERBS:
        assert spelled(verb) in script
    assert "--policy" in script or shell == "tcsh"


def test_whoever_has_no_shtab_is_told_what_brings_it(monkeypatch: pytest.MonkeyPatch, typed: Typed) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert (
        typed(2, "--print-completion", "bash").err
        == "catan-p2p: --print-completion needs shtab: pip install 'catan-p2p[completion]'\n"
    )
