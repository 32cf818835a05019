"""The computer player ``builder``: settles on good points, saves for the next building, trades."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Any, cast

from catan_p2p.game import actions
from catan_p2p.game.actions.parts import COST_CITY, COST_DEV_CARD, COST_ROAD, COST_VILLAGE
from catan_p2p.game.actions.placement import open_settlement_points
from catan_p2p.game.board import Board, numbers
from catan_p2p.game.cards import ONE, RESOURCES, Cards, count, covers, total, unpack
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.float_sums import added
from catan_p2p.game.scoring import army_size, bonus_holder, player_points
from catan_p2p.game.state import State
from catan_p2p.players.bargaining import answer, best_partner, conclude, make_offer
from catan_p2p.players.goals import goal as find_goal
from catan_p2p.players.goals import lacking, open_villages


@lru_cache(maxsize=64)
def _yields(board: Board) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For each settlement point, its productive tiles: index of the resource, and throws of 36 that yield it."""
    return ((),) + tuple(
        tuple(
            (RESOURCES.index(tile.resource), 6 - abs(7 - tile.number))
            for number in triple
            if (tile := board.map.tiles[number - 1]).resource is not None and tile.number is not None
        )
        for triple in board.settlement_tiles[1:]
    )


class BuilderPolicy:
    """Saves, builds, and trades with others and at wharfs: cities and villages first, then roads, then cards.

    ``rng`` breaks ties.
    """

    name = "builder"

    def choose(self, state: State, player: Player, decisions: Sequence[actions.Action], rng: Random) -> actions.Action:
        """The decision that brings the player closer to the next building."""
        if len(decisions) == 1:
            return decisions[0]
        first = decisions[0]
        if isinstance(first, actions.RollForStart):
            return first
        if isinstance(first, actions.RollDice):
            return self._before_dice(state, player, decisions, rng)
        if isinstance(first, actions.AnswerTrade):
            return answer(state, player, rng)
        if state.tp == "Offering":
            return conclude(state, player, decisions)
        if isinstance(first, actions.SetupPhaseOne | actions.SetupPhaseTwo):
            return self._settle(state, player, decisions, rng)
        if isinstance(first, actions.Discard):
            return self._discard(state, player, decisions, rng)
        if isinstance(first, actions.MoveBandit):
            return _best(decisions, lambda move: _harm(state, player, move), rng)
        by_type: dict[type, list[actions.Action]] = {}
        for decision in decisions:
            by_type.setdefault(type(decision), []).append(decision)
        if actions.ConcludeTrade in by_type:
            proposed = best_partner(state, by_type[actions.ConcludeTrade])
            if proposed is not None:
                return proposed
        goal = find_goal(state, player)
        card = self._card(state, player, goal, by_type, rng)
        if card is not None:
            return card
        if actions.OfferTrade in by_type:
            offer = make_offer(state, player, goal, rng)
            if offer is not None:
                return offer
        trade = self._trade(state, player, goal, by_type)
        if trade is not None:
            return trade
        if actions.EmptyTrade in by_type:
            return by_type[actions.EmptyTrade][0]
        return self._build(state, player, by_type, rng)

    def _before_dice(
        self, state: State, player: Player, decisions: Sequence[actions.Action], rng: Random
    ) -> actions.Action:
        """Roll, unless a knight moves the bandit from the player's own tile, or wins the game."""
        knights = [play for play in decisions if isinstance(play, actions.PlayKnight)]
        if not knights or not (_is_robbed(state, player) or _wins_by_knight(state, player)):
            return decisions[0]
        return _best(knights, lambda move: _harm(state, player, move), rng)

    def _settle(self, state: State, player: Player, decisions: Sequence[actions.Action], rng: Random) -> actions.Action:
        board = state.constants.board
        held = {resource for point in numbers(state.s.of(player)) for resource, _ in _yields(board)[point]}
        values = {at: _site_value(board, at, held) for at in numbers(open_settlement_points(state))}

        def value(placement: Any) -> float:
            beyond = (end for end in board.ends[placement.road] if end != placement.at)
            outlook = max(
                (
                    values.get(next_point, 0.0)
                    for end in beyond
                    for next_point in numbers(board.adjacent_settlements[end])
                    if next_point != placement.at
                ),
                default=0.0,
            )
            return values[placement.at] + 0.1 * outlook

        return _best(decisions, value, rng)

    def _discard(
        self, state: State, player: Player, decisions: Sequence[actions.Action], rng: Random
    ) -> actions.Action:
        hand, goal = state.h[player - 1].rc, unpack(find_goal(state, player) or COST_CITY)

        def kept(discard: Any) -> float:
            left = unpack(hand - discard.cards)
            return sum(min(n, wanted) for n, wanted in zip(left, goal, strict=True)) + 0.01 * len(set(left) - {0})

        return _best(decisions, kept, rng)

    def _card(
        self, state: State, player: Player, goal: Cards | None, by_type: dict[type, list[actions.Action]], rng: Random
    ) -> actions.Action | None:
        if actions.PlayKnight in by_type and (_is_robbed(state, player) or _wins_by_knight(state, player)):
            return _best(by_type[actions.PlayKnight], lambda move: _harm(state, player, move), rng)
        if actions.PlayRoadBuilding in by_type and not open_villages(state, player):
            return _best(
                by_type[actions.PlayRoadBuilding],
                lambda play: _road_value(state, player, play.second or play.first),
                rng,
            )
        if goal is None:
            return None
        missing = lacking(state.h[player - 1].rc, goal)
        if actions.PlayYearOfPlenty in by_type and missing and total(missing) <= 2:
            for play in cast(list[actions.PlayYearOfPlenty], by_type[actions.PlayYearOfPlenty]):
                if covers(ONE[play.first] + ONE[play.second], missing):
                    return play
        if actions.PlayMonopoly in by_type and missing:

            def taken(play: Any) -> float:
                others = sum(count(hand.rc, play.resource) for hand in state.h)
                return others - count(state.h[player - 1].rc, play.resource) if count(missing, play.resource) else -1

            best = _best(by_type[actions.PlayMonopoly], taken, rng)
            return best if taken(best) >= 3 else None
        return None

    def _trade(
        self, state: State, player: Player, goal: Cards | None, by_type: dict[type, list[actions.Action]]
    ) -> actions.Action | None:
        """The cheapest trade with the bank of cards that the goal does not need for one that it lacks, if any."""
        if goal is None:
            return None
        hand = state.h[player - 1].rc
        missing = lacking(hand, goal)
        if not missing:
            return None
        # In the order of the rates, so the first trade found is the cheapest.
        for rate, trade_type in actions.BANK_TRADES.items():
            for trade in cast(list[actions.BankTradeAction], by_type.get(trade_type, [])):
                spare = count(hand, trade.give) - count(goal, trade.give)
                if spare >= rate and count(missing, trade.receive):
                    return trade
        return None

    def _build(
        self, state: State, player: Player, by_type: dict[type, list[actions.Action]], rng: Random
    ) -> actions.Action:
        board = state.constants.board
        if actions.BuildCity in by_type:
            return _best(by_type[actions.BuildCity], lambda build: _site_value(board, build.at, set()), rng)
        if actions.BuildVillage in by_type:
            held = {resource for point in numbers(state.s.of(player)) for resource, _ in _yields(board)[point]}
            return _best(by_type[actions.BuildVillage], lambda build: _site_value(board, build.at, held), rng)
        hand = state.h[player - 1].rc
        wants_road = not open_villages(state, player) and state.b[player - 1].village > 0
        if actions.BuildRoad in by_type and (wants_road or _can_spare(hand, COST_ROAD)):
            best = _best(by_type[actions.BuildRoad], lambda build: _road_value(state, player, build.at), rng)
            if wants_road or _road_value(state, player, cast(actions.BuildRoad, best).at) > 0:
                return best
        if actions.BuyDevCard in by_type and (
            find_goal(state, player) == COST_DEV_CARD or _can_spare(hand, COST_DEV_CARD)
        ):
            return by_type[actions.BuyDevCard][0]
        return by_type[actions.EmptyBuild][0]


