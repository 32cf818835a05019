"""Games over simulated links: the program's own replicas, the same events every time, the promise under faults."""

import json
import os
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from catan_p2p.cli.main import make_parser
from catan_p2p.log.audit import audit
from catan_p2p.simulation.command import simulate_command
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.faults import KINDS
from catan_p2p.simulation.laboratory.figures import summary
from catan_p2p.simulation.laboratory.game import play_network_game
from catan_p2p.simulation.laboratory.presets import PRESETS
from catan_p2p.simulation.laboratory.spec import BadNetwork, parse_network, read_network, spell_network
from tests.for_each import for_each
from tests.simulation.laboratory.worlds import of_campaign, of_disks, of_kinds, settings, world

FAULTY = "world; looks = hooks; faults = 6; spectators = 5; thinking = lognormal 2 s 0.5"


def trail(words: str, seed: int) -> list[object]:
    """Everything that could be otherwise: when each player knew which commit, and what went over each link."""
    played = world(words, seed)
    played.run()
    knew = [(commit, known.written, known.shown, known.by) for commit, known in played.recording.actions.items()]
    return [played.now, played.events, played.referee.graph.head, knew, summary(played)]


@pytest.mark.long
@pytest.mark.parametrize("hashed", ["1"])
def test_the_same_seed_gives_the_same_events_in_another_process(hashed: str) -> None:
    code = (
        "import hashlib, sys; sys.path.insert(0, '.')\n"
        "from tests.simulation.laboratory.test_world import FAULTY, trail\n"
        "print(hashlib.sha256(repr(trail(FAULTY, 3)).encode()).hexdigest())"
    )
    environment = os.environ | {"PYTHONHASHSEED": hashed}
    root = Path(__file__).parents[3]
    told = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=root, capture_output=True, text=True, check=True
    ).stdout.strip()
    import hashlib

    assert told == hashlib.sha256(repr(trail(FAULTY, 3)).encode()).hexdigest()


def test_an_event_order_that_was_written_down_is_still_the_same() -> None:
    played = world("world; faults = 4", 11)
    played.run()
    assert (played.referee.graph.head, played.now) == WRITTEN_DOWN


WRITTEN_DOWN = ("721b3b456d5cb8cd49648e304bef57ebcc7237d8", 23014524)


@pytest.mark.parametrize("profile", sorted(PRESETS))
def test_a_game_ends_on_every_kind_of_network(profile: str) -> None:
    played = world(profile, 1, 2)
    played.run()
    assert PRESETS[profile].source
    assert played.referee.graph.state.is_over


@pytest.mark.long
@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "change",
    [
        "overlay = star",
        "overlay = ring",
        "overlay = gossip 2",
        "looks = back-off",
        "looks = hooks",
        "looks = every 500 ms",
        "transport = path",
        "loss = 2 %",
        "latency = empirical 5 5 80 ms",
        "spectators = 30",
    ],
)
def test_a_game_ends_however_players_look(change: str) -> None:
    played = world(f"continent; {change}", 2, 4)
    played.run()
    assert len({host.served.refs[host.seat.log] for host in played.hosts}) == 1


def test_hooks_of_a_relay_wake_those_who_look_there() -> None:
    played = world("city; overlay = star; looks = hooks", 5)
    played.run()
    assert summary(played)["hand_over"]["p95_s"] < 1


def test_farther_apart_everything_takes_longer() -> None:
    times = []
    for profile in ("lan", "continent", "world", "satellite"):
        played = world(profile, 5)
        played.run()
        times.append(summary(played)["hand_over"]["p50_s"])
    assert times == sorted(times)


def test_the_game_is_left_as_a_repository_that_git_reads(tmp_path: Path) -> None:
    result = play_network_game(tmp_path, 0, settings("continent; faults = 3", 4)).result
    verdict = audit(tmp_path / "Catan_0")
    assert verdict.is_fine
    assert verdict.history is not None
    assert verdict.history.last.is_over
    assert json.loads((tmp_path / "network_0.json").read_text())["head"] == result.head
    assert len((tmp_path / "network_0.csv").read_text().splitlines()) == 1 + result.actions


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seed", [2, 3, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, *range(4, 19)))])
def test_the_promise_holds_under_faults(seed: int) -> None:
    assert problem(of_campaign(seed)) is None


@pytest.mark.long
@pytest.mark.sampled(5)
@pytest.mark.parametrize("seed", range(1, 7))
def test_the_promise_holds_under_faults_with_joint_chance(seed: int) -> None:
    assert problem(of_campaign(seed, chance="joint")) is None


