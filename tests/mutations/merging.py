"""Mistakes about whose counts and pieces the rules look at."""

from tests.mutations.mutation import EFFECT, SAME, Mutation, mistakes

MERGING: tuple[Mutation, ...] = (
    Mutation(
        "offers are counted where only proposals are bounded",
        "game/actions/offering.py",
        "one_more(state, player, state.constants.rules.offers_per_turn)",
        "one_more(state, player, state.constants.rules.proposals_per_turn)",
        SAME,
    ),
    Mutation(
        "proposals are counted where only offers are bounded",
        "game/actions/propose_trade.py",
        "one_more(state, action.player, state.constants.rules.proposals_per_turn)",
        "one_more(state, action.player, state.constants.rules.offers_per_turn)",
        SAME,
    ),
    Mutation(
        "road building is offered by the supply of the next seat",
        "game/actions/play_road_building.py",
        "rules, left = state.constants.rules, state.b[player - 1].road",
        "rules, left = state.constants.rules, state.b[player % len(state.b)].road",
        "game/actions/test_effects.py::test_the_action_is_listed",
    ),
    *mistakes(
        "game/actions/absence.py",
        EFFECT,
        ("who has accepted still has once they are away", 'in ("asked", "accept"):', 'in ("asked",):'),
        ("who is asked still is once they are away", 'in ("asked", "accept"):', 'in ("accept",):'),
        (
            "the offers of the next seat go with who is away",
            "state.prop[absent - 1] != NO_OFFER",
            "state.prop[absent % len(state.prop)] != NO_OFFER",
        ),
        ("the cards of who is away are taken whole", "- state.lim[absent - 1])", "- 0)"),
    ),
)
