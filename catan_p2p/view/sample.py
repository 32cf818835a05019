"""A state with open hands that agrees with all that a player knows of a game.

Cards that the player knows are in the hands of the given state. Sealed cards are drawn at random from those that are
nowhere else, and so are the unknown development cards of hands and bank. This lets a policy for open hands play hidden
ones, and what it decides cannot depend on a card that its player does not see.
"""

from dataclasses import replace
from functools import lru_cache
from random import Random

from catan_p2p.game.cards import DEV_CARDS, NO_CARDS, ONE, RESOURCES, Cards, count, covers, unpack
from catan_p2p.game.constants import Constants
from catan_p2p.game.state import NO_CALL, NOTHING_HIDDEN, Bank, Hand, State

_POINT = ONE["VictoryPoint"]


def sample(state: State, rng: Random) -> State:
    """The state with a random card for each that ``state.hid`` counts; the cards left over go to the bank.

    The sealed cards of a player who has left a hidden game are out of play, so they are in no hand. A victory point is
    unveiled at once, as in a game with open hands.
    """
    hidden, rules = state.hid, state.constants.rules
    is_hidden = rules.hands == "hidden"
    cards = _drawn(_left(rules.resource_pool, state.bnk.rc + sum(hand.rc for hand in state.h)), RESOURCES, rng)
    deck = _drawn(state.bnk.dc, DEV_CARDS, rng)
    if not is_hidden:  # points are dealt last: a player assumed to hold some would be assumed to win
        deck.sort(key=_POINT.__ne__)
    hands = []
    for hand, away, *counts in zip(state.h, state.away, hidden.sealed, hidden.bought, hidden.held, strict=True):
        sealed, bought, held = map(_taken, (cards, deck, deck), counts)
        new, old = hand.bc + bought, hand.ac + held
        points = [_POINT * count(pile, "VictoryPoint") for pile in (new, old)]
        in_play = NO_CARDS if is_hidden and away else sealed
        hands.append(Hand(hand.rc + in_play, new - points[0], old - points[1], hand.uc + sum(points)))
    return state._replace(
        constants=_opened(state.constants),
        h=tuple(hands),
        bnk=Bank(state.bnk.rc + sum(cards), sum(deck)),
        call=NO_CALL,
        hid=NOTHING_HIDDEN,
    )


@lru_cache(maxsize=64)
def _opened(constants: Constants) -> Constants:
    """The constants of the same game with open hands."""
    return replace(constants, rules=replace(constants.rules, hands="open", signed_end=False))


def _left(pool: Cards, known: Cards) -> Cards:
    """What is left of a pool; all of it if more cards are said to be known than there are."""
    return pool - known if covers(pool, known) else pool


def _drawn(cards: Cards, kinds: tuple[str, ...], rng: Random) -> list[Cards]:
    """Single cards in a random order."""
    single = [ONE[kind] for kind, number in zip(kinds, unpack(cards), strict=True) for _ in range(number)]
    rng.shuffle(single)
    return single


def _taken(cards: list[Cards], number: int) -> Cards:
    """Take this many cards off the end, or all there are; returns their sum."""
    return sum(cards.pop() for _ in range(min(number, len(cards))))
