"""Signed commits in Git's SSH format, made and checked without starting a process.

The signed data is the commit object without its signature. ``git verify-commit`` and ``ssh-keygen -Y verify`` accept
the result. Format: PROTOCOL.sshsig of OpenSSH; namespace ``git``, digest SHA-512. Ed25519 is deterministic: the same
key and commit give the same signature, so the same object id.
"""

from __future__ import annotations

import base64
import hashlib
import struct
from functools import lru_cache
from typing import TYPE_CHECKING

from catan_p2p.log.authorship import Sign
from catan_p2p.log.commit import Commit
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.keys import KEY_TYPE, public_key_blob, public_key_bytes, spell_public_key

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

NAMESPACE = "git"
_MAGIC = b"SSHSIG"
_DIGEST = b"sha512"
_VERSION = 1
_SIGNATURE_BYTES = 64
# The length of line that ssh-keygen writes.
_LINE = 70
_BEGIN = "-----BEGIN SSH SIGNATURE-----\n"
_END = "-----END SSH SIGNATURE-----\n"


def _string(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


def _signed_bytes(payload: bytes) -> bytes:
    """Return the bytes that the key signs for a payload."""
    digest = hashlib.sha512(payload).digest()
    return _MAGIC + _string(NAMESPACE.encode()) + _string(b"") + _string(_DIGEST) + _string(digest)


@lru_cache(maxsize=64)
def _head(key: str) -> bytes:
    """Return the bytes before the signature itself, which are the same for all commits of a key."""
    head = _MAGIC + struct.pack(">I", _VERSION) + _string(public_key_blob(key))
    head += _string(NAMESPACE.encode()) + _string(b"") + _string(_DIGEST)
    kind = _string(KEY_TYPE.encode())
    return head + struct.pack(">I", len(kind) + 4 + _SIGNATURE_BYTES) + kind + struct.pack(">I", _SIGNATURE_BYTES)


def _armour(key: str, signature: bytes) -> str:
    text = base64.b64encode(_head(key) + signature).decode()
    return _BEGIN + "".join(f"{text[at : at + _LINE]}\n" for at in range(0, len(text), _LINE)) + _END


def signer(key: Ed25519PrivateKey) -> Sign:
    """A function that signs commits with a key."""
    word = spell_public_key(key)

    def sign(commit: Commit) -> Commit:
        return commit._replace(signature=_armour(word, key.sign(_signed_bytes(commit.payload()))))

    return sign


def is_signed_by(commit: Commit, key: str) -> bool:
    """Whether a commit is signed by a public key, in the one spelling that :func:`signer` produces."""
    from cryptography.exceptions import InvalidSignature

    if commit.signature is None:
        return False
    try:
        body = commit.signature.removeprefix(_BEGIN).removesuffix(_END).replace("\n", "")
        signature = base64.b64decode(body, validate=True)[-_SIGNATURE_BYTES:]
    except ValueError:
        return False
    # The armour has other spellings, and each would give the same commit another id.
    if _armour(key, signature) != commit.signature:
        return False
    try:
        _public_key(key).verify(signature, _signed_bytes(commit.payload()))
    except InvalidSignature:
        return False
    return True


@lru_cache(maxsize=64)
def _public_key(key: str) -> Ed25519PublicKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    return Ed25519PublicKey.from_public_bytes(public_key_bytes(key))


def allowed_signers(game: GameDefinition) -> str:
    """Return the file from which Git's own verification knows the players' keys: one line each."""
    return "".join(
        f'{seat.email} namespaces="{NAMESPACE}" {KEY_TYPE} {seat.key}\n' for seat in game.seats if seat.key is not None
    )
