"""What commands, keys and the mouse do; and that the mouse alone and the keyboard alone can do all of it."""

from dataclasses import replace

import pytest

from catan_p2p.game.actions import BuildCity, BuildVillage
from catan_p2p.game.scoring import trail_length
from visualizer.commands import COMMANDS
from visualizer.control.control import ViewController, WindowRequest
from visualizer.control.keys import press_key
from visualizer.control.replay import PlayClock
from visualizer.data.recording import GameRecording
from visualizer.data.search import sevens, steps_at
from visualizer.drawing.fonts import FontSet
from visualizer.pictures.layout import layout
from visualizer.pictures.panels.timeline import track_area, x_of
from visualizer.pictures.picture import picture
from visualizer.pictures.shapes import Path
from visualizer.view import SPEEDS, RecordingView, TargetId, ViewSituation

SIZE = (1280, 800)
SITUATION = ViewSituation(following=True, peers=("Red", "Blue", "Green", "Orange"))


class Player:
    """Somebody at the viewer: keys and clicks on what is shown at the moment."""

    def __init__(
        self, game: GameRecording, fonts: FontSet, view: RecordingView, situation: ViewSituation, size: tuple[int, int]
    ) -> None:
        self.game, self.fonts, self.view, self.situation, self.size = game, fonts, view, situation, size
        self.options: list[WindowRequest] = []

    @property
    def control(self) -> ViewController:
        scene = picture(self.game, self.view, self.situation, self.size, self.fonts.width)
        return ViewController(self.game, self.situation, scene, layout(*self.size, self.view.tab))

    def key(self, *keys: str) -> RecordingView:
        for key in keys:
            outcome = press_key(self.control, self.view, key)
            self.view = outcome.view
            if outcome.wish:
                self.options.append(outcome.wish)
        return self.view

    def middle(self, target: TargetId) -> tuple[float, float]:
        found = self.control.scene.target_under(target, None)
        assert found is not None, target
        return found.box.center

    def click_at(self, x: float, y: float) -> RecordingView:
        self.view = self.control.point(self.view, x, y)
        outcome = self.control.press(self.view, x, y)
        self.view = outcome.view
        if outcome.wish:
            self.options.append(outcome.wish)
        self.view = self.control.release(self.view)
        return self.view

    def click(self, *targets: TargetId) -> RecordingView:
        for target in targets:
            self.click_at(*self.middle(target))
        return self.view


@pytest.fixture
def player(game: GameRecording, fonts: FontSet) -> Player:
    return Player(game, fonts, RecordingView(index=200), SITUATION, SIZE)


def button(name: str) -> TargetId:
    return ("button", name)


@pytest.mark.parametrize(
    ("command", "keys"),
    [
        ("next_action", ["Right"]),
        ("previous_action", ["Left"]),
        ("next_turn", ["Shift+Right", "Down"]),
        ("previous_turn", ["Shift+Left", "Up"]),
        ("next_round", ["Ctrl+Right", "Page Down"]),
        ("previous_round", ["Ctrl+Left", "Page Up"]),
        ("first", ["Home"]),
        ("last", ["End"]),
    ],
)
def test_stepping_by_key_and_by_button_leads_to_the_same_place(
    player: Player, game: GameRecording, command: str, keys: list[str]
) -> None:
    direction, _, unit = command.partition("_")
    wanted = {
        "next": lambda: game.next_stop(200, unit),
        "previous": lambda: game.previous_stop(200, unit),
        "first": lambda: 0,
        "last": lambda: game.last,
    }[direction]()
    start = player.view
    assert player.click(button(command)).index == wanted != 200
    for key in keys:
        player.view = start
        assert player.key(key).index == wanted


def test_playing_is_begun_and_paused_and_begins_anew_at_the_end(game: GameRecording, fonts: FontSet) -> None:
    player = Player(game, fonts, RecordingView(index=5), ViewSituation(), SIZE)
    assert player.key("Space").playing
    assert not player.key("Space").playing
    assert player.click(button("play")).playing
    player.view = RecordingView(index=game.last)
    assert player.key("Space") == replace(RecordingView(index=0), playing=True)


