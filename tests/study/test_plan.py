"""Files of studies: what they mean, and what is said of mistakes in them."""

import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from catan_p2p.game.board import DEFAULT_MAP
from catan_p2p.game.board.map_file import format_map_file
from catan_p2p.metrics.cells import FigurePlan
from catan_p2p.metrics.columns import COLUMNS, GROUPS, columns_named, columns_page
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.study.plan import PlanError, read_plan
from tests.shared import ROOT
from tests.study.plans import LINKS, SHORT, plan_of, written
from tests.typed import Typed


def test_cells_are_all_combinations_but_those_left_out(tmp_path: Path) -> None:
    plan = plan_of(SHORT, tmp_path)
    assert [dict(cell.levels) for cell in plan.cells] == [
        {"players": 2, "policy": "random"},
        {"players": 2, "policy": "builder"},
        {"players": 3, "policy": "random"},
    ]
    assert [cell.name for cell in plan.cells] == [
        "001_players=2_policy=random",
        "002_players=2_policy=builder",
        "003_players=3_policy=random",
    ]
    assert {(cell.settings.games, cell.settings.seed, cell.settings.rules) for cell in plan.cells} == {
        (3, 1, "thesis; PointsToWin = 3")
    }
    assert [cell.settings.policies for cell in plan.cells] == [("random",), ("builder",), ("random",)]


def test_a_cell_is_compared_with_the_one_that_differs_in_the_baseline_only(tmp_path: Path) -> None:
    plan = plan_of(SHORT, tmp_path)
    assert [plan.baseline_of(cell) for cell in plan.cells] == [None, plan.cells[0], None]


def test_changes_of_a_network_are_added_to_its_words(tmp_path: Path) -> None:
    plan = plan_of(LINKS, tmp_path)
    assert [cell.settings.network for cell in plan.cells] == [
        "lan; looks = back-off",
        "lan; looks = hooks",
        "city; looks = back-off",
        "city; looks = hooks",
    ]
    words = 'network = "world; looks = hooks; faults = 2"\n'
    text = LINKS.replace('policy = "builder"\n', f'policy = "builder"\n{words}').replace(
        "network.looks", "network.faults"
    )
    changed = plan_of(text.replace('["back-off", "hooks"]', "[0, 3]"), tmp_path)
    assert [cell.settings.network for cell in changed.cells] == [
        "lan; looks = hooks",
        "lan; looks = hooks; faults = 3",
        "city; looks = hooks",
        "city; looks = hooks; faults = 3",
    ]


def test_cells_without_links_have_none_of_the_network(tmp_path: Path) -> None:
    text = """
[settings]
network.looks = "hooks"
[factors]
topology = ["shared", "network"]
network.profile = ["lan", "city"]
"""
    with pytest.raises(PlanError, match=r"city is the same game as topology = shared, network\.profile = lan"):
        plan_of(text, tmp_path)
    without = '[[without]]\ntopology = "shared"\nnetwork.profile = "city"\n'
    cells = plan_of(text + without, tmp_path).cells
    assert [(cell.settings.topology, cell.settings.network) for cell in cells] == [
        ("shared", SimulationSettings().network),
        ("network", "lan; looks = hooks"),
        ("network", "city; looks = hooks"),
    ]
    cells = plan_of('settings.network = "city"\nfactors.topology = ["network", "separate"]', tmp_path).cells
    assert [cell.settings.network for cell in cells] == ["city", SimulationSettings().network]


def test_files_of_maps_and_rules_lie_beside_the_study(tmp_path: Path) -> None:
    (tmp_path / "own.map").write_text(format_map_file(DEFAULT_MAP), encoding="utf-8")
    (tmp_path / "own.rules").write_text("Profile = brief\nPointsToWin = 4\n", encoding="utf-8")
    text = '[factors]\nmap = ["own.map", "variable"]\nrules = ["own.rules", "thesis"]\n'
    cells = plan_of(text, tmp_path).cells
    assert [cell.settings.rules for cell in cells] == ["brief; PointsToWin = 4", "thesis"] * 2
    assert [cell.settings.map for cell in cells[1:3]] == [format_map_file(DEFAULT_MAP), "variable"]
    assert f"--map {shlex.quote(str(tmp_path / 'own.map'))}" in cells[1].command(4)
    assert "--game 4" in cells[2].command(4) and "--map variable" in cells[2].command(4)


