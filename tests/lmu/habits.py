"""Clients with the habits of programs that were found in the wild, each on top of any others."""

import asyncio
import contextlib
import json
from collections.abc import Callable, Iterable
from typing import Any

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.client import CLIENT_VERSION
from catan_p2p.lmu.client_player import ClientPlayer
from catan_p2p.lmu.codec import UnreadableJson
from catan_p2p.lmu.words import COLOUR_WORDS
from tests.lmu.scenes import RawClient

Sends = list[Any]
"""JSON values that are about to be sent."""


def capitals(value: Any) -> Any:
    """Resource names in capitals, wherever they are."""
    words = {"Holz", "Lehm", "Wolle", "Getreide", "Erz"}
    if isinstance(value, dict):
        return {key.upper() if key in words else key: capitals(inner) for key, inner in value.items()}
    return value.upper() if isinstance(value, str) and value in words else value


def cancels(value: Any) -> Any:
    """Handel abbrechen where others would answer an offer."""
    if "Handel annehmen" in value:
        return {"Handel abbrechen": {"Handel id": value["Handel annehmen"]["Handel id"]}}
    return value


HABITS: dict[str, Callable[[Sends], Sends]] = {
    "plain TCP": lambda sends: sends,
    "never waits": lambda sends: sends,
    "starts twice": lambda sends: [one for value in sends for one in [value] * (1 + ("Spiel starten" in value))],
    "cancels offers": lambda sends: [cancels(value) for value in sends],
    "never answers offers": lambda sends: [value for value in sends if "Handel annehmen" not in value],
    "writes ERZ": lambda sends: [capitals(value) for value in sends],
    "repeats what is refused": lambda sends: sends,
    "ends turns twice": lambda sends: [one for value in sends for one in [value] * (1 + ("Zug beenden" in value))],
    "falls silent": lambda sends: sends,
    "leaves": lambda sends: sends,
    "writes in pieces": lambda sends: sends,
}
"""By name, what becomes of what is sent; the rest of a habit is in ``Foreigner``."""

SILENT_AFTER = 40
"""Messages after which a client with one of the last habits says nothing more, or goes."""


class Foreigner:
    """A client that decides like ours, and has habits."""

    def __init__(self, name: str, colour: str, habits: Iterable[str], seed: int) -> None:
        self.habits = set(habits)
        self.client_player = ClientPlayer(CLIENT_VERSION, name, colour, "builder", seed)
        self.sent = 0
        self.unexpected: list[Any] = []
        self._raw: RawClient | None = None
        self._repeats = 0
        self._last: Any = None

    async def play(self, port: int, tcp: int) -> bool:
        """Play until the game ends, or the own habit ends it: whether the end was heard."""
        is_tcp = "plain TCP" in self.habits
        self._raw = raw = await RawClient.at(tcp if is_tcp else port, tcp=is_tcp)
        if "never waits" in self.habits:
            introduction = {"Name": self.client_player.name, "Farbe": COLOUR_WORDS[self.client_player.lobby.colours[0]]}
            for value in ({"Hallo": {"Version": "Eilig"}}, {"Spieler": introduction}, {"Spiel starten": {}}):
                await self._send([value])
        with contextlib.suppress(EOFError, OSError):
            while not self.client_player.is_over:
                value = await raw.next()
                try:
                    message: Any = m.read_message(value, "server")
                except UnreadableJson:
                    self.unexpected.append(value)
                    continue
                await self._hear(message)
                if "leaves" in self.habits and self.sent > SILENT_AFTER:
                    await raw.close()
                    return True
        return self.client_player.is_over

    async def _hear(self, message: Any) -> None:
        sends = [m.as_json(one) for one in self.client_player.hear(message)]
        if "never waits" in self.habits:
            sends = [one for one in sends if not {"Hallo", "Spieler", "Spiel starten"} & one.keys()]
            if isinstance(message, m.PlayerWelcome):
                self.client_player._sent.clear()
        is_refused = isinstance(message, m.RequestReply) and message.text != "OK"
        if is_refused and "repeats what is refused" in self.habits and self._last is not None and self._repeats < 3:
            self._repeats += 1
            await self._send([self._last])
        elif not is_refused:
            self._repeats = 0
        await self._send(sends)

    async def _send(self, sends: Sends) -> None:
        assert self._raw is not None
        kept = len(sends)
        for habit in sorted(self.habits):
            sends = HABITS[habit](sends)
        if kept and not sends:
            self.client_player._sent.clear()  # what is never sent is never answered
        for value in sends:
            if "falls silent" in self.habits and self.sent > SILENT_AFTER:
                return
            self.sent += 1
            self._last = value
            if "writes in pieces" in self.habits:
                await self._send_in_pieces(value)
            else:
                await self._raw.send_text(json.dumps(value, ensure_ascii=False))

    async def _send_in_pieces(self, value: Any) -> None:
        assert self._raw is not None
        data = json.dumps(value, ensure_ascii=False, indent=1).replace("\n", "\r\n") + "\r\n"
        for begin in range(0, len(data), 20):
            piece = data[begin : begin + 20]
            if self._raw.socket is not None:
                await self._raw.socket.send(piece)
            else:
                assert self._raw.writer is not None
                self._raw.writer.write(piece.encode())
                await self._raw.writer.drain()
            await asyncio.sleep(0)
