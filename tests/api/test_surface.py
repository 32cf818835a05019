"""The library's surface: its names and signatures are pinned, its examples run, its traps are shut."""

import doctest
import importlib
import inspect
import random
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import catan_p2p
from catan_p2p.game import actions as a
from catan_p2p.game.rules import enabled
from catan_p2p.game.state import State
from tests.for_each import for_each
from tests.sampled_states import played

PINNED = {
    "apply": "(state: 'State', choice: 'Choice', rng: 'Random | None' = None) -> 'State'",
    "broken_guards": "(state: 'State', choice: 'Choice') -> 'tuple[str, ...]'",
    "chance_outcomes": "(state: 'State', choice: 'Choice') -> 'tuple[Outcome, ...]'",
    "draw": "(state: 'State', choice: 'Choice', rng: 'Random') -> 'Action'",
    "legal_actions": "(state: 'State', player: 'Player | None' = None) -> 'list[Choice]'",
    "legal_offers": "(state: 'State', player: 'Player') -> 'Sequence[OfferTrade | OfferTradeTo]'",
    "load": "(path: 'str | Path', format: 'Format | None' = None, rules: 'str | None' = None) -> 'Game'",
    "load_all": "(path: 'str | Path', format: 'Format | None' = None, rules: 'str | None' = None) -> 'Iterator[Game]'",
    "new_game": "(players: 'int' = 4, rules: 'str' = 'standard', map: 'str' = 'default', seed: 'int' = 0) -> 'State'",
    "play": "(players: 'int' = 4, rules: 'str' = 'standard', "
    "policies: 'str | Policy | Sequence[str | Policy]' = 'builder', seed: 'int | None' = None, map: 'str' = 'default', "
    "max_actions: 'int' = 20000, number: 'int' = 0) -> 'Game'",
    "to_move": "(state: 'State') -> 'tuple[Player, ...]'",
}
"""A change here is a change of the library: by semantic versioning a major one, unless it only adds."""

OTHERS = {
    *("POLICIES", "Board", "ChanceUndecided", "Game", "NotEnabled", "Outcome", "Policy", "Rules", "State", "Step"),
    *("Holding", "Position", "PublicPosition", "Undrawn", "__version__", "actions"),
}
MEMBERS = {
    "Game": {
        *("browse", "colours", "comments", "constants", "count", "find", "findings", "first", "headers", "index"),
        *("is_public", "last", "names", "open", "path", "points", "position", "save", "seed", "steps", "to_dataframe"),
        *("turns", "why_public", "winner", "words"),
    },
    "Holding": {"count", "development", "high", "index", "is_exact", "least", "low", "most"},
    "Position": {
        *("colours", "copy", "hands", "is_exact", "legal_moves", "moves", "points", "pop", "push", "state", "to_move"),
        "winner",
    },
    "Step": {"action", "after", "before", "commit", "count", "index"},
    "Undrawn": {"kind", "parameters", "player"},
}


