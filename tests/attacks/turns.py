"""Who never ends their turn, and who votes on others before they could have acted."""

from contextlib import AbstractContextManager
from pathlib import Path

from catan_p2p.cli.main import main
from catan_p2p.cli.output import WRONG_USAGE
from catan_p2p.game.actions import OfferTrade, RollForStart
from catan_p2p.game.rules import apply, decisions
from catan_p2p.log.refs import local_ref
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.voting import TooEarly
from catan_p2p.tables.setup import OFFERS_A_TURN, at_table
from catan_p2p.time_source import SYSTEM_TIME
from tests.attacks.registry import attack
from tests.replication.tables import make_seats, opened, point, refused, write_object
from tests.replication.test_turn_clock import (
    AGREED,
    UNBOUNDED,
    TwoClocks,
    is_left_out,
    look,
    look_until_left_out,
    trade_on,
    trader_of,
    trades_until_left_out,
    until_one_can_trade,
)


def _dealt(folder: Path, rules: str) -> AbstractContextManager[list[Replica]]:
    return opened(make_seats(folder, 3, 7, rules=rules))


@attack(
    "endless offers and withdrawals in one turn",
    "the eleventh offer is refused; then the patience passes",
)
def endless_offers(folder: Path) -> None:
    with _dealt(folder, at_table(UNBOUNDED)) as replicas:
        table = until_one_can_trade(replicas)
        trader = trader_of(table)
        for _ in range(OFFERS_A_TURN):
            trade_on(table)
            offer = trader.graph.state.offer
            trade_on(table)
        look(table, None)
        state = trader.graph.state
        assert not any(isinstance(one, OfferTrade) for one in decisions(state, trader.player))
        action = OfferTrade(trader.player, *offer)
        path = trader.store.folder.parent
        put = lambda kind, data: write_object(path, kind, data)  # noqa: E731
        bad = trader.graph.write(action, state, 1735690000, put).commit
        point(path, local_ref(trader.game.branch(trader.player)), bad)
        look(table, None)
        for other in table.there:
            assert bad not in other.graph
            assert "guard" in refused(other, trader.game.seats[trader.player - 1].colour)
        table.time.sleep(600.0)
        look_until_left_out(table, 600.0)
        assert is_left_out(table)


@attack(
    "an offer or withdrawal just before each patience ends, without a bound on offers",
    "left out after five patiences of one turn",
)
def endless_trader(folder: Path) -> None:
    with _dealt(folder, AGREED) as replicas:
        assert trades_until_left_out(until_one_can_trade(replicas), 12) == 5


@attack(
    "two of three vote early (`peer --patience 1s`, `vote`) on one who thinks for 8 seconds",
    "refused before the table's patience is over",
    tries=3,
)
def impatient_pair(folder: Path) -> None:
    with _dealt(folder, AGREED) as replicas:
        clocks = TwoClocks(SYSTEM_TIME.monotonic(), SYSTEM_TIME.date_s())  # those of the verbs below
        table = until_one_can_trade(replicas, clocks)
        table.time.sleep(8.0)
        assert look(table, 1.0) == []
        for other in table.there:
            try:
                table.voting[other].vote(trader_of(table).player)
            except TooEarly:
                continue
            raise AssertionError("voted after 8 seconds")
        paths = [other.store.folder.parent for other in table.there]
        absent = trader_of(table).game.seats[trader_of(table).player - 1].colour
    for path in paths:
        assert main(["peer", str(path), "--patience", "1s"]) == WRONG_USAGE
        assert main(["vote", str(path), "--on", absent]) == WRONG_USAGE


# By StartOrder = dice they roll for ever.
@attack("two of three choose their dice and tie every roll for the start", "the game begins")
def ties_for_ever(folder: Path) -> None:
    with _dealt(folder, at_table("brief", chance="actor", leaving=True)) as replicas:
        for _ in range(6):
            for replica in replicas:
                replica.synchronize()
                if replica.is_awaited and replica.graph.state.sup == "Rolling":
                    total = 7 if replica is replicas[2] else 12
                    roll = RollForStart(replica.player, total)
                    replica._log_action(roll, apply(replica.graph.state, roll))
                    replica.store.publish()
        assert [replica.graph.state.sup for replica in replicas] == ["PhaseOne"] * 3
        assert {replica.graph.state.first for replica in replicas} == {1}
