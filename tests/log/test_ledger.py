"""A ledger is a value: what it answers never changes, whatever is made from it, and judging twice gives one verdict."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catan_p2p.game.rules import decisions, draw, effect
from catan_p2p.log.dictionaries import PersistentMap
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.rules import judge
from catan_p2p.log.verdict import LoggedStep
from tests.for_each import for_each
from tests.log.storage.memory import Objects
from tests.log.table import LogTable, joint_log


def answers(ledger: Ledger) -> tuple[object, ...]:
    """All that a ledger says."""
    line, known_shares = ledger.line, ledger.known_shares
    went_on = [(base, *line.next[base][:3], *line.next[base].replies.items()) for base in line.next]
    return (
        (line.head, line.state, line.tree.root, line.turns, line.action_count, *line.replies.items()),
        (*line.heights.items(),),
        (*went_on,),
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
    commits = [(commit, objects.read(commit)[1]) for commit in graph.line.heights if commit != graph.root]
    steps, ledgers, then = list[LoggedStep](), [graph.at_root().ledger], list[object]()
    for commit, data in commits:
        then.append(answers(ledgers[-1]))
        step = judge(ledgers[-1], commit, data)
        assert isinstance(step, LoggedStep)
        steps.append(step)
        ledgers.append(ledgers[-1].extend(step))
    then.append(answers(ledgers[-1]))
    assert ledgers[-1].line.head == graph.head
    assert [answers(ledger) for ledger in ledgers] == then
    for before, step, (commit, data), after in zip(ledgers, steps, commits, then[1:], strict=False):
        again = judge(before, commit, data)
        assert again == step, "a verdict depends on the ledger and the commit alone"
        assert answers(before.extend(again)) == after
    assert [answers(ledger) for ledger in ledgers] == then


def test_two_ledgers_go_on_from_one_in_different_ways() -> None:
    logged = LogTable(3)
    logged.play_until(lambda state: len(logged.steps) >= 30 and len(decisions(state, state.to_act)) > 1)
    graph, ledger, state = logged.graph, logged.graph.ledger, logged.state
    before = answers(ledger)
    actions = [draw(state, action, logged.rng) for action in decisions(state, state.to_act)[:2]]
    one, other = (graph.write(action, effect(state, action), 2000, logged.objects.add) for action in actions)
    ledgers = [ledger.extend(one), ledger.extend(other), ledger.extend(one)]
    assert [one.commit in each.line.heights for each in ledgers] == [True, False, True]
    assert [other.commit in each.line.heights for each in ledgers] == [False, True, False]
    assert answers(ledger) == before
    assert answers(ledgers[0]) == answers(ledgers[2]) != answers(ledgers[1])


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 9)), max_size=30))
def test_a_persistent_map_is_a_map_that_never_changes(additions: list[tuple[int, int]]) -> None:
    # Each addition is to one of the maps made before, the newest more often than any other.
    maps, models = [PersistentMap[int, int]()], [dict[int, int]()]
    for number, (of, key) in enumerate(additions):
        at = min(of, len(maps) - 1)
        maps.append(maps[at].adding(key, number))
        models.append({**models[at], key: models[at].get(key, number)})
    for one, model in zip(maps, models, strict=True):
        assert [*one.items()] == [*model.items()]
        assert len(one) == len(model)
        assert [one.get(key) for key in range(10)] == [model.get(key) for key in range(10)]
