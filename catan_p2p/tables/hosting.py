"""Opening a table and taking a seat at it, over a relay or at the host's own address.

The host claims a number, says the terms, and waits for the public key of every other player; then they write the root
of the game, which holds all keys, and the game has begun. A guest says their key and waits for that root. What is said
are signed records, commits of the empty tree, at ``refs/tables/<number>/``. A map that all draw together is drawn
between the last seat and the root, see ``tables.map_drawing``. Without a relay the
host serves them, and guests say theirs at the host's door; then the records also say where each player is to be found.
"""

from __future__ import annotations

import hmac
import os
import shutil
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from catan_p2p.game.board import DRAWN_MAPS, Map, board_of
from catan_p2p.game.constants import Constants
from catan_p2p.log.commit import decode_commit, trailers_of
from catan_p2p.log.game import Game, game_files, new_game, parse_game
from catan_p2p.log.keys import Entropy, spell_public_key
from catan_p2p.log.reading import find_root, read_root
from catan_p2p.log.refs import HEADS, local_ref, parse_branch
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import ObjectId, ObjectMissing, StoreError
from catan_p2p.log.storage.repository import create_repository
from catan_p2p.log.storage.store import Store
from catan_p2p.log.transport.queries import PushMove
from catan_p2p.log.transport.remote import BadFetch, Unreachable, local_path
from catan_p2p.log.transport.serve import Address, Server, is_same_host, knock, parse_host, spelled_address
from catan_p2p.log.transport.worker_remote import WorkerRemote
from catan_p2p.log.verdict import Rejected
from catan_p2p.tables.invitation import Invitation, pin_of
from catan_p2p.tables.joining import create_seat, join_game
from catan_p2p.tables.map_drawing import NUMBER_BYTES, commitment, is_commitment, map_of_nonce, nonce_of_map, opens
from catan_p2p.tables.records import (
    NOWHERE,
    SEAT,
    TERMS,
    Bad,
    Record,
    SeatClaim,
    Terms,
    parse_fields,
    parse_number,
    parse_seat,
    parse_terms,
)
from catan_p2p.tables.seat import SeatSettings
from catan_p2p.tables.status import read_status
from catan_p2p.tables.terms import Expected, map_in_words, rules_in_words
from catan_p2p.tables.waiting_room import (
    BRANCH_TABLES,
    TABLES,
    WaitingRoom,
    leave_room,
    own_repository,
    read_agreed,
    room_folder,
    table_ref,
    waiting_room,
)

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Told = Callable[[str], None]
"""Told what happens, a line each."""
Ask = Callable[[str], bool]
"""Asked a question; whether the answer is yes."""

_SEATS = "seats"
_NUMBER = "number"
_NUMBERS = "numbers"
_FOLDER_S, _SERVER_S = 0.2, 2.0
"""How often it is looked whether somebody has come."""
_TRIES = 20


class NoSeat(StoreError):
    """There is no seat to be had: nothing is kept of having tried."""


class _Waiting:
    """One look after the other: a pause between two, and what cannot be reached for a while is told and waited for."""

    def __init__(self, room: WaitingRoom, tell: Told) -> None:
        self._time = room.time
        self._pause_s = 0.0
        self._next_s = _FOLDER_S if room.remote.is_folder else _SERVER_S
        self._tell = tell
        self._trouble: str | None = None

    def __enter__(self) -> None:
        self._time.sleep(self._pause_s)
        self._pause_s = self._next_s

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        trouble = str(error) if isinstance(error, Unreachable) else None
        if trouble != self._trouble:
            self._tell(trouble or "reached again")
        self._trouble = trouble
        return trouble is not None


def _never(question: str) -> bool:
    """Nobody is there who could be asked."""
    return False


def terms_of(game: Game, drawn: str | None = None) -> str:
    """Rules and map of a game in words; ``drawn`` is the name of a map that all will draw together."""
    return f"{rules_in_words(game)}; {map_in_words(game) if drawn is None else f'map {drawn}, drawn by all together'}"


