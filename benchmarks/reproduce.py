"""Play the games of the report in docs/research/ again, measure them, and write the report.

    python -m benchmarks.reproduce [--games N] [--jobs J] [--games-in DIR] [--out DIR]

100 games of two and 100 of four random players, seed 1. What an interrupted call
has played is kept: the same call goes on. The object ids are the same everywhere, times depend on the machine.
"""

import argparse
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from catan_p2p.cli.main import main as catan_p2p

HERE = Path(__file__).parent
SEED = 1
KEPT = ("games.csv", "summary.json", "latency.json")
"""What of the metrics goes beside the report; actions.csv is large and can be made again."""
PAGE = "figures.md"
PICTURES = "figures"
_NOTE = (
    f"Written by `make reproduce`. [report.html]({PICTURES}/report.html) has the other tables. The data: "
    + ", ".join(f"[{name}]({PICTURES}/{name})" for name in KEPT)
    + "; `actions.csv`, one row an action, is too large to be kept here."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out what the commands of the report would; returns the first exit code that is not 0."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--games", type=int, default=100, metavar="N", help="of each kind (default: 100)")
    parser.add_argument("--jobs", type=int, default=1, metavar="J", help="processes; times are best with 1 (default)")
    parser.add_argument("--games-in", type=Path, default=HERE.parent / "games" / "report", metavar="DIR")
    parser.add_argument("--out", type=Path, default=HERE.parent / "docs" / "research", metavar="DIR")
    given = parser.parse_args(arguments)
    folder: Path = given.games_in
    jobs = ["--jobs", str(given.jobs)]
    for name, players in (("two", 2), ("four", 4)):
        out = folder / name
        settings = ["--players", str(players), "--games", str(given.games), "--seed", str(SEED), "--out", str(out)]
        settings += ["--judging", "each"]  # as the thesis's peers did: it is the cost of a peer that is reported
        begun = ["--resume", str(out)] if (out / "run.json").exists() else settings
        if code := catan_p2p(["simulate", *begun, *jobs]):
            return code
    if code := catan_p2p(["metrics", str(folder), "--latency", *jobs]):
        return code
    if code := catan_p2p(["report", str(folder)]):
        return code
    _show(folder, given.out)
    return 0


def _show(folder: Path, out: Path) -> None:
    """Put the report as Markdown, its pictures, the page and the tables where the documentation is."""
    pictures = out / PICTURES
    pictures.mkdir(parents=True, exist_ok=True)
    report = folder / "report"
    for source in (*report.glob("*.png"), report / "report.html", *(folder / "metrics" / name for name in KEPT)):
        shutil.copyfile(source, pictures / source.name)
    text = (report / "report.md").read_text(encoding="utf-8")
    shown = re.sub(r"\]\((\w+\.png)\)", rf"]({PICTURES}/\1)", text)
    title, _, rest = shown.partition("\n")
    (out / PAGE).write_text(f"{title}\n\n{_NOTE}\n{shortened(rest)}", encoding="utf-8")


def shortened(text: str) -> str:
    """The report without the tables of all sections but the first, and the paragraphs that explain them."""
    head, begun, rest = text.partition("\n## Storage\n")
    kept: list[str] = []
    for block in rest.split("\n\n"):
        if not block.startswith("| "):
            kept.append(block)
        elif kept and not kept[-1].startswith(("*", "!", "#")):
            kept.pop()
    return head + begun + "\n\n".join(kept)


if __name__ == "__main__":
    sys.exit(main())
