"""A second implementation of docs/how-it-works/sealing.md in plain integers: slow, and of no line of the program.

The group is RFC 9496's, section 4, in extended coordinates; names are those of the RFC. Everything else is named as on
the page. Messages are made here; those who judge them are the referee's (``tests/referee/sealing.py``).
"""

import hashlib
import hmac
from math import prod

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)
RESOURCES = ("Lumber", "Brick", "Wool", "Grain", "Ore")
DEV_CARDS = ("Monopoly", "YearOfPlenty", "RoadBuilding", "Knight", "VictoryPoint")


class Wrong(Exception):
    """What does not hold."""


# ----------------------------------------------------------------------------------------------------------- the group


def is_negative(x):
    return x % P & 1


def magnitude(x):
    return -x % P if is_negative(x) else x % P


def sqrt_ratio_m1(u, v):
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * r * r % P
    was_square = check in (u % P, -u % P)
    if check in (-u % P, -u * SQRT_M1 % P):
        r = r * SQRT_M1 % P
    return was_square, magnitude(r)


INVSQRT_A_MINUS_D = sqrt_ratio_m1(1, -1 - D)[1]
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235


def decode(data):
    s = int.from_bytes(data, "little")
    if len(data) != 32 or s >= P or is_negative(s) or s == 0:
        raise Wrong("point")
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-(D * u1 * u1) - u2 * u2) % P
    was_square, invsqrt = sqrt_ratio_m1(1, v * u2 * u2)
    den_x = invsqrt * u2
    x, y = magnitude(2 * s * den_x), u1 * invsqrt * den_x * v % P
    if not was_square or is_negative(x * y) or y == 0:
        raise Wrong("point")
    return Point(x, y, 1, x * y % P)


def mapped(data):
    t = int.from_bytes(data, "little") % 2**255 % P
    r = SQRT_M1 * t * t % P
    u = (r + 1) * (1 - D * D) % P
    v = (-1 - r * D) * (r + D) % P
    was_square, s = sqrt_ratio_m1(u, v)
    s, c = (s, -1) if was_square else (-magnitude(s * t), r)
    n = c * (r - 1) * (D - 1) ** 2 - v
    w0, w1, w2, w3 = 2 * s * v, n * SQRT_AD_MINUS_ONE, 1 - s * s, 1 + s * s
    return Point(w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P)


class Point:
    def __init__(self, x, y, z, t):
        self.x, self.y, self.z, self.t = x, y, z, t

    def __add__(self, o):
        a, b = (self.y - self.x) * (o.y - o.x), (self.y + self.x) * (o.y + o.x)
        c, d = 2 * D * self.t * o.t, 2 * self.z * o.z
        e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
        return Point(e * f % P, g * h % P, f * g % P, e * h % P)

    def __neg__(self):
        return Point(-self.x % P, self.y, self.z, -self.t % P)

    def __sub__(self, o):
        return self + -o

    def __rmul__(self, factor):
        found, power, factor = ZERO, self, factor % L
        while factor:
            found = found + power if factor & 1 else found
            power, factor = power + power, factor >> 1
        return found

    def encode(self):
        u1, u2 = (self.z + self.y) * (self.z - self.y), self.x * self.y
        _, invsqrt = sqrt_ratio_m1(1, u1 * u2 * u2)
        den1, den2 = invsqrt * u1, invsqrt * u2
        z_inv = den1 * den2 * self.t
        x, y, den_inv = self.x, self.y, den2
        if is_negative(self.t * z_inv):
            x, y, den_inv = self.y * SQRT_M1, self.x * SQRT_M1, den1 * INVSQRT_A_MINUS_D
        if is_negative(x * z_inv):
            y = -y
        return magnitude(den_inv * (self.z - y)).to_bytes(32, "little")

    def __eq__(self, o):
        return self.encode() == o.encode()

    __hash__ = None


