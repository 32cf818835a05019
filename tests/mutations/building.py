"""Mistakes in building and in the end of the turn."""

from tests.mutations.mutation import AGREEMENT, EFFECT, Mutation, mistakes

BUILDING: tuple[Mutation, ...] = (
    *mistakes(
        "game/actions/turn.py",
        EFFECT,
        ("the turn does not pass", "ap=state.next_player(state.ap)", "ap=state.ap"),
        ("eleven points are needed", ">= state.constants.rules.points_to_win", "> state.constants.rules.points_to_win"),
        ("the dice stay", "dice=0, ", ""),
    ),
    Mutation("bought cards are lost", "game/actions/empty_build.py", "ac=hand.ac + hand.bc", "ac=hand.ac", EFFECT),
    *mistakes(
        "game/actions/parts.py",
        EFFECT,
        ("nothing is paid to the bank", "Bank(bank.rc + cost, bank.dc)", "Bank(bank.rc, bank.dc)"),
        ("nothing is paid at all", "Hand(hand.rc - cost, hand.bc", "Hand(hand.rc, hand.bc"),
        ("a city costs two ore", '3 * ONE["Ore"]', '2 * ONE["Ore"]'),
        ("a road costs wool", 'COST_ROAD: Cards = ONE["Lumber"]', 'COST_ROAD: Cards = ONE["Wool"]'),
    ),
    *mistakes(
        "game/actions/build_village.py",
        EFFECT,
        ("a village is not taken from the supply", "village=left.village - 1", "village=left.village"),
        ("a village does not cut a road", "holder = longest_road_holder(after)", "holder = state.lr"),
    ),
    *mistakes(
        "game/actions/build_city.py",
        EFFECT,
        ("a village is lost under a city", "village=left.village + 1", "village=left.village"),
        ("a village stays under a city", "state.s.villages[player - 1] & ~bit", "state.s.villages[player - 1]"),
    ),
    Mutation(
        "cities beside the bandit are offered",
        "game/actions/build_city.py",
        "        points &= ~state.constants.board.corners[state.ba]\n",
        "        pass\n",
        AGREEMENT.format("BuildCity"),
    ),
    *mistakes(
        "game/actions/build_road.py",
        EFFECT,
        ("two roads count as one", "left.road - built.bit_count()", "left.road - 1"),
        ("a road never brings the longest road", "holder = longest_road_holder(after)", "holder = state.lr"),
    ),
    Mutation(
        "a road point that is taken is offered",
        "game/actions/placement.py",
        "shut = roads_taken(state.r) | built",
        "shut = built",
        AGREEMENT.format("BuildRoad"),
    ),
)
