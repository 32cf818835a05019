"""Hands are sealed, paid from, robbed and read again from the log by whoever has the key, and by nobody else."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catan_p2p.game.cards import pack, unpack
from catan_p2p.sealing import group, hands, theft
from catan_p2p.sealing.cards import CardOpening
from catan_p2p.sealing.group import ProofRefused
from catan_p2p.sealing.hands import ResealedHand
from catan_p2p.sealing.transcript import ProofContext

GAME = "ab" * 20
OWNER, ROBBER = ProofContext(GAME, 1, "cd" * 20), ProofContext(GAME, 2, "ef" * 20)
KEY, OTHER_KEY = b"k" * 32, b"o" * 32
COUNTS = st.lists(st.integers(0, 2), min_size=5, max_size=5)


def sealed(counts: tuple[int, ...], context: ProofContext = OWNER) -> tuple[tuple[bytes, ...], tuple[CardOpening, ...]]:
    what = ResealedHand((), pack(counts))
    message, openings = hands.reseal(context, what, (), KEY)
    cards = hands.read_resealing(context, what, message)
    assert not isinstance(cards, ProofRefused), cards
    return cards, openings


@settings(max_examples=25)
@given(COUNTS, COUNTS, st.randoms(use_true_random=False))
def test_what_is_left_is_what_was_there_less_what_was_paid(held: list[int], added: list[int], rng: Random) -> None:
    cards, openings = sealed(tuple(held))
    paid = [rng.randint(0, a + b) for a, b in zip(held, added, strict=True)]
    what = ResealedHand(cards, pack(added), pack(paid))
    message, new = hands.reseal(OWNER._replace(commit="12" * 20), what, openings, KEY)
    read = hands.read_resealing(OWNER._replace(commit="12" * 20), what, message)
    assert read == tuple(one.card() for one in new)
    left = tuple(a + b - c for a, b, c in zip(held, added, paid, strict=True))
    assert unpack(hands.counted(new)) == left


def test_what_is_not_held_cannot_be_paid() -> None:
    cards, openings = sealed((1, 1, 0, 0, 0))
    with pytest.raises(ValueError, match="cannot pay"):
        hands.reseal(OWNER, ResealedHand(cards, paid=pack((0, 0, 1, 0, 0))), openings, KEY)
    with pytest.raises(ValueError, match="3 cards are paid, but the hand has 2 sealed"):
        hands.reseal(OWNER, ResealedHand(cards, paid=pack((3, 0, 0, 0, 0))), openings, KEY)
    with pytest.raises(ValueError, match="do not match the sealed cards"):
        hands.reseal(OWNER, ResealedHand(cards), openings[:1], KEY)


def test_a_monopoly_takes_all_of_a_kind() -> None:
    cards, openings = sealed((2, 1, 0, 0, 0))
    for paid in (0, 1):
        with pytest.raises(ValueError, match="keep none of kind 0"):
            hands.reseal(OWNER, ResealedHand(cards, paid=pack((paid, 0, 0, 0, 0)), without=0), openings, KEY)
    what = ResealedHand(cards, paid=pack((2, 0, 0, 0, 0)), without=0)
    message, new = hands.reseal(OWNER, what, openings, KEY)
    assert hands.read_resealing(OWNER, what, message) == (new[0].card(),)


def test_the_largest_hand_fits_a_file_of_the_log_and_a_larger_one_is_refused() -> None:
    from catan_p2p.limits import MAX_OBJECT_BYTES

    largest = ResealedHand((), pack((24, 24, 24, 24, 24)))
    assert largest.left <= hands.MAX_SEALED_CARDS
    in_a_theft = largest.message_bytes() + (1 + largest.left) * group.SIZE_BYTES
    assert in_a_theft < MAX_OBJECT_BYTES
    too_large = ResealedHand((), pack((30, 30, 30, 30, 30)))
    assert isinstance(found := hands.read_resealing(OWNER, too_large, b""), ProofRefused)
    assert found.reason == "150 sealed cards, expected at most 128"


def test_a_theft_moves_the_card_that_was_drawn() -> None:
    held, seen = (1, 2, 0, 1, 0), Counter[int]()
    for number in range(40):
        robber = ROBBER._replace(commit=f"{number:040x}")
        choice = theft.choose(robber, 1, 4, OTHER_KEY)
        point = theft.read_choice(4, choice.point())
        assert not isinstance(point, ProofRefused)
        what = ResealedHand((), pack(held))
        message, new = theft.answer(OWNER, what, (), point, KEY)
        told = theft.read_answer(OWNER, what, message)
        assert not isinstance(told, ProofRefused)
        assert theft.uncovered(OWNER, told, choice) == new[choice.place]
        seen[new[choice.place].kind] += 1
        proof = theft.prove_place(robber, choice, OTHER_KEY)
        assert theft.place_problem(robber, point, 4, choice.place, proof) is None
        for other in set(range(4)) - {choice.place}:
            assert theft.place_problem(robber, point, 4, other, proof) is not None
            assert theft.uncovered(OWNER, told, theft.RobberChoice(other, choice.hiding)) is None
        assert theft.accusation_problem(OWNER, point, told, choice) == "the victim told the chosen card"
    assert set(seen) == {0, 1, 3}


def test_one_draws_the_same_for_the_same_commit_and_nothing_alike_for_another_decision() -> None:
    """A player whose disk is lost may decide otherwise: what was shown before must tell nothing more then."""
    cards, openings = sealed((1, 1, 1, 0, 0))
    brick, wool = (ResealedHand(cards, paid=pack(paid)) for paid in ((0, 1, 0, 0, 0), (0, 0, 1, 0, 0)))
    assert hands.reseal(OWNER, brick, openings, KEY) == hands.reseal(OWNER, brick, openings, KEY)
    words = [hands.reseal(OWNER, what, openings, KEY)[0] for what in (brick, wool)]
    shown = [{message[at : at + 32] for at in range(0, len(message), 32)} for message in words]
    assert not shown[0] & shown[1]


def test_new_cards_are_in_any_order() -> None:
    what = ResealedHand((), pack((1, 0, 1, 0, 1)))
    orders = {
        tuple(one.kind for one in hands.reseal(OWNER._replace(commit=f"{number:040x}"), what, (), KEY)[1])
        for number in range(60)
    }
    assert len(orders) == 6


HANDS = [(7, 0, 0, 0, 0), (0, 0, 0, 0, 7), (1, 1, 1, 2, 2)]


def test_neither_size_nor_work_depend_on_the_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the answer to a theft, by hands of seven: its size, and how often the library is called for what."""
    point = theft.choose(ROBBER, 1, 7, OTHER_KEY).point()
    seen = []
    for counts in HANDS:
        first = [CardOpening(kind, 5 + n) for n, kind in enumerate(k for k in range(5) for _ in range(counts[k]))]
        what = ResealedHand(tuple(one.card() for one in first))
        calls = Counter[str]()

        class Counting:
            def __getattr__(self, name: str, calls: Counter[str] = calls) -> object:
                import rbcl

                calls[name] += 1
                return getattr(rbcl, name)

        with monkeypatch.context() as patched:
            patched.setattr(group, "_library", Counting)
            message, _ = theft.answer(OWNER, what, tuple(first), point, KEY)
        seen.append((len(message), calls))
    assert seen[0] == seen[1] == seen[2]
    assert sum(seen[0][1].values()) > 100
