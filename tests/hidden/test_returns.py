"""Players of hidden hands who come back: they open what they sealed, and the deck is sealed with their keys."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from catan_p2p.game import invariants
from catan_p2p.game.actions import ComeBack
from catan_p2p.game.actions.absence import is_set_up
from catan_p2p.game.cards import NO_CARDS, ONE, RESOURCES, Cards, count, total
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import awaited
from catan_p2p.log.commit import entry_message, parse_entry
from catan_p2p.log.history import game_refs, read_history
from catan_p2p.log.nodes import LineNode
from catan_p2p.log.open_course import known_facts, open_course
from catan_p2p.log.opened_hands import openings, read_as_open
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.log.views.messages import HandOpening, ViewMessage
from catan_p2p.log.views.view import View
from catan_p2p.replication.core.view_duty import ViewDuty
from catan_p2p.replication.prospects import LEFT_OUT, left_out_in_words
from tests.hidden.games import open_cards, written
from tests.hidden.test_leaving import excuse_a_liar, robbed
from tests.log.table import LogTable, hidden_log


def left(players: int, seed: int = 0, rules: str = "brief", returns: int = 2) -> tuple[LogTable, Player]:
    """A game that has gone on without a player who had sealed cards, and who that is."""
    table = hidden_log(rules, players, seed, returns=returns)
    table.play_until(lambda state: state.tp == "TradingBuilding" and state.hid.sealed[state.to_act - 1] > 0)
    absent = awaited(table.state)[0]
    table.excuse(absent)
    return table, absent


def shuffled(table: LogTable) -> None:
    """All shuffle what is to be shuffled: nobody's key is missing then."""
    table.play_until(lambda state: state.tp != "Shuffling")
    invariants.check(table.state)
    sealed_cards = table.sealed_cards
    assert not sealed_cards.layers and not sealed_cards.kept
    assert {*sealed_cards.gone} == {seat for seat, away in enumerate(table.state.away, 1) if away}


def sell(table: LogTable, cards: int = 1) -> None:
    """So many cards of the deck are bought, and opened by their buyers' keys."""
    sold = len(table.sealed_cards.shares) + cards
    table.play_until(lambda state: len(table.sealed_cards.shares) >= sold)
    for seat in table.state.present:
        numbers = table.sealed_cards.of(seat).bought + table.sealed_cards.of(seat).held
        assert total(table.own[seat].development_cards(table.sealed_cards, numbers)) == len(numbers)


@pytest.mark.parametrize("players", [3, 4])
def test_who_comes_back_opens_all_cards_and_the_deck_is_sealed_with_their_key(players: int) -> None:
    table, absent = left(players)
    shuffled(table)
    sealed = table.own[absent].cards(table.sealed_cards)
    step = table.come_back(absent)
    assert isinstance(step.action, ComeBack) and step.action.shown == sealed
    assert table.state.hid.deck == "back" and not table.sealed_cards.of(absent).cards
    shuffled(table)
    sell(table)


def test_who_is_back_buys_and_plays_a_card_and_all_open_theirs_at_the_end(tmp_path: Path) -> None:
    table, absent = left(3)
    table.come_back(absent)
    shuffled(table)
    table.play_until(lambda state: state.is_over)
    open_cards(table)
    played = [step for step in table.steps if step.entry.deck is not None and step.action.player == absent]
    assert played
    with GitStore.open(written(table, tmp_path / "game"), writer=None) as store:
        history = read_history(game_refs(store), store.read, "")
        assert not history.rejected and openings(history).is_whole
    course = open_course(history, known_facts(history))
    assert course.end is None and course.last.is_over
    with read_as_open(tmp_path / "game") as found:
        assert found.closed == f"{table.graph.game.seats[absent - 1].colour} left and came back"


def test_two_leave_and_both_come_back() -> None:
    table, first = left(4)
    shuffled(table)
    second = awaited(table.state)[0]
    table.excuse(second)
    shuffled(table)
    for absent in (first, second):
        table.come_back(absent)
        shuffled(table)
    sell(table)


def record_next(table: LogTable) -> None:
    """Somebody makes the next record of a decision."""
    duties = (ViewDuty(table.graph.valid, seat) for seat in table.state.present)
    table.take(next(record for duty in duties if (record := duty.record(table.state)) is not None))


