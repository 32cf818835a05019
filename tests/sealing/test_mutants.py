"""Messages that were changed are refused, each with a reason and without an exception."""

from random import Random

import pytest

from catan_p2p.sealing.group import BASE, IDENTITY, ORDER
from tests.sealing.messages import Message, all_messages

NAMES = tuple(name for name in all_messages() if name != "choice")
"""All but the choice: any other point would be a choice as well."""


def covered_from(message: Message) -> int:
    """Where those bytes of a message begin that only the robber can check."""
    return len(message.data) - 160 if message.name == "answer" else len(message.data)


def mutant(message: Message, rng: Random) -> bytes:
    """The message with one mistake."""
    data = bytearray(message.data)
    at = 32 * rng.randrange(covered_from(message) // 32)
    match rng.randrange(8):
        case 0:
            data[at + rng.randrange(32)] ^= 1 << rng.randrange(8)
        case 1:
            data[at : at + 32] = rng.randbytes(32)
        case 2:
            data[at : at + 32] = rng.choice([IDENTITY, BASE, ORDER.to_bytes(32, "little"), b"\xff" * 32])
        case 3:
            other = 32 * rng.randrange(len(data) // 32)
            data[at : at + 32], data[other : other + 32] = data[other : other + 32], data[at : at + 32]
        case 4:
            scalar = int.from_bytes(data[at : at + 32], "little") + rng.choice([1, -1, ORDER])
            data[at : at + 32] = (scalar % 2**256).to_bytes(32, "little")
        case 5:
            del data[rng.randrange(len(data)) :]
        case 6:
            data += rng.randbytes(rng.choice([1, 32]))
        case 7:
            donor = all_messages()[rng.choice(NAMES)].data
            data[at : at + 32] = donor[:32]
    return bytes(data)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("times", [100, pytest.param(10_000, marks=pytest.mark.soak)])
def test_changed_messages_are_refused(name: str, times: int) -> None:
    message, rng = all_messages()[name], Random(f"{name} 1")
    for _ in range(times):
        data = mutant(message, rng)
        if data != message.data:
            assert message.problem(data), data.hex()


@pytest.mark.parametrize("name", all_messages())
def test_what_is_no_message_at_all_is_refused(name: str) -> None:
    message, rng = all_messages()[name], Random(name)
    for size in (0, 1, 31, 33, len(message.data) - 1, len(message.data) + 1, 100_000):
        assert message.problem(rng.randbytes(size))
    assert message.problem(bytes(len(message.data)))
    assert message.problem(b"\xff" * len(message.data))