def test_the_names_are_those_that_are_promised() -> None:
    assert set(catan_p2p.__all__) == {*PINNED, *OTHERS}
    assert set(catan_p2p.__all__) <= set(dir(catan_p2p))
    for name in catan_p2p.__all__:
        assert getattr(catan_p2p, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'roll'"):
        _ = catan_p2p.roll


def test_the_first_page_of_help_names_all_of_them() -> None:
    assert catan_p2p.__doc__ is not None
    assert all(re.search(rf"\b{name}\b", catan_p2p.__doc__) for name in catan_p2p.__all__ if name != "__version__")
    assert len(catan_p2p.__doc__.splitlines()) < 40


@for_each("name", PINNED)
def test_a_signature_is_the_one_that_is_promised(name: str) -> None:
    assert str(inspect.signature(getattr(catan_p2p, name))) == PINNED[name]


@for_each("name", MEMBERS)
def test_a_class_has_the_members_that_are_promised(name: str) -> None:
    cls = getattr(catan_p2p, name)
    game = catan_p2p.play(players=2, rules="thesis", seed=3)
    made = {"Game": game, "Position": game.position()}.get(name, cls)
    assert {member for member in dir(made) if not member.startswith("_")} == MEMBERS[name]


@pytest.mark.parametrize(
    "module",
    [
        "catan_p2p",
        "catan_p2p.api.choices",
        "catan_p2p.api.loading",
        "catan_p2p.api.playing",
        "catan_p2p.api.positions",
        "catan_p2p.game.cards",
    ],
)
def test_the_examples_in_the_docstrings_run(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    results = doctest.testmod(importlib.import_module(module))
    assert results.attempted
    assert not results.failed


def test_the_examples_in_the_guide_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    guide = Path(__file__).parents[2] / "docs" / "guides/library.md"
    results = doctest.testfile(str(guide), module_relative=False)
    assert results.attempted > 20
    assert not results.failed


def test_importing_the_package_imports_nothing_else_of_it() -> None:
    code = "import sys, catan_p2p; print([m for m in sys.modules if m.startswith('catan_p2p.')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_decision_of_chance_is_not_applied_before_it_is_drawn() -> None:
    state = catan_p2p.new_game()
    [choice] = catan_p2p.legal_actions(state)
    assert repr(choice) == "RollForStart(player=1, dice=?)"
    with pytest.raises(catan_p2p.ChanceUndecided, match=r"RollForStart\(player=1, dice=\?\)"):
        catan_p2p.apply(state, choice)
    assert catan_p2p.apply(state, a.RollForStart(1, 8)).rolls[0] == 8


def test_picking_legal_actions_at_random_rolls_as_two_dice_do() -> None:
    rolled: dict[int, int] = dict.fromkeys(range(2, 13), 0)
    state, rng = catan_p2p.new_game(players=2), random.Random(1)
    for _ in range(3600):
        action = catan_p2p.draw(state, rng.choice(catan_p2p.legal_actions(state)), rng)
        assert isinstance(action, a.RollForStart)
        rolled[action.dice] += 1
    # 3,600 rolls: 600 sevens and 100 twos expected, deviations of 22 and 10.
    assert 500 < rolled[7] < 700
    assert 50 < rolled[2] < 150


@for_each("state", played()[::9], ids=lambda state: f"{state.tp}-{state.constants.player_count}")
def test_outcomes_are_what_the_engine_enables_and_add_up_to_one(state: State) -> None:
    for player in state.constants.players:
        instances = enabled(state, player)
        found = []
        for choice in catan_p2p.legal_actions(state, player):
            outcomes = catan_p2p.chance_outcomes(state, choice)
            assert sum(outcome.probability for outcome in outcomes) == 1
            assert all(outcome.probability > 0 for outcome in outcomes)
            found += [outcome.action for outcome in outcomes]
            assert not catan_p2p.broken_guards(state, choice)
        too_many = a.OfferTrade | a.OfferTradeTo | a.ProposeTrade
        elsewhere = too_many | a.Excuse | a.Claim  # these are about who plays
        without = [action for action in instances if not isinstance(action, elsewhere)]
        assert [action for action in found if not isinstance(action, too_many)] == without
        offers = [action for action in instances if isinstance(action, a.OfferTrade | a.OfferTradeTo)]
        assert list(catan_p2p.legal_offers(state, player)) == offers


def test_outcomes_are_as_likely_as_the_engine_draws_them() -> None:
    state = next(at for at in played() if at.tp == "MovingBandit" and any(hand.rc for hand in at.h))
    choice = next(
        choice
        for choice in catan_p2p.legal_actions(state)
        if isinstance(choice, catan_p2p.Undrawn) and len(catan_p2p.chance_outcomes(state, choice)) > 1
    )
    assert choice.kind is a.MoveBandit
    rng = random.Random(5)
    drawn = [catan_p2p.draw(state, choice, rng) for _ in range(4000)]
    for outcome in catan_p2p.chance_outcomes(state, choice):
        assert abs(Fraction(drawn.count(outcome.action), 4000) - outcome.probability) < Fraction(1, 20)


def test_decisions_are_equal_if_what_is_decided_is() -> None:
    one, other = catan_p2p.Undrawn(a.RollDice(1, 2)), catan_p2p.Undrawn(a.RollDice(1, 12))
    assert one == other and hash(one) == hash(other)
    assert one != catan_p2p.Undrawn(a.RollDice(2, 2))
    assert one != a.RollDice(1, 2)
    assert repr(one) == "RollDice(player=1, dice=?)"


NO_GAMES = [
    ({"rules": "mine"}, "expected one of thesis, brief, standard"),
    ({"rules": "standard; HandLimit = -1"}, "HandLimit = -1: expected 1 to 100"),
    ({"players": 7}, "2 to 6"),
    ({"map": "mars"}, "map 'mars': expected one of default, .* or the text of a map file"),
]


@for_each(("settings", "message"), NO_GAMES)
def test_a_game_that_there_is_not_is_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        catan_p2p.new_game(**settings)  # type: ignore[arg-type]


def test_rules_may_have_changes() -> None:
    assert catan_p2p.new_game(rules="standard; HandLimit = 9").constants.rules.hand_limit == 9


HEAVY = {
    "git",
    "pygame",
    "visualizer",
    "matplotlib",
    "pandas",
    "scipy",
    "torch",
    "IPython",
    "ipywidgets",
    "distributed",
}
LEARNING = {"gymnasium", "numpy", "pettingzoo"}
WITHOUT_GIT = {
    "every name": "[getattr(catan_p2p, name) for name in catan_p2p.__all__]",
    "a state": "catan_p2p.new_game()._repr_html_()",
    "an action": "s = catan_p2p.new_game(2, 'thesis'); catan_p2p.apply(s, catan_p2p.legal_actions(s)[0])",
    "a position": "p = catan_p2p.Position(catan_p2p.new_game(2, 'thesis')); p.push(p.legal_moves()[0])",
    "a game": "catan_p2p.play(2, 'thesis', ['builder', 'strategist'], seed=1)._repr_html_()",
    "a file": "catan_p2p.play(2, 'thesis', seed=1).save('game.catan'); catan_p2p.load('game.catan')",
    "millions of games": "from catan_p2p.game.flat import fastest; fastest().flat_of(catan_p2p.new_game(3, 'thesis'))",
    "an environment": "from catan_p2p.env import CatanEnv; e = CatanEnv(); e.reset(seed=1); e.step(0)",
}


@pytest.mark.needs("env")
@pytest.mark.parametrize("what", WITHOUT_GIT)
def test_games_without_git_load_nothing_heavy(tmp_path: Path, what: str) -> None:
    program = f"import sys, catan_p2p\n{WITHOUT_GIT[what]}\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    heavy = HEAVY if what == "an environment" else HEAVY | LEARNING
    assert not heavy & set(done.stdout.split())