def _best(options: Sequence[actions.Action], value: Callable[[Any], float], rng: Random) -> actions.Action:
    values = [value(option) for option in options]
    most = max(values)
    return rng.choice([option for option, its in zip(options, values, strict=True) if its == most])


def _site_value(board: Board, at: int, held: set[int]) -> float:
    """The throws of 36 in which a point yields, weighted for resources not held yet, plus a bonus for a wharf."""
    ways = added(pips * (1.0 if resource in held else 1.3) for resource, pips in _yields(board)[at])
    return ways + (1.0 if any(points >> at & 1 for points in board.wharf_points.values()) else 0.0)


def _is_robbed(state: State, player: Player) -> bool:
    """Whether the bandit stands beside one of the player's settlements."""
    return bool(state.s.of(player) & state.constants.board.corners[state.ba])


def _wins_by_knight(state: State, player: Player) -> bool:
    """Whether one more knight wins the largest army, and the game with it."""
    rules = state.constants.rules
    if rules.win_check != "at_once" or state.la == player or player_points(state, player) + 2 < rules.points_to_win:
        return False
    sizes = [army_size(state, seat) + (seat == player) for seat in state.constants.players]
    return bonus_holder(sizes, rules.largest_army_min, state.la) == player


def _can_spare(hand: Cards, cost: Cards) -> bool:
    """Whether the hand still pays for a village after this cost, or is about to be too large for a seven."""
    return covers(hand, cost + COST_VILLAGE) or (covers(hand, cost) and total(hand) > 7)


def _road_value(state: State, player: Player, at: int) -> float:
    """The value of the best settlement point that a road reaches, or half of that if it only leads there."""
    board = state.constants.board
    free = open_settlement_points(state)
    value = 0.0
    for end in board.ends[at]:
        if free >> end & 1:
            value = max(value, 2 * _site_value(board, end, set()))
        elif not state.others(player) >> end & 1:
            near = (_site_value(board, point, set()) for point in numbers(board.adjacent_settlements[end] & free))
            value = max(value, max(near, default=0.0))
    return value


def _harm(state: State, player: Player, move: Any) -> float:
    """The harm of a bandit's move to the opponents, weighted by their points, less the harm to the player."""
    board = state.constants.board
    tile = board.map.tiles[move.to - 1]
    ways = 6 - abs(7 - tile.number) if tile.number is not None else 0
    harm = 0.0
    for seat in state.present:
        settled = board.corners[move.to]
        lost = ways * (
            (state.s.villages[seat - 1] & settled).bit_count() + 2 * (state.s.cities[seat - 1] & settled).bit_count()
        )
        harm += -2.0 * lost if seat == player else lost * (1 + player_points(state, seat) / 10)
    if move.victim != NO_OWNER:
        harm += 0.5 * min(total(state.h[move.victim - 1].rc), 4)
        harm += 0.0 if state.away[move.victim - 1] else 0.2 * player_points(state, move.victim)
    return harm
