"""Drawing: what is kept from frame to frame is what a new drawing would show; and nothing grows or fails."""

from dataclasses import replace
from random import Random

import pygame
import pytest

from catan_p2p.game.board import numbers
from tests.for_each import for_each
from visualizer.data.recording import GameRecording
from visualizer.drawing import fonts as fonts_module
from visualizer.drawing import renderer as renderer_module
from visualizer.drawing.fonts import FontSet
from visualizer.drawing.renderer import SceneRenderer
from visualizer.pictures.island.geometry import geometry
from visualizer.pictures.layout import layout
from visualizer.pictures.palette import SEA, player_color
from visualizer.pictures.picture import picture
from visualizer.pictures.shapes import Box, Circle, Path, Polygon, Sprite, Text
from visualizer.view import RecordingView, ViewSituation

SIZE = (1000, 640)


def drawn(recording: GameRecording | None, view: RecordingView, size: tuple[int, int] = SIZE) -> pygame.Surface:
    renderer = SceneRenderer(FontSet(system=False))
    surface = pygame.Surface(size, 0, 32)
    renderer.draw(picture(recording, view, ViewSituation(), size, renderer.fonts.width), surface)
    return surface


def pixels(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


def looks(game: GameRecording) -> list[RecordingView]:
    """A walk through the game: steps, jumps, dialogs, explanations, scrolling, both tabs."""
    rng = Random(4)
    view = RecordingView(index=300)
    found = []
    for i in range(60):
        match i % 10:
            case 0 | 1 | 2 | 3:
                view = replace(view, index=min(game.last, view.index + 1), pointed=None, dialog=None)
            case 4:
                view = replace(view, index=rng.randrange(len(game)))
            case 5:
                view = replace(view, pointed=("tile", rng.choice(game.constants.board.land)))
            case 6:
                view = replace(view, pointed=("point", rng.randrange(1, 54)), playing=not view.playing)
            case 7:
                view = replace(view, dialog=rng.choice(("help", "jump", None)), typed="a")
            case 8:
                view = replace(view, tab="log" if view.tab == "players" else "players", dialog=None)
            case 9:
                view = replace(view, row_top=rng.randrange(500), notice=rng.choice((None, "saved catan-1.png")))
        found.append(view)
    return found


@pytest.mark.long
@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", [(640, 480), (1180, 560)])
def test_a_frame_drawn_over_the_last_is_as_if_drawn_anew(game: GameRecording, size: tuple[int, int]) -> None:
    kept, surface = SceneRenderer(FontSet(system=False)), pygame.Surface(size, 0, 32)
    for i, view in enumerate(looks(game)):
        dirty = kept.draw(picture(game, view, ViewSituation(), size, kept.fonts.width), surface)
        if i % 5 == 3:
            assert pixels(surface) == pixels(drawn(game, view, size)), view
        assert all(surface.get_rect().contains(part) for part in dirty)


def test_what_is_not_reported_as_changed_is_unchanged(game: GameRecording) -> None:
    renderer, surface = SceneRenderer(FontSet(system=False)), pygame.Surface(SIZE, 0, 32)
    before = surface.copy()
    for view in looks(game)[:24]:
        dirty = renderer.draw(picture(game, view, ViewSituation(), SIZE, renderer.fonts.width), surface)
        expected = before
        for part in dirty:
            expected.blit(surface, part, part)
        assert pixels(expected) == pixels(surface)
        before = surface.copy()


def test_the_same_scene_again_draws_nothing(game: GameRecording) -> None:
    renderer, surface = SceneRenderer(FontSet(system=False)), pygame.Surface(SIZE, 0, 32)
    scene = picture(game, RecordingView(index=9), ViewSituation(), SIZE, renderer.fonts.width)
    assert renderer.draw(scene, surface)
    assert renderer.draw(scene, surface) == []


def test_every_settlement_shows_its_owners_colour(game: GameRecording) -> None:
    surface = drawn(game, RecordingView(index=game.last), (1280, 800))
    place = geometry(game.constants.board, layout(1280, 800).island)
    state = game.steps[-1].state
    for seat in game.seats:
        for point in numbers(state.s.villages[seat.player - 1]):
            x, y = place.settlements[point]
            left = (round(x - 0.11 * place.size), round(y + 0.1 * place.size))
            assert surface.get_at(left)[:3] == player_color(seat.colour)
        for road in numbers(state.r[seat.player - 1]):
            (x0, y0), (x1, y1) = place.roads[road]
            along = [(x0 + (x1 - x0) * i / 40, y0 + (y1 - y0) * i / 40) for i in range(41)]
            shown = [surface.get_at((round(x), round(y)))[:3] for x, y in along]
            assert shown.count(player_color(seat.colour)[:3]) > 8


def test_sea_and_land_are_where_the_map_has_them(game: GameRecording) -> None:
    surface = drawn(game, RecordingView(), (1280, 800))
    area = layout(1280, 800).island
    place = geometry(game.constants.board, area)
    for tile, found in enumerate(game.constants.board.map.tiles, 1):
        x, y = place.tiles[tile]
        spots = [
            (round(x + dx * place.size), round(y + dy * place.size))
            for dx in (-0.6, -0.3, 0, 0.3, 0.6)
            for dy in (-0.4, 0.4)
        ]
        inside = [spot for spot in spots if area.inset(4).contains(*spot)]
        blue = [spot for spot in inside if surface.get_at(spot)[:3] == SEA]
        assert bool(blue) == (not found.is_land) or not inside


@for_each("color", [(9, 9, 9), (9, 9, 9, 120)])
@for_each("radius", [0.0, 6.0])
def test_nothing_is_drawn_beyond_the_clip(color: tuple[int, ...], radius: float) -> None:
    renderer = SceneRenderer(FontSet(system=False))
    surface = pygame.Surface((60, 60), 0, 32)
    surface.fill((200, 200, 200))
    surface.set_clip((20, 20, 10, 10))
    renderer.draw_shape(surface, Box(5, 5, 50, 50, color, radius))  # type: ignore[arg-type]
    for x, y in ((0, 25), (25, 0), (40, 20), (22, 44)):
        renderer.draw_shape(surface, Box(x, y, 14, 14, color, radius))  # type: ignore[arg-type]
    changed = [(x, y) for x in range(60) for y in range(60) if surface.get_at((x, y))[:3] != (200, 200, 200)]
    assert len(changed) == 100
    assert all(20 <= x < 30 and 20 <= y < 30 for x, y in changed)


def test_the_playhead_at_the_end_is_drawn_alike_however_one_got_there(game: GameRecording) -> None:
    renderer, surface = SceneRenderer(FontSet(system=False)), pygame.Surface(SIZE, 0, 32)
    for index in (0, 2, 4, game.last):
        renderer.draw(picture(game, RecordingView(index=index), ViewSituation(), SIZE, renderer.fonts.width), surface)
    assert pixels(surface) == pixels(drawn(game, RecordingView(index=game.last)))


def test_edges_are_smooth() -> None:
    renderer = SceneRenderer(FontSet(system=False))
    surface = pygame.Surface((60, 60), 0, 32)
    surface.fill((255, 255, 255))
    renderer.draw_shape(surface, Polygon(((5.0, 5.0), (55.0, 20.0), (20.0, 55.0)), (0, 0, 0)))
    greys = {surface.get_at((x, y))[0] for x in range(60) for y in range(60)}
    assert {0, 255} < greys
    assert len(greys) > 8


@for_each(
    "shape",
    [
        Polygon(((10.0, 10.0), (40.0, 12.0), (25.0, 40.0)), (200, 30, 30), (20, 20, 20), 3.0),
        Circle(25.5, 25.25, 14.0, (200, 30, 30), (255, 255, 255), 2.0),
        Circle(25.0, 25.0, 14.0, None, (200, 30, 30), 4.0),
        Path(((5.0, 5.0), (40.0, 30.0), (10.0, 45.0)), (200, 30, 30), 5.0),
        Box(5, 6, 40, 30, (200, 30, 30), 8.0, (255, 255, 255), 2.0),
        Box(5, 6, 40, 30, None, 8.0, (200, 30, 30), 2.0),
        Box(5, 6, 40, 30, (200, 30, 30, 120)),
        Text(25, 25, "8", 30, (200, 30, 30), True, 0.5),
    ],
    ids=lambda shape: type(shape).__name__,
)
def test_every_shape_is_drawn_within_its_bounds(shape: Polygon | Circle | Path | Box | Text) -> None:
    renderer = SceneRenderer(FontSet(system=False))
    for dx in (0, 60):
        surface = pygame.Surface((180, 60), 0, 32)
        renderer.draw_shape(surface, shape, dx, 0)
        found = pygame.mask.from_threshold(surface, (0, 0, 0), (3, 3, 3)).count()
        assert found < 180 * 60, "nothing was drawn"
        assert surface.get_at((dx + 25, 25))[:3] != (0, 0, 0) or shape.__class__ is not Text
        reach = renderer._reach(shape).move(dx, 0)
        for x in range(180):
            for y in range(60):
                assert surface.get_at((x, y))[:3] == (0, 0, 0) or reach.collidepoint(x, y), (x, y)


def test_pictures_kept_stay_within_their_limit(game: GameRecording, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderer_module, "_KEPT_BYTES", 500_000)
    renderer, surface = SceneRenderer(FontSet(system=False)), pygame.Surface(SIZE, 0, 32)
    for view in looks(game):
        renderer.draw(picture(game, view, ViewSituation(), SIZE, renderer.fonts.width), surface)
    held = sum(4 * p.get_width() * p.get_height() + 200 for p, _, _ in renderer._kept.values())
    assert held == renderer._kept_bytes <= 500_000


def test_texts_kept_stay_within_their_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts_module, "_KEPT_BYTES", 200_000)
    monkeypatch.setattr(fonts_module, "_WIDTHS_KEPT", 700)
    fonts = FontSet(system=False)
    for i in range(1500):
        fonts.picture(str(i), 8 + i % 30, (255, 255, 255))
        fonts.width(str(i), 8)
    held = sum(4 * p.get_width() * p.get_height() + 200 for p, _ in fonts._texts.values())
    assert held == fonts._texts_bytes <= 200_000
    assert len(fonts._widths) <= 700


