"""The test vectors, on which the program and the second implementation agree byte by byte.

python -m tests.sealing.test_vectors     # writes them anew
"""

import json
from hashlib import sha512
from pathlib import Path

import pytest

from catan_p2p.game.cards import DEV_CARDS, RESOURCES
from catan_p2p.sealing import group
from tests.sealing import plain
from tests.sealing.messages import all_messages

VECTORS = Path(__file__).with_name("vectors.json")
NAMES = tuple(all_messages())
GENERATORS = ("theft", "shuffle", "shuffle 1", *(f"resource {r}" for r in RESOURCES), *(f"card {c}" for c in DEV_CARDS))


def made() -> dict[str, str]:
    """What the vectors have to be."""
    points = {name: group.generator(name).hex() for name in GENERATORS}
    return {**points, **{name: one.data.hex() for name, one in all_messages().items()}}


def test_the_program_makes_the_vectors() -> None:
    assert made() == json.loads(VECTORS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_the_program_takes_what_it_makes(name: str) -> None:
    message = all_messages()[name]
    assert message.problem(message.data) is None


@pytest.mark.parametrize("name", NAMES)
def test_the_second_implementation_makes_the_vector(name: str) -> None:
    assert all_messages()[name].plain() == bytes.fromhex(json.loads(VECTORS.read_text(encoding="utf-8"))[name])


@pytest.mark.parametrize("name", NAMES)
def test_the_referee_takes_the_vector(name: str) -> None:
    all_messages()[name].judge()


@pytest.mark.parametrize("name", GENERATORS)
def test_both_make_the_same_generators(name: str) -> None:
    assert plain.generator(name).encode() == group.generator(name)


def test_both_count_in_the_same_group() -> None:
    factors = [1, 2, 3, group.ORDER - 1, *(int.from_bytes(sha512(bytes([n])).digest()) % group.ORDER for n in range(5))]
    for one in factors:
        point = group.times(one, group.BASE)
        assert (one * plain.BASE).encode() == point
        assert plain.decode(point) == one * plain.BASE
        for other in factors:
            theft = group.generator("theft")
            both = group.plus(group.times(other, theft), point), group.minus(group.times(other, theft), point)
            assert both == tuple(
                p.encode() for p in (other * plain.T + one * plain.BASE, other * plain.T - one * plain.BASE)
            )


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(made(), indent=1) + "\n", encoding="utf-8")
