"""Takes a seat at a table, over a relay or at the host's own address.

A guest publishes their key, waits for the root of the game, and joins it; see ``hosting`` for the other side.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from catan_p2p.game.board import DRAWN_MAPS
from catan_p2p.game.constants import UnsupportedRules
from catan_p2p.game.rule_names import rules_named
from catan_p2p.log.game import FORMAT, GameDefinition, chosen_name_problem, default_name
from catan_p2p.log.keys import Entropy, spell_public_key
from catan_p2p.log.reading import read_game
from catan_p2p.log.refs import HEADS
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.transport.remote import BadFetch, NotThereYet, RemoteUnreachable, local_path
from catan_p2p.log.transport.serve import Address, is_same_address, knock, parse_host, reached_at, spell_address
from catan_p2p.log.verdict import CommitRejected
from catan_p2p.sealing.group import MissingLibrary, need_library
from catan_p2p.tables.claiming import SeatClaimer, SeatUnavailable
from catan_p2p.tables.guests import Ask, addresses, nobody, was_invited
from catan_p2p.tables.invitation import Invitation
from catan_p2p.tables.joining import join_game
from catan_p2p.tables.map_drawing import NUMBER, is_drawn, nonce_drawn, number_ref, say_once, seats_said
from catan_p2p.tables.map_nonce import NUMBER_BYTES
from catan_p2p.tables.records import NOWHERE, TERMS, BadRecord, SeatClaim, TableTerms, parse_seat, parse_terms
from catan_p2p.tables.seat import SeatSettings
from catan_p2p.tables.terms import ExpectedTerms, computers_in_words, declined, terms_of
from catan_p2p.tables.waiting_folder import leave_room, room_folder
from catan_p2p.tables.waiting_room import (
    TableLooks,
    Told,
    WaitingRoom,
    begun_game,
    check_role,
    patiently,
    table_ref,
    waiting_room,
)

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


_COPY_IT = "copy the whole line that the host has sent"
_SAME_VERSION = "all players need the same one"


def take_seat(
    path: Path,
    invitation: Invitation,
    colour: str,
    key: Ed25519PrivateKey | None,
    expected: ExpectedTerms,
    tell: Told,
    listen: Address | None = None,
    ask: Ask = nobody,
    name: str | None = None,
) -> tuple[GameDefinition, ObjectId]:
    """Take a seat at the table of an invitation and wait until the game begins; returns the game and its root commit.

    At a table without a relay the others must know where this player will be: ``listen``; ``ask`` is asked about other
    guests' addresses that are not the host's. ``name`` is what the player is called. The seat is made at ``path``.
    ``StoreError`` if the seat is taken, or the host begins another game than was offered.
    """
    if name is not None and (problem := chosen_name_problem(name, colour)) is not None:
        raise StoreError(problem)
    # Interrupted after the seat was made and before the room was removed: only that is left to do.
    if (begun := begun_game(path, invitation=str(invitation))) is not None:
        leave_room(path)
        return begun
    try:
        joined = _join(path, invitation, colour, key, expected, tell, listen, ask, name)
    except SeatUnavailable:
        leave_room(path)
        raise
    leave_room(path)
    return joined


def look_at_table(invitation: Invitation, tell: Told | None = None) -> tuple[TableTerms, tuple[str, ...]]:
    """The terms of the table of an invitation, and the colours of the free seats. Nothing is pushed.

    ``StoreError`` if there is no such table, or it cannot be reached. What has not arrived yet is waited for if
    somebody is told so, else ``NotThereYet``.
    """
    _check_is_here(invitation)
    with TemporaryDirectory() as folder, waiting_room(Path(folder) / "seat", invitation.url, {}) as room:
        read = partial(_read_terms, room, invitation)
        terms = read() if tell is None else _once_there(TableLooks(room, tell), read)
        refs = {colour: table_ref(invitation.number, colour) for colour in terms.colours[1:]}
        taken = room.heads(*refs.values())
        played = dict(terms.computers)
        return terms, tuple(colour for colour, ref in refs.items() if ref not in taken and colour not in played)


def _check_is_here(invitation: Invitation) -> None:
    """Raise ``StoreError`` if the relay is a folder that is not on this machine: copies can have different paths."""
    path = local_path(invitation.url)
    if path is not None and not path.exists():
        raise StoreError(
            f"{invitation.url}: no such folder on this machine; if a sync service keeps a copy of it here, write the "
            "path of the copy before the # of the invitation"
        )


def offered_words(terms: TableTerms) -> str:
    """Everything the host offers, in words: the terms, and the seats that the host's machine plays."""
    if not terms.computers:
        return terms.words
    rules = rules_named(terms.rules, len(terms.colours), may_be_hidden=True)
    return "; ".join([terms.words, *computers_in_words(dict(terms.computers), terms.colours, rules, terms.name)])


