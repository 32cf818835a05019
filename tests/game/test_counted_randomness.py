"""Randomness by hashes: known answers, a draw of its own for each purpose and number, none computed in advance."""

from collections import Counter
from hashlib import blake2b
from itertools import product
from random import Random
from typing import Any

import pytest

from catan_p2p.game import randomness
from catan_p2p.game.randomness import BlockStream, CountedRandomness, SeededRandomness


def test_known_answers() -> None:
    """As anybody can compute them with BLAKE2b: the low bits of a block's number, big-endian, come first."""
    chance = CountedRandomness(7, 3)
    key = blake2b(b"catan-p2p counted 1\n7\n3\n").digest()
    block = int.from_bytes(blake2b(b"luck RollDice\n1\n0\n", key=key).digest(), "big")
    assert chance.luck("RollDice").getrandbits(512) == block
    assert chance.luck("RollDice").getrandbits(64) == 0x6AF5D07B7B4DD66D
    assert chance.choice(12, 2).getrandbits(64) == 0x986FB92A4C58EC0F
    assert [chance.luck("dice").randint(1, 6) for _ in range(12)] == [1, 6, 3, 1, 2, 4, 4, 5, 2, 4, 3, 1]


def test_a_draw_goes_on_in_further_blocks() -> None:
    stream = CountedRandomness(7, 3).choice(0, 1)
    whole = stream.getrandbits(1200)
    again = CountedRandomness(7, 3).choice(0, 1)
    assert sum(again.getrandbits(100) << 100 * part for part in range(12)) == whole


def numbers(rng: Random) -> list[float]:
    return [rng.randint(1, 6), rng.random(), rng.choice((3, 5, 8)), *rng.sample(range(30), 3)]


def test_more_draws_for_one_purpose_change_no_other() -> None:
    plain, other = CountedRandomness(7, 3), CountedRandomness(7, 3)
    for count in range(1, 9):
        numbers(other.luck("BuyDevCard"))
        for _ in range(count):  # as many numbers of one draw as one likes
            other.choice(count, 1).getrandbits(90)
        assert numbers(plain.luck("RollDice")) == numbers(other.luck("RollDice"))
        assert numbers(plain.choice(count, 2)) == numbers(other.choice(count, 2))


def test_no_draw_is_another() -> None:
    drawn = []
    for seed, game in product((1, 2, 11), (0, 1, 11)):
        chance = CountedRandomness(seed, game)
        drawn += [chance.choice(number, player).getrandbits(128) for number in (1, 2, 11) for player in (1, 2)]
        drawn += [chance.luck(name).getrandbits(128) for name in ("a", "b") for _ in range(3)]
    assert len({*drawn}) == len(drawn)


def test_nothing_is_computed_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = CountedRandomness(7, 3)
    asked: list[bytes] = []

    def hashed(text: bytes, key: bytes) -> Any:
        asked.append(text)
        return blake2b(text, key=key)

    monkeypatch.setattr(randomness, "blake2b", hashed)
    rng = [chance.choice(0, 1), chance.luck("RollDice")][1]
    assert asked == []
    numbers(rng)
    assert asked == [b"luck RollDice\n1\n0\n"]


def test_dice_are_fair() -> None:
    chance = CountedRandomness(1, 0)
    counts = Counter(chance.luck("RollDice").randrange(36) for _ in range(36_000))
    # With 35 degrees of freedom, fair dice exceed 75.1 once in ten thousand times; the seed is fixed.
    assert sum((counts[n] - 1000) ** 2 / 1000 for n in range(36)) < 75.1


def test_a_stream_without_blocks_is_none() -> None:
    with pytest.raises(NotImplementedError):
        BlockStream().random()


def test_games_on_git_draw_as_from_a_generator_seeded_with_text() -> None:
    """Every state, also after what came before in the same generator: recorded games come out the same."""
    seeded = SeededRandomness(7, 3)
    for height in range(9):
        rng = seeded(height, 2)
        assert rng.getstate() == Random(f"7/3/{height}/2").getstate()
        assert rng.gauss(0, 1) == Random(f"7/3/{height}/2").gauss(0, 1)
