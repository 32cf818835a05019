"""What two processes say to one another over a pipe: frames of JSON with bytes behind, both bounded.

A frame is eight bytes (how long the JSON is, how long the rest), the JSON, and the rest. Nothing in it can do anything
when it is read.
"""

from __future__ import annotations

import json
from typing import Any, BinaryIO, NamedTuple

from catan_p2p.limits import MAX_FRAME_BODY_BYTES, MAX_FRAME_HEAD_BYTES

_SIZES = 8


class MessageFrame(NamedTuple):
    """One message."""

    head: dict[str, Any]
    body: bytes = b""


class BadFrame(Exception):
    """Bytes that are no frame: the other side is not what it should be."""


def write_frame(stream: BinaryIO, frame: MessageFrame) -> None:
    """Write a frame."""
    head = json.dumps(frame.head, separators=(",", ":")).encode()
    stream.write(len(head).to_bytes(4, "big") + len(frame.body).to_bytes(4, "big") + head + frame.body)
    stream.flush()


def read_frame(stream: BinaryIO) -> MessageFrame | None:
    """The next frame, None at the end; ``BadFrame`` if it is none."""
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
    except (ValueError, RecursionError):
        raise BadFrame("a head that is no JSON") from None
    if not isinstance(head, dict):
        raise BadFrame("a head that is no object")
    return MessageFrame(head, body)
