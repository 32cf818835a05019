"""Catan as an environment for learning: PettingZoo's AEC and Gymnasium's interface over the engine (extra ``env``).

``docs/environment.md`` is the guide. Nothing here writes a repository.
"""

from __future__ import annotations

from catan_p2p.env.aec import CatanAEC
from catan_p2p.env.learner import CatanEnv
from catan_p2p.env.vector import CatanVectorEnv

__all__ = ["CatanAEC", "CatanEnv", "CatanVectorEnv"]
