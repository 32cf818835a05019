"""A client's knowledge of a game, from messages alone: the board, all pieces, its own cards, counts of others' cards.

No message of a server makes it fail: contradictory ones are ignored.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from catan_p2p.game.board import Board, MapError, Points, numbers
from catan_p2p.game.cards import FIELD_MAX, NO_CARDS, ONE, RESOURCES, Cards, count, covers, pack, total
from catan_p2p.game.constants import NO_OWNER, Constants, Player, profile
from catan_p2p.game.state import Bank, Buildings, Hand, PlacedSettlements, State, initial_state
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.codec import UnknownCards
from catan_p2p.lmu.coordinates import LmuPlaces, board_from, places_of
from catan_p2p.lmu.notifications import MessageNames
from catan_p2p.lmu.session import OpenOffer
from catan_p2p.lmu.words import COLOUR_WORDS, Status
from catan_p2p.view.bounds import EMPTY, HandBounds, anything, exactly, gain, gain_any, holding, lose_any, pay

MAX_PLAYERS = 6
MAX_POINT_CARDS = 5
_ANY = anything(pack([FIELD_MAX] * len(RESOURCES)))


@dataclass(slots=True)
class KnownPlayer:
    """The client's knowledge of one player."""

    status: Status = "Spiel starten"
    name: str | None = None
    colour: str | None = None
    points: int = 0
    resources: HandBounds = EMPTY
    cards: HandBounds = EMPTY
    bought: Cards = NO_CARDS
    """The own development cards bought in this turn."""
    knights: int = 0
    villages: Points = 0
    cities: Points = 0
    roads: Points = 0


