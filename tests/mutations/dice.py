"""Mistakes in rolls and their yields, and in what a seven brings."""

from tests.mutations.mutation import AGREEMENT, EFFECT, Mutation

SHARED = "game/actions/test_effects.py::test_everything_else_is_the_very_same"
DECISIONS = "game/actions/test_instances.py::test_one_representative_for_each_decision[{}]"

DICE: tuple[Mutation, ...] = (
    Mutation(
        "a city yields one card",
        "game/actions/roll_dice.py",
        "+ 2 * (cities & corners).bit_count()",
        "+ (cities & corners).bit_count()",
        EFFECT,
    ),
    Mutation(
        "a tile yields once to each player",
        "game/actions/roll_dice.py",
        "((villages & corners).bit_count() +",
        "(bool(villages & corners) +",
        "test_errata.py::test_s5_every_settlement_at_a_tile_earns_for_itself",
    ),
    Mutation("the bandit's tile yields", "game/actions/roll_dice.py", "if tile != bandit:", "if True:", SHARED),
    Mutation(
        "only the first tile of a number yields",
        "game/actions/roll_dice.py",
        "board.producers.get(dice, ())",
        "board.producers.get(dice, ())[:1]",
        EFFECT,
    ),
    Mutation(
        "the bank pays what it does not have",
        "game/actions/roll_dice.py",
        "if not covers(state.bnk.rc, paid):",
        "if False:",
        SHARED,
    ),
    Mutation(
        "the bank does not pay a roll",
        "game/actions/roll_dice.py",
        "Bank(state.bnk.rc - paid, state.bnk.dc)",
        "Bank(state.bnk.rc, state.bnk.dc)",
        EFFECT,
    ),
    Mutation(
        "half a hand is rounded up", "game/actions/roll_dice.py", "cards - cards // 2 if", "cards // 2 if", EFFECT
    ),
    Mutation(
        "a hand of seven is too large",
        "game/actions/roll_dice.py",
        "if cards > limit else 0",
        "if cards >= limit else 0",
        EFFECT,
    ),
    Mutation("nobody discards", "game/actions/roll_dice.py", "if not any(limits):", "if True:", EFFECT),
    Mutation(
        "a hand that did not change is a new one",
        "game/actions/roll_dice.py",
        "hand.uc) if gain else hand",
        "hand.uc)",
        SHARED,
    ),
    Mutation(
        "the dice are one of eleven",
        "game/actions/roll_dice.py",
        "rng.randint(1, 6), rng.randint(1, 6)",
        "rng.randint(2, 12), 0",
        "game/test_rules.py::test_two_dice_are_rolled",
    ),
    Mutation(
        "each sum is a decision",
        "game/actions/roll_dice.py",
        "return instances(state, player)[:1]",
        "return instances(state, player)",
        DECISIONS.format("RollDice"),
    ),
    Mutation("a discard is not due", "game/actions/discard.py", "if limit else 0", "if not limit else 0", EFFECT),
    Mutation(
        "only the first who owes is awaited",
        "game/rules.py",
        "            return owing\n",
        "            return owing[:1]\n",
        "game/test_rules.py::test_who_is_awaited",
    ),
)

BANDIT: tuple[Mutation, ...] = (
    Mutation("the bandit stays", "game/actions/move_bandit.py", "        ba=action.to,\n", "", EFFECT),
    Mutation(
        "the limits stay",
        "game/actions/move_bandit.py",
        "lim=(0,) * len(state.lim) if any(state.lim) else state.lim",
        "lim=state.lim",
        EFFECT,
    ),
    Mutation("the victim keeps the card", "game/actions/robbery.py", "loser.rc - ONE[card]", "loser.rc", EFFECT),
    Mutation("the thief gets nothing", "game/actions/robbery.py", "winner.rc + ONE[card]", "winner.rc", EFFECT),
    Mutation(
        "the player can rob themself",
        "game/actions/robbery.py",
        "if seat != player and s.of(seat)",
        "if s.of(seat)",
        AGREEMENT.format("MoveBandit"),
    ),
    Mutation(
        "the bandit may be offered the sea",
        "game/actions/robbery.py",
        "        for tile in board.land\n        if tile != ba\n        for seat",
        "        for tile in range(1, board.tile_count + 1)\n        if tile != ba\n        for seat",
        AGREEMENT.format("PlayKnight"),
    ),
    Mutation(
        "with no victim anywhere the bandit cannot move",
        "game/actions/robbery.py",
        "if not moves or targets",
        "if targets",
        AGREEMENT.format("MoveBandit"),
    ),
    Mutation(
        "the first type of a hand is stolen more often",
        "game/actions/robbery.py",
        "        at -= number\n",
        "        at -= 1\n",
        "game/test_rules.py::test_a_card_is_stolen_uniformly_from_the_hand",
    ),
    Mutation(
        "the card is chosen, not drawn",
        "game/rules.py",
        "return action if kind.draw is None else kind.draw(state, action, rng)",
        "return action",
        "game/test_rules.py::test_a_card_is_stolen_uniformly_from_the_hand",
    ),
)
