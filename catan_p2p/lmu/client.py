"""The client: a computer player for any server of the protocol, over WebSocket or plain TCP."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import uniform
from typing import Any, Protocol
from urllib.parse import urlsplit

import catan_p2p
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.client_player import ClientPlayer
from catan_p2p.lmu.codec import UnreadableJson
from catan_p2p.lmu.connection import ClientWire, WebSocketWire, open_stream
from catan_p2p.lmu.framing import MAX_OBJECT_CHARS, InvalidText, JsonSplitter, LineTooLong
from catan_p2p.lmu.lenient import UndecidedMessage, read_leniently
from catan_p2p.lmu.spelling import UmlautSpelling
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.transport.remote import port_of

SETTLED_S = 0.02
"""After this long without a message, the observer is told that the server has paused."""
CLOSE_S = 2.0
"""How long a server may take to close a connection in order."""
MAX_HEARD = 200_000
"""More messages than any game has."""
CLIENT_VERSION = f"catan_p2p {catan_p2p.__version__} (KI)"


class CannotConnect(Exception):
    """There is no server to play on. The message says where and why; ``is_final``, that trying again is no use."""

    def __init__(self, message: str, *, is_final: bool = False) -> None:
        super().__init__(message)
        self.is_final = is_final


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """Where a client plays, under which name, with which policy, and how long it waits."""

    url: str
    name: str
    colour: str = "Red"
    policy: str = "builder"
    seed: int = 0
    answer_s: float = 30.0
    """How long it waits for an answer before it goes on without one."""
    again_s: float = 3.0
    """How long it waits before it repeats a message, times a random factor so that clients do not repeat in step.

    The wait doubles each time, up to ``answer_s``.
    """
    pause_s: float = 0.2
    """How long it waits before each message to a server that has lost messages while it was busy."""
    quiet_s: float = 1.5
    """How long it waits for an answer once it has seen the effect of its request: some servers never answer."""
    returns: int = 3
    """How often it reconnects after a lost connection, if the server allows that."""
    return_s: float = 0.5
    connect_s: float = 0.0
    """How long it keeps trying to reach a server that has not started yet."""


class ClientObserver(Protocol):
    """Follows a client's game, and may have it send messages."""

    orders: asyncio.Queue[Callable[[], list[m.ClientMessage]]]
    """Calls to make between two messages of the server; each returns the messages to send."""

    def settled(self) -> None:
        """Called when the server has sent nothing for ``SETTLED_S``."""

    def lost(self) -> None:
        """Called when the connection is lost and the client is about to reconnect."""


@dataclass(slots=True)
class ClientGame:
    """The record of a client's game: its player, the messages it received, and counts."""

    client_player: ClientPlayer
    heard: list[m.ServerMessage] = field(default_factory=list)
    unreadable: int = 0
    sent: int = 0
    observer: ClientObserver | None = None
    tell: Callable[[str], None] = lambda trouble: None
    """Called with a sentence about what keeps the client from going on."""

    @classmethod
    def new(cls, settings: ClientSettings) -> ClientGame:
        """A game before its first message."""
        return cls(ClientPlayer(CLIENT_VERSION, settings.name, settings.colour, settings.policy, settings.seed))

    @property
    def winner(self) -> str | None:
        """The winner's name or number; None if the server did not say."""
        model = self.client_player.model
        known = None if model.winner is None else model.players.get(model.winner)
        return None if known is None else known.name or str(model.winner)


async def play(
    settings: ClientSettings,
    played: ClientGame | None = None,
    connected: Callable[[str], Awaitable[ClientWire]] | None = None,
) -> ClientGame:
    """Play until the game or the connection ends; ``CannotConnect`` if there never was a connection.

    A caller that passes ``played`` keeps the messages received so far even if this is cancelled.
    """
    connected = connected or _connected
    played = played or ClientGame.new(settings)
    client_player = played.client_player
    for attempt in range(settings.returns + 1):
        try:
            wire = await _reached(settings, connected)
        except CannotConnect:
            if attempt == 0:
                raise
            await asyncio.sleep(settings.return_s)
            continue
        try:
            await _converse(wire, played, settings)
        finally:
            await _hang_up(wire)
        # Without a token or a board there is no seat to come back to.
        if client_player.is_over or client_player.token is None or client_player.model.board is None:
            break
        if played.observer is not None:
            played.observer.lost()
        await asyncio.sleep(settings.return_s)
    return played


async def _hang_up(wire: ClientWire) -> None:
    """Close a connection in order, or cut it if the server does not answer."""
    try:
        await asyncio.wait_for(wire.close(), CLOSE_S)
    except (OSError, TimeoutError):
        wire.abort()