def _number_ref(number: int, colour: str) -> str:
    """``refs/tables/0/Blue-number``: what a player tells once everybody has committed to something."""
    return table_ref(number, f"{colour}-{_NUMBER}")


# The host


def open_table(
    path: Path,
    place: str | Address,
    constants: Constants,
    colours: Sequence[str],
    key: Ed25519PrivateKey | None,
    tell: Told,
    show: Callable[[Invitation, str], None],
    entropy: Entropy = os.urandom,
    drawn: str | None = None,
    ask: Ask = _never,
) -> Game:
    """Open a table at a relay, or at an address of this machine, for a seat at ``path``, until the game begins.

    A table that was opened for this seat goes on. A relay that is a folder which does not exist is made. ``show`` is
    given the invitation and what it is to, in words. With ``drawn``, the name of a map, all draw that map together, in
    the place of the one in ``constants``. ``ask`` is asked about a guest's address that is
    not where the guest came from. Returns the game, whose first player's seat is made.
    """
    relay = place if isinstance(place, str) else None
    if (begun := _begun(path, host=True)) is not None:
        if relay is not None:
            push_root(path, relay, begun[0], tell)
        leave_room(path)
        return begun[0]
    folder = None if relay is None else local_path(relay)
    if folder is not None and not folder.exists():
        _make_relay(folder)
    url = str(own_repository(path)) if relay is None else relay
    agreed: dict[str, object] = {"host": True, "relay": url, "secret": entropy(16).hex(), "colours": [*colours]}
    agreed["files"] = game_files(new_game(0, constants, colours))
    agreed |= {"drawn": drawn, "map_number": entropy(NUMBER_BYTES).hex()}
    with waiting_room(path, url, agreed, key) as room:
        _check_role(room, path, is_host=True)
        offered = parse_game(room.agreed["files"], 0)
        colours, constants = tuple(room.agreed["colours"]), offered.constants
        drawn = room.agreed.get("drawn")
        if "number" not in room.agreed:
            room.keep(number=_claim_patiently(room, offered, colours, tell))
        number = int(room.agreed["number"])
        word = spell_public_key(room.key)
        said: SimpleQueue[tuple[bytes, str]] = SimpleQueue()
        with ExitStack() as opened:
            if not isinstance(place, str):
                opened.enter_context(Server(room.store.folder, *place, door=lambda *knock: said.put(knock), tell=tell))
                url = f"git://{spelled_address(place)}/"
            invitation = Invitation(url, number, pin_of(word), bytes.fromhex(room.agreed["secret"]), relay is None)
            show(invitation, f"{', '.join(colours)}: {terms_of(offered, drawn)}")
            guests = _wait_for_guests(room, invitation, colours, tell, said)
            nonce = None if drawn is None else _draw_map_with(room, guests, number, colours, tell, said)
        if drawn is not None and nonce is not None:
            constants = replace(constants, board=board_of(map_of_nonce(drawn, nonce)))
        keys = {colour: claim.key for colour, claim in guests.items()}
        game = new_game(number, constants, colours, {colours[0]: word, **keys})
        settings = SeatSettings(colours[0], int.from_bytes(room.entropy(16), "big"), relay=relay)
        if relay is None:
            came = {colour: room.agreed.get("came", {}).get(table_ref(number, colour)) for colour in guests}
            settings.remotes = _addresses(guests, came, path, ask, tell)
        # Without a relay guests learn of each other from what was said, which the host's repository shows from now on.
        said_here = {} if relay is not None else room.store.list_refs(TABLES)
        kept = {ref: room.store.read(oid)[1] for ref, oid in said_here.items()}
        create_seat(path, game, settings, room.key, nonce=nonce, said=kept)
        if relay is not None:
            push_root(path, relay, game, tell)
    leave_room(path)
    return game


def _make_relay(folder: Path) -> None:
    """Make a folder that is to be a relay: whole or not at all, for it is made beside and renamed."""
    beside = folder.with_name(f".{folder.name}.new")
    with disk.explained("make the relay", folder):
        shutil.rmtree(beside, ignore_errors=True)
        create_repository(beside, work_tree=False, branch="main").close()
        disk.sync_tree(beside)
        beside.rename(folder)
        disk.sync_folder(folder.parent)


