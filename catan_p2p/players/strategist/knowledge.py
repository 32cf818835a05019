"""What a player may know of a state: everything except the cards in others' hands.

The bank is open, so everybody knows how many cards of a resource the others hold together and how many cards each of
them holds; of two players each knows the other's hand. ``known`` fills the others' hands with cards that agree with
that. The strategist decides on nothing else, so its decisions cannot depend on what it may not see.
"""

from functools import lru_cache

from catan_p2p.game.adding import added
from catan_p2p.game.board import Board
from catan_p2p.game.cards import DEV_CARDS, ONE, RESOURCES, Cards, count, covers, pack, total, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.state import Bank, Hand, State
from catan_p2p.players.strategist.tables import income
from catan_p2p.players.strategist.weights import FITTING_ROUNDS, FLOOR_SHARE


def known(state: State, player: Player, remembered: tuple[Cards, ...] | None = None) -> State:
    """The state with cards in the others' hands as the player may suppose them: the remembered ones, if any."""
    own = state.h[player - 1]
    sizes = tuple(total(hand.rc) for hand in state.h)
    together = state.constants.rules.resource_pool - state.bnk.rc - own.rc
    settled = tuple(zip(state.s.villages, state.s.cities, strict=True))
    hands = remembered or _supposed(state.constants.board, settled, player, sizes, together)
    unseen = unseen_cards(state, player)
    waiting = tuple((total(hand.bc), total(hand.ac)) for hand in state.h)
    found, left = [], unseen
    for seat, hand in enumerate(state.h, 1):
        if seat == player:
            found.append(own)
            continue
        bought, left = _dealt(left, waiting[seat - 1][0])
        available, left = _dealt(left, waiting[seat - 1][1])
        found.append(Hand(hands[seat - 1], bought, available, hand.uc))
    return state._replace(h=tuple(found), bnk=Bank(state.bnk.rc, left))


def unseen_cards(state: State, player: Player) -> Cards:
    """The development cards that may be in the bank as far as the player knows, including those in others' hands."""
    own = state.h[player - 1]
    seen = own.bc + own.ac + state.dp + sum(hand.uc for hand in state.h)
    pool = state.constants.rules.dev_card_pool
    return pool - seen if covers(pool, seen) else state.bnk.dc


def _dealt(deck: Cards, amount: int) -> tuple[Cards, Cards]:
    """The most likely cards of a deck, victory points left out, and what remains of the deck."""
    dealt = 0
    for _ in range(amount):
        card = max(DEV_CARDS[:4], key=lambda kind: count(deck, kind))
        if not count(deck, card):
            break
        dealt, deck = dealt + ONE[card], deck - ONE[card]
    return dealt, deck


@lru_cache(maxsize=1 << 10)
def _supposed(
    board: Board,
    settled: tuple[tuple[int, int], ...],
    player: Player,
    sizes: tuple[int, ...],
    together: Cards,
) -> tuple[Cards, ...]:
    """Whole cards for everybody except the player, in agreement with the sizes of hands and the sum of each resource.

    Shares are fitted to both, starting from what each player's settlements yield, and then rounded.
    """
    sums = unpack(together) if together >= 0 else (0, 0, 0, 0, 0)
    seats = [seat for seat in range(1, len(sizes) + 1) if seat != player]
    if len(seats) == 1:
        return tuple(0 if seat == player else pack(sums) for seat in range(1, len(sizes) + 1))
    share = {seat: [FLOOR_SHARE + cards for cards in income(board, 0, 1.0, *settled[seat - 1])] for seat in seats}
    for _ in range(FITTING_ROUNDS):
        for kind, due in enumerate(sums):
            column = added(share[seat][kind] for seat in seats)
            for seat in seats:
                share[seat][kind] *= due / column if column else 0.0
        for seat in seats:
            row = added(share[seat])
            share[seat] = [cards * sizes[seat - 1] / row if row else 0.0 for cards in share[seat]]
    return _rounded(share, sums, sizes)


def _rounded(share: dict[int, list[float]], sums: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[Cards, ...]:
    left, room = list(sums), {seat: sizes[seat - 1] for seat in share}
    dealt = {seat: [0] * 5 for seat in share}
    cells = [(seat, kind) for seat in share for kind in range(len(RESOURCES))]
    for seat, kind in cells:
        whole = min(int(share[seat][kind]), left[kind], room[seat])
        dealt[seat][kind] += whole
        left[kind] -= whole
        room[seat] -= whole
    while True:
        best = max(
            (cell for cell in cells if left[cell[1]] and room[cell[0]]),
            key=lambda cell: share[cell[0]][cell[1]] - dealt[cell[0]][cell[1]],
            default=None,
        )
        if best is None:
            break
        seat, kind = best
        dealt[seat][kind] += 1
        left[kind] -= 1
        room[seat] -= 1
    return tuple(pack(dealt[seat]) if seat in dealt else 0 for seat in range(1, len(sizes) + 1))
