"""Playing the events of a game again: the actions of the specification that they stand for.

Possible where every card is known, under rules that the engine plays. What no notation says is filled in: phases that
pass without an event, the end of a turn before the next roll, and whom a bandit that found nothing meant to rob.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

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
from catan_p2p.constants import NO_OWNER, Constants
from catan_p2p.notation.errors import NotationError
from catan_p2p.notation.events import (
    BanditMoved,
    BanditStands,
    BankTrade,
    CardsDiscarded,
    CityBuilt,
    DevCardBought,
    DiceRolled,
    Event,
    GameWon,
    KnightPlayed,
    MonopolyPlayed,
    PlayerEvent,
    PlayerTrade,
    RoadBuildingPlayed,
    RoadBuilt,
    TurnEnded,
    VictoryPointPlayed,
    VillageBuilt,
    YearOfPlentyPlayed,
)
from catan_p2p.notation.from_game import Played
from catan_p2p.notation.trades import rates_of, take_apart
from catan_p2p.rules import NotEnabled, apply
from catan_p2p.scoring import player_points
from catan_p2p.state import State, initial_state

_TRADES: dict[int, Callable[..., Action]] = {4: TradeFourToOne, 3: TradeThreeToOne, 2: TradeTwoToOne}


class NotReplayable(NotationError):
    """An event that does not say enough to be played again, or that the engine's rules do not have."""


def replay(constants: Constants, events: Iterable[Event], clock: Callable[[int], int] = lambda step: 0) -> list[Played]:
    """The actions that these events stand for, with the states after them; ``clock`` dates each by its number.

    The players must be numbered in the order of play. ``NotReplayable`` where a fact is open, ``NotationError`` where
    the rules are broken.
    """
    replayer = Replayer(constants)
    played = [step for event in events for step in replayer.play(event)]
    played += replayer.finish()
    return [Played(step.action, step.state, clock(number)) for number, step in enumerate(played, 1)]