def test_speed_stays_within_its_bounds(player: Player) -> None:
    for key, name, end in (("+", "faster", SPEEDS[-1]), ("-", "slower", SPEEDS[0])):
        player.key(key)
        player.click(button(name))
        for _ in SPEEDS:
            player.key(key)
        assert player.view.speed == end


def test_the_clock_pays_out_whole_actions_at_the_speed() -> None:
    clock = PlayClock()
    assert sum(clock.actions(1 / 60, 4) for _ in range(60)) == pytest.approx(4, abs=1)
    clock.reset()
    assert sum(clock.actions(1 / 60, 64) for _ in range(600)) == pytest.approx(640, abs=1)
    clock.reset()
    assert clock.actions(100.0, 64) <= 32, "a long pause of the machine must not skip the game"


def test_dragging_the_timeline_shows_the_step_under_the_mouse(player: Player, game: GameRecording) -> None:
    parts = layout(*SIZE)
    track = track_area(parts.timeline, parts.em)
    y = parts.timeline.center[1]
    player.view = player.control.press(player.view, x_of(100, len(game), track), y).view
    assert (player.view.index, player.view.pressed) == (100, True)
    for index in (101, 300, 0, game.last, 456):
        player.view = player.control.point(player.view, x_of(index, len(game), track), y - 300)
        assert player.view.index == index
    player.view = player.control.point(player.view, -50, y)
    assert player.view.index == 0
    player.view = player.control.point(player.view, SIZE[0] + 50, y)
    assert player.view.index == game.last
    player.view = player.control.release(player.view)
    player.view = player.control.point(player.view, x_of(30, len(game), track), y)
    assert player.view.index == game.last


def test_a_click_on_a_commit_goes_there_and_leaves_the_log_where_it_is(player: Player) -> None:
    rows = [t.id[1] for t in player.control.scene.targets if t.id[0] == "row"]
    for row in (rows[0], rows[-1]):
        assert player.click(("row", row)).index == row
        assert [t.id[1] for t in player.control.scene.targets if t.id[0] == "row"] == rows


def test_a_click_on_a_parent_goes_there(player: Player) -> None:
    player.view = RecordingView(index=314)
    assert player.click(("parent", 309)).index == 309


def test_the_wheel_scrolls_the_log_and_the_files_and_steps_elsewhere(player: Player, game: GameRecording) -> None:
    parts = layout(*SIZE)
    assert parts.log is not None
    assert parts.detail is not None
    before = next(t.id[1] for t in player.control.scene.targets if t.id[0] == "row")
    player.view = player.control.wheel(player.view, *parts.log.center, -2)
    assert next(t.id[1] for t in player.control.scene.targets if t.id[0] == "row") == before + 6
    assert player.view.index == 200
    player.view = player.control.wheel(RecordingView(index=0), *parts.detail.center, -1)
    assert (player.view.file_top, player.view.index) == (1, 0)
    player.view = player.control.wheel(player.view, *parts.detail.center, 3)
    assert player.view.file_top == 0
    player.view = player.control.wheel(RecordingView(index=200), *parts.island.center, -3)
    assert player.view.index == 203
    player.view = player.control.wheel(RecordingView(index=200), *parts.log.center, 1000)
    assert player.view.row_top == 0
    player.view = player.control.wheel(RecordingView(index=200), *parts.log.center, -1000)
    assert player.view.row_top is not None
    assert player.view.row_top < len(game)


def test_a_commit_is_reached_by_typing_the_beginning_of_its_id(player: Player, game: GameRecording) -> None:
    player.key("G", *game.steps[77].commit[:10], "Enter")
    assert (player.view.index, player.view.dialog) == (77, None)


def test_a_commit_is_reached_by_clicking_its_id_together(player: Player, game: GameRecording) -> None:
    player.click(button("jump"), *(("type", digit) for digit in game.steps[77].commit[:10]), ("type", "go"))
    assert (player.view.index, player.view.dialog) == (77, None)


