"""What somebody knows of hidden hands who can open some players' cards."""

from itertools import product
from random import Random

import pytest

from catan_p2p.game import invariants
from catan_p2p.game.actions import BuildCity, BuildRoad, PlayMonopoly
from catan_p2p.game.cards import NO_CARDS, count, covers, total, unpack
from catan_p2p.game.chance import seed_secret
from catan_p2p.game.rules import broken_guards
from catan_p2p.log.known_cards import KnownCards
from catan_p2p.replication.own_cards import OwnCards
from catan_p2p.view.knowledge import known_of
from catan_p2p.view.sample import sample
from tests.hidden.test_log import SEED, played
from visualizer.play.reasons import broken_by


def _own(root: str, player: int) -> OwnCards:
    return OwnCards(root, player, seed_secret(SEED))


@pytest.mark.long
def test_a_player_lacks_just_what_they_do_not_hold() -> None:
    """Everybody else would believe that the sealed cards are the right ones: the own program must not."""
    lacked = held = 0
    for one in played():
        line = one.ledger.line
        state, sealed_cards = line.state, line.hearing_all().sealed_cards
        assert sealed_cards is not None
        if line.replies or state.tp not in ("Building", "TradingBuilding", "DiceRoll"):
            continue
        player, own = state.ap, _own(one.ledger.root, state.ap)
        known = KnownCards({player: own}).state(state, sealed_cards)
        cards, cost = known.h[player - 1], NO_CARDS
        for action in (
            *(BuildRoad(player, at) for at in range(1, 73)),
            *(BuildCity(player, at) for at in range(1, 55)),
        ):
            if not broken_guards(state, action) and not covers(state.h[player - 1].rc, cost := action.needs(state)):
                is_held = covers(cards.rc, cost)
                assert own.lacking(line, action) == (() if is_held else ("HI2 held",))
                assert (broken_by(known, action) == ()) == is_held
                lacked, held = lacked + (not is_held), held + is_held
        if not broken_guards(state, PlayMonopoly(player, "Ore")):
            is_held = count(cards.ac, "Monopoly") > 0
            assert own.lacking(line, PlayMonopoly(player, "Ore")) == (() if is_held else ("HI1 shown",))
            assert (broken_by(known, PlayMonopoly(player, "Ore")) == ()) == is_held
            lacked, held = lacked + (not is_held), held + is_held
    assert lacked > 5 and held > 5


@pytest.mark.long
def test_what_is_known_of_a_hand_bounds_what_it_holds() -> None:
    """By the cards of others that a reader knows, which may be none, and never more than the cards there are."""
    vague = 0
    for one, known in product(played("standard", 4)[::5], ((), (2,), (1, 3))):
        line = one.ledger.line
        state, sealed_cards, players = line.state, line.sealed_cards, (1, 2, 3, 4)
        assert sealed_cards is not None
        if line.replies or state.hid.shuffles < len(players):
            continue
        owns = {player: _own(one.ledger.root, player) for player in players}
        true = KnownCards(owns).state(state, sealed_cards)
        shown = KnownCards({player: owns[player] for player in known}).state(state, sealed_cards)
        assert not known_of(true).is_open
        assert total(true.bnk.dc) == true.deck_size == state.deck_size == shown.deck_size
        if not any((*shown.hid.sealed, *shown.hid.bought, *shown.hid.held)):
            assert shown.h == true.h
        for player, hand in enumerate(true.h, 1):
            held = known_of(shown).hand(player)
            for number, each in zip((total(hand.rc), *unpack(hand.rc)), (held.number, *held.kinds), strict=True):
                assert each.low <= number <= each.high
                assert player not in known or each.low == number == each.high
                vague += each.low < each.high
    assert vague > 20


@pytest.mark.long
def test_a_whole_game_that_is_supposed_agrees_with_all_that_is_known() -> None:
    """And is one by the rules of open hands; other draws give other cards to the others, never to the player."""
    others = set[tuple[int, ...]]()
    for number, one in enumerate(played("standard", 4)[::3]):
        line = one.ledger.line
        state, sealed_cards, player = line.state, line.sealed_cards, 1 + number % 4
        assert sealed_cards is not None
        if line.replies or state.tp not in ("Building", "TradingBuilding", "DiceRoll", "bot"):
            continue
        known = KnownCards({player: _own(one.ledger.root, player)}).state(state, sealed_cards)
        for draw in range(2):
            supposed = sample(known, Random(draw))
            invariants.check(supposed)
            own, shown = supposed.h[player - 1], known.h[player - 1]
            assert own.rc == shown.rc
            assert own.bc + own.ac + own.uc == shown.bc + shown.ac + shown.uc
            for hand, held, bounds in zip(supposed.h, known.h, known_of(known).hands, strict=True):
                assert bounds.least == bounds.most == total(hand.rc)
                assert covers(hand.rc, bounds.low) and covers(bounds.high, hand.rc)
                assert covers(hand.bc + hand.ac + hand.uc, held.bc + held.ac + held.uc)
            assert total(supposed.bnk.dc) == state.deck_size
            others.add(tuple(hand.rc for hand in supposed.h))
    assert len(others) > 60
