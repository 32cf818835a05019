"""A relay that many tables share: what its daemon does, what the others ask of it, and what is told of it."""

import heapq
from collections.abc import Callable
from functools import lru_cache
from itertools import count
from random import Random
from typing import Any

import pytest

from catan_p2p.log.transport.queries import AskHeads
from catan_p2p.simulation.laboratory.daemon import BACKLOG, DaemonConnection, DaemonCosts, GitDaemon, VisitCost, call
from catan_p2p.simulation.laboratory.figures import summary
from catan_p2p.simulation.laboratory.links import HostPort
from catan_p2p.simulation.laboratory.other_tables import GameScript, OtherPlayer, OtherTable, ScriptedCommit, script_of
from catan_p2p.simulation.laboratory.remotes import VirtualRemote
from catan_p2p.simulation.laboratory.spec import parse_network
from catan_p2p.simulation.laboratory.world import SimulatedWorld
from tests.simulation.laboratory.worlds import settings, world

MS = 1000
S = 1_000_000


class Timetable:
    """A kernel without anything else."""

    def __init__(self) -> None:
        self.now = 0
        self._waiting: list[tuple[int, int, Callable[[], object]]] = []
        self._count = count()

    def at(self, time_us: int, do: Callable[[], object]) -> None:
        heapq.heappush(self._waiting, (time_us, next(self._count), do))

    def run(self, until: int = 1000 * S) -> None:
        while self._waiting and self._waiting[0][0] <= until:
            self.now, _, do = heapq.heappop(self._waiting)
            do()
        self.now = until


def visitor(daemon: GitDaemon, told: list[Any], name: str = "") -> DaemonConnection | None:
    """Somebody who knocks, and says when the connection is dropped."""
    return daemon.knock(lambda: told.append((name, "dropped", daemon.clock.now)))


def worked(daemon: GitDaemon, told: list[Any], name: str, cost_us: int, *, stays: bool = False) -> DaemonConnection:
    """Somebody who has something done, and leaves."""
    found = visitor(daemon, told, name)
    assert found is not None

    def done() -> None:
        told.append((name, "done", daemon.clock.now))
        if not stays:
            found.close()

    found.work(VisitCost(cost_us, 0), done)
    return found


