"""Mistakes in building and in the end of the turn."""

from tests.mutations.mutation import AGREEMENT, EFFECT, Mutation

BUILDING: tuple[Mutation, ...] = (
    Mutation(
        "the turn does not pass",
        "game/actions/turn.py",
        "ap=state.next_player(state.ap)",
        "ap=state.ap",
        EFFECT,
    ),
    Mutation(
        "eleven points are needed",
        "game/actions/turn.py",
        ">= state.constants.rules.points_to_win",
        "> state.constants.rules.points_to_win",
        EFFECT,
    ),
    Mutation("bought cards are lost", "game/actions/empty_build.py", "ac=hand.ac + hand.bc", "ac=hand.ac", EFFECT),
    Mutation("the dice stay", "game/actions/turn.py", "dice=0, ", "", EFFECT),
    Mutation(
        "nothing is paid to the bank",
        "game/actions/parts.py",
        "Bank(bank.rc + cost, bank.dc)",
        "Bank(bank.rc, bank.dc)",
        EFFECT,
    ),
    Mutation(
        "nothing is paid at all",
        "game/actions/parts.py",
        "Hand(hand.rc - cost, hand.bc",
        "Hand(hand.rc, hand.bc",
        EFFECT,
    ),
    Mutation("a city costs two ore", "game/actions/parts.py", '3 * ONE["Ore"]', '2 * ONE["Ore"]', EFFECT),
    Mutation(
        "a road costs wool",
        "game/actions/parts.py",
        'COST_ROAD: Cards = ONE["Lumber"]',
        'COST_ROAD: Cards = ONE["Wool"]',
        EFFECT,
    ),
    Mutation(
        "a village is not taken from the supply",
        "game/actions/build_village.py",
        "village=left.village - 1",
        "village=left.village",
        EFFECT,
    ),
    Mutation(
        "a village does not cut a road",
        "game/actions/build_village.py",
        "holder = longest_road_holder(after)",
        "holder = state.lr",
        EFFECT,
    ),
    Mutation(
        "a village is lost under a city",
        "game/actions/build_city.py",
        "village=left.village + 1",
        "village=left.village",
        EFFECT,
    ),
    Mutation(
        "a village stays under a city",
        "game/actions/build_city.py",
        "state.s.villages[player - 1] & ~bit",
        "state.s.villages[player - 1]",
        EFFECT,
    ),
    Mutation(
        "cities beside the bandit are offered",
        "game/actions/build_city.py",
        "        points &= ~state.constants.board.corners[state.ba]\n",
        "        pass\n",
        AGREEMENT.format("BuildCity"),
    ),
    Mutation(
        "two roads count as one", "game/actions/build_road.py", "left.road - built.bit_count()", "left.road - 1", EFFECT
    ),
    Mutation(
        "a road never brings the longest road",
        "game/actions/build_road.py",
        "holder = longest_road_holder(after)",
        "holder = state.lr",
        EFFECT,
    ),
    Mutation(
        "a road point that is taken is offered",
        "game/actions/placement.py",
        "shut = roads_taken(state.r) | built",
        "shut = built",
        AGREEMENT.format("BuildRoad"),
    ),
)
