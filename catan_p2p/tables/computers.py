"""The computer players with which the host of a table fills seats.

Each is a peer of the table like any other, with its own key, log and repository; the host's machine plays it. The host
claims their seats in the terms, which name them and are signed. Their repositories are beside the host's:
``catan-red.computers/Blue`` beside ``catan-red``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from catan_p2p.log.keys import Entropy, new_private_key, read_private_key, spell_public_key, write_private_key
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.transport.opening import open_client
from catan_p2p.log.transport.serve import Address, free_port, reached_at, spell_address
from catan_p2p.tables.invitation import Invitation
from catan_p2p.tables.joining import join_game
from catan_p2p.tables.map_drawing import NUMBER, number_ref, say_once
from catan_p2p.tables.map_nonce import NUMBER_BYTES, commitment
from catan_p2p.tables.records import NOWHERE, SEAT
from catan_p2p.tables.seat import SeatSettings, read_settings
from catan_p2p.tables.setup import STRENGTHS
from catan_p2p.tables.terms import ExpectedTerms
from catan_p2p.tables.waiting_folder import COMPUTERS_FOLDER, computers_folder, is_computers_folder, room_folder
from catan_p2p.tables.waiting_room import WaitingRoom, table_ref

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class BadComputers(ValueError):
    """An invalid way to fill seats with computer players; the message says what was expected."""


def computers_in(text: str, colours: Sequence[str], check: Callable[[str], str]) -> dict[str, str]:
    """The policies of the computer players that a text names, by colour: ``2``, ``2=easy``, ``Blue=easy,Green``.

    A number fills the last seats. ``check`` returns the policy that a name means, or raises ``ValueError``.
    """
    found: dict[str, str] = {}
    for part in text.split(","):
        who, separator, strength = (word.strip() for word in part.partition("="))
        policy = STRENGTHS.get(strength) or check(strength) if separator else STRENGTHS["strong"]
        seats = colours[-int(who) :] if who.isdecimal() and 0 < int(who) < len(colours) else [who.capitalize()]
        for colour in seats:
            if colour not in colours[1:] or colour in found:
                raise BadComputers(
                    f"{part.strip()!r}: expected a number, or colours from {', '.join(colours[1:])}, each once"
                )
            found[colour] = policy
    return checked_computers(found, colours)


def checked_computers(computers: Mapping[str, str], colours: Sequence[str]) -> dict[str, str]:
    """The same, in the order of seats; ``BadComputers`` if they leave no seat to a guest."""
    if len(computers) > len(colours) - 2:
        raise BadComputers(
            f"{len(computers)} of {len(colours)} players are computers: expected at least one seat for a guest; "
            "to play against computers alone, use catan-p2p play"
        )
    return {colour: computers[colour] for colour in colours if colour in computers}


def policies_in(agreed: Mapping[str, Any]) -> dict[str, str]:
    """The policies of the computer players of a table that waits for players, by colour."""
    return {colour: str(player["policy"]) for colour, player in agreed.get("computers", {}).items()}


def spell_computers(computers: Mapping[str, str]) -> str:
    """Format ``Blue=strategist Green=beginner``, as the terms have it."""
    return " ".join(f"{colour}={policy}" for colour, policy in computers.items())


def computer_seats(path: Path) -> list[Path]:
    """The repositories of the computer players that belong to the host's seat at ``path``."""
    folder, computers = computers_folder(path), read_settings(path).computers
    return [folder / colour for colour in computers if _is_there(folder / colour)]


def with_neighbours(path: Path, settings: SeatSettings) -> SeatSettings:
    """The settings of the seat at ``path``, with the folders of the seats that the same machine plays at its table.

    Their places are looked up anew, because the folders may have been moved since they were made.
    """
    if not settings.computers:
        return settings
    here = path.absolute()
    folder, others = computers_folder(here), {}
    if settings.colour in settings.computers and is_computers_folder(here.parent):
        folder = here.parent
        host = folder.with_name(folder.name.removesuffix(COMPUTERS_FOLDER))
        with suppress(StoreError):
            others[read_settings(host).colour] = str(host)
    others |= {colour: str(folder / colour) for colour in settings.computers if _is_there(folder / colour)}
    others.pop(settings.colour, None)
    return replace(settings, remotes={**settings.remotes, **others})


