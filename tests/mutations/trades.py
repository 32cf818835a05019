"""Mistakes in trades with the bank and between players."""

from tests.mutations.mutation import AGREEMENT, EFFECT, Mutation, mistakes

TRADES: tuple[Mutation, ...] = (
    *mistakes(
        "game/actions/wharf_trade.py",
        EFFECT,
        ("nothing is received", "ONE[give] * rate - ONE[receive]", "ONE[give] * rate"),
        ("the bank does not take part", "rc=state.bnk.rc + price", "rc=state.bnk.rc"),
    ),
    Mutation(
        "a resource is offered for itself",
        "game/actions/wharf_trade.py",
        " for j in receiving if i != j",
        " for j in receiving",
        AGREEMENT.format("TradeFourToOne"),
    ),
    Mutation(
        "three for one everywhere",
        "game/actions/trade_three_to_one.py",
        " or not has_wharf(state, player, THREE_TO_ONE):",
        ":",
        AGREEMENT.format("TradeThreeToOne"),
    ),
    Mutation(
        "any wharf is for any resource",
        "game/actions/trade_two_to_one.py",
        " for give, receive in pairs if give in served",
        " for give, receive in pairs",
        AGREEMENT.format("TradeTwoToOne"),
    ),
    Mutation("trading goes on", "game/actions/empty_trade.py", '_replace(tp="Building")', "_replace()", EFFECT),
    Mutation(
        "knights only while building",
        "game/actions/play_knight.py",
        'PLAY_PHASES | {"DiceRoll", "Drawing"}',
        '{"Building", "TradingBuilding", "DiceRoll", "Drawing"}',
        "game/test_rules.py::test_the_phase_table_agrees_with_the_guards[Trading]",
    ),
)
