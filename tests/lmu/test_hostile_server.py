"""The client survives whatever a server sends: messages that contradict each other, rubbish, silence, floods."""

import asyncio
import copy
import json
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from catan_p2p.game.cards import FIELD_MAX, is_valid, unpack
from catan_p2p.lmu import client
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.client import CannotConnect, ClientGame, ClientSettings, play
from catan_p2p.lmu.client_player import ClientPlayer
from catan_p2p.lmu.codec import UnreadableJson
from catan_p2p.lmu.framing import JsonSplitter
from catan_p2p.lmu.model import ClientModel
from catan_p2p.lmu.public_record import NothingRecorded, seen_events, write_seen
from catan_p2p.notation import import_game
from tests.lmu.hosting import games_by_us
from tests.lmu.samples import SERVER, changed, places

Stream = list[Any]
"""JSON values that a server sends, one after the other."""
HOSTILE = ("", "Quatsch", None, True, -1, 0, 1, 7, 635, 2**31 - 1, 2**40, 1e300, 0.5, [], {}, [[]], {"x": 99, "y": -99})


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Stream:
    """What one client of four heard in a whole game."""
    [played] = asyncio.run(games_by_us(4, 1, tmp_path_factory.mktemp("game"), seed=9))
    return [json.loads(m.write_message(message)) for message in played[0].heard]


def test_a_kind_of_card_that_is_played_without_end_stays_within_its_count() -> None:
    model = ClientModel()
    for _ in range(300):
        model.hear(m.MonopolyPlayedMessage(1, "Ore"))
    assert unpack(model.played) == (FIELD_MAX, 0, 0, 0, 0)
    assert is_valid(model.played)


class Liar:
    """Makes other streams out of a recorded one; most of them can be read, and make no sense."""

    def __init__(self, recorded: Stream, seed: int) -> None:
        self._rng = Random(seed)
        self._recorded = recorded
        self._values: defaultdict[Any, list[Any]] = defaultdict(list)
        for message in recorded:
            for path in places(message):
                self._values[path[-1]].append(at(message, path))
        self._start = next(i for i, message in enumerate(recorded) if "Spiel gestartet" in message)

    def stream(self) -> Stream:
        """A beginning, a piece out of the middle, and lies in between."""
        rng, start = self._rng, self._start
        middle = rng.randrange(start + 1, len(self._recorded))
        stream = copy.deepcopy([*self._recorded[: start + 40], *self._recorded[middle : middle + 120]])
        for _ in range(rng.choice((1, 3, 10, 40))):
            rng.choice((self._lie, self._lie, self._lie, self._drop, self._repeat, self._move, self._insert))(stream)
        return stream

    def _lie(self, stream: Stream) -> None:
        """Another value at some place: one that stands there elsewhere, or one that stands nowhere."""
        i = self._rng.randrange(len(stream))
        found = list(places(stream[i]))
        if found:
            path = self._rng.choice(found)
            pool = self._values[path[-1]] if self._rng.random() < 0.7 else HOSTILE
            stream[i] = changed(stream[i], path, self._rng.choice(pool or HOSTILE))  # a lie may have lied before

    def _drop(self, stream: Stream) -> None:
        begin = self._rng.randrange(len(stream))
        del stream[begin : begin + self._rng.choice((1, 1, 5, 30))]
        stream.append({"Serverantwort": "OK"})

    def _repeat(self, stream: Stream) -> None:
        i = self._rng.randrange(len(stream))
        stream[i:i] = [copy.deepcopy(stream[i])] * self._rng.choice((1, 3))

    def _move(self, stream: Stream) -> None:
        stream.insert(self._rng.randrange(len(stream)), stream.pop(self._rng.randrange(len(stream))))

    def _insert(self, stream: Stream) -> None:
        other = self._rng.choice((m.as_json(self._rng.choice(SERVER)), self._rng.choice(self._recorded)))
        stream.insert(self._rng.randrange(len(stream) + 1), copy.deepcopy(other))


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def survived(stream: Stream, seed: int) -> str:
    """Let a client hear a stream without sockets, and keep what it heard: what came of it."""
    played = ClientGame.new(ClientSettings("ws://nowhere/catan", "Ann", seed=seed))
    for value in stream:
        try:
            message: Any = m.read_message(value, "server")
        except UnreadableJson:
            played.unreadable += 1
            continue
        played.heard.append(message)
        for answer in played.client_player.hear(message):
            m.read_message(json.loads(m.write_message(answer)), "client")
    for answer in played.client_player.give_up_waiting():
        m.write_message(answer)
    try:
        events = list(seen_events(played.heard))
    except NothingRecorded:
        return "nothing seen"
    imported = import_game(events, "lmu", "brief", [])
    return "a view with findings" if imported.view.findings else "a view"


