"""The events of an action: what its player did, and what followed by the rules."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from catan_p2p.game import actions
from catan_p2p.game.actions.discard import owed
from catan_p2p.game.actions.drawing import is_shared
from catan_p2p.game.actions.offering import traded
from catan_p2p.game.actions.parameters import NO_ROAD
from catan_p2p.game.actions.roll_dice import SEVEN, production
from catan_p2p.game.cards import ONE, Resource, multiples
from catan_p2p.game.constants import Player
from catan_p2p.game.hidden import disclosed
from catan_p2p.game.scoring import player_points
from catan_p2p.game.state import NOTHING_HIDDEN, State
from catan_p2p.view import events as e


def observe(
    action: actions.Action, before: State, after: State, pair: tuple[int, int] | None = None
) -> tuple[e.Event, ...]:
    """The events of an action, first what its player did.

    ``pair`` is what each of the two dice shows, if that is known.
    """
    told = done(action, before, after, pair)
    if isinstance(action, actions.RollDice):
        told += _rolled(action, before, after)
    told += bonuses_moved(before, after)
    told += won(before, after)
    return tuple(told)


def done(action: actions.Action, before: State, after: State, pair: tuple[int, int] | None = None) -> list[e.Event]:
    """What the player of an action did, without the yields of a roll, moved bonus cards and the end of the game."""
    told = [*_TELLERS[type(action)](action, before, after)]
    if pair is not None and isinstance(action, actions.RollDice | actions.RollForStart):
        told[0] = type(told[0])(action.player, action.dice, pair)  # type: ignore[call-arg]
    return told


def won(before: State, after: State) -> tuple[e.GameWon, ...]:
    """The win, if the game is over after an action and was not before."""
    if not after.is_over or before.is_over:
        return ()
    return (e.GameWon(after.ap, points=player_points(after, after.ap) if len(after.present) > 1 else None),)


def bonuses_moved(before: State, after: State) -> Iterator[e.Event]:
    """The bonus cards that have a new holder."""
    if after.lr != before.lr:
        yield e.BonusMoved(after.lr, "longest road")
    if after.la != before.la:
        yield e.BonusMoved(after.la, "largest army")


def veil(events: Iterable[e.Event], veiled: Collection[Player]) -> tuple[e.Event, ...]:
    """The events for somebody who may not see these hands: cards bought by them or stolen among them become None."""
    return tuple(_veil(event, veiled) for event in events) if veiled else tuple(events)


def _veil(event: e.Event, veiled: Collection[Player]) -> e.Event:
    # A victory point is unveiled as it is bought, and both players of a theft see the card.
    match event:
        case e.DevCardBought(player=player, card=card) if player in veiled and card != "VictoryPoint":
            return replace(event, card=None)
        case e.BanditMoved(player=player, victim=victim, card=card) if {player, victim} <= {*veiled} and card != "none":
            return replace(event, card=None)
    return event


def _setup(action: actions.SetupPhaseOne | actions.SetupPhaseTwo, before: State, after: State) -> Iterator[e.Event]:
    yield e.VillageBuilt(action.player, action.at, is_setup=True)
    yield e.RoadBuilt(action.player, action.road, is_setup=True)
    gain = after.h[action.player - 1].rc - before.h[action.player - 1].rc
    if gain:
        yield e.CardsGained(action.player, gain, gain)
    yield e.TurnEnded(action.player, None)


def _roll_for_start(action: actions.RollForStart, before: State, after: State) -> Iterator[e.Event]:
    yield e.StartRolled(action.player, action.dice)
    if after.sup != "Rolling":
        yield e.Next(after.first, "begins")
    elif before.rolls.count(0) == 1:  # the last roll of a round that was tied: those who tied have 0 again
        yield from (e.Next(player, "rolls again") for player, roll in enumerate(after.rolls, 1) if roll == 0)


def _rolled(action: actions.RollDice, before: State, after: State) -> Iterator[e.Consequence]:
    hands = enumerate(zip(before.h, after.h, strict=True), 1)
    gains = {player: new.rc - old.rc for player, (old, new) in hands if new.rc != old.rc}
    told = {player: e.CardsGained(player, cards, cards) for player, cards in gains.items()}
    return came_of_roll(action.dice, before, after, told)


def came_of_roll(
    dice: int, before: State, after: State, gains: Mapping[Player, e.CardsGained]
) -> Iterator[e.Consequence]:
    """The consequences of a roll, given who gained what: discards after a seven, and what the bank cannot pay."""
    if dice == SEVEN:
        for player in after.constants.players:
            if number := owed(after, player):
                yield e.DiscardOwed(player, number, number, is_told=True)
        return
    for player, due in enumerate(production(before.constants.board, before.s, before.ba, dice), 1):
        if player in gains:
            yield gains[player]
        elif due:
            yield e.CardsUnpaid(player, due, is_certain=True)


def _move(action: actions.MoveBandit | actions.PlayKnight) -> e.Event:
    if action.card == "sealed":
        return e.BanditMoved(action.player, action.to, action.victim, None, is_sealed=True)
    return e.BanditMoved(action.player, action.to, action.victim, action.card)


def _call(action: actions.Call, before: State, after: State) -> Iterator[e.Event]:
    if action.what == "BuyDevCard":
        yield e.CardCalled(action.player)
    elif action.what in ("RollDice", "RollForStart"):
        yield e.DiceCalled(action.player, is_start=action.what == "RollForStart")
    else:
        yield e.TheftCalled(action.player, action.to, action.victim, is_knight=action.what == "PlayKnight")


def _reveal(action: actions.Reveal, before: State, after: State) -> Iterator[e.Event]:
    if is_shared(before):
        yield e.Revealed(action.player, "share")
    else:
        yield e.Revealed(action.player, "hand" if action.player == before.call.victim else "key")


def bank_trade(player: Player, give: Resource, cards: int, receive: Resource) -> e.BankTrade:
    """A trade of this many cards of a resource for one of another, with the rate that this is."""
    rate = {2: give, 3: e.THREE_TO_ONE, 4: e.FOUR_TO_ONE}[cards]
    return e.BankTrade(player, multiples(give, cards), ONE[receive], rate)


def _offer(action: actions.OfferTrade | actions.OfferTradeTo, before: State, after: State) -> Iterator[e.Event]:
    asked = tuple(player for player, answer in enumerate(after.ans, 1) if answer == "asked")
    yield e.TradeOffered(action.player, action.give, action.receive, asked=asked)


def _propose(action: actions.ProposeTrade, before: State, after: State) -> Iterator[e.Event]:
    is_instead = before.tp == "Offering"
    yield e.TradeProposed(action.player, action.give, action.receive, to=before.ap, is_instead=is_instead)


def _conclude(action: actions.ConcludeTrade, before: State, after: State) -> Iterator[e.Event]:
    # Sealed cards of a trade are opened by it; only then are they in the hands whose difference is the trade.
    known = before if before.hid is NOTHING_HIDDEN else disclosed(before, action).state
    yield e.PlayerTrade(action.player, action.partner, *traded(known, after, action.player))


def _end(action: actions.EmptyBuild, before: State, after: State) -> Iterator[e.Event]:
    """The end of a turn or of special building; nothing if it ends the game."""
    if before.tp == "SpecialBuilding":
        yield e.Declared(action.player, "special building ended")
    elif not (after.is_over and after.ap == action.player):
        yield e.TurnEnded(action.player, None)
    if after.sb and not after.is_over:
        yield e.Next(after.sb, "may build")


def _buy(action: actions.BuyDevCard, before: State, after: State) -> Iterator[e.Event]:
    if action.card == "sealed":
        yield e.DevCardBought(action.player, None, is_sealed=True)
        return
    yield e.DevCardBought(action.player, action.card)
    if action.card == "VictoryPoint" and after.hid is NOTHING_HIDDEN:  # unveiled at once (thesis, definition 7)
        yield e.VictoryPointPlayed(action.player)


def _monopoly(action: actions.PlayMonopoly, before: State, after: State) -> Iterator[e.Event]:
    yield e.MonopolyPlayed(action.player, action.resource)
    gain = after.h[action.player - 1].rc - before.h[action.player - 1].rc
    yield e.CardsGained(action.player, gain, gain)


def _road_building(action: actions.PlayRoadBuilding, before: State, after: State) -> Iterator[e.Event]:
    yield e.RoadBuildingPlayed(action.player, action.first, None if action.second == NO_ROAD else action.second)


def _excuse(action: actions.Excuse | actions.Claim, before: State, after: State) -> Iterator[e.Event]:
    if isinstance(action, actions.Excuse):
        yield e.PlayerExcused(action.player, action.absent)
    else:
        yield e.PlayerExcused(action.player, action.absent, ends="signing" if before.is_over else "play")


_Teller = Callable[[Any, State, State], Iterable[e.Event]]

_TELLERS: dict[type, _Teller] = {
    actions.Pledge: lambda action, *_: (e.Declared(action.player, "secrets pledged"),),
    actions.Call: _call,
    actions.Reveal: _reveal,
    actions.Shuffle: lambda action, *_: (e.Declared(action.player, "deck shuffled"),),
    actions.Surrender: lambda action, *_: (e.CardsSurrendered(action.player, action.cards),),
    actions.SignEnd: lambda action, *_: (e.Declared(action.player, "end signed"),),
    actions.CloseGame: lambda action, *_: (e.Declared(action.player, "game closed"),),
    actions.OpenAll: lambda action, *_: (e.Declared(action.player, "cards opened"),),
    actions.ShowPoint: lambda action, *_: (e.VictoryPointPlayed(action.player),),
    actions.Excuse: _excuse,
    actions.Claim: _excuse,
    actions.ComeBack: lambda action, *_: (e.PlayerReturned(action.player, action.absent),),
    actions.RollForStart: _roll_for_start,
    actions.SetupPhaseOne: _setup,
    actions.SetupPhaseTwo: _setup,
    actions.RollDice: lambda action, *_: (e.DiceRolled(action.player, action.dice),),
    actions.Discard: lambda action, *_: (e.CardsDiscarded(action.player, action.cards),),
    actions.MoveBandit: lambda action, *_: (_move(action),),
    actions.EmptyTrade: lambda action, *_: (e.Declared(action.player, "trading ended"),),
    **dict.fromkeys(
        actions.BANK_TRADES.values(),
        lambda action, *_: (bank_trade(action.player, action.give, action.rate, action.receive),),
    ),
    actions.OfferTrade: _offer,
    actions.OfferTradeTo: _offer,
    actions.AnswerTrade: lambda action, *_: (e.TradeAnswered(action.player, action.answer == "accept"),),
    actions.ProposeTrade: _propose,
    actions.ConcludeTrade: _conclude,
    actions.WithdrawTrade: lambda action, *_: (e.Declared(action.player, "offer withdrawn"),),
    actions.EmptyBuild: _end,
    actions.BuildRoad: lambda action, *_: (e.RoadBuilt(action.player, action.at),),
    actions.BuildVillage: lambda action, *_: (e.VillageBuilt(action.player, action.at),),
    actions.BuildCity: lambda action, *_: (e.CityBuilt(action.player, action.at),),
    actions.BuyDevCard: _buy,
    actions.PlayMonopoly: _monopoly,
    actions.PlayYearOfPlenty: lambda action, *_: (e.YearOfPlentyPlayed(action.player, action.first, action.second),),
    actions.PlayRoadBuilding: _road_building,
    actions.PlayKnight: lambda action, *_: (e.KnightPlayed(action.player), _move(action)),
}
"""The events of each kind of action."""
