"""Players and dice that make the rare things happen: cut roads, ties, one road left, an empty bank.

A game of fair dice and sensible players hardly ever comes to the special cases of the Almanac; these often do. The
rules do not depend on who chooses, nor on what the dice like.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from catan_p2p.game import actions as a
from catan_p2p.game.board import numbers
from catan_p2p.game.cards import pack
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import any_offer
from catan_p2p.game.state import State

ROAD_GOODS = ("Lumber", "Brick")


class RoadFighter:
    """Cuts the roads of others, builds and trades for roads as long as there are any, and does the rest by chance.

    Of several roads it takes one that leads to a point where it could cut, or where somebody else's road ends.
    """

    def choose(self, state: State, player: Player, decisions: Sequence[a.Action], rng: Random) -> a.Action:
        """A cut, else a road, else something else; cards, cities and offers, any that can be made, now and then."""
        cuts = [one for one in decisions if isinstance(one, a.BuildVillage) and _meeting(state, player, one.at) == 2]
        roads = [one for one in decisions if isinstance(one, a.BuildRoad | a.PlayRoadBuilding)]
        hostile = [one for one in roads if isinstance(one, a.BuildRoad) and _leads_to_others(state, player, one.at)]
        trades = [
            one
            for one in decisions
            if isinstance(one, a.TradeFourToOne | a.TradeThreeToOne | a.TradeTwoToOne)
            and one.receive in ROAD_GOODS
            and one.give not in ROAD_GOODS
        ]
        seldom = a.EmptyBuild | a.OfferTrade | a.BuyDevCard | a.BuildCity | a.BuildVillage
        rest = [one for one in decisions if not isinstance(one, seldom) or rng.random() < 0.2]
        chosen = rng.choice(cuts or hostile or roads or trades or rest or decisions)
        return any_offer(state, chosen, rng)


def _meeting(state: State, player: Player, at: int) -> int:
    """How many roads of one adversary meet at a settlement point, at most."""
    meeting = state.constants.board.roads_at[at]
    return max((state.r[seat - 1] & meeting).bit_count() for seat in state.constants.players if seat != player)


def _leads_to_others(state: State, player: Player, at: int) -> bool:
    return any(_meeting(state, player, end) for end in numbers(state.constants.board.end_points[at]))


def enriched(state: State) -> State:
    """The same position, with hands full of lumber and brick and some wool and grain, as far as the bank reaches."""
    n = state.constants.player_count
    hand = pack((18 // n, 18 // n, 3, 3, 0))
    return state._replace(
        h=tuple(one._replace(rc=hand) for one in state.h),
        bnk=state.bnk._replace(rc=state.constants.rules.resource_pool - n * hand),
    )


def loaded(action: a.Action, seed: int, rng: Random) -> a.Action:
    """The same roll, but more often than not of one of two sums that the game's dice like; no other action changes."""
    if isinstance(action, a.RollDice) and rng.random() < 0.7:
        likes = Random(f"dice/{seed}")
        favourites = likes.sample([sum for sum in range(2, 13) if sum != 7], 2)
        return replace(action, dice=rng.choice(favourites))
    return action
