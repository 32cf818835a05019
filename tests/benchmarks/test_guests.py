"""What the arena asks of its guests: here of stand-ins, since catanatron's own players are not installed."""

import sys
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from catanatron.models.enums import ORE, WHEAT
from catanatron.state_functions import player_num_resource_cards

from benchmarks.guests import MODULES, Guest, strangers
from catan_p2p.game.actions import Discard
from catan_p2p.game.cards import pack
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.rules import decisions
from catan_p2p.game.state import State, initial_state

pytestmark = pytest.mark.needs("bench")

HAND = pack((2, 2, 2, 2, 2))


def discarding() -> State:
    """A state in which player 1 has to discard five of ten cards."""
    state = initial_state(new_constants("brief", ("Red", "Blue"), "default", 1))
    hands = (state.h[0]._replace(rc=HAND), state.h[1])
    bank = state.bnk._replace(rc=state.constants.rules.resource_pool - HAND)
    return state._replace(tp="Discarding", h=hands, bnk=bank, lim=(5, 0))


def guest(monkeypatch: pytest.MonkeyPatch, name: str, worth: Any) -> Guest:
    """A guest whose value function is the worth of a number of wheat and ore."""

    def value(game: Any, colour: Any) -> float:
        return worth(*(player_num_resource_cards(game.state, colour, kind) for kind in (WHEAT, ORE)))

    players = SimpleNamespace(base_fn=lambda: value, ValueFunctionPlayer=None, AlphaBetaPlayer=None)
    monkeypatch.setitem(sys.modules, "catanatron.players.value", players)  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "catanatron.players.minimax", players)  # type: ignore[arg-type]
    return Guest(name)


def discard_of(one: Guest) -> Discard:
    """What a guest gives up."""
    state = discarding()
    chosen = one.choose(state, 1, decisions(state, 1), Random(1))
    assert isinstance(chosen, Discard)
    assert chosen in decisions(state, 1)
    return chosen


def test_a_guest_keeps_what_its_value_function_values(monkeypatch: pytest.MonkeyPatch) -> None:
    given = discard_of(guest(monkeypatch, "value", lambda wheat, ore: wheat + 2 * ore))
    assert given.cards == pack((2, 2, 1, 0, 0))


@pytest.mark.parametrize(("name", "given"), [("value", (2, 2, 1, 0, 0)), ("alphabeta", (2, 1, 0, 2, 0))])
def test_alpha_beta_looks_one_card_further(name: str, given: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the first wheat that is given up costs something, and the second one gains more."""
    one = guest(monkeypatch, name, lambda wheat, ore: {2: 1.0, 1: 0.0, 0: 3.0}[wheat] + 5 * ore)
    assert discard_of(one).cards == pack(given)


def test_players_of_another_commit_are_named(tmp_path: Path) -> None:
    for name in MODULES:
        (tmp_path / f"{name}.py").write_text("pass\n")
    assert strangers(tmp_path) == [*MODULES]
