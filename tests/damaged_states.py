"""Damaged states: states of games with something moved, lost or redrawn, near to what is right or far from it.

Each keeps what a state of the program can say at all: counts that are not negative, one owner of a point.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from catan_p2p.game.board import numbers
from catan_p2p.game.cards import DEV_CARDS, FIELD_MAX, ONE, RESOURCES, count, pack, total
from catan_p2p.game.state import (
    ANSWERS,
    NO_OFFER,
    NOTHING_HIDDEN,
    SETUP_PHASES,
    TURN_PHASES,
    Buildings,
    CalledDraw,
    Hand,
    Offer,
    PlacedSettlements,
    State,
)
from tests.sampled_states import random_call, scrambled

Damage = Callable[[State, Random], dict[str, Any]]
"""What a damage changes, if it finds something to change."""


def _redrawn(component: str, value: Callable[[State, Random], Any]) -> Damage:
    return lambda state, rng: {component: value(state, rng)}


def _player(state: State, rng: Random) -> int:
    return rng.randint(0, len(state.h) + 1)


def _some(state: State, rng: Random) -> int:
    """A few cards, at most one more of a type than an offer may have."""
    rules = state.constants.rules
    most = (rules.offer_max or count(rules.resource_pool, RESOURCES[0])) + 1
    counts = [0] * 5
    for _ in range(rng.randint(0, 2)):
        counts[rng.randrange(5)] = rng.choice((1, 1, max(0, most - 1), most))
    return pack(counts)


def _rolls(state: State, rng: Random) -> tuple[int, ...]:
    return tuple(rng.choice((0, 0, 1, 2, 7, 12, 13)) for _ in state.rolls)


def _answers(state: State, rng: Random) -> tuple[Any, ...]:
    """One more or less than was asked, or anything."""
    seat = rng.randrange(len(state.ans))
    changed = (*state.ans[:seat], rng.choice(ANSWERS), *state.ans[seat + 1 :])
    return rng.choice((changed, tuple(rng.choice(ANSWERS) for _ in state.ans)))


def _proposals(state: State, rng: Random) -> tuple[Offer, ...]:
    """Somebody proposes something, or no more what they did."""
    seat = rng.randrange(len(state.prop))
    proposed = rng.choice((NO_OFFER, Offer(_some(state, rng), _some(state, rng)), rng.choice(state.prop)))
    return (*state.prop[:seat], proposed, *state.prop[seat + 1 :])


def _made(state: State, rng: Random) -> tuple[int, ...]:
    """Somebody has made more or fewer offers or proposals."""
    seat, rules = rng.randrange(len(state.made)), state.constants.rules
    count = rng.randint(0, max(rules.offers_per_turn, rules.proposals_per_turn) + 1)
    return (*state.made[:seat], count, *state.made[seat + 1 :])


def _ahead(state: State, rng: Random) -> tuple[bool, ...]:
    """Any have told shares ahead."""
    is_told = state.constants.rules.chance_ahead
    return tuple(is_told and rng.random() < 0.7 for _ in state.ahead)


def _away(state: State, rng: Random) -> tuple[bool, ...]:
    """One more or less is away, or any are."""
    seat = rng.randrange(len(state.away))
    changed = (*state.away[:seat], not state.away[seat], *state.away[seat + 1 :])
    return rng.choice((changed, changed, tuple(rng.random() < 0.5 for _ in state.away)))


def _shares(state: State, rng: Random) -> tuple[bool, ...]:
    """One more or less that is due, or any."""
    seat = rng.randrange(len(state.due))
    changed = (*state.due[:seat], not state.due[seat], *state.due[seat + 1 :])
    return rng.choice((changed, tuple(rng.random() < 0.5 for _ in state.due)))


def _call_parts(state: State, rng: Random) -> dict[str, Any]:
    """One part of the call is that of another call."""
    part = rng.choice(CalledDraw._fields)
    return {"call": state.call._replace(**{part: getattr(random_call(state, rng), part)})}


def _limits(state: State, rng: Random) -> tuple[int, ...]:
    return tuple(rng.choice((limit, 0, 1, 4, 96)) for limit in state.lim)


def _cards_astray(state: State, rng: Random) -> dict[str, Any]:
    """A card leaves one place, or comes to another, or both."""
    kinds, fields = rng.choice(((RESOURCES, ("rc",)), (DEV_CARDS, ("bc", "ac", "uc"))))
    card = ONE[rng.choice(kinds)]
    hands, bank, pile = list(state.h), state.bnk, state.dp
    for change in rng.choice(((1,), (-1,), (1, -1), (1, -1), (1, -1))):
        places = [("bank", 0, ""), *(("hand", seat, rng.choice(fields)) for seat in range(len(hands)))]
        where, seat, field = rng.choice([*places, ("pile", 0, "")] if fields != ("rc",) else places)
        if where == "bank":
            name = "rc" if fields == ("rc",) else "dc"
            bank = bank._replace(**{name: _moved(getattr(bank, name), card, change)})
        elif where == "pile":
            pile = _moved(pile, card, change)
        else:
            hands[seat] = hands[seat]._replace(**{field: _moved(getattr(hands[seat], field), card, change)})
    return {"h": tuple(hands), "bnk": bank, "dp": pile}


def _moved(cards: int, card: int, change: int) -> int:
    """A card more or less; as many as before where there is none to take, or no room."""
    held = count(cards, RESOURCES[(card.bit_length() - 1) // 8])
    return cards + change * card if 0 <= held + change <= FIELD_MAX else cards


def _dealt(state: State, rng: Random) -> dict[str, Any]:
    """Somebody has some more development cards of a type, unveiled or bought, and the bank has them no more."""
    seat, (field, kind) = (
        rng.randrange(len(state.h)),
        rng.choice((("uc", "Knight"), ("uc", "VictoryPoint"), ("bc", "Knight"))),
    )
    number = min(rng.randint(1, 5), count(state.bnk.dc, kind))
    hand = state.h[seat]
    changed = hand._replace(**{field: getattr(hand, field) + number * ONE[kind]})
    bank = state.bnk._replace(dc=state.bnk.dc - number * ONE[kind])
    return {"h": (*state.h[:seat], changed, *state.h[seat + 1 :]), "bnk": bank}


def _road(state: State, rng: Random) -> dict[str, Any]:
    """A road is gone, or another player's, or on another point; the supplies may follow."""
    taken = [(seat, point) for seat, roads in enumerate(state.r) for point in numbers(roads)]
    free = [n for n in range(1, state.constants.board.road_count + 1) if not any(r >> n & 1 for r in state.r)]
    roads, left = list(state.r), list(state.b)
    if taken and rng.random() < 0.7:
        seat, point = rng.choice(taken)
        roads[seat] ^= 1 << point
        left[seat] = left[seat]._replace(road=left[seat].road + 1)
    if free and rng.random() < 0.7:
        seat = rng.randrange(len(roads))
        roads[seat] |= 1 << rng.choice(free)
        left[seat] = left[seat]._replace(road=max(0, left[seat].road - 1))
    return {"r": tuple(roads), "b": tuple(left)} if rng.random() < 0.8 else {"r": tuple(roads)}


