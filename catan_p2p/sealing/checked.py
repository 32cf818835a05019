"""Results of proofs in this process: of those that it has checked, and of those that it has made.

A peer judges a commit before it shows it and again when it takes it in. Where several players share one process, as in
a simulation or a laboratory, all of them judge the same commits. Nevertheless each proof is checked only once.

Sharing results is safe. A check has no input besides its arguments, and always returns the same for the same ones. The
arguments are the whole statement with its context, and every byte of the message; they are compared in full, not by a
hash of them. Nothing in them is secret. A proof that was *made* is noted only by the code that has just made it from
secrets that fulfil this very statement: any other statement or message is checked as usual. So a false proof is never
accepted. The number of results is bounded, so nobody can fill the memory with statements.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, ParamSpec, TypeVar, cast

T = TypeVar("T")
P = ParamSpec("P")

MOST = 1 << 8
"""How many results are kept: more than there are proofs in progress in any game."""

_UNKNOWN = object()
_results: dict[tuple[Hashable, ...], Any] = {}
_lock = Lock()


def once(check: Callable[P, T], *statement: P.args, **none: P.kwargs) -> T:
    """Return the result of a check of a statement and its message, which must be hashable."""
    known = _results.get(_key(check, statement), _UNKNOWN)
    if known is not _UNKNOWN:
        # Checks may return None, so a missing result needs a value of its own.
        return cast("T", known)
    found = check(*statement, **none)
    note(found, check, *statement, **none)
    return found


def note(found: T, check: Callable[P, T], *statement: P.args, **none: P.kwargs) -> None:
    """Keep the result of a check, for code that has just made this very message."""
    with _lock:
        while len(_results) >= MOST:
            # The oldest result goes first: dictionaries keep the order of insertion.
            del _results[next(iter(_results))]
        _results[_key(check, statement)] = found


def _key(check: Callable[..., object], statement: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
    return (check, *statement)


def forget() -> None:
    """Forget everything, to measure what checks cost."""
    with _lock:
        _results.clear()
