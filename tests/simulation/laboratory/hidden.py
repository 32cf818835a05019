"""The games of ``leaving`` with hidden hands: a player goes away, withholds or lies. ``python -m ...hidden``."""

from __future__ import annotations

import sys

from tests.simulation.laboratory.leaving import Figures, play_one
from tests.simulation.laboratory.sums import run_campaign


def play_hidden(seed: int, policies: str = "builder") -> Figures:
    """One game of the campaign."""
    return play_one(seed, policies, "hidden")


if __name__ == "__main__":
    sys.exit(run_campaign("Let players leave and lie where hands are hidden.", play_hidden, 200))
