"""How catanatron is known to differ from our standard rules: every way has a name, a narrow condition, and no more.

Each is explained in docs/independent.md, with the entry of the rule book that decides. The conditions look at what the
other side says and at the position, never at what our engine makes of it, wherever that can be told apart: lengths of
roads and their holder are worked out here once more, from the pieces as they lie.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from catanatron.models.board import STATIC_GRAPH

from catan_p2p.constants import Player
from tests.independent.opinion import Opinion


class Known(Enum):
    """The known differences; the value says what catanatron does."""

    SHORTAGE_OF_ONE = "a player who alone is due more cards than the bank has gets none instead of the rest"
    ROAD_TO_ADVERSARY = "a road that ends at an adversary's settlement does not count towards the longest road"
    ROAD_CARD_AFTER_CUT = "after a cut the longest road goes to the first of those who share the most, even below five"
    WIN_OFF_TURN = "whoever has ten points has won, be it their turn or not"
    BOUGHT_CARD = "a development card can be played in the turn it was bought"
    CARDS_BEFORE_DICE = "before the dice only a knight is offered"
    FREE_ROADS_PAID = "road building, and its second road, is offered only to those who could pay for a road"
    ONE_CARD_OF_PLENTY = "year of plenty may take a single card where the bank lacks one of a pair"
    WORSE_RATE = "the bank trades at a player's best rate only"
    EMPTY_HANDED_VICTIM = "a player without cards cannot be chosen as the robber's victim"
    DOMESTIC_TRADE = "players do not trade with one another"


def longest_walk(opinion: Opinion, seat: Player, *, may_end_at_adversary: bool = True) -> int:
    """Length of a player's longest road by trying every walk on catanatron's board that uses no road twice.

    A settlement of somebody else's may end a walk, not be passed; ``may_end_at_adversary`` says whether it may be
    entered.
    """
    board, colour = opinion.theirs.board, opinion.colour(seat)
    own = {edge for edge, whose in board.roads.items() if whose == colour}

    def longest_from(node: int, used: frozenset[tuple[int, int]], *, first: bool) -> int:
        if board.is_enemy_node(node, colour) and not first:
            return 0
        best = 0
        for there in STATIC_GRAPH.neighbors(node):
            road = (min(node, there), max(node, there))
            if (node, there) in own and road not in used:
                if board.is_enemy_node(there, colour) and not may_end_at_adversary:
                    continue
                best = max(best, 1 + longest_from(there, used | {road}, first=False))
        return best

    starts = {node for edge in own for node in edge if may_end_at_adversary or not board.is_enemy_node(node, colour)}
    return max((longest_from(node, frozenset(), first=True) for node in starts), default=0)


def holder_by_rule_book(lengths: Mapping[Player, int], before: Player) -> Player:
    """Who holds the longest road once the roads have these lengths (Almanac, "Longest Road")."""
    most = max(lengths.values())
    longest = [seat for seat, length in lengths.items() if length == most]
    if most < 5:
        return 0  # "Do the same if no one has a 5+ segment road."
    if before in longest:
        return before  # "you are tied for longest road, you still keep" it
    return longest[0] if len(longest) == 1 else 0  # "two or more players tie ...: set the card aside"
