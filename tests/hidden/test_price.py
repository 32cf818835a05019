"""What hidden hands may cost, counted: multiplications of points a turn, and how often it is worked out what opens.

Times depend on the machine, these numbers only on the program. The games are always the same.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import rbcl

from catan_p2p.game import hidden
from catan_p2p.game.actions import Action
from catan_p2p.game.cards import Cards
from catan_p2p.game.state import State
from catan_p2p.log.history import History, load_history
from catan_p2p.sealing import checked, group
from catan_p2p.simulation.game import Settings, game_folder, play_game

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


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, History, int]:
    """A whole game, what another process reads of it, and how many multiplications it took its players to play it."""
    folder = tmp_path_factory.mktemp("price")
    checked.forget()
    with counted_calls() as calls:
        play_game(folder, 0, Settings(PLAYERS, 1, 1, ("builder",), chance="joint", hands="hidden"))
    checked.forget()
    return game_folder(folder, 0), load_history(game_folder(folder, 0), may_be_hidden=True), multiplications(calls)


def test_players_of_one_process_check_no_proof_that_it_has_made(game: tuple[Path, History, int]) -> None:
    _, history, of_players = game
    assert of_players / history.turns < 40


def test_another_process_checks_each_proof_once(game: tuple[Path, History, int]) -> None:
    folder, history, _ = game
    found = []
    checked.forget()
    for _ in range(2):
        with counted_calls() as calls:
            load_history(folder, may_be_hidden=True)
        found.append(multiplications(calls) / history.turns)
    assert found[1] < 1 < found[0] < 40


def test_who_reads_an_action_works_out_once_what_it_opens(
    game: tuple[Path, History, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, history, _ = game
    real, asked = hidden.cost_of, Counter[str]()

    def cost_of(state: State, action: Action) -> Cards:
        asked[type(action).__name__] += 1
        return real(state, action)

    monkeypatch.setattr(hidden, "cost_of", cost_of)
    load_history(folder, may_be_hidden=True)
    # A reply takes place in the state without the other replies, and once more in that with them.
    assert asked.total() <= 1.25 * len(history.actions)
