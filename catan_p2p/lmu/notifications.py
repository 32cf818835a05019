"""What the server tells of an action: each message once, and for those who may not know all of it once more.

This module alone decides what anybody gets to know of a game. Kosten come before Ertrag and before what was bought.
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
from catan_p2p.lmu.codec import Hidden
from catan_p2p.lmu.coordinates import Places, chart_fields, chart_harbours, places_of
from catan_p2p.lmu.words import BuildingKind, Status
from catan_p2p.view import events as e
from catan_p2p.view.observe import observe


class Told(NamedTuple):
    """A message; if there are ``insiders``, all other players get ``outside`` in its place."""

    message: m.ServerMessage
    insiders: frozenset[Player] | None = None
    outside: m.ServerMessage | None = None

    def to(self, viewer: Player) -> m.ServerMessage:
        """What this viewer gets."""
        if self.insiders is None or viewer in self.insiders or self.outside is None:
            return self.message
        return self.outside


class Names(NamedTuple):
    """How the players and places of a game are called in messages."""

    ids: tuple[int, ...]
    """Of each seat the player's number."""
    places: Places

    def id(self, player: Player) -> int:
        """The number of the player of a seat."""
        return self.ids[player - 1]


def names_of(state: State, ids: Sequence[int]) -> Names:
    """The names of a game's players and places."""
    return Names(tuple(ids), places_of(state.constants.board))


def tell(names: Names, before: State, action: a.Action, after: State, dice: tuple[int, int]) -> list[Told]:
    """The messages of an action but for the status of players; ``dice`` are the two dice of a roll."""
    events = observe(action, before, after, dice)
    found: list[Told] = []
    for event in events:
        if isinstance(event, e.BanditMoved):
            found += _bandit_moved(names, event, is_knight=isinstance(events[0], e.KnightPlayed))
        elif (teller := _TELLERS.get(type(event))) is not None:
            found += teller(names, before, event)
    return found


def _some(names: Names, kind: Callable[..., Any], player: Player, cards: Cards, *insiders: Player) -> Told:
    """Cards that come or go: open to these players, a number to all others."""
    hidden = kind(names.id(player), Hidden(total(cards)))
    return Told(kind(names.id(player), cards), frozenset(insiders), hidden)


def _gained(names: Names, player: Player, cards: Cards) -> Told:
    return Told(m.Gained(names.id(player), cards))


def _paid(names: Names, player: Player, cards: Cards) -> Told:
    return Told(m.Paid(names.id(player), cards))


def _rolled(names: Names, before: State, event: e.DiceRolled | e.StartRolled) -> Iterator[Told]:
    assert event.pair is not None, "a server rolls both dice"
    yield Told(m.Rolled(names.id(event.player), event.pair))


def _bandit_moved(names: Names, event: e.BanditMoved, *, is_knight: bool) -> Iterator[Told]:
    victim = names.id(event.victim) if event.victim else None
    kind = m.KnightPlayed if is_knight else m.BanditMoved
    yield Told(kind(names.id(event.player), names.places.tiles[event.to], victim))
    if event.victim and event.card not in (None, "none"):
        card = ONE[event.card]
        yield _some(names, m.Paid, event.victim, card, event.player, event.victim)
        yield _some(names, m.Gained, event.player, card, event.player, event.victim)
    elif victim is not None:
        yield _gained(names, event.player, NO_CARDS)


def _traded(names: Names, before: State, event: e.PlayerTrade) -> Iterator[Told]:
    yield Told(m.TradeConcluded(names.id(event.player), names.id(event.other)))
    yield _paid(names, event.player, event.give)
    yield _paid(names, event.other, event.receive)
    yield _gained(names, event.player, event.receive)
    yield _gained(names, event.other, event.give)


def _built_road(names: Names, before: State, event: e.RoadBuilt) -> Iterator[Told]:
    if not event.is_setup:
        yield _paid(names, event.player, COST_ROAD)
    yield Told(m.Built(road(names, event.player, event.at)))


def _built_village(names: Names, before: State, event: e.VillageBuilt) -> Iterator[Told]:
    """A village; that of the set-up was told when it was chosen."""
    if not event.is_setup:
        yield _paid(names, event.player, COST_VILLAGE)
        yield Told(m.Built(settlement(names, event.player, "Dorf", event.at)))


