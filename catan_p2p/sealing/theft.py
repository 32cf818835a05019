"""The theft of one sealed card: only robber and victim learn which one it is, and neither can choose it alone.

The robber's choice ``b BASE + i T`` hides the place ``i`` perfectly. The victim reseals the hand and covers the opening
of each card, that of place ``j`` with a hash of ``r (choice - j T)``. The robber can compute only that of ``i``, as
``b (r BASE)``. This is oblivious transfer after Bellare and Micali (1989) and Naor and Pinkas (2001). It is secret if
the Diffie-Hellman problem is hard and the hash is a random function.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import accumulate, islice, repeat
from typing import NamedTuple

from catan_p2p.sealing.cards import CardOpening, opened
from catan_p2p.sealing.group import (
    BASE,
    IDENTITY,
    ORDER,
    SIZE_BYTES,
    ByteReader,
    MalformedBytes,
    Point,
    ProofRefused,
    Scalar,
    generator,
    joined,
    minus,
    plus,
    times,
)
from catan_p2p.sealing.hands import MAX_SEALED_CARDS, ResealedHand, read_resealing, reseal
from catan_p2p.sealing.linear import log_holds, prove_log
from catan_p2p.sealing.transcript import ProofContext, ProofTranscript


class RobberChoice(NamedTuple):
    """The robber's secret: the place of the chosen card, from 0, and the factor that hides it."""

    place: int
    hiding: Scalar

    def point(self) -> Point:
        """The published choice, of ``SIZE_BYTES`` bytes."""
        return _hidden(self)


class VictimAnswer(NamedTuple):
    """The victim's answer: the resealed hand, and what the robber needs to open one card of it."""

    cards: tuple[Point, ...]
    meeting: Point
    """``r BASE``."""
    covered: tuple[Scalar, ...]
    """For each card the blinding factor plus its pad."""


@cache
def _marks() -> tuple[Point, ...]:
    """A mark for each place: multiples of ``T``. All are made at once, so that a lookup leaks nothing by its time."""
    return tuple(accumulate((generator("theft"),) * (MAX_SEALED_CARDS - 1), plus, initial=IDENTITY))


def _marked(place: int) -> Point:
    return _marks()[place]


@lru_cache(maxsize=1 << 6)
def _hidden(choice: RobberChoice) -> Point:
    """The published choice; cached, since the robber needs it to choose, to read the answer and to prove the place."""
    return plus(times(choice.hiding, BASE), _marked(choice.place))


def choose(context: ProofContext, victim: int, count: int, key: bytes) -> RobberChoice:
    """Choose one of the victim's ``count`` cards at random; the context is the robber's."""
    about = ProofTranscript(context, "choice", victim, count)
    return RobberChoice(about.drawn(key, "place") % count, about.drawn(key, "hiding"))


def read_choice(count: int, message: bytes) -> Point | ProofRefused:
    """Read the robber's choice among ``count`` cards; refuse one that reveals at once which card it is."""
    try:
        point = ByteReader(message, SIZE_BYTES).point("the choice")
    except MalformedBytes as error:
        return ProofRefused(str(error))
    if any(point == _marked(place) for place in range(count)):
        return ProofRefused("the choice shows which card it is")
    return point


def _pad(
    context: ProofContext, choice: Point, cards: tuple[Point, ...], meeting: Point, place: int, met: Point
) -> Scalar:
    return ProofTranscript(context, "pad", choice, cards, meeting, place).hashed("pad", met)


def answer(
    context: ProofContext, what: ResealedHand, openings: tuple[CardOpening, ...], choice: Point, key: bytes
) -> tuple[bytes, tuple[CardOpening, ...]]:
    """Make the victim's message and the openings of the new cards; the context is the victim's reply to the choice."""
    message, new = reseal(context, what, openings, key)
    cards = tuple(opening.card() for opening in new)
    secret = ProofTranscript(context, "answer", choice, cards).drawn(key, "meeting")
    meeting = times(secret, BASE)
    # ``secret * (choice - place * T)``: one multiple of ``T`` less from place to place.
    met = accumulate(repeat(times(secret, generator("theft"))), minus, initial=times(secret, choice))
    pads = [_pad(context, choice, cards, meeting, *at) for at in enumerate(islice(met, len(cards)))]
    covered = [(opening.blind + pad) % ORDER for opening, pad in zip(new, pads, strict=True)]
    return message + joined([meeting], covered), new


def read_answer(context: ProofContext, what: ResealedHand, message: bytes) -> VictimAnswer | ProofRefused:
    """Read the victim's answer, if all of its proofs hold; only the robber can tell whether it opens a card."""
    if problem := what.problem():
        return ProofRefused(problem)
    size = what.message_bytes()
    cards = read_resealing(context, what, message[:size])
    if isinstance(cards, ProofRefused):
        return cards
    try:
        return covering(cards, message[size:])
    except MalformedBytes as error:
        return ProofRefused(str(error))


def covering(cards: tuple[Point, ...], rest: bytes) -> VictimAnswer:
    """Read the rest of an answer that reseals a hand as these cards.

    ``MalformedBytes`` if it is malformed.
    """
    reader = ByteReader(rest, (1 + len(cards)) * SIZE_BYTES)
    return VictimAnswer(cards, reader.point("the meeting point"), reader.scalars(len(cards), "covered opening"))


@lru_cache(maxsize=1 << 6)
def uncovered(context: ProofContext, told: VictimAnswer, choice: RobberChoice) -> CardOpening | None:
    """The opening of the chosen card, None if the victim lied; the context is the victim's.

    The robber needs it before taking the card, and again to open it.
    """
    met = times(choice.hiding, told.meeting)
    pad = _pad(context, choice.point(), told.cards, told.meeting, choice.place, met)
    return opened(told.cards[choice.place], (told.covered[choice.place] - pad) % ORDER)


def prove_place(context: ProofContext, choice: RobberChoice, key: bytes) -> bytes:
    """Make the robber's proof of which card was chosen; the context is the robber's, after the answer."""
    point = choice.point()
    about = ProofTranscript(context, "place", point, choice.place)
    return prove_log(about, minus(point, _marked(choice.place)), choice.hiding, key)


def place_problem(context: ProofContext, choice: Point, count: int, place: int, proof: bytes) -> str | None:
    """What is wrong with the proof that a place among ``count`` was chosen, None if nothing is."""
    if not 0 <= place < count:
        return f"place {place} of {count} cards, expected 0 to {count - 1}"
    about = ProofTranscript(context, "place", choice, place)
    try:
        if log_holds(about, minus(choice, _marked(place)), proof):
            return None
    except MalformedBytes as error:
        return str(error)
    return f"the proof that place {place} was chosen does not hold"


def accusation_problem(context: ProofContext, choice: Point, told: VictimAnswer, accused: RobberChoice) -> str | None:
    """Why a robber's accusation against the victim is false, None if it is true; the context is the victim's."""
    if not (0 <= accused.place < len(told.cards) and 0 < accused.hiding < ORDER):
        return f"the place {accused.place} of {len(told.cards)} cards or the hiding factor is out of range"
    if accused.point() != choice:
        return "the place told is not the one that the robber chose"
    if uncovered(context, told, accused) is not None:
        return "the victim told the chosen card"
    return None
