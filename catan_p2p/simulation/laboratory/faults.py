"""What goes wrong in a simulated game: all drawn from the seed before it begins, so that any part can be left out."""

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
"""The kinds that are drawn unless others are named."""
KINDS = (*USUAL, "failed-sync", "lost-sync", "restored", "lost-objects")
"""The kinds of faults.

============  ==========================================================================================
crash         the peer is killed in the middle of a write, which may be torn, and started again
power         the same, and what was not synced may be gone
full-disk     every write is refused for a while
slow-disk     every wait for the medium takes fifty times as long, for a while
damage        killed, and a byte of its repository is another when it starts again
partition     some cannot reach the others, nor these them
one-way       one host cannot reach another, who still can reach it
flapping      a way is cut and open in turns
absence       a host stands still, with all its processes
clock         the calendar of a host jumps
late          everything between two hosts takes seconds longer
doubled       listings of refs come a second time, in the place of newer ones
liar          a host, or the relay, shows something else than its repository
failed-sync   every wait for the medium fails for a while, and what was waited for is not there
lost-sync     for a while the medium says that it has what it has not; then the power is lost
restored      killed, and its repository is an older copy when it starts again
lost-objects  the relay loses commits, and its refs stay
============  ==========================================================================================

``lost-sync`` and ``restored`` happen to one host of a game at most, once all others hold what it has shown: what nobody
else holds cannot come back.
"""
DAMAGE = "damage"
_WEIGHTS = {"damage": 1, "crash": 6, "power": 4}
_USUAL_WEIGHT = 3
_MOST_ACTIONS_APART = 10
_WRITES = 60


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong.

    It comes ``after_us`` after the game has ``height`` actions, at the hosts ``first`` and ``second`` (numbers of
    seats), for ``lasts_us``; ``detail`` tells more, by kind.
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
        """What goes wrong, in words; hosts beyond ``names`` are told by number."""
        where = [names[at] if at < len(names) else str(at) for at in (self.first, self.second)]
        told = f"{self.kind} at {where[0]}"
        if self.kind in ("one-way", "flapping", "late", "doubled", "liar"):
            told += f" and {where[1]}"
        when = f"{self.after_us / US:g} s after action {self.height}"
        return f"{told}, {when}, for {self.lasts_us / US:g} s"


def draw_faults(rng: Random, count: int, hosts: int, kinds: tuple[str, ...], round_trip_us: int) -> list[Fault]:
    """So many faults for a game of so many hosts; those of a number are the same however many are drawn."""
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
                second=(first + 1 + rng.randrange(hosts - 1)) % hosts,
                lasts_us=rng.choice((round_trip_us, 10 * round_trip_us, US, 5 * US, 30 * US)),
                detail=rng.randrange(1 << 30),
            )
        )
    return found


class NetworkCuts:
    """Which ways are cut, and which take longer; a way goes from one host to another."""

    def __init__(self) -> None:
        self._cut: dict[tuple[str, str], int] = {}
        self._refusing: dict[tuple[str, str], int] = {}
        self._late: dict[tuple[str, str], int] = {}

    def cut(self, ways: list[tuple[str, str]], *, refuses: bool) -> None:
        """Cut some ways; each is open again when it was joined as often as it was cut."""
        for way in ways:
            self._cut[way] = self._cut.get(way, 0) + 1
            if refuses:
                self._refusing[way] = self._refusing.get(way, 0) + 1

    def join(self, ways: list[tuple[str, str]], *, refuses: bool) -> None:
        """Open some ways."""
        for way in ways:
            self._cut[way] -= 1
            if refuses:
                self._refusing[way] -= 1

    def delay(self, way: tuple[str, str], by_us: int) -> None:
        """Have a way take so much longer, from now on."""
        self._late[way] = self._late.get(way, 0) + by_us

    def blocks(self, sender: str, receiver: str) -> bool:
        """Whether nothing comes through."""
        return bool(self._cut) and self._cut.get((sender, receiver), 0) > 0

    def refuses(self, sender: str, receiver: str) -> bool:
        """Whether that is told at once."""
        return self._refusing.get((sender, receiver), 0) > 0

    def late_us(self, sender: str, receiver: str) -> int:
        """How much longer a way takes."""
        return self._late.get((sender, receiver), 0) if self._late else 0
