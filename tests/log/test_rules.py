"""Each rule matters: without it, a forged commit that it refuses is accepted, or refused for another reason."""

from collections.abc import Callable
from itertools import takewhile

import pytest

from catan_p2p.game.actions import AnswerTrade, Call, WithdrawTrade
from catan_p2p.game.rules import awaited, decisions, effect
from catan_p2p.log import judging, rules
from catan_p2p.log.commit import Signature, decode_commit, entry_message
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.storage.objects import ObjectId, object_id
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from tests.hidden.test_log import played as played_hidden
from tests.log.table import LogTable, joint_log
from tests.log.test_graph import discard_of, offered, seven
from tests.seat_keys import sign_as_author

RED = 1

Forgery = tuple[CommitGraph, ObjectId, bytes, str]
"""Who judges, the commit, its bytes, and the reason for which it is refused."""


def in_log(logged: LogTable, graph: CommitGraph, commit: ObjectId, reason: str) -> Forgery:
    return graph, commit, logged.objects.read(commit)[1], reason


def played() -> LogTable:
    """A game of two, ten actions old."""
    logged = LogTable()
    logged.play_until(lambda state: len(logged.steps) == 10)
    return logged


def by_a_stranger() -> Forgery:
    logged = played()
    stranger = Signature("Eve", "eve@example.org", 2000)
    forged = logged.forge(logged.steps[-1], author=stranger, committer=stranger)
    return in_log(logged, logged.replay(9), forged, "author")


def unsigned() -> Forgery:
    logged = LogTable(has_keys=True)
    data = decode_commit(logged.objects.read(logged.act(RED).commit)[1])._replace(signature=None).encode()
    return logged.replay(0), logged.objects.add("commit", data), data, "signature"


def signed_without_a_key() -> Forgery:
    logged = played()
    data = sign_as_author(decode_commit(logged.objects.read(logged.steps[-1].commit)[1])).encode()
    return logged.replay(9), logged.objects.add("commit", data), data, "signature"


def with_a_parent_twice() -> Forgery:
    logged = played()
    forged = logged.forge(logged.steps[-1], parents=logged.steps[-1].parents * 2)
    return in_log(logged, logged.replay(9), forged, "parents")


def with_parents_in_another_order() -> Forgery:
    logged = seven(3, owing=2)
    for player in awaited(logged.state):
        logged.take(discard_of(logged, player))
    count = len(logged.steps)
    logged.take(decisions(logged.state, logged.state.ap)[0])
    (first, *rest) = logged.steps[-1].parents
    assert len(rest) == 2
    return in_log(logged, logged.replay(count), logged.forge(logged.steps[-1], parents=(first, *rest[::-1])), "parents")


def replied_twice() -> Forgery:
    logged = seven(2, owing=2)
    player, count = awaited(logged.state)[0], len(logged.steps)
    one, other = decisions(logged.state, player)[:2]
    logged.take(one)
    before = logged.replay(count)
    step = before.write(other, effect(before.state, other), 7, logged.objects.add)
    return in_log(logged, logged.graph, step.commit, "fork")


def too_early() -> Forgery:
    logged = offered(3, asked=2)
    logged.take(AnswerTrade(awaited(logged.state)[0], "accept"))
    early = WithdrawTrade(logged.state.ap)
    step = logged.graph.write(early, effect(logged.state, early), 7, logged.objects.add)
    return in_log(logged, logged.graph, step.commit, "guard")


def with_another_share() -> Forgery:
    table = joint_log()
    step = table.write(table.play_to(Call), share=table.chains[RED].share(7))
    return table.graph, step.commit, table.objects.read(step.commit)[1], "chance"


def by_a_robber_who_takes_another_card() -> Forgery:
    thief = next(one for one in played_hidden() if one.step.entry.place is not None)
    place = int(thief.step.entry.place == 0)
    message = entry_message(thief.step.entry._replace(place=place))
    data = decode_commit(thief.data)._replace(message=message).encode()
    graph = CommitGraph(played_hidden()[0].ledger)
    for one in takewhile(lambda one: one is not thief, played_hidden()):
        step = graph.check(one.step.commit, one.data)
        assert isinstance(step, LoggedStep)
        graph.add(step)
    return graph, object_id("commit", data), data, "seal"


def with_another_tree() -> Forgery:
    logged = played()
    forged = logged.forge(logged.steps[-1], tree=logged.steps[-2].tree.root)
    return in_log(logged, logged.replay(9), forged, "tree")


def with_another_tree_in_a_reply() -> Forgery:
    logged = seven(3, owing=2)
    count = len(logged.steps)
    logged.take(discard_of(logged, awaited(logged.state)[0]))
    forged = logged.forge(logged.steps[-1], tree=logged.steps[-2].tree.root)
    return in_log(logged, logged.replay(count), forged, "tree")


FORGERIES: dict[rules.Rule, tuple[Callable[[], Forgery], ...]] = {
    rules.guard: (too_early,),
    rules.chance: (with_another_share,),
    rules.sealed: (by_a_robber_who_takes_another_card,),
    rules.tree: (with_another_tree, with_another_tree_in_a_reply),
}


def test_there_is_a_forgery_for_each_rule() -> None:
    assert tuple(FORGERIES) == rules.RULES


@pytest.mark.parametrize(
    ("rule", "forged"),
    [pytest.param(rule, one, id=one.__name__) for rule, forgeries in FORGERIES.items() for one in forgeries],
)
def test_without_a_rule_another_verdict_is_found(
    rule: rules.Rule, forged: Callable[[], Forgery], monkeypatch: pytest.MonkeyPatch
) -> None:
    graph, commit, data, reason = forged()
    bad = graph.check(commit, data)
    assert isinstance(bad, CommitRejected) and bad.reason == reason
    monkeypatch.setattr(judging, "RULES", tuple(other for other in rules.RULES if other is not rule))
    verdict = graph.check(commit, data)
    assert not isinstance(verdict, CommitRejected) or verdict.reason != reason, verdict


@pytest.mark.parametrize(
    "forged",
    [by_a_stranger, unsigned, signed_without_a_key, with_a_parent_twice, with_parents_in_another_order, replied_twice],
)
def test_a_commit_that_is_not_its_player_s_or_stands_elsewhere_is_refused(forged: Callable[[], Forgery]) -> None:
    graph, commit, data, reason = forged()
    bad = graph.check(commit, data)
    assert isinstance(bad, CommitRejected) and bad.reason == reason
