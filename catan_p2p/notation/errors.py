"""What can be wrong with a game in a notation.

The errors::

    NotationError               one clear line: where, what is there, what was expected
    ├── NotUtf8                 text in another encoding, of which no reader makes anything
    ├── PlayersUnclear          a file that ends before it shows how many play
    ├── RulesBroken             an event that the rules do not allow
    └── NotExpressible          events that a notation has no words for (raised when writing)

A ``NotationFinding`` is the same as a value: what a reader that goes on has to report.
"""

from typing import Literal, NamedTuple, TypeAlias, get_args

FindingKind: TypeAlias = Literal["format", "repair", "rules", "cards"]
"""``format``: a line that could not be read and was left out; ``repair``: a line that counted for less than it says,
because a later one replaced it; ``rules``: an event that the rules do not allow; ``cards``: from here on nobody knows
who holds which cards, because those that are told do not add up."""
FINDING_KINDS: tuple[FindingKind, ...] = get_args(FindingKind)

_EXCERPT = 40


class NotationError(ValueError):
    """Text that breaks the format of a notation, or a game that breaks the rules.

    ``line`` and ``column`` count from 1 and are 0 where there is no place, ``reason`` is the message without them.
    ``file`` is set by whoever opened one.
    """

    def __init__(self, reason: str, line: int = 0, column: int = 0) -> None:
        super().__init__(reason, line, column)
        self.reason = reason
        self.line = line
        self.column = column
        self.file = ""

    def __str__(self) -> str:
        return (f"{self.file}: " if self.file else "") + _at(self.line, self.column) + self.reason


class NotUtf8(NotationError):
    """Text in another encoding; going on does not help."""


class PlayersUnclear(NotationError):
    """A file that ends before it shows how many play."""


class RulesBroken(NotationError):
    """An event that the rules do not allow; ``constant`` names the one of which another value would, if one would."""

    def __init__(self, reason: str, line: int = 0, column: int = 0, constant: str = "") -> None:
        super().__init__(reason, line, column)
        self.constant = constant


class NotExpressible(NotationError):
    """An event, or a fact of one, that the notation cannot write and must not leave out."""


class NotationFinding(NamedTuple):
    """Something to report about one place of a file."""

    line: int
    column: int
    kind: FindingKind
    message: str

    def __str__(self) -> str:
        return _at(self.line, self.column) + self.message


def unexpected(text: str, at: int, expected: str, line: int) -> NotationError:
    """The error of a line whose text from index ``at`` on is not what was expected."""
    rest = text[at : at + _EXCERPT]
    found = repr(rest + ("..." if len(text) > at + _EXCERPT else "")) if rest else "the end of the line"
    return NotationError(f"{found}, expected {expected}", line, at + 1)


def _at(line: int, column: int) -> str:
    if not line:
        return ""
    return f"line {line}, column {column}: " if column else f"line {line}: "