@dataclass(slots=True)
class ClientModel:
    """A game as one client sees it."""

    me: int | None = None
    players: dict[int, KnownPlayer] = field(default_factory=dict)
    """By the player's number."""
    board: Board | None = None
    order: list[int] = field(default_factory=list)
    """Players' numbers in the order in which they were first asked to settle or roll: the order of play."""
    bandit: int = 1
    longest_road: int | None = None
    largest_army: int | None = None
    played: Cards = NO_CARDS
    """All progress cards played so far."""
    plays: int = 0
    """The number of cards played in this turn."""
    offers: dict[int, OpenOffer] = field(default_factory=dict)
    """Open offers by their number; players in them are numbers, not seats."""
    winner: int | None = None
    turn_of: int | None = None
    is_settled: bool = False
    """Whether the set-up is over."""
    is_closed: bool = False
    """Whether all players are known; messages about other numbers are ignored from then on."""
    dice: int = 0
    """The last roll of this turn, 0 before it."""

    @property
    def own(self) -> KnownPlayer:
        """The client's own player."""
        return KnownPlayer() if self.me is None else self.known(self.me)

    @property
    def places(self) -> LmuPlaces | None:
        """The names of the board's places; None while the board is unknown."""
        return None if self.board is None else places_of(self.board)

    def hear(self, message: m.ServerMessage) -> None:
        """Take a message in."""
        hearer = _HEARERS.get(type(message))
        if hearer is not None:
            hearer(self, message)

    def known(self, id: int) -> KnownPlayer:
        """The entry of a player; a fresh one, which is not kept, for a number that does not play."""
        if id not in self.players and (self.is_closed or len(self.players) >= MAX_PLAYERS):
            return KnownPlayer()
        return self.players.setdefault(id, KnownPlayer())

    def _welcome(self, message: m.PlayerWelcome) -> None:
        if self.me is not None and self.me != message.id:
            self.players.pop(self.me, None)  # a provisional number; nobody must wait for its answers
        self.me = message.id

    def _started(self, message: m.GameStartedMessage) -> None:
        try:
            board = board_from(message.chart.fields, message.chart.harbours)
        except (MapError, ValueError, LookupError):
            return
        if not board.settlement_count or not any(len(ends) == 2 for ends in board.ends):
            return
        self.board = board
        for known in self.players.values():
            known.villages = known.cities = known.roads = 0
        for building in message.chart.buildings:
            self._place(building)
        self.bandit = places_of(board).tile(message.chart.bandit) or board.bandit_start

    def _status(self, message: m.StatusUpdate) -> None:
        told = message.player
        # Before the game, this means that the player has left the lobby.
        if told.status == "Verbindung verloren" and self.board is None:
            self.players.pop(told.id, None)
            return
        known = self.known(told.id)
        known.status = told.status
        for name in ("name", "colour", "points", "knights"):
            value = getattr(told, name)
            if value is not None:
                setattr(known, name, value)
        if told.resources is not None:
            known.resources = _told(known.resources, told.resources)
        if told.dev_cards is not None:
            known.cards = _told(known.cards, told.dev_cards)
        self._bonuses(told)
        if told.status == "Dorf bauen" and told.id not in self.order:
            self.order.append(told.id)
        if told.status == "Würfeln" and (self.turn_of != told.id or not self.is_settled):
            self._new_turn(told.id)
        elif self.turn_of is None and told.status in ("Handeln oder Bauen", "Räuber versetzen"):
            self.turn_of, self.is_settled = told.id, True  # this client has come back in the middle of a turn

    def _bonuses(self, told: m.PlayerState) -> None:
        if told.has_longest_road:
            self.longest_road = told.id
        elif told.has_longest_road is False and self.longest_road == told.id:
            self.longest_road = None
        if told.has_largest_army:
            self.largest_army = told.id
        elif told.has_largest_army is False and self.largest_army == told.id:
            self.largest_army = None

    def _new_turn(self, id: int) -> None:
        self.turn_of, self.plays, self.is_settled, self.dice = id, 0, True, 0
        self.own.bought = NO_CARDS
        self.offers.clear()
        if id not in self.order:
            self.order.append(id)

    def _place(self, building: m.MapBuilding) -> None:
        if self.board is None:
            return
        places, known = places_of(self.board), self.known(building.owner)
        at = places.road(building.at) if building.kind == "Straße" else places.settlement(building.at)
        if at is None:
            return
        if building.kind == "Straße":
            known.roads |= 1 << at
        elif building.kind == "Dorf":
            known.villages |= 1 << at
        else:
            known.villages &= ~(1 << at)
            known.cities |= 1 << at

    def _rolled(self, message: m.DiceThrown) -> None:
        if self.is_settled:
            self.dice = sum(message.dice)

    def _built(self, message: m.BuildingPlaced) -> None:
        self._place(message.building)

    def _gained(self, message: m.CardsReceived) -> None:
        known = self.known(message.player)
        known.resources = moved(known.resources, message.cards, is_gain=True)

    def _paid(self, message: m.CardsPaid) -> None:
        known = self.known(message.player)
        known.resources = moved(known.resources, message.cards, is_gain=False)

    def _moved(self, message: m.BanditMovedMessage | m.KnightPlayedMessage) -> None:
        if self.board is not None:
            self.bandit = places_of(self.board).tile(message.at) or self.bandit

    def _knight(self, message: m.KnightPlayedMessage) -> None:
        self._moved(message)
        self.known(message.player).knights += 1
        self._play_card(message.player, ONE["Knight"])

    def _play_card(self, id: int, card: Cards) -> None:
        known = self.known(id)
        known.cards = moved(known.cards, card, is_gain=False)
        self.plays += 1

    def _progress(self, id: int, kind: str) -> None:
        if count(self.played, kind) < FIELD_MAX:  # a packed count must not overflow, whatever a server says
            self.played += ONE[kind]
        self._play_card(id, ONE[kind])

    def _bought(self, message: m.CardBought) -> None:
        known = self.known(message.player)
        known.cards = moved(known.cards, UnknownCards(1) if message.card is None else ONE[message.card], is_gain=True)
        if message.player == self.me and message.card is not None:
            known.bought += ONE[message.card]

    def _offered(self, message: m.TradeOfferedMessage) -> None:
        self.offers[message.trade] = OpenOffer(message.trade, message.player, message.give, message.receive)

    def _answered(self, message: m.TradeAnsweredMessage) -> None:
        offer = self.offers.get(message.trade)
        if offer is not None:
            offer.answers[message.partner] = message.accepts

    def _cancelled(self, message: m.TradeCancelled) -> None:
        offer = self.offers.get(message.trade)
        if offer is not None and offer.player == message.player:
            del self.offers[message.trade]
        elif offer is not None:
            offer.answers[message.player] = False

    def _concluded(self, message: m.TradeConcluded) -> None:
        self.offers = {trade: offer for trade, offer in self.offers.items() if offer.player != message.player}

    def _over(self, message: m.GameOver) -> None:
        self.winner = message.winner

    # As a state of the specification

    def seats(self) -> list[int]:
        """The players' numbers by seat: the known part of the order of play, then the other numbers, ascending."""
        there = [id for id in self.order if id in self.players]
        return there + sorted(id for id in self.players if id not in there)

    def participants(self) -> tuple[tuple[str, str], ...]:
        """Colour and name by seat. A player whose colour is unknown or taken gets one that is left."""
        known = [self.players[id] for id in self.seats()]
        left = [colour for colour in COLOUR_WORDS if colour not in {one.colour for one in known}]
        found: dict[str, str] = {}
        for id, one in zip(self.seats(), known, strict=True):
            colour = one.colour if one.colour and one.colour not in found else left.pop(0)
            found[colour] = one.name or f"Player {id}"
        return tuple(found.items())

    def names(self) -> MessageNames | None:
        """The protocol's names of players and places; None while the board is unknown."""
        places = self.places
        return None if places is None else MessageNames(tuple(self.seats()), places)

    def state(self) -> State | None:
        """The state in which the client decides; None while too little is known.

        Hands of other players have the right number of cards but arbitrary kinds.
        """
        seats = self.seats()
        if self.board is None or self.me not in seats or not 2 <= len(seats) <= MAX_PLAYERS:
            return None
        constants = Constants(profile("brief", len(seats)), self.board, len(seats))
        known = [self.players[id] for id in seats]
        state = initial_state(constants)
        me = seats.index(self.me) + 1
        hands = tuple(self._hand(one, is_own=seat == me) for seat, one in enumerate(known, 1))
        rules = constants.rules
        return state._replace(
            ap=seat_in(seats, self.turn_of) or me,
            tp="DiceRoll",
            sup="PhaseTwo",
            dice=0,
            pd=self.plays,
            ba=self.bandit,
            dp=self.played,
            lr=seat_in(seats, self.longest_road),
            la=seat_in(seats, self.largest_army),
            s=PlacedSettlements(tuple(one.villages for one in known), tuple(one.cities for one in known)),
            r=tuple(one.roads for one in known),
            bnk=Bank(rules.resource_pool, rules.dev_card_pool),
            h=hands,
            b=tuple(
                Buildings(
                    max(0, rules.roads - one.roads.bit_count()),
                    max(0, rules.villages - one.villages.bit_count()),
                    max(0, rules.cities - one.cities.bit_count()),
                )
                for one in known
            ),
        )._replace(**self._phase(me, hands[me - 1]))

    def _phase(self, me: Player, hand: Hand) -> dict[str, Any]:
        status = self.own.status
        if status in ("Dorf bauen", "Straße bauen"):
            placed = self.own.villages.bit_count() - (status == "Straße bauen")
            return {"tp": "bot", "sup": "PhaseTwo" if placed else "PhaseOne", "su_ap": me, "first": 1}
        if status == "Karten wegen Räuber abgeben":
            held, n = total(hand.rc), len(self.players)
            return {"tp": "Discarding", "lim": tuple(held - held // 2 if i == me else 0 for i in range(1, n + 1))}
        if status == "Bauen":
            return {"tp": "SpecialBuilding", "sb": me}
        phases = {"Würfeln": "DiceRoll", "Räuber versetzen": "MovingBandit", "Handeln oder Bauen": "TradingBuilding"}
        return {"tp": phases[status], "ap": me} if status in phases else {"tp": "TradingBuilding"}

    def _hand(self, known: KnownPlayer, *, is_own: bool) -> Hand:
        knights = ONE["Knight"] * min(known.knights, FIELD_MAX)
        if not is_own:
            # A packed count below FIELD_MAX is that many cards of the first kind.
            return Hand(min(known.resources.least, FIELD_MAX), NO_CARDS, min(known.cards.least, FIELD_MAX), knights)
        cards = known.cards.low if known.cards.is_exact else NO_CARDS
        points = cards & FIELD_MAX * ONE["VictoryPoint"]
        playable = cards - points
        new = known.bought - (known.bought & FIELD_MAX * ONE["VictoryPoint"])
        new = new if covers(playable, new) else NO_CARDS
        resources = known.resources.low if known.resources.is_exact else NO_CARDS
        return Hand(resources, new, playable - new, knights + points)

    def victory_points(self, id: int) -> int:
        """How many victory point cards a player must have: the reported points minus those that are in the open."""
        known = self.known(id)
        open_points = known.villages.bit_count() + 2 * known.cities.bit_count()
        open_points += 2 * (self.longest_road == id) + 2 * (self.largest_army == id)
        return min(MAX_POINT_CARDS, max(0, known.points - open_points))

    def loose_village(self) -> int:
        """The own village of the set-up that has no road yet; 0 if there is none."""
        if self.board is None:
            return 0
        own = self.own
        return next((at for at in numbers(own.villages) if not self.board.roads_at[at] & own.roads), 0)


def seat_in(seats: Sequence[int], id: int | None) -> Player:
    """The seat of a player's number; ``NO_OWNER`` if that number does not play."""
    return NO_OWNER if id is None or id not in seats else seats.index(id) + 1


def moved(hand: HandBounds, cards: Cards | UnknownCards, *, is_gain: bool) -> HandBounds:
    """The bounds of a hand, or of the bank, after it has gained or lost cards."""
    if isinstance(cards, UnknownCards):
        return (
            gain_any(hand, _ANY, cards.number, cards.number) if is_gain else lose_any(hand, cards.number, cards.number)
        )
    return gain(hand, cards) if is_gain else pay(hand, cards)


def _told(hand: HandBounds, cards: Cards | UnknownCards) -> HandBounds:
    """The bounds of a hand after the server has reported its cards or their number."""
    if not isinstance(cards, UnknownCards):
        return exactly(cards)
    found = holding(hand, cards.number)
    # A number that contradicts the bounds wins over them: the server knows better.
    return found if found.least == cards.number else moved(EMPTY, cards, is_gain=True)


_HEARERS: dict[type, Any] = {
    m.PlayerWelcome: ClientModel._welcome,
    m.GameStartedMessage: ClientModel._started,
    m.StatusUpdate: ClientModel._status,
    m.DiceThrown: ClientModel._rolled,
    m.CardsReceived: ClientModel._gained,
    m.CardsPaid: ClientModel._paid,
    m.BanditMovedMessage: ClientModel._moved,
    m.BuildingPlaced: ClientModel._built,
    m.CardBought: ClientModel._bought,
    m.KnightPlayedMessage: ClientModel._knight,
    m.RoadBuildingPlayedMessage: lambda model, message: model._progress(message.player, "RoadBuilding"),
    m.MonopolyPlayedMessage: lambda model, message: model._progress(message.player, "Monopoly"),
    m.YearOfPlentyPlayedMessage: lambda model, message: model._progress(message.player, "YearOfPlenty"),
    m.TradeOfferedMessage: ClientModel._offered,
    m.TradeAnsweredMessage: ClientModel._answered,
    m.TradeConcluded: ClientModel._concluded,
    m.TradeCancelled: ClientModel._cancelled,
    m.LongestRoad: lambda model, message: setattr(model, "longest_road", message.player),
    m.LargestArmy: lambda model, message: setattr(model, "largest_army", message.player),
    m.GameOver: ClientModel._over,
}
