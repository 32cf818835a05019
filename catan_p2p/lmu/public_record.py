"""What a client was told of a game, as the events of a public view: what was hidden from it stays open."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from catan_p2p.game.cards import RESOURCES, Cards, Resource, count, kinds, multiples, total, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.scoring import player_points
from catan_p2p.lmu import messages as m
from catan_p2p.lmu import requests
from catan_p2p.lmu.codec import Hidden
from catan_p2p.lmu.coordinates import places_of
from catan_p2p.lmu.model import Model
from catan_p2p.log.refs import COLOURS
from catan_p2p.notation import import_game, write_view
from catan_p2p.view import events as e

MAX_POINT_CARDS = 5
SETUP_PIECES = 2
"""Villages and roads that each player places in the set-up."""


class NothingRecorded(ValueError):
    """No game was told of; the message says what is missing."""


def write_seen(path: Path, heard: Sequence[m.ServerMessage], nonce: str) -> None:
    """Keep what was heard as a public view in a repository; ``NothingRecorded``, or ``StoreError`` if it cannot be."""
    imported = import_game([*seen_events(heard)], "lmu", "brief", [])
    write_view(path, imported.view, nonce)


def replace_seen(path: Path, heard: Sequence[m.ServerMessage], nonce: str) -> None:
    """Keep what was heard in place of an earlier view, which readers see until the new one is whole."""
    beside, before = path.with_name(f".{path.name}.new"), path.with_name(f".{path.name}.old")
    shutil.rmtree(beside, ignore_errors=True)
    write_seen(beside, heard, nonce)
    shutil.rmtree(before, ignore_errors=True)
    if path.exists():
        path.rename(before)
    beside.rename(path)
    shutil.rmtree(before, ignore_errors=True)


def seen_events(heard: Sequence[m.ServerMessage]) -> Iterator[e.Event]:
    """The events that messages of a server tell, players in the order of play."""
    last = Model()
    for message in heard:
        last.hear(message)
    if last.board is None or not 2 <= len(last.seats()) <= len(COLOURS):
        raise NothingRecorded("the game has not begun")
    begin = next(i for i, message in enumerate(heard) if isinstance(message, m.GameStarted))
    yield e.GameStarted(_participants(last), last.board.map)
    yield e.BanditStands(1, last.board.bandit_start)
    yield from _Teller(last.seats(), heard, begin).events()


def _participants(last: Model) -> tuple[e.Participant, ...]:
    seats = enumerate(last.participants(), 1)
    return tuple(e.Participant(seat, name, colour.lower()) for seat, (colour, name) in seats)


class _Teller:
    """Goes through the messages, and a little ahead where several tell one event."""

    def __init__(self, seats: list[int], heard: Sequence[m.ServerMessage], begin: int) -> None:
        self._seats = seats
        self._heard = heard
        self._at = begin
        self._model = Model()
        for message in heard[: begin + 1]:
            self._model.hear(message)
        self._placed = dict.fromkeys(seats, 0)
        self._turn: Player = 0
        self._paid: tuple[int, Cards] | None = None

    def events(self) -> Iterator[e.Event]:
        """All events after the start."""
        while (message := self._next()) is not None:
            teller = _TELLERS.get(type(message))
            if teller is not None and self._is_known(message):
                yield from teller(self, message)
            if not isinstance(message, m.Paid):
                self._paid = None

    def _next(self) -> m.ServerMessage | None:
        self._at += 1
        if self._at >= len(self._heard):
            return None
        message = self._heard[self._at]
        if not isinstance(message, m.Gained):  # a trade looks at the wharfs first, and needs no later state
            self._model.hear(message)
        return message

    def _ahead(self, kind: type[Any], id: int | None = None) -> Any:
        """The next message if it is of a kind, and of a player: taken then."""
        if self._at + 1 >= len(self._heard):
            return None
        message: Any = self._heard[self._at + 1]
        if not isinstance(message, kind) or (id is not None and message.player != id):
            return None
        return self._next()

    def _is_known(self, message: Any) -> bool:
        id = getattr(message, "player", None)
        return id is None or not isinstance(id, int) or id in self._seats

    def _seat(self, id: int) -> Player:
        return self._seats.index(id) + 1

    @property
    def _is_setup(self) -> bool:
        return any(n < SETUP_PIECES for n in self._placed.values())

    # One kind of message each

    def _status(self, message: m.StatusUpdate) -> Iterator[e.Event]:
        """The end of a turn is seen by who is asked next."""
        is_next = message.player.status in ("Würfeln", "Bauen") and message.player.id in self._seats
        if not is_next or self._is_setup:
            return
        player = self._seat(message.player.id)
        if self._turn and self._turn != player:
            yield e.TurnEnded(self._turn, None)
            self._turn = 0
        if message.player.status == "Würfeln":
            self._turn = player

    def _rolled(self, message: m.Rolled) -> Iterator[e.Event]:
        if not self._is_setup:
            self._turn = self._seat(message.player)
            yield e.DiceRolled(self._turn, sum(message.dice), message.dice)

    def _built(self, message: m.Built) -> Iterator[e.Event]:
        building, board = message.building, self._model.board
        if board is None or building.owner not in self._seats:
            return
        player, places = self._seat(building.owner), places_of(board)
        at = places.road(building.at) if building.kind == "Straße" else places.settlement(building.at)
        if at is None:
            return
        if building.kind == "Straße":
            yield e.RoadBuilt(player, at)
            if self._placed[building.owner] < SETUP_PIECES:
                self._placed[building.owner] += 1
                yield e.TurnEnded(player, None)
        else:
            yield e.VillageBuilt(player, at) if building.kind == "Dorf" else e.CityBuilt(player, at)

    def _paid_something(self, message: m.Paid) -> Iterator[e.Event]:
        self._paid = None if isinstance(message.cards, Hidden) else (message.player, message.cards)
        return iter(())

    def _gained(self, message: m.Gained) -> Iterator[e.Event]:
        """A trade with the bank, if the same player has just paid; else what a roll or the set-up brought."""
        if self._paid is None or self._paid[0] != message.player or isinstance(message.cards, Hidden):
            return
        give, receive = self._paid[1], message.cards
        player = self._seat(message.player)
        for give_kind, rate, receive_kind in self._lots(player, message.player, give, receive):
            where = {4: e.FOUR_TO_ONE, 3: e.THREE_TO_ONE, 2: give_kind}[rate]
            yield e.BankTrade(player, multiples(give_kind, rate), multiples(receive_kind, 1), where)

    def _lots(self, player: Player, id: int, give: Cards, receive: Cards) -> Iterator[tuple[Resource, int, Resource]]:
        state = self._model.state()
        if state is None or set(kinds(give)) & set(kinds(receive)):
            return
        seats = self._model.seats()
        lots = requests.lots(state, seats.index(id) + 1, give, total(receive))
        wanted = [resource for resource, n in zip(RESOURCES, unpack(receive), strict=True) for _ in range(n)]
        for (resource, rate), received in zip(lots or (), wanted, strict=False):
            yield resource, rate, received

    def _moved(self, message: m.BanditMoved | m.KnightPlayed) -> Iterator[e.Event]:
        player = self._seat(message.player)
        if isinstance(message, m.KnightPlayed):
            yield e.KnightPlayed(player)
        at = places_of(self._model.board).tile(message.at) if self._model.board else None
        if at is None:
            return
        if message.victim is None or message.victim not in self._seats:
            yield e.BanditMoved(player, at, 0, "none")
            return
        paid = self._ahead(m.Paid, message.victim)
        gained = self._ahead(m.Gained, message.player)
        card: Any = None
        if paid is not None and not isinstance(paid.cards, Hidden) and total(paid.cards) == 1:
            card = RESOURCES[kinds(paid.cards)[0]]
        elif paid is None and gained is not None and not isinstance(gained.cards, Hidden) and not gained.cards:
            card = "none"
        yield e.BanditMoved(player, at, self._seat(message.victim), card)

    def _bought(self, message: m.CardBought) -> Iterator[e.Event]:
        yield e.DevCardBought(self._seat(message.player), message.card)

    def _monopoly(self, message: m.MonopolyPlayed) -> Iterator[e.Event]:
        while self._ahead(m.Paid) is not None:
            pass
        self._ahead(m.Gained)
        yield e.MonopolyPlayed(self._seat(message.player), message.resource)

    def _year_of_plenty(self, message: m.YearOfPlentyPlayed) -> Iterator[e.Event]:
        self._ahead(m.Gained)
        cards = [] if isinstance(message.cards, Hidden) else [*_each(message.cards)]
        first, second = (cards[0], cards[-1]) if cards else (None, None)
        yield e.YearOfPlentyPlayed(self._seat(message.player), first, second)

    def _road_building(self, message: m.RoadBuildingPlayed) -> Iterator[e.Event]:
        board = self._model.board
        if board is None:
            return
        roads = [places_of(board).road(at) for at in (message.first, message.second) if at is not None]
        for _ in roads:
            self._ahead(m.Built)
        yield e.RoadBuildingPlayed(self._seat(message.player), *(roads + [None])[:2])

    def _traded(self, message: m.TradeConcluded) -> Iterator[e.Event]:
        give, receive = self._ahead(m.Paid, message.player), self._ahead(m.Paid, message.partner)
        self._ahead(m.Gained)
        self._ahead(m.Gained)
        if give is None or receive is None or message.partner not in self._seats:
            return
        if isinstance(give.cards, Hidden) or isinstance(receive.cards, Hidden):  # no honest server hides them
            return
        yield e.PlayerTrade(self._seat(message.player), self._seat(message.partner), give.cards, receive.cards)

    def _over(self, message: m.GameOver) -> Iterator[e.Event]:
        if message.winner in self._seats:
            player = self._seat(message.winner)
            for _ in range(min(MAX_POINT_CARDS, self._hidden_points(message.winner))):
                yield e.VictoryPointPlayed(player)
            yield e.GameWon(player)

    def _hidden_points(self, id: int) -> int:
        """How many points were told of a player that nothing on the board accounts for: victory point cards."""
        state, seats = self._model.state(), self._model.seats()
        if state is None or id not in seats:
            return 0
        player = seats.index(id) + 1
        on_board = player_points(state, player) - count(state.h[player - 1].uc, "VictoryPoint")
        return max(0, self._model.players[id].points - on_board)


def _each(cards: Cards) -> Iterator[Resource]:
    for resource, n in zip(RESOURCES, unpack(cards), strict=True):
        yield from (resource for _ in range(n))


_TELLERS: dict[type, Any] = {
    m.StatusUpdate: _Teller._status,
    m.Rolled: _Teller._rolled,
    m.Built: _Teller._built,
    m.Paid: _Teller._paid_something,
    m.Gained: _Teller._gained,
    m.BanditMoved: _Teller._moved,
    m.KnightPlayed: _Teller._moved,
    m.CardBought: _Teller._bought,
    m.MonopolyPlayed: _Teller._monopoly,
    m.YearOfPlentyPlayed: _Teller._year_of_plenty,
    m.RoadBuildingPlayed: _Teller._road_building,
    m.TradeConcluded: _Teller._traded,
    m.GameOver: _Teller._over,
}