def test_what_is_measured_and_drawn_if_nothing_is_said(tmp_path: Path) -> None:
    plan = plan_of("[factors]\nplayers = [2, 3]\n", tmp_path)
    assert {COLUMNS[name].group for name in plan.columns} == {"game", "storage", "deltas"}
    assert plan.figures == ()
    links = plan_of(LINKS, tmp_path)
    by = ("network.profile", "network.looks")
    assert links.figures == (FigurePlan("hand_over_p50_s", by), FigurePlan("all_bytes_per_action", by))


def test_the_digest_is_of_all_that_decides_rows_and_of_no_words(tmp_path: Path) -> None:
    plan = plan_of(SHORT, tmp_path)
    assert plan_of(f'title = "another"\n{SHORT}', tmp_path).digest == plan.digest
    for changed in (
        SHORT.replace("games = 3", "games = 4"),
        SHORT.replace("games = 3", "games = 3\nseed = 2"),
        SHORT.replace("PointsToWin = 3", "PointsToWin = 4"),
        SHORT.replace('"counts"', '"seats"'),
        SHORT.replace("games = 3", 'games = 3\nkeep = "all"'),
    ):
        assert plan_of(changed, tmp_path).digest != plan.digest
    assert replace(plan, about="other words").digest == plan.digest


def test_a_folder_of_before_has_the_digest_of_its_plan() -> None:
    """A new setting changes it. A new name of a class in the program must not."""
    plan = read_plan(ROOT / "docs/guides/first-study.toml")
    assert plan.digest == "fe73f13a44b2bd0f8d51aba59ad53065eeb04f32754d9ed450ec79e6247b807a"


