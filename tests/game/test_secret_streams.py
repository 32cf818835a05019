"""Seeds that nobody gave by hand: at least 128 bits, generators that nobody can recompute, and no trace of either."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

import pytest

from catan_p2p.cli import lmu as lmu_verbs
from catan_p2p.cli.main import main
from catan_p2p.game import secret_streams
from catan_p2p.game.actions import RollDice
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.randomness import SeededRandomness
from catan_p2p.game.secret_streams import (
    SECRET_BITS,
    SecretRandomness,
    SecretStream,
    is_secret,
    randomness_named,
    seat_randomness,
    secret_seed,
    seed_for,
    stream_of,
)
from catan_p2p.lmu.game import GitGame
from catan_p2p.replication.peer import PeerFinding, Randomness
from catan_p2p.simulation.findings import FindingLog, describe_finding, read_findings, spell_finding
from catan_p2p.tables.seat import read_settings
from tests.replication.tables import all_objects

ROOT = Path(__file__).parents[2]
ROLLS = 11
"""So many public rolls were enough to find a seed of 32 bits."""


def rolls(randomness: Randomness, count: int) -> list[tuple[int, int]]:
    """What a table's dice show, in the turns of four players."""
    return [
        (rng.randint(1, 6), rng.randint(1, 6))
        for height in range(count)
        for rng in [randomness(height, height % 4 + 1)]
    ]


def seeds_that_fit(
    seen: list[tuple[int, int]], seeds: Iterable[int], of: Callable[[int, int], Randomness]
) -> list[int]:
    """The attack: every seed of a space that makes the rolls that everybody at the table has seen."""
    return [seed for seed in seeds if rolls(of(seed, 0), len(seen)) == seen]


def test_who_can_try_every_seed_foretells_every_roll() -> None:
    """A seed given by hand hides nothing: eleven rolls tell it, and it tells ninety-six more."""
    seeds = range(3000, 3600)
    table = seat_randomness(3141, 0)
    (found,) = seeds_that_fit(rolls(table, ROLLS), seeds, SeededRandomness)
    assert rolls(SeededRandomness(found, 0), ROLLS + 96) == rolls(table, ROLLS + 96)


def test_no_seed_that_can_be_tried_makes_the_rolls_of_a_secret() -> None:
    seen = rolls(seat_randomness(secret_seed(), 0), ROLLS)
    for of in (SeededRandomness, SecretRandomness):
        assert seeds_that_fit(seen, range(600), of) == []


def test_every_bit_of_a_secret_matters() -> None:
    """So there is no smaller space of seeds behind it."""
    seed = secret_seed()
    others = [seed, *(seed ^ 1 << bit for bit in range(SECRET_BITS))]
    assert all(is_secret(other) for other in others)
    assert len({tuple(rolls(seat_randomness(other, 0), 30)) for other in others}) == len(others)
    assert len({seed_for(other, "map") for other in others}) == len(others)


def test_a_secret_holds_so_many_bits_of_the_systems_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def randbits(k: int) -> int:
        asked.append(k)
        return 5

    monkeypatch.setattr(secret_streams.secrets, "randbits", randbits)
    assert secret_seed() == (1 << 128) + 5
    assert asked == [128]


OPEN = {"randomness.py"}
"""Seeds that are printed, whoever asks: what is played with them is nobody's game."""


def test_nothing_else_draws_seeds() -> None:
    found = set()
    for path in (*ROOT.glob("catan_p2p/**/*.py"), *ROOT.glob("visualizer/**/*.py")):
        if re.search(r"secrets\.randbits|SystemRandom|secrets\.randbelow", path.read_text("utf-8")):
            found.add(path.name)
    assert found == OPEN | {"secret_streams.py"}


def untempered(word: int) -> int:
    """The word of the state that a word of ``random.Random`` comes from."""
    word ^= word >> 18
    word ^= word << 15 & 0xEFC60000
    low = word
    for _ in range(5):
        low = word ^ (low << 7 & 0x9D2C5680)
    high = low
    for _ in range(3):
        high = low ^ high >> 11
    return high & 0xFFFFFFFF


def foretold(rng: Random) -> bool:
    """Whether 624 words tell the words that follow."""
    state = tuple(untempered(rng.getrandbits(32)) for _ in range(624))
    clone = Random()
    clone.setstate((3, (*state, 624), None))
    return [clone.getrandbits(32) for _ in range(20)] == [rng.getrandbits(32) for _ in range(20)]


def test_what_was_drawn_tells_nothing_of_what_will_be() -> None:
    assert foretold(stream_of(7, "dice")), "the attack works where it can"
    assert not foretold(stream_of(secret_seed(), "dice"))


