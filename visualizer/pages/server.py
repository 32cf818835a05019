"""Serves a game as a page that follows it, to browsers on this machine.

The page comes over HTTP; its steps and their changes come over one WebSocket connection, which sends no faster than its
reader reads. Requests with another host name, or from another page, are refused.
"""

import asyncio
import contextlib
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

from ..data.feed import FeedUpdate, GameFeed, applied
from ..data.recording import GameRecording
from .page import encoded, page
from .steps import ShownSteps, TooManySteps

if TYPE_CHECKING:
    from websockets.asyncio.server import Server, ServerConnection
    from websockets.http11 import Request, Response

HERE = "127.0.0.1"
"""The address of the page, which other machines cannot reach."""
MAX_WATCHERS = 64
"""How many browsers may follow a game at a time."""
_STEPS = "/steps"
_LOOK_S = 0.5
"""How long one wait for updates of the feed lasts at most."""
_CLOSE_S = 1.0
"""How long a connection may take to send its request, and to close."""
_WAITING = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>Catan</title></head>
<body><p role="status">Waiting for the game.</p></body></html>
"""


class PageServer:
    """Follows the game at a path and serves it; ``port`` 0 is any free one."""

    def __init__(self, path: Path, port: int = 0) -> None:
        self._feed = GameFeed(path, following=True)
        self._port = port
        self._recording: GameRecording | None = None
        self._shown = ShownSteps()
        self.problem: str | None = None
        """What keeps the game from being read or shown further."""
        self._stands: dict[ServerConnection, int] = {}
        """Of each connection, how many of the steps sent to it are still valid."""
        self._news = asyncio.Condition()
        self._version = 0
        """The number of changes so far."""

    async def serve(self, started: "asyncio.Future[str]") -> None:
        """Serve until cancelled; ``started`` becomes the page's URL. ``OSError`` if the port cannot be had."""
        from websockets.asyncio.server import serve

        # Readers send nothing, so their messages may be tiny; those to them are as long as the game.
        serving = serve(
            self._tell,
            HERE,
            self._port,
            process_request=self._answer,
            max_size=16,
            max_queue=1,
            open_timeout=_CLOSE_S,
            close_timeout=_CLOSE_S,
            server_header=None,
        )
        async with serving as server:
            self._port = server.sockets[0].getsockname()[1]
            self._server: Server = server
            self._feed.start()
            started.set_result(f"http://{self._host}/")
            try:
                while True:
                    for update in await asyncio.to_thread(self._feed.take, _LOOK_S):
                        await self._take(update)
            finally:
                await asyncio.to_thread(self._feed.stop)
                server.close()
                # A browser that does not read, such as that of a phone in a pocket, would hold the server.
                await asyncio.wait([asyncio.ensure_future(server.wait_closed())], timeout=2 * _CLOSE_S)
                for connection in self._stands:
                    connection.transport.abort()

    @property
    def _host(self) -> str:
        return f"{HERE}:{self._port}"

    async def _take(self, update: FeedUpdate) -> None:
        recording = applied(self._recording, update)
        self.problem = update.situation.problem
        if recording is not None and recording.steps:
            self._recording = recording
            try:
                stands = self._shown.take(recording, update.kept)
            except TooManySteps as error:
                self.problem = f"the game is shown no further: {error}"
                stands = len(self._shown.steps)
            for connection, told in self._stands.items():
                self._stands[connection] = min(told, stands)
        async with self._news:
            self._version += 1
            self._news.notify_all()

    def _answer(self, connection: "ServerConnection", request: "Request") -> "Response | None":
        """The response to a request: the page, a refusal, or None for the WebSocket connection of the steps."""
        headers = request.headers
        # Against foreign pages, which could otherwise read the game, also under a name of their own for this address.
        if headers.get_all("Host") != [self._host] or headers.get("Origin", self._origin) != self._origin:
            return connection.respond(HTTPStatus.FORBIDDEN, f"Only {self._origin}/ is served here.\n")
        if request.path == _STEPS:
            full = len(self._stands) >= MAX_WATCHERS
            refused = HTTPStatus.SERVICE_UNAVAILABLE if full else HTTPStatus.NOT_FOUND
            return connection.respond(refused, "") if full or self._recording is None else None
        if request.path != "/":
            return connection.respond(HTTPStatus.NOT_FOUND, "")
        response = connection.respond(HTTPStatus.OK, page(self._recording, self._host) if self._recording else _WAITING)
        del response.headers["Content-Type"]
        response.headers["Content-Type"] = "text/html; charset=utf-8"
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response

    @property
    def _origin(self) -> str:
        return f"http://{self._host}"

    async def _tell(self, connection: "ServerConnection") -> None:
        """Send a connection every step, and then each change, until it is closed."""
        from websockets.exceptions import ConnectionClosed

        self._stands[connection], told, seen = 0, 0, -1
        ended = asyncio.ensure_future(connection.wait_closed())
        try:
            while not ended.done():
                kept, seen = min(told, self._stands[connection]), self._version
                added, told = self._shown.steps[kept:], len(self._shown.steps)
                self._stands[connection] = told
                assert self._recording is not None
                root = self._recording.steps[0].commit
                message = {"root": root, "kept": kept, "steps": added, "problem": self.problem}
                await connection.send(encoded(message))
                await self._wait_for_news(seen, ended)
        except ConnectionClosed:
            pass
        finally:
            ended.cancel()
            del self._stands[connection]

    async def _wait_for_news(self, seen: int, ended: "asyncio.Future[None]") -> None:
        async def changed() -> None:
            async with self._news:
                await self._news.wait_for(lambda: self._version != seen)

        waiting = asyncio.ensure_future(changed())
        try:
            await asyncio.wait([waiting, ended], return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await waiting
