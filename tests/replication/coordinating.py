"""A peer that is killed as the coordinator of a change: ``python -m tests.replication.coordinating AT peer DIR ...``.

``AT`` is ``voted``, when it has voted and is about to propose, or ``proposed``, when another has accepted its proposal
and it is about to, so that whatever needs its acceptance is not decided yet. All else it does as any peer.
"""

import os
import signal
import sys
from collections.abc import Collection

from catan_p2p.cli.main import main
from catan_p2p.game.constants import Player
from catan_p2p.log.views.nodes import AcceptanceNode
from catan_p2p.replication.core.view_duty import DueMessage, ViewDuty

KILLED = "is killed as the coordinator"


def kill_when(at: str) -> None:
    """Let this process kill itself once it has come so far in a change that it coordinates."""
    whole = ViewDuty.due

    def is_accepted(duty: ViewDuty) -> bool:
        ends = (duty._graph.nodes[end] for end in duty._graph.chain_ends.values())
        return any(isinstance(end, AcceptanceNode) and end.change == duty.change for end in ends)

    def due(
        duty: ViewDuty, waited: Collection[Player] = (), *, is_round_over: bool = False, is_grace_over: bool = True
    ) -> DueMessage | None:
        found = whole(duty, waited, is_round_over=is_round_over, is_grace_over=is_grace_over)
        if found is None or duty.change.coordinator(found.round) != duty._party:
            return found
        if at == "voted" and found.kind == "propose" and not duty.round:
            return duty._vote(waited, is_round_over)
        if at == "proposed" and found.kind == "accept" and not is_accepted(duty):
            return None
        if found.kind == {"voted": "propose", "proposed": "accept"}[at]:
            print(KILLED, file=sys.stderr, flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        return found

    ViewDuty.due = due  # type: ignore[method-assign]


if __name__ == "__main__":
    kill_when(sys.argv[1])
    sys.exit(main(sys.argv[2:]))
