"""What a server has refused in this turn, and what is therefore not sent again."""

from collections.abc import Iterable
from typing import Any, TypeAlias

from catan_p2p.lmu import messages as m

Kind: TypeAlias = tuple[type[m.ClientMessage], Any]
"""What is left out together: a kind of message, and of building what is built."""

_OWED = (m.RollRequest, m.EndTurn, m.GiveUp, m.MoveBanditRequest)
"""What a turn cannot go on without: of these only the message is left out, and another one may do."""


class TurnRefusals:
    """Kinds are left out until the turn is over, messages that are owed until the status is another one."""

    def __init__(self) -> None:
        self._messages: set[m.ClientMessage] = set()
        self._kinds: set[Kind] = set()
        self.in_a_row = 0
        """Refused since something was last accepted, or something else was asked."""

    def note(self, message: m.ClientMessage, *, is_owed: bool = False) -> None:
        """A message was refused; whatever the set-up asks for ``is_owed``, too."""
        self.in_a_row += 1
        if is_owed or isinstance(message, _OWED):
            self._messages.add(message)
        else:
            self._kinds.add(_kind(message))

    def allow(self, messages: Iterable[m.ClientMessage]) -> bool:
        """Whether none of these has been refused, in this turn or as an answer to what is asked now."""
        return not any(message in self._messages or _kind(message) in self._kinds for message in messages)

    def forget_messages(self) -> None:
        """Something else is asked, or the same once more: what is owed may be sent again."""
        self._messages.clear()
        self.in_a_row = 0

    def forget(self) -> None:
        """The turn is over."""
        self.forget_messages()
        self._kinds.clear()


def _kind(message: m.ClientMessage) -> Kind:
    return type(message), getattr(message, "kind", None)
