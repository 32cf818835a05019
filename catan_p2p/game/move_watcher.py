"""Following every move of a game: what a policy with a memory implements."""

from collections.abc import Callable, Iterable
from typing import Protocol, TypeAlias, runtime_checkable

from catan_p2p.game.actions import Action
from catan_p2p.game.state import State

Watch: TypeAlias = Callable[[State, Action, State], None]
"""Take in a move, whoever made it: the state before it, the action, the state after it.

Replies that several players owe at once may come in any order.
"""


@runtime_checkable
class MoveWatcher(Protocol):
    """Receives every move of the game from its beginning; after a restart, again from the beginning."""

    def watch(self, before: State, action: Action, after: State) -> None:
        """Take in a move."""


def watches(some: Iterable[object]) -> list[Watch]:
    """The ``watch`` functions of those policies that watch, each policy once."""
    return [one.watch for one in {id(one): one for one in some}.values() if isinstance(one, MoveWatcher)]