def test_what_was_typed_wrongly_can_be_deleted_and_an_unknown_id_leads_nowhere(
    player: Player, game: GameRecording
) -> None:
    player.key("G", "f", "f", "Backspace", "Backspace", "Backspace", *"fffffffff", "Enter")
    assert player.view.dialog == "jump"
    assert player.view.index == 200
    player.key("Escape")
    assert player.view.dialog is None


def test_letters_that_are_digits_are_typed_and_not_obeyed(player: Player) -> None:
    player.key("G", "f", "e", "F")
    assert player.view.typed == "fef"
    assert not player.view.live


def test_following_is_left_by_looking_back_and_resumed_at_the_end(player: Player, game: GameRecording) -> None:
    player.view = RecordingView(index=game.last, live=True)
    assert not player.key("Left").live
    assert player.key("End").live
    player.view = RecordingView(index=50)
    assert player.key("F") == RecordingView(index=game.last, live=True)


def test_what_is_not_possible_is_said(game: GameRecording, fonts: FontSet) -> None:
    player = Player(game, fonts, RecordingView(index=5), ViewSituation(), SIZE)
    assert "--follow" in (player.key("F").notice or "")
    assert "replicas" in (player.key("P").notice or "")
    assert player.key("Right").notice is None


def test_a_replica_is_chosen_by_mouse_or_keyboard(player: Player) -> None:
    player.key("P")
    player.click(("peer", "Green"))
    assert player.options == [WindowRequest("peer", "Green")]
    player.key("P", "E")
    while player.view.pointed != ("peer", "Orange"):
        before = player.view.pointed
        player.key("Down")
        assert player.view.pointed != before, "the focus is stuck"
    player.key("Enter")
    assert player.options[-1] == WindowRequest("peer", "Orange")


def test_every_command_can_be_given_by_the_mouse_alone(player: Player, game: GameRecording, fonts: FontSet) -> None:
    for command in COMMANDS:
        player.view, player.options = RecordingView(index=200, playing=False), []
        player.click(button("help"))
        assert player.view.dialog == "help"
        opened = player.view
        player.click(button(command.name))
        assert player.view != opened or player.options, command.name


@pytest.mark.parametrize("size", [(640, 480), SIZE])
@pytest.mark.parametrize("dialog", [None, "help", "jump", "peer"])
def test_the_keyboard_reaches_everything_that_the_mouse_can_click(
    game: GameRecording, fonts: FontSet, size: tuple[int, int], dialog: str | None
) -> None:
    start = RecordingView(index=314, tab="log", dialog=dialog)  # type: ignore[arg-type]
    player = Player(game, fonts, start, SITUATION, size)
    control = player.control
    player.key("E")
    reached = {player.view.pointed}
    edge = [player.view]
    while edge:
        view = edge.pop()
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            moved = control.move_focus(view, dx, dy)
            if moved.pointed not in reached:
                reached.add(moved.pointed)
                edge.append(moved)
    window = control.parts.window.w
    wanted = {t.id for t in control.scene.targets if t.is_button and t.box.w < window * 0.95} - {
        ("timeline",),
        ("scroll",),
    }
    assert wanted <= reached


def test_the_focus_is_left_by_escape_and_by_the_key_that_began_it(player: Player) -> None:
    assert player.key("E").pointed is not None
    assert player.key("Escape").pointed is None
    player.key("E")
    assert player.key("E").pointed is None
    player.view = replace(player.view, pointed=("tile", 7), pointer=(300.0, 300.0))
    assert player.key("Right").index == 201, "arrows step while only the mouse points at something"


def test_a_click_beside_a_dialog_closes_it_and_reaches_nothing_below(player: Player) -> None:
    place = player.middle(button("last"))
    player.key("P")
    player.click_at(*place)
    assert (player.view.dialog, player.view.index) == (None, 200)
    player.key("P")
    assert not [target for target in player.control.scene.targets if target.id[0] in ("tile", "row", "timeline")]