def _is_there(path: Path) -> bool:
    try:
        read_settings(path)
    except StoreError:
        return False
    return True


class ComputerGuests:
    """The computer players of a table that waits: they take seats like guests, from the host's waiting room."""

    def __init__(self, room: WaitingRoom, invitation: Invitation, listening: Address | None) -> None:
        self._room, self._invitation, self._listening = room, invitation, listening
        self._players: dict[str, dict[str, Any]] = room.agreed.get("computers", {})
        for colour, player in self._players.items():
            # Each value is made only once: after an interruption the records that were already made must stay true.
            if "map_number" not in player:
                player["map_number"] = room.entropy(NUMBER_BYTES).hex()
            if listening is not None and "port" not in player:
                player["port"] = free_port(listening[0])
            if not (key := _key_file(room.folder, colour)).exists():
                write_private_key(new_private_key(entropy=room.entropy), key)
        room.keep(computers=self._players)
        self.keys = {colour: spell_public_key(self._key(colour)) for colour in self._players}
        """Their public keys, by colour."""

    def _key(self, colour: str) -> Ed25519PrivateKey:
        return read_private_key(_key_file(self._room.folder, colour))

    def take_seats(self) -> None:
        """Take the seats that nobody has; ``RemoteUnreachable`` if the place to meet cannot be reached."""
        number = self._invitation.number
        refs = {table_ref(number, colour): colour for colour in self._players}
        there = self._room.heads(*refs) if refs else {}
        for ref, colour in refs.items():
            if ref not in there:
                player, key = self._players[colour], self.keys[colour]
                url = NOWHERE
                if self._listening is not None:
                    url = f"git://{reached_at((self._listening[0], player['port']))}/"
                record = {
                    "Colour": colour,
                    "Url": url,
                    "Proof": self._invitation.proof(colour, key, url),
                    "Commitment": commitment(number, colour, player["map_number"]),
                    "Name": computer_name(colour),
                }
                self._room.say(ref, SEAT, record, key=self._key(colour))

    def tell_numbers(self) -> None:
        """Publish the numbers for a map that all draw together, once all seats are announced."""
        for colour, player in self._players.items():
            ref = number_ref(self._invitation.number, colour)
            say_once(self._room, ref, NUMBER, {"Number": player["map_number"]}, self._key(colour))


def computer_name(colour: str) -> str:
    """The name of a computer player."""
    return f"{colour} (computer)"


def make_computer_seats(path: Path, agreed: Mapping[str, Any], root: ObjectId, entropy: Entropy = os.urandom) -> None:
    """Make the repositories of the computer players of the host's seat at ``path``; existing ones stay."""
    host = read_settings(path)
    for colour, player in agreed.get("computers", {}).items():
        place = computers_folder(path) / colour
        if _is_there(place):
            continue
        listen = None
        if host.listen is not None:
            listen = spell_address((host.listen.rpartition(":")[0].strip("[]"), player["port"]))
        settings = SeatSettings(
            colour,
            int.from_bytes(entropy(16), "big"),
            policy=player["policy"],
            remotes={other: url for other, url in host.remotes.items() if other not in host.computers},
            relay=host.relay,
            listen=listen,
            computers=host.computers,
        )
        key = read_private_key(_key_file(room_folder(path), colour))
        # Read in this process: it has made that repository.
        join_game(str(path.absolute()), place, settings, key, ExpectedTerms(root=root), opener=open_client)


def _key_file(room: Path, colour: str) -> Path:
    return room / f"{colour}.key"