def check_streams(recorded: Stream, count: int, seed: int) -> Counter[str]:
    outcomes: Counter[str] = Counter()
    for number in range(count):
        stream = Liar(recorded, seed + number).stream()
        try:
            outcomes[survived(stream, number)] += 1
        except Exception as error:
            told = [json.dumps(value, ensure_ascii=False)[:200] for value in stream[-3:]]
            raise AssertionError(f"stream {seed + number}: {type(error).__name__}: {error}; it ends {told}") from error
    return outcomes


def test_40_streams_of_lies_are_survived(recorded: Stream) -> None:
    outcomes = check_streams(recorded, 40, seed=0)
    assert outcomes["a view with findings"] > 10, outcomes


def test_a_trade_whose_cards_are_hidden_is_survived(recorded: Stream) -> None:
    """Found by lies: who pays in a trade is asked to say what, and the server hides it."""
    stream = Liar(recorded, 1_000_657).stream()
    assert survived(stream, 657) == "a view with findings"


@pytest.mark.soak
def test_10_000_streams_of_lies_are_survived(recorded: Stream) -> None:
    print(check_streams(recorded, 10_000, seed=1_000_000))


def test_what_a_liar_told_is_kept_as_a_view(recorded: Stream, tmp_path: Path) -> None:
    heard = []
    for value in Liar(recorded, 3).stream():
        try:
            heard.append(m.read_message(value, "server"))
        except UnreadableJson:
            continue
    write_seen(tmp_path / "seen", heard, "test")  # type: ignore[arg-type]
    assert (tmp_path / "seen").is_dir()


# Over real sockets

HELLO = b'{"Hallo":{"Version":"x","Protokoll":"1.0"}}\n{"Willkommen":{"id":1}}\n'


async def against(
    serve: Callable[[asyncio.StreamWriter], Awaitable[None]], played: ClientGame | None = None, **settings: Any
) -> ClientGame:
    """Let our client play against a server that does this and ends the connection."""

    async def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await serve(writer)
            writer.close()
            await writer.wait_closed()
        except OSError:
            pass
        finally:
            # What a client that has gone did not read would keep the socket open beyond the loop.
            writer.transport.abort()

    server = await asyncio.start_server(accepted, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        chosen = ClientSettings(
            f"tcp://127.0.0.1:{port}", "Ann", answer_s=0.2, again_s=0.02, returns=1, return_s=0.0, **settings
        )
        return await asyncio.wait_for(play(chosen, played), 240)
    finally:
        server.close()
        await server.wait_closed()


def sending(*pieces: bytes) -> Callable[[asyncio.StreamWriter], Awaitable[None]]:
    async def serve(writer: asyncio.StreamWriter) -> None:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)

    return serve


ATTACKS: dict[str, tuple[bytes, ...]] = {
    "nothing": (),
    "no JSON": (b"HTTP/1.1 400 Bad Request\r\n\r\n",),
    "no UTF-8": (HELLO, b'{"Chatnachricht":{"Nachricht":"\xff\xfe"}}\n'),
    "another protocol": (b'{"Hallo":{"Version":"x","Protokoll":"9.9"}}\n',),
    "an object without an end": (HELLO, b'{"Chatnachricht":{"Nachricht":"' + b"x" * 2_000_000),
    "nested without an end": (HELLO, b'{"a":' * 200_000),
    "brackets only": (HELLO, b"[" * 1_000_000),
    "many objects in a line": (HELLO, b'{"Serverantwort":"OK"}' * 20_000),
    "a flood of chat": (HELLO, *[b'{"Chatnachricht":{"Nachricht":"' + b"x" * 1000 + b'"}}\n'] * 2_000),
    "a flood of refusals": (HELLO, b'{"Serverantwort":"Nein"}\n' * 5_000),
    "a flood of failures": (HELLO, b'{"Fehler":{"Meldung":"Farbe bereits vergeben"}}\n' * 500),
    "welcome again and again": (HELLO * 500,),
    "zero bytes": (HELLO, b"\0" * 100_000),
    "ended in the middle": (HELLO, b'{"Statusupdate":{"Spieler":{"id":1,"Stat'),
    "one byte at a time": tuple(bytes([byte]) for byte in HELLO),
}


