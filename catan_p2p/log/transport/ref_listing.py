"""Lists only the wanted refs of a Git server: ``ls-refs`` of version 2 of the protocol.

The server sends the refs that begin with one of the prefixes. Servers that know only version 0 send all, so callers
select the wanted ones in any case. Format: gitprotocol-v2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from catan_p2p.log.storage.objects import ObjectId, parse_object_id

FLUSH = b"0000"
DELIMITER = b"0001"
VERSION_2 = b"version 2"
_REF = re.compile(r"refs/[\x21-\x7e]{1,200}")


def packet(text: str) -> bytes:
    """A line of the protocol: its length in four hexadecimal digits, and the text."""
    data = text.encode()
    return b"%04x" % (len(data) + 4) + data


def prefixes(refs: Iterable[str], folder: str | None) -> list[str]:
    """Return the prefixes that cover these refs and all refs in a folder; see ``Remote.heads``."""
    # The protocol knows prefixes only, so a pattern is asked for by what is before its ``*``.
    start = () if folder is None else (folder.partition("*")[0],)
    return [*start, *(ref for ref in dict.fromkeys(refs) if not (start and ref.startswith(start)))]


def ls_refs(wanted: Iterable[str]) -> bytes:
    """The request for the refs that begin with one of these prefixes."""
    return packet("command=ls-refs\n") + DELIMITER + b"".join(packet(f"ref-prefix {p}\n") for p in wanted) + FLUSH


def parse_ref(line: bytes) -> tuple[str, ObjectId] | None:
    """Return the ref and id of a line that lists one, in either version; None for any other line."""
    # In version 0 the first line carries the server's capabilities after a zero byte.
    oid, _, rest = line.split(b"\0")[0].rstrip(b"\n").decode("utf-8", "replace").partition(" ")
    ref = rest.partition(" ")[0]
    try:
        return (ref, parse_object_id(oid)) if _REF.fullmatch(ref) else None
    except ValueError:
        return None
