"""Mistakes in points, the longest road and the largest army."""

from tests.mutations.mutation import Mutation, mistakes

BONUS = "game/test_scoring.py::test_bonus_card"
POINTS = "game/test_scoring.py::test_points"

SCORING: tuple[Mutation, ...] = (
    *mistakes(
        "game/scoring.py",
        BONUS,
        ("the holder loses a tie", "if holder != NO_OWNER and sizes[holder - 1] == most:", "if False:"),
        (
            "the holder keeps the card whatever others have",
            "if holder != NO_OWNER and sizes[holder - 1] == most:",
            "if holder != NO_OWNER:",
        ),
        ("the first of several with the most gets the card", "if sizes.count(most) > 1:", "if False:"),
        ("too little is enough", "if most < minimum:", "if False:"),
        ("enough is too little", "if most < minimum:", "if most <= minimum:"),
    ),
    *mistakes(
        "game/state.py",
        POINTS,
        ("a city counts one point", "+ 2 * self.s.cities", "+ self.s.cities"),
        ("the longest road counts nothing", "+ (2 if self.lr == player else 0)", ""),
        ("the largest army counts for all", "2 if self.la == player", "2 if self.la"),
        (
            "a knight is a point",
            'count(self.h[player - 1].uc, "VictoryPoint")',
            'count(self.h[player - 1].uc, "Knight")',
        ),
    ),
)
