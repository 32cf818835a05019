"""What cells come to, against plain statistics, and how it is drawn and told."""

import math
import statistics
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from catan_p2p.cli.main import main
from catan_p2p.log.folders import FoundGames, GamePath
from catan_p2p.metrics.cells import FigurePlan
from catan_p2p.metrics.columns import COLUMNS
from catan_p2p.metrics.figures.measures import draw_measure, height_in, measure_words, points_of, shown_cells
from catan_p2p.metrics.groups import ReportData, RunGroup
from catan_p2p.metrics.page import FigureBlock, ReportSection, ReportTable
from catan_p2p.metrics.totals import RunTotals
from catan_p2p.simulation.findings import append_line
from catan_p2p.study.folder import StudyFolder, begin_study, open_study
from catan_p2p.study.page import label_groups, study_sections
from catan_p2p.study.tables import write_tables
from tests.metrics.legible import check_figures
from tests.study.plans import plan_of

pytestmark = pytest.mark.needs("report")

PLAN = """
games = 4
measures = ["actions", "file_bytes_per_commit", "turns"]
[factors]
players = [2, 3]
policy = ["random", "builder"]
[baseline]
policy = "random"
"""
VALUES = {
    1: [(100, 400.0, 20), (200, 500.0, 40), (300, 450.0, None), (400, 650.0, 80)],
    2: [(90, 410.0, 18), None, (270, 470.0, 50), (350, 660.0, 70)],
    3: [(110, 500.0, 22), (220, 520.0, 44), (330, 540.0, 66), (440, 560.0, 88)],
    4: [None, None, None, None],
}


def made(
    folder: Path, text: str = PLAN, values: dict[int, list[tuple[float | None, ...] | None]] = VALUES
) -> StudyFolder:
    """A study whose games were never played: their rows are written by hand."""
    study = begin_study(folder / "study", plan_of(text, folder), {"file": "study.toml"})
    for cell, games in values.items():
        for game, row in enumerate(games):
            line = {"cell": cell, "game": game}
            line |= {"why": "no winner"} if row is None else {"values": row}  # type: ignore[dict-item]
            append_line(study.folder / "rows.jsonl", line)
    return open_study(study.folder)


def test_cells_come_to_what_plain_statistics_say(tmp_path: Path) -> None:
    found = {(one.cell.number, one.measure): one for one in made(tmp_path).summaries()}
    assert {cell for cell, _ in found} == {1, 2, 3}
    one = found[1, "actions"]
    assert (one.games.count, one.games.mean, one.games.median) == (4, 250, 250)
    assert one.games.deviation == pytest.approx(statistics.stdev([100, 200, 300, 400]))
    assert one.games.interval is not None and one.games.interval.low < 250 < one.games.interval.high
    assert found[1, "turns"].games.count == 3
    assert found[1, "turns"].games.mean == pytest.approx(140 / 3)


def test_a_single_game_has_neither_interval_nor_deviation(tmp_path: Path) -> None:
    study = made(tmp_path, 'measures = ["actions"]', {1: [(100,)]})
    write_tables(study)
    [one] = study.summaries()
    assert (one.games.mean, one.games.interval) == (100, None)
    assert (
        (study.folder / "summary.csv").read_text("ascii").endswith("\n1,actions,,1,100.0000000,,,100.0000000,,,,,,,\n")
    )
    assert "1 game of 1 in one cell. In every cell game 0 of seed 1 was played." in str(study_sections(study)[0].blocks)


