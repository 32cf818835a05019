"""What a seat is told of a game, as the steps that a window shows: an action each, and the state after it.

Several messages tell one step: what it is, what it costs, what it brings, whose move it is then. A step is open until
another one begins; ``settle`` closes it where nothing more has come for a while.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from catan_p2p import actions as a
from catan_p2p.game.actions.parameters import NO_ROAD
from catan_p2p.game.cards import NO_CARDS, RESOURCES, Cards, kinds, total, unpack
from catan_p2p.game.state import State
from catan_p2p.lmu import messages as m
from catan_p2p.lmu import requests
from catan_p2p.lmu.codec import Hidden
from catan_p2p.lmu.model import Model
from catan_p2p.lmu.seat_state import SeatState
from catan_p2p.lmu.session import OpenOffer
from catan_p2p.view.events import CardsDiscarded, PlayerEvent, YearOfPlentyPlayed

MAX_STEPS = 20_000
"""More than any game has; what a server tells beyond that is not kept."""
_Trade: TypeAlias = type[a.TradeTwoToOne] | type[a.TradeThreeToOne] | type[a.TradeFourToOne]
_TRADES: dict[int, _Trade] = {4: a.TradeFourToOne, 3: a.TradeThreeToOne, 2: a.TradeTwoToOne}
_CONSEQUENCES = (m.Gained, m.Paid, m.StatusUpdate, m.LongestRoad, m.LargestArmy, m.Reply, m.Failure, m.Chat, m.Welcome)
"""Messages that begin no step by themselves."""


class SeatStep(NamedTuple):
    """A step: what was done, None for the beginning, the state after it, the bank's bounds, and the dice of a roll."""

    action: a.Action | PlayerEvent | None
    state: State
    bank: tuple[tuple[int, int], ...]
    """Of each resource, how many cards the bank has at least and at most."""
    dice: tuple[int, int] | None = None


class Change(NamedTuple):
    """What is new: keep this many steps, then add these."""

    kept: int
    steps: tuple[SeatStep, ...]


