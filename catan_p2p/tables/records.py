"""Records published at a table before the game: signed commits of the empty tree, all parsed in this module.

``terms`` is the host's offer, ``seat`` a guest's claim of a seat. Anybody who can push to a relay, or knock at the
host's door, can write anything there: a record that is not of the expected kind is a ``BadRecord`` with the reason.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from catan_p2p.limits import MAX_RECORD_BYTES, MAX_RECORD_VALUE_CHARACTERS, MAX_URL_CHARACTERS
from catan_p2p.log.commit import decode_commit
from catan_p2p.log.game import FormatError
from catan_p2p.log.keys import is_public_key
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.signing import is_signed_by
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.transport.serve import Address, parse_host

TERMS = "terms"
SEAT = "seat"
NOWHERE = "-"
"""The URL of a guest who is found at the relay."""
_PROOF = re.compile("[0-9a-f]{64}")
_GIT_URL = re.compile(r"git://[A-Za-z0-9.\[\]:%_-]+/")

Record: TypeAlias = Mapping[str, str]


class BadRecord(NamedTuple):
    """Something that is not a valid record, and why."""

    why: str


class TableTerms(NamedTuple):
    """A host's offer."""

    colours: tuple[str, ...]
    """The players, in the order of seats; the host is the first."""
    words: str
    """Rules and map."""
    key: str
    drawn: str | None = None
    """The name of the map, if all draw it together."""
    committed: str = ""
    """The host's commitment for that."""
    name: str | None = None
    """The host's name, if they have chosen one."""
    seal: str = ""
    """Lets guests check that their invitation is intact; hosts of older versions gave none."""
    format: str = ""
    """The version of the log format of the game; hosts of older versions gave none."""
    rules: str = ""
    """The rules for ``rules_named``, so that a guest's program can check that it knows them; older versions: empty."""
    computers: tuple[tuple[str, str], ...] = ()
    """The computer players that the host's machine plays: colour and policy."""


class SeatClaim(NamedTuple):
    """A guest's claim of a seat."""

    colour: str
    url: str
    proof: str
    key: str
    committed: str = ""
    """The guest's commitment, for a map that all draw together."""
    name: str | None = None
    """The name that the guest has chosen, if any."""

    @property
    def address(self) -> Address | None:
        """Where to find the guest, None if at the relay."""
        return None if self.url == NOWHERE else parse_host(self.url)


def parse_terms(data: bytes) -> TableTerms | BadRecord:
    """Parse the terms in the bytes of a commit."""
    found = _read(data, TERMS, {"Colours": _are_colours, "Terms": _are_words})
    if isinstance(found, BadRecord):
        return found
    colours = tuple(found["Colours"].split(" "))
    drawn, committed, name = found.get("Map"), found.get("Commitment", ""), found.get("Name")
    seal, form, rules = (found.get(field, "") for field in ("Seal", "Format", "Rules"))
    computers = _computers_in(found.get("Computers", ""), colours[1:])
    if isinstance(computers, BadRecord):
        return computers
    return TableTerms(colours, found["Terms"], found["Key"], drawn, committed, name, seal, form, rules, computers)


def _computers_in(text: str, guests: Sequence[str]) -> tuple[tuple[str, str], ...] | BadRecord:
    """Parse colours and policies such as ``Blue=strategist Green=beginner``."""
    parts = [tuple(part.partition("=")[::2]) for part in text.split(" ") if part]
    if len({colour for colour, _ in parts}) < len(parts) or any(c not in guests or not policy for c, policy in parts):
        return BadRecord(f"a record with an invalid Computers: {text[:80]!r}")
    return tuple((colour, policy) for colour, policy in parts)


def parse_seat(data: bytes) -> SeatClaim | BadRecord:
    """Parse the claim of a seat in the bytes of a commit."""
    found = _read(data, SEAT, {"Colour": COLOURS.__contains__, "Url": _is_url, "Proof": _is_proof})
    if isinstance(found, BadRecord):
        return found
    return SeatClaim(
        found["Colour"], found["Url"], found["Proof"], found["Key"], found.get("Commitment", ""), found.get("Name")
    )


def parse_number(data: bytes) -> Record | BadRecord:
    """Parse the number that a player publishes once all have committed: a record with the field ``Number``."""
    return _read(data, "number", {"Number": _are_words})


def parse_fields(data: bytes, kind: str) -> Record | BadRecord:
    """Parse a record of another kind, whose fields the caller checks."""
    return _read(data, kind, {})


def why_not(data: bytes, kind: str) -> str | None:
    """Why no reader would accept a record of this kind, None if they would; such a record is not written."""
    read = {TERMS: parse_terms, SEAT: parse_seat}.get(kind, lambda data: parse_fields(data, kind))(data)
    return read.why if isinstance(read, BadRecord) else None


def _read(data: bytes, kind: str, form: Mapping[str, Callable[[str], object]]) -> Record | BadRecord:
    """Parse the fields of a record: each of the form, valid and only once, and a key that signed all of it."""
    if len(data) > MAX_RECORD_BYTES:
        return BadRecord(f"a record of {len(data)} bytes, expected at most {MAX_RECORD_BYTES}")
    try:
        commit = decode_commit(data)
    except FormatError as error:
        return BadRecord(str(error))
    first, _, rest = commit.message.partition("\n\n")
    if first != kind or commit.parents:
        return BadRecord(f"not a record of the kind {kind}")
    fields: dict[str, str] = {}
    for line in rest.removesuffix("\n").split("\n"):
        name, separator, value = line.partition(": ")
        if not separator or name in fields:
            return BadRecord(f"a record with the line {line[:40]!r}: expected each field once, as Name: value")
        if not _are_words(value):
            return BadRecord(f"a record with an invalid {name[:40]}: {value[:80]!r}")
        fields[name] = value
    for name, is_right in {**form, "Key": is_public_key}.items():
        if name not in fields:
            return BadRecord(f"a record without {name}")
        if not is_right(fields[name]):
            return BadRecord(f"a record with an invalid {name}: {fields[name][:80]!r}")
    # Last, since it is the most expensive check.
    return fields if is_signed_by(commit, fields["Key"]) else BadRecord("a record that is not signed with its key")


def _are_colours(text: str) -> bool:
    colours = text.split(" ")
    return 2 <= len(colours) == len({*colours}) and all(colour in COLOURS for colour in colours)


def _are_words(text: str) -> bool:
    return text.isprintable() and len(text) <= MAX_RECORD_VALUE_CHARACTERS


def _is_proof(text: str) -> bool:
    return _PROOF.fullmatch(text) is not None


def _is_url(text: str) -> bool:
    """Whether it is an address at which a peer can listen: guests' other URLs are never connected to."""
    if text == NOWHERE:
        return True
    if len(text) > MAX_URL_CHARACTERS or _GIT_URL.fullmatch(text) is None:
        return False
    try:
        parse_host(text)
    except StoreError:
        return False
    return True
