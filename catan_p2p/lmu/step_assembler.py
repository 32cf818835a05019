"""Turns a server's messages into events, the inverse of notifications.py.

Several messages belong to one step: the action, its cost, its yield. A window shows these steps (seat_record.py), and
the public view is made of them (public_record.py). Hidden cards stay unknown.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from catan_p2p.game.cards import FIELD_MAX, NO_CARDS, ONE, RESOURCES, Cards, each, kinds, total
from catan_p2p.game.constants import Player
from catan_p2p.lmu import messages as m
from catan_p2p.lmu import requests
from catan_p2p.lmu.codec import UnknownCards
from catan_p2p.lmu.model import ClientModel, seat_in
from catan_p2p.view import events as e
from catan_p2p.view.observe import bank_trade

_CardsMoved: TypeAlias = m.CardsReceived | m.CardsPaid
_CONSEQUENCES = (m.LongestRoad, m.LargestArmy, m.RequestReply, m.ServerFailure, m.ChatReceived, m.PlayerWelcome)
"""Messages that never begin a step; cards and statuses may."""


class StepAssembler:
    """Assembles steps. The ``model`` must hear each message first; ``seats`` are the players' numbers by seat."""

    def __init__(self, model: ClientModel, seats: Sequence[int]) -> None:
        self._model = model
        self._seats = seats
        self.steps: list[list[Any]] = []
        """The steps, each a list of events; the last one is open. A reader may delete steps from the front."""
        self._is_whole = False
        """Whether the last step is complete, because another one has begun."""
        self._absorbed: set[tuple[type[_CardsMoved], Player]] = set()
        """The kinds of card messages that the open step has taken already, with their players."""
        self._paid: m.CardsPaid | None = None
        """The last message, if it was a payment that belongs to no step: half of a trade with the bank, or a cost."""
        self._free_roads: set[int] = set()
        """The roads of the last road building card."""
        self._turn = model.turn_of
        self._builder = next((id for id in seats if model.known(id).status == "Bauen"), None)
        """In games for five and six, the player who builds between two turns."""

    def begins(self, message: m.ServerMessage) -> bool:
        """Whether a message, not yet heard, begins a new step."""
        match message:
            case m.CardsReceived() | m.CardsPaid():
                return self._grown(message) is None
            case m.StatusUpdate():
                return message.player.status in ("Würfeln", "Bauen")
            case m.BuildingPlaced():
                return not self._is_free(message.building)
        return not isinstance(message, _CONSEQUENCES)

    def hear(self, message: m.ServerMessage) -> None:
        """Take a message that the model has heard."""
        self._is_whole = self._is_whole or self.begins(message)
        teller = _TELLERS.get(type(message))
        if teller is not None:
            teller(self, message)
        if not isinstance(message, m.CardsPaid):
            self._paid = None

    @property
    def awaits_road(self) -> bool:
        """Whether the last step is a village of the set-up, whose road belongs to the same step."""
        last = self.steps[-1] if self.steps else []
        return len(last) == 1 and isinstance(last[0], e.VillageBuilt) and last[0].is_setup

    def is_with_bank(self, message: _CardsMoved) -> bool:
        """Whether the cards of a message, not yet heard, come from the bank or go to it."""
        between = (e.KnightPlayed, e.BanditMoved, e.PlayerTrade, e.MonopolyPlayed)
        return self._grown(message) is None or not isinstance(self._under_way[0], between)

    # The open step

    @property
    def _under_way(self) -> list[Any]:
        return self.steps[-1] if self.steps and not self._is_whole else []

    def _do(self, *events: e.Event) -> None:
        self.steps.append([*events])
        self._is_whole = False
        self._absorbed.clear()

    def _grown(self, message: _CardsMoved) -> list[Any] | None:
        """The open step with the cards of a message added; None if they do not belong to it.

        After a roll a player may gain several times; otherwise each player gains and pays at most once in a step.
        """
        step, seat, cards = self._under_way, self._seat(message.player), message.cards
        is_gain, known = isinstance(message, m.CardsReceived), NO_CARDS if isinstance(cards, UnknownCards) else cards
        gained = e.CardsGained(seat, known, _at_most(cards))
        match step:
            case [e.DiceRolled(), *gains] if is_gain:
                so_far = next((one for one in gains if one.player == seat), e.CardsGained(seat, NO_CARDS, NO_CARDS))
                both = e.CardsGained(seat, so_far.cards + known, so_far.at_most + _at_most(cards))
                return [*(one for one in step if one is not so_far), both]
            case _ if (type(message), seat) in self._absorbed:
                return None
            case [*built, e.TurnEnded(player=player) as end] if built and is_gain and seat == player:
                return [*built, gained, end]
            case [*knight, e.BanditMoved(player=player, victim=victim, card=card) as moved] if seat == (
                player if is_gain else victim
            ):
                stolen = "none" if cards == NO_CARDS else RESOURCES[kinds(known)[0]] if total(known) == 1 else card
                return [*knight, replace(moved, card=stolen)]
            case [e.PlayerTrade(player=player, other=other) as trade] if seat in (player, other):
                if is_gain:
                    return step
                return [replace(trade, give=known) if seat == player else replace(trade, receive=known)]
            case [e.MonopolyPlayed(player=player)] if is_gain == (seat == player):
                return [*step, gained] if is_gain else step
            case [e.YearOfPlentyPlayed(player=player)] if is_gain and seat == player:
                return step
        return None

    def _absorb(self, message: _CardsMoved) -> bool:
        """Add the cards of a message to the open step if they belong to it; whether they do."""
        grown = self._grown(message)
        if grown is not None:
            self.steps[-1] = grown
            self._absorbed.add((type(message), self._seat(message.player)))
        return grown is not None

    def _seat(self, id: int | None) -> Player:
        return seat_in(self._seats, id)

    # One method for each kind of message

    def _rolled(self, message: m.DiceThrown) -> None:
        if seat := self._seat(message.player):
            kind = e.DiceRolled if self._model.is_settled else e.StartRolled
            self._do(kind(seat, sum(message.dice), message.dice))

    def _gained(self, message: m.CardsReceived) -> None:
        """Cards of the open step, or the second half of a trade with the bank, if the same player has just paid."""
        paid, cards = self._paid, message.cards
        if self._absorb(message) or paid is None or paid.player != message.player or not self._seat(message.player):
            return
        if (
            not isinstance(cards, UnknownCards)
            and not isinstance(paid.cards, UnknownCards)
            and self._model.board is not None
        ):
            known = self._model.known(message.player)
            lots = requests.lots(self._model.board, known.villages | known.cities, paid.cards, cards)
            for lot in lots or ():
                self._do(bank_trade(self._seat(message.player), *lot))

    def _paid_something(self, message: m.CardsPaid) -> None:
        self._paid = None
        if self._absorb(message):
            return
        seat, cards = self._seat(message.player), message.cards
        if seat and self._model.known(message.player).status == "Karten wegen Räuber abgeben":
            self._do(
                e.CardsDiscarded(seat, *((NO_CARDS, cards.number) if isinstance(cards, UnknownCards) else (cards,)))
            )
        else:
            self._paid = message

    def _point(self, building: m.MapBuilding) -> int | None:
        """The point of a building, None if the board has none there."""
        places = self._model.places
        if places is None:
            return None
        return places.road(building.at) if building.kind == "Straße" else places.settlement(building.at)

    def _is_free(self, building: m.MapBuilding) -> bool:
        """Whether it is a road of the last road building card, which the server reports a second time."""
        return building.kind == "Straße" and self._point(building) in self._free_roads

    def _built(self, message: m.BuildingPlaced) -> None:
        building, is_setup = message.building, not self._model.is_settled
        seat, at = self._seat(building.owner), self._point(building)
        if not seat or at is None or self._is_free(building):
            return
        if building.kind == "Stadt":
            self._do(e.CityBuilt(seat, at))
        elif building.kind == "Dorf":
            self._do(e.VillageBuilt(seat, at, is_setup=is_setup))
        elif is_setup:
            village = self.steps.pop() if self.awaits_road and self.steps[-1][0].player == seat else []
            self._do(*village, e.RoadBuilt(seat, at, is_setup=True), e.TurnEnded(seat, None))
        else:
            self._do(e.RoadBuilt(seat, at))

    def _bought(self, message: m.CardBought) -> None:
        if seat := self._seat(message.player):
            self._do(e.DevCardBought(seat, message.card))

    def _moved(self, message: m.BanditMovedMessage | m.KnightPlayedMessage) -> None:
        seat, places = self._seat(message.player), self._model.places
        to = places.tile(message.at) if places is not None else None
        if seat and to is not None:
            victim = self._seat(message.victim)
            moved = e.BanditMoved(seat, to, victim, None if victim else "none")
            self._do(*[e.KnightPlayed(seat)] * isinstance(message, m.KnightPlayedMessage), moved)

    def _monopoly(self, message: m.MonopolyPlayedMessage) -> None:
        if seat := self._seat(message.player):
            self._do(e.MonopolyPlayed(seat, message.resource))

    def _year_of_plenty(self, message: m.YearOfPlentyPlayedMessage) -> None:
        if seat := self._seat(message.player):
            known = NO_CARDS if isinstance(message.cards, UnknownCards) else message.cards
            cards = [*each(known)] if total(known) == 2 else [None, None]
            self._do(e.YearOfPlentyPlayed(seat, *cards))

    def _road_building(self, message: m.RoadBuildingPlayedMessage) -> None:
        seat, places = self._seat(message.player), self._model.places
        if seat and places is not None:
            first = places.road(message.first)
            second = None if message.second is None else places.road(message.second)
            self._free_roads = {road for road in (first, second) if road is not None}
            self._do(e.RoadBuildingPlayed(seat, first, second))

    def _offered(self, message: m.TradeOfferedMessage) -> None:
        if seat := self._seat(message.player):
            others = tuple(other for other in range(1, len(self._seats) + 1) if other != seat)
            self._do(e.TradeOffered(seat, message.give, message.receive, asked=others))

    def _answered(self, message: m.TradeAnsweredMessage) -> None:
        if seat := self._seat(message.partner):
            self._do(e.TradeAnswered(seat, message.accepts))

    def _cancelled(self, message: m.TradeCancelled) -> None:
        if seat := self._seat(message.player):
            is_own = message.player == self._model.turn_of
            self._do(e.Declared(seat, "offer withdrawn") if is_own else e.TradeAnswered(seat, accepts=False))

    def _concluded(self, message: m.TradeConcluded) -> None:
        seat, partner = self._seat(message.player), self._seat(message.partner)
        if seat and partner:
            self._do(e.PlayerTrade(seat, partner, NO_CARDS, NO_CARDS))

    def _status(self, message: m.StatusUpdate) -> None:
        """A turn ends when another player is asked to roll; special building, when the next one is asked to build."""
        id, status, turn = message.player.id, message.player.status, self._model.turn_of
        seat = self._seat(id)
        if self._turn is None and status != "Würfeln":
            self._turn = turn
        if status == "Würfeln" and turn != self._turn:
            self._end()
            self._turn, self._builder = turn, None
        elif status == "Bauen" and self._builder != id and seat:
            self._end(e.Next(seat, "may build"))
            self._builder = id

    def _end(self, *more: e.Event) -> None:
        if builder := self._seat(self._builder):
            self._do(e.Declared(builder, "special building ended"), *more)
        elif seat := self._seat(self._turn):
            self._do(e.TurnEnded(seat, None), *more)

    def _over(self, message: m.GameOver) -> None:
        if seat := self._seat(message.winner):
            self._do(e.GameWon(seat))


