"""Policies that are not part of this program, each in a process of its own.

Such a policy may raise, hang, return nonsense or end its process. Each of these is a ``PolicyMistake``, which
``choosing`` handles. The policy is asked again for the next decision.
"""

import pickle
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from math import ldexp
from queue import Empty, Queue
from random import Random
from typing import IO, Any, BinaryIO, cast

from catan_p2p.frames import MessageFrame, read_frame, write_frame
from catan_p2p.game.actions import Action
from catan_p2p.game.constants import Player
from catan_p2p.game.randomness import BlockStream
from catan_p2p.game.state import State
from catan_p2p.players.choosing import PolicyMistake

LIMIT_S = 10.0
"""How long a policy may take for one decision."""
START_S = 120.0
"""How long its process may take to start and to import the policy."""
_SEED_BITS = 256
HANGS = "hangs"
"""The kind of a mistake: no answer in time."""


class ForeignPolicy:
    """The policy ``module:Class`` in a process of its own, started when it is first asked.

    After each decision that hangs, the next gets half as much time, until the policy answers in time again. So a policy
    that always hangs delays its player by a few minutes in all.
    """

    def __init__(self, name: str, limit_s: float = LIMIT_S) -> None:
        self.name = name
        self.limit_s = limit_s
        self._worker: _PolicyProcess | None = None
        self._hung = 0
        """How many decisions in a row have hung."""

    def choose(self, state: State, player: Player, decisions: Sequence[Action], rng: Random) -> Action:
        """The policy's choice, unchecked; ``PolicyMistake`` if it does not choose."""
        limit_s = self.limit_s + (START_S if self._worker is None else 0.0)
        if self._worker is None:
            self._worker = _PolicyProcess(self.name)
        # The state of a BlockStream cannot be sent, so the policy gets a Random that the stream seeds.
        its_own = Random(rng.getrandbits(_SEED_BITS)) if isinstance(rng, BlockStream) else rng
        try:
            answer = self._worker.ask(
                (state, player, tuple(decisions), its_own.getstate()), ldexp(limit_s, -self._hung)
            )
        except PolicyMistake as mistake:
            self._worker.end()
            self._worker = None
            self._hung += mistake.kind == HANGS
            raise
        self._hung = 0
        if isinstance(answer, str):
            raise PolicyMistake(answer)
        action, random_state = answer
        its_own.setstate(random_state)
        chosen: Action = action
        return chosen


class _PolicyProcess:
    """The process of a policy, and a thread that reads its answers."""

    def __init__(self, name: str) -> None:
        command = [sys.executable, "-m", "catan_p2p.players.policy_worker", name]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._answers: Queue[Any] = Queue()
        threading.Thread(target=_read_all, args=(self._process.stdout, self._answers), daemon=True).start()
        self._finalizer = weakref.finalize(self, _end, self._process)
        self._send(sys.path)

    def ask(self, question: Any, limit_s: float) -> Any:
        """The answer to a question; ``PolicyMistake`` if there is none in time."""
        self._send(question)
        try:
            answer = self._answers.get(timeout=limit_s)
        except Empty:
            raise PolicyMistake(f"{HANGS}: no decision in {limit_s:.3g} s") from None
        if answer is None:
            raise PolicyMistake("ended its process")
        return answer

    def _send(self, value: Any) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        data = pickle.dumps(value)
        try:
            write_frame(cast(BinaryIO, pipe), MessageFrame({}, data))
        except OSError:
            raise PolicyMistake("ended its process") from None

    def end(self) -> None:
        """Kill the process."""
        self._finalizer()


def _read_all(pipe: IO[bytes], answers: Queue[Any]) -> None:
    """Put every answer into the queue, then None."""
    try:
        while (frame := read_frame(cast(BinaryIO, pipe))) is not None:
            answers.put(pickle.loads(frame.body))
    except Exception:  # noqa: BLE001 - unpickling a policy's answer may raise anything
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
