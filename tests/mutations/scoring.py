"""Mistakes in points, the longest road and the largest army."""

from tests.mutations.mutation import Mutation

BONUS = "game/test_scoring.py::test_bonus_card"
POINTS = "game/test_scoring.py::test_points"

SCORING: tuple[Mutation, ...] = (
    Mutation(
        "the holder loses a tie",
        "game/scoring.py",
        "if holder != NO_OWNER and sizes[holder - 1] == most:",
        "if False:",
        BONUS,
    ),
    Mutation(
        "the holder keeps the card whatever others have",
        "game/scoring.py",
        "if holder != NO_OWNER and sizes[holder - 1] == most:",
        "if holder != NO_OWNER:",
        BONUS,
    ),
    Mutation(
        "the first of several with the most gets the card",
        "game/scoring.py",
        "if sizes.count(most) > 1:",
        "if False:",
        BONUS,
    ),
    Mutation("too little is enough", "game/scoring.py", "if most < minimum:", "if False:", BONUS),
    Mutation("enough is too little", "game/scoring.py", "if most < minimum:", "if most <= minimum:", BONUS),
    Mutation("a city counts one point", "game/state.py", "+ 2 * self.s.cities", "+ self.s.cities", POINTS),
    Mutation("the longest road counts nothing", "game/state.py", "+ (2 if self.lr == player else 0)", "", POINTS),
    Mutation("the largest army counts for all", "game/state.py", "2 if self.la == player", "2 if self.la", POINTS),
    Mutation(
        "a knight is a point",
        "game/state.py",
        'count(self.h[player - 1].uc, "VictoryPoint")',
        'count(self.h[player - 1].uc, "Knight")',
        POINTS,
    ),
)
