"""The group in which cards are sealed: ristretto255 (RFC 9496) of libsodium, points and scalars in their one spelling.

A point is its 32 bytes. All points from others pass through ``ByteReader.point``, so every function here assumes that
its points are valid. A scalar is a number from 0 to ``ORDER`` - 1, encoded as 32 bytes, little-endian.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha512
from pathlib import Path
from typing import Any, TypeAlias

from catan_p2p.game.cards import DEV_CARDS, RESOURCES

Point: TypeAlias = bytes
Scalar: TypeAlias = int

ORDER = 2**252 + 27742317777372353535851937790883648493
SIZE_BYTES = 32
"""Of a point, and of a scalar."""
IDENTITY: Point = bytes(SIZE_BYTES)
BASE: Point = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")
"""The generator of RFC 9496, section 4.4. Blinding factors and keys are multiples of it."""

_GENERATOR = "catan-p2p generator 1"


class MissingLibrary(ImportError):
    """The package that brings libsodium is not installed; the message says which command installs it."""


class MalformedBytes(ValueError):
    """Bytes that are not what they should be; the message names the part and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class ProofRefused:
    """The refusal of a message from another player."""

    reason: str


@cache
def _library() -> Any:
    try:
        with warnings.catch_warnings():
            # Python 3.14 warns of a file that rbcl leaves open.
            warnings.simplefilter("ignore", ResourceWarning)
            import rbcl
    except ModuleNotFoundError:
        raise MissingLibrary(
            "hidden hands need rbcl, which is not installed: pip install 'catan-p2p[hidden]'"
        ) from None
    # rbcl writes libsodium to a new temporary file at every start, and leaves it there. Windows does not let go of it.
    with suppress(OSError):
        Path(sys.modules["rbcl._sodium"].lib_path).unlink()
    return rbcl


def need_library() -> None:
    """Raise ``MissingLibrary`` if the group's library is not installed: before a game begins that needs it."""
    _library()


def times(factor: Scalar, point: Point) -> Point:
    """A multiple of a point."""
    # libsodium refuses a product that is the identity.
    if factor == 0 or point == IDENTITY:
        return IDENTITY
    spelled = spell(factor)
    if point == BASE:
        return bytes(_library().crypto_scalarmult_ristretto255_base(spelled))
    return bytes(_library().crypto_scalarmult_ristretto255(spelled, point))


def plus(one: Point, other: Point) -> Point:
    """The sum of two points."""
    return bytes(_library().crypto_core_ristretto255_add(one, other))


def minus(one: Point, other: Point) -> Point:
    """The difference of two points."""
    return bytes(_library().crypto_core_ristretto255_sub(one, other))


def total(points: Iterable[Point]) -> Point:
    """The sum of points, the identity if there are none."""
    found = IDENTITY
    for point in points:
        found = point if found == IDENTITY else plus(found, point)
    return found


def combined(factors: Iterable[Scalar], points: Iterable[Point]) -> Point:
    """The sum of multiples of points; each distinct point is multiplied only once."""
    sums: dict[Point, Scalar] = {}
    for factor, point in zip(factors, points, strict=True):
        sums[point] = (sums.get(point, 0) + factor) % ORDER
    return total(times(factor, point) for point, factor in sums.items())


def spell(scalar: Scalar) -> bytes:
    """The bytes of a scalar."""
    return scalar.to_bytes(SIZE_BYTES, "little")


def scalar_of(digest: bytes) -> Scalar:
    """The scalar of 64 uniform bytes; its deviation from uniform is below 2^-250."""
    return int.from_bytes(digest, "little") % ORDER


@cache
def generator(name: str) -> Point:
    """A point made from a fixed text, so that nobody knows its logarithm to any other generator."""
    digest = sha512(f"{_GENERATOR}\n{name}\n".encode()).digest()
    return bytes(_library().crypto_core_ristretto255_from_hash(digest))


@cache
def resource_points() -> tuple[Point, ...]:
    """The generator of each resource, in the order of ``RESOURCES``."""
    return tuple(generator(f"resource {name}") for name in RESOURCES)


@cache
def dev_card_points() -> tuple[Point, ...]:
    """The generator of each kind of development card, in the order of ``DEV_CARDS``."""
    return tuple(generator(f"card {name}") for name in DEV_CARDS)


class ByteReader:
    """Reads bytes from another player part by part; ``MalformedBytes`` names the faulty part."""

    def __init__(self, data: bytes, size: int) -> None:
        if len(data) != size:
            raise MalformedBytes(f"{len(data)} bytes, expected {size}")
        self._data = data
        self._at = 0

    def take(self, count: int) -> bytes:
        """The next bytes as they are."""
        self._at += count
        return self._data[self._at - count : self._at]

    def point(self, name: str) -> Point:
        """The next point: not the identity, and in its one spelling."""
        data = self.take(SIZE_BYTES)
        if data == IDENTITY:
            raise MalformedBytes(f"{name} is the identity")
        # libsodium 1.0.18, which rbcl brings, overlooks the highest bit.
        if data[-1] >> 7 or not _library().crypto_core_ristretto255_is_valid_point(data):
            raise MalformedBytes(f"{name} is not a point in its one spelling")
        return data

    def points(self, count: int, name: str) -> tuple[Point, ...]:
        """So many points."""
        return tuple(self.point(f"{name} {number}") for number in range(1, count + 1))

    def scalar(self, name: str) -> Scalar:
        """The next scalar: not zero, and below the order of the group."""
        found = int.from_bytes(self.take(SIZE_BYTES), "little")
        # An honest scalar is zero only with a chance of 2^-252.
        if found == 0:
            raise MalformedBytes(f"{name} is zero")
        if found >= ORDER:
            raise MalformedBytes(f"{name} is not below the order of the group")
        return found

    def scalars(self, count: int, name: str) -> tuple[Scalar, ...]:
        """So many scalars."""
        return tuple(self.scalar(f"{name} {number}") for number in range(1, count + 1))


def joined(points: Iterable[Point], scalars: Sequence[Scalar] = ()) -> bytes:
    """Points, then scalars, as ``ByteReader`` takes them apart."""
    return b"".join((*points, *(spell(scalar) for scalar in scalars)))
