"""The actions of the specification, one module each, in the order of its ``Next``.

Every module has the action's class, with its facts (see ``Action``), and three functions beside it:
``broken(state, action)`` gives the tags of the guards that do not hold, ``effect(state, action)`` the state after,
``instances(state, player)`` every enabled instance in a fixed order. Where an action depends on chance there are two
more: ``decisions(state, player)`` lists one representative for all outcomes of a decision, and
``draw(state, action, rng)`` replaces the outcome by one drawn. Of the thousands of offers that may be enabled
``decisions`` has one, too: ``offering.random_sides`` draws any.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from random import Random
from typing import Any, TypeAlias, get_type_hints

from catan_p2p.game.actions.answer_trade import AnswerTrade
from catan_p2p.game.actions.build_city import BuildCity
from catan_p2p.game.actions.build_road import BuildRoad
from catan_p2p.game.actions.build_village import BuildVillage
from catan_p2p.game.actions.buy_dev_card import BuyDevCard
from catan_p2p.game.actions.call import Call
from catan_p2p.game.actions.claim import Claim
from catan_p2p.game.actions.close_game import CloseGame
from catan_p2p.game.actions.come_back import ComeBack
from catan_p2p.game.actions.conclude_trade import ConcludeTrade
from catan_p2p.game.actions.discard import Discard
from catan_p2p.game.actions.empty_build import EmptyBuild
from catan_p2p.game.actions.empty_trade import EmptyTrade
from catan_p2p.game.actions.excuse import Excuse
from catan_p2p.game.actions.move_bandit import MoveBandit
from catan_p2p.game.actions.offer_trade import OfferTrade
from catan_p2p.game.actions.offer_trade_to import OfferTradeTo
from catan_p2p.game.actions.open_all import OpenAll
from catan_p2p.game.actions.parameters import PLAYER, Domain, ParameterError
from catan_p2p.game.actions.parts import Action, NumberSource, Piece
from catan_p2p.game.actions.play_knight import PlayKnight
from catan_p2p.game.actions.play_monopoly import PlayMonopoly
from catan_p2p.game.actions.play_road_building import PlayRoadBuilding
from catan_p2p.game.actions.play_year_of_plenty import PlayYearOfPlenty
from catan_p2p.game.actions.pledge import Pledge
from catan_p2p.game.actions.propose_trade import ProposeTrade
from catan_p2p.game.actions.reveal import Reveal
from catan_p2p.game.actions.roll_dice import RollDice
from catan_p2p.game.actions.roll_for_start import RollForStart
from catan_p2p.game.actions.setup_phase_one import SetupPhaseOne
from catan_p2p.game.actions.setup_phase_two import SetupPhaseTwo
from catan_p2p.game.actions.show_point import ShowPoint
from catan_p2p.game.actions.shuffle import Shuffle
from catan_p2p.game.actions.sign_end import SignEnd
from catan_p2p.game.actions.surrender import Surrender
from catan_p2p.game.actions.trade_four_to_one import TradeFourToOne
from catan_p2p.game.actions.trade_three_to_one import TradeThreeToOne
from catan_p2p.game.actions.trade_two_to_one import TradeTwoToOne
from catan_p2p.game.actions.wharf_trade import BankTradeAction
from catan_p2p.game.actions.withdraw_trade import WithdrawTrade
from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.state import State


@dataclass(frozen=True, slots=True)
class ActionKind:
    """One action of the specification: its class, its functions, and what its parameters range over."""

    name: str
    """The name in the specification: ``BuildRoad``."""
    snake_name: str
    """The name in commit subjects and of the module: ``build_road``."""
    cls: type[Any]
    broken: Callable[[State, Any], tuple[str, ...]]
    effect: Callable[[State, Any], State]
    instances: Callable[[State, Player], Sequence[Action]]
    decisions: Callable[[State, Player], Sequence[Action]]
    draw: Callable[[State, Any, NumberSource], Action] | None
    parameters: dict[str, Domain]
    """Name of each field but ``player``, in order, with its domain."""

    def sample(self, constants: Constants, player: Player, rng: Random) -> Action:
        """A random instance, enabled or not: every parameter is uniform over its domain."""
        action: Action = self.cls(player, *(domain.sample(constants, rng) for domain in self.parameters.values()))
        return action


def _none(state: State, player: Player) -> Sequence[Action]:
    return ()


def _kind(cls: type[Any]) -> ActionKind:
    module = sys.modules[cls.__module__]
    hints = get_type_hints(cls, include_extras=True)
    return ActionKind(
        name=cls.__name__,
        snake_name=cls.__module__.rpartition(".")[2],
        cls=cls,
        broken=module.broken,
        effect=module.effect,
        instances=module.instances,
        # Who plays on is not a move of the game, so nobody decides it as such.
        decisions=_none if cls.rule in ("leaving", "returns") else getattr(module, "decisions", module.instances),
        draw=getattr(module, "draw", None),
        parameters={field.name: hints[field.name].__metadata__[0] for field in fields(cls)[1:]},
    )


ACTIONS: tuple[ActionKind, ...] = tuple(
    _kind(cls)
    for cls in (
        Pledge,
        Call,
        Reveal,
        RollForStart,
        SetupPhaseOne,
        SetupPhaseTwo,
        RollDice,
        Discard,
        MoveBandit,
        EmptyTrade,
        TradeFourToOne,
        TradeThreeToOne,
        TradeTwoToOne,
        OfferTrade,
        OfferTradeTo,
        AnswerTrade,
        ProposeTrade,
        ConcludeTrade,
        WithdrawTrade,
        EmptyBuild,
        BuildRoad,
        BuildVillage,
        BuildCity,
        BuyDevCard,
        PlayMonopoly,
        PlayYearOfPlenty,
        PlayRoadBuilding,
        PlayKnight,
        Excuse,
        Claim,
        ComeBack,
    )
)
"""The actions of every game, in the order of the specification's ``Next``."""

