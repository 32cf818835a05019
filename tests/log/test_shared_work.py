"""Replicas of one process share verdicts, and come to what each would come to alone."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from catan_p2p.game import actions as a
from catan_p2p.game.rules import awaited, decisions, effect
from catan_p2p.game.state import State
from catan_p2p.log import candidate, shared_work
from catan_p2p.log.commit import decode_commit
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.judging import judge
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.reading import read_root
from catan_p2p.log.shared_work import SharedWork
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Put, StateTree, next_tree
from catan_p2p.log.valid_commits import ValidCommits
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.log.views.nodes import Node
from tests.log.table import LogTable
from tests.log.test_graph import discard_of, seven


@contextmanager
def judged() -> Iterator[list[ObjectId]]:
    """The commits that are judged for those who share, in order; of what is refused, each time."""
    found: list[ObjectId] = []

    def noted(valid: ValidCommits, commit: ObjectId, data: bytes, *more: object) -> Node | CommitRejected:
        found.append(commit)
        return judge(valid, commit, data, *more)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shared_work, "judge", noted)
        yield found


def sharing(logged: LogTable, count: int) -> list[CommitGraph]:
    """Graphs of one game that share their work."""
    first = read_root(logged.root, logged.objects.read, shared=SharedWork())
    assert isinstance(first, CommitGraph)
    return [first.at_root() for _ in range(count)]


def take_in(logged: LogTable, graph: CommitGraph, steps: list[LoggedStep]) -> list[LoggedStep | CommitRejected]:
    found = []
    for step in steps:
        verdict = logged.check(graph, step.commit)
        if isinstance(verdict, LoggedStep):
            graph.add(verdict)
        found.append(verdict)
    return found


def told(ledger: Ledger) -> tuple[object, ...]:
    """What a ledger holds that its successors depend on."""
    line = ledger.line
    return (
        line.head,
        line.tree.root,
        line.state,
        line.turns,
        line.action_count,
        dict(line.replies),
    ), ledger.known_shares


RULES = ("thesis", "brief", "standard; SpecialBuilding = yes", "thesis; Leaving = yes")


@pytest.mark.parametrize("rules", RULES)
def test_each_commit_is_judged_once_and_as_one_alone_would(rules: str) -> None:
    logged = LogTable(3, rules=rules)
    logged.play_until(lambda state: len(logged.steps) >= 90, seed=3)
    alone, graphs = logged.fresh_graph(), sharing(logged, 3)
    expected = [(take_in(logged, alone, [step]), told(alone.ledger)) for step in logged.steps]
    with judged() as commits:
        for step, (verdict, after) in zip(logged.steps, expected, strict=True):
            assert [take_in(logged, graph, [step]) for graph in graphs] == [verdict] * 3
            assert told(graphs[0].ledger) == after
    assert commits == [step.commit for step in logged.steps]
    assert {len(graph) for graph in (alone, *graphs)} == {1 + len(logged.steps)}


def two_discards() -> tuple[LogTable, int]:
    """A game with two discards side by side and what merges them, and how many commits come before them."""
    logged = seven(3, owing=2)
    count = len(logged.steps)
    for player in awaited(logged.state):
        logged.take(discard_of(logged, player))
    logged.take(decisions(logged.state, logged.state.ap)[0])
    return logged, count


def test_replies_that_come_in_another_order_give_the_same_verdicts() -> None:
    logged, count = two_discards()
    before, (one, other, merging) = logged.steps[:count], logged.steps[count:]
    first, second = sharing(logged, 2)
    take_in(logged, first, before)
    take_in(logged, second, before)
    with judged() as commits:
        assert take_in(logged, first, [one, other]) == take_in(logged, second, [other, one])[::-1]
    assert commits == [one.commit, other.commit]
    assert told(first.ledger) == told(second.ledger) == told(logged.replay(count + 2).ledger)
    with judged() as commits:
        assert take_in(logged, second, [merging]) == take_in(logged, first, [merging]) == [merging]
    assert commits == [merging.commit]


def test_a_verdict_goes_by_what_is_held() -> None:
    """Of two discards of one player, whoever has one refuses the other: which one depends on what they hold."""
    logged = seven(2, owing=2)
    player, count = awaited(logged.state)[0], len(logged.steps)
    here, there, neither = sharing(logged, 3)
    for graph in (here, there, neither):
        take_in(logged, graph, logged.steps)
    one = logged.take(discard_of(logged, player))
    writer = logged.replay(count)
    action = next(action for action in decisions(writer.state, player) if action != one.action)
    other = writer.write(action, effect(writer.state, action), 7, logged.objects.add)
    assert isinstance(take_in(logged, here, [one])[0], LoggedStep)
    assert isinstance(take_in(logged, there, [other])[0], LoggedStep)
    refused = [logged.check(here, other.commit), logged.check(there, one.commit)]
    assert [verdict.reason for verdict in refused if isinstance(verdict, CommitRejected)] == ["fork", "fork"]
    assert all(isinstance(logged.check(neither, commit), LoggedStep) for commit in (one.commit, other.commit))
    assert len({here.ledger.line.state, there.ledger.line.state, neither.ledger.line.state}) == 3


@pytest.mark.parametrize("change", ["tree", "author", "parents", "message"])
def test_a_liar_s_commit_is_refused_by_all_with_one_reason(change: str) -> None:
    logged = LogTable(3)
    logged.play_until(lambda state: len(logged.steps) >= 40 and state.tp == "Building")
    *before, last = logged.steps
    seat = logged.game.seats[last.action.player % 3]
    author = decode_commit(logged.objects.read(last.commit)[1]).author
    changes: dict[str, object] = {
        "tree": before[-2].tree.root,
        "author": author._replace(name=seat.name, email=seat.email),
        "parents": (before[-3].commit,),
        "message": "roll_dice player_1 3\n\nAction: roll_dice\nPlayer: 1\nDice: 4\n",
    }
    lie = logged.forge(last, **{change: changes[change]})
    alone, graphs = logged.replay(len(before)), sharing(logged, 2)
    for graph in graphs:
        take_in(logged, graph, before)
    expected = logged.check(alone, lie)
    assert isinstance(expected, CommitRejected)
    with judged() as commits:
        assert [logged.check(graph, lie) for graph in graphs] == [expected] * 2
    assert commits == [lie] * 2
    assert [take_in(logged, graph, [last]) for graph in graphs] == [[last]] * 2, "and the honest one is taken in"


def test_whoever_lacks_what_a_commit_builds_on_does_not_take_it_in() -> None:
    logged = LogTable(2)
    logged.play_until(lambda state: len(logged.steps) >= 3)
    here, there = sharing(logged, 2)
    take_in(logged, here, logged.steps)
    refused = logged.check(there, logged.steps[-1].commit)
    assert isinstance(refused, CommitRejected) and refused.reason == "parents"
    assert take_in(logged, there, logged.steps) == logged.steps


def test_what_is_asked_for_its_files_is_judged_anew() -> None:
    """A verdict that is remembered makes no files."""
    logged = LogTable(2)
    logged.play_until(lambda state: len(logged.steps) >= 3)
    (graph,) = sharing(logged, 1)
    first, put = logged.steps[0], list[bytes]()
    data = logged.objects.read(first.commit)[1]

    def note(kind: object, data: bytes) -> ObjectId:
        put.append(data)
        return logged.objects.add(kind, data)  # type: ignore[arg-type]

    assert graph.check(first.commit, data) == graph.check(first.commit, data, note) == first
    assert put


def test_the_tree_that_was_written_is_not_made_again() -> None:
    made: list[object] = []

    def noted(before: StateTree, state: State, put: Put) -> StateTree:
        made.append(state)
        return next_tree(before, state, put)

    logged = LogTable(2)
    one, other = decisions(logged.state, 1)[:2]
    writer, stranger = logged.fresh_graph(), logged.fresh_graph()
    steps = [writer.write(action, effect(writer.state, action), 7, logged.objects.add) for action in (one, other)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidate, "next_tree", noted)
        assert logged.check(writer, steps[1].commit) == steps[1]
        assert made == []
        assert logged.check(writer, steps[0].commit) == steps[0], "another action's tree is another"
        assert len(made) == 1
        assert logged.check(stranger, steps[1].commit) == steps[1]
        assert len(made) == 2


def test_the_tree_that_was_written_is_not_that_of_the_same_action_later() -> None:
    logged = LogTable(2)
    logged.play_until(lambda state: len(logged.steps) >= 60)
    passing = a.EmptyBuild(1)
    at = [number for number, step in enumerate(logged.steps) if step.action == passing]
    assert len(at) > 1
    writer = logged.replay(at[0])
    writer.write(passing, effect(writer.state, passing), 7, logged.objects.add)
    assert take_in(logged, writer, logged.steps[at[0] :]) == logged.steps[at[0] :]
