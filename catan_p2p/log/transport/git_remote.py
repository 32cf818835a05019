"""A remote behind any URL that Git can fetch from: git://, ssh://, https://, a hosting service.

What is fetched goes into a quarantine, a folder of objects of its own, with bounds on its size and on the time it
takes, and is thrown away once it has been read.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO

from catan_p2p.log.storage.objects import ObjectId, ObjectKind, parse_object_id
from catan_p2p.log.transport.object_reader import ObjectReader, quote_alternate
from catan_p2p.log.transport.remote import BadFetch, FetchFault, Unreachable
from catan_p2p.log.transport.ssh import ssh_command

TIMEOUT_S = 60.0
MAX_LISTING_BYTES = 1 << 20
MAX_PACK_BYTES = 64 << 20
MAX_QUARANTINED_PACKS = 32

_OPTIONS = (
    # Protocol 2 waits for two delayed acknowledgements over git://, 40 ms each.
    "protocol.version=0",
    "protocol.ext.allow=never",
    "gc.auto=0",
    "credential.interactive=false",
)
_FETCH_OPTIONS = ("fetch.fsckObjects=true", "fetch.unpackLimit=1", "fetch.writeCommitGraph=false")


def git_command(options: Sequence[str] = ()) -> list[str]:
    """Git with what holds for every neighbour, and these options besides."""
    return ["git", *(word for option in (*_OPTIONS, *options) for word in ("-c", option))]


def git_environment(own: Path) -> dict[str, str]:
    """What Git is told besides: the own repository, and that nobody is there to be asked for a password."""
    environment = os.environ | {"GIT_DIR": str(own), "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    if (command := ssh_command(own)) is not None:
        environment["GIT_SSH_COMMAND"] = command
    return environment


class GitRemote:
    """A repository that Git reaches by a URL."""

    negotiates = True

    def __init__(self, url: str, own: Path, incoming: Path) -> None:
        self.url = url
        self.fetches = 0
        self.bytes_received = 0
        self._own = own
        self._objects = incoming / "objects"
        self._reader: ObjectReader | None = None

    def heads(self, refs: Iterable[str], folder: str | None = None) -> Mapping[str, ObjectId]:
        """Where the refs are, as ``git ls-remote`` tells."""
        patterns = [*refs] if folder is None else [*refs, folder + "*"]
        listing = self._git(["ls-remote", "--quiet", "--", self.url, *patterns], MAX_LISTING_BYTES)
        found = {}
        for line in listing.decode("utf-8", "replace").splitlines():
            oid, _, ref = line.partition("\t")
            if ref in patterns or (folder is not None and ref.startswith(folder)):
                with contextlib.suppress(ValueError):
                    found[ref] = parse_object_id(oid)
        return found

    def bring(self, heads: Mapping[str, ObjectId], held: Iterable[ObjectId] = ()) -> None:
        """Fetch into the quarantine."""
        self._objects.mkdir(parents=True, exist_ok=True)
        packs = len(list((self._objects / "pack").glob("*.pack")))
        if packs >= MAX_QUARANTINED_PACKS or self._size() > MAX_PACK_BYTES:
            self._clear()
        before = self._size()
        self._git(
            ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-gc", "--no-recurse-submodules"]
            + ["--refmap=", "--", self.url, *heads],
            MAX_LISTING_BYTES,
            quarantined=True,
        )
        self.fetches += 1
        self.bytes_received += max(0, self._size() - before)

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Kind and bytes of an object that was fetched, or that the own repository holds."""
        if self._reader is None:
            self._objects.mkdir(parents=True, exist_ok=True)
            self._reader = ObjectReader(self._own, self._objects, self._own / "objects")
        return self._reader.read(oid)

    def rest(self) -> None:
        """Nothing to do: the reading process stays."""

    def close(self) -> None:
        """End the reading process and empty the quarantine."""
        self._clear()

    def _clear(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        shutil.rmtree(self._objects.parent, ignore_errors=True)
        self._objects.mkdir(parents=True, exist_ok=True)

    def _size(self) -> int:
        return sum(pack.stat().st_size for pack in (self._objects / "pack").glob("*.pack"))

    def _git(self, arguments: Sequence[str], limit: int, *, quarantined: bool = False) -> bytes:
        environment = git_environment(self._own)
        if quarantined:
            environment["GIT_OBJECT_DIRECTORY"] = str(self._objects)
            environment["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = quote_alternate(self._own / "objects")
        code, out, complaint = run_bounded([*git_command(_FETCH_OPTIONS), *arguments], environment, limit)
        if code == 0:
            return out
        if quarantined and (problem := _problem(complaint)):
            self._clear()
            raise BadFetch(f"{self.url}: {problem[1]}", problem[0])
        raise Unreachable(f"{self.url}: {last_line(complaint) or f'git ended with code {code}'}")


_PROBLEMS: tuple[tuple[str, FetchFault, str], ...] = (
    ("signal 25", "size", f"sends more than {MAX_PACK_BYTES} bytes"),
    ("File too large", "size", f"sends more than {MAX_PACK_BYTES} bytes"),
    ("fsck error", "format", "sends an object that is not well formed"),
    ("did not send all necessary objects", "missing", "does not send all objects"),
    ("unresolved delta", "missing", "does not send all objects"),
    ("missing blob", "missing", "does not send all objects"),
    ("bad object", "missing", "does not send all objects"),
)
"""What Git says about data that are bad, and what that means here."""


def _problem(complaint: str) -> tuple[FetchFault, str] | None:
    return next(((reason, meaning) for words, reason, meaning in _PROBLEMS if words in complaint), None)


def last_line(text: str) -> str:
    """The line of what Git says that tells what is wrong."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("Please make sure")]
    told = [line for line in lines if line.startswith(("fatal:", "error:"))]
    if told and told[0] != lines[0] and "Could not read from remote" in told[0]:
        told = lines  # ssh has said why
    return (told or lines or [""])[0].removeprefix("fatal: ").strip()


def run_bounded(
    command: Sequence[str], environment: Mapping[str, str], limit: int, told: bytes = b""
) -> tuple[int, bytes, str]:
    """Run a process that writes at most ``limit`` bytes and ends within ``TIMEOUT_S``: code, output, complaints.

    It reads ``told``.
    Files it writes are bounded by ``MAX_PACK_BYTES`` where the system can do so.
    """
    try:
        process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE if told else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=not inherits_session(),
        )
    except OSError as error:
        raise Unreachable(f"cannot run {command[0]}: {error.strerror}") from error
    if sys.platform == "linux":
        import resource

        with contextlib.suppress(OSError, ValueError):
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (MAX_PACK_BYTES, MAX_PACK_BYTES))
    timer = threading.Timer(TIMEOUT_S, _end, (process,))
    complaints: list[bytes] = []
    assert process.stdout is not None and process.stderr is not None
    listener = threading.Thread(target=_drain, args=(process.stderr, complaints), daemon=True)
    timer.start()
    listener.start()
    if process.stdin is not None:
        threading.Thread(target=_tell, args=(process.stdin, told), daemon=True).start()
    try:
        out = process.stdout.read(limit + 1)
        if len(out) > limit:
            raise Unreachable(f"{command[0]} printed more than {limit} bytes")
        code = process.wait()
        listener.join(1.0)
    finally:
        timer.cancel()
        _end(process)
        process.stdout.close()
    return code, out, b"".join(complaints).decode("utf-8", "replace")


def _tell(stream: IO[bytes], told: bytes) -> None:
    with contextlib.suppress(OSError, ValueError), stream:
        stream.write(told)


def _drain(stream: object, into: list[bytes]) -> None:
    room = 64 << 10
    with contextlib.suppress(OSError, ValueError):
        while data := os.read(stream.fileno(), 4096):  # type: ignore[attr-defined]
            if room > 0:
                into.append(data)
                room -= len(data)
    stream.close()  # type: ignore[attr-defined]


def inherits_session() -> bool:
    """Whether this process leads a session, which somebody else ends as a whole: a worker."""
    return sys.platform != "win32" and os.getsid(0) == os.getpid()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process, if it still runs, and all its children where they have a session of their own."""
    if process.poll() is None:
        with contextlib.suppress(OSError):
            if inherits_session() or sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, 9)
        process.wait()
