"""Trades with the bank and between players."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from catan_p2p.game.board import THREE_TO_ONE as THREE_TO_ONE_WHARF
from catan_p2p.game.board import Board, Points
from catan_p2p.game.cards import RESOURCES, Cards, Resource, describe, unpack
from catan_p2p.game.constants import Player
from catan_p2p.view.advance.trial import EventTrial
from catan_p2p.view.events import (
    FOUR_TO_ONE,
    THREE_TO_ONE,
    BankTrade,
    PlayerTrade,
    Rate,
    TradeAnswered,
    TradeOffered,
    TradeProposed,
)

_MAX_CARDS = 95
"""All resource cards of a game for four. A larger trade can only be a mistake, and is not taken apart."""


class SingleTrade(NamedTuple):
    """Some cards of one resource for one card of another."""

    give: Resource
    cards: int
    receive: Resource


def rates_of(board: Board, settlements: Points, rate: Rate | None) -> dict[Resource, tuple[int, ...]]:
    """How many cards of each resource the owner of these settlements may give for one, the fewest first.

    With a ``rate``, only the numbers at which that rate trades.
    """
    found = {}
    for resource in RESOURCES:
        numbers = []
        if rate in (None, resource) and settlements & board.wharf_points[resource]:
            numbers.append(2)
        if rate in (None, THREE_TO_ONE) and settlements & board.wharf_points[THREE_TO_ONE_WHARF]:
            numbers.append(3)
        if rate in (None, FOUR_TO_ONE):
            numbers.append(4)
        found[resource] = tuple(numbers)
    return found


def take_apart(give: Cards, receive: Cards, rates: Mapping[Resource, tuple[int, ...]]) -> list[SingleTrade] | None:
    """Single trades that together give and receive these cards, at the lowest rates possible; None if none can."""
    given, received = unpack(give), unpack(receive)
    wanted = [resource for resource, n in zip(RESOURCES, received, strict=True) for _ in range(n)]
    # Nobody trades a resource for itself, so it may not be on both sides.
    if not wanted or sum(given) > _MAX_CARDS or any(a and b for a, b in zip(given, received, strict=True)):
        return None
    offers = [(resource, n, rates[resource]) for resource, n in zip(RESOURCES, given, strict=True) if n]
    paid = _pay(tuple((n, numbers) for _, n, numbers in offers), len(wanted))
    if paid is None:
        return None
    singles = [(resource, cards) for (resource, _, _), numbers in zip(offers, paid, strict=True) for cards in numbers]
    return [SingleTrade(resource, cards, want) for (resource, cards), want in zip(singles, wanted, strict=True)]


@lru_cache(maxsize=1 << 10)
def _pay(offers: tuple[tuple[int, tuple[int, ...]], ...], units: int) -> tuple[tuple[int, ...], ...] | None:
    """For each offer the sizes of its single trades, ``units`` in all; None if that is impossible."""
    if not offers:
        return () if units == 0 else None
    (cards, numbers), *rest = offers
    for sizes in _sums(cards, numbers):
        if len(sizes) <= units:
            others = _pay(tuple(rest), units - len(sizes))
            if others is not None:
                return (sizes, *others)
    return None


def _sums(total: int, numbers: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if total == 0:
        yield ()
    elif numbers:
        first, *rest = numbers
        for n in range(total // first, -1, -1):
            for tail in _sums(total - n * first, tuple(rest)):
                yield (first,) * n + tail


def trade_with_bank(trial: EventTrial, event: BankTrade) -> None:
    """Trades with the bank at one rate or several."""
    player, give, receive = event.player, event.give, event.receive
    _trades(trial, player, "trades with the bank")
    rates = rates_of(trial.state.constants.board, trial.state.s.of(player), event.rate)
    if take_apart(give, receive, rates) is None:
        at = f"at {event.rate}" if event.rate else "at any rate"
        trial.object("cards", f"{trial.name(player)} cannot trade {describe(give)} for {describe(receive)} {at}")
    trial.spend(player, give, "a trade")
    trial.take_from_bank(player, receive)


def _trades(trial: EventTrial, player: Player, what: str) -> None:
    trial.acts(player, what)
    if trial.state.tp == "Building" and not trial.known.rules.combined_trade_build:
        trial.object("turn", f"{trial.name(player)} {what} after building, which the thesis's rules do not allow")


def _check_trade(trial: EventTrial, player: Player, give: Cards, receive: Cards) -> None:
    _trades(trial, player, "trades with another player")
    if not trial.known.rules.domestic_trade:
        trial.object("turn", "players trade with each other, which the thesis's rules do not allow")
    if not give or not receive:
        trial.object("cards", "a trade in which somebody gives nothing")
    if any(a and b for a, b in zip(unpack(give), unpack(receive), strict=True)):
        trial.object("cards", "a trade of a resource for itself")


def offer(trial: EventTrial, event: TradeOffered) -> None:
    """An offer that the player could keep, and somebody could take."""
    player, known = event.player, trial.known
    _check_trade(trial, player, event.give, event.receive)
    if not known.hand(player).could_pay(event.give):
        trial.object("hands", f"{trial.name(player)} offers {describe(event.give)}, but cannot hold it")
    others = [known.hand(other) for other in known.state.present if other != player]
    if not known.rules.table_talk and not any(hand.could_pay(event.receive) for hand in others):
        trial.object("hands", f"{trial.name(player)} asks for {describe(event.receive)}, which nobody can hold")


def answer(trial: EventTrial, event: TradeAnswered) -> None:
    """An answer to an offer, which binds nobody."""
    if event.player == trial.state.ap:
        trial.object("turn", f"{trial.name(event.player)} answers an offer, but it is their turn")


def proposal(trial: EventTrial, event: TradeProposed) -> None:
    """A proposal to the player on turn, which binds nobody."""
    if event.player == trial.state.ap:
        trial.object("turn", f"{trial.name(event.player)} makes a proposal, but it is their turn")
    if not trial.known.hand(event.player).could_pay(event.give):
        trial.object("hands", f"{trial.name(event.player)} proposes {describe(event.give)}, but cannot hold it")


def trade_with_player(trial: EventTrial, event: PlayerTrade) -> None:
    """A trade between two players, one of them on turn."""
    player, other = event.player, event.other
    active = other if trial.state.ap == other else player
    _check_trade(trial, active, event.give, event.receive)
    trial.hand_over(player, event.give, other)
    trial.hand_over(other, event.receive, player)
