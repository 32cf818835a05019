"""The files beside a game over simulated links with what the simulation recorded of it."""

from pathlib import Path


def figures_file(out: Path, number: int) -> Path:
    """``out/network_<number>.json``: all figures."""
    return out / f"network_{number}.json"


def knowledge_file(out: Path, number: int) -> Path:
    """``out/network_<number>.csv``: when each player knew each action."""
    return out / f"network_{number}.csv"


def links_file(out: Path, number: int) -> Path:
    """``out/network_<number>.links.csv``: the traffic of each link."""
    return out / f"network_{number}.links.csv"
