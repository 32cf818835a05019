"""The description of a simulated network, in words: ``world; overlay = star; looks = hooks; spectators = 100``."""

from dataclasses import dataclass, fields, replace
from functools import lru_cache

from catan_p2p.simulation.laboratory.distributions import BadDistribution, parse_distribution
from catan_p2p.simulation.laboratory.faults import KINDS as FAULT_KINDS
from catan_p2p.simulation.laboratory.faults import USUAL
from catan_p2p.simulation.laboratory.presets import PRESETS
from catan_p2p.text_files import BadTextFile, read_text

OVERLAYS = ("all", "star", "ring", "gossip")
LOOKS = ("follow", "back-off", "every", "hooks")
TRANSPORTS = ("git", "path")
MACHINES = ("measured", "quick")
MOST_SPECTATORS = 100_000
_MOST_BYTES = 1 << 16


class BadNetwork(ValueError):
    """Words that do not describe a network; the message quotes them and says what was expected."""


@dataclass(frozen=True, slots=True)
class Network:
    """A simulated network; fields have the names that they have in words."""

    profile: str = "lan"
    overlay: str = "all"
    """Whose repository each player looks at: ``all``, ``star`` (a relay that all push to), ``ring``, ``gossip K``."""
    looks: str = "follow"
    """``follow``: neighbours announce moves, as real peers do; ``back-off``: looks only; ``every 2 s``; ``hooks``."""
    transport: str = "git"
    """``git``: ``git://`` by our client; ``path``: files of a mounted folder. A star is reached by Git's own client."""
    spectators: int = 0
    thinking: str = "none"
    """The distribution of the time that a player thinks before a move."""
    latency: str = ""
    """The distribution of the delay between any two places; empty: the profile's."""
    back: str = ""
    """The same from later seats to earlier ones; empty: as in the other direction."""
    bandwidth: str = ""
    """The bandwidth of every host, up and down: ``5 20 Mbit/s``, or ``10 Mbit/s`` for both; empty: the profile's."""
    loss: str = ""
    """The share of lost packets, such as ``0.5 %``; empty: the profile's."""
    faults: int = 0
    kinds: str = ""
    """The kinds of faults, separated by blanks; empty: the usual ones."""
    only: str = ""
    """The numbers of the drawn faults that happen, or ``-`` for none; empty: all of them."""
    machine: str = "measured"

    @property
    def fanout(self) -> int:
        """The number of others that each player draws for gossip; 0 for other overlays."""
        return int(self.overlay.split()[1]) if self.overlay.startswith("gossip") else 0

    @property
    def needs_signatures(self) -> bool:
        """Whether commits come from others than their author, so that only a signature proves them."""
        return self.overlay in ("star", "ring") or bool(self.fanout)

    @property
    def period_us(self) -> int:
        """The pause between two polls if ``looks`` is ``every``, in microseconds; 0 otherwise."""
        return parse_distribution("constant " + self.looks[6:]).values[0] if self.looks.startswith("every ") else 0

    @property
    def fault_kinds(self) -> tuple[str, ...]:
        """The kinds of faults that happen."""
        return tuple(self.kinds.split()) or USUAL

    @property
    def chosen(self) -> tuple[int, ...] | None:
        """The numbers of the faults that happen, None for all."""
        return None if not self.only else tuple(int(word) for word in self.only.split() if word != "-")


_DEFAULT = Network()


def spell_network(network: Network) -> str:
    """The words that describe a network, on one line, without defaults."""
    changed = [
        f"{field.name} = {getattr(network, field.name)}"
        for field in fields(Network)
        if field.name != "profile" and getattr(network, field.name) != getattr(_DEFAULT, field.name)
    ]
    return "; ".join([network.profile, *changed])


@lru_cache
def parse_network(words: str) -> Network:
    """The network that words on one line describe; ``BadNetwork`` if they describe none."""
    profile, *changes = [part.strip() for part in words.split(";")]
    if profile not in PRESETS:
        raise BadNetwork(f"{profile}: no such network, expected one of {', '.join(PRESETS)}")
    network = Network(profile)
    for change in changes:
        name, separator, value = (part.strip() for part in change.partition("="))
        if not separator or name == "profile" or name not in Network.__dataclass_fields__:
            known = ", ".join(field.name for field in fields(Network) if field.name != "profile")
            raise BadNetwork(f"{change}: expected one of {known}, '=' and a value")
        found: str | int = value
        if isinstance(getattr(_DEFAULT, name), int):
            if not value.isdecimal():
                raise BadNetwork(f"{name} = {value}: expected a number")
            found = int(value)
        network = replace(network, **{name: found})  # type: ignore[arg-type]
    _check(network)
    return network


