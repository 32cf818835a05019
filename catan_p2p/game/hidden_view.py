"""What a player may suppose of a game of hidden hands: an open game that agrees with all that they know.

Their own cards are those that they hold. The others' sealed cards are some of those that nobody else accounts for,
drawn at random, and so are the development cards of others and of the bank. So a policy for open hands plays hidden
ones, and what it decides cannot depend on a card that its player does not see.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from random import Random

from catan_p2p.game.cards import DEV_CARDS, NO_CARDS, ONE, RESOURCES, Cards, unpack
from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.state import NO_CALL, NOTHING_HIDDEN, Bank, Hand, State


@lru_cache(maxsize=64)
def opened_constants(constants: Constants) -> Constants:
    """The constants of the same game with open hands."""
    rules = replace(constants.rules, hands="open", signed_end=False)
    return Constants(rules, constants.board, constants.player_count, constants.opening)


def supposed(state: State, player: Player, sealed: Cards, bought: Cards, held: Cards, rng: Random) -> State:
    """The state with open hands as a player may suppose it.

    ``sealed`` are the player's own sealed cards, ``bought`` and ``held`` their development cards that nobody else sees.
    The sealed cards of a player who has left are out of play, so they are in no hand.
    """
    hidden, rules = state.hid, state.constants.rules
    own = state.h[player - 1].rc + sealed
    unseen = rules.resource_pool - state.bnk.rc - own
    for seat, hand in enumerate(state.h, 1):
        unseen -= NO_CARDS if seat == player else hand.rc
    left = _drawn(unseen, RESOURCES, rng)
    deck = _drawn(state.bnk.dc - bought - held, DEV_CARDS, rng)
    hands = []
    for seat, hand in enumerate(state.h, 1):
        if seat == player:
            hands.append(_with_dev(Hand(own, hand.bc, hand.ac, hand.uc), bought, held))
            continue
        taken, new, old = (
            _taken(left, hidden.sealed[seat - 1]),
            _taken(deck, hidden.bought[seat - 1]),
            _taken(deck, hidden.held[seat - 1]),
        )
        in_play = NO_CARDS if state.away[seat - 1] else taken
        hands.append(_with_dev(Hand(hand.rc + in_play, hand.bc, hand.ac, hand.uc), new, old))
    return state._replace(
        constants=opened_constants(state.constants),
        h=tuple(hands),
        bnk=Bank(state.bnk.rc, sum(deck, NO_CARDS)),
        call=NO_CALL,
        hid=NOTHING_HIDDEN,
    )


def _drawn(cards: Cards, kinds: tuple[str, ...], rng: Random) -> list[Cards]:
    """Single cards in a random order."""
    single = [ONE[kind] for kind, number in zip(kinds, unpack(cards), strict=True) for _ in range(number)]
    rng.shuffle(single)
    return single


def _taken(cards: list[Cards], count: int) -> Cards:
    """So many cards from the end, which are no longer there."""
    return sum((cards.pop() for _ in range(count)), NO_CARDS) if count else NO_CARDS


def _with_dev(hand: Hand, bought: Cards, held: Cards) -> Hand:
    """A hand with development cards; by open hands a victory point is unveiled at once."""
    if not (bought or held):
        return hand
    points = [_points(cards) for cards in (bought, held)]
    return hand._replace(
        bc=hand.bc + bought - points[0], ac=hand.ac + held - points[1], uc=hand.uc + points[0] + points[1]
    )


def _points(cards: Cards) -> Cards:
    return ONE["VictoryPoint"] * unpack(cards)[DEV_CARDS.index("VictoryPoint")]
