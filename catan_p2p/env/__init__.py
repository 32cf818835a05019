"""Catan as a learning environment, with PettingZoo's AEC and Gymnasium's interface (extra ``env``).

``docs/guides/environment.md`` is the guide. Nothing here writes a repository.
"""

from catan_p2p.extras import needed

for _package in ("numpy", "gymnasium", "pettingzoo"):
    needed(_package, "env", "catan_p2p.env")

from gymnasium import register as _register  # noqa: E402 - after the word on what it needs
from gymnasium import registry as _registry  # noqa: E402

from catan_p2p.env.aec import CatanAEC  # noqa: E402
from catan_p2p.env.learner import CatanEnv  # noqa: E402
from catan_p2p.env.vector import CatanVectorEnv  # noqa: E402

__all__ = ["ENVIRONMENT_ID", "CatanAEC", "CatanEnv", "CatanVectorEnv"]

ENVIRONMENT_ID = "catan_p2p/Catan-v0"
"""The id of ``CatanEnv`` and ``CatanVectorEnv`` for ``gymnasium.make`` and ``gymnasium.make_vec``."""

if ENVIRONMENT_ID not in _registry:  # gymnasium warns of a module that is loaded again
    _register(
        ENVIRONMENT_ID,
        entry_point="catan_p2p.env.learner:CatanEnv",
        vector_entry_point="catan_p2p.env.vector:CatanVectorEnv",
    )
