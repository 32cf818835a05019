"""What hidden hands may cost, counted: multiplications of points a turn, and how often it is worked out what opens.

Times depend on the machine, these numbers only on the program. The games are always the same.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
import rbcl

from catan_p2p.game import hidden
from catan_p2p.game.actions import Action
from catan_p2p.game.cards import Cards
from catan_p2p.game.state import State
from catan_p2p.log.history import GameHistory, load_history
from catan_p2p.sealing import checked, group
from catan_p2p.simulation.game import SimulationSettings, game_folder, play_game

PLAYERS = 3


@contextmanager
def counted_calls() -> Iterator[Counter[str]]:
    """How often the library is called for what, by everybody in this process."""
    calls = Counter[str]()

    class Counting:
        def __getattr__(self, name: str) -> object:
            calls[name] += 1
            return getattr(rbcl, name)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(group, "_library", Counting)
        yield calls


def multiplications(calls: Counter[str]) -> int:
    return sum(number for name, number in calls.items() if "scalarmult" in name)


@contextmanager
def counted_costs() -> Iterator[Counter[str]]:
    """Of which actions it is worked out what they open, and how often."""
    real, asked = hidden.opens, Counter[str]()

    def opens(state: State, action: Action) -> Cards:
        asked[type(action).__name__] += 1
        return real(state, action)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(hidden, "opens", opens)
        yield asked


class Played(NamedTuple):
    """A whole game, what another process reads of it, and what it took its players to play it."""

    folder: Path
    history: GameHistory
    calls: Counter[str]
    costs: Counter[str]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("price")
    checked.forget()
    with counted_calls() as calls, counted_costs() as costs:
        play_game(folder, 0, SimulationSettings(PLAYERS, 1, 1, ("builder",), chance="joint", hands="hidden"))
    checked.forget()
    return Played(
        game_folder(folder, 0), load_history(game_folder(folder, 0), may_be_hidden=True), Counter(calls), Counter(costs)
    )


def test_players_of_one_process_check_no_proof_that_it_has_made(game: Played) -> None:
    assert multiplications(game.calls) / game.history.turns < 35


def test_a_prover_adds_no_points_whose_sum_is_known(game: Played) -> None:
    sums = game.calls["crypto_core_ristretto255_add"] + game.calls["crypto_core_ristretto255_sub"]
    assert sums / game.history.turns < 27


def test_players_work_out_what_opens_only_of_what_can_open_something(game: Played) -> None:
    assert game.costs.keys().isdisjoint({"Reveal", "RollDice", "EmptyTrade", "EmptyBuild", "SetupPhaseOne"})
    assert game.costs.total() < 6 * len(game.history.actions)


def test_another_process_checks_each_proof_once(game: Played) -> None:
    folder, history = game.folder, game.history
    found = []
    checked.forget()
    for _ in range(2):
        with counted_calls() as calls:
            load_history(folder, may_be_hidden=True)
        found.append(multiplications(calls) / history.turns)
    assert found[1] < 1 < found[0] < 40


def test_who_reads_an_action_works_out_once_what_it_opens(game: Played) -> None:
    with counted_costs() as costs:
        load_history(game.folder, may_be_hidden=True)
    # A reply takes place in the state without the other replies, and once more in that with them.
    of_some = sum(type(one.action) in hidden.DISCLOSING for one in game.history.actions)
    assert costs.total() <= 1.25 * of_some
