"""One message of each kind, as both implementations make it, and what the program says of its bytes."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from catan_p2p.game.cards import pack
from catan_p2p.sealing import deck, hands, leaving, shuffle, theft
from catan_p2p.sealing.group import BASE, ProofRefused, times, total
from catan_p2p.sealing.hands import ResealedHand
from catan_p2p.sealing.transcript import ProofContext
from tests.sealing import plain

GAME, COMMIT = "5eed" * 10, "c0de" * 10
VICTIM, ROBBER, THIRD = (ProofContext(GAME, seat, COMMIT) for seat in (1, 2, 3))
KEYS = {seat: bytes([seat]) * 32 for seat in (1, 2, 3)}
NONCE = "ab" * 16
ADDED = (2, 1, 0, 1, 0)
PAID = (1, 0, 0, 1, 0)
FIVE_CARDS = (1, 1, 0, 2, 1)


@dataclass(frozen=True)
class Message:
    """A message by its name: its bytes, and what reading bytes in its place gives.

    ``ProofRefused`` if they do not hold.
    """

    name: str
    data: bytes
    read: Callable[[bytes], Any]
    plain: Callable[[], bytes]
    """The same by the second implementation, which raises where the program's bytes do not hold."""

    def problem(self, data: bytes) -> str | None:
        """Why bytes are refused in its place, None if they hold."""
        found = self.read(data)
        return found.reason if isinstance(found, ProofRefused) else found if isinstance(found, str) else None


def _or_none(problem: str | None) -> ProofRefused | None:
    return None if problem is None else ProofRefused(problem)


def meeting() -> tuple[dict[int, int], dict[int, bytes]]:
    """Secret and public keys for meetings by seat."""
    secrets = {s: deck.new_key(ProofContext(GAME, s, COMMIT), "meeting", NONCE, KEYS[s]) for s in KEYS}
    return secrets, {seat: times(secret, BASE) for seat, secret in secrets.items()}


