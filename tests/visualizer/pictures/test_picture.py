"""The whole picture, at every size: all parts are there, inside the window, and no text or sign covers another."""

from itertools import combinations, product

import pytest

from catan_p2p.game.actions import Discard, MoveBandit
from catan_p2p.game.cards import pack
from catan_p2p.game.state import Hand
from tests.visualizer.games import FOUR_DISCARDS, overlap, recorded
from visualizer.data.recording import GameRecording, PlayedStep
from visualizer.drawing.fonts import FontSet
from visualizer.pictures.layout import layout
from visualizer.pictures.picture import picture
from visualizer.pictures.scene import Layer, Scene
from visualizer.pictures.shapes import Points, Rect, Sprite, Text, extent
from visualizer.view import RecordingView, ViewSituation

pytestmark = pytest.mark.long

SIZES = ((640, 480), (800, 600), (1024, 768), (1280, 800), (1366, 768), (1920, 1080), (3440, 1440), (3840, 2160))
ODD_SIZES = ((700, 1400), (1200, 1920), (960, 480), (2400, 500), (641, 777), (1000, 1001))
OVER = {"pieces", "playhead", "lit", "tooltip", "dialog", "notice"}
SITUATION = ViewSituation(
    source="games/run_1/Catan_0", following=True, peers=("Red", "Blue"), behind=(("Red", 0), ("Blue", 12)), peer="Blue"
)


def boxes(layer: Layer, fonts: FontSet) -> list[tuple[str, Points]]:
    """What the texts and sprites of a layer cover: of texts the ink."""
    found = []
    for shape in layer.shapes:
        if isinstance(shape, Sprite):
            found.append((str(shape.name), shape.outline))
        elif isinstance(shape, Text) and shape.text:
            ink, middle = fonts.picture(shape.text, shape.size, shape.color, shape.bold)
            box = ink.get_bounding_rect()
            x, y = round(shape.x - ink.get_width() * shape.align), round(shape.y - middle)
            found.append((shape.text, Rect(x + box.x, y + box.y, box.w, box.h).corners))
    return found


def check(scene: Scene, fonts: FontSet, skip: tuple[str, ...] = ()) -> None:
    window = Rect(0, 0, *scene.size)
    grounds = [layer for layer in scene.layers if layer.name not in OVER]
    for one, other in combinations(grounds, 2):
        assert not one.area.overlaps(other.area), (one.name, other.name)
    for layer in scene.layers:
        if layer.name in skip:
            continue
        assert window.holds(layer.area), layer.name
        covered = boxes(layer, fonts)
        for name, points in covered:
            assert all(layer.area.inset(-0.5).contains(x, y) for x, y in points), (layer.name, name, scene.size)
        by_top = sorted(((extent(points), name, points) for name, points in covered), key=lambda item: item[0].y)
        for i, (box, one, a) in enumerate(by_top):
            for below, other, b in by_top[i + 1 :]:
                if below.y >= box.bottom - 1.0:
                    break
                assert not overlap(a, b, slack=1.0), (layer.name, one, other, scene.size)


