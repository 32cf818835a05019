"""Reading objects through one ``git cat-file --batch`` that stays: Git finds them, wherever they are by now."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from typing import IO, cast

import git

from catan_p2p.log.storage.objects import (
    Damaged,
    ObjectId,
    ObjectKind,
    ObjectMissing,
    ObjectTooLarge,
    object_id,
    parse_object_id,
)

_LAST_BYTES = 4096


class CatFile:
    """Objects of one repository; Git is started when the first is asked for, and again after it has failed."""

    def __init__(self, repo: git.Repo) -> None:
        self._repo = repo
        self._where = repo.common_dir
        self._process: subprocess.Popen[bytes] | None = None
        self._said: IO[bytes] | None = None

    def read(self, oid: ObjectId, limit_bytes: int | None = None) -> tuple[ObjectKind, bytes]:
        """Return kind and bytes of an object; they have that id, whatever the disk holds.

        ObjectMissing if there is none, ObjectTooLarge if it has more than ``limit_bytes`` (it is not read then),
        Damaged if Git cannot read it.
        """
        try:
            parse_object_id(oid)
        except ValueError:
            raise ObjectMissing(f"{self._where}: no object {oid!r}") from None
        try:
            header = self._ask(oid)
            if header == f"{oid} missing":
                raise ObjectMissing(f"{self._where}: no object {oid}")
            _, kind, size = header.split(" ")
            if limit_bytes is not None and int(size) > limit_bytes:
                self.close()
                raise ObjectTooLarge(f"{self._where}: object {oid} has {size} bytes, {limit_bytes} are allowed")
            data = self._take(int(size))
        except (OSError, ValueError) as error:
            raise Damaged(f"{self._where}: Git cannot read object {oid}: {self._last_words() or error}") from error
        if object_id(cast(ObjectKind, kind), data) != oid:
            raise Damaged(f"{self._where}: object {oid} does not hold what its id promises")
        return cast(ObjectKind, kind), data

    def close(self) -> None:
        """End the process."""
        self._last_words()

    def _ask(self, oid: ObjectId) -> str:
        if self._process is None:
            # Git complains of each damaged object, so that a pipe nobody reads would stop it in the end.
            self._said = tempfile.TemporaryFile()  # noqa: SIM115
            self._process = subprocess.Popen(
                ["git", "cat-file", "--batch"],
                env=os.environ | self._repo.git.environment() | {"GIT_DIR": str(self._where)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
            )
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        stdin.write(b"%b\n" % oid.encode())
        stdin.flush()
        return stdout.readline().decode().removesuffix("\n")

    def _take(self, size: int) -> bytes:
        assert self._process is not None and self._process.stdout is not None
        data: bytes = self._process.stdout.read(size + 1)
        if len(data) != size + 1:
            raise ValueError(f"it ends after {len(data)} of {size} bytes")
        return data[:-1]

    def _last_words(self) -> str:
        """End the process and return the last line that it wrote to say what is wrong."""
        process, said, self._process, self._said = self._process, self._said, None, None
        if process is None or said is None:
            return ""
        process.kill()
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        process.wait()
        with said:
            said.seek(max(0, said.seek(0, os.SEEK_END) - _LAST_BYTES))
            lines = said.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""
