"""Mistakes in building and in the end of the turn."""

from tests.mutations.mutation import AGREEMENT, EFFECT, Mutation, mistakes

_FACTS = "game/actions/test_facts.py::test_{}"

BUILDING: tuple[Mutation, ...] = (
    *mistakes(
        "game/actions/turn.py",
        EFFECT,
        ("the turn does not pass", "state.turn_passed._replace(", "state._replace("),
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
    Mutation(
        "a city is said to cost more than is paid for it",
        "game/actions/build_city.py",
        "cost = COST_CITY",
        "cost = 2 * COST_CITY",
        _FACTS.format("a_price_goes_to_the_bank"),
    ),
    Mutation(
        "a city is said to be a village",
        "game/actions/build_city.py",
        'piece = "city"',
        'piece = "village"',
        _FACTS.format("a_piece_leaves_the_supply"),
    ),
    Mutation(
        "a knight is said to be a monopoly",
        "game/actions/play_knight.py",
        'unveils = "Knight"',
        'unveils = "Monopoly"',
        _FACTS.format("a_card_that_is_unveiled_leaves_the_hand"),
    ),
    Mutation(
        "a discard needs no cards",
        "game/actions/discard.py",
        "        return self.cards\n",
        "        return 0\n",
        _FACTS.format("an_action_needs_cards_where_a_guard_looks_at_the_hand"),
    ),
    Mutation(
        "nothing of a roll is said to be drawn",
        "game/actions/roll_dice.py",
        '    drawn = "dice"\n',
        "",
        _FACTS.format("what_is_drawn_is_a_parameter"),
    ),
    Mutation(
        "a shuffle is said to belong to joint chance",
        "game/actions/shuffle.py",
        'rule = "hands"',
        'rule = "chance"',
        _FACTS.format("the_hidden_actions_are_those_of_hidden_hands"),
    ),
)
