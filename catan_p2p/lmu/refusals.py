"""The messages that a server has refused in this turn, and which are therefore not sent again."""

from collections.abc import Iterable
from typing import Any, TypeAlias

from catan_p2p.lmu import messages as m

Kind: TypeAlias = tuple[type[m.ClientMessage], Any]
"""Messages that are refused together: those of one class, and for ``BuildRequest`` of one kind of piece."""

_OWED = (m.RollRequest, m.EndTurn, m.GiveUp, m.MoveBanditRequest)
"""Messages that a turn cannot go on without: only the refused message itself is avoided, not its whole kind."""


class TurnRefusals:
    """Kinds of messages are avoided until the turn is over, owed messages until the status changes."""

    def __init__(self) -> None:
        self._messages: set[m.ClientMessage] = set()
        self._kinds: set[Kind] = set()
        self.in_a_row = 0
        """How many refusals there were since the server last accepted a message or changed the status."""

    def note(self, message: m.ClientMessage, *, is_owed: bool = False) -> None:
        """Note a refused message; ``is_owed`` if the status asks for it, as in the set-up."""
        self.in_a_row += 1
        if is_owed or isinstance(message, _OWED):
            self._messages.add(message)
        else:
            self._kinds.add(_kind(message))

    def allow(self, messages: Iterable[m.ClientMessage]) -> bool:
        """Whether none of these messages is to be avoided."""
        return not any(message in self._messages or _kind(message) in self._kinds for message in messages)

    def forget_messages(self) -> None:
        """Allow owed messages again: the status has changed, or a pause is over."""
        self._messages.clear()
        self.in_a_row = 0

    def forget(self) -> None:
        """Allow everything again: the turn is over."""
        self.forget_messages()
        self._kinds.clear()


def _kind(message: m.ClientMessage) -> Kind:
    return type(message), getattr(message, "kind", None)
