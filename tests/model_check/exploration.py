"""Every state that the program's own engine can reach, counted as TLC counts."""

from typing import NamedTuple, TypeAlias

from catan_p2p.game.rules import apply, enabled
from catan_p2p.game.state import State


class Size(NamedTuple):
    """The size of a state space: states generated (one for every way to a state), distinct ones, and levels."""

    generated: int
    distinct: int
    depth: int


Successors: TypeAlias = dict[State, frozenset[State]]
"""From every state that can be reached to the other states that one step leads to.

A step that changes nothing, as a vote, is none of them: TLC adds one to every state where it checks fairness.
"""


def explore(start: State) -> tuple[Size, Successors]:
    """Search breadth-first from a state; the size is what TLC gives at the end of a complete run."""
    found: Successors = {}
    level = {start: None}
    generated, depth = 1, 0
    while level:
        depth += 1
        following: dict[State, None] = {}
        for state in level:
            after = [apply(state, one) for player in state.constants.players for one in enabled(state, player)]
            generated += len(after)
            found[state] = frozenset(after) - {state}
            following |= dict.fromkeys(found[state])
        level = {state: None for state in following if state not in found}
    return Size(generated, len(found), depth), found
