"""Replaying the events of a game as actions of the specification.

This needs every card to be known. Facts that notations leave out are filled in: phases without an event, the end of a
turn before the next roll, special building without a building, the victim of a bandit that stole nothing, and the offer
before a trade between players, which all others who could pay reject.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from catan_p2p.game import actions
from catan_p2p.game.actions.parameters import NO_ROAD
from catan_p2p.game.actions.turn import has_enough
from catan_p2p.game.cards import total
from catan_p2p.game.constants import NO_OWNER, Constants, Player
from catan_p2p.game.rules import NotEnabled, apply
from catan_p2p.game.state import PLAY_PHASES, State, initial_state
from catan_p2p.notation.errors import NotationError
from catan_p2p.notation.repository.from_game import TimedAction
from catan_p2p.view import events as e
from catan_p2p.view.advance.trading import rates_of, take_apart


class NotReplayable(NotationError):
    """An event that says too little to be replayed, or that the game's rules do not have."""


def replay(
    constants: Constants, events: Iterable[e.Event], clock: Callable[[int], int] = lambda step: 0
) -> list[TimedAction]:
    """The actions of these events, with the states after them; ``clock`` gives the date of each by its number.

    The players must be numbered in the order of play. ``NotReplayable`` if a fact is missing, ``NotationError`` if a
    rule is broken.
    """
    replayer = EventReplayer(constants)
    played = [step for event in events for step in replayer.play(event)]
    played += replayer.finish()
    return [step._replace(time_s=clock(number)) for number, step in enumerate(played, 1)]


_DURING_OFFER = (e.TradeAnswered, e.TradeProposed, e.PlayerTrade, e.PlayerExcused, e.PlayerReturned)
"""Events that do not withdraw the open offer."""


