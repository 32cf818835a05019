"""A map that all players at a table draw together, so that none of them can choose it.

Every player commits to a number before any number is published: the host with the terms, a guest with the claim of a
seat. Once all seats are taken, the host publishes the commitments, each guest their number, and the host all numbers.
The root's nonce is made from them, and the map from that nonce, see ``map_nonce``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING

from catan_p2p.game.board import Map
from catan_p2p.log.commit import decode_commit, trailers_of
from catan_p2p.log.keys import spell_public_key
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.tables.map_nonce import commitment, map_of_nonce, nonce_of_map, opens
from catan_p2p.tables.records import BadRecord, Record, SeatClaim, TableTerms, parse_fields, parse_number
from catan_p2p.tables.waiting_room import TableLooks, Told, WaitingRoom, table_ref

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SEATS = "seats"
NUMBER = "number"
NUMBERS = "numbers"


def number_ref(number: int, colour: str) -> str:
    """``refs/tables/0/Blue-number``: the number that a player publishes once all have committed to theirs."""
    return table_ref(number, f"{colour}-{NUMBER}")


def draw_map_with(
    room: WaitingRoom,
    guests: Mapping[str, SeatClaim],
    number: int,
    colours: Sequence[str],
    tell: Told,
    said: SimpleQueue[tuple[bytes, str]],
    tell_numbers: Callable[[], None] = lambda: None,
) -> str:
    """Publish all commitments, wait until everybody has published their number, and publish all: the root's nonce.

    ``tell_numbers`` publishes those of the players that this machine also plays.
    """
    own = room.agreed["map_number"]
    seats = {colour: f"{guests[colour].key} {guests[colour].committed}" for colour in colours[1:]}
    seats[colours[0]] = f"{spell_public_key(room.key)} {commitment(number, colours[0], own)}"
    # Once commitments are published they are fixed: a new one could be chosen after other numbers are known.
    fixed = room.agreed.get("seats")
    if fixed is None:
        room.keep(seats=seats)
    elif fixed != seats:
        raise StoreError(
            f"{room.remote.url}: a player's key or commitment has changed since all of them were published"
        )
    numbers = {colours[0]: own, **_wait_for_numbers(room, seats, number, colours, tell, said, tell_numbers)}
    say_once(room, table_ref(number, NUMBERS), NUMBERS, numbers)
    return nonce_of_map(number, numbers, colours)


def _wait_for_numbers(
    room: WaitingRoom,
    seats: Mapping[str, str],
    number: int,
    colours: Sequence[str],
    tell: Told,
    said: SimpleQueue[tuple[bytes, str]],
    tell_numbers: Callable[[], None],
) -> dict[str, str]:
    refs = {number_ref(number, colour): colour for colour in colours[1:]}
    found: dict[str, str] = {}
    wait = TableLooks(room, tell)
    tell("everybody is here; all players draw the map together")
    while len(found) < len(refs):
        with wait:
            say_once(room, table_ref(number, SEATS), SEATS, seats)
            tell_numbers()
            while not said.empty():
                room.admit(*said.get(), refs, parse_number)
            heads = {ref: head for ref, head in room.heads(*refs).items() if refs[ref] not in found}
            for ref, record in room.records(heads, parse_number).items():
                colour = refs[ref]
                key, committed = seats[colour].split()
                # A number signed with another key is a stranger's, and counts as none.
                told = "" if isinstance(record, BadRecord) or record["Key"] != key else record["Number"]
                if opens(number, colour, told, committed):
                    found[colour] = told
                else:
                    room.free(ref, heads[ref])
                    tell(f"{colour}: a number was published in this player's name that the player has not committed to")
    return found


def say_once(
    room: WaitingRoom, ref: str, kind: str, fields: Mapping[str, str], key: Ed25519PrivateKey | None = None
) -> None:
    """Put a record at a ref of the remote, unless there is one; a record given at a door appears there later."""
    if not room.heads(ref):
        why = room.say(ref, kind, fields, key=key)
        if why is not None and not room.heads(ref):
            raise StoreError(
                f"{room.remote.url}: refuses {ref}: {why}; ask the owner of the relay to let players push there, then "
                "type the same command again"
            )


def seats_said(room: WaitingRoom, number: int, terms: TableTerms, colour: str) -> dict[str, str] | None:
    """The commitments that the host publishes, by colour, if they agree with what is known here; None if there are
    none.

    ``StoreError`` if they disagree: then nobody publishes a number.
    """
    seats = _host_says(room, number, SEATS, terms)
    if seats is None:
        return None
    committed = {one: seats.get(one, "").partition(" ")[2] for one in terms.colours}
    own = f"{spell_public_key(room.key)} {commitment(number, colour, room.agreed['map_number'])}"
    if committed[terms.colours[0]] != terms.committed or seats.get(colour) != own or not all(committed.values()):
        raise StoreError(
            f"{room.remote.url}: {terms.colours[0]} has published commitments that differ from yours or their own"
        )
    # A host who shows different guests different commitments could choose the map.
    if room.agreed.setdefault("committed", committed) != committed:
        raise StoreError(f"{room.remote.url}: {terms.colours[0]} has changed the published commitments of others")
    room.keep(committed=committed)
    return committed


def nonce_drawn(room: WaitingRoom, number: int, terms: TableTerms, colour: str) -> str:
    """The nonce that the root must have if all have drawn the map together."""
    committed = seats_said(room, number, terms, colour)
    numbers = _host_says(room, number, NUMBERS, terms)
    if committed is None or numbers is None:
        why = f"{terms.colours[0]} has begun the game without drawing the map with all players"
        if room.remote.is_folder:  # where the last file may arrive before those that were written earlier
            raise room.awaits(f"what shows whether {why}")
        raise StoreError(f"{room.remote.url}: {why}")
    for one, promised in committed.items():
        if not opens(number, one, numbers.get(one, ""), promised):
            raise StoreError(f"{room.remote.url}: the map was drawn with a number that {one} had not committed to")
    return nonce_of_map(number, numbers, terms.colours)


def _host_says(room: WaitingRoom, number: int, word: str, terms: TableTerms) -> Record | None:
    ref = table_ref(number, word)
    heads = room.heads(ref)
    if not heads:
        return None
    record = room.record(ref, heads[ref], partial(parse_fields, kind=word))
    if isinstance(record, BadRecord) or record["Key"] != terms.key:
        raise StoreError(f"{room.remote.url}: {ref} was not written by the host who wrote the invitation")
    return record


def is_drawn(map: Map, root: bytes, terms: TableTerms, nonce: str) -> bool:
    """Whether the root has the nonce that all have drawn, and the map that follows from it."""
    assert terms.drawn is not None
    told = trailers_of(decode_commit(root).message).get("Nonce")
    return told == nonce and map == map_of_nonce(terms.drawn, nonce)
