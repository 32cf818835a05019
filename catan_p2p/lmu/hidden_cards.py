"""What a computer player takes the hidden cards for: any cards that could be there, drawn at random.

Only the numbers of others' cards are used, never the cards themselves: so a computer player knows no more than anybody
who reads its messages, and the same code serves on the server and in the client.
"""

from random import Random

from catan_p2p.game.cards import DEV_CARDS, ONE, RESOURCES, Cards, count, covers, total, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.state import Bank, Hand, State


def with_guesses(state: State, viewer: Player, rng: Random) -> State:
    """The state with other cards in all hands but the viewer's, as many as there are, and the rest in the bank."""
    rules = state.constants.rules
    own = state.h[viewer - 1]
    resources = _deck(rules.resource_pool, own.rc, RESOURCES, rng)
    known = own.bc + own.ac + own.uc + state.dp
    for player, hand in enumerate(state.h, 1):
        if player != viewer:
            known += ONE["Knight"] * count(hand.uc, "Knight")
    cards = _deck(rules.dev_card_pool, known, DEV_CARDS, rng)
    # points are dealt last: who is taken to have some would be taken to win
    cards.sort(key=lambda card: card != "VictoryPoint")
    hands = []
    for player, hand in enumerate(state.h, 1):
        if player == viewer:
            hands.append(hand)
            continue
        held = sum(ONE[resources.pop()] for _ in range(min(total(hand.rc), len(resources))))
        hidden = total(hand.bc) + total(hand.ac) + count(hand.uc, "VictoryPoint")
        unseen = [cards.pop() for _ in range(min(hidden, len(cards)))]
        playable = sum(ONE[card] for card in unseen if card != "VictoryPoint")
        points = ONE["VictoryPoint"] * unseen.count("VictoryPoint")
        hands.append(Hand(held, 0, playable, ONE["Knight"] * count(hand.uc, "Knight") + points))
    bank = Bank(sum(ONE[card] for card in resources), sum(ONE[card] for card in cards))
    return state._replace(h=tuple(hands), bnk=bank)


def _deck(pool: Cards, known: Cards, kinds: tuple[str, ...], rng: Random) -> list[str]:
    """The cards of a pool that are not known, shuffled."""
    left = pool - known if covers(pool, known) else pool
    deck = [kind for kind, n in zip(kinds, unpack(left), strict=True) for _ in range(n)]
    rng.shuffle(deck)
    return deck