@pytest.mark.needs("frames")
def test_parquet_has_numbers_where_levels_are(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow.parquet")
    text = """
[settings]
topology = "network"
[factors]
network.faults = [0, 3]
network.spectators = [5]
max_actions = [100]
sign = [true]
network.looks = ["hooks"]
"""
    study = made(tmp_path, f'measures = ["actions"]\n{text}', {1: [(100,)], 2: [(90,)]})
    write_tables(study)
    table = pyarrow.read_table(study.folder / "games.parquet")
    types = {name: str(table.schema.field(name).type) for name in study.plan.factors}
    assert {name for name, kind in types.items() if kind == "string"} == {"sign", "network.looks"}
    assert {kind for kind in types.values() if kind != "string"} == {"int64"}
    assert table["network.faults"].to_pylist() == [0, 3] and table["sign"].to_pylist() == ["yes", "yes"]


def test_differences_are_between_games_with_the_same_seed(tmp_path: Path) -> None:
    """Game 1 of the second cell has no row, and game 2 of the first has no turns: those are in no pair."""
    found = {(one.cell.number, one.measure): one.difference for one in made(tmp_path).summaries()}
    assert found[1, "actions"] is None and found[3, "actions"] is None
    actions = found[2, "actions"]
    assert actions is not None
    assert (actions.baseline, actions.pairs.count) == (1, 3)
    assert actions.pairs.mean == pytest.approx((-10 - 30 - 50) / 3)
    assert actions.of_baseline == pytest.approx(-30 / (800 / 3))
    half = 4.30265 * 20 / 3**0.5  # Student's t with two degrees of freedom, the deviation, three pairs
    assert actions.pairs.interval == pytest.approx((-30 - half, -30 + half), rel=1e-5)
    turns = found[2, "turns"]
    assert turns is not None and (turns.pairs.count, turns.pairs.mean) == (2, -6)


def test_the_table_of_summaries_and_the_page_say_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = made(tmp_path)
    write_tables(study)
    sections = {section.title: section for section in study_sections(study)}
    assert list(sections) == ["The study", "actions", "file bytes per commit", "turns", "Failed games", "Repeating it"]
    [table] = [block for block in sections["actions"].blocks if isinstance(block, ReportTable)]
    assert table.head == ("players", "policy", "mean", "against the baseline")
    assert [row[:2] for row in table.rows] == [("2", "random"), ("2", "builder"), ("3", "random")]
    # The quantiles of Student's t for three and two degrees of freedom are 3.18245 and 4.30265.
    assert table.rows[0][2:] == ("250 (44.6–455)", "-")  # 250 ± 3.18245 * 129.0994 / 2
    assert table.rows[1][2] == "237 (0–567), 3 games"  # 236.667 ± 4.30265 * 133.1666 / 3**0.5
    assert table.rows[1][3] == "-30 (-11%, -79.7 to +19.7)"
    assert main(["report", str(study.folder)]) == 0
    page = Path(capsys.readouterr().out.strip())
    assert page.parent.joinpath("report.md").read_text("utf-8").startswith("# study\n")
    assert main(["report", str(study.folder), "--page", str(tmp_path / "docs" / "a.md")]) == 0
    told = (tmp_path / "docs" / "a.md").read_text("utf-8")
    for name in (tmp_path / "docs" / "figures").iterdir():
        assert f"(figures/{name.name})" in told
    assert len(list((tmp_path / "docs" / "figures").iterdir())) == 5


def test_without_a_baseline_each_figure_has_a_table_across(tmp_path: Path) -> None:
    study = made(tmp_path, PLAN.partition("[baseline]")[0])
    sections = {section.title: section for section in study_sections(study)}
    [across] = [block for block in sections["actions"].blocks if isinstance(block, ReportTable)]
    assert across.head == ("players", "random", "builder")
    assert across.rows[0][0] == "2" and across.rows[0][1].startswith("250 (") and across.rows[1][2] == "-"


def test_a_page_shows_the_measures_that_have_figures(tmp_path: Path) -> None:
    text = f'{PLAN}[[figures]]\nmeasure = "turns"\n'
    titles = [section.title for section in study_sections(made(tmp_path, text))]
    assert titles == ["The study", "turns", "Failed games", "Repeating it"]


def test_an_interval_is_in_the_unit_of_its_mean(tmp_path: Path) -> None:
    text = 'games = 3\nmeasures = ["file_bytes", "turns"]\n[factors]\nplayers = [2, 3]\n'
    study = made(tmp_path, text, {1: [(900, 7), (1000, 7), (1400, 7)], 2: [(10, 1), (20, 1), (30, 1)]})
    tables = [block for section in study_sections(study) for block in section.blocks if isinstance(block, ReportTable)]
    [_, sizes, turns] = [table.rows[0] for table in tables]
    assert sizes == ("2", "1.1 kB (0.443–1.76)") and turns == ("2", "7")


def test_kept_games_are_named_by_the_levels_of_their_cell(tmp_path: Path) -> None:
    plan = plan_of(PLAN, tmp_path)
    groups = [
        RunGroup(cell.name, f"{cell.settings.players} players, {cell.name}", 2, RunTotals(None)) for cell in plan.cells
    ]
    groups[3].label = "2 players"  # no other run has as many
    label_groups(groups, plan)
    assert [group.label for group in groups] == [
        *("2 players, random", "2 players, builder", "3 players, random"),
        "2 players",
    ]
    plan = plan_of(PLAN.replace('"builder"', '"beginner,builder,builder"').replace("2, 3", "3"), tmp_path)
    groups = [RunGroup(cell.name, cell.name, 3, RunTotals(None)) for cell in plan.cells]
    label_groups(groups, plan)
    assert [group.label for group in groups] == ["random", "beginner,builder,builder"]


@pytest.mark.parametrize(("levels", "shown"), [("[2, 3]", True), ("[2, 3, 4, 5]", False)])
def test_the_page_shows_kept_games_of_a_few_cells(
    levels: str, shown: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f'keep = "all"\n{PLAN}'.replace("[2, 3]", levels).replace(
        "[baseline]", '[settings]\nrules = "brief"\n[baseline]'
    )
    study = made(tmp_path, text)
    assert main(["report", str(study.folder)]) == 0  # nothing is kept yet
    (study.folder / "games").mkdir()
    monkeypatch.setattr("catan_p2p.cli.report.find_games", lambda _: FoundGames((GamePath("", tmp_path, "", ()),)))
    monkeypatch.setattr("catan_p2p.cli.report._measured", lambda *_: pytest.fail("measured") if not shown else tmp_path)
    monkeypatch.setattr("catan_p2p.cli.report.load_report_data", lambda _: ReportData((), (), 0, {}))
    monkeypatch.setattr(
        "catan_p2p.cli.report.sections", lambda _: [ReportSection("Kept", ()), ReportSection("Repeating it", ())]
    )
    assert main(["report", str(study.folder)]) == 0
    told = (study.folder / "report" / "report.md").read_text("utf-8")
    assert ("## Kept" in told) == shown and told.count("Repeating it") == 1


def test_a_study_that_is_not_over_has_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = made(tmp_path, values={1: VALUES[1][:2], 2: VALUES[2]})
    page = tmp_path / "docs" / "a.md"
    assert main(["report", str(study.folder), "--page", str(page)]) == 0
    told = page.read_text("utf-8")
    assert "5 games of 16 in 4 cells, 1 failed. The study is not over. In every cell it plays games 0 to 3 of" in told
    published = (page.parent / "figures" / "a-games.csv").read_bytes()
    write_tables(study)
    assert (study.folder / "games.csv").read_bytes() == published
    (study.folder / "rows.jsonl").unlink()  # no game has ended
    assert main(["report", str(study.folder), "--page", str(page)]) == 0
    assert "0 games of 16 in 4 cells" in page.read_text("utf-8")
    write_tables(open_study(study.folder))
    capsys.readouterr()


def many(cells: int, games: int, spread: float) -> dict[int, list[tuple[float | None, ...] | None]]:
    return {
        cell: [(spread**cell * (1 + 0.3 * math.sin(7 * cell + game)),) for game in range(games)]
        for cell in range(1, cells + 1)
    }


DRAWN = {
    "one number": ("players = [2, 3, 4]", 3, 1.2),
    "names": ('policy = ["random", "beginner", "builder"]\nchance = ["actor", "joint"]', 6, 1.5),
    "names and numbers": (
        'network.profile = ["lan", "city", "mobile"]\nplayers = [2, 4]\nnetwork.faults = [0, 3]',
        12,
        1.8,
    ),
    "long": ('rules = ["thesis", "thesis; PointsToWin = 4", "thesis; HandLimit = 9"]\nsign = [true, false]', 6, 1.1),
    "from none": ("network.spectators = [0, 10, 100, 1000]\nplayers = [2, 4]", 8, 1.2),
    "thousands": ("network.spectators = [1, 10, 100, 1000]\nnetwork.faults = [0, 5]", 8, 1.3),
}
MEASURES = ("hand_over_p95_s", "all_bytes", "actions")


@pytest.mark.long
@pytest.mark.parametrize("kind", DRAWN)
@pytest.mark.parametrize("measure", MEASURES)
def test_a_figure_of_any_measure_and_factors_is_legible(kind: str, measure: str, tmp_path: Path) -> None:
    factors, cells, spread = DRAWN[kind]
    text = f'games = 5\nmeasures = ["{measure}"]\n[settings]\ntopology = "network"\n[factors]\n{factors}\n'
    study = made(tmp_path, text, many(cells, 5, spread))
    blocks = [block for section in study_sections(study) for block in section.blocks if isinstance(block, FigureBlock)]
    assert len(blocks) == 1
    check_figures(study_sections(study))


def test_a_figure_holds_the_factors_that_it_does_not_show(tmp_path: Path) -> None:
    plan = plan_of(PLAN.replace('["random", "builder"]', '["builder", "random"]'), tmp_path)
    figure = FigurePlan("actions", ("players",))
    assert shown_cells(plan, figure) == {"policy": "random"}
    assert shown_cells(plan, FigurePlan("actions", ("policy", "players"))) == {}
    study = made(tmp_path, values={1: VALUES[1], 2: VALUES[2], 3: VALUES[3]})
    points = points_of(study.plan, figure, list(study.summaries()))
    assert [one.cell.number for one in points] == [1, 3]
    drawn = Figure(figsize=(5, height_in(study.plan, figure, points)))
    draw_measure(drawn, study.plan, figure, points)
    [line] = [line for line in drawn.axes[0].get_lines() if line.get_linestyle() == "-"]
    assert list(line.get_xdata()) == [2, 3] and list(line.get_ydata()) == [250, 275]


def test_measures_in_words() -> None:
    assert measure_words("hand_over_p50_s") == "hand-over, median"
    assert measure_words("turn_p99_s") == "turn, 99th percentile"
    assert measure_words("file_bytes_per_commit") == "file bytes per commit"
    assert len({measure_words(name) for name in COLUMNS}) == len(COLUMNS)
