"""Mistakes about players who are excused, one or several, while others still owe replies."""

from tests.mutations.mutation import EFFECT, SAME, Mutation, mistakes

SEVERAL = "game/actions/test_several_leave.py::test_{}"

LEAVING: tuple[Mutation, ...] = (
    *mistakes(
        "game/actions/absence.py",
        EFFECT,
        ("what others owe for a turn that is over stays due", "            due=(False,) * n,\n", ""),
        (
            "what others owe for a roll for the start stays due",
            "call=NO_CALL, due=(False,) * len(after.due))",
            "call=NO_CALL)",
        ),
        (
            "a purchase goes on that lacks another's share",
            "any(state.due) or is_deck_lost(",
            "state.due[absent - 1] or is_deck_lost(",
        ),
        ("a card is bought of a lost deck", "any(state.due) or is_deck_lost(state, absent)", "any(state.due)"),
        ("others owe a monopoly what it takes no more", 'if state.tp == "Surrendering" else', "if False else"),
    ),
    *mistakes(
        "game/actions/excuse.py",
        EFFECT,
        ("a game is closed that some have not signed", "after if any(after.due) else closed(after)", "closed(after)"),
        ("a share held back costs no return", "limited = returns_limited(state, absent)", "limited = state"),
    ),
    *mistakes(
        "game/actions/claim.py",
        EFFECT,
        ("a share held back costs no return in a claim", "state = returns_limited(state, action.absent)", "pass"),
    ),
    *mistakes(
        "game/actions/come_back.py",
        EFFECT,
        ("returns are not counted", ".left - 1, False)", ".left, False)"),
    ),
    *mistakes(
        "game/actions/come_back.py",
        SAME,
        ("a hand at the limit is halved", "> state.constants.rules.hand_limit", ">= state.constants.rules.hand_limit"),
    ),
    *mistakes(
        "game/actions/excuse.py",
        SAME,
        ("keys are told before the last pledge", 'if after.tp == "Pledging":', "if False:"),
    ),
    *mistakes(
        "game/state.py",
        EFFECT,
        ("nobody closes a game whose winner is away", 'self.tp == "Signing" and self.away[self.ap - 1]', "False"),
    ),
    Mutation(
        "replies are awaited while the deck is shuffled",
        "game/actions/absence.py",
        'state.tp != "Shuffling" and lacks_reply',
        "lacks_reply",
        SEVERAL.format("no_reply_is_awaited_while_the_deck_is_shuffled"),
    ),
    Mutation(
        "who has left begins once all have pledged",
        "game/state.py",
        'in ("bot", "Pledging"):',
        'in ("bot",):',
        SEVERAL.format("who_begins_may_leave_before_all_have_pledged"),
    ),
)
