"""catanatron's players as policies: each is asked in catanatron's own words about a copy of our position.

What is published of catanatron has no players but random ones. Those that its authors rate by are in its repository,
and are read from a folder there::

    git clone https://github.com/bcollazo/catanatron
    python -m tests.independent.arena --players catanatron/catanatron/catanatron/players strategist value

They play on catanatron's published engine, which is given what it lacks for them under the names that they use.
Trades with the bank it lists in the order of a set of tuples with None, which is another in each process: they are put
in order, so that of equally good ones a guest makes the same each time.
catanatron discards by chance, and knows no trade between players: a guest discards by chance here as well, makes no
offers, and accepts what its own value function holds to be better.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import catanatron.models.actions
import catanatron.state_functions
import catanatron_gym.features
from catanatron.game import Game
from catanatron.models.actions import generate_playable_actions
from catanatron.models.enums import RESOURCES as THEIR_RESOURCES
from catanatron.models.enums import Action as TheirAction
from catanatron.models.enums import ActionType
from catanatron.state import apply_action

from catan_p2p import actions as ours
from catan_p2p.game.board import numbers
from catan_p2p.game.cards import RESOURCES, covers
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State, initial_state
from tests.independent.features import remember
from tests.independent.island import OUR_RESOURCE
from tests.independent.opinion import Opinion

MODULES = ("value", "tree_search_utils", "minimax")
GUESTS = {"value": ("value", "ValueFunctionPlayer"), "alphabeta": ("minimax", "AlphaBetaPlayer")}
"""Module and class of the guests, by the name they have in the arena."""
TRADES = {4: ours.TradeFourToOne, 3: ours.TradeThreeToOne, 2: ours.TradeTwoToOne}

CARDS: dict[ActionType, type] = {
    ActionType.PLAY_KNIGHT_CARD: ours.PlayKnight,
    ActionType.PLAY_MONOPOLY: ours.PlayMonopoly,
    ActionType.PLAY_YEAR_OF_PLENTY: ours.PlayYearOfPlenty,
    ActionType.PLAY_ROAD_BUILDING: ours.PlayRoadBuilding,
}
"""Plays of cards: of one that was bought in the same turn catanatron does not know that, taken up in the middle."""


def invite(folder: Path, anew: bool = False) -> None:
    """Import catanatron's players from a folder of its repository, as modules of the catanatron that is installed.

    ``anew``: they work everything out anew for each position, as they were written.
    """
    if not anew:
        remember()
    sys.modules["catanatron.features"] = catanatron_gym.features
    if not hasattr(Game, "playable_actions"):
        Game.playable_actions = property(lambda game: game.state.playable_actions)
    possible: Any = catanatron.models.actions
    trades = possible.inner_maritime_trade_possibilities
    possible.inner_maritime_trade_possibilities = lambda *asked: sorted(trades(*asked), key=str)
    theirs: Any = catanatron.state_functions
    theirs.get_player_freqdeck = lambda state, colour: [
        theirs.player_num_resource_cards(state, colour, resource) for resource in THEIR_RESOURCES
    ]
    theirs.get_enemy_colors = lambda colours, own: [colour for colour in colours if colour != own]
    for name in MODULES:
        full = f"catanatron.players.{name}"
        spec = importlib.util.spec_from_file_location(full, folder / f"{name}.py")
        if spec is None or spec.loader is None:
            raise FileNotFoundError(folder / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[full] = sys.modules[f"catanatron_experimental.machine_learning.players.{name}"] = module
        spec.loader.exec_module(module)


class Guest:
    """A player of catanatron's, asked anew each time."""

    def __init__(self, name: str) -> None:
        module, cls = GUESTS[name]
        self._make = getattr(sys.modules[f"catanatron.players.{module}"], cls)
        self._value = sys.modules["catanatron.players.value"]

    def choose(self, state: State, player: Player, decisions: Sequence[ours.Action], rng: Random) -> ours.Action:
        """What the guest would do in the same position on catanatron's side."""
        if len(decisions) == 1:
            return decisions[0]
        if isinstance(decisions[0], ours.Discard):
            return rng.choice(list(decisions))
        kept = random.getstate()
        random.seed(rng.random())
        try:
            if isinstance(decisions[0], ours.AnswerTrade):
                return self._answer(state, player)
            return _Question(self._make, state, player, decisions).ask()
        finally:
            random.setstate(kept)

    def _answer(self, state: State, player: Player) -> ours.AnswerTrade:
        give, receive = state.offer
        if not covers(state.h[player - 1].rc, receive):
            return ours.AnswerTrade(player, "reject")
        opinion = Opinion(state._replace(tp=state.after_dice))
        value, game = self._value.base_fn(), _game(opinion)
        before = value(game, opinion.colour(player))
        opinion.swap(state.ap, player, give, receive)
        better = value(game, opinion.colour(player)) > before
        return ours.AnswerTrade(player, "accept" if better else "reject")


def _game(opinion: Opinion) -> Any:
    game = Game([], initialize=False)
    game.seed, game.id, game.vps_to_win, game.state = 0, "", opinion.points_to_win, opinion.theirs
    return game


