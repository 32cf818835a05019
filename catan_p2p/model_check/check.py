"""Checking models: what TLC found, and whether it is what the model should show."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from catan_p2p.game.constants import Constants
from catan_p2p.game.state import State
from catan_p2p.model_check.counterexample import describe_moves, describe_network
from catan_p2p.model_check.models import NO_GAMES, TRAILS, TlcModel, read_start, read_state
from catan_p2p.model_check.replication_models import REPLICATION_MODULES, ask_constants
from catan_p2p.model_check.replication_steps import describe_steps
from catan_p2p.model_check.tlc import TlcError, TlcProgram, TlcProgress, TlcResult


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """A checked model. ``moves`` is the counterexample, if any, as moves, steps of peers, or states."""

    model: TlcModel
    result: TlcResult
    moves: tuple[str, ...]

    @property
    def is_as_expected(self) -> bool:
        """Whether TLC found nothing wrong, or the counterexample that the model should show."""
        if self.model.kind == "counterexample":
            return self.result.verdict in ("invariant", "property")
        return self.result.verdict == "fine"


def check_model(
    model: TlcModel,
    tlc: TlcProgram,
    *,
    workers: int | None = None,
    seed: int | None = None,
    games: int = 10,
    progress: Callable[[TlcProgress], None] | None = None,
    dump: Path | None = None,
) -> ModelCheck:
    """Let TLC check a model; ``TlcError`` if it cannot be checked at all.

    ``workers`` is the number of TLC's threads: by default one; in a simulation one per core, but at most ``games``.
    Each worker has a seed of its own, which follows from ``seed``, and all together play at least ``games``. All states
    and steps are written to the file ``dump`` as a graph in Graphviz's language.
    """
    if model.kind == "simulation":
        workers = min(games, workers or os.cpu_count() or 1)
        games = -(-games // workers)  # TLC's num is for each worker; rounded up
    result = tlc.run(
        model.module_file,
        model.config,
        [*model.arguments(seed, games), *([] if dump is None else ["-dump", "dot", str(dump.absolute())])],
        workers=workers or 1,
        progress=progress,
    )
    if result.verdict in ("error", "assumption"):
        raise TlcError(f"{model.name}: {result.detail}")
    return ModelCheck(model, result, _moves(model, result, tlc) if result.states else ())


def _moves(model: TlcModel, result: TlcResult, tlc: TlcProgram) -> tuple[str, ...]:
    if model.module in REPLICATION_MODULES:
        return describe_steps(result.states, ask_constants(tlc, model.module_file, model.config))
    if model == TRAILS:
        return tuple(describe_network(state) for state in result.states)
    if model in NO_GAMES:
        return result.states
    return describe_moves(_states(model, result))


def _states(model: TlcModel, result: TlcResult) -> list[State]:
    if model.kind == "simulation":
        constants = Constants(model.rules, player_count=4)
    else:
        constants, _ = read_start(result.printed)
    return [read_state(text, constants) for text in result.states if "/\\ G = " in text]
