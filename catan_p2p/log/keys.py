"""Ed25519 keys in the spelling of SSH: public ones in a game's file ``players``, private ones in a player's own file.

A public key is the base64 word of a line ``ssh-ed25519 <word>``, as ``ssh-keygen`` writes it into a ``.pub`` file. A
private key is a file that ``ssh-keygen`` could have written, without a passphrase.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from catan_p2p.limits import MAX_KEY_FILE_BYTES
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.text_files import open_file

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY_TYPE = "ssh-ed25519"
_TYPE = KEY_TYPE.encode()
_HEAD = struct.pack(">I", len(_TYPE)) + _TYPE + struct.pack(">I", 32)


def is_public_key(text: str) -> bool:
    """Whether a word is an Ed25519 public key in SSH's spelling."""
    try:
        blob = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False
    # base64 has several spellings of the same bytes; only one of them is a key's word.
    return len(blob) == len(_HEAD) + 32 and blob.startswith(_HEAD) and base64.b64encode(blob).decode() == text


def public_key_blob(text: str) -> bytes:
    """Return the bytes that a public key's word spells."""
    return base64.b64decode(text)


def public_key_bytes(text: str) -> bytes:
    """Return the 32 bytes of the point itself."""
    return public_key_blob(text)[len(_HEAD) :]


def spell_public_key(key: Ed25519PrivateKey) -> str:
    """Return the word for the public half of a key."""
    return base64.b64encode(_HEAD + key.public_key().public_bytes_raw()).decode()


def key_secret(key: Ed25519PrivateKey) -> bytes:
    """Return the 32 bytes of the private half of a key, from which its player's shares of draws are made."""
    return key.private_bytes_raw()


def parse_public_key_file(text: str, where: str) -> str:
    """Parse the word in a ``.pub`` file or a line of that form; ``StoreError`` names ``where`` if it is not one."""
    fields = text.split()
    if len(fields) < 2 or fields[0] != KEY_TYPE or not is_public_key(fields[1]):
        raise StoreError(f"{where}: not an Ed25519 public key, expected: {KEY_TYPE} AAAA...")
    return fields[1]


Entropy: TypeAlias = Callable[[int], bytes]
"""Returns this many bytes that nobody can predict."""


def new_private_key(seed: bytes | None = None, entropy: Entropy = os.urandom) -> Ed25519PrivateKey:
    """Make a key: from a seed of 32 bytes, or a fresh one."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(entropy(32) if seed is None else seed)


def write_private_key(key: Ed25519PrivateKey, path: Path) -> None:
    """Write a key to a new file that only its owner can read: whole or not at all.

    ``StoreError`` if there is one already.
    """
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    data = key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
    beside = _beside(path)
    with disk.explained("write the key", path):
        disk.remove(beside)
        # A link, unlike a rename, fails if the file exists: an existing key must never be lost.
        _write_secret(beside, data)
        try:
            os.link(beside, path)
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            _write_secret(path, data)
        finally:
            disk.remove(beside)
        disk.sync_folder(path.parent)


def remove_unfinished_key(path: Path) -> None:
    """Remove the temporary file that an interruption has left beside a finished key."""
    with disk.explained("remove", _beside(path)):
        disk.remove(_beside(path))


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.new")


def _write_secret(path: Path, data: bytes) -> None:
    # Private from the start, not only after it was written.
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        disk.sync(file.fileno())


def read_private_key(path: Path) -> Ed25519PrivateKey:
    """Read the key in a file; ``StoreError`` says why there is none."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    try:
        with open_file(path, MAX_KEY_FILE_BYTES) as file:
            # Editors on Windows may put a byte order mark first.
            key = load_ssh_private_key(file.read().removeprefix(codecs.BOM_UTF8), None)
    except OSError as error:
        raise StoreError(f"{path}: cannot read the key: {error.strerror or error}") from error
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise StoreError(f"{path}: expected an SSH private key without a passphrase") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise StoreError(f"{path}: expected an Ed25519 key")
    return key
