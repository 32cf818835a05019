"""The thesis's errors put back, one at a time: TLC notices each (rows of docs/research/errata.md)."""

from typing import NamedTuple

import pytest

from tests.model_check.guard_mutations import is_noticed, quick_tlc, reworded, run_model

pytestmark = pytest.mark.long


class Mutant(NamedTuple):
    """What stands in ``Catan.tla`` and what the thesis has instead, the model that notices, and by which check."""

    right: str
    wrong: str
    model: str
    check: str
    """The name of an invariant or a property, or ``counts``: other states are reached."""


MUTANTS = {
    "S1": Mutant("next == NextPresent(g.away, g.ap)", "next == g.ap", "MCTrade", "TurnPasses"),
    "S2": Mutant("IF cards(p) > HandLimit THEN", "IF cards(p) > 0 THEN", "MCSeven", "DiscardIsHalf"),
    "S3": Mutant("ELSE CHOOSE p \\in leaders : TRUE", "ELSE NoOwner", "MCKnights", "BonusHolders"),
    "S4": Mutant("IN IF most < enough THEN", "IN IF most <= enough THEN", "MCRoads", "BonusHolders"),
    "S4b": Mutant(
        "BonusHolder(G.lr, TLCEval([p \\in Players |-> LongestTrail(p, s, r)])",
        "BonusHolder(G.lr, TLCEval([p \\in Players |-> LongestTrail(G.ap, s, r)])",
        "MCRoads",
        "BonusHolders",
    ),
    "S5": Mutant("IF t = G.ba THEN 0 ELSE Cardinality", "Cardinality", "MCSeven", "ProductionEqualsBoard"),
    "S5b": Mutant(
        "Cardinality(settled(t)) + Cardinality(cities(t))",
        "(IF settled(t) = {} THEN 0 ELSE 1) + (IF cities(t) = {} THEN 0 ELSE 1)",
        "MCHarvest",
        "ProductionEqualsBoard",
    ),
    "S6": Mutant(f"{'to # G.ba':53}\\* MB4", f"{'TRUE':53}\\* MB4", "MCSeven", "DiscardIsHalf"),
    "S7": Mutant('ELSE IF Shortage = "nobody" THEN rolled', 'ELSE IF Shortage = "nobody" THEN G', "MCSeven", "counts"),
    "S8": Mutant("> (IF first = second THEN 1 ELSE 0)", "> 0", "MCProgress", "TypeOK"),
    "S9": Mutant("ELSE {res \\in RCT : G.h[victim].RC[res] > 0}", "ELSE RCT", "MCSeven", "TypeOK"),
    "S10": Mutant(
        "AdversariesAt(p, t) = {} => \\A u \\in Land \\ {G.ba} : AdversariesAt(p, u) = {}",
        "AdversariesAt(p, t) # {}",
        "MCOutlaw",
        "counts",
    ),
    "S14": Mutant(f"{'give # receive':53}\\* TF5", f"{'TRUE':53}\\* TF5", "MCTrade", "TradeIsBetweenTwo"),
    "S17": Mutant("\\/ G.s[sp].own = NoOwner /\\ \\E other", "\\/ \\E other", "MCSpecial", "counts"),
}  # fmt: skip


def test_every_mutant_changes_one_place() -> None:
    for mutant in MUTANTS.values():
        reworded("Catan.tla", mutant.right, mutant.wrong)


@pytest.mark.soak
@pytest.mark.needs("spec")
@pytest.mark.parametrize("name", MUTANTS)
def test_an_error_of_the_thesis_is_noticed(name: str) -> None:
    mutant = MUTANTS[name]
    seen = run_model(mutant.model, quick_tlc(), reworded("Catan.tla", mutant.right, mutant.wrong))
    if mutant.check == "counts":
        assert is_noticed(run_model(mutant.model, quick_tlc()), seen)
        assert seen.verdict == "fine"
    else:
        assert f" {mutant.check} " in seen.verdict
