"""A remote behind any URL that Git can fetch from: git://, ssh://, https://, a hosting service.

Fetched objects go into a quarantine, with bounds on their size and on the time of the fetch. They are thrown away once
they have been read, or as soon as anything goes wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from catan_p2p import limits
from catan_p2p.log.storage.cat_file import CatFile
from catan_p2p.log.storage.objects import ObjectId, ObjectKind
from catan_p2p.log.transport.bounded import ProcessEnd, end_children, run_bounded
from catan_p2p.log.transport.git_command import git_command, git_environment, last_line
from catan_p2p.log.transport.quarantine import Quarantine
from catan_p2p.log.transport.ref_listing import parse_ref
from catan_p2p.log.transport.remote import BadFetch, CostlyRemote, FetchFault, RemoteUnreachable, chosen_heads
from catan_p2p.log.transport.their_files import quote_alternate, their_objects

FETCH = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-gc", "--no-recurse-submodules")
# Kept packed (unpackLimit), since the quarantine counts packs, and loose objects cost a block each.
FETCH_OPTIONS = ("fetch.fsckObjects=true", "fetch.unpackLimit=1", "fetch.writeCommitGraph=false")


class GitRemote:
    """A repository that Git reaches by a URL."""

    is_kept = False
    negotiates = True

    def __init__(self, url: str, own: Path, incoming: Path, most_bytes: int = limits.MAX_QUARANTINED_BYTES) -> None:
        self.url = url
        self.fetches = 0
        self.bytes_received = 0
        self._own = own
        self._quarantine = Quarantine(incoming, most_bytes)
        self._reader: CatFile | None = None

    def heads(self, refs: Iterable[str], folder: str | None = None) -> Mapping[str, ObjectId]:
        """Return where the refs are, from ``git ls-remote``, which asks for all of them."""
        refs = [*refs]
        patterns = refs if folder is None else [*refs, folder if "*" in folder else folder + "*"]
        listing = self._git(["ls-remote", "--quiet", "--", self.url, *patterns], limits.MAX_LISTING_BYTES)
        return chosen_heads(_parse_listing(listing), {*refs}, folder)

    def bring(self, heads: Mapping[str, ObjectId], held: Iterable[ObjectId] = ()) -> None:
        """Fetch into the quarantine."""
        quarantine = self._quarantine
        # Half of it at least is for what comes now.
        if quarantine.packs >= limits.MAX_QUARANTINED_PACKS or quarantine.size > quarantine.most_bytes // 2:
            self._clear()
        quarantine.begin()
        before = quarantine.size
        self._git(
            [*FETCH, "--refmap=", "--", self.url, *heads],
            limits.MAX_LISTING_BYTES,
            quarantined=True,
        )
        self.fetches += 1
        self.bytes_received += max(0, quarantine.size - before)

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Return kind and bytes of an object that was fetched, or that the own repository holds."""
        if self._reader is None:
            self._quarantine.begin()
            self._reader = their_objects(self._own, self._quarantine.objects, self._own / "objects")
        return self._reader.read(oid, limits.MAX_OBJECT_BYTES)

    def rest(self) -> None:
        """Nothing to do: the reading process stays."""

    def close(self) -> None:
        """End the reading process and empty the quarantine."""
        self._clear()

    def _clear(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        self._quarantine.clear()

    def _git(self, arguments: Sequence[str], limit: int, *, quarantined: bool = False) -> bytes:
        command = [*git_command(FETCH_OPTIONS), *arguments]
        environment = git_environment(self._own)
        if not quarantined:
            done = run_bounded(command, environment, limit)
        else:
            # Git writes into the quarantine, and takes the own objects as a basis for deltas.
            environment["GIT_OBJECT_DIRECTORY"] = str(self._quarantine.objects)
            environment["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = quote_alternate(self._own / "objects")
            done = self._fetch(command, environment, limit)
        if done.code == 0:
            return done.out
        raise RemoteUnreachable(f"{self.url}: {last_line(done.complaint) or f'git ended with code {done.code}'}")

    def _fetch(self, command: Sequence[str], environment: Mapping[str, str], limit: int) -> ProcessEnd:
        """Run a fetch into the quarantine; a failed one leaves nothing there."""
        quarantine = self._quarantine
        before, is_done = quarantine.size, False
        most_file_bytes = min(limits.MAX_WRITTEN_FILE_BYTES, quarantine.room)
        try:
            done = run_bounded(
                command,
                environment,
                limit,
                most_file_bytes=most_file_bytes,
                writes_too_much=lambda: quarantine.size > quarantine.most_bytes,
            )
            is_done = done.code == 0 and not done.wrote_too_much
        finally:
            took_bytes = quarantine.size - before
            if not is_done:
                # A child of Git may still write into the folder that is removed next.
                end_children()
                self._clear()
        if not is_done:
            # The system has ended it, if the largest file is as large as may be.
            is_too_much = done.wrote_too_much or took_bytes >= most_file_bytes
            problem = _TOO_MUCH if is_too_much else _problem(done.complaint)
            if problem is not None:
                meaning = problem[1].format(most=quarantine.most_bytes)
                raise BadFetch(f"{self.url}: {meaning}", problem[0])
            why = last_line(done.complaint) or f"git ended with code {done.code}"
            raise (CostlyRemote if took_bytes >= limits.COSTLY_BYTES else RemoteUnreachable)(f"{self.url}: {why}")
        return done


def _parse_listing(listing: bytes) -> Iterator[tuple[str, ObjectId]]:
    """Iterate over the refs that ``git ls-remote`` prints; other lines are skipped."""
    for line in listing.decode("utf-8", "replace").splitlines():
        if (listed := parse_ref(line.replace("\t", " ").encode())) is not None:
            yield listed


_TOO_MUCH: tuple[FetchFault, str] = ("size", "sends more than {most} bytes")
_PROBLEMS: tuple[tuple[str, FetchFault, str], ...] = (
    ("signal 25", *_TOO_MUCH),
    ("File too large", *_TOO_MUCH),
    ("fsck error", "format", "sends an object that is not well formed"),
    ("did not send all necessary objects", "missing", "does not send all objects"),
    ("unresolved delta", "missing", "does not send all objects"),
    ("missing blob", "missing", "does not send all objects"),
    ("bad object", "missing", "does not send all objects"),
)
"""What Git says about bad data, and what it means here."""


def _problem(complaint: str) -> tuple[FetchFault, str] | None:
    return next(((reason, meaning) for words, reason, meaning in _PROBLEMS if words in complaint), None)
