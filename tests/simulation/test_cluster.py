"""Games on a Dask cluster: a local one with two workers, each a process with its own folder."""

import gc
import json
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import Client

from catan_p2p.cli.main import main
from catan_p2p.log.audit import audit
from catan_p2p.metrics import while_playing
from catan_p2p.metrics.collection import read_games
from catan_p2p.simulation import cluster
from catan_p2p.simulation.cluster import ClusterError, DaskExecutor
from catan_p2p.simulation.game import GameResult, SimulationSettings, play_game
from catan_p2p.simulation.play import After, Played
from catan_p2p.simulation.run import SimulationRun, begin_run, play_run, resume_run
from tests.shared import run_without

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # Dask's own
    pytest.mark.long,
    pytest.mark.needs("cluster"),
]

SETTINGS = SimulationSettings(players=2, games=4, seed=11, policies=("builder",))


@pytest.fixture(scope="module")
def local() -> Iterator[Any]:
    from distributed import LocalCluster

    local = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50)
    try:
        yield local
    finally:
        local.close()


@pytest.fixture(scope="module")
def scheduler(local: Any) -> str:
    return str(local.scheduler_address)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> SimulationRun:
    """The same games, played in this process."""
    run = begin_run(tmp_path_factory.mktemp("here"), SETTINGS)
    play_run(run)
    return run


def what_lasts(results: dict[int, GameResult]) -> dict[int, tuple[object, ...]]:
    """All of a result but what it cost."""
    return {
        number: (result.head, result.winner, result.points, result.actions, result.tries, result.findings)
        for number, result in results.items()
    }


def test_the_cluster_plays_the_same_games(scheduler: str, here: SimulationRun, tmp_path: Path) -> None:
    out = tmp_path / "away"
    arguments = ["simulate", "--games", "4", "--seed", "11", "--policy", "builder", "--out", str(out)]
    assert main([*arguments, "--executor", "dask", "--scheduler", scheduler]) == 0
    run = resume_run(out)
    assert run.is_complete
    assert what_lasts(run.results) == what_lasts(here.results)
    for number, result in run.results.items():
        assert audit(out / f"Catan_{number}").is_fine
        timings = (out / f"Catan_{number}.timings.csv").read_text().splitlines()
        assert sum(line.startswith("action,") for line in timings) == result.actions
    assert not list(out.glob(".*"))


