"""Every state that the program's own engine can reach, counted as TLC counts."""

from __future__ import annotations

from typing import NamedTuple

from catan_p2p.game.rules import apply, enabled
from catan_p2p.game.state import State


class Size(NamedTuple):
    """The size of a state space: states generated (one for every way to a state), distinct ones, and levels."""

    generated: int
    distinct: int
    depth: int


def explore(start: State) -> Size:
    """Search breadth-first from a state; the counts are those that TLC gives at the end of a complete run."""
    seen = {start}
    level = [start]
    generated, depth = 1, 0
    while level:
        depth += 1
        following: list[State] = []
        for state in level:
            for player in state.constants.players:
                for action in enabled(state, player):
                    after = apply(state, action)
                    generated += 1
                    if after not in seen:
                        seen.add(after)
                        following.append(after)
        level = following
    return Size(generated, len(seen), depth)
