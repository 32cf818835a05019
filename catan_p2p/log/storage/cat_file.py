"""Reads objects through one long-lived ``git cat-file --batch``: Git finds them loose, packed or repacked."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from catan_p2p.log.storage import objects
from catan_p2p.log.storage.git_program import own_environment

_DYING_S = 5.0


def own_objects(folder: Path, where: Path | None = None) -> CatFile:
    """The objects of a repository of our own, by its Git folder; messages name the folder ``where``."""
    return CatFile(os.environ | own_environment(folder), str(where or folder), folder)


def why_incomplete(folder: Path) -> str:
    """Why a Git folder lacks objects, if its owner cloned only a part of the repository; else empty."""
    if (folder / "shallow").is_file():
        return "a shallow clone, which lacks the beginning of the game; git fetch --unshallow completes it"
    if any((folder / "objects" / "pack").glob("*.promisor")):
        return "a partial clone, which lacks files of the game; clone it again without --filter"
    return ""


class CatFile:
    """Reads objects in the repository that ``environment`` names; Git starts with the first read, and after a failure.

    ``where`` begins every message. Without it the objects are a neighbour's, and any number of Git's complaints are
    dropped. Of a repository of our own, Git reads a damaged object once more, and its last complaint is quoted, unless
    the repository at the Git folder ``own`` was cloned in part.
    """

    def __init__(self, environment: Mapping[str, str], where: str | None = None, own: Path | None = None) -> None:
        self._environment = environment
        self._heading = "" if where is None else f"{where}: "
        self._own = own
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, oid: objects.ObjectId, limit_bytes: int | None = None) -> tuple[objects.ObjectKind, bytes]:
        """Return kind and bytes of an object; they have that id, whatever the disk holds.

        ObjectMissing if there is none, ObjectTooLarge if it has more than ``limit_bytes`` (it is not read then),
        ObjectDamaged if Git cannot read it.
        """
        # Anything else, a line break above all, would be another request in Git's protocol.
        try:
            objects.parse_object_id(oid)
        except ValueError:
            raise objects.ObjectMissing(f"{self._heading}no object {oid!r}") from None
        try:
            header = self._ask(oid)
            if header == f"{oid} missing":
                raise objects.ObjectMissing(f"{self._heading}no object {oid}", self._why_incomplete())
            named, kind, size = header.split(" ")
            if named != oid or kind not in objects.KINDS:
                raise ValueError(f"expected it, found {header}")
            if limit_bytes is not None and int(size) > limit_bytes:
                # Git has begun to send the object: ending the process is cheaper than reading it to its end.
                self.close()
                raise objects.ObjectTooLarge(
                    f"{self._heading}object {oid} has {size} bytes, expected at most {limit_bytes}"
                )
            data = self._take(int(size))
        except (OSError, ValueError) as error:
            # A Git that was killed (out of memory, say) says nothing about the object, which may be whole.
            if signal := self._end():
                raise objects.StoreError(f"{self._heading}Git was ended by signal {signal} as it read {oid}") from error
            if incomplete := self._why_incomplete():
                raise objects.ObjectMissing(f"{self._heading}{incomplete}", incomplete) from error
            why = self._complaint(oid) or error
            raise objects.ObjectDamaged(f"{self._heading}Git cannot read object {oid}: {why}") from error
        # Git does not compare what it reads with the id.
        if objects.object_id(kind, data) != oid:
            raise objects.ObjectFalse(f"{self._heading}the content of object {oid} does not match its id")
        return kind, data

    def close(self) -> None:
        """End the process."""
        self._end()

    def _ask(self, oid: objects.ObjectId) -> str:
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    ["git", "cat-file", "--batch"],
                    env=self._environment,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    # Git complains of each damaged object, so that a pipe nobody reads would stop it in the end.
                    stderr=subprocess.DEVNULL,
                )
            except OSError as error:
                raise objects.StoreError(f"{self._heading}cannot start Git: {error.strerror or error}") from error
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        stdin.write(b"%b\n" % oid.encode())
        stdin.flush()
        header = stdout.readline()
        if not header:
            # Git may be dying: only a process that has ended tells the signal that ended it.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_DYING_S)
        return header.decode().removesuffix("\n")

    def _take(self, size: int) -> bytes:
        assert self._process is not None and self._process.stdout is not None
        # Git ends each object with a line feed.
        data: bytes = self._process.stdout.read(size + 1)
        if len(data) != size + 1:
            raise ValueError(f"it ends after {len(data)} of {size} bytes")
        return data[:-1]

    def _why_incomplete(self) -> str:
        return "" if self._own is None else why_incomplete(self._own)

    def _complaint(self, oid: objects.ObjectId) -> str:
        """Return Git's last complaint about an object that it cannot read, empty if there is none."""
        if not self._heading:
            return ""
        command = ["git", "cat-file", "--batch"]
        done = subprocess.run(command, env=self._environment, input=oid.encode(), capture_output=True, check=False)
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""

    def _end(self) -> int:
        """End the process; the signal that had ended it before, 0 if none had."""
        process, self._process = self._process, None
        if process is None:
            return 0
        # A negative return code is the signal that ended the process; our own kill comes after this.
        signal = max(0, -(process.poll() or 0))
        process.kill()
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        process.wait()
        return signal
