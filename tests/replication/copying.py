"""A service that keeps two copies of a folder alike, as people's computers have them: files one by one, in any order.

Some files it writes under another name and renames; others it writes in place, half now and half later. It carries
locks and temporary files, too, sets back the times of what it writes, and keeps both of two files that were changed on
both sides.

    A/relay <--- one file after the other ---> B/relay
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import NamedTuple

HALVES, IN_PLACE = 0.3, 0.5
"""How many of the files are written in halves, and how many of the others in place."""
_MOST_PAUSE_S = 0.004


class Copied(NamedTuple):
    """A file to write on one side: its name, its content (None: to be removed), and how much of it is there."""

    side: int
    name: str
    content: bytes | None
    time_ns: int = 0
    written: int = 0


class CopyingService:
    """Keeps two folders alike; ``step`` carries one file, or a half of one. ``with`` runs it in a thread."""

    def __init__(self, one: Path, other: Path, seed: int) -> None:
        self._sides = one, other
        self._rng = Random(seed)
        self._known: dict[str, bytes] = {}
        """What both sides had last, by name."""
        self._begun: dict[tuple[int, str], Copied] = {}
        """Half-written files."""
        self._read: dict[Path, tuple[object, bytes]] = {}
        self.conflicts = 0
        self.halves = 0
        self._is_over = Event()
        self._thread = Thread(target=self._run, daemon=True)
        self._failure: BaseException | None = None

    def __enter__(self) -> "CopyingService":
        self._thread.start()
        return self

    def __exit__(self, *rest: object) -> None:
        self._is_over.set()
        self._thread.join()
        if self._failure is not None:
            raise self._failure

    def _run(self) -> None:
        try:
            while not self._is_over.wait(self._rng.random() * _MOST_PAUSE_S):
                self.step()
        except BaseException as error:  # noqa: BLE001 - raised at the end
            self._failure = error

    def step(self) -> bool:
        """Carry one file or a part of one, whichever; return whether there was anything to carry."""
        work = [*self._begun.values(), *self._pending()]
        if not work:
            return False
        with suppress(FileNotFoundError, NotADirectoryError):  # its folder has just gone: tried again
            self._carry(self._rng.choice(work))
        return True

    def _pending(self) -> Iterator[Copied]:
        one, other = (self._files(folder) for folder in self._sides)
        for name in {*one, *other, *self._known}:
            if (0, name) in self._begun or (1, name) in self._begun:
                continue
            before, here, there = self._known.get(name), one.get(name), other.get(name)
            if here == there:
                self._know(name, here)
            elif there == before:
                yield self._from(0, name, here)
            elif here == before:
                yield self._from(1, name, there)
            else:
                yield self._conflict(name, here, there)

    def _from(self, source: int, name: str, content: bytes | None) -> Copied:
        time_ns = 0
        with suppress(OSError):
            time_ns = (self._sides[source] / name).stat().st_mtime_ns
        return Copied(1 - source, name, content, time_ns)

    def _conflict(self, name: str, here: bytes | None, there: bytes | None) -> Copied:
        """Keep the content of the first side, and that of the other under another name."""
        if here is None or there is None:  # removed on one side, changed on the other
            return self._from(1 if here is None else 0, name, here or there)
        self.conflicts += 1
        aside = self._sides[1] / f"{name}.sync-conflict-20261129-101010-ABCDEFG"
        aside.write_bytes(there)
        return self._from(0, name, here)

    def _carry(self, file: Copied) -> None:
        path = self._sides[file.side] / file.name
        if file.content is None:
            path.unlink(missing_ok=True)
            self._know(file.name, None)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        if file.written:
            with path.open("r+b") as target:
                target.seek(file.written)
                target.write(file.content[file.written :])
                target.truncate()
            del self._begun[file.side, file.name]
        elif self._rng.random() < HALVES and len(file.content) > 1:
            half = file._replace(written=len(file.content) // 2)
            # What was there is overwritten from its beginning, not emptied first.
            with path.open("r+b" if path.exists() else "wb") as target:
                target.write(file.content[: half.written])
            self._begun[file.side, file.name] = half
            self.halves += 1
            return
        elif self._rng.random() < IN_PLACE:
            path.write_bytes(file.content)
        else:
            beside = path.with_name(f".syncthing.{path.name}.tmp")
            beside.write_bytes(file.content)
            beside.rename(path)
        os.utime(path, ns=(file.time_ns, file.time_ns))
        self._know(file.name, file.content)

    def _know(self, name: str, content: bytes | None) -> None:
        if content is None:
            self._known.pop(name, None)
        else:
            self._known[name] = content

    def _files(self, folder: Path) -> Mapping[str, bytes]:
        found: dict[str, bytes] = {}
        for here, folders, names in os.walk(folder):
            for name in folders:  # a repository has folders without files
                other = self._sides[1 - self._sides.index(folder)] / Path(here, name).relative_to(folder)
                with suppress(OSError):
                    other.mkdir(parents=True, exist_ok=True)
            for name in names:
                path = Path(here, name)
                if name.startswith(".syncthing."):
                    continue
                with suppress(OSError):
                    status = path.stat()
                    stamp = status.st_ctime_ns, status.st_size, status.st_ino
                    if self._read.get(path, (None, b""))[0] != stamp:
                        self._read[path] = stamp, path.read_bytes()
                    found[str(path.relative_to(folder))] = self._read[path][1]
        return found