class Replayer:
    """Plays one game again, event by event."""

    def __init__(self, constants: Constants) -> None:
        self.state: State = initial_state(constants)
        self._settled = 0
        self._has_knight = False
        self._event: PlayerEvent | None = None

    def play(self, event: Event) -> Iterator[Played]:
        """The actions that an event stands for, carried out."""
        if not isinstance(event, PlayerEvent):
            raise NotationError("a second game begins", event.line, event.column)
        self._event = event
        for action in _ACTIONS_OF[type(event)](self, event):
            yield self._apply(action)

    def finish(self) -> Iterator[Played]:
        """The end of a game that a file without ends of turns leaves to its reader."""
        state = self.state
        if (
            state.tp in ("Trading", "Building")
            and player_points(state, state.ap) >= state.constants.rules.points_to_win
        ):
            for action in self._end():
                yield self._apply(action)

    def _apply(self, action: Action) -> Played:
        try:
            self.state = apply(self.state, action)
        except NotEnabled as error:
            raise self._error(NotationError, f"{type(action).__name__} breaks {', '.join(error.guards)}") from None
        return Played(action, self.state)

    def _error(self, kind: type[NotationError], reason: str) -> NotationError:
        event = self._event
        return kind(reason, event.line, event.column) if event else kind(reason)

    # What each event stands for; every yielded action is carried out before the next is asked for

    def _stands(self, event: BanditStands) -> Iterator[Action]:
        if event.at != self.state.ba:
            raise self._error(NotReplayable, "the bandit does not start where the map puts it")
        return iter(())

    def _village(self, event: VillageBuilt) -> Iterator[Action]:
        if self.state.tp == "bot":
            self._settled = event.at
            return
        yield from self._build()
        yield BuildVillage(event.player, event.at)

    def _road(self, event: RoadBuilt) -> Iterator[Action]:
        if self.state.tp == "bot":
            action = SetupPhaseOne if self.state.sup == "PhaseOne" else SetupPhaseTwo
            yield action(event.player, self._settled, event.at)
            return
        yield from self._build()
        yield BuildRoad(event.player, event.at)

    def _city(self, event: CityBuilt) -> Iterator[Action]:
        yield from self._build()
        yield BuildCity(event.player, event.at)

    def _buy(self, event: DevCardBought) -> Iterator[Action]:
        if event.card is None:
            raise self._error(NotReplayable, "it is not said which development card was bought")
        yield from self._build()
        yield BuyDevCard(event.player, event.card)

    def _roll(self, event: DiceRolled) -> Iterator[Action]:
        if self.state.tp in ("Trading", "Building"):
            yield from self._end()
        yield RollDice(event.player, event.dice)

    def _discard(self, event: CardsDiscarded) -> Iterator[Action]:
        yield Discard(event.player, event.cards)

    def _bandit(self, event: BanditMoved) -> Iterator[Action]:
        if event.card is None:
            raise self._error(NotReplayable, "it is not said which card was stolen")
        action = PlayKnight if self._has_knight else MoveBandit
        self._has_knight = False
        victim = event.victim if event.victim is not None else self._spared(event)
        yield action(event.player, event.to, victim, event.card)

    def _spared(self, event: BanditMoved) -> int:
        """Whom a bandit that stole nothing can have meant: a player on the tile without cards."""
        state = self.state
        settled = state.constants.board.corners[event.to]
        there = [seat for seat in state.constants.players if seat != event.player and state.s.of(seat) & settled]
        return next((seat for seat in there if not state.h[seat - 1].rc), there[0] if there else NO_OWNER)

    def _knight(self, event: KnightPlayed) -> Iterator[Action]:
        self._has_knight = True
        return iter(())

    def _bank_trade(self, event: BankTrade) -> Iterator[Action]:
        rates = rates_of(self.state, event.player, event.rate)
        singles = take_apart(event.give, event.receive, rates)
        if singles is None:
            raise self._error(NotationError, "no trades at the player's rates come to this")
        for single in singles:
            yield _TRADES[single.cards](event.player, single.give, single.receive)

    def _player_trade(self, event: PlayerTrade) -> Iterator[Action]:
        raise self._error(NotReplayable, "players trade with each other, which the engine does not play yet")

    def _road_building(self, event: RoadBuildingPlayed) -> Iterator[Action]:
        if event.first is None or event.second is None:
            raise self._error(NotReplayable, "a road building card for fewer than two roads")
        yield PlayRoadBuilding(event.player, event.first, event.second)

    def _year_of_plenty(self, event: YearOfPlentyPlayed) -> Iterator[Action]:
        yield PlayYearOfPlenty(event.player, event.first, event.second)

    def _monopoly(self, event: MonopolyPlayed) -> Iterator[Action]:
        yield PlayMonopoly(event.player, event.resource)

    def _victory_point(self, event: VictoryPointPlayed) -> Iterator[Action]:
        return iter(())  # unveiled when it was bought

    def _end_turn(self, event: TurnEnded) -> Iterator[Action]:
        if self.state.tp in ("Trading", "Building"):
            yield from self._end()

    def _win(self, event: GameWon) -> Iterator[Action]:
        yield from self._end()
        if not self.state.is_over:
            raise self._error(NotationError, "the game is not over by its points")

    def _build(self) -> Iterator[Action]:
        if self.state.tp == "Trading":
            yield EmptyTrade(self.state.ap)

    def _end(self) -> Iterator[Action]:
        yield from self._build()
        yield EmptyBuild(self.state.ap)


_ACTIONS_OF: dict[type[Event], Callable[[Replayer, Any], Iterator[Action]]] = {
    BanditStands: Replayer._stands,
    VillageBuilt: Replayer._village,
    RoadBuilt: Replayer._road,
    CityBuilt: Replayer._city,
    DevCardBought: Replayer._buy,
    DiceRolled: Replayer._roll,
    BanditMoved: Replayer._bandit,
    CardsDiscarded: Replayer._discard,
    BankTrade: Replayer._bank_trade,
    PlayerTrade: Replayer._player_trade,
    KnightPlayed: Replayer._knight,
    RoadBuildingPlayed: Replayer._road_building,
    YearOfPlentyPlayed: Replayer._year_of_plenty,
    MonopolyPlayed: Replayer._monopoly,
    VictoryPointPlayed: Replayer._victory_point,
    TurnEnded: Replayer._end_turn,
    GameWon: Replayer._win,
}
