"""What a peer does in its own memory is one step for the others: nothing that anybody can see is lost by that."""

import re
import tempfile
from pathlib import Path

import pytest

from catan_p2p.model_check.configurations import config_text, settings_of
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


def compare(model: str) -> tuple[int, int]:
    """How many states there are with the reduction and without; ``AssertionError`` if it loses what others can see."""
    reduced, quiet = quiet_states(model, "P2PNext")
    free, same = quiet_states(model, "FreeNext")
    assert quiet == same
    return reduced, free


def test_the_same_quiet_states_are_reached_without_the_reduction() -> None:
    assert compare("MCP2PTwo") == (1281, 1319)


@pytest.mark.soak
def test_the_same_quiet_states_are_reached_where_one_lies() -> None:
    assert compare("MCP2PLiar") == (6282, 10690)