def _begun(path: Path, **agreed: object) -> tuple[Game, ObjectId] | None:
    """The game and the root at ``path``, if the seat was made just before an interruption, by this agreement."""
    kept = read_agreed(path)
    if kept is None or any(kept.get(name) != value for name, value in agreed.items()):
        return None
    if not path.is_dir() or not any(path.iterdir()):
        return None
    graph = read_status(path).graph
    return graph.game, graph.root


def _check_role(room: WaitingRoom, path: Path, *, is_host: bool) -> None:
    if room.agreed.get("host") != is_host or room.agreed.get("relay") != room.remote.url:
        raise StoreError(f"{path}: another table is waited for there; choose another folder, or remove {room.folder}")


class _Refused(StoreError):
    """What a relay does not take, by its settings or by a hook."""


def _claim_patiently(room: WaitingRoom, offered: Game, colours: Sequence[str], tell: Told) -> int:
    """The same as ``_claim``, tried until the relay takes the terms: who keeps it may change what a hook refuses."""
    told = None
    while True:
        try:
            return _claim(room, offered, colours)
        except _Refused as error:
            if str(error) != told:
                told = str(error)
                tell(f"{told}; ask who keeps the relay to let players push there; trying again until then")
        room.time.sleep(_FOLDER_S if room.remote.is_folder else _SERVER_S)


def _claim(room: WaitingRoom, offered: Game, colours: Sequence[str]) -> int:
    """Say the terms at the first number that nobody has, and have it."""
    drawn = room.agreed.get("drawn")
    terms = {"Colours": " ".join(colours), "Terms": terms_of(offered, drawn)}
    taken = set()
    for ref in (*room.remote.heads((), HEADS), *room.remote.heads((), TABLES)):
        if (branch := parse_branch(ref.removeprefix(HEADS))) is not None:
            taken.add(branch.game)
        elif (word := ref.removeprefix(BRANCH_TABLES).removeprefix(TABLES).partition("/")[0]).isdecimal():
            taken.add(int(word))
    number = 0
    for _ in range(_TRIES):
        while number in taken and not _is_own(room, number):
            number += 1
        if number in taken:
            return number
        room.keep(claims=number)
        if drawn is not None:
            terms |= {"Map": drawn, "Commitment": commitment(number, colours[0], room.agreed["map_number"])}
        why = room.say(table_ref(number, TERMS), TERMS, terms)
        if why is None:
            return number
        if not room.heads(table_ref(number, TERMS)):
            raise _Refused(f"{room.remote.url}: refuses {table_ref(number, TERMS)}: {why}")
        taken.add(number)
    raise StoreError(f"{room.remote.url}: {_TRIES} numbers of games in a row were taken by others")


def _is_own(room: WaitingRoom, number: int) -> bool:
    """Whether the terms at a number were said from this room, just before an interruption."""
    if room.agreed.get("claims") != number:
        return False
    ref = table_ref(number, TERMS)
    terms = room.records(room.heads(ref), parse_terms).get(ref)
    return isinstance(terms, Terms) and terms.key == spell_public_key(room.key)


def _addresses(
    claims: Mapping[str, SeatClaim], came: Mapping[str, str | None], path: Path, ask: Ask, tell: Told
) -> dict[str, str]:
    """The URLs at which other players are to be read: their own word.

    Who is found where they came from is read there; of any other place the user is asked.
    """
    found = {}
    for colour, claim in claims.items():
        if claim.address is None:
            continue
        is_known = came[colour] is not None and is_same_host(claim.address[0], came[colour] or "")
        if is_known or ask(f"{colour} says to be found at {claim.url}, and is not known to be there: read from there?"):
            found[colour] = claim.url
        else:
            tell(
                f"{colour} says to be found at {claim.url}: that is not used; "
                f"use it with: catan-p2p peer {path} --remote {colour}={claim.url}"
            )
    return found


