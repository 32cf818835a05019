"""An invitation to a table: one line that says where the table is, whose it is, and that its holder was invited.

    https://git.example.org/friends/table.git#catan-0-<43 letters>
    git://192.168.1.5:9401/#direct-0-<43 letters>

The second form is for a table without a relay, whose host waits at that address. The URL is followed by the number of
the game and 32 bytes in base64: the first 16 of the SHA-256 of the host's public key, and 16 random ones. By the first,
guests recognize the host's records; by the second, the host recognizes those of guests. The relay never sees the second
part, so it cannot take a seat in anybody's place.
"""

import base64
import hashlib
import hmac
import re
from typing import NamedTuple

from catan_p2p.limits import MAX_INVITATION_CHARACTERS
from catan_p2p.log.keys import public_key_blob

_PIN_BYTES = 16
_FORM = re.compile(r"(?P<url>.+)#(?P<kind>catan|direct)-(?P<number>0|[1-9]\d{0,8})-(?P<words>[A-Za-z0-9_-]{43})")
_STRANGE = re.compile("-|[A-Za-z0-9+.-]+::")
"""Texts that would be options, or make Git run a program (``ext::``), if used as URLs."""

_TWICE = re.compile(r"#(catan|direct)-\d")
"""Never part of a URL, but of two invitations in a row."""


class Invitation(NamedTuple):
    """The parts of an invitation."""

    url: str
    number: int
    pin: bytes
    """The first bytes of the digest of the host's public key."""
    secret: bytes
    is_direct: bool = False
    """Whether the URL is the host's own address rather than a relay."""

    def __str__(self) -> str:
        words = base64.urlsafe_b64encode(self.pin + self.secret).decode().rstrip("=")
        return f"{self.url}#{'direct' if self.is_direct else 'catan'}-{self.number}-{words}"

    def is_from(self, key: str) -> bool:
        """Whether the holder of this public key wrote it."""
        return hmac.compare_digest(self.pin, pin_of(key))

    @property
    def seal(self) -> str:
        """The host's proof of knowing the secret: a guest with another secret has a wrong invitation."""
        return hmac.new(self.secret, f"catan-p2p table\n{self.number}\n".encode(), hashlib.sha256).hexdigest()

    def opens(self, seal: str) -> bool:
        """Whether it is intact, as far as the host's seal shows."""
        # Older hosts published no seal.
        return not seal or hmac.compare_digest(self.seal.encode(), seal.encode())

    def proof(self, colour: str, key: str, url: str) -> str:
        """The proof that the player who takes a seat with a key, reachable at a URL, was invited."""
        words = f"catan-p2p seat\n{self.number}\n{colour}\n{key}\n{url}\n"
        return hmac.new(self.secret, words.encode(), hashlib.sha256).hexdigest()


def pin_of(key: str) -> bytes:
    """The part of an invitation that identifies the host's public key."""
    return hashlib.sha256(public_key_blob(key)).digest()[:_PIN_BYTES]


def parse_invitation(text: str) -> Invitation | None:
    """Parse an invitation, None if the line is not one."""
    match = _FORM.fullmatch(text.strip()) if len(text) <= MAX_INVITATION_CHARACTERS else None
    if match is None or not text.strip().isprintable() or _STRANGE.match(match["url"]) or _TWICE.search(match["url"]):
        return None
    if match["kind"] == "direct" and not match["url"].startswith("git://"):
        return None
    # 43 characters of base64 need one of padding for 32 bytes.
    words = base64.urlsafe_b64decode(match["words"] + "=")
    pin, secret = words[:_PIN_BYTES], words[_PIN_BYTES:]
    return Invitation(match["url"], int(match["number"]), pin, secret, match["kind"] == "direct")


def is_mangled(text: str) -> bool:
    """Whether a line was meant to be an invitation, but was cut off, wrapped or changed when it was copied."""
    return parse_invitation(text) is None and re.search(r"#\s*(catan|direct|cata?$|dire?c?$)", text) is not None
