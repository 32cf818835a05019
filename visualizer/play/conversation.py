"""The messages of a table's chat, and the line in which the person types."""

from typing import NamedTuple

from catan_p2p.limits import MAX_LETTERS

_WORDS_KEPT = 200


class HeardMessage(NamedTuple):
    """A chat message: who wrote it, its text, and when it arrived, in seconds since 1970."""

    colour: str
    text: str
    at: float


class TypedLine(NamedTuple):
    """The text being typed, its maximal length, and why the last message was refused."""

    typed: str
    most: int
    problem: str = ""


class ChatPanel:
    """The messages, the oldest first, and the line being typed."""

    def __init__(self) -> None:
        self.heard: tuple[HeardMessage, ...] = ()
        self.line = TypedLine("", MAX_LETTERS)

    def hear(self, said: HeardMessage) -> None:
        """Keep a message, and the latest of the earlier ones."""
        self.heard = (*self.heard[-_WORDS_KEPT + 1 :], said)

    def type(self, text: str) -> None:
        """Add the printable characters of a text to the line, as far as there is room."""
        typed = self.line.typed + "".join(letter for letter in text if letter.isprintable())
        self.line = TypedLine(typed[: self.line.most], self.line.most)

    def erase(self) -> None:
        """Delete the last character."""
        self.line = TypedLine(self.line.typed[:-1], self.line.most)

    def send(self) -> str:
        """Empty the line and return its text."""
        text, self.line = self.line.typed.strip(), TypedLine("", self.line.most)
        return text

    def put_back(self, text: str, problem: str) -> None:
        """Put a refused message back into the line, unless another one is being typed."""
        self.line = TypedLine(self.line.typed or text, self.line.most, problem)