def test_cores_work_for_who_has_waited_longest() -> None:
    time, told = Timetable(), []
    daemon = GitDaemon(time, cores=2, connections=9)
    for name, cost_ms in zip("abcd", (30, 10, 10, 10), strict=True):
        worked(daemon, told, name, cost_ms * MS)
    time.run(until=100 * MS)
    assert [(name, at // MS) for name, _, at in told] == [("b", 10), ("c", 20), ("a", 30), ("d", 30)]
    figures = daemon.figures(0.0)
    assert (figures["processor_share"], figures["queue_longest"], figures["served"]) == (0.3, 2, 4)
    assert figures["queue_mean"] == 0.3  # c waited 10 ms, d 20, of 100
    assert figures["connections_share"] == pytest.approx((30 + 10 + 20 + 30) / 900)


def test_one_more_than_there_may_be_is_served_when_a_process_ends() -> None:
    time, told = Timetable(), []
    daemon = GitDaemon(time, cores=9, connections=2)
    for name in "abc":
        worked(daemon, told, name, 300 * MS)
    time.run(until=10 * S)
    assert [(name, what, at // MS) for name, what, at in told] == [
        ("a", "done", 300),
        ("b", "done", 300),
        ("c", "done", 600),
    ]
    assert daemon.figures(0.0)["refused"] == 0


def test_one_more_is_dropped_after_a_second_in_which_no_process_ends() -> None:
    """As ``git daemon`` of 2.39 does: seen at one with ``--max-connections=4``, of whose visitors none left."""
    time, told = Timetable(), []
    daemon = GitDaemon(time, cores=9, connections=1)
    stays = worked(daemon, told, "a", MS, stays=True)
    for name in "bc":
        worked(daemon, told, name, MS)
    time.run(until=3 * S)
    assert told == [("a", "done", MS), ("b", "dropped", S), ("c", "dropped", 2 * S)]
    stays.close()
    worked(daemon, told, "d", MS)
    time.run(until=4 * S)
    assert told[-1] == ("d", "done", 3 * S + MS)
    assert daemon.figures(0.0)["limit"] == "connections"


def test_who_has_left_is_not_served_and_keeps_no_connection() -> None:
    time, told = Timetable(), []
    daemon = GitDaemon(time, cores=1, connections=1)
    worked(daemon, told, "a", 500 * MS)
    worked(daemon, told, "b", 500 * MS).close()
    worked(daemon, told, "c", 500 * MS)
    time.run(until=10 * S)
    assert [(name, at // MS) for name, _, at in told] == [("a", 500), ("c", 1000)]


def test_work_that_has_begun_goes_on_when_its_visitor_has_left() -> None:
    time, told = Timetable(), []
    daemon = GitDaemon(time, cores=1, connections=1)
    leaves = worked(daemon, told, "a", 500 * MS)
    worked(daemon, told, "b", 100 * MS)
    time.at(100 * MS, leaves.close)
    time.run(until=S)
    assert told == [("b", "done", 600 * MS)]


class Deaf(GitDaemon):
    """One that hears nobody before a time."""

    hears_at = 0

    def knock(self, drop: Callable[[], object]) -> DaemonConnection | None:
        return super().knock(drop) if self.clock.now >= self.hears_at else None


@pytest.mark.parametrize(("hears_at_ms", "heard_at_ms"), [(0, 0), (500, 1000), (2500, 3000), (3500, None)])
def test_who_is_not_heard_knocks_after_one_and_three_seconds_and_gives_up_after_five(
    hears_at_ms: int, heard_at_ms: int | None
) -> None:
    time, told = Timetable(), []
    daemon = Deaf(time, cores=1, connections=1)
    daemon.hears_at = hears_at_ms * MS
    call(
        daemon,
        lambda do: do(),
        lambda do: do(),
        lambda delay_us, do: time.at(time.now + delay_us, do),
        lambda line: told.append("heard"),
        lambda: told.append(time.now // MS),
        lambda why: told.append((why, time.now // MS)),
    )
    time.run(until=20 * S)
    assert told == [("does not answer", 5000)] if heard_at_ms is None else ["heard", heard_at_ms]
    assert daemon.refused == (heard_at_ms is None)


def test_a_full_backlog_hears_nobody() -> None:
    daemon = GitDaemon(Timetable(), cores=1, connections=1)
    found = [visitor(daemon, []) for _ in range(2 + BACKLOG)]
    assert None not in found
    assert visitor(daemon, []) is None
    assert daemon.unheard == 1


def test_what_is_full_is_the_limit() -> None:
    time = Timetable()
    daemon = GitDaemon(time, cores=1, connections=10)
    time.now = 100
    assert daemon.figures(0.1)["limit"] == "none"
    assert daemon.figures(0.9)["limit"] == "link"
    daemon.busy_us = 95
    assert daemon.figures(0.9)["limit"] == "processor"
    daemon.refs_us = 47
    assert daemon.figures(0.9)["limit"] == "processor"
    daemon.refs_us = 48
    assert daemon.figures(0.9)["limit"] == "refs"


def test_refs_cost_processor_time() -> None:
    costs = DaemonCosts()
    for cost in (costs.look, costs.begin, lambda refs: costs.push(refs, 1)):
        few, many = cost(4), cost(4000)
        assert many.us - few.us == many.refs_us - few.refs_us > 10 * MS
    assert costs.push(4, 16).us > costs.push(4, 1).us > costs.fetch(4, 16).us > costs.fetch(4, 1).us


# Other tables


def other_table(
    script: GameScript, players: int, words: str = "lan; overlay = star"
) -> tuple[SimulatedWorld, OtherTable]:
    """A relay with one table that follows a script from its beginning, and no other."""
    alone = world(words, 1, players)
    assert alone.relay is not None
    alone.relay.daemon = GitDaemon(alone, 2, 32)
    alone.relay.refs = dict.fromkeys(map(str, range(players)), alone.referee.root)
    table, rng = OtherTable(alone, script, 0), Random(1)
    table.players = [OtherPlayer(alone, table, i, HostPort(alone.access, 0), rng) for i in range(players)]
    for one in table.players:
        alone.at(rng.randrange(S), one.go_on)
    return alone, table


def until_over(alone: SimulatedWorld, table: OtherTable) -> None:
    while not table.games:
        alone.now = int(alone.kernel.peek())
        alone.kernel.step()


@pytest.mark.parametrize("words", ["world; overlay = star", "lan; overlay = star; looks = every 2 s"])
def test_another_table_asks_for_as_much_as_the_game_it_follows(words: str) -> None:
    real = world(words, 1, 4)
    real.run()
    told = summary(real)
    alone, table = other_table(script_of(real), 4, words)
    until_over(alone, table)
    asked = {name: sum(getattr(one, name) for one in table.players) for name in ("looks", "fetches", "pushes")}
    assert asked["fetches"] == pytest.approx(told["fetches"], rel=0.1)
    assert asked["pushes"] == pytest.approx(told["pushes"], rel=0.1)
    per_s = [asked["looks"] / alone.now * S, told["looks"] / told["virtual_s"]]
    assert per_s[0] == pytest.approx(per_s[1], rel=0.35)
    last = max(known.shown for known in real.recording.actions.values())
    assert alone.now == pytest.approx(last, rel=0.5)


def test_nobody_writes_what_follows_something_that_they_have_not_fetched() -> None:
    follows = [((0, 0), (1, 2)), ((1, 0), (1, 1))]
    script = GameScript(tuple(tuple(ScriptedCommit(seen, 500) for seen in one) for one in follows), (0, 1, 1, 0))
    alone, table = other_table(script, 2)
    shown = [[*table.shown]]
    while not table.games:
        alone.now = int(alone.kernel.peek())
        alone.kernel.step()
        shown += [[*table.shown]] * (shown[-1] != table.shown)
    assert shown == [[0, 0], [1, 0], [1, 2], [2, 2], [0, 0]]


@lru_cache
def relay_of(words: str, seed: int = 1) -> dict[str, Any]:
    """What is told of a short game of four at a relay."""
    played = world(f"lan; overlay = star; {words}", seed, 4)
    played.run()
    return summary(played)


def test_a_table_alone_has_the_relay_for_itself() -> None:
    assert "relay" not in relay_of("looks = back-off")
    assert relay_of("cores = 7; repositories = each") == relay_of("looks = back-off")


def test_two_tables_do_not_wait_for_each_other() -> None:
    alone, two = relay_of("looks = back-off"), relay_of("tables = 2")
    assert two["hand_over"]["p50_s"] == pytest.approx(alone["hand_over"]["p50_s"], rel=0.2)
    assert two["relay"]["limit"] == "none"
    assert (two["relay"]["refused"], two["relay"]["unheard"]) == (0, 0)
    assert 0.01 < two["relay"]["processor_share"] < 0.1


@pytest.mark.long
def test_the_relay_of_many_tables_is_busy_and_others_slow_down_with_it() -> None:
    """A closed loop: ten times as many players do not send ten times as much, and nobody's queue grows for ever."""
    few, many = relay_of("tables = 5"), relay_of("tables = 60")
    assert few["relay"]["processor_share"] < 0.5
    assert many["relay"]["processor_share"] > 0.9
    assert many["relay"]["limit"] == "processor"
    assert many["hand_over"]["p95_s"] > 5 * few["hand_over"]["p95_s"]
    assert many["relay"]["queue_longest"] <= 32
    served = [told["relay"]["served"] / told["virtual_s"] for told in (few, many)]
    assert served[1] < 5 * served[0]


@pytest.mark.long
def test_more_cores_carry_more_tables() -> None:
    assert relay_of("tables = 60; cores = 16")["relay"]["limit"] == "none"


@pytest.mark.long
def test_refs_of_other_tables_cost_only_in_one_repository() -> None:
    one, each = (relay_of(f"tables = 20; cores = 16; repositories = {word}")["relay"] for word in ("one", "each"))
    assert one["refs_share"] > 0.05
    assert each["refs_share"] < 0.01


@pytest.mark.long
def test_few_connections_are_a_limit_and_so_is_a_slow_link() -> None:
    connections = relay_of("tables = 20; cores = 16; connections = 1")["relay"]
    assert connections["limit"] == "connections"
    assert connections["refused"] + connections["unheard"] > 0
    assert relay_of("tables = 10; cores = 16; bandwidth = 0.5 100 Mbit/s")["relay"]["limit"] == "link"


def test_figures_of_a_shared_relay_that_were_written_down_are_still_the_same() -> None:
    played = world("world; overlay = star; tables = 4; connections = 2; spectators = 3", 7)
    played.run()
    assert played.relay is not None and played.relay.daemon is not None
    daemon = played.relay.daemon
    assert (played.referee.graph.head, played.now, daemon.served, daemon.busy_us, daemon.unheard) == WRITTEN_DOWN


WRITTEN_DOWN = ("91a06ddc9ef684b76dff6d29a91ebe75f64bf232", 55490910, 430, 1930676, 195)


@pytest.mark.long
@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "words",
    [
        "looks = hooks; spectators = 5",
        "spectators = 2; tables = 4",
        "looks = every 1 s; thinking = lognormal 2 s 0.5",
        "faults = 6",
        "faults = 6; kinds = crash late partition absence",
        "machine = quick; connections = 4",
    ],
)
@pytest.mark.parametrize("profile", ["lan", "world", "satellite"])
def test_a_game_ends_at_a_relay_that_is_shared(profile: str, words: str) -> None:
    played = world(f"{profile}; overlay = star; tables = 8; {words}", 3)
    played.run()
    assert summary(played)["relay"]["served"] > 100


@pytest.mark.long
@pytest.mark.parametrize(("rules", "chance", "hands"), [("brief; PointsToWin = 3", "joint", "hidden")])
def test_other_tables_play_by_the_same_rules(rules: str, chance: str, hands: str) -> None:
    chosen = settings("city; overlay = star; tables = 3", 6, 2, rules=rules, chance=chance, hands=hands)
    played = SimulatedWorld(0, chosen, parse_network(chosen.network))
    played.run()
    assert summary(played)["relay"]["limit"] == "none"


def test_who_is_killed_while_asking_gives_the_connection_back() -> None:
    played = world("city; overlay = star", 1)
    relay = played.relay
    assert relay is not None
    daemon = relay.daemon = GitDaemon(played, cores=1, connections=1)
    killed, other = (VirtualRemote("git://relay.invalid/", host, relay) for host in played.hosts[:2])
    look = AskHeads(("refs/heads/Red_0",), "refs/heads/")
    for remote, is_enough in ((killed, lambda: daemon.served == 1), (other, other.answered)):
        remote.ask(look)
        while not is_enough():
            played.now = int(played.kernel.peek())
            played.kernel.step()
        remote.close()
    assert (daemon.served, daemon.refused) == (2, 0)
