"""The policy ``strategist``: wins in this turn if it can, and otherwise improves its chance in the race to win."""

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any, cast

from catan_p2p.game import actions
from catan_p2p.game.actions.offering import takers
from catan_p2p.game.cards import ONE, RESOURCES, Cards, count
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State, TurnPhase
from catan_p2p.players.bargaining import is_dangerous
from catan_p2p.players.strategist.bartering import TurnTrades, answer, best_trade, traded
from catan_p2p.players.strategist.judge import PositionJudge, vector
from catan_p2p.players.strategist.learned import LearnedJudge, LearnedValue, as_decided
from catan_p2p.players.strategist.robbing import best_robbery
from catan_p2p.players.strategist.settling import place
from catan_p2p.players.strategist.spending import SpendingDecision
from catan_p2p.players.strategist.tables import income
from catan_p2p.players.strategist.weights import BOLD, DEFAULT, DESPERATE, SEARCHES, StrategistWeights
from catan_p2p.players.strategist.winning import next_action, way_to_win
from catan_p2p.view.card_memory import CardMemory, Hands, fitted, likely
from catan_p2p.view.observe import observe

_BEFORE_TURN: tuple[TurnPhase, ...] = ("bot", "Discarding", "MovingBandit")
"""Phases in which no decision can win at once."""


class StrategistPolicy:
    """Decides by what its player may know and by ``rng`` alone, so that a decision is reproducible."""

    name = "strategist"

    def __init__(self, weights: StrategistWeights = DEFAULT, budget_ms: int = 0) -> None:
        """``budget_ms`` is the time for a decision; from the least of ``SEARCHES`` on, the learned value decides."""
        self.weights = weights
        self._learned = LearnedValue(budget_ms) if budget_ms >= min(SEARCHES) else None
        self._memory = CardMemory()
        self._trading: TurnTrades | None = None
        """The trades of this turn; None if no turn was seen from its beginning."""

    @property
    def search(self) -> tuple[int, int] | None:
        """The depth and width of the learned value's search; None if plans decide."""
        return None if self._learned is None else self._learned.search

    def watch(self, before: State, action: actions.Action, after: State) -> None:
        """Remember a move."""
        events = observe(action, before, after)
        self._memory.saw(before, events, after)
        self._trading = traded(self._trading, events)

    def choose(self, state: State, player: Player, decisions: Sequence[actions.Action], rng: Random) -> actions.Action:
        """The decision with the best value."""
        first = decisions[0]
        if len(decisions) == 1 or isinstance(first, actions.RollForStart):
            return first
        seen = known(state, player, self._memory.hands(state, player))
        learned = self._learned if self._learned is not None and self._learned.covers(seen) else None
        judge = (
            LearnedJudge(seen, player, self.weights, learned) if learned else PositionJudge(seen, player, self.weights)
        )
        if isinstance(first, actions.AnswerTrade):
            return answer(judge, seen, rng)
        if state.tp == "Offering":
            withdraw = next((one for one in decisions if one.is_pass), decisions[-1])
            return best_trade(judge, seen, decisions) or withdraw
        if state.tp in _BEFORE_TURN:
            advised = learned.best(seen, player, decisions) if learned else None
            return advised or self._before_turn(judge, seen, decisions, rng)
        way = way_to_win(seen, player)
        if way.chance == 1.0 or (way.actions and way.chance >= self._risked(judge, seen)):
            winning = next_action(seen, player, way)
            return as_decided(winning, decisions) or winning
        advised = learned.best(seen, player, decisions) if learned else None
        if isinstance(first, actions.RollDice):
            knights = [one for one in decisions if isinstance(one, actions.Robbery)]
            return advised or self._before_dice(judge, seen, first, knights)
        trade = best_trade(judge, seen, decisions)
        if trade is not None:
            return trade
        if advised is not None and not (advised.is_pass or isinstance(advised, actions.BankTradeAction)):
            return advised  # before a trade with the bank or the end of the turn, try an offer to the others
        held = self._memory.held(state, player)
        spending = SpendingDecision(judge, seen, decisions, rng, self._trading, held, partial(_may_ask, state, player))
        chosen = (spending.offer() or advised) if advised is not None else spending.decide()
        if chosen is not None:
            return as_decided(chosen, decisions) or chosen
        return next(one for one in decisions if one.is_pass)

    def _before_turn(
        self, judge: PositionJudge, state: State, decisions: Sequence[actions.Action], rng: Random
    ) -> actions.Action:
        """A placement of the set-up, a discard, or the bandit's move after a seven."""
        first = decisions[0]
        if isinstance(first, actions.Discard):
            return self._discard(judge, state, cast(Any, decisions))
        if isinstance(first, actions.Robbery):
            return best_robbery(judge, state, cast("list[actions.Robbery]", decisions))[1]
        return place(judge, state, cast(Any, decisions), rng)

    def _before_dice(
        self, judge: PositionJudge, state: State, roll: actions.Action, knights: list[actions.Robbery]
    ) -> actions.Action:
        """A knight before the dice, if it moves the bandit from one of the player's own tiles to good effect."""
        robbed = state.s.of(judge.player) & state.constants.board.corners[state.ba]
        if not knights or not robbed:
            return roll
        value, knight = best_robbery(judge, state, knights)
        return knight if value > judge.value(state) else roll

    def _risked(self, judge: PositionJudge, state: State) -> float:
        """The least chance at which a win is tried; smaller if another player is about to win."""
        others = any(is_dangerous(state, other, state.h[other - 1].rc) for other in judge.others)
        return DESPERATE if others else BOLD

    def _discard(self, judge: PositionJudge, state: State, decisions: Sequence[actions.Discard]) -> actions.Discard:
        """Discard card by card, each time the one whose loss delays the win least."""
        player = judge.player
        hand, given = state.h[player - 1].rc, 0
        due = sum(count(decisions[0].cards, kind) for kind in RESOURCES)
        for _ in range(due):
            kinds = [kind for kind in RESOURCES if count(hand, kind)]
            least = min(kinds, key=lambda kind: judge.time(state, player, vector(hand - ONE[kind])))
            hand, given = hand - ONE[least], given + ONE[least]
        return actions.Discard(player, given)


def known(state: State, player: Player, remembered: Hands | None = None) -> State:
    """The state with likely cards in the others' hands, by memory if there is one, otherwise by their income.

    The strategist sees no other state, so its decisions cannot depend on hidden cards.
    """
    if remembered is None:
        board, settled = state.constants.board, zip(state.s.villages, state.s.cities, strict=True)
        remembered = fitted(state, player, tuple(income(board, 0, 1.0, *built) for built in settled))
    return likely(state, player, remembered)


def _may_ask(state: State, player: Player, receive: Cards) -> bool:
    """Whether the rules let the player offer a trade for these cards.

    This looks at the real hands, but reveals no more than the list of legal offers does.
    """
    return state.constants.rules.table_talk or takers(state, player, receive) != []
