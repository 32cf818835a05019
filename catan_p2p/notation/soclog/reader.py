"""Reading a ``.soclog`` file: the server's messages, several of which may make up one event."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from itertools import chain

from catan_p2p.game.board import Map
from catan_p2p.game.cards import DevCard, Resource, count, total
from catan_p2p.game.constants import Player
from catan_p2p.log.refs import COLOURS
from catan_p2p.notation.coordinates import STANDARD_PLACES as PLACES
from catan_p2p.notation.errors import NotationError
from catan_p2p.notation.lines import FileLines, OnError, numbered_lines, reporter
from catan_p2p.notation.soclog.island import read_island
from catan_p2p.notation.soclog.messages import RESOURCES, LogReader, SoclogMessage, parse
from catan_p2p.notation.soclog.stac import DATED, StacReader
from catan_p2p.safe_text import shown_date
from catan_p2p.view import events as e

LONGEST_LINE = 1 << 16
_SEATS = 4
_CARDS: dict[int, DevCard] = {
    1: "RoadBuilding",
    2: "YearOfPlenty",
    3: "Monopoly",
    **dict.fromkeys(range(4, 9), "VictoryPoint"),
    9: "Knight",
}
_OVER = 1000
_PLAYING_FROM = 15
"""The lowest game state after the set-up."""
_DEV_CARD_BOUGHT, _MONOPOLIZED = 1, 3
_YEAR_OF_PLENTY = 2
_GAME_NAME = re.compile(r", game_name=(.+)")
_CREATED = re.compile(r"created_at=(\d{1,11})[,\s]")


def read(handle: FileLines, on_error: OnError | None = None) -> Iterator[e.Event]:
    """The events of a log, from the start of the game; ``NotationError`` at the first error.

    With ``on_error``, every error after the start is passed to it instead, and reading goes on with the next line.
    """
    lines, report = numbered_lines(handle, LONGEST_LINE, on_error), reporter(on_error)
    first = next((line for line in lines if line[1]), None)
    reader: LogReader = StacReader() if first is not None and DATED.match(first[1]) else _SoclogReader()
    has_started = False
    for number, text in chain([first] if first is not None else [], lines):
        try:
            message = reader.parse(text, number)
            if message is None:
                continue
            if other := reader.other_game(message):
                report(other)
                continue
            for event in reader.take(message):
                has_started = True
                yield event
        except NotationError as error:
            if on_error is None or not has_started:
                raise
            on_error(error)
    if not has_started:
        raise NotationError("the file ends before the game starts, expected SOCBoardLayout and SOCStartGame")
    yield from reader.rest()


class _SoclogReader(LogReader):
    """Reads the messages one by one; an event that later messages may complete is held back."""

    def __init__(self) -> None:
        super().__init__()
        self._names: dict[int, str] = {}
        self._players: dict[int, Player] = {}
        self._map: Map | None = None
        self._started: datetime | None = None
        self._rules = "standard"
        self._active: Player = 0
        self._is_setup = True
        self._began_s: float | None = None
        self._village: e.VillageBuilt | None = None
        self._drawn: DevCard | None = None
        self._held: e.BanditMoved | e.RoadBuildingPlayed | None = None
        self._roads_left = 0

    def parse(self, text: str, line: int) -> SoclogMessage | None:
        """The message of a line; the heading gives the name of the game and its date."""
        if text.startswith("SOC game event log"):
            named, created = _GAME_NAME.search(text), _CREATED.search(text)
            self.game = named[1] if named else None
            if created:
                self._started = shown_date(int(created[1])).replace(tzinfo=None)
        message = parse(text, line)
        return message if message is not None and message.is_from_server else None

    def types(self) -> dict[str, Callable[[SoclogMessage], Iterator[e.Event]]]:
        """See ``LogReader``."""
        return {type: partial(read_type, self) for type, read_type in _TYPES.items()}

    def rest(self) -> Iterator[e.Event]:
        """The event that was held back, if any."""
        held, self._held, self._roads_left = self._held, None, 0
        if held is not None:
            yield held

    def _player(self, message: SoclogMessage, name: str) -> Player:
        number = message.number(name, 0, _SEATS - 1)
        if number not in self._players:
            raise message.error(f"{name}={number}, where nobody sits")
        return self._players[number]

    def _resource(self, message: SoclogMessage, name: str) -> Resource:
        return RESOURCES[message.number(name, 1, 5)]

    # Before the game

    def _options(self, message: SoclogMessage) -> Iterator[e.Event]:
        options = dict(option.split("=", 1) for option in message.text("param2").split(",") if "=" in option)
        if options.get("SBL") == "t" or "SC" in options:
            raise message.error("SBL=t, the sea board; only the base game is read")
        points = options.get("VP", "")
        if re.fullmatch(r"t\d{1,2}", points) and 3 <= int(points[1:]) <= 40 and points != "t10":
            self._rules = f"standard; PointsToWin = {int(points[1:])}"
        return iter(())

    def _sit(self, message: SoclogMessage) -> Iterator[e.Event]:
        name = "".join(letter for letter in message.text("nickname") if letter.isprintable())[:64]
        number = message.number("playerNumber", 0, 5)
        if not self._players:
            self._names[number] = name
        return iter(())

    def _layout(self, message: SoclogMessage) -> Iterator[e.Event]:
        if message.audience == "all":
            self._map = read_island(message)
        return iter(())

    def _start(self, message: SoclogMessage) -> Iterator[e.Event]:
        if self._players:
            raise message.error("a second game begins")
        if self._map is None:
            raise message.error("no board before it, expected SOCBoardLayout")
        seats = sorted(number for number in self._names if number < _SEATS)
        if len(seats) < 2 or len(seats) != len(self._names):
            raise message.error(f"{len(self._names)} players sit, expected 2 to {_SEATS}")
        self._players = {number: seat for seat, number in enumerate(seats, 1)}
        players = tuple(
            e.Participant(seat, self._names[number] or f"Player {number}", COLOURS[seat - 1].lower())
            for number, seat in self._players.items()
        )
        yield e.GameStarted(players, self._map, self._started, rules=self._rules, line=message.line, column=1)

    # The game

    def _turn(self, message: SoclogMessage) -> Iterator[e.Event]:
        yield from self.rest()
        player = self._player(message, "playerNumber")
        state = message.number("gameState", 0, _OVER)
        if not self._is_setup and self._active:
            yield e.TurnEnded(self._active, self._spent(message), line=message.line, column=1)
        self._is_setup = state < _PLAYING_FROM
        self._active, self._began_s = player, message.time_s
        if state == _OVER:
            yield e.GameWon(player, line=message.line, column=1)

    def _spent(self, message: SoclogMessage) -> int | None:
        if message.time_s is None or self._began_s is None:
            return None
        spent = round(message.time_s - self._began_s)
        return spent if spent >= 0 else None  # the clock was set back

    def _state(self, message: SoclogMessage) -> Iterator[e.Event]:
        if message.number("state", 0, _OVER) == _OVER and self._active:
            yield from self.rest()
            yield e.GameWon(self._active, line=message.line, column=1)

    def _put(self, message: SoclogMessage) -> Iterator[e.Event]:
        if message.audience != "all":
            return
        player = self._player(message, "playerNumber")
        piece, at = message.number("pieceType", 0, 99), message.number("coord", 0, 0xFFF, 16)
        line = message.line
        if piece == 0:
            if at not in PLACES.hexgrid_edges:
                raise message.error(f"coord={at:x}, expected an edge of the island")
            yield from self._road(player, PLACES.hexgrid_edges[at], message)
            return
        yield from self.rest()
        if piece not in (1, 2) or at not in PLACES.hexgrid_nodes:
            raise message.error(f"pieceType={piece} at {at:x}, expected a road, settlement or city on the island")
        point = PLACES.hexgrid_nodes[at]
        if piece == 2:
            yield e.CityBuilt(player, point, line=line, column=1)
        elif self._is_setup:
            # Held back until its road is built: a player may take it back before that.
            self._village = e.VillageBuilt(player, point, line=line, column=1)
        else:
            yield e.VillageBuilt(player, point, line=line, column=1)

    def _road(self, player: Player, at: int, message: SoclogMessage) -> Iterator[e.Event]:
        held, line = self._held, message.line
        if isinstance(held, e.RoadBuildingPlayed) and held.player == player and self._roads_left:
            first = at if held.first is None else held.first
            second = None if held.first is None else at
            self._held = e.RoadBuildingPlayed(player, first, second, line=held.line, column=1)
            self._roads_left -= 1
            if not self._roads_left:
                yield from self.rest()
            return
        yield from self.rest()
        if self._village is not None:
            yield self._village
            self._village = None
        yield e.RoadBuilt(player, at, line=line, column=1)
        if self._is_setup:
            yield e.TurnEnded(player, None, line=line, column=1)

    def _cancel(self, message: SoclogMessage) -> Iterator[e.Event]:
        self._village = None
        return iter(())

    def _undo(self, message: SoclogMessage) -> Iterator[e.Event]:
        raise message.error("a piece that was taken back, which is not read")

    def _rolled(self, message: SoclogMessage) -> Iterator[e.Event]:
        if self._active and message.text("param") != "-1":
            yield from self.rest()
            yield e.DiceRolled(self._active, message.number("param", 2, 12), line=message.line, column=1)

    def _card(self, message: SoclogMessage) -> Iterator[e.Event]:
        action = message.text("actionType")
        if not message.has("cardType") or action not in ("DRAW", "PLAY", "ADD_OLD"):
            return
        card = _CARDS.get(message.number("cardType", 0, 99))
        player = self._player(message, "playerNum")
        if action == "DRAW":
            self._drawn = card or self._drawn
        elif action == "ADD_OLD":
            if isinstance(self._held, e.RoadBuildingPlayed) and self._held.first is None:
                self._held = None  # the card was taken back
        elif card == "Knight":
            yield from self.rest()
            yield e.KnightPlayed(player, line=message.line, column=1)
        elif card == "RoadBuilding":
            yield from self.rest()
            self._held, self._roads_left = e.RoadBuildingPlayed(player, None, None, line=message.line, column=1), 2

    def _simple(self, message: SoclogMessage) -> Iterator[e.Event]:
        type = message.number("actType", 0, 9999)
        if type == _DEV_CARD_BOUGHT:
            yield from self.rest()
            card, self._drawn = self._drawn, None
            yield e.DevCardBought(self._player(message, "pn"), card, line=message.line, column=1)
        elif type == _MONOPOLIZED:
            yield from self.rest()
            resource = self._resource(message, "v2")
            yield e.MonopolyPlayed(self._player(message, "pn"), resource, line=message.line, column=1)

    def _picked(self, message: SoclogMessage) -> Iterator[e.Event]:
        if message.number("reason", 0, 99) != _YEAR_OF_PLENTY:
            return
        cards, unknown = message.cards("resources")
        named = [resource for resource in RESOURCES.values() for _ in range(count(cards, resource))]
        if unknown or len(named) != 2:
            raise message.error(f"{len(named)} resources, expected 2")
        yield from self.rest()
        player = self._player(message, "pn")
        yield e.YearOfPlentyPlayed(player, named[0], named[1], line=message.line, column=1)

    def _discarded(self, message: SoclogMessage) -> Iterator[e.Event]:
        cards, unknown = message.cards("resources")
        if not unknown:  # the messages to the other players have only the number
            yield from self.rest()
            player = self._player(message, "playerNum")
            yield e.CardsDiscarded(player, cards, line=message.line, column=1)

    def _robber(self, message: SoclogMessage) -> Iterator[e.Event]:
        yield from self.rest()
        if message.text("coord").startswith("-"):
            raise message.error("the pirate, who is not in the base game")
        at = message.number("coord", 0, 0xFFF, 16)
        if at not in PLACES.hexgrid_tiles:
            raise message.error(f"coord={at:x}, expected a tile of the island")
        player = self._player(message, "playerNumber")
        self._held = e.BanditMoved(player, PLACES.hexgrid_tiles[at], None, "none", line=message.line, column=1)

    def _robbed(self, message: SoclogMessage) -> Iterator[e.Event]:
        held = self._held
        if not isinstance(held, e.BanditMoved):
            raise message.error("a robbery without a move of the robber")
        victim = self._player(message, "victim")
        known = RESOURCES.get(message.number("resType", 0, 6))
        # The two players are told the card, all others only the victim; either message may come first.
        card = known if held.victim is None else held.card or known
        self._held = e.BanditMoved(held.player, held.to, victim, card, line=held.line, column=1)
        return iter(())

    def _bank(self, message: SoclogMessage) -> Iterator[e.Event]:
        if message.audience != "all":
            return
        yield from self.rest()
        (give, _), (get, _) = message.cards("give"), message.cards("get")
        if total(give) < total(get):
            raise message.error("a trade that was taken back, which is not read")
        yield e.BankTrade(self._player(message, "pn"), give, get, None, line=message.line, column=1)

    def _accepted(self, message: SoclogMessage) -> Iterator[e.Event]:
        if message.audience != "all":
            return
        yield from self.rest()
        (give, _), (receive, _) = message.cards("toAccepting"), message.cards("toOffering")
        offering, accepting = self._player(message, "offering"), self._player(message, "accepting")
        yield e.PlayerTrade(offering, accepting, give, receive, line=message.line, column=1)


_TYPES: dict[str, Callable[[_SoclogReader, SoclogMessage], Iterator[e.Event]]] = {
    "SOCNewGameWithOptions": _SoclogReader._options,
    "SOCSitDown": _SoclogReader._sit,
    "SOCBoardLayout": _SoclogReader._layout,
    "SOCBoardLayout2": _SoclogReader._layout,
    "SOCStartGame": _SoclogReader._start,
    "SOCTurn": _SoclogReader._turn,
    "SOCGameState": _SoclogReader._state,
    "SOCPutPiece": _SoclogReader._put,
    "SOCCancelBuildRequest": _SoclogReader._cancel,
    "SOCUndoPutPiece": _SoclogReader._undo,
    "SOCDiceResult": _SoclogReader._rolled,
    "SOCDevCardAction": _SoclogReader._card,
    "SOCSimpleAction": _SoclogReader._simple,
    "SOCPickResources": _SoclogReader._picked,
    "SOCDiscard": _SoclogReader._discarded,
    "SOCMoveRobber": _SoclogReader._robber,
    "SOCRobberyResult": _SoclogReader._robbed,
    "SOCReportRobbery": _SoclogReader._robbed,
    "SOCBankTrade": _SoclogReader._bank,
    "SOCAcceptOffer": _SoclogReader._accepted,
}
"""The reader of each type of message."""
