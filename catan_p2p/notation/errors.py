"""The errors of games in notations::

    NotationError               one line: where, what is there, what was expected
    ├── NotUtf8                 text in another encoding, which no reader understands
    ├── PlayersUnclear          a file that ends before it shows how many play
    ├── RulesBroken             an event that the rules do not allow
    └── NotExpressible          an event that a notation cannot express (raised when writing)

A ``NotationFinding`` is the same as a value, for readers that go on after an error.
"""

from typing import Literal, NamedTuple, TypeAlias, get_args

FindingKind: TypeAlias = Literal["format", "repair", "rules", "cards"]
"""``format``: an unreadable line, left out; ``repair``: a line left out because a later one replaces it; ``rules``: an
event that the rules do not allow; ``cards``: the file's cards do not add up, so that hands are unknown from here on."""
FINDING_KINDS: tuple[FindingKind, ...] = get_args(FindingKind)

_EXCERPT = 40


class NotationError(ValueError):
    """Text that breaks the format of a notation, or a game that breaks the rules.

    ``line`` and ``column`` count from 1 and are 0 where there is no place, ``reason`` is the message without them.
    The caller that opened a file sets ``file``.
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
    """Text in another encoding; reading on would only repeat the error."""


class PlayersUnclear(NotationError):
    """A file that ends before it shows how many play."""


class RulesBroken(NotationError):
    """An event that the rules do not allow; ``constant`` names the one that would, with another value, if any."""

    def __init__(self, reason: str, line: int = 0, column: int = 0, constant: str = "") -> None:
        super().__init__(reason, line, column)
        self.constant = constant


class NotExpressible(NotationError):
    """An event, or a fact of one, that the notation can neither express nor leave out."""


class NotationFinding(NamedTuple):
    """A report about one place of a file."""

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
