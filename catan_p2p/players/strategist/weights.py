"""The strategist's weights, and the bounds of its searches, tuned by hand and by games.

``python -m benchmarks.tuning`` tries other values.
"""

from typing import NamedTuple


class StrategistWeights(NamedTuple):
    """Weights that are tuned by playing games."""

    robbed: float = 0.4
    """the share that the bandit's tile is expected to yield, since the bandit will move on"""
    growth: float = 0.2
    """points for each card that a purchase will yield until the end"""
    fresh: float = 1.5
    """the factor for cards of a resource of which the player has no income"""
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

# Values

TRADE_GAIN = 0.01
"""The least gain of a trade, in the logarithm of the chance to win."""
MOST_OFFERS = 3
"""The most offers in a turn."""
TRADE_SIZES = ((3, 3), (2, 2), (1, 1), (2, 1))
"""The numbers of cards given and wanted in an offer, in the order in which offers are examined."""
GOALS_OFFERED_FOR = 3
"""Offers ask for cards that one of this many best goals lacks."""
DESPERATE, BOLD = 0.15, 0.4
"""The least chance at which a win is tried, if another player is about to win and if none is."""
NEVER = 400.0
"""The number of rolls that stands for never."""
FIRST_WORTH = (1.0, 1.0, 0.9, 1.15, 1.15)
"""The worth of a card of each resource in the set-up."""
ROAD_PROMISE = 0.001
"""The weight of good points beyond a road; it only decides between roads after which a win takes equally long."""

ROLLS_A_POINT, ROLLS_A_LATE_POINT = 30.0, 25.0
"""Rolls for each missing point, if a plan finds nothing to buy, and if it has reached ``MOST_PURCHASES``."""
MOST_YIELDING_ROLLS, ROLLS_A_CARD, LEAST_INCOME = 90.0, 5.0, 0.05
"""The rolls for which a purchase yields: at most the first number; otherwise the second for each missing point at an
income of one card per roll. The third is the least income to divide by."""
NO_INCOME = 0.02
"""A player has no income of a resource at this many cards per roll or fewer."""
WILD_SHARE = 0.2
"""The share of each resource in the cards that a progress card is worth."""
ROLLS_A_FREE_ROAD = 0.5
"""Rolls added for each paid road towards the longest road."""
PLAYED_IN_TURN = 0.5
"""The part of a round by which an army is ready sooner, since its last knight is played in the player's own turn; also
the least wait, in rounds."""
WHARF_SHARE = 0.4
"""The share of the income that a player trades at a wharf."""
OWN_HARM, LEADER, STOLEN_HARM = 3.0, 0.5, 0.03
"""For the quick measure of robberies: the factor of own losses, the base to which points are added, and the weight of
a stolen card."""
NEW_RESOURCE = 1.3
"""For the quick value of a set-up point: the factor of a resource that the player does not have."""
NEEDED_BY_MONOPOLY = 1.5
"""The factor of cards from a monopoly that the goal lacks."""
DELAY = 0.01
"""The rolls by which a road to the next site may delay the goal."""
SITE_YIELD, SITE_ROADS, OTHER_SITES = 8, 0.7, 0.02
"""For the quick measure of a road: the weights of a site's yield, of its distance, and of all sites but the best."""
LONGER_NEAR, LONGER_FAR, EXTENDS = 2.0, 0.1, 0.05
"""The same: the weights of a longer trail near the longest road and far from it, and of one that can go on."""

# Bounds

SEARCHES = {20: (2, 4), 100: (4, 6)}
"""By the milliseconds for a decision, the depth and width of the learned value's search, in moves of a turn. The
search counts moves, so that no decision depends on a clock."""
POINTS_JUDGED, ROBBERIES_JUDGED, TRADES_JUDGED = 8, 12, 12
"""How many points of the set-up, robberies and trades are examined closely."""
SECOND_POINTS = 3
"""How many points are examined for the second village."""
MOST_SITES, FARTHEST_SITE = 5, 3
"""The most sites examined, and their greatest distance in roads."""
MOST_PURCHASES = 14
"""The most purchases in a plan."""
MOST_POSITIONS = 16_000
"""The most positions searched for a win; none of 10,000 known wins needed more."""
