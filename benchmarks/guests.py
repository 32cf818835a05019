"""catanatron's players as policies: each is asked in catanatron's own words about a copy of our position.

What is published of catanatron has no players but random ones. Those that its authors rate by are in its repository,
and are read from a folder there::

    pip install --no-deps catanatron_gym
    git clone https://github.com/bcollazo/catanatron && git -C catanatron checkout 41ba0db
    python -m benchmarks.arena --players catanatron/catanatron/catanatron/players --policies strategist,value

They play on catanatron's published engine, which is given what it lacks for them under the names that they use.
``COMMIT`` is the one whose players are meant; ``strangers`` says which of a folder differ from its.
Trades with the bank it lists in the order of a set of tuples with None, which is another in each process: they are put
in order, so that of equally good ones a guest makes the same each time.
The published engine discards by chance; at ``COMMIT`` players choose their discards, one card after the other, and a
guest does so here: it gives up the card after which its value function is greatest, alpha-beta looking one card
further. catanatron knows no trade between players: a guest makes no offers, and accepts what its own value function
holds to be better.
"""

import importlib.util
import random
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import catanatron.models.actions
import catanatron.models.enums
import catanatron.state
import catanatron.state_functions
from catanatron.game import Game
from catanatron.models.actions import generate_playable_actions
from catanatron.models.enums import RESOURCES as THEIR_RESOURCES
from catanatron.models.enums import Action as TheirAction
from catanatron.models.enums import ActionType
from catanatron.state import apply_action

from catan_p2p import actions as ours
from catan_p2p.game.board import numbers
from catan_p2p.game.cards import ONE, RESOURCES, Cards, count, covers, total
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State, initial_state
from tests.independent.island import OUR_RESOURCE
from tests.independent.opinion import Opinion

COMMIT = "41ba0db5bc9d95b13a32e1ed7710094382a3b87a"
MODULES = {
    "value": "e25e6e15ff38141568119b912474761fee47a289ad3735a25913b8635f58a56b",
    "tree_search_utils": "c4e5df0d64626ef782f0311355498d29a051b70be93c66e82ec8829457624606",
    "minimax": "97a6bf10e5fac7f6655ad5b1614f268926ed86976ee59815d93f24a1b0e048dd",
}
"""The guests' modules, and the SHA-256 of each at ``COMMIT``."""
GUESTS = {"value": ("value", "ValueFunctionPlayer"), "alphabeta": ("minimax", "AlphaBetaPlayer")}
"""Module and class of the guests, by the name they have in the arena."""
TRADES = {4: ours.TradeFourToOne, 3: ours.TradeThreeToOne, 2: ours.TradeTwoToOne}

IN_THEIR_ORDER = tuple(OUR_RESOURCE[kind] for kind in THEIR_RESOURCES)
CARDS: dict[ActionType, type] = {
    ActionType.PLAY_KNIGHT_CARD: ours.PlayKnight,
    ActionType.PLAY_MONOPOLY: ours.PlayMonopoly,
    ActionType.PLAY_YEAR_OF_PLENTY: ours.PlayYearOfPlenty,
    ActionType.PLAY_ROAD_BUILDING: ours.PlayRoadBuilding,
}
"""Plays of cards: of one that was bought in the same turn catanatron does not know that, taken up in the middle."""


def invite(folder: Path) -> None:
    """Import catanatron's players from a folder of its repository, as modules of the catanatron that is installed."""
    import catanatron_gym.features

    sys.modules["catanatron.features"] = catanatron_gym.features
    kinds: Any = ActionType
    kinds.DISCARD_RESOURCE = kinds.DISCARD
    _speak_anew()
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


class Recorded(NamedTuple):
    """An action with its outcome, as ``COMMIT`` has it."""

    action: TheirAction
    result: Any


def _speak_anew() -> None:
    """Let the published engine be spoken to as at ``COMMIT``: a stolen card is in the record, not in the action."""
    theirs: Any = Game
    enums: Any = catanatron.models.enums
    if hasattr(enums, "ActionRecord"):
        return
    enums.ActionRecord = Recorded
    execute = theirs.execute

    def anew(
        game: Any, action: TheirAction, validate_action: bool = True, action_record: Recorded | None = None
    ) -> Any:
        return execute(game, _with_card(action, action_record.result if action_record else None), validate_action)

    theirs.execute = anew
    state: Any = catanatron.state.State
    state.action_records = property(lambda state: state.actions)
    theirs.playable_actions = property(lambda game: [*map(_without_card, game.state.playable_actions)])


def _without_card(action: TheirAction) -> TheirAction:
    return action._replace(value=action.value[:2]) if action.action_type == ActionType.MOVE_ROBBER else action


def _with_card(action: TheirAction, card: Any) -> TheirAction:
    if action.action_type != ActionType.MOVE_ROBBER or len(action.value) > 2:
        return action
    return action._replace(value=(*action.value, card))


def strangers(folder: Path) -> list[str]:
    """The modules in a folder that are not those of ``COMMIT``."""
    found = {name: sha256((folder / f"{name}.py").read_bytes()).hexdigest() for name in MODULES}
    return [name for name, digest in MODULES.items() if found[name] != digest]


class Guest:
    """A player of catanatron's, asked anew each time."""

    failed: list[Exception] = []
    """What guests have raised instead of deciding: games with such a decision say nothing about them."""

    def __init__(self, name: str) -> None:
        module, cls = GUESTS[name]
        self._make = getattr(sys.modules[f"catanatron.players.{module}"], cls)
        self._value = sys.modules["catanatron.players.value"]
        self._ahead = 1 if name == "value" else 2

    def choose(self, state: State, player: Player, decisions: Sequence[ours.Action], rng: Random) -> ours.Action:
        """What the guest would do in the same position on catanatron's side."""
        if len(decisions) == 1:
            return decisions[0]
        kept = random.getstate()
        random.seed(rng.random())
        try:
            if isinstance(decisions[0], ours.Discard):
                return self._discard(state, player, decisions[0])
            if isinstance(decisions[0], ours.AnswerTrade):
                return self._answer(state, player)
            return _Question(self._make, state, player, decisions).ask()
        except Exception as error:
            self.failed.append(error)
            raise
        finally:
            random.setstate(kept)

    def _discard(self, state: State, player: Player, due: ours.Discard) -> ours.Discard:
        """The cards that the guest gives up, chosen one by one."""
        opinion = Opinion(state._replace(tp="MovingBandit", lim=(0,) * len(state.lim)))
        value, game = self._value.base_fn(), _game(opinion)

        def worth(hand: Cards, more: int) -> float:
            """The value of the best hand after giving up as many cards more."""
            if more and hand:
                return max(worth(hand - ONE[kind], more - 1) for kind in RESOURCES if count(hand, kind))
            opinion.set_hand(player, hand)
            return float(value(game, opinion.colour(player)))

        hand = state.h[player - 1].rc
        for left in range(total(due.cards), 0, -1):
            further = min(self._ahead, left) - 1
            least = max(
                (kind for kind in IN_THEIR_ORDER if count(hand, kind)),
                key=lambda kind: worth(hand - ONE[kind], further),
            )
            hand -= ONE[least]
        return ours.Discard(player, state.h[player - 1].rc - hand)

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
        game = _game(self._opinion)
        return self._guest.decide(game, game.playable_actions)

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
