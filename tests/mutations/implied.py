"""Mistakes in the mirror that change nothing in any state of a game, and why."""

SEAT_IMPLIED: dict[str, str] = {}
EXTRA_IMPLIED: dict[str, str] = {}
