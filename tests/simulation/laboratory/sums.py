"""What campaigns of simulated games have seen, added up game by game."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Self


@dataclass
class Sums:
    """Counts, counters and lists: the figures of one game or of several."""

    def add(self, other: Self) -> None:
        """Take another's figures in, each with its own kind of sum."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))
