"""Soundness: whoever answers two challenges to one first message knows the secrets, for they can be computed from both.

The extractor runs the prover twice with the same key, so that the first message is the same, and has the hash answer
otherwise the second time.
"""

from collections import Counter
from collections.abc import Callable

import pytest

from catan_p2p.game.cards import pack
from catan_p2p.sealing import deck, hands, shuffle, theft
from catan_p2p.sealing.cards import CardOpening, kind_proof_bytes
from catan_p2p.sealing.group import BASE, ORDER, times
from catan_p2p.sealing.hands import ResealedHand
from catan_p2p.sealing.linear import LOG_PROOF_BYTES
from catan_p2p.sealing.transcript import ProofContext, ProofTranscript

HERE = ProofContext("ab" * 20, 1, "cd" * 20)
KEY = b"k" * 32
CHALLENGES = (1234567, 7654321)


@pytest.fixture
def twice(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], bytes]], tuple[list[int], list[int]]]:
    """What a prover says to two challenges, as numbers."""

    def run(prover: Callable[[], bytes]) -> tuple[list[int], list[int]]:
        found = []
        for challenge in CHALLENGES:
            monkeypatch.setattr(ProofTranscript, "challenge", lambda about, points, challenge=challenge: challenge)
            found.append(numbers(prover()))
        return found[0], found[1]

    return run


def numbers(data: bytes) -> list[int]:
    return [int.from_bytes(data[at : at + 32], "little") for at in range(0, len(data), 32)]


def secret(responses: tuple[int, int], challenges: tuple[int, int]) -> int:
    return (responses[0] - responses[1]) * pow(challenges[0] - challenges[1], -1, ORDER) % ORDER


def extracted(one: list[int], other: list[int]) -> list[int]:
    """The secrets of a linear proof."""
    return [secret(pair, (one[0], other[0])) for pair in zip(one[1:], other[1:], strict=True)]


def test_the_hand_comes_out_of_its_proofs(twice: Callable[..., tuple[list[int], list[int]]]) -> None:
    first = tuple(CardOpening(kind, 100 + kind) for kind in (0, 0, 1, 4))
    what = ResealedHand(tuple(one.card() for one in first), pack((0, 0, 1, 0, 0)), pack((1, 0, 0, 0, 0)))
    one, other = twice(lambda: hands.reseal(HERE, what, first, KEY)[0])
    assert one[: what.left] == other[: what.left]
    size = kind_proof_bytes(what.among) // 32
    openings = []
    for number in range(what.left):
        start = what.left + number * size
        parts = [(one[at], other[at]) for at in range(start, start + 5)]
        (kind,) = (kind for kind, pair in enumerate(parts) if pair[0] != pair[1])
        responses = one[start + 5 + kind], other[start + 5 + kind]
        openings.append(CardOpening(kind, secret(responses, parts[kind])))
    new = tuple(openings)
    assert b"".join(opening.card() for opening in new) == b"".join(n.to_bytes(32, "little") for n in one[: what.left])
    assert Counter(opening.kind for opening in new) == Counter([0, 1, 2, 4])
    proof = LOG_PROOF_BYTES // 32
    (blind,) = extracted(one[-proof:], other[-proof:])
    assert times(blind, BASE) == what.balance(tuple(opening.card() for opening in new))


def test_keys_and_hiding_factors_come_out_of_their_proofs(
    twice: Callable[..., tuple[list[int], list[int]]],
) -> None:
    assert extracted(*twice(lambda: deck.key_message(HERE, "deck", 4711, KEY)[32:])) == [4711]
    card = deck.EncryptedCard(times(5, BASE), times(6, BASE))
    assert extracted(*twice(lambda: deck.share_message(HERE, card, 4711, KEY)[32:])) == [4711]
    assert extracted(*twice(lambda: theft.prove_place(HERE, theft.RobberChoice(2, 815), KEY))) == [815]


def test_the_order_comes_out_of_the_proof_of_a_shuffle(
    twice: Callable[..., tuple[list[int], list[int]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three runs with other challenges for the cards, each answered twice, tell the matrix that was committed to."""
    old, joint = deck.new_deck(pack((1, 1, 0, 1, 0)), [times(9, BASE)]), times(9, BASE)
    columns = []
    for unit in range(3):
        asked = [1 if number == unit else 0 for number in range(3)]
        monkeypatch.setattr(ProofTranscript, "hashed", lambda about, word, number, asked=asked: asked[number])
        one, other = twice(lambda: shuffle.shuffle(HERE, joint, old, KEY)[0])
        assert one[: 3 * 3] == other[: 3 * 3]
        columns.append(extracted(one[4 * 3 :], other[4 * 3 :])[4 + 3 :])
    order = ProofTranscript(HERE, "shuffle", joint, old).order(KEY, 3)
    assert [[columns[j][i] for j in range(3)] for i in range(3)] == [
        [int(order[i] == j) for j in range(3)] for i in range(3)
    ]