def _at_most(cards: Cards | UnknownCards) -> Cards:
    """The most cards of each resource that these can be."""
    return (
        sum(ONE[kind] * min(cards.number, FIELD_MAX) for kind in RESOURCES)
        if isinstance(cards, UnknownCards)
        else cards
    )


_TELLERS: dict[type, Any] = {
    m.DiceThrown: StepAssembler._rolled,
    m.CardsReceived: StepAssembler._gained,
    m.CardsPaid: StepAssembler._paid_something,
    m.BuildingPlaced: StepAssembler._built,
    m.CardBought: StepAssembler._bought,
    m.BanditMovedMessage: StepAssembler._moved,
    m.KnightPlayedMessage: StepAssembler._moved,
    m.MonopolyPlayedMessage: StepAssembler._monopoly,
    m.YearOfPlentyPlayedMessage: StepAssembler._year_of_plenty,
    m.RoadBuildingPlayedMessage: StepAssembler._road_building,
    m.TradeOfferedMessage: StepAssembler._offered,
    m.TradeAnsweredMessage: StepAssembler._answered,
    m.TradeCancelled: StepAssembler._cancelled,
    m.TradeConcluded: StepAssembler._concluded,
    m.StatusUpdate: StepAssembler._status,
    m.GameOver: StepAssembler._over,
}
