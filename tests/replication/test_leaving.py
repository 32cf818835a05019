"""A player leaves for ever, comes back too late, or only just in time: the others go on, all of them on one line.

Real repositories of three and four players, looked at in one process: whoever has left is not asked any more. The
others wait, and change the view; nobody honest is ever charged.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from catan_p2p.game.actions.replies import owes_reply
from catan_p2p.game.constants import Player
from catan_p2p.log.audit import audit
from catan_p2p.replication.play import LookPace, PeerLife
from catan_p2p.replication.replica import Replica
from tests.replication.peers import PATIENCE_S, STEP_S, PeerTable, views_of
from tests.replication.tables import git, make_seats, opened

pytestmark = pytest.mark.long

SHORT = "; PointsToWin = 4; Leaving = yes"
_JOINT = "; Chance = joint"


class Absence(NamedTuple):
    """Who leaves once so many commits are known to them, and when they are back: after so many rounds, or never."""

    player: Player
    at: int
    back_after: int | None = None
    settles: bool = False
    """They leave when all shares of a draw are told and it is for them to say what comes of it."""

    def begins(self, leaver: Replica) -> bool:
        """Whether they leave now."""
        state = leaver.graph.state
        is_to_settle = state.tp == "Drawing" and leaver.is_awaited and not any(state.due)
        return len(leaver.graph) >= self.at and (is_to_settle or not self.settles)


def play_without(replicas: Sequence[Replica], absence: Absence) -> PeerTable[Replica]:
    """Play to the end, a player being away for a time; the table, with all who are there in the end."""
    table, leaver = PeerTable(replicas), replicas[absence.player - 1]
    table.play(lambda one: one is leaver and absence.begins(one), PATIENCE_S, before_acting=True)
    table.there.remove(leaver)
    if absence.back_after is not None:
        for _ in range(absence.back_after):
            table.round(PATIENCE_S, pause_s=STEP_S)
        table.there.append(leaver)
    table.finish(PATIENCE_S)
    assert len({replica.graph.head for replica in table.there}) == 1
    for replica in table.there:
        assert not any(neighbour.rejected for neighbour in replica.neighbours)
        check_charged(replica)
    return table


def check_charged(replica: Replica) -> None:
    """Nobody is charged with anything."""
    assert not (replica.store.folder / "catan-p2p" / "refusals.jsonl").exists()


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("players", "rules", "absence"),
    [
        pytest.param(3, "thesis" + SHORT, Absence(2, 4), id="in the set-up"),
        pytest.param(3, "thesis" + SHORT, Absence(1, 20), id="in a turn"),
        pytest.param(3, "thesis" + SHORT + _JOINT, Absence(3, 2), id="before the pledges are there"),
        pytest.param(3, "thesis" + SHORT + _JOINT, Absence(1, 20, settles=True), id="all shares are told"),
        pytest.param(4, "brief" + SHORT + _JOINT, Absence(1, 60), id="in a draw, four players"),
    ],
)
def test_the_others_go_on_without_one_who_has_left_for_ever(
    tmp_path: Path, players: int, rules: str, absence: Absence
) -> None:
    with opened(make_seats(tmp_path, players, 7, rules=rules)) as replicas:
        state = play_without(replicas, absence).there[0].graph.state
        assert [player for player, away in enumerate(state.away, 1) if away] in ([absence.player], [])
        assert state.winner != absence.player or not any(state.away)


def test_who_comes_back_after_the_change_watches(tmp_path: Path) -> None:
    with opened(make_seats(tmp_path, 3, 7, rules="thesis" + SHORT)) as replicas:
        table = play_without(replicas, Absence(2, 20, 40))
        assert table.there[0].graph.state.away == (False, True, False)
        assert replicas[1] in table.there
        assert not replicas[1].is_awaited


def _until_awaited(replicas: Sequence[Replica], player: Player) -> None:
    """Play until a player is awaited, who does not act."""
    while True:
        for replica in replicas:
            replica.synchronize()
        if len(replicas[0].graph) >= 20 and replicas[player - 1].is_awaited:
            return
        for replica in replicas:
            if not (replica.player == player and len(replica.graph) >= 20):
                replica.act()


def test_an_action_that_nobody_saw_in_time_stays_in_the_log_of_its_player(tmp_path: Path) -> None:
    paths = make_seats(tmp_path, 3, 7, rules="thesis" + SHORT)
    with opened(paths) as replicas:
        _until_awaited(replicas, 1)
        red, *others = replicas
        shown = red.store.own_ref(red.core.held.log)
        unseen = red.act()[-1].commit
        red.store.publish()
        log = red.store.folder / "refs" / "heads" / "Red_0"
        newest = log.read_text()
        log.write_text(f"{shown}\n")
        PeerTable(others).pass_patience()
        assert others[0].graph.state.away == (True, False, False)
        log.write_text(newest)
        for replica in (*others, red):
            replica.synchronize()
            replica.store.publish()
            check_charged(replica)
        assert red.graph.state.away == (True, False, False)
        assert red.graph.head == others[0].graph.head
    assert git(paths[0], "rev-parse", "Red_0") == unseen
    assert audit(paths[0]).is_fine
    with opened(paths[:1]) as (again,):
        assert again.graph.head == others[0].graph.head
        assert not again.is_awaited


def test_a_reply_that_nobody_saw_in_time_is_undone(tmp_path: Path) -> None:
    """Red discards, and nobody sees it; Blue and Green go on without Red, who comes back."""
    paths = make_seats(tmp_path, 3, 7, rules="thesis; HandLimit = 1; Leaving = yes")
    with opened(paths) as replicas:
        red, *others = replicas
        while not all(_owes_after_anothers_seven(replica, red.player) for replica in replicas):
            for replica in replicas:
                replica.synchronize()
                if replica is not red or not _owes_after_anothers_seven(replica, red.player):
                    replica.act()
        (reply,) = red.act()
        for replica in others:
            replica.neighbours = [one for one in replica.neighbours if one.player != red.player]
            replica.act()
        PeerTable(others).pass_patience()
        for replica in (*others, red):
            replica.synchronize()
            replica.store.publish()
        assert red.graph.state.away == (True, False, False)
        assert red.graph.head in others[0].graph
        assert reply.commit not in red.graph.line_commits()
    verdict = audit(paths[0])
    assert verdict.is_fine, verdict
    with opened(paths[:1]) as (again,):
        assert again.graph.head == red.graph.head


def _owes_after_anothers_seven(replica: Replica, player: Player) -> bool:
    return owes_reply(replica.graph.state, player) and replica.graph.state.ap != player


def test_whose_action_one_of_the_voters_has_seen_stays(tmp_path: Path) -> None:
    """Red acts, only Green sees it, and Red is gone from then on; all vote, and go on from what Red did."""
    with opened(make_seats(tmp_path, 4, 7, rules="thesis" + SHORT)) as replicas:
        red, blue, green, orange = replicas
        _until_awaited(replicas, 1)
        while red.is_awaited:
            red.act(1 + len(red.graph))
        red.store.publish()
        green.synchronize()
        done = red.graph.head
        assert green.graph.head == done
        for replica in (blue, green, orange):
            replica.neighbours = [one for one in replica.neighbours if one.player != 1]
        for replica in (blue, orange):  # who would have heard of it by looking at Green before they vote
            replica.neighbours, others = [], replica.neighbours
            table = PeerTable([replica])
            while not table.voting[replica].go_on(PATIENCE_S):
                table.time.sleep(STEP_S)
            replica.neighbours = others
            replica.store.publish()
        PeerTable([blue, green, orange]).pass_patience()
        for replica in (blue, green, orange):
            assert not any(replica.graph.state.away)
            assert views_of(replica).line.leads(replica.graph.head, done)
            check_charged(replica)


def test_patience_is_longer_where_looks_take_long(tmp_path: Path) -> None:
    with opened(make_seats(tmp_path, 3, 7, rules="thesis" + SHORT)) as replicas:
        blue = replicas[1]
        life, waited = PeerLife(blue, LookPace(patience_s=20.0)), []
        life.voting.go_on = lambda patience_s=None: waited.append(patience_s) or []  # type: ignore[method-assign,func-returns-value]
        for neighbour, longest_s in zip(blue.neighbours, (3.0, 12.0), strict=True):
            life.turn()
            neighbour.longest_s = longest_s
        life._vote()
        assert waited[0] == 20.0
        assert waited[-1] == 60.0
