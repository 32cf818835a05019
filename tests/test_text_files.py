"""Files that users name: regular ones, bounded; no pipe, device or endless input holds anything up."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import catan_p2p
from catan_p2p import limits
from catan_p2p.cli.main import main
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.text_files import open_file

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pipes or devices in folders there")
ENOUGH_S = 120


def a_pipe(folder: Path) -> tuple[str, str]:
    os.mkfifo(folder / "it")
    return str(folder / "it"), "a pipe"


def a_device(folder: Path) -> tuple[str, str]:
    return "/dev/zero", "a device"


def a_link_to_a_device(folder: Path) -> tuple[str, str]:
    (folder / "it").symlink_to("/dev/zero")
    return str(folder / "it"), "a device"


def a_socket(folder: Path) -> tuple[str, str]:
    with socket.socket(socket.AF_UNIX) as listening:
        here = Path.cwd()
        os.chdir(folder)  # the name of a socket is short
        try:
            listening.bind("it")
        finally:
            os.chdir(here)
    return str(folder / "it"), "a socket"


def a_folder(folder: Path) -> tuple[str, str]:
    return str(folder), "Is a directory"


def too_long(folder: Path) -> tuple[str, str]:
    with (folder / "it").open("wb") as file:
        file.truncate(limits.MAX_GAME_FILE_BYTES + 1)
    return str(folder / "it"), "longer than"


KINDS = (a_pipe, a_device, a_link_to_a_device, a_socket, a_folder, too_long)
Kind = Callable[[Path], tuple[str, str]]
VERBS = (
    "import {}",
    "stats {}",
    "new-game {out} --players Red,Blue --key {}",
    "new-game {out} --players Red,Blue --public-key Blue={}",
    "new-game {out} --players Red,Blue --rules {}",
    "new-game {out} --players Red,Blue --map {}",
    "host --relay {out} --key {}",
    "join {out} --key {}",
    "map {}",
    "simulate --topology network --network {} --out {out}",
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: " ".join(word for word in verb.split() if word[0] != "{"))
def test_what_is_no_bounded_file_is_refused_by_name_in_one_line(
    tmp_path: Path, verb: str, kind: Kind, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in").mkdir()
    named, why = kind(tmp_path / "in")
    if kind is a_folder and verb == "stats {}":
        why = "not a Git repository"
    words = [word.replace("{out}", str(tmp_path / "out")).replace("{}", named) for word in verb.split()]
    code = code_of(words)
    told = capsys.readouterr()
    assert (code, told.out) == (2, ""), told.err
    last = told.err.splitlines()[-1]
    assert named in last and why in last


def code_of(words: list[str]) -> int:
    """The exit code of the program, run in this process: a mistake in it goes through to the test."""
    try:
        return main(words)
    except SystemExit as end:  # of argparse
        assert isinstance(end.code, int)
        return end.code


@pytest.mark.parametrize("verb", ["import", "stats"])
def test_standard_input_is_bounded(verb: str) -> None:
    with Path("/dev/zero").open("rb") as endless:
        command = [sys.executable, "-m", "catan_p2p", verb, "-"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=ENOUGH_S, stdin=endless)
    assert done.returncode == 2
    assert done.stderr == f"catan-p2p: standard input: cannot read: longer than {limits.MAX_GAME_FILE_BYTES} bytes\n"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_library_refuses_what_is_no_bounded_file(tmp_path: Path, kind: Kind) -> None:
    (tmp_path / "in").mkdir()
    named, why = kind(tmp_path / "in")
    with pytest.raises(StoreError) as error:
        catan_p2p.load(named)
    assert named in str(error.value) and (why in str(error.value) or kind is a_folder)


def test_a_file_that_grows_while_it_is_read_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "growing"
    path.write_bytes(b"x")
    with open_file(path, 100_000) as file, path.open("ab") as more, pytest.raises(OSError, match="longer than 100000"):
        while file.read(1):
            more.write(b"x" * 1000)
            more.flush()


def test_a_file_as_long_as_is_allowed_is_read(tmp_path: Path) -> None:
    path = tmp_path / "whole"
    path.write_bytes(b"x" * 100_000)
    with open_file(path, 100_000) as file:
        assert len(file.read()) == 100_000
    with pytest.raises(OSError, match="longer than 99999 bytes"):
        open_file(path, 99_999)
