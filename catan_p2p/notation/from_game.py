"""A game of this project as events: what its notations can tell of every action."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from catan_p2p.actions import (
    Action,
    BuildCity,
    BuildRoad,
    BuildVillage,
    BuyDevCard,
    Discard,
    EmptyBuild,
    EmptyTrade,
    MoveBandit,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    RollDice,
    SetupPhaseOne,
    SetupPhaseTwo,
    TradeFourToOne,
    TradeThreeToOne,
    TradeTwoToOne,
)
from catan_p2p.cards import multiples
from catan_p2p.constants import Constants
from catan_p2p.log.history import History
from catan_p2p.notation.events import (
    FOUR_TO_ONE,
    THREE_TO_ONE,
    BanditMoved,
    BanditStands,
    BankTrade,
    CardsDiscarded,
    CityBuilt,
    DevCardBought,
    DiceRolled,
    Event,
    GameStarted,
    GameWon,
    KnightPlayed,
    MonopolyPlayed,
    Participant,
    RoadBuildingPlayed,
    RoadBuilt,
    TurnEnded,
    VictoryPointPlayed,
    VillageBuilt,
    YearOfPlentyPlayed,
)
from catan_p2p.state import State


class Played(NamedTuple):
    """An action, the state after it, and when it was taken, in seconds since 1970 (0 if nobody knows)."""

    action: Action
    state: State
    time_s: int = 0


def events_of(
    constants: Constants, players: Sequence[Participant], steps: Iterable[Played], started_s: int = 0
) -> Iterator[Event]:
    """The events of a game that began at ``started_s``, each as soon as its action is there.

    Turn phases have no events: what is left of them is the end of a turn.
    """
    yield GameStarted(tuple(players), constants.board.map, datetime.fromtimestamp(started_s, UTC).replace(tzinfo=None))
    yield BanditStands(1, constants.board.bandit_start)
    turn_began_s = started_s
    for step in steps:
        seconds = step.time_s - turn_began_s
        yield from _TELLERS[type(step.action)](step.action, step.state, seconds)
        if isinstance(step.action, EmptyBuild | SetupPhaseOne | SetupPhaseTwo):
            turn_began_s = step.time_s


def events_of_history(history: History, started_s: int) -> Iterator[Event]:
    """The events of a game repository whose root commit has this date."""
    players = [Participant(i, seat.name, seat.colour.lower()) for i, seat in enumerate(history.game.seats, 1)]
    steps = (Played(logged.action, logged.state, logged.time_s) for logged in history.actions)
    return events_of(history.game.constants, players, steps, started_s)


def _setup(action: SetupPhaseOne | SetupPhaseTwo, after: State, seconds: int) -> Iterator[Event]:
    yield VillageBuilt(action.player, action.at)
    yield RoadBuilt(action.player, action.road)
    yield TurnEnded(action.player, seconds)


def _move(action: MoveBandit | PlayKnight) -> Event:
    return BanditMoved(action.player, action.to, action.victim, action.card)


def _trade(action: Any, cards: int, rate: str) -> Iterator[Event]:
    yield BankTrade(action.player, multiples(action.give, cards), multiples(action.receive, 1), rate)


def _buy(action: BuyDevCard, after: State, seconds: int) -> Iterator[Event]:
    yield DevCardBought(action.player, action.card)
    if action.card == "VictoryPoint":  # unveiled at once (thesis, definition 7)
        yield VictoryPointPlayed(action.player)


def _end(action: EmptyBuild, after: State, seconds: int) -> Iterator[Event]:
    yield GameWon(action.player) if after.is_over else TurnEnded(action.player, seconds)


_TELLERS: dict[type, Callable[[Any, State, int], Iterable[Event]]] = {
    SetupPhaseOne: _setup,
    SetupPhaseTwo: _setup,
    RollDice: lambda action, *_: (DiceRolled(action.player, action.dice),),
    Discard: lambda action, *_: (CardsDiscarded(action.player, action.cards),),
    MoveBandit: lambda action, *_: (_move(action),),
    EmptyTrade: lambda action, *_: (),
    TradeFourToOne: lambda action, *_: _trade(action, 4, FOUR_TO_ONE),
    TradeThreeToOne: lambda action, *_: _trade(action, 3, THREE_TO_ONE),
    TradeTwoToOne: lambda action, *_: _trade(action, 2, action.give),
    EmptyBuild: _end,
    BuildRoad: lambda action, *_: (RoadBuilt(action.player, action.at),),
    BuildVillage: lambda action, *_: (VillageBuilt(action.player, action.at),),
    BuildCity: lambda action, *_: (CityBuilt(action.player, action.at),),
    BuyDevCard: _buy,
    PlayMonopoly: lambda action, *_: (MonopolyPlayed(action.player, action.resource),),
    PlayYearOfPlenty: lambda action, *_: (YearOfPlentyPlayed(action.player, action.first, action.second),),
    PlayRoadBuilding: lambda action, *_: (RoadBuildingPlayed(action.player, action.first, action.second),),
    PlayKnight: lambda action, *_: (KnightPlayed(action.player), _move(action)),
}
