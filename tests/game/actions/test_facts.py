"""The facts of an action agree with its guards, its effect and its outcomes."""

from catan_p2p.game.actions import ACTIONS, HIDDEN_ACTIONS, KIND_OF, AnswerTrade, PlayRoadBuilding
from catan_p2p.game.actions.parts import with_hand
from catan_p2p.game.cards import NO_CARDS, ONE, count, covers
from catan_p2p.game.rules import broken_guards
from tests.game.actions.effect_cases import PLAIN_CASES

OPEN_CASES = [case for case in PLAIN_CASES if case.before.constants.rules.hands == "open"]


def test_what_is_drawn_is_a_parameter() -> None:
    for kind in KIND_OF.values():
        assert (kind.draw is None) == (kind.cls.drawn is None), kind.name
        assert kind.cls.drawn is None or kind.cls.drawn in kind.parameters, kind.name


def test_the_hidden_actions_are_those_of_hidden_hands() -> None:
    assert [kind for kind in (*ACTIONS, *HIDDEN_ACTIONS) if kind.cls.rule == "hands"] == [*HIDDEN_ACTIONS]


def test_a_price_goes_to_the_bank() -> None:
    for case in OPEN_CASES:
        if case.action.cost:
            assert case.after.bnk.rc - case.before.bnk.rc == case.action.cost, case.name


def test_an_action_needs_cards_where_a_guard_looks_at_the_hand() -> None:
    for case in OPEN_CASES:
        before, action = case.before, case.action
        if isinstance(action, AnswerTrade) and not before.constants.rules.table_talk:
            continue  # nobody is asked who cannot pay
        needs = action.needs(before)
        broken = broken_guards(before._replace(h=with_hand(before, action.player, rc=NO_CARDS)), action)
        assert covers(before.h[action.player - 1].rc, needs), case.name
        assert any(tag.endswith((" cost", " hand")) for tag in broken) == (needs != NO_CARDS), case.name


def test_a_piece_leaves_the_supply() -> None:
    for case in OPEN_CASES:
        piece, seat = case.action.piece, case.action.player - 1
        if piece is not None:
            many = isinstance(case.action, PlayRoadBuilding) and case.action.second
            assert getattr(case.before.b[seat], piece) - getattr(case.after.b[seat], piece) == (2 if many else 1)


def test_a_card_that_is_unveiled_leaves_the_hand() -> None:
    for case in OPEN_CASES:
        if (card := case.action.unveils) is not None:
            before, after = (state.h[case.action.player - 1].ac for state in (case.before, case.after))
            assert before - after == ONE[card] and count(before, card), case.name