def _wait_for_guests(
    room: WaitingRoom, invitation: Invitation, colours: Sequence[str], tell: Told, said: SimpleQueue[tuple[bytes, str]]
) -> dict[str, SeatClaim]:
    """What all other players have said, once all have come."""
    refs = {table_ref(invitation.number, colour): colour for colour in colours[1:]}
    found: dict[str, SeatClaim] = {}
    refused: set[ObjectId] = set()
    wait = _Waiting(room, tell)
    tell(f"{colours[0]} waits for {' and '.join(colours[1:])}")
    while len(found) < len(refs):
        with wait:
            while not said.empty():
                room.admit(*said.get(), refs)
            heads = {ref: head for ref, head in room.heads(*refs).items() if refs[ref] not in found}
            heads = {ref: head for ref, head in heads.items() if head not in refused}
            for ref, claim in room.records(heads, parse_seat).items():
                colour = refs[ref]
                taken = {*(other.key for other in found.values()), spell_public_key(room.key)}
                why = _why_refused(claim, colour, invitation, taken, bool(room.agreed.get("drawn")))
                if isinstance(claim, SeatClaim) and why is None:
                    found[colour] = claim
                    tell(f"{colour} has come ({1 + len(found)} of {len(colours)})")
                    continue
                refused.add(heads[ref])
                room.free(ref, heads[ref])
                tell(f"{colour}: {why}; it is free again")
    return found


def _draw_map_with(
    room: WaitingRoom,
    guests: Mapping[str, SeatClaim],
    number: int,
    colours: Sequence[str],
    tell: Told,
    said: SimpleQueue[tuple[bytes, str]],
) -> str:
    """Say what all have committed to, wait until everybody has told their number, and tell all: the root's nonce."""
    own = room.agreed["map_number"]
    seats = {colour: f"{guests[colour].key} {guests[colour].committed}" for colour in colours[1:]}
    seats[colours[0]] = f"{spell_public_key(room.key)} {commitment(number, colours[0], own)}"
    fixed = room.agreed.get("seats")
    if fixed is None:
        room.keep(seats=seats)
    elif fixed != seats:
        raise StoreError(f"{room.remote.url}: somebody has taken another seat since all were told who sits where")
    numbers = {colours[0]: own, **_wait_for_numbers(room, seats, number, colours, tell, said)}
    _say_once(room, table_ref(number, _NUMBERS), _NUMBERS, numbers)
    return nonce_of_map(number, numbers, colours)


def _wait_for_numbers(
    room: WaitingRoom,
    seats: Mapping[str, str],
    number: int,
    colours: Sequence[str],
    tell: Told,
    said: SimpleQueue[tuple[bytes, str]],
) -> dict[str, str]:
    refs = {_number_ref(number, colour): colour for colour in colours[1:]}
    found: dict[str, str] = {}
    wait = _Waiting(room, tell)
    tell("all are there; the map is being drawn by all together")
    while len(found) < len(refs):
        with wait:
            _say_once(room, table_ref(number, _SEATS), _SEATS, seats)
            while not said.empty():
                room.admit(*said.get(), refs, parse_number)
            heads = {ref: head for ref, head in room.heads(*refs).items() if refs[ref] not in found}
            for ref, record in room.records(heads, parse_number).items():
                colour = refs[ref]
                key, committed = seats[colour].split()
                told = "" if isinstance(record, Bad) or record["Key"] != key else record["Number"]
                if opens(number, colour, told, committed):
                    found[colour] = told
                else:
                    room.free(ref, heads[ref])
                    tell(f"{colour}: told another number than the one committed to, or somebody else did")
    return found


def _say_once(room: WaitingRoom, ref: str, kind: str, fields: Mapping[str, str]) -> None:
    """Put a record at a ref of the remote, unless there is one; what is said at a door appears later."""
    if not room.heads(ref):
        why = room.say(ref, kind, fields)
        if why is not None and not room.heads(ref):
            raise StoreError(f"{room.remote.url}: refuses {ref}: {why}")


