"""Opening a table, over a relay or at the host's own address.

The host claims a number, publishes the terms, and waits for the public key of every other player. Then they write the
root of the game, which holds all keys, and the game has begun. A guest publishes their key and waits for that root.
Everything is said in signed records, commits of the empty tree, at ``refs/tables/<number>/``. A map that all draw
together is drawn between the last seat and the root, see ``tables.map_drawing``. Without a relay the host serves the
records, and guests deliver theirs at the host's door; then the records also say where to find each player.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from catan_p2p.game.board import board_of
from catan_p2p.game.constants import Constants
from catan_p2p.game.rule_names import spell_rules
from catan_p2p.log.game import FORMAT, GameDefinition, chosen_name_problem, game_files, new_game, parse_game
from catan_p2p.log.keys import Entropy, spell_public_key
from catan_p2p.log.refs import HEADS, local_ref, parse_branch
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import ObjectId, ObjectMissing, StoreError
from catan_p2p.log.storage.repository import create_repository
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.transport.queries import PushMove
from catan_p2p.log.transport.remote import RemoteUnreachable, local_path
from catan_p2p.log.transport.serve import Address, RepositoryServer, parse_host, reached_at, spell_address
from catan_p2p.log.transport.worker_remote import WorkerRemote
from catan_p2p.sealing.group import need_library
from catan_p2p.tables.computers import ComputerGuests, make_computer_seats, policies_in, spell_computers
from catan_p2p.tables.guests import Ask, addresses, names_of, nobody, wait_for_guests
from catan_p2p.tables.invitation import Invitation, parse_invitation, pin_of
from catan_p2p.tables.joining import create_seat
from catan_p2p.tables.map_drawing import draw_map_with
from catan_p2p.tables.map_nonce import NUMBER_BYTES, commitment, map_of_nonce
from catan_p2p.tables.records import TERMS, TableTerms, parse_terms
from catan_p2p.tables.seat import SeatSettings
from catan_p2p.tables.status import read_status
from catan_p2p.tables.terms import computers_in_words, terms_of
from catan_p2p.tables.waiting_folder import leave_room, read_agreed
from catan_p2p.tables.waiting_room import (
    BRANCH_TABLES,
    TABLES,
    Told,
    WaitingRoom,
    begun_game,
    check_role,
    own_repository,
    table_ref,
    waiting_room,
)

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_TRIES = 20


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
    ask: Ask = nobody,
    name: str | None = None,
    *,
    computers: Mapping[str, str] | None = None,
    is_announced: bool = False,
    arrived: Callable[[str], None] = lambda colour: None,
) -> GameDefinition:
    """Open a table at a relay, or at an address of this machine, for a seat at ``path``, until the game begins.

    A table that was already opened for this seat is continued. A relay in a folder that does not exist is created.
    ``show`` is called with the invitation and the terms in words. With ``drawn``, the name of a map, all players draw
    that map together, instead of the one in ``constants``. ``ask`` is called about a guest who gives another address
    than the one they connected from. ``name`` is what the host is called. ``is_announced`` is stored, so that a program
    that continues announces the table, too. ``arrived`` is called with the colour of each guest who has come.
    ``computers`` are the policies of computer players that this machine plays, by colour; their seats are made, too.
    Returns the game, whose first player's seat is made. ``MissingLibrary`` if hands are hidden and the library for that
    is not installed.
    """
    relay = place if isinstance(place, str) else None
    # Before anything is published: a game that this machine cannot play must not begin.
    if constants.rules.hands == "hidden":
        need_library()
    # A seat that was made just before an interruption only needs its last steps.
    if (begun := begun_game(path, host=True)) is not None:
        if relay is not None:
            push_root(path, relay, begun[0], tell)
        make_computer_seats(path, read_agreed(path) or {}, begun[1])
        leave_room(path)
        return begun[0]
    if name is not None and (problem := chosen_name_problem(name, colours[0])) is not None:
        raise StoreError(problem)
    url = str(own_repository(path)) if relay is None else relay
    agreed: dict[str, object] = {"host": True, "relay": url, "secret": entropy(16).hex(), "colours": [*colours]}
    agreed["files"] = game_files(new_game(0, constants, colours))
    agreed |= {"drawn": drawn, "map_number": entropy(NUMBER_BYTES).hex(), "name": name}
    agreed["announced"] = is_announced
    agreed["computers"] = {colour: {"policy": policy} for colour, policy in (computers or {}).items()}
    if not isinstance(place, str):
        agreed["port"] = place[1]
    if relay is not None:
        _close_elsewhere(path, relay, tell)
    with waiting_room(path, url, agreed, key) as room:
        check_role(room, path, is_host=True)
        # A relay that goes away later, such as a disk that is not mounted, is waited for.
        if relay is not None and "claims" not in room.agreed and (folder := local_path(relay)) is not None:
            _make_relay(folder, tell)
        offered = parse_game(room.agreed["files"], 0)
        colours, constants = tuple(room.agreed["colours"]), offered.constants
        drawn = room.agreed.get("drawn")
        if "number" not in room.agreed:
            room.keep(number=_claim_patiently(room, offered, colours, tell))
        number = int(room.agreed["number"])
        word = spell_public_key(room.key)
        said: SimpleQueue[tuple[bytes, str]] = SimpleQueue()
        listening: Address | None = None
        with ExitStack() as opened:
            if not isinstance(place, str):
                door = opened.enter_context(
                    RepositoryServer(room.store.folder, *place, door=lambda *knock: said.put(knock), tell=tell)
                )
                room.store.tell_publications(door.published)
                listening = place[0], door.port
                url = f"git://{reached_at(listening)}/"
            invitation = Invitation(url, number, pin_of(word), bytes.fromhex(room.agreed["secret"]), relay is None)
            if parse_invitation(str(invitation)) != invitation:
                raise StoreError(f"{url}: an invitation cannot hold this address")
            machines = ComputerGuests(room, invitation, listening)
            # Without the relay they cannot come yet; the loop below lets them try again.
            with suppress(RemoteUnreachable):  # then they come once the others can be met
                machines.take_seats()
            players, name = policies_in(room.agreed), room.agreed.get("name")
            said_of_them = computers_in_words(players, colours, offered.constants.rules, name)
            show(invitation, "; ".join([f"{', '.join(colours)}: {terms_of(offered, drawn)}", *said_of_them]))
            guests = wait_for_guests(room, invitation, listening, colours, tell, said, arrived, machines)
            told = machines.tell_numbers
            nonce = None if drawn is None else draw_map_with(room, guests, number, colours, tell, said, told)
            came = {colour: room.agreed.get("came", {}).get(table_ref(number, colour)) for colour in guests}
            came |= dict.fromkeys(machines.keys, parse_host(url)[0] if listening is not None else None)
            # The door is still open meanwhile: guests see that they have a seat, however long the answer takes.
            remotes = {} if isinstance(place, str) else addresses(guests, came, [parse_host(url)], path, ask, tell)
        if drawn is not None and nonce is not None:
            constants = replace(constants, board=board_of(map_of_nonce(drawn, nonce)))
        keys = {colour: claim.key for colour, claim in guests.items()}
        names = names_of(colours[0], room.agreed.get("name"), guests, tell)
        hosted = [seat for seat, colour in enumerate(colours, 1) if colour in machines.keys]
        party = [(1, *hosted)] if hosted else []
        game = new_game(number, constants, colours, {colours[0]: word, **keys}, names, party, hosted)
        settings = SeatSettings(colours[0], int.from_bytes(room.entropy(16), "big"), relay=relay)
        settings.computers = policies_in(room.agreed)
        if not isinstance(place, str):
            settings.listen, settings.remotes = spell_address(place), remotes
        # Without a relay guests learn of each other from what was said, which the host's repository shows from now on.
        said_here = {} if relay is not None else room.store.list_refs(TABLES)
        kept = {ref: room.store.read(oid)[1] for ref, oid in said_here.items()}
        create_seat(path, game, settings, room.key, nonce=nonce, said=kept)
        if relay is not None:
            push_root(path, relay, game, tell)
        if machines.keys:
            make_computer_seats(path, room.agreed, read_status(path).graph.root)
    leave_room(path)
    return game


def _close_elsewhere(path: Path, relay: str, tell: Told) -> None:
    """Close the table that waits at another relay, if no guest has come: its relay was mistyped."""
    agreed = read_agreed(path) or {}
    elsewhere, computers = agreed.get("relay"), policies_in(agreed)
    if not agreed.get("host") or "port" in agreed or "number" not in agreed or elsewhere in (relay, None):
        return
    number, guests = int(agreed["number"]), [one for one in agreed["colours"][1:] if one not in computers]
    try:
        with waiting_room(path, str(elsewhere), {}) as room:
            if room.heads(*(table_ref(number, colour) for colour in guests)):
                return
            for name in (*computers, TERMS):
                room.withdraw(table_ref(number, name))
    except RemoteUnreachable:
        return  # somebody may be there
    leave_room(path)
    tell(f"{elsewhere}: the table there is closed, since nobody had come to it")


def _make_relay(folder: Path, tell: Told) -> None:
    """Make a relay unless the folder exists, whole or not at all: it is made under another name and renamed.

    ``StoreError`` within the files of another repository, such as another relay.
    """
    if folder.exists():
        return
    if (inside := next(filter(_is_git_folder, folder.absolute().parents), None)) is not None:
        raise StoreError(f"{folder}: lies within the repository {inside}; type the path of a folder outside of it")
    tell(f"{folder}: a new relay, since there is no such folder")
    beside = folder.with_name(f".{folder.name}.new")
    with disk.explained("make the relay", folder):
        shutil.rmtree(beside, ignore_errors=True)
        create_repository(beside, work_tree=False, branch="main")
        disk.sync_tree(beside)
        beside.rename(folder)
        disk.sync_folder(folder.parent)


def _is_git_folder(folder: Path) -> bool:
    """Whether Git keeps a repository's own files in a folder."""
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir()


