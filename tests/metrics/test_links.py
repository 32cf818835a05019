"""The section on simulated links: what it is made of, what it says, and that its figures can be read."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from catan_p2p.log.storage.objects import StoreError
from catan_p2p.metrics.figures.links import followed, hand_overs
from catan_p2p.metrics.groups import load_report_data
from catan_p2p.metrics.network import (
    CSV_FILE,
    JSON_FILE,
    NetworkGame,
    open_networks,
    read_networks,
    recorded_network,
)
from catan_p2p.metrics.page import ReportTable
from catan_p2p.metrics.sections.links import network_section
from catan_p2p.metrics.sections.report import sections
from tests.metrics.legible import check_figures

NETWORKS = ("lan", "world; overlay = star", "world; overlay = ring; spectators = 40", "satellite; looks = back-off")


def times(*values: float) -> dict[str, Any]:
    counts = [[value, 1] for value in sorted(values)]
    return {"count": len(values), "p50_s": values[0], "p95_s": values[-1], "p99_s": values[-1], "counts": counts}


def played(number: int, network: str, players: int, scale: float = 1.0, run: str = "two") -> NetworkGame:
    """A game as the simulation writes it; times longer by ``scale``."""
    figures: dict[str, Any] = {
        "virtual_s": 60.0, "actions": 100, "head": "1" * 40, "faults": ["fault 1: crash at 0"],
        "hand_over": times(0.1 * scale, 0.4 * scale), "turn": times(0.5 * scale), "everybody_knows": times(0.3 * scale),
        "computing_s": 2.0, "transfer_s": 4.0, "looking_s": 6.0, "waiting_s": 8.0, "down_s": 0.0, "looks": 200,
        "wasted_looks": 50, "fetches": 40, "fetched_bytes": 30_000, "pushes": 0, "told": 9, "told_bytes": 7000,
        "links": [{"from": "Red", "to": "Blue", "bytes": 250_000, "fetches": 40},
                  {"from": "spectators", "to": "Red", "bytes": 50_000, "fetches": 60}],
    }  # fmt: skip
    if "spectators" in network:
        figures["spectators"] = {"count": 40, "staleness": times(2.0, 3.0)}
    return NetworkGame(run, number, players, network, figures)


GAMES = [
    played(number, network, players, 1 + number + 10 * at)
    for at, network in enumerate(NETWORKS)
    for players in (2, 4)
    for number in range(3)
]


def write_networks(folder: Path, games: list[NetworkGame]) -> None:
    with open_networks(folder) as write:
        for one in games:
            write(one)


def test_figures_are_kept_and_read_again(tmp_path: Path) -> None:
    write_networks(tmp_path, GAMES)
    assert read_networks(tmp_path) == GAMES
    write_networks(tmp_path, [])
    assert read_networks(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_the_table_has_a_line_a_game(tmp_path: Path) -> None:
    none = {"count": 0, "p50_s": 0.0, "p95_s": 0.0, "p99_s": 0.0, "counts": []}
    untimed = replace(GAMES[0], figures={**GAMES[0].figures, "turn": none})
    write_networks(tmp_path, [untimed, *GAMES[1:7], GAMES[12]])
    rows = list(csv.DictReader(io.StringIO((tmp_path / CSV_FILE).read_text())))
    assert len(rows) == 8
    last = rows[-1]
    assert (last["profile"], last["overlay"], last["spectators"], last["faults"]) == ("world", "ring", "40", "1")
    assert (last["staleness_p50_s"], rows[0]["staleness_p50_s"]) == ("2.0000000", "")
    assert (rows[0]["turn_count"], rows[0]["turn_p50_s"]) == ("0", "")
    assert (last["looks"], last["fetches"], last["all_fetches"], last["all_bytes"]) == ("200", "40", "100", "300000")


@pytest.mark.parametrize(
    ("name", "value"),
    [("links", 7), ("links", [{}]), ("turn", {"count": 1}), ("actions", 0), ("virtual_s", -1.0), ("looks", "many")]
    + [("hand_over", []), ("spectators", 5), ("head", None), ("computing_s", float("nan"))],
)
def test_what_is_no_figure_is_one_line(name: str, value: object, tmp_path: Path) -> None:
    figures = dict(GAMES[0].figures)
    figures.pop(name, None)
    write_networks(tmp_path, GAMES[:1])
    told = json.loads((tmp_path / JSON_FILE).read_text())
    told[0]["figures"] = figures if value is None else figures | {name: value}
    (tmp_path / JSON_FILE).write_text(json.dumps(told))
    with pytest.raises(StoreError, match=f"^{tmp_path / JSON_FILE}: not the figures of a game"):
        read_networks(tmp_path)


def test_figures_of_another_game_are_not_this_ones(tmp_path: Path) -> None:
    """A run was played again in the same folder, or the game was taken from elsewhere."""
    (tmp_path / "Catan_0").mkdir()
    (tmp_path / "network_0.json").write_text(json.dumps(GAMES[0].figures))

    def recorded(head: str) -> NetworkGame | None:
        return recorded_network(tmp_path / "Catan_0", 0, {head}, "two", 2, "lan")

    assert recorded("1" * 40) == GAMES[0]
    assert recorded("2" * 40) is None
    (tmp_path / "network_0.json").unlink()
    assert recorded("1" * 40) is None


def test_the_section_pools_the_games_of_a_network() -> None:
    tables = [block for block in network_section(GAMES).blocks if isinstance(block, ReportTable)]
    by_what = {(row[0], row[1], row[3]): row[4:] for row in tables[0].rows}
    assert by_what["2", "lan", "hand-over"] == ("6", "300 ms", "1.2 s", "1.2 s")
    assert by_what["4", NETWORKS[2], "age of what a spectator sees"][0] == "6"
    assert [row[:3] for row in tables[1].rows[4:]] == [
        ("4", "lan", "all"), ("4", "world", "ring"), ("4", "world", "star"), ("4", "satellite", "all"),
    ]  # fmt: skip
    assert tables[1].rows[0][:5] == ("2", "lan", "all", "3", "200 ms")
    costs = {row[:2]: row[2:] for row in tables[2].rows}
    assert costs["2", "lan"] == ("3", "10 ms", "20 ms", "30 ms", "40 ms", "0 µs", "25 %", "1", "3 kB")


@pytest.mark.needs("report")
def test_the_section_has_intervals_of_means() -> None:
    pytest.importorskip("scipy", reason="needs the extra report")
    tables = [block for block in network_section(GAMES).blocks if isinstance(block, ReportTable)]
    assert tables[1].rows[0] == ("2", "lan", "all", "3", "200 ms", "0 ms to 448 ms")


def test_games_that_differ_in_spectators_only_are_no_more_of_a_kind() -> None:
    followed_too = [played(number, "lan; spectators = 40", 2, 1 + number) for number in range(3)]
    assert hand_overs([*GAMES[:3], *followed_too], "lan", "all", 2) == hand_overs(GAMES[:3], "lan", "all", 2)
    assert len(hand_overs(followed_too, "lan", "all", 2)) == 3


def test_only_games_that_are_alike_are_set_against_spectators() -> None:
    alone, other = played(7, "world; overlay = ring", 2), played(8, "world; overlay = ring", 3)
    assert followed([*GAMES, alone, other]) == [*GAMES[12:18], alone]


def test_the_section_is_in_the_report_of_games_that_have_it(metrics: Path) -> None:
    assert "Simulated links" not in [section.title for section in sections(load_report_data(metrics))]
    write_networks(metrics, [played(0, "lan", 2), replace(played(0, "lan", 2), game=99)])
    data = load_report_data(metrics)
    assert [(one.run, one.game) for one in data.networks] == [("two", 0)]
    assert "Simulated links" in [section.title for section in sections(data)]
    assert (metrics / CSV_FILE).exists()


@pytest.mark.needs("report")
@pytest.mark.long
@pytest.mark.parametrize("games", [GAMES, GAMES[:1]], ids=["many", "one"])
def test_its_figures_can_be_read(games: list[NetworkGame]) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra report")
    check_figures([network_section(games)])