def test_games_come_from_their_workers_and_few_are_handed_out_ahead(
    local: Any, scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed_on: list[object] = []
    given: list[int] = []
    gather = local.scheduler.handlers["gather"]
    submit = Client.submit

    def noted(*given: object, **more: object) -> Any:
        passed_on.append(more)
        return gather(*given, **more)

    def counted(self: Client, *work: Any, **more: Any) -> Any:
        given.append(work[1])
        return submit(self, *work, **more)

    monkeypatch.setitem(local.scheduler.handlers, "gather", noted)
    monkeypatch.setattr(Client, "submit", counted)
    run = begin_run(tmp_path / "run", SimulationSettings(players=2, games=9, seed=1, max_actions=50))
    executor = DaskExecutor(scheduler)
    ahead = []
    play_run(run, executor=executor, ended=lambda run, result, why: ahead.append(len(given) - len(run.findings)))
    executor.close()
    assert passed_on == []
    assert given == list(range(9)) and max(ahead) <= 4


def test_games_are_measured_where_they_are_played(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["simulate", "--games", "2", "--seed", "11", "--policy", "builder", "--metrics", "quick"]
    arguments += ["--rules", "thesis; PointsToWin = 3", "--quiet"]
    assert main([*arguments, "--out", str(tmp_path / "near" / "run")]) == 0
    monkeypatch.setattr(while_playing, "measure_game", None)  # nothing is measured in this process
    assert main([*arguments, "--out", str(tmp_path / "run"), "--executor", "dask", "--scheduler", scheduler]) == 0
    near, away = (read_games(path / "metrics") for path in (tmp_path / "near" / "run", tmp_path / "run"))
    assert [(row.run, row.head, row.diff_bytes) for row in near] == [
        (row.run, row.head, row.diff_bytes) for row in away
    ]
    assert sorted(path.name for path in (tmp_path / "run" / "metrics").iterdir()) == [
        "actions.csv",
        "games.csv",
        "summary.json",
    ]


def test_games_over_simulated_links_come_back_with_their_figures(scheduler: str, tmp_path: Path) -> None:
    """The same, byte for byte, as of processes of this machine."""
    arguments = ["simulate", "--topology", "network", "--network", "city; faults = 2", "--games", "2", "--seed", "3"]
    arguments += ["--policy", "builder", "--rules", "thesis; PointsToWin = 3", "--players", "2"]
    away, near = tmp_path / "away", tmp_path / "near"
    assert main([*arguments, "--out", str(away), "--executor", "dask", "--scheduler", scheduler]) == 0
    assert main([*arguments, "--out", str(near), "--jobs", "2"]) == 0
    told = sorted(path.name for path in near.glob("network_*"))
    assert len(told) == 6
    assert sorted(path.name for path in away.glob("network_*")) == told
    for name in told:
        assert (away / name).read_bytes() == (near / name).read_bytes(), name


def test_a_run_is_continued_on_the_cluster(scheduler: str, here: SimulationRun, tmp_path: Path) -> None:
    """One game has ended, one was played half, two not begun: all end as they would have without."""
    run = begin_run(tmp_path / "run", SETTINGS)

    class Interrupted(Exception):
        pass

    def interrupt(run: SimulationRun, result: GameResult | None, why: str) -> None:
        raise Interrupted

    with pytest.raises(Interrupted):
        play_run(run, ended=interrupt)
    half_played(run.out, 1)
    resumed = resume_run(run.out)
    assert list(resumed.results) == [0]
    executor = DaskExecutor(scheduler)
    play_run(resumed, executor=executor)
    executor.close()
    assert resumed.is_complete
    assert [resumed.results[number].resumed for number in range(4)] == [False, True, False, False]
    for number in range(4):
        assert resumed.results[number].head == here.results[number].head


def half_played(out: Path, number: int) -> None:
    """Stop a game in the middle, as Ctrl-C would."""

    def stop(game: int, actions: int, points: tuple[int, ...]) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_game(out, number, SETTINGS, stop)


def test_a_game_without_a_winner_is_a_finding_there_too(scheduler: str, tmp_path: Path) -> None:
    run = begin_run(tmp_path / "run", SimulationSettings(players=2, games=2, seed=1, max_actions=50))
    executor = DaskExecutor(scheduler)
    play_run(run, executor=executor)
    executor.close()
    assert [finding["kind"] for finding in run.findings] == ["no_winner"] * 2


def test_what_a_worker_cannot_do_is_one_line(scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(number: int, settings: SimulationSettings, after: After | None) -> tuple[int, Played, bytes]:
        raise RuntimeError("no luck")

    monkeypatch.setattr(cluster, "_play_away", fails)
    run = begin_run(tmp_path / "run", SETTINGS)
    executor = DaskExecutor(scheduler)
    with pytest.raises(ClusterError, match="a worker failed: RuntimeError: no luck"):
        play_run(run, executor=executor)
    executor.close()


def test_workers_of_another_version_are_refused(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "__version__", "0.0.0")
    with pytest.raises(ClusterError, match=r"has version .*, expected 0\.0\.0"):
        DaskExecutor(scheduler)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--executor", "dask"], "--scheduler URL is missing; to start a cluster here, run: dask scheduler"),
        (["--scheduler", "tcp://127.0.0.1:1"], "only --executor dask has one"),
        (["--executor", "dask", "--scheduler", "x", "--jobs", "2"], "the cluster decides"),
        (["--executor", "dask", "--scheduler", "nonsense"], "the command dask scheduler starts one"),
    ],
)
def test_wrong_arguments_are_one_line_and_make_nothing(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", "--seed", "1", "--out", str(tmp_path / "run"), *arguments]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    # What is left open closes itself whenever garbage is collected, and hangs if another client is just starting.
    assert {one.status for one in gc.get_objects() if isinstance(one, Client)} <= {"closed", "newly-created"}
    assert not (tmp_path / "run").exists()


def test_without_dask_one_line_says_what_to_install(tmp_path: Path) -> None:
    cluster = ("--executor", "dask", "--scheduler", "tcp://127.0.0.1:1", "--out", str(tmp_path / "run"))
    done = run_without("distributed", "simulate", *cluster)
    assert done.returncode == 2
    assert done.stderr == "catan-p2p simulate: playing on a cluster needs Dask: pip install 'catan-p2p[cluster]'\n"


def test_simulating_here_never_imports_dask() -> None:
    program = "import sys, catan_p2p.cli.simulate; sys.exit('distributed' in sys.modules or 'dask' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def sleep_away(number: int, settings: SimulationSettings, after: After | None) -> tuple[int, Played, bytes]:
    """A game that takes until somebody ends the worker."""
    time.sleep(3600)
    raise AssertionError


def test_a_cluster_that_goes_away_is_told_and_what_was_played_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First the only worker goes, then the scheduler: the first is waited for, the second ends the run."""
    monkeypatch.setattr(cluster, "_play_away", sleep_away)
    address = tmp_path / "scheduler.json"
    started = [started_dask("scheduler", "--port", "0", "--scheduler-file", str(address))]
    try:
        started.append(started_dask("worker", "--scheduler-file", str(address), "--no-nanny", "--nthreads", "1"))
        while not (address.exists() and address.stat().st_size):  # the file is there before its text
            assert started[0].poll() is None, "the scheduler ended"
            time.sleep(0.05)
        url = json.loads(address.read_text())["address"]
        with Client(url, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=120)
        told: list[str] = []

        def tell(line: str) -> None:
            told.append(line)
            started[0].kill()

        run = begin_run(tmp_path / "run", SETTINGS)
        executor = DaskExecutor(url, tell)
        started[1].kill()
        with pytest.raises(ClusterError, match="the scheduler went away"):
            play_run(run, executor=executor)
        executor.close()
        assert told == [f"{url}: no worker is left; waiting for one"]
        assert resume_run(run.out).results == {}
    finally:
        for one in started:
            one.kill()
            one.wait()


class SilentClient:
    """A client whose scheduler neither ends a game nor answers."""

    status = "running"
    scheduler: Any = None

    def __init__(self) -> None:
        self.asked = 0

    def sync(self, *_: object, **__: object) -> None:
        self.asked += 1
        assert self.asked < 100, "nobody gives up"
        raise TimeoutError


class EndlessFuture:
    """A game of which nothing is heard."""

    def add_done_callback(self, told: object) -> None:
        pass


def test_a_scheduler_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_LOOK_S", 0.001)
    monkeypatch.setattr(cluster, "_SILENT_S", 0.01)
    client: Any = SilentClient()
    client.scheduler = SimpleNamespace(identity=None)
    told: list[str] = []
    games: list[Any] = [EndlessFuture()]
    with pytest.raises(ClusterError, match="tcp://here: the scheduler went away"):
        list(cluster.as_they_end(client, "tcp://here", iter(games), told.append))
    assert client.asked and told == []


def started_dask(part: str, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{part}", "--no-dashboard", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


STUDY = """
games = 3
keep = "all"
actions = true
measures = ["game", "storage", "deltas"]
[settings]
rules = "thesis; PointsToWin = 3"
[factors]
players = [2, 3]
"""


def test_a_study_has_the_same_rows_on_a_cluster(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where workers have its folder they write there what is kept; only rows come back."""
    file = tmp_path / "study.toml"
    file.write_text(STUDY, encoding="utf-8")
    sizes: list[int] = []
    result = DaskExecutor._result

    def noted(self: DaskExecutor, future: Any) -> Any:
        outcome = result(self, future)
        sizes.append(len(pickle.dumps(outcome)))
        return outcome

    monkeypatch.setattr(DaskExecutor, "_result", noted)
    for name, where in (("here", ["--jobs", "2"]), ("away", ["--executor", "dask", "--scheduler", scheduler])):
        assert main(["study", str(file), "--out", str(tmp_path / name), "--quiet", *where]) == 0
    for name in ("games.csv", "actions.csv", "summary.csv"):
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "away" / name).read_bytes()
    games = sorted((tmp_path / "away" / "games").glob("*/Catan_*/.git"))
    assert len(games) == 6 and all(audit(game.parent).is_fine for game in games)
    assert len(sizes) == 6 and max(sizes) < 4000
