"""Trades with the bank and between players."""

from catan_p2p.game.cards import Cards, describe, unpack
from catan_p2p.game.constants import Player
from catan_p2p.view.advance.trades import rates_of, take_apart
from catan_p2p.view.advance.trial import EventTrial
from catan_p2p.view.events import BankTrade, PlayerTrade, TradeAnswered, TradeOffered, TradeProposed


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
