"""The flat core and the mirror agree: on every decision and every successor, in games and in damaged states."""

from collections import Counter
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from benchmarks.engine import play
from catan_p2p.game.actions import ACTIONS, ActionKind, RollDice
from catan_p2p.game.board import DEFAULT_BOARD, as_points, longest_trail, numbers
from catan_p2p.game.cards import ONE, RESOURCES, pack
from catan_p2p.game.constants import Constants, profile
from catan_p2p.game.flat import PYTHON, CoreBuild, NotCovered
from catan_p2p.game.flat.mirror import move_of
from catan_p2p.game.rules import enabled, initial_state
from catan_p2p.game.scoring import largest_army_holder
from tests.damaged_states import damaged
from tests.game.flat.beside import check_moves, check_successors, games, play_beside
from tests.positions import random_game
from tests.sampled_states import played


def check_games(core: CoreBuild, seed: int, count: int, most: int) -> Counter[str]:
    """Play so many games beside the mirror; how many actions there were, and how many games reached their end."""
    seen: Counter[str] = Counter()
    for number, constants in enumerate(islice(games(seed), count)):
        made = play_beside(core, constants, number, most)
        seen += Counter(actions=made, ended=int(made < most), games=1)
    return seen


def check_damaged(core: CoreBuild, number: int, seed: int) -> Counter[str]:
    """Compare so many damaged states; how many the core covers."""
    seen: Counter[str] = Counter()
    rng = Random(seed)
    for state in damaged(played(), number, seed):
        try:
            flat = core.flat_of(state)
        except NotCovered as error:
            seen[str(error).partition(":")[0]] += 1
            continue
        check_moves(flat, state)
        for player in state.constants.players:
            listed = [one for one in enabled(state, player) if type(one).__name__ not in ("Excuse", "Claim")]
            check_successors(core, state, rng.sample(listed, min(5, len(listed))))
        seen["covered"] += 1
    return seen


@pytest.mark.long
def test_games_are_played_alike() -> None:
    assert check_games(PYTHON, seed=1, count=24, most=250)["actions"] > 4000


def test_damaged_states_are_played_alike() -> None:
    assert check_damaged(PYTHON, 400, seed=1)["covered"] > 100


def test_games_that_players_leave_are_played_alike() -> None:
    rules = replace(profile("standard", 4), leaving=True, hand_limit=2)
    assert sum(play_beside(PYTHON, Constants(rules, player_count=4), seed, 400) for seed in range(4)) > 1000


def test_a_bank_that_is_short_pays_alike() -> None:
    rng = Random(2)
    for rules in (profile("thesis", 3), profile("brief", 3)):
        rolls = [state for state in random_game(3, 3, steps=600, rules=rules) if state.tp == "DiceRoll"]
        for state in rolls[::3]:
            left = pack(rng.randint(0, 3) for _ in RESOURCES)
            poor = state._replace(bnk=state.bnk._replace(rc=left))
            check_successors(PYTHON, poor, [one for one in enabled(poor, poor.ap) if isinstance(one, RollDice)])


def test_the_largest_army_is_the_same_players() -> None:
    rng = Random(3)
    state = initial_state(Constants(player_count=4))
    for _ in range(200):
        hands = (hand._replace(uc=ONE["Knight"] * rng.choice((0, 2, 3, 4))) for hand in state.h)
        armed = state._replace(h=tuple(hands), la=rng.randint(0, 4))
        assert PYTHON.flat_of(armed).bonus_holder(True) == largest_army_holder(armed), armed.h


def test_trails_are_as_long() -> None:
    """Closed ones too: roads along the edges of some tiles, with some missing and some settlements that cut them."""
    board, rng = DEFAULT_BOARD, Random(1)
    flat = PYTHON.begin(Constants())
    for _ in range(150):
        roads = 0
        for tile in rng.sample(board.land, rng.randint(1, 2)):
            roads |= board.edges[tile]
        for road in rng.sample(numbers(roads), rng.randint(0, 1)):
            roads ^= 1 << road
        cut = as_points(rng.sample(range(1, board.settlement_count + 1), rng.choice((0, 0, 3, 9))))
        assert flat.longest(roads, cut) == longest_trail(board, roads, cut)


@pytest.mark.parametrize("kind", [kind for kind in ACTIONS if kind.cls.rule in ("chance", "leaving")])
def test_what_no_flat_game_has_is_no_move(kind: ActionKind) -> None:
    with pytest.raises(NotCovered):
        move_of(kind.sample(Constants(), 1, Random(1)))


@pytest.mark.parametrize("players", (2, 4))
def test_the_same_seed_is_the_same_random_game(players: int) -> None:
    flat = PYTHON.begin(Constants(player_count=players))
    assert flat.play(Random(7).getrandbits, 10**6) == play(players, 7, is_checked=False)
    assert flat.awaited() == 0


@pytest.mark.soak
def test_hundreds_of_games_are_played_alike() -> None:
    check_games(PYTHON, seed=2, count=500, most=4000)
    check_damaged(PYTHON, 5000, seed=2)
