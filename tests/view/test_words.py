"""What is said of every event, word by word: words.tsv has it for every case of the rules and every kind of event.

``python -m tests.view.test_words`` writes the table anew, to be read before it is kept.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from catan_p2p.game.actions import ACTIONS, HIDDEN_ACTIONS, RollForStart
from catan_p2p.game.board import DEFAULT_BOARD, Board
from catan_p2p.game.cards import ONE
from catan_p2p.game.constants import BRIEF
from catan_p2p.game.rules import apply
from catan_p2p.view import events as e
from catan_p2p.view.observe import observe, veil
from catan_p2p.view.words import EventWording, in_words, shorter
from tests.game.actions.effect_cases import PLAIN_CASES
from tests.positions import set_up

NAMES = ("Red", "Blue", "Green", "Orange", "White", "Brown")
TABLE = Path(__file__).with_name("words.tsv")
WOOL, ORE = ONE["Wool"], ONE["Ore"]

OPEN: tuple[tuple[e.Event, ...], ...] = (
    (e.BanditStands(1, 1),),
    (e.BanditMoved(1, 13, 2, None),),
    (e.BanditMoved(1, 13, None, "none"),),
    (e.DevCardBought(1, None),),
    (e.CardsDiscarded(1, 2 * ORE, unseen=1),),
    (e.CardsDiscarded(1, 0, unseen=3),),
    (e.YearOfPlentyPlayed(1, None, None),),
    (e.RoadBuildingPlayed(1, None, None),),
    (e.VictoryPointPlayed(1),),
    (e.ChangeSigned(1, "vote", (2, 3)),),
    (e.ChangeSigned(1, "vote"),),
    (e.ChangeSigned(2, "propose"),),
    (e.ChangeSigned(2, "accept"),),
    (e.TradeOffered(1, ORE, 2 * WOOL),),
    (e.TradeProposed(2, ORE, 2 * WOOL),),
    (e.BankTrade(1, 4 * ORE + 4 * WOOL, 2 * ONE["Brick"], None),),
    (e.DiceRolled(1, 8, (3, 5)), e.CardsGained(1, ORE, ORE + 2 * WOOL), e.CardsUnpaid(2, ORE, is_certain=False)),
    (e.DiceRolled(1, 7), e.DiscardOwed(2, 4, 5, is_told=False)),
    (e.GameWon(1),),
    (e.GameWon(1, points=10, hidden=2),),
    (e.PlayerExcused(1, 2, ends="play"), e.GameWon(1)),
)
"""What only a file can leave open."""


def told(events: Sequence[e.Event], board: Board) -> list[str]:
    """The events in all styles."""
    tiles = EventWording(NAMES, board, "tiles")
    forms = dict.fromkeys((in_words(events, tiles), *shorter(events, tiles)))
    return [in_words(events, EventWording(NAMES, board)), *forms]


def rows() -> Iterator[tuple[str, list[str]]]:
    """Every case, with what is said of it."""
    for case in PLAIN_CASES:
        events = observe(case.action, case.before, apply(case.before, case.action))
        yield case.name, told(events, case.before.constants.board)
    for events in OPEN:
        yield "; ".join(map(str, events)), told(events, DEFAULT_BOARD)


def lines() -> list[str]:
    """The table: a case on a line, then what is said of it in every style."""
    return ["\t".join((name, *forms)) for name, forms in rows()]


def test_everything_is_said_as_the_table_has_it() -> None:
    assert lines() == TABLE.read_text(encoding="utf-8").splitlines()


def test_the_table_has_every_action_and_every_kind_of_event() -> None:
    assert {type(case.action) for case in PLAIN_CASES} == {kind.cls for kind in (*ACTIONS, *HIDDEN_ACTIONS)}
    seen = {type(event).__name__ for events in OPEN for event in events}
    for case in PLAIN_CASES:
        events = observe(case.action, case.before, apply(case.before, case.action))
        seen |= {type(event).__name__ for event in events}
    every = [*e.PlayerEvent.__subclasses__(), *e.Consequence.__subclasses__()]
    assert seen == {kind.__name__ for kind in every if kind.__module__ == e.__name__}


def test_the_last_form_is_short() -> None:
    assert all(len(forms[-1]) <= 24 for _, forms in rows())


def test_a_veil_leaves_open_what_only_those_involved_have_seen() -> None:
    case = next(case for case in PLAIN_CASES if case.name == "MoveBandit: a card is stolen")
    events = observe(case.action, case.before, case.after)
    telling = EventWording(NAMES, case.before.constants.board, "tiles")
    assert "steals a card from" in in_words(veil(events, {1, 2, 3, 4}), telling)
    assert "steals 1 " in in_words(veil(events, {case.action.player}), telling)


@pytest.mark.parametrize(
    ("dice", "text"),
    [
        (9, "rolls 9 for the start; Red rolls again; Green rolls again; Orange rolls again"),
        (2, "rolls 2 for the start; Red rolls again; Green rolls again"),
        (10, "rolls 10 for the start; Orange begins"),
    ],
)
def test_ties_for_the_start_are_told(dice: int, text: str) -> None:
    rolling: dict[str, Any] = {"stage": "Rolling", "turn": 4, "rules": BRIEF}
    before = set_up(4, rolls=(9, 3, 9, 0), **rolling)
    action = RollForStart(4, dice)
    events = observe(action, before, apply(before, action))
    assert in_words(events, EventWording(NAMES, before.constants.board)) == text


if __name__ == "__main__":
    TABLE.write_text("\n".join(lines()) + "\n", encoding="utf-8")
