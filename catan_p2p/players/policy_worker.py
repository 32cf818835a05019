"""The process in which a foreign policy decides: ``python -m catan_p2p.players.policy_worker module:Class``.

It reads questions from standard input and writes answers to standard output, which it keeps to itself: what the policy
prints goes to standard error. See ``foreign``.
"""

import os
import pickle
import sys
from random import Random
from typing import Any

from catan_p2p.frames import MessageFrame, read_frame, write_frame
from catan_p2p.players.policies import load_class


def main() -> None:
    """Answer questions until the input ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.path[:] = _read()
    policy: Any = None
    rng = Random()
    while (question := _read()) is not None:
        state, player, decisions, random_state = question
        rng.setstate(random_state)
        try:
            if policy is None:
                policy = load_class(sys.argv[1])()
            answer: Any = policy.choose(state, player, decisions, rng), rng.getstate()
            data = pickle.dumps(answer)
        except Exception as error:  # noqa: BLE001 - a policy may raise anything; the peer is told
            data = pickle.dumps(f"raises {type(error).__name__}: {' '.join(str(error).split())[:200]}")
        write_frame(answers, MessageFrame({}, data))


def _read() -> Any:
    frame = read_frame(sys.stdin.buffer)
    return None if frame is None else pickle.loads(frame.body)


if __name__ == "__main__":
    main()