def _built_city(names: Names, before: State, event: e.CityBuilt) -> Iterator[Told]:
    yield _paid(names, event.player, COST_CITY)
    yield Told(m.Built(settlement(names, event.player, "Stadt", event.at)))


def _bought(names: Names, before: State, event: e.DevCardBought) -> Iterator[Told]:
    yield _paid(names, event.player, COST_DEV_CARD)
    id = names.id(event.player)
    yield Told(m.CardBought(id, event.card), frozenset({event.player}), m.CardBought(id, None))


def _monopoly(names: Names, before: State, event: e.MonopolyPlayed) -> Iterator[Told]:
    """What everybody loses; what the player gains by it comes after that."""
    yield Told(m.MonopolyPlayed(names.id(event.player), event.resource))
    for player, hand in enumerate(before.h, 1):
        lost = ONE[event.resource] * count(hand.rc, event.resource)
        if player != event.player and lost:
            yield _paid(names, player, lost)


def _year_of_plenty(names: Names, before: State, event: e.YearOfPlentyPlayed) -> Iterator[Told]:
    gain = sum(ONE[kind] for kind in (event.first, event.second) if kind is not None)
    yield Told(m.YearOfPlentyPlayed(names.id(event.player), gain))
    yield _some(names, m.Gained, event.player, gain, event.player)


def _road_building(names: Names, before: State, event: e.RoadBuildingPlayed) -> Iterator[Told]:
    roads = [at for _, at in e.put_down(event)]
    yield Told(m.RoadBuildingPlayed(names.id(event.player), *(names.places.roads[at] for at in roads)))
    for at in roads:
        yield Told(m.Built(road(names, event.player, at)))


def _bonus(names: Names, before: State, event: e.BonusMoved) -> Iterator[Told]:
    kind = m.LongestRoad if event.bonus == "longest road" else m.LargestArmy
    yield Told(kind(names.id(event.player) if event.player != NO_OWNER else None))


_TELLERS: dict[type, Callable[[Names, State, Any], Iterator[Told]]] = {
    e.StartRolled: _rolled,
    e.DiceRolled: _rolled,
    e.CardsGained: lambda names, before, event: iter((_gained(names, event.player, event.cards),)),
    e.CardsDiscarded: lambda names, before, event: iter(
        (_some(names, m.Paid, event.player, event.cards, event.player),)
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
"""The table from events to messages. Trades with the bank are told by ``bank_trade``, for one message may be several;
offers and answers were told when they were made, and the end of a turn is told by the players' status."""


def bank_trade(names: Names, player: Player, give: Cards, receive: Cards) -> list[Told]:
    """A trade with the bank, however many actions it took."""
    return [_paid(names, player, give), _gained(names, player, receive)]


def road(names: Names, player: Player, at: int) -> m.Building:
    """A player's road."""
    return m.Building(names.id(player), "Straße", names.places.roads[at])


def settlement(names: Names, player: Player, kind: BuildingKind, at: int) -> m.Building:
    """A player's village or city."""
    return m.Building(names.id(player), kind, names.places.settlements[at])


def chart(names: Names, state: State) -> m.Chart:
    """The map with everything that is built."""
    board = state.constants.board
    built: list[m.Building] = []
    for player in state.constants.players:
        kinds: tuple[tuple[BuildingKind, Points], ...] = (
            ("Dorf", state.s.villages[player - 1]),
            ("Stadt", state.s.cities[player - 1]),
        )
        built += [settlement(names, player, kind, at) for kind, points in kinds for at in numbers(points)]
        built += [road(names, player, at) for at in numbers(state.r[player - 1])]
    return m.Chart(chart_fields(board), tuple(built), chart_harbours(board), names.places.tiles[state.ba])


class Person(NamedTuple):
    """Who sits on a seat: number, and name and colour once they are chosen."""

    id: int
    name: str | None
    colour: str | None


def player_state(
    state: State, player: Player, person: Person, status: Status, viewer: Player, *, is_over: bool = False
) -> m.PlayerState:
    """A player as the viewer may see them: own cards open, of others only how many there are.

    Points that lie in hidden cards count only for their owner, and once the game ``is_over`` the winner's for all.
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
        hand.rc if is_own else Hidden(total(hand.rc)),
        army_size(state, player),
        held if is_own else Hidden(total(held)),
        state.la == player,
        state.lr == player,
    )
