"""Mistakes in rolls and their yields, and in what a seven brings."""

from tests.mutations.mutation import AGREEMENT, EFFECT, Mutation, mistakes

SHARED = "game/actions/test_effects.py::test_everything_else_is_the_very_same"
DECISIONS = "game/actions/test_instances.py::test_one_representative_for_each_decision[{}]"

DICE: tuple[Mutation, ...] = (
    *mistakes(
        "game/actions/roll_dice.py",
        EFFECT,
        ("a city yields one card", "+ 2 * (cities & corners).bit_count()", "+ (cities & corners).bit_count()"),
        (
            "only the first tile of a number yields",
            "board.producers.get(dice, ())",
            "board.producers.get(dice, ())[:1]",
        ),
        ("the bank does not pay a roll", "Bank(state.bnk.rc - paid, state.bnk.dc)", "Bank(state.bnk.rc, state.bnk.dc)"),
        ("half a hand is rounded up", "cards - cards // 2 if", "cards // 2 if"),
        ("a hand of seven is too large", "if cards > limit else 0", "if cards >= limit else 0"),
        ("nobody discards", "if not any(limits):", "if True:"),
    ),
    Mutation(
        "a tile yields once to each player",
        "game/actions/roll_dice.py",
        "((villages & corners).bit_count() +",
        "(bool(villages & corners) +",
        "test_errata.py::test_s5_every_settlement_at_a_tile_earns_for_itself",
    ),
    *mistakes(
        "game/actions/roll_dice.py",
        SHARED,
        ("the bandit's tile yields", "if tile != bandit:", "if True:"),
        ("the bank pays what it does not have", "if not covers(state.bnk.rc, paid):", "if False:"),
        ("a hand that did not change is a new one", "hand.uc) if gain else hand", "hand.uc)"),
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
    *mistakes(
        "game/actions/move_bandit.py",
        EFFECT,
        ("the bandit stays", "        ba=action.to,\n", ""),
        ("the limits stay", "lim=(0,) * len(state.lim) if any(state.lim) else state.lim", "lim=state.lim"),
    ),
    *mistakes(
        "game/actions/robbery.py",
        EFFECT,
        ("the victim keeps the card", "loser.rc - ONE[card]", "loser.rc"),
        ("the thief gets nothing", "winner.rc + ONE[card]", "winner.rc"),
    ),
    *mistakes(
        "game/actions/robbery.py",
        AGREEMENT.format("MoveBandit"),
        ("the player can rob themself", "if seat != player and s.of(seat)", "if s.of(seat)"),
        ("with no victim anywhere the bandit cannot move", "if not moves or targets", "if targets"),
    ),
    Mutation(
        "a sealed card is stolen where there is none",
        "game/actions/robbery.py",
        'card == "sealed" and is_sealed(state, victim)',
        'card == "sealed"',
        "hidden/test_refines.py::test_no_sealed_card_is_stolen_where_there_is_none",
    ),
    Mutation(
        "the bandit may be offered the sea",
        "game/actions/robbery.py",
        "        for tile in board.land\n        if tile != ba\n        for seat",
        "        for tile in range(1, board.tile_count + 1)\n        if tile != ba\n        for seat",
        AGREEMENT.format("PlayKnight"),
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
