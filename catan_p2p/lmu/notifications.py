"""The messages that a server sends about an action; one with secrets has a second version without them.

This module alone decides what each player learns of a game. Kosten come before Ertrag and before the purchase, which is
the only order that all known clients accept.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from catan_p2p import actions as a
from catan_p2p.game.actions.parts import COST_CITY, COST_DEV_CARD, COST_ROAD, COST_VILLAGE
from catan_p2p.game.board import Points, numbers
from catan_p2p.game.cards import NO_CARDS, ONE, Cards, count, total
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.scoring import army_size, player_points
from catan_p2p.game.state import State
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.codec import UnknownCards
from catan_p2p.lmu.coordinates import LmuPlaces, chart_fields, chart_harbours, places_of
from catan_p2p.lmu.words import BuildingKind, Status
from catan_p2p.view import events as e
from catan_p2p.view.observe import observe


class Notification(NamedTuple):
    """A message for all; if there are ``insiders``, all other players get ``outside`` instead."""

    message: m.ServerMessage
    insiders: frozenset[Player] | None = None
    outside: m.ServerMessage | None = None

    def to(self, viewer: Player) -> m.ServerMessage:
        """The message for this viewer."""
        if self.insiders is None or viewer in self.insiders or self.outside is None:
            return self.message
        return self.outside


class MessageNames(NamedTuple):
    """The protocol's names of the players and places of a game."""

    ids: tuple[int, ...]
    """The player's number, by seat."""
    places: LmuPlaces

    def id(self, player: Player) -> int:
        """The number of a seat's player."""
        return self.ids[player - 1]


def names_of(state: State, ids: Sequence[int]) -> MessageNames:
    """The names of a game whose players have these numbers, by seat."""
    return MessageNames(tuple(ids), places_of(state.constants.board))


def tell(
    names: MessageNames, before: State, action: a.Action, after: State, dice: tuple[int, int]
) -> list[Notification]:
    """The messages of an action, without status updates; ``dice`` are the two dice of a roll."""
    events = observe(action, before, after, dice)
    found: list[Notification] = []
    for event in events:
        if isinstance(event, e.BanditMoved):
            found += _bandit_moved(names, event, is_knight=isinstance(events[0], e.KnightPlayed))
        elif (teller := _TELLERS.get(type(event))) is not None:
            found += teller(names, before, event)
    return found


def _some(
    names: MessageNames, kind: Callable[..., Any], player: Player, cards: Cards, *insiders: Player
) -> Notification:
    """Cards that a player gains or loses: shown to ``insiders``, to all others only their number."""
    hidden = kind(names.id(player), UnknownCards(total(cards)))
    return Notification(kind(names.id(player), cards), frozenset(insiders), hidden)


def _gained(names: MessageNames, player: Player, cards: Cards) -> Notification:
    return Notification(m.CardsReceived(names.id(player), cards))


def _paid(names: MessageNames, player: Player, cards: Cards) -> Notification:
    return Notification(m.CardsPaid(names.id(player), cards))


def _rolled(names: MessageNames, before: State, event: e.DiceRolled | e.StartRolled) -> Iterator[Notification]:
    assert event.pair is not None, "a server rolls both dice"
    yield Notification(m.DiceThrown(names.id(event.player), event.pair))


def _bandit_moved(names: MessageNames, event: e.BanditMoved, *, is_knight: bool) -> Iterator[Notification]:
    victim = names.id(event.victim) if event.victim else None
    kind = m.KnightPlayedMessage if is_knight else m.BanditMovedMessage
    yield Notification(kind(names.id(event.player), names.places.tiles[event.to], victim))
    if event.victim and event.card not in (None, "none"):
        card = ONE[event.card]
        yield _some(names, m.CardsPaid, event.victim, card, event.player, event.victim)
        yield _some(names, m.CardsReceived, event.player, card, event.player, event.victim)
    # Some clients wait for an Ertrag after each theft, also if the victim has no card.
    elif victim is not None:
        yield _gained(names, event.player, NO_CARDS)


def _traded(names: MessageNames, before: State, event: e.PlayerTrade) -> Iterator[Notification]:
    yield Notification(m.TradeConcluded(names.id(event.player), names.id(event.other)))
    yield _paid(names, event.player, event.give)
    yield _paid(names, event.other, event.receive)
    yield _gained(names, event.player, event.receive)
    yield _gained(names, event.other, event.give)


def _built_road(names: MessageNames, before: State, event: e.RoadBuilt) -> Iterator[Notification]:
    if not event.is_setup:
        yield _paid(names, event.player, COST_ROAD)
    yield Notification(m.BuildingPlaced(road(names, event.player, event.at)))


def _built_village(names: MessageNames, before: State, event: e.VillageBuilt) -> Iterator[Notification]:
    """A village. In the set-up the session has sent it already, before its road was chosen."""
    if not event.is_setup:
        yield _paid(names, event.player, COST_VILLAGE)
        yield Notification(m.BuildingPlaced(settlement(names, event.player, "Dorf", event.at)))


def _built_city(names: MessageNames, before: State, event: e.CityBuilt) -> Iterator[Notification]:
    yield _paid(names, event.player, COST_CITY)
    yield Notification(m.BuildingPlaced(settlement(names, event.player, "Stadt", event.at)))


