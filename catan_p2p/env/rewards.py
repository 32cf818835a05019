"""What players are rewarded with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from catan_p2p.game.scoring import points_of
from catan_p2p.game.state import State

Reward: TypeAlias = Literal["win", "points"]


def rewards(reward: Reward, before: Sequence[int], state: State) -> list[float]:
    """The rewards by seat of a step.

    ``win``: 1 for who wins and -1 for all others at the end, else 0. ``points``: the same, and a tenth of the points
    that the step brought or took, of which ``before`` is what the players had before it.
    """
    found = [0.0] * len(before)
    if state.is_over:
        found = [1.0 if player == state.ap else -1.0 for player in state.constants.players]
    if reward == "points":
        found = [own + (now - had) / 10 for own, now, had in zip(found, points_of(state), before, strict=True)]
    return found
