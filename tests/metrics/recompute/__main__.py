"""``python -m tests.metrics.recompute FOLDER ...``: each a run that was measured, or a study that kept its games.

Prints each cell that differs, and each column that is not known here; then the exit code is 1.
"""

import sys
from pathlib import Path

from tests.metrics.recompute.comparing import Comparison, compare_actions, compare_games, read
from tests.metrics.recompute.links import link_columns
from tests.metrics.recompute.means import compare_means, compare_summary
from tests.metrics.recompute.repository import Game


def compare_run(found: Comparison, run: Path) -> None:
    """Compare the tables that ``metrics`` wrote beside one run."""
    tables, place = run / "metrics", {"run": run.name}
    games, actions = read(tables / "games.csv"), read(tables / "actions.csv")
    over_links = {row["game"]: row for row in read(tables / "network.csv")} if (tables / "network.csv").exists() else {}
    for cells in games:
        with Game(run, int(cells["game"])) as game:
            compare_games(found, str(run), game, cells, place)
            rows = [row for row in actions if row["game"] == cells["game"]]
            if int(cells["pack_bytes_alone"]) != sum(int(row["pack_bytes"]) for row in rows):
                found.wrong.append(f"{run} {cells['game']}: pack_bytes_alone is not the sum of pack_bytes")
            compare_actions(found, f"{run} actions", game, rows, place)
            if cells["topology"] == "network":
                found.row(f"{run} network {game.number}", over_links[cells["game"]], {**link_columns(game), **place})
    compare_summary(found, tables / "summary.json", games)


def compare_study(found: Comparison, study: Path) -> None:
    """Compare the tables of a study that kept its games."""
    games, actions = read(study / "games.csv"), read(study / "actions.csv")
    factors = list(games[0])[: list(games[0]).index("cell")]
    folders = {folder.name.partition("_")[0].lstrip("0"): folder for folder in (study / "games").iterdir()}
    for cells in games:
        place, number = {name: cells[name] for name in (*factors, "cell")}, cells["cell"]
        with Game(folders[number], int(cells["game"])) as game:
            if any(str(game.settings[name]) != cells[name] for name in factors):
                found.wrong.append(f"{game.run}: played with other levels than {place}")
            compare_games(found, f"{study} cell {number}", game, cells, place)
            rows = [row for row in actions if (row["cell"], row["game"]) == (number, cells["game"])]
            compare_actions(found, f"{study} actions {number}", game, rows, {**place, "seed": cells["seed"]})
    compare_means(found, study, games, factors)
    if read(study / "failures.csv"):
        found.wrong.append(f"{study}: failures, but every game is kept")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} FOLDER ...")
    comparison = Comparison()
    for argument in map(Path, sys.argv[1:]):
        (compare_study if (argument / "study.json").exists() else compare_run)(comparison, argument)
    for line in comparison.wrong:
        print(line)
    print(f"{comparison.cells} cells compared, {len(comparison.wrong)} differ")
    sys.exit(1 if comparison.wrong else 0)
