"""What withholding a share gains, as docs/how-it-works/chance.md tells it: by arithmetic, and counted on draws."""

import re
from hashlib import sha256
from itertools import combinations
from pathlib import Path

import pytest

from catan_p2p.game.chance import Share, SharedDraw

GAMES = 3000
HONEST = 1


def chance_of(wish: float, sacrificed: int) -> float:
    """How likely one of 2^k outcomes is a wish of this probability."""
    return 1 - (1 - wish) ** 2**sacrificed


def dice(draw: SharedDraw) -> int:
    numbers = draw.numbers()
    return numbers.randint(1, 6) + numbers.randint(1, 6)


def outcomes(number: int, liars: int) -> list[int]:
    """What the dice of one draw show, by which of the colluding players are sacrificed; one player is honest."""
    shares = [Share(sha256(f"{number} {seat}".encode()).hexdigest()) for seat in range(1 + liars)]
    seats = range(HONEST + 1, HONEST + 1 + liars)
    kept = [left for count in range(liars + 1) for left in combinations(seats, count)]
    told = [tuple((seat, shares[seat - 1]) for seat in (HONEST, *left)) for left in kept]
    return [dice(SharedDraw("0" * 40, number, one)) for one in told]


@pytest.mark.parametrize("liars", range(4))
def test_k_players_who_can_be_sacrificed_choose_among_as_many_outcomes_as_they_have_subsets(liars: int) -> None:
    seen = [outcomes(number, liars) for number in range(1, GAMES + 1)]
    assert {len(one) for one in seen} == {2**liars}
    sevens = sum(7 in one for one in seen) / GAMES
    expected = chance_of(1 / 6, liars)
    assert abs(sevens - expected) < 4 * (expected * (1 - expected) / GAMES) ** 0.5


def test_the_documentation_tells_these_chances() -> None:
    text = (Path(__file__).parents[2] / "docs/how-it-works/chance.md").read_text("utf-8")
    section = " ".join(text.partition("## What withholding gains")[2].partition("\n## ")[0].split())
    told = r"(\d+) percent instead of (\d+) with one player who may be sacrificed, (\d+) with two and (\d+) with three"
    (found,) = re.findall(told, section)
    one, none, two, three = map(int, found)
    assert [none, one, two, three] == [round(100 * chance_of(1 / 6, liars)) for liars in range(4)]
    assert "1 - (1 - p)^(2^k)" in section
