"""Rings on the island: around the places that can be chosen, and around what is about to be done."""

from __future__ import annotations

from collections.abc import Sequence

from catan_p2p.game import actions
from catan_p2p.game.board import Board

from ..pictures.island.geometry import geometry
from ..pictures.palette import (
    GOLD,
    WINDOW,
    faded,
)
from ..pictures.panels.players import Panel
from ..pictures.scene import Disc, Layer, Target
from ..pictures.shapes import Circle, Path, Rect, Shape
from ..view import TargetId
from .draft import Choice, Draft


def lit(board: Board, area: Rect, places: Sequence[Choice], focused: TargetId | None, draft: Draft) -> Panel | None:
    """The places on the island that can be chosen: rings that are dark and light, so that no colour is needed."""
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
        targets.append(Target(choice.id, Disc(x, y, 0.24 * geo.size), True, area))
    return Panel(Layer("lit places", area, None, tuple(shapes)), tuple(targets))


def proposed(board: Board, area: Rect, draft: Draft) -> Panel | None:
    """Where what is prepared or asked about would be done: rings in gold."""
    found: list[tuple[str, int]] = []
    match draft.ask:
        case None:
            kind = {"settle": "point", "roads": "road", "knight": "tile", "bandit": "tile"}.get(draft.mode, "")
            found = [(kind, number) for number in draft.picks if kind]
        case actions.SetupPhaseOne(_, at, road) | actions.SetupPhaseTwo(_, at, road):
            found = [("point", at), ("road", road)]
        case actions.BuildVillage(_, at) | actions.BuildCity(_, at):
            found = [("point", at)]
        case actions.BuildRoad(_, at):
            found = [("road", at)]
        case actions.PlayRoadBuilding(_, first, second):
            found = [("road", number) for number in (first, second) if number]
        case actions.MoveBandit(_, to) | actions.PlayKnight(_, to):
            found = [("tile", to)]
    shapes: list[Shape] = []
    for kind, number in found:
        x, y, r = spot(board, area, kind, number)
        shapes.append(Circle(x, y, 1.3 * r, faded(GOLD, 90), (0, 0, 0, 190), 0.45 * r))
        shapes.append(Circle(x, y, 1.3 * r, None, GOLD, 0.22 * r))
    return Panel(Layer("proposed", area, None, tuple(shapes)), ()) if shapes else None


def spot(board: Board, area: Rect, kind: str, number: int) -> tuple[float, float, float]:
    """Middle and radius of a place on the island."""
    geo = geometry(board, area)
    if kind == "tile":
        return (*geo.tiles[number], 0.5 * geo.size)
    if kind == "point":
        return (*geo.settlements[number], 0.2 * geo.size)
    (x0, y0), (x1, y1) = geo.roads[number]
    return (x0 + x1) / 2, (y0 + y1) / 2, 0.15 * geo.size
