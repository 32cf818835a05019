"""What happened when: for each action when it was written and shown, and when each player knew it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import LoggedStep

SPECTATORS = "spectators"
"""All spectators of a game, as one end of a way."""


@dataclass(slots=True)
class ActionSpread:
    """One action: when it was written, when it was first shown, and when each player had taken it in; microseconds."""

    player: int
    kind: str
    written: int
    shown: int = -1
    by: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class HostTraffic:
    """What went from one host to another, and what the first asked the second for; times in microseconds."""

    messages: int = 0
    bytes: int = 0
    looks: int = 0
    wasted_looks: int = 0
    """Looks that found what was known."""
    fetches: int = 0
    fetched_bytes: int = 0
    told: int = 0
    """Messages of what had moved, which the first was told without asking; and their bytes."""
    told_bytes: int = 0
    pushes: int = 0
    looking_us: int = 0
    """Between a question and its answer, of looks; and of fetches and pushes."""
    transfer_us: int = 0


class SimulationRecord:
    """The record of one game."""

    def __init__(self, players: Sequence[str]) -> None:
        self.players = tuple(players)
        self.actions: dict[ObjectId, ActionSpread] = {}
        self.ways: dict[tuple[str, str], HostTraffic] = {}
        self._unshown: dict[str, list[ActionSpread]] = {}

    def taken_in(self, host: str, step: LoggedStep, now: int) -> None:
        """A player has taken an action in, or written it."""
        known = self.actions.get(step.commit)
        if known is None:
            kind = type(step.action).__name__
            known = self.actions[step.commit] = ActionSpread(step.action.player, kind, now)
            if host == self.players[step.action.player - 1]:
                self._unshown.setdefault(host, []).append(known)
        known.by.setdefault(host, now)

    def shown(self, host: str, now: int) -> None:
        """A player's repository shows all that was written."""
        for known in self._unshown.pop(host, ()):
            known.shown = now

    def sent(self, sender: str, receiver: str, size: int) -> None:
        """A message was sent."""
        way = self.ways.get((sender, receiver)) or self.way(sender, receiver)
        way.messages += 1
        way.bytes += size

    def way(self, sender: str, receiver: str) -> HostTraffic:
        """The record of one way."""
        way = self.ways.get((sender, receiver))
        if way is None:
            way = self.ways[sender, receiver] = HostTraffic()
        return way
