"""How catanatron is known to differ from our standard rules: every way has a name, a narrow condition, and no more.

Each is explained in docs/research/independent.md, with the words of the rule book that decide. What must be right
instead is worked out here once more, from catanatron's own state: an engine of ours that shared a mistake would be
found, too.
"""

from collections.abc import Mapping
from enum import Enum

from catanatron.models.board import STATIC_GRAPH

from catan_p2p.game.cards import DEV_CARDS, RESOURCES, Cards, count
from catan_p2p.game.constants import Player
from tests.independent.island import OUR_RESOURCE
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


def can_pay_road(hand: Cards) -> bool:
    """Whether a hand could pay for a road."""
    return count(hand, "Lumber") > 0 and count(hand, "Brick") > 0


def cards_by_rule_book(
    opinion: Opinion, player: Player, theirs: set[str], bought: Mapping[str, int]
) -> tuple[set[str], list[Known]]:
    """The development cards that may be played, where catanatron offers ``theirs``, and why the two differ."""
    known: list[Known] = []
    if opinion.has_played:
        return set(), known
    held = dict(zip(DEV_CARDS, opinion.cards(player), strict=True))
    # Almanac, "Development Cards": "You may not, however, play a card that you bought during the same turn."
    older = {card for card in DEV_CARDS if held[card] > bought.get(card, 0) and card != "VictoryPoint"}
    known += [Known.BOUGHT_CARD] * len(theirs - older)
    usable = {
        "Knight": True,
        "Monopoly": True,
        "YearOfPlenty": sum(opinion.bank) >= 2,
        "RoadBuilding": bool(opinion.open_roads(player)) and opinion.supply(player)[0] > 0,
    }
    expected = {card for card in older if usable[card]}
    for card in sorted(expected - theirs):
        if not opinion.has_rolled and card != "Knight":
            known.append(Known.CARDS_BEFORE_DICE)  # Almanac, "Development Cards": "even before you roll the dice"
        elif card == "RoadBuilding" and not can_pay_road(opinion.hand(player)):
            known.append(Known.FREE_ROADS_PAID)  # Almanac, "Progress Cards": "place 2 free roads"
        else:
            expected.remove(card)  # no reason known: let the two sides disagree
    return expected, known


def trades_by_rule_book(opinion: Opinion, player: Player) -> set[tuple[int, str, str]]:
    """Rate, given and received of every trade with the bank (Almanac, "Maritime Trade": "4:1 is always possible")."""
    if not opinion.has_rolled:
        return set()
    wharfs = set(opinion.theirs.board.get_player_port_resources(opinion.colour(player)))
    special = {OUR_RESOURCE[resource] for resource in wharfs if resource is not None}
    hand, bank = opinion.hand(player), dict(zip(RESOURCES, opinion.bank, strict=True))
    rates = {give: {4} | ({3} if None in wharfs else set()) | ({2} if give in special else set()) for give in RESOURCES}
    return {
        (rate, give, receive)
        for give in RESOURCES
        for rate in rates[give]
        for receive in RESOURCES
        if receive != give and bank[receive] and count(hand, give) >= rate
    }


def robberies_by_rule_book(opinion: Opinion, player: Player) -> set[tuple[int, Player]]:
    """Every other land tile with whom to rob there, 0 where nobody else lives (Almanac, "Knight Cards", "Robber")."""
    found = set()
    for cube, tile in opinion.island.map.land_tiles.items():
        if cube == opinion.theirs.board.robber_coordinate:
            continue
        living = {opinion.seat(opinion.theirs.board.get_node_color(node)) for node in tile.nodes.values()}
        found |= {(opinion.island.tile[cube], victim) for victim in living - {0, player} or {0}}
    return found
