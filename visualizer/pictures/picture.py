"""The whole picture of a view: every part laid out in a window of a given size. Pure: equal arguments, equal scene."""

from collections.abc import Mapping
from typing import NamedTuple

from catan_p2p.game.cards import NO_CARDS, Cards
from catan_p2p.game.constants import Player
from catan_p2p.view.events import BanditMoved

from ..data.recording import GameRecording
from ..data.search import trail_roads
from ..view import RecordingView, TargetId, ViewSituation
from .explain import TargetExplainer
from .island.island import highlight, island_targets, pieces_layer, trail
from .island.land import terrain_layer
from .layout import PartLayout, layout
from .palette import GOLD, LOSS, WINDOW
from .panels.bank import bank_panel
from .panels.detail import detail_panel
from .panels.dialogs import help_dialog, jump_dialog, message_layer, notice_layer, peer_dialog, tooltip
from .panels.header import header_panel, tabs_panel
from .panels.log_view import log_panel
from .panels.players import player_areas, player_panel
from .panels.table import has_table, table_panel
from .panels.timeline import controls_panel, curve_panel, horizon, index_at, playhead, track_area
from .scene import Layer, Panel, Scene, Target, TextMeasure
from .shapes import Box, Rect, Shape


class SeatPicture(NamedTuple):
    """What a player sees besides the game: panels over the island, perhaps a dialog, and texts about targets."""

    panels: tuple[Panel, ...]
    dialog: Panel | None = None
    notes: Mapping[TargetId, list[str]] = {}
    is_moving: bool = False
    """Whether the pieces of the shown step are still moving: the island is drawn as before the step."""
    got: Mapping[Player, Cards] = {}
    """What each player got by the last roll."""


_ON_ISLAND = ("tile", "point", "road", "wharf")
_LIT = ("row", "button", "do", "parent", "tab", "peer", "type", "file")


def picture(
    recording: GameRecording | None,
    view: RecordingView,
    situation: ViewSituation,
    size: tuple[int, int],
    measure: TextMeasure,
    scale: float = 1.0,
    seat: SeatPicture | None = None,
) -> Scene:
    """The scene of a view of a recording, with a player's seat if given; a message if there is no recording."""
    table = recording is not None and has_table(recording.constants.rules)
    parts = layout(*size, view.tab, scale, table, seat is not None)
    if recording is None or not recording.steps:
        return _message(situation, parts, size, measure, is_played=seat is not None)
    panels = _panels(recording, view, situation, parts, measure, seat.got if seat is not None else {})
    layers = [panel.layer for panel in panels]
    targets = [target for panel in panels for target in panel.targets]
    board, step = recording.constants.board, recording.steps[view.index]
    colours = tuple(seat.colour for seat in recording.seats)
    layers.append(terrain_layer(board, parts.island))
    if seat is not None and seat.is_moving and view.index:
        is_bandit = any(isinstance(event, BanditMoved) for event in step.events)
        was = recording.steps[view.index - 1]
        layers.append(pieces_layer(board, parts.island, colours, was, has_bandit=not is_bandit))
    else:
        layers.append(pieces_layer(board, parts.island, colours, step))
    targets += island_targets(board, parts.island)
    pointed = None
    if seat is None:
        track = track_area(parts.timeline, parts.em)
        room = horizon(len(recording), view.index, view.hides_future)
        pointed = _pointed_step(view, room, len(recording), track)
        layers.append(playhead(view.index, room, pointed, parts.timeline, parts.em))
    for panel in seat.panels if seat is not None else ():
        layers.append(panel.layer)
        targets += panel.targets
    notice, tone = (view.notice, GOLD) if view.notice else (situation.problem, LOSS)
    if notice:
        layers.append(notice_layer(notice, parts.island, parts.em, measure, tone[:3]))
    dialog = seat.dialog if seat is not None else None
    dialog = dialog or _dialog(recording, view, situation, parts, measure)
    if dialog is not None:
        layers.append(dialog.layer)
        targets = list(dialog.targets)  # nothing below a dialog can be reached
    scene = Scene(size, WINDOW, tuple(layers), tuple(targets))
    notes = seat.notes if seat is not None else {}
    over = _over(recording, view, situation, scene, parts, measure, pointed, notes)
    return Scene(size, WINDOW, (*scene.layers, *over), scene.targets)


def _message(
    situation: ViewSituation, parts: PartLayout, size: tuple[int, int], measure: TextMeasure, *, is_played: bool
) -> Scene:
    title = "No game to show" if not situation.reading else "Waiting" if situation.problem else "Reading"
    text = situation.reading or situation.problem or ""
    if is_played:  # problems of a table are reported by its worker, not by the reader of the game
        title, text = "The table is being set up", "One moment, please."
        if situation.waits is not None:
            title, text = "Waiting for the game to begin", situation.waits
    return Scene(size, WINDOW, (message_layer(title, text, parts.window, parts.em, measure),), ())


