"""Three of four players load the dice as well as they can, and nobody sees a difference.

    python -m tests.chance.loading [DRAWS]

They know everything but the honest share of the draw under way, and of that they know whatever the protocol tells them
before they have to tell theirs. Chi-square over all 36 throws says whether it helped; the same with a planted bias says
whether it would be seen if it had.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable
from random import Random
from typing import NamedTuple

from catan_p2p.game.chance import Share, SharedDraw, share_before

GAME = "1" * 40
HONEST = 4
THRESHOLD = 75.1
"""Of chi-square with 35 degrees of freedom, which fair dice exceed once in ten thousand times."""
BIAS = 0.02


class Known(NamedTuple):
    """What the three know when they must tell a share for a draw."""

    number: int
    before: Share
    """The honest share of the draw before."""
    other_game: Share
    """What the honest player has told in a second game with the same key."""
    pledged: Share
    """Their own share that leads back to what they have pledged."""
    honest: Share
    """The honest share of this draw: only who waits has seen it."""


def keep_to_one(known: Known, rng: Random) -> Share:
    """Always the same."""
    return "f" * 64


def repeat(known: Known, rng: Random) -> Share:
    """What the honest player told last."""
    return known.before


def take_from_another_game(known: Known, rng: Random) -> Share:
    """What the honest player told elsewhere."""
    return known.other_game


def pledge_the_best(known: Known, rng: Random) -> Share:
    """Of sixteen chains that they could have pledged, the best one if the honest share were the last one again."""
    return _best(known.number, known.before, (rng.randbytes(32).hex() for _ in range(16)))


def wait(known: Known, rng: Random) -> Share:
    """When all others have told theirs, the best of sixteen, of those that nobody refuses."""
    wanted = (known.pledged, *(rng.randbytes(32).hex() for _ in range(15)))
    pledge = share_before(GAME, 1, known.pledged)
    return _best(known.number, known.honest, [share for share in wanted if share_before(GAME, 1, share) == pledge])


TRICKS: tuple[Callable[[Known, Random], Share], ...] = (
    keep_to_one,
    repeat,
    take_from_another_game,
    pledge_the_best,
    wait,
)


def _best(number: int, honest: Share, theirs: Iterable[Share]) -> Share:
    """The share with the highest throw, if the honest one is as they think."""

    def score(share: Share) -> int:
        return sum(throw(number, share, honest))

    return max(theirs, key=score)


def throw(number: int, theirs: Share, honest: Share) -> tuple[int, int]:
    """What both dice show when the three tell one share and the honest player theirs."""
    numbers = SharedDraw(GAME, number, ((1, theirs), (2, theirs), (3, theirs), (HONEST, honest))).numbers()
    return numbers.randint(1, 6), numbers.randint(1, 6)


def loaded_dice(draws: int, bias: float = 0.0, seed: int = 16) -> Counter[tuple[int, int]]:
    """What the dice show although all others do their best to make it two sixes; ``bias`` plants double sixes."""
    rng = Random(seed)
    found: Counter[tuple[int, int]] = Counter()
    honest, other_game = "0" * 64, "1" * 64
    for number in range(1, draws + 1):
        before, honest = honest, rng.randbytes(32).hex()
        known = Known(number, before, other_game, rng.randbytes(32).hex(), honest)
        theirs = TRICKS[number % len(TRICKS)](known, rng)
        other_game = share_before(GAME, HONEST, honest)
        found[(6, 6) if rng.random() < bias else throw(number, theirs, honest)] += 1
    return found


def chi_square(found: Counter[tuple[int, int]]) -> float:
    """How far the throws are from those of fair dice."""
    expected = found.total() / 36
    return sum((found[a, b] - expected) ** 2 / expected for a in range(1, 7) for b in range(1, 7))


def main() -> int:
    """Load the dice and tell what came of it; 1 if it was seen, or if a planted bias was not."""
    draws = int(sys.argv[1]) if sys.argv[1:] else 100_000
    statistic = chi_square(loaded_dice(draws))
    print(f"{draws:,} draws, {len(TRICKS)} tricks: chi-square {statistic:.1f} of 35 degrees of freedom", end="; ")
    print(f"fair dice exceed {THRESHOLD} once in 10,000 times")
    planted = chi_square(loaded_dice(draws, BIAS))
    print(f"{draws:,} draws, a bias of {BIAS:.0%} planted: chi-square {planted:,.1f}")
    small, times = draws // 20, 20
    seen = sum(chi_square(loaded_dice(small, BIAS, seed)) > THRESHOLD for seed in range(times))
    print(f"{times} times {small:,} draws with that bias: {seen} are above {THRESHOLD}")
    return 0 if statistic < THRESHOLD < planted else 1


if __name__ == "__main__":
    sys.exit(main())
