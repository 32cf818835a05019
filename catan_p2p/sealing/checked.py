"""What this process knows of proofs: those that it has checked, and those that it has made.

A peer judges a commit before it shows it and again when it takes it in, and where several players are one process, as
in a simulation or a laboratory, all of them judge the same commits. Each proof is checked once all the same.

Sharing what was found is safe. A check has no other input than its arguments, and always says the same of the same
ones. The arguments are the whole statement with its occasion, and every byte of the message; they are compared whole,
not by a hash of them. Nothing in them is secret. What is *made* is noted only by who has just made it from secrets that
fulfil this very statement: another statement, or a message with another byte, is checked like any other. So a false
proof is never taken for a right one. The number of results is bounded: nobody fills the memory with statements.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, ParamSpec, TypeVar, cast

T = TypeVar("T")
P = ParamSpec("P")

MOST = 1 << 8
"""How many results are kept: more than there are proofs under way in any game."""

_UNKNOWN = object()
_results: dict[tuple[Hashable, ...], Any] = {}
_lock = Lock()


def once(check: Callable[P, T], *statement: P.args, **none: P.kwargs) -> T:
    """What a check says of a statement and the message that proves it, all of which is hashable."""
    known = _results.get(_key(check, statement), _UNKNOWN)
    if known is not _UNKNOWN:
        return cast("T", known)
    found = check(*statement, **none)
    note(found, check, *statement, **none)
    return found


def note(found: T, check: Callable[P, T], *statement: P.args, **none: P.kwargs) -> None:
    """Keep what a check says of a statement and a message, for who has just made that message."""
    with _lock:
        while len(_results) >= MOST:
            del _results[next(iter(_results))]
        _results[_key(check, statement)] = found


def _key(check: Callable[..., object], statement: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
    return (check, *statement)


def forget() -> None:
    """Forget everything: for who measures what checks cost."""
    with _lock:
        _results.clear()
