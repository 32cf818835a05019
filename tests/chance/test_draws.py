"""What shares make: the vectors of the log format, computed three ways; dice that no league can load."""

import hashlib
import re
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest

from catan_p2p.game.chance import CHAIN_LENGTH, ChanceUsedUp, ShareChain, SharedDraw, is_share, share_before
from tests.chance.loading import BIAS, THRESHOLD, Known, chi_square, loaded_dice, wait

TEXT = Path(__file__).with_name("vectors.txt").read_text(encoding="utf-8")
VECTORS = dict(re.findall(r"^(\w+) = ([0-9a-f]+)$", TEXT, re.MULTILINE))
GAME = VECTORS["game"]


def by_hashlib(*lines: object) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def by_shell(*lines: object) -> str:
    if shutil.which("sha256sum") is None:
        pytest.skip("there is no sha256sum here")
    text = "".join(f"{line}\n" for line in lines)
    return subprocess.run(["sha256sum"], input=text, capture_output=True, text=True, check=True).stdout[:64]


@pytest.mark.parametrize("digest", [by_hashlib, by_shell])
def test_vectors_of_the_log_format(digest) -> None:  # type: ignore[no-untyped-def]
    assert digest("catan-p2p chain 1", GAME, 1, VECTORS["x2"]) == VECTORS["x1"] == share_before(GAME, 1, VECTORS["x2"])
    assert digest("catan-p2p chain 1", GAME, 1, VECTORS["x1"]) == VECTORS["x0"]
    assert digest("catan-p2p chain 1", GAME, 2, VECTORS["y2"]) == VECTORS["y1"]
    draw = SharedDraw(GAME, 1, ((1, VECTORS["x1"]), (2, VECTORS["y1"])))
    for number in (0, 1):
        shares = (f"1 {VECTORS['x1']}", f"2 {VECTORS['y1']}")
        assert digest("catan-p2p draw 1", GAME, 1, number, *shares) == VECTORS[f"block{number}"] == draw.block(number)
    numbers = draw.numbers()
    assert [numbers.randint(1, 6), numbers.randint(1, 6)] == [3, 5]
    assert digest("catan-p2p roll chain 1", GAME, 1, VECTORS["x2"]) == VECTORS["r1"]
    assert share_before(GAME, 1, VECTORS["x2"], of_rolls=True) == VECTORS["r1"]
    shares = ((1, VECTORS["x2"]), (2, VECTORS["y2"]))
    lines = [f"{seat} {share}" for seat, share in shares]
    assert digest("catan-p2p roll 1", GAME, 2, 0, *lines) == VECTORS["rollblock"]
    roll = SharedDraw(GAME, 2, shares, is_ahead=True)
    assert roll.block(0) == VECTORS["rollblock"]
    assert [roll.numbers().randint(1, 6), int(roll.block(0)[8:16], 16) % 6 + 1] == [6, 2]
    assert ShareChain(GAME, 1, bytes(32), of_rolls=True).share(CHAIN_LENGTH) == VECTORS["rollend"]
    assert ShareChain(GAME, 1, bytes(32), VECTORS["nonce"], of_rolls=True).share(CHAIN_LENGTH) == VECTORS["rollfresh"]
    assert ShareChain(GAME, 1, bytes(32)).share(CHAIN_LENGTH) == VECTORS["end"]
    assert ShareChain(GAME, 1, bytes(32), VECTORS["nonce"]).share(CHAIN_LENGTH) == VECTORS["fresh"]


def test_every_share_leads_back_to_the_one_before() -> None:
    chain, same = ShareChain(GAME, 3, b"secret"), ShareChain(GAME, 3, b"secret")
    for number in (*range(1, 140), CHAIN_LENGTH):
        assert share_before(GAME, 3, chain.share(number)) == chain.share(number - 1)
        assert is_share(chain.share(number))
    assert same.share(7) == chain.share(7)
    assert len({ShareChain(*args).share(0) for args in ((GAME, 3, b"a"), (GAME, 2, b"a"), (GAME[::-1], 3, b"a"))}) == 3
    with pytest.raises(ChanceUsedUp, match=f"has had {CHAIN_LENGTH} draws"):
        chain.share(CHAIN_LENGTH + 1)


def test_words_that_would_favour_small_numbers_are_left_out() -> None:
    """Below 3 * 2 ** 30 every third of the words must count, and a quarter of them not at all."""
    draw = SharedDraw(GAME, 2, ((1, VECTORS["x1"]),))
    words = [int(draw.block(i)[at : at + 8], 16) for i in range(40) for at in range(0, 64, 8)]
    limit = 3 << 30
    kept = [word for word in words if word < limit]
    assert len(kept) < len(words)
    numbers = draw.numbers()
    assert [numbers.randrange(limit) for _ in kept[:200]] == kept[:200]


@pytest.mark.long
@pytest.mark.parametrize("draws", [100_000, pytest.param(1_000_000, marks=pytest.mark.soak)])
def test_three_of_four_cannot_load_the_dice(draws: int, record_property) -> None:  # type: ignore[no-untyped-def]
    statistic = chi_square(loaded_dice(draws))
    record_property("chi_square", statistic)
    assert statistic < THRESHOLD


def test_a_bias_of_two_in_a_hundred_would_be_seen() -> None:
    assert chi_square(loaded_dice(20_000, BIAS)) > 2 * THRESHOLD


def test_who_waits_finds_nothing_better_than_what_was_pledged() -> None:
    rng = Random(1)
    for number in range(1, 50):
        pledged, honest = rng.randbytes(32).hex(), rng.randbytes(32).hex()
        assert wait(Known(number, "0" * 64, "1" * 64, pledged, honest), rng) == pledged
