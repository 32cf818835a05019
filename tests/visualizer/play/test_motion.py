"""What moves, what the dice show, and what the history tells: all of it from the game, nothing that is hidden."""

from pathlib import Path

import pytest

from catan_p2p.game import actions
from catan_p2p.game.cards import total
from catan_p2p.game.constants import STANDARD
from tests.positions import position
from tests.visualizer.play.memory import memory_session
from tests.visualizer.play.person import settings
from visualizer.data.recording import GameRecording
from visualizer.pictures.layout import layout
from visualizer.pictures.scene import Scene
from visualizer.play.history import history
from visualizer.play.motion import LONGEST_S, MOVE_S, dice_shown, gains, moves_pieces, moving
from visualizer.play.settings import WindowSettings

PARTS = layout(1280, 800, "players", 1.0, True, True)
LIVELY = settings(motion=True)


def test_the_dice_lie_as_they_were_rolled(game: GameRecording) -> None:
    shown = {}
    for step in game.steps:
        if isinstance(step.action, actions.RollDice):
            faces = dice_shown(game, step.index)
            assert faces is not None
            assert sum(faces) == step.action.dice
            assert all(1 <= face <= 6 for face in faces)
            shown[faces] = True
    assert len(shown) > 11


def test_everything_that_moves_arrives(game: GameRecording) -> None:
    for step in game.steps:
        assert moving(game, step.index, LONGEST_S * 2, PARTS, 1) == () or moves_pieces(step)
        if isinstance(step.action, actions.BuildVillage):
            start, end = (moving(game, step.index, seconds, PARTS, 1)[0] for seconds in (0.0, MOVE_S))
            assert (start.x, start.y) != (end.x, end.y)  # type: ignore[union-attr]


def test_a_stolen_card_is_seen_by_those_who_know_it_only(game: GameRecording) -> None:
    theft = next(
        step for step in game.steps
        if isinstance(step.action, actions.MoveBandit) and step.action.victim and step.action.card != "none"
    )  # fmt: skip
    assert isinstance(theft.action, actions.MoveBandit)
    for veiled, is_seen in ((frozenset(), True), (frozenset(game.constants.players), False)):
        shapes = moving(game.veil(veiled), theft.index, MOVE_S / 2, PARTS, 0)
        names = [part for shape in shapes for part in getattr(shape, "name", ())]
        assert (theft.action.card in names) == is_seen
        assert ("hand" in names) != is_seen


def test_the_history_counts_every_roll_and_every_card_of_it(game: GameRecording) -> None:
    found = history(game, len(game))
    rolls = [step for step in game.steps if isinstance(step.action, actions.RollDice)]
    assert sum(found.rolled.values()) == len(rolls)
    for player in game.constants.players:
        got = sum(total(gains(game, step.index).get(player, 0)) for step in rolls)
        assert total(found.got[player]) == got
    assert sum(total(cards) for cards in found.got.values()) > 0


def layers(scene: Scene | None) -> dict[str, tuple[object, ...]]:
    assert scene is not None
    return {layer.name: layer.shapes for layer in scene.layers}


@pytest.mark.parametrize(("options", "moves"), [(LIVELY, True), (settings(), False)])
def test_a_piece_is_on_its_way_for_a_moment_unless_nothing_is_to_move(
    tmp_path: Path, options: WindowSettings, moves: bool
) -> None:
    state = position(4, phase="TradingBuilding", rules=STANDARD, hands={1: "1 Lumber, 1 Brick"})
    session, _ = memory_session(tmp_path, state, options=options)
    with session:
        session.use(next(one.name for one in session.screen.clickables if one.name.startswith("road ")))
        session.use("yes")
        session.frame()
        seen = layers(session.window.viewer.canvas.scene)
        assert bool(seen["moving"]) == moves
        for _ in range(90):
            session.frame()
        assert layers(session.window.viewer.canvas.scene)["moving"] == ()


def test_a_place_that_is_pointed_at_shows_the_piece(tmp_path: Path) -> None:
    state = position(4, phase="TradingBuilding", rules=STANDARD, hands={1: "1 Lumber, 1 Brick"})
    session, _ = memory_session(tmp_path, state)
    with session:
        assert "proposed" not in layers(session.window.viewer.canvas.scene)
        place = next(one for one in session.screen.clickables if one.name.startswith("road "))
        session.window.session.seat.focused = ("road", int(place.name.split()[1]))
        session.frame()
        assert any(getattr(shape, "name", "")[:2] == ("road", "Red") for shape in
                   layers(session.window.viewer.canvas.scene)["proposed"])  # fmt: skip


def test_what_was_got_stands_at_the_player_until_the_next_roll(tmp_path: Path) -> None:
    state = position(4, phase="DiceRoll", rules=STANDARD)
    session, memory = memory_session(tmp_path, state, size=(1280, 800))
    with session:
        session.use("roll")
        for _ in range(3):
            session.frame()
        found = gains(session.recording, 1) if session.recording else {}
        seen = layers(session.window.viewer.canvas.scene)
        for player in (2, 3, 4):
            texts = [getattr(shape, "text", "") for shape in seen[f"player {player}"]]
            assert any(text.startswith("+") and text != "+" for text in texts) == (player in found), found
        assert memory.done


def test_the_end_shows_the_history_and_leads_to_another_game(tmp_path: Path) -> None:
    session, _ = memory_session(tmp_path, position(4, phase="top"), size=(1280, 800))
    with session:
        assert session.screen.title == "history"
        assert session.screen.is_over
        assert [one.name for one in session.screen.clickables] == ["close", "new game"]
        session.use("close", "keys")
        assert "play for me" not in [one.name for one in session.screen.clickables]
        session.press("H")
        assert session.screen.title == "history"
