"""The roll of the dice that begins a turn: production, or the seven."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from catan_p2p.game.actions.drawing import is_drawn, settled
from catan_p2p.game.actions.parameters import DiceSum, Seat
from catan_p2p.game.actions.parts import Action, NumberSource, unmet, with_seat
from catan_p2p.game.board import Board
from catan_p2p.game.cards import NO_CARDS, ONE, RESOURCES, Cards, count, covers, total
from catan_p2p.game.constants import Player
from catan_p2p.game.state import Bank, Hand, PlacedSettlements, State

SEVEN = 7


@dataclass(frozen=True, slots=True)
class RollDice(Action):
    """Player ``player`` rolls ``dice`` in sum: everybody gains, or with a seven large hands must be halved.

    Mirrors ``RollDice(p, d)`` in spec/Catan.tla (thesis, actions 3 to 5).
    """

    player: Seat
    dice: DiceSum

    phases = ("DiceRoll", "Drawing")
    drawn = "dice"


def broken(state: State, action: RollDice) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.phase == "DiceRoll" or "RD1 phase",
        state.ap == action.player or "RD2 turn",
        action.dice in state.constants.rules.dice or "RD3 dice",
        is_drawn(state, "RollDice") or "RD4 drawn",
    )


def effect(state: State, action: RollDice) -> State:
    """The state after the action, whose guards must hold."""
    state = settled(state)
    if state.ahead[action.player - 1]:
        state = state._replace(ahead=with_seat(state.ahead, action.player, False))
    if action.dice == SEVEN:
        limits = hand_limits(state)
        if any(state.away):
            state = _without_choice(state, limits)
            limits = tuple(0 if away else limit for limit, away in zip(limits, state.away, strict=True))
        if not any(limits):
            return state._replace(tp="MovingBandit", dice=SEVEN)
        return state._replace(tp="Discarding", dice=SEVEN, lim=limits)
    gains = production(state.constants.board, state.s, state.ba, action.dice)
    paid = sum(gains)
    # Only a shortage needs the look at each resource.
    if not covers(state.bnk.rc, paid):
        gains = what_is_left(state, gains)
        paid = sum(gains)
    if paid == NO_CARDS:
        return state._replace(tp=state.after_dice, dice=action.dice)
    return state._replace(
        tp=state.after_dice,
        dice=action.dice,
        bnk=Bank(state.bnk.rc - paid, state.bnk.dc),
        h=tuple(
            Hand(hand.rc + gain, hand.bc, hand.ac, hand.uc) if gain else hand
            for hand, gain in zip(state.h, gains, strict=True)
        ),
    )


def _without_choice(state: State, limits: tuple[int, ...]) -> State:
    """The state after those who are away have lost what a seven takes from them."""
    hands, bank = list(state.h), state.bnk
    for i, (limit, away) in enumerate(zip(limits, state.away, strict=True)):
        if limit and away:
            taken = first_cards(hands[i].rc, total(hands[i].rc) - limit)
            hands[i] = hands[i]._replace(rc=hands[i].rc - taken)
            bank = bank._replace(rc=bank.rc + taken)
    return state if bank is state.bnk else state._replace(h=tuple(hands), bnk=bank)


def first_cards(hand: Cards, number: int) -> Cards:
    """The first cards of a hand, in the order of resources: they are taken where nobody chooses.

    ``FirstCards`` of the specification.
    """
    taken = NO_CARDS
    for resource in RESOURCES:
        n = min(number, count(hand, resource))
        taken += ONE[resource] * n
        number -= n
    return taken


def what_is_left(state: State, gains: tuple[Cards, ...]) -> tuple[Cards, ...]:
    """What the players gain in the end if the bank cannot pay everything.

    By the thesis's rules nothing. By the rule book each resource is looked at by itself: nobody gains any of it, unless
    it is due to a single player, who gains what is left ("Resource Production").
    """
    if state.constants.rules.shortage == "nobody":
        return (NO_CARDS,) * len(gains)
    paid = list(gains)
    for resource in RESOURCES:
        due, left = [count(gain, resource) for gain in gains], count(state.bnk.rc, resource)
        if sum(due) > left:
            is_single = sum(1 for cards in due if cards) == 1
            for i, cards in enumerate(due):
                paid[i] -= ONE[resource] * (max(0, cards - left) if is_single else cards)
    return tuple(paid)


def hand_limits(state: State) -> tuple[int, ...]:
    """How many cards each player may keep after a seven; 0 if no discard is due (rule book, "Robber")."""
    limit = state.constants.rules.hand_limit
    sizes = map(state.hand_size, state.constants.players)
    return tuple(cards - cards // 2 if cards > limit else 0 for cards in sizes)


@lru_cache(maxsize=1 << 9)
def production(board: Board, s: PlacedSettlements, bandit: int, dice: int) -> tuple[Cards, ...]:
    """What each player gains from a roll: 1 for a village and 2 for a city at each tile with the number.

    The bandit's tile yields nothing.

    (``ResourceGainPlayer`` of the specification; thesis, function 1.)
    """
    gains = [NO_CARDS] * len(s.villages)
    for tile, corners, card in board.producers.get(dice, ()):
        if tile != bandit:
            for i, (villages, cities) in enumerate(zip(s.villages, s.cities, strict=True)):
                gains[i] += card * ((villages & corners).bit_count() + 2 * (cities & corners).bit_count())
    return tuple(gains)


def instances(state: State, player: Player) -> Sequence[RollDice]:
    """Every enabled instance, by sum."""
    if state.phase != "DiceRoll" or state.ap != player or not is_drawn(state, "RollDice"):
        return ()
    return _rolls(player, state.constants.rules.dice)


@lru_cache
def _rolls(player: Player, dice: tuple[int, ...]) -> tuple[RollDice, ...]:
    return tuple(RollDice(player, sum) for sum in dice)


def decisions(state: State, player: Player) -> Sequence[RollDice]:
    """One instance for all sums: rolling is one decision."""
    return instances(state, player)[:1]


def draw(state: State, action: RollDice, rng: NumberSource) -> RollDice:
    """The same roll with the sum of two six-sided dice."""
    return replace(action, dice=sum(two_dice(state, rng)))


def two_dice(state: State, rng: NumberSource) -> tuple[int, int]:
    """What two six-sided dice show; rolled again if the game leaves out their sum."""
    # Rolling again keeps the remaining sums in their natural proportions.
    while True:
        dice = rng.randint(1, 6), rng.randint(1, 6)
        if sum(dice) in state.constants.rules.dice:
            return dice
