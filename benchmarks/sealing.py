"""The cost of sealed cards: processor time, beside that of the point multiplications alone, in the same run.

python -m benchmarks.sealing
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import rbcl

from benchmarks.rows import Row, print_rows
from catan_p2p.game.cards import pack
from catan_p2p.game.constants import DEV_CARD_POOL
from catan_p2p.sealing import deck, group, hands, shuffle, theft
from catan_p2p.sealing.group import BASE, times
from catan_p2p.sealing.transcript import ProofContext

_KEY = b"k" * 32
_BY_A_POINT = "crypto_scalarmult_ristretto255"
_OF_THE_BASE = "crypto_scalarmult_ristretto255_base"


def rows(*, quick: bool) -> list[Row]:
    """Sealing, checking and robbing a hand of seven cards; making and checking a shuffle of 25 cards."""
    here, robber = ProofContext("5eed" * 10, 1, "c0de" * 10), ProofContext("5eed" * 10, 2, "c0de" * 10)
    what = hands.ResealedHand((), pack((2, 1, 1, 2, 1)))
    sealed, _ = hands.reseal(here, what, (), _KEY)
    choice = theft.choose(robber, 1, 7, _KEY)
    answer, _ = theft.answer(here, what, (), choice.point(), _KEY)
    joint = times(77, BASE)
    old = deck.new_deck(DEV_CARD_POOL, [joint])
    message, _ = shuffle.shuffle(here, joint, old, _KEY)
    works: dict[str, tuple[Callable[[], Any], int]] = {
        "sealing a hand of seven": (lambda: hands.reseal(here, what, (), _KEY), len(sealed)),
        "checking it": (lambda: hands.read_resealing(here, what, sealed), 0),
        "answering a theft from it": (lambda: theft.answer(here, what, (), choice.point(), _KEY), len(answer)),
        "checking the answer": (lambda: theft.read_answer(here, what, answer), 0),
        "shuffling 25 cards": (lambda: shuffle.shuffle(here, joint, old, _KEY), len(message)),
        "checking the shuffle": (lambda: shuffle.read_shuffle(here, joint, old, message), 0),
    }
    repeats = 3 if quick else 15
    scalar, point = group.spell(group.ORDER - 5), group.generator("theft")
    calls = {_BY_A_POINT: lambda: rbcl.crypto_scalarmult_ristretto255(scalar, point)}
    calls[_OF_THE_BASE] = lambda: rbcl.crypto_scalarmult_ristretto255_base(scalar)
    found = []
    for title, (work, size) in works.items():
        counted = counted_calls(work)
        best, floor = float("inf"), float("inf")
        for _ in range(repeats):
            best = min(best, _spent_s(work))
            floor = min(floor, sum(counted[name] * _spent_s(call, 100) for name, call in calls.items()))
        note = f"{sum(counted[name] for name in calls)} multiplications" + (f", {size:,} bytes" if size else "")
        found.append(Row(title, 1e3 * best, "ms", "libsodium's multiplications", 1e3 * floor, "<= 2", note))
    return found


def _spent_s(work: Callable[[], Any], repeats: int = 1) -> float:
    begin = time.process_time()
    for _ in range(repeats):
        work()
    return (time.process_time() - begin) / repeats


def counted_calls(work: Callable[[], Any]) -> Counter[str]:
    """How often the work calls each function of the library."""
    counted: Counter[str] = Counter()

    class Counting:
        def __getattr__(self, name: str) -> Any:
            counted[name] += 1
            return getattr(rbcl, name)

    library = group._library
    group._library = Counting  # type: ignore[assignment]
    try:
        work()
    finally:
        group._library = library
    return counted


if __name__ == "__main__":
    sys.exit(print_rows(rows))
