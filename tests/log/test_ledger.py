"""A ledger is a value: what it answers never changes, whatever is made from it, and judging twice gives one verdict."""

from collections.abc import Callable

import pytest

from catan_p2p.game.rules import decisions, draw, effect
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.judging import judge
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from tests.for_each import for_each
from tests.log.storage.memory import Objects
from tests.log.table import LogTable, joint_log


def answers(ledger: Ledger) -> tuple[object, ...]:
    """All that a ledger says."""
    line, known_shares = ledger.line, ledger.known_shares
    return (
        (line.head, line.state, line.tree.root, line.turns, line.action_count, *line.replies.items()),
        (known_shares.draws, *known_shares.newest.items(), *known_shares.number.items()),
    )


def thesis() -> tuple[CommitGraph, Objects]:
    """A game of three."""
    logged = LogTable(3)
    logged.play_until(lambda state: len(logged.steps) == 200)
    return logged.graph, logged.objects


def with_offers() -> tuple[CommitGraph, Objects]:
    """A game of four who answer each other's offers."""
    logged = LogTable(4, rules="brief")
    logged.play_until(lambda state: len(logged.steps) == 200)
    return logged.graph, logged.objects


def with_shares() -> tuple[CommitGraph, Objects]:
    """A game of four who draw together."""
    logged = joint_log()
    logged.play_until(lambda state: len(logged.steps) == 200)
    return logged.graph, logged.objects


@pytest.mark.long
@for_each("play", [thesis, with_offers, with_shares])
def test_a_ledger_never_changes(play: Callable[[], tuple[CommitGraph, Objects]]) -> None:
    graph, objects = play()
    commits = [(commit, objects.read(commit)[1]) for commit in graph.valid.nodes if commit != graph.root]
    again = graph.at_root()
    steps, ledgers, then = list[LoggedStep](), [again.ledger], list[object]()
    for commit, data in commits:
        then.append(answers(ledgers[-1]))
        step = again.check(commit, data)
        assert isinstance(step, LoggedStep)
        again.add(step)
        steps.append(step)
        ledgers.append(ledgers[-1].extend(step))
    then.append(answers(ledgers[-1]))
    assert ledgers[-1].line.head == graph.head
    assert ledgers[-1].line.state == graph.state
    for before, step, (commit, data), after in zip(ledgers, steps, commits, then[1:], strict=False):
        node = judge(again.valid, commit, data)
        assert not isinstance(node, CommitRejected) and node.step == step, "a verdict depends on what it links to alone"
        assert answers(before.extend(node.step)) == after
    assert [answers(ledger) for ledger in ledgers] == then


def test_two_ledgers_go_on_from_one_in_different_ways() -> None:
    logged = LogTable(3)
    logged.play_until(lambda state: len(logged.steps) >= 30 and len(decisions(state, state.to_act)) > 1)
    graph, ledger, state = logged.graph, logged.graph.ledger, logged.state
    before = answers(ledger)
    actions = [draw(state, action, logged.rng) for action in decisions(state, state.to_act)[:2]]
    one, other = (graph.write(action, effect(state, action), 2000, logged.objects.add) for action in actions)
    ledgers = [ledger.extend(one), ledger.extend(other), ledger.extend(one)]
    assert [each.line.head for each in ledgers] == [one.commit, other.commit, one.commit]
    assert answers(ledger) == before
    assert answers(ledgers[0]) == answers(ledgers[2]) != answers(ledgers[1])
