"""What a tooltip hides and says: no place that can be chosen, and nothing that has just become untrue."""

from dataclasses import replace
from pathlib import Path

import pytest

from catan_p2p.game.constants import BRIEF
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.state import State, initial_state
from tests.positions import position
from tests.visualizer.play.memory import memory_session
from tests.visualizer.play.person import Session
from visualizer.pictures.scene import Scene
from visualizer.pictures.shapes import Text

STATES = {
    "the first village": (initial_state(new_constants("brief; StartOrder = seat", ("Red", "Blue"))), ""),
    "a road": (position(4, phase="TradingBuilding", rules=BRIEF, hands={1: "1 Lumber, 1 Brick"}), "road"),
    "the bandit": (position(4, phase="MovingBandit", rules=BRIEF), ""),
}


def scene_of(session: Session) -> Scene:
    session.frame()
    scene = session.window.viewer.canvas.scene
    assert scene is not None
    return scene


@pytest.mark.long
@pytest.mark.parametrize("size", [(640, 480), (800, 600), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("name", STATES)
def test_no_tooltip_hides_a_place_that_can_be_chosen(tmp_path: Path, name: str, size: tuple[int, int]) -> None:
    state, first = STATES[name]
    session, _ = memory_session(tmp_path, state, size=size)
    with session:
        if first:
            session.use(first)
        places = [target for target in scene_of(session).targets if target.is_button and target.id[0] != "tool"]
        places = [target for target in places if target.id[0] in ("point", "road", "tile")]
        assert len(places) > 4
        replay = session.window.viewer.replay
        tips = 0
        for target in places:
            x, y = target.box.center
            replay.view = replace(replay.view, pointed=target.id, pointer=(x, y))
            scene = scene_of(session)
            for layer in scene.layers:
                if layer.name == "tooltip":
                    tips += 1
                    hidden = [other.id for other in places if layer.area.overlaps(other.box, 1.0)]
                    assert not hidden, (target.id, layer.area)
        assert tips == len(places)


def said(scene: Scene) -> list[str]:
    return [
        shape.text
        for layer in scene.layers
        if layer.name == "tooltip"
        for shape in layer.shapes
        if isinstance(shape, Text)
    ]


def test_what_is_being_taken_is_not_called_free(tmp_path: Path) -> None:
    state: State = STATES["a road"][0]
    session, memory = memory_session(tmp_path, state)
    with session:
        session.use("road")
        place = next(
            one for one in session.screen.clickables if one.name.startswith("road ") and one.name[-1].isdigit()
        )
        x, y, w, h = place.area
        replay = session.window.viewer.replay
        pointed = ("road", int(place.name.split()[1]))
        replay.view = replace(replay.view, pointed=pointed, pointer=(x + w / 2, y + h / 2))
        assert "Free for a road." in said(scene_of(session))
        orders = []
        memory.give, link = orders.append, session.window.session.worker.link
        assert link is not None
        link.give = orders.append  # type: ignore[method-assign,assignment]
        session.use(place.name)
        if "yes" in [one.name for one in session.screen.clickables]:
            session.use("yes")
        replay.view = replace(replay.view, pointed=pointed, pointer=(x + w / 2, y + h / 2))
        assert orders
        assert session.window.session.seat.is_busy
        assert not said(scene_of(session))
        memory.carry_out(orders[0].action)
        scene_of(session)
        replay.view = replace(replay.view, pointed=pointed, pointer=(x + w / 2, y + h / 2))
        assert "Red's road." in said(scene_of(session))


def test_everything_is_explained_by_keys_too(tmp_path: Path) -> None:
    session, memory = memory_session(tmp_path, STATES["a road"][0])
    with session:
        view = lambda: session.window.viewer.replay.view  # noqa: E731
        session.press("F")
        first = view().pointed
        assert first is not None and said(scene_of(session))
        reached = {first}
        for key in ("Right",) * 20 + ("Up", "Left", "Down") * 20:
            session.press(key)
            reached.add(view().pointed or ())
        assert {"tile", "player", "hand"} <= {str(target[0]) for target in reached if target}
        session.press("Escape")
        assert view().pointed is None and not memory.orders
        session.press("R")
        assert "road" in session.screen.title.lower()
