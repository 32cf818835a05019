"""The purchases that a player can save for, and how many cards they need."""

from catan_p2p.game.actions.parts import COST_CITY, COST_DEV_CARD, COST_ROAD, COST_VILLAGE
from catan_p2p.game.actions.placement import open_roads, open_settlement_points, touched_settlement_points
from catan_p2p.game.board import Points
from catan_p2p.game.cards import ONE, RESOURCES, Cards, total, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State

CARD_MALUS = 1.5
"""Cards added to the distance of a development card, which is worth less than a building one card further away."""


def open_villages(state: State, player: Player) -> Points:
    """The settlement points where the player could build a village now."""
    return touched_settlement_points(state, player) & open_settlement_points(state)


def goals(state: State, player: Player) -> list[Cards]:
    """The costs of what the player can save for: city, village or the road to one, development card."""
    left = state.b[player - 1]
    options = []
    if left.city and state.s.villages[player - 1]:
        options.append(COST_CITY)
    if left.village and open_villages(state, player):
        options.append(COST_VILLAGE)
    elif left.village and left.road and open_roads(state, player):
        options.append(COST_VILLAGE + COST_ROAD)
    if total(state.bnk.dc):
        options.append(COST_DEV_CARD)
    return options


def distance(hand: Cards, cost: Cards) -> float:
    """How many cards the hand lacks to pay a cost."""
    return total(lacking(hand, cost)) + (CARD_MALUS if cost == COST_DEV_CARD else 0)


def goal(state: State, player: Player) -> Cards | None:
    """The cost of the nearest goal; None if there is no goal."""
    hand = state.h[player - 1].rc
    return min(goals(state, player), key=lambda cost: distance(hand, cost), default=None)


def lacking(hand: Cards, cost: Cards) -> Cards:
    """The cards of a cost that the hand lacks."""
    return sum(
        ONE[resource] * (wanted - held)
        for resource, wanted, held in zip(RESOURCES, unpack(cost), unpack(hand), strict=True)
        if wanted > held
    )
