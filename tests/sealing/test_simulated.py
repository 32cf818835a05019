"""Zero knowledge: whoever may choose the answers of the hash makes every message without any secret.

So a message tells nothing but its statement: what it is made of are uniform points and scalars. The simulators choose
challenges and responses, compute the first message backwards, and have the hash answer with the challenge there.
"""

from collections.abc import Sequence
from random import Random

import pytest

from catan_p2p.game.cards import pack
from catan_p2p.sealing import cards, deck, hands, leaving, shuffle, theft
from catan_p2p.sealing.group import BASE, ORDER, Point, ProofRefused, joined, minus, times
from catan_p2p.sealing.hands import ResealedHand
from catan_p2p.sealing.linear import LinearEquation
from catan_p2p.sealing.transcript import ProofContext, ProofTranscript

HERE = ProofContext("ab" * 20, 1, "cd" * 20)
JOINT = times(77, BASE)


class Simulator:
    """Makes messages from nothing."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.answers: dict[tuple[str, tuple[Point, ...]], int] = {}
        self.rng = Random(1)
        real = ProofTranscript.challenge
        monkeypatch.setattr(
            ProofTranscript,
            "challenge",
            lambda about, points: self.answers.get((about._text, tuple(points))) or real(about, points),
        )

    def scalar(self) -> int:
        return self.rng.randrange(1, ORDER)

    def point(self) -> Point:
        return times(self.scalar(), BASE)

    def points(self, count: int) -> tuple[Point, ...]:
        return tuple(self.point() for _ in range(count))

    def linear(self, about: ProofTranscript, equations: Sequence[LinearEquation], count: int) -> bytes:
        challenge, responses = self.scalar(), [self.scalar() for _ in range(count)]
        first = tuple(minus(one.side(responses), times(challenge, one.point)) for one in equations)
        self.answers[about.with_more(equations)._text, first] = challenge
        return joined((), (challenge, *responses))

    def log(self, about: ProofTranscript, point: Point) -> bytes:
        return self.linear(about, [LinearEquation(point, ((0, BASE),))], 1)

    def kind(self, about: ProofTranscript, card: Point, among: Sequence[int]) -> bytes:
        parts, responses = ([self.scalar() for _ in among] for _ in range(2))
        first = tuple(
            minus(times(s, BASE), times(c, minus(card, cards.kinds()[k])))
            for k, c, s in zip(among, parts, responses, strict=True)
        )
        self.answers[about.with_more(card, [cards.kinds()[k] for k in among])._text, first] = sum(parts) % ORDER
        return joined((), (*parts, *responses))

    def resealing(self, context: ProofContext, what: ResealedHand) -> bytes:
        new = self.points(what.left)
        proofs = [
            self.kind(what.about(context, "card").with_more(new, n), card, what.among) for n, card in enumerate(new)
        ]
        return b"".join((*new, *proofs, self.log(what.about(context, "balance").with_more(new), what.balance(new))))


@pytest.fixture
def simulator(monkeypatch: pytest.MonkeyPatch) -> Simulator:
    return Simulator(monkeypatch)


@pytest.mark.parametrize("without", [None, 3])
def test_sealed_hands_are_made_by_who_holds_nothing(simulator: Simulator, without: int | None) -> None:
    what = ResealedHand(simulator.points(4), pack((1, 0, 0, 0, 0)), pack((0, 0, 0, 2, 0)), without)
    message = simulator.resealing(HERE, what)
    assert hands.read_resealing(HERE, what, message) == tuple(message[at : at + 32] for at in (0, 32, 64))
    simulator.answers.clear()
    assert isinstance(hands.read_resealing(HERE, what, message), ProofRefused)


def test_answers_to_thefts_are_made_by_who_holds_nothing(simulator: Simulator) -> None:
    what = ResealedHand(simulator.points(3))
    message = simulator.resealing(HERE, what) + joined([simulator.point()], [simulator.scalar() for _ in range(3)])
    assert isinstance(theft.read_answer(HERE, what, message), theft.VictimAnswer)


def test_places_and_keys_are_proven_by_who_knows_none(simulator: Simulator) -> None:
    choice = simulator.point()
    about = ProofTranscript(HERE, "place", choice, 2)
    proof = simulator.log(about, minus(choice, theft._marked(2)))
    assert theft.place_problem(HERE, choice, 3, 2, proof) is None
    key = simulator.point()
    assert deck.read_key(HERE, "deck", key + simulator.log(ProofTranscript(HERE, "deck"), key)) == key


def test_shares_of_decryptions_and_meetings_are_made_by_who_has_no_key(simulator: Simulator) -> None:
    card, key, share = deck.EncryptedCard(*simulator.points(2)), simulator.point(), simulator.point()
    proof = simulator.linear(ProofTranscript(HERE, "share", card), deck._share(card, key, share), 1)
    assert deck.read_share(HERE, card, key, share + proof) == share
    own, other, met = simulator.points(3)
    proof = simulator.linear(ProofTranscript(HERE, "meeting", other), leaving._meeting(own, other, met), 1)
    assert not isinstance(leaving.shown_piece(HERE, own, other, met + proof, 1, 2), ProofRefused)


def test_shuffles_are_made_by_who_knows_no_order(simulator: Simulator) -> None:
    old = deck.new_deck(pack((1, 0, 0, 2, 0)), [JOINT])
    new = tuple(deck.EncryptedCard(*simulator.points(2)) for _ in old)
    places, chain = simulator.points(3), simulator.points(3)
    about = ProofTranscript(HERE, "shuffle", JOINT, old, new, places)
    equations = shuffle._equations(JOINT, old, new, places, chain, shuffle._challenges(about, 3))
    message = joined([point for card in new for point in card] + [*places, *chain])
    message += simulator.linear(about, equations, shuffle._secrets(3))
    assert shuffle.read_shuffle(HERE, JOINT, old, message) == new


def test_a_choice_fits_every_place() -> None:
    """For each place there is one hiding factor that makes the same point: it tells nothing, whoever looks."""
    theft_log = 12345  # as if somebody knew T as a multiple of the base
    for place in range(5):
        hiding = 999 + (3 - place) * theft_log
        point = times((hiding + place * theft_log) % ORDER, BASE)
        assert point == times((999 + 3 * theft_log) % ORDER, BASE)
