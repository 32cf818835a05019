"""Which cards others hold, as far as a player can tell: the possible hands with their probabilities, and the likeliest.

All cards move in the open except stolen ones: robber and victim see the card, the others only that there was one. So a
player who counts knows every hand up to a few thefts. ``CardMemory`` holds the possible hands of all players with the
probability of each combination. Cards that a player pays, offers or gives up later rule combinations out. ``fitted`` is
for a player who has not followed the game: the bank is open, so everybody knows how many cards of a resource the others
hold together, and how many cards each of them holds.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from catan_p2p.game.cards import (
    DEV_CARDS,
    NO_CARDS,
    ONE,
    RESOURCES,
    Cards,
    count,
    covers,
    is_valid,
    pack,
    total,
    unpack,
)
from catan_p2p.game.constants import Player
from catan_p2p.game.float_sums import added
from catan_p2p.game.state import Bank, Hand, State
from catan_p2p.view.events import BanditMoved, Event, TradeAnswered, TradeOffered, TradeProposed

Hands: TypeAlias = tuple[Cards, ...]
"""Everybody's resource cards, by seat."""
Yields: TypeAlias = tuple[tuple[float, ...], ...]
"""By seat, the cards a roll that a player's settlements yield, of each resource."""

MOST_COMBINATIONS = 64
"""How many combinations of hands are remembered: the likeliest ones."""
FITTING_ROUNDS = 6
"""How often the columns (resources) and the rows (players) of expected hands are fitted in turn."""
FLOOR_SHARE = 0.02
"""Cards of each resource that everybody is assumed to gain in a roll, so that no share of a hand is zero."""


class _HandEvents(NamedTuple):
    """What the events of one action reveal about hands: the cards that moved, and those that only two players saw."""

    changes: tuple[int, ...]
    """cards gained minus cards lost, by seat"""
    theft: tuple[Player, Player] | None
    """robber and victim; None if every card moved in the open"""
    shown: tuple[Player, Cards] | None
    """cards that a player must hold, because the rules allowed what the player did"""


class CardMemory:
    """The observed moves of cards in one game. Each player's view of it is derived on demand."""

    def __init__(self) -> None:
        self._moves: list[_HandEvents] = []
        self._views: dict[Player, _PlayerView] = {}
        self._said: list[_HandEvents] = []
        """What the replies to one commit have shown, until play goes on: no replier knows the others' replies."""
        self._knows_all = False
        """Whether everything was seen since a moment at which nobody held a card."""

    def saw(self, before: State, events: Iterable[Event], after: State) -> None:
        """Record what happened between two states.

        A player's view uses of it only what that player may know.
        """
        # With all hands empty there is only one combination: from here on nothing is missed.
        if not any(hand.rc for hand in before.h):
            self._moves, self._views, self._said, self._knows_all = [], {}, [], True
        if not self._knows_all:
            return
        theft = shown = None
        is_reply = False
        for event in events:
            match event:
                case BanditMoved(player, _, victim, card) if victim and card != "none":
                    theft = player, victim
                case TradeOffered(player, give):
                    shown = player, give
                case TradeProposed(player, give):
                    shown, is_reply = (player, give), True
                case TradeAnswered(player, accepts):
                    is_reply = True
                    if accepts and before.constants.rules.table_talk:
                        shown = player, before.offer.receive
        changes = tuple(new.rc - old.rc for new, old in zip(after.h, before.h, strict=True))
        if not is_reply:
            self._moves += self._said
            self._said = []
        if shown is not None or any(changes):
            (self._said if is_reply else self._moves).append(_HandEvents(changes, theft, shown))

    def hands(self, state: State, player: Player) -> Hands | None:
        """The likeliest combination of hands, as far as the player has followed the game; None if unknown.

        It agrees with what everybody sees in the state: the size of each hand, and the sum of all hands.
        """
        fitting = self._fitting(state, player)
        return max(fitting)[1] if fitting else None

    def held(self, state: State, player: Player) -> Hands | None:
        """The cards that each player certainly holds, as far as ``player`` has followed the game; None if unknown.

        It is unknown once combinations have been dropped because there were too many.
        """
        fitting = self._fitting(state, player)
        if not fitting or self._views[player].is_cut:
            return None
        return tuple(
            pack(map(min, zip(*map(unpack, hands), strict=True)))
            for hands in zip(*(hands for _, hands in fitting), strict=True)
        )

    def _fitting(self, state: State, player: Player) -> list[tuple[float, Hands]]:
        """The probability of each combination that agrees with the state; empty if the player has missed anything."""
        if not self._knows_all:
            return []
        view = self._views.setdefault(player, _PlayerView(player))
        view.take_in(self._moves)
        own = state.h[player - 1].rc
        sizes = [total(hand.rc) for hand in state.h]
        together = state.constants.rules.resource_pool - state.bnk.rc
        return [
            (chance, hands)
            for hands, chance in view.combinations.items()
            if hands[player - 1] == own and sum(hands) == together and [total(hand) for hand in hands] == sizes
        ]