def _settlement(state: State, rng: Random) -> dict[str, Any]:
    """A settlement is another player's, on another point, or of the other kind; the supplies may follow."""
    villages, cities, left = list(state.s.villages), list(state.s.cities), list(state.b)
    placed = [(seat, kind, p) for kind in (0, 1) for seat, s in enumerate(state.s[kind]) for p in numbers(s)]
    if placed and rng.random() < 0.8:
        seat, kind, point = rng.choice(placed)
        (villages, cities)[kind][seat] ^= 1 << point
        left[seat] = _returned(left[seat], kind, 1)
    free = set(range(1, state.constants.board.settlement_count + 1)) - {
        point for some in (*villages, *cities) for point in numbers(some)
    }
    if rng.random() < 0.8:
        seat, kind = rng.randrange(len(left)), rng.randrange(2)
        (villages, cities)[kind][seat] |= 1 << rng.choice(sorted(free))
        left[seat] = _returned(left[seat], kind, -1)
    settled = {"s": PlacedSettlements(tuple(villages), tuple(cities))}
    return {**settled, "b": tuple(left)} if rng.random() < 0.8 else settled


def _returned(left: Buildings, kind: int, change: int) -> Buildings:
    if kind:
        return left._replace(city=max(0, left.city + change))
    return left._replace(village=max(0, left.village + change))