def _why_refused(
    claim: SeatClaim | Bad, colour: str, invitation: Invitation, taken: Container[str], drawn: bool
) -> str | None:
    """Why a claim gives nobody a seat, None if it does."""
    if isinstance(claim, Bad):
        return claim.why
    if not _was_invited(claim, colour, invitation):
        return "somebody who was not invited has taken the seat"
    if claim.key in taken:
        return "with the key of another player"
    if claim.address is None and invitation.is_direct:
        return "without an address, at a table without a relay"
    if claim.address is not None and not invitation.is_direct:
        return "with an address, at a table with a relay"
    if drawn and not is_commitment(claim.committed):
        return "with a program that cannot take part in drawing the map"
    return None


def _was_invited(claim: SeatClaim, colour: str, invitation: Invitation) -> bool:
    proof = invitation.proof(colour, claim.key, claim.url)
    return claim.colour == colour and hmac.compare_digest(claim.proof, proof)


def push_root(path: Path, url: str, game: Game, tell: Told) -> None:
    """Push the log of a game's first player, which has only its root; the peer pushes what the relay does not take."""
    ref = local_ref(game.branch(1))
    with Store.open(path, writer=None) as store:
        head = store.read_ref(ref)
        remote = WorkerRemote(url, store.folder, store.folder / "catan-p2p" / "incoming" / "root")
        try:
            why = remote.push([PushMove(ref, None, head)]).get(ref)
            if why is not None and _has(store, remote.heads((ref,)).get(ref)):
                why = None  # it was pushed before an interruption, and its peer may have gone on from there
        except Unreachable:
            return  # the peer pushes it as soon as the relay can be reached
        finally:
            remote.close()
        if why is not None:
            tell(f"{url}: refuses {ref}: {why}; the peer tries it again")


def _has(store: Store, oid: ObjectId | None) -> bool:
    """Whether an object is in a store."""
    try:
        return oid is not None and bool(store.read(oid))
    except ObjectMissing:
        return False


# A guest


def take_seat(
    path: Path,
    invitation: Invitation,
    colour: str,
    key: Ed25519PrivateKey | None,
    expected: Expected,
    tell: Told,
    listen: Address | None = None,
    ask: Ask = _never,
) -> tuple[Game, ObjectId]:
    """Take a seat at the table of an invitation and wait until the game begins; the game and its root commit.

    At a table without a relay the others must know where this player will be: ``listen``; ``ask`` is asked about other
    guests' addresses that are not the host's. The seat is made at ``path``.
    ``StoreError`` if the seat is taken, or the host begins another game than was offered.
    """
    if (begun := _begun(path, invitation=str(invitation))) is not None:
        leave_room(path)
        return begun
    try:
        joined = _join(path, invitation, colour, key, expected, tell, listen, ask)
    except NoSeat:
        leave_room(path)
        raise
    leave_room(path)
    return joined


def _join(
    path: Path,
    invitation: Invitation,
    colour: str,
    key: Ed25519PrivateKey | None,
    expected: Expected,
    tell: Told,
    listen: Address | None,
    ask: Ask,
    entropy: Entropy = os.urandom,
) -> tuple[Game, ObjectId]:
    own_url = NOWHERE
    if invitation.is_direct:
        if listen is None:
            raise StoreError(
                f"{invitation.url}: a table without a relay: give --listen HOST:PORT, so that others find you"
            )
        host = parse_host(invitation.url)
        own_url = f"git://{spelled_address(listen, host)}/"
    agreed = {"host": False, "relay": invitation.url, "invitation": str(invitation), "colour": colour}
    agreed["map_number"] = entropy(NUMBER_BYTES).hex()
    with waiting_room(path, invitation.url, agreed, key) as room:
        _check_role(room, path, is_host=False)
        if (room.agreed["invitation"], room.agreed["colour"]) != (str(invitation), colour):
            raise StoreError(
                f"{path}: {room.agreed['colour']} waits for another game there; "
                f"choose another folder, or remove {room_folder(path)}"
            )
        wait = _Waiting(room, tell)
        terms = _read_terms(room, invitation)
        if colour not in terms.colours[1:]:
            raise NoSeat(f"{invitation.url}: no seat for {colour}, expected one of {', '.join(terms.colours[1:])}")
        tell(f"a game of {', '.join(terms.colours)}: {terms.words}")
        if terms.drawn is not None and "map_number" not in room.agreed:  # a seat taken before there was such a map
            raise StoreError(f"{path}: remove {room_folder(path)}, and take the seat again: the map is drawn by all")
        if invitation.is_direct:
            room.knock = partial(_knock, parse_host(invitation.url))
        _say_seat(room, invitation, colour, own_url, wait)
        tell(f"{colour} has a seat; waiting for {terms.colours[0]} to begin")
        root = _wait_for_root(room, invitation, terms, colour, wait)
        settings = SeatSettings(colour, int.from_bytes(room.entropy(16), "big"))
        if invitation.is_direct:
            others = _other_guests(room, invitation, terms, colour)
            came = dict.fromkeys(others, parse_host(invitation.url)[0])
            settings.remotes = {terms.colours[0]: invitation.url, **_addresses(others, came, path, ask, tell)}
        else:
            settings.relay = invitation.url
        return join_game(invitation.url, path, settings, room.key, replace(expected, root=root))


