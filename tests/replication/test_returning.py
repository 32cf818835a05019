"""Who was left out starts their program again, comes back by a decision of the others, and plays on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.cli.narration import ReplicaNarration
from catan_p2p.game.actions import Claim, ComeBack
from catan_p2p.game.constants import Chance, Hands
from catan_p2p.log.history import load_history
from catan_p2p.log.views.view import Change
from catan_p2p.model_check.changes import read_changes
from catan_p2p.replication import prospects
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.voting import VotingProblem
from catan_p2p.sessions.seat_driver import Metronome, SeatControl, SeatDriver
from tests.replication.changes import play_until, seats, without_one
from tests.replication.peers import PATIENCE_S, STEP_S, PeerTable, views_of
from tests.replication.tables import opened, play_rounds


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine that has played no seat yet."""
    monkeypatch.setenv("CATAN_P2P_HOME", str(tmp_path / "home"))


def is_away(replica: Replica, player: int) -> bool:
    return replica.graph.state.away[player - 1]


TIME = r"\d\d:\d\d:\d\d"
BACK = re.compile(rf"you are back in the game: away from {TIME} to {TIME} UTC(; the others ended [1-9]\d* turns?)?\n")


@pytest.mark.long
@pytest.mark.parametrize(("chance", "hands"), [("actor", "open"), ("joint", "open"), ("joint", "hidden")])
def test_whoever_was_left_out_plays_on_and_all_verbs_read_the_game(
    tmp_path: Path, chance: Chance, hands: Hands, capsys: pytest.CaptureFixture[str]
) -> None:
    with without_one(seats(tmp_path, 4, chance, hands, returns=2), 40 if hands == "open" else 220) as (replicas, path):
        silent = next(seat.colour for seat in replicas[0].game.seats if seat.colour == path.name)
        player = replicas[0].game.player_of(silent) or 0
        table = PeerTable(replicas)
        table.pass_patience()
        assert is_away(replicas[0], player)
    with opened([one.store.folder.parent for one in replicas]) as others:
        table = PeerTable(others)
        back = table.start(path)
        narration = ReplicaNarration(back, silent, tells_steps=False, tells_progress=False)
        driver = SeatDriver(silent, back, SeatControl(None), Metronome(0.0), is_person=True)
        capsys.readouterr()
        table.look(back)
        narration(table.voting[back], "")
        told = "the others have gone on without you; you can watch, and are back once you have missed a turn"
        assert told in capsys.readouterr().err
        assert driver.away_players().words.startswith(told)
        table.play(lambda replica: replica is back and not is_away(back, player), PATIENCE_S)
        narration(table.voting[back], "")
        assert BACK.search(said := capsys.readouterr().err)
        assert driver.away_players().words in said  # until the turn ends
        assert table.play(lambda replica: replica.is_awaited and replica is back, before_acting=True).act()
        assert not any(replica.rejected for replica in table.peers)
        assert views_of(back).view.value.returning == (player,)
        for one in table.peers:
            one.store.publish()
        table.kill(back)
    one = others[0].store.folder.parent
    history = load_history(one, may_be_hidden=True)
    assert history.rejected == ()
    shown = next(logged.action.shown for logged in history.actions if isinstance(logged.action, ComeBack))
    assert bool(shown) == (hands == "hidden")

    def said(*words: str) -> str:
        assert main([*words]) in (0, 3)
        return capsys.readouterr().out

    assert "in order" in said("verify", str(one))
    assert f"goes on with {silent} again" in said("log", str(one))
    assert "excused" not in said("status", str(one))
    assert json.loads(said("turn", str(path), "--json"))["left_out"] is False
    assert silent in said("stats", str(one))
    assert hands == "hidden" or said("export", "--format", "catan", str(one))
    assert read_changes([one]) is not None


@pytest.mark.long
def test_people_who_look_in_by_turn_come_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = seats(tmp_path, 4, patience_s=0, returns=3)
    with opened(paths) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 60)
        play_until(replicas, {3})
    red, blue, green, orange = map(str, paths)
    for path in (red, blue, orange):
        main(["vote", path])
    for path in (blue, red, orange, blue, red, orange):
        main(["turn", path])
    capsys.readouterr()
    main(["turn", green])
    assert "the others have gone on without you; you can watch, and are back once" in capsys.readouterr().out
    said = ""
    for _ in range(4):
        for path in (red, blue, orange, green):
            main(["turn", path])
        said += capsys.readouterr().err
    assert BACK.search(said)
    assert not json.loads(_said(capsys, "status", red, "--json"))["excused"]


