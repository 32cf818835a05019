"""The policies of computer players, by name.

A policy is a class with one method; docs/guides/players.md says how to add one. Its name is one of this program's
(``builder``), one with a time for each decision (``strategist:50ms``), a name in the entry point group
``catan_p2p.policies`` of an installed package, or ``module:Class``. Foreign policies decide in processes of their own.
"""

import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from catan_p2p.game.actions import Action
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.players.random_player import RandomPolicy

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints


class Policy(Protocol):
    """Chooses among the decisions of a player.

    It keeps nothing between two calls, so that a game that continues after a crash comes out the same. All randomness
    is in ``rng``, which is seeded by the seed, the game and the position in the log. A policy that must remember
    earlier moves can watch them: see ``catan_p2p.game.move_watcher``.
    """

    def choose(self, state: State, player: Player, decisions: Sequence[Action], rng: Random) -> Action:
        """One of ``decisions``, which is never empty and in a fixed order.

        If ``decisions`` contains an offer, any other enabled offer will do too.
        """


# The others are imported when they are used: a game of random players needs a quarter of the program less.


def _beginner() -> Policy:
    from catan_p2p.players.beginner import BeginnerPolicy

    return BeginnerPolicy()


def _builder() -> Policy:
    from catan_p2p.players.builder import BuilderPolicy

    return BuilderPolicy()


def _strategist() -> Policy:
    from catan_p2p.players.strategist import StrategistPolicy

    return StrategistPolicy()


POLICIES: dict[str, Callable[[], Policy]] = {
    "random": RandomPolicy,
    "beginner": _beginner,
    "builder": _builder,
    "strategist": _strategist,
}
"""The factory of each policy, by its name on the command line."""

ENTRY_POINTS = "catan_p2p.policies"
"""The entry point group for policies of installed packages."""


class UnknownPolicy(ValueError):
    """No policy has this name, or its class cannot be loaded; the message says what was expected."""


def make_policy(name: str) -> Policy:
    """A new policy of this name; ``UnknownPolicy`` if there is none.

    A foreign class is not imported here but in its own process, when it first decides.
    """
    budgeted = _budgeted(name)
    if budgeted is not None:
        from catan_p2p.players.strategist import StrategistPolicy

        return StrategistPolicy(budget_ms=budgeted)
    if name in POLICIES:
        return POLICIES[name]()
    from catan_p2p.players.foreign import ForeignPolicy

    return ForeignPolicy(target_of(name))


def policy_of(setting: str, given: object) -> Policy:
    """The policy that a caller gives by name or as an object; ``TypeError`` names the setting if it is neither."""
    if isinstance(given, str):
        return make_policy(check_policy(given))
    if isinstance(given, type) or not callable(getattr(given, "choose", None)):
        expected = "the name of a policy, or an object with a method choose(state, player, decisions, rng)"
        raise TypeError(f"{setting} {given!r}: expected {expected}")
    found: Policy = given  # type: ignore[assignment]
    return found


def policy_names() -> tuple[str, ...]:
    """The names of this program's policies, then those of installed packages."""
    return (*POLICIES, *sorted(point.name for point in _installed() if point.name not in POLICIES))


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
    """``module:Class`` of a foreign policy; ``UnknownPolicy`` if there is none of this name."""
    if name.startswith("strategist:"):
        raise UnknownPolicy(f"policy {name!r}: expected a time of 1 to 99999 ms a decision, as in strategist:20ms")
    if ":" in name:
        module, _, path = name.partition(":")
        if not all(part.isidentifier() for part in [*module.split("."), *path.split(".")]) or module.endswith(".py"):
            of_file = f"{module.removesuffix('.py').strip('./').replace('/', '.')}:{path}"
            hint = f", as in {of_file}" if module.endswith(".py") else ""
            raise UnknownPolicy(f"policy {name!r}: expected module:Class{hint}")
        return name
    for point in _installed():
        if point.name == name:
            return point.value
    raise UnknownPolicy(f"policy {name!r}: expected one of {', '.join(policy_names())}, or module:Class")


def _installed() -> "EntryPoints":
    from importlib.metadata import entry_points  # takes a tenth of the start of most verbs, which need no such policy

    return entry_points(group=ENTRY_POINTS)


def load_class(target: str) -> Callable[[], Policy]:
    """The class ``module:Class``, also from the current folder; ``UnknownPolicy`` says why it cannot be loaded."""
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
