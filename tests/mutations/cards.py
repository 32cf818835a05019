"""Mistakes in development cards."""

from tests.mutations.mutation import AGREEMENT, EFFECT, Mutation, mistakes

CARDS: tuple[Mutation, ...] = (
    *mistakes(
        "game/actions/buy_dev_card.py",
        EFFECT,
        (
            "a card can be played in the turn it is bought",
            "hand._replace(bc=hand.bc + card)",
            "hand._replace(ac=hand.ac + card)",
        ),
        ("a victory point stays hidden", 'if action.card == "VictoryPoint"', "if False"),
        ("the bank keeps the card", "dc=bank.dc - card", "dc=bank.dc"),
    ),
    Mutation(
        "every type of card is as likely",
        "game/actions/buy_dev_card.py",
        "        at -= number\n",
        "        at -= 1\n",
        "game/test_rules.py::test_a_development_card_is_drawn_from_those_left",
    ),
    Mutation(
        "a card can be played again and again",
        "game/actions/progress.py",
        "hand._replace(ac=hand.ac - ONE[card])",
        "hand",
        EFFECT,
    ),
    Mutation(
        "cards are offered that were bought this turn",
        "game/actions/progress.py",
        "        has_available(state, player, card)\n        and ",
        "        ",
        AGREEMENT.format("PlayMonopoly"),
    ),
    *mistakes(
        "game/actions/play_monopoly.py",
        EFFECT,
        (
            "monopoly takes one card from each",
            "card * count(hand.rc, action.resource)",
            "card * min(1, count(hand.rc, action.resource))",
        ),
        ("monopoly is not discarded", '        dp=state.dp + ONE["Monopoly"],\n', ""),
    ),
    Mutation(
        "the bank keeps what year of plenty takes",
        "game/actions/play_year_of_plenty.py",
        "rc=state.bnk.rc - gain",
        "rc=state.bnk.rc",
        EFFECT,
    ),
    Mutation(
        "the second road cannot continue the first",
        "game/actions/play_road_building.py",
        "second = open_roads(state, player, built=1 << first) if left >= 2 else 0",
        "second = open_roads(state, player) & ~(1 << first) if left >= 2 else 0",
        AGREEMENT.format("PlayRoadBuilding"),
    ),
    *mistakes(
        "game/actions/play_knight.py",
        EFFECT,
        ("the knight is not unveiled", 'uc=hand.uc + ONE["Knight"]', "uc=hand.uc"),
        ("a knight never brings the largest army", "holder = largest_army_holder(after)", "holder = state.la"),
    ),
)
