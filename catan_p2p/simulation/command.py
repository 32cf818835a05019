"""The command line that plays the games of some settings again."""

import shlex

from catan_p2p.game.board import MAPS
from catan_p2p.simulation.game import SimulationSettings

_USUAL = SimulationSettings()
_NAMED_ALIKE = (
    "rules",
    "map",
    "chance",
    "hands",
    "schedule",
    "max_actions",
    "topology",
    "network",
    "judging",
    "transport",
)


def simulate_command(
    settings: SimulationSettings, games: int = 1, *, game: int | None = None, map_file: str = "FILE", out: str = ""
) -> str:
    """The command that plays the first ``games`` games of these settings, or only the one with the number ``game``.

    ``map_file`` names the file of a map that has no name. Options with default values are left out, except the most
    important ones.
    """
    which = ["--games", str(games)] if game is None else ["--game", str(game)]
    words = ["catan-p2p", "simulate", "--players", str(settings.players), *which]
    words += ["--seed", str(settings.seed), "--policy", ",".join(settings.policies)]
    for name in _NAMED_ALIKE:
        value = getattr(settings, name)
        if name == "map" and value not in MAPS:
            value = map_file
        if value != getattr(_USUAL, name):
            words += [f"--{name.replace('_', '-')}", str(value)]
    words += ["--sign"] * settings.signed + ["--out", out] * bool(out)
    return shlex.join(words)
