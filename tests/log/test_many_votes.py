"""How many votes a commit of the line merges, which ones, and which questions are still open.

Logs in memory. Green votes on every commit at which somebody else was awaited; Blue and Red are honest.
"""

from collections import Counter
from random import Random

import pytest

from catan_p2p.game.actions import Action, Excuse, Vote
from catan_p2p.game.actions.absence import is_owing
from catan_p2p.game.rules import awaited, decisions, draw
from catan_p2p.limits import (
    MAX_COMMIT_BYTES,
    MAX_MERGED_VOTES,
    MAX_MERGED_VOTES_OF_PLAYER,
    MAX_PARENTS,
    MAX_PROOF_BYTES,
)
from catan_p2p.log import votes as merging
from catan_p2p.log.rules import places
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.log.votes import is_decided
from tests.replication.test_hostile_votes import BLUE, GREEN, RED, AwaitedTable

MANY = 389


def flood(table: AwaitedTable, most: int = MANY, voter: int = GREEN, says: str = "no") -> list[ObjectId]:
    """A voter's votes on so many old commits at which another player was awaited, valid one by one."""
    votes = []
    for step in table.steps[:-1]:
        if step.commit not in table.graph.line.next:
            continue  # a reply, which nobody votes on
        absent = next((other for other in awaited(step.state) if other != voter), None)
        if absent is not None and not is_owing(step.state, absent) and len(votes) < most:
            votes.append(table.vote(voter, absent, says, base=step.commit))
    return votes


def long_game(commits: int = 900) -> AwaitedTable:
    """A game with so many commits, in which it is not Green's turn."""
    table = AwaitedTable(3)
    table.play_until(lambda state: len(table.steps) >= commits and state.to_act != GREEN and len(awaited(state)) == 1)
    return table


def one_more(table: AwaitedTable) -> None:
    """Let the game go on by one commit of the line, and the replies before it."""
    head = table.graph.head
    table.play_until(lambda state: table.graph.head != head)


def next_action(table: AwaitedTable) -> Action:
    """What the player does whose turn it is."""
    player = table.state.to_act
    return draw(table.state, decisions(table.state, player)[0], Random(1))


def merged_by(table: AwaitedTable, step: LoggedStep) -> Counter[int]:
    """How many votes of each voter a commit merges that the honest player holds."""
    casts = (table.graph.ballot.casts.get(parent) for parent in step.parents)
    return Counter(cast.voter for cast in casts if cast is not None)


def next_of(table: AwaitedTable) -> tuple[LoggedStep, CommitRejected | None]:
    """The next commit of an honest player who holds all votes, and what the others find wrong with it."""
    step = table.write(next_action(table))
    return step, table.judged(step.commit, table.at(len(table.steps)))


def test_an_honest_players_next_commit_is_accepted_however_many_votes_they_hold() -> None:
    table = long_game()
    votes = flood(table)
    assert len(votes) == MANY
    table.held(*votes)
    step, bad = next_of(table)
    assert bad is None
    assert merged_by(table, step) == {GREEN: MAX_MERGED_VOTES_OF_PLAYER}
    assert len(table.objects.read(step.commit)[1]) < MAX_PROOF_BYTES


def test_without_the_bound_the_others_refuse_it_for_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "MAX_MERGED_VOTES_OF_PLAYER", MANY)
    monkeypatch.setattr(merging, "MAX_MERGED_VOTES", MANY)
    table = long_game()
    table.held(*flood(table))
    _, bad = next_of(table)
    assert bad is not None and bad.reason == "size"


def test_the_votes_that_are_left_over_are_merged_by_the_next_commits() -> None:
    table = AwaitedTable(3)
    table.play_until(lambda state: len(table.steps) > 100 and len(awaited(state)) == 1)
    table.held(*flood(table, 20))
    most = MAX_MERGED_VOTES_OF_PLAYER
    for left in (20 - most, 20 - 2 * most, 0):
        one_more(table)
        assert len(table.graph.ballot.loose) <= left
    assert not table.graph.ballot.loose


def test_a_commit_that_merges_one_vote_too_many_is_its_authors_fault() -> None:
    table = long_game(200)
    votes = flood(table, 20)
    table.held(*votes)
    most = MAX_MERGED_VOTES_OF_PLAYER
    action = next_action(table)
    for count, verdict in ((most + 1, "parents"), (20, "parents")):
        step = table.written(action, votes=tuple(sorted(votes[:count])))
        assert table.reason(step.commit) == verdict
    table.held(table.written(action, votes=tuple(sorted(votes[:most]))).commit)


def test_a_commit_merges_no_more_votes_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    table = long_game(200)
    votes = flood(table, 6)
    table.held(*votes)
    too_many = table.written(next_action(table), votes=tuple(sorted(votes))).commit
    for module in (merging, places):
        monkeypatch.setattr(module, "MAX_MERGED_VOTES", 5)
    assert table.reason(too_many) == "parents"
    table.held(table.written(next_action(table)).commit)


def test_the_votes_that_an_excuse_needs_are_merged_first() -> None:
    table = AwaitedTable(3)
    table.play_until(lambda state: len(table.steps) > 150 and state.tp == "DiceRoll" and state.ap == RED)
    table.held(*flood(table, 100))
    needed = [table.vote(BLUE), table.vote(GREEN)]
    table.held(*needed)
    step = table.written(Excuse(BLUE, RED))
    assert {*needed} <= {*step.parents}
    assert merged_by(table, step)[GREEN] == MAX_MERGED_VOTES_OF_PLAYER
    table.held(step.commit)
    assert table.state.away[RED - 1]


def test_what_takes_the_own_yes_back_is_merged_first() -> None:
    table = AwaitedTable(3)
    table.play_until(lambda state: len(table.steps) > 150 and state.tp == "DiceRoll" and state.ap == RED)
    table.held(*flood(table, 100), *flood(table, 100, voter=BLUE, says="no"))
    graph = table.graph
    round, yes = graph.line.round_of(RED), table.vote(BLUE)
    table.held(yes)
    back = graph.write_vote(round, Vote(BLUE, RED, "no"), 3500, table.objects.add, graph.root).commit
    table.held(back)
    table.play_until(lambda state: BLUE in awaited(state))
    if back in graph.ballot.loose:
        assert back in table.written(next_action(table)).parents


def test_a_question_is_open_until_another_player_has_built_on_the_answer() -> None:
    table = AwaitedTable(3)
    graph = table.graph
    round = graph.line.round_of(RED)
    assert not is_decided(graph.ledger, round)
    while table.steps[-1].action.player == RED or graph.head == round.base:
        assert not is_decided(graph.ledger, round)
        one_more(table)
    assert is_decided(graph.ledger, round)


def test_a_question_is_decided_once_the_player_is_excused() -> None:
    table = AwaitedTable(3)
    round = table.graph.line.round_of(RED)
    table.held(table.vote(BLUE), table.vote(GREEN))
    assert table.excused()
    assert is_decided(table.graph.ledger, round)


def test_the_limits_fit_together() -> None:
    assert MAX_PARENTS * len(f"parent {'0' * 40}\n") < MAX_PROOF_BYTES < MAX_COMMIT_BYTES
    assert MAX_MERGED_VOTES % MAX_MERGED_VOTES_OF_PLAYER == 0
