"""The equations of docs/how-it-works/sealing.md for the referee: messages are judged, none are made.

Points are their 32 bytes. Only the library of the group (`rbcl`) adds and multiplies them; challenges are SHA-512.
``Wrong`` is raised for whatever does not hold.
"""

import hashlib
from functools import cache, lru_cache
from math import prod
from typing import Any

import rbcl

Point = bytes
Occasion = tuple[str, int, str]
"""The root, the seat of the player who proves something, and the commit continued."""
Pair = tuple[Point, Point]
"""A card of the deck."""
Equation = tuple[Point, tuple[tuple[int, Point], ...]]
"""A point, and by the number of a secret the bases whose multiples it is the sum of."""

ORDER = 2**252 + 27742317777372353535851937790883648493
BASE = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")
NOTHING = bytes(32)
RESOURCES = ("Lumber", "Brick", "Wool", "Grain", "Ore")
CARDS = ("Monopoly", "YearOfPlenty", "RoadBuilding", "Knight", "VictoryPoint")
MOST_SEALED, MOST_IN_DECK = 128, 64


class Wrong(Exception):
    """A message that is not what it has to be."""


# The group


def point(data: bytes) -> Point:
    """A point that a message tells, in its one spelling, and not the identity."""
    if data == NOTHING or data[31] >> 7 or not rbcl.crypto_core_ristretto255_is_valid_point(data):
        raise Wrong("no point")
    return data


def scalar(data: bytes) -> int:
    """A number that a message tells, in its one spelling, and not zero."""
    number = int.from_bytes(data, "little")
    if not 0 < number < ORDER:
        raise Wrong("no scalar")
    return number


def plus(*points: Point) -> Point:
    """The sum of points."""
    found = NOTHING
    for one in points:
        found = rbcl.crypto_core_ristretto255_add(found, one)
    return found


def minus(a: Point, b: Point) -> Point:
    """A difference of points."""
    return bytes(rbcl.crypto_core_ristretto255_sub(a, b))


def times(n: int, a: Point) -> Point:
    """A multiple of a point."""
    if n % ORDER == 0 or a == NOTHING:
        return NOTHING
    return bytes(rbcl.crypto_scalarmult_ristretto255((n % ORDER).to_bytes(32, "little"), a))


@cache
def generator(name: str) -> Point:
    """A point of which nobody knows a logarithm."""
    return bytes(
        rbcl.crypto_core_ristretto255_from_hash(hashlib.sha512(f"catan-p2p generator 1\n{name}\n".encode()).digest())
    )


def kinds() -> list[Point]:
    """The point of each resource."""
    return [generator(f"resource {name}") for name in RESOURCES]


# Text


def text(*parts: Any) -> str:
    """The lines of a statement."""
    found = ""
    for part in parts:
        if isinstance(part, bytes):
            found += f"{part.hex()}\n"
        elif isinstance(part, str | int):
            found += f"{part}\n"
        else:
            found += f"{len(part)}\n" + text(*part)
    return found


def about(occasion: Occasion, purpose: str, *parts: Any) -> str:
    """What every statement begins with, and more of it."""
    return text("catan-p2p sealing 1", purpose, *occasion, *parts)


def hashed(told: str, *parts: Any) -> int:
    """The number that a text makes."""
    return int.from_bytes(hashlib.sha512((told + text(*parts)).encode()).digest(), "little") % ORDER


def drawn(told: str, key: bytes, word: str) -> int:
    """The number that its player draws from a text."""
    import hmac

    return int.from_bytes(hmac.digest(key, (told + text(word, 0)).encode(), "sha512"), "little") % ORDER


