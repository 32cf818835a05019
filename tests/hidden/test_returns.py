"""Players of hidden hands who come back: they open what they sealed, and the deck is sealed with their keys."""

from __future__ import annotations

import pytest

from catan_p2p.game import invariants
from catan_p2p.game.actions import ComeBack
from catan_p2p.game.cards import total
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import awaited
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
