"""Policies that are not this program's: each decides in a process of its own, and loses its turn if it does not.

Such a policy may raise, hang, answer nonsense or end its process. Then the player does the least that the rules allow:
ends the phase, rejects, withdraws, or, where something must be chosen, takes anything at random. The game goes on, the
policy is asked again for the next decision, and what happened is logged once for each kind of trouble.
"""

from __future__ import annotations

import logging
import pickle
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from queue import Empty, Queue
from random import Random
from typing import IO, Any, BinaryIO, cast

from catan_p2p.actions import Action, AnswerTrade, EmptyBuild, EmptyTrade, WithdrawTrade
from catan_p2p.constants import Player
from catan_p2p.log.transport.frames import Frame, read_frame, write_frame
from catan_p2p.rules import broken_guards
from catan_p2p.state import State

PATIENCE_S = 10.0
"""How long a policy may take for one decision."""
START_S = 120.0
"""How long its process may take to start and to import it."""
_PASSES = (EmptyTrade, EmptyBuild, WithdrawTrade)
_LOG = logging.getLogger("catan_p2p")


class Trouble(Exception):
    """What a policy did instead of deciding; the message is one line."""


class ForeignPolicy:
    """The policy ``module:Class`` in a process of its own, which is started when it is first asked."""

    def __init__(self, name: str, patience_s: float = PATIENCE_S) -> None:
        self.name = name
        self.patience_s = patience_s
        self.troubles = 0
        """How many decisions it failed to make."""
        self._worker: _Worker | None = None
        self._told: set[str] = set()

    def choose(self, state: State, player: Player, decisions: Sequence[Action], rng: Random) -> Action:
        """What the policy chooses, or the least that the rules allow if it does not."""
        try:
            return self._asked(state, player, decisions, rng)
        except Trouble as trouble:
            self.troubles += 1
            kind = str(trouble).partition(":")[0]
            if kind not in self._told:
                self._told.add(kind)
                _LOG.warning("policy %s %s; player %d loses the decision", self.name, trouble, player)
            return least(player, decisions, rng)

    def _asked(self, state: State, player: Player, decisions: Sequence[Action], rng: Random) -> Action:
        fresh = self._worker is None
        if self._worker is None:
            self._worker = _Worker(self.name)
        try:
            limit_s = self.patience_s + (START_S if fresh else 0.0)
            answer = self._worker.ask((state, player, tuple(decisions), rng.getstate()), limit_s)
        except Trouble:
            self._worker.end()
            self._worker = None
            raise
        if isinstance(answer, str):
            raise Trouble(answer)
        action, random_state = answer
        rng.setstate(random_state)
        check(state, player, action)
        chosen: Action = action
        return chosen


def check(state: State, player: Player, action: Any) -> None:
    """Raise ``Trouble`` unless the answer is an action of this player's that the rules allow."""
    try:
        if action.player != player:
            raise Trouble(f"answers nonsense: {_short(action)} is not player {player}'s")
        if guards := broken_guards(state, action):
            raise Trouble(f"answers what is not allowed: {_short(action)}: {', '.join(guards)}")
    except Trouble:
        raise
    except Exception:  # noqa: BLE001 - any object may come from a foreign policy
        raise Trouble(f"answers nonsense: {_short(action)}") from None


def least(player: Player, decisions: Sequence[Action], rng: Random) -> Action:
    """The least that can be decided: pass, reject, or anything at random where something must be chosen."""
    for decision in decisions:
        if isinstance(decision, _PASSES):
            return decision
    if any(isinstance(decision, AnswerTrade) for decision in decisions):
        return AnswerTrade(player, "reject")
    return decisions[int(rng.random() * len(decisions))]


def _short(value: object) -> str:
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - the repr of any object may fail
        text = f"a {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


class _Worker:
    """The process of a policy, and a thread that reads its answers."""

    def __init__(self, name: str) -> None:
        command = [sys.executable, "-m", "catan_p2p.simulation.policy_worker", name]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._answers: Queue[Any] = Queue()
        threading.Thread(target=_read_all, args=(self._process.stdout, self._answers), daemon=True).start()
        self._finalizer = weakref.finalize(self, _end, self._process)
        self._send(sys.path)

    def ask(self, question: Any, limit_s: float) -> Any:
        """The answer to a question; ``Trouble`` if there is none in time."""
        self._send(question)
        try:
            answer = self._answers.get(timeout=limit_s)
        except Empty:
            raise Trouble(f"hangs: no decision in {limit_s:.0f} s") from None
        if answer is None:
            raise Trouble("ended its process")
        return answer

    def _send(self, value: Any) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        data = pickle.dumps(value)
        try:
            write_frame(cast(BinaryIO, pipe), Frame({}, data))
        except OSError:
            raise Trouble("ended its process") from None

    def end(self) -> None:
        """End the process, whatever it does."""
        self._finalizer()


def _read_all(pipe: IO[bytes], answers: Queue[Any]) -> None:
    """Put every answer into the queue, None at the end."""
    try:
        while (frame := read_frame(cast(BinaryIO, pipe))) is not None:
            answers.put(pickle.loads(frame.body))
    except Exception:  # noqa: BLE001 - whatever a policy prints or pickles, it is the end of its answers
        answers.put("answers nonsense: it cannot be read")
    answers.put(None)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:
                continue
