"""Another peer's repository as this peer sees it: where its branches are, and commits read from it.

Nothing that a remote says is trusted. Its objects never enter the own repository as they are: the peer reads commits,
validates them, and writes the resulting objects itself, because it knows every file that a valid action produces. So a
remote can send any amount of strange data; only reading it must be bounded, and that happens here.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol, TypeAlias, runtime_checkable
from urllib.parse import unquote, urlsplit

from catan_p2p.limits import MAX_REFS_IN_FOLDER
from catan_p2p.log.storage.objects import (
    ObjectDamaged,
    ObjectFalse,
    ObjectId,
    ObjectKind,
    ObjectMissing,
    ObjectTooLarge,
    StoreError,
)

FetchFault: TypeAlias = Literal["format", "missing", "size"]
"""The fault of received data: malformed, incomplete, or too large."""


_KNOWN_URL = re.compile(r"(git|ssh|https|http)://|([^/:\[]+|([^/:\[@]+@)?\[[^]/]+\]):(?!:|//)")
"""How URLs begin that are not folders; the last form is that of ``ssh``, but not ``ext::``, which runs a program."""


class RemoteUnreachable(StoreError):
    """A remote repository that cannot be read now; the message says why."""


class NotThereYet(RemoteUnreachable):
    """Something is named there that has not arrived: a sync service copies files one by one, in any order.

    That is nobody's fault, and no reason to refuse or delete anything; it is looked for again, less and less often.
    """


class CostlyRemote(RemoteUnreachable):
    """Reading from a remote has cost much in vain; it is left alone for a longer time."""


ERRORS: Mapping[str, type[StoreError]] = {
    "missing": ObjectMissing,
    "large": ObjectTooLarge,
    "false": ObjectFalse,
    "damaged": ObjectDamaged,
    "costly": CostlyRemote,
    "awaited": NotThereYet,
    "unreachable": RemoteUnreachable,
}
"""The errors of reading somebody's repository, by their names in a frame; a subclass stands before its base class."""


class BadFetch(StoreError):
    """A remote sent what Git refuses: too much of it, malformed objects, or not all of them."""

    def __init__(self, message: str, reason: FetchFault) -> None:
        super().__init__(message)
        self.reason: FetchFault = reason


class Remote(Protocol):
    """Another peer's repository.

    ``fetches`` counts how often commits were brought from it, ``bytes_received`` their size. ``negotiates`` says
    whether its server learns from the own refs what it need not send.
    """

    @property
    def is_kept(self) -> bool:
        """Whether the next look takes one round trip, in a conversation that stays open."""
        return False

    url: str
    negotiates: bool
    fetches: int
    bytes_received: int

    def heads(self, refs: Iterable[str], folder: str | None = None) -> Mapping[str, ObjectId]:
        """Return where these refs (full names) and those below ``folder`` are; refs that do not exist are missing.

        A folder is the beginning of names, such as ``refs/heads/``, or beginning and end: ``refs/heads/*_0``. At most
        ``MAX_REFS_IN_FOLDER`` of them are returned. Raises ``RemoteUnreachable``.
        """

    def bring(self, heads: Mapping[str, ObjectId], held: Iterable[ObjectId] = ()) -> None:
        """Make the history of these heads readable, up to commits that are held already.

        Raises ``RemoteUnreachable``, or ``BadFetch`` if what was sent is unusable.
        """

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Return kind and bytes of an object; ``ObjectMissing``, or ``ObjectDamaged`` if the bytes have another id."""

    def rest(self) -> None:
        """Close what need not stay open until the next look."""

    def close(self) -> None:
        """Close everything that was opened for reading."""


@runtime_checkable
class FollowableRemote(Protocol):
    """A remote that can be followed if its server announces moves."""

    def follow(self, folders: Sequence[str]) -> None:
        """Ask the server to announce moves in these folders, if possible; does not wait."""


def is_below(ref: str, folder: str) -> bool:
    """Whether a ref is below a folder such as ``refs/heads/``, or matches a pattern such as ``refs/heads/*_0``."""
    start, _, end = folder.partition("*")
    return len(ref) >= len(start) + len(end) and ref.startswith(start) and ref.endswith(end)


def chosen_heads(
    listed: Iterable[tuple[str, ObjectId]], refs: Container[str], folder: str | None
) -> dict[str, ObjectId]:
    """Select from a remote's listing: all named refs, and a bounded number of those in the folder."""
    found: dict[str, ObjectId] = {}
    # Named refs do not count, so a folder full of junk cannot hide them.
    room = MAX_REFS_IN_FOLDER
    for ref, head in listed:
        if ref in refs:
            found[ref] = head
        elif folder is not None and room > 0 and is_below(ref, folder):
            found[ref] = head
            room -= 1
    return found


def local_path(url: str) -> Path | None:
    """The folder that a URL of this machine names, None for any other URL."""
    if url.startswith("file://"):
        return Path(unquote(urlsplit(url).path))
    if "://" in url or re.match(r"[^/\\]{2,}:", url):
        return None
    return Path(url)


MAX_PORT = 65535


def port_of(url: str) -> int | None:
    """Return the port that a URL names, None if it names none; ``StoreError`` for an impossible one."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise StoreError(f"{url}: {error}") from None
    try:
        port = parts.port
    except ValueError:
        # Zero is no port to connect to, and reported like one that is out of range.
        port = 0
    if port == 0:
        named = parts.netloc.rpartition(":")[2]
        raise StoreError(f"{url}: there is no port {named}, expected 1 to {MAX_PORT}")
    return port


def checked_url(url: str) -> str:
    """Return the URL, made independent of the current folder; ``StoreError`` for another protocol, an impossible port,
    or a secret in it.

    URLs are shown, kept and passed on; passwords are an affair between Git and the server.
    """
    # A leading dash would make Git take the URL for an option.
    if not url or url.startswith("-"):
        raise StoreError(f"{url!r}: expected the URL of a repository")
    if local_path(url) is None and _KNOWN_URL.match(url) is None:
        raise StoreError(f"{url}: expected a folder, git://, ssh://, https://, http:// or HOST:PATH")
    scheme, separator, rest = url.partition("://")
    if separator and local_path(url) is None:
        user, at, _ = rest.partition("/")[0].rpartition("@")
        if at and (":" in user or scheme in ("http", "https")):  # a token is often in the place of the name
            host = rest.partition("/")[0].rpartition("@")[2]
            raise StoreError(
                f"{scheme}://{host}/...: leave out what is before the @, since it would be stored and shown; "
                "Git asks its credential helper for names and passwords (git help credentials)"
            )
        port_of(url)
    return absolute_url(url)


def absolute_url(url: str) -> str:
    """Return the URL, made independent of the current folder."""
    path = local_path(url)
    return url if path is None or "://" in url else str(path.absolute())