def read_network(argument: str) -> Network:
    """The network of an argument: words, or a file whose first line is ``network = NAME``, then one change a line."""
    if argument.partition(";")[0].strip() in PRESETS:
        return parse_network(argument)
    try:
        text = read_text(argument, _MOST_BYTES, f"no such network or file, expected one of {', '.join(PRESETS)}")
    except BadTextFile as error:
        raise BadNetwork(str(error)) from None
    lines = [told for line in text.splitlines() if (told := line.partition("#")[0].strip())]
    first, *rest = lines or [""]
    name, _, profile = (part.strip() for part in first.partition("="))
    if name != "network":
        raise BadNetwork(f"{argument}: the first line is {first!r}, expected 'network = NAME'")
    try:
        return parse_network("; ".join([profile, *rest]))
    except BadNetwork as error:
        raise BadNetwork(f"{argument}: {error}") from None


def _check(network: Network) -> None:
    overlay, _, k = network.overlay.partition(" ")
    if overlay not in OVERLAYS or (overlay == "gossip") != bool(k) or (k and not (k.isdecimal() and int(k) > 0)):
        raise BadNetwork(f"overlay = {network.overlay}: expected all, star, ring or gossip K")
    looks, _, period = network.looks.partition(" ")
    if looks not in LOOKS or (looks == "every") != bool(period):
        raise BadNetwork(f"looks = {network.looks}: expected follow, back-off, every 2 s or hooks")
    for name, allowed in (("transport", TRANSPORTS), ("machine", MACHINES)):
        if getattr(network, name) not in allowed:
            raise BadNetwork(f"{name} = {getattr(network, name)}: expected {' or '.join(allowed)}")
    if network.spectators > MOST_SPECTATORS:
        raise BadNetwork(f"spectators = {network.spectators}: at most {MOST_SPECTATORS}")
    if unknown := [kind for kind in network.kinds.split() if kind not in FAULT_KINDS]:
        raise BadNetwork(f"kinds = {unknown[0]}: expected some of {' '.join(FAULT_KINDS)}")
    if not all(word == "-" or word.isdecimal() for word in network.only.split()):
        raise BadNetwork(f"only = {network.only}: expected numbers of faults, or - for none")
    try:
        parse_distribution(network.thinking)
        for way in filter(None, (network.latency, network.back)):
            parse_distribution(way)
        if network.back and not network.latency:
            raise BadNetwork("back: needs latency, for the other direction")
        if period and not network.period_us:
            raise BadNetwork(f"looks = {network.looks}: expected a time such as 2 s")
    except BadDistribution as error:
        raise BadNetwork(str(error)) from None
    if network.loss:
        loss_ppm(network.loss)
    if network.bandwidth:
        bandwidth_bps(network.bandwidth)


def bandwidth_bps(text: str) -> tuple[int, int]:
    """Bits a second up and down, from words such as ``5 20 Mbit/s``."""
    *numbers, unit = text.split() or [""]
    try:
        up, down = (round(float(number) * 1e6) for number in (numbers * 2 if len(numbers) == 1 else numbers))
        if unit != "Mbit/s" or min(up, down) < 1000:
            raise ValueError
    except (ValueError, OverflowError):
        raise BadNetwork(f"bandwidth = {text}: expected up and down, such as 5 20 Mbit/s") from None
    return up, down


def loss_ppm(text: str) -> int:
    """Lost packets of a million, from a share such as ``0.5 %``."""
    number, _, unit = text.partition(" ")
    try:
        ppm = round(float(number) * 10_000)
        if unit != "%" or not 0 <= ppm <= 500_000:
            raise ValueError
    except ValueError:
        raise BadNetwork(f"loss = {text}: expected a share such as 0.5 %, at most 50 %") from None
    return ppm
