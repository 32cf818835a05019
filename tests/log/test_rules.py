"""Each rule matters: without it, a forged commit that it refuses is accepted, or refused for another reason."""

from collections.abc import Callable
from itertools import count, takewhile

import pytest

from catan_p2p.game.actions import AnswerTrade, Call, Excuse, WithdrawTrade
from catan_p2p.game.rules import awaited, decisions, effect
from catan_p2p.log import rules
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.commit import Signature, decode_commit, entry_message
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.rules import actions, places, promises
from catan_p2p.log.storage.objects import ObjectId, object_id
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from tests.hidden.test_log import played as played_hidden
from tests.log.table import LogTable, joint_log
from tests.log.test_graph import discard_of, offered, seven
from tests.log.test_many_votes import flood, long_game, next_action
from tests.log.test_settled_votes import BLUE, GREEN, RED, Signed
from tests.replication.test_hostile_votes import AwaitedTable, until_blue_has_built_on

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
    game = Signed()
    step = game.write(RED, game.choose(RED))
    data = decode_commit(game.data(step.commit))._replace(signature=None).encode()
    return game.graphs[BLUE], game.objects.add("commit", data), data, "signature"


def dropped() -> Forgery:
    game = Signed()
    game.until(RED, "Building")
    one, other = game.lie([BLUE], [GREEN])
    game.settle(game.charge(BLUE, one, other), game.charge(GREEN, one, other))
    lost = max(one.commit, other.commit)
    player = GREEN if lost == other.commit else BLUE
    return game.graphs[player], lost, game.data(lost), "fork"


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


def with_too_many_votes() -> Forgery:
    table = long_game(200)
    votes = flood(table, 20)
    table.held(*votes)
    return in_log(table, table.graph, table.written(next_action(table), votes=tuple(sorted(votes))).commit, "parents")


def promised() -> Forgery:
    table = AwaitedTable()
    table.graph.bind(GREEN)
    table.held(table.vote(GREEN))
    return in_log(table, table.graph, table.written(next_action(table)).commit, "promised")


def by_no_proof() -> Forgery:
    game = Signed()
    game.until(RED, "Building")
    one, other = game.lie([BLUE], [GREEN])
    vote = game.charge(GREEN, one, other, holds=game.root)
    return game.graphs[BLUE], vote.commit, game.data(vote.commit), "proof"


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


def with_replies_unheard() -> Forgery:
    for seed in range(100):
        table = AwaitedTable(
            stop=lambda state: state.is_over or (state.tp == "Discarding" and state.ap == RED), seed=seed
        )
        if table.state.is_over or RED in awaited(table.state):
            continue
        for player in awaited(table.state):
            table.take(discard_of(table, player))
        data = decode_commit(table.objects.read(table.vote(GREEN))[1])._replace(parents=(table.graph.head,)).encode()
        return table.graph, table.objects.add("commit", data), data, "parents"
    raise AssertionError("no such seven in 100 games")


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


def by_another_than_the_excuser() -> Forgery:
    table = AwaitedTable()
    table.held(table.vote(BLUE), table.vote(GREEN))
    return in_log(table, table.graph, table.written(Excuse(GREEN, RED)).commit, "guard")


def without_votes() -> Forgery:
    table = AwaitedTable()
    return in_log(table, table.graph, table.written(Excuse(BLUE, RED)).commit, "votes")


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


def against_ones_own() -> Forgery:
    table = AwaitedTable()
    base = until_blue_has_built_on(table)
    return in_log(table, table.graph, table.vote(BLUE, base=base), "vote")


FORGERIES: dict[rules.Rule, tuple[Callable[[], Forgery], ...]] = {
    places.author: (by_a_stranger,),
    places.signature: (unsigned,),
    promises.survivor: (dropped,),
    places.parents: (with_a_parent_twice, with_parents_in_another_order),
    places.room: (with_too_many_votes,),
    promises.promised: (promised,),
    promises.proof: (by_no_proof,),
    places.once: (replied_twice,),
    actions.guard: (too_early,),
    promises.too_early: (by_another_than_the_excuser,),
    promises.heard: (with_replies_unheard,),
    actions.chance: (with_another_share,),
    actions.sealed: (by_a_robber_who_takes_another_card,),
    promises.agreement: (without_votes,),
    actions.tree: (with_another_tree, with_another_tree_in_a_reply),
    promises.contradiction: (against_ones_own,),
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
    monkeypatch.setattr(rules, "RULES", tuple(other for other in rules.RULES if other is not rule))
    verdict = graph.check(commit, data)
    assert not isinstance(verdict, CommitRejected) or verdict.reason != reason, verdict


@pytest.mark.parametrize("rule", sorted(rules.ABOUT_VOTES, key=lambda rule: rule.__qualname__))
def test_rules_about_votes_refuse_nothing_else_while_nobody_votes(
    rule: rules.Rule, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a game that somebody may leave, with replies and merges."""
    judged: list[Candidate] = []
    monkeypatch.setattr(rules, "RULES", (lambda candidate: judged.append(candidate),))
    states = count()
    table = AwaitedTable(stop=lambda state: next(states) > 150)
    table.at(150)
    assert len(judged) >= 150 and all(candidate.action.rule != "leaving" for candidate in judged)
    assert [rule(candidate) for candidate in judged] == [None] * len(judged)