class SeatRecord:
    """The steps of a game as its ``model`` hears of it; the model must have heard a message before ``take`` does."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.steps: list[SeatStep] = []
        self._told = 0
        """How many steps ``change`` has given out and are as they were then."""
        self._open: a.Action | PlayerEvent | None = None
        self._dice: tuple[int, int] | None = None
        self._absorbed: set[tuple[type[Any], int]] = set()
        """What has already been heard of the consequences of the step under way."""
        self._paid: tuple[int, Cards | Hidden] | None = None
        """Who has paid something for which is not known yet."""
        self._village: dict[int, int] = {}
        self._builds_at_end: int | None = None
        """In games for five and six, who builds between two turns now."""
        self._turn: int | None = None
        self._own_seat = 0
        self._free_roads = 0
        self._seat_state = SeatState(model)

    @property
    def has_begun(self) -> bool:
        """Whether there is a game to show."""
        return bool(self.steps)

    @property
    def seat(self) -> int:
        """The person's seat, once the game has begun."""
        return self._own_seat

    @property
    def order(self) -> tuple[int, ...]:
        """The numbers of the players by seat, once the game has begun."""
        return self._seat_state.order

    def expect_seats(self, order: Iterable[int]) -> None:
        """The order of play is known from before the program was closed; none, and it is not."""
        self._seat_state.expect_seats(order)

    @property
    def participants(self) -> tuple[tuple[str, str], ...]:
        """Colour and name by seat, once the game has begun."""
        return self._seat_state.participants

    def colour_of(self, id: int | None) -> str:
        """Under which colour a player is shown, empty for nobody who plays."""
        if self.participants:
            seat = self._seat(id)
            return self.participants[seat - 1][0] if seat else ""
        known = None if id is None else self._model.players.get(id)
        return "" if known is None else known.colour or ""

    @property
    def current_offer(self) -> OpenOffer | None:
        """The offer that the newest step shows; players are numbers in it."""
        return self._seat_state.current_offer()

    def expect(self, message: m.ServerMessage) -> None:
        """A message is about to be heard: if it begins a step, what is under way is done."""
        match message:
            case m.Gained() | m.Paid():
                begins = not self._belongs(message)
            case m.StatusUpdate():
                begins = message.player.status in ("Würfeln", "Bauen")
            case _:
                begins = not isinstance(message, _CONSEQUENCES)
        if begins:
            self._close()

    def take(self, message: m.ServerMessage) -> None:
        """A message was heard."""
        if not self.steps and not self._begin(message):
            if isinstance(message, m.Rolled):
                self._seat_state.note_roll(message.player)
            return
        if isinstance(message, m.Gained | m.Paid):
            self._seat_state.hold(message.player, message.cards, 1 if isinstance(message, m.Gained) else -1)
        teller = _TELLERS.get(type(message))
        if teller is not None:
            teller(self, message)
        if not isinstance(message, m.Paid | m.Gained | m.Built | m.CardBought):
            self._paid = None

    def settle(self) -> None:
        """Nothing more has come: close the step under way, or let the newest one show what came after it."""
        if self._open is not None:
            self._close()
        elif self.steps:
            state = self._seat_state.now()
            last = self.steps[-1]
            step = last._replace(state=state, bank=self._seat_state.bank()) if state is not None else last
            if step != last:
                self.steps[-1] = step
                self._told = min(self._told, len(self.steps) - 1)

    def change(self) -> Change | None:
        """What is new since the last call, None if nothing is."""
        if self._told == len(self.steps):
            return None
        found = Change(self._told, tuple(self.steps[self._told :]))
        self._told = len(self.steps)
        return found

    def _begin(self, message: m.ServerMessage) -> bool:
        """Begin once the map is there and somebody is asked for something: by then the players are known."""
        model = self._model
        is_asked = isinstance(message, m.StatusUpdate) and (
            message.player.status not in _BEFORE or self._seat_state.awaits_last(message.player.id)
        )
        if model.board is None or not is_asked or not self._seat_state.take_seats():
            return False
        state = self._seat_state.now()
        if state is not None:
            self._turn, self._own_seat = model.turn_of, self._seat(model.me)
            self._builds_at_end = next((id for id in self.order if model.players[id].status == "Bauen"), None)
            self.steps.append(SeatStep(None, state, self._seat_state.bank()))
        return state is not None

    # Steps

    def _do(self, action: a.Action | PlayerEvent, dice: tuple[int, int] | None = None) -> None:
        self._close()
        self._open, self._dice, self._absorbed = action, dice, set()

    def _close(self) -> None:
        if self._open is None:
            return
        action, dice, self._open, self._dice = self._open, self._dice, None, None
        state = self._seat_state.now()
        if state is not None and len(self.steps) < MAX_STEPS:
            self.steps.append(SeatStep(action, state, self._seat_state.bank(), dice))
        self._absorbed = set()

    def _seat(self, id: int | None) -> int:
        return self._seat_state.seat(id)

    def _belongs(self, message: m.Gained | m.Paid) -> bool:
        """Whether cards that come or go belong to the step under way, each once."""
        key, seat, step = (type(message), message.player), self._seat(message.player), self._open
        if key in self._absorbed and not isinstance(step, a.RollDice):
            return False
        match step:
            case a.RollDice() | a.SetupPhaseTwo() | a.SetupPhaseOne():
                return isinstance(message, m.Gained)
            case a.MoveBandit(player, _, victim) | a.PlayKnight(player, _, victim):
                return seat == (player if isinstance(message, m.Gained) else victim)
            case a.ConcludeTrade(player, partner):
                return seat in (player, partner)
            case a.PlayMonopoly(player, _):
                return (seat == player) == isinstance(message, m.Gained)
            case a.PlayYearOfPlenty(player) | YearOfPlentyPlayed(player=player):
                return isinstance(message, m.Gained) and seat == player
            case _:
                return False

    def _absorbs(self, message: m.Gained | m.Paid) -> bool:
        if belongs := self._belongs(message):
            self._absorbed.add((type(message), message.player))
        return belongs

    # One kind of message each

    def _rolled(self, message: m.Rolled) -> None:
        seat = self._seat(message.player)
        if seat:
            kind = a.RollDice if self._model.is_settled else a.RollForStart
            self._do(kind(seat, sum(message.dice)), message.dice)

    def _gained(self, message: m.Gained) -> None:
        if self._absorbs(message):
            if isinstance(self._open, a.RollDice | a.SetupPhaseTwo | a.PlayYearOfPlenty | PlayerEvent):
                self._seat_state.leave_bank(message.cards)
            return
        paid, self._paid = self._paid, None
        seat, cards = self._seat(message.player), message.cards
        if paid is None or paid[0] != message.player or isinstance(cards, Hidden) or isinstance(paid[1], Hidden):
            return
        self._seat_state.leave_bank(cards)
        for trade in self._lots(seat, paid[1], cards):
            self._do(trade)

    def _lots(self, seat: int, give: Cards, receive: Cards) -> list[a.Action]:
        """A trade with the bank as the actions that it is."""
        state = self.steps[-1].state
        rates = None
        if seat and not set(kinds(give)) & set(kinds(receive)):
            rates = requests.lots(state, seat, give, total(receive))
        wanted = [kind for kind, n in zip(RESOURCES, unpack(receive), strict=True) for _ in range(n)]
        return [_TRADES[rate](seat, kind, got) for (kind, rate), got in zip(rates or (), wanted, strict=False)]

    def _paid_something(self, message: m.Paid) -> None:
        cards = message.cards
        if self._absorbs(message):
            if isinstance(self._open, a.MoveBandit | a.PlayKnight):
                known = not isinstance(cards, Hidden) and total(cards) == 1
                # Of a theft between others nothing is known, and a window that veils both shows nothing of it.
                self._open = replace(self._open, card=RESOURCES[kinds(cards)[0]] if known else RESOURCES[0])
            return
        self._seat_state.reach_bank(cards)
        payer = self._model.players.get(message.player)
        if payer is not None and payer.status == "Karten wegen Räuber abgeben" and self._seat(message.player):
            seat = self._seat(message.player)
            is_seen = not isinstance(cards, Hidden)
            self._do(a.Discard(seat, cards) if is_seen else CardsDiscarded(seat, NO_CARDS, cards.number))  # type: ignore[union-attr, arg-type]
            return
        self._paid = (message.player, cards)

    def _built(self, message: m.Built) -> None:
        building, places = message.building, self._model.places
        seat = self._seat(building.owner)
        self._paid = None
        if not seat or places is None:
            return
        at = places.road(building.at) if building.kind == "Straße" else places.settlement(building.at)
        if at is None:
            return
        if building.kind == "Stadt":
            self._do(a.BuildCity(seat, at))
        elif self._model.is_settled:
            if building.kind == "Dorf":
                self._do(a.BuildVillage(seat, at))
            elif self._free_roads:
                self._free_roads -= 1
            else:
                self._do(a.BuildRoad(seat, at))
        elif building.kind == "Dorf":
            self._village[seat] = at
        elif (village := self._village.pop(seat, None)) is not None:
            is_first = self._model.players[building.owner].villages.bit_count() < 2
            self._do((a.SetupPhaseOne if is_first else a.SetupPhaseTwo)(seat, village, at))

    def _bought(self, message: m.CardBought) -> None:
        self._paid = None
        if seat := self._seat(message.player):
            self._do(a.BuyDevCard(seat, message.card or "Knight"))

    def _moved(self, message: m.BanditMoved | m.KnightPlayed) -> None:
        seat, places = self._seat(message.player), self._model.places
        to = places.tile(message.at) if places is not None else None
        if seat and to is not None:
            kind = a.PlayKnight if isinstance(message, m.KnightPlayed) else a.MoveBandit
            self._do(kind(seat, to, self._seat(message.victim), "none"))

    def _monopoly(self, message: m.MonopolyPlayed) -> None:
        if seat := self._seat(message.player):
            self._do(a.PlayMonopoly(seat, message.resource))

    def _year_of_plenty(self, message: m.YearOfPlentyPlayed) -> None:
        seat, cards = self._seat(message.player), message.cards
        if not seat:
            return
        if isinstance(cards, Hidden) or total(cards) != 2:
            self._do(YearOfPlentyPlayed(seat, None, None))
            return
        first, second = (kind for kind, n in zip(RESOURCES, unpack(cards), strict=True) for _ in range(n))
        self._do(a.PlayYearOfPlenty(seat, first, second))

    def _road_building(self, message: m.RoadBuildingPlayed) -> None:
        seat, places = self._seat(message.player), self._model.places
        if not seat or places is None:
            return
        first = places.road(message.first)
        second = NO_ROAD if message.second is None else places.road(message.second)
        if first is not None and second is not None:
            self._do(a.PlayRoadBuilding(seat, first, second))
            self._free_roads = 1 if second == NO_ROAD else 2

    def _offered(self, message: m.TradeOffered) -> None:
        if seat := self._seat(message.player):
            self._do(a.OfferTrade(seat, message.give, message.receive))

    def _answered(self, message: m.TradeAnswered) -> None:
        if seat := self._seat(message.partner):
            self._do(a.AnswerTrade(seat, "accept" if message.accepts else "reject"))

    def _cancelled(self, message: m.TradeCancelled) -> None:
        if seat := self._seat(message.player):
            is_own = seat == self.steps[-1].state.ap
            self._do(a.WithdrawTrade(seat) if is_own else a.AnswerTrade(seat, "reject"))

    def _concluded(self, message: m.TradeConcluded) -> None:
        seat, partner = self._seat(message.player), self._seat(message.partner)
        if seat and partner:
            self._do(a.ConcludeTrade(seat, partner))

    def _status(self, message: m.StatusUpdate) -> None:
        """The end of a turn is seen by who is asked next; between turns, in larger games, by who builds no more."""
        id, status = message.player.id, message.player.status
        model = self._model
        if self._turn is None and status != "Würfeln":
            self._turn = model.turn_of
        if status == "Würfeln" and model.turn_of != self._turn:
            if self._builds_at_end is not None:
                self._end_turn(self._builds_at_end)
            else:
                self._end_turn(self._turn)
            self._turn, self._builds_at_end, self._free_roads = model.turn_of, None, 0
        elif status == "Bauen" and self._builds_at_end != id:
            self._end_turn(self._turn if self._builds_at_end is None else self._builds_at_end)
            self._builds_at_end = id

    def _end_turn(self, id: int | None) -> None:
        if seat := self._seat(id):
            self._do(a.EmptyBuild(seat))

    def _over(self, message: m.GameOver) -> None:
        if seat := self._seat(message.winner):
            self._do(a.EmptyBuild(seat))


_BEFORE = ("Spiel starten", "Wartet auf Spielbeginn", "Warten", "Verbindung verloren")
_TELLERS: dict[type, Any] = {
    m.Rolled: SeatRecord._rolled,
    m.Gained: SeatRecord._gained,
    m.Paid: SeatRecord._paid_something,
    m.Built: SeatRecord._built,
    m.CardBought: SeatRecord._bought,
    m.BanditMoved: SeatRecord._moved,
    m.KnightPlayed: SeatRecord._moved,
    m.MonopolyPlayed: SeatRecord._monopoly,
    m.YearOfPlentyPlayed: SeatRecord._year_of_plenty,
    m.RoadBuildingPlayed: SeatRecord._road_building,
    m.TradeOffered: SeatRecord._offered,
    m.TradeAnswered: SeatRecord._answered,
    m.TradeCancelled: SeatRecord._cancelled,
    m.TradeConcluded: SeatRecord._concluded,
    m.StatusUpdate: SeatRecord._status,
    m.GameOver: SeatRecord._over,
}
