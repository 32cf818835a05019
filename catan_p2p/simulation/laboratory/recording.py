"""The record of a simulated game: when each action was written, shown, and known to each player; and all traffic."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import LoggedStep

SPECTATORS = "spectators"
"""All spectators of a game, as one end of a path."""


@dataclass(slots=True)
class ActionSpread:
    """An action: when it was written, first shown (-1: not yet), and accepted by each player; in microseconds."""

    player: int
    kind: str
    written: int
    shown: int = -1
    by: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class HostTraffic:
    """The traffic from one host to another, and the requests of the first to the second; times in microseconds."""

    messages: int = 0
    bytes: int = 0
    looks: int = 0
    wasted_looks: int = 0
    """Polls that found nothing new."""
    fetches: int = 0
    fetched_bytes: int = 0
    told: int = 0
    """Announcements of moved refs that the first host received as a follower; the next field has their bytes."""
    told_bytes: int = 0
    pushes: int = 0
    looking_us: int = 0
    """The time from request to answer, summed over looks; the next field sums it over fetches and pushes."""
    transfer_us: int = 0


class SimulationRecord:
    """The record of one game."""

    def __init__(self, players: Sequence[str]) -> None:
        self.players = tuple(players)
        self.actions: dict[ObjectId, ActionSpread] = {}
        self.ways: dict[tuple[str, str], HostTraffic] = {}
        self._unshown: dict[str, list[ActionSpread]] = {}

    def taken_in(self, host: str, step: LoggedStep, now: int) -> None:
        """A player has accepted an action, or written it."""
        known = self.actions.get(step.commit)
        if known is None:
            kind = type(step.action).__name__
            known = self.actions[step.commit] = ActionSpread(step.action.player, kind, now)
            if host == self.players[step.action.player - 1]:
                self._unshown.setdefault(host, []).append(known)
        known.by.setdefault(host, now)

    def shown(self, host: str, now: int) -> None:
        """A player's repository now shows everything that the player has written."""
        for known in self._unshown.pop(host, ()):
            known.shown = now

    def sent(self, sender: str, receiver: str, size: int) -> None:
        """A message was sent."""
        way = self.ways.get((sender, receiver)) or self.way(sender, receiver)  # spares a call for nearly all messages
        way.messages += 1
        way.bytes += size

    def way(self, sender: str, receiver: str) -> HostTraffic:
        """The traffic of one path, which begins at 0."""
        way = self.ways.get((sender, receiver))
        if way is None:
            way = self.ways[sender, receiver] = HostTraffic()
        return way
