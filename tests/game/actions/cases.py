"""What a case of an effect, or of a guard, is."""

from typing import NamedTuple

from catan_p2p.game.actions import Action
from catan_p2p.game.state import State

COMPONENTS = State._fields[1:]


class EffectCase(NamedTuple):
    """An action that is enabled, and what it leads to."""

    action: Action
    what: str
    before: State
    after: State
    anew: str = ""
    """Names of components that are new objects with the same value; all others with it must be the same objects."""

    @property
    def name(self) -> str:
        """Action and what happens."""
        return f"{type(self.action).__name__}: {self.what}"

    @property
    def changed(self) -> tuple[str, ...]:
        """The components that have another value afterwards."""
        return tuple(name for name in COMPONENTS if getattr(self.before, name) != getattr(self.after, name))


class GuardCase(NamedTuple):
    """An instance that is refused because of one guard."""

    tag: str
    state: State
    action: Action
    why: str = ""
    """Tells cases of the same guard apart."""
    also: tuple[str, ...] = ()
    """Guards that are broken too, where the one cannot be broken alone."""

    @property
    def name(self) -> str:
        """Tag and, if there are several cases of the guard, why."""
        return f"{self.tag} {self.why}".strip()
