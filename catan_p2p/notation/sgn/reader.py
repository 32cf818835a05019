"""Reading SGN: one JSON message per line; two or three may make up one event."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from catan_p2p.game.board import board_of
from catan_p2p.game.cards import DevCard, Resource
from catan_p2p.notation.errors import NotationError
from catan_p2p.notation.lines import FileLines, OnError, numbered_lines, reporter
from catan_p2p.notation.players import parse_player
from catan_p2p.notation.sgn import values
from catan_p2p.notation.sgn.messages import Path, SgnMessage, WrongValue, parse
from catan_p2p.notation.sgn.words import BANK, CARD_OF, PLAYERS, RESOURCE_OF, places_of
from catan_p2p.view import events as e

LONGEST_LINE = 1 << 16
_VALUE: Path = (2,)
_ONLY_AT_FIRST = {"DM": "no second map", "PA": "players right after the map"}
_CODES = ("BC", "BD", "BR", "BS", "CB", "DM", "GO", "MR", "PD", "RD", "ST", "TR")


def read(handle: FileLines, on_error: OnError | None = None) -> Iterator[e.Event]:
    """The events of an SGN file, the map first; ``NotationError`` at the first place that breaks the format.

    With ``on_error``, every error after the map is passed to it instead, and reading goes on with the next line. The
    file is read line by line; open it with ``newline="\\n"``.
    """
    lines, report = numbered_lines(handle, LONGEST_LINE, on_error), reporter(on_error)
    start, lines = _with_players(read_start(lines), lines)
    yield start
    reader = SgnBodyReader(start)
    for number, text in lines:
        try:
            yield from reader.take(text, number)
        except NotationError as error:
            report(error)
    yield from reader.rest()


def read_start(lines: Iterator[tuple[int, str]]) -> e.GameStarted:
    """The map, which is the first of these lines."""
    number, text = next(lines, (0, ""))
    if not number:
        raise NotationError("the file is empty, expected a map")
    message = parse(text, number)
    if message.code != "DM":
        raise message.error((1,), '"DM", the map, before anything else')
    try:
        return e.GameStarted((), values.game_map(message.value, _VALUE), line=number, column=1)
    except WrongValue as wrong:
        raise message.error(wrong.path, wrong.expected) from None


def _with_players(
    start: e.GameStarted, lines: Iterator[tuple[int, str]]
) -> tuple[e.GameStarted, Iterator[tuple[int, str]]]:
    """The start with the players of the PA lines after the map, and the lines after those."""
    players: list[e.Participant] = []
    for number, text in lines:
        try:
            message = parse(text, number)
        except NotationError:
            message = None  # reported as an error of the body, later
        if message is None or message.code != "PA":
            lines = chain([(number, text)], lines)
            break
        seat = len(players) + 1
        if message.player != seat:
            raise message.error((0,), f'"{seat}", the next player')
        player = parse_player(seat, message.value)
        if player is None or player.colour in [other.colour for other in players]:
            raise message.error(_VALUE, "an object with color, a word of this player alone, and perhaps name")
        players.append(player)
    if len(players) == 1:
        raise NotationError("one player, expected none or 2 to 6", start.line + 1)
    return replace(start, players=tuple(players)), lines


class SgnBodyReader:
    """Reads the lines after the map one by one; an event that the next line may complete is held back.

    Players have the file's numbers. If the start names them, as in a public view, they have their places in it.
    """

    def __init__(self, start: e.GameStarted) -> None:
        self._places = places_of(board_of(start.map))
        self._number_of = {player.seat: number for number, player in enumerate(start.players, 1)}
        self._held: e.Event | None = None
        self._has_begun = False

    def take(self, text: str, number: int) -> Iterator[e.Event]:
        """The events that are complete with this line."""
        return map(self._numbered, self._take(text, number))

    def rest(self) -> Iterator[e.Event]:
        """The event that was held back, if any."""
        return map(self._numbered, self._rest())

    def _numbered(self, event: e.Event) -> e.Event:
        if self._number_of and e.stranger_in(event, self._number_of) is not None:
            raise NotationError(f"a player who does not play: {event}", event.line, event.column)
        return e.renumbered(event, self._number_of)

    def _take(self, text: str, number: int) -> Iterator[e.Event]:
        message = parse(text, number)
        read_code = _READERS.get(message.code)
        if read_code is None:
            raise message.error((1,), _ONLY_AT_FIRST.get(message.code, f"a code, one of {', '.join(_CODES)}"))
        try:
            event = read_code(self, message)
        except WrongValue as wrong:
            raise message.error(wrong.path, wrong.expected) from None
        held = self._held
        if held is not None:
            joined = _join(held, event)
            if joined is not None:
                self._held = joined
                return
            self._held = None
            yield held
        if isinstance(event, _TheftMessage):
            raise message.error((1,), "a theft right after the same player has moved the robber")
        if isinstance(event, e.BanditMoved | e.RoadBuildingPlayed):
            self._held = event
        else:
            yield event

    def _rest(self) -> Iterator[e.Event]:
        if self._held is not None:
            yield self._held
            self._held = None

    # One method for each code

    def _bs(self, message: SgnMessage) -> e.Event:
        self._has_begun = True
        at = values.intersection(*self._member(message, "intersection"), self._places)
        return e.VillageBuilt(message.player, at, line=message.line, column=1)

    def _bc(self, message: SgnMessage) -> e.Event:
        at = values.intersection(*self._member(message, "intersection"), self._places)
        return e.CityBuilt(message.player, at, line=message.line, column=1)

    def _br(self, message: SgnMessage) -> e.Event:
        at = values.path_between(*self._member(message, "path"), self._places)
        return e.RoadBuilt(message.player, at, line=message.line, column=1)

    def _bd(self, message: SgnMessage) -> e.Event:
        code, path = self._member(message, "cCode")
        card: DevCard = values.choice(code, path, CARD_OF, "a development card")
        return e.DevCardBought(message.player, card, line=message.line, column=1)

    def _go(self, message: SgnMessage) -> e.Event:
        return e.PlayerExcused(message.player, self._other(message, "without"), line=message.line, column=1)

    def _cb(self, message: SgnMessage) -> e.Event:
        return e.PlayerReturned(message.player, self._other(message, "with"), line=message.line, column=1)

    def _other(self, message: SgnMessage, name: str) -> int:
        other, path = self._member(message, name)
        if other not in PLAYERS or other == str(message.player):
            raise WrongValue(path, "another player")
        return int(other)

    def _rd(self, message: SgnMessage) -> e.Event:
        result, path = self._member(message, "result")
        dice = values.whole(result, path, 2, 12, "a sum of two dice")
        return e.DiceRolled(message.player, dice, line=message.line, column=1)

    def _mr(self, message: SgnMessage) -> e.Event:
        at = values.tile(*self._member(message, "tile"), self._places)
        if not self._has_begun:
            return e.BanditStands(message.player, at, line=message.line, column=1)
        return e.BanditMoved(message.player, at, None, "none", line=message.line, column=1)

    def _st(self, message: SgnMessage) -> e.Event:
        whos, change = values.transfer(message.value, _VALUE)
        sender = str(message.player)
        if BANK in whos or sender not in whos:
            raise WrongValue(_VALUE, "the thief, who says it, and a victim")
        mine = 1 if whos[0] == sender else -1
        stolen = [resource for resource, number in change.items() if number == mine]
        if len(stolen) != 1 or sum(map(abs, change.values())) != 1:
            raise WrongValue(_VALUE, "one card for the thief, who says it")
        victim = int(whos[1] if whos[0] == sender else whos[0])
        return _TheftMessage(message.player, victim, stolen[0])

    def _tr(self, message: SgnMessage) -> e.Event:
        whos, change = values.transfer(message.value, _VALUE)
        sender = str(message.player)
        # Seen from the sender if they are one of the two, otherwise from the first player.
        at = 1 if whos[0] == BANK or (whos[1] == sender and whos[1] != BANK) else 0
        sign = -1 if at else 1
        player, other = int(whos[at]), whos[1 - at]
        give, receive = values.gained(change, -sign), values.gained(change, sign)
        line = message.line
        if other != BANK:
            return e.PlayerTrade(player, int(other), give, receive, line=line, column=1)
        if not receive:
            return e.CardsDiscarded(player, give, line=line, column=1)
        return e.BankTrade(player, give, receive, None, line=line, column=1)

    def _pd(self, message: SgnMessage) -> e.Event:
        fields = values.members(message.value, _VALUE, ("cCode",), ("rCodes",))
        card: DevCard = values.choice(fields["cCode"], (*_VALUE, "cCode"), CARD_OF, "a development card")
        count = {"Monopoly": 1, "YearOfPlenty": 2}.get(card, 0)
        path = (*_VALUE, "rCodes")
        if count and "rCodes" not in fields:
            raise WrongValue(_VALUE, f"an object with cCode and rCodes, for {fields['cCode']}")
        codes = values.items(fields.get("rCodes", []), path, count, count, "resources")
        named: list[Resource] = [
            values.choice(code, (*path, i), RESOURCE_OF, "a resource") for i, code in enumerate(codes)
        ]
        player, line = message.player, message.line
        if card == "Monopoly":
            return e.MonopolyPlayed(player, named[0], line=line, column=1)
        if card == "YearOfPlenty":
            return e.YearOfPlentyPlayed(player, named[0], named[1], line=line, column=1)
        if card == "RoadBuilding":
            return e.RoadBuildingPlayed(player, None, None, line=line, column=1)
        if card == "Knight":
            return e.KnightPlayed(player, line=line, column=1)
        return e.VictoryPointPlayed(player, line=line, column=1)

    def _member(self, message: SgnMessage, name: str) -> tuple[object, Path]:
        return values.members(message.value, _VALUE, (name,))[name], (*_VALUE, name)


body_reader = SgnBodyReader
"""The common name of the readers of all line formats."""


@dataclass(frozen=True, slots=True)
class _TheftMessage(e.PlayerEvent):
    """An ST message, which completes the bandit's move before it."""

    victim: int
    card: Resource


def _join(held: e.Event, event: e.Event) -> e.Event | None:
    """The event that two messages make up, None if they are separate."""
    if isinstance(held, e.BanditMoved) and isinstance(event, _TheftMessage):
        if held.player == event.player and held.victim is None:
            return e.BanditMoved(held.player, held.to, event.victim, event.card, line=held.line, column=held.column)
    elif isinstance(held, e.RoadBuildingPlayed) and isinstance(event, e.RoadBuilt) and held.player == event.player:
        if held.first is None:
            return e.RoadBuildingPlayed(held.player, event.at, None, line=held.line, column=held.column)
        if held.second is None:
            return e.RoadBuildingPlayed(held.player, held.first, event.at, line=held.line, column=held.column)
    return None


_READERS: dict[str, Callable[[SgnBodyReader, SgnMessage], e.Event]] = {
    code: getattr(SgnBodyReader, f"_{code.lower()}") for code in _CODES if code != "DM"
}
