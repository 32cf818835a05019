"""Opens seats that no program plays at the moment: a person's own, and those of the computer players they host."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from catan_p2p.game.actions.replies import are_optional
from catan_p2p.game.randomness import clock_named
from catan_p2p.game.secret_streams import randomness_named
from catan_p2p.log.commit import decode_commit
from catan_p2p.players.policies import make_policy
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.sync_once import visit
from catan_p2p.replication.voting import VotingDuty
from catan_p2p.sessions.seat_driver import ANSWERS_S
from catan_p2p.tables.computers import computer_seats
from catan_p2p.tables.opening import opened_seat
from catan_p2p.tables.repair import heal
from catan_p2p.tables.seat import read_settings


@contextmanager
def visited_seat(path: Path, *, alone: bool = False, has_chat: bool = True) -> Iterator[Replica]:
    """The replica of the seat at ``path``, with the seat's own clock, policy and randomness."""
    settings = read_settings(path)
    clock, policy = clock_named(settings.clock), make_policy(settings.policy or "random")
    randomness = randomness_named(settings.clock)
    with opened_seat(path, settings, policy, randomness, clock, alone=alone, has_chat=has_chat) as replica:
        yield replica


@contextmanager
def visited_computers(path: Path, *, has_chat: bool = True) -> Iterator[list[Replica]]:
    """The replicas of the computer players of the host's seat at ``path``."""
    with ExitStack() as opened:
        seats = computer_seats(path)
        for seat in seats:
            heal(seat)
        yield [opened.enter_context(visited_seat(seat, has_chat=has_chat)) for seat in seats]


def take_turns(computers: Sequence[Replica], most_s: float) -> bool:
    """Let each synchronize for at most ``most_s`` seconds, act and vote; return whether any of them did."""
    has_done = False
    for replica in computers:
        before, voting = replica.graph.head, VotingDuty(replica)  # which remembers the visit before this one
        visit(replica, most_s)
        while replica.catch_up.is_over and (replica.is_awaited or _has_waited(replica)):
            # Nothing done: another try would end the same way.
            if not (replica.act() if replica.is_awaited else [replica.act_one()]):
                break
        has_done |= bool(voting.go_on(voting.table_patience_s or None)) or replica.graph.head != before
        voting.keep()
        replica.store.publish()
        if replica.relay is not None:
            replica.relay.flush(replica.store, replica.graph, most_s)
    return has_done


def _has_waited(replica: Replica) -> bool:
    """Whether an own offer has waited long enough for optional answers."""
    state = replica.graph.state
    if state.tp != "Offering" or state.ap != replica.player or not are_optional(state):
        return False
    offered_s = decode_commit(replica.store.read(replica.graph.head)[1]).author.time_s
    return replica.time.date_s() - offered_s >= ANSWERS_S