def test_a_party_of_two_seats_opens_the_cards_of_both() -> None:
    table = hidden_log("brief", 4, 0, returns=2, parties=[(1, 3)])
    table.play_until(lambda state: awaited(state) == (1,) and all(state.hid.sealed[seat] for seat in (0, 2)))
    table.excuse(1)
    record_next(table)
    assert table.state.away == (True, False, True, False) and table.state.hid.deck == "lost"
    for seat in (1, 3):
        table.play_until(lambda state, seat=seat: state.ret[seat - 1].missed)  # type: ignore[misc]
    table.play_until(lambda state: state.tp == "TradingBuilding")
    assert ViewDuty(table.graph.valid, 1).may_come_back
    step = table.come_back(1)
    record_next(table)
    assert not any(table.state.away) and not table.sealed_cards.of(3).cards
    request = next(one.action for one in table.steps if one.action.rule == "views" and one.action.kind == "request")  # type: ignore[attr-defined]
    assert len(request.openings) == 2 and request.openings[0].shown == step.action.shown  # type: ignore[attr-defined]


def _at_head(table: LogTable) -> tuple[LineNode, View]:
    valid = table.graph.valid
    return valid.line_node(valid.newest), valid.view


def with_a_liar(seats: tuple[Player, Player]) -> tuple[LogTable, Player]:
    """A game without a party of two, whose other seat was excused for a lie about cards, and which that is."""
    table = hidden_log("brief", 5, 5, returns=2, parties=[seats])
    table.play_until(lambda state: robbed(state) and state.call.victim in seats and state.caller not in seats)
    liar = table.state.call.victim
    other = sum(seats) - liar
    excuse_a_liar(table)
    assert 1 in table.graph.valid.view.present
    shuffled(table)
    table.play_until(lambda state: awaited(state) == (other,))
    table.take(table._decide([seat for seat in table.state.present if seat != other], (1,)))
    while table.graph.valid.pending(*_at_head(table)):
        record_next(table)
    table.play_until(lambda state: state.ret[liar - 1].missed)
    return table, liar


@pytest.mark.parametrize("seats", [(1, 3), (1, 2)])
def test_who_is_proven_to_have_lied_about_cards_never_comes_back(seats: tuple[Player, Player]) -> None:
    """The other seat of the party does."""
    table, liar = with_a_liar(seats)
    other = sum(seats) - liar
    assert isinstance(request := table.request(1), LoggedStep) and isinstance(request.action, ViewMessage)
    assert len(request.action.openings) == bool(table.state.hid.sealed[other - 1])
    step = table.come_back(1)
    assert isinstance(step.action, ComeBack) and step.action.absent == other
    assert not table.graph.valid.pending(*_at_head(table))
    shuffled(table)
    assert table.state.away[liar - 1] and sum(table.state.away) == 1


@pytest.mark.parametrize(("players", "shuffles"), [(players, n) for players in (3, 4) for n in range(3)])
def test_somebody_leaves_while_the_deck_is_shuffled_with_the_key_of_who_is_back(players: int, shuffles: int) -> None:
    table, absent = left(players, returns=3)
    shuffled(table)
    table.come_back(absent)
    before = table.sealed_cards.deck
    for _ in range(shuffles):
        table.act(awaited(table.state)[0])
    (leaver,) = awaited(table.state)
    assert table.state.hid.deck == "back" and (leaver == absent) == (shuffles == absent - 1)
    table.excuse(leaver)
    size = table.sealed_cards.next_card - 1
    if leaver == absent:
        assert table.state.tp != "Shuffling" and table.sealed_cards.deck == before
    else:
        assert (table.state.tp, table.state.hid.deck) == ("Shuffling", "rest")
        assert [card.mask for card in table.sealed_cards.deck[size:]] == [card.mask for card in before[size:]]
        table.play_until(lambda state: state.hid.deck == "back")
        shuffled(table)
    sell(table)
    table.come_back(leaver)
    shuffled(table)
    sell(table)


def other_cards(cards: Cards) -> Cards:
    """As many cards, one of them of another kind."""
    was = next(kind for kind in RESOURCES if count(cards, kind))
    return cards - ONE[was] + ONE["Ore" if was == "Lumber" else "Lumber"]


def wrong_openings(
    table: LogTable, absent: Player, opening: HandOpening
) -> dict[str, tuple[tuple[HandOpening, ...], str]]:
    """What a request may open in place of all cards as they are, with the reason for which it is refused."""
    elsewhere = table.own[absent].opening(table.sealed_cards, table.root)
    fewer = next(opening.shown - ONE[kind] for kind in RESOURCES if count(opening.shown, kind))
    return {
        "nothing": ((), "seal"),
        "twice": ((opening, opening), "seal"),
        "other cards": ((opening._replace(shown=other_cards(opening.shown)),), "seal"),
        "fewer cards": ((opening._replace(shown=fewer),), "guard"),
        "a proof for another commit": ((elsewhere,), "seal"),
        "half a proof": ((opening._replace(seal=opening.seal[:32]),), "seal"),
        "a proof that goes on": ((opening._replace(seal=opening.seal + b"\1"),), "seal"),
    }


