"""A served game is a game like any other: followed while it is played, and taken by every verb afterwards."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.actions import RollForStart
from catan_p2p.game.new_game import new_constants
from catan_p2p.lmu.game import GitGame
from catan_p2p.log.audit import audit
from catan_p2p.log.history import load_history
from catan_p2p.log.verdict import CommitRejected
from catan_p2p.replication.core.commit_author import UnacceptableCommit
from tests.lmu.hosting import games_by_us
from visualizer.data.feed import GameFeed, applied
from visualizer.data.recording import GameRecording

pytestmark = pytest.mark.long

SEED = 31


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository of a game that four clients played."""
    out = tmp_path_factory.mktemp("served")
    asyncio.run(games_by_us(4, 1, out, SEED))
    return out / "Catan_0"


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a verb prints, which must find nothing wrong."""
    assert main([*arguments]) == 0, capsys.readouterr()
    return capsys.readouterr().out


def test_the_viewer_follows_a_game_while_it_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From before the first commit to the last: many updates, and all of the log in the end."""
    monkeypatch.setattr("catan_p2p.lmu.table.LAG_S", 0.05)
    feed = GameFeed(tmp_path / "Catan_0", following=True)
    feed.start()
    recording: GameRecording | None = None
    lengths: list[int] = []
    try:
        with ThreadPoolExecutor(1) as pool:
            playing = pool.submit(lambda: asyncio.run(games_by_us(4, 1, tmp_path, SEED + 1)))
            while not playing.done():
                for update in feed.take(timeout_s=0.1):
                    recording = applied(recording, update)
                    lengths.append(len(recording) if recording is not None else 0)
            playing.result()
        commits = [logged.commit for logged in load_history(tmp_path / "Catan_0").actions]
        for _ in range(200):
            if recording is not None and len(recording) == len(commits) + 1:
                break
            for update in feed.take(timeout_s=0.1):
                recording = applied(recording, update)
    finally:
        feed.stop()
    assert recording is not None
    assert {step.commit for step in recording.steps[1:]} == set(commits)
    assert len({*lengths}) > 3, lengths


def test_its_log_has_the_players_names_and_the_dates_of_today(served: Path) -> None:
    history = load_history(served)
    assert sorted(history.game.names) == [f"Player {i}" for i in range(4)]
    assert all(0 <= served.stat().st_mtime - logged.time_s < 86_400 for logged in history.actions)


def test_verify_and_log(served: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "commits in order" in told(capsys, "verify", str(served))
    assert "rolls" in told(capsys, "log", str(served))


def test_export_in_every_format_and_import_again(
    served: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("game.catan", "game.sgn"):
        told(capsys, "export", str(served), "-o", str(tmp_path / name))
        assert "in order" in told(capsys, "import", str(tmp_path / name), "--rules", "brief")
    told(capsys, "import", str(tmp_path / "game.sgn"), "--rules", "brief", "-o", str(tmp_path / "again"))
    ours, theirs = load_history(served), load_history(tmp_path / "again")
    assert theirs.last.is_over
    assert sorted(hand.rc for hand in ours.last.h) == sorted(hand.rc for hand in theirs.last.h)


def test_stats_and_metrics(served: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(told(capsys, "stats", str(served), "--json"))
    assert f" {len(load_history(served).actions)} " in told(capsys, "metrics", str(served))


def test_watch_draws_it(served: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pygame")
    told(capsys, "watch", str(served), "--snapshot", str(tmp_path / "picture.png"))
    assert (tmp_path / "picture.png").stat().st_size > 10_000


@pytest.mark.needs("spec")
def test_it_is_a_behaviour_of_the_specification(served: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "a behaviour of the specification" in told(capsys, "check-trace", str(served))


def test_a_commit_that_another_reader_refuses_is_not_logged(tmp_path: Path) -> None:
    constants = new_constants("brief", ("Red", "Blue", "White"), "default", 1)
    game = GitGame(tmp_path / "game", 0, 1, constants, ("Red", "Blue", "White"), lambda height: 0)
    roll = RollForStart(1, 2)
    check = game._checked.check
    game._checked.check = lambda commit, data, put=None: CommitRejected("tree", commit, "planted")  # type: ignore[assignment,misc]
    before = game._store.list_refs("refs/")
    with pytest.raises(UnacceptableCommit, match="planted"):
        game.carry_out(roll)
    assert game._store.list_refs("refs/") == before
    assert game.length == (0, 0)
    game._checked.check = check  # type: ignore[method-assign]
    game.carry_out(roll)
    assert game.length[0] == 1
    game.finish()
    assert audit(tmp_path / "game").is_fine
