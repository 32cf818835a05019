"""A recorded game must keep the invariants, too: an action that breaks one is not enough."""

import pytest

from catan_p2p.game.invariants import INVARIANTS
from catan_p2p.model_check import trace
from catan_p2p.model_check.tlc import TlcProgram, TlcResult
from tests.model_check.guard_mutations import quick_tlc
from tests.model_check.recordings import random_recording
from tests.model_check.spec_text import module_text


def test_a_recorded_game_is_checked_with_all_invariants() -> None:
    listed = trace._CONFIG.partition("INVARIANTS")[2].split()
    assert listed == [*(invariant.name for invariant in INVARIANTS), "TraceReached"]


class _BreaksAnInvariant(TlcProgram):
    """A TLC whose specification finds the bandit where he stands not to be on land."""

    def run(self, module, *args, **kwargs) -> TlcResult:  # type: ignore[no-untyped-def]
        text = module_text("Catan.tla").replace("BanditOnLand == G.ba \\in Land", "BanditOnLand == G.dice = 0")
        (module.parent / "Catan.tla").write_text(text, encoding="utf-8")
        return super().run(module, *args, **kwargs)


@pytest.mark.long
@pytest.mark.needs("spec")
def test_a_state_that_breaks_an_invariant_is_refused_though_the_actions_allow_it() -> None:
    recording = random_recording(2, 1, 20)
    tlc = quick_tlc()
    assert trace.check_recording(recording, tlc) is None
    refusal = trace.check_recording(recording, _BreaksAnInvariant(tlc.java, tlc.jar, tlc.options))
    assert refusal is not None
    assert "BanditOnLand" in refusal.detail
