"""Reading the objects of somebody else's repository through ``git cat-file``."""

from __future__ import annotations

import contextlib
import os
import subprocess
from pathlib import Path

from catan_p2p.limits import MAX_OBJECT_BYTES
from catan_p2p.log.storage.objects import (
    KINDS,
    Damaged,
    ObjectId,
    ObjectKind,
    ObjectMissing,
    ObjectTooLarge,
    object_id,
)


class ObjectReader:
    """Reads objects of the folder ``objects`` with one ``git cat-file`` that runs in our repository, not in theirs.

    So no configuration of theirs is ever read.
    """

    def __init__(self, own: Path, objects: Path, alternates: Path | None = None) -> None:
        self._environment = os.environ | {
            "GIT_DIR": str(own),
            "GIT_OBJECT_DIRECTORY": str(objects),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": "" if alternates is None else quote_alternate(alternates),
        }
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Kind and bytes of an object of at most ``MAX_OBJECT_BYTES``."""
        try:
            kind, data = self._ask(oid)
        except OSError as error:
            self.close()
            raise Damaged(f"Git cannot read object {oid}: {error.strerror or error}") from None
        except Damaged:
            self.close()
            raise
        if object_id(kind, data) != oid:
            raise Damaged(f"object {oid} does not hold what its id promises")
        return kind, data

    def _ask(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        if self._process is None:
            self._process = subprocess.Popen(
                ["git", "cat-file", "--batch"],
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        asked, answered = self._process.stdin, self._process.stdout
        assert asked is not None and answered is not None
        asked.write(f"{oid}\n".encode())
        asked.flush()
        head = answered.readline().decode("ascii", "replace").split()
        if head[1:] == ["missing"]:
            raise ObjectMissing(f"no object {oid}")
        if len(head) != 3 or head[0] != oid or head[1] not in KINDS:
            raise Damaged(f"Git cannot read object {oid}")
        size = int(head[2])
        if size > MAX_OBJECT_BYTES:
            raise ObjectTooLarge(f"object {oid} has {size} bytes, at most {MAX_OBJECT_BYTES} are read")
        data = answered.read(size + 1)
        if len(data) != size + 1:
            raise Damaged(f"Git cannot read all of object {oid}")
        return head[1], data[:-1]

    def close(self) -> None:
        """End the process; the next reading starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    if pipe is not None:
                        pipe.close()
            process.wait()


def quote_alternate(path: Path) -> str:
    """A path as an entry of ``GIT_ALTERNATE_OBJECT_DIRECTORIES``."""
    text = str(path)
    if text.startswith('"') or os.pathsep in text:
        text = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return text
