"""Messages between two processes over a pipe: frames of JSON and raw bytes, both bounded.

A frame is the length of the JSON and the length of the bytes (four bytes each, big-endian), then the JSON, then the
bytes. Unlike unpickling, reading a frame runs nothing that is in it.
"""

from __future__ import annotations

import json
from typing import Any, BinaryIO, NamedTuple

from catan_p2p.limits import MAX_FRAME_BODY_BYTES, MAX_FRAME_HEAD_BYTES

_SIZES = 8


class MessageFrame(NamedTuple):
    """One message: a JSON object, and bytes that belong to it."""

    head: dict[str, Any]
    body: bytes = b""


class BadFrame(Exception):
    """Bytes that are not a frame; the other process is broken or hostile."""


def write_frame(stream: BinaryIO, frame: MessageFrame) -> None:
    """Write a frame and flush the stream."""
    head = json.dumps(frame.head, separators=(",", ":")).encode()
    stream.write(len(head).to_bytes(4, "big") + len(frame.body).to_bytes(4, "big") + head + frame.body)
    stream.flush()


def read_frame(stream: BinaryIO) -> MessageFrame | None:
    """The next frame; None at the end of the stream, even within a frame. ``BadFrame`` if the bytes are not a frame."""
    sizes = stream.read(_SIZES)
    if len(sizes) < _SIZES:
        return None
    head_bytes, body_bytes = int.from_bytes(sizes[:4], "big"), int.from_bytes(sizes[4:], "big")
    if head_bytes > MAX_FRAME_HEAD_BYTES or body_bytes > MAX_FRAME_BODY_BYTES:
        raise BadFrame(f"a frame of {head_bytes} and {body_bytes} bytes")
    data, body = stream.read(head_bytes), stream.read(body_bytes)
    if len(data) < head_bytes or len(body) < body_bytes:
        return None
    try:
        head = json.loads(data)
    except (ValueError, RecursionError):  # nested too deeply
        raise BadFrame("a head that is no JSON") from None
    if not isinstance(head, dict):
        raise BadFrame("a head that is no object")
    return MessageFrame(head, body)
