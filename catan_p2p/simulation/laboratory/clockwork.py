"""Virtual time: the clock and calendar of a simulated host, and how long its work takes."""

from dataclasses import dataclass
from typing import Protocol

from catan_p2p.game.randomness import FIRST_DATE_S
from catan_p2p.simulation.laboratory.distributions import US


class Clock(Protocol):
    """The clock of a simulation."""

    now: int
    """Microseconds since the simulation began."""


class VirtualTime:
    """The time of one host: the simulation's, and a date that may be wrong."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.wrong_by_us = 0
        """By how much the host's calendar is ahead; negative if it is behind."""

    def monotonic(self) -> float:
        """Seconds since the simulation began."""
        return self._clock.now / US

    def date_s(self) -> float:
        """Seconds since 1970, by this host's calendar; whole ones, since commits have no others."""
        return FIRST_DATE_S + (self._clock.now + self.wrong_by_us) // US

    def sleep(self, seconds: float) -> None:
        """Always raises ``RuntimeError``: no time passes within a step, and pauses are yielded instead."""
        raise RuntimeError(f"asked to sleep {seconds} s of virtual time within a step")


@dataclass(frozen=True, slots=True)
class Machine:
    """How long a peer's work takes, in microseconds; measured by ``python -m benchmarks.network calibrate``."""

    act_us: int = 1500
    """An own action: chosen, applied, checked, written to the journal."""
    check_us: int = 1200
    """A commit of another player, validated and accepted."""
    publish_us: int = 1500
    """A publication, without the wait for the disk."""
    sync_us: int = 4000
    """A wait for the disk."""
    ask_us: int = 300
    """Passing a request to the process that reads a neighbour, and its answer back."""
    serve_us: int = 6000
    """Starting the process that answers a client of a ``git://`` address."""
    git_us: int = 12_000
    """Starting Git as a client."""
    start_us: int = 400_000
    """Starting a peer's process."""


QUICK = Machine(act_us=200, check_us=200, publish_us=200, sync_us=500, ask_us=50, serve_us=500, git_us=1000)
"""For campaigns: work takes little, so that faults fall between messages as often as within."""
