"""The guests of a table: who may take a seat, and where to find each player."""

import hmac
from collections.abc import Callable, Container, Mapping, Sequence
from pathlib import Path
from queue import SimpleQueue

from catan_p2p.log.game import chosen_name_problem
from catan_p2p.log.keys import spell_public_key
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.transport.serve import Address, is_same_address, is_same_host, leads_to, parse_host
from catan_p2p.safe_text import shown
from catan_p2p.sentences import listed
from catan_p2p.tables.computers import ComputerGuests, computer_name
from catan_p2p.tables.invitation import Invitation
from catan_p2p.tables.map_nonce import is_commitment
from catan_p2p.tables.records import BadRecord, SeatClaim, parse_seat
from catan_p2p.tables.waiting_room import TableLooks, Told, WaitingRoom, table_ref

Ask = Callable[[str], bool]
"""Asks the user a question; returns whether the answer is yes."""


def nobody(question: str) -> bool:
    """Answer no: there is nobody to ask."""
    return False


def wait_for_guests(
    room: WaitingRoom,
    invitation: Invitation,
    listening: Address | None,
    colours: Sequence[str],
    tell: Told,
    said: SimpleQueue[tuple[bytes, str]],
    arrived: Callable[[str], None],
    computers: ComputerGuests,
) -> dict[str, SeatClaim]:
    """Wait until all other players have come, and return their claims; ``listening`` is the host's address, if direct.

    ``arrived`` is called with the colour of each player who has come. ``computers`` take their seats first.
    """
    refs = {table_ref(invitation.number, colour): colour for colour in colours[1:]}
    found: dict[str, SeatClaim] = {}
    refused: set[ObjectId] = set()
    awaited_claims: set[str] = set()
    wait = TableLooks(room, tell)
    awaited = [colour for colour in colours[1:] if colour not in computers.keys]
    tell(f"{colours[0]} waits for {listed(awaited)}")
    while len(found) < len(refs):
        with wait:
            while not said.empty():
                room.admit(*said.get(), refs)
            computers.take_seats()
            heads = {ref: head for ref, head in room.heads(*refs).items() if refs[ref] not in found}
            # The removal of a refused claim may fail, and is tried again with the next look.
            for ref in [ref for ref, head in heads.items() if head in refused]:
                room.free(ref, heads.pop(ref))
            records = room.records(heads, parse_seat)
            for colour in {refs[ref] for ref in heads.keys() - records.keys()} - awaited_claims:
                awaited_claims.add(colour)
                tell(f"{colour}: a claim of this seat is on its way, but not all of it has arrived; waiting for it")
            for ref, claim in records.items():
                colour = refs[ref]
                keys = {*(other.key for other in found.values()), spell_public_key(room.key)}
                why = _why_refused(claim, colour, invitation, keys, bool(room.agreed.get("drawn")))
                # The host's own machine made that key, so any other one is a stranger's.
                if isinstance(claim, SeatClaim) and claim.key != computers.keys.get(colour, claim.key):
                    why = "the seat is a computer player's"
                if isinstance(claim, SeatClaim) and why is None:
                    why = _whose_address(claim, invitation, listening, found)
                if isinstance(claim, SeatClaim) and why is None:
                    found[colour] = claim
                    who = colour if claim.name is None else f"{colour}, {shown(claim.name)},"
                    who = computer_name(colour) if colour in computers.keys else who
                    tell(f"{who} has come ({1 + len(found)} of {len(colours)})")
                    arrived(colour)
                    continue
                refused.add(heads[ref])
                room.free(ref, heads[ref])
                tell(f"{colour}: a claim of this seat was refused: {why}; the seat is free again")
    return found


def _why_refused(
    claim: SeatClaim | BadRecord, colour: str, invitation: Invitation, keys: Container[str], drawn: bool
) -> str | None:
    """Why a claim gets no seat, None if it does."""
    if isinstance(claim, BadRecord):
        return claim.why
    if not was_invited(claim, colour, invitation):
        return "it was made without the invitation"
    if claim.key in keys:
        return "it has the key of another player"
    if claim.address is None and invitation.is_direct:
        return "it has no address, and the table has no relay"
    if claim.address is not None and not invitation.is_direct:
        return "it has an address, and the table has a relay"
    if drawn and not is_commitment(claim.committed):
        return "the program that made it cannot take part in drawing the map"
    return None


def _whose_address(
    claim: SeatClaim, invitation: Invitation, listening: Address | None, found: Mapping[str, SeatClaim]
) -> str | None:
    """Whose address a claim uses besides its own player's, as the reason for a refusal; None if nobody's."""
    if claim.address is None or listening is None:
        return None
    # Such a guest would read the host's repository as their own neighbour's.
    if is_same_address(claim.address, parse_host(invitation.url)) or leads_to(claim.address, listening):
        return f"it has the host's own address, {claim.url}"
    for colour, other in found.items():
        if other.address is not None and is_same_address(claim.address, other.address):
            return f"it has the address of {colour}, {claim.url}"
    return None


def was_invited(claim: SeatClaim, colour: str, invitation: Invitation) -> bool:
    """Whether a claim was made with the invitation, for the seat of this colour."""
    proof = invitation.proof(colour, claim.key, claim.url)
    # Compared in constant time: the proof is a secret of the invitation's holder.
    return claim.colour == colour and hmac.compare_digest(claim.proof, proof)


def names_of(host: str, name: str | None, claims: Mapping[str, SeatClaim], tell: Told) -> dict[str, str]:
    """The names that players have chosen, by colour; of two alike, the earlier seat keeps it."""
    names = {} if name is None else {host: name}
    for colour, claim in claims.items():
        if claim.name is None:
            continue
        if (problem := chosen_name_problem(claim.name, colour, names.values())) is None:
            names[colour] = claim.name
        else:
            tell(f"{colour}: {problem}; {colour} plays without a name")
    return names


def addresses(
    claims: Mapping[str, SeatClaim],
    came: Mapping[str, str | None],
    taken: Sequence[Address],
    path: Path,
    ask: Ask,
    tell: Told,
) -> dict[str, str]:
    """The URLs of the other players' repositories, as the players give them.

    A player who came from that address is read there; for any other address the user is asked. ``taken`` are addresses
    that belong to other players.
    """
    found: dict[str, str] = {}
    for colour, claim in claims.items():
        if claim.address is None:
            continue
        others = (*taken, *(parse_host(url) for url in found.values()))
        if any(is_same_address(claim.address, other) for other in others):
            tell(f"{colour} gives the address {claim.url}, which is another player's: it is not used")
            continue
        is_known = came[colour] is not None and is_same_host(claim.address[0], came[colour] or "")
        if is_known or ask(f"{colour} gives the address {claim.url}, but did not connect from there: use it?"):
            found[colour] = claim.url
        else:
            tell(
                f"{colour} gives the address {claim.url}: it is not used; "
                f"to use it: catan-p2p peer {path} --remote {colour}={claim.url}"
            )
    return found