def _knock(host: Address, said: bytes) -> None:
    if not knock(*host, said):
        raise Unreachable(f"git://{host[0]}:{host[1]}/: the door is not opened")


def _other_guests(room: WaitingRoom, invitation: Invitation, terms: Terms, colour: str) -> dict[str, SeatClaim]:
    """What the other guests have said."""
    refs = {table_ref(invitation.number, other): other for other in terms.colours[1:] if other != colour}
    claims = room.records(room.heads(*refs), parse_seat)
    return {
        refs[ref]: claim
        for ref, claim in claims.items()
        if isinstance(claim, SeatClaim) and _was_invited(claim, refs[ref], invitation)
    }


def _read_terms(room: WaitingRoom, invitation: Invitation) -> Terms:
    ref = table_ref(invitation.number, TERMS)
    heads = room.heads(ref)
    if not heads:
        raise NoSeat(f"{invitation.url}: no table of this invitation there")
    terms = room.records(heads, parse_terms)[ref]
    if isinstance(terms, Bad):
        raise NoSeat(f"{invitation.url}: {ref}: {terms.why}")
    if not invitation.is_from(terms.key):
        raise NoSeat(f"{invitation.url}: what is there was not written by who wrote the invitation")
    if terms.drawn is not None and terms.drawn not in DRAWN_MAPS:
        raise NoSeat(f"{invitation.url}: all would draw the map {terms.drawn}, which this program does not know")
    return terms


def _say_seat(room: WaitingRoom, invitation: Invitation, colour: str, url: str, wait: _Waiting) -> None:
    """Take the seat, unless it was taken before the interruption."""
    ref, key = table_ref(invitation.number, colour), spell_public_key(room.key)
    record = {"Colour": colour, "Url": url, "Proof": invitation.proof(colour, key, url)}
    if "map_number" in room.agreed:
        record["Commitment"] = commitment(invitation.number, colour, room.agreed["map_number"])
    why = room.say(ref, SEAT, record) if not room.heads(ref) else None
    there: dict[str, ObjectId] = {}
    while not there and why is None:  # what was said at a door appears once the host has looked, or plays
        with wait:
            there = room.heads(ref)
            if not there:
                room.repeat(ref)
    if not (there := there or room.heads(ref)):
        raise StoreError(f"{invitation.url}: refuses {ref}: {why}")
    taken = room.records(there, parse_seat)[ref]
    if isinstance(taken, Bad) or taken.key != key:
        raise NoSeat(f"{invitation.url}: the seat of {colour} is taken")


def _wait_for_root(room: WaitingRoom, invitation: Invitation, terms: Terms, colour: str, wait: _Waiting) -> ObjectId:
    """The root of the game, once the host has written it; ``StoreError`` if it is not the game that was offered."""
    ref = f"{HEADS}{terms.colours[0]}_{invitation.number}"
    while True:
        with wait:
            heads = room.heads(ref)
            if heads:
                nonce = None if terms.drawn is None else _nonce_drawn(room, invitation.number, terms, colour)
                return _checked_root(room, heads, ref, terms, colour, nonce)
            if terms.drawn is not None and _seats_said(room, invitation.number, terms, colour) is not None:
                number = {"Number": room.agreed["map_number"]}
                _say_once(room, _number_ref(invitation.number, colour), _NUMBER, number)


