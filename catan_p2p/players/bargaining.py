"""Trading with other players: what to offer, what to accept, with whom to conclude.

It takes all hands to be public, so that a player knows what others need. Decisions depend on the state and ``rng``
alone.
"""

from collections.abc import Sequence
from random import Random

from catan_p2p.game.actions import Action, AnswerTrade, ConcludeTrade, OfferTrade, ProposeTrade, WithdrawTrade
from catan_p2p.game.actions.offering import takers
from catan_p2p.game.actions.parts import COST_CITY, COST_ROAD, COST_VILLAGE
from catan_p2p.game.actions.propose_trade import may_propose
from catan_p2p.game.cards import Cards, covers, kinds, selections, total
from catan_p2p.game.constants import Player
from catan_p2p.game.scoring import player_points, trail_length
from catan_p2p.game.state import State
from catan_p2p.players.goals import distance, goals, lacking, open_villages

OFFER_CHANCE = 0.5
"""The probability of making a good offer. A withdrawn offer leaves no trace in the state, so without this the player
would repeat it for ever."""

GIVEN_MOST = 2
"""The most cards that are given for one."""


def make_offer(state: State, player: Player, goal: Cards | None, rng: Random) -> OfferTrade | None:
    """An offer of cards that the goal does not need for one that it lacks, if another player should accept it."""
    hand = state.h[player - 1].rc
    missing = lacking(hand, goal) if goal is not None else 0
    if goal is None or not missing or rng.random() >= OFFER_CHANCE:
        return None
    spare = hand - (goal - missing)
    for amount in range(1, min(GIVEN_MOST, state.constants.rules.side_max) + 1):
        offers = [
            OfferTrade(player, give, receive)
            for receive in selections(missing, 1)
            for give in selections(spare, amount)
            if not set(kinds(give)) & set(kinds(receive))
            and any(is_partner(state, player, other, give, receive) for other in takers(state, player, receive))
        ]
        if offers:
            return rng.choice(offers)
    return None


def is_partner(state: State, player: Player, other: Player, give: Cards, receive: Cards) -> bool:
    """Whether the other player is present, should accept, and does not come close to winning by it."""
    return (
        other != player
        and not state.away[other - 1]
        and would_accept(state, other, give, receive)
        and not is_dangerous(state, other, state.h[other - 1].rc + give - receive)
    )


def answer(state: State, player: Player, rng: Random) -> AnswerTrade | ProposeTrade:
    """The player's reply to the standing offer; with table talk, a counter-offer if there is a good one."""
    if would_accept(state, player, *state.offer):
        return AnswerTrade(player, "accept")
    return counter_offer(state, player, rng) or AnswerTrade(player, "reject")


def counter_offer(state: State, player: Player, rng: Random) -> ProposeTrade | None:
    """A proposal of one card for one that is good for both the player and the active player; None if there is none.

    It asks for one of the offered cards, since the active player has shown that they can spare those.
    """
    if not may_propose(state, player) or is_dangerous(state, state.ap, state.h[state.ap - 1].rc):
        return None
    hand = state.h[player - 1].rc
    found = [
        ProposeTrade(player, give, receive)
        for receive in selections(state.offer.give, 1)
        for give in selections(hand, 1)
        if not set(kinds(give)) & set(kinds(receive))
        and (give, receive) != (state.offer.receive, state.offer.give)
        and would_accept(state, player, receive, give)
        and is_welcome(state, give, receive)
    ]
    return rng.choice(found) if found else None


def is_welcome(state: State, give: Cards, receive: Cards) -> bool:
    """Whether the active player comes nearer to a goal by getting ``give`` for ``receive``."""
    hand, options = state.h[state.ap - 1].rc, goals(state, state.ap)
    if not options or not covers(hand, receive):
        return False
    after = hand - receive + give
    return min(distance(after, cost) for cost in options) < min(distance(hand, cost) for cost in options)


def would_accept(state: State, player: Player, give: Cards, receive: Cards) -> bool:
    """Whether the player gains by getting ``give`` from the active player for ``receive``.

    The player gains if a goal comes nearer by more cards than the trade costs, and the active player is not about to
    win.
    """
    hand = state.h[player - 1].rc
    if not covers(hand, receive) or is_dangerous(state, state.ap, state.h[state.ap - 1].rc - give + receive):
        return False
    after = hand - receive + give
    options = goals(state, player)
    if not options:
        return False
    nearer = min(distance(hand, cost) for cost in options) - min(distance(after, cost) for cost in options)
    return nearer > max(0, total(receive) - total(give))


def conclude(state: State, player: Player, decisions: Sequence[Action]) -> Action:
    """Conclude with the best partner, or withdraw if there is none."""
    best = best_partner(state, decisions)
    if best is not None:
        return best
    return next((one for one in decisions if isinstance(one, WithdrawTrade)), decisions[-1])


def best_partner(state: State, decisions: Sequence[Action]) -> ConcludeTrade | None:
    """The trade with the least dangerous of those who accepted; None if all of them are dangerous.

    Proposals count too, if they bring the active player nearer to a goal.
    """
    best: tuple[tuple[int, int], ConcludeTrade] | None = None
    for decision in decisions:
        if isinstance(decision, ConcludeTrade):
            partner = decision.partner
            give, receive = state.terms(partner)
            if state.ans[partner - 1] != "accept" and not is_welcome(state, receive, give):
                continue
            hand = state.h[partner - 1].rc + give - receive
            danger = (points_in_reach(state, partner, hand), player_points(state, partner))
            if not is_dangerous(state, partner, hand) and (best is None or danger < best[0]):
                best = (danger, decision)
    return best[1] if best is not None else None


def is_dangerous(state: State, player: Player, hand: Cards) -> bool:
    """Whether the player is within two points of winning, or could win by spending this hand."""
    needed = state.constants.rules.points_to_win
    return player_points(state, player) >= needed - 2 or points_in_reach(state, player, hand) >= needed


def points_in_reach(state: State, player: Player, hand: Cards) -> int:
    """The points that the player could reach by building with this hand: cities, villages, the longest road."""
    points, left = player_points(state, player), state.b[player - 1]
    roads = left.road
    places = open_villages(state, player).bit_count() if left.village else 0
    cities = min(left.city, state.s.villages[player - 1].bit_count())
    while cities and covers(hand, COST_CITY):
        hand, cities, points = hand - COST_CITY, cities - 1, points + 1
    built = 0
    rest = hand
    while built < roads and covers(rest, COST_ROAD):
        rest, built = rest - COST_ROAD, built + 1
    if state.lr != player and built and _would_lead(state, player, built):
        points += 2
    while places and covers(hand, COST_VILLAGE):
        hand, places, points = hand - COST_VILLAGE, places - 1, points + 1
    return points


def _would_lead(state: State, player: Player, built: int) -> bool:
    """Whether this number of further roads could win the longest road."""
    if state.r[player - 1].bit_count() + built < state.constants.rules.longest_road_min:
        return False
    longest = max((trail_length(state, other) for other in state.constants.players if other != player), default=0)
    # trail_length is 0 below the least length that counts; the number of roads is an upper bound then.
    own = trail_length(state, player) or state.r[player - 1].bit_count()
    return own + built >= state.constants.rules.longest_road_min and own + built > longest
