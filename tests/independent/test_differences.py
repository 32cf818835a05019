"""Every known difference by its shortest example, with what each side says; none of them is an excuse for more."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from catanatron.models.enums import ORE, ActionType

from catan_p2p import actions as ours
from catan_p2p.game.cards import count
from catan_p2p.game.constants import BRIEF
from catan_p2p.game.rules import apply, enabled
from catan_p2p.game.scoring import player_points, trail_length
from catan_p2p.game.state import State
from tests.for_each import for_each
from tests.independent.agreement import Agreement, Tally
from tests.independent.differences import Known, holder_by_rule_book, longest_walk
from tests.independent.island import OUR_RESOURCE
from tests.independent.opinion import Opinion
from tests.positions import cards, position

pytestmark = pytest.mark.needs("bench")

VILLAGE = "1 Lumber, 1 Brick, 1 Wool, 1 Grain"


def standard(phase: str = "TradingBuilding", **what: Any) -> State:
    """A position of three players on standard rules."""
    return position(3, phase=phase, rules=BRIEF, **what)


_second = partial(standard, turn=2, hands={2: VILLAGE})

CUT_FOUR = _second(roads={1: (23, 25, 38, 42, 64), 2: (16, 14, 24, 26, 57)})
"""Player 1 has four roads in a row from 20 to 34, player 2 four from 15 to 22 in their middle; nobody has the card."""

CUT_SIX = _second(
    roads={1: (23, 25, 38, 42, 43, 41, 64), 2: (27, 16, 14, 24, 26, 57), 3: (9, 72, 70, 61, 59, 58)}, longest_road=1
)
"""Player 1 holds the card with six roads from 20 over 22 to 24, the others have five each."""

CUT_SEVEN = _second(
    roads={1: (23, 25, 38, 42, 43, 41, 28, 64), 2: (27, 16, 14, 24, 26, 57), 3: (9, 72, 70, 61, 59)}, longest_road=1
)
"""As before, but player 1 has seven roads, five of them beyond 22, and player 2 alone has five."""


@dataclass(frozen=True, slots=True)
class Example:
    """A position, what is done in it, and a question on which the two sides differ after that."""

    known: Known
    state: State
    action: ours.Action | None
    asked: str
    ours: Callable[[State], Any]
    theirs: Callable[[Opinion], Any]
    answers: tuple[Any, Any]
    """Ours, catanatron's."""


def plays(kind: type) -> Callable[[State], bool]:
    return lambda state: any(isinstance(action, kind) for action in enabled(state, state.ap))


def offers(kind: ActionType) -> Callable[[Opinion], bool]:
    return lambda opinion: bool(opinion.playable(kind))