BANK_TRADES: dict[int, type[BankTradeAction]] = {2: TradeTwoToOne, 3: TradeThreeToOne, 4: TradeFourToOne}
"""The trades with the bank, by how many cards are given for one."""

Building: TypeAlias = BuildRoad | BuildVillage | BuildCity

BUILDINGS: dict[Piece, type[Building]] = {"road": BuildRoad, "village": BuildVillage, "city": BuildCity}
"""The actions that build a piece, by the kind of piece."""

Robbery: TypeAlias = MoveBandit | PlayKnight
"""The actions that move the bandit and steal a card."""

HIDDEN_ACTIONS: tuple[ActionKind, ...] = tuple(map(_kind, (Shuffle, Surrender, ShowPoint, SignEnd, CloseGame, OpenAll)))
"""The actions that only games of hidden hands have: the last ones of ``Next``."""

KIND_OF: dict[type, ActionKind] = {kind.cls: kind for kind in (*ACTIONS, *HIDDEN_ACTIONS)}
"""The kind of an action by its class."""

KIND_NAMED: dict[str, ActionKind] = {kind.snake_name: kind for kind in (*ACTIONS, *HIDDEN_ACTIONS)}
"""The kind of an action by its snake-case name."""


def misfit(action: Action, constants: Constants) -> str | None:
    """What is wrong with a field whose value such a game does not have; None if all fields fit."""
    for name, domain in (("player", PLAYER), *KIND_OF[type(action)].parameters.items()):
        value = getattr(action, name)
        if not domain.contains(constants, value):
            return f"{name} {value!r} is not {domain.what}"
    return None


__all__ = [
    "ACTIONS",
    "BANK_TRADES",
    "BUILDINGS",
    "HIDDEN_ACTIONS",
    "KIND_NAMED",
    "KIND_OF",
    "Action",
    "ActionKind",
    "AnswerTrade",
    "BankTradeAction",
    "BuildCity",
    "BuildRoad",
    "BuildVillage",
    "Building",
    "BuyDevCard",
    "Call",
    "Claim",
    "CloseGame",
    "ComeBack",
    "ConcludeTrade",
    "Discard",
    "Domain",
    "EmptyBuild",
    "EmptyTrade",
    "Excuse",
    "MoveBandit",
    "NumberSource",
    "OfferTrade",
    "OfferTradeTo",
    "OpenAll",
    "ParameterError",
    "PlayKnight",
    "PlayMonopoly",
    "PlayRoadBuilding",
    "PlayYearOfPlenty",
    "Pledge",
    "ProposeTrade",
    "Reveal",
    "Robbery",
    "RollDice",
    "RollForStart",
    "SetupPhaseOne",
    "SetupPhaseTwo",
    "ShowPoint",
    "Shuffle",
    "SignEnd",
    "Surrender",
    "TradeFourToOne",
    "TradeThreeToOne",
    "TradeTwoToOne",
    "WithdrawTrade",
    "misfit",
]