# Fonts that are missing


def test_a_font_that_cannot_be_opened_is_replaced_by_pygames() -> None:
    fonts = FontSet(system=False)
    fonts._paths = {False: "/no/such/font.ttf", True: "/no/such/font.ttf"}
    assert fonts.width("Catan", 14) == FontSet(system=False).width("Catan", 14)
    assert "/no/such/font.ttf" in (fonts.problem or "")


def test_without_any_font_there_are_letters_of_last_resort(
    game: GameRecording, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> object:
        raise FileNotFoundError("no font")

    monkeypatch.setattr(pygame.font, "Font", refuse)
    fonts = FontSet(system=False)
    renderer, surface = SceneRenderer(fonts), pygame.Surface(SIZE, 0, 32)
    for view in (
        RecordingView(index=30),
        RecordingView(index=30, dialog="help"),
        RecordingView(index=314, pointed=("tile", 12)),
    ):
        renderer.draw(picture(game, view, ViewSituation(), SIZE, fonts.width), surface)
    ink, _ = fonts.picture("HELLO 8", 20, (255, 255, 255))
    assert ink.get_bounding_rect().w > 40
    assert fonts.width("HELLO", 20) < fonts.width("HELLO 8", 20)


@for_each("text", ["", "a\0b", "\N{GRINNING FACE}", "\ud800", "日本", "a\nb", "\x07", "x" * 5000])
def test_any_text_can_be_drawn(text: str) -> None:
    fonts = FontSet(system=False)
    assert fonts.width(text, 12) >= 0
    picture_of, _ = fonts.picture(text or " ", 12, (1, 2, 3))
    assert picture_of.get_height() > 0


def test_a_sprite_of_one_name_is_drawn_once_and_kept() -> None:
    renderer = SceneRenderer(FontSet(system=False))
    surface = pygame.Surface((60, 60), 0, 32)
    hull = ((-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0))
    for x in (20, 35):
        renderer.draw_shape(surface, Sprite(("test",), x, 30, (Circle(0, 0, 9, (250, 0, 0)),), hull))
    assert len(renderer._kept) == 2