class Message:
    """The parts of a message, which follow one another."""

    def __init__(self, data: bytes) -> None:
        self.rest = data

    def take(self, size: int) -> bytes:
        """The next bytes."""
        if len(self.rest) < size:
            raise Wrong(f"{size - len(self.rest)} bytes are missing")
        found, self.rest = self.rest[:size], self.rest[size:]
        return found

    def points(self, count: int) -> tuple[Point, ...]:
        """The next points."""
        return tuple(point(self.take(32)) for _ in range(count))

    def scalars(self, count: int) -> list[int]:
        """The next numbers."""
        return [scalar(self.take(32)) for _ in range(count)]


# Proofs


@lru_cache(1 << 12)
def check_linear(told: str, equations: tuple[Equation, ...], count: int, proof: bytes) -> None:
    """The proof that somebody knows so many secrets with these equations."""
    message = Message(proof)
    challenge, *answers = message.scalars(1 + count)
    first = [
        minus(plus(*(times(answers[n], base) for n, base in terms)), times(challenge, left))
        for left, terms in equations
    ]
    if hashed(told + text(equations), "challenge", first) != challenge:
        raise Wrong("a linear proof does not hold")


def check_log(told: str, left: Point, proof: bytes) -> None:
    """The proof that somebody knows a point's logarithm."""
    check_linear(told, ((left, ((0, BASE),)),), 1, proof)


@lru_cache(1 << 12)
def check_kind(told: str, card: Point, among: tuple[Point, ...], proof: bytes) -> None:
    """The proof that a card is of one of these kinds."""
    message = Message(proof)
    parts, answers = message.scalars(len(among)), message.scalars(len(among))
    first = [
        minus(times(s, BASE), times(c, minus(card, kind))) for c, s, kind in zip(parts, answers, among, strict=True)
    ]
    if hashed(told + text(card, among), "challenge", first) != sum(parts) % ORDER:
        raise Wrong("the proof of a kind does not hold")


# Hands and thefts


def read_resealing(
    occasion: Occasion, old: tuple[Point, ...], added: list[int], paid: list[int], without: str, message: Message
) -> tuple[Point, ...]:
    """The cards that take the place of old ones; ``without`` is a resource that none of them is of, or ``none``."""
    count = len(old) + sum(added) - sum(paid)
    if not 0 <= count <= MOST_SEALED:
        raise Wrong(f"{count} cards")
    among = tuple(kind for kind, name in zip(kinds(), RESOURCES, strict=True) if name != without)
    cards = message.points(count)
    hand = text(old, added, paid, without, cards)
    for n, card in enumerate(cards):
        check_kind(about(occasion, "card") + hand + text(n), card, among, message.take(64 * len(among)))
    left = minus(plus(*old, *map(times, added, kinds())), plus(*cards, *map(times, paid, kinds())))
    check_log(about(occasion, "balance") + hand, left, message.take(64))
    return cards


def read_choice(size: int, message: Message) -> Point:
    """A robber's choice among so many cards."""
    (choice,) = message.points(1)
    if any(choice == times(i, generator("theft")) for i in range(size)):
        raise Wrong("a choice that hides nothing")
    return choice


def check_place(occasion: Occasion, choice: Point, place: int, message: Message) -> None:
    """The proof that a robber had chosen this card."""
    hidden = minus(choice, times(place, generator("theft")))
    check_log(about(occasion, "place", choice, place), hidden, message.take(64))


def is_opened(answer: dict[str, Any], choice: Point, place: int, hiding: int) -> bool:
    """Whether the card of an answer that was chosen opens."""
    cards, meeting = answer["cards"], answer["meeting"]
    told = about(answer["occasion"], "pad", choice, cards, meeting, place)
    blind = (answer["covered"][place] - hashed(told, "pad", times(hiding, meeting))) % ORDER
    return any(plus(kind, times(blind, BASE)) == cards[place] for kind in kinds())


# The deck


def read_key(occasion: Occasion, purpose: str, message: Message) -> Point:
    """A public key, with the proof that its player has the secret one."""
    (key,) = message.points(1)
    check_log(about(occasion, purpose), key, message.take(64))
    return key


