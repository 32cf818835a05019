"""The rolls that a player needs to win, by a plan of purchases carried out with expected cards."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from catan_p2p.game.actions.parts import COST_CITY, COST_DEV_CARD, COST_ROAD, COST_VILLAGE
from catan_p2p.game.actions.placement import open_settlement_points
from catan_p2p.game.board import Points, numbers
from catan_p2p.game.cards import Cards, count, total, unpack
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.float_sums import added
from catan_p2p.game.scoring import army_size
from catan_p2p.game.state import State, roads_taken, taken
from catan_p2p.players.strategist.tables import (
    ANY,
    NO_WHARF,
    NOTHING,
    Vector,
    VillageSite,
    extending,
    income,
    others_of,
    plus,
    point_yields,
    rates,
    sites,
    trail,
)
from catan_p2p.players.strategist.weights import (
    LEAST_INCOME,
    MOST_PURCHASES,
    MOST_SITES,
    MOST_YIELDING_ROLLS,
    NEVER,
    NO_INCOME,
    PLAYED_IN_TURN,
    ROLLS_A_CARD,
    ROLLS_A_FREE_ROAD,
    ROLLS_A_LATE_POINT,
    ROLLS_A_POINT,
    WHARF_SHARE,
    WILD_SHARE,
    StrategistWeights,
)


def _vector(cost: Cards) -> Vector:
    a, b, c, d, e = unpack(cost)
    return (float(a), float(b), float(c), float(d), float(e))


ROAD, VILLAGE, CITY, CARD = map(_vector, (COST_ROAD, COST_VILLAGE, COST_CITY, COST_DEV_CARD))
_WITH_ROADS = tuple(plus(VILLAGE, ROAD, away) for away in range(8))


def shares_of(rates: tuple[int, ...], traded: tuple[float, float, float]) -> Vector:
    """The worth of one spare card of each resource in trades with the bank, in cards."""
    a, b, c, d, e = rates
    return (traded[a - 2], traded[b - 2], traded[c - 2], traded[d - 2], traded[e - 2])


def wait(hand: Vector, income: Vector, shares: Vector, cost: Vector) -> float:
    """The rolls until a hand with this income can pay a cost, with spare cards traded at the bank.

    The balance of spare and missing cards is a concave function of time, so Newton's steps reach its zero from below.
    """
    h0, h1, h2, h3, h4 = hand[0] - cost[0], hand[1] - cost[1], hand[2] - cost[2], hand[3] - cost[3], hand[4] - cost[4]
    i0, i1, i2, i3, i4 = income
    s0, s1, s2, s3, s4 = shares
    time = 0.0
    # The balance is piecewise linear and changes slope once per resource, so six steps suffice.
    for _ in range(8):
        x0, x1, x2, x3, x4 = h0 + i0 * time, h1 + i1 * time, h2 + i2 * time, h3 + i3 * time, h4 + i4 * time
        balance = (
            (x0 if x0 < 0 else x0 * s0)
            + (x1 if x1 < 0 else x1 * s1)
            + (x2 if x2 < 0 else x2 * s2)
            + (x3 if x3 < 0 else x3 * s3)
            + (x4 if x4 < 0 else x4 * s4)
        )
        if balance >= -1e-9:
            return time
        slope = (
            (i0 if x0 < 0 else i0 * s0)
            + (i1 if x1 < 0 else i1 * s1)
            + (i2 if x2 < 0 else i2 * s2)
            + (i3 if x3 < 0 else i3 * s3)
            + (i4 if x4 < 0 else i4 * s4)
        )
        if slope <= 1e-9:
            return NEVER
        time -= balance / slope
        if time > NEVER:
            return NEVER
    return time


def after(hand: Vector, income: Vector, shares: Vector, cost: Vector, time: float) -> Vector:
    """The hand once a cost is paid after this many rolls; missing cards take the same share of all spare ones."""
    x = [h + i * time - c for h, i, c in zip(hand, income, cost, strict=True)]
    lacking = -added(v for v in x if v < 0)
    spare = added(v * s for v, s in zip(x, shares, strict=True) if v > 0)
    keep = 1.0 - lacking / spare if spare > lacking else 0.0
    a, b, c, d, e = (v * keep if v > 0 else 0.0 for v in x)
    return (a, b, c, d, e)


def _with_wharf(shares: Vector, wharf: int, traded: tuple[float, float, float]) -> Vector:
    a, b, c, d, e = (
        max(share, traded[1]) if wharf == ANY else traded[0] if i == wharf else share for i, share in enumerate(shares)
    )
    return (a, b, c, d, e)


class PlayerOutlook(NamedTuple):
    """All that a player's plan depends on; a hashable key, so that equal outlooks are computed once."""

    needed: float
    income: Vector
    rates: tuple[int, int, int, int, int]
    villages: tuple[Vector, ...]
    """the yield of each village, best first; a city there adds the same again"""
    sites: tuple[VillageSite, ...]
    roads_left: int
    villages_left: int
    cities_left: int
    deck: Cards
    knights: tuple[int, int]
    """knights still to play for the largest army, and how many of them are in hand; (0, 0) if none are needed"""
    road_gap: int
    """roads still to build for the longest road; 0 if it is held or out of reach"""
    free_roads: int
    wild: float
    turn: int


