"""Games and events for the tests of the notations."""

from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from io import StringIO
from itertools import cycle
from random import Random

from catan_p2p import notation
from catan_p2p.game.board import DEFAULT_BOARD, DEFAULT_MAP
from catan_p2p.game.cards import DEV_CARDS, ONE, RESOURCES
from catan_p2p.game.constants import Constants
from catan_p2p.game.rules import apply, awaited, decisions, draw
from catan_p2p.game.state import initial_state
from catan_p2p.notation import NOTATIONS, Event, Format, GameStarted, Participant, TimedAction, events_of
from catan_p2p.view import events as e

COLOURS = ("red", "blue", "green", "orange", "white", "brown")
STARTED_S = 1_455_576_300
"""2016-02-15 22:45:00"""


def participants(count: int) -> tuple[Participant, ...]:
    return tuple(Participant(seat, f"player{seat}", COLOURS[seat - 1]) for seat in range(1, count + 1))


def start(count: int = 4) -> GameStarted:
    return GameStarted(participants(count), DEFAULT_MAP, datetime(2016, 2, 15, 22, 45), "0.10.0")


@lru_cache(maxsize=64)
def random_game(
    count: int, seed: int, most_actions: int = 20_000, *, in_order: bool = False, constants: Constants | None = None
) -> tuple[Constants, tuple[TimedAction, ...]]:
    """A game of uniformly random decisions, ended or cut off; by the thesis rules unless there are other constants.

    Replies to one commit come in random order, or in the order of seats, as repositories list them.
    """
    rng = Random(f"{count}/{seed}")
    constants = constants or Constants(player_count=count)
    state, steps, time_s = initial_state(constants), [], STARTED_S
    while state.tp != "top" and len(steps) < most_actions:
        player = awaited(state)[0] if in_order else rng.choice(awaited(state))
        action = draw(state, rng.choice(decisions(state, player)), rng)
        state = apply(state, action)
        time_s += rng.randint(0, 9)
        steps.append(TimedAction(action, state, time_s))
    return constants, tuple(steps)


def random_events(count: int, seed: int, most_actions: int = 20_000, *, in_order: bool = False) -> list[Event]:
    constants, steps = random_game(count, seed, most_actions, in_order=in_order)
    return list(events_of(constants, participants(count), steps, STARTED_S))


def written(events: list[Event], format: Format) -> str:
    handle = StringIO()
    notation.write(events, handle, format)
    return handle.getvalue()


def read_back(text: str, format: Format) -> list[Event]:
    return list(NOTATIONS[format].read(StringIO(text, newline="\n")))


def every_token() -> Iterator[Event]:
    """One event for each thing that either notation can say, on every place and for every card."""
    players = cycle((1, 2, 3, 4))
    board = DEFAULT_BOARD
    yield e.BanditStands(1, board.bandit_start)
    for at in range(1, board.settlement_count + 1):
        yield e.VillageBuilt(next(players), at)
        yield e.CityBuilt(next(players), at)
    for at in range(1, board.road_count + 1):
        yield e.RoadBuilt(next(players), at)
    for dice in range(2, 13):
        yield e.DiceRolled(next(players), dice)
    for i, at in enumerate(board.land):
        player = next(players)
        yield e.BanditMoved(player, at, player % 4 + 1, RESOURCES[i % 5])
        yield e.BanditMoved(next(players), at, 0, "none")
    for card in DEV_CARDS:
        yield e.DevCardBought(next(players), card)
    for give in RESOURCES:
        for receive in RESOURCES:
            if give == receive:
                continue
            for rate, cards in ((e.FOUR_TO_ONE, 4), (e.THREE_TO_ONE, 3), (give, 2)):
                yield e.BankTrade(next(players), cards * ONE[give], ONE[receive], rate)
            player = next(players)
            yield e.PlayerTrade(player, player % 4 + 1, ONE[give], ONE[receive])
    yield e.BankTrade(1, 6 * ONE["Lumber"] + 3 * ONE["Ore"], 2 * ONE["Wool"] + ONE["Grain"], e.THREE_TO_ONE)
    yield e.PlayerTrade(2, 1, ONE["Lumber"] + 2 * ONE["Grain"], ONE["Ore"] + ONE["Brick"])
    yield e.CardsDiscarded(3, ONE["Lumber"] + 3 * ONE["Ore"])
    for resource in RESOURCES:
        yield e.MonopolyPlayed(next(players), resource)
        for other in RESOURCES:
            yield e.YearOfPlentyPlayed(next(players), resource, other)
    yield e.KnightPlayed(1)
    yield e.BanditMoved(1, board.bandit_start, 2, "Ore")
    yield e.RoadBuildingPlayed(2, 1, 72)
    yield e.RoadBuildingPlayed(4, 17, None)
    yield e.VictoryPointPlayed(3)
    for seconds in (0, 1, 59, 3600):
        yield e.TurnEnded(next(players), seconds)
    yield e.GameWon(1)
