"""A turn that cannot win: save for the purchase with the most points per roll, and spend what it does not need."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, TypeVar

from catan_p2p.game import actions
from catan_p2p.game import rules as engine
from catan_p2p.game.actions.parts import COST_CITY, COST_DEV_CARD, COST_ROAD, COST_VILLAGE
from catan_p2p.game.actions.placement import open_roads, open_settlement_points
from catan_p2p.game.board import numbers
from catan_p2p.game.cards import ONE, RESOURCES, Cards, count, covers, total, unpack
from catan_p2p.game.float_sums import added
from catan_p2p.game.scoring import army_size, bonus_holder
from catan_p2p.game.state import TRADE_PHASES, State, roads_taken, taken
from catan_p2p.players.goals import lacking
from catan_p2p.players.strategist.bartering import TurnTrades, best_offer
from catan_p2p.players.strategist.judge import PositionJudge, vector
from catan_p2p.players.strategist.outlook import SavingGoal, options, prospect, shares_of, wait
from catan_p2p.players.strategist.robbing import best_robbery
from catan_p2p.players.strategist.tables import Vector, extending, point_yields, sites, trail
from catan_p2p.players.strategist.turn import finance
from catan_p2p.players.strategist.weights import (
    DELAY,
    EXTENDS,
    GOALS_OFFERED_FOR,
    LONGER_FAR,
    LONGER_NEAR,
    NEEDED_BY_MONOPOLY,
    OTHER_SITES,
    SITE_ROADS,
    SITE_YIELD,
)
from catan_p2p.view.card_memory import Hands

A = TypeVar("A", bound=actions.Action)


class SpendingDecision:
    """One decision of a player's turn."""

    def __init__(
        self,
        judge: PositionJudge,
        state: State,
        decisions: Sequence[actions.Action],
        rng: Random,
        trading: TurnTrades | None = None,
        held: Hands | None = None,
        may_ask: Callable[[Cards], bool] = lambda receive: True,
    ) -> None:
        self._judge, self._state, self._rng, self._trading, self._held = judge, state, rng, trading, held
        self._may_ask = may_ask
        self._player, self._w = judge.player, judge.weights
        self._hand = state.h[self._player - 1].rc
        self._by_type: dict[type, list[Any]] = {}
        for decision in decisions:
            self._by_type.setdefault(type(decision), []).append(decision)
        self._prospect = prospect(state, self._player, self._w)
        self._shares = shares_of(self._prospect.rates, self._w.traded)
        self._options = options(self._prospect, vector(self._hand), self._w)
        self._goal: SavingGoal | None = self._options[0] if self._options else None

    def decide(self) -> actions.Action | None:
        """The next decision; None if the turn, or its trading, should end."""
        return self._card() or self._build() or self._road() or self.offer() or self._trade() or self._spare()

    def _of(self, kind: type[A]) -> list[A]:
        """The decisions of a kind."""
        return self._by_type.get(kind, [])

    # Development cards

    def _card(self) -> actions.Action | None:
        knights = self._of(actions.PlayKnight)
        if knights and self._wants_knight():
            return best_robbery(self._judge, self._state, knights)[1]
        goal = self._goal
        if goal is None:
            return None
        missing = lacking(self._hand, self._cost_of(goal))
        if self._of(actions.PlayRoadBuilding) and (goal.what == "roads" or self._roads_to(goal) or not missing):
            return self._free_roads()
        for play in self._of(actions.PlayYearOfPlenty) if missing and total(missing) <= 2 else ():
            if covers(ONE[play.first] + ONE[play.second], missing):
                return play
        monopolies = self._of(actions.PlayMonopoly)
        if monopolies and goal.time > 0:
            best = max(monopolies, key=lambda play: self._taken(play, goal))
            if self._taken(best, goal) >= 3:
                return best
        return None

    def _taken(self, play: actions.PlayMonopoly, goal: SavingGoal) -> float:
        """The value of a monopoly in cards; cards that the goal does not lack count at their trading value."""
        kind = RESOURCES.index(play.resource)
        others = sum(
            count(hand.rc, play.resource) for seat, hand in enumerate(self._state.h, 1) if seat != self._player
        )
        need = max(0, unpack(self._cost_of(goal))[kind] - unpack(self._hand)[kind])
        return min(others, need) * NEEDED_BY_MONOPOLY + max(0, others - need) * 2 * self._shares[kind]

    def _wants_knight(self) -> bool:
        """Whether a knight frees an own tile, wins the largest army, or is one of two or of enough for the army."""
        state, player = self._state, self._player
        if state.s.of(player) & state.constants.board.corners[state.ba]:
            return True
        held = count(state.h[player - 1].ac, "Knight")
        sizes = [army_size(state, seat) + (seat == player) for seat in state.constants.players]
        if bonus_holder(sizes, state.constants.rules.largest_army_min, state.la) == player != state.la:
            return True
        due = self._prospect.knights[0]
        return held >= 2 or (due > 0 and held >= due)

    def _free_roads(self) -> actions.Action | None:
        """The road building card with the best two roads."""

        def worth(play: actions.PlayRoadBuilding) -> float:
            built = 1 << play.first | (1 << play.second if play.second else 0)
            return self._road_worth(built)

        return max(self._of(actions.PlayRoadBuilding), key=worth)

    # Building

    def _cost_of(self, option: SavingGoal) -> Cards:
        """The cost of an option in whole cards; an army costs one development card at a time."""
        if option.what == "city":
            return COST_CITY
        if option.what == "village":
            return COST_VILLAGE + self._roads_to(option) * COST_ROAD
        if option.what == "roads":
            return self._prospect.road_gap * COST_ROAD
        return COST_DEV_CARD

    def _roads_to(self, option: SavingGoal) -> int:
        return self._prospect.sites[option.which].roads if option.what == "village" else 0

    def _build(self) -> actions.Action | None:
        """The purchase that gains most beyond what it costs the goal in delay; None if none gains."""
        best: tuple[float, actions.Action] | None = None
        for option in self._options:
            for action, cost, worth in self._purchases(option):
                value = worth - self._delay(cost, option)
                if value > 0 and (best is None or value > best[0]):
                    best = value, action
        return best[1] if best else None

    def _purchases(self, option: SavingGoal) -> Iterator[tuple[actions.Action, Cards, float]]:
        player = self._player
        if option.what == "city" and (cities := self._of(actions.BuildCity)):
            yields = point_yields(self._state.constants.board, self._state.ba, self._w.robbed)
            yield max(cities, key=lambda build: added(yields[build.at])), COST_CITY, option.worth
        if option.what == "village":
            build = actions.BuildVillage(player, self._prospect.sites[option.which].point)
            if build in self._of(actions.BuildVillage):
                yield build, COST_VILLAGE, option.worth
        if option.what in ("card", "army") and (cards := self._of(actions.BuyDevCard)):
            worth = option.worth if option.what == "card" else option.worth / 2
            yield cards[0], COST_DEV_CARD, worth

    def _delay(self, cost: Cards, option: SavingGoal) -> float:
        """The cost of a purchase in points: a share of what the goal would have brought in the rolls of delay."""
        goal = self._goal
        if goal is None or option is goal or option.what == goal.what != "village":
            return 0.0
        late = self._wait(vector(self._hand - cost), goal.cost) - self._wait(vector(self._hand), goal.cost)
        return self._w.late * goal.score * max(0.0, late) - self._relief(total(cost))

    def _wait(self, hand: Vector, cost: Vector) -> float:
        return wait(hand, self._prospect.income, self._shares, cost)

    def _relief(self, spent: int) -> float:
        """The gain in points of spending this many cards before a seven takes them."""
        held, limit = total(self._hand), self._state.constants.rules.hand_limit
        if held <= limit:
            return 0.0
        saved = held / 2 if held - spent <= limit else spent / 2
        return self._judge.seven * self._w.kept * saved

    def _road(self) -> actions.Action | None:
        """A road towards the goal."""
        roads = self._of(actions.BuildRoad)
        goal = self._goal
        if not roads or goal is None:
            return None
        if goal.what not in ("roads", "village") or not (goal.what == "roads" or self._roads_to(goal)):
            # A road to the next site, if the goal does not need the cards.
            late = self._wait(vector(self._hand - COST_ROAD), goal.cost) - self._wait(vector(self._hand), goal.cost)
            next_site = next((one for one in self._options if one.what in ("village", "roads")), None)
            if late > DELAY or next_site is None or (next_site.what == "village" and not self._roads_to(next_site)):
                return None
        best = max(roads, key=lambda build: self._road_worth(1 << build.at))
        return best if self._road_worth(1 << best.at) > self._road_worth(0) + 1e-9 else None

    def _road_worth(self, built: int) -> float:
        """The value of sites and of the longest road with the roads in ``built``, whatever the hand."""
        state, player = self._state, self._player
        board, own = state.constants.board, state.s.of(player)
        foreign, roads = taken(state.s) & ~own, state.r[player - 1] | built
        blocked = roads_taken(state.r) | built
        value = 0.0
        for site in sites(board, roads, blocked, own, foreign, open_settlement_points(state))[:8]:
            worth = (1.0 + SITE_YIELD * added(site.yields)) / (1 + SITE_ROADS * site.roads)
            value = max(value, worth) + OTHER_SITES * worth
        if self._prospect.road_gap:
            longer = trail(board, roads, foreign) - trail(board, state.r[player - 1], foreign)
            near = self._prospect.road_gap <= 2 or (self._goal is not None and self._goal.what == "roads")
            value += longer * (LONGER_NEAR / self._prospect.road_gap if near else LONGER_FAR)
            if extending(board, roads, blocked, own, foreign):
                value += EXTENDS
        return value

    # Trade

    def _trade(self) -> actions.Action | None:
        """The first trade with the bank towards an option, if waiting for it costs more than the cards given away."""
        goal = self._goal
        if goal is None or self._state.tp not in TRADE_PHASES:
            return None
        for option in self._options[:3]:
            cost = self._next_cost(option)
            paid = finance(self._state, self._player, cost)
            if paid is None or not paid[0]:
                continue
            lost = sum(trade.rate - 1 for trade in paid[0])
            saved = self._wait(vector(self._hand), vector(cost)) + self._w.haste * self._prospect.turn
            relief = self._relief(lost + total(cost))
            gains = option.score * saved + relief > self._w.card * lost + self._delay(cost, option)
            if gains and self._would_buy(paid[1], cost):
                return paid[0][0]
        return self._swap_surplus()

    def _would_buy(self, state: State, cost: Cards) -> bool:
        """Whether a purchase at this cost would follow once it can be paid, rather than saving for another one."""
        state = state if state.constants.rules.combined_trade_build else state._replace(tp="Building")
        then = SpendingDecision(self._judge, state, engine.decisions(state, self._player), self._rng)
        bought = then._build() or then._road()
        return bought is not None and bought.cost == cost

    def _next_cost(self, option: SavingGoal) -> Cards:
        """The cost of the next purchase on the way to an option."""
        return COST_ROAD if option.what == "roads" or self._roads_to(option) else self._cost_of(option)

    def _swap_surplus(self) -> actions.Action | None:
        """With more cards than a seven allows: a trade of spare cards for one that a purchase lacks."""
        if total(self._hand) <= self._state.constants.rules.hand_limit:
            return None
        for option in self._options:
            cost = self._cost_of(option)
            missing = lacking(self._hand, cost)
            for receive in RESOURCES:
                if count(missing, receive):
                    paid = finance(self._state, self._player, cost - missing + ONE[receive])
                    if paid is not None and paid[0]:
                        return paid[0][0]
        return None

    def offer(self) -> actions.Action | None:
        """An offer of cards that a goal does not need for cards that it lacks, by which a partner should gain too."""
        if not self._of(actions.OfferTrade) or self._goal is None:
            return None
        goals = list(dict.fromkeys(self._cost_of(option) for option in self._options[:GOALS_OFFERED_FOR]))
        return best_offer(self._judge, self._state, goals, self._trading, self._held, self._rng, self._may_ask)

    # What is left

    def _spare(self) -> actions.Action | None:
        """With more cards than a seven allows: a development card or a road."""
        if total(self._hand) <= self._state.constants.rules.hand_limit:
            return None
        if cards := self._of(actions.BuyDevCard):
            return cards[0]
        roads = self._of(actions.BuildRoad)
        if roads and open_roads(self._state, self._player) and numbers(self._state.r[self._player - 1]):
            return max(roads, key=lambda build: self._road_worth(1 << build.at))
        return None
