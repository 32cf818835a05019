"""A terminal in a fresh copy of the project, in which the commands of pages are carried out one after the other."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from tests.docs.blocks import Command, commands, differences

ROOT = Path(__file__).parents[2]
_END = "\x1e"
_PORTS = tuple(f"127.0.0.1:{port}" for port in (*range(9401, 9407), 8080))
"""The ports that pages name."""
_IMPORT = re.compile(r"(import|from) ")


def fresh_copy(to: Path) -> Path:
    """The files that a clone would have, as they are now, with the environment of these tests."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    environment = to / ".venv"
    environment.mkdir()
    (environment / "bin").symlink_to(Path(sys.prefix) / "bin")
    for what in ("", "-simulate", "-play", "-bench"):  # newer than pyproject.toml: make has nothing to install
        (environment / f"installed{what}").touch()
    return to


def _free_addresses(count: int) -> list[str]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [f"127.0.0.1:{one.getsockname()[1]}" for one in sockets]


class Session:
    """A shell that keeps its folder and its variables from command to command."""

    def __init__(self, folder: Path, patience_s: float = 900) -> None:
        self._patience_s = patience_s
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "GIT_"))}
        environment |= {
            "PYTHONUNBUFFERED": "1",
            "PYTHONWARNINGS": "error",
            "MAKEFLAGS": "--silent",
            "SDL_VIDEODRIVER": "dummy",
            "PAGER": "cat",
            "LC_ALL": "C.UTF-8",
        }
        self._ports = dict(zip(_PORTS, _free_addresses(len(_PORTS)), strict=True))
        self._shell = subprocess.Popen(
            ["bash", "--norc", "--noprofile"],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def run(self, text: str) -> tuple[int, list[str]]:
        """Carry out a command; returns its exit code and the lines that it printed, errors among them.

        Ports are other ones than the page names: several tests may run at once. ``TimeoutError`` if a command takes
        longer than this session's patience, in seconds; the shell has ended then, with all that it has started.
        """
        for shown, free in self._ports.items():
            text = text.replace(shown, free)
        code, lines = self._run(text)
        for shown, free in self._ports.items():
            lines = [line.replace(free, shown) for line in lines]
        return code, lines

    def _run(self, text: str) -> tuple[int, list[str]]:
        assert self._shell.stdin and self._shell.stdout
        self._shell.stdin.write(f"{text}\nprintf '{_END}%d\\n' $?\n")
        self._shell.stdin.flush()
        lines: list[str] = []
        with self._ended_when_late() as is_late:
            for line in self._shell.stdout:
                before, end, code = line.rstrip("\n").partition(_END)
                if end:
                    return int(code), [*lines, before] if before else lines
                lines.append(before)
        if is_late.is_set():
            raise TimeoutError(f"not done after {self._patience_s:g} s: {text}: {lines[-5:]}")
        raise EOFError(f"the shell has ended: {lines[-5:]}")

    @contextlib.contextmanager
    def _ended_when_late(self) -> Iterator[threading.Event]:
        """End the shell and its children once the patience is over; the event says that this was done."""
        late = threading.Event()

        def end() -> None:
            late.set()
            os.killpg(self._shell.pid, signal.SIGKILL)

        timer = threading.Timer(self._patience_s, end)
        timer.start()
        try:
            yield late
        finally:
            timer.cancel()

    def close(self) -> None:
        """End the shell and what it left in the background."""
        assert self._shell.stdin and self._shell.stdout
        with self._ended_when_late(), contextlib.suppress(BrokenPipeError):
            self._shell.stdin.write("kill $(jobs -p) 2>/dev/null; wait\nexit\n")
            self._shell.stdin.close()
            self._shell.stdout.read()
        self._shell.stdout.close()
        self._shell.wait()


def follow(page: Path, session: Session) -> list[str]:
    """Do what a page says, from the top; returns what came out otherwise, with the line of the page."""
    wrong, imports = [], ""
    for command in commands(page):
        if command.is_run and (what := _try(command, session, imports)):
            wrong.append(f"{page.name}:{command.line}: {command.text}\n{what}\n")
        if command.is_python:
            lines = [line.removeprefix(">>> ") for line in command.text.splitlines()]
            imports += "".join(f"{line}\n" for line in lines if _IMPORT.match(line))
    return wrong


def _try(command: Command, session: Session, imports: str) -> str | None:
    text = command.text
    if command.file:
        text = f"cat > {command.file} <<'END OF FILE'\n{text}\nEND OF FILE"
    elif command.is_python:  # what earlier programs of the page have imported is there
        text = f"{sys.executable} - <<'END OF PROGRAM'\n{imports}{text}\nEND OF PROGRAM"
    code, printed = session.run(text)
    if code != command.code:
        return "\n".join([f"exit code {code}", *printed[-20:]])
    return differences(command.shown, printed) if command.shown else None