def _said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    main([*words])
    return capsys.readouterr().out


@contextmanager
def two_left(tmp_path: Path) -> Iterator[tuple[PeerTable, Path, Replica]]:
    """A table of three that one has left, whose path follows, and may come back to; whoever is awaited is silent."""
    with without_one(seats(tmp_path, 3, returns=2), 40) as (replicas, path):
        PeerTable(replicas).pass_patience()
        gone = replicas[0].game.player_of(path.name) or 0
    with opened([one.store.folder.parent for one in replicas]) as others:
        table = PeerTable(others)
        silent = table.play(lambda replica: replica.graph.state.ret[gone - 1].missed and replica.is_awaited)
        table.there.remove(silent)
        yield table, path, silent


@pytest.mark.long
def test_nobody_asks_before_more_than_half_have_answered(tmp_path: Path) -> None:
    with without_one(seats(tmp_path, 4, returns=2), 40) as (replicas, path):
        table = PeerTable(replicas)
        table.pass_patience()
        colour = replicas[0].game.player_of(path.name) or 0
        table.play(lambda replica: replica.graph.state.ret[colour - 1].missed)
        places = [one.store.folder.parent for one in replicas]
    with opened(places) as others:
        table = PeerTable(others)
        back = table.start(path)
        table.look(back)
        assert table.voting[back]._duty.may_come_back
        heard = back.catch_up._heard
        while len(heard) > 1:
            heard.pop()
        assert table.voting[back].go_on() == []
        table.look(back)
        for one in back.neighbours:
            back.catch_up.hear(one.colour)
        (request,) = table.voting[back].go_on()
        assert request.action.kind == "request"  # type: ignore[union-attr]
        table.kill(back)


@pytest.mark.long
def test_the_game_is_not_claimed_in_the_first_patience_after_somebody_has_asked_to_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with two_left(tmp_path) as (table, path, silent):
        (waiting,) = table.there
        voting, absent = table.voting[waiting], (silent.player,)

        def left_s() -> float:
            (claim,) = voting.prospects()
            assert (claim.absent,) == absent and claim.is_claim
            return claim.left_s

        table.look()
        assert 0 < left_s() <= PATIENCE_S
        for _ in range(4):
            voting.look()
            table.time.sleep(STEP_S)
        assert left_s() == 0
        asked_s = int(table.time.date_s())  # this table's commits are not dated by its clock
        monkeypatch.setattr(prospects, "_date_s", lambda _commit, _read: asked_s)
        back = table.start(path)
        table.look(back)
        (request,) = table.voting[back].go_on()
        assert request.action.kind == "request"  # type: ignore[union-attr]
        table.look(waiting)
        assert 0 < left_s() <= PATIENCE_S
        # Who has asked, and is gone again, costs nobody the claim.
        table.kill(back)
        for _ in range(4):
            assert not voting.go_on(PATIENCE_S)
            table.time.sleep(STEP_S)
        assert left_s() == 0
        assert isinstance(voting.claim().action, Claim) and waiting.graph.state.is_over


@pytest.mark.long
def test_of_two_only_who_has_voted_with_a_third_that_waits_too_can_claim_no_more(tmp_path: Path) -> None:
    with two_left(tmp_path) as (table, path, _):
        (waiting,) = table.there
        back, voting = table.start(path), table.voting[waiting]
        while not waiting.graph.valid.changes.votes.get(Change.of(waiting.graph.valid.view)):
            table.time.sleep(STEP_S)
            table.look(back)
            table.voting[back].go_on(PATIENCE_S)
            assert not voting.go_on(PATIENCE_S)
            table.look(waiting)
        table.kill(back)
        while not (written := voting.go_on(PATIENCE_S)):
            table.time.sleep(STEP_S)
        assert [step.action.player for step in written] == [waiting.player]
        (prospect,) = voting.prospects()
        assert not prospect.is_claim and not prospect.is_possible
        with pytest.raises(VotingProblem):
            voting.claim()
