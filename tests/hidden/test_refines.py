"""The public part of a game of hidden hands is that of the open game with the true hands, action by action."""

import pytest

from catan_p2p.game import invariants
from catan_p2p.game.actions import KIND_OF, MoveBandit, PlayKnight, Surrender
from catan_p2p.game.cards import pack
from catan_p2p.game.constants import NO_OWNER
from catan_p2p.game.rules import broken_guards
from catan_p2p.log.state_files import files_of_state, parse_state
from tests.hidden.dealer import Dealer

GAMES = [("thesis", 2, 1), ("thesis", 4, 2), ("brief", 3, 3), ("standard", 4, 4), ("brief", 6, 5), ("standard", 5, 6)]


@pytest.mark.parametrize(("name", "players", "seed"), GAMES)
def test_what_is_public_is_as_in_the_open_game(name: str, players: int, seed: int) -> None:
    dealer = Dealer(name, players, seed)
    found, sealed = set(), 0
    for moment in dealer.play(700):
        found.add(type(moment.action))
        sealed = max(sealed, sum(moment.after.hid.sealed))
        invariants.check(moment.after, moment.before)
        if not moment.is_between:
            assert dealer.problem() is None, moment.action
    assert dealer.problem() is None
    assert sealed > 3
    assert len(found) > 12


@pytest.mark.parametrize(("name", "players", "seed"), GAMES[::2])
def test_states_are_read_as_they_are_spelled(name: str, players: int, seed: int) -> None:
    for moment in Dealer(name, players, seed).play(300):
        state = moment.after
        found = parse_state(files_of_state(state), state.constants)
        assert found._replace(due=state.due) == state


@pytest.mark.parametrize(("name", "players", "seed"), GAMES)
def test_what_is_listed_is_what_breaks_no_guard(name: str, players: int, seed: int) -> None:
    """Of the actions that only such games have, and of what they share with others the one that was taken."""
    for moment in Dealer(name, players, seed + 10).play(300):
        action, state = moment.action, moment.before
        assert broken_guards(state, action) == ()
        for kind in KIND_OF.values():
            if kind.name in ("Shuffle", "Surrender", "ShowPoint", "Reveal", "Pledge"):
                for player in state.constants.players:
                    for instance in kind.instances(state, player):
                        assert (
                            not broken_guards(state, instance)
                            or isinstance(instance, Surrender)
                            or (kind.name == "ShowPoint")
                        )


@pytest.mark.parametrize(("name", "players", "seed"), GAMES[::2])
def test_no_sealed_card_is_stolen_where_there_is_none(name: str, players: int, seed: int) -> None:
    for moment in Dealer(name, players, seed).play(300):
        state = moment.before
        for victim in (NO_OWNER, *state.constants.players):
            is_refused = victim == NO_OWNER or state.hid.sealed[victim - 1] == 0
            for theft, guard in ((MoveBandit, "MB8 card"), (PlayKnight, "PK8 card")):
                assert (guard in broken_guards(state, theft(state.ap, state.ba, victim, "sealed"))) == is_refused


def test_monopolies_are_played_on_sealed_cards_somewhere() -> None:
    surrendered = []
    for seed in range(3):
        dealer = Dealer("brief", 3, seed, pack((20, 0, 0, 10, 5)))
        for moment in dealer.play(900):
            assert moment.is_between or dealer.problem() is None
            surrendered += [moment.action] if isinstance(moment.action, Surrender) else []
    assert len(surrendered) > 2
    assert any(action.cards for action in surrendered)
