"""The packs one writer has put into a repository, and their folding into fewer.

Publishing puts one small pack beside the others; when ``FOLD_AT`` of a size have come together they are folded into
one, and the packs so replaced are removed by a later fold, ``GRACE_S`` afterwards at the earliest, because a reader may
be about to open them. A list beside the journal names the writer's packs, so that a later process can go on folding.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.compaction import compact
from catan_p2p.log.storage.loggers import logger
from catan_p2p.log.storage.objects import ObjectDamaged, StoreError
from catan_p2p.log.storage.pack import PackBuilder, PackEntry, fold, parse_pack
from catan_p2p.log.storage.writer_folder import WriterFolder
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

FOLD_AT = 128
"""This many packs of a size are folded into one of the next size."""
COMPACT = 1000
"""The level of fully compacted packs, whatever they hold."""
GRACE_S = 10.0
_KEPT_MAX = 50_000


class PackStore:
    """The packs of one writer in the folder ``packs``; its own files are in ``home``."""

    def __init__(
        self, packs: Path, home: WriterFolder, *, durable: bool = False, time: TimeSource = SYSTEM_TIME
    ) -> None:
        self._packs = packs
        self._time = time
        self._medium = home.medium
        self._prefix = str(packs / "pack-")
        self._durable = durable
        self._home = home
        self._temporary = home.file("idx.tmp")
        self._list_path = home.file("packs")
        self._list = -1
        self._held: list[str] = []
        self._levels: dict[str, int] = {}
        self._replaced: dict[str, float] = {}
        self._kept: dict[str, Sequence[PackEntry]] = {}
        self._kept_count = 0
        self._unsynced: set[str] = set()
        with disk.explained("open the list of packs", self._list_path):
            self._medium.make_folder(self._packs)
            self._load()

    def put(self, builder: PackBuilder, level: int = 0, *, afresh: bool = False) -> str:
        """Write a pack and its index; returns its name. Until :meth:`release` a repack leaves it alone.

        A pack that exists already is not marked again: a repack that sees it first without the mark and then with it
        would neither copy nor keep its objects. It is written again where an earlier wait for it may have failed: with
        ``afresh``, and in a durable store if it is synced at once.
        """
        name, pack, index = builder.build()
        path = self._path(name, "pack")
        synced = self._durable and level > 0
        with disk.explained("write the pack", path):
            # The name is the checksum of a pack that was meant: what is there may be torn.
            if self._medium.read(path) != pack or self._medium.read(self._path(name, "idx")) != index:
                self._write(name, pack, index, synced=synced)
            elif synced or afresh:
                self._write_again(name, pack, index, synced=synced)
            # Small packs wait for ``sync``, which folds them first; until then the journal can make them again.
            if self._durable and level == 0:
                self._unsynced.add(name)
            if self._levels.get(name) != level:
                self._append_to_list(f"{level} {name}\n")
        # Folding may make a pack again that it had replaced, which must not be swept away.
        self._replaced.pop(name, None)
        self._levels[name] = level
        self._keep(name, builder)
        return name

    def release(self) -> None:
        """Let Git repack these packs: refs lead to their objects now."""
        while self._held:
            keep = self._path(self._held[-1], "keep")
            with disk.explained("release the pack", keep):
                self._medium.remove(keep)
            self._held.pop()

    def sync(self) -> None:
        """Make all packs durable: the small ones are folded into one, which costs one wait."""
        names = [name for name in self._levels if name in self._unsynced]
        if len(names) > 1:
            self._fold(names, 1)
        left = [name for name in self._unsynced if name in self._levels]
        with disk.explained("make the packs durable", self._packs):
            for name in left:
                for suffix in ("pack", "idx"):
                    self._medium.sync_file(self._path(name, suffix))
            if left:
                self._medium.sync_folder(self._packs)
        self._unsynced.clear()

    def fold_due(self) -> None:
        """Fold the packs of every size of which there are enough; if that fails, they stay as they are."""
        # With fewer packs no size can have enough of them; counting them for every publication would cost more.
        while len(self._levels) >= FOLD_AT:
            counts = Counter(self._levels.values())
            level = min((level for level, count in counts.items() if count >= FOLD_AT), default=None)
            if level is None:
                return
            try:
                self._fold([name for name, its in self._levels.items() if its == level], level + 1)
            except StoreError as error:
                logger(__name__).warning("cannot fold packs into larger ones: %s", error)
                return

    def fold_all(self) -> None:
        """Fold all packs of this writer into one, the smallest it can make."""
        if list(self._levels.values()) != [COMPACT]:
            self._fold(list(self._levels), COMPACT)

    def sweep(self, grace_s: float = 0) -> None:
        """Remove packs that were replaced at least ``grace_s`` ago; on Windows, unless somebody has them open."""
        latest = self._time.monotonic() - grace_s
        due = [name for name, since in self._replaced.items() if since <= latest]
        if not due:
            return
        for name in due:
            # The index first: a pack without one is ignored, an index without its pack is an error to Git.
            for suffix in ("idx", "pack"):
                path = self._path(name, suffix)
                try:
                    self._medium.remove(path)
                except PermissionError as error:
                    if not disk.WINDOWS:
                        raise StoreError(f"{path}: cannot remove: {disk.reason(error)}") from error
                    # A reader on Windows has the pack open: the next sweep tries again.
                    break
                except OSError as error:
                    raise StoreError(f"{path}: cannot remove: {disk.reason(error)}") from error
            else:
                del self._replaced[name]
        with disk.explained("rewrite the list of packs", self._list_path):
            self._rewrite_list()

    def clean(self) -> None:
        """Remove what a killed process of this writer left: temporary files, marks, and packs without an index."""
        with disk.explained("clean up after a killed process", self._packs):
            self._medium.remove(self._temporary)
            self._medium.remove(self._home.file("packs.tmp"))
            for keep in self._files(".keep"):
                if self._medium.read(keep) == self._home.mark:
                    # Without an index Git ignores the pack, and nothing else would ever remove it.
                    if not self._medium.exists(keep.with_suffix(".idx")):
                        self._medium.remove(keep.with_suffix(".pack"))
                    self._medium.remove(keep)
            if self._durable:
                self._set_torn_aside()
        self.sweep()

    def _set_torn_aside(self) -> None:
        """Move away packs that a loss of power has torn: their objects are in other packs, or in the journal.

        They are kept in case something else has damaged them.
        """
        for index in self._files(".idx"):
            pack = index.with_suffix(".pack")
            if self._is_whole(index) and self._is_whole(pack):
                continue
            logger(__name__).info("%s: cannot be read; moved to %s", pack, self._home.folder)
            for file in (index, pack):
                if self._medium.exists(file):
                    aside = self._home.file(f"torn-{file.name}")
                    # A loss of power may have left both names: a rename to another name of the same file does nothing.
                    self._medium.remove(aside)
                    self._medium.replace(file, aside)
            name = pack.stem.removeprefix("pack-")
            for known in (self._levels, self._replaced, self._kept):
                known.pop(name, None)

    def close(self) -> None:
        """Close the list of packs."""
        if self._list >= 0:
            self._medium.close(self._list)
            self._list = -1

    def _path(self, name: str, suffix: str) -> str:
        return f"{self._prefix}{name}.{suffix}"

    def _write(self, name: str, pack: bytes, index: bytes, *, synced: bool) -> None:
        path, index_path, keep = (self._path(name, suffix) for suffix in ("pack", "idx", "keep"))
        self._held.append(name)
        try:
            # A repack drops objects that no ref leads to yet, unless their pack has a .keep from the start.
            with contextlib.suppress(FileExistsError):
                self._medium.link(self._home.marker, keep)
            # The pack before its index, by whose name Git finds it: a pack that Git sees is complete.
            for file, content in ((path, pack), (self._temporary, index)):
                try:
                    self._medium.create(file, content, read_only=True, synced=synced)
                except FileExistsError:
                    self._medium.remove(file)
                    self._medium.create(file, content, read_only=True, synced=synced)
            self._medium.replace(self._temporary, index_path)
            if synced:
                self._medium.sync_folder(self._packs)
        except OSError:
            with contextlib.suppress(OSError):
                self._medium.remove(self._temporary)
                # A visible index needs its pack.
                if not self._medium.exists(index_path):
                    self._medium.remove(path)
            raise

    def _write_again(self, name: str, pack: bytes, index: bytes, *, synced: bool) -> None:
        """Put new files in the place of a pack that is there."""
        for suffix, content in (("pack", pack), ("idx", index)):
            self._medium.remove(self._temporary)
            self._medium.create(self._temporary, content, read_only=True, synced=synced)
            self._medium.replace(self._temporary, self._path(name, suffix))
        if synced:
            self._medium.sync_folder(self._packs)

    def _keep(self, name: str, builder: PackBuilder) -> None:
        """Keep the entries of a pack in memory for the next fold, as long as there are not too many."""
        self._kept_count += len(builder) - len(self._kept.get(name, ()))
        # Dropping all of them is simple, and rare: a fold reads from the disk what it misses.
        if self._kept_count > _KEPT_MAX:
            self._kept, self._kept_count = {}, len(builder)
        self._kept[name] = builder.entries

    def _fold(self, names: Iterable[str], level: int) -> None:
        packs = {}
        for name in names:
            entries = self._entries(name)
            if entries is None:
                del self._levels[name]
            else:
                packs[name] = entries
        if not packs:
            return
        # A single pack only changes its size in the list: folding it would write the same bytes.
        if len(packs) == 1 and level != COMPACT:
            (name,) = packs
            self._append_to_list(f"{level} {name}\n")
            self._levels[name] = level
            return
        new = self.put(compact(packs.values()) if level == COMPACT else fold(packs.values()), level)
        # Folded packs are released at once: their objects were published before.
        self.release()
        self.sweep(GRACE_S)
        gone = [name for name in packs if name != new]
        # The new pack is in the list before the old ones leave it, so a crash in between loses none.
        self._append_to_list("".join(f"- {name}\n" for name in gone))
        self._replaced |= dict.fromkeys(gone, self._time.monotonic())
        for name in gone:
            del self._levels[name]
            self._kept_count -= len(self._kept.pop(name, ()))

    def _entries(self, name: str) -> Sequence[PackEntry] | None:
        """Return what a pack of ours holds; None if somebody repacked it or it is damaged (git fsck will say so)."""
        path = self._path(name, "pack")
        with disk.explained("read the pack", path):
            if name in self._kept:
                # Git may have repacked it, and then its objects are no longer this writer's to fold.
                return self._kept[name] if self._medium.exists(path) else None
            pack, index = self._medium.read(path), self._medium.read(self._path(name, "idx"))
        if pack is None or index is None:
            return None
        try:
            return parse_pack(pack, index)
        except ObjectDamaged as error:
            logger(__name__).warning("%s: not folded into a larger pack: %s", path, error)
            return None

    def _load(self) -> None:
        lines = (self._medium.read(self._list_path) or b"").decode("ascii", "replace").split("\n")
        for line in lines[:-1]:
            level, _, name = line.partition(" ")
            if level == "-":
                self._levels.pop(name, None)
                # Replaced by an earlier process: a reader that was about to open it has done so by now.
                self._replaced[name] = -math.inf
            elif level.isdecimal() and len(name) == 40:
                self._levels[name] = int(level)
                self._replaced.pop(name, None)
        if lines[-1]:
            self._rewrite_list()  # its last line is torn

    def _append_to_list(self, lines: str) -> None:
        with disk.explained("extend the list of packs", self._list_path):
            if self._list < 0:
                self._list = self._medium.open_append(self._list_path)
            self._medium.append(self._list, lines.encode())

    def _rewrite_list(self) -> None:
        lines = [f"{level} {name}\n" for name, level in self._levels.items()]
        # Packs that await removal stay in the list, so that a later process removes them.
        lines += [f"- {name}\n" for name in self._replaced]
        new = self._home.file("packs.tmp")
        self._medium.remove(new)
        self._medium.create(new, "".join(lines).encode())
        # Closed first: appending goes on in the new file.
        self.close()
        self._medium.replace(new, self._list_path)

    def _files(self, suffix: str) -> list[Path]:
        """The files of packs with this suffix, of all writers."""
        names = sorted(name for name, _ in self._medium.list_folder(self._packs))
        return [self._packs / name for name in names if name.startswith("pack-") and name.endswith(suffix)]

    def _is_whole(self, path: Path) -> bool:
        """Whether a pack or an index ends with the checksum of what is before."""
        content = self._medium.read(path)
        return content is not None and len(content) > 20 and hashlib.sha1(content[:-20]).digest() == content[-20:]
