"""The sealed cards of a log as everybody sees them, and what each commit has to prove of them.

``proven`` judges what a commit tells and says what it is; ``after`` is the vault that follows from it, for the commit
itself and for whoever hears it as a reply. See docs/reference/log-format.md, "Hidden hands".
"""

from typing import Any

from tests.referee.sealing import (
    BASE,
    RESOURCES,
    Message,
    Occasion,
    Pair,
    Point,
    Wrong,
    about,
    check_place,
    drawn,
    generator,
    is_opened,
    minus,
    plus,
    read_choice,
    read_cover,
    read_key,
    read_resealing,
    read_share,
    read_shuffle,
    read_stripping,
    scalar,
    shown_piece,
    times,
    unshuffled,
)

Vault = dict[str, Any]
"""What the log shows of sealed cards, by player where it is somebody's; see ``first_vault``."""
Facts = dict[str, Any]
"""What a commit tells that has been proven."""
Action = dict[str, Any]

ROBBERIES = ("MoveBandit", "PlayKnight")


class Moment:
    """What of the game a commit is judged by: the state before, as far as sealed cards go."""

    def __init__(
        self,
        state: dict[str, Any],
        present: list[int],
        paid: list[int],
        shown: tuple[str, str] | None,
        sizes: dict[int, int],
        is_awaited: bool,
        pool: list[int],
        builder: int,
        caller: int,
        is_deck_lost: bool,
        tells_pieces: bool,
    ) -> None:
        self.state, self.present, self.paid, self.shown, self.sizes = state, present, paid, shown, sizes
        self.is_awaited, self.pool, self.builder, self.caller = is_awaited, pool, builder, caller
        self.is_deck_lost, self.tells_pieces = is_deck_lost, tells_pieces
        self.call = state["call"] or ("none", "none", 0, 0)
        self.hid = state["hid"]
        self.stage = self.hid["deck"] if state["tp"] == "Shuffling" else "none"


def first_vault(players: list[int], leaving: bool) -> Vault:
    """The vault of a game that begins."""
    each = ("cards", "held", "bought")
    return {name: dict.fromkeys(players, ()) for name in each} | {
        "key": {},  # the public key for the deck
        "meeting": {},  # where players may leave: the key that others' keys meet
        "nonce": {},  # of the pledge
        "given": {},  # by giver, then by owner: the public pieces of keys
        "told": {p: {} for p in players},  # by owner, then by giver: the pieces that are told
        "party": tuple(players),  # for whom the deck is sealed
        "gone": frozenset(),  # of the party, whose keys do not seal the rest of the deck
        "proven": frozenset(),  # who was excused by a proof of a lie about cards
        "as it was": (),  # the deck, and who was gone, before it was shuffled with the keys of who is back
        "layers": frozenset(),  # owner and giver of the pieces that are still on the rest of the deck
        "deck": (),
        "sold": {},  # by number of a card that was sold: the shares of its decryption
        "shares": {},  # by player: those of the card that is being bought
        "choice": None,  # the theft under way: choice, how many cards, robber, victim
        "answer": None,
        "leaving": leaving,
    }


def next_card(v: Vault) -> int:
    """The number of the card that is sold next, from 1."""
    return 1 + len(v["sold"])


def joint_key(v: Vault) -> Point:
    """The key that the deck is sealed for."""
    pieces = [v["given"][giver][owner] for owner, giver in v["layers"]]
    return plus(*(v["key"][p] for p in v["party"] if p not in v["gone"]), *pieces)


def has_pieces(v: Vault) -> bool:
    """Whether keys for the deck are handed out in pieces."""
    return bool(v["leaving"] and len(v["party"]) > 2)


def proven(m: Moment, a: Action, v: Vault, occasion: Occasion) -> Facts:
    """What a commit tells; ``Wrong`` unless it is all that has to be told, and holds."""
    message, facts = Message(a.get("Seal", b"")), Facts()
    p, name = a["player"], a["name"]
    if name == "surrender" or any(m.paid):
        without = m.hid["wanted"] if name == "surrender" else "none"
        facts["cards"] = read_resealing(occasion, v["cards"][p], [0] * 5, m.paid, without, message)
    if m.shown is not None:
        facts["shown"] = _shown(m, a, v, occasion, message)
    elif "Deck" in a:
        raise Wrong("a card is shown that nobody asks for")
    facts |= _told(m, a, v, occasion, message)
    if "Place" in a and "place" not in facts:
        raise Wrong("a place that nobody asks for")
    if message.rest or a.get("Seal") == b"":
        raise Wrong(f"{len(message.rest)} bytes too many")
    return facts


