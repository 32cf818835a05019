"""Whether the events of a game keep the rules, as far as everybody at the table can see.

Hands are known by bounds, so an event is a breach only if no hidden cards could make it right. The rules are those of a
profile (docs/reference/model.md); where the thesis's rules and the rule book differ, both can be judged.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from catan_p2p.view import events as e
from catan_p2p.view.advance.bandit import discard, move_bandit
from catan_p2p.view.advance.building import build_city, build_road, build_village, stand_bandit
from catan_p2p.view.advance.cards import (
    buy_card,
    play_knight,
    play_monopoly,
    play_road_building,
    play_year_of_plenty,
    show_victory_point,
)
from catan_p2p.view.advance.dice import roll_dice
from catan_p2p.view.advance.ends import come_back, end_turn, excuse, win
from catan_p2p.view.advance.trading import answer, offer, proposal, trade_with_bank, trade_with_player
from catan_p2p.view.advance.trial import EventTrial, RuleBreach, ViewContext
from catan_p2p.view.knowledge import PublicKnowledge


class ViewVerdict(NamedTuple):
    """The public knowledge after an event, and the faults of the event: none if it keeps the rules."""

    known: PublicKnowledge
    breaches: tuple[RuleBreach, ...]
    doubt: str = ""
    """Why the hands are unknown from this event on; empty if they are not, or were before."""


def advance(table: ViewContext, known: PublicKnowledge, event: e.Event) -> ViewVerdict:
    """Judge one event. After a breach, the next position is the nearest one in which the event makes sense."""
    trial = EventTrial(table, known)
    _TRIALS[type(event)](trial, event)
    known = trial.conclude()
    return ViewVerdict(known, tuple(trial.breaches), trial.doubt)


_TRIALS: dict[type[e.Event], Callable[[EventTrial, Any], None]] = {
    e.BanditStands: stand_bandit,
    e.VillageBuilt: build_village,
    e.RoadBuilt: build_road,
    e.CityBuilt: build_city,
    e.DevCardBought: buy_card,
    e.DiceRolled: roll_dice,
    e.BanditMoved: move_bandit,
    e.CardsDiscarded: discard,
    e.BankTrade: trade_with_bank,
    e.PlayerTrade: trade_with_player,
    e.TradeOffered: offer,
    e.TradeAnswered: answer,
    e.TradeProposed: proposal,
    e.KnightPlayed: play_knight,
    e.RoadBuildingPlayed: play_road_building,
    e.YearOfPlentyPlayed: play_year_of_plenty,
    e.MonopolyPlayed: play_monopoly,
    e.VictoryPointPlayed: show_victory_point,
    e.TurnEnded: end_turn,
    e.PlayerExcused: excuse,
    e.PlayerReturned: come_back,
    e.GameWon: win,
}
"""How each kind of event is judged."""
__all__ = ["RuleBreach", "ViewContext", "ViewVerdict", "advance"]
