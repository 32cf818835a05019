"""Players of hidden hands leave and come back: the referee judges whole games of it, and what liars write in them."""

from __future__ import annotations

import re
from random import Random

import pytest

from catan_p2p.game.rules import awaited
from catan_p2p.log.verdict import CommitRejected
from catan_p2p.replication.core.view_duty import ViewDuty
from tests.log.table import LogTable, Table, hidden_log
from tests.referee import referee
from tests.referee.beside import beside
from tests.referee.mutants import LIES

MOST = 400


def restless(players: int, seed: int, often: float = 0.03, kind: type[Table] = LogTable) -> Table:  # type: ignore[assignment]
    """A game of hidden hands that somebody leaves again and again, and comes back to as soon as they may."""
    table = hidden_log("brief; HandLimit = 4", players, seed, returns=1 + seed % 3, kind=kind)
    rng = Random(seed)
    while len(table.steps) < MOST and not table.state.is_over:
        state = table.state
        duties = [ViewDuty(table.graph.valid, seat) for seat in state.constants.players]
        back = [seat for seat, duty in enumerate(duties, 1) if duty.may_come_back]
        if len(state.present) > 2 and rng.random() < often:
            table.excuse(rng.choice(awaited(state)))
        elif back and rng.random() < 0.3:
            table.come_back(rng.choice(back))
        else:
            table.act(rng.choice(awaited(state)))
    return table


@pytest.mark.sampled(4)
@pytest.mark.long
@pytest.mark.parametrize("name", LIES)
def test_a_lie_about_a_return_is_refused_and_accepted_by_a_referee_without_the_rule(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lie = LIES[name]
    with beside() as both:
        table, commit = lie.write()
        found = table.check(table.graph, commit)
        assert isinstance(found, CommitRejected)
        with pytest.raises(referee.Refused, match=re.escape(lie.said)):
            both.log(table.graph).judge(commit, table.objects.read(commit)[1])
        lie.lost.make(monkeypatch)
        with pytest.raises(AssertionError, match="referee \\n"):
            table.check(table.graph, commit)
        both.differences.clear()
