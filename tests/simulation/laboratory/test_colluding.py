"""Liars who help one another, and who play two games at once: no told share is used again, all honest end alike."""

import pytest

from catan_p2p.log.ballot import VotingRound
from catan_p2p.log.proof import ProofCharge
from catan_p2p.replication.core.voter import VoteWriter
from catan_p2p.replication.told_shares import ToldShares
from tests.simulation.laboratory.colluding import play_one

ACCOMPLICES, SPLIT = 2, 1


@pytest.mark.sampled(3)
@pytest.mark.long
@pytest.mark.parametrize("seed", [ACCOMPLICES, SPLIT], ids=["accomplices", "split views"])
def test_liars_are_found_out_and_the_others_go_on(seed: int) -> None:
    figures = play_one(seed)
    assert figures.failures == []
    assert min(figures.lies, figures.lines, figures.settled, figures.excused) > 0


def test_the_referee_sees_a_told_share_that_is_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    charge_for = VoteWriter._charge_for

    def without_the_number(self: VoteWriter, round: VotingRound) -> ProofCharge | None:
        charge = charge_for(self, round)
        return None if charge is None else charge._replace(spent=None)

    monkeypatch.setattr(VoteWriter, "_charge_for", without_the_number)
    monkeypatch.setattr(ToldShares, "take_in", lambda self, commits: None)
    (failure,) = play_one(ACCOMPLICES).failures
    assert "tells share" in failure


@pytest.mark.long
@pytest.mark.sampled(9)
@pytest.mark.parametrize("seed", (0, 3, 8, 9, 16, 5015))
def test_games_of_the_campaign(seed: int) -> None:
    """In game 5015, the others have ended, and the liar waits for nobody."""
    assert play_one(seed).failures == []