ZERO = Point(0, 1, 1, 0)
BASE = decode(bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"))


def generator(name):
    h = hashlib.sha512(f"catan-p2p generator 1\n{name}\n".encode()).digest()
    return mapped(h[:32]) + mapped(h[32:])


G = [generator(f"resource {name}") for name in RESOURCES]
CARDS = [generator(f"card {name}") for name in DEV_CARDS]
T = generator("theft")


def add_up(points):
    return sum(points, ZERO)


# ------------------------------------------------------------------------------------------------------ text and bytes


def lines(part):
    if isinstance(part, Point):
        return f"{part.encode().hex()}\n"
    if isinstance(part, int | str):
        return f"{part}\n"
    return f"{len(part)}\n" + "".join(map(lines, part))


def text(*parts):
    return "".join(map(lines, parts))


def about(context, purpose, *parts):
    return text("catan-p2p sealing 1", purpose, *context, *parts)


def number(digest):
    return int.from_bytes(digest, "little") % L


def hashed(told, *parts):
    return number(hashlib.sha512((told + text(*parts)).encode()).digest())


def drawn(told, key, word, n=0):
    return number(hmac.new(key, (told + text(word, n)).encode(), "sha512").digest())


def order(told, key, count):
    found = list(range(count))
    for last in reversed(range(1, count)):
        other = drawn(told, key, "order", last) % (last + 1)
        found[last], found[other] = found[other], found[last]
    return found


def spell(*parts):
    return b"".join(p.encode() if isinstance(p, Point) else p.to_bytes(32, "little") for p in parts)


def words(message, count):
    if len(message) != 32 * count:
        raise Wrong("size")
    return [message[at : at + 32] for at in range(0, len(message), 32)]


def scalars(found):
    numbers = [int.from_bytes(word, "little") for word in found]
    if not all(0 < n < L for n in numbers):
        raise Wrong("scalar")
    return numbers


# -------------------------------------------------------------------------------------------------------------- proofs


def linear(told, equations, secrets, key):
    told += text(equations)
    masks = [drawn(told, key, "mask", n) for n in range(len(secrets))]
    c = hashed(told, "challenge", [add_up(masks[n] * base for n, base in terms) for _, terms in equations])
    return spell(c, *((mask + c * secret) % L for mask, secret in zip(masks, secrets, strict=True)))


def log(told, point, secret, key):
    return linear(told, [(point, [(0, BASE)])], [secret], key)


def kind(told, card, r, x, among, key):
    told += text(card, [G[k] for k in among])
    true = among.index(r)
    c = [drawn(told, key, "part", n) for n in range(len(among))]
    s = [drawn(told, key, "response", n) for n in range(len(among))]
    first = [s[n] * BASE - (0 if n == true else c[n]) * (card - G[k]) for n, k in enumerate(among)]
    c[true] = 0
    c[true] = (hashed(told, "challenge", first) - sum(c)) % L
    s[true] = (s[true] + c[true] * x) % L
    return spell(*c, *s)


# --------------------------------------------------------------------------------------------------------------- hands


def sealed(r, x):
    return G[r] + x * BASE


def statement(context, purpose, old, added, paid, without):
    return about(context, purpose, old, list(added), list(paid), "none" if without is None else RESOURCES[without])


def left_over(old, added, paid, new):
    return add_up(old) + add_up((a - b) * g for a, b, g in zip(added, paid, G, strict=True)) - add_up(new)


def reseal(context, openings, added, paid, without, key):
    """The message, and the openings of the new cards as pairs of kind and blinding factor."""
    old = [sealed(r, x) for r, x in openings]
    among = [k for k in range(5) if k != without]
    counts = [sum(r == k for r, _ in openings) + added[k] - paid[k] for k in range(5)]
    told = statement(context, "seal", old, added, paid, without)
    kinds = [k for k in range(5) for _ in range(counts[k])]
    new = [(kinds[at], drawn(told, key, "blind", n)) for n, at in enumerate(order(told, key, len(kinds)))]
    cards = [sealed(r, x) for r, x in new]
    told = statement(context, "card", old, added, paid, without) + text(cards)
    proofs = [kind(told + text(n), cards[n], r, x, among, key) for n, (r, x) in enumerate(new)]
    told = statement(context, "balance", old, added, paid, without) + text(cards)
    blind = (sum(x for _, x in openings) - sum(x for _, x in new)) % L
    return spell(*cards) + b"".join(proofs) + log(told, left_over(old, added, paid, cards), blind, key), new


# -------------------------------------------------------------------------------------------------------------- a theft


def choose(context, victim, count, key):
    told = about(context, "choice", victim, count)
    return drawn(told, key, "place") % count, drawn(told, key, "hiding")


def choice(i, b):
    return b * BASE + i * T


def pad(context, chosen, cards, meeting, j, met):
    return hashed(about(context, "pad", chosen, cards, meeting, j), "pad", met)


def answer(context, openings, added, chosen, key):
    message, new = reseal(context, openings, added, [0] * 5, None, key)
    cards = [sealed(r, x) for r, x in new]
    r = drawn(about(context, "answer", chosen, cards), key, "meeting")
    pads = [pad(context, chosen, cards, r * BASE, j, r * (chosen - j * T)) for j in range(len(new))]
    return message + spell(r * BASE, *((x + mask) % L for (_, x), mask in zip(new, pads, strict=True)))


def uncover(context, chosen, cards, message, i, b):
    """Kind and blinding factor of card i."""
    meeting, *covered = words(message[-32 * (1 + len(cards)) :], 1 + len(cards))
    meeting = decode(meeting)
    x = (scalars(covered)[i] - pad(context, chosen, cards, meeting, i, b * meeting)) % L
    return next((r, x) for r in range(5) if sealed(r, x) == cards[i])


def place(context, chosen, i, b, key):
    return log(about(context, "place", chosen, i), chosen - i * T, b, key)


# ------------------------------------------------------------------------------------------------------------- the deck


def new_key(context, purpose, nonce, key):
    return drawn(about(context, purpose, nonce), key, "secret key")


def public(context, purpose, secret, key):
    return spell(secret * BASE) + log(about(context, purpose), secret * BASE, secret, key)


def new_deck(counts, joint):
    return [[BASE, CARDS[k] + joint] for k in range(5) for _ in range(counts[k])]


def share(context, card, secret, key):
    u = secret * card[0]
    return spell(u) + linear(
        about(context, "share", card), [(secret * BASE, [(0, BASE)]), (u, [(0, card[0])])], [secret], key
    )


def shuffle_equations(joint, old, new, c, chain, u):
    n = len(old)
    h = [generator(f"shuffle {i}") for i in range(1, n + 1)]
    before = [generator("shuffle"), *chain]
    late = range(4 + n, 4 + 2 * n)
    weigh = lambda points: add_up(a * b for a, b in zip(u, points, strict=True))  # noqa: E731
    return [
        (add_up(c) - add_up(h), [(0, BASE)]),
        (chain[-1] - prod(u) % L * before[0], [(1, BASE)]),
        (weigh(c), [(2, BASE), *zip(late, h, strict=True)]),
        (weigh([a for a, _ in old]), [(3, BASE), *zip(late, [a for a, _ in new], strict=True)]),
        (weigh([b for _, b in old]), [(3, joint), *zip(late, [b for _, b in new], strict=True)]),
        *((chain[i], [(4 + i, BASE), (4 + n + i, before[i])]) for i in range(n)),
    ]


def shuffle(context, joint, old, key):
    n = len(old)
    told = about(context, "shuffle", joint, old)
    turn = order(told, key, n)
    mask, blind, link = ([drawn(told, key, word, i) for i in range(n)] for word in ("mask", "place", "link"))
    new = [[old[j][0] + m * BASE, old[j][1] + m * joint] for j, m in zip(turn, mask, strict=True)]
    c = [blind[j] * BASE + generator(f"shuffle {1 + turn.index(j)}") for j in range(n)]
    told += text(new, c)
    u = [hashed(told, "card", j) for j in range(n)]
    turned = [u[j] for j in turn]
    chain, end = [generator("shuffle")], 0
    for a, b in zip(link, turned, strict=True):
        chain.append(a * BASE + b * chain[-1])
        end = (a + b * end) % L
    secrets = [
        sum(blind) % L,
        end,
        sum(a * b for a, b in zip(u, blind, strict=True)) % L,
        -sum(a * b for a, b in zip(turned, mask, strict=True)) % L,
        *link,
        *turned,
    ]
    proof = linear(told, shuffle_equations(joint, old, new, c, chain[1:], u), secrets, key)
    return spell(*(point for card in new for point in card), *c, *chain[1:]) + proof, new


# -------------------------------------------------------------------------------------------------------------- leaving


def piece(game, owner, giver, met):
    return hashed(about((game, giver, game), "piece", owner), "piece", met)


def give(context, secret, meeting, key):
    game, seat, _ = context
    others = sorted(set(meeting) - {seat})
    own = sum(piece(game, seat, giver, secret * meeting[giver]) for giver in others) % L
    given = [public(context, f"piece {j}", piece(game, j, seat, secret * meeting[j]), key) for j in others]
    return b"".join(given) + public(context, "deck", own, key)