def _panels(
    recording: GameRecording,
    view: RecordingView,
    situation: ViewSituation,
    parts: PartLayout,
    measure: TextMeasure,
    got: Mapping[Player, Cards],
) -> list[Panel]:
    em, index = parts.em, view.index
    state, before = recording.steps[index].state, recording.before(index)
    known, earlier = recording.steps[index].known, recording.steps[max(0, index - 1)].known
    panels = [header_panel(recording, index, situation, view.live, parts.header, em, measure)]
    if parts.table:
        panels.append(table_panel(recording.seats, state, parts.table, em, measure))
    if parts.tabs:
        panels.append(tabs_panel(view.tab, parts.tabs, em))
    if parts.players:
        areas = player_areas(parts.players, len(recording.seats), em)
        for seat, area in zip(recording.seats, areas, strict=True):
            veiled = seat.player in recording.veiled
            won = got.get(seat.player, NO_CARDS)
            panels.append(player_panel(seat, state, before, area, em, measure, known, earlier, veiled, won))
    if parts.bank:
        panels.append(bank_panel(state, before, parts.bank, em, measure, known, earlier, bool(recording.veiled)))
    if parts.log:
        refused, hides = situation.refused, view.hides_future
        panels += log_panel(recording, index, view.row_top, parts.log, em, measure, refused, hides)
    if parts.detail:
        panels.append(detail_panel(recording, index, view.file_top, parts.detail, em, measure))
    return [*panels, *_foot(recording, view, situation, parts, measure)] if parts.seat is None else panels


def _foot(
    recording: GameRecording, view: RecordingView, situation: ViewSituation, parts: PartLayout, measure: TextMeasure
) -> list[Panel]:
    """The controls and the timeline."""
    em, index, length = parts.em, view.index, len(recording)
    following, peers = situation.following, bool(situation.peers)
    room = horizon(length, index, view.hides_future)
    shown = index + 1 if view.hides_future else length
    return [
        controls_panel(
            recording,
            length,
            index,
            view.playing,
            view.speed,
            view.live,
            following,
            peers,
            view.hides_future,
            parts.controls,
            em,
            measure,
        ),
        curve_panel(recording, shown, room, parts.timeline, em, measure),
    ]


def _pointed_step(view: RecordingView, room: int, length: int, track: Rect) -> int | None:
    """The step under the mouse, if it is on the timeline, and not hidden with the future."""
    if view.pointed != ("timeline",) or view.pointer is None:
        return None
    found = min(length - 1, index_at(view.pointer[0], room, track))
    return None if view.hides_future and found > view.index else found


def _dialog(
    recording: GameRecording, view: RecordingView, situation: ViewSituation, parts: PartLayout, measure: TextMeasure
) -> Panel | None:
    match view.dialog:
        case "help":
            return help_dialog(parts.window, parts.em, measure)
        case "jump":
            return jump_dialog(recording, view.typed, view.index, parts.window, parts.em, measure)
        case "peer":
            return peer_dialog(situation, parts.window, parts.em, measure)
        case _:
            return None


def _over(
    recording: GameRecording,
    view: RecordingView,
    situation: ViewSituation,
    scene: Scene,
    parts: PartLayout,
    measure: TextMeasure,
    pointed: int | None,
    notes: Mapping[TargetId, list[str]],
) -> list[Layer]:
    """The highlighting of the target that is pointed at, and its explanation."""
    target = scene.target_under(view.pointed, view.pointer)
    if target is None:
        return []
    layers = []
    lit = _lit(target, view.pointer is None)
    if target.id[0] == "bonus" and target.id[2] == "longest_road":
        roads = trail_roads(recording.steps[view.index].state, int(str(target.id[1])))
        layers.append(Layer("lit", parts.island, None, trail(recording.constants.board, parts.island, roads)))
    if lit:
        area = parts.island if target.id[0] in _ON_ISLAND else target.box.inset(-4)
        layers.append(Layer("lit", area, None, lit))
    name = ("timeline", pointed) if pointed is not None else target.id
    words = notes[target.id] if target.id in notes else TargetExplainer(recording, view, situation).lines(name)
    near = _near(target, view.pointer, parts)
    places = [other.box for other in scene.targets if other.is_button and other.id[0] in _ON_ISLAND]
    tip = tooltip(words, near, parts.window, parts.em, measure, places)
    return [*layers, tip] if tip else layers


def _lit(target: Target, by_keyboard: bool) -> tuple[Shape, ...]:
    if target.id[0] in _ON_ISLAND:
        return highlight(target)
    if by_keyboard or (target.is_button and target.id[0] in _LIT):
        x, y, w, h = target.box
        return (
            Box(round(x), round(y), round(w), round(h), None, 4.0, GOLD if by_keyboard else (255, 255, 255, 120), 2.0),
        )
    return ()


def _near(target: Target, pointer: tuple[float, float] | None, parts: PartLayout) -> Rect:
    """The area that the explanation does not cover: a small target, or the surroundings of the pointer."""
    box = target.box
    if parts.table is not None and parts.table.holds(box, 0.5):
        return parts.table
    if pointer is None or (box.w < 9 * parts.em and box.h < 9 * parts.em):
        return box
    x, y = pointer
    return Rect(x - 2, y - 2, 4, 4).inset(-0.4 * parts.em)
