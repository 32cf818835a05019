"""What a client says before the game begins: greeting, name and colour, start; each again until the server has it.

What counts is the own status. While that is "Spiel starten" something is missing, whatever was answered.
"""

from collections import deque

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.words import COLOUR_WORDS, folded

COLOUR_ROUNDS = 3
"""So often every colour is tried."""
MAX_NAMES = 20
"""So many names are tried."""
ALONE = 3
"""So often name and colour are said, before the start is asked for without an answer to them."""

_NAME_TAKEN = ("name bereits", "name schon", "name ist bereits", "name ist schon", "name existiert", "name vergeben")


class ClientLobby:
    """Takes what became of each message, and tells what to say next."""

    def __init__(self, version: str, name: str, colour: str) -> None:
        self.name = name
        self.colours = deque([colour, *(other for other in COLOUR_WORDS if other != colour)])
        """The one that is asked for first."""
        self.failure: str | None = None
        """Why there is no seat to be had."""
        self.is_ready = False
        """Whether the server has said yes to the start."""
        self._version = version
        self._given_name = name
        self._is_seated = False
        self._colours_refused = 0
        self._names_refused = 0
        self._unanswered = 0

    def greeting(self, token: str | None) -> m.ClientHello:
        """The first message; with the token of the seat, where one was had before."""
        return m.ClientHello(self._version, self.name if token else None, token)

    def introduction(self) -> m.ChooseName:
        """Name and colour, as they are asked for now."""
        self._is_seated = self.is_ready = False
        return m.ChooseName(self.name, self.colours[0])

    @property
    def missing(self) -> type[m.ClientMessage]:
        """What the server has not taken yet: some refuse a colour as an answer to it, others at the start."""
        return m.ReadyToStart if self._is_seated else m.ChooseName

    def accept(self, message: m.ClientMessage) -> m.ClientMessage | None:
        """The server has done what was asked for: what is missing now."""
        self._unanswered = 0
        if isinstance(message, m.ReadyToStart):
            self._is_seated = self.is_ready = True
            return None
        self._is_seated = True
        return m.ReadyToStart()

    def reject(self, why: str) -> m.ClientMessage | None:
        """Ask with another name where the server says so, else with another colour: one may be free again by now."""
        self._unanswered = 0
        if self.is_ready:  # the start was said again, and this server wants to hear it once
            return None
        said = folded(why)
        if any(words in said for words in _NAME_TAKEN) and self._names_refused < MAX_NAMES:
            self._names_refused += 1
            self.name = f"{self._given_name} {self._names_refused + 1}"
            return self.introduction()
        self._colours_refused += 1
        self.colours.rotate(-1)
        if self._colours_refused >= COLOUR_ROUNDS * len(self.colours):
            self.failure = f"no colour is free: {why}"
            return None
        return self.introduction()

    def repeat(self) -> m.ClientMessage:
        """What to say again where no answer came. Servers that never answer to a name are asked for the start, too."""
        self._unanswered += 1
        if not self._is_seated and self._unanswered > ALONE and self._unanswered % 2:
            return m.ReadyToStart()
        return m.ReadyToStart() if self._is_seated else self.introduction()
