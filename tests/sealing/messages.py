"""One message of each kind, as both implementations make it, and what the program says of its bytes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from catan_p2p.game.cards import RESOURCES, pack, unpack
from catan_p2p.sealing import deck, hands, leaving, shuffle, theft
from catan_p2p.sealing.cards import CardOpening
from catan_p2p.sealing.group import BASE, ProofRefused, times, total
from catan_p2p.sealing.hands import ResealedHand
from catan_p2p.sealing.transcript import ProofContext
from tests.referee import sealing as judges
from tests.sealing import plain

GAME, COMMIT = "5eed" * 10, "c0de" * 10
VICTIM, ROBBER = (ProofContext(GAME, seat, COMMIT) for seat in (1, 2))
KEYS = {seat: bytes([seat]) * 32 for seat in (1, 2, 3)}
NONCE = "ab" * 16
ADDED = (2, 1, 0, 1, 0)
PAID = (1, 0, 0, 1, 0)
NOTHING = (0,) * 5
FIVE_CARDS = (1, 1, 0, 2, 1)
Read = Callable[[bytes], Any]


@dataclass(frozen=True)
class Message:
    """A message by its name: its bytes, and what reading bytes in its place gives.

    ``ProofRefused`` if they do not hold.
    """

    name: str
    data: bytes
    read: Read
    plain: Callable[[], bytes]
    """The same by the second implementation."""
    judge: Callable[[], Any]
    """What the referee makes of the program's bytes; it raises where they do not hold."""

    def problem(self, data: bytes) -> str | None:
        """Why bytes are refused in its place, None if they hold."""
        found = self.read(data)
        return found.reason if isinstance(found, ProofRefused) else found if isinstance(found, str) else None


def kept_out(what: ResealedHand) -> str:
    """The resource of which a hand keeps none, as the referee calls it."""
    return "none" if what.without is None else RESOURCES[what.without]


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
    found: dict[str, Message] = {}
    point = plain.decode

    def add(name: str, data: bytes, read: Read, plain: Callable[[], bytes], judge: Callable[..., Any]) -> None:
        found[name] = Message(name, data, read, plain, partial(judge, judges.Message(data)))

    def add_resealing(name: str, what: ResealedHand, openings: Sequence[CardOpening]) -> None:
        old, added, paid = [tuple(one) for one in openings], unpack(what.added), unpack(what.paid)
        message, _ = hands.reseal(VICTIM, what, tuple(openings), key)
        add(
            name,
            message,
            partial(hands.read_resealing, VICTIM, what),
            lambda: plain.reseal(VICTIM, old, added, paid, what.without, key)[0],
            lambda said: judges.read_resealing(VICTIM, what.old, added, paid, kept_out(what), said),
        )

    what = ResealedHand((), pack(ADDED))
    add_resealing("hand", what, ())
    _, openings = hands.reseal(VICTIM, what, (), key)
    cards = tuple(one.card() for one in openings)
    add_resealing("payment", ResealedHand(cards, pack((0, 0, 1, 0, 0)), pack(PAID)), openings)
    add_resealing("monopoly", ResealedHand(cards, paid=pack((2, 0, 0, 0, 0)), without=0), openings)

    choice = theft.choose(ROBBER, 1, 4, KEYS[2])
    chosen = choice.point()
    add(
        "choice",
        chosen,
        partial(theft.read_choice, 4),
        lambda: plain.choice(*plain.choose(ROBBER, 1, 4, KEYS[2])).encode(),
        partial(judges.read_choice, 4),
    )

    robbed = ResealedHand(cards)
    reply, new = theft.answer(VICTIM, robbed, openings, chosen, key)

    def plain_answer() -> bytes:
        held = [point(one.card()) for one in new]
        assert plain.uncover(VICTIM, point(chosen), held, reply, *choice) == tuple(new[choice.place])
        return plain.answer(VICTIM, [tuple(one) for one in openings], NOTHING, point(chosen), key)

    add(
        "answer",
        reply,
        partial(theft.read_answer, VICTIM, robbed),
        plain_answer,
        lambda said: judges.read_resealing(VICTIM, cards, NOTHING, NOTHING, "none", said),
    )
    add(
        "place",
        theft.prove_place(ROBBER, choice, KEYS[2]),
        lambda data: _or_none(theft.place_problem(ROBBER, chosen, 4, choice.place, data)),
        lambda: plain.place(ROBBER, point(chosen), *choice, KEYS[2]),
        partial(judges.check_place, ROBBER, chosen, choice.place),
    )

    secret = deck.new_key(VICTIM, "deck", NONCE, key)
    add(
        "key",
        deck.key_message(VICTIM, "deck", secret, key),
        partial(deck.read_key, VICTIM, "deck"),
        lambda: plain.public(VICTIM, "deck", plain.new_key(VICTIM, "deck", NONCE, key), key),
        partial(judges.read_key, VICTIM, "deck"),
    )
    own = times(secret, BASE)
    joint = total([own, times(7, BASE)])
    old = deck.new_deck(pack(FIVE_CARDS), [own, times(7, BASE)])
    shuffled, turned = shuffle.shuffle(VICTIM, joint, old, key)
    add(
        "shuffle",
        shuffled,
        partial(shuffle.read_shuffle, VICTIM, joint, old),
        lambda: plain.shuffle(VICTIM, point(joint), plain.new_deck(FIVE_CARDS, point(joint)), key)[0],
        partial(judges.read_shuffle, VICTIM, joint, judges.unshuffled([*FIVE_CARDS], joint)),
    )
    card = turned[0]
    add(
        "share",
        deck.share_message(VICTIM, card, secret, key),
        partial(deck.read_share, VICTIM, card, own),
        lambda: plain.share(VICTIM, [point(card.mask), point(card.body)], secret, key),
        partial(judges.read_share, VICTIM, (card.mask, card.body), own),
    )

    secrets, meet = meeting()
    points = {seat: point(public) for seat, public in meet.items()}
    add(
        "given",
        leaving.give(VICTIM, secrets[1], meet, key),
        partial(leaving.read_given, VICTIM, dict(meet)),
        lambda: plain.give(VICTIM, secrets[1], points, key),
        lambda said: [judges.read_key(VICTIM, purpose, said) for purpose in ("piece 2", "piece 3", "deck")],
    )

    def plain_meeting() -> bytes:
        met = secrets[1] * points[2]
        equations = [(secrets[1] * plain.BASE, [(0, plain.BASE)]), (met, [(0, points[2])])]
        return met.encode() + plain.linear(plain.about(VICTIM, "meeting", points[2]), equations, [secrets[1]], key)

    add(
        "meeting",
        leaving.show_meeting(VICTIM, secrets[1], meet[2], key),
        lambda data: leaving.shown_piece(VICTIM, meet[1], meet[2], data, 2, 1),
        plain_meeting,
        partial(judges.shown_piece, VICTIM, meet[1], meet[2], 2),
    )
    return found
