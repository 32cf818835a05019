"""A peer that does everything but what it owes: ``python -m tests.replication.withholding KIND N peer DIR ...``.

Once it knows N commits it gives no reply of a kind any more (``loss``, ``answer``, ``chance``), or nothing at all
(``turn``); and where the game asks for no such reply within 40 more, nothing either. It looks, relays and votes on.
"""

import sys

from catan_p2p.cli.main import main
from catan_p2p.game.actions.replies import owes_reply, reply_kinds
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.replication.replica import Replica

_SOON = 40


def withhold(kind: str, least: int) -> None:
    """Let every replica of this process withhold what is asked of it."""
    act = Replica.act
    withheld: list[str] = []

    def acting(replica: Replica, max_actions: int | None = None) -> list[LoggedStep]:
        state, known = replica.graph.state, len(replica.graph)
        owes = owes_reply(state, replica.player) and kind in reply_kinds(state)
        if replica.is_awaited and known >= least and (owes or kind == "turn" or known >= least + _SOON):
            withheld.append(kind if owes else "turn")
        if not withheld:
            return act(replica, max_actions)
        if len(withheld) == 1:
            print(f"withholds {withheld[0]}", file=sys.stderr, flush=True)
            withheld.append("")
        return []

    Replica.act = acting  # type: ignore[method-assign]


if __name__ == "__main__":
    withhold(sys.argv[1], int(sys.argv[2]))
    sys.exit(main(sys.argv[3:]))