@cache
def all_messages() -> dict[str, Message]:
    """One of each kind by its name."""
    key = KEYS[1]
    found: list[Message] = []
    point = plain.decode

    what = ResealedHand((), pack(ADDED))
    first, openings = hands.reseal(VICTIM, what, (), key)
    cards = hands.read_resealing(VICTIM, what, first)
    pairs = [tuple(one) for one in openings]

    def plain_hand() -> bytes:
        plain.check_resealing(VICTIM, [], ADDED, (0,) * 5, None, first)
        return plain.reseal(VICTIM, [], ADDED, (0,) * 5, None, key)[0]

    found.append(Message("hand", first, partial(hands.read_resealing, VICTIM, what), plain_hand))
    assert not isinstance(cards, ProofRefused)

    pays = ResealedHand(cards, pack((0, 0, 1, 0, 0)), pack(PAID))
    payment, _ = hands.reseal(VICTIM, pays, openings, key)

    def plain_payment() -> bytes:
        plain.check_resealing(VICTIM, [plain.sealed(*one) for one in pairs], (0, 0, 1, 0, 0), PAID, None, payment)
        return plain.reseal(VICTIM, pairs, (0, 0, 1, 0, 0), PAID, None, key)[0]

    found.append(Message("payment", payment, partial(hands.read_resealing, VICTIM, pays), plain_payment))

    told = ResealedHand(cards, paid=pack((2, 0, 0, 0, 0)), without=0)
    monopoly, _ = hands.reseal(VICTIM, told, openings, key)

    def plain_monopoly() -> bytes:
        plain.check_resealing(VICTIM, [plain.sealed(*one) for one in pairs], (0,) * 5, (2, 0, 0, 0, 0), 0, monopoly)
        return plain.reseal(VICTIM, pairs, (0,) * 5, (2, 0, 0, 0, 0), 0, key)[0]

    found.append(Message("monopoly", monopoly, partial(hands.read_resealing, VICTIM, told), plain_monopoly))

    choice = theft.choose(ROBBER, 1, 4, KEYS[2])
    chosen = choice.point()
    found.append(
        Message(
            "choice",
            chosen,
            partial(theft.read_choice, 4),
            lambda: plain.choice(*plain.choose(ROBBER, 1, 4, KEYS[2])).encode(),
        )
    )

    robbed = ResealedHand(cards)
    reply, new = theft.answer(VICTIM, robbed, openings, chosen, key)

    def plain_answer() -> bytes:
        new_cards = plain.check_resealing(
            VICTIM, [plain.sealed(*one) for one in pairs], (0,) * 5, (0,) * 5, None, reply[:-160]
        )
        opening = plain.uncover(VICTIM, point(chosen), new_cards, reply, *choice)
        assert opening == tuple(new[choice.place])
        return plain.answer(VICTIM, pairs, (0,) * 5, point(chosen), key)

    found.append(Message("answer", reply, partial(theft.read_answer, VICTIM, robbed), plain_answer))

    proof = theft.prove_place(ROBBER, choice, KEYS[2])

    def plain_place() -> bytes:
        plain.check_place(ROBBER, point(chosen), choice.place, proof)
        return plain.place(ROBBER, point(chosen), *choice, KEYS[2])

    found.append(
        Message(
            "place",
            proof,
            lambda data: _or_none(theft.place_problem(ROBBER, chosen, 4, choice.place, data)),
            plain_place,
        )
    )

    secret = deck.new_key(VICTIM, "deck", NONCE, key)
    public = deck.key_message(VICTIM, "deck", secret, key)

    def plain_key() -> bytes:
        plain.check_public(VICTIM, "deck", public)
        return plain.public(VICTIM, "deck", plain.new_key(VICTIM, "deck", NONCE, key), key)

    found.append(Message("key", public, partial(deck.read_key, VICTIM, "deck"), plain_key))

    joint = total([times(secret, BASE), times(7, BASE)])
    old = deck.new_deck(pack(FIVE_CARDS), [times(secret, BASE), times(7, BASE)])
    shuffled, turned = shuffle.shuffle(VICTIM, joint, old, key)

    def plain_shuffle() -> bytes:
        before = plain.new_deck(FIVE_CARDS, point(joint))
        plain.check_shuffle(VICTIM, point(joint), before, shuffled)
        return plain.shuffle(VICTIM, point(joint), before, key)[0]

    found.append(Message("shuffle", shuffled, partial(shuffle.read_shuffle, VICTIM, joint, old), plain_shuffle))

    card = turned[0]
    part = deck.share_message(VICTIM, card, secret, key)

    def plain_share() -> bytes:
        both = [point(card.mask), point(card.body)]
        plain.check_share(VICTIM, both, secret * plain.BASE, part)
        return plain.share(VICTIM, both, secret, key)

    found.append(Message("share", part, partial(deck.read_share, VICTIM, card, times(secret, BASE)), plain_share))

    secrets, meet = meeting()
    given = leaving.give(VICTIM, secrets[1], meet, key)
    points = dict(meet)
    found.append(
        Message(
            "given",
            given,
            partial(leaving.read_given, VICTIM, points),
            lambda: plain.give(VICTIM, secrets[1], {s: point(p) for s, p in points.items()}, key),
        )
    )
    shown = leaving.show_meeting(VICTIM, secrets[1], meet[2], key)

    def plain_meeting() -> bytes:
        met = secrets[1] * point(meet[2])
        equations = [(secrets[1] * plain.BASE, [(0, plain.BASE)]), (met, [(0, point(meet[2]))])]
        return met.encode() + plain.linear(plain.about(VICTIM, "meeting", point(meet[2])), equations, [secrets[1]], key)

    found.append(
        Message(
            "meeting",
            shown,
            lambda data: leaving.shown_piece(VICTIM, meet[1], meet[2], data, 2, 1),
            plain_meeting,
        )
    )
    return {one.name: replace(one) for one in found}