@pytest.mark.long
def test_a_game_with_joint_chance_is_measured_and_repeated_by_its_command(tmp_path: Path) -> None:
    chosen = settings("city; overlay = star", 3, chance="joint")
    result = play_network_game(tmp_path, 0, chosen).result
    assert audit(tmp_path / "Catan_0").is_fine
    rows = (tmp_path / "network_0.csv").read_text().splitlines()
    assert sum(",Reveal," in row for row in rows) == 2 * sum(",Call," in row for row in rows)
    words = shlex.split(simulate_command(replace(chosen, map="variable"), 1))
    again = make_parser().parse_args(words[1:])
    assert (again.chance, again.map, again.seed) == ("joint", "variable", 3)
    assert result.actions == len(rows) - 1


@pytest.mark.long
@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_fault_happens_and_is_survived(kind: str) -> None:
    played = world(f"city; machine = quick; faults = 8; kinds = {kind}", 1, 2)
    played.run()
    assert {fault.kind for fault in played.happened} == {kind}
    if kind in ("crash", "power"):
        assert max(host.spent.starts for host in played.hosts) > 1


def test_a_short_absence_does_not_end_a_long_one() -> None:
    played = world("lan; faults = 1; kinds = absence", 1, 2)
    (fault,) = played.faults
    for lasts_us in (30, 1):
        played._happening._absence(replace(fault, lasts_us=lasts_us), Random(1))
    assert max(host.absent_until for host in played.hosts) == 30


FOUND = {
    "a full disk and a relay: tried again without a pause": settings("world; overlay = star; faults = 8", 102, 4),
    "a full disk as the game ends: the own log left behind": settings(
        "world; looks = every 1 s; faults = 6; only = 2; machine = quick", 1032, 2
    ),
    "a last push without a pause, as long as an answer of another waits": of_campaign(1154),
    "a player whose pack was lost on the way: left before they asked again": of_campaign(1618),
    "a full disk after the end, in the laboratory's host: given up": of_campaign(286),
    "a reply that was lost, and could not be judged yet in the log that had merged it: given again": of_kinds(
        18, "restored late absence", "actor"
    ),
} | {
    f"a disk that goes back when the others are about to leave, {number}": chosen
    for number, chosen in enumerate(
        [of_disks(seed) for seed in (82, 5146, 5413)]
        + [of_kinds(seed, "restored late absence", "actor") for seed in (5036, 5094, 5100, 5116, 5122)],
        1,
    )
}
"""Games in which the laboratory has found a bug, of the program or of its own, by what it was."""


@pytest.mark.long
@pytest.mark.sampled(5)
@pytest.mark.parametrize("found", sorted(FOUND))
def test_what_was_found_is_mended(found: str) -> None:
    assert problem(FOUND[found]) is None


def problem(chosen: SimulationSettings) -> str | None:
    from catan_p2p.simulation.laboratory.shrinking import problem_of

    return problem_of(0, chosen)


@for_each(
    "words",
    [
        "world",
        "lan; looks = every 2 s",
        "lan; latency = none; back = constant 9 ms; bandwidth = 1 2.5 Mbit/s",
        "city; overlay = gossip 3; spectators = 7; faults = 2; only = 1 2",
        FAULTY,
    ],
)
def test_words_of_networks_are_read_and_spelled_alike(words: str) -> None:
    assert spell_network(parse_network(words)) == spell_network(parse_network(spell_network(parse_network(words))))


@for_each(
    "words",
    ["moon", "lan; color = red", "lan; looks = sometimes", "lan; overlay = gossip", "lan; loss = 80 %"]
    + ["lan; bandwidth = wide", "lan; bandwidth = 1 2 3 Mbit/s", "lan; back = constant 5 ms"]
    + ["lan; thinking = slowly", "lan; faults = many", "lan; kinds = flood", "lan; spectators = 9999999"]
    + ["lan; overlay = star; tables = 2"]
    + ["lan; overlay = star; repositories = two"],
)
def test_words_that_tell_no_network_are_refused(words: str) -> None:
    with pytest.raises(BadNetwork):
        parse_network(words)


def test_a_network_is_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "far.network"
    file.write_text("# a slow one\nnetwork = world\nlooks = hooks  # told\nspectators = 3\n")
    assert read_network(str(file)) == parse_network("world; looks = hooks; spectators = 3")
    with pytest.raises(BadNetwork, match="first line"):
        file.write_text("looks = hooks\n")
        read_network(str(file))


@pytest.mark.long
def test_what_a_player_does_comes_all_the_way_round_a_ring_of_six() -> None:
    """Whoever is opposite is three neighbours away: logs, pledges and shares come through two others."""
    world("lan; overlay = ring; machine = quick", 1, 6, rules="brief; PointsToWin = 3; Chance = joint").run()
