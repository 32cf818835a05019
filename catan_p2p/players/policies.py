"""How a simulated player decides. A policy is a small class with one method; docs/players.md tells how to add one.

A policy is named: ``builder``, one of this program's, ``strategist:50ms`` with its time for a decision; a name that an
installed package gives to the entry point group ``catan_p2p.policies``; or ``module:Class``. Those that are not this
program's own decide in a process of their own.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import entry_points
from random import Random
from typing import Any, Protocol

from catan_p2p.game.actions import Action
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import any_offer
from catan_p2p.game.state import State
from catan_p2p.players.builder import BuilderPolicy
from catan_p2p.players.foreign import ForeignPolicy
from catan_p2p.players.strategist import StrategistPolicy


class Policy(Protocol):
    """Chooses among what a player can decide.

    It is asked anew for every action and keeps nothing of its own between two calls, so a game can be continued after a
    crash and comes out the same. All randomness is in ``rng``, seeded from the seed, the game and the position in the
    log. What it is to remember of the moves before, it is told: see ``catan_p2p.game.watching``.
    """

    def choose(self, state: State, player: Player, decisions: Sequence[Action], rng: Random) -> Action:
        """One of ``decisions``, which is never empty and in a fixed order; or, where it holds one offer, any other."""


class RandomPolicy:
    """Uniform over everything that can be decided: the thesis's baseline."""

    name = "random"

    def choose(self, state: State, player: Player, decisions: Sequence[Action], rng: Random) -> Action:
        """A random one; if it is to offer or to propose a trade, any that can be made."""
        return any_offer(state, decisions[int(rng.random() * len(decisions))], rng)


POLICIES: dict[str, Callable[[], Policy]] = {
    "random": RandomPolicy,
    "builder": BuilderPolicy,
    "strategist": StrategistPolicy,
}
"""The policies by the name that the command line gives them."""

ENTRY_POINTS = "catan_p2p.policies"
"""The entry point group in which an installed package names its policies."""


class UnknownPolicy(ValueError):
    """A name that no policy has, or a class that cannot be had; the message says what was expected."""


def make_policy(name: str) -> Policy:
    """A new policy of this name; ``UnknownPolicy`` if there is none.

    That a foreign class is there is known once its module has been found; whether it can be imported shows when it is
    first asked, in its own process.
    """
    budgeted = _budgeted(name)
    if budgeted is not None:
        return StrategistPolicy(budget_ms=budgeted)
    if name in POLICIES:
        return POLICIES[name]()
    return ForeignPolicy(target_of(name))


def policy_names() -> tuple[str, ...]:
    """The names of this program's policies, then those of installed packages."""
    return (*POLICIES, *sorted(point.name for point in entry_points(group=ENTRY_POINTS) if point.name not in POLICIES))


def check_policy(name: str) -> str:
    """The name itself; ``UnknownPolicy`` if no policy has it, or its class cannot be imported."""
    if name not in POLICIES and _budgeted(name) is None:
        load_class(target_of(name))
    return name


def _budgeted(name: str) -> int | None:
    """The milliseconds of ``strategist:50ms``; None if the name is not of that form."""
    found = re.fullmatch(r"strategist:([1-9]\d{0,4})ms", name)
    return int(found[1]) if found else None


def target_of(name: str) -> str:
    """``module:Class`` of a policy that is not this program's; ``UnknownPolicy`` if there is none of this name."""
    if ":" in name:
        return name
    for point in entry_points(group=ENTRY_POINTS):
        if point.name == name:
            return point.value
    raise UnknownPolicy(f"policy {name!r}: expected one of {', '.join(policy_names())}, or module:Class")


def load_class(target: str) -> Callable[[], Policy]:
    """The class ``module:Class``, also from the current folder; ``UnknownPolicy`` says why it cannot be had."""
    module_name, _, path = target.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found: Any = import_module(module_name)
        for part in path.split("."):
            found = getattr(found, part)
    except Exception as error:  # noqa: BLE001 - importing foreign code may raise anything
        raise UnknownPolicy(f"policy {target}: {type(error).__name__}: {error}") from None
    if not callable(getattr(found, "choose", None)):
        raise UnknownPolicy(f"policy {target}: a class with a method choose(state, player, decisions, rng) is expected")
    made: Callable[[], Policy] = found
    return made
