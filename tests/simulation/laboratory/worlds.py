"""Short games over simulated links, for tests and campaigns."""

import re
from dataclasses import replace
from random import Random

from catan_p2p.game.constants import PROFILES
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.spec import parse_network
from catan_p2p.simulation.laboratory.world import SimulatedWorld

SHORT = "thesis; PointsToWin = 3"
KINDS = (
    "world",
    "lan",
    "continent; overlay = star",
    "world; overlay = ring",
    "mobile; looks = hooks",
    "city; overlay = gossip 2",
    "world; looks = every 1 s",
    "satellite; looks = back-off",
    "city; transport = path",
)
"""The networks of a campaign, in turn."""


def settings(
    words: str,
    seed: int,
    players: int = 3,
    *,
    rules: str = SHORT,
    signed: bool = False,
    policies: str = "builder",
    chance: str = "actor",
    hands: str = "open",
) -> SimulationSettings:
    """The settings of a game; what these rules do not allow for so many players or such hands is changed in them.

    Hands are ``open`` or ``hidden``. Where they are so with ``returns``, whoever was left out may come back; such games
    are longer, and by any profile.
    """
    hands, _, returns = hands.partition(", ")
    if returns:
        if "TableTalk" not in rules:
            rules = re.sub("^\\w+", Random(f"profile {seed}").choice([*PROFILES]), rules)
        rules = f"{re.sub('PointsToWin = [34]', 'PointsToWin = 6', rules)}; Returns = 3"
    if players > 4:
        rules = rules.replace("thesis", "brief")
    if hands == "hidden" and "joint" not in rules:
        rules += "; Chance = joint"
    chosen = tuple(policies.split(","))
    table = SimulationSettings(
        players, 1, seed, chosen, rules, topology="network", signed=signed, network=words, chance=chance
    )
    return replace(table, hands=hands)


def any_table(seed: int) -> tuple[str, int]:
    """Whether hands are open or hidden in a game, with ``returns`` or without, and how many play: 3 to 6."""
    rng = Random(f"table {seed}")
    hands, players = rng.choice(("open", "hidden")), rng.randrange(3, 7)
    return f"{hands}, returns" if rng.random() < 0.5 else hands, players


def world(words: str, seed: int, players: int = 3, *, rules: str = SHORT) -> SimulatedWorld:
    return SimulatedWorld(0, settings(words, seed, players, rules=rules), parse_network(words))


def of_campaign(seed: int, faults: int = 6, chance: str = "actor", hands: str = "open") -> SimulationSettings:
    """The settings of a game of the campaign: kind, players and signatures go with the seed."""
    words = f"{KINDS[seed % len(KINDS)]}; faults = {faults}; machine = quick"
    return settings(words, seed, 2 + seed % 3, signed=seed % 2 == 1 or hands == "hidden", chance=chance, hands=hands)


def of_kinds(seed: int, kinds: str, chance: str) -> SimulationSettings:
    """The settings of a game in which nothing but these kinds of faults happens, and often."""
    words = f"{KINDS[seed % len(KINDS)]}; faults = 20; kinds = {kinds}; machine = quick"
    return settings(words, seed, 2 + (seed + seed // len(KINDS)) % 3, signed=seed % 2 == 1, chance=chance)


DISKS = ("crash power full-disk failed-sync", "restored crash late absence", "lost-sync crash slow-disk")
"""What happens to the disks of a game, in turn: hosts that may go back to an older copy never lose power besides."""


def of_disks(seed: int) -> SimulationSettings:
    """The settings of a game in which disks fail."""
    words = f"{KINDS[seed % len(KINDS)]}; faults = 10; kinds = {DISKS[seed % 7 % len(DISKS)]}; machine = quick"
    return settings(words, seed, 2 + seed % 3, signed=seed % 2 == 1)