def test_a_request_that_does_not_open_all_cards_as_they_are_is_refused() -> None:
    table, absent = left(3)
    shuffled(table)
    step = table.request(absent)
    assert isinstance(table.forged(step), LoggedStep)
    (opening,) = step.action.openings  # type: ignore[attr-defined]
    for what, (told, reason) in wrong_openings(table, absent, opening).items():
        action = step.action._replace(openings=told)  # type: ignore[attr-defined]
        found = table.forged(step, step.entry._replace(action=action))
        assert isinstance(found, CommitRejected) and found.reason == reason, (what, found)


def test_a_request_is_misspelt_that_opens_cards_in_other_words() -> None:
    table, absent = left(3)
    shuffled(table)
    step = table.request(absent)
    text = entry_message(step.entry)
    assert parse_entry(text, table.game.constants) == step.entry
    line = text[text.index("Shown") : text.index("After")]
    for old, new in (("Shown: ", "Shown: 0 Wool, "), ("Seal: ", "Seal: ="), (line, "Shown: 999 Ore\nSeal: AA==\n")):
        found = table.forged(step, message=text.replace(old, new))
        assert isinstance(found, CommitRejected) and found.reason in ("format", "guard"), found


def test_who_is_not_recorded_as_left_out_cannot_ask() -> None:
    table = hidden_log("brief", 3, 0, returns=2)
    table.play_until(lambda state: state.tp == "TradingBuilding")
    absent = awaited(table.state)[0]
    table.decide(absent)
    found = table.check(table.graph, table.request(absent).commit)
    assert isinstance(found, CommitRejected) and found.reason == "guard"


def test_a_record_states_the_cards_that_the_request_has_opened() -> None:
    table, absent = left(3)
    shuffled(table)
    record = table.decide_return(absent)
    assert record.shown
    found = table.check(table.graph, table.write(replace(record, shown=other_cards(record.shown))).commit)
    assert isinstance(found, CommitRejected) and found.reason == "votes"


def test_who_has_no_sealed_cards_opens_none() -> None:
    table, absent = left(3)
    table.come_back(absent)
    shuffled(table)
    table.play_until(lambda state: awaited(state) == (absent,) and not state.hid.sealed[absent - 1])
    table.excuse(absent)
    assert table.come_back(absent).action.shown == NO_CARDS  # type: ignore[attr-defined]
    shuffled(table)


def test_no_player_alone_ever_knows_the_key_of_another() -> None:
    table, first = left(4)
    shuffled(table)
    assert all(table.sealed_cards.of(seat).told for seat in table.state.present)
    table.come_back(first)
    shuffled(table)
    table.play_until(lambda state: awaited(state) != (first,) and len(awaited(state)) == 1)
    second = awaited(table.state)[0]
    table.excuse(second)
    shuffled(table)
    assert all(len(table.sealed_cards.of(seat).told) <= 1 for seat in table.state.constants.players)
    sell(table)
    third = awaited(table.state)[0]
    table.excuse(third)
    assert table.state.hid.deck == "lost"
    table.come_back(second)
    assert table.state.hid.deck == "lost" and table.state.tp != "Shuffling"
    table.play_until(lambda state: state.is_over)


def test_a_share_that_is_held_back_costs_a_return_and_not_the_deck() -> None:
    table, _ = left(4)
    shuffled(table)
    table.play_until(lambda state: state.tp == "Drawing" and state.call.what == "RollDice")
    second = awaited(table.state)[0]
    table.excuse(second)
    assert table.state.ret[second - 1].left == 1 and table.state.hid.deck == "rest"
    shuffled(table)
    sell(table)


def test_a_party_that_has_one_seat_without_a_return_is_told_of_none() -> None:
    table = hidden_log("brief", 4, 0, returns=2, parties=[(1, 3)])
    table.play_until(
        lambda state: is_set_up(state) and state.tp == "Drawing" and awaited(state) == (1,) and state.caller in (2, 4)
    )
    for left in ((1, 2), (0, 1)):
        table.take(table._decide((2, 4), (1,)))
        record_next(table)
        assert tuple(table.state.ret[seat - 1].left for seat in (1, 3)) == left
        assert all((left_out_in_words(table.graph, seat) == LEFT_OUT) is (0 in left) for seat in (1, 3))
        if 0 not in left:
            table.come_back(1)
            record_next(table)
            table.play_until(lambda state: awaited(state) == (1,))
