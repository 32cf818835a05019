"""Wrong arguments of everything public: each is refused by name, before anything is played, with what was expected."""

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import catan_p2p
from catan_p2p import settings
from catan_p2p.game.actions import RollDice

GAME = catan_p2p.play(players=2, rules="thesis; PointsToWin = 3", seed=1)
STATE = GAME.first
CHOICE = catan_p2p.legal_actions(STATE)[0]

NO_NUMBERS: tuple[Any, ...] = ("4", 2.0, True, None, [])
NO_STATES: tuple[Any, ...] = (GAME, None, "state", 3)
NO_PATHS: tuple[Any, ...] = (3, None, b"game.catan", True)
NO_TEXTS: tuple[Any, ...] = (3, None, True, ["standard"])
NO_SEEDS = tuple(value for value in NO_NUMBERS if value is not None)
NO_CHOICES: tuple[Any, ...] = (3, None, "roll", RollDice)
POLICY = "the name of a policy, or an object with a method choose"
PROFILE = "the name of a profile"
PATH = "a path, as text or as a Path"

Case = tuple[tuple[Any, ...], type[Exception], str]
"""Wrong values of a parameter, the error, and what its message says was expected."""
SETTINGS: dict[str, tuple[Case, ...]] = {
    "players": ((NO_NUMBERS, TypeError, "2 to 6"), ((0, 1, 7, 9, -1), ValueError, "2 to 6")),
    "rules": ((NO_TEXTS, TypeError, PROFILE), (("x", ""), ValueError, "one of thesis, brief, standard")),
    "map": ((NO_TEXTS, TypeError, "the name of a map"), (("x",), ValueError, "one of default")),
    "seed": ((("a", *NO_SEEDS, 1.5), TypeError, "a whole number, 0 or more"), ((-1,), ValueError, "a whole number, 0")),
}
RNG: tuple[Case, ...] = (((5, "x", True, Random), TypeError, "a random.Random"),)
PLAYER: tuple[Case, ...] = ((("1", True, 1.0, 0, 3, -1), ValueError, "1 to 2"),)
CHOSEN: tuple[Case, ...] = ((NO_CHOICES, TypeError, "an action"),)
OF_STATE: tuple[Case, ...] = ((NO_STATES, TypeError, "a State, such as"),)
READING: dict[str, tuple[Case, ...]] = {
    "path": ((NO_PATHS, TypeError, PATH),),
    "format": (((3, True), TypeError, "one of catan"), (("x", ""), ValueError, "one of catan")),
    "rules": (((3, True), TypeError, PROFILE), (("x",), ValueError, "one of thesis")),
}

