"""The table of attacks: every module of this folder adds its own with ``@attack`` or ``put``."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

Run = Callable[[Path], None]
"""Carries an attack out in an empty folder; raises ``AssertionError``, or anything, if it comes through."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack, or one kind of them."""

    name: str
    what: str
    """What the attacker does."""
    expected: str
    """What comes of it."""
    run: Run
    module: str
    """Where it is, as in ``MODULES``."""
    times: int = 1
    """How often ``make attacks`` tries it."""
    is_long: bool = False
    """Whether it is left out of the tests that CI runs."""
    tries: int = 1
    """How many single attempts one run makes."""


ATTACKS: list[Attack] = []

MODULES = (
    "folders",
    "streams",
    "listening",
    "following",
    "lobby",
    "trust",
    "chance",
    "shares",
    "views",
    "relays",
    "guests",
    "showing",
    "games",
    "turns",
    "campaigns",
)
"""The modules with attacks, in the order of the table."""


def put(name: str, what: str, expected: str, run: Run, **more: Any) -> None:
    """Put an attack into the table; a partial function is of the module of its function."""
    module = getattr(run, "func", run).__module__.rpartition(".")[2]
    ATTACKS.append(Attack(name, what, expected, run, module, **more))


def attack(what: str, expected: str, **more: Any) -> Callable[[Run], Run]:
    """Put a function into the table; its name is the attack's."""

    def decorate(run: Run) -> Run:
        put(run.__name__, what, expected, run, **more)
        return run

    return decorate


def all_attacks() -> list[Attack]:
    """All attacks, in the order of the table."""
    for module in MODULES:
        import_module(f"tests.attacks.{module}")
    return ATTACKS
