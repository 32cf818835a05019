"""A guest's claim of a seat: a signed record, which the guest makes again if it goes before the game begins."""

from __future__ import annotations

from catan_p2p.log.keys import spell_public_key
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.transport.pacing import Backoff
from catan_p2p.tables.invitation import Invitation
from catan_p2p.tables.map_nonce import commitment
from catan_p2p.tables.records import SEAT, BadRecord, SeatClaim, parse_seat
from catan_p2p.tables.waiting_room import MayNotPush, TableLooks, WaitingRoom, branch_of, patiently, table_ref

_AGAIN_MOST_S = 300.0
"""The longest pause between two attempts to claim a seat again: the host may refuse the claim each time."""


class SeatUnavailable(StoreError):
    """There is no seat to take; nothing of the attempt is kept."""


class SeatTaken(SeatUnavailable):
    """Somebody else has the seat; another one may be free."""


class SeatClaimer:
    """The claim of the seat of ``colour``, for a guest who is found at ``url``."""

    def __init__(self, room: WaitingRoom, invitation: Invitation, colour: str, url: str) -> None:
        self.colour = colour
        self._room, self._invitation = room, invitation
        self._ref = table_ref(invitation.number, colour)
        self._key = spell_public_key(room.key)
        self._again = Backoff(most_s=_AGAIN_MOST_S, time=room.time)
        self._record = {"Colour": colour, "Url": url, "Proof": invitation.proof(colour, self._key, url)}
        if "map_number" in room.agreed:
            self._record["Commitment"] = commitment(invitation.number, colour, room.agreed["map_number"])
        if (name := room.agreed.get("name")) is not None:
            self._record["Name"] = name

    def take(self, wait: TableLooks) -> None:
        """Take the seat, unless it was taken before an interruption; ``SeatTaken`` if somebody else has it."""
        room, ref = self._room, self._ref
        why = patiently(wait, self._say)
        taken: SeatClaim | BadRecord | None = None
        wait.at_once()
        while taken is None:  # what was said at a door appears once the host has looked, or plays
            with wait:
                if there := room.heads(ref):
                    if there[ref] == room.store.own_ref(ref):
                        return
                    taken = room.record(ref, there[ref], parse_seat)
                elif why is None:
                    # The host may have restarted, and forgotten what was said at its door.
                    room.repeat(ref)
                else:
                    raise SeatUnavailable(
                        f"{self._invitation.url}: refuses {ref}, and {branch_of(ref)} too: {why}; ask the owner of "
                        "the relay to let players push there, then type the same command again"
                    )
        if isinstance(taken, BadRecord) or taken.key != self._key:
            raise SeatTaken(f"{self._invitation.url}: the seat of {self.colour} is taken")

    def renew(self) -> bool:
        """Make the claim again if it has gone, less and less often; return whether that was tried.

        A sync service may lose it, or a host who could not read it may have removed it.
        """
        if self._room.heads(self._ref):
            return False
        if not self._again.is_over:
            return False
        self._again.failed(StoreError("the claim has gone"))
        if self._room.knock is not None:
            self._room.repeat(self._ref)
        else:
            self._say()
        return True

    def _say(self) -> str | None:
        """Publish the claim unless there is one; return why the relay refuses it, None if it does not."""
        try:
            return None if self._room.heads(self._ref) else self._room.say(self._ref, SEAT, self._record)
        except MayNotPush as error:
            raise SeatUnavailable(str(error)) from None