def _supply(state: State, rng: Random) -> dict[str, Any]:
    seat, piece = rng.randrange(len(state.b)), rng.choice(Buildings._fields)
    changed = state.b[seat]._replace(**{piece: max(0, getattr(state.b[seat], piece) + rng.choice((-1, 1, 15)))})
    return {"b": (*state.b[:seat], changed, *state.b[seat + 1 :])}


def _swapped_hands(state: State, rng: Random) -> dict[str, Any]:
    hands: list[Hand] = list(state.h)
    rng.shuffle(hands)
    return {"h": tuple(hands)}


def _scrambled(state: State, rng: Random) -> dict[str, Any]:
    other = scrambled(state, rng)
    return {name: getattr(other, name) for name in State._fields[1:]}


def _another_count(state: State, rng: Random) -> dict[str, Any]:
    """Somebody has a hidden card more or less, or another player has it."""
    name, n = rng.choice(("sealed", "sealed", "bought", "held")), len(state.h)
    counts, seats = list(getattr(state.hid, name)), rng.sample(range(n), 2)
    for seat, change in zip(seats, rng.choice(((1, 0), (-1, 0), (40, 0), (1, -1), (1, -1))), strict=True):
        counts[seat] = max(0, counts[seat] + change)
    return {"hid": state.hid._replace(**{name: tuple(counts)})}


def _sealed_or_known(state: State, rng: Random) -> dict[str, Any]:
    """A known card of a hand is sealed, or a sealed one is known."""
    seat, card, change = rng.randrange(len(state.h)), ONE[rng.choice(RESOURCES)], rng.choice((-1, 1))
    hands, sealed = list(state.h), list(state.hid.sealed)
    known = _moved(hands[seat].rc, card, change)
    sealed[seat] = max(0, sealed[seat] - (known != hands[seat].rc) * change)
    hands[seat] = hands[seat]._replace(rc=known)
    return {"h": tuple(hands), "hid": state.hid._replace(sealed=tuple(sealed))}


def _sealed_hand(state: State, rng: Random) -> dict[str, Any]:
    """All known cards of a hand are sealed, of who is asked for some if anybody is."""
    asked = [seat for seat, answer in enumerate(state.ans) if answer == "asked"]
    seat = rng.choice(asked or range(len(state.h)))
    hands, sealed = list(state.h), list(state.hid.sealed)
    sealed[seat] += total(hands[seat].rc)
    hands[seat] = hands[seat]._replace(rc=0)
    return {"h": tuple(hands), "hid": state.hid._replace(sealed=tuple(sealed))}


def _another_kind(state: State, rng: Random) -> dict[str, Any]:
    """A known card of a hand is of another kind."""
    seat, (old, new) = rng.randrange(len(state.h)), rng.sample(RESOURCES, 2)
    hands = list(state.h)
    if count(hands[seat].rc, old):
        hands[seat] = hands[seat]._replace(rc=hands[seat].rc - ONE[old] + ONE[new])
    return {"h": tuple(hands)}


def _deck(state: State, rng: Random) -> dict[str, Any]:
    """Something else was shuffled."""
    return {"hid": state.hid._replace(deck=rng.choice(("keys", "first", "rest", "lost")))}


def _shuffle(state: State, rng: Random) -> dict[str, Any]:
    """Shuffles are under way."""
    deck, shuffles = rng.choice(("keys", "first", "rest", "rest", "lost")), rng.randint(0, len(state.h))
    return {"tp": "Shuffling", "hid": state.hid._replace(back=state.tp, deck=deck, shuffles=shuffles)}


def _end(state: State, rng: Random) -> dict[str, Any]:
    """The game is over, or is not signed yet, and somebody owes something or does not."""
    return {"due": _shares(state, rng), "tp": rng.choice(("Signing", "top"))}