def _shown(m: Moment, a: Action, v: Vault, occasion: Occasion, message: Message) -> int:
    kind, pile = m.shown or ("", "")
    number = a.get("Deck", 0)
    if number not in v[pile][a["player"]]:
        raise Wrong(f"card {number} is none that may be shown")
    card = v["deck"][number - 1]
    share = read_share(occasion, card, v["key"][a["player"]], message)
    if minus(card[1], plus(share, *v["sold"][number].values())) != generator(f"card {kind}"):
        raise Wrong(f"card {number} is no {kind}")
    return int(number)


def _told(m: Moment, a: Action, v: Vault, occasion: Occasion, message: Message) -> Facts:
    p, what = a["player"], m.call[0]
    match a["name"]:
        case "pledge":
            return {"key": read_key(occasion, "meeting" if v["leaving"] else "deck", message)}
        case "shuffle":
            return _shuffled(m, v, occasion, message)
        case "call" if a["What"] in ROBBERIES:
            size = m.sizes[a["Victim"]]
            return {"choice": (read_choice(size, message), size, p, a["Victim"])}
        case "reveal" if what == "BuyDevCard":
            return {"share": read_share(occasion, v["deck"][next_card(v) - 1], v["key"][p], message)}
        case "reveal" if what in ROBBERIES:
            known = [m.state["hand"][p][kind] for kind in RESOURCES]
            cards = read_resealing(occasion, v["cards"][p], known, [0] * 5, "none", message)
            (meeting,) = message.points(1)
            covered = message.scalars(len(cards))
            answer = {"occasion": occasion, "cards": cards, "meeting": meeting, "covered": covered}
            return {"cards": cards, "answer": answer}
        case "move_bandit" | "play_knight" if a["Card"] == "sealed":
            choice, size, *_ = v["choice"]
            if not 0 <= a.get("Place", -1) < size:
                raise Wrong("no such place")
            check_place(occasion, choice, a["Place"], message)
            return {"place": a["Place"]}
        case "excuse" | "claim" if "Seal" in a or (a["name"] == "claim" and not m.is_awaited):
            _check_accusation(m, a, v, occasion, message)
            return {"place": a.get("Place"), "lie": True}
        case "open_all":
            _check_game_key(v, occasion, message.take(32))
    return {}


def _shuffled(m: Moment, v: Vault, occasion: Occasion, message: Message) -> Facts:
    p, stage = occasion[1], m.stage
    others = [q for q in v["party"] if q != p]
    if stage == "keys":
        given = {q: read_key(occasion, f"piece {q}", message) for q in others} if has_pieces(v) else {}
        return {"given": given, "key": read_key(occasion, "deck", message)}
    if stage == "first":
        if has_pieces(v) and v["key"][p] != plus(*(v["given"][q][p] for q in others)):
            raise Wrong("the player's key is not the sum of its pieces")
        deck = v["deck"] or unshuffled(m.pool, joint_key(v))
        return {"deck": read_shuffle(occasion, joint_key(v), deck, message)}
    deck, start, gone = v["deck"], next_card(v) - 1, v["gone"]
    kept = (deck, gone) if stage == "back" and not m.hid["shuffles"] else v["as it was"]
    if stage == "back" and p in gone:
        deck, gone = (*deck[:start], *read_cover(occasion, deck[start:], v["key"][p], message)), gone - {p}
    owners = sorted(owner for owner, giver in v["layers"] if giver == p)
    layers = v["layers"] - {(owner, p) for owner in owners}
    if owners:
        stripped = plus(*(v["given"][p][owner] for owner in owners))
        deck = (*deck[:start], *read_stripping(occasion, deck[start:], stripped, message))
    told = dict(v["told"][p])
    for giver in sorted({*v["party"]} - {*m.present}) if m.tells_pieces else ():
        if p in v["given"].get(giver, {}) and giver not in told:
            told[giver] = scalar(message.take(32))
            if times(told[giver], BASE) != v["given"][giver][p]:
                raise Wrong(f"not the piece that player {giver} gave")
    start += m.call[0] == "BuyDevCard"
    if deck[start:]:
        joint = joint_key({**v, "layers": layers, "gone": gone})
        deck = (*deck[:start], *read_shuffle(occasion, joint, deck[start:], message))
    return {"deck": deck, "layers": layers, "told": told, "gone": gone, "as it was": kept}


def _check_accusation(m: Moment, a: Action, v: Vault, occasion: Occasion, message: Message) -> None:
    x, p = a["Absent"], a["player"]
    if v["choice"] is not None and v["choice"][3] == x and v["answer"] is not None and "Place" in a:
        choice, size, robber, _ = v["choice"]
        hiding, place = scalar(message.take(32)), a["Place"]
        is_own = place < size and plus(times(hiding, BASE), times(place, generator("theft"))) == choice
        if p != robber or not is_own or is_opened(v["answer"], choice, place, hiding):
            raise Wrong("no lie is proven")
    elif m.stage == "first" and has_pieces(v) and "Place" not in a:
        piece = shown_piece(occasion, v["meeting"][p], v["meeting"][x], x, message)
        if piece == v["given"][x][p]:
            raise Wrong("the piece is what it has to be")
    else:
        raise Wrong("there is nothing to accuse of")


