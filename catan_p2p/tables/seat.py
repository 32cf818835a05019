"""A player's seat on disk: the repository, and the player's private files beside the tracked ones.

Private files are in the folder ``catan-p2p`` inside the Git folder, which Git never sends to anybody: ``key`` (readable
by its owner only), ``seat.json`` (colour, secret seed, remotes), ``allowed_signers``.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from catan_p2p.game.chance import seed_secret
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.keys import key_secret, read_private_key, spell_public_key
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.transport.their_files import git_folder

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from catan_p2p.log.storage.store import Durability, GitStore


PRIVATE_FOLDER = "catan-p2p"
SETTINGS_FILE = "seat.json"
KEY_FILE = "key"
SIGNERS_FILE = "allowed_signers"
INCOMING_FOLDER = "incoming"
HEAD_NOTES = "heads"
"""The folder of ``data_folder`` for this machine's notes: see ``HeadNote``."""
CLOCKS = ("wall", "logical")


def data_folder() -> Path:
    """The folder of this user's games and settings; the variable ``CATAN_P2P_HOME`` names another one."""
    if given := os.environ.get("CATAN_P2P_HOME"):
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "catan-p2p"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "catan-p2p"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "catan-p2p"


@dataclass(slots=True)
class SeatSettings:
    """What a peer must know to go on after a restart."""

    colour: str
    seed: int
    """The source of the player's choices and chances; nobody else knows it."""
    clock: str = "wall"
    """``wall``: commits are dated with the time of day; ``logical``: with their place in the log."""
    policy: str | None = None
    remotes: dict[str, str] = field(default_factory=dict)
    """URL by colour."""
    relay: str | None = None
    """URL of a repository to which all players push their own branches."""
    listen: str | None = None
    """``HOST:PORT`` at which the repository is served during play: the address that the others know."""
    computers: dict[str, str] = field(default_factory=dict)
    """The computer players on the host's machine, as the host has announced: their policies by colour."""
    durable: bool = True
    """Whether what is shown survives a loss of power; a simulation can do without."""

    @property
    def sources(self) -> dict[str, str]:
        """The URL of every repository with parts of the game, by its owner."""
        if self.relay is None:
            return self.remotes
        # Imported here, since the lobby reads settings and leads no peer.
        from catan_p2p.replication.core.source import PLACE

        return self.remotes | {PLACE: self.relay}

    @property
    def durability(self) -> Durability:
        """The store's setting for ``durable``."""
        return "power" if self.durable else "process"


NO_SEAT = "none was taken by play, host, join or new-game; catan-p2p log, verify and watch read any game"
"""The remark on a repository that is nobody's seat, such as that of a simulated game."""


def private_folder(path: Path) -> Path:
    """The private folder of the repository at ``path``; ``StoreError`` if there is no repository."""
    return git_folder(path) / PRIVATE_FOLDER


def read_settings(path: Path) -> SeatSettings:
    """The settings of the seat at ``path``; ``StoreError`` if it is none."""
    file = private_folder(path) / SETTINGS_FILE
    try:
        raw = json.loads(file.read_text("utf-8"))
        settings = SeatSettings(**raw)
        if settings.clock not in CLOCKS or not isinstance(settings.seed, int):
            raise ValueError("the clock or the seed is invalid")
        if not isinstance(settings.remotes, dict) or not isinstance(settings.colour, str):
            raise ValueError("the colour or the remotes are invalid")
        if not isinstance(settings.computers, dict):
            raise ValueError("the computer players are invalid")
        if not isinstance(settings.listen, str | None):
            raise ValueError("the address to listen at is invalid")
    except FileNotFoundError:
        raise StoreError(f"{path}: not a player's seat: {NO_SEAT}") from None
    except OSError as error:
        raise StoreError(f"{file}: cannot read: {error.strerror or error}") from error
    except (ValueError, TypeError) as error:
        raise StoreError(
            f"{file}: not the settings of a seat: {error}; "
            "take the seat again with: catan-p2p join URL NEW_DIR --as COLOUR"
        ) from None
    return settings


def check_vacant(path: Path) -> None:
    """Raise ``StoreError`` if something is in the place of a new seat; for a seat it says how to go on."""
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        return
    try:
        colour = read_settings(path).colour
    except StoreError:
        raise StoreError(f"{path}: already exists and is not an empty folder") from None
    raise StoreError(
        f"{path}: {colour} has a seat there, in a game that has begun; "
        f"go on with: catan-p2p play {path}, or catan-p2p peer {path}"
    )


def write_settings(path: Path, settings: SeatSettings) -> None:
    """Write the settings of the seat at ``path``, whole or not at all."""
    write_private(private_folder(path) / SETTINGS_FILE, json.dumps(asdict(settings), indent=2) + "\n")


def write_private(file: Path, text: str) -> None:
    """Write a file that only its owner can read: whole or not at all, and durable."""
    beside = file.with_suffix(".new")
    with disk.explained("write", file):
        # The mode is set when the file is made: changed later, it could be read in between.
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            disk.sync(out.fileno())
        beside.replace(file)
        disk.sync_folder(file.parent)


def read_seat_key(path: Path) -> Ed25519PrivateKey | None:
    """The private key of the seat at ``path``, None if it has none."""
    file = private_folder(path) / KEY_FILE
    return read_private_key(file) if file.exists() else None


def read_secret(path: Path) -> bytes:
    """The secret from which the shares and sealed cards of the seat at ``path`` are made."""
    return secret_of(read_settings(path), read_seat_key(path))


def secret_of(settings: SeatSettings, key: Ed25519PrivateKey | None) -> bytes:
    """The same from the settings: the private key, or without one the seat's seed."""
    return seed_secret(settings.seed) if key is None else key_secret(key)


def incoming_folder(store: GitStore) -> Path:
    """Where remotes put objects that are fetched and not yet validated."""
    return store.folder / PRIVATE_FOLDER / INCOMING_FOLDER


def check_key(game: GameDefinition, player: int, key: Ed25519PrivateKey | None, where: str) -> None:
    """Refuse a key that is not the player's, or none where they have one; ``StoreError`` begins with ``where``."""
    seat = game.seats[player - 1]
    if seat.key is not None and (key is None or spell_public_key(key) != seat.key):
        problem = "no private key was given" if key is None else "the private key does not match it"
        raise StoreError(f"{where}: {seat.colour} has a key in this game: {problem}")
