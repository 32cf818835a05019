"""Wins within the player's turn: a search of all lines of play in it, with exact probabilities.

An upper bound on the points that the cards can buy prunes lines. Trades with the bank come just before the purchase
they pay for, and a position that several orders of play reach is searched once.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import NamedTuple, TypeAlias

from catan_p2p.game.actions import (
    BANK_TRADES,
    Action,
    BankTradeAction,
    BuildCity,
    Building,
    BuildRoad,
    BuildVillage,
    BuyDevCard,
    EmptyBuild,
    EmptyTrade,
    PlayKnight,
)
from catan_p2p.game.actions.parameters import StolenCard
from catan_p2p.game.actions.parts import COST_CITY, COST_DEV_CARD, COST_ROAD, COST_VILLAGE
from catan_p2p.game.actions.placement import open_roads, open_settlement_points, touched_settlement_points
from catan_p2p.game.actions.progress import is_within_limit, may_play
from catan_p2p.game.actions.robbery import robberies, stealable
from catan_p2p.game.board import Points, numbers
from catan_p2p.game.cards import DEV_CARDS, ONE, RESOURCES, Cards, Resource, count, covers, kinds, total, unpack
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.float_sums import added
from catan_p2p.game.rules import broken_guards
from catan_p2p.game.scoring import army_size
from catan_p2p.game.state import TRADE_PHASES, State, roads_taken, taken
from catan_p2p.players.strategist import turn
from catan_p2p.players.strategist.tables import distances, rates, trail
from catan_p2p.players.strategist.weights import MOST_POSITIONS


class WinningWay(NamedTuple):
    """The probability of winning in this turn, and the actions up to the first chance outcome."""

    chance: float
    actions: tuple[Action, ...]


NO_WAY = WinningWay(0.0, ())

_Step: TypeAlias = tuple[tuple[Action, ...], turn.Outcomes]
"""Trades and the action they pay for, and its outcomes."""


def way_to_win(state: State, player: Player) -> WinningWay:
    """The way with the best chance of winning in this turn."""
    rules = state.constants.rules
    if state.ap != player or state.tp not in ("DiceRoll", "Trading", "Building", "TradingBuilding"):
        return NO_WAY
    if state.points(player) >= rules.points_to_win:
        return WinningWay(1.0, ())
    search = _WinSearch(state, player)
    sure = search.sure()
    return sure if sure.chance == 1.0 else search.best(state, True)


def next_action(state: State, player: Player, way: WinningWay) -> Action:
    """The first action of a way. If trading comes before building, all trades and cards come first.

    A card that needs resources which a building first brings into the bank waits for that building.
    """
    if state.tp != "Trading":
        return way.actions[0] if way.actions else EmptyBuild(player)
    for action in way.actions:
        if not action.cost and not broken_guards(state, action):
            return action
    return EmptyTrade(player)


class _WinSearch:
    def __init__(self, state: State, player: Player) -> None:
        self._root, self._player, self._left = state, player, MOST_POSITIONS
        self._needed = state.constants.rules.points_to_win
        self._is_split = not state.constants.rules.combined_trade_build
        self._found: dict[tuple[object, ...], WinningWay] = {}
        self._rates = rates(state.constants.board, state.s.of(player))
        self._has_roads = True
        """Whether to consider paid roads: most wins need none, and they multiply the lines more than all else."""

    def sure(self) -> WinningWay:
        """A way that wins for every chance outcome and all hidden hands; ``NO_WAY`` if there is none."""
        for self._has_roads in (False, True):
            way = self.best(self._root, False)
            if way.chance == 1.0:
                return way
        return NO_WAY

    def best(self, state: State, gamble: bool, may_trade: bool = True) -> WinningWay:
        """The best way from this state on."""
        if state.points(self._player) >= self._needed:
            return WinningWay(1.0, ())
        searched = (gamble, self._has_roads, may_trade)
        key = (searched, state.s, state.r, state.pd, state.la, state.lr, state.ba, state.bnk, state.h)
        if key in self._found:
            return self._found[key]
        self._left -= 1
        if self._left < 0 or not self._is_within_reach(state, gamble, may_trade):
            return NO_WAY
        best = NO_WAY
        for actions, outcomes in sorted(self._steps(state, gamble, may_trade), key=self._order):
            way = self._after(actions, outcomes, gamble, may_trade)
            if way.chance > best.chance + 1e-12:
                best = way
                if best.chance >= 1.0 - 1e-12:
                    break
        self._found[key] = best
        return best

    def _order(self, step: _Step) -> tuple[bool, float, bool]:
        """Sort key of steps: those that gain points first, roads and chance last, so that a win is found early."""
        actions, outcomes = step
        points = added(chance * after.points(self._player) for chance, after in outcomes)
        return len(outcomes) > 1, -points, actions[-1].cost == COST_ROAD

    def _after(self, actions: tuple[Action, ...], outcomes: turn.Outcomes, gamble: bool, may_trade: bool) -> WinningWay:
        if len(outcomes) == 1:
            way = self.best(outcomes[0][1], gamble, may_trade)
            return WinningWay(way.chance, actions + way.actions)
        is_purchase = isinstance(actions[-1], BuyDevCard)
        trading = may_trade and not (self._is_split and is_purchase)
        ways = [(chance, self.best(after, gamble, trading)) for chance, after in outcomes]
        sure = min((way.chance for _, way in ways), default=0.0) >= 1.0
        return WinningWay(1.0 if sure else added(chance * way.chance for chance, way in ways), actions)

    # Steps

    def _steps(self, state: State, gamble: bool, may_trade: bool) -> Iterator[_Step]:
        player = self._player
        for knight, outcomes in self._knights(state, gamble):
            yield (knight,), outcomes
        for play, after in turn.played(state, player):
            yield (play,), ((1.0, after),)
        if state.tp == "DiceRoll":
            return
        for action in self._purchases(state):
            for trades, paid in self._financed(state, action.cost, may_trade):
                yield (*trades, action), ((1.0, turn.carried_out(paid, action)),)
        if gamble and state.bnk.dc:
            for trades, paid in self._financed(state, COST_DEV_CARD, may_trade):
                shown = DEV_CARDS[kinds(paid.bnk.dc)[0]]
                yield (*trades, BuyDevCard(player, shown)), turn.card_outcomes(paid, player)

    def _purchases(self, state: State) -> Iterator[Building]:
        player, left = self._player, state.b[self._player - 1]
        shut = turn.shut_by_bandit(state)
        if left.city:
            for point in numbers(state.s.villages[player - 1] & ~shut):
                yield BuildCity(player, point)
                break  # all cities are equal for a win in this turn
        if left.village:
            for point in numbers(open_settlement_points(state) & touched_settlement_points(state, player)):
                yield BuildVillage(player, point)
        if left.road and self._has_roads:
            for road in numbers(open_roads(state, player)):
                yield BuildRoad(player, road)

    def _knights(self, state: State, gamble: bool) -> Iterator[tuple[PlayKnight, turn.Outcomes]]:
        player = self._player
        if not may_play(state, player, "Knight"):
            return
        seen = set()
        for to, victim in robberies(state, player):
            key = victim if not state.constants.rules.bandit_blocks_building else (to, victim)
            if key in seen:
                continue
            seen.add(key)
            outcomes = [
                (share, turn.carried_out(there, PlayKnight(player, to, victim, card)))
                for share, card, there in _thefts(state, player, victim, gamble)
            ]
            yield PlayKnight(player, to, victim, stealable(state, victim)[0]), tuple(outcomes)

    def _financed(
        self, state: State, cost: Cards, may_trade: bool
    ) -> Iterator[tuple[tuple[BankTradeAction, ...], State]]:
        """Every way to pay a cost after trades with the bank: all choices of the cards to give."""
        player = self._player
        hand = state.h[player - 1].rc
        if covers(hand, cost):
            yield (), state
            return
        if not may_trade or state.tp not in TRADE_PHASES:
            return
        at = self._rates if self._is_split else rates(state.constants.board, state.s.of(player))
        held, wanted = unpack(hand), unpack(cost)
        lacking = [kind for kind in range(5) for _ in range(max(0, wanted[kind] - held[kind]))]
        lots = [max(0, held[kind] - wanted[kind]) // at[kind] for kind in range(5)]
        if sum(lots) < len(lacking):
            return
        for given in combinations_with_replacement([kind for kind in range(5) if lots[kind]], len(lacking)):
            if any(given.count(kind) > lots[kind] for kind in set(given)):
                continue
            trades = tuple(
                BANK_TRADES[at[give]](player, RESOURCES[give], RESOURCES[receive])
                for give, receive in zip(given, lacking, strict=True)
            )
            after: State | None = state
            for trade in trades:
                if after is None or not count(after.bnk.rc, trade.receive):
                    after = None
                    break
                after = turn.carried_out(after, trade)
            if after is not None:
                yield trades, after

    # The upper bound

    def _is_within_reach(self, state: State, gamble: bool, may_trade: bool) -> bool:
        """Whether the cards could buy enough points if any place could be built on; False prunes the state."""
        player, rules = self._player, state.constants.rules
        hand = state.h[player - 1]
        due = self._needed - state.points(player)
        plays = _plays(state, player)
        knights = min(plays, count(hand.ac, "Knight"))
        army = 2 if knights and self._army_after(state, knights) else 0
        if state.tp == "DiceRoll":
            roads = 2 if plays and count(hand.ac, "RoadBuilding") else 0
            return army + (2 if roads and state.lr != player else 0) >= due
        free = 2 * min(plays, count(hand.ac, "RoadBuilding"))
        wild = min(plays, knights) + 2 * min(plays, count(hand.ac, "YearOfPlenty"))
        if plays and count(hand.ac, "Monopoly"):
            wild += sum(total(other.rc) for seat, other in enumerate(state.h, 1) if seat != player)
        at = self._best_rates(state) if may_trade and state.tp in TRADE_PHASES else (99,) * 5
        left = state.b[player - 1]
        near = self._sites(state, left.road)
        longest = state.lr != player
        own = trail(state.constants.board, state.r[player - 1], state.others(player))
        cut = longest and own >= rules.longest_road_min
        for villages in range(min(left.village + left.city, near) + 1):
            for cities in range(min(left.city, state.s.villages[player - 1].bit_count() + villages) + 1):
                settled = villages + cities + army
                if not _pays(hand.rc, villages * COST_VILLAGE + cities * COST_CITY, at, wild):
                    break
                if settled >= due:
                    return True
                for cards in range(min(total(state.bnk.dc) + 25, due) + 1 if gamble else 1):
                    cost = villages * COST_VILLAGE + cities * COST_CITY + cards * COST_DEV_CARD
                    if not _pays(hand.rc, cost, at, wild):
                        break
                    points = settled + cards
                    if points >= due or (longest and cut and villages and points + 2 >= due):
                        return True
                    if longest and points + 2 >= due and self._paves(state, cost, at, wild, free, bool(villages)):
                        return True
        return False

    def _paves(self, state: State, cost: Cards, at: tuple[int, ...], wild: int, free: int, cuts: bool) -> bool:
        """Whether roads enough for the longest road could be built besides a cost.

        ``cuts``: a village is bought too, which may shorten the present longest road.
        """
        player, rules = self._player, state.constants.rules
        due = rules.longest_road_min
        if state.lr != NO_OWNER and not cuts:
            due = max(due, 1 + trail(state.constants.board, state.r[state.lr - 1], state.others(state.lr)))
        hand, least = state.h[player - 1].rc, max(1, due - state.r[player - 1].bit_count())

        def pays_for(roads: int) -> bool:
            return roads <= free or (self._has_roads and _pays(hand, cost + (roads - free) * COST_ROAD, at, wild))

        if least > state.b[player - 1].road or not pays_for(least):
            return False
        return pays_for(2) or self._one_road_makes(state, due)

    def _one_road_makes(self, state: State, due: int) -> bool:
        """Whether one more road makes a trail of this length."""
        board, own, foreign = state.constants.board, state.r[self._player - 1], state.others(self._player)
        return any(trail(board, own | 1 << road, foreign) >= due for road in numbers(open_roads(state, self._player)))

    def _army_after(self, state: State, knights: int) -> bool:
        if state.la == self._player:
            return False
        own = army_size(state, self._player) + knights
        most = max(army_size(state, other) for other in state.constants.players if other != self._player)
        return own >= state.constants.rules.largest_army_min and own > most

    def _best_rates(self, state: State) -> tuple[int, ...]:
        """The rates with every wharf that the player could reach in this turn."""
        board, player = state.constants.board, self._player
        return self._rates if self._is_split else rates(board, state.s.of(player) | self._reached(state, 3))

    def _reached(self, state: State, roads: int) -> Points:
        board, own = state.constants.board, state.s.of(self._player)
        rings = distances(board, state.r[self._player - 1], roads_taken(state.r), own, taken(state.s) & ~own)
        reached = 0
        for ring in rings[: roads + 1]:
            reached |= ring
        return reached

    def _sites(self, state: State, roads: int) -> int:
        """An upper bound on the points that could be settled, ignoring the distance rule between them."""
        if roads > 2:
            return 9
        return (self._reached(state, roads) & open_settlement_points(state)).bit_count()


def _thefts(state: State, player: Player, victim: Player, gamble: bool) -> Iterator[tuple[float, StolenCard, State]]:
    """The cards that may be stolen, their probabilities, and states with that card in the victim's hand.

    Hands of others are guesses. A certain win must allow for every card that the victim could hold.
    """
    hand = state.h[victim - 1].rc if victim else 0
    if not hand or gamble or state.constants.player_count == 2:
        for card in stealable(state, victim):
            yield (count(hand, card) / total(hand) if card != "none" else 1.0), card, state
        return
    others = [seat for seat in state.constants.players if seat != player]
    could = [card for card in RESOURCES if any(count(state.h[seat - 1].rc, card) for seat in others)]
    for card in could:
        yield 1 / len(could), card, _with_card_held(state, victim, card, others)


def _with_card_held(state: State, victim: Player, card: Resource, others: list[Player]) -> State:
    """The state in which the victim holds a card, swapped with another hand if the guess did not have it."""
    hands = list(state.h)
    own = hands[victim - 1].rc
    if count(own, card):
        return state
    holder = next(seat for seat in others if count(hands[seat - 1].rc, card))
    change = ONE[card] - ONE[RESOURCES[kinds(own)[0]]]
    hands[victim - 1] = hands[victim - 1]._replace(rc=own + change)
    hands[holder - 1] = hands[holder - 1]._replace(rc=hands[holder - 1].rc - change)
    return state._replace(h=tuple(hands))


def _plays(state: State, player: Player) -> int:
    """How many development cards could still be played in this turn."""
    held = total(state.h[player - 1].ac)
    limit = state.constants.rules.dev_cards_per_turn
    if not held or not is_within_limit(state):
        return 0
    return min(held, limit - state.pd) if limit else held


def _pays(hand: Cards, cost: Cards, at: tuple[int, ...], wild: int) -> bool:
    """Whether a hand plus ``wild`` cards of any kind can pay a cost after trades with the bank; an upper bound."""
    lacking, lots = -wild, 0
    for held, wanted, rate in zip(unpack(hand), unpack(cost), at, strict=True):
        if held < wanted:
            lacking += wanted - held
        else:
            lots += (held - wanted) // rate
    # Cards that are left of the wild ones can be traded as well, at two for one at best.
    return lacking <= lots
