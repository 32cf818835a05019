"""Lines of a ``.soclog`` file as messages: time, audience, type and fields."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from catan_p2p.game.cards import FIELD_MAX, Cards, Resource, pack
from catan_p2p.notation.errors import NotationError, unexpected
from catan_p2p.view.events import Event

RESOURCES: dict[int, Resource] = {1: "Brick", 2: "Ore", 3: "Wool", 4: "Grain", 5: "Lumber"}
"""By JSettlers' numbers: clay, ore, sheep, wheat, wood."""

_LINE = re.compile(
    r"(?:(?P<minutes>\d{1,6}):(?P<seconds>\d\d\.\d{3}):)?"
    r"(?P<audience>all|ob|un|fo|f\d|p\d|!p\d|!p\[[\d, ]*\]):(?P<type>SOC[A-Za-z0-9]+)(?::(?P<body>.*))?"
)
_SET = r"=clay=(\d+)\|ore=(\d+)\|sheep=(\d+)\|wheat=(\d+)\|wood=(\d+)\|unknown=(\d+)"


class SoclogMessage(NamedTuple):
    """The message of one line."""

    line: int
    time_s: float | None
    audience: str
    type: str
    body: str

    @property
    def is_from_server(self) -> bool:
        """Whether the server sent it to a player or to all; messages to observers repeat earlier events."""
        return self.audience[0] in "ap!"

    def error(self, reason: str) -> NotationError:
        """The error that this message is wrong."""
        return NotationError(f"{self.type}: {reason}", self.line, 1)

    def text(self, name: str) -> str:
        """A field as text."""
        found = re.search(rf"(?:^|\|){name}=([^|]*)", self.body)
        if found is None:
            raise self.error(f"no field {name}")
        return found[1]

    def has(self, name: str) -> bool:
        """Whether the message has this field."""
        return re.search(rf"(?:^|\|){name}=", self.body) is not None

    def number(self, name: str, low: int, high: int, base: int = 10) -> int:
        """A field that is a whole number in a range."""
        text = self.text(name)
        digits = text.removeprefix("0x") if base == 16 else text
        try:
            number = int(digits, base) if len(digits) < 12 and digits.isascii() else None
        except ValueError:
            number = None
        if number is None or not low <= number <= high:
            raise self.error(f"{name}={text[:40]}, expected {low} to {high}")
        return number

    def numbers(self, name: str) -> list[int]:
        """A field that is a list of whole numbers in braces."""
        words = self.text(name).strip("{} ").split()
        try:
            return [int(word) for word in words[:100]]
        except ValueError:
            raise self.error(f"{name}: expected whole numbers") from None

    def cards(self, name: str) -> tuple[Cards, int]:
        """A field that is a set of resources: the known cards, and the number of unknown ones."""
        found = re.search(rf"(?:^|\|){name}{_SET}", self.body)
        if found is None:
            raise self.error(f"no resources in the field {name}")
        clay, ore, sheep, wheat, wood, unknown = (int(text[:6]) for text in found.groups())
        if max(clay, ore, sheep, wheat, wood, unknown) > FIELD_MAX:
            raise self.error(f"{name}: expected at most {FIELD_MAX} cards of a resource")
        return pack((wood, clay, sheep, wheat, ore)), unknown


class LogReader:
    """A reader of one game's messages: the game that the log's heading names, otherwise that of the first message."""

    def __init__(self) -> None:
        self.game: str | None = None
        self._types = self.types()

    def types(self) -> dict[str, Callable[[SoclogMessage], Iterator[Event]]]:
        """The reader of each type of message; all other types are ignored."""
        raise NotImplementedError

    def parse(self, text: str, line: int) -> SoclogMessage | None:
        """The server's message in a line, None if there is none."""
        raise NotImplementedError

    def rest(self) -> Iterator[Event]:
        """The event that was held back, if any."""
        raise NotImplementedError

    def take(self, message: SoclogMessage) -> Iterator[Event]:
        """The events that are complete with this message."""
        read_type = self._types.get(message.type)
        return iter(()) if read_type is None else read_type(message)

    def other_game(self, message: SoclogMessage) -> NotationError | None:
        """The error for a message of another game, None if it belongs to this one."""
        if message.type not in self._types:
            return None
        game = message.text("game")
        self.game = self.game or game
        if game == self.game:
            return None
        return message.error(f"game={game[:40]}, a message of another game than {self.game[:40]}")


def parse(text: str, line: int) -> SoclogMessage | None:
    """The message of a line; None for comments, the heading and empty lines."""
    if not text or text.startswith(("#", "SOC game event log")):
        return None
    found = _LINE.fullmatch(text)
    if found is None:
        raise unexpected(text, 0, "a message such as all:SOCDiceResult:game=g|param=8", line)
    time_s = None
    if found["minutes"] is not None:
        time_s = 60 * int(found["minutes"]) + float(found["seconds"])
    return SoclogMessage(line, time_s, found["audience"], found["type"], found["body"] or "")
