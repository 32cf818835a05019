"""Figures of games over simulated links: each moment counted once, each message on its link, nobody held up."""

import csv
import io
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from catan_p2p.simulation.laboratory.distributions import NONE, parse_distribution
from catan_p2p.simulation.laboratory.figures import line_of, links_csv, spreadings, summary
from catan_p2p.simulation.laboratory.histograms import Histogram
from catan_p2p.simulation.laboratory.links import AccessLink, HostPort, NetworkLinks
from catan_p2p.simulation.laboratory.recording import ActionSpread
from catan_p2p.simulation.laboratory.spec import parse_network
from catan_p2p.simulation.laboratory.spending import KINDS, HostSpending
from catan_p2p.simulation.laboratory.world import SimulatedWorld
from tests.for_each import for_each
from tests.simulation.laboratory.worlds import settings, world

US = 1_000_000


@pytest.fixture(scope="module")
def far() -> SimulatedWorld:
    """A game of three on three continents."""
    played = world("world", 1)
    played.run()
    return played


@pytest.mark.parametrize("words", ["world; faults = 5", "continent; overlay = star; spectators = 3"])
def test_every_moment_of_a_player_is_counted_once(words: str) -> None:
    played = world(words, 3, 2)
    played.run()
    told = summary(played)
    assert sum(told[f"{kind}_s"] for kind in KINDS) == pytest.approx(told["virtual_s"] * 2, abs=1e-5)
    assert all(told[f"{kind}_s"] > 0 for kind in ("computing", "transfer", "looking", "waiting"))


def test_a_moment_in_which_several_things_go_on_is_the_first_of_them() -> None:
    now = 0
    spent = HostSpending(lambda: now)
    spent.lies(False)
    for at, change in (
        (10, lambda: spent.asks(is_transfer=False, more=1)),
        (20, lambda: spent.asks(is_transfer=True, more=1)),
        (30, lambda: spent.computes(True)),
        (45, lambda: spent.computes(False)),
        (50, lambda: spent.asks(is_transfer=True, more=-1)),
        (70, lambda: spent.lies(True)),
        (100, spent.book),
    ):
        now = at
        change()
    assert spent.us == {"waiting": 10, "looking": 30, "transfer": 15, "computing": 15, "down": 30}


def test_links_tell_messages_looks_and_fetches_and_add_up() -> None:
    quiet = world("city", 2)
    quiet.run()
    for name in ("told", "told_bytes"):
        counts = [int(row[name]) for row in csv.DictReader(io.StringIO(links_csv(quiet)))]
        assert sum(counts) == summary(quiet)[name] > 0
    played = world("city; looks = back-off; spectators = 4; faults = 3; kinds = crash power", 2)
    played.run()
    told = summary(played)
    rows = list(csv.DictReader(io.StringIO(links_csv(played))))
    of_players = [row for row in rows if row["from"] != "spectators"]
    for name in ("looks", "wasted_looks", "fetches", "fetched_bytes"):
        assert sum(int(row[name]) for row in of_players) == told[name] > 0
    assert sum(int(row["fetches"]) for row in rows if row["from"] == "spectators") == told["spectators"]["fetches"] > 0
    sent = sum(int(row["bytes"]) for row in rows if row["to"] == "spectators")
    assert sent > sum(int(row["fetched_bytes"]) for row in rows if row["from"] == "spectators")


def test_what_was_spent_before_a_crash_is_not_forgotten() -> None:
    """A peer that starts anew has new connections: their figures alone would be those since then."""
    played = world("world; faults = 8; kinds = crash", 5)
    played.run()
    told = summary(played)
    alive = sum(remote.fetches for host in played.hosts for remote in host.remotes.values())
    assert max(told["starts"].values()) > 1
    assert told["fetches"] > alive


def test_quantiles_and_counts_are_of_the_same_times(far: SimulatedWorld) -> None:
    for what in ("hand_over", "turn", "everybody_knows"):
        times = summary(far)[what]
        assert sum(count for _, count in times["counts"]) == times["count"] > 0
        assert times["p50_s"] <= times["p95_s"] <= times["p99_s"] <= times["counts"][-1][0] * 1.04


def test_what_a_relay_shows_before_its_author_has_taken_no_time() -> None:
    known = ActionSpread(player=1, kind="EmptyTrade", written=10, shown=30, by={"Red": 10, "Blue": 20})
    recording = SimpleNamespace(actions={"1": known}, players=("Red", "Blue"))
    played: Any = SimpleNamespace(recording=recording, referee=SimpleNamespace(graph={"1"}))
    assert spreadings(played) == [0]


