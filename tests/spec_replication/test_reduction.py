"""What a peer does in its own memory is one step for the others: nothing that anybody can see is lost by that."""

import re
import tempfile
from pathlib import Path

import pytest

from catan_p2p.model_check.configurations import config_text, settings_of
from tests.for_each import with_soak
from tests.model_check.guard_mutations import quick_tlc

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long, pytest.mark.sampled(2, together=True)]

_QUIET = """---- MODULE Quiet ----
EXTENDS MCP2P
Tell == (\\A p \\in Players : ~InMidst(p)) => PrintT(<<"quiet", p2pVars>>)
====
"""
_CONSTANTS = re.compile(r"^CONSTANTS\n(?:[ \t]+.*\n)+", re.MULTILINE)


def quiet_states(model: str, step: str) -> tuple[int, set[str]]:
    """How many states a model of the replication has by a next-state relation, and those in which nobody is busy."""
    constants = _CONSTANTS.search(config_text(settings_of(model)))
    assert constants is not None
    with tempfile.TemporaryDirectory() as scratch:
        module = Path(scratch) / "Quiet.tla"
        module.write_text(_QUIET, encoding="utf-8")
        result = quick_tlc().run(module, f"INIT P2PInit\nNEXT {step}\n{constants[0]}INVARIANT Tell\n")
    assert result.verdict == "fine", result.detail
    printed = "\n".join(result.printed)
    return result.distinct, {" ".join(part.split()) for part in re.split(r'<<\s*"quiet",', printed)[1:]}


@pytest.mark.parametrize(
    ("model", "reduced", "free"), with_soak([("MCP2PTwo", 1281, 1319)], [("MCP2PLiar", 6282, 10690)])
)
def test_the_same_quiet_states_are_reached_without_the_reduction(model: str, reduced: int, free: int) -> None:
    """Else it would lose what others can see."""
    fewer, quiet = quiet_states(model, "P2PNext")
    all_states, same = quiet_states(model, "FreeNext")
    assert quiet == same
    assert (fewer, all_states) == (reduced, free)
