"""The faults of a simulated game. All are drawn from the seed before the game begins, so any can be left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from catan_p2p.simulation.laboratory.distributions import US

USUAL = (
    "crash",
    "power",
    "full-disk",
    "slow-disk",
    "damage",
    "partition",
    "one-way",
    "flapping",
    "absence",
    "clock",
    "late",
    "doubled",
    "liar",
)
"""The kinds of faults that are drawn unless others are named."""
KINDS = (*USUAL, "failed-sync", "lost-sync", "restored", "lost-objects")
"""The kinds of faults.

============  ==========================================================================================
crash         the peer is killed in the middle of a write, which may be torn, and started again
power         the same, and what was not synced may be lost
full-disk     the disk refuses every write for a while
slow-disk     every sync of the disk takes fifty times as long, for a while
damage        the peer is killed, and one byte of its repository has changed when it starts again
partition     the hosts fall into two groups that cannot reach each other
one-way       one host cannot reach another, which can still reach the first
flapping      the path between two hosts fails and recovers in turns
absence       a host stands still, with all its processes
clock         the calendar of a host jumps
late          every message from one host to another takes up to three seconds longer
doubled       old listings of refs arrive again, in place of newer ones
liar          a host, or the relay, shows something else than its repository
failed-sync   every sync of the disk fails for a while, and what was to be synced is lost
lost-sync     for a while the disk claims to have synced what it has not; then the power is lost
restored      the peer is killed, and its repository is an older copy when it starts again
lost-objects  the relay loses commits, and its refs stay
============  ==========================================================================================

``lost-sync`` and ``restored`` happen to at most one host of a game, and only when all others hold what it has shown: no
peer could restore what only this host had.
"""
DAMAGE = "damage"
_WEIGHTS = {"damage": 1, "crash": 6, "power": 4}
_USUAL_WEIGHT = 3
_MOST_ACTIONS_APART = 10
_WRITES = 60


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault at the host ``first``, or between ``first`` and ``second``: numbers of seats from 0, then the relay.

    It begins ``after_us`` after the game has ``height`` actions, and lasts ``lasts_us``. ``detail`` seeds the choices
    that depend on its kind.
    """

    number: int
    kind: str
    height: int
    after_us: int
    first: int
    second: int
    lasts_us: int
    detail: int

    def __str__(self) -> str:
        return f"fault {self.number}: {self.told([])}"

    def told(self, names: Sequence[str]) -> str:
        """The fault in words; hosts beyond ``names`` are called by their number."""
        where = [names[at] if at < len(names) else str(at) for at in (self.first, self.second)]
        told = f"{self.kind} at {where[0]}"
        if self.kind in ("one-way", "flapping", "late", "doubled", "liar"):
            told += f" and {where[1]}"
        when = f"{self.after_us / US:g} s after action {self.height}"
        return f"{told}, {when}, for {self.lasts_us / US:g} s"


def draw_faults(rng: Random, count: int, hosts: int, kinds: tuple[str, ...], round_trip_us: int) -> list[Fault]:
    """Draw ``count`` faults for a game of ``hosts`` hosts. Fault number n is the same however many are drawn."""
    found = []
    height = 0
    weights = [_WEIGHTS.get(kind, _USUAL_WEIGHT) for kind in kinds]
    for number in range(1, count + 1):
        height += rng.randrange(_MOST_ACTIONS_APART)
        first = rng.randrange(hosts)
        found.append(
            Fault(
                number=number,
                kind=rng.choices(kinds, weights)[0],
                height=height,
                after_us=rng.randrange(4 * round_trip_us + 1000),
                first=first,
                second=(first + 1 + rng.randrange(hosts - 1)) % hosts,  # any but the first
                lasts_us=rng.choice((round_trip_us, 10 * round_trip_us, US, 5 * US, 30 * US)),
                detail=rng.randrange(1 << 30),
            )
        )
    return found


class NetworkCuts:
    """The paths that are cut, and those that take longer. A path has a direction: from one host to another."""

    def __init__(self) -> None:
        self._cut: dict[tuple[str, str], int] = {}
        self._refusing: dict[tuple[str, str], int] = {}
        self._late: dict[tuple[str, str], int] = {}

    def cut(self, ways: list[tuple[str, str]], *, refuses: bool) -> None:
        """Cut some paths. A path is open again when it was joined as often as it was cut, since faults overlap."""
        for way in ways:
            self._cut[way] = self._cut.get(way, 0) + 1
            if refuses:
                self._refusing[way] = self._refusing.get(way, 0) + 1

    def join(self, ways: list[tuple[str, str]], *, refuses: bool) -> None:
        """Undo one cut of each of these paths."""
        for way in ways:
            self._cut[way] -= 1
            if refuses:
                self._refusing[way] -= 1

    def delay(self, way: tuple[str, str], by_us: int) -> None:
        """Make a path slower by this time; a negative time undoes it."""
        self._late[way] = self._late.get(way, 0) + by_us

    def blocks(self, sender: str, receiver: str) -> bool:
        """Whether the path is cut."""
        return bool(self._cut) and self._cut.get((sender, receiver), 0) > 0

    def refuses(self, sender: str, receiver: str) -> bool:
        """Whether a sender learns at once that the path is cut, as from an unreachable network."""
        return self._refusing.get((sender, receiver), 0) > 0

    def late_us(self, sender: str, receiver: str) -> int:
        """By how much the path is slower, in microseconds."""
        return self._late.get((sender, receiver), 0) if self._late else 0
