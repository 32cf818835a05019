"""Special cases that games seldom come to, and on which both sides agree."""

from typing import Any, NamedTuple

import pytest

from catan_p2p import actions as ours
from catan_p2p.game.actions.placement import open_roads
from catan_p2p.game.board import numbers
from catan_p2p.game.cards import unpack
from catan_p2p.game.rules import NotEnabled, apply, enabled
from catan_p2p.game.state import State
from tests.for_each import for_each
from tests.independent.agreement import Agreement, Disagreement, Tally
from tests.independent.test_differences import CUT_SEVEN, CUT_SIX, VILLAGE, standard

pytestmark = pytest.mark.needs("bench")


class Rare(NamedTuple):
    """A position, what is done in it, and what our engine must make of it, lest the case is not the one told."""

    state: State
    actions: tuple[ours.Action, ...]
    expected: Any
    asked: Any
    """A function of the last state."""


def follow(rare: Rare) -> State:
    """Carry the actions out on both sides, compared after each; the last state."""
    state = rare.state
    agreement = Agreement(state, Tally())
    for action in rare.actions:
        try:
            after = apply(state, action)
        except NotEnabled as error:
            raise Disagreement(f"refused by ours alone: {error}") from None
        agreement.follow(state, action, after)
        state = after
    return state


def with_roads(state: State, player: int, count: int) -> State:
    """The state with so many roads of the player's, each laid where it may lie."""
    while state.r[player - 1].bit_count() < count:
        lying = [*state.r]
        lying[player - 1] |= 1 << numbers(open_roads(state, player))[0]
        state = state._replace(r=tuple(lying))
    left = [*state.b]
    left[player - 1] = left[player - 1]._replace(road=15 - count)
    return state._replace(b=tuple(left))


def kinds(state: State) -> set[type]:
    return {type(action) for action in enabled(state, state.ap)}


ROAD = "1 Lumber, 1 Brick"
ONE_LEFT = with_roads(standard(hands={1: ROAD}, available={1: "1 RoadBuilding"}, longest_road=1), 1, 14)
LAST_ROAD = numbers(open_roads(ONE_LEFT, 1))[0]

RARE = {
    "one road is left for road building": Rare(
        ONE_LEFT, (ours.PlayRoadBuilding(1, LAST_ROAD, 0),), 0, lambda state: state.b[0].road
    ),
    "no road is left": Rare(
        with_roads(standard(hands={1: ROAD}, available={1: "1 RoadBuilding"}, longest_road=1), 1, 15),
        (),
        False,
        lambda state: bool(kinds(state) & {ours.BuildRoad, ours.PlayRoadBuilding}),
    ),
    "no village is left": Rare(
        standard(
            hands={1: VILLAGE},
            villages={1: (20, 43, 13, 31, 7), 2: (26, 44), 3: (9, 54)},
            roads={1: (23, 64, 25, 38, 14, 15), 2: (31, 57), 3: (8, 72)},
        ),
        (),
        False,
        lambda state: ours.BuildVillage in kinds(state),
    ),
    "no city is left": Rare(
        standard(
            hands={1: "2 Grain, 3 Ore"},
            villages={1: (7,), 2: (26, 44), 3: (9, 54)},
            cities={1: (20, 43, 13, 31)},
            roads={1: (23, 64, 25, 38, 14, 15), 2: (31, 57), 3: (8, 72)},
        ),
        (),
        False,
        lambda state: ours.BuildCity in kinds(state),
    ),
    "a shortage for two gives nobody the resource, and everybody the others": Rare(
        # A six: tile 12 yields brick to players 1 and 3, tile 31 grain to player 1.
        standard("DiceRoll", villages={1: (19, 43), 3: (10, 54)}, roads={1: (23, 64)}, hands={2: "18 Brick"}),
        (ours.RollDice(1, 6),),
        ((0, 0, 0, 1, 0), (0, 0, 0, 0, 0)),
        lambda state: (unpack(state.h[0].rc), unpack(state.h[2].rc)),
    ),
    "an empty bank of one resource leaves the others alone": Rare(
        standard(
            "DiceRoll",
            villages={1: (19, 43), 3: (15, 54), 2: (27, 36)},
            roads={1: (23, 64), 2: (33, 57), 3: (16, 72)},
            hands={2: "19 Brick"},
        ),
        (ours.RollDice(1, 6),),
        (0, 0, 0, 1, 0),
        lambda state: unpack(state.h[0].rc),
    ),
    "the bank has none left to trade": Rare(
        standard(hands={1: "4 Wool", 2: "19 Ore"}),
        (),
        {"Lumber", "Brick", "Grain"},
        lambda state: {a.receive for a in enabled(state, 1) if isinstance(a, ours.TradeFourToOne)},
    ),
    "the last development card is bought": Rare(
        standard(
            hands={1: "2 Wool, 2 Grain, 2 Ore"},
            unveiled={2: "13 Knight, 5 VictoryPoint"},
            discarded="2 Monopoly, 2 YearOfPlenty, 2 RoadBuilding",
            largest_army=2,
        ),
        (ours.BuyDevCard(1, "Knight"),),
        False,
        lambda state: ours.BuyDevCard in kinds(state),
    ),
    "as many knights do not take the largest army": Rare(
        standard(unveiled={1: "2 Knight", 2: "3 Knight"}, available={1: "1 Knight"}, largest_army=2),
        (ours.PlayKnight(1, 13, 2, "none"),),
        2,
        lambda state: state.la,
    ),
    "one knight more takes the largest army": Rare(
        standard(unveiled={1: "3 Knight", 2: "3 Knight"}, available={1: "1 Knight"}, largest_army=2),
        (ours.PlayKnight(1, 13, 2, "none"),),
        1,
        lambda state: state.la,
    ),
    "a knight before the dice, and then a seven": Rare(
        standard("DiceRoll", available={1: "1 Knight"}, hands={2: "8 Ore"}),
        (
            ours.PlayKnight(1, 13, 2, "Ore"),
            ours.RollDice(1, 7),
            ours.MoveBandit(1, 19, 0, "none"),
        ),
        "TradingBuilding",
        lambda state: state.tp,
    ),
    "nine cards: four are discarded": Rare(
        standard("DiceRoll", hands={1: "5 Ore, 4 Wool", 3: "7 Ore"}),
        (ours.RollDice(1, 7), ours.Discard(1, 4 << 32)),
        (0, 0, 4, 0, 1),
        lambda state: unpack(state.h[0].rc),
    ),
    "a longest road that nobody held goes to who is alone again": Rare(
        CUT_SIX._replace(
            lr=0,
            r=(CUT_SIX.r[0], CUT_SIX.r[1], CUT_SIX.r[2] & ~(1 << 58)),
            b=tuple(b._replace(road=b.road + (i == 2)) for i, b in enumerate(CUT_SIX.b)),
        ),
        (ours.BuildVillage(2, 22),),
        2,
        lambda state: state.lr,
    ),
    "a cut road that is still the longest keeps the card": Rare(
        CUT_SEVEN._replace(
            r=(CUT_SEVEN.r[0], CUT_SEVEN.r[1] & ~(1 << 27), CUT_SEVEN.r[2]),
            b=tuple(b._replace(road=b.road + (i == 1)) for i, b in enumerate(CUT_SEVEN.b)),
        ),
        (ours.BuildVillage(2, 22),),
        1,
        lambda state: state.lr,
    ),
}


@for_each("name", RARE)
def test_both_sides_agree(name: str) -> None:
    rare = RARE[name]
    assert rare.asked(follow(rare)) == rare.expected