def _seats_said(room: WaitingRoom, number: int, terms: Terms, colour: str) -> dict[str, str] | None:
    """What the host says everybody has committed to, by colour, if that holds what is known here; None if nothing yet.

    ``StoreError`` if it is not so: then nobody tells a number.
    """
    seats = _host_says(room, number, _SEATS, terms)
    if seats is None:
        return None
    committed = {one: seats.get(one, "").partition(" ")[2] for one in terms.colours}
    own = f"{spell_public_key(room.key)} {commitment(number, colour, room.agreed['map_number'])}"
    if committed[terms.colours[0]] != terms.committed or seats.get(colour) != own or not all(committed.values()):
        raise StoreError(
            f"{room.remote.url}: {terms.colours[0]} says that you or they have committed to another number"
        )
    if room.agreed.setdefault("committed", committed) != committed:
        raise StoreError(f"{room.remote.url}: {terms.colours[0]} says now that others have committed to other numbers")
    room.keep(committed=committed)
    return committed


def _nonce_drawn(room: WaitingRoom, number: int, terms: Terms, colour: str) -> str:
    """The nonce that the root must have, where all have drawn the map together."""
    committed = _seats_said(room, number, terms, colour)
    numbers = _host_says(room, number, _NUMBERS, terms)
    if committed is None or numbers is None:
        raise StoreError(f"{room.remote.url}: {terms.colours[0]} has begun without drawing the map with all")
    for one, promised in committed.items():
        if not opens(number, one, numbers.get(one, ""), promised):
            raise StoreError(f"{room.remote.url}: the map was drawn with another number than {one} has committed to")
    return nonce_of_map(number, numbers, terms.colours)


def _host_says(room: WaitingRoom, number: int, word: str, terms: Terms) -> Record | None:
    heads = room.heads(table_ref(number, word))
    if not heads:
        return None
    record = room.records(heads, partial(parse_fields, kind=word))[table_ref(number, word)]
    if isinstance(record, Bad) or record["Key"] != terms.key:
        raise StoreError(f"{room.remote.url}: {table_ref(number, word)} was not written by who wrote the invitation")
    return record


def _checked_root(
    room: WaitingRoom, heads: Mapping[str, ObjectId], ref: str, terms: Terms, colour: str, nonce: str | None
) -> ObjectId:
    try:
        room.remote.bring(heads)
    except BadFetch as error:
        raise Unreachable(str(error)) from None
    root = find_root(heads[ref], room.remote.read)
    graph = root if isinstance(root, Rejected) else read_root(root, room.remote.read)
    if isinstance(graph, Rejected):
        raise StoreError(f"{room.remote.url}: {graph}")
    game = graph.game
    keys = {seat.colour: seat.key for seat in game.seats}
    if keys.get(terms.colours[0]) != terms.key:
        raise StoreError(f"{room.remote.url}: {ref} is another's game than that of who wrote the invitation")
    if nonce is not None and not _is_drawn(game.constants.board.map, room.remote.read(graph.root)[1], terms, nonce):
        raise StoreError(f"{room.remote.url}: {terms.colours[0]} has begun on another map than all have drawn together")
    if tuple(keys) != terms.colours or terms_of(game, terms.drawn) != terms.words:
        raise StoreError(
            f"{room.remote.url}: {terms.colours[0]} has begun another game than was offered: {terms_of(game)}"
        )
    if keys[colour] != spell_public_key(room.key):
        raise StoreError(f"{room.remote.url}: {terms.colours[0]} has begun the game with another key for {colour}")
    return graph.root


def _is_drawn(map: Map, root: bytes, terms: Terms, nonce: str) -> bool:
    assert terms.drawn is not None
    told = trailers_of(decode_commit(root).message).get("Nonce")
    return told == nonce and map == map_of_nonce(terms.drawn, nonce)