def _check_game_key(v: Vault, occasion: Occasion, key: bytes) -> None:
    root, p, _ = occasion
    purpose = "meeting" if v["leaving"] else "deck"
    secret = drawn(about((root, p, root), purpose, v["nonce"][p]), key, "secret key")
    if times(secret, BASE) != v["meeting" if v["leaving"] else "key"][p]:
        raise Wrong("not the key of the pledge")


def check_opening(v: Vault, cards: list[int], seal: bytes, occasion: Occasion) -> None:
    """``Wrong`` unless a request opens all sealed cards of a seat, which are these by kind."""
    message, old = Message(seal), v["cards"][occasion[1]]
    if read_resealing(occasion, old, [0] * 5, cards, "none", message) or message.rest:
        raise Wrong("cards that stay sealed, or bytes too many")


def after(m: Moment, a: Action, before: Vault, facts: Facts) -> Vault:
    """The vault after a commit."""
    v = {name: dict(part) if isinstance(part, dict) and name != "answer" else part for name, part in before.items()}
    p = a["player"]
    if "cards" in facts:
        v["cards"][p] = facts["cards"]
    if "shown" in facts:
        for pile in ("held", "bought"):
            v[pile][p] = tuple(number for number in v[pile][p] if number != facts["shown"])
    match a["name"]:
        case "pledge":
            v["meeting" if v["leaving"] else "key"][p] = facts["key"]
            v["nonce"][p] = a.get("Nonce", "")
        case "shuffle":
            v |= {name: facts[name] for name in ("deck", "layers", "gone", "as it was") if name in facts}
            for name in ("key", "given", "told"):
                if name in facts:
                    v[name][p] = facts[name]
        case "call" if "choice" in facts:
            v["choice"], v["answer"] = facts["choice"], None
        case "reveal" if "answer" in facts:
            v["answer"] = facts["answer"]
        case "reveal" if "share" in facts:
            v["shares"][p] = facts["share"]
        case "buy_dev_card":
            v["bought"][p] = (*v["bought"][p], next_card(v))
            v["sold"][next_card(v)], v["shares"] = v["shares"], {}
        case "move_bandit" | "play_knight":
            if facts.get("place") is not None:
                cards, place = list(v["cards"][a["Victim"]]), facts["place"]
                v["cards"][p] = (*v["cards"][p], cards.pop(place))
                v["cards"][a["Victim"]] = tuple(cards)
            v["choice"] = v["answer"] = None
        case "empty_build":
            v["held"][p], v["bought"][p] = (*v["held"][p], *v["bought"][p]), ()
        case "excuse" | "claim":
            _leave(m, a["Absent"], v)
            v["proven"] |= {a["Absent"]} if "lie" in facts else set()
        case "come_back":
            v["cards"][a["Absent"]] = ()
    return v


def _leave(m: Moment, x: int, v: Vault) -> None:
    """Let a player go."""
    if m.builder == x:
        v["held"][x], v["bought"][x] = (*v["held"][x], *v["bought"][x]), ()
    if m.call[0] == "BuyDevCard" and m.caller == x:
        v["held"][x] = (*v["held"][x], next_card(v))
        v["sold"][next_card(v)], v["shares"] = v["shares"], {}
    elif m.call[0] == "BuyDevCard" and (any(m.state["due"].values()) or m.is_deck_lost):
        v["shares"] = {}
    if v["choice"] is not None and x in v["choice"][2:]:
        v["choice"] = v["answer"] = None
    if m.stage == "back" and m.hid["shuffles"]:
        v["deck"], v["gone"] = v["as it was"]
    is_sealed = x not in v["gone"]
    v["gone"] |= {x}
    if m.state["tp"] == "Pledging" or m.stage in ("keys", "first"):
        v |= {"key": {}, "given": {}, "deck": (), "party": tuple(q for q in v["party"] if q != x)}
        return
    if not is_sealed:
        return
    told = v["told"][x]
    givers = [giver for giver in v["party"] if x in v["given"].get(giver, {}) and giver not in told]
    v["layers"] |= {(x, giver) for giver in givers}
    start, piece = next_card(v) - 1, sum(told.values())
    v["deck"] = (*v["deck"][:start], *(_without(card, piece) for card in v["deck"][start:]))


def _without(card: Pair, piece: int) -> Pair:
    return card[0], minus(card[1], times(piece, card[0]))
