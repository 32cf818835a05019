"""``simulate --metrics``: games are measured as they end, and the tables are those of the verb ``metrics``."""

from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.log.folders import find_games
from catan_p2p.metrics import games, while_playing
from catan_p2p.metrics.collection import ACTIONS_FILE, FOLDER, GAMES_FILE, read_games, read_summary
from catan_p2p.metrics.freshness import why_stale
from catan_p2p.metrics.groups import load_report_data
from catan_p2p.metrics.network import CSV_FILE, JSON_FILE, read_networks
from catan_p2p.metrics.while_playing import RunMeasurement
from catan_p2p.simulation.game import GameResult, SimulationSettings
from catan_p2p.simulation.run import SimulationRun, begin_run, play_run, resume_run

pytestmark = pytest.mark.long

SHORT = ("--rules", "thesis; PointsToWin = 3", "--policy", "builder", "--seed", "3", "--quiet")
SETTINGS = SimulationSettings(games=3, seed=3, policies=("builder",), rules="thesis; PointsToWin = 3")


@pytest.mark.parametrize(
    ("given", "files"),
    [
        (("--games", "3"), (ACTIONS_FILE, GAMES_FILE)),
        (("--games", "3", "--jobs", "2"), (ACTIONS_FILE, GAMES_FILE)),
        (("--games", "2", "--hands", "hidden"), (ACTIONS_FILE, GAMES_FILE)),
        (("--games", "2", "--topology", "separate"), (ACTIONS_FILE, GAMES_FILE)),
        (("--games", "2", "--topology", "network"), (ACTIONS_FILE, GAMES_FILE, CSV_FILE, JSON_FILE)),
        (("--topology", "network", "--hands", "hidden"), (ACTIONS_FILE, GAMES_FILE, CSV_FILE, JSON_FILE)),
        (("--games", "2", "--max-actions", "20"), (ACTIONS_FILE, GAMES_FILE)),
    ],
)
def test_the_tables_are_those_of_the_verb_metrics(
    tmp_path: Path, given: tuple[str, ...], files: tuple[str, ...]
) -> None:
    out = tmp_path / "run"
    main(["simulate", "--out", str(out), "--metrics", "quick", *SHORT, *given])
    main(["metrics", str(out), "--quick", "--quiet", "--out", str(tmp_path / "again")])
    assert sorted(path.name for path in (out / FOLDER).iterdir()) == sorted([*files, "summary.json"])
    for name in files:
        assert (out / FOLDER / name).read_bytes() == (tmp_path / "again" / name).read_bytes(), name
    here, again = (read_summary(folder)["runs"]["run"] for folder in (out / FOLDER, tmp_path / "again"))
    assert {**here, "figures": None} == {**again, "figures": None}
    for name, figure in again["figures"].items():
        assert here["figures"][name] == pytest.approx(figure, rel=1e-5, abs=1e-6), name


def test_a_report_has_the_links_of_games_with_hidden_hands(tmp_path: Path) -> None:
    """Their openings come after the line that was recorded."""
    out = tmp_path / "run"
    main(["simulate", "--out", str(out), "--metrics", "quick", *SHORT, "--topology", "network", "--hands", "hidden"])
    [network] = load_report_data(out / FOLDER).networks
    [row] = read_games(out / FOLDER)
    assert network.figures["head"] != row.head
    [recorded] = read_networks(out / FOLDER)
    assert recorded == network


def test_a_report_needs_not_measure_again(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert main(["simulate", "--out", str(out), "--metrics", *SHORT]) == 0
    assert why_stale(out / FOLDER, find_games(out).games, thorough=True) is None


def test_a_run_that_goes_on_measures_what_is_lacking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[Path] = []

    def noted(path: Path, *given: object, **more: object) -> object:
        measured.append(path)
        return games.measure_game(path, *given, **more)  # type: ignore[arg-type]

    def interrupt(run: SimulationRun, result: GameResult | None, why: str) -> None:
        if result is not None and result.game == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(while_playing, "measure_game", noted)
    run = begin_run(tmp_path / "run", SETTINGS)
    measuring = RunMeasurement("run", thorough=False)
    with pytest.raises(KeyboardInterrupt):
        play_run(run, ended=interrupt, after=measuring)
    # As if the process had been killed before the second game was measured.
    (tmp_path / "run" / FOLDER / "measured" / "1.game.csv").unlink()
    resumed = resume_run(run.out)
    play_run(resumed, after=measuring)
    measuring.collect(run.out)
    assert [path.name for path in measured] == ["Catan_0", "Catan_1", "Catan_2", "Catan_1"]
    rows = read_games(run.out / FOLDER)
    assert [row.head for row in rows] == [resumed.results[number].head for number in range(3)]
    assert [row.elapsed_s is not None for row in rows] == [True] * 3


def test_a_game_that_went_on_since_is_measured_again(tmp_path: Path) -> None:
    run = begin_run(tmp_path / "run", SimulationSettings(seed=3, policies=("builder",), max_actions=20))
    measuring = RunMeasurement("run", thorough=False)
    play_run(run, after=measuring)
    longer = resume_run(run.out, 30)
    play_run(longer)
    measuring.collect(run.out)
    assert read_games(run.out / FOLDER)[0].actions == 30
