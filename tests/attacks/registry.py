"""The table of attacks: every module of this folder adds its own with ``@attack``."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

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
    "votes",
    "relays",
    "guests",
    "showing",
    "games",
    "turns",
    "campaigns",
)
"""The modules with attacks, in the order of the table."""


def attack(what: str, expected: str, *, times: int = 1, is_long: bool = False, tries: int = 1) -> Callable[[Run], Run]:
    """Put a function into the table; its name is the attack's."""

    def put(run: Run) -> Run:
        ATTACKS.append(Attack(run.__name__, what, expected, run, times, is_long, tries))
        return run

    return put


def all_attacks() -> list[Attack]:
    """All attacks, in the order of the table."""
    for module in MODULES:
        import_module(f"tests.attacks.{module}")
    return ATTACKS
