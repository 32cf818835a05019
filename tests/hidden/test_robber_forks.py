"""Nobody tells sealed cards to a proven liar: who has forked is excused while the answer to their theft is missing.

Red calls for a card of Green's, and signs another commit in its place. Blue, who sees both, has Red excused as soon as
Green has voted, whether or not Green has answered in the meantime.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from catan_p2p.game.actions.drawing import ROBBERIES
from catan_p2p.log.audit import audit
from catan_p2p.log.commit import decode_commit
from catan_p2p.log.refs import local_ref
from catan_p2p.log.signing import signer
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.voting import VotingDuty
from tests.chance.apart import look
from tests.replication.tables import KEYS, git, heads_of, make_seats, opened, point, write_object
from tests.replication.test_settling import GREEN, RED, check_together, folder_of, look_alone, settle_all
from tests.replication.test_told_shares import finish_without

RULES = "thesis; Leaving = yes; PointsToWin = 4; Chance = joint"


@contextmanager
def robbed(folder: Path) -> Iterator[tuple[list[Path], list[Replica]]]:
    """Green owes Red the answer to a theft, and Blue alone has seen that Red has signed something else as well."""
    paths = make_seats(folder, 3, 3, rules=RULES, signed=True, hands="hidden")
    with opened(paths) as replicas:
        red, blue, green = replicas
        until_robbed(replicas)
        call = red.graph.head
        parts = decode_commit(red.store.read(call)[1])
        later = parts.author._replace(time_s=parts.author.time_s + 1)
        other = signer(KEYS["Red"])(parts._replace(author=later, committer=later, signature=None))
        point(folder_of(red), local_ref(red.game.branch(RED)), write_object(folder_of(red), "commit", other.encode()))
        look_alone(blue, ["Red"])
        assert blue.core.fork_settlement.lies and blue.graph.head == call
        assert not green.core.fork_settlement.lies and green.graph.state.due[GREEN - 1]
        yield paths, replicas


def until_robbed(replicas: Sequence[Replica]) -> None:
    """Play until Red robs Green, and everybody knows it."""
    for _ in range(3000):
        for replica in replicas:
            look(replica)
        states = [replica.graph.state for replica in replicas]
        call = states[0].call
        if all(state.call == call and call.what in ROBBERIES and state.due[GREEN - 1] for state in states):
            if (states[0].caller, call.victim) == (RED, GREEN):
                return
        for replica in replicas:
            replica.act_one() if replica.is_awaited else None
    raise AssertionError("Red never robbed Green")


def reply_refs(replica: Replica) -> dict[str, str]:
    """The branches with Green's reply, by name."""
    return {
        ref: head for ref, head in heads_of(folder_of(replica)).items() if head == replica.graph.replies[GREEN].commit
    }


@pytest.mark.long
def test_a_proven_liar_gets_no_answer(tmp_path: Path) -> None:
    with robbed(tmp_path) as (paths, (_, blue, green)):
        call = green.graph.head
        look(green)
        for replica in (blue, green):
            VotingDuty(replica).charge_liars()
            replica.store.publish()
            look(green)
        assert green.withheld and green.act() == []
        settle_all((blue, green))
        check_together((blue, green))
        assert blue.graph.line.next[call].parents[0] == call and not blue.graph.line.next[call].replies
        finish_without((blue, green))
    for path in paths[1:]:
        assert audit(path).is_fine


@pytest.mark.long
def test_an_answer_that_the_excuse_has_not_heard_is_no_lie(tmp_path: Path) -> None:
    with robbed(tmp_path) as (paths, (_, blue, green)):
        green.act_one()
        answer = green.graph.replies[GREEN].commit
        hidden = reply_refs(green)
        assert len(hidden) == 1
        VotingDuty(blue).charge_liars()
        blue.store.publish()
        look(green)
        VotingDuty(green).charge_liars()
        green.store.publish()
        for ref in hidden:
            git(folder_of(green), "update-ref", "-d", ref)
        look(blue)
        VotingDuty(blue).go_on()
        assert blue.graph.state.away[RED - 1] and answer not in blue.graph
        for ref, head in hidden.items():
            git(folder_of(green), "update-ref", ref, head)
        settle_all((blue, green))
        check_together((blue, green))
        finish_without((blue, green))
    for path in paths[1:]:
        assert audit(path).is_fine