class _PlayerView:
    """The combinations of hands that are possible for all that one player knows."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._seen = 0
        self.combinations: dict[Hands, float] = {}
        """the probability of each; empty before the first move, or if the moves seen contradict each other"""
        self.is_cut = False
        """whether combinations were dropped because there were too many"""

    def take_in(self, moves: list[_HandEvents]) -> None:
        """Take account of the moves since the last call."""
        if not self._seen and moves:
            self.combinations = {(NO_CARDS,) * len(moves[0].changes): 1.0}
        for move in moves[self._seen :]:
            is_hidden = move.theft is not None and self._player not in move.theft
            found = self._stolen(*move.theft) if move.theft and is_hidden else self._moved(move)
            if len(found) > MOST_COMBINATIONS:
                likely = sorted(found.items(), key=lambda item: (-item[1], item[0]))
                found, self.is_cut = dict(likely[:MOST_COMBINATIONS]), True
            self.combinations = found
        self._seen = len(moves)

    def _moved(self, move: _HandEvents) -> dict[Hands, float]:
        found = {}
        for hands, chance in self.combinations.items():
            if move.shown is not None and not covers(hands[move.shown[0] - 1], move.shown[1]):
                continue
            after = tuple(hand + change for hand, change in zip(hands, move.changes, strict=True))
            if all(map(is_valid, after)):
                found[after] = chance
        return found

    def _stolen(self, robber: Player, victim: Player) -> dict[Hands, float]:
        found: dict[Hands, float] = {}
        for hands, chance in self.combinations.items():
            held = hands[victim - 1]
            for kind in RESOURCES:
                if likely := count(held, kind):
                    after = list(hands)
                    after[victim - 1] -= ONE[kind]
                    after[robber - 1] += ONE[kind]
                    one = tuple(after)
                    found[one] = found.get(one, 0.0) + chance * likely / total(held)
        return found


# The likeliest


def likely(state: State, player: Player, hands: Hands) -> State:
    """The state with these resource cards in the others' hands, and with the likeliest development cards."""
    found, left = [], unseen_cards(state, player)
    for seat, (hand, held) in enumerate(zip(state.h, hands, strict=True), 1):
        if seat == player:
            found.append(hand)
            continue
        bought, left = _dealt(left, total(hand.bc))
        available, left = _dealt(left, total(hand.ac))
        found.append(Hand(held, bought, available, hand.uc))
    return state._replace(h=tuple(found), bnk=Bank(state.bnk.rc, left))


def unseen_cards(state: State, player: Player) -> Cards:
    """The development cards that may be in the bank as far as the player knows, including those in others' hands."""
    own = state.h[player - 1]
    seen = own.bc + own.ac + state.dp + sum(hand.uc for hand in state.h)
    pool = state.constants.rules.dev_card_pool
    return pool - seen if covers(pool, seen) else state.bnk.dc


def _dealt(deck: Cards, amount: int) -> tuple[Cards, Cards]:
    """The most likely cards of a deck, victory points left out, and the rest of the deck.

    A player assumed to hold victory points would be assumed to win.
    """
    dealt = 0
    for _ in range(amount):
        card = max(DEV_CARDS[:4], key=lambda kind: count(deck, kind))
        if not count(deck, card):
            break
        dealt, deck = dealt + ONE[card], deck - ONE[card]
    return dealt, deck


def fitted(state: State, player: Player, yields: Yields) -> Hands:
    """Hands that agree with the size of every hand and the sum of each resource, by the cards that players expect."""
    sizes = tuple(total(hand.rc) for hand in state.h)
    together = state.constants.rules.resource_pool - state.bnk.rc - state.h[player - 1].rc
    return _fitted(yields, player, sizes, together)


@lru_cache(maxsize=1 << 10)
def _fitted(yields: Yields, player: Player, sizes: tuple[int, ...], together: Cards) -> Hands:
    """Whole cards for everybody except the player.

    Iterative proportional fitting: the shares start from what each player's settlements yield, are scaled to the sums
    of columns and rows in turn, and are rounded at the end.
    """
    sums = unpack(together) if together >= 0 else (0, 0, 0, 0, 0)
    seats = [seat for seat in range(1, len(sizes) + 1) if seat != player]
    if len(seats) == 1:
        return tuple(0 if seat == player else pack(sums) for seat in range(1, len(sizes) + 1))
    share = {seat: [FLOOR_SHARE + cards for cards in yields[seat - 1]] for seat in seats}
    for _ in range(FITTING_ROUNDS):
        for kind, due in enumerate(sums):
            column = added(share[seat][kind] for seat in seats)
            for seat in seats:
                share[seat][kind] *= due / column if column else 0.0
        for seat in seats:
            row = added(share[seat])
            share[seat] = [cards * sizes[seat - 1] / row if row else 0.0 for cards in share[seat]]
    return _rounded(share, sums, sizes)


def _rounded(share: dict[Player, list[float]], sums: tuple[int, ...], sizes: tuple[int, ...]) -> Hands:
    left, room = list(sums), {seat: sizes[seat - 1] for seat in share}
    dealt = {seat: [0] * 5 for seat in share}
    cells = [(seat, kind) for seat in share for kind in range(len(RESOURCES))]

    def deal(seat: Player, kind: int, number: int) -> None:
        dealt[seat][kind] += number
        left[kind] -= number
        room[seat] -= number

    # The largest-remainder method: whole cards first, then one at a time where most of a share is missing.
    for seat, kind in cells:
        deal(seat, kind, min(int(share[seat][kind]), left[kind], room[seat]))
    while free := [cell for cell in cells if left[cell[1]] and room[cell[0]]]:
        deal(*max(free, key=lambda cell: share[cell[0]][cell[1]] - dealt[cell[0]][cell[1]]), 1)
    return tuple(pack(dealt[seat]) if seat in dealt else 0 for seat in range(1, len(sizes) + 1))
