"""A game to step through in a notebook: with a slider where ipywidgets is installed, without one otherwise."""

from __future__ import annotations

from html import escape
from typing import Any

from catan_p2p.game.markup import state_markup


def page(game: Any, step: int) -> str:
    """The state of an ``api.games.Game`` after this many steps as HTML, with the last step in words."""
    if step == 0:
        return f"<p>before the first action</p>{state_markup(game.first, game.colours)}"
    at = game.steps[step - 1]
    colour = game.colours[at.action.player - 1]
    commit = f" <code>{at.commit[:10]}</code>" if at.commit else ""
    told = f"<p>{step} of {len(game)}{commit}: <b>{colour}</b> {escape(game.words(at))}</p>"
    return told + state_markup(at.after, game.colours)


def browse(game: Any) -> Any:
    """A widget with a slider over the steps of a game; without ipywidgets the game itself, which shows its end."""
    try:
        import ipywidgets as widgets
    except ImportError:
        return game
    shown = widgets.HTML(page(game, len(game)))
    slider = widgets.IntSlider(len(game), 0, len(game), description="step", continuous_update=False)
    slider.layout.width = "100%"

    def show(change: Any) -> None:
        shown.value = page(game, change["new"])

    slider.observe(show, names="value")
    play = widgets.Play(value=len(game), min=0, max=len(game), interval=400)
    widgets.jslink((play, "value"), (slider, "value"))
    return widgets.VBox([widgets.HBox([play, slider]), shown])