FUNCTIONS: dict[str, tuple[Callable[..., Any], dict[str, Any], dict[str, tuple[Case, ...]]]] = {
    "play": (
        catan_p2p.play,
        {"players": 2, "rules": "thesis; PointsToWin = 3"},
        {
            **SETTINGS,
            "seed": (((*NO_SEEDS, "a", 1.5), TypeError, "a whole number, 0 or more"), ((-1,), ValueError, "0 or more")),
            "number": ((NO_NUMBERS, TypeError, "a whole number, 0 or more"), ((-1,), ValueError, "0 or more")),
            "max_actions": ((NO_NUMBERS, TypeError, "a whole number, 1 or more"), ((0, -5), ValueError, "1 or more")),
            "policies": (
                ((3, None, True, object, [3, 3], ["random", None]), TypeError, POLICY),
                (([], ["random"] * 3), ValueError, "1 or 2"),
                (("nobody",), ValueError, "one of random"),
                (("strategist:fast", "strategist:0ms", "strategist:"), ValueError, "a time of 1 to 99999 ms"),
                (("mine.py:Mine",), ValueError, "module:Class, as in mine:Mine"),
                (("mine:", ":Mine", "my mind:Mine"), ValueError, "module:Class"),
            ),
        },
    ),
    "new_game": (catan_p2p.new_game, {}, SETTINGS),
    "load": (catan_p2p.load, {"path": "game.catan"}, READING),
    "load_all": (lambda **given: list(catan_p2p.load_all(**given)), {"path": "game.catan"}, READING),
    "to_move": (catan_p2p.to_move, {"state": STATE}, {"state": OF_STATE}),
    "legal_actions": (catan_p2p.legal_actions, {"state": STATE}, {"state": OF_STATE, "player": PLAYER}),
    "legal_offers": (catan_p2p.legal_offers, {"state": STATE, "player": 1}, {"state": OF_STATE, "player": PLAYER}),
    "apply": (
        catan_p2p.apply,
        {"state": STATE, "choice": CHOICE},
        {"state": OF_STATE, "choice": CHOSEN, "rng": RNG},
    ),
    "draw": (
        catan_p2p.draw,
        {"state": STATE, "choice": CHOICE, "rng": Random(1)},
        {"state": OF_STATE, "choice": CHOSEN, "rng": (*RNG, ((None,), TypeError, "a random.Random"))},
    ),
    "chance_outcomes": (
        catan_p2p.chance_outcomes,
        {"state": STATE, "choice": CHOICE},
        {"state": OF_STATE, "choice": CHOSEN},
    ),
    "broken_guards": (
        catan_p2p.broken_guards,
        {"state": STATE, "choice": CHOICE},
        {"state": OF_STATE, "choice": CHOSEN},
    ),
    "Position": (
        catan_p2p.Position,
        {"state": STATE},
        {
            "state": OF_STATE,
            "colours": (((3, "Red", True), TypeError, "2 names"), ((["Red"], []), ValueError, "2 names")),
        },
    ),
    "Position.push": (
        lambda **given: catan_p2p.Position(STATE).push(**given),
        {"move": CHOICE},
        {"move": CHOSEN, "rng": RNG},
    ),
    "Position.legal_moves": (catan_p2p.Position(STATE).legal_moves, {}, {"player": PLAYER}),
    "Game.open": (catan_p2p.Game.open, {}, {"path": ((NO_PATHS, TypeError, PATH),)}),
    "Game.save": (GAME.save, {}, {"path": ((NO_PATHS, TypeError, PATH),)}),
    "Game.position": (
        GAME.position,
        {},
        {"steps": ((("a", 1.5, True), TypeError, "a whole number"), ((-1, 10_000), IndexError, "the game has"))},
    ),
    "Game.to_dataframe": (
        GAME.to_dataframe,
        {},
        {"table": (((3, None), TypeError, "one of actions"), (("moves",), ValueError, "one of actions"))},
    ),
}
CASES = [
    pytest.param(make, usual, parameter, value, error, expected, id=f"{name}({parameter}={value!r})"[:60])
    for name, (make, usual, parameters) in FUNCTIONS.items()
    for parameter, cases in parameters.items()
    for values, error, expected in cases
    for value in values
]


@pytest.mark.parametrize(("make", "usual", "parameter", "value", "error", "expected"), CASES)
def test_a_wrong_argument_is_refused_with_what_was_expected(
    make: Callable[..., Any],
    usual: dict[str, Any],
    parameter: str,
    value: Any,
    error: type[Exception],
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    GAME.save("game.catan")
    with pytest.raises(error, match=re.escape(expected)) as caught:
        make(**{**usual, parameter: value})
    assert type(caught.value) is not AttributeError
    assert [path.name for path in tmp_path.iterdir()] == ["game.catan"], "nothing was written"


def test_every_parameter_of_every_public_function_is_in_the_table() -> None:
    missing = {}
    for name in catan_p2p.__all__:
        public = getattr(catan_p2p, name)
        if inspect.isfunction(public):
            parameters = FUNCTIONS[name][2] if name in FUNCTIONS else {}
            if lacking := inspect.signature(public).parameters.keys() - parameters.keys():
                missing[name] = lacking
    assert not missing


def test_numbers_of_other_libraries_are_numbers() -> None:
    class Number:
        def __index__(self) -> int:
            return 3

    assert settings.players(Number()) == 3
    assert catan_p2p.play(players=2, rules="thesis; PointsToWin = 3", seed=Number()).seed == 3  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["hello\n", "", "\n\n"])
def test_a_file_that_is_no_game_is_refused_with_what_can_be_read(text: str, tmp_path: Path) -> None:
    (tmp_path / "junk.txt").write_text(text)
    with pytest.raises(ValueError, match=r"junk\.txt: .*expected 'catanlog', or the beginning of a game in SGN"):
        catan_p2p.load(tmp_path / "junk.txt")
