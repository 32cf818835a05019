"""Objects out of pieces: however a stream is cut, the same objects come out, and rubbish takes nothing with it."""

import asyncio
import json
import socket
from random import Random

import pytest

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.framing import MAX_DEPTH, InvalidText, JsonSplitter, LineTooLong
from catan_p2p.lmu.server_connection import shake_hands
from tests.lmu.samples import CLIENT

KEYS = m.MESSAGES["client"].keys()
TEXTS = [m.write_message(one) for one in CLIENT]
PRETTY = [json.dumps(m.as_json(one), ensure_ascii=False, indent=2) for one in CLIENT]


def objects(pieces: list[str]) -> list[object]:
    splitter = JsonSplitter(KEYS)
    return [one for piece in pieces for one in splitter.feed(piece)]


@pytest.mark.parametrize("between", ["\n", "", "\r\n", " \n\n ", "\t"])
@pytest.mark.parametrize("texts", [TEXTS, PRETTY], ids=["line", "pretty"])
def test_objects_come_out_whole_however_they_are_cut(between: str, texts: list[str]) -> None:
    stream = between.join(texts) + between
    expected = [json.loads(text) for text in texts]
    rng = Random(1)
    for size in (1, 2, 7, 50, len(stream)):
        pieces, at = [], 0
        while at < len(stream):
            step = rng.randint(1, size)
            pieces.append(stream[at : at + step])
            at += step
        assert objects(pieces) == expected


def test_bytes_are_cut_within_a_letter() -> None:
    splitter = JsonSplitter(KEYS)
    data = '{"Würfeln":{}}\n'.encode()
    assert [one for byte in data for one in splitter.feed_bytes(bytes([byte]))] == [{"Würfeln": {}}]


@pytest.mark.parametrize(
    "rubbish",
    [
        "Hallo?",
        '{"Würfeln":{}',
        '{"Spieler":{"Name":"a',
        "{]}",
        "{'a':1}",
        "\x00\x01",
        '"Würfeln"',
        "[1,2]",
        "{NaN}",
        "{}}",
    ],
)
def test_rubbish_does_not_swallow_the_next_line(rubbish: str) -> None:
    found = objects([f"{rubbish}\n", '{"Zug beenden":{}}\n', '{"Würfeln":{}}\n'])
    assert found[-2:] == [{"Zug beenden": {}}, {"Würfeln": {}}]


def test_a_frame_that_is_whole_does_not_continue_a_broken_one() -> None:
    splitter = JsonSplitter(KEYS)
    found = [one for frame in ('{"Bauen":{"Typ":', '{"Würfeln":{}}') for one in splitter.feed_frame(frame)]
    assert isinstance(found[0], InvalidText)
    assert found[1] == {"Würfeln": {}}


def test_a_frame_can_continue_another() -> None:
    splitter = JsonSplitter(KEYS)
    found = [one for frame in ('{"Handel abbrechen":', '{"Handel id":3}}') for one in splitter.feed_frame(frame)]
    assert found == [{"Handel abbrechen": {"Handel id": 3}}]


@pytest.mark.parametrize("text", ['{"a":' * 5000, "{" * 30 + "}" * 30 + "\n", '{"a":' + "[" * 10_000])
def test_deep_nesting_is_rubbish_or_waits_for_its_end(text: str) -> None:
    assert all(isinstance(one, InvalidText) for one in objects([text]))
    assert MAX_DEPTH < 30


def test_what_has_no_end_is_not_kept() -> None:
    with pytest.raises(LineTooLong):
        objects(['{"a":"'] + ["x" * 1000] * 100)
    with pytest.raises(LineTooLong):
        objects(["x" * 1000] * 100)


def test_numbers_beyond_measure_are_rubbish() -> None:
    assert objects(['{"a":' + "9" * 5000 + "}"]) == [InvalidText("kein JSON")]


def test_what_is_no_handshake_is_refused() -> None:
    async def asked(request: bytes) -> bytes:
        ours, theirs = socket.socketpair()
        reader, writer = await asyncio.open_connection(sock=theirs)
        ours.sendall(request)
        ours.shutdown(socket.SHUT_WR)
        assert await shake_hands(reader, writer, "/catan", "test") is None
        await writer.drain()
        writer.close()
        await writer.wait_closed()
        answer = ours.recv(1 << 16)
        ours.close()
        return answer

    key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    upgrade = b"Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + key + b"\r\n"
    assert asyncio.run(asked(b"GET /other HTTP/1.1\r\n" + upgrade)).startswith(b"HTTP/1.1 404")
    assert asyncio.run(asked(b"GET /catan HTTP/1.1\r\nHost: x\r\n\r\n")).startswith(b"HTTP/1.1 426")
    assert asyncio.run(asked(b"\x16\x03\x01 no HTTP at all\r\n\r\n")) == b""
    assert asyncio.run(asked(b"GET /catan HTTP/1.1\r\n")) == b""
