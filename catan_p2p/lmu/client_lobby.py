"""What a client sends before the game begins: Hallo, name and colour, ready. Each is repeated until the server has it.

Only the status that the server reports of this player counts. While that is "Spiel starten", something is missing,
whatever the server has answered.
"""

from collections import deque

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.words import COLOUR_WORDS, folded

COLOUR_ROUNDS = 3
"""How often every colour is tried."""
MAX_NAMES = 20
"""How many other names are tried."""
ALONE = 3
"""How often name and colour are sent without an answer before "Spiel starten" is sent all the same."""

_OF_COLOURS = ("farb", "colour", "color")
_NO_SEAT = ("laeuft", "begonnen", "gestartet", "beendet", "voll", "besetzt", "platz", "plaetze")
_NAME_TAKEN = ("name bereits", "name schon", "name ist bereits", "name ist schon", "name existiert", "name vergeben")


class ClientLobby:
    """Takes the server's answer to each message and returns the next message."""

    def __init__(self, version: str, name: str, colour: str) -> None:
        self.name = name
        self.colours = deque([colour, *(other for other in COLOUR_WORDS if other != colour)])
        """The colours to ask for, the current one first."""
        self.failure: str | None = None
        """Why there is no seat; None while there may be one."""
        self.is_ready = False
        """Whether the server has accepted "Spiel starten"."""
        self._version = version
        self._given_name = name
        self._is_seated = False
        self._colours_refused = 0
        self._names_refused = 0
        self._unanswered = 0

    def greeting(self, token: str | None) -> m.ClientHello:
        """The first message; with a token it asks for the seat that this client had before."""
        return m.ClientHello(self._version, self.name if token else None, token)

    def introduction(self) -> m.ChooseName:
        """Ask for the current name and colour."""
        self._is_seated = self.is_ready = False
        return m.ChooseName(self.name, self.colours[0])

    @property
    def missing(self) -> type[m.ClientMessage]:
        """The kind of message that the server has not accepted yet; a colour may be refused in answer to either."""
        return m.ReadyToStart if self._is_seated else m.ChooseName

    def accept(self, message: m.ClientMessage) -> m.ClientMessage | None:
        """The server has accepted ``message``: what to send next, if anything."""
        self._unanswered = 0
        # ``repeat`` may have sent it without an answer to the name; the server has that as well, then.
        if isinstance(message, m.ReadyToStart):
            self._is_seated = self.is_ready = True
            return None
        self._is_seated = True
        return m.ReadyToStart()

    def reject(self, why: str) -> m.ClientMessage | None:
        """Ask with another name if the refusal is about the name, and with the next colour if that may help.

        Colours that the server calls taken are tried several times, since another player may have given one up.
        """
        self._unanswered = 0
        if self.is_ready:  # the start was said again, and this server wants to hear it once
            return None
        said = folded(why)
        if any(words in said for words in _NAME_TAKEN) and self._names_refused < MAX_NAMES:
            self._names_refused += 1
            self.name = f"{self._given_name} {self._names_refused + 1}"
            return self.introduction()
        is_of_colours = any(word in said for word in _OF_COLOURS)
        if not is_of_colours and any(word in said for word in _NO_SEAT):
            self.failure = f"the server has no seat: {why}"
            return None
        self._colours_refused += 1
        self.colours.rotate(-1)
        if self._colours_refused >= (COLOUR_ROUNDS if is_of_colours else 1) * len(self.colours):
            self.failure = f"no colour is free: {why}"
            return None
        return self.introduction()

    def repeat(self) -> m.ClientMessage:
        """What to send after no answer. Name and "Spiel starten" alternate for servers that never answer to a name."""
        self._unanswered += 1
        if not self._is_seated and self._unanswered > ALONE and self._unanswered % 2:
            return m.ReadyToStart()
        return m.ReadyToStart() if self._is_seated else self.introduction()
