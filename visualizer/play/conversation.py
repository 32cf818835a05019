"""What players say to each other, as it is heard, and the line in which the person types."""

from typing import NamedTuple

from catan_p2p.limits import MAX_LETTERS

_WORDS_KEPT = 200


class HeardMessage(NamedTuple):
    """A message that was heard: of whom, what, and when it came, in seconds since 1970."""

    colour: str
    text: str
    at: float


class TypedLine(NamedTuple):
    """What is being typed, how long it may be, and why the last message was not taken."""

    typed: str
    most: int
    problem: str = ""


class ChatPanel:
    """What was heard, the oldest first, and what is being typed."""

    def __init__(self) -> None:
        self.heard: tuple[HeardMessage, ...] = ()
        self.line = TypedLine("", MAX_LETTERS)

    def hear(self, said: HeardMessage) -> None:
        """Keep a message, and of the earlier ones not too many."""
        self.heard = (*self.heard[-_WORDS_KEPT + 1 :], said)

    def type(self, text: str) -> None:
        """Add to the line what can be printed, as far as there is room."""
        typed = self.line.typed + "".join(letter for letter in text if letter.isprintable())
        self.line = TypedLine(typed[: self.line.most], self.line.most)

    def erase(self) -> None:
        """Take the last letter back."""
        self.line = TypedLine(self.line.typed[:-1], self.line.most)

    def send(self) -> str:
        """Empty the line; what was in it."""
        text, self.line = self.line.typed.strip(), TypedLine("", self.line.most)
        return text

    def put_back(self, text: str, problem: str) -> None:
        """A message was not taken: it can be said again, unless another one is being typed."""
        self.line = TypedLine(self.line.typed or text, self.line.most, problem)
