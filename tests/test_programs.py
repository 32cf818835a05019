"""Programs from outside: each is tried, the next one is taken, and every complaint is told."""

from pathlib import Path

import pytest

from catan_p2p import programs


def program(folder: Path, *lines: str, name: str = "thing") -> Path:
    """A program of these lines of shell, in a folder that is made."""
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text("\n".join(("#!/bin/sh", *lines, "")))
    file.chmod(0o755)
    return file


def no_fault(printed: str) -> str | None:
    return None if "good" in printed else "is not good"


def test_a_program_that_does_not_work_gives_way_to_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "a", "echo none here >&2", "exit 1")
    program(tmp_path / "b", "echo bad")
    third = program(tmp_path / "c", "echo good")
    monkeypatch.setenv("PATH", ":".join(str(tmp_path / name) for name in "abcd"))
    assert programs.first_usable(programs.on_path("thing"), (), no_fault) == third


def test_every_program_that_does_not_work_is_named_with_its_whole_complaint(tmp_path: Path) -> None:
    failing = program(tmp_path / "a", "echo first line >&2", "echo last line", "exit 3")
    bad = program(tmp_path / "b", "echo bad")
    missing = tmp_path / "none"
    with pytest.raises(programs.NoneUsable) as error:
        programs.first_usable((failing, bad, missing), (), no_fault)
    assert str(error.value) == (
        f"{failing}: ended with exit code 3: first line last line; {bad}: is not good; "
        f"{missing}: cannot run: No such file or directory"
    )


def test_a_program_that_hangs_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "TRIAL_S", 0.2)
    hanging = program(tmp_path / "a", "exec sleep 100000")
    assert programs.tried(hanging).fault == "has not answered within 0.2 s"


def test_a_program_is_tried_once(tmp_path: Path) -> None:
    counting = program(tmp_path / "a", f"echo x >> {tmp_path}/runs", "echo good")
    for _ in range(3):
        assert programs.first_usable([counting], (), no_fault) == counting
    assert (tmp_path / "runs").read_text() == "x\n"


def test_an_endless_complaint_is_cut_in_its_middle() -> None:
    told = programs.complaint("begin " + "x" * 100_000 + " end")
    assert len(told) < 2 * programs.COMPLAINT_CHARACTERS
    assert told.startswith("begin x") and told.endswith("x end") and "[...]" in told
