"""Patience, in virtual time: who is silent, who goes on and on without ending their turn, and who is only slow.

Real repositories of three players at a table with talk, where offers can be made and withdrawn at any time.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from catan_p2p.cli import narration
from catan_p2p.game.actions import EmptyBuild, Excuse, OfferTrade, WithdrawTrade
from catan_p2p.game.rules import any_offer, decisions
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.log.views.messages import ViewMessage
from catan_p2p.replication import turn_clock
from catan_p2p.replication import voting as voting_module
from catan_p2p.replication.kept_wait import WAITED_FILE
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.turn_clock import TURN_PATIENCES, TurnClock
from catan_p2p.replication.voting import TooEarly, VotingDuty, VotingProblem
from catan_p2p.tables.seat import private_folder
from catan_p2p.tables.status import read_status
from catan_p2p.time_source import TimeSource
from tests.replication.peers import STEP_S, PeerTable
from tests.replication.tables import make_seats, opened, play_rounds, settle
from tests.virtual_time import VirtualTime

PATIENCE_S = 600
JUST_BEFORE_S = 590.0
UNBOUNDED = "brief; TableTalk = yes; Leaving = yes"
CHANGE_S = 120.0
"""How long a change of the view takes, with a coordinator who is silent."""
AGREED = f"{UNBOUNDED}; Patience = {PATIENCE_S}"


def until_one_can_trade(replicas: list[Replica], time: TimeSource | None = None) -> PeerTable[Replica]:
    """Three players, one of whom can trade; the others are there, to look and to vote once time has passed."""
    play_rounds(replicas, _can_offer)
    settle(replicas)
    table = PeerTable(replicas, time)
    table.there = [replica for replica in replicas if replica.player != replica.graph.state.ap]
    look(table, None)
    return table


def trader_of(table: PeerTable[Replica]) -> Replica:
    (trader,) = (replica for replica in table.peers if replica not in table.there)
    return trader


def look(table: PeerTable[Replica], patience_s: float | None) -> list[LoggedStep]:
    """Let the others look, and vote if it is time; what they signed."""
    return [step for _ in range(8) for step in table.round(patience_s, acts=False)]


def look_until_left_out(table: PeerTable[Replica], patience_s: float) -> list[LoggedStep]:
    """The same, while rounds of the change pass."""
    done: list[LoggedStep] = []
    for _ in range(round(CHANGE_S / STEP_S)):
        done += look(table, patience_s)
        table.time.sleep(STEP_S)
    return done


def is_left_out(table: PeerTable[Replica]) -> bool:
    return all(replica.graph.state.away[trader_of(table).player - 1] for replica in table.there)


def trade_on(table: PeerTable[Replica]) -> None:
    """The trader makes an offer, or takes back the one that stands."""
    trader = trader_of(table)
    state = trader.graph.state
    if state.tp == "Offering":
        trader.carry_out(WithdrawTrade(trader.player))
    else:
        offer = next(one for one in decisions(state, trader.player) if isinstance(one, OfferTrade))
        trader.carry_out(any_offer(state, offer, Random(1)))
    trader.store.publish()


def _can_offer(replica: Replica) -> bool:
    state = replica.graph.state
    return state.ap == replica.player and any(isinstance(one, OfferTrade) for one in decisions(state, replica.player))


@pytest.fixture
def rules() -> str:
    return AGREED


@pytest.fixture
def table(tmp_path: Path, rules: str) -> Iterator[PeerTable[Replica]]:
    with opened(make_seats(tmp_path, 3, 7, rules=rules)) as replicas:
        yield until_one_can_trade(replicas)


def trades_until_left_out(table: PeerTable[Replica], most: int) -> int | None:
    """How many commits the trader writes, each just before the patience is over; None if nobody stops them."""
    for count in range(most):
        table.time.sleep(JUST_BEFORE_S - CHANGE_S)
        look_until_left_out(table, PATIENCE_S)
        if is_left_out(table):
            return count
        trade_on(table)
        look(table, PATIENCE_S)
    return None


@pytest.mark.long
@pytest.mark.parametrize("rules", [UNBOUNDED, AGREED])
def test_who_trades_for_ever_is_left_out(table: PeerTable[Replica]) -> None:
    assert trades_until_left_out(table, 12) == TURN_PATIENCES


def test_without_a_clock_of_the_turn_nobody_stops_them(
    table: PeerTable[Replica], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_clock, "TURN_PATIENCES", float("inf"))
    assert trades_until_left_out(table, 12) is None


def test_who_is_slow_and_ends_their_turn_is_not_voted_on(table: PeerTable[Replica]) -> None:
    for _ in range(TURN_PATIENCES - 1):
        table.time.sleep(JUST_BEFORE_S)
        assert look(table, PATIENCE_S) == []
        trade_on(table)
        assert look(table, PATIENCE_S) == []
    table.time.sleep(JUST_BEFORE_S)
    assert look(table, PATIENCE_S) == []
    if trader_of(table).graph.state.tp == "Offering":
        trader_of(table).carry_out(WithdrawTrade(trader_of(table).player))
    trader_of(table).carry_out(EmptyBuild(trader_of(table).player))
    trader_of(table).store.publish()
    assert look(table, PATIENCE_S) == []
    table.time.sleep(JUST_BEFORE_S)
    assert look(table, PATIENCE_S) == []
    assert table.there[0].graph.state.ap != trader_of(table).player


@pytest.mark.long
def test_who_trades_quickly_is_not_voted_on(table: PeerTable[Replica]) -> None:
    for _ in range(20):
        table.time.sleep(60.0)
        assert look(table, PATIENCE_S) == []
        trade_on(table)
        assert look(table, PATIENCE_S) == []


def test_an_hour_without_a_connection_counts_as_one_patience(table: PeerTable[Replica]) -> None:
    blue = table.there[0]
    voting = table.voting[blue]
    trade_on(table)
    table.time.sleep(3600.0)
    blue.synchronize()
    assert voting.go_on(PATIENCE_S) == []
    assert voting.clock.turn_s(trader_of(table).player, PATIENCE_S) == PATIENCE_S


def test_nobody_votes_before_the_patience_of_the_table(table: PeerTable[Replica]) -> None:
    table.time.sleep(8.0)
    assert look(table, 1.0) == []
    trader = trader_of(table).player
    with pytest.raises(
        TooEarly, match="this table waits 10 min for a silent player, and nothing new has come here for 8 s"
    ):
        table.voting[table.there[0]].vote(trader)
    table.time.sleep(PATIENCE_S - 9.0)
    assert look(table, 1.0) == []
    table.time.sleep(1.0)
    signed = [step.action for step in look_until_left_out(table, 1.0)]
    waits = [one.waits for one in signed if isinstance(one, ViewMessage) and one.kind == "vote"]
    assert waits and {*waits} == {(trader,)}
    assert Excuse(table.there[0].player, trader) in signed or Excuse(table.there[1].player, trader) in signed
    assert is_left_out(table)


@pytest.mark.parametrize("rules", [UNBOUNDED])
def test_a_table_without_a_patience_leaves_it_to_its_players(table: PeerTable[Replica]) -> None:
    table.time.sleep(8.0)
    look_until_left_out(table, 5.0)
    assert is_left_out(table)


def test_a_larger_patience_of_ones_own_is_kept(table: PeerTable[Replica]) -> None:
    table.time.sleep(2.0 * PATIENCE_S)
    assert look(table, 3.0 * PATIENCE_S) == []
    table.time.sleep(2.0 * PATIENCE_S)
    look_until_left_out(table, 3.0 * PATIENCE_S)
    assert is_left_out(table)


def test_a_claim_waits_for_the_patience_of_the_table(tmp_path: Path) -> None:
    with opened(make_seats(tmp_path, 2, 7, rules=f"thesis; Leaving = yes; Patience = {PATIENCE_S}")) as (_, blue):
        time = VirtualTime()
        voting = VotingDuty(blue, time)
        blue.synchronize()
        with pytest.raises(TooEarly):
            voting.claim()
        time.sleep(PATIENCE_S - 1.0)
        with pytest.raises(VotingProblem):
            voting.claim()  # who has not looked for so long does not know what was done meanwhile
        blue.synchronize()
        with pytest.raises(TooEarly):
            voting.claim()
        time.sleep(1.0)
        assert voting.go_on(1.0) == []  # nobody claims the game but by hand
        voting.claim()
        assert blue.graph.state.winner == blue.player


def test_the_clock_begins_anew_with_each_turn(table: PeerTable[Replica]) -> None:
    time, graph = table.time, table.there[0].graph
    clock = TurnClock(time)
    clock.look(graph)
    time.sleep(500.0)
    assert clock.turn_s(trader_of(table).player, PATIENCE_S) == 500.0
    assert clock.turn_s(table.there[0].player, PATIENCE_S) == 0.0
    trader_of(table).carry_out(EmptyBuild(trader_of(table).player))
    trader_of(table).store.publish()
    look(table, None)
    clock.look(graph)
    assert clock.turn_s(trader_of(table).player, PATIENCE_S) == 0.0


# What outlives a program. The machine of these tests has two clocks of its own.


class TwoClocks(VirtualTime):
    """A machine whose time of day can be set, and which can be started anew or sleep."""

    def __init__(self, now: float = 5000.0, date: float = 1_000_000.0) -> None:
        super().__init__(now)
        self.date = date

    def date_s(self) -> float:
        return self.date

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.date += seconds


class Machine:
    """Blue's machine at a table of three that waits for Red."""

    def __init__(self, paths: list[Path]) -> None:
        self.paths = paths
        self.clocks = TwoClocks()

    def run(self, seconds: float = 0.0, *, ends_orderly: bool = True) -> tuple[float, bool]:
        """Run a program for so long, which looks every ten seconds: how long is left, and whether it could vote."""
        with opened(self.paths[1:2]) as (blue,):
            voting = VotingDuty(blue, self.clocks)
            for _ in range(int(seconds / 10) + 1):
                blue.synchronize()
                voting.look()
                self.clocks.sleep(min(10.0, seconds))
            (prospect,) = voting.prospects()
            if ends_orderly:
                voting.keep()
        assert kept_prospect(self) == prospect
        return round(prospect.left_s, 3), prospect.is_possible


