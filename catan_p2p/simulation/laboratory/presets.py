"""The named networks, each with the source of its figures."""

from dataclasses import dataclass
from functools import lru_cache

from catan_p2p.simulation.laboratory.distributions import NONE, Distribution, lognormal
from catan_p2p.simulation.laboratory.links import AccessLink

_MBPS = 1_000_000

Table = tuple[tuple[int, ...], ...]
"""Round trips in microseconds, from each place to each place."""


@dataclass(frozen=True, slots=True)
class NetworkPreset:
    """A kind of network: round trips between places, the access of its hosts, and where the figures were published.

    ``sigma`` is the standard deviation of the logarithm of every delay: its jitter. Each direction takes half of a
    round trip of the table; the delays of a host's access are one-way.
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
    def access(self) -> AccessLink:
        """The access of every host of this network."""
        up, down = (lognormal(us, self.sigma) for us in (self.up_us, self.down_us))
        return AccessLink(up, down, self.up_mbps * _MBPS, self.down_mbps * _MBPS, self.loss_ppm)

    @property
    def between(self) -> tuple[tuple[Distribution, ...], ...]:
        """The one-way delay from each place to each place."""
        return _halves(self.round_trips_us, self.sigma)


@lru_cache(maxsize=64)
def _halves(table: Table, sigma: str) -> tuple[tuple[Distribution, ...], ...]:
    return tuple(tuple(lognormal(us // 2, sigma) if us else NONE for us in row) for row in table)


_AWS = (
    'medians between regions in "Latency Between AWS Global Regions", 2017, as printed at '
    "acomputerscientistlearnsaws.blogspot.com/2017/04/aws-regions.html"
)
_ZONES = 'K. Anderson, "Measuring AWS Region and AZ Latency", xkyle.com: 0.25 to 3.4 ms between zones of one region'
_LTE = (
    "J. Huang et al., A Close Examination of Performance and Power Characteristics of 4G LTE Networks, MobiSys 2012: "
    "70 ms to a server, 12.7 Mbit/s down, 5.6 up"
)
_GEO = (
    "G. Huston, Testing LEO and GEO Satellite Services in Australia, APNIC blog, 2022: a geostationary hop makes a "
    "round trip of 600 ms"
)
_BETWEEN_CONTINENTS: Table = (
    (1500, 88_660, 236_500, 194_900),
    (88_660, 1500, 145_300, 119_500),
    (236_500, 145_300, 1500, 256_800),
    (194_900, 119_500, 256_800, 1500),
)

PRESETS: dict[str, NetworkPreset] = {
    name: NetworkPreset(name, places, round_trips, sigma, *access, source)
    for name, places, round_trips, sigma, access, source in (
        # Access: microseconds up and down, Mbit/s up and down, lost of a million.
        ("lan", ("here",), ((200,),), "0.2", (25, 25, 1000, 1000, 0),
         f"{_ZONES}; the least of them, on gigabit Ethernet"),
        ("city", ("one city",), ((1500,),), "0.3", (1000, 1000, 40, 100, 100),
         f"{_ZONES}; the middle of them, and 2 ms for a home's access"),
        ("continent", ("Dublin", "Frankfurt"), ((1500, 19_560), (19_560, 1500)), "0.15", (2000, 2000, 40, 100, 200),
         f"{_AWS}: Ireland to Frankfurt; 4 ms for a home's access"),
        ("world", ("Frankfurt", "Virginia", "Tokyo", "São Paulo"), _BETWEEN_CONTINENTS, "0.1",
         (2000, 2000, 40, 100, 1000),
         f"{_AWS}: Europe, both Americas, Asia; 4 ms for a home's access"),
        ("mobile", ("one country",), ((10_000,),), "0.35", (38_000, 25_000, 6, 13, 2000),
         f"{_LTE}; here both ends are mobile, so twice that"),
        ("satellite", ("one ground station",), ((10_000,),), "0.08", (275_000, 275_000, 3, 25, 5000),
         f"{_GEO}; here both ends have one, so it is 1.1 s"),
    )
}  # fmt: skip
