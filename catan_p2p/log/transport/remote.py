"""Another peer's repository as this peer sees it: where its branches are, and commits read from it.

Nothing that a remote says is trusted. Its objects never get into the own repository as they are: the peer reads
commits, validates them, and writes what they lead to itself, because it knows every file that a valid action produces.
So a remote can send as much and as strange data as it likes; only reading it must be bounded, and that is done here.
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
    ObjectId,
    ObjectKind,
    ObjectMissing,
    ObjectTooLarge,
    StoreError,
)

FetchFault: TypeAlias = Literal["format", "missing", "size"]
"""What was wrong with what a remote sent: not well formed, not all of it, or too much."""


_KNOWN_URL = re.compile(r"(git|ssh|https|http)://|([^/:\[]+|([^/:\[@]+@)?\[[^]/]+\]):(?!:|//)")
"""How a URL begins that is no folder: the last is that of ``ssh``, and not ``ext::``, which would run a program."""


class RemoteUnreachable(StoreError):
    """A remote repository that cannot be read now; the message says why."""


class CostlyRemote(RemoteUnreachable):
    """What was read from a remote has cost much and came to nothing: it is left alone for longer from time to time."""


ERRORS: Mapping[str, type[StoreError]] = {
    "missing": ObjectMissing,
    "large": ObjectTooLarge,
    "damaged": ObjectDamaged,
    "costly": CostlyRemote,
    "unreachable": RemoteUnreachable,
}
"""What reading somebody's repository may raise, by its name in a frame; a class before the one it is derived from."""


class BadFetch(StoreError):
    """A remote sent what Git refuses: too much of it, objects that are not well formed, or not all of them."""

    def __init__(self, message: str, reason: FetchFault) -> None:
        super().__init__(message)
        self.reason: FetchFault = reason


class Remote(Protocol):
    """Another peer's repository.

    ``fetches`` counts how often commits were brought from it, ``bytes_received`` what they took. ``negotiates`` says
    whether the own refs tell it what need not be sent.
    """

    @property
    def is_kept(self) -> bool:
        """Whether the next look takes one round trip, in a conversation with a server that goes on."""
        return False

    url: str
    negotiates: bool
    fetches: int
    bytes_received: int

    def heads(self, refs: Iterable[str], folder: str | None = None) -> Mapping[str, ObjectId]:
        """Where these refs (full names) and those below ``folder`` are; those that do not exist are missing.

        A folder is the beginning of names, such as ``refs/heads/``, or beginning and end: ``refs/heads/*_0``. At most
        ``MAX_REFS_IN_FOLDER`` of it are told. Raises ``RemoteUnreachable``.
        """

    def bring(self, heads: Mapping[str, ObjectId], held: Iterable[ObjectId] = ()) -> None:
        """Make the history of these heads readable, up to commits that are held already.

        Raises ``RemoteUnreachable``, or ``BadFetch`` if it cannot be had.
        """

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Kind and bytes of an object; ``ObjectMissing``, or ``ObjectDamaged`` if the bytes are not those of the id."""

    def rest(self) -> None:
        """End what need not stay open until the next look."""

    def close(self) -> None:
        """End what was begun for reading."""


@runtime_checkable
class FollowableRemote(Protocol):
    """A remote that can be followed where the other side tells what moves."""

    def follow(self, folders: Sequence[str]) -> None:
        """Ask to be told of the refs in these folders, if that is possible; does not wait."""


def is_below(ref: str, folder: str) -> bool:
    """Whether a ref is below a folder: ``refs/heads/``, or ``refs/heads/*_0`` for those that end so, too."""
    start, _, end = folder.partition("*")
    return len(ref) >= len(start) + len(end) and ref.startswith(start) and ref.endswith(end)


def chosen_heads(
    listed: Iterable[tuple[str, ObjectId]], refs: Container[str], folder: str | None
) -> dict[str, ObjectId]:
    """Of what a remote lists, what was asked for: all that has been named, however much there is in the folder."""
    found: dict[str, ObjectId] = {}
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
    """The port that a URL names, None if it names none; ``StoreError`` for one that there is not."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise StoreError(f"{url}: {error}") from None
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port == 0:
        named = parts.netloc.rpartition(":")[2]
        raise StoreError(f"{url}: there is no port {named}, expected 1 to {MAX_PORT}")
    return port


def checked_url(url: str) -> str:
    """The same URL, as it reads from every folder; ``StoreError`` if it has another protocol, a port that there is not,
    or a secret is in it.

    URLs are shown, kept and passed on; passwords are an affair between Git and the server.
    """
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
                f"{scheme}://{host}/...: leave out what is before the @, it would be kept and shown; "
                "Git asks its credential helper for names and passwords (git help credentials)"
            )
        port_of(url)
    return absolute_url(url)


def absolute_url(url: str) -> str:
    """The same URL, as it reads from every folder."""
    path = local_path(url)
    return url if path is None or "://" in url else str(path.absolute())
