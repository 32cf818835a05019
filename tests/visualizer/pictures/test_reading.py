"""Whether the picture can be read: contrast, whole lines, labels, room between things, and more of it in more room."""

from dataclasses import replace
from itertools import pairwise, product

import pytest

from catan_p2p.game.actions import MoveBandit
from catan_p2p.game.cards import pack
from catan_p2p.log.refs import COLOURS
from tests.for_each import for_each
from visualizer.data.recording import GameRecording
from visualizer.drawing.fonts import FontSet
from visualizer.pictures.layout import layout
from visualizer.pictures.palette import (
    CHOSEN,
    DIM,
    GAIN,
    GOLD,
    INK,
    LOSS,
    PANEL,
    QUIET,
    READABLE,
    ROW,
    TRACK,
    WINDOW,
    contrast,
    player_text_color,
    readable,
)
from visualizer.pictures.panels.log_view import LogPlan
from visualizer.pictures.panels.players import player_panel
from visualizer.pictures.picture import picture
from visualizer.pictures.scene import Scene
from visualizer.pictures.shapes import Box, Color, Rect, Sprite, Text
from visualizer.view import RecordingView, ShownRefusal, ViewSituation

SIZES = ((640, 480), (1280, 800), (1920, 1080), (3840, 2160), (840, 1280))


def texts(scene: Scene, *layers: str) -> list[Text]:
    return [s for layer in scene.layers if layer.name in layers for s in layer.shapes if isinstance(s, Text)]


# Contrast


def test_the_contrast_is_the_one_that_wcag_defines() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)
    assert contrast(PANEL, PANEL) == 1


@for_each("ground", [PANEL, ROW, TRACK, WINDOW], ids=str)
def test_every_tone_of_text_can_be_read_on_every_ground(ground: Color) -> None:
    tones = {"ink": INK, "dim": DIM, "quiet": QUIET, "gold": GOLD, "gain": GAIN, "loss": LOSS}
    tones |= {colour: player_text_color(colour) for colour in COLOURS}
    low = {name: round(contrast(tone, ground), 2) for name, tone in tones.items() if contrast(tone, ground) < READABLE}
    assert low == {}
    assert all(contrast(readable((r, 20, 30), ground), ground) >= READABLE for r in range(0, 256, 15))
    assert contrast(readable(DIM, CHOSEN), CHOSEN) >= READABLE