def kept_prospect(machine: Machine) -> object:
    """What ``status`` makes of what is kept."""
    (prospect,) = read_status(machine.paths[1], machine.clocks).standing.prospects
    return prospect


@pytest.fixture
def blues(tmp_path: Path) -> Machine:
    return Machine(make_seats(tmp_path, 3, 7, rules=f"thesis; Leaving = yes; Patience = {PATIENCE_S}"))


@pytest.mark.parametrize("ends_orderly", [True, False])
def test_a_restart_of_the_program_makes_nobody_wait_longer(blues: Machine, ends_orderly: bool) -> None:
    assert blues.run(290.0, ends_orderly=ends_orderly) == (300.0, False)
    blues.clocks.sleep(200.0)
    assert blues.run(90.0, ends_orderly=ends_orderly) == (0.0, True)


def test_a_clock_that_was_set_lets_nobody_vote(blues: Machine) -> None:
    blues.run(90.0)
    blues.clocks.date += 1e6
    assert blues.run() == (500.0, False)
    blues.clocks.date -= 2e6
    assert blues.run() == (500.0, False)


def test_the_time_before_a_restart_of_the_machine_counts_and_that_of_the_restart_does_not(blues: Machine) -> None:
    blues.run(390.0)
    blues.clocks.now, blues.clocks.date = 3.0, blues.clocks.date + 1e6
    assert blues.run() == (200.0, False)


