"""What habit does at the seat: Enter, a double click, a look behind the curtain, a game that has ended."""

from itertools import combinations
from pathlib import Path

import pytest

from catan_p2p.game.actions import EmptyBuild
from catan_p2p.game.constants import STANDARD
from catan_p2p.sessions.messages import HandSeat, LeadPeers
from catan_p2p.sessions.new_table import NewTable
from tests.positions import position
from tests.visualizer.play.memory import memory_session
from tests.visualizer.play.test_session import begun, tick
from visualizer.data.recording import GameRecording
from visualizer.pictures.layout import SMALLEST
from visualizer.pictures.shapes import Rect
from visualizer.play.table import LocalTable

SIZES = (SMALLEST, (1280, 800), (840, 1280), (1600, 1000))
RICH = {1: "4 Lumber, 4 Brick, 4 Wool, 4 Grain, 4 Ore", 2: "3 Lumber"}


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_dice_yes_and_the_end_of_a_turn_have_places_of_their_own(tmp_path: Path, size: tuple[int, int]) -> None:
    places: dict[str, list[Rect]] = {}
    for phase in ("DiceRoll", "TradingBuilding"):
        for cards in ({}, {1: "1 Knight, 1 Monopoly, 1 YearOfPlenty, 1 RoadBuilding"}):
            state = position(4, phase=phase, rules=STANDARD, hands=RICH, available=cards)
            session, _ = memory_session(tmp_path, state, size=size)
            with session:
                for name in ("roll", "end turn"):
                    if name in [one.name for one in session.screen.clickables]:
                        places.setdefault(name, []).append(Rect(*session.find(name).area))
                        if name == "end turn":
                            session.use(name)
                            places.setdefault("yes", []).append(Rect(*session.find("yes").area))
    assert set(places) == {"roll", "end turn", "yes"}
    for one, other in combinations(places, 2):
        assert not any(a.overlaps(b) for a in places[one] for b in places[other]), (one, other)


@pytest.mark.parametrize("size", [SMALLEST, (840, 1280)], ids=str)
@pytest.mark.parametrize("players", range(2, 7))
def test_one_key_opens_the_log_and_closes_it(tmp_path: Path, players: int, size: tuple[int, int]) -> None:
    session, _ = memory_session(tmp_path, position(players, phase="DiceRoll", rules=STANDARD), size=size)

    def has_log() -> bool:
        scene = session.window.viewer.canvas.scene
        return scene is not None and scene.target_under(("row", 0), None) is not None

    with session:
        for is_open in (False, True, False):
            assert has_log() == is_open
            session.press("L")


def test_enter_does_not_end_a_turn(tmp_path: Path) -> None:
    session, memory = memory_session(tmp_path, position(4, phase="TradingBuilding", rules=STANDARD, hands=RICH))
    with session:
        for _ in range(3):
            session.press("Enter")
        assert not any(isinstance(action, EmptyBuild) for action in memory.done)
        session.press("E")
        session.press("Enter")
        assert any(isinstance(action, EmptyBuild) for action in memory.done)


def test_behind_the_curtain_the_board_is_seen_and_nobodys_hand(tmp_path: Path) -> None:
    session, _ = memory_session(tmp_path, position(4, phase="DiceRoll", hands=RICH), ("Red", "Blue"))
    with session:
        session.frame()
        assert session.screen.title == "curtain"
        recording, scene = session.recording, session.window.viewer.canvas.scene
        assert isinstance(recording, GameRecording)
        assert recording.veiled == {1, 2, 3, 4}
        assert scene is not None
        layers = {layer.name: layer for layer in scene.layers}
        assert "seat" not in layers
        assert not layers["curtain"].area.overlaps(layers["terrain"].area)
        session.use("sit down")
        assert session.recording is not None
        assert session.recording.veiled == {2, 3, 4}


def test_the_robbers_list_ends_with_those_who_have_nothing(tmp_path: Path) -> None:
    villages = {2: (20,), 3: (31,)}
    state = position(4, phase="MovingBandit", hands={3: "1 Ore"}, villages=villages, bandit=1)
    session, _ = memory_session(tmp_path, state)
    with session:
        for tile in state.constants.board.land:
            names = [one.name for one in session.screen.clickables]
            if f"tile {tile}" in names:
                session.use(f"tile {tile}")
                names = [one.name for one in session.screen.clickables if one.name.startswith("rob ")]
                if len(names) == 2:
                    assert names == ["rob Green", "rob Blue"]
                    return
                session.press("Escape")
    pytest.fail("no tile with both")


def test_who_was_played_for_plays_again_once_the_game_is_over(tmp_path: Path) -> None:
    session, memory = begun(tmp_path, position(4, phase="top"))
    session.worker.hand("Red", "builder")
    tick(session)
    assert memory.orders[-1] == HandSeat("Red", None)


def test_the_next_game_has_another_island_and_rotated_seats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CATAN_P2P_HOME", str(tmp_path))
    new = NewTable(("Red", "Blue", "Green"), frozenset({"Red"}), "standard", "default", "strategist")
    again = LocalTable(LeadPeers(tmp_path / "one", new), ("Red",)).again()
    assert again is not None
    assert again.sit.new is not None
    assert (again.sit.new.colours, again.sit.new.map) == (("Blue", "Green", "Red"), "variable")
    assert again.people == ("Red",)
    assert again.sit.path != tmp_path / "one"
    assert LocalTable(LeadPeers(tmp_path / "one"), ("Red",)).again() is None