@pytest.mark.long
@pytest.mark.parametrize("attack", ATTACKS)
def test_the_client_survives(attack: str) -> None:
    played = asyncio.run(against(sending(*ATTACKS[attack])))
    assert played.winner is None


async def test_a_server_that_says_nothing_is_left_when_the_client_is_stopped() -> None:
    async def silent(writer: asyncio.StreamWriter) -> None:
        writer.write(HELLO)
        await asyncio.sleep(30)

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(against(silent), 0.5)


def test_streams_of_lies_over_a_socket(recorded: Stream) -> None:
    for seed in range(5):
        lines = "".join(json.dumps(value) + "\n" for value in Liar(recorded, 500 + seed).stream())
        played = asyncio.run(against(sending(lines.encode())))
        assert played.heard


def test_nobody_there() -> None:
    with pytest.raises(CannotConnect, match="cannot connect"):
        asyncio.run(play(ClientSettings("tcp://127.0.0.1:1", "Ann")))


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_host_is_not_followed(code: int) -> None:
    visits = []

    async def other(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visits.append(await reader.readline())
        writer.close()

    async def body() -> None:
        inside = await asyncio.start_server(other, "127.0.0.1", 0)
        there = inside.sockets[0].getsockname()[1]

        async def redirecting(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            where = f"Location: ws://127.0.0.1:{there}/catan"
            writer.write(f"HTTP/1.1 {code} Elsewhere\r\n{where}\r\nContent-Length: 0\r\n\r\n".encode())
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(redirecting, "127.0.0.1", 0)
        async with inside, server:
            port = server.sockets[0].getsockname()[1]
            await play(ClientSettings(f"ws://127.0.0.1:{port}/catan", "Ann"))

    with pytest.raises(CannotConnect, match=f"cannot connect: .* HTTP {code}"):
        asyncio.run(body())
    assert visits == []


class Clicking:
    """A person who gives one order after another; each is refused."""

    def __init__(self) -> None:
        self.orders: asyncio.Queue[Callable[[], list[m.ClientMessage]]] = asyncio.Queue()
        self.orders.put_nowait(self._order)
        self.refused = 0

    def _order(self) -> list[m.ClientMessage]:
        self.refused += 1
        if self.refused < 1_000:
            self.orders.put_nowait(self._order)
        return []

    def settled(self) -> None:
        pass

    def lost(self) -> None:
        pass


class Quiet(ClientPlayer):
    """Waits until the server has been quiet for a while, and then the game is over."""

    waits = "quiet"

    def give_up_waiting(self) -> list[m.ClientMessage]:
        self.is_over = True
        return []


def test_whoever_clicks_without_end_hears_that_the_server_does_not_answer() -> None:
    async def silent(writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(1)

    clicking = Clicking()
    played = ClientGame(Quiet("catan_p2p", "Ann", "Red", "builder", 0), observer=clicking)
    asyncio.run(against(silent, played, quiet_s=0.0))
    assert clicking.refused < 3


class Deaf:
    """A connection whose server never ends it."""

    is_cut = False

    async def objects(self, splitter: JsonSplitter) -> AsyncIterator[Any]:
        for value in ():
            yield value

    async def write(self, texts: list[str]) -> None:
        pass

    async def close(self) -> None:
        await asyncio.sleep(1_000)

    def abort(self) -> None:
        self.is_cut = True


def test_a_connection_that_the_server_does_not_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "CLOSE_S", 0.01)
    deaf = Deaf()

    async def connected(url: str) -> Deaf:
        return deaf

    asyncio.run(play(ClientSettings("tcp://127.0.0.1:1", "Ann"), connected=connected))
    assert deaf.is_cut
