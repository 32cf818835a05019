"""What finds each planted mistake, and after how many games: ``python -m tests.simulation.laboratory.found``.

Every mistake is looked for in the games of one campaign, from its first seed on, until one fails. That is written to
docs/research/figures/planted.csv; where mistakes are named, only with ``--record``, and only their rows.
"""

import argparse
import csv
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.referee.beside import beside
from tests.simulation.laboratory import campaign, colluding, forging, leaving, racing
from tests.simulation.laboratory.planted import ELSEWHERE, PLANTED, Plant
from tests.simulation.laboratory.sums import Sums

ROWS = Path(__file__).parents[3] / "docs" / "research/figures/planted.csv"
MOST = 100
"""Within how many games each mistake has to be found."""

CAMPAIGNS: dict[str, Callable[[int], Sums]] = {
    "faults": campaign.play_one,
    "joint": partial(campaign.play_one, chance="joint"),
    "disks": campaign.play_disks,
    "lies": partial(campaign.play_kinds, kinds="liar doubled damage power", chance="joint"),
    "syncs": partial(campaign.play_kinds, kinds="failed-sync power"),
    "restored": partial(campaign.play_kinds, kinds="restored late absence"),
    "far": partial(campaign.play_far, chance="joint"),
    "forging": forging.play_one,
    "forging, judged": forging.play_one,
    "leaving": leaving.play_one,
    "leaving, judged": leaving.play_one,
    "racing": racing.play_one,
    "racing, judged": racing.play_one,
    "colluding": colluding.play_one,
    "colluding, judged": colluding.play_one,
}
"""By name, what plays one game. The first four are judged by the independent referee, and so is what is *judged*."""

SAID = {
    r"independent referee refuses: (\w+)": "the independent referee refuses a commit: {}",
    r"program \('(\w*)'.*referee \('(\w*)'": "the program says {0}, the independent referee {1}",
    r"has to be mended": "a repository has to be mended that nothing has damaged",
    r"stands still": "the game stands still",
    r"nothing happens any more": "nothing happens any more",
    r"forgot \w+, which it had ack": "an acknowledged commit is gone after a restart",
    r"forgot that it had refused": "a refusal is forgotten",
    r"lost evidence": "evidence cannot be read",
    r"kept no evidence": "a refusal without evidence",
    r"which was merged long ago": "a reply is still shown long after it was merged",
    r"charges": "somebody honest is charged",
    r"shows \S+ at \w+, which cannot be read": "a ref is shown that leads to nothing",
    r"goes back from": "a ref goes back",
    r"contradicts what others hold": "a peer holds what breaks the rules, or contradicts what others hold",
    r"different commits": "the peers end on different commits",
    r"votes on \(.*\) after": "a vote before the patience is over",
    r"\d had accepted": "what enough players had accepted is not in the game",
    r"ended with (\w+)": "a peer ends with {}",
    r"has continued \w+ with": "somebody honest continues one commit in two ways",
    r"own (\w+) is not acceptable": "a peer would write what others refuse: {}",
    r"the game is not over|is not over": "a peer ends before the game is over",
    r"told .* for|share": "a share is told for two draws",
    r"valid on no line": "a peer holds what is valid nowhere",
    r"goes on without a pause": "a peer goes on without a pause",
    r"has no proof|no proof": "a peer has no proof of a lie",
    r"which is not in the log": "an acknowledged commit is not in the game",
    r"honest and there": "an honest player who was there is away",
}
"""What the message of a failed game comes down to."""


class Found(NamedTuple):
    """A planted mistake, and the game that finds it: 0 if none does."""

    name: str
    campaign: str
    game: int
    said: str
    """What failed, in the words of the table."""
    message: str = ""


def in_words(message: str) -> str:
    """The message of a failed game without what is of this game only."""
    for pattern, words in SAID.items():
        if found := re.search(pattern, message):
            return words.format(*(part or "accepted" for part in found.groups()))
    return re.sub(r"[0-9a-f]{10,40}|\d[\d.]*", "…", message.splitlines()[0])[:100]


def play_planted(plant: Plant | None, name: str, seed: int) -> str | None:
    """Why a game of a campaign fails with a mistake in the program, None if it does not."""
    with pytest.MonkeyPatch.context() as patch:
        if plant is not None:
            plant(patch)
        try:
            with beside() if "judged" in name else nullcontext():
                failures = CAMPAIGNS[name](seed).failures
        except AssertionError as error:
            return f"AssertionError: {error}"
    return failures[0] if failures else None


def search(name: str, most: int = MOST, where: str = "") -> Found:
    """Play the campaign of a mistake until a game fails."""
    plant, known, _ = PLANTED[name]
    if name in ELSEWHERE and not where:
        return Found(name, known, 0, f"no game, but `{ELSEWHERE[name].partition('::')[0]}`")
    for seed in range(1, most + 1):
        message = play_planted(plant, where or known, seed)
        if message is not None:
            return Found(name, where or known, seed, in_words(message), message)
    return Found(name, where or known, 0, f"not found in {most} games")


def recorded() -> Iterator[Found]:
    """The rows of the table; 0 for the game that finds a mistake if none does."""
    with ROWS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield Found(row["name"], row["campaign"], int(row["game"] or 0), row["seen by"])


def record(one: Found) -> None:
    """Write a row of the table, in the place of the mistake's old one."""
    known = {found.name: found for found in (*recorded(), one)}
    with ROWS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("name", "mistake", "campaign", "game", "seen by"))
        for found in known.values():
            writer.writerow((found.name, PLANTED[found.name].what, found.campaign, found.game or "", found.said))


def main() -> int:
    parser = argparse.ArgumentParser(description="Plant mistakes in the program and let the laboratory find them.")
    parser.add_argument("names", nargs="*", metavar="MISTAKE", help="(default: all)")
    parser.add_argument("--games", type=int, default=MOST, help=f"at most, for each mistake (default: {MOST})")
    parser.add_argument("--campaign", choices=CAMPAIGNS, default="", help="another one than the mistake's own")
    parser.add_argument("--record", action="store_true", help="write the rows of the named mistakes, too")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    args = parser.parse_args()
    names = args.names or list(PLANTED)
    if unknown := [name for name in names if name not in PLANTED]:
        parser.error(f"no mistake {unknown[0]}: expected some of {' '.join(PLANTED)}")
    one = partial(search, most=args.games, where=args.campaign)
    rows = []
    with ProcessPoolExecutor(args.jobs, get_context("spawn")) if args.jobs > 1 else nullcontext() as pool:
        for found in map(one, names) if pool is None else pool.map(one, names):
            rows.append(found)
            if not args.campaign and (args.record or not args.names):
                record(found)
            print(f"{found.name}: {found.campaign} {found.game}: {textwrap.shorten(found.message, 400)}", flush=True)
    missed = [found.name for found in rows if not found.game and found.name not in ELSEWHERE]
    print(f"{len(rows) - len(missed)} of {len(rows)} found" + f"; not: {', '.join(missed)}" * bool(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
