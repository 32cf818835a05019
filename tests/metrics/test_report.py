"""The page: what it says, that it needs nothing else, and that it never compares what cannot be compared."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from base64 import b64decode
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest

from catan_p2p.log.storage.objects import StoreError
from catan_p2p.metrics.figures.times import mean_costs
from catan_p2p.metrics.groups import load_report_data
from catan_p2p.metrics.latency import write_latencies
from catan_p2p.metrics.page import FigureBlock, ReportSection, ReportTable, write_page, write_pages
from catan_p2p.metrics.published import PUBLISHED
from catan_p2p.metrics.rows import DICE_SUMS, GameRow
from catan_p2p.metrics.sections.report import TITLE, chi_square, sections
from catan_p2p.plot_style import render, spell_measured, spell_number, spell_seconds_spread
from catan_p2p.simulation.game import SimulationSettings
from tests.metrics.by_hand import GAME, LATENCIES, write_metrics_by_hand, write_three_games
from tests.metrics.legible import check_figures

pytestmark = [pytest.mark.long, pytest.mark.needs("report"), pytest.mark.sampled(2, together=True)]

pytest.importorskip("matplotlib", reason="needs the extra report")


def tables(found: list[ReportSection]) -> list[ReportTable]:
    return [block for section in found for block in section.blocks if isinstance(block, ReportTable)]


def figures(found: list[ReportSection]) -> list[str]:
    return [block.name for section in found for block in section.blocks if isinstance(block, FigureBlock)]


class Page(HTMLParser):
    """Checks that tags are closed in order, and gathers what the page refers to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.sources: list[str] = []
        self.links: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.sources += [value for name, value in given.items() if name == "src" and value]
        self.links += [value for name, value in given.items() if name == "href" and value]
        if tag == "img":
            assert given["alt"]
        if tag not in ("meta", "img", "br", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a report on three games."""
    folder = tmp_path_factory.mktemp("of_three_games")
    return write_report(write_three_games(folder / "metrics"), folder / "report").parent


def write_report(metrics: Path, out: Path) -> Path:
    return write_pages(TITLE, sections(load_report_data(metrics)), out)


def test_the_page_needs_nothing_but_itself(report: Path) -> None:
    text = (report / "report.html").read_text()
    page = Page(text)
    assert page.links == []
    assert len(page.sources) == 10
    for source in page.sources:
        kind, _, data = source.partition(",")
        assert kind == "data:image/svg+xml;base64"
        assert ElementTree.fromstring(b64decode(data)).tag.endswith("svg")
    assert "<script" not in text and "@import" not in text and "url(" not in text
    assert "A &lt;B&gt; &amp; C" in text


def test_every_figure_is_there_as_svg_and_png_and_in_the_markdown(metrics: Path, report: Path) -> None:
    names = figures(sections(load_report_data(metrics)))
    expected = {"storage", "deltas", "elapsed", "costs", "parts", "latency", "length", "dice", "actions", "winners"}
    assert set(names) == expected
    text = (report / "report.md").read_text()
    for name in names:
        assert (report / f"{name}.svg").read_bytes().startswith(b"<?xml")
        assert (report / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert f"]({name}.png)" in text
    for line in text.splitlines():
        if line.startswith("|"):
            assert len(line) > 5
    rows = re.findall(r"(?m)^\|.*\|$", text)
    assert rows


def test_a_page_for_documentation_has_its_details_beside_it(tmp_path: Path) -> None:
    rows = (("git, 10 ms", "1 | 2"), ("path", "-"))
    told = [ReportSection("Latency", (ReportTable(("where", "µs"), rows, "latency"), ReportTable(("a",), (("b",),))))]
    pictures = write_page("Title", told, tmp_path / "docs" / "own.md")
    assert (tmp_path / "docs" / "own.md").read_text("utf-8") == (
        "# Title\n\n## Latency\n\n[latency.csv](figures/own-latency.csv) has the numbers.\n\n| a |\n| --- |\n| b |\n"
    )
    assert [path.name for path in pictures.iterdir()] == ["own-latency.csv"]
    assert (pictures / "own-latency.csv").read_text("utf-8") == 'where,µs\n"git, 10 ms",1 | 2\npath,-\n'
    write_pages("Title", told, tmp_path / "whole")
    assert "| git, 10 ms | 1 \\| 2 |" in (tmp_path / "whole" / "report.md").read_text("utf-8")


def test_the_same_metrics_give_the_same_bytes(metrics: Path) -> None:
    [figure] = [
        block
        for section in sections(load_report_data(metrics))
        for block in section.blocks
        if isinstance(block, FigureBlock) and block.name == "storage"
    ]
    assert render(figure.draw, figure.height_in) == render(figure.draw, figure.height_in)


def test_the_comparison_tells_mean_deviation_and_ratio_of_both(metrics: Path) -> None:
    comparison = next(table for table in tables(sections(load_report_data(metrics))) if "thesis / here" in table.head)
    assert comparison.head[1::3] == ("2 players (n = 2)", "4 players (n = 1)")
    by_name = {row[0]: (row[1:4], row[4:]) for row in comparison.rows}
    two, four = by_name["commits of a game"]
    assert two == ("151 ± 71 (151; 0–786)", "880 ± 360", "-"), "lengths of games are not compared"
    two, four = by_name["`git diff` of a commit, unless it is empty"]
    told = "817 B (630 ± 450 B with empty ones; n = 1)"  # 630 / (1 - 0.229)
    assert four == ("1,000 ± 873 B (550; n = 100)", told, "0.817")
    two, four = by_name["elapsed time, per commit"]
    assert two[1] == "128 ms"  # 113 s of 880 commits
    assert by_name["elapsed time of a game"][0][2] == "-"
    two, four = by_name["computing, per commit"]
    assert four[0] == "8 ms (8)"
    two, four = by_name["`.git` as the game ends (`du`)"]
    assert four == ("0.20 MB (0.20)", "2.30 ± 0.62 MB", "-")


def test_the_number_of_games_is_told_where_some_lack_a_figure(tmp_path: Path) -> None:
    games = [GAME, replace(GAME, game=1, sent_bytes=None)]
    found = {section.title: section for section in sections(load_report_data(write_metrics_by_hand(tmp_path, games)))}
    rows = {row[0]: row[1] for table in tables([found["Deltas"]]) for row in table.rows}
    assert rows["sent per commit"].endswith("; n = 1)") and "n =" not in rows["pack of one commit"]


@pytest.mark.parametrize(
    "change",
    [
        {"policies": "builder builder"},
        {"policies": "random builder"},
        {"policies": ""},
        {"policies": "random"},
        {"topology": ""},
        {"winner": ""},
        {"rules": "brief"},
        {"topology": "separate"},
        {"players": 3, "points": "10 1 1"},
    ],
)
def test_games_unlike_the_thesiss_are_not_set_beside_its_figures(change: dict[str, object], tmp_path: Path) -> None:
    folder = write_metrics_by_hand(tmp_path, [replace(GAME, **change)])  # type: ignore[arg-type]
    [group] = load_report_data(folder).groups
    assert group.published is None
    found = sections(load_report_data(folder))
    assert not any("thesis / here" in table.head for table in tables(found))


def test_games_on_another_map_are_not_set_beside_the_thesiss_figures(tmp_path: Path) -> None:
    folder = write_metrics_by_hand(tmp_path, [GAME])
    [group] = load_report_data(folder).groups
    assert group.published is not None
    group.totals.settings = SimulationSettings(map="variable")
    assert group.published is None


def test_the_comparison_says_of_how_many_of_the_thesiss_games_each_figure_is(metrics: Path) -> None:
    comparison = next(table for table in tables(sections(load_report_data(metrics))) if "thesis / here" in table.head)
    assert comparison.head[2::3] == ("thesis (n = 100)", "thesis (n = 100)")
    [diffs] = [row for row in comparison.rows if row[0] == "`git diff` of a commit, unless it is empty"]
    assert all(cell.endswith("; n = 1)") for cell in diffs[2::3])  # figure 5.3
    assert not any("n =" in cell for row in comparison.rows if row != diffs for cell in row)


def test_the_published_figures_are_the_thesiss() -> None:
    two, four = PUBLISHED[2], PUBLISHED[4]
    assert [(v.commits.mean, v.commits.deviation) for v in (two, four)] == [(880, 360), (1168, 369)]
    assert [(v.disk_bytes.mean, v.disk_bytes.deviation) for v in (two, four)] == [(2.12e6, 0.41e6), (2.3e6, 0.62e6)]
    assert [(v.elapsed_s.mean, v.elapsed_s.deviation) for v in (two, four)] == [(113, 45.6), (406, 130.5)]
    assert [v.empty_diff_share for v in (two, four)] == [0.244, 0.229]


def test_what_was_not_recorded_is_left_out(tmp_path: Path) -> None:
    bare = dict.fromkeys(("elapsed_s", "computing_s", "synchronizing_s", "sent_bytes", "hand_overs", "seed"))
    folder = write_metrics_by_hand(tmp_path, [replace(GAME, **bare)], latencies=False)  # type: ignore[arg-type]
    found = sections(load_report_data(folder))
    assert not {"latency", "elapsed", "costs"} & set(figures(found))
    assert "catan-p2p simulate" not in str(found[-1])
    write_report(folder, tmp_path / "report")


def test_times_of_actions_of_resumed_games_are_left_out_and_the_games_told(tmp_path: Path) -> None:
    resumed = replace(GAME, game=1, resumed=True, elapsed_s=None, computing_s=None, synchronizing_s=None)
    data = load_report_data(write_metrics_by_hand(tmp_path, [GAME, resumed]))
    assert len(mean_costs(data.groups[0])) == 1
    assert data.groups[0].diffs.total() == 200
    found = sections(data)
    games = tables(found)[0]
    assert games.rows[0][games.head.index("resumed")] == "1"
    assert "times of 1 resumed game are of its last part" in str(found)
    assert "resumed game" not in str(sections(load_report_data(write_metrics_by_hand(tmp_path / "other", [GAME]))))


@pytest.mark.parametrize("change", [{"head": "2" * 40}, {"run": "other"}, {"game": 5}, {"run": "", "head": ""}])
def test_latencies_of_other_games_are_left_out_and_the_report_says_so(
    metrics: Path, change: dict[str, object], tmp_path: Path
) -> None:
    mixed = [replace(LATENCIES[0], **change), LATENCIES[1]]  # type: ignore[arg-type]
    write_latencies(metrics / "latency.json", mixed, {})
    data = load_report_data(metrics)
    assert data.latencies == (LATENCIES[1],)
    assert "1 latency in `latency.json` is of other games" in str(sections(data))
    write_latencies(metrics / "latency.json", mixed[:1], {})
    found = sections(load_report_data(metrics))
    assert "latency" not in figures(found)
    assert "1 latency in `latency.json` is of other games" in str(found)
    assert "metrics DIR --latency" not in str(found[-1])


def test_runs_with_as_many_players_are_told_apart(tmp_path: Path) -> None:
    folder = write_metrics_by_hand(tmp_path, [GAME, replace(GAME, run="other", policies="builder builder")])
    assert [group.label for group in load_report_data(folder).groups] == ["2 players, other", "2 players, two"]
    write_report(folder, tmp_path / "report")


def test_the_report_says_how_to_play_the_same_games(metrics: Path) -> None:
    text = str(sections(load_report_data(metrics))[-1])
    assert "catan-p2p simulate --players 2 --games 2 --seed 7 --policy random --out DIR/two" in text
    assert "catan-p2p metrics DIR --latency" in text


def test_dice_that_fall_as_two_dice_do_have_no_chi_square(metrics: Path) -> None:
    [two, _] = load_report_data(metrics).groups
    assert chi_square(two) == pytest.approx(0)
    two.totals.counts["dice_7"] += 60
    assert chi_square(two) > 18.307


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (2.5, "s", "2.5 s"),
        (0.0, "s", "0 µs"),
        (1234, "B", "1.23 kB"),
        (12, "", "12"),
        (1000, "s", "1,000 s"),
        (999.7, "s", "1,000 s"),
        (12345.6, "s", "12,346 s"),
        (113, "s", "113 s"),
        (1.06, "s", "1.06 s"),
        (0.9999, "s", "1 s"),
        (0.0644, "s", "64.4 ms"),
        (2e-5, "s", "20 µs"),
        (3e-9, "s", "0.003 µs"),
    ],
)
def test_values_are_spelled_with_their_unit(value: float, unit: str, words: str) -> None:
    assert spell_measured(value, unit) == words


@pytest.mark.parametrize(
    ("mean", "deviation", "words"),
    [
        (0.00101, 0.00032, "1.01 ± 0.32 ms"),
        (406, 130.5, "406 ± 130 s"),
        (0.0644, None, "64.4 ms"),
        (0, 0, "0.00 ± 0.00 µs"),
    ],
)
def test_a_spread_has_one_unit(mean: float, deviation: float | None, words: str) -> None:
    assert spell_seconds_spread(mean, deviation) == words


def test_tables_that_do_not_belong_together_are_one_line(metrics: Path) -> None:
    text = (metrics / "actions.csv").read_text().replace("two,1,", "two,9,")
    (metrics / "actions.csv").write_text(text)
    with pytest.raises(StoreError, match="game 9 of two"):
        load_report_data(metrics)


def test_tables_that_are_cut_off_are_one_line(metrics: Path) -> None:
    lines = (metrics / "actions.csv").read_text().splitlines(keepends=True)
    (metrics / "actions.csv").write_text("".join(lines[:-1]))
    with pytest.raises(StoreError, match=r"actions\.csv: 99 of the 100 actions of game 0 of four"):
        load_report_data(metrics)


def test_a_folder_that_cannot_be_written_is_one_line(metrics: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot write"):
        write_report(metrics, tmp_path / "file" / "report")


def test_nothing_but_drawing_imports_matplotlib() -> None:
    program = "import sys, catan_p2p.cli.report, catan_p2p.metrics.page; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.sampled(3)
@pytest.mark.parametrize("games", [1, 2, 40], ids=str)
def test_no_text_of_a_figure_covers_another_and_every_axis_has_words(games: int, tmp_path: Path) -> None:
    rng = Random(games)
    rows = []
    for run, players in (("two", 2), ("four", 4)):
        for game in range(games):
            commits = round(rng.lognormvariate(7, 0.4))
            row = replace(
                GAME, run=run, game=game, players=players, commits=commits, elapsed_s=commits / 1000, actions=40,
                computing_s=commits * 4e-4, synchronizing_s=commits * 7e-5,
                policies=" ".join(["random"] * players), winner=("Red", "Blue")[game % 2],
            )  # fmt: skip
            rows.append(row)
    check_figures(sections(load_report_data(write_metrics_by_hand(tmp_path, rows))))


def games_of(players: int, games: int, rng: Random) -> list[GameRow]:
    """Games of any length, with dice as uneven as those of one short game; of two and four as the thesis's."""
    found = []
    for game in range(games):
        commits = round(rng.lognormvariate(7, 0.6))
        rolls = [rng.choices(DICE_SUMS, [6 - abs(7 - dice) for dice in DICE_SUMS])[0] for _ in range(30)]
        counts = GAME.counts | {f"dice_{dice}": rolls.count(dice) for dice in DICE_SUMS} | {"PlayKnight": 1}
        is_thesis = players in (2, 4)
        row = replace(
            GAME, run=f"run{players}", game=game, players=players, commits=commits, elapsed_s=commits / 1000,
            actions=40, counts=counts, disk_bytes=commits * 500, computing_s=commits * rng.uniform(3e-4, 5e-4),
            synchronizing_s=commits * rng.uniform(5e-5, 9e-5), write_s=0.2 * rng.uniform(0.8, 2),
            policies=" ".join(["random" if is_thesis else "builder"] * players),
            rules="thesis" if is_thesis else "brief", winner=("Red", "Blue")[game % 2],
            points=" ".join(["10"] + ["4"] * (players - 1)),
        )  # fmt: skip
        found.append(row)
    return found


@pytest.mark.sampled(8)
@pytest.mark.parametrize("games", [1, 3, 40], ids=str)
@pytest.mark.parametrize("players", [(2,), (3,), (4,), (6,), (2, 3, 4, 6)], ids=str)
def test_nothing_that_is_drawn_leaves_its_axes_or_lies_below_a_legend(
    players: tuple[int, ...], games: int, tmp_path: Path
) -> None:
    rng = Random(f"{players} {games}")
    rows = [row for count in players for row in games_of(count, games, rng)]
    check_figures(sections(load_report_data(write_metrics_by_hand(tmp_path, rows))))


def test_few_games_get_no_verdict(tmp_path: Path) -> None:
    few = replace(GAME, counts={**GAME.counts, **{f"dice_{dice}": 1 for dice in range(2, 13)}})
    text = str(sections(load_report_data(write_metrics_by_hand(tmp_path / "few", [few]))))
    assert "n = 11 rolls are too few for a test, which needs 180" in text
    many = replace(GAME, counts={**GAME.counts, **{f"dice_{d}": 10 * (6 - abs(7 - d)) for d in range(2, 13)}})
    text = str(sections(load_report_data(write_metrics_by_hand(tmp_path / "many", [many]))))
    assert "n = 360 rolls, chi-square 0.0 with 10 degrees of freedom, p = 1." in text
    assert "as fair dice" not in text


def test_latencies_stand_from_near_to_far_whatever_the_order_of_measuring(metrics: Path) -> None:
    spread_out = [
        replace(LATENCIES[1], what=what, transport=transport, delay_s=delay)
        for what in ("git fetch without news", "synchronization with news", "git fetch with news")
        for transport, delay in (("git", 0.05), ("path", 0.0), ("git", 0.0))
    ]
    write_latencies(metrics / "latency.json", [*spread_out, LATENCIES[0]], {})
    table = next(table for table in tables(sections(load_report_data(metrics))) if table.head[0] == "where")
    assert [(*row[:2], *(cell != "-" for cell in row[2:])) for row in table.rows] == [
        ("central", "action", True, False),
        ("path", "synchronization", True, False),
        ("git", "synchronization", True, False),
        ("git, 50 ms", "synchronization", True, False),
        ("path", "git fetch", True, True),
        ("git", "git fetch", True, True),
        ("git, 50 ms", "git fetch", True, True),
    ]


def test_a_latency_of_two_and_of_four_players_stands_in_one_row(metrics: Path) -> None:
    four = replace(LATENCIES[0], players=4, median_s=0.002, run="four")
    write_latencies(metrics / "latency.json", [four, *LATENCIES], {})
    table = next(table for table in tables(sections(load_report_data(metrics))) if table.head[0] == "where")
    assert table.head[2:] == ("2 players", "2 players, no news", "4 players", "4 players, no news")
    assert [row[2:] for row in table.rows] == [
        ("1 ms (1–1)", "-", "2 ms (1–1)", "-"),
        ("400 ms (300–500), 812 B", "-", "-", "-"),
    ]


def test_on_a_phone_every_cell_says_its_column(report: Path) -> None:
    page = (report / "report.html").read_text()
    assert "@media (max-width" in page
    assert page.count("<td") == page.count('data-head="')


@pytest.mark.parametrize(("value", "words"), [(1230.4, "1,230"), (999.6, "1,000"), (223.7, "224"), (0.7617, "0.762")])
def test_ratios_are_never_spelled_with_powers_of_ten(value: float, words: str) -> None:
    assert spell_number(value) == words
