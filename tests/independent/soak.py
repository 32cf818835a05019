"""Many games on both sides, counted: the figures of docs/research/independent.md.

python -m tests.independent.soak [--seeds N]
"""

import argparse
from collections.abc import Iterable

from tests.independent.agreement import Tally
from tests.independent.differences import Known
from tests.independent.replay import MAPS, Setting, replay

FAMILIES: tuple[tuple[str, str], ...] = (
    ("random", "fair"),
    ("builder", "fair"),
    ("random", "loaded"),
    ("builder", "loaded"),
    ("fighter", "fair"),
    ("fighter", "rich"),
    ("fighter", "short"),
)
"""Policies and kinds of games."""


def settings(players: int, policy: str, kind: str, seeds: Iterable[int]) -> list[Setting]:
    """A game for every map and seed."""
    return [Setting(players, map, policy, kind, seed) for seed in seeds for map in MAPS]


def play(seeds: int) -> dict[tuple[int, str, str], Tally]:
    """Every family of games with three and four players; ``Disagreement`` at the first unknown difference."""
    return {
        (players, policy, kind): sum(map(replay, settings(players, policy, kind, range(seeds))), Tally())
        for players in (3, 4)
        for policy, kind in FAMILIES
    }


def table(played: dict[tuple[int, str, str], Tally]) -> str:
    """The figures as Markdown: games by family, then known differences."""
    whole = sum(played.values(), Tally())
    lines = [
        "| players | policy, kind | games | turns | actions | values compared | sets of options compared |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    rows = {f"{players} | {policy}, {kind}": tally for (players, policy, kind), tally in played.items()}
    for name, tally in {**rows, "all |": whole}.items():
        figures = (tally.games, tally.turns, tally.actions, tally.values, tally.options)
        lines.append(f"| {name} | " + " | ".join(f"{figure:,}" for figure in figures) + " |")
    lines += ["", "| known difference | " + " | ".join(f"{p}, {k}" for p, k in FAMILIES) + " | all |"]
    lines.append("| --- |" + " --- |" * (len(FAMILIES) + 1))
    for known in Known:
        by_family = [sum(played[n, policy, kind].known[known] for n in (3, 4)) for policy, kind in FAMILIES]
        lines.append(f"| `{known.name}` | " + " | ".join(f"{n:,}" for n in (*by_family, whole.known[known])) + " |")
    return "\n".join(lines)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10, help="seeds for every family, map and number of players")
    print(table(play(parser.parse_args().seeds)))


if __name__ == "__main__":
    main()
