"""The key that opens a game follows from the pledge and opens nothing else; who pledged by older rules goes on."""

from collections.abc import Iterable
from functools import cache
from unittest.mock import patch

from catan_p2p.game.rules import awaited
from catan_p2p.log.sealed_cards import SealedCard, SealedHand
from catan_p2p.replication import own_cards
from catan_p2p.replication.own_cards import OwnCards
from catan_p2p.sealing.cards import opened
from catan_p2p.sealing.transcript import game_key
from tests.log.table import LogTable, hidden_log

ONE, OTHER = "1" * 32, "2" * 32
RULES = "brief; PointsToWin = 5"


@cache
def played(nonce: str | None) -> tuple[LogTable, frozenset[SealedCard]]:
    """A whole game, and all cards that its players have sealed in it."""
    table, cards = hidden_log(RULES, 3, 11, nonce), set[SealedCard]()
    while not all(hidden_hand.opened for hidden_hand in table.sealed_cards.hidden_hands):
        table.act(awaited(table.state)[0])
        cards |= {
            card
            for hidden_hand in table.sealed_cards.hidden_hands
            for card in hidden_hand.cards
            if isinstance(card.origin, SealedHand)
        }
    return table, frozenset(cards)


def opens(card: SealedCard, keys: Iterable[bytes | None]) -> bool:
    """Whether one of these keys opens a card."""
    assert isinstance(card.origin, SealedHand)
    about = card.origin.what.about(card.origin.context, "seal")
    return any(key is not None and opened(card.point, about.drawn(key, "blind", card.number)) for key in keys)


def test_two_games_from_one_root_with_one_private_key_have_nothing_in_common() -> None:
    (one, own), (other, foreign) = played(ONE), played(OTHER)
    assert one.root == other.root
    told = [hidden_hand.opened for hidden_hand in one.sealed_cards.hidden_hands]
    assert len(own) > 20 and all(opens(card, told) for card in own)
    assert len(foreign) > 20 and not any(opens(card, told) for card in foreign)
    for player, key in enumerate(told, 1):
        assert (
            key is not None
            and one.sealed_cards.is_pledged(player, key)
            and not other.sealed_cards.is_pledged(player, key)
        )


def older_keys(table: LogTable) -> list[bytes]:
    """What versions before 27 November 2026 made of the players' private keys."""
    return [game_key(table.root, player, bytes([player]) * 32) for player in (1, 2, 3)]


def test_who_pledged_without_the_nonce_in_the_key_goes_on() -> None:
    with patch.object(own_cards, "game_key", lambda root, player, key, nonce="": game_key(root, player, key)):
        table = hidden_log(RULES, 3, 5, ONE)
        table.play_until(lambda state: state.tp == "Shuffling")
    for player in (1, 2, 3):
        table.own[player] = OwnCards(table.root, player, bytes([player]) * 32)
    table.play_until(lambda state: all(hidden_hand.opened for hidden_hand in table.sealed_cards.hidden_hands))
    assert [hidden_hand.opened for hidden_hand in table.sealed_cards.hidden_hands] == older_keys(table)


def test_a_game_whose_pledges_have_no_nonce_has_the_keys_of_before() -> None:
    table, _ = played(None)
    assert [hidden_hand.opened for hidden_hand in table.sealed_cards.hidden_hands] == older_keys(table)
