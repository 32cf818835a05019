"""Many games at once for one learner, in one process."""

from functools import partial
from typing import Any

from gymnasium.vector import AutoresetMode, SyncVectorEnv

from catan_p2p.env.learner import CatanEnv


class CatanVectorEnv(SyncVectorEnv):  # type: ignore[misc]
    """``num_envs`` games of the same settings, which are those of ``CatanEnv``, as Gymnasium's ``SyncVectorEnv``.

    By default a finished game begins anew with the next step, whose action is ignored. Opponents of one's own play in
    all games; where each game needs its own, ``SyncVectorEnv`` takes functions that make one ``CatanEnv`` each.
    """

    def __init__(
        self, num_envs: int = 1, *, autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP, **settings: Any
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs {num_envs}: expected at least 1")
        super().__init__([partial(CatanEnv, **settings)] * num_envs, autoreset_mode=autoreset_mode)
