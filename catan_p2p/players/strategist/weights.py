"""What the strategist values how much, and how much it examines: numbers set by hand and by games.

``python -m benchmarks.tuning`` tries others.
"""

from typing import NamedTuple


class StrategistWeights(NamedTuple):
    """Numbers that only games can settle."""

    robbed: float = 0.4
    """the share that the bandit's tile is expected to yield, since the bandit will move on"""
    growth: float = 0.2
    """points for each card that a purchase will yield until the end"""
    fresh: float = 1.5
    """how much more a card counts of which the player has no income"""
    card: float = 0.1
    """points that a card given away in trade is worth"""
    kept: float = 0.25
    """points that a card is worth which a seven does not take"""
    outset: float = 0.16
    """throws out of 36 that one roll more to a win is worth in the set-up"""
    patience: float = 0.6
    """rounds that any purchase takes in addition to the wait for its cards"""
    pace: float = 0.8
    """rolls that pass with each purchase of a plan, since purchases are made in the player's own turns only"""
    traded: tuple[float, float, float] = (0.46, 0.25, 0.13)
    """cards that one spare card really becomes at two, three and four for one: whole lots must come together first"""
    haste: float = 0.175
    """rounds that a trade with the bank saves in addition to the wait for the cards"""
    bonus: float = 1.6
    """points that the longest road or the largest army counts for in a plan, since others may take it back"""
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
    """the share of a goal's value that counts for the rolls by which another purchase delays it"""
    held: float = 0.85
    """the share of two points that a held bonus card is worth while somebody could take it with two roads or knights"""


DEFAULT = StrategistWeights()

# What is tried

TRADE_GAIN = 0.01
"""What a trade must add to the logarithm of the chance to win."""
MOST_OFFERS = 3
"""Offers made in a turn."""
TRADE_SIZES = ((3, 3), (2, 2), (1, 1), (2, 1))
"""How many cards are offered for how many, in the order in which offers are examined."""
GOALS_OFFERED_FOR = 3
"""Cards are offered for what this many of the best goals lack."""
DESPERATE, BOLD = 0.15, 0.4
"""The chances from which a win is tried: if somebody else is about to win, and if nobody is."""
NEVER = 400.0
"""Rolls after which nobody waits any longer."""
FIRST_WORTH = (1.0, 1.0, 0.9, 1.15, 1.15)
"""How much a card of each resource is worth at the beginning."""
ROAD_PROMISE = 0.001
"""How much good points at the end of a road count; they decide between roads after which a win takes equally long."""

ROLLS_A_POINT, ROLLS_A_LATE_POINT = 30.0, 25.0
"""Rolls for each point that is missing: where a plan finds nothing to buy, and where it has its most purchases."""
MOST_YIELDING_ROLLS, ROLLS_A_CARD, LEAST_INCOME = 90.0, 5.0, 0.05
"""A purchase yields for this many rolls at most: so many a point at an income of a card a roll, never less income."""
NO_INCOME = 0.02
"""Cards a roll of a resource, below which a player counts as having no income of it."""
WILD_SHARE = 0.2
"""The share of each resource in a progress card's worth in cards."""
ROLLS_A_FREE_ROAD = 0.5
"""Rolls added for each road of a longest road that has to be paid for."""
PLAYED_IN_TURN = 0.5
"""The part of a round that the last knight of an army does not wait for; the least part of a round that one waits."""
WHARF_SHARE = 0.4
"""The share of the income that is traded at a wharf."""
OWN_HARM, LEADER, STOLEN_HARM = 3.0, 0.5, 0.03
"""For a quick measure of robberies: own losses count so many times; points count from here on; a stolen card."""
NEW_RESOURCE = 1.3
"""For a quick measure of a point of the set-up: how much more a resource counts that the player does not have."""
NEEDED_BY_MONOPOLY = 1.5
"""How much more a card counts that a monopoly brings and the goal lacks."""
DELAY = 0.01
"""Rolls by which a road to the next site may delay the goal."""
SITE_YIELD, SITE_ROADS, OTHER_SITES = 8, 0.7, 0.02
"""For a quick measure of a road: the yields of a site, the roads it is away, the share of all sites but the best."""
LONGER_NEAR, LONGER_FAR, EXTENDS = 2.0, 0.1, 0.05
"""The same: a longer trail near the longest road and far from it, and one that can go on."""

# How much is examined

SEARCHES = {20: (2, 4), 100: (4, 6)}
"""From so many milliseconds on the learned value decides: how many moves of a turn it looks ahead, and how many of them
it follows at each. Moves are counted, so no decision depends on a clock."""
POINTS_JUDGED, ROBBERIES_JUDGED, TRADES_JUDGED = 8, 12, 12
"""Points of the set-up, robberies and trades that are examined closely."""
SECOND_POINTS = 3
"""Points examined that may be left for the second village."""
MOST_SITES, FARTHEST_SITE = 5, 3
"""Sites examined, and how many roads away they are at most."""
MOST_PURCHASES = 14
"""Purchases in a plan, at most."""
MOST_POSITIONS = 16_000
"""Positions searched for a win, at most: none of 10,000 known wins needed more."""