def _join(
    path: Path,
    invitation: Invitation,
    colour: str,
    key: Ed25519PrivateKey | None,
    expected: ExpectedTerms,
    tell: Told,
    listen: Address | None,
    ask: Ask,
    name: str | None,
    entropy: Entropy = os.urandom,
) -> tuple[GameDefinition, ObjectId]:
    own_url = NOWHERE
    _check_is_here(invitation)
    if invitation.is_direct:
        if listen is None:
            raise StoreError(
                f"{invitation.url}: a table without a relay: give --listen HOST:PORT, so that others can reach you"
            )
        host = parse_host(invitation.url)
        own_url = f"git://{reached_at(listen, host)}/"
        if is_same_address(parse_host(own_url), host):
            raise StoreError(
                f"{own_url}: the host has this address; give another one, or another port, with --listen HOST:PORT"
            )
    agreed: dict[str, object] = {
        "host": False,
        "relay": invitation.url,
        "invitation": str(invitation),
        "colour": colour,
        "name": name,
    }
    # Drawn now and kept: after an interruption it must be the number of the published commitment.
    agreed["map_number"] = entropy(NUMBER_BYTES).hex()
    agreed["port"] = None if listen is None else listen[1]
    with waiting_room(path, invitation.url, agreed, key) as room:
        check_role(room, path, is_host=False)
        if (room.agreed["invitation"], room.agreed["colour"]) != (str(invitation), colour):
            raise StoreError(
                f"{path}: {room.agreed['colour']} is waiting for another game there; "
                f"choose another folder, or remove {room_folder(path)}"
            )
        wait, read = TableLooks(room, tell), partial(_read_terms, room, invitation)
        # A player who comes back may be there before the host; one who was never there may have a wrong address.
        has_been_here = room.store.own_ref(table_ref(invitation.number, colour)) is not None
        terms = patiently(wait, read) if has_been_here else _once_there(wait, read)
        if colour not in terms.colours[1:]:
            raise SeatUnavailable(
                f"{invitation.url}: no seat for {colour}, expected one of {', '.join(terms.colours[1:])}"
            )
        if colour in dict(terms.computers):
            raise SeatUnavailable(f"{invitation.url}: a computer plays {colour}; choose a free seat")
        _check_library(terms)
        tell("; ".join([f"a game of {', '.join(terms.colours)}: {offered_words(terms)}", *declined(terms.words)]))
        if terms.drawn is not None and "map_number" not in room.agreed:  # a seat taken before there was such a map
            raise StoreError(
                f"{path}: the seat was taken with an older version of catan-p2p, which cannot draw the map with all; "
                f"remove {room_folder(path)}, and take the seat again"
            )
        if invitation.is_direct:
            room.knock = partial(_knock, parse_host(invitation.url))
        claim = SeatClaimer(room, invitation, colour, own_url)
        claim.take(wait)
        tell(f"{colour} has a seat; waiting for {terms.colours[0]} to begin")
        root = _wait_for_root(room, invitation, terms, claim, wait, tell)
        settings = SeatSettings(colour, int.from_bytes(room.entropy(16), "big"), computers=dict(terms.computers))
        if listen is not None:
            settings.listen = spell_address(listen)
        if invitation.is_direct:
            others = patiently(wait, partial(_other_guests, room, invitation, terms, colour))
            came = dict.fromkeys(others, parse_host(invitation.url)[0])
            taken = [parse_host(invitation.url), parse_host(own_url)]
            settings.remotes = {terms.colours[0]: invitation.url, **addresses(others, came, taken, path, ask, tell)}
        else:
            settings.relay = invitation.url
        # The game at the address must be the one that was checked, not one begun meanwhile.
        expected = replace(expected, root=root)
        return patiently(wait, partial(join_game, invitation.url, path, settings, room.key, expected))


def _knock(host: Address, said: bytes) -> None:
    if not knock(*host, said):
        raise RemoteUnreachable(f"git://{host[0]}:{host[1]}/: the host does not answer")


def _other_guests(room: WaitingRoom, invitation: Invitation, terms: TableTerms, colour: str) -> dict[str, SeatClaim]:
    """The claims of the other guests who were invited."""
    refs = {table_ref(invitation.number, other): other for other in terms.colours[1:] if other != colour}
    claims = room.records(room.heads(*refs), parse_seat)
    return {
        refs[ref]: claim
        for ref, claim in claims.items()
        if isinstance(claim, SeatClaim) and was_invited(claim, refs[ref], invitation)
    }