MISTAKES = {
    "games = 0": "games: 0, expected 1 to 1000000",
    "games = true": "games: True, expected a whole number",
    "gmaes = 3": "gmaes: expected one of title, about, conclusions, limits, games, seed, keep, actions, measures, ",
    'keep = "some"': "keep: 'some', expected one of none, failures, all",
    'measures = ["tunrs"]': "measures: 'tunrs', expected a group (",
    'measures = ["hand_over_p50_s"]': "measures: 'hand_over_p50_s' needs games with topology = network",
    "[factors]\nplayers = 2": "factors.players: 2, expected a list",
    "[factors]\nplayers = []": "factors.players: no level, expected at least one",
    "[factors]\nplayers = [2, 2]": "factors.players: the same level twice",
    '[factors]\nplayers = ["2"]': "factors.players: '2', expected a whole number",
    "[factors]\nplayers = [2, 9]": "factors.players: 9: expected 2 to 4 under the thesis rules",
    '[factors]\nchance = ["dice"]': "factors.chance: dice: expected one of actor, joint",
    '[factors]\npolicy = ["nobody"]': "factors.policy: policy 'nobody': expected one of ",
    '[factors]\nplayer = ["a"]': "factors.player: expected one of players, policy, ",
    '[factors]\nhands = ["open", "closed"]\nplayers = [2, 3]': (
        "factors.hands, in the cell hands = closed, players = 2: closed: expected one of open, hidden"
    ),
    '[settings]\nrules = "thesis; Points = 3"': "settings.rules: ",
    "[settings]\nplayers = 2\n[factors]\nplayers = [2]": "settings.players: also a factor; expected it in settings or ",
    '[factors]\nnetwork.profile = ["lan"]': "factors.network: needs --topology network",
    '[settings]\ntopology = "network"\n[factors]\nnetwork.profile = ["moon"]': "factors.network: moon",
    "[factors]\nplayers = [2]\n[[without]]\nplayers = 3": "without[0].players: 3 is no level of it, expected one of 2",
    "[factors]\nplayers = [2]\n[[without]]\npolicy = 3": "without[0].policy: no factor, expected one of players",
    "[factors]\nplayers = [2]\n[[without]]\nplayers = 2": "without: every combination is left out",
    "[factors]\nplayers = [2]\n[baseline]\nplayers = [2, 2]": "baseline.players: 2 levels, expected one",
    '[factors]\nplayers = [2]\n[[figures]]\nmeasure = "winner"': "figures[0].measure: 'winner', expected one of ",
    '[factors]\nplayers = [2]\n[[figures]]\nmeasure = "actions"\nby = ["hands"]': "figures[0].by: 'hands' is no factor",
    '[factors]\nplayers = [2]\n[[figures]]\nmeasures = "actions"': "figures[0].measures: expected measure, by or at",
    '[factors]\nrules = ["thesis", "thesis "]': "factors: rules = thesis  is the same game as rules = thesis; ",
    '[factors]\nplayers = [2, 3]\n[[figures]]\nmeasure = "actions"\nat.players = 2': "figures[0].at.players: this ",
    '[factors]\nplayers = [2, 3]\n[[figures]]\nmeasure = "actions"\nat.players = 4': "figures[0].at.players: 4 ",
    "games = ": "not TOML: ",
    f"games = {'9' * 5000}": "not TOML: ",
    "seed = 10000000000000000000": "seed: 10000000000000000000, expected at most 9223372036854775807",
    "[factors]\nmax_actions = [9223372036854775808]": "factors.max_actions: 9223372036854775808, expected at most ",
    f'[factors]\nmap = ["{"x" * 300}"]': f"factors.map: {'x' * 300}: ",
    f'[factors]\nrules = ["{"x" * 300}"]': "factors.rules: ",
    f'[settings]\ntopology = "network"\nnetwork = "{"x" * 300}"': f"settings.network: {'x' * 300}: ",
    '[factors]\nplayers = [2]\n[[figures]]\nmeasure = "actions"\nby = [["players"]]': "figures[0].by: ['players'] is ",
    '[factors]\n"network.faults" = [1]\nnetwork.faults = [2]': "factors.network.faults: twice, expected it once",
    '[settings]\ntopology = "separate"\n[factors]\nsign = [true, false]\n[baseline]\nsign = 1': "baseline.sign: 1 ",
    '[settings]\ntopology = "network"\n[factors]\nnetwork.looks = ["hooks; faults = 4"]': "factors.network: looks = ",
}


@pytest.mark.parametrize("text", MISTAKES, ids=range(len(MISTAKES)))
def test_a_mistake_is_told_in_a_line_with_file_key_and_what_was_expected(text: str, tmp_path: Path) -> None:
    path = written(text, tmp_path)
    with pytest.raises(PlanError) as told:
        read_plan(path)
    assert str(told.value).startswith(f"{path}: {MISTAKES[text]}")
    assert "\n" not in str(told.value)


def test_no_file_is_read_without_an_end_or_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="no such file"):
        read_plan(tmp_path / "none.toml")
    with pytest.raises(PlanError, match="longer than"):
        plan_of("#" * (1 << 19), tmp_path)
    with pytest.raises(PlanError, match=r"20000 cells, expected at most 10000"):
        levels = ", ".join(f'"thesis; PointsToWin = {points}"' for points in range(3, 5003))
        plan_of(f"[factors]\nplayers = [2, 3, 4, 5]\nrules = [{levels}]", tmp_path)


def test_every_column_has_a_group_and_a_definition_that_is_a_sentence() -> None:
    for column in COLUMNS.values():
        assert column.group in GROUPS
        assert column.definition.endswith(".") and not column.definition[0].islower(), column
    assert {name for group in GROUPS for name in (one.name for one in columns_named(group))} == set(COLUMNS)


def test_the_verb_prints_every_column_in_its_group(typed: Typed) -> None:
    printed = typed(0, "study", "--columns").out
    assert printed == columns_page()
    _, *tables = printed.split("\n## ")
    assert [table.partition("\n")[0] for table in tables] == list(GROUPS)
    for name, column in COLUMNS.items():
        table = tables[list(GROUPS).index(column.group)]
        row = f"| {column.row or column.definition} |\n"
        assert f"`{name}`" in table or ("`, ..., `" in table and row in table), name
