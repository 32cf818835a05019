"""The friendly bandit: every part of what he spares is needed, as a model of him shows when it is changed."""

from __future__ import annotations

import pytest

from catan_p2p.model_check.tlc import spec_folder
from tests.model_check.guard_mutations import Seen, is_noticed, quick_tlc, run_model

pytestmark = [pytest.mark.spec, pytest.mark.soak]

MUTANTS = {
    "spares who has three points": ("PointsIn(G, q) < 3", "PointsIn(G, q) < 4"),
    "spares nobody with two points": ("PointsIn(G, q) < 3", "PointsIn(G, q) < 2"),
    "spares the mover, too": ("\\E q \\in AdversariesAt(p, t) :", "\\E q \\in AdversariesAt(p, t) \\cup {p} :"),
    "goes nowhere where all are spared": (
        "IsSpared(p, t) => \\A u \\in Land \\ {G.ba} : IsSpared(p, u)",
        "~IsSpared(p, t)",
    ),
    "may stay to spare": ("\\A u \\in Land \\ {G.ba} : IsSpared(p, u)", "\\A u \\in Land : IsSpared(p, u)"),
    "spares if anybody is spared": (
        "IsSpared(p, t) => \\A u \\in Land",
        "IsSpared(p, t) => \\E u \\in Land",
    ),
    "is not friendly": ('    /\\ BanditTargets = "friendly" => IsFriendlyTarget(p, t)\n', ""),
}


def mutated(name: str) -> Seen:
    text = (spec_folder() / "Catan.tla").read_text(encoding="utf-8")
    old, new = MUTANTS[name]
    assert text.count(old) == 1, old
    return run_model("MCFriendly", quick_tlc(), {"Catan.tla": text.replace(old, new)})


def test_every_change_of_whom_the_bandit_spares_is_noticed() -> None:
    whole = run_model("MCFriendly", quick_tlc())
    assert whole.verdict == "fine"
    seen = {name: mutated(name) for name in MUTANTS}
    assert {name for name, one in seen.items() if not is_noticed(whole, one)} == set(), (whole, seen)
