"""The option that says who draws what is chance."""

from __future__ import annotations

import argparse

from catan_p2p.game.constants import CHANCES


def add_chance_option(parser: argparse.ArgumentParser, default: str = "actor") -> None:
    """Add ``--chance``; ``default`` tells in the help who draws if nothing is said."""
    parser.add_argument(
        "--chance",
        choices=CHANCES,
        help="who draws dice and cards: whoever acts, or all players together so that nobody can bend it "
        f"(default: {default})",
    )