def test_a_bucket_is_a_sixteenth_wide_at_most() -> None:
    values = [1, 31, 32, 1000, 123_456, 10**9]
    for value, (about, count) in zip(values, Histogram(values).counts(), strict=True):
        assert abs(about - value) * 16 <= value
        assert count == 1


def _links(*ways_ms: int) -> tuple[NetworkLinks, list[HostPort]]:
    """Places at such distances from place 0, over 1 Mbit/s."""
    far = [parse_distribution(f"constant {ms} ms") for ms in (0, *ways_ms)]
    between = tuple(tuple(far[max(a, b)] for b in range(len(far))) for a in range(len(far)))
    access = AccessLink(NONE, NONE, US, US)
    return NetworkLinks(between, Random(1)), [HostPort(access, place) for place in range(len(far))]


def test_a_message_from_near_does_not_wait_for_one_from_far_that_was_sent_before() -> None:
    links, (here, far, near) = _links(200, 1)
    reached_far, _ = links.leave(far, here, 100, 0)
    reached_near, _ = links.leave(near, here, 100, 1000)
    assert links.enter(here, 100, reached_near) < 10_000 < reached_far


def test_messages_wait_for_one_another_at_both_ends() -> None:
    links, (here, far, near) = _links(5, 5)
    size = 12_500 - 9 * 52
    first, second = links.leave(far, here, size, 0)[0], links.leave(far, here, size, 0)[0]
    assert (first, second) == (105_000, 205_000)  # 12,500 bytes over 1 Mbit/s are 100 ms
    other = links.leave(near, here, size, 0)[0]
    assert links.enter(here, size, first) == 205_000
    assert links.enter(here, size, other) == 305_000


def test_ways_differ_by_direction_and_bandwidth() -> None:
    """From Red to Blue is near, back is far; a message of a hundred bytes needs most of a second through 1 kbit/s."""
    played = world("lan; latency = constant 1 ms; back = constant 300 ms; bandwidth = 0.001 100 Mbit/s", 1, 2)
    red, blue = (host.port for host in played.hosts)
    assert played.links.leave(red, blue, 48, 0) == (801_000, 0)
    assert played.links.leave(blue, red, 48, 0) == (1_100_000, 0)


def test_a_few_spectators_hold_no_player_up(far: SimulatedWorld) -> None:
    """They take a thousandth of the bandwidth; what they will send later is no reason to wait now."""
    followed = world("world; spectators = 50", 1)
    followed.run()
    assert summary(followed)["hand_over"]["p50_s"] < 1.3 * summary(far)["hand_over"]["p50_s"]


@pytest.mark.parametrize("delay_ms", [100, 200])
@for_each("overlay, players", [("all", 2), ("all", 4), ("ring", 3), ("gossip 2", 3)])
def test_what_is_told_is_known_after_a_delay_and_a_quarter(overlay: str, players: int, delay_ms: int) -> None:
    """After each one's first five actions, in which they connect."""
    played = world(f"lan; latency = constant {delay_ms} ms; overlay = {overlay}", 1, players)
    played.run()
    hops = [
        at - known.shown
        for _, known in line_of(played)[5 * players :]
        for name, at in known.by.items()
        if name != played.recording.players[known.player - 1]
    ]
    assert len(hops) > 20
    assert max(hops) <= 1.25 * 1000 * delay_ms


def test_nothing_is_late_in_a_game_that_goes_on() -> None:
    """In half a minute of play, no look at everything is in the way of what a neighbour announces."""
    played = SimulatedWorld(
        0,
        settings("", 2, rules="brief; PointsToWin = 6", chance="joint"),
        parse_network("lan; latency = constant 200 ms"),
    )
    played.run()
    assert played.now > 30 * US
    late = [
        (known.shown, at - known.shown)
        for _, known in line_of(played)[15:]
        for name, at in known.by.items()
        if name != played.recording.players[known.player - 1] and at - known.shown > 250_000
    ]
    assert not late


def test_who_is_told_knows_earlier_than_who_looks_and_looks_less() -> None:
    told, looked = (world(f"world; looks = {looks}", 1) for looks in ("follow", "back-off"))
    for played in (told, looked):
        played.run()
    by_telling, by_looking = summary(told), summary(looked)
    assert by_telling["hand_over"]["p50_s"] < by_looking["hand_over"]["p50_s"] / 3
    assert by_telling["looks"] < by_looking["looks"] / 4
    assert by_telling["told"] > 0 < by_telling["told_bytes"]
    assert by_looking["told"] == by_looking["told_bytes"] == 0


def test_spectators_at_a_source_that_is_away_look_again_later() -> None:
    played = world("world; spectators = 6; faults = 6; kinds = crash absence", 2)
    played.run()
    assert summary(played)["spectators"]["staleness"]["count"] > 0
