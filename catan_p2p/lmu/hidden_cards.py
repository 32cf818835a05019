"""What a computer player takes the hidden cards for: any cards that could be there, drawn at random.

Only the numbers of others' cards are used, never the cards themselves: so a computer player knows no more than anybody
who reads its messages, and the same code serves on the server and in the client.
"""

from random import Random

from catan_p2p.game.cards import NO_CARDS, ONE, count, covers, total
from catan_p2p.game.constants import Player
from catan_p2p.game.state import NOTHING_HIDDEN, Bank, Hand, State
from catan_p2p.view.sample import sample


def with_guesses(state: State, viewer: Player, rng: Random) -> State:
    """The state with other cards in all hands but the viewer's, as many as there are, and the rest in the bank."""
    hands, sealed, held = [], [], []
    for player, hand in enumerate(state.h, 1):
        knights = ONE["Knight"] * count(hand.uc, "Knight")
        hidden = total(hand.bc) + total(hand.ac) + count(hand.uc, "VictoryPoint")
        is_own = player == viewer
        hands.append(hand if is_own else Hand(NO_CARDS, NO_CARDS, NO_CARDS, knights))
        sealed.append(0 if is_own else total(hand.rc))
        held.append(0 if is_own else hidden)
    known, pool = state.dp + sum(hand.bc + hand.ac + hand.uc for hand in hands), state.constants.rules.dev_card_pool
    deck = pool - known if covers(pool, known) else pool
    counts = NOTHING_HIDDEN._replace(sealed=tuple(sealed), bought=(0,) * len(held), held=tuple(held))
    return sample(state._replace(h=tuple(hands), bnk=Bank(NO_CARDS, deck), hid=counts), rng)
