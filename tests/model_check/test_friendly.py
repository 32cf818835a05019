"""The friendly bandit: every part of what he spares is needed, as a model of him shows when it is changed."""

import pytest

from tests.model_check.guard_mutations import Seen, is_noticed, quick_tlc, reworded, run_model

pytestmark = [pytest.mark.needs("spec"), pytest.mark.soak]

MUTANTS = {
    "spares who has three points": ("MCFriendly", "PointsIn(G, q) < 3", "PointsIn(G, q) < 4"),
    "spares nobody with two points": ("MCFriendly", "PointsIn(G, q) < 3", "PointsIn(G, q) < 2"),
    "spares the mover, too": (
        "MCFriendly",
        "\\E q \\in AdversariesAt(p, t) :",
        "\\E q \\in AdversariesAt(p, t) \\cup {p} :",
    ),
    "spares nobody once anybody else is spared": (
        "MCFriendly",
        "IsSpared(p, t) => \\A u \\in Land",
        "IsSpared(p, t) => \\E u \\in Land",
    ),
    "is not friendly": ("MCFriendly", '    /\\ BanditTargets = "friendly" => IsFriendlyTarget(p, t)\n', ""),
    "stands still where all are spared": (
        "MCSpared",
        "IsSpared(p, t) => \\A u \\in Land \\ {G.ba} : IsSpared(p, u)",
        "~IsSpared(p, t)",
    ),
    "counts his own tile": (
        "MCSpared",
        "\\A u \\in Land \\ {G.ba} : IsSpared(p, u)",
        "\\A u \\in Land : IsSpared(p, u)",
    ),
}
"""The model that shows it, and what is changed."""


def mutated(name: str) -> Seen:
    model, old, new = MUTANTS[name]
    return run_model(model, quick_tlc(), reworded("Catan.tla", old, new))


def test_every_change_of_whom_the_bandit_spares_is_noticed() -> None:
    whole = {name: run_model(name, quick_tlc()) for name in ("MCFriendly", "MCSpared")}
    assert {one.verdict for one in whole.values()} == {"fine"}
    seen = {name: mutated(name) for name in MUTANTS}
    unseen = {name for name, one in seen.items() if not is_noticed(whole[MUTANTS[name][0]], one)}
    assert unseen == set(), (whole, seen)