def test_pointing_at_a_place_explains_the_uppermost_thing_there(player: Player, game: GameRecording) -> None:
    x, y = player.middle(("point", 20))
    assert player.control.point(player.view, x, y).pointed == ("point", 20)
    assert player.control.point(player.view, -5, -5).pointed is None


def test_tabs_are_changed_by_key_and_by_mouse(game: GameRecording, fonts: FontSet) -> None:
    player = Player(game, fonts, RecordingView(), SITUATION, (640, 480))
    assert player.key("Tab").tab == "log"
    assert player.click(("tab", "players")).tab == "players"


def test_unknown_keys_do_nothing(player: Player) -> None:
    before = player.view
    assert player.key("z", "F7", "§", "") == before


# Jumping to what is named


def test_the_next_seven_and_the_one_before(player: Player, game: GameRecording) -> None:
    found = sevens(game)
    later, earlier = [i for i in found if i > 200], [i for i in found if i < 200]
    assert player.key("7").index == later[0]
    assert player.key("7").index == later[1]
    assert player.click(button("help"), button("previous_seven")).index == later[0]
    assert player.key("Ctrl+7").index == earlier[-1]
    player.key("End")
    assert "no seven after" in (player.key("7").notice or "")
    assert player.view.index == game.last


def test_the_next_step_of_a_player_by_key_by_panel_by_lane_and_by_name(player: Player, game: GameRecording) -> None:
    steps = [step.index for step in game.steps if step.player == 3 and step.action is not None]
    wanted = [i for i in steps if i > 200]
    assert player.key("3").index == wanted[0]
    x, y, _, _ = next(t.area for t in player.control.scene.targets if t.id == ("player", 3))  # type: ignore[misc]
    assert player.click_at(x + 4, y + 4).index == wanted[1]
    assert player.click(("lane", 3)).index == wanted[2]
    assert player.click(button("jump"), ("goto", "Green")).index == wanted[3]
    assert player.key("G", *"green", "Enter").index == wanted[4]
    assert player.view.dialog is None
    assert "no player 6" in (player.key("6").notice or "")


def test_a_click_on_a_point_leads_to_what_is_built_there(player: Player, game: GameRecording) -> None:
    built = next(s for s in game.steps if isinstance(s.action, BuildVillage | BuildCity))
    assert isinstance(built.action, BuildVillage | BuildCity)
    at = built.action.at
    player.key("Home")
    seen = [player.click(("point", at)).index for _ in steps_at(game, "point", at)]
    assert seen == steps_at(game, "point", at)
    free = next(point for point in range(1, 55) if not steps_at(game, "point", point))
    assert str(free) in (player.click(("point", free)).notice or "")
    assert player.key("Home", "G", *"point", "Space", *str(at), "Enter").index in seen


def test_the_future_is_hidden_and_shown_again(player: Player) -> None:
    assert player.key("V").hides_future
    assert player.click(button("help"), button("future")).hides_future is False


def test_a_drag_without_the_future_never_leaves_the_game(player: Player, game: GameRecording) -> None:
    player.key("V")
    parts = layout(*player.size)
    track = track_area(parts.timeline, parts.em)
    assert player.click_at(track.right - 1, track.center[1]).index <= game.last
    player.key("End")
    assert player.click_at(track.right - 1, track.center[1]).index == game.last


def test_the_longest_trail_lights_up_when_pointed_at(player: Player, game: GameRecording) -> None:
    index = game.last
    player.view = replace(player.view, index=index)
    who = max(game.constants.players, key=lambda one: trail_length(game.steps[index].state, one))
    length = trail_length(game.steps[index].state, who)
    assert length >= 5
    player.view = replace(player.view, pointed=("bonus", who, "longest_road"), pointer=None)
    lit = [layer for layer in player.control.scene.layers if layer.name == "lit"]
    lines = [shape for layer in lit for shape in layer.shapes if isinstance(shape, Path)]
    assert len({line.points for line in lines}) == length
    player.view = replace(player.view, pointed=("bonus", who, "largest_army"))
    assert not [
        s for layer in player.control.scene.layers if layer.name == "lit" for s in layer.shapes if isinstance(s, Path)
    ]
