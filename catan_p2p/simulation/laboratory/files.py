"""Where a simulation keeps what it recorded of a game over simulated links: beside the game."""

from pathlib import Path


def figures_file(out: Path, number: int) -> Path:
    """``out/network_<number>.json``: all figures."""
    return out / f"network_{number}.json"


def knowledge_file(out: Path, number: int) -> Path:
    """``out/network_<number>.csv``: for each action when each player knew it."""
    return out / f"network_{number}.csv"


def links_file(out: Path, number: int) -> Path:
    """``out/network_<number>.links.csv``: what went over each link."""
    return out / f"network_{number}.links.csv"


def recorded_files(out: Path, number: int) -> tuple[Path, ...]:
    """All of them."""
    return figures_file(out, number), knowledge_file(out, number), links_file(out, number)
