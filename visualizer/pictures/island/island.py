"""The layer of pieces over the land, and what can be pointed at there."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from catan_p2p.game.board import Board, numbers
from catan_p2p.game.state import State
from catan_p2p.view.events import BanditMoved, DiceRolled, Event, put_down

from ...data.recording import PlayedStep
from ..palette import GOLD, faded
from ..scene import DiscTarget, Layer, Target
from ..shapes import Circle, Path, Rect, Shape, Sprite
from . import pieces
from .geometry import IslandGeometry, geometry


@lru_cache(maxsize=64)
def pieces_layer(
    board: Board, area: Rect, colours: tuple[str, ...], step: PlayedStep, *, has_bandit: bool = True
) -> Layer:
    """Number tokens, roads, settlements and the bandit after a step, with its changes highlighted."""
    state = step.state
    place = geometry(board, area)
    shapes: list[Shape] = []
    for circle in _fresh_places(place, step.events):
        shapes += pieces.glow(*circle)
    shapes += tokens(place, state, step.events)
    shapes += roads(place, state, colours)
    shapes += settlements(place, state, colours)
    if has_bandit:
        shapes.append(bandit(place, state, step.events))
    return Layer("pieces", area, None, tuple(shapes))


def tokens(place: IslandGeometry, state: State, events: Iterable[Event] = ()) -> list[Sprite]:
    """The number tokens of all tiles, those just rolled highlighted."""
    rolled = next((event.dice for event in events if isinstance(event, DiceRolled)), 0)
    found = []
    for tile, (x, y) in enumerate(place.tiles):
        number = place.board.map.tiles[tile - 1].number if tile else None
        if number is not None:
            blocked = tile == state.ba
            dropped = y + pieces.TOKEN_DROP * place.size
            found.append(pieces.token(number, x, dropped, place.size, blocked, number == rolled and not blocked))
    return found


def occupied(state: State) -> dict[int, str]:
    """Of each taken settlement point whether it is a village or a city."""
    kinds = {point: "village" for villages in state.s.villages for point in numbers(villages)}
    return kinds | {point: "city" for cities in state.s.cities for point in numbers(cities)}


def roads(place: IslandGeometry, state: State, colours: tuple[str, ...]) -> list[Sprite]:
    """All roads; they end where a settlement begins."""
    kinds = occupied(state)
    found = []
    for colour, points in zip(colours, state.r, strict=True):
        for road in numbers(points):
            (_, first), (_, second) = place.road_end_points(road)
            ends = (kinds.get(first, "none"), kinds.get(second, "none"))
            found.append(pieces.road(colour, place.roads[road], ends, place.size))
    return found


def settlements(place: IslandGeometry, state: State, colours: tuple[str, ...]) -> list[Sprite]:
    """All villages and cities, from north to south, so that southern ones are drawn over northern ones."""
    found = []
    for kind, sets in (("village", state.s.villages), ("city", state.s.cities)):
        for colour, points in zip(colours, sets, strict=True):
            found += [
                pieces.settlement(kind, colour, *place.settlements[point], place.size) for point in numbers(points)
            ]
    return sorted(found, key=lambda sprite: sprite.y)


def bandit(place: IslandGeometry, state: State, events: Iterable[Event] = ()) -> Sprite:
    """The bandit on its tile, highlighted if it has just moved there."""
    tile = state.ba
    x, y = place.tiles[tile]
    dx, dy = pieces.BANDIT_AT if place.board.map.tiles[tile - 1].number else (0.0, 0.0)
    fresh = any(isinstance(event, BanditMoved) for event in events)
    return pieces.bandit(x + dx * place.size, y + dy * place.size, place.size, fresh)


def _fresh_places(place: IslandGeometry, events: Iterable[Event]) -> Iterator[tuple[float, float, float]]:
    """Middle and radius of the golden rings around what was built just now."""
    for piece, at in (put for event in events for put in put_down(event)):
        if piece == "road":
            (x0, y0), (x1, y1) = place.roads[at]
            yield (x0 + x1) / 2, (y0 + y1) / 2, 0.36 * place.size
        elif piece != "bandit":
            yield *place.settlements[at], 0.42 * place.size


@lru_cache(maxsize=4)
def island_targets(board: Board, area: Rect) -> tuple[Target, ...]:
    """Places on the island: tiles, then what lies over them."""
    place = geometry(board, area)
    found = [Target(("tile", tile), place.tile_corners(tile), clip=area) for tile in range(1, board.tile_count + 1)]
    found += [
        Target(("wharf", i), DiscTarget(*wharf.sign, wharf.radius), clip=area) for i, wharf in enumerate(place.wharfs)
    ]
    for road in range(1, board.road_count + 1):
        (x0, y0), (x1, y1) = place.roads[road]
        found.append(Target(("road", road), DiscTarget((x0 + x1) / 2, (y0 + y1) / 2, 0.22 * place.size), clip=area))
    found += [
        Target(("point", point), DiscTarget(*place.settlements[point], 0.24 * place.size), clip=area)
        for point in range(1, board.settlement_count + 1)
    ]
    return tuple(target for target in found if target.box.w and target.box.h)


def highlight(target: Target) -> tuple[Shape, ...]:
    """The outline of a target on the island that is pointed at."""
    white = faded((255, 255, 255), 220)
    if isinstance(target.area, DiscTarget):
        x, y, r = target.area
        return tuple(_ring(x, y, r))
    if isinstance(target.area, Rect):
        return ()
    return (Path(target.area, white, 2.5, closed=True),)


def trail(board: Board, area: Rect, roads: Iterable[int]) -> tuple[Shape, ...]:
    """The highlighting of the roads of a trail."""
    place = geometry(board, area)
    lines = [place.roads[road] for road in roads]
    width = 0.13 * place.size
    return (
        *(Path(line, (0, 0, 0, 150), 2.2 * width) for line in lines),
        *(Path(line, GOLD, 1.3 * width) for line in lines),
    )


def _ring(x: float, y: float, r: float) -> list[Shape]:
    return [Circle(x, y, r, None, (0, 0, 0, 150), 5.0), Circle(x, y, r, None, (255, 255, 255, 230), 2.5)]
