"""The longest trail of ``Catan.tla``: what a plain search finds, and a plain search notices if it is not."""

import pytest

from catan_p2p.model_check.check import check_model
from catan_p2p.model_check.counterexample import describe_network
from catan_p2p.model_check.models import TRAILS
from tests.model_check.guard_mutations import quick_tlc, reworded, run_model

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long]

MUTANTS = {
    "the last layer is one road": ("(IF meet THEN 0 ELSE 1)", "0"),
    "what hangs on a point is passed twice": ("{IF sp = from THEN 0 ELSE hanging[sp]}", "{hanging[sp]}"),
    "settlements of others are passed": ("/\\ s[sp].own = p \\/ s[sp].own = NoOwner\n    /\\ \\E", "/\\ \\E"),
    "roads apart from rings do not count": (
        "Max({OverLayers(p, s, Layers(p, s, own \\ split.rings, <<>>).layers)}",
        "Max({0}",
    ),
    "what hangs on the first point does not count": ("\\cup {hanging[sp] + OverRings", "\\cup {OverRings"),
    "rings are no rings": ("IF split.rings = {} THEN", "IF TRUE THEN"),
    "a ring where three roads meet hides another": (
        "starts == crossings \\cup UNION",
        "starts == IF crossings # {} THEN crossings ELSE UNION",
    ),
    "trails begin where two roads meet": (
        "Cardinality(RoadsAt[sp] \\cap own) > 2",
        "Cardinality(RoadsAt[sp] \\cap own) = 2",
    ),
    "the plain search takes a road twice": ("GoesFar(p, to, left \\ {rp}, n - 1)", "GoesFar(p, to, left, n - 1)"),
    "the plain search passes settlements of others": ("/\\ G.s[sp].own \\in {p, NoOwner}\n", ""),
    "the plain search ends one road early": ("IF n = 1 THEN TRUE ELSE \\E to", "IF n <= 2 THEN TRUE ELSE \\E to"),
}
FIRST, *OTHERS = MUTANTS


@pytest.mark.sampled(2, together=True)
def test_the_longest_trail_is_what_a_plain_search_finds() -> None:
    assert check_model(TRAILS, quick_tlc()).is_as_expected


@pytest.mark.sampled(2, together=True)
@pytest.mark.parametrize("what", [FIRST, *(pytest.param(what, marks=pytest.mark.soak) for what in OTHERS)])
def test_a_plain_search_notices(what: str) -> None:
    seen = run_model(TRAILS.name, quick_tlc(), reworded("Catan.tla", *MUTANTS[what]))
    assert "TrailIsLongest" in seen.verdict


def test_a_network_is_told_in_a_line() -> None:
    text = """/\\ SU = "none"
/\\ G = [ r |-> <<0, 1, 1>>,
  s |-> << [own |-> 0, st |-> "none"], [own |-> 2, st |-> "Village"] >> ]
"""
    assert describe_network(text) == "player 1 has roads at 2, 3, player 2 a village at 2"
