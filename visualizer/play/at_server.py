"""A table at an LMU server: its game is read from the server's messages, and nothing of it is stored here."""

from collections.abc import Callable, Sequence
from hashlib import sha1
from pathlib import Path

from catan_p2p.game.secret_streams import secret_seed
from catan_p2p.lmu.client import ClientSettings
from catan_p2p.lmu.from_server import ServerMessage
from catan_p2p.lmu.kept_seats import KeptSeats
from catan_p2p.lmu.seat_link import SeatLink, SeatNews
from catan_p2p.lmu.seat_record import SeatStep
from catan_p2p.log.game import GameDefinition, Seat
from catan_p2p.safe_text import shown
from catan_p2p.sessions.messages import BeforeTable, LeadPeers
from catan_p2p.tables.seat import data_folder
from catan_p2p.view.events import PlayerEvent

from ..data.feed import FeedUpdate
from ..data.recording import PlayedStep
from ..view import ViewSituation
from .table import LocalTable

NAMELESS = "Player"
"""The name of a person who has chosen none."""
_RETURNS, _RETURN_S = 60, 1.0
"""How often to try to reconnect, and the seconds between two tries."""


def seat_settings(url: str, name: str, colour: str, wait_s: float = 15.0) -> ClientSettings:
    """The settings for a person's seat at a server; ``wait_s`` is how long to try to connect."""
    seed = secret_seed()
    return ClientSettings(url, name, colour, "strategist", seed, returns=_RETURNS, return_s=_RETURN_S, connect_s=wait_s)


class ServerTable(LocalTable):
    """A seat at a server: its worker is not restarted, and the hands of others stay unknown to the end."""

    restarts = 0
    knows_all = False
    has_proposals = False

    def __init__(self, settings: ClientSettings) -> None:
        super().__init__(LeadPeers(Path(settings.url)), (settings.colour,))
        self.settings = settings
        self.feed = ServerFeed(settings.url)

    def again(self) -> LocalTable:
        """The next game at the same server."""
        return ServerTable(self.settings)


class ServerFeed:
    """A feed of the game as the server reports it to a seat."""

    def __init__(self, url: str) -> None:
        self.link: SeatLink | None = None
        self._url = url
        self._game: GameDefinition | None = None
        self._ids: list[str] = []

    def start(self) -> None:
        """There is nothing to begin: the link does the work."""

    def stop(self) -> None:
        """There is nothing to end."""

    def look(self) -> None:
        """There is no repository to read again."""

    def choose(self, peer: str | None) -> None:
        """There is one seat only."""

    def take(self, timeout_s: float | None = None) -> list[FeedUpdate]:
        """All updates since the last call; returns at once, whatever the timeout."""
        return [self._update(told) for told in self.link.take_told()] if self.link is not None else []

    def _update(self, told: SeatNews) -> FeedUpdate:
        situation = ViewSituation(source=self._url, following=True, waits=shown(told.waiting) or None)
        if told.change is None:
            return FeedUpdate(self._game, len(self._ids), (), {}, situation)
        kept, steps = told.change
        if self._game is None:
            seats = tuple(Seat(colour, name, None) for colour, name in told.players)
            self._game = GameDefinition(steps[0].state.constants, 0, seats)
        del self._ids[kept:]
        commits = tuple(self._commit(step) for step in steps)
        heads = {f"{seat.colour}_0": self._ids[-1] for seat in self._game.seats}
        return FeedUpdate(self._game, kept, commits, heads, situation)

    def _commit(self, step: SeatStep) -> PlayedStep:
        """A step with an invented commit id, as if it were on its player's branch: the viewer needs one."""
        assert self._game is not None
        parents = tuple(self._ids[-1:])
        self._ids.append(sha1(str(len(self._ids)).encode(), usedforsecurity=False).hexdigest())
        done = step.events[0] if step.events else None
        assert done is None or isinstance(done, PlayerEvent)
        colour = self._game.seats[0 if done is None else done.player - 1].colour
        return PlayedStep(self._ids[-1], parents, f"{colour}_0", done, step.state, step.known, events=step.events)


def _connected(settings: ClientSettings, woken: Callable[[], None]) -> SeatLink:
    """A seat at a server: the one that this person had when the program was closed, if there is one."""
    return SeatLink(settings, woken, kept=KeptSeats(data_folder() / "lmu_seats.json"))


class ServerSeats:
    """Makes the feeds and links of tables at servers; a window asks for the feed first, then for its link."""

    def __init__(self, connect: Callable[[ClientSettings, Callable[[], None]], SeatLink] | None = None) -> None:
        self._connect = connect or _connected
        self._table: ServerTable | None = None

    def feed(self, table: LocalTable) -> ServerFeed:
        """The feed of a table."""
        assert isinstance(table, ServerTable)
        self._table = table
        return table.feed

    @property
    def heard(self) -> Sequence[ServerMessage]:
        """The server's messages at the last table; complete once its link is closed."""
        link = None if self._table is None else self._table.feed.link
        return () if link is None else link.played.heard

    def link(self, first: LeadPeers | BeforeTable, woken: Callable[[], None] = lambda: None) -> SeatLink:
        """Take the seat of the table whose feed was asked for last."""
        assert self._table is not None
        self._table.feed.link = self._connect(self._table.settings, woken)
        return self._table.feed.link
