"""Kinds of networks by name, each with where its figures come from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from catan_p2p.simulation.network.distributions import NONE, Distribution, lognormal
from catan_p2p.simulation.network.links import Access

_MBPS = 1_000_000

Table = tuple[tuple[int, ...], ...]
"""Round trips in microseconds, from each place to each."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A kind of network: round trips between places, how hosts reach it, and where that was published.

    ``sigma`` is the deviation of the logarithm of every delay: its jitter. A round trip of the table is halved, one
    half each way; what a host's access adds is each way for itself.
    """

    name: str
    places: tuple[str, ...]
    round_trips_us: Table
    sigma: str
    up_us: int
    down_us: int
    up_mbps: int
    down_mbps: int
    loss_ppm: int
    source: str

    @property
    def access(self) -> Access:
        """How every host of this network reaches it."""
        up, down = (lognormal(us, self.sigma) for us in (self.up_us, self.down_us))
        return Access(up, down, self.up_mbps * _MBPS, self.down_mbps * _MBPS, self.loss_ppm)

    @property
    def between(self) -> tuple[tuple[Distribution, ...], ...]:
        """The way from each place to each."""
        return _halves(self.round_trips_us, self.sigma)


@lru_cache(maxsize=64)
def _halves(table: Table, sigma: str) -> tuple[tuple[Distribution, ...], ...]:
    return tuple(tuple(lognormal(us // 2, sigma) if us else NONE for us in row) for row in table)


_AWS = (
    'medians between regions in "Latency Between AWS Global Regions", 2017, as printed at '
    "acomputerscientistlearnsaws.blogspot.com/2017/04/aws-regions.html"
)
_ZONES = 'K. Anderson, "Measuring AWS Region and AZ Latency", xkyle.com: 0.25 to 3.4 ms between zones of one region'

PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            name="lan",
            places=("here",),
            round_trips_us=((200,),),
            sigma="0.2",
            up_us=25,
            down_us=25,
            up_mbps=1000,
            down_mbps=1000,
            loss_ppm=0,
            source=f"{_ZONES}; the least of them, on gigabit Ethernet",
        ),
        Preset(
            name="city",
            places=("one city",),
            round_trips_us=((1500,),),
            sigma="0.3",
            up_us=1000,
            down_us=1000,
            up_mbps=40,
            down_mbps=100,
            loss_ppm=100,
            source=f"{_ZONES}; the middle of them, and 2 ms for a home's access",
        ),
        Preset(
            name="continent",
            places=("Dublin", "Frankfurt"),
            round_trips_us=((1500, 19_560), (19_560, 1500)),
            sigma="0.15",
            up_us=2000,
            down_us=2000,
            up_mbps=40,
            down_mbps=100,
            loss_ppm=200,
            source=f"{_AWS}: Ireland to Frankfurt; 4 ms for a home's access",
        ),
        Preset(
            name="world",
            places=("Frankfurt", "Virginia", "Tokyo", "São Paulo"),
            round_trips_us=(
                (1500, 88_660, 236_500, 194_900),
                (88_660, 1500, 145_300, 119_500),
                (236_500, 145_300, 1500, 256_800),
                (194_900, 119_500, 256_800, 1500),
            ),
            sigma="0.1",
            up_us=2000,
            down_us=2000,
            up_mbps=40,
            down_mbps=100,
            loss_ppm=1000,
            source=f"{_AWS}: Europe, both Americas, Asia; 4 ms for a home's access",
        ),
        Preset(
            name="mobile",
            places=("one country",),
            round_trips_us=((10_000,),),
            sigma="0.35",
            up_us=38_000,
            down_us=25_000,
            up_mbps=6,
            down_mbps=13,
            loss_ppm=2000,
            source="J. Huang et al., A Close Examination of Performance and Power Characteristics of 4G LTE Networks, "
            "MobiSys 2012: 70 ms to a server, 12.7 Mbit/s down, 5.6 up; here both ends are mobile, so twice that",
        ),
        Preset(
            name="satellite",
            places=("one ground station",),
            round_trips_us=((10_000,),),
            sigma="0.08",
            up_us=275_000,
            down_us=275_000,
            up_mbps=3,
            down_mbps=25,
            loss_ppm=5000,
            source="G. Huston, Testing LEO and GEO Satellite Services in Australia, APNIC blog, 2022: a geostationary "
            "hop makes a round trip of 600 ms; here both ends have one, so it is 1.1 s",
        ),
    )
}
