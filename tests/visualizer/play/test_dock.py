"""The seat in small windows: nothing on it is cut, nothing stands beyond its button.

With one row of tools, with costs as wide as they are, or with no names but the long ones, cases fail.
"""

from dataclasses import replace

import pytest

from catan_p2p.game.constants import BRIEF
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.state import State, initial_state
from tests.positions import position
from visualizer.drawing.fonts import FontSet
from visualizer.pictures.layout import SMALLEST, layout
from visualizer.pictures.shapes import Rect, Sprite, Text
from visualizer.pictures.typeset import ELLIPSIS
from visualizer.play.dock import TOOLS, DockContents, dock
from visualizer.play.moment import moment

NAMES = ("Red", "Blue", "Green", "Orange")
LONG = ("Maximilian", "Anna-Lena", "Christopher", "Bo")
LEAVING = replace(BRIEF, leaving=True)
TALK = replace(BRIEF, table_talk=True)
RICH = {1: "4 Lumber, 4 Brick, 4 Wool, 4 Grain, 4 Ore", 2: "3 Lumber, 3 Brick", 3: "1 Ore", 4: "2 Ore"}
CARDS = {1: "1 Knight, 1 Monopoly, 1 YearOfPlenty, 1 RoadBuilding"}
PROPOSALS = {
    2: ("1 Brick", "1 Wool"),
    3: ("1 Ore", "2 Lumber, 2 Brick"),
    4: ("2 Ore", "1 Wool, 1 Grain, 1 Lumber, 1 Brick"),
}


def trading(**more: object) -> State:
    return position(4, **{"phase": "TradingBuilding", "rules": BRIEF, "hands": RICH, **more})  # type: ignore[arg-type]


STATES = {
    "much to do": trading(available=CARDS),
    "nothing to do it with": trading(hands={1: "2 Lumber, 1 Wool"}),
    "three proposals": trading(available=CARDS, rules=TALK, proposals=PROPOSALS),
    "a silent player": trading(turn=2, rules=LEAVING),
    "an own proposal": trading(turn=2, rules=TALK, proposals={1: ("3 Wool, 1 Ore", "2 Lumber, 1 Brick")}),
    "an offer that others think about": trading(
        phase="Offering", rules=TALK, offer=("1 Lumber", "1 Ore"), answers=("none", "asked", "asked", "asked")
    ),
    "an offer that two accept": trading(
        phase="Offering", offer=("1 Lumber", "1 Ore"), answers=("none", "accept", "accept", "reject")
    ),
    "an offer": trading(
        phase="Offering", turn=2, offer=("2 Lumber", "1 Ore, 1 Wool"), answers=("asked", "none", "reject", "reject")
    ),
    "the start": initial_state(new_constants("standard", NAMES)),
    "a seven": position(4, phase="Discarding", rules=BRIEF, hands={1: "4 Lumber, 3 Brick, 2 Ore"}),
}


@pytest.mark.parametrize("stretch", [1.0, 1.15], ids=["the font of pygame", "a wider font"])
@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("size", [SMALLEST, (800, 600), (600, 1000), (3840, 2160)])
@pytest.mark.parametrize("notice", ["", "Anna-Lena has voted already"], ids=["", "with a notice"])
@pytest.mark.parametrize("names", [NAMES, LONG], ids=["colours", "names"])
@pytest.mark.parametrize("name", STATES)
def test_no_word_is_cut_and_nothing_stands_beyond_its_button(
    name: str,
    names: tuple[str, ...],
    notice: str,
    size: tuple[int, int],
    scale: float,
    stretch: float,
    fonts: FontSet,
) -> None:
    def measure(text: str, size: float, bold: bool = False) -> float:
        return stretch * fonts.width(text, size, bold)

    state = STATES[name]
    parts = layout(*size, "players", scale, True, True)
    assert parts.seat is not None
    found = moment(state, 1, names, excusable=(2,), colours=NAMES)
    tools = TOOLS[1:] if name == "the start" else TOOLS  # nobody is elsewhere to talk to
    waiting = f"waiting for {names[0]} and {names[2]}, 3 min of 10 min"
    seen = DockContents("Red", 1, state, waiting, (), notice, is_played=name == "a seven", tools=tools)
    panel = dock(parts.seat, found, seen, None, parts.em, measure)
    buttons = [target.box for target in panel.targets if target.id[0] in ("do", "tool")]
    assert len(buttons) > 5
    named = [
        shape
        for shape in panel.layer.shapes
        if isinstance(shape, Text) and shape.text in ("Roll", "Roll for the start")
    ]
    assert bool(named) == (name == "the start")
    drawn = " ".join(shape.text for shape in panel.layer.shapes if isinstance(shape, Text))
    assert name != "a silent player" or "Go on without" in drawn or "Without" in drawn
    for shape in panel.layer.shapes:
        if isinstance(shape, Text):
            assert ELLIPSIS not in shape.text, shape.text
        inside = [button for button in buttons if isinstance(shape, Text | Sprite) and _holds(button, shape)]
        for button in inside:
            wide = measure(shape.text, shape.size, shape.bold) if isinstance(shape, Text) else 0.0
            assert shape.x + wide * (1 - getattr(shape, "align", 0.0)) <= button.right + 0.5 * parts.em, shape


def _holds(button: Rect, shape: Text | Sprite) -> bool:
    return button.x <= shape.x <= button.right and button.y <= shape.y <= button.bottom
