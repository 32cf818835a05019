"""Cards are opened once everybody who is there has signed the end; who is silent there is excused as elsewhere."""

import pytest

from catan_p2p.game.actions import CloseGame, OpenAll, SignEnd
from catan_p2p.game.rules import apply, awaited, broken_guards
from catan_p2p.log.commit import decode_commit
from catan_p2p.log.state_files import files_of_state, parse_state
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.replication.prospects import still_owed
from tests.log.table import LogTable, hidden_log

RULES = "brief; PointsToWin = 4"


def won(players: int = 3) -> LogTable:
    """A game that somebody has just won."""
    table = hidden_log(RULES, players, 4)
    table.play_until(lambda state: state.is_over)
    assert table.state.tp == "Signing" and table.graph.head == table.graph.line.prepare(SignEnd(1)).parents[0]
    return table


def opened(table: LogTable) -> list[int]:
    return [player for player, hidden_hand in enumerate(table.sealed_cards.hidden_hands, 1) if hidden_hand.opened]


def test_nobody_opens_cards_before_all_have_signed() -> None:
    table = won()
    winner = table.state.ap
    signers = [player for player in (1, 2, 3) if player != winner]
    assert awaited(table.state) == tuple(signers)
    for signer in signers:
        for player in (1, 2, 3):
            assert "OA1 phase" in broken_guards(table.state, OpenAll(player))
            assert not isinstance(table.next_action(player), OpenAll)
        assert table.next_action(signer) == SignEnd(signer)
        assert broken_guards(table.state, CloseGame(winner)) == ("CG2 signed",)
        table.act(signer)
    head = table.graph.head
    closing = table.act(winner)
    assert isinstance(closing.action, CloseGame)
    assert closing.parents[0] == head and len(closing.parents) == 3
    assert table.state.tp == "top" and table.state.winner == winner and opened(table) == []
    table.play_until(lambda state: not awaited(state))
    assert opened(table) == [1, 2, 3]


def test_the_tree_says_where_the_end_is_signed() -> None:
    table = won()
    tree_state = table.graph.line.tree.state
    assert tree_state.tp == "Signing"
    assert parse_state(files_of_state(tree_state), tree_state.constants)._replace(due=tree_state.due) == tree_state


@pytest.mark.parametrize("who", ["signer", "winner"])
def test_a_game_is_closed_without_who_is_silent_at_its_end(who: str) -> None:
    table = won(4)
    winner = table.state.ap
    absent = winner if who == "winner" else winner % 4 + 1
    table.play_until(lambda state: [*awaited(state)] == [absent], without=absent)
    table.excuse(absent)
    assert table.state.tp == "top" and table.state.winner == winner
    assert table.state.present == tuple(player for player in (1, 2, 3, 4) if player != absent)
    table.play_until(lambda state: not awaited(state))
    assert opened(table) == [*table.state.present]


@pytest.mark.parametrize("who", ["signer", "winner"])
def test_of_two_either_closes_the_game_that_is_won(who: str) -> None:
    table = won(2)
    winner = table.state.ap
    absent = winner if who == "winner" else 3 - winner
    table.play_until(lambda state: [*awaited(state)] == [absent], without=absent)
    table.claim(absent)
    assert table.state.tp == "top" and table.state.winner == winner
    table.play_until(lambda state: not awaited(state))
    assert opened(table) == [3 - absent]


def test_a_signature_counts_once_and_for_its_player_alone() -> None:
    table = won()
    signer = awaited(table.state)[0]
    step = table.write(SignEnd(signer))
    again = table.forge(step, author=decode_commit(table.objects.read(step.commit)[1]).author._replace(time_s=9))
    table.take_in(step)
    due = table.state.due
    second = table.check(table.graph, again)
    assert isinstance(second, LoggedStep)
    table.graph.add(second)
    assert table.graph.game.has_views and table.graph.valid.forkers.keys() == {signer}
    assert table.state.due == due and table.graph.replies[signer].commit == step.commit
    assert broken_guards(table.state, SignEnd(table.state.ap)) == ("SE2 due",)
    assert apply(table.state, SignEnd(awaited(table.state)[0])).due == (False, False, False)


def test_it_is_told_what_is_still_owed() -> None:
    table, told = won(2), list[str]()
    while awaited(table.state):
        told.append(still_owed(table.state))
        table.act(awaited(table.state)[0])
    assert told == ["sign the end", "close the game", "open the cards", "open the cards"]