def prospect(state: State, player: Player, weights: StrategistWeights) -> PlayerOutlook:
    """A player's outlook in this state, by what is public and by the player's cards in it."""
    board, rules, seat = state.constants.board, state.constants.rules, player - 1
    villages, cities, roads = state.s.villages[seat], state.s.cities[seat], state.r[seat]
    own = villages | cities
    settled = taken(state.s)
    foreign = settled & ~own
    blocked = roads_taken(state.r)
    yields = point_yields(board, state.ba, weights.robbed)
    left, hand = state.b[seat], state.h[seat]
    at = sites(board, roads, blocked, own, foreign, open_settlement_points(state))[:MOST_SITES] if left.village else ()
    upgrades = sorted((yields[point] for point in numbers(villages)), key=added, reverse=True)
    playable = hand.ac + hand.bc
    return PlayerOutlook(
        rules.points_to_win - _steady_points(state, player, weights),
        income(board, state.ba, weights.robbed, villages, cities),
        rates(board, own),
        tuple(upgrades),
        at,
        left.road,
        left.village,
        left.city,
        state.bnk.dc,
        _knights(state, player, count(playable, "Knight")),
        _road_gap(state, player, roads, blocked, own, foreign),
        2 * count(playable, "RoadBuilding"),
        weights.wild * (count(playable, "YearOfPlenty") + count(playable, "Monopoly")),
        len(state.present),
    )


def _steady_points(state: State, player: Player, weights: StrategistWeights) -> float:
    """The points of a player, with a share only of bonus cards that could soon be lost."""
    points = float(state.points(player))
    if state.lr == player and points < state.constants.rules.points_to_win:
        own = trail(state.constants.board, state.r[player - 1], state.others(player))
        if any(
            trail(state.constants.board, state.r[other - 1], state.others(other)) + 2 > own
            for other in others_of(state, player)
        ):
            points -= 2 * (1 - weights.held)
    if state.la == player and points < state.constants.rules.points_to_win:
        own = army_size(state, player)
        if any(army_size(state, other) + 2 > own for other in others_of(state, player)):
            points -= 2 * (1 - weights.held)
    return points


def _knights(state: State, player: Player, held: int) -> tuple[int, int]:
    if state.la == player:
        return (0, 0)
    most = max(army_size(state, other) for other in state.constants.players)
    least = max(state.constants.rules.largest_army_min, most + 1)
    return (least - army_size(state, player), held)


def _road_gap(state: State, player: Player, roads: Points, blocked: Points, own: Points, foreign: Points) -> int:
    if state.lr == player:
        return 0
    board = state.constants.board
    longest = 0
    if state.lr != NO_OWNER:
        longest = trail(board, state.r[state.lr - 1], state.others(state.lr))
    needed = max(state.constants.rules.longest_road_min, longest + 1) - trail(board, roads, foreign)
    if needed <= 0 or needed > state.b[player - 1].road or not extending(board, roads, blocked, own, foreign):
        return 0
    return needed


@lru_cache(maxsize=1 << 14)
def rolls(prospect: PlayerOutlook, hand: Vector, weights: StrategistWeights) -> float:
    """The approximate rolls to a win, if the purchase with the best gain per wait is always made next."""
    return _PurchasePlan(prospect, hand, weights).time()


class SavingGoal(NamedTuple):
    """A purchase to save for."""

    score: float
    """points a roll: the gain and the growth of income it brings, divided by the time it takes"""
    time: float
    gain: float
    worth: float
    """points gained, growth included"""
    cost: Vector
    what: str
    """``city``, ``village``, ``card``, ``army`` or ``roads``"""
    which: int
    """of a village, the index of its site"""


def options(prospect: PlayerOutlook, hand: Vector, weights: StrategistWeights) -> list[SavingGoal]:
    """All purchases to save for, by gain per roll, best first."""
    return sorted(_PurchasePlan(prospect, hand, weights).options(), key=lambda option: -option.score)