async def _converse(wire: ClientWire, played: ClientGame, settings: ClientSettings) -> None:
    client_player = played.client_player
    client_player.begin_connection()
    troubles = {""}
    # Clients of one process start together; without this factor they would all repeat their messages together.
    share = uniform(0.7, 1.4)
    spelling = UmlautSpelling()
    splitter = JsonSplitter(m.MESSAGES["server"].keys(), MAX_OBJECT_CHARS * 4)
    objects = wire.objects(splitter).__aiter__()
    coming: asyncio.Future[Any] = asyncio.ensure_future(_next(objects))
    waiting: tuple[int, str | None] | None = None
    since = 0.0
    orders = _ObserverOrders(played.observer)
    try:
        while not client_player.is_over:
            await orders.settle(coming)
            now = asyncio.get_running_loop().time()
            if (stage := (played.sent, client_player.waits)) != waiting:
                waiting, since = stage, now
            timeout = _timeout(client_player, settings, share)
            # The wait counts from the last change of what is waited for, so that chat does not put it off.
            until = None if timeout is None else max(0.0, since + timeout - now)
            done, _ = await asyncio.wait([coming, *orders.coming], timeout=until, return_when=asyncio.FIRST_COMPLETED)
            if coming not in done:
                if until == 0.0 or not done:  # a stream of orders must not put this off
                    waiting = None
                    messages = client_player.give_up_waiting()
                else:
                    messages = orders.take()
                await _say(wire, played, spelling, messages, settings.pause_s * share)
                if client_player.trouble not in troubles:
                    troubles.add(client_player.trouble)
                    played.tell(client_player.trouble)
                continue
            one = coming.result()
            if one is None:
                return
            coming = asyncio.ensure_future(_next(objects))
            spelling.learn(one)
            try:
                message = _understood(one)
            except UndecidedMessage as error:
                played.unreadable += 1
                client_player.misread(error.kind, str(error), error.player)
                continue
            if message is None:
                played.unreadable += 1
                continue
            if len(played.heard) < MAX_HEARD:
                played.heard.append(message)
            await _say(wire, played, spelling, client_player.hear(message), settings.pause_s * share)
    except (OSError, LineTooLong):
        return
    finally:
        orders.stop()
        coming.cancel()
        with contextlib.suppress(asyncio.CancelledError, OSError, LineTooLong):
            await coming


class _ObserverOrders:
    """The orders of an observer, if there is one."""

    def __init__(self, observer: ClientObserver | None) -> None:
        self._observer = observer
        self.coming: list[asyncio.Future[Callable[[], list[m.ClientMessage]]]] = []
        if observer is not None:
            self.coming = [asyncio.ensure_future(observer.orders.get())]

    async def settle(self, coming: asyncio.Future[Any]) -> None:
        """Tell the observer if nothing more comes for ``SETTLED_S``."""
        if self._observer is not None:
            await asyncio.wait([coming], timeout=SETTLED_S)
            if not coming.done():
                self._observer.settled()

    def take(self) -> list[m.ClientMessage]:
        """Carry out the order that has come; returns the messages to send."""
        assert self._observer is not None
        order = self.coming[0].result()
        self.coming = [asyncio.ensure_future(self._observer.orders.get())]
        return order()

    def stop(self) -> None:
        """Stop waiting for orders."""
        for order in self.coming:
            order.cancel()


async def _next(objects: Any) -> Any:
    """The next object, None at the end."""
    return await anext(objects, None)


async def _say(
    wire: ClientWire, played: ClientGame, spelling: UmlautSpelling, messages: list[m.ClientMessage], pause_s: float
) -> None:
    if messages:
        if played.client_player.loses_messages:
            await asyncio.sleep(pause_s)
        played.sent += len(messages)
        with contextlib.suppress(OSError):  # the connection has ended: what came before is still to be read
            await wire.write([spelling.write(message) for message in messages])


def _timeout(client_player: ClientPlayer, settings: ClientSettings, share: float) -> float | None:
    """How many seconds it waits, None for no limit; ``share`` is this client's random factor."""
    match client_player.waits:
        case "quiet":
            return settings.quiet_s
        case "again":
            return min(settings.answer_s, settings.again_s * share * 2.0 ** min(client_player.pauses, 10))
        case "answer":
            return settings.answer_s
    return None


def _understood(one: Any) -> m.ServerMessage | None:
    """A message of the server; None if it is unreadable and may be skipped, ``UndecidedMessage`` if it may not."""
    if isinstance(one, InvalidText):
        return None
    try:
        return read_leniently(one)
    except UndecidedMessage:
        raise
    except UnreadableJson:
        return None


async def _reached(settings: ClientSettings, connected: Callable[[str], Awaitable[ClientWire]]) -> ClientWire:
    """A connection, tried again for up to ``connect_s``."""
    loop = asyncio.get_running_loop()
    until = loop.time() + settings.connect_s
    while True:
        try:
            return await connected(settings.url)
        except CannotConnect as error:
            if error.is_final or loop.time() >= until:
                raise
        await asyncio.sleep(0.2)


async def _connected(url: str) -> ClientWire:
    """A connection to ``ws://HOST:PORT/catan`` or ``tcp://HOST:PORT``."""
    from websockets.asyncio.client import connect
    from websockets.exceptions import InvalidHandshake, InvalidURI

    class Direct(connect):
        """Connects to the given address only: a redirect could point into the player's own network."""

        def process_redirect(self, exc: Exception) -> Exception | str:
            """Refuse every redirect."""
            return exc

    try:
        port = port_of(url)
    except StoreError as error:
        raise CannotConnect(str(error), is_final=True) from None
    parts = urlsplit(url)
    try:
        if parts.scheme == "tcp" and parts.hostname and port:
            return await open_stream(parts.hostname, port)
        if parts.scheme in ("ws", "wss") and parts.hostname:
            socket = await Direct(url, max_size=MAX_OBJECT_CHARS * 8, compression=None, proxy=None)
            return WebSocketWire(socket)
    except InvalidURI as error:
        raise CannotConnect(f"{url}: {error}", is_final=True) from None
    except (OSError, InvalidHandshake, TimeoutError) as error:
        number = getattr(error, "errno", None) or 0
        why = os.strerror(number) if number > 0 else error or type(error).__name__
        raise CannotConnect(f"{url}: cannot connect: {why}") from None
    raise CannotConnect(f"{url}: expected ws://HOST:PORT/catan or tcp://HOST:PORT", is_final=True)