class _RelayRefused(StoreError):
    """A relay refuses a push, by its settings or by a hook."""


def _claim_patiently(room: WaitingRoom, offered: GameDefinition, colours: Sequence[str], tell: Told) -> int:
    """Like ``_claim``, retried until the relay accepts the terms: its owner may change what a hook refuses."""
    told = None
    while True:
        try:
            return _claim(room, offered, colours)
        except _RelayRefused as error:
            if str(error) != told:
                told = str(error)
                tell(f"{told}; ask the owner of the relay to let players push there; this program keeps trying")
        room.pause()


def _claim(room: WaitingRoom, offered: GameDefinition, colours: Sequence[str]) -> int:
    """Publish the terms at the first free number, and return the number."""
    drawn = room.agreed.get("drawn")
    rules = spell_rules(offered.constants.rules, offered.constants.player_count)
    terms = {"Colours": " ".join(colours), "Terms": terms_of(offered, drawn), "Format": FORMAT, "Rules": rules}
    if (name := room.agreed.get("name")) is not None:
        terms["Name"] = name
    if computers := policies_in(room.agreed):
        terms["Computers"] = spell_computers(computers)
    taken = set()
    for ref in (*room.remote.heads((), HEADS), *room.remote.heads((), TABLES)):
        if (branch := parse_branch(ref.removeprefix(HEADS))) is not None:
            taken.add(branch.game)
        elif (word := ref.removeprefix(BRANCH_TABLES).removeprefix(TABLES).partition("/")[0]).isdecimal():
            taken.add(int(word))
    number = 0
    for _ in range(_TRIES):
        # A number that this room claimed before an interruption is its own.
        while number in taken and not _is_own(room, number):
            number += 1
        if number in taken:
            return number
        # Kept before it is used, so that an interruption does not leave a claim that nobody recognizes.
        room.keep(claims=number)
        if drawn is not None:
            terms |= {"Map": drawn, "Commitment": commitment(number, colours[0], room.agreed["map_number"])}
        terms["Seal"] = Invitation(room.remote.url, number, b"", bytes.fromhex(room.agreed["secret"])).seal
        why = room.say(table_ref(number, TERMS), TERMS, terms)
        if why is None:
            return number
        # If nobody is there now, the relay refused the push itself, not because of another host.
        if not room.heads(table_ref(number, TERMS)):
            raise _RelayRefused(f"{room.remote.url}: refuses {table_ref(number, TERMS)}: {why}")
        taken.add(number)
    raise StoreError(f"{room.remote.url}: other hosts have taken {_TRIES} game numbers in a row; try again")