EXAMPLES = {
    "shortage": Example(
        Known.SHORTAGE_OF_ONE,
        standard("DiceRoll", villages={1: (43,)}, cities={1: (20,)}, hands={2: "18 Grain"}),
        ours.RollDice(1, 12),
        "grain of player 1, whose city alone is due two cards while the bank has one",
        lambda state: count(state.h[0].rc, "Grain"),
        lambda opinion: count(opinion.hand(1), "Grain"),
        (1, 0),
    ),
    "road to an adversary": Example(
        Known.ROAD_TO_ADVERSARY,
        standard(
            hands={1: "1 Lumber, 1 Brick"},
            villages={2: (15, 33)},
            roads={1: (23, 25, 38, 42, 64), 2: (16, 45)},
        ),
        ours.BuildRoad(1, 43),
        "length of player 1's road and holder, the fifth piece ending at player 2's village",
        lambda state: (trail_length(state, 1), state.lr),
        lambda opinion: (opinion.road_length(1), opinion.longest_road),
        ((5, 1), (4, 0)),
    ),
    "cut below five": Example(
        Known.ROAD_CARD_AFTER_CUT,
        CUT_FOUR,
        ours.BuildVillage(2, 22),
        "holder when nobody has five roads in a row",
        lambda state: state.lr,
        lambda opinion: opinion.longest_road,
        (0, 2),
    ),
    "cut and tied": Example(
        Known.ROAD_CARD_AFTER_CUT,
        CUT_SIX,
        ours.BuildVillage(2, 22),
        "holder when players 2 and 3 have five each, the old holder four",
        lambda state: state.lr,
        lambda opinion: opinion.longest_road,
        (0, 2),
    ),
    "cut but still tied": Example(
        Known.ROAD_CARD_AFTER_CUT,
        CUT_SEVEN._replace(first=2),
        ours.BuildVillage(2, 22),
        "holder when the old one still has as many as the next, five",
        lambda state: state.lr,
        lambda opinion: opinion.longest_road,
        (1, 2),
    ),
    "ten off turn": Example(
        Known.WIN_OFF_TURN,
        _second(
            villages={3: ()},
            cities={3: (10, 54)},
            unveiled={3: "4 VictoryPoint"},
            roads={1: (23, 25, 38, 42, 43, 41, 64), 2: (16, 14, 24, 26, 57), 3: (9, 72, 70, 61, 59, 58)},
            longest_road=1,
        ),
        ours.BuildVillage(2, 22),
        "points of player 3, and who has won, when player 2 cuts the road of player 1",
        lambda state: (player_points(state, 3), state.ap if state.is_over else 0),
        lambda opinion: (opinion.points(3), opinion.winner),
        ((10, 0), (10, 3)),
    ),
    "bought card": Example(
        Known.BOUGHT_CARD,
        standard(bought={1: "1 Knight"}),
        None,
        "may the knight that was bought just now be played",
        plays(ours.PlayKnight),
        offers(ActionType.PLAY_KNIGHT_CARD),
        (False, True),
    ),
    "monopoly before the dice": Example(
        Known.CARDS_BEFORE_DICE,
        standard("DiceRoll", available={1: "1 Monopoly"}),
        None,
        "may a monopoly be played before the dice",
        plays(ours.PlayMonopoly),
        offers(ActionType.PLAY_MONOPOLY),
        (True, False),
    ),
    "road building without a card": Example(
        Known.FREE_ROADS_PAID,
        standard(available={1: "1 RoadBuilding"}),
        None,
        "may road building be played with an empty hand",
        plays(ours.PlayRoadBuilding),
        offers(ActionType.PLAY_ROAD_BUILDING),
        (True, False),
    ),
    "second free road": Example(
        Known.FREE_ROADS_PAID,
        standard(available={1: "1 RoadBuilding"}),
        ours.PlayRoadBuilding(1, 25, 38),
        "did the card last for both roads",
        lambda state: True,
        lambda opinion: not opinion.is_cut_short,
        (True, False),
    ),
    "year of plenty": Example(
        Known.ONE_CARD_OF_PLENTY,
        standard(available={1: "1 YearOfPlenty"}, hands={2: "19 Ore"}),
        None,
        "sizes of what may be taken while the bank has no ore",
        lambda state: {2 for action in enabled(state, 1) if isinstance(action, ours.PlayYearOfPlenty)},
        lambda opinion: {len(taken) for taken in opinion.playable(ActionType.PLAY_YEAR_OF_PLENTY)},
        ({2}, {1, 2}),
    ),
    "worse rate": Example(
        Known.WORSE_RATE,
        standard(villages={1: (20, 48)}, roads={1: (23, 63)}, hands={1: "4 Ore"}),
        None,
        "rates for ore at a three-to-one wharf",
        lambda state: {
            rate
            for kind, rate in ((ours.TradeFourToOne, 4), (ours.TradeThreeToOne, 3), (ours.TradeTwoToOne, 2))
            if plays(kind)(state)
        },
        lambda opinion: {trade[:4].count(ORE) for trade in opinion.playable(ActionType.MARITIME_TRADE)},
        ({3, 4}, {3}),
    ),
    "victim without cards": Example(
        Known.EMPTY_HANDED_VICTIM,
        standard("MovingBandit", villages={3: (10, 21)}, roads={3: (9, 24)}, hands={3: "1 Ore"}),
        None,
        "victims on tile 13, where player 2 has no cards and player 3 has one",
        lambda state: {action.victim for action in enabled(state, 1) if action.to == 13},  # type: ignore[attr-defined]
        lambda opinion: {
            opinion.seat(colour)
            for cube, colour, _ in opinion.playable(ActionType.MOVE_ROBBER)
            if opinion.island.tile[cube] == 13
        },
        ({2, 3}, {3}),
    ),
    "domestic trade": Example(
        Known.DOMESTIC_TRADE,
        standard("Offering", hands={1: "1 Ore", 2: "1 Wool"})._replace(ans=("none", "accept", "none")),
        ours.ConcludeTrade(1, 2),
        "is there an action for a trade between players",
        lambda state: True,
        lambda opinion: any("TRADE" in kind.value and kind != ActionType.MARITIME_TRADE for kind in ActionType),
        (True, False),
    ),
}


