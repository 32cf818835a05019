"""Positions in which a turn can be won, made from real games by playing turns out at random.

A game of builders is stopped in somebody's turn, now and then with more cards in that player's hand. From there the
rest of the turn is played out many times with the engine's own list of decisions, nothing left to chance; then so many
points are made to win as the best of these turns had. So a win is known, whoever searches for it, and nothing of the
strategist's search has had a part in finding it.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import NamedTuple

from catan_p2p.game import actions as a
from catan_p2p.game.cards import ONE, RESOURCES, covers, total
from catan_p2p.game.constants import Player
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.rules import apply, awaited, decisions, draw
from catan_p2p.game.state import State, initial_state
from catan_p2p.players.builder import BuilderPolicy

COLOURS = ("Red", "Blue", "Green", "Orange", "White", "Brown")
PHASES = ("Trading", "Building", "TradingBuilding")
TURNS = 30
"""So many times each turn is played out."""
LONGEST = 40
_BUILDS = (a.BuildCity, a.BuildVillage, a.PlayRoadBuilding)


class Position(NamedTuple):
    """A state in which the active player can win in this turn, and one way to do it."""

    state: State
    way: tuple[a.Action, ...]


def positions(seed: int) -> Iterator[Position]:
    """The positions of one game: its players, rules and map depend on the seed alone."""
    rng = Random(f"positions/{seed}")
    rules = "thesis" if rng.random() < 0.3 else "brief"
    players = rng.randint(2, 4 if rules == "thesis" else 6)
    state = initial_state(new_constants(rules, COLOURS[:players], "default", seed))
    policy = BuilderPolicy()
    for number in range(3_000):
        if state.is_over:
            return
        player = awaited(state)[0]
        if state.tp in PHASES and rng.random() < 0.08:
            position = won_position(enriched(state, player, rng), player, rng)
            if position is not None:
                yield position
        options = decisions(state, player)
        choice = policy.choose(state, player, options, Random(f"{seed}/{number}"))
        state = apply(state, draw(state, choice, rng))


def enriched(state: State, player: Player, rng: Random) -> State:
    """The state, as often as not with some more cards of the bank's in the player's hand, some of them to play."""
    for _ in range(rng.choice((0, 0, 3, 5, 8))):
        card = ONE[rng.choice(RESOURCES)]
        if covers(state.bnk.rc, card):
            hands = list(state.h)
            hands[player - 1] = hands[player - 1]._replace(rc=hands[player - 1].rc + card)
            state = state._replace(h=tuple(hands), bnk=state.bnk._replace(rc=state.bnk.rc - card))
    for kind in ("RoadBuilding", "YearOfPlenty", "Monopoly", "Knight"):
        if rng.random() < 0.15 and covers(state.bnk.dc, ONE[kind]):
            hands = list(state.h)
            hands[player - 1] = hands[player - 1]._replace(ac=hands[player - 1].ac + ONE[kind])
            state = state._replace(h=tuple(hands), bnk=state.bnk._replace(dc=state.bnk.dc - ONE[kind]))
    return state


def won_position(state: State, player: Player, rng: Random) -> Position | None:
    """The position with as many points to win as the best of many turns has; None if no turn gains any."""
    most, best = state.points(player), ()
    endless = _with_points_to_win(state, 40)
    for _ in range(TURNS):
        points, way = _played_out(endless, player, rng)
        if points > most:
            most, best = points, way
    if not best or not 3 <= most <= 40:
        return None
    return Position(_with_points_to_win(state, most), best)


def _with_points_to_win(state: State, points: int) -> State:
    constants = state.constants
    return state._replace(constants=replace(constants, rules=replace(constants.rules, points_to_win=points)))


def _played_out(state: State, player: Player, rng: Random) -> tuple[int, tuple[a.Action, ...]]:
    """The most points that a random turn came to, and what was done until then."""
    way: list[a.Action] = []
    most, length = state.points(player), 0
    for _ in range(LONGEST):
        options = [one for one in decisions(state, player) if not _is_chance(state, one)]
        builds = [one for one in options if isinstance(one, _BUILDS)]
        ends = [one for one in options if isinstance(one, a.EmptyTrade | a.EmptyBuild)]
        others = [one for one in options if not isinstance(one, a.EmptyTrade | a.EmptyBuild)]
        if builds and rng.random() < 0.7:
            choice = rng.choice(builds)
        elif others and rng.random() < (0.9 if state.tp != "Trading" else 0.6):
            roads = [one for one in others if isinstance(one, a.BuildRoad)]
            choice = rng.choice(roads if roads and rng.random() < 0.4 else others)
        else:
            choice = ends[0]
        if isinstance(choice, a.EmptyBuild):
            break
        state = apply(state, choice)
        way.append(choice)
        if state.points(player) > most:
            most, length = state.points(player), len(way)
    return most, tuple(way[:length])


def _is_chance(state: State, action: a.Action) -> bool:
    """Whether chance or somebody else has a part in what comes of it."""
    if isinstance(action, a.PlayKnight):
        return bool(action.victim and total(state.h[action.victim - 1].rc))
    return isinstance(action, a.BuyDevCard | a.OfferTrade | a.ConcludeTrade | a.RollDice)
