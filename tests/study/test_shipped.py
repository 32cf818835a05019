"""Shipped studies: their files are read, and their pages say what their tables say."""

import csv
import hashlib
import re
from itertools import groupby
from pathlib import Path
from statistics import fmean

import pytest

from catan_p2p.metrics.columns import COLUMNS
from catan_p2p.study.plan import read_plan
from tests.docs.blocks import blocks

ROOT = Path(__file__).parents[2]
RESEARCH = ROOT / "docs" / "research"
PAGES = {
    "thesis": "figures",
    "network": "network-study",
    **{name: name for name in ("fairness", "fairness-links")},
}
FIRST = ROOT / "docs" / "guides" / "first-study.toml"


def rows(name: str) -> list[dict[str, str]]:
    with (RESEARCH / "figures" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_shipped_study_has_its_page() -> None:
    assert {path.stem for path in (RESEARCH / "studies").glob("*.toml")} == set(PAGES)


@pytest.mark.parametrize("study", PAGES)
def test_a_page_is_of_the_study_as_it_is_now(study: str) -> None:
    path = RESEARCH / "studies" / f"{study}.toml"
    plan, page = read_plan(path), (RESEARCH / f"{PAGES[study]}.md").read_text("utf-8")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert digest in page, f"made of another {path.name}; make it again: see the Makefile"
    assert page.startswith(f"# {plan.title}\n")
    assert len(rows(f"{PAGES[study]}-games.csv")) == plan.games * len(plan.cells), "games failed"
    for picture in re.findall(r"\]\((figures/[^)]*)\)", page):
        assert (RESEARCH / picture).exists()


@pytest.mark.parametrize("study", PAGES)
def test_what_cells_come_to_follows_from_the_rows(study: str) -> None:
    plan = read_plan(RESEARCH / "studies" / f"{study}.toml")
    told = {(row["cell"], row["measure"]): row for row in rows(f"{PAGES[study]}-summary.csv")}
    games = {cell: list(own) for cell, own in groupby(rows(f"{PAGES[study]}-games.csv"), lambda row: row["cell"])}
    for (cell, measure), row in told.items():
        values = [float(one[measure]) for one in games[cell] if one[measure]]
        assert int(row["games"]) == len(values)
        assert float(row["mean"]) == pytest.approx(fmean(values), rel=1e-5, abs=1e-6)
        if row["baseline"]:
            pairs = zip(games[cell], games[row["baseline"]], strict=True)
            differences = [float(a[measure]) - float(b[measure]) for a, b in pairs if a[measure] and b[measure]]
            assert float(row["difference"]) == pytest.approx(fmean(differences), rel=1e-5, abs=1e-6)
    numbers = {(str(cell.number), name) for cell in plan.cells for name in plan.columns if COLUMNS[name].is_number}
    assert set(told) <= numbers


def test_the_first_study_of_the_guide_is_the_file_beside_it_and_short() -> None:
    guide = (ROOT / "docs" / "guides" / "studies.md").read_text("utf-8")
    [shown] = [lines for _, kind, lines in blocks(guide) if kind == "toml"]
    assert shown == FIRST.read_text("utf-8").splitlines()
    assert len(shown) <= 15
    assert len([name for name, levels in read_plan(FIRST).factors.items() if len(levels) > 1]) == 3