class EventReplayer:
    """Replays one game, event by event."""

    def __init__(self, constants: Constants) -> None:
        self.state: State = initial_state(constants)
        self.time_s = 0
        """The date of the next actions."""
        self._settled = 0
        self._has_knight = False
        self._event: e.PlayerEvent | None = None

    def play(self, event: e.Event) -> Iterator[TimedAction]:
        """Carry out and yield the actions of an event."""
        if not isinstance(event, e.PlayerEvent):
            raise NotationError("a second game begins", event.line, event.column)
        self._event = event
        if self.state.tp == "Offering" and not isinstance(event, _DURING_OFFER):
            yield self._apply(actions.WithdrawTrade(self.state.ap))
        for action in _ACTIONS_OF[type(event)](self, event):
            yield self._apply(action)

    def finish(self) -> Iterator[TimedAction]:
        """Carry out and yield the actions that end a game, if the file leaves them out."""
        state = self.state
        at_once = state.constants.rules.win_check == "at_once"
        if state.tp not in PLAY_PHASES and not (at_once and state.tp == "SpecialBuilding"):
            return
        if has_enough(state, state.next_player(state.ap) if at_once else state.ap):
            for action in self._end() if state.tp in PLAY_PHASES else ():
                yield self._apply(action)
            for action in self._pass_on(NO_OWNER):
                yield self._apply(action)

    def _apply(self, action: actions.Action) -> TimedAction:
        try:
            self.state = apply(self.state, action)
        except NotEnabled as error:
            raise self._error(NotationError, f"{type(action).__name__} breaks {', '.join(error.guards)}") from None
        return TimedAction(
            action, self.state, self.time_s, self._pair() if isinstance(action, actions.RollDice) else None
        )

    def _pair(self) -> tuple[int, int] | None:
        """Both dice of the current roll, if the file has them and they match its sum."""
        event = self._event
        if not isinstance(event, e.DiceRolled) or event.pair is None or len(self.state.constants.rules.dice) == 1:
            return None
        is_roll = sum(event.pair) == event.dice and all(1 <= one <= 6 for one in event.pair)
        return event.pair if is_roll else None

    def _error(self, kind: type[NotationError], reason: str) -> NotationError:
        event = self._event
        return kind(reason, event.line, event.column) if event else kind(reason)

    # The actions of each event. ``play`` carries each one out before it asks for the next, which sees the new state.

    def _stands(self, event: e.BanditStands) -> Iterator[actions.Action]:
        if event.at != self.state.ba:
            raise self._error(NotReplayable, "the bandit does not start where the map puts it")
        return iter(())

    def _village(self, event: e.VillageBuilt) -> Iterator[actions.Action]:
        if self.state.tp == "bot":
            self._settled = event.at
            return
        yield from self._build(event.player)
        yield actions.BuildVillage(event.player, event.at)

    def _road(self, event: e.RoadBuilt) -> Iterator[actions.Action]:
        if self.state.tp == "bot":
            action = actions.SetupPhaseOne if self.state.sup == "PhaseOne" else actions.SetupPhaseTwo
            yield action(event.player, self._settled, event.at)
            return
        yield from self._build(event.player)
        yield actions.BuildRoad(event.player, event.at)

    def _city(self, event: e.CityBuilt) -> Iterator[actions.Action]:
        yield from self._build(event.player)
        yield actions.BuildCity(event.player, event.at)

    def _buy(self, event: e.DevCardBought) -> Iterator[actions.Action]:
        if event.card is None:
            raise self._error(NotReplayable, "the file does not say which development card was bought")
        yield from self._build(event.player)
        yield actions.BuyDevCard(event.player, event.card)

    def _roll(self, event: e.DiceRolled) -> Iterator[actions.Action]:
        yield from self._end_before(event)
        yield actions.RollDice(event.player, event.dice)

    def _discard(self, event: e.CardsDiscarded) -> Iterator[actions.Action]:
        if event.unseen:
            raise self._error(NotReplayable, "the file does not say which cards were discarded")
        yield actions.Discard(event.player, event.cards)

    def _bandit(self, event: e.BanditMoved) -> Iterator[actions.Action]:
        if event.card is None:
            raise self._error(NotReplayable, "the file does not say which card was stolen")
        action = actions.PlayKnight if self._has_knight else actions.MoveBandit
        if self._has_knight:
            yield from self._end_before(event)
        self._has_knight = False
        victim = event.victim if event.victim is not None else self._spared(event)
        yield action(event.player, event.to, victim, event.card)

    def _spared(self, event: e.BanditMoved) -> int:
        """The likely victim of a bandit that stole nothing: a player at the tile without cards."""
        state = self.state
        settled = state.constants.board.corners[event.to]
        there = [seat for seat in state.constants.players if seat != event.player and state.s.of(seat) & settled]
        return next((seat for seat in there if not state.h[seat - 1].rc), there[0] if there else NO_OWNER)

    def _knight(self, event: e.KnightPlayed) -> Iterator[actions.Action]:
        self._has_knight = True
        return iter(())

    def _bank_trade(self, event: e.BankTrade) -> Iterator[actions.Action]:
        rates = rates_of(self.state.constants.board, self.state.s.of(event.player), event.rate)
        singles = take_apart(event.give, event.receive, rates)
        if singles is None:
            raise self._error(NotationError, "no trades at the player's rates add up to this")
        for single in singles:
            yield actions.BANK_TRADES[single.cards](event.player, single.give, single.receive)

    def _player_trade(self, event: e.PlayerTrade) -> Iterator[actions.Action]:
        state, rules = self.state, self.state.constants.rules
        player, partner, give, receive = event.player, event.other, event.give, event.receive
        if partner == state.ap:
            player, partner, give, receive = partner, player, receive, give
        # The partner has accepted the open offer, or this is the partner's proposal.
        if state.terms(partner) == (give, receive):
            yield actions.ConcludeTrade(player, partner)
            return
        if state.tp != "Offering":
            if not rules.domestic_trade:
                raise self._error(NotReplayable, "players trade with each other, which the thesis's rules do not have")
            if max(total(give), total(receive)) > rules.side_max:
                raise self._error(NotReplayable, f"a trade of more than {rules.side_max} cards")
            yield actions.OfferTrade(player, give, receive)
            for other, answer in enumerate(self.state.ans, 1):
                if answer == "asked":
                    yield actions.AnswerTrade(other, "accept" if other == partner else "reject")
        elif state.offer != (give, receive):
            raise self._error(NotationError, "the trade is not the one that was offered")
        yield actions.ConcludeTrade(player, partner)

    def _offer(self, event: e.TradeOffered) -> Iterator[actions.Action]:
        # Between two players, an offer to one is an offer to all.
        partner = event.asked[0] if len(event.asked) == 1 and len(self.state.present) > 2 else None
        if partner is not None and self.state.constants.rules.offers_to_one:
            yield actions.OfferTradeTo(event.player, partner, event.give, event.receive)
        else:
            yield actions.OfferTrade(event.player, event.give, event.receive)

    def _proposal(self, event: e.TradeProposed) -> Iterator[actions.Action]:
        yield actions.ProposeTrade(event.player, event.give, event.receive)

    def _answer(self, event: e.TradeAnswered) -> Iterator[actions.Action]:
        yield actions.AnswerTrade(event.player, "accept" if event.accepts else "reject")

    def _road_building(self, event: e.RoadBuildingPlayed) -> Iterator[actions.Action]:
        needed = self.state.constants.rules.road_building_needs
        if event.first is None or (event.second is None and needed == 2):
            built = "for fewer than two roads" if needed == 2 else "without a road"
            raise self._error(NotReplayable, f"a road building card {built}")
        yield from self._end_before(event)
        yield actions.PlayRoadBuilding(event.player, event.first, NO_ROAD if event.second is None else event.second)

    def _year_of_plenty(self, event: e.YearOfPlentyPlayed) -> Iterator[actions.Action]:
        if event.first is None or event.second is None:
            raise self._error(NotReplayable, "the file does not name the cards of a year of plenty")
        yield from self._end_before(event)
        yield actions.PlayYearOfPlenty(event.player, event.first, event.second)

    def _monopoly(self, event: e.MonopolyPlayed) -> Iterator[actions.Action]:
        yield from self._end_before(event)
        yield actions.PlayMonopoly(event.player, event.resource)

    def _victory_point(self, event: e.VictoryPointPlayed) -> Iterator[actions.Action]:
        return iter(())  # unveiled when it was bought

    def _end_turn(self, event: e.TurnEnded) -> Iterator[actions.Action]:
        if self.state.tp in PLAY_PHASES:
            yield from self._end()

    def _excuse(self, event: e.PlayerExcused | e.PlayerReturned) -> Iterator[actions.Action]:
        raise self._error(NotReplayable, "the file does not say how the others agreed on going on without a player")

    def _win(self, event: e.GameWon) -> Iterator[actions.Action]:
        if self.state.is_over and self.state.ap == event.player:
            return
        if self._has_knight:
            raise self._error(NotReplayable, "the file does not say where the knight that won moves the bandit")
        if self.state.constants.rules.win_check == "turn_end":
            yield from self._end()
        yield from self._pass_on(NO_OWNER)
        if not self.state.is_over or self.state.ap != event.player:
            raise self._error(NotationError, "the game is not over by its points")

    def _build(self, player: Player) -> Iterator[actions.Action]:
        """The actions before a player builds: the end of trading, or of another player's turn or special building."""
        state = self.state
        if state.constants.rules.special_building and state.tp in PLAY_PHASES and player != state.ap:
            yield from self._end()
        yield from self._pass_on(player)
        if self.state.tp == "Trading":
            yield actions.EmptyTrade(self.state.ap)

    def _end(self) -> Iterator[actions.Action]:
        if self.state.tp == "Trading":
            yield actions.EmptyTrade(self.state.ap)
        yield actions.EmptyBuild(self.state.ap)

    def _end_before(self, event: e.PlayerEvent) -> Iterator[actions.Action]:
        """The actions that end a turn and special building, if an event of the next player implies them."""
        is_next = isinstance(event, e.DiceRolled) or event.player != self.state.ap
        if self.state.tp in PLAY_PHASES and is_next:
            yield from self._end()
        yield from self._pass_on(NO_OWNER)

    def _pass_on(self, player: Player) -> Iterator[actions.Action]:
        """The actions that end special building up to that of ``player``; all of it for ``NO_OWNER``."""
        while self.state.tp == "SpecialBuilding" and self.state.sb != player:
            yield actions.EmptyBuild(self.state.sb)


