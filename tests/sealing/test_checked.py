"""A proof is not checked twice in a process, and nothing else is taken for it."""

from collections.abc import Iterator

import pytest

from catan_p2p.game.cards import pack
from catan_p2p.sealing import checked, hands
from catan_p2p.sealing.checked import note, once
from catan_p2p.sealing.group import ProofRefused
from catan_p2p.sealing.hands import ResealedHand, read_resealing
from catan_p2p.sealing.transcript import ProofContext

HERE = ProofContext("ab" * 20, 1, "cd" * 20)
KEY = b"k" * 32
WHAT = ResealedHand((), pack((1, 1, 0, 0, 0)))


@pytest.fixture(autouse=True)
def nothing_known() -> Iterator[None]:
    checked.forget()
    yield
    checked.forget()


def test_what_was_checked_is_not_checked_again() -> None:
    seen: list[bytes] = []

    def check(message: bytes) -> bool:
        seen.append(message)
        return message == b"right"

    assert [once(check, word) for word in (b"right", b"wrong", b"right", b"wrong")] == [True, False, True, False]
    assert seen == [b"right", b"wrong"]


def test_a_message_with_another_byte_and_another_statement_are_checked() -> None:
    message, new = hands.reseal(HERE, WHAT, (), KEY)
    cards = tuple(opening.card() for opening in new)
    note(cards, read_resealing, HERE, WHAT, message)
    assert once(read_resealing, HERE, WHAT, message) == cards
    for at in (0, 40, 200, len(message) - 1):
        forged = message[:at] + bytes((message[at] ^ 1,)) + message[at + 1 :]
        assert isinstance(once(read_resealing, HERE, WHAT, forged), ProofRefused), at
    for context in (HERE._replace(seat=2), HERE._replace(commit="ef" * 20), HERE._replace(game="ef" * 20)):
        assert isinstance(once(read_resealing, context, WHAT, message), ProofRefused), context
    for what in (WHAT._replace(added=pack((2, 0, 0, 0, 0))), WHAT._replace(old=cards, added=0)):
        assert isinstance(once(read_resealing, HERE, what, message), ProofRefused), what


def test_one_check_does_not_answer_for_another() -> None:
    def holds(message: bytes) -> bool:
        return True

    def fails(message: bytes) -> bool:
        return False

    assert (once(holds, b"word"), once(fails, b"word")) == (True, False)


def test_a_refusal_is_not_forgotten_for_what_was_made() -> None:
    message, _ = hands.reseal(HERE, WHAT, (), KEY)
    assert isinstance(once(read_resealing, HERE._replace(seat=2), WHAT, message), ProofRefused)
    assert once(read_resealing, HERE, WHAT, message) == read_resealing(HERE, WHAT, message)


def test_the_oldest_results_make_room() -> None:
    seen: list[int] = []

    def check(number: int) -> int:
        seen.append(number)
        return number

    for number in range(checked.MOST + 3):
        once(check, number)
    assert len(checked._results) == checked.MOST
    once(check, checked.MOST + 2)
    once(check, 0)
    assert seen == [*range(checked.MOST + 3), 0]
