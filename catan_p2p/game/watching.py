"""Who is told every move of a game: what a policy has that remembers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeAlias, runtime_checkable

from catan_p2p.game.actions import Action
from catan_p2p.game.state import State

Watch: TypeAlias = Callable[[State, Action, State], None]
"""Takes in a move, whoever's it is: the state in which it took place, the action, the state that it led to.

Replies that several players owe at once may be told in any order.
"""


@runtime_checkable
class Watching(Protocol):
    """Told every move of the game from its beginning on, and again from the beginning on after a restart."""

    def watch(self, before: State, action: Action, after: State) -> None:
        """Take in a move."""


def watches(some: Iterable[object]) -> list[Watch]:
    """What each of those that watch is to be told by, once for each."""
    return [one.watch for one in {id(one): one for one in some}.values() if isinstance(one, Watching)]
