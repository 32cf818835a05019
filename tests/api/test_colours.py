"""A player is drawn in the colour of that name everywhere, whatever the seat is."""

import ast
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import catan_p2p
from catan_p2p.api.notebook import page
from catan_p2p.game.palette import PLAYER_COLOURS, UNKNOWN_COLOUR, player_colour
from catan_p2p.log.refs import COLOURS
from catan_p2p.metrics.groups import load_report_data
from tests.for_each import for_each
from tests.metrics.by_hand import ACTION, GAME, write_metrics_by_hand
from tests.test_hygiene import LIBRARY, parsed
from visualizer.pictures import palette


@pytest.fixture(scope="module")
def green_and_white() -> catan_p2p.Game:
    game = catan_p2p.play(players=2, rules="thesis", seed=1)
    return catan_p2p.Game(["Green", "White"], game.first, game.steps)


@for_each("how", ["the game", "a position", "a step", "the first step"])
def test_a_notebook_draws_a_game_of_green_and_white_in_green_and_white(
    how: str, green_and_white: catan_p2p.Game
) -> None:
    game = green_and_white
    markup = {
        "the game": game._repr_html_,
        "a position": lambda: game.position(20)._repr_html_(),
        "a step": lambda: page(game, 20),
        "the first step": lambda: page(game, 0),
    }[how]()
    shown = {name for name, tone in PLAYER_COLOURS.items() if tone in markup}
    assert shown == {"Green", "White"}


@pytest.mark.needs("report")
def test_a_picture_of_the_figures_has_the_players_own_colours() -> None:
    pytest.importorskip("matplotlib", reason="needs the extra report")
    from catan_p2p.notation.statistics import plots
    from tests.notation.test_statistics import figures

    found = replace(figures(), names=("Green", "White"))
    drawn = {line.get_label(): line for ax in plots.drawing([("game", found)]).axes for line in ax.lines}
    assert drawn["Green"].get_color() == player_colour("Green")
    assert drawn["White"].get_color() == player_colour("White")
    assert drawn["White"].get_path_effects(), "white on white paper needs an outline"


@pytest.mark.needs("report")
def test_a_report_counts_the_wins_of_green_and_white(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra report")
    from matplotlib.figure import Figure

    from catan_p2p.metrics import collection
    from catan_p2p.metrics.figures.games import draw_winners
    from catan_p2p.metrics.rows import ActionRow, write_rows

    games = [replace(GAME, game=number, winner=("White", "White", "Green")[number], actions=2) for number in range(3)]
    folder = write_metrics_by_hand(tmp_path, games)
    rows = [
        replace(ACTION, game=game.game, step=seat, player=seat, colour=("Green", "White")[seat - 1])
        for game in games
        for seat in (1, 2)
    ]
    write_rows(folder / collection.ACTIONS_FILE, ActionRow, rows)
    figure = Figure()
    draw_winners(figure, load_report_data(folder).groups)
    ax: Any = figure.axes[0]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["1: Green", "2: White"]
    assert [round(bar.get_height(), 1) for bar in ax.patches] == [33.3, 66.7]


def test_there_is_one_palette_of_players() -> None:
    assert tuple(PLAYER_COLOURS) == COLOURS
    for name in (*COLOURS, "Purple"):
        red, green, blue = palette.player_color(name)[:3]
        assert f"#{red:02x}{green:02x}{blue:02x}" == player_colour(name)
    assert player_colour("Purple") == UNKNOWN_COLOUR


def is_tone(value: ast.expr) -> bool:
    """Whether an expression is ``"#d63a34"`` or ``(214, 58, 52)``."""
    if isinstance(value, ast.Tuple):
        return len(value.elts) == 3 and all(isinstance(part, ast.Constant) for part in value.elts)
    return isinstance(value, ast.Constant) and str(value.value).startswith("#")


@pytest.mark.long
def test_no_other_module_says_how_a_colour_looks() -> None:
    palettes = [
        str(path)
        for path in LIBRARY
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Dict)
        and {"Red", "Blue"} <= {key.value for key in node.keys if isinstance(key, ast.Constant)}
        and all(map(is_tone, node.values))
    ]
    assert palettes == ["catan_p2p/game/palette.py"]