def with_offer(state: State) -> State:
    """The same, with the ore of player 1 offered for the wool of player 2 where an offer is answered."""
    if state.tp != "Offering":
        return state
    return state._replace(offer=type(state.offer)(cards("1 Ore"), cards("1 Wool")))


@for_each("name", EXAMPLES)
def test_the_two_sides_differ_as_told(name: str) -> None:
    example = EXAMPLES[name]
    state = with_offer(example.state)
    opinion = Opinion(state)
    if example.action is not None:
        after = apply(state, example.action)
        opinion.perform(example.action)
        state = after
    assert (example.ours(state), example.theirs(opinion)) == example.answers, example.asked


@for_each("name", EXAMPLES)
def test_the_comparison_names_the_difference_and_no_other(name: str) -> None:
    example, tally = EXAMPLES[name], Tally()
    state = with_offer(example.state)
    agreement = Agreement(state, tally)
    if example.action is not None:
        agreement.follow(state, example.action, apply(state, example.action))
    assert set(tally.known) == {example.known}


def test_every_known_difference_has_an_example() -> None:
    assert {example.known for example in EXAMPLES.values()} == set(Known)


def test_both_sides_are_the_same_again_after_a_difference() -> None:
    """What is put right stays right: the next actions are compared without any exception."""
    state, tally = CUT_SIX, Tally()
    agreement = Agreement(state, tally)
    for action in (ours.BuildVillage(2, 22), ours.EmptyBuild(2), ours.RollDice(3, 12), ours.EmptyBuild(3)):
        after = apply(state, action)
        agreement.follow(state, action, after)
        state = after
    assert tally.known == {Known.ROAD_CARD_AFTER_CUT: 1}


@for_each(
    ("lengths", "before", "holder"),
    [
        ({1: 4, 2: 4, 3: 4}, 1, 0),
        ({1: 5, 2: 4, 3: 4}, 0, 1),
        ({1: 5, 2: 5, 3: 4}, 0, 0),
        ({1: 5, 2: 5, 3: 4}, 2, 2),
        ({1: 5, 2: 6, 3: 6}, 1, 0),
        ({1: 5, 2: 6, 3: 4}, 1, 2),
    ],
)
def test_the_third_opinion_on_the_holder(lengths: dict[int, int], before: int, holder: int) -> None:
    assert holder_by_rule_book(lengths, before) == holder


def test_the_third_opinion_on_lengths() -> None:
    opinion = Opinion(CUT_SIX)
    assert [longest_walk(opinion, seat) for seat in (1, 2, 3)] == [6, 5, 5]
    opinion.perform(ours.BuildVillage(2, 22))
    assert [longest_walk(opinion, seat) for seat in (1, 2, 3)] == [4, 5, 5]
    assert [longest_walk(opinion, seat, may_end_at_adversary=False) for seat in (1, 2, 3)] == [3, 5, 5]


def test_names_of_resources_are_the_same_both_ways() -> None:
    assert sorted(OUR_RESOURCE.values()) == ["Brick", "Grain", "Lumber", "Ore", "Wool"]
