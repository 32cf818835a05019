"""Bytes per commit, at the end of a game and after git gc, beside the floor and beside plain use of GitPython.

The targets are for the mean of whole games of random players, since games differ in the objects that actions change.
Rows with a comparison are for the beginning of one game.
Plain use: every action writes its files into a work tree, then calls ``repo.index.add`` and ``repo.index.commit``.
"""

import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.games import Recorded, log_again, record_game
from benchmarks.log_floor import floor
from benchmarks.logged import as_logged
from benchmarks.rows import Row
from catan_p2p.log.commit import action_message
from catan_p2p.log.game import GameDefinition, game_files
from catan_p2p.log.state_files import files_of_state
from catan_p2p.log.storage.repository import git
from catan_p2p.metrics.storage import measure_after_gc, measure_storage
from catan_p2p.simulation.game import SimulationSettings, play_game


def rows(*, quick: bool = False) -> list[Row]:
    """For two and four players."""
    found = []
    for players in (2, 4):
        with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
            found += _whole_games(Path(temporary) / "whole", players, games=1 if quick else 10)
            found += _rows(Path(temporary), players, actions=200 if quick else 1000)
    return found


def _whole_games(folder: Path, players: int, games: int) -> list[Row]:
    settings = SimulationSettings(players=players, games=games, seed=1)
    commits, ended, collected = [], [], []
    for number in range(games):
        commits.append(play_game(folder, number, settings).result.commits)
        git_folder = folder / f"Catan_{number}" / ".git"
        ended.append(measure_storage(git_folder).file_bytes)
        collected.append(measure_after_gc(git_folder).file_bytes)
    found = []
    for when, sizes, target in (("as it ends", ended, 1500), ("after gc", collected, 500)):
        each = sorted(size / count for size, count in zip(sizes, commits, strict=True))
        above = sum(one > target for one in each)
        note = f"mean of {games} games, {each[0]:.0f} to {each[-1]:.0f}; {above} above {target}"
        mean = sum(sizes) / sum(commits)
        found.append(Row(f".git a commit {when}, {players} players", mean, "B", target=f"<= {target}", note=note))
    return found


def _rows(folder: Path, players: int, actions: int) -> list[Row]:
    game, recorded = record_game(folder / "games", players, seed=1, actions=actions)
    begin = time.perf_counter()
    log_again(folder / "ours", game, recorded)
    ours_s = time.perf_counter() - begin
    shutil.rmtree(folder / "games")
    floor(as_logged(log_again(folder / "kept", game, recorded, keep=True).objects), folder / "floor", tuned=False)
    floor_bytes = (folder / "floor").stat().st_size / actions
    naive_s = _commit_plainly(folder / "plain", game, recorded)
    count = actions + 1
    ours, plain = measure_storage(folder / "ours" / ".git"), measure_storage(folder / "plain" / ".git")
    collected, plain_collected = measure_after_gc(folder / "ours" / ".git"), measure_after_gc(folder / "plain" / ".git")
    who = f"{players} players"
    beside, plainly = "objects deflated one by one", "plain GitPython"
    return [
        Row(f"packs a commit, {who}", ours.pack_bytes / count, "B", beside, floor_bytes),
        Row(f"packs a commit after gc, {who}", collected.pack_bytes / count, "B", beside, floor_bytes),
        Row(f".git a commit on disk (du), {who}", ours.disk_bytes / count, "B", plainly, plain.disk_bytes / count),
        Row(
            f".git a commit after gc, {who}, beside plain use", collected.file_bytes / count, "B", plainly,
            plain_collected.file_bytes / count,
        ),
        Row(f"a commit, {who}", 1e3 * ours_s / actions, "ms", plainly, 1e3 * naive_s / actions),
    ]  # fmt: skip


def _commit_plainly(folder: Path, game: GameDefinition, recorded: Sequence[Recorded]) -> float:
    """Commit a recorded game with GitPython in the plainest way; returns the seconds it took."""
    folder.mkdir()
    with git.Repo.init(folder) as repo:
        with repo.config_writer() as config:
            config.set_value("gc", "auto", "0")
        written = _write(folder, game_files(game))
        repo.index.add(written)
        before: dict[str, str] = {}
        begin = time.perf_counter()
        for action, after, _ in recorded:
            files = files_of_state(after)
            changed = {name: text for name, text in files.items() if before.get(name) != text}
            repo.index.add(_write(folder, changed))
            seat = game.seats[action.player - 1]
            author = git.Actor(seat.name, seat.email)
            repo.index.commit(action_message(action), author=author, committer=author)
            before = files
        return time.perf_counter() - begin


def _write(folder: Path, files: dict[str, str]) -> list[str]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return list(files)