def test_what_another_machine_has_kept_counts_from_the_copy(blues: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    blues.run(390.0)
    monkeypatch.setattr(turn_clock, "machine", lambda: "elsewhere")
    blues.clocks.now += 1e6
    blues.clocks.date += 1e6
    assert blues.run() == (200.0, False)


def test_a_machine_of_the_same_name_that_has_run_for_longer_lets_nobody_vote(blues: Machine) -> None:
    blues.run(390.0)
    blues.clocks.now, blues.clocks.date = blues.clocks.now + 1e6, blues.clocks.date + 50.0
    assert blues.run() == (150.0, False)


def test_what_came_while_nobody_counted_ends_the_wait(blues: Machine) -> None:
    blues.run(590.0)
    with opened(blues.paths, alone=True) as replicas:
        play_rounds(
            replicas, lambda one: one.graph.action_count >= 3 and one.player == 2 and one.graph.state.su_ap == 1
        )
    blues.clocks.sleep(1000.0)
    assert blues.run() == (600.0, False)


def test_what_was_done_meanwhile_ends_the_wait(blues: Machine) -> None:
    blues.run(590.0)
    with opened(blues.paths[:1], alone=True) as (red,):
        while red.is_awaited:
            red.act()
        red.store.publish()
    blues.clocks.sleep(1000.0)
    with opened(blues.paths[1:2]) as (blue,):
        voting = VotingDuty(blue, blues.clocks)
        voting.look()
        assert voting.prospects() == ()  # the others were not heard yet
        assert blue.synchronize()
        assert [prospect.absent for prospect in voting.prospects() if prospect.is_possible] == []


def test_who_reaches_nobody_does_not_count_the_time_in_which_no_program_ran(blues: Machine) -> None:
    blues.run(90.0)
    blues.clocks.sleep(1000.0)
    for path in (blues.paths[0], blues.paths[2]):
        path.rename(path.with_name(f"{path.name}-away"))
    with opened(blues.paths[1:2], alone=True) as (blue,):
        voting = VotingDuty(blue, blues.clocks)
        blue.synchronize()
        with pytest.raises(TooEarly, match="nobody could be reached"):
            voting.vote(1)
        assert [prospect.left_s for prospect in voting.prospects()] == [500.0]


def test_who_wakes_up_hears_the_others_before_they_vote(blues: Machine) -> None:
    with opened(blues.paths[1:2]) as (blue,):
        voting = VotingDuty(blue, blues.clocks)
        blue.synchronize()
        assert voting.go_on(PATIENCE_S) == []
        for _ in range(59):
            blues.clocks.sleep(10.0)
            assert voting.go_on(PATIENCE_S) == []
        blues.clocks.now, blues.clocks.date = blues.clocks.now + 11.0, blues.clocks.date + 3600.0
        assert voting.prospects() == ()
        assert voting.go_on(PATIENCE_S) == []
        blue.synchronize()
        assert [prospect.is_possible for prospect in voting.prospects()] == [True]


def test_who_looks_seldom_on_purpose_has_not_slept(blues: Machine) -> None:
    with opened(blues.paths[1:2]) as (blue,):
        voting = VotingDuty(blue, blues.clocks)
        blue.synchronize()
        voting.look()
        voting.pause_s = 40.0
        for _ in range(PATIENCE_S // 40):
            blues.clocks.sleep(41.0)
            for neighbour in blue.neighbours:
                assert neighbour.listed is not None
            voting.look()
        assert [prospect.is_possible for prospect in voting.prospects()] == [True]


def test_a_peer_says_what_can_be_done_and_repeats_it_once_that_changes(
    blues: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(narration, "time", blues.clocks)
    with opened(blues.paths[1:2]) as (blue,):
        voting = VotingDuty(blue, blues.clocks)
        tells = narration.ReplicaNarration(blue, "Blue", tells_steps=True, tells_progress=False)
        blue.synchronize()
        for _ in range(PATIENCE_S // 10 + 5):
            tells(voting, "looked")
            blues.clocks.sleep(10.0)
    told = capsys.readouterr().err
    assert [" now " in line for line in told.splitlines() if line.startswith("you can vote")] == [False, True]
    assert 3 < told.count("nothing new: waiting for Red") < 10


def test_damage_to_what_is_kept_only_makes_the_wait_longer(blues: Machine) -> None:
    blues.run(590.0)
    file = private_folder(blues.paths[1]) / WAITED_FILE
    for broken in (b"", b"[]", b"{", b'{"silent_s": "x"}', file.read_bytes().replace(b'"waits"', b'"wait"')):
        file.write_bytes(broken)
        assert blues.run() == (600.0, False)
        blues.run(590.0)


@pytest.mark.parametrize("rules", [UNBOUNDED, AGREED])
def test_a_wait_is_kept_once_it_is_long_and_then_seldom(
    table: PeerTable[Replica], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[float] = []
    monkeypatch.setattr(voting_module, "keep_wait", lambda waited, *where: kept.append(waited.silent_s))
    voting = table.voting[table.there[0]]
    for _ in range(4):
        table.time.sleep(1.0)
        voting.look()
    assert kept == []
    for _ in range(200):
        table.time.sleep(1.0)
        voting.look()
    assert kept == [5.0, 65.0, 125.0, 185.0]