def test_the_state_of_a_secret_stream_is_not_to_be_had() -> None:
    stream = SecretStream(b"key")
    for peep in (stream.getstate, lambda: stream.setstate((3, (), None))):
        with pytest.raises(NotImplementedError):
            peep()
    stream.seed(5)
    assert stream.random() == SecretStream(b"key").random()


def test_a_secret_stream_is_a_generator_like_any_other() -> None:
    one, same = SecretStream(b"key"), SecretStream(b"key")
    for rng in (one, same):
        rng.drawn = [rng.randint(1, 6), rng.choice("abc"), rng.sample(range(9), 4), rng.random(), rng.getrandbits(0)]  # type: ignore[attr-defined]
        rng.shuffle(rng.drawn)  # type: ignore[attr-defined]
    assert one.drawn == same.drawn  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="non-negative"):
        one.getrandbits(-1)
    counts = Counter(SecretStream(b"dice").choices(range(36), k=36_000))
    # With 35 degrees of freedom, fair dice exceed 75.1 once in ten thousand times; the key is fixed.
    assert sum((counts[n] - 1000) ** 2 / 1000 for n in range(36)) < 75.1


def test_no_stream_of_a_secret_is_another() -> None:
    seed = secret_seed()
    streams = [stream_of(seed, purpose) for purpose in ("0/dice", "0/seats", "0/1", "1/dice")]
    streams += [
        SecretRandomness(seed, game)(height, player) for game in (0, 1) for height in (1, 2) for player in (1, 2)
    ]
    assert len({stream.getrandbits(128) for stream in streams}) == len(streams)


def test_a_seed_given_by_hand_makes_what_it_has_always_made() -> None:
    for seed in (0, 7, -3, (1 << 64) - 1):
        assert rolls(seat_randomness(seed, 2), 5) == rolls(SeededRandomness(seed, 2), 5)
        assert stream_of(seed, "0/dice").random() == Random(f"{seed}/0/dice").random()
        assert seed_for(seed, "map") == seed
    big = 1 << 100
    assert rolls(randomness_named("logical")(big, 2), 5) == rolls(SeededRandomness(big, 2), 5)
    assert rolls(randomness_named("wall")(big, 2), 5) == rolls(SecretRandomness(big, 2), 5)


def test_a_served_game_tells_nobody_the_secret_that_it_is_drawn_from(tmp_path: Path) -> None:
    seed = secret_seed()
    colours = ("Red", "Blue", "Green")
    game = GitGame(tmp_path / "Catan_0", 0, seed, new_constants("brief", colours), colours, lambda height: height)
    game.finish()
    texts = [file.read_bytes() for file in (tmp_path / "Catan_0").rglob("*") if file.is_file()]
    texts += [data for _, _, data in all_objects(tmp_path / "Catan_0")]
    told = (str(seed), f"{seed:x}", str(seed_for(seed, "map")))
    assert not [text for text in texts for secret in told if secret.encode() in text]


@pytest.mark.parametrize("given", [None, 12])
def test_a_server_says_its_seed_only_where_it_was_given_one(
    given: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    served = []

    async def serve(server: object, addresses: object) -> int:
        served.append(server)
        return 0

    monkeypatch.setattr(lmu_verbs, "_serve", serve)
    seeds = [] if given is None else ["--seed", str(given)]
    assert main(["lmu", "serve", "--listen", "127.0.0.1:0", "--out", str(tmp_path / "games"), *seeds]) == 0
    assert len(served) == 1
    err = capsys.readouterr().err
    assert re.findall(r"seed (\d+)", err) == ([] if given is None else ["12"])


@pytest.mark.parametrize("given", [None, 12])
def test_a_new_game_says_the_seed_of_its_map_only_where_it_was_given_one(
    given: int | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seeds = [] if given is None else ["--seed", str(given)]
    assert main(["new-game", str(tmp_path / "Red"), "--players", "Red,Blue", "--map", "variable", *seeds]) == 0
    assert re.findall(r"seed (\d+)", capsys.readouterr().err) == ([] if given is None else ["12"])
    assert is_secret(read_settings(tmp_path / "Red").seed)


def test_a_finding_of_a_secret_seed_does_not_tell_it(tmp_path: Path) -> None:
    finding = PeerFinding("not_refused", "RollDice", "0" * 40, 1, RollDice(1, 8))
    line = describe_finding(finding, 0, None)
    assert "seed" not in spell_finding(line)
    log = FindingLog(tmp_path / "findings.jsonl", 0, None)
    log.record(finding)
    assert read_findings(tmp_path / "findings.jsonl") == [line]
