"""Mistakes about which votes a commit merges, and about whose counts and pieces the rules look at."""

from tests.mutations.mutation import EFFECT, SAME, Mutation, mistakes

SETTLED = "log/test_settled_votes.py::test_the_votes_that_settled_a_lie_are_merged_before_all_others"

MERGING: tuple[Mutation, ...] = (
    *mistakes(
        "log/votes.py",
        SETTLED,
        (
            "votes that settled a lie come last in any commit",
            "is_needed |= round in outcomes",
            "is_needed |= round not in outcomes",
        ),
        ("votes that settled a lie come last in an excuse", "or round in outcomes", "or round not in outcomes"),
        (
            "as many votes are merged of a player as in all, and the other way round",
            "len(chosen) < MAX_MERGED_VOTES and count[cast.voter] < MAX_MERGED_VOTES_OF_PLAYER",
            "len(chosen) < MAX_MERGED_VOTES_OF_PLAYER and count[cast.voter] < MAX_MERGED_VOTES",
        ),
    ),
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