def _bought(names: MessageNames, before: State, event: e.DevCardBought) -> Iterator[Notification]:
    yield _paid(names, event.player, COST_DEV_CARD)
    id = names.id(event.player)
    yield Notification(m.CardBought(id, event.card), frozenset({event.player}), m.CardBought(id, None))


def _monopoly(names: MessageNames, before: State, event: e.MonopolyPlayed) -> Iterator[Notification]:
    """The card, and what each other player loses; the gain follows as an event of its own."""
    yield Notification(m.MonopolyPlayedMessage(names.id(event.player), event.resource))
    for player, hand in enumerate(before.h, 1):
        lost = ONE[event.resource] * count(hand.rc, event.resource)
        if player != event.player and lost:
            yield _paid(names, player, lost)


def _year_of_plenty(names: MessageNames, before: State, event: e.YearOfPlentyPlayed) -> Iterator[Notification]:
    gain = sum(ONE[kind] for kind in (event.first, event.second) if kind is not None)
    yield Notification(m.YearOfPlentyPlayedMessage(names.id(event.player), gain))
    yield _some(names, m.CardsReceived, event.player, gain, event.player)


def _road_building(names: MessageNames, before: State, event: e.RoadBuildingPlayed) -> Iterator[Notification]:
    roads = [at for _, at in e.put_down(event)]
    yield Notification(m.RoadBuildingPlayedMessage(names.id(event.player), *(names.places.roads[at] for at in roads)))
    for at in roads:
        yield Notification(m.BuildingPlaced(road(names, event.player, at)))


def _bonus(names: MessageNames, before: State, event: e.BonusMoved) -> Iterator[Notification]:
    kind = m.LongestRoad if event.bonus == "longest road" else m.LargestArmy
    yield Notification(kind(names.id(event.player) if event.player != NO_OWNER else None))


_TELLERS: dict[type, Callable[[MessageNames, State, Any], Iterator[Notification]]] = {
    e.StartRolled: _rolled,
    e.DiceRolled: _rolled,
    e.CardsGained: lambda names, before, event: iter((_gained(names, event.player, event.cards),)),
    e.CardsDiscarded: lambda names, before, event: iter(
        (_some(names, m.CardsPaid, event.player, event.cards, event.player),)
    ),
    e.PlayerTrade: _traded,
    e.RoadBuilt: _built_road,
    e.VillageBuilt: _built_village,
    e.CityBuilt: _built_city,
    e.DevCardBought: _bought,
    e.MonopolyPlayed: _monopoly,
    e.YearOfPlentyPlayed: _year_of_plenty,
    e.RoadBuildingPlayed: _road_building,
    e.BonusMoved: _bonus,
}
"""The messages of each kind of event. ``bank_trade`` sends trades with the bank, since one message may be several
actions; the session sends offers and answers when they are made; a status update shows the end of a turn."""


def bank_trade(names: MessageNames, player: Player, give: Cards, receive: Cards) -> list[Notification]:
    """The messages of a trade with the bank, however many actions it took."""
    return [_paid(names, player, give), _gained(names, player, receive)]


def road(names: MessageNames, player: Player, at: int) -> m.MapBuilding:
    """A player's road."""
    return m.MapBuilding(names.id(player), "Straße", names.places.roads[at])


def settlement(names: MessageNames, player: Player, kind: BuildingKind, at: int) -> m.MapBuilding:
    """A player's village or city."""
    return m.MapBuilding(names.id(player), kind, names.places.settlements[at])


def chart(names: MessageNames, state: State) -> m.IslandChart:
    """The map with all pieces on it."""
    board = state.constants.board
    built: list[m.MapBuilding] = []
    for player in state.constants.players:
        kinds: tuple[tuple[BuildingKind, Points], ...] = (
            ("Dorf", state.s.villages[player - 1]),
            ("Stadt", state.s.cities[player - 1]),
        )
        built += [settlement(names, player, kind, at) for kind, points in kinds for at in numbers(points)]
        built += [road(names, player, at) for at in numbers(state.r[player - 1])]
    return m.IslandChart(chart_fields(board), tuple(built), chart_harbours(board), names.places.tiles[state.ba])


class SeatPerson(NamedTuple):
    """A player's number, and name and colour once they are chosen."""

    id: int
    name: str | None
    colour: str | None


def player_state(
    state: State, player: Player, person: SeatPerson, status: Status, viewer: Player, *, is_over: bool = False
) -> m.PlayerState:
    """A player as the viewer may see them: the viewer's own cards, and only the number of anybody else's.

    Points of hidden cards are included for their owner only; once the game ``is_over``, the winner's for all viewers.
    """
    hand = state.h[player - 1]
    hidden_points = count(hand.uc, "VictoryPoint")
    is_own = viewer == player
    points = player_points(state, player)
    held = hand.bc + hand.ac + ONE["VictoryPoint"] * hidden_points
    is_shown = is_own or (is_over and state.ap == player)
    return m.PlayerState(
        person.id,
        status,
        person.colour,
        person.name,
        points if is_shown else points - hidden_points,
        hand.rc if is_own else UnknownCards(total(hand.rc)),
        army_size(state, player),
        held if is_own else UnknownCards(total(held)),
        state.la == player,
        state.lr == player,
    )