class _PurchasePlan:
    """A simulation with expected values: the hand grows by the income, and the best purchase is made each time."""

    def __init__(self, prospect: PlayerOutlook, hand: Vector, weights: StrategistWeights) -> None:
        self._p, self._hand, self._w = prospect, hand, weights
        self._income, self._shares = prospect.income, shares_of(prospect.rates, weights.traded)
        self._villages, self._sites = list(prospect.villages), list(prospect.sites)
        self._roads, self._villages_left, self._cities = (
            prospect.roads_left,
            prospect.villages_left,
            prospect.cities_left,
        )
        self._needed = prospect.needed
        self._army, self._road_gap = prospect.knights[0] > 0, prospect.road_gap
        self._cards = total(prospect.deck)
        deck = unpack(prospect.deck)
        cards = max(1, sum(deck))
        self._knight_share, self._point_share = deck[3] / cards, deck[4] / cards
        self._progress_share = 1.0 - self._knight_share - self._point_share
        self._wild = prospect.wild
        self._free = prospect.free_roads

    def time(self) -> float:
        """The rolls until the points are reached."""
        time = 0.0
        for _ in range(MOST_PURCHASES):
            if self._needed <= 0.01:
                return time
            best = max(self.options(), key=lambda option: option.score, default=None)
            if best is None:
                return min(NEVER, time + ROLLS_A_POINT * self._needed)
            time += best.time + self._w.pace
            if time >= NEVER:
                return NEVER
            self._hand = after(self._hand, self._income, self._shares, best.cost, best.time)
            self._buy(best)
        return min(NEVER, time + ROLLS_A_LATE_POINT * max(0.0, self._needed))

    def options(self) -> Iterator[SavingGoal]:
        """The purchases that could be made next."""
        w, income = self._w, self._income
        growth = w.growth * min(MOST_YIELDING_ROLLS, self._needed * ROLLS_A_CARD / max(added(income), LEAST_INCOME))
        self._spendable = plus(self._hand, (WILD_SHARE,) * 5, self._wild) if self._wild else self._hand
        if self._cities and self._villages:
            yield from self._option("city", CITY, 1.0, growth * added(self._villages[0]))
        if self._villages_left:
            for i, site in enumerate(self._sites):
                if site.roads <= self._roads:
                    fresh = added(y if income[k] > NO_INCOME else w.fresh * y for k, y in enumerate(site.yields))
                    cost = _WITH_ROADS[max(0, site.roads - self._free)]
                    worth = growth * (fresh + self._wharf_worth(site))
                    yield from self._option("village", cost, 1.0, worth, i, w.contest * site.roads)
        if self._cards >= 1:
            gain = self._point_share + w.knight * self._knight_share + w.progress * self._progress_share
            yield from self._option("card", CARD, gain, 0.0)
            if self._army and self._knight_share > 0:
                yield from self._for_army()
        if self._road_gap and self._road_gap <= self._roads:
            gap = max(0, self._road_gap - self._free)
            gain = 2.0 if self._needed <= 2 else w.bonus
            yield from self._option("roads", plus(NOTHING, ROAD, gap), gain, 0.0, 0, ROLLS_A_FREE_ROAD * gap)

    def _option(
        self, what: str, cost: Vector, gain: float, growth: float, which: int = 0, more: float = 0.0
    ) -> Iterator[SavingGoal]:
        time = wait(self._spendable, self._income, self._shares, cost) + more
        if time < NEVER:
            worth = gain + growth
            yield SavingGoal(worth / (time + self._w.patience * self._p.turn), time, gain, worth, cost, what, which)

    def _for_army(self) -> Iterator[SavingGoal]:
        due, held = self._p.knights
        buy = max(0, due - held) / self._knight_share
        if buy > self._cards:
            return
        gain = 2.0 if self._needed <= 2 else self._w.bonus
        gain += buy * (self._point_share + self._w.progress * self._progress_share)
        cost = plus(NOTHING, CARD, buy)
        turns = self._p.turn * max(PLAYED_IN_TURN, due - PLAYED_IN_TURN)
        waited = wait(self._spendable, self._income, self._shares, cost)
        yield from self._option("army", cost, gain, 0.0, 0, max(0.0, turns - waited))

    def _wharf_worth(self, site: VillageSite) -> float:
        """The approximate cards per roll that a site's wharf saves."""
        if site.wharf == NO_WHARF:
            return 0.0
        shares, traded = self._shares, self._w.traded
        if site.wharf == ANY:
            return WHARF_SHARE * added(i * max(0.0, traded[1] - s) for i, s in zip(self._income, shares, strict=True))
        return WHARF_SHARE * (self._income[site.wharf] + site.yields[site.wharf]) * (traded[0] - shares[site.wharf])

    def _buy(self, bought: SavingGoal) -> None:
        self._needed -= bought.gain
        self._wild = 0.0
        if bought.what == "city":
            self._income = plus(self._income, self._villages.pop(0))
            self._cities -= 1
            self._villages_left += 1
        elif bought.what == "village":
            site = self._sites.pop(bought.which)
            self._income = plus(self._income, site.yields)
            self._villages.append(site.yields)
            self._villages.sort(key=added, reverse=True)
            self._villages_left -= 1
            self._lay(site.roads)
            if site.wharf != NO_WHARF:
                self._shares = _with_wharf(self._shares, site.wharf, self._w.traded)
        elif bought.what == "roads":
            self._lay(self._road_gap)
            self._road_gap = 0
        elif bought.what == "army":
            self._army = False
            self._cards -= 3
        else:
            self._cards -= 1

    def _lay(self, roads: int) -> None:
        self._roads -= roads
        self._free = max(0, self._free - roads)
