"""Whether earlier measurements still describe some games."""

from collections.abc import Sequence
from pathlib import Path

from catan_p2p.log.folders import RESULTS_FILE, GamePath
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.metrics.collection import SUMMARY_FILE, read_games, read_summary
from catan_p2p.metrics.games import digest_branches
from catan_p2p.metrics.recorded import run_folder
from catan_p2p.simulation.run import RUN_FILE


def why_stale(folder: Path, games: Sequence[GamePath], *, thorough: bool) -> str | None:
    """Why ``folder`` does not have current measurements of exactly these games; None if it has.

    ``thorough`` also requires what ``metrics --quick`` leaves out. Raises ``StoreError`` if a game cannot be opened.
    """
    summary = folder / SUMMARY_FILE
    if not summary.exists():
        return "there are no tables yet"
    try:
        measured_at = summary.stat().st_mtime_ns
        read_summary(folder)
        rows = {(row.run, f"Catan_{row.game}"): row for row in read_games(folder)}
    except (OSError, StoreError) as error:
        return str(error)
    if set(rows) != {(game.run, game.name) for game in games}:
        return "the tables are of other games"
    if thorough and any(row.gc_file_bytes is None or row.sent_bytes is None for row in rows.values()):
        return "the tables were measured with --quick"
    runs = sorted({run_folder(game.path) for game in games})
    for path in (run / name for run in runs for name in (RUN_FILE, RESULTS_FILE)):
        if path.exists() and path.stat().st_mtime_ns > measured_at:
            return f"{path} has changed since the games were measured"
    for game in games:
        row = rows[game.run, game.name]
        if digest_branches(game.path) != row.branches:
            return f"game {row.game} of {row.run} has changed since it was measured"
    return None