def steps_of(recording: GameRecording) -> list[int]:
    """The beginning, the end, and between them sevens, rich hands and everything else."""
    last = recording.last
    richest = max(range(len(recording)), key=lambda i: max(sum(h) for h in _hands(recording, i)))
    return sorted({0, 1, last, richest, *range(7, last, max(1, last // 3))})


def _hands(recording: GameRecording, index: int) -> list[tuple[int, int]]:
    state = recording.steps[index].state
    return [(h.rc.bit_count(), (h.bc + h.ac + h.uc).bit_count()) for h in state.h]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("size", [*SIZES, *ODD_SIZES])
@pytest.mark.parametrize("tab", ["players", "log"])
def test_nothing_overlaps_and_everything_is_inside(
    game: GameRecording, fonts: FontSet, size: tuple[int, int], tab: str
) -> None:
    for index in [*steps_of(game), 312, 314]:
        view = RecordingView(index=index, tab=tab)  # type: ignore[arg-type]
        check(picture(game, view, SITUATION, size, fonts.width), fonts)


@pytest.mark.parametrize("size", [(640, 480), (1280, 800), (1200, 1920), (3840, 2160)])
def test_nothing_overlaps_with_six_players_or_two(
    sixes: GameRecording, pair: GameRecording, fonts: FontSet, size: tuple[int, int]
) -> None:
    for recording, tab in product((sixes, pair), ("players", "log")):
        for index in steps_of(recording):
            view = RecordingView(index=index, tab=tab)  # type: ignore[arg-type]
            check(picture(recording, view, ViewSituation(), size, fonts.width), fonts)


def overfull(recording: GameRecording) -> GameRecording:
    """The same game with one more step: full hands, every card in every state, a merge of everybody's discards."""
    state = recording.steps[-1].state
    rich = Hand(pack((19, 12, 10, 11, 19)), pack((2, 1, 2, 10, 0)), pack((1, 2, 2, 12, 0)), pack((0, 0, 0, 14, 5)))
    full = recorded(recording.constants, 3, most=20)
    before = full.steps[-1]
    for player in recording.constants.players:
        discard = Discard(player, pack((19, 19, 19, 19, 19)))
        full.append(PlayedStep(f"{player:040x}", (before.commit,), "loss", discard, before.state))
    parents = (before.commit, *(f"{player:040x}" for player in recording.constants.players))
    hands = (rich,) * len(state.h)
    after = state._replace(h=hands, dp=pack((9, 9, 9, 0, 0)))
    full.append(PlayedStep("f" * 40, parents, "Orange_0", MoveBandit(2, state.ba, 3, "Lumber"), after))
    full.heads = {f"{seat.colour}_0": "f" * 40 for seat in full.seats}
    return full


@pytest.mark.parametrize("size", [(640, 480), (1024, 768), (1280, 800), (900, 1600), (3840, 2160)])
@pytest.mark.parametrize("tab", ["players", "log"])
def test_nothing_overlaps_where_all_hands_are_full(
    game: GameRecording, sixes: GameRecording, fonts: FontSet, size: tuple[int, int], tab: str
) -> None:
    for recording in (overfull(game), overfull(sixes)):
        view = RecordingView(index=recording.last, tab=tab)  # type: ignore[arg-type]
        check(picture(recording, view, SITUATION, size, fonts.width), fonts)


@pytest.mark.parametrize("scale", [0.5, 0.75, 1.5, 3.0])
def test_nothing_overlaps_with_larger_or_smaller_text(game: GameRecording, fonts: FontSet, scale: float) -> None:
    for size in ((640, 480), (1280, 800)):
        check(picture(game, RecordingView(index=314), SITUATION, size, fonts.width, scale), fonts)


@pytest.mark.parametrize("size", [(640, 480), (1280, 800), (900, 1600), (3840, 2160)])
@pytest.mark.parametrize("dialog", ["help", "jump", "peer"])
def test_dialogs_fit_and_nothing_in_them_overlaps(
    game: GameRecording, fonts: FontSet, size: tuple[int, int], dialog: str
) -> None:
    for typed in ("", "a", "zz"):
        view = RecordingView(index=20, dialog=dialog, typed=typed)  # type: ignore[arg-type]
        scene = picture(game, view, SITUATION, size, fonts.width)
        layer = next(layer for layer in scene.layers if layer.name == "dialog")
        check(Scene(size, scene.background, (layer,), scene.targets), fonts)
        assert all(Rect(0, 0, *size).holds(target.box, 0.5) for target in scene.targets)


@pytest.mark.parametrize("size", [(640, 480), (1280, 800), (3840, 2160)])
def test_explanations_fit_into_the_window_and_leave_free_what_they_explain(
    game: GameRecording, fonts: FontSet, size: tuple[int, int]
) -> None:
    scene = picture(game, RecordingView(index=314), SITUATION, size, fonts.width)
    em = layout(*size).em
    for target in scene.targets:
        shown = picture(game, RecordingView(index=314, pointed=target.id), SITUATION, size, fonts.width)
        tips = [layer for layer in shown.layers if layer.name == "tooltip"]
        assert tips, target.id
        check(Scene(size, shown.background, (tips[0],), ()), fonts)
        if target.box.w < 9 * em and target.box.h < 9 * em:
            assert not tips[0].area.overlaps(target.box, 1.0), target.id


@pytest.mark.parametrize("size", [(640, 480), (1280, 800)])
def test_a_narrow_window_shows_by_tabs_what_a_wide_one_shows_at_once(
    game: GameRecording, fonts: FontSet, size: tuple[int, int]
) -> None:
    def names(tab: str) -> set[str]:
        scene = picture(game, RecordingView(index=50, tab=tab), SITUATION, size, fonts.width)  # type: ignore[arg-type]
        return {layer.name for layer in scene.layers}

    everything = {"header", "bank", "log", "log head", "detail", "controls", "curve", "terrain", "pieces"}
    everything |= {f"player {i}" for i in range(1, 5)}
    assert names("players") | names("log") >= everything
    assert (names("players") >= everything) == (size[0] > 1000)


def test_equal_views_have_equal_scenes(game: GameRecording, fonts: FontSet) -> None:
    one = picture(game, RecordingView(index=100), SITUATION, (1280, 800), fonts.width)
    picture(game, RecordingView(index=500), SITUATION, (800, 600), fonts.width)
    assert picture(game, RecordingView(index=100), SITUATION, (1280, 800), fonts.width) == one


def test_without_a_game_there_is_a_message(fonts: FontSet) -> None:
    for situation in (ViewSituation(problem="x/y: not a Git repository " * 12), ViewSituation(reading="games/run_1")):
        for size in SIZES:
            scene = picture(None, RecordingView(), situation, size, fonts.width)
            check(scene, fonts)
            assert [layer.name for layer in scene.layers] == ["message"]


@pytest.mark.parametrize("size", [(640, 480), (1280, 800), (3840, 2160)])
def test_the_header_says_who_plays(size: tuple[int, int], game: GameRecording, fonts: FontSet) -> None:
    scene = picture(game, RecordingView(index=100), SITUATION, size, fonts.width)
    (header,) = (layer for layer in scene.layers if layer.name == "header")
    told = [shape.text for shape in header.shapes if isinstance(shape, Text)]
    assert ", ".join(seat.colour for seat in game.seats) in told
    assert not any(game.title in text for text in told)


def test_a_problem_is_told_on_the_picture(game: GameRecording, fonts: FontSet) -> None:
    scene = picture(
        game, RecordingView(), ViewSituation(problem="0a1b2c3d4e rejected (guard)"), (1280, 800), fonts.width
    )
    notice = next(layer for layer in scene.layers if layer.name == "notice")
    assert any(isinstance(s, Text) and "rejected" in s.text for s in notice.shapes)


def test_whose_replica_it_is_and_how_far_behind_is_said_in_full(game: GameRecording, fonts: FontSet) -> None:
    for size in ((640, 480), (1280, 800)):
        scene = picture(game, RecordingView(index=30), SITUATION, size, fonts.width)
        header = next(layer for layer in scene.layers if layer.name == "header")
        assert "as Blue knows it, 12 behind" in [shape.text for shape in header.shapes if isinstance(shape, Text)]


def test_a_seven_shows_four_branches_beside_each_other_and_their_merge(game: GameRecording, fonts: FontSet) -> None:
    assert FOUR_DISCARDS == 163
    scene = picture(game, RecordingView(index=314), SITUATION, (1280, 800), fonts.width)
    log = next(layer for layer in scene.layers if layer.name == "log")
    nodes = [shape for shape in log.shapes if isinstance(shape, Sprite) and shape.name[0] == "badge"]
    top = next(target for target in scene.targets if target.id[0] == "row").id[1]
    assert isinstance(top, int)
    xs = [node.x for node in nodes[309 - top : 315 - top]]
    assert len(set(xs[1:5])) == 4
    assert xs[0] == xs[5] < min(xs[1:5])
