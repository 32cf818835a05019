"""Virtual time: the kernel's clock as a replica sees it, and what work costs of it."""

from dataclasses import dataclass
from typing import Protocol

from catan_p2p.game.randomness import FIRST_DATE_S
from catan_p2p.simulation.laboratory.distributions import US


class Clock(Protocol):
    """What tells the time of a simulation."""

    now: int
    """Microseconds since the simulation began."""


class VirtualTime:
    """The time of one host: the simulation's, and a date that may be wrong."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.wrong_by_us = 0
        """How much the host's calendar is ahead."""

    def monotonic(self) -> float:
        """Seconds since the simulation began."""
        return self._clock.now / US

    def date_s(self) -> float:
        """Seconds since 1970, as this host's calendar has it."""
        return FIRST_DATE_S + (self._clock.now + self.wrong_by_us) // US

    def sleep(self, seconds: float) -> None:
        """Nobody sleeps inside a step; pauses are yielded."""
        raise RuntimeError(f"asked to sleep {seconds} s of virtual time within a step")


@dataclass(frozen=True, slots=True)
class Machine:
    """What a peer's work takes, in microseconds; measured by ``python -m benchmarks.network calibrate``."""

    act_us: int = 1500
    """An action of the own: chosen, applied, checked, journalled."""
    check_us: int = 1200
    """A commit of somebody else's, validated and taken in."""
    publish_us: int = 1500
    """A publication, without the wait for the medium."""
    sync_us: int = 4000
    """A wait for the medium."""
    ask_us: int = 300
    """Passing a request to the process that reads a neighbour, and its answer back."""
    serve_us: int = 6000
    """Starting what answers a visitor of a ``git://`` address."""
    git_us: int = 12_000
    """Starting Git as a client."""
    start_us: int = 400_000
    """Starting a peer's process."""


QUICK = Machine(act_us=200, check_us=200, publish_us=200, sync_us=500, ask_us=50, serve_us=500, git_us=1000)
"""For campaigns: work takes little, so that faults fall between messages as often as within."""