def _read_terms(room: WaitingRoom, invitation: Invitation) -> TableTerms:
    ref = table_ref(invitation.number, TERMS)
    heads = room.heads(ref)
    if not heads:
        hint = "; if a sync service is still copying the folder, try again when it is done"
        raise SeatUnavailable(
            f"{invitation.url}: there is no table for this invitation{hint if room.remote.is_folder else ''}"
        )
    terms = room.record(ref, heads[ref], parse_terms)
    if isinstance(terms, BadRecord):
        raise SeatUnavailable(f"{invitation.url}: {ref}: {terms.why}")
    if not invitation.is_from(terms.key):
        raise SeatUnavailable(f"{invitation.url}: the table there is not the one of the invitation; {_COPY_IT}")
    if not invitation.opens(terms.seal):
        raise SeatUnavailable(f"{invitation.url}: the end of the invitation was changed; {_COPY_IT}")
    if (why := _why_another_version(terms)) is not None:
        raise SeatUnavailable(
            f"{invitation.url}: the table was opened by another version of catan-p2p: {why}; {_SAME_VERSION}"
        )
    if terms.drawn is not None and terms.drawn not in DRAWN_MAPS:
        raise SeatUnavailable(
            f"{invitation.url}: the players are to draw the map {terms.drawn}, which this program does not know"
        )
    return terms


def _once_there(wait: TableLooks, read: Callable[[], TableTerms]) -> TableTerms:
    """What ``read`` returns, once it has arrived."""
    try:
        return read()
    except NotThereYet:
        return patiently(wait, read)


def _why_another_version(terms: TableTerms) -> str | None:
    """What this program cannot read of the offered game; None if it can read it, as far as the host's words tell."""
    if terms.format not in ("", FORMAT):
        return f"its game has version {terms.format} of the log format, this program reads {FORMAT}"
    try:
        if terms.rules:
            rules_named(terms.rules, len(terms.colours), may_be_hidden=True)
    except UnsupportedRules as error:
        return str(error)
    return None


def _check_library(terms: TableTerms) -> None:
    """Raise ``SeatUnavailable`` before this player takes a seat in a game that this program could not play."""
    if terms.rules and rules_named(terms.rules, len(terms.colours), may_be_hidden=True).hands == "hidden":
        try:
            need_library()
        except MissingLibrary as error:
            raise SeatUnavailable(str(error)) from None


def _wait_for_root(
    room: WaitingRoom, invitation: Invitation, terms: TableTerms, claim: SeatClaimer, wait: TableLooks, tell: Told
) -> ObjectId:
    """The root of the game, once the host has written it; ``StoreError`` if it is not the offered game."""
    ref, colour = f"{HEADS}{terms.colours[0]}_{invitation.number}", claim.colour
    wait.at_once()
    while True:
        with wait:
            heads = room.heads(ref)
            if heads:
                nonce = None if terms.drawn is None else nonce_drawn(room, invitation.number, terms, colour)
                return _checked_root(room, heads, ref, terms, colour, nonce)
            if claim.renew():
                tell(f"{colour}: the claim of the seat has gone; it is made again")
            # Numbers are told only after all commitments, so that nobody can choose theirs by the others'.
            if terms.drawn is not None and seats_said(room, invitation.number, terms, colour) is not None:
                number = {"Number": room.agreed["map_number"]}
                say_once(room, number_ref(invitation.number, colour), NUMBER, number)


def _checked_root(
    room: WaitingRoom, heads: Mapping[str, ObjectId], ref: str, terms: TableTerms, colour: str, nonce: str | None
) -> ObjectId:
    try:
        room.remote.bring(heads)
    except BadFetch as error:
        raise RemoteUnreachable(str(error)) from None
    graph = read_game(heads[ref], room.remote.read)
    if isinstance(graph, CommitRejected) and graph.reason == "missing":
        raise room.awaits(f"what {ref} leads to")
    if isinstance(graph, CommitRejected):
        raise StoreError(f"{room.remote.url}: {graph}")
    game = graph.game
    keys = {seat.colour: seat.key for seat in game.seats}
    if keys.get(terms.colours[0]) != terms.key:
        raise StoreError(f"{room.remote.url}: {ref} is not the game of the host who wrote the invitation")
    if nonce is not None and not is_drawn(game.constants.board.map, room.remote.read(graph.root)[1], terms, nonce):
        raise StoreError(
            f"{room.remote.url}: {terms.colours[0]} has begun the game on another map than the one all drew together"
        )
    if tuple(keys) != terms.colours or terms_of(game, terms.drawn) != terms.words:
        raise StoreError(
            f"{room.remote.url}: {terms.colours[0]} has begun another game than the one offered: {terms_of(game)}"
        )
    if keys[colour] != spell_public_key(room.key):
        raise StoreError(f"{room.remote.url}: {terms.colours[0]} has begun the game with another key for {colour}")
    chosen = {terms.colours[0]: terms.name, colour: room.agreed.get("name")}
    for seat in game.seats:
        if seat.colour in chosen and seat.name not in (chosen[seat.colour], default_name(seat.colour, game.number)):
            raise StoreError(
                f"{room.remote.url}: {terms.colours[0]} has begun the game with another name for {seat.colour}"
            )
    return graph.root
