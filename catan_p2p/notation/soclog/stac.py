"""Logs of StacSettlers, the JSettlers of the STAC corpus: dated lines, in which texts of the server report the events.

A line is ``2012:11:17:17:01:18:310:+0000:TYPE:FIELDS``; in the server's own logs, the receivers come first. The lines
also include requests of players and private messages. So an event is what the server's text says to all, with the
places and cards from the messages around it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from catan_p2p.game.board import Map
from catan_p2p.game.cards import FIELD_MAX, NO_CARDS, ONE, Cards, DevCard, Resource, total
from catan_p2p.game.constants import Player
from catan_p2p.log.refs import COLOURS
from catan_p2p.notation.coordinates import STANDARD_PLACES as PLACES
from catan_p2p.notation.errors import unexpected
from catan_p2p.notation.soclog.island import read_island
from catan_p2p.notation.soclog.messages import RESOURCES, LogReader, SoclogMessage
from catan_p2p.view import events as e

DATED = re.compile(
    r"(?:(?P<audience>[^:|]{1,200}):)?(?P<date>\d{4}(?::\d\d){5}):(?P<milliseconds>\d{3}):(?P<zone>[+-]\d{4}):"
    r"(?P<type>[A-Za-z0-9-]+)(?::(?P<body>.*))?"
)
_EXPECTED = "a message such as 2012:11:17:17:01:18:310:+0000:SOCDiceResult:game=g|param=8"
_SEATS = 4
_WORDS: dict[str, Resource] = dict(zip(("clay", "ore", "sheep", "wheat", "wood"), RESOURCES.values(), strict=True))
_CARDS: dict[int, DevCard] = {
    0: "Knight",
    1: "RoadBuilding",
    2: "YearOfPlenty",
    3: "Monopoly",
    **dict.fromkeys(range(4, 9), "VictoryPoint"),
}
_PLAYING_FROM, _OVER = 15, 1000
_PIECES = {"road": 0, "settlement": 1, "city": 2}


class StacReader(LogReader):
    """Reads the messages one by one; an event that later messages may complete is held back."""

    def __init__(self) -> None:
        super().__init__()
        self._names: dict[int, str] = {}
        self._players: dict[int, Player] = {}
        self._seats: dict[str, Player] = {}
        self._map: Map | None = None
        self._started: datetime | None = None
        self._active: Player = 0
        self._is_setup = True
        self._has_rolled = False
        self._began_s: float | None = None
        self._built: tuple[Player, int] | None = None
        self._village: e.VillageBuilt | None = None
        self._drawn: DevCard | None = None
        self._robber: int | None = None
        self._discard: Cards = NO_CARDS
        self._held: e.BanditMoved | e.RoadBuildingPlayed | None = None
        self._roads_left = 0

    def parse(self, text: str, line: int) -> SoclogMessage | None:
        """The message of a line; None for an empty line."""
        if not text:
            return None
        found = DATED.fullmatch(text)
        if found is None:
            raise unexpected(text, 0, _EXPECTED, line)
        try:
            time = datetime.strptime(f"{found['date']}{found['zone']}", "%Y:%m:%d:%H:%M:%S%z").astimezone(UTC)
        except (ValueError, OverflowError):
            raise unexpected(text, 0, "a date", line) from None
        self._started = self._started or time.replace(tzinfo=None)
        time_s = time.timestamp() + int(found["milliseconds"]) / 1000
        return SoclogMessage(line, time_s, "all", found["type"], found["body"] or "")

    def types(self) -> dict[str, Callable[[SoclogMessage], Iterator[e.Event]]]:
        """See ``LogReader``."""
        return {
            "SOCSitDown": self._sit,
            "SOCLeaveGame": self._leave,
            "SOCBoardLayout": self._layout,
            "SOCTurn": self._turn,
            "SOCGameState": self._state,
            "SOCGameTextMsg": self._said,
            "SOCPutPiece": self._put,
            "SOCMoveRobber": self._move,
            "SOCDevCard": self._draw,
            "SOCDiscard": self._discards,
        }

    def rest(self) -> Iterator[e.Event]:
        """The event that was held back, if any."""
        held, self._held, self._roads_left = self._held, None, 0
        if held is not None:
            yield held

    # Before the game

    def _sit(self, message: SoclogMessage) -> Iterator[e.Event]:
        name, number = message.text("nickname")[:64], message.number("playerNumber", 0, _SEATS - 1)
        if name != "dummy":
            self._names[number] = name
            if number in self._players:  # somebody takes over a seat of a running game
                self._seats[name] = self._players[number]
        return iter(())

    def _leave(self, message: SoclogMessage) -> Iterator[e.Event]:
        if not self._players:
            name = message.text("nickname")
            self._names = {number: other for number, other in self._names.items() if other != name}
        return iter(())

    def _layout(self, message: SoclogMessage) -> Iterator[e.Event]:
        self._map = read_island(message)
        return iter(())

    def _start(self, message: SoclogMessage) -> e.GameStarted:
        if self._map is None:
            raise message.error("no board before it, expected SOCBoardLayout")
        if not 2 <= len(self._names) <= _SEATS or len({*self._names.values()}) != len(self._names):
            raise message.error(f"{len(self._names)} players sit, expected 2 to {_SEATS}")
        self._players = {number: seat for seat, number in enumerate(sorted(self._names), 1)}
        self._seats = {self._names[number]: seat for number, seat in self._players.items()}
        players = tuple(
            e.Participant(seat, name if name.isprintable() else f"Player {seat}", COLOURS[seat - 1].lower())
            for name, seat in self._seats.items()
        )
        return e.GameStarted(players, self._map, self._started, rules="standard", line=message.line, column=1)

    # The game

    def _turn(self, message: SoclogMessage) -> Iterator[e.Event]:
        if not self._players:
            if self._map is None:
                return
            yield self._start(message)
        yield from self.rest()
        number = message.number("playerNumber", 0, _SEATS - 1)
        if number not in self._players:
            raise message.error(f"playerNumber={number}, where nobody sits")
        if self._has_rolled:
            spent = round((message.time_s or 0.0) - (self._began_s or 0.0))
            yield e.TurnEnded(self._active, max(0, spent), line=message.line, column=1)
        self._active, self._began_s, self._has_rolled = self._players[number], message.time_s, False

    def _state(self, message: SoclogMessage) -> Iterator[e.Event]:
        state = message.number("state", 0, _OVER)
        self._is_setup &= state < _PLAYING_FROM
        self._has_rolled &= state < _OVER  # no turn ends after that
        return iter(())

    def _put(self, message: SoclogMessage) -> Iterator[e.Event]:
        """A piece that the server's last text reports as built; without such a text this is only a player's request."""
        if self._built is None:
            return
        (player, piece), self._built = self._built, None
        at = message.number("coord", 0, 0xFFF, 16)
        places = PLACES.hexgrid_edges if piece == 0 else PLACES.hexgrid_nodes
        if message.number("pieceType", 0, 99) != piece or at not in places:
            raise message.error(f"coord={at:x}, expected a place of the island for what was built")
        held = self._held
        if piece == 0 and isinstance(held, e.RoadBuildingPlayed) and held.player == player and self._roads_left:
            self._roads_left -= 1
            first, second = (places[at], None) if held.first is None else (held.first, places[at])
            self._held = e.RoadBuildingPlayed(player, first, second, line=held.line, column=1)
            return
        yield from self.rest()
        if piece == 2:
            yield e.CityBuilt(player, places[at], line=message.line, column=1)
        elif piece == 1:
            village = e.VillageBuilt(player, places[at], line=message.line, column=1)
            if self._is_setup:
                self._village = village  # until its road is built, it can be taken back
            else:
                yield village
        else:
            if self._village is not None:
                yield self._village
                self._village = None
            yield e.RoadBuilt(player, places[at], line=message.line, column=1)
            if self._is_setup:
                yield e.TurnEnded(player, None, line=message.line, column=1)

    def _move(self, message: SoclogMessage) -> Iterator[e.Event]:
        self._robber = message.number("coord", 0, 0xFFF, 16)
        return iter(())

    def _draw(self, message: SoclogMessage) -> Iterator[e.Event]:
        if message.number("actionType", 0, 99) == 0:
            self._drawn = _CARDS.get(message.number("cardType", 0, 99)) or self._drawn
        return iter(())

    def _discards(self, message: SoclogMessage) -> Iterator[e.Event]:
        self._discard, _ = message.cards("resources")
        return iter(())

    # What the server says

    def _said(self, message: SoclogMessage) -> Iterator[e.Event]:
        if message.text("nickname") != "Server" or not self._players:
            return
        text = message.body.partition("|text=")[2]
        if found := re.fullmatch(r"You stole an? (\w+) resource from .*", text):
            self._stolen(message, None, _WORDS.get(found[1]))
            return
        name = next((n for n in sorted(self._seats, key=len, reverse=True) if _tells_of(text, n)), None)
        if name is None:
            return
        player, said = self._seats[name], text.removeprefix(">>> ")[len(name) + 1 :]
        for pattern, read_text in _TEXTS:
            if found := pattern.fullmatch(said):
                yield from read_text(self, message, player, found)
                return

    def _stolen(self, message: SoclogMessage, victim: Player | None, card: Resource | None) -> None:
        held = self._held
        if not isinstance(held, e.BanditMoved):
            raise message.error("a robbery without a move of the robber")
        known = card or (held.card if held.card != "none" else None)
        victim = held.victim if victim is None else victim
        self._held = e.BanditMoved(held.player, held.to, victim, known, line=held.line, column=1)

    def _builds(self, message: SoclogMessage, player: Player, found: re.Match[str]) -> Iterator[e.Event]:
        self._built = (player, _PIECES[found[1]])
        return iter(())

    def _cancels(self, message: SoclogMessage, player: Player, found: re.Match[str]) -> Iterator[e.Event]:
        self._village = None
        return iter(())

    def _rolls(self, message: SoclogMessage, player: Player, found: re.Match[str]) -> Iterator[e.Event]:
        yield from self.rest()
        one, other = int(found[1]), int(found[2])
        self._has_rolled = True
        yield e.DiceRolled(player, one + other, (one, other), line=message.line, column=1)

    def _gives_up(self, message: SoclogMessage, player: Player, found: re.Match[str]) -> Iterator[e.Event]:
        yield from self.rest()
        cards, self._discard = self._discard, NO_CARDS
        n = int(found[1])
        named = cards if total(cards) == n else NO_CARDS
        yield e.CardsDiscarded(player, named, n - total(named), line=message.line, column=1)

    def _robs(self, message: SoclogMessage, player: Player, found: re.Match[str]) -> Iterator[e.Event]:
        yield from self.rest()
        if self._robber not in PLACES.hexgrid_tiles:
            raise message.error("expected SOCMoveRobber before it, with a tile of the island")
        to = PLACES.hexgrid_tiles[self._robber]
        self._held = e.BanditMoved(player, to, None, "none", line=message.line, column=1)

    def _steals(self, message: SoclogMessage, player: Player, found: re.Match[str]) -> Iterator[e.Event]:
        """A theft: the text to all names the victim, the one to the victim alone names the card."""
        victim = self._seats.get(found[2].removesuffix("."))
        if victim is not None or found[2] == "you.":
            self._stolen(message, victim, _WORDS.get(found[1] or ""))
        return iter(())

    def _buys(self, message: SoclogMessage, player: Player, found: re.Match[str]) -> Iterator[e.Event]:
        yield from self.rest()
        card, self._drawn = self._drawn, None
        yield e.DevCardBought(player, card, line=message.line, column=1)

    def _knight(self, message: SoclogMessage, player: Player, found: re.Match[str]) -> Iterator[e.Event]:
        yield from self.rest()
        yield e.KnightPlayed(player, line=message.line, column=1)

    def _road_building(self, message: SoclogMessage, player: Player, found: re.Match[str]) -> Iterator[e.Event]:
        yield from self.rest()
        self._held, self._roads_left = e.RoadBuildingPlayed(player, None, None, line=message.line, column=1), 2

    def _receives(self, message: SoclogMessage, player: Player, found: re.Match[str]) -> Iterator[e.Event]:
        yield from self.rest()
        named = [_WORDS[word] for n, word in _CARDS_IN.findall(found[1]) for _ in range(int(n))]
        if len(named) != 2:
            raise message.error(f"{len(named)} resources, expected 2")
        yield e.YearOfPlentyPlayed(player, named[0], named[1], line=message.line, column=1)

    def _monopolizes(self, message: SoclogMessage, player: Player, found: re.Match[str]) -> Iterator[e.Event]:
        yield from self.rest()
        yield e.MonopolyPlayed(player, _WORDS[found[1]], line=message.line, column=1)

    def _trades(self, message: SoclogMessage, player: Player, found: re.Match[str]) -> Iterator[e.Event]:
        yield from self.rest()
        if found[4]:
            raise message.error("a trade that was taken back, which is not read")
        give, receive = _cards_in(message, found[1]), _cards_in(message, found[2])
        if found[3] in ("the bank", "a port"):
            yield e.BankTrade(player, give, receive, None, line=message.line, column=1)
        elif found[3] in self._seats:
            yield e.PlayerTrade(player, self._seats[found[3]], give, receive, line=message.line, column=1)
        else:
            raise message.error(f"a trade with {found[3][:40]}, who does not play")

    def _wins(self, message: SoclogMessage, player: Player, found: re.Match[str]) -> Iterator[e.Event]:
        yield from self.rest()
        yield e.GameWon(player, line=message.line, column=1)


_CARDS_IN = re.compile(r"(\d{1,2}) (clay|ore|sheep|wheat|wood)")


def _cards_in(message: SoclogMessage, text: str) -> Cards:
    counts: Counter[Resource] = Counter()
    for n, word in _CARDS_IN.findall(text):
        counts[_WORDS[word]] += int(n)
    if max(counts.values(), default=0) > FIELD_MAX:
        raise message.error(f"{text[:40]}: expected at most {FIELD_MAX} cards of a resource")
    return sum(n * ONE[resource] for resource, n in counts.items())


def _tells_of(text: str, name: str) -> bool:
    return text.removeprefix(">>> ").startswith(f"{name} ")


_Told = Callable[[StacReader, SoclogMessage, Player, "re.Match[str]"], Iterator[e.Event]]
_TEXTS: list[tuple[re.Pattern[str], _Told]] = [
    (re.compile(r"built a (road|settlement|city)\."), StacReader._builds),
    (re.compile(r"cancelled this settlement placement\."), StacReader._cancels),
    (re.compile(r"rolled a ([1-6]) and a ([1-6])\."), StacReader._rolls),
    (re.compile(r"discarded (\d{1,2}) resources\."), StacReader._gives_up),
    (re.compile(r"moved the robber(?:, must choose a victim)?\."), StacReader._robs),
    (re.compile(r"stole an? (?:(clay|ore|sheep|wheat|wood) )?resource from (.*)"), StacReader._steals),
    (re.compile(r"bought a development card\."), StacReader._buys),
    (re.compile(r"played a Soldier card\."), StacReader._knight),
    (re.compile(r"played a Road Building card\."), StacReader._road_building),
    (re.compile(r"received (.*) from the bank\."), StacReader._receives),
    (re.compile(r"monopolized (clay|ore|sheep|wheat|wood)\."), StacReader._monopolizes),
    (re.compile(r"traded (.*?) for (.*?) from (.*?)\.?( \(Undo previous trade\))?"), StacReader._trades),
    (re.compile(r"has won the game with \d+ points\."), StacReader._wins),
]
"""The server's texts about a player, each with its reader; all other texts are ignored."""
