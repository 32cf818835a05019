"""Every message of the protocol as a typed value, after seed 002; ``message.schema.json`` is the same as a JSON schema.

A message is a JSON object with one member, whose name is the kind of the message. ``read_message`` parses one,
``write_message`` has one spelling for every value. This module exports the types of ``from_client``, ``from_server``
and ``objects``.
"""

import json
from typing import Any, Literal, TypeAlias

from catan_p2p.lmu.codec import Codec, Json, LmuMessage, UnreadableJson, record, text
from catan_p2p.lmu.from_client import *  # noqa: F403
from catan_p2p.lmu.from_client import ClientMessage
from catan_p2p.lmu.from_server import *  # noqa: F403
from catan_p2p.lmu.from_server import RequestReply, ServerMessage
from catan_p2p.lmu.objects import *  # noqa: F403
from catan_p2p.lmu.words import folded

Side: TypeAlias = Literal["client", "server"]

MESSAGES: dict[Side, dict[str, type[Any]]] = {
    "client": {cls.KEY: cls for cls in ClientMessage.__subclasses__()},
    "server": {cls.KEY: cls for cls in ServerMessage.__subclasses__()},
}
"""Every message class, by the side that sends it and by its name."""

_BY_NAME = {side: {folded(key): cls for key, cls in kinds.items()} for side, kinds in MESSAGES.items()}
_REPLY = text(4 * 1000)


def read_message(value: Json, side: Side) -> LmuMessage:
    """The message of a parsed JSON value that ``side`` has sent; ``UnreadableJson`` says what is wrong."""
    named = [*value] if isinstance(value, dict) else []
    if len(named) > 1:  # unknown members beside the message are ignored
        named = [key for key in named if folded(key) in _BY_NAME[side]]
    if len(named) != 1:
        raise UnreadableJson("ein Objekt mit genau einer Nachricht erwartet")
    key, body = named[0], value[named[0]]
    cls = _BY_NAME[side].get(folded(key))
    if cls is None:
        raise UnreadableJson(f"{key[:60]!r}: unbekannte Nachricht")
    try:
        if cls is RequestReply:
            return RequestReply(_REPLY.read(body))
        message: LmuMessage = record(cls).read(body)
    except UnreadableJson as error:
        raise UnreadableJson(f"{key}: {error}") from None
    return message


def as_json(message: LmuMessage) -> Json:
    """A message as a JSON value."""
    body = message.text if isinstance(message, RequestReply) else _CODECS[type(message)].write(message)
    return {message.KEY: body}


def write_message(message: LmuMessage) -> str:
    """A message as JSON text in one line, without spaces."""
    return write_json(as_json(message))


def write_json(value: Json) -> str:
    """A JSON value in one line, without spaces."""
    return _ENCODER.encode(value)


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_CODECS: dict[type[Any], Codec] = {cls: record(cls) for side in MESSAGES.values() for cls in side.values()}