class _Question:
    """One decision, put to a guest; what it answers, in our words."""

    def __init__(self, make: Any, state: State, player: Player, decisions: Sequence[ours.Action]) -> None:
        if isinstance(decisions[0], ours.MoveBandit):  # whatever had to be discarded has been
            state = state._replace(tp="MovingBandit", lim=(0,) * len(state.lim))
        self._state, self._player, self._decisions = state, player, decisions
        self._opinion = _beginning(state) if state.tp == "bot" else Opinion(state)
        self._guest = make(self._opinion.colour(player))
        self._island = self._opinion.island
        random.shuffle(self._opinion.theirs.development_listdeck)

    def _next(self) -> TheirAction:
        """What the guest does now."""
        theirs = self._opinion.theirs
        refused = {kind for kind, card in CARDS.items() if not any(isinstance(one, card) for one in self._decisions)}
        theirs.playable_actions = [
            action for action in generate_playable_actions(theirs) if action.action_type not in refused
        ]
        return self._guest.decide(_game(self._opinion), theirs.playable_actions)

    def _do(self, action: TheirAction) -> None:
        apply_action(self._opinion.theirs, action)

    def ask(self) -> ours.Action:
        """The decision of ours that is the guest's."""
        action = self._next()
        kind, value, player = action.action_type, action.value, self._player
        if kind == ActionType.BUILD_SETTLEMENT and self._state.tp == "bot":
            self._do(action)
            at, road = self._island.point[value], self._road(self._next())
            return next(one for one in self._decisions if (one.at, one.road) == (at, road))  # type: ignore[attr-defined]
        if kind == ActionType.BUILD_SETTLEMENT:
            return ours.BuildVillage(player, self._island.point[value])
        if kind == ActionType.BUILD_CITY:
            return ours.BuildCity(player, self._island.point[value])
        if kind == ActionType.BUILD_ROAD:
            return ours.BuildRoad(player, self._road(action))
        if kind == ActionType.MARITIME_TRADE:
            rate = sum(card is not None for card in value[:4])
            return TRADES[rate](player, OUR_RESOURCE[value[0]], OUR_RESOURCE[value[4]])
        if kind == ActionType.MOVE_ROBBER:
            return self._robbery(action, ours.MoveBandit)
        if kind == ActionType.PLAY_KNIGHT_CARD:
            self._do(action)
            return self._robbery(self._next(), ours.PlayKnight)
        if kind == ActionType.PLAY_MONOPOLY:
            return ours.PlayMonopoly(player, OUR_RESOURCE[value])
        if kind == ActionType.PLAY_YEAR_OF_PLENTY:
            return self._plenty(value)
        if kind == ActionType.PLAY_ROAD_BUILDING:
            return self._free_roads(action)
        simple = {
            ActionType.ROLL: ours.RollDice,
            ActionType.END_TURN: ours.EmptyBuild,
            ActionType.BUY_DEVELOPMENT_CARD: ours.BuyDevCard,
        }[kind]
        return next(one for one in self._decisions if isinstance(one, simple))

    def _road(self, action: TheirAction) -> int:
        a, b = action.value
        return self._island.road[min(a, b), max(a, b)]

    def _robbery(self, action: TheirAction, kind: type) -> ours.Action:
        to, victim = self._island.tile[action.value[0]], self._opinion.seat(action.value[1])
        there = [one for one in self._decisions if isinstance(one, kind) and one.to == to]
        return next((one for one in there if one.victim == victim), there[0])

    def _plenty(self, cards: tuple[str, ...]) -> ours.Action:
        wanted = sorted((OUR_RESOURCE[card] for card in cards), key=RESOURCES.index)
        plays = [one for one in self._decisions if isinstance(one, ours.PlayYearOfPlenty)]
        exact = [one for one in plays if [one.first, one.second] == wanted]
        return (exact or [one for one in plays if wanted[0] in (one.first, one.second)] or plays)[0]

    def _free_roads(self, action: TheirAction) -> ours.Action:
        self._do(action)
        roads = []
        for _ in range(2):
            choice = self._next()
            if choice.action_type != ActionType.BUILD_ROAD:
                break
            roads.append(self._road(choice))
            self._do(choice)
            if not self._opinion.theirs.is_road_building:
                break
        plays = [one for one in self._decisions if isinstance(one, ours.PlayRoadBuilding)]
        exact = [one for one in plays if [one.first, one.second][: len(roads)] == roads]
        return (exact or plays)[0]


def _beginning(state: State) -> Opinion:
    """The set-up as far as it has come, replayed in the order of play."""
    opinion = Opinion(initial_state(state.constants)._replace(first=state.first))
    board, order = state.constants.board, opinion.seats
    left = {seat: list(numbers(state.s.villages[seat - 1])) for seat in order}
    for seat in (*order, *reversed(order)):
        if left[seat]:
            at = left[seat].pop(0)
            roads = numbers(board.roads_at[at] & state.r[seat - 1])
            opinion.perform(ours.SetupPhaseOne(seat, at, roads[0]))
    for seat in order:
        opinion.set_hand(seat, state.h[seat - 1].rc)
    opinion.set_bank(state.bnk.rc)
    opinion.ask()
    return opinion
