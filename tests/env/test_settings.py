"""Wrong arguments of the environments: each is refused by name, with what was expected."""

import inspect
import re
from collections.abc import Callable
from typing import Any

import gymnasium
import pytest

from catan_p2p.env import CatanAEC, CatanEnv, CatanVectorEnv
from tests.api.test_settings import NO_NUMBERS, NO_SEEDS, SETTINGS, Case

pytestmark = pytest.mark.needs("env")

TABLE: dict[str, tuple[Case, ...]] = {
    **{name: cases for name, cases in SETTINGS.items() if name != "seed"},
    "rules": (*SETTINGS["rules"], (("brief; Chance = joint",), ValueError, "expected")),
    "max_turns": ((NO_NUMBERS, TypeError, "a whole number, 1 or more"), ((0, -5), ValueError, "1 or more")),
    "reward": (((3, None, True), TypeError, "one of win, points"), (("point", "Points"), ValueError, "one of win")),
    "render_mode": (((3, True), TypeError, "one of ansi"), (("human", ""), ValueError, "one of ansi, rgb_array")),
}
ALONE: dict[str, tuple[Case, ...]] = {
    **TABLE,
    "seat": ((NO_NUMBERS, TypeError, "0 to 2"), ((-1, 3), ValueError, "0 to 2")),
    "opponents": (
        ((3, True, object, [None]), TypeError, "the name of a policy"),
        (("nobody", "strategist:fast", "mine.py:Mine", [], ["random"] * 2), ValueError, "expected"),
    ),
}
SEVERAL: dict[str, tuple[Case, ...]] = {
    **ALONE,
    "num_envs": ((NO_NUMBERS, TypeError, "a whole number, 1 or more"), ((0, -1), ValueError, "1 or more")),
    "copy": (((1, None, "yes"), TypeError, "True or False"),),
    "autoreset_mode": (((1, None, "NEXT_STEP"), TypeError, "an AutoresetMode"),),
}
SEEDS: tuple[Case, ...] = (((*NO_SEEDS, "a", 1.5), TypeError, "expected"), ((-1,), ValueError, "0 or more"))


def begun(env: Any) -> Any:
    env.reset(seed=1)
    return env


AGENTS: tuple[Case, ...] = (((1, None), TypeError, "one of player_1, "), (("player_9",), ValueError, "one of player_1"))
FUNCTIONS: dict[str, tuple[Callable[..., Any], dict[str, tuple[Case, ...]]]] = {
    "CatanAEC": (CatanAEC, TABLE),
    "CatanEnv": (CatanEnv, ALONE),
    "CatanVectorEnv": (CatanVectorEnv, SEVERAL),
    "CatanEnv.reset": (CatanEnv().reset, {"seed": SEEDS}),
    "CatanAEC.reset": (CatanAEC().reset, {"seed": SEEDS}),
    "CatanVectorEnv.reset": (
        CatanVectorEnv(2).reset,
        {
            "seed": (
                (("a", 1.5, True, [1, "a"]), TypeError, "0 or more"),
                ((-1, [1, -1]), ValueError, "0 or more"),
                (([], [1]), ValueError, "2 seeds, one for each game"),
            )
        },
    ),
    "CatanEnv.step": (begun(CatanEnv()).step, {"action": (((-1, 10**6, "a", 1.5, None), ValueError, "expected"),)}),
    "CatanAEC.step": (begun(CatanAEC()).step, {"action": (((-1, 10**6, "a", 1.5, None), ValueError, "expected"),)}),
    "CatanVectorEnv.step": (
        begun(CatanVectorEnv(2)).step,
        {"actions": ((([0], [0] * 3, [], 0, None), ValueError, "2, one for each game"),)},
    ),
    "CatanVectorEnv.step beside a policy": (
        begun(CatanVectorEnv(2, opponents="builder")).step,
        {"actions": ((([0], [0] * 3, [], 0, None), ValueError, "2, one for each game"),)},
    ),
    "CatanAEC.observe": (begun(CatanAEC()).observe, {"agent": AGENTS}),
    "CatanAEC.told": (begun(CatanAEC()).told, {"agent": AGENTS}),
    "CatanAEC.action_space": (CatanAEC().action_space, {"agent": AGENTS}),
}
CASES = [
    pytest.param(make, parameter, value, error, expected, id=f"{name}({parameter}={value!r})"[:60])
    for name, (make, parameters) in FUNCTIONS.items()
    for parameter, cases in parameters.items()
    for values, error, expected in cases
    for value in values
]


@pytest.mark.parametrize(("make", "parameter", "value", "error", "expected"), CASES)
def test_a_wrong_argument_is_refused_with_what_was_expected(
    make: Callable[..., Any], parameter: str, value: Any, error: type[Exception], expected: str
) -> None:
    with pytest.raises(error, match=re.escape(expected)):
        make(**{parameter: value})


@pytest.mark.parametrize("kind", [CatanAEC, CatanEnv, CatanVectorEnv])
def test_every_setting_is_in_the_table(kind: Callable[..., Any]) -> None:
    assert inspect.signature(kind).parameters.keys() - {"of_each"} <= FUNCTIONS[kind.__name__][1].keys()  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", [CatanAEC, CatanEnv, CatanVectorEnv])
def test_a_step_before_the_first_reset_asks_for_it(kind: Callable[..., Any]) -> None:
    env = kind()
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        env.step([0] if kind is CatanVectorEnv else 0)
