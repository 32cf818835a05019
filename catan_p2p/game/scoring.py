"""Points and the two bonus cards: ``PlayerPoints``, ``LongestRoad`` and ``LargestArmy`` of the specification."""

from collections.abc import Sequence

from catan_p2p.game.board import longest_trail
from catan_p2p.game.cards import FIELD_MAX, SHIFT, count
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.state import State


def player_points(state: State, player: Player) -> int:
    """Victory points: village 1, city 2, unveiled victory point 1, longest road 2, largest army 2."""
    return state.points(player)


def points_of(state: State) -> tuple[int, ...]:
    """The points of all players by seat."""
    return tuple(state.points(player) for player in state.constants.players)


def trail_length(state: State, player: Player) -> int:
    """Length of a player's longest trail; 0 if they have too few roads for it to matter."""
    roads = state.r[player - 1]
    # A trail is never longer than the number of roads, and the search costs far more than counting.
    if roads.bit_count() < state.constants.rules.longest_road_min:
        return 0
    return longest_trail(state.constants.board, roads, state.others(player))


def army_size(state: State, player: Player) -> int:
    """How many knights a player has unveiled."""
    return count(state.h[player - 1].uc, "Knight")


def army_sizes(state: State) -> list[int]:
    """How many knights each player has unveiled, by seat."""
    return [hand.uc >> _KNIGHTS & FIELD_MAX for hand in state.h]


_KNIGHTS = SHIFT["Knight"]


def bonus_holder(sizes: Sequence[int], minimum: int, holder: Player) -> Player:
    """Who holds a bonus card, given every player's size in seat order and who held it before.

    The holder keeps it while nobody has more and they still have the minimum. Otherwise it goes to the one player
    who has the most, if that is enough, and to nobody if several share the most (rule book, "Longest Road").
    """
    most = max(sizes)
    if most < minimum:
        return NO_OWNER
    # The holder keeps the card in a tie.
    if holder != NO_OWNER and sizes[holder - 1] == most:
        return holder
    if sizes.count(most) > 1:
        return NO_OWNER
    return sizes.index(most) + 1


def longest_road_holder(state: State) -> Player:
    """Who holds the longest road after a road or a village was built."""
    rules = state.constants.rules
    # The common case early in a game, without any search.
    if all(roads.bit_count() < rules.longest_road_min for roads in state.r):
        return NO_OWNER
    sizes = [trail_length(state, player) for player in state.constants.players]
    return bonus_holder(sizes, rules.longest_road_min, state.lr)


def largest_army_holder(state: State) -> Player:
    """Who holds the largest army after a knight was played."""
    return bonus_holder(army_sizes(state), state.constants.rules.largest_army_min, state.la)
