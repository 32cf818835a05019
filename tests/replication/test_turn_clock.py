"""Patience, in virtual time: who is silent, who goes on and on without ending their turn, and who is only slow.

Real repositories of three players at a table with talk, where offers can be made and withdrawn at any time.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from catan_p2p.game.actions import Action, EmptyBuild, OfferTrade, Vote, WithdrawTrade
from catan_p2p.game.rules import any_offer, decisions
from catan_p2p.replication import turn_clock
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.turn_clock import TURN_PATIENCES, TurnClock
from catan_p2p.replication.voting import TooEarly, Voting
from tests.replication.tables import make_seats, opened, play_rounds
from tests.virtual_time import VirtualTime

PATIENCE_S = 600
JUST_BEFORE_S = 590.0
UNBOUNDED = "brief; TableTalk = yes; Leaving = yes"
_ANSWER_S = 60.0
"""No look has to wait as long on however busy a machine."""
AGREED = f"{UNBOUNDED}; Patience = {PATIENCE_S}"


class Table:
    """Three players, one of whom can trade; the others look and vote once time has passed."""

    def __init__(self, replicas: list[Replica]) -> None:
        play_rounds(replicas, _can_offer)
        for _ in range(2):
            for replica in replicas:
                replica.synchronize()
                replica.store.publish()
        self.time = VirtualTime()
        active = replicas[0].graph.state.ap
        self.trader = next(replica for replica in replicas if replica.player == active)
        self.others = [replica for replica in replicas if replica is not self.trader]
        self.votings = {replica.player: Voting(replica, self.time) for replica in self.others}
        self.look(None)

    def look(self, patience_s: float | None) -> list[Action]:
        """Let the others look, and vote if it is time; what they did."""
        done: list[Action] = []
        for _ in range(8):
            for replica in self.others:
                for neighbour in replica.neighbours:  # which are left alone for a time after they were refused
                    neighbour.strays_at = neighbour.backoff._next = 0.0
                replica.synchronize(answer_s=_ANSWER_S)
                done += [step.action for step in self.votings[replica.player].go_on(patience_s)]
        return done

    @property
    def is_excused(self) -> bool:
        return all(replica.graph.state.away[self.trader.player - 1] for replica in self.others)

    def trade_on(self) -> None:
        """The trader makes an offer, or takes back the one that stands."""
        trader, state = self.trader, self.trader.graph.state
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
def table(tmp_path: Path, rules: str) -> Iterator[Table]:
    with opened(make_seats(tmp_path, 3, 7, rules=rules)) as replicas:
        yield Table(replicas)


def trades_until_excused(table: Table, most: int) -> int | None:
    """How many commits the trader writes, each just before the patience is over; None if nobody stops them."""
    for count in range(most):
        table.time.sleep(JUST_BEFORE_S)
        table.look(PATIENCE_S)
        if table.is_excused:
            return count
        table.trade_on()
        table.look(PATIENCE_S)
    return None


@pytest.mark.long
@pytest.mark.parametrize("rules", [UNBOUNDED, AGREED])
def test_who_trades_for_ever_is_excused(table: Table) -> None:
    assert trades_until_excused(table, 12) == TURN_PATIENCES


def test_without_a_clock_of_the_turn_nobody_stops_them(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_clock, "TURN_PATIENCES", float("inf"))
    assert trades_until_excused(table, 12) is None


def test_who_is_slow_and_ends_their_turn_is_not_voted_on(table: Table) -> None:
    for _ in range(TURN_PATIENCES - 1):
        table.time.sleep(JUST_BEFORE_S)
        assert table.look(PATIENCE_S) == []
        table.trade_on()
        assert table.look(PATIENCE_S) == []
    table.time.sleep(JUST_BEFORE_S)
    assert table.look(PATIENCE_S) == []
    if table.trader.graph.state.tp == "Offering":
        table.trader.carry_out(WithdrawTrade(table.trader.player))
    table.trader.carry_out(EmptyBuild(table.trader.player))
    table.trader.store.publish()
    assert table.look(PATIENCE_S) == []
    table.time.sleep(JUST_BEFORE_S)
    assert table.look(PATIENCE_S) == []
    assert table.others[0].graph.state.ap != table.trader.player


@pytest.mark.long
def test_who_trades_quickly_is_not_voted_on(table: Table) -> None:
    for _ in range(20):
        table.time.sleep(60.0)
        assert table.look(PATIENCE_S) == []
        table.trade_on()
        assert table.look(PATIENCE_S) == []


def test_an_hour_without_a_connection_counts_as_one_patience(table: Table) -> None:
    blue = table.others[0]
    voting = table.votings[blue.player]
    table.trade_on()
    table.time.sleep(3600.0)
    blue.synchronize()
    assert voting.go_on(PATIENCE_S) == []
    assert voting.clock.turn_s(table.trader.player, PATIENCE_S) == PATIENCE_S


def test_nobody_votes_before_the_patience_of_the_table(table: Table) -> None:
    table.time.sleep(8.0)
    assert table.look(1.0) == []
    excuser = min(table.others, key=lambda one: (one.player - table.trader.player) % 3)
    with pytest.raises(TooEarly, match="this table waits 600 s for a silent player, and here nothing is new for 8 s"):
        table.votings[excuser.player].vote(table.trader.player, "yes")
    table.time.sleep(PATIENCE_S - 9.0)
    assert table.look(1.0) == []
    table.time.sleep(1.0)
    assert Vote(excuser.player, table.trader.player, "yes") in table.look(1.0)
    assert table.is_excused


@pytest.mark.parametrize("rules", [UNBOUNDED])
def test_a_table_without_a_patience_leaves_it_to_its_players(table: Table) -> None:
    table.time.sleep(8.0)
    table.look(5.0)
    assert table.is_excused


def test_a_larger_patience_of_ones_own_is_kept(table: Table) -> None:
    table.time.sleep(2.0 * PATIENCE_S)
    assert table.look(3.0 * PATIENCE_S) == []
    table.time.sleep(2.0 * PATIENCE_S)
    table.look(3.0 * PATIENCE_S)
    assert table.is_excused


def test_a_claim_waits_for_the_patience_of_the_table(tmp_path: Path) -> None:
    with opened(make_seats(tmp_path, 2, 7, rules=f"thesis; Leaving = yes; Patience = {PATIENCE_S}")) as (_, blue):
        time = VirtualTime()
        voting = Voting(blue, time)
        blue.synchronize()
        assert voting.go_on(1.0) == []
        time.sleep(PATIENCE_S - 1.0)
        assert voting.go_on(1.0) == []
        time.sleep(1.0)
        assert len(voting.go_on(1.0)) == 1
        assert blue.graph.state.winner == blue.player


def test_the_clock_begins_anew_with_each_turn(table: Table) -> None:
    time, graph = table.time, table.others[0].graph
    clock = TurnClock(time)
    clock.look(graph)
    time.sleep(500.0)
    assert clock.turn_s(table.trader.player, PATIENCE_S) == 500.0
    assert clock.turn_s(table.others[0].player, PATIENCE_S) == 0.0
    table.trader.carry_out(EmptyBuild(table.trader.player))
    table.trader.store.publish()
    table.look(None)
    clock.look(graph)
    assert clock.turn_s(table.trader.player, PATIENCE_S) == 0.0