@pytest.mark.parametrize("size", SIZES[:3], ids=str)
@pytest.mark.parametrize("dialog", [None, "help", "jump", "peer"])
def test_every_text_of_the_picture_can_be_read(
    game: GameRecording, sixes: GameRecording, fonts: FontSet, size: tuple[int, int], dialog: str | None
) -> None:
    situation = ViewSituation("games", following=True, peers=("Red", "Blue"), behind=(("Red", 3),))
    for recording, tab in product((game, sixes), ("players", "log")):
        for index in (0, 40, len(recording) // 2, recording.last):
            view = RecordingView(index=index, tab=tab, dialog=dialog)  # type: ignore[arg-type]
            scene = picture(recording, view, situation, size, fonts.width)
            for layer in scene.layers:
                if layer.name in ("pieces", "terrain") or (dialog and layer.name != "dialog"):
                    continue
                ground: list[tuple[Rect, Color]] = [(layer.area, layer.fill or WINDOW)]
                for shape in layer.shapes:
                    if isinstance(shape, Box) and shape.fill is not None and len(shape.fill) == 3:
                        ground.append((Rect(shape.x, shape.y, shape.w, shape.h), shape.fill))
                    elif isinstance(shape, Text) and shape.text:
                        x = shape.x + (0.5 - shape.align) * fonts.width(shape.text, shape.size, shape.bold)
                        below = next(tone for box, tone in reversed(ground) if box.contains(x, shape.y))
                        ratio = contrast(shape.color, below)
                        assert ratio >= READABLE, (layer.name, shape.text, round(ratio, 2))


# Whole lines


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_no_line_of_the_log_and_no_sentence_is_cut(
    game: GameRecording, sixes: GameRecording, fonts: FontSet, size: tuple[int, int]
) -> None:
    for recording in (game, sixes):
        for index in range(0, len(recording), 37):
            view = RecordingView(index=index, tab="log")
            scene = picture(recording, view, ViewSituation(), size, fonts.width)
            cut = [text.text for text in texts(scene, "log", "header", "detail") if text.text.endswith("…")]
            assert [text for text in cut if "_loss_" not in text and "_answer_" not in text] == []


def test_a_merge_shows_every_parent_at_every_size(game: GameRecording, fonts: FontSet) -> None:
    step = next(step for step in game.steps if isinstance(step.action, MoveBandit) and len(step.parents) > 4)
    for size in SIZES:
        scene = picture(game, RecordingView(index=step.index, tab="log"), ViewSituation(), size, fonts.width)
        shown = " ".join(text.text for text in texts(scene, "detail"))
        assert [parent[:7] for parent in step.parents if parent[:7] not in shown] == []
        assert len([target for target in scene.targets if target.id[0] == "parent"]) == len(step.parents)


# Panels of the players


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_change_keeps_away_from_the_next_sign(game: GameRecording, fonts: FontSet, size: tuple[int, int]) -> None:
    """At least a third of an em between the change of a hand and the icon right of it."""
    parts = layout(*size)
    for index in range(30, len(game), 23):
        scene = picture(game, RecordingView(index=index), ViewSituation(), size, fonts.width)
        for layer in scene.layers:
            if not layer.name.startswith("player ") and layer.name != "bank":
                continue
            signs = [shape for shape in layer.shapes if isinstance(shape, Sprite)]
            for text in (shape for shape in layer.shapes if isinstance(shape, Text)):
                if text.text[:1] in "+-" and text.text[1:].isdigit():
                    end = text.x + fonts.width(text.text, text.size, text.bold)
                    right = [s.x - s.hull[1][0] for s in signs if s.x > text.x and abs(s.y - text.y) < parts.em / 2]
                    assert all(left - end > 0.33 * parts.em for left in right), (index, layer.name, text.text)


@pytest.mark.parametrize("high", range(30, 190, 10))
def test_no_label_of_a_panel_vanishes_and_no_sign_means_two_things(
    sixes: GameRecording, fonts: FontSet, high: int
) -> None:
    """Whatever rows a panel has room for, each row has its word, and each sign stands in one row only."""
    em = 14.0
    for step in sixes.steps[::41]:
        for seat in sixes.seats:
            before = sixes.before(step.index)
            panel = player_panel(seat, step.state, before, Rect(0, 0, 280, high), em, fonts.width)
            words = [shape.text for shape in panel.layer.shapes if isinstance(shape, Text)]
            rows: dict[str, set[float]] = {}
            for shape in panel.layer.shapes:
                if (
                    isinstance(shape, Sprite)
                    and shape.name[0] == "icon"
                    and shape.name[1] in ("village", "city", "road")
                ):
                    rows.setdefault(str(shape.name[1]), set()).add(shape.y)
            assert all(len(found) == 1 for found in rows.values()), rows
            assert ("left" in words) == bool(rows)
            hand = step.state.h[seat.player - 1]
            if rows and any((hand.bc, hand.ac, hand.uc)):
                assert any(word in text for text in words for word in ("new", "ready", "shown"))


def test_a_hand_of_every_card_is_told_in_words_with_every_state(game: GameRecording, fonts: FontSet) -> None:
    state = game.steps[-1].state
    cards = pack((3, 2, 2, 4, 1))
    full = state.h[0]._replace(bc=cards, ac=cards, uc=cards)
    crowded = state._replace(h=(full, *state.h[1:]))
    panel = player_panel(game.seats[0], crowded, crowded, Rect(0, 0, 280, 90), 14.0, fonts.width)
    assert "12 new, 12 ready, 12 shown" in [shape.text for shape in panel.layer.shapes if isinstance(shape, Text)]


def test_the_seat_of_an_excused_player_is_grey_and_says_so(game: GameRecording, fonts: FontSet) -> None:
    state = game.steps[-2].state
    excused = state._replace(away=(True, *state.away[1:]))
    for seat in game.seats[:2]:
        for now in (state, excused):
            panel = player_panel(seat, now, now, Rect(0, 0, 280, 90), 14.0, fonts.width)
            words = {shape.text: shape.color for shape in panel.layer.shapes if isinstance(shape, Text)}
            edge = next(shape for shape in panel.layer.shapes[1:] if isinstance(shape, Box))
            is_grey = now.away[seat.player - 1]
            assert (words[seat.colour] == DIM) == (edge.fill == DIM) == is_grey
            assert ("excused" in words) == is_grey


# More room


def test_a_larger_window_shows_more_rows_and_longer_lines(game: GameRecording) -> None:
    rows, widths = [], []
    for size in ((1280, 800), (1600, 1000), (1920, 1080), (2560, 1440), (3840, 2160)):
        parts = layout(*size)
        assert parts.log is not None
        rows.append(LogPlan(game, parts.log, parts.em, None, 100).row_count)
        widths.append(parts.log.w / parts.em)
    assert rows == sorted(set(rows))
    assert rows[-1] > 1.4 * rows[0]
    assert all(wider > width - 0.1 for width, wider in pairwise(widths))
    assert widths[2] > 1.2 * widths[0]


# Time


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_timeline_has_axes_and_a_legend(sixes: GameRecording, fonts: FontSet, size: tuple[int, int]) -> None:
    scene = picture(sixes, RecordingView(index=sixes.last), ViewSituation(), size, fonts.width)
    words = [text.text for text in texts(scene, "curve")]
    assert {"points", "turn", "0", "5", "10", "1", "seven", "trade", "road", "village", "city"} <= set(words)
    turns = [int(word) for word in words[words.index("turn") + 1 :] if word.isdigit()]
    assert len(turns) > 4
    assert turns == sorted(turns)


def test_without_the_future_nothing_tells_of_it(game: GameRecording, fonts: FontSet) -> None:
    """The picture at a step is the same whether the game went on or not."""
    index = len(game) // 2
    short = GameRecording(game.constants, game.seats, game.title, game.number)
    for step in game.steps[: index + 1]:
        short.append(step)
    short.most_replies = game.most_replies
    refused = (ShownRefusal("ab" * 20, (), "Red", "Red_0", "guard", "no"),)
    for size in SIZES:
        view = RecordingView(index=index, tab="log", hides_future=True)
        there = picture(game, view, ViewSituation(refused=refused), size, fonts.width)
        here = picture(short, view, ViewSituation(refused=refused), size, fonts.width)
        for one, other in zip(there.layers, here.layers, strict=True):
            if one.name != "controls":
                assert one == other, one.name
        assert any(text.text.endswith(f"step {index}") for text in texts(there, "controls"))
        assert not any(row[0] == "row" and int(str(row[1])) > index for row in (t.id for t in there.targets))


# Refused commits


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_refused_commit_is_a_red_node_below_the_log(
    game: GameRecording, fonts: FontSet, size: tuple[int, int]
) -> None:
    refused = ShownRefusal("ab" * 20, (game.steps[-1].commit,), "Green", "Green_0", "guard", "BR3 cost")
    situation = ViewSituation(refused=(refused,), problem="abababab refused")
    scene = picture(game, RecordingView(index=game.last, tab="log"), situation, size, fonts.width)
    log = next(layer for layer in scene.layers if layer.name == "log")
    nodes = [shape for shape in log.shapes if isinstance(shape, Sprite) and shape.name[0] == "refused"]
    assert len(nodes) == 1
    assert any("refused" in text.text and text.color == LOSS for text in texts(scene, "log"))
    target = next(target for target in scene.targets if target.id == ("refused", 0))
    assert target.contains(nodes[0].x, nodes[0].y)
    said = picture(
        game, RecordingView(index=game.last, tab="log", pointed=("refused", 0)), situation, size, fonts.width
    )
    tip = " ".join(text.text for text in texts(said, "tooltip"))
    assert "BR3 cost" in tip and "no part of the game" in tip
    without = picture(
        game, RecordingView(index=game.last, tab="log"), replace(situation, refused=()), size, fonts.width
    )
    assert not any(isinstance(s, Sprite) and s.name[0] == "refused" for layer in without.layers for s in layer.shapes)
