"""What the strategist holds things to be worth, and how much it looks at: few numbers, set by hand and by games.

``python -m benchmarks.tuning`` tries others.
"""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    """The numbers that nothing but play can tell."""

    robbed: float = 0.4
    """the share that the bandit's tile is taken to yield: it will move on"""
    growth: float = 0.2
    """points for each card that a purchase will yield until the end"""
    fresh: float = 1.5
    """how much more a card counts that one has had no income of"""
    card: float = 0.1
    """points that a card is worth which is given away in trade"""
    kept: float = 0.25
    """points that a card is worth which a seven does not take"""
    outset: float = 0.16
    """ways of the dice that a roll more to a win counts for in the set-up"""
    patience: float = 0.6
    """rounds of the table that any purchase takes beside the wait for its cards"""
    pace: float = 0.8
    """rolls that pass with each purchase of a plan, since it is made in the own turn only"""
    traded: tuple[float, float, float] = (0.46, 0.25, 0.13)
    """cards that one spare card really becomes at two, three and four for one: whole lots must come together first"""
    haste: float = 0.175
    """rounds that a trade with the bank saves beside the wait for the cards"""
    bonus: float = 1.6
    """points that the longest road or the largest army count for in a plan, since others may take them back"""
    knight: float = 0.12
    """points for a knight that wins no army"""
    progress: float = 0.3
    """points for a progress card"""
    wild: float = 1.5
    """cards that an unplayed progress card is worth"""
    luck: float = 12.0
    """rolls by which the better player may be late: how sharply a lead turns into a win"""
    contest: float = 1.0
    """rolls added for each road that a site is away, since others may settle there first"""
    late: float = 0.85
    """the share that counts of what a goal would have brought in the rolls by which another purchase delays it"""
    held: float = 0.85
    """the share of two points that a bonus card held is worth while somebody could take it with two roads or knights"""


DEFAULT = Weights()

# What is tried

TRADE_GAIN = 0.01
"""What a trade must add to the logarithm of the chance to win."""
MOST_OFFERS = 3
"""The number of offers that are made in a turn."""
TRADE_SIZES = ((3, 3), (2, 2), (1, 1), (2, 1))
"""How many cards are given for how many: what is looked at first."""
GOALS_OFFERED_FOR = 3
"""Cards are offered for what this number of the best goals lack."""
DESPERATE, BOLD = 0.15, 0.4
"""The chances of a win from which on it is tried for, if somebody else is about to win, and if nobody is."""
NEVER = 400.0
"""Rolls after which nobody waits any more."""
FIRST_WORTH = (1.0, 1.0, 0.9, 1.15, 1.15)
"""How much a card of each resource is worth at the beginning."""
ROAD_PROMISE = 0.001
"""What good points that a road leads to count: of roads after which a win takes equally long the best is laid."""

# How much is looked at

MS_PER_EFFORT = 5
"""The milliseconds of one share of effort: counted is what is looked at, so a decision depends on no clock."""
POINTS_JUDGED, ROBBERIES_JUDGED, TRADES_JUDGED = 8, 12, 12
"""How many points of the set-up, robberies and trades are looked at closely, for each share of effort."""
SECOND_POINTS = 3
"""How many points are looked at that may be left for the second village."""
MOST_SITES, FARTHEST_SITE = 5, 3
"""How many sites are looked at, and how many roads away at most."""
MOST_PURCHASES = 14
"""How many purchases a plan has at most."""
MOST_POSITIONS = 16_000
"""How many positions are searched for a win at most: none of 10,000 known wins needed more."""
MOST_COMBINATIONS = 64
"""How many combinations of hands are remembered, the likeliest."""
FITTING_ROUNDS = 6
"""How often rows and columns of what hands may hold are fitted in turn."""
