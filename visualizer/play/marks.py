"""Marks on the island: places that can be chosen, and pieces that are about to be placed."""

from collections.abc import Sequence

from catan_p2p.game.actions import Action
from catan_p2p.game.board import Board
from catan_p2p.game.state import State
from catan_p2p.view.events import put_down
from catan_p2p.view.observe import observe

from ..pictures.island import pieces
from ..pictures.island.geometry import geometry
from ..pictures.island.island import occupied
from ..pictures.palette import GOLD, WINDOW, faded
from ..pictures.scene import DiscTarget, Layer, Panel, Target
from ..pictures.shapes import Circle, Path, Rect, Shape, Sprite
from ..view import TargetId
from .draft import NOTHING, ActionDraft, SeatChoice, SeatRequest


def lit(
    board: Board, area: Rect, places: Sequence[SeatChoice], focused: TargetId | None, draft: ActionDraft
) -> Panel | None:
    """The places on the island that can be chosen: rings both dark and light, visible on any ground without colour."""
    if not places:
        return None
    geo = geometry(board, area)
    shapes: list[Shape] = []
    targets: list[Target] = []
    quiet = draft.mode == "" and draft.ask is None
    for choice in places:
        kind, number = choice.id[0], int(str(choice.id[1]))
        x, y, r = spot(board, area, str(kind), number)
        chosen = choice.id == focused
        if kind == "tile":
            corners = geo.tile_corners(number, 0.78)
            shapes.append(Path(corners, (0, 0, 0, 150), 0.09 * geo.size, True))
            shapes.append(Path(corners, GOLD if chosen else (255, 255, 255), 0.05 * geo.size, True))
            targets.append(Target(choice.id, geo.tile_corners(number), True, area))
            continue
        small = 0.62 if quiet and not chosen else 1.0
        shapes.append(Circle(x, y, r * small, faded(WINDOW, 90), (0, 0, 0, 190), 0.07 * geo.size))
        shapes.append(Circle(x, y, r * small, None, GOLD if chosen else (255, 255, 255), 0.035 * geo.size))
        if chosen:
            shapes.append(Circle(x, y, r * 0.35, GOLD))
        targets.append(Target(choice.id, DiscTarget(x, y, 0.24 * geo.size), True, area))
    return Panel(Layer("lit places", area, None, tuple(shapes)), tuple(targets))


def proposed(
    board: Board, area: Rect, colour: str, state: State, draft: ActionDraft, pointed: SeatChoice | None
) -> Panel | None:
    """The piece that is prepared, to be confirmed or pointed at, as it would stand on the island."""
    found = _places(state, draft.ask, draft)
    if pointed is not None and isinstance(pointed.then, ActionDraft):
        found = [*found, *_places(state, pointed.then.ask, pointed.then)]
    elif pointed is not None and not isinstance(pointed.then, ActionDraft | SeatRequest):
        found = [*found, *_places(state, pointed.then, NOTHING)]
    geo, kinds = geometry(board, area), occupied(state)
    shapes: list[Shape] = []
    sprites: list[Sprite] = []
    for kind, number in dict.fromkeys(found):
        x, y, r = spot(board, area, "tile" if kind == "bandit" else "road" if kind == "road" else "point", number)
        r = 0.3 * geo.size if kind == "bandit" else 1.3 * r
        shapes.append(Circle(x, y, r, faded(GOLD, 90), (0, 0, 0, 190), 0.25 * r))
        shapes.append(Circle(x, y, r, None, GOLD, 0.12 * r))
        if kind == "road":
            (_, first), (_, second) = geo.road_end_points(number)
            ends = (kinds.get(first, "none"), kinds.get(second, "none"))
            sprites.append(pieces.road(colour, geo.roads[number], ends, geo.size))
        elif kind == "bandit":
            sprites.append(pieces.bandit(x, y, geo.size, True))
        else:
            sprites.append(pieces.settlement(kind, colour, x, y, geo.size))
    return Panel(Layer("proposed", area, None, (*shapes, *sprites)), ()) if shapes else None


def _places(state: State, action: Action | None, draft: ActionDraft) -> list[tuple[str, int]]:
    """The pieces that an action, or a draft without one, would place: road, village, city or bandit, and where."""
    if action is not None and (found := [put for event in observe(action, state, state) for put in put_down(event)]):
        return [*found]
    kind = {"settle": "village", "roads": "road", "knight": "bandit", "bandit": "bandit"}.get(draft.mode, "")
    return [(kind, number) for number in draft.picks if kind]


def spot(board: Board, area: Rect, kind: str, number: int) -> tuple[float, float, float]:
    """Middle and radius of a place on the island."""
    geo = geometry(board, area)
    if kind == "tile":
        return (*geo.tiles[number], 0.5 * geo.size)
    if kind == "point":
        return (*geo.settlements[number], 0.2 * geo.size)
    (x0, y0), (x1, y1) = geo.roads[number]
    return (x0 + x1) / 2, (y0 + y1) / 2, 0.15 * geo.size