_ACTIONS_OF: dict[type[e.Event], Callable[[EventReplayer, Any], Iterator[actions.Action]]] = {
    e.BanditStands: EventReplayer._stands,
    e.VillageBuilt: EventReplayer._village,
    e.RoadBuilt: EventReplayer._road,
    e.CityBuilt: EventReplayer._city,
    e.DevCardBought: EventReplayer._buy,
    e.DiceRolled: EventReplayer._roll,
    e.BanditMoved: EventReplayer._bandit,
    e.CardsDiscarded: EventReplayer._discard,
    e.BankTrade: EventReplayer._bank_trade,
    e.PlayerTrade: EventReplayer._player_trade,
    e.TradeOffered: EventReplayer._offer,
    e.TradeAnswered: EventReplayer._answer,
    e.TradeProposed: EventReplayer._proposal,
    e.KnightPlayed: EventReplayer._knight,
    e.RoadBuildingPlayed: EventReplayer._road_building,
    e.YearOfPlentyPlayed: EventReplayer._year_of_plenty,
    e.MonopolyPlayed: EventReplayer._monopoly,
    e.VictoryPointPlayed: EventReplayer._victory_point,
    e.TurnEnded: EventReplayer._end_turn,
    e.PlayerExcused: EventReplayer._excuse,
    e.PlayerReturned: EventReplayer._excuse,
    e.GameWon: EventReplayer._win,
}
