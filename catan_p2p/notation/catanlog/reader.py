"""Reading a ``.catan`` file: its header, then one event per line."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from catan_p2p.game.cards import FIELD_MAX, NO_CARDS, ONE, Cards, Resource, count
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.notation.catanlog.header import read_header
from catan_p2p.notation.catanlog.words import DEUCES, RATE_OF, RESOURCE_OF, one_of
from catan_p2p.notation.coordinates import STANDARD_PLACES as PLACES
from catan_p2p.notation.errors import NotationError
from catan_p2p.notation.lines import FileLines, LineCursor, OnError, numbered_lines, reporter
from catan_p2p.notation.players import NOBODY
from catan_p2p.view import events as e

LONGEST_LINE = 4096
_MOST_SECONDS = 10**12

_VERBS = ("rolls", "moves", "buys", "trades", "plays", "ends", "goes", "wins")


def read(handle: FileLines, on_error: OnError | None = None) -> Iterator[e.Event]:
    """The events of a ``.catan`` file, the header first; ``NotationError`` at the first place that breaks the format.

    With ``on_error``, every error of the body is passed to it instead, and reading goes on; of a broken line, such as
    two lines without a newline between them, the readable parts are used. The file is read line by line; open it with
    ``newline="\\n"``.
    """
    lines, report = numbered_lines(handle, LONGEST_LINE, on_error), reporter(on_error)
    start = read_header(lines)
    yield start
    body = CatanlogBodyReader(start)
    for number, text in lines:
        try:
            yield from body.take(text, number)
        except NotationError as error:
            report(error)
            yield from body.pieces(text, number)


class CatanlogBodyReader:
    """Reads the lines after the header one by one; they identify players by colour."""

    def __init__(self, start: e.GameStarted) -> None:
        self._players: dict[str, Player] = {player.colour: i for i, player in enumerate(start.players, 1)}
        colours = "|".join(re.escape(colour) for colour in self._players)
        self._start = re.compile(rf"(?:{colours}) (?:{'|'.join(_VERBS)})\b")

    def take(self, text: str, number: int) -> tuple[e.Event, ...]:
        """The events of a line: one, or two for a knight in the oldest dialect."""
        return self._parse(LineCursor(text, number))

    def rest(self) -> tuple[e.Event, ...]:
        """Events that wait for further lines: none in this notation."""
        return ()

    def pieces(self, text: str, number: int) -> Iterator[e.Event]:
        """The events in a broken line: of every part of it that is a valid line by itself."""
        bounds = [*(match.start() for match in self._start.finditer(text)), len(text)]
        for start, end in pairwise(bounds):
            try:
                yield from self._parse(LineCursor(text[:end], number, start))
            except NotationError:
                continue

    def _parse(self, cursor: LineCursor) -> tuple[e.Event, ...]:
        column = cursor.at + 1
        player = self._player(cursor)
        cursor.take(" ")
        start = cursor.at
        verb = cursor.word()
        parse = _PARSERS.get(verb)
        if parse is None:
            cursor.at = start
            raise cursor.error(f"what the player does, {one_of(_VERBS)}")
        events = parse(self, cursor, player, column)
        cursor.end()
        return events

    def _player(self, cursor: LineCursor) -> Player:
        start = cursor.at
        player = self._players.get(cursor.word(" ,"))
        if player is None:
            cursor.at = start
            raise cursor.error(f"a player, {one_of(self._players)}")
        return player

    # One method for each verb, for the text after it

    def _rolls(self, cursor: LineCursor, player: Player, column: int) -> tuple[e.Event, ...]:
        cursor.take(" ")
        dice = cursor.number("a sum of two dice", 2, 12)
        if dice == 2:
            cursor.take(DEUCES)
        else:
            cursor.sees(" ")  # up to version 0.8
        return (e.DiceRolled(player, dice, line=cursor.line, column=column),)

    def _moves(self, cursor: LineCursor, player: Player, column: int) -> tuple[e.Event, ...]:
        cursor.take(" robber to ")
        return (self._robbery(cursor, player, column),)

    def _robbery(self, cursor: LineCursor, player: Player, column: int) -> e.Event:
        to = _tile(cursor)
        cursor.take(", steals from ")
        victim = NO_OWNER if cursor.sees(NOBODY) else self._player(cursor)
        card = None if victim else "none"
        return e.BanditMoved(player, to, victim, card, line=cursor.line, column=column)  # type: ignore[arg-type]

    def _buys(self, cursor: LineCursor, player: Player, column: int) -> tuple[e.Event, ...]:
        cursor.take(" ")
        if cursor.sees("road, builds at "):
            return (e.RoadBuilt(player, _edge(cursor), line=cursor.line, column=column),)
        if cursor.sees("settlement, builds at "):
            return (e.VillageBuilt(player, _node(cursor), line=cursor.line, column=column),)
        if cursor.sees("city, builds at "):
            return (e.CityBuilt(player, _node(cursor), line=cursor.line, column=column),)
        if cursor.sees("dev card"):
            return (e.DevCardBought(player, None, line=cursor.line, column=column),)
        raise cursor.error("'road, builds at ', 'settlement, builds at ', 'city, builds at ' or 'dev card'")

    def _trades(self, cursor: LineCursor, player: Player, column: int) -> tuple[e.Event, ...]:
        cursor.take(" ")
        give = _items(cursor)
        cursor.take(" to ")
        if cursor.sees("player "):
            start = cursor.at
            other = self._player(cursor)
            if other == player:
                cursor.at = start
                raise cursor.error("another player")
            cursor.take(" for ")
            return (e.PlayerTrade(player, other, give, _items(cursor), line=cursor.line, column=column),)
        cursor.take("port ")
        start = cursor.at
        rate = RATE_OF.get(cursor.word())
        if rate is None:
            cursor.at = start
            raise cursor.error(f"a port, {one_of(RATE_OF)}")
        cursor.take(" for ")
        return (e.BankTrade(player, give, _items(cursor), rate, line=cursor.line, column=column),)

    def _plays(self, cursor: LineCursor, player: Player, column: int) -> tuple[e.Event, ...]:
        cursor.take(" ")
        old = cursor.sees("dev card: ")  # up to version 0.5
        line = cursor.line
        if cursor.sees("knight"):
            knight = e.KnightPlayed(player, line=line, column=column)
            if old:
                cursor.take(", moves robber to ")
                return knight, self._robbery(cursor, player, column)
            return (knight,)
        if cursor.sees("road builder, builds at "):
            first = _edge(cursor)
            cursor.take(" and ")
            second = _edge(cursor)
            # the format has two edges always; the same one twice stands for a single road
            return (e.RoadBuildingPlayed(player, first, second if second != first else None, line=line, column=column),)
        if cursor.sees("year of plenty, takes "):
            one = _resource(cursor, " ")
            cursor.take(" and ")
            return (e.YearOfPlentyPlayed(player, one, _resource(cursor, " "), line=line, column=column),)
        if cursor.sees("monopoly on "):
            return (e.MonopolyPlayed(player, _resource(cursor, " "), line=line, column=column),)
        if cursor.sees("victory point"):
            return (e.VictoryPointPlayed(player, line=line, column=column),)
        raise cursor.error("'knight', 'road builder', 'year of plenty', 'monopoly on' or 'victory point'")

    def _ends(self, cursor: LineCursor, player: Player, column: int) -> tuple[e.Event, ...]:
        cursor.take(" turn")
        seconds = None  # up to version 0.5
        if cursor.sees(" after "):
            sign = -1 if cursor.sees("-") else 1  # a clock that was set back
            seconds = sign * cursor.number("a number of seconds", 0, _MOST_SECONDS)
            cursor.take("s")
        return (e.TurnEnded(player, seconds, line=cursor.line, column=column),)

    def _goes(self, cursor: LineCursor, player: Player, column: int) -> tuple[e.Event, ...]:
        is_back = cursor.sees(" on with ")
        if not is_back:
            cursor.take(" on without ")
        start = cursor.at
        other = self._player(cursor)
        if other == player:
            cursor.at = start
            raise cursor.error("another player")
        return ((e.PlayerReturned if is_back else e.PlayerExcused)(player, other, line=cursor.line, column=column),)

    def _wins(self, cursor: LineCursor, player: Player, column: int) -> tuple[e.Event, ...]:
        return (e.GameWon(player, line=cursor.line, column=column),)


body_reader = CatanlogBodyReader
"""The common name of the readers of all line formats."""


_PARSERS: dict[str, Callable[[CatanlogBodyReader, LineCursor, Player, int], tuple[e.Event, ...]]] = {
    verb: getattr(CatanlogBodyReader, f"_{verb}") for verb in _VERBS
}


def _tile(cursor: LineCursor) -> int:
    start = cursor.at
    number = cursor.number("a tile", 1, 999)
    tile = PLACES.tiles.get(number) or PLACES.hexgrid_tiles.get(number)
    if tile is None:
        cursor.at = start
        raise cursor.error(f"a tile (1 to {len(PLACES.tiles)})")
    return tile


def _node(cursor: LineCursor) -> int:
    return _place(cursor, PLACES.nodes, PLACES.hexgrid_nodes, "a node such as (1 NW) or (19 S)")


def _edge(cursor: LineCursor) -> int:
    return _place(cursor, PLACES.edges, PLACES.hexgrid_edges, "an edge such as (1 NW) or (19 E)")


def _place(cursor: LineCursor, names: dict[str, int], hexgrid: dict[int, int], expected: str) -> int:
    """A point by its name, or by its hexgrid number as in the first dialects."""
    text, start = cursor.text, cursor.at
    end = text.find(")", start) + 1
    point = names.get(text[start:end])
    if point is None:
        word = cursor.word()
        point = hexgrid.get(int(word)) if word.isascii() and word.isdecimal() and len(word) < 4 else None
        if point is None:
            cursor.at = start
            raise cursor.error(expected)
        return point
    cursor.at = end
    return point


def _resource(cursor: LineCursor, stops: str) -> Resource:
    start = cursor.at
    resource = RESOURCE_OF.get(cursor.word(stops))
    if resource is None:
        cursor.at = start
        raise cursor.error(f"a resource, {one_of(RESOURCE_OF)}")
    return resource


def _items(cursor: LineCursor) -> Cards:
    cursor.take("[")
    cards = NO_CARDS
    while not cursor.sees("]"):
        if cards:
            cursor.take(", ")
        start = cursor.at
        number = cursor.number("a number of cards", 1, FIELD_MAX)
        cursor.take(" ")
        resource = _resource(cursor, ",]")
        if count(cards, resource) + number > FIELD_MAX:
            cursor.at = start
            raise cursor.error(f"at most {FIELD_MAX} cards of a resource")
        cards += ONE[resource] * number
    return cards