def _is_own(room: WaitingRoom, number: int) -> bool:
    """Whether the terms at a number came from this room, just before an interruption."""
    if room.agreed.get("claims") != number:
        return False
    ref = table_ref(number, TERMS)
    heads = room.heads(ref)
    if heads and heads[ref] == room.store.own_ref(ref):
        return True
    terms = room.records(heads, parse_terms).get(ref)
    return isinstance(terms, TableTerms) and terms.key == spell_public_key(room.key)


def push_root(path: Path, url: str, game: GameDefinition, tell: Told) -> None:
    """Push the log of a game's first player, which has only its root; the peer retries what the relay refuses."""
    ref = local_ref(game.branch(1))
    with GitStore.open(path, writer=None) as store:
        head = store.read_ref(ref)
        remote = WorkerRemote(url, store.folder, store.folder / "catan-p2p" / "incoming" / "root")
        try:
            why = remote.push([PushMove(ref, None, head)]).get(ref)
            if why is not None and _has(store, remote.heads((ref,)).get(ref)):
                why = None  # it was pushed before an interruption, and its peer may have gone on from there
        except RemoteUnreachable:
            return  # the peer pushes it as soon as the relay can be reached
        finally:
            remote.close()
        if why is not None:
            tell(f"{url}: refuses {ref}: {why}; the peer will try again")


def _has(store: GitStore, oid: ObjectId | None) -> bool:
    """Whether an object is in a store."""
    try:
        return oid is not None and bool(store.read(oid))
    except ObjectMissing:
        return False
