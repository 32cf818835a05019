"""What the server tells of an action: each message once, and for those who may not know all of it once more.

This module alone decides what anybody gets to know of a game. Kosten come before Ertrag and before what was bought.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from catan_p2p import actions as a
from catan_p2p.game.actions.parts import COST_CITY, COST_DEV_CARD, COST_ROAD, COST_VILLAGE
from catan_p2p.game.actions.roll_dice import SEVEN
from catan_p2p.game.board import Points, numbers
from catan_p2p.game.cards import NO_CARDS, ONE, Cards, count, total
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.scoring import army_size, player_points
from catan_p2p.game.state import State
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.codec import Hidden
from catan_p2p.lmu.coordinates import Places, chart_fields, chart_harbours, places_of
from catan_p2p.lmu.words import BuildingKind, Status


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
    teller = _TELLERS.get(type(action))
    told = [] if teller is None else [*teller(names, before, action, after, dice)]
    if after.lr != before.lr:
        told.append(Told(m.LongestRoad(names.id(after.lr) if after.lr != NO_OWNER else None)))
    if after.la != before.la:
        told.append(Told(m.LargestArmy(names.id(after.la) if after.la != NO_OWNER else None)))
    return told


def _some(names: Names, kind: Callable[..., Any], player: Player, cards: Cards, *insiders: Player) -> Told:
    """Cards that come or go: open to these players, a number to all others."""
    hidden = kind(names.id(player), Hidden(total(cards)))
    return Told(kind(names.id(player), cards), frozenset(insiders), hidden)


def _gained(names: Names, player: Player, cards: Cards) -> Told:
    return Told(m.Gained(names.id(player), cards))


def _paid(names: Names, player: Player, cards: Cards) -> Told:
    return Told(m.Paid(names.id(player), cards))


def _rolled_for_start(names: Names, before: State, action: Any, after: State, dice: tuple[int, int]) -> Iterator[Told]:
    yield Told(m.Rolled(names.id(action.player), dice))


def _rolled(names: Names, before: State, action: Any, after: State, dice: tuple[int, int]) -> Iterator[Told]:
    yield Told(m.Rolled(names.id(action.player), dice))
    if action.dice != SEVEN:
        for player, (old, new) in enumerate(zip(before.h, after.h, strict=True), 1):
            if new.rc != old.rc:
                yield _gained(names, player, new.rc - old.rc)


def _settled(names: Names, before: State, action: Any, after: State, dice: tuple[int, int]) -> Iterator[Told]:
    """The road; the village was told when it was chosen."""
    yield Told(m.Built(road(names, action.player, action.road)))
    gain = after.h[action.player - 1].rc - before.h[action.player - 1].rc
    if gain:
        yield _gained(names, action.player, gain)


def _discarded(names: Names, before: State, action: Any, after: State, dice: tuple[int, int]) -> Iterator[Told]:
    yield _some(names, m.Paid, action.player, action.cards, action.player)


def _bandit_moved(names: Names, before: State, action: Any, after: State, dice: tuple[int, int]) -> Iterator[Told]:
    victim = names.id(action.victim) if action.victim != NO_OWNER else None
    kind = m.KnightPlayed if isinstance(action, a.PlayKnight) else m.BanditMoved
    yield Told(kind(names.id(action.player), names.places.tiles[action.to], victim))
    if action.card != "none":
        card = ONE[action.card]
        yield _some(names, m.Paid, action.victim, card, action.player, action.victim)
        yield _some(names, m.Gained, action.player, card, action.player, action.victim)
    elif victim is not None:
        yield _gained(names, action.player, NO_CARDS)


def _concluded(names: Names, before: State, action: Any, after: State, dice: tuple[int, int]) -> Iterator[Told]:
    give, receive = before.offer
    yield Told(m.TradeConcluded(names.id(action.player), names.id(action.partner)))
    yield _paid(names, action.player, give)
    yield _paid(names, action.partner, receive)
    yield _gained(names, action.player, receive)
    yield _gained(names, action.partner, give)


def _built_road(names: Names, before: State, action: Any, after: State, dice: tuple[int, int]) -> Iterator[Told]:
    yield _paid(names, action.player, COST_ROAD)
    yield Told(m.Built(road(names, action.player, action.at)))


def _built_village(names: Names, before: State, action: Any, after: State, dice: tuple[int, int]) -> Iterator[Told]:
    yield _paid(names, action.player, COST_VILLAGE)
    yield Told(m.Built(settlement(names, action.player, "Dorf", action.at)))


def _built_city(names: Names, before: State, action: Any, after: State, dice: tuple[int, int]) -> Iterator[Told]:
    yield _paid(names, action.player, COST_CITY)
    yield Told(m.Built(settlement(names, action.player, "Stadt", action.at)))


def _bought(names: Names, before: State, action: Any, after: State, dice: tuple[int, int]) -> Iterator[Told]:
    yield _paid(names, action.player, COST_DEV_CARD)
    id = names.id(action.player)
    yield Told(m.CardBought(id, action.card), frozenset({action.player}), m.CardBought(id, None))


def _monopoly(names: Names, before: State, action: Any, after: State, dice: tuple[int, int]) -> Iterator[Told]:
    yield Told(m.MonopolyPlayed(names.id(action.player), action.resource))
    taken = NO_CARDS
    for player, hand in enumerate(before.h, 1):
        lost = ONE[action.resource] * count(hand.rc, action.resource)
        if player != action.player and lost:
            taken += lost
            yield _paid(names, player, lost)
    yield _gained(names, action.player, taken)


def _year_of_plenty(names: Names, before: State, action: Any, after: State, dice: tuple[int, int]) -> Iterator[Told]:
    gain = ONE[action.first] + ONE[action.second]
    yield Told(m.YearOfPlentyPlayed(names.id(action.player), gain))
    yield _some(names, m.Gained, action.player, gain, action.player)


def _road_building(names: Names, before: State, action: Any, after: State, dice: tuple[int, int]) -> Iterator[Told]:
    roads = [at for at in (action.first, action.second) if at]
    yield Told(m.RoadBuildingPlayed(names.id(action.player), *(names.places.roads[at] for at in roads)))
    for at in roads:
        yield Told(m.Built(road(names, action.player, at)))


_TELLERS: dict[type, Callable[..., Iterator[Told]]] = {
    a.RollForStart: _rolled_for_start,
    a.SetupPhaseOne: _settled,
    a.SetupPhaseTwo: _settled,
    a.RollDice: _rolled,
    a.Discard: _discarded,
    a.MoveBandit: _bandit_moved,
    a.PlayKnight: _bandit_moved,
    a.ConcludeTrade: _concluded,
    a.BuildRoad: _built_road,
    a.BuildVillage: _built_village,
    a.BuildCity: _built_city,
    a.BuyDevCard: _bought,
    a.PlayMonopoly: _monopoly,
    a.PlayYearOfPlenty: _year_of_plenty,
    a.PlayRoadBuilding: _road_building,
}
"""Trades with the bank are told by ``bank_trade``, for one message may be several; offers and answers were told when
they were made, and the end of a turn is told by the players' status."""


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
