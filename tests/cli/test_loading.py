"""What a verb loads, and what happens before it has: no verb waits for what another needs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from catan_p2p import __main__ as program
from catan_p2p import __version__
from catan_p2p.cli import main as command_line

HEAVY = {"distributed", "matplotlib", "numpy", "pygame", "visualizer", "jsonschema", "git", "cryptography"}
"""Libraries: nobody waits for them who does not use them."""
LOAD = """
import sys
from catan_p2p.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print(*sys.modules, file=sys.stderr)
"""
TELL = "import sys; print(*sys.modules, file=sys.stderr)"


def loaded(*args: str, cwd: Path) -> set[str]:
    """The modules that are there when the program has ended."""
    command = [sys.executable, "-c", LOAD, *args]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=True)
    return set(done.stderr.splitlines()[-1].split())


def verbs_in(modules: set[str]) -> set[str]:
    """The verbs among them."""
    return {verb for verb in command_line.VERBS if f"catan_p2p.cli.{verb}" in modules}


def test_the_version_needs_no_verb_no_git_and_no_game(tmp_path: Path) -> None:
    """Nor anything else that Python has not loaded by itself, so it takes hardly longer than Python's start."""
    bare, ours = (
        subprocess.run(
            [sys.executable, "-c", text, "--version"], capture_output=True, text=True, cwd=tmp_path, check=True
        )
        for text in (TELL, f"from catan_p2p.__main__ import run\nrun()\n{TELL}")
    )
    assert ours.stdout == f"catan-p2p {__version__}\n"
    assert {*ours.stderr.split()} - {*bare.stderr.split()} <= {"catan_p2p", "catan_p2p.__main__", "__future__"}


@pytest.mark.long
@pytest.mark.parametrize(
    ("verb", "needed"),
    [
        *((f"{verb} --help", None) for verb in ("check-spec", "log", "simulate", "watch")),
        ("map default", None),
        ("new-key key", "cryptography"),
        ("peer --help", "git"),
        ("verify --help", "git"),
    ],
)
def test_a_verb_loads_no_other_verb_and_no_library_that_it_can_do_without(
    verb: str, needed: str | None, tmp_path: Path
) -> None:
    modules = loaded(*verb.split(), cwd=tmp_path)
    assert len(verbs_in(modules)) == 1
    assert (HEAVY & modules) == ({needed} if needed else set())


def test_whoever_has_no_git_is_told_in_one_line_and_does_without_where_it_can_be(tmp_path: Path) -> None:
    environment = {**os.environ, "PATH": str(tmp_path)}
    command = [sys.executable, "-m", "catan_p2p"]
    done = subprocess.run([*command, "verify", "."], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("catan-p2p: Git is missing: ") and done.stderr.count("\n") == 1
    for args in (["--version"], ["new-key", str(tmp_path / "key")], ["map", "default"]):
        assert subprocess.run([*command, *args], capture_output=True, env=environment).returncode == 0, args


@pytest.mark.parametrize("where", ["make_parser", "main"])
def test_ctrl_c_while_the_program_loads_is_one_word(
    where: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command_line, where, interrupt)
    assert program.run() == 130
    assert capsys.readouterr() == ("", "interrupted\n")


def test_ctrl_c_while_a_dataclass_is_made_ends_with_the_exit_code(tmp_path: Path) -> None:
    (tmp_path / "interrupted_there.py").write_text(
        "import sys\n"
        "import catan_p2p.cli.main as command_line\n"
        "from catan_p2p.__main__ import run\n"
        "command_line.main = lambda: exec('raise KeyboardInterrupt')\n"
        "sys.exit(run())\n"
    )
    done = subprocess.run([sys.executable, "-m", "interrupted_there"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "interrupted\n")