def unshuffled(counts: list[int], joint: Point) -> tuple[Pair, ...]:
    """The deck before anybody has shuffled it."""
    cards = [generator(f"card {name}") for name, n in zip(CARDS, counts, strict=True) for _ in range(n)]
    return tuple((BASE, plus(card, joint)) for card in cards)


def read_share(occasion: Occasion, card: Pair, key: Point, message: Message) -> Point:
    """A share of the decryption of a card."""
    (share,) = message.points(1)
    equations = ((key, ((0, BASE),)), (share, ((0, card[0]),)))
    check_linear(about(occasion, "share", card), equations, 1, message.take(64))
    return share


def read_stripping(
    occasion: Occasion, cards: tuple[Pair, ...], key: Point, message: Message
) -> tuple[tuple[Point, Point], ...]:
    """These cards without the share that belongs to a public key."""
    shares = _read_shares(occasion, "strip", cards, key, message)
    return tuple((card[0], minus(card[1], share)) for share, card in zip(shares, cards, strict=True))


def read_cover(occasion: Occasion, cards: tuple[Pair, ...], key: Point, message: Message) -> tuple[Pair, ...]:
    """These cards with the share that belongs to a public key."""
    shares = _read_shares(occasion, "cover", cards, key, message)
    return tuple((card[0], plus(card[1], share)) for share, card in zip(shares, cards, strict=True))


def _read_shares(
    occasion: Occasion, purpose: str, cards: tuple[Pair, ...], key: Point, message: Message
) -> tuple[Point, ...]:
    shares = message.points(len(cards))
    equations = [(key, ((0, BASE),)), *((share, ((0, card[0]),)) for share, card in zip(shares, cards, strict=True))]
    check_linear(about(occasion, purpose, cards), tuple(equations), 1, message.take(64))
    return shares


def read_shuffle(occasion: Occasion, joint: Point, old: tuple[Pair, ...], message: Message) -> tuple[Pair, ...]:
    """The shuffled cards."""
    n = len(old)
    if n > MOST_IN_DECK:
        raise Wrong(f"{n} cards")
    flat, places, chain = message.points(2 * n), message.points(n), message.points(n)
    new = tuple(zip(flat[::2], flat[1::2], strict=True))
    told = about(occasion, "shuffle", joint, old, new, places)
    weights = [hashed(told, "card", j) for j in range(n)]
    rows = [generator(f"shuffle {i}") for i in range(1, n + 1)]
    before = (generator("shuffle"), *chain)
    turned = range(4 + n, 4 + 2 * n)

    def weighed(points: list[Point]) -> Point:
        return plus(*map(times, weights, points))

    def by_turned(first: tuple[int, Point], points: list[Point]) -> tuple[tuple[int, Point], ...]:
        return (first, *zip(turned, points, strict=True))

    equations = [
        (minus(plus(*places), plus(*rows)), ((0, BASE),)),
        (minus(before[-1], times(prod(weights), before[0])), ((1, BASE),)),
        (weighed([*places]), by_turned((2, BASE), rows)),
        (weighed([a for a, _ in old]), by_turned((3, BASE), [a for a, _ in new])),
        (weighed([b for _, b in old]), by_turned((3, joint), [b for _, b in new])),
        *((chain[i], ((4 + i, BASE), (4 + n + i, before[i]))) for i in range(n)),
    ]
    check_linear(told, tuple(equations), 4 + 2 * n, message.take(32 * (5 + 2 * n)))
    return new


def shown_piece(occasion: Occasion, own: Point, other: Point, giver: int, message: Message) -> Point:
    """The public piece of a player's key that a giver should have told, by where their keys for meetings meet."""
    (met,) = message.points(1)
    equations = ((own, ((0, BASE),)), (met, ((0, other),)))
    check_linear(about(occasion, "meeting", other), equations, 1, message.take(64))
    root, owner, _ = occasion
    return times(hashed(about((root, giver, root), "piece", owner), "piece", met), BASE)