def _hidden_part(state: State, rng: Random) -> dict[str, Any]:
    """Something else is shuffled, asked for or to be gone back to."""
    values: dict[str, Any] = {
        "shuffles": rng.randint(0, len(state.h) + 1),
        "wanted": rng.choice((*RESOURCES, "none")),
        "back": rng.choice(TURN_PHASES),
        "deck": rng.choice(("keys", "first", "rest", "lost")),
    }
    names = rng.sample(sorted(values), rng.choice((1, 1, 2)))
    changes = {"hid": state.hid._replace(**{name: values[name] for name in names})}
    return changes | {"tp": rng.choice(("Shuffling", "Surrendering", "Signing", state.tp, state.tp, state.tp))}


DAMAGES: Sequence[Damage] = (
    _redrawn("sup", lambda state, rng: rng.choice(SETUP_PHASES)),
    _redrawn("su_ap", _player),
    _redrawn("first", _player),
    _redrawn("rolls", _rolls),
    _redrawn("ap", _player),
    _redrawn("tp", lambda state, rng: rng.choice(TURN_PHASES)),
    _redrawn("dice", lambda state, rng: rng.choice((0, 0, 1, 2, 7, 7, 8, 12, 13))),
    _redrawn("pd", lambda state, rng: rng.randint(0, state.constants.rules.dev_cards_per_turn + 1)),
    _redrawn("sb", _player),
    _redrawn("ba", lambda state, rng: rng.randint(0, state.constants.board.tile_count + 1)),
    _redrawn("lr", _player),
    _redrawn("la", _player),
    _redrawn("lim", _limits),
    _redrawn("offer", lambda state, rng: Offer(_some(state, rng), _some(state, rng))),
    _redrawn("offer", lambda state, rng: state.offer._replace(give=_some(state, rng))),
    _redrawn("offer", lambda state, rng: state.offer._replace(receive=_some(state, rng))),
    _redrawn("ans", _answers),
    _redrawn("ans", _answers),
    _redrawn("prop", _proposals),
    _redrawn("made", _made),
    _redrawn("due", _shares),
    _redrawn("away", _away),
    _redrawn("away", _away),
    _redrawn("call", random_call),
    _redrawn("ahead", _ahead),
    _call_parts,
    _call_parts,
    _cards_astray,
    _cards_astray,
    _dealt,
    _dealt,
    _dealt,
    _dealt,
    _road,
    _road,
    _settlement,
    _settlement,
    _supply,
    _swapped_hands,
    _scrambled,
)


HIDDEN_DAMAGES: Sequence[Damage] = (
    *(_another_count, _another_count, _another_count, _another_count),
    *(_sealed_or_known, _sealed_or_known, _sealed_hand, _hidden_part, _hidden_part, _hidden_part, _hidden_part),
    *(_another_kind, _another_kind, _deck, _shuffle, _end),
)
"""Those of games with hidden hands besides."""


def damaged(states: Sequence[State], number: int, seed: int) -> dict[State, State]:
    """So many states, most of them damaged once or twice, some with components of others; each with what it was."""
    rng = Random(seed)
    found: dict[State, State] = {}
    while len(found) < number:
        sound = state = rng.choice(states)
        for _ in range(rng.choice((0, 1, 1, 1, 1, 2))):
            is_open = state.hid is NOTHING_HIDDEN
            state = state._replace(**rng.choice(DAMAGES if is_open else (*DAMAGES, *HIDDEN_DAMAGES))(state, rng))
        if rng.random() < 0.1:
            other = rng.choice(states)
            for name in rng.sample(State._fields[1:], rng.randint(1, 2)):
                state = state._replace(**{name: getattr(other, name)})
        if _is_told(state):
            found[state] = sound
    return found


def _is_told(state: State) -> bool:
    """Whether every point has one owner: what the specification says of a point is one thing."""
    settled = (*state.s.villages, *state.s.cities)
    return sum(some.bit_count() for some in settled) == len(set().union(*map(numbers, settled))) and sum(
        some.bit_count() for some in state.r
    ) == len(set().union(*map(numbers, state.r)))
