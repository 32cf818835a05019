"""What commands, keys and the mouse do to a view. Pure: a view goes in, a view and perhaps a request come out.

A request is something that only the window can do: ``quit``, ``fullscreen``, ``save``, or to choose a replica.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from math import hypot
from typing import NamedTuple

from ..data.recording import GameRecording
from ..data.search import look_for, onward, sevens, steps_at, steps_of
from ..pictures.layout import PartLayout
from ..pictures.panels.log_view import LogPlan, first_row, log_length
from ..pictures.panels.timeline import horizon, index_at, track_area
from ..pictures.scene import Scene, Target
from ..pictures.words import changed_files
from ..view import SPEEDS, TABS, RecordingView, TargetId, ViewSituation

WHEEL_ROWS = 3
_UNITS = ("action", "turn", "round")


class WindowRequest(NamedTuple):
    """Something that the window is asked to do."""

    name: str
    value: str | None = None


class CommandResult(NamedTuple):
    """The next view, and a request to the window, if there is one."""

    view: RecordingView
    wish: WindowRequest | None = None


def towards(targets: Iterable[Target], current: Target, dx: int, dy: int) -> Target | None:
    """The next target in a direction, by its distance; what lies aside of the direction counts twice."""
    x, y = current.box.center
    best: tuple[float, Target] | None = None
    for target in targets:
        tx, ty = target.box.center
        ahead = (tx - x) * dx + (ty - y) * dy
        aside = abs((tx - x) * dy) + abs((ty - y) * dx)
        # Within some 68 degrees of the direction: so two arrow keys reach whatever lies between them.
        if target.id == current.id or ahead <= 1 or aside > 2.5 * ahead:
            continue
        distance = ahead + 2 * aside
        if best is None or distance < best[0]:
            best = (distance, target)
    return None if best is None else best[1]


class ViewController:
    """Applies commands and the mouse to views of one recording, as it is laid out at the moment."""

    def __init__(self, recording: GameRecording, situation: ViewSituation, scene: Scene, parts: PartLayout) -> None:
        self.recording = recording
        self.situation = situation
        self.scene = scene
        self.parts = parts

    # Commands

    def command(self, view: RecordingView, name: str) -> CommandResult:
        """Carry out a command of the table in ``commands``."""
        view = replace(view, notice=None)
        unit = name.rpartition("_")[2]
        if name.startswith("next_") and unit in _UNITS:
            return CommandResult(self.show(view, self.recording.next_stop(view.index, unit)))
        if name.startswith("previous_") and unit in _UNITS:
            return CommandResult(self.show(view, self.recording.previous_stop(view.index, unit)))
        if name.endswith("_seven"):
            return CommandResult(self._seven(view, name.startswith("next_")))
        if name in ("quit", "fullscreen", "save"):
            return CommandResult(replace(view, dialog=None), WindowRequest(name))
        handler: Callable[[RecordingView], RecordingView] = getattr(self, f"_{name}")
        return CommandResult(handler(view))

    def show(self, view: RecordingView, index: int) -> RecordingView:
        """Show a step. An older one stops a live view; stepping to the newest one makes it live again."""
        index = max(0, min(self.recording.last, index))
        live = self.situation.following and index == self.recording.last and (view.live or index > view.index)
        return replace(view, index=index, live=live, row_top=None, file_top=0)

    def _seven(self, view: RecordingView, ahead: bool) -> RecordingView:
        found = [index for index in sevens(self.recording) if (index > view.index if ahead else index < view.index)]
        if not found:
            return replace(view, notice=f"There is no seven {'after' if ahead else 'before'} this step.")
        return self.show(view, found[0] if ahead else found[-1])

    def next_of_player(self, view: RecordingView, player: int) -> RecordingView:
        """Show the next step of a player; after the last one, the first."""
        if not 1 <= player <= len(self.recording.seats):
            return replace(view, notice=f"There is no player {player}.")
        return self._go(
            view, steps_of(self.recording, player), f"{self.recording.colour(player)} has done nothing yet."
        )

    def _go(self, view: RecordingView, steps: list[int], otherwise: str) -> RecordingView:
        """Show the next one of some steps; after the last one, the first. ``otherwise`` says that there are none."""
        found = onward(steps, view.index)
        if not found:
            return replace(view, notice=otherwise)
        return replace(self.show(view, found[0]), dialog=None, notice=None)

    def _player(self, view: RecordingView) -> RecordingView:
        return self._jump(view)

    def _future(self, view: RecordingView) -> RecordingView:
        return replace(view, hides_future=not view.hides_future, row_top=None)

    def _play(self, view: RecordingView) -> RecordingView:
        if not view.playing and view.index >= self.recording.last and not self.situation.following:
            return replace(self.show(view, 0), playing=True)
        return replace(view, playing=not view.playing)

    def _first(self, view: RecordingView) -> RecordingView:
        return self.show(view, 0)

    def _last(self, view: RecordingView) -> RecordingView:
        return self.show(view, self.recording.last)

    def _faster(self, view: RecordingView) -> RecordingView:
        return replace(view, speed=next((speed for speed in SPEEDS if speed > view.speed), SPEEDS[-1]))

    def _slower(self, view: RecordingView) -> RecordingView:
        return replace(view, speed=next((speed for speed in reversed(SPEEDS) if speed < view.speed), SPEEDS[0]))

    def _jump(self, view: RecordingView) -> RecordingView:
        return replace(view, dialog=None if view.dialog == "jump" else "jump", typed="", pointed=None)

    def _help(self, view: RecordingView) -> RecordingView:
        return replace(view, dialog=None if view.dialog == "help" else "help", pointed=None)

    def _peer(self, view: RecordingView) -> RecordingView:
        if not self.situation.peers:
            return replace(view, notice="There are no replicas of other peers here.")
        return replace(view, dialog=None if view.dialog == "peer" else "peer", pointed=None)

    def _follow(self, view: RecordingView) -> RecordingView:
        if not self.situation.following:
            return replace(view, notice="Start with --follow to watch a running game.")
        live = not view.live
        view = self.show(view, self.recording.last) if live else view
        return replace(view, live=live, playing=False)

    def _tab(self, view: RecordingView) -> RecordingView:
        return replace(view, tab=TABS[1 - TABS.index(view.tab)])

    def _explain(self, view: RecordingView) -> RecordingView:
        if view.pointed is not None and view.pointer is None:
            return replace(view, pointed=None)
        x, y = self.parts.island.center if view.dialog is None else self.parts.window.center
        target = self._nearest(x, y)
        return replace(view, pointed=target.id if target else None, pointer=None)

    def _files_down(self, view: RecordingView) -> RecordingView:
        most = max(0, len(changed_files(self.recording, view.index)) - 1)
        return replace(view, file_top=min(most, view.file_top + 1))

    def _files_up(self, view: RecordingView) -> RecordingView:
        return replace(view, file_top=max(0, view.file_top - 1))

    def _close(self, view: RecordingView) -> RecordingView:
        if view.dialog is not None:
            return replace(view, dialog=None, pointed=None)
        return replace(view, pointed=None) if view.pointer is None else view

    # Typing

    def type(self, view: RecordingView, key: str) -> CommandResult:
        """A key of the dialog for jumping: a letter, a digit, a space, ``del`` or ``go``."""
        if key == "del":
            return CommandResult(replace(view, typed=view.typed[:-1]))
        if key == "go":
            found = look_for(self.recording, view.typed, view.index)
            return CommandResult(replace(self.show(view, found[0]), dialog=None, pointed=None) if found else view)
        if len(key) == 1 and (key.isalnum() or key == " ") and len(view.typed) < 40:
            return CommandResult(replace(view, typed=view.typed + key.lower()))
        return CommandResult(view)

    # The mouse

    def point(self, view: RecordingView, x: float, y: float) -> RecordingView:
        """The mouse has moved; while the timeline is dragged, the step follows it."""
        if view.pressed:
            return replace(self._drag(view, x), pointer=(x, y))
        target = self.scene.target_at(x, y)
        return replace(view, pointed=target.id if target else None, pointer=(x, y))

    def press(self, view: RecordingView, x: float, y: float) -> CommandResult:
        """The main mouse button was pressed."""
        target = self.scene.target_at(x, y)
        if target is None:
            return CommandResult(replace(view, notice=None))
        if target.id == ("timeline",):
            view = replace(view, pressed=True, playing=False, pointed=target.id, pointer=(x, y), notice=None)
            return CommandResult(self._drag(view, x))
        if target.id == ("scroll",):
            share = (y - target.box.y) / target.box.h
            return CommandResult(
                replace(view, row_top=first_row(len(self.recording), 1, round(share * self.recording.last), 0))
            )
        return self.click(view, target.id)

    def release(self, view: RecordingView) -> RecordingView:
        """The main mouse button was released."""
        return replace(view, pressed=False)

    def click(self, view: RecordingView, target: TargetId) -> CommandResult:
        """Carry out a click on a target."""
        kind, *values = target
        match kind, values:
            case "button", [str(name)]:
                # The lines of the list of keys are buttons, too: their commands act on what lies below it.
                if view.dialog == "help" and name != "help":
                    view = replace(view, dialog=None, pointed=None)
                return self.command(view, name)
            case (("row" | "parent"), [int(row)]):
                return CommandResult(
                    replace(self.show(view, row), row_top=self._kept_top(view, row), dialog=None, notice=None)
                )
            case "goto", [str(text)]:
                return CommandResult(
                    self._go(view, look_for(self.recording, text, view.index), f"{text}: nowhere in this game.")
                )
            case (("player" | "lane"), [int(player)]):
                return CommandResult(self.next_of_player(view, player))
            case (("point" | "road" | "tile"), [int(number)]):
                none = f"Nothing was ever put on {kind} {number}."
                return CommandResult(self._go(view, steps_at(self.recording, str(kind), number), none))
            case "tab", [str(name)]:
                return CommandResult(replace(view, tab="log" if name == "log" else "players"))
            case "type", [str(key)]:
                return self.type(view, key)
            case "peer", [colour]:
                chosen = colour if isinstance(colour, str) else None
                return CommandResult(replace(view, dialog=None, pointed=None), WindowRequest("peer", chosen))
            case _:
                return CommandResult(view)

    def wheel(self, view: RecordingView, x: float, y: float, clicks: int) -> RecordingView:
        """The wheel turned, up is positive: it scrolls the log and the files, elsewhere it steps."""
        if view.dialog is not None:
            return view
        if self.parts.log is not None and self.parts.log.contains(x, y):
            plan = self._log_plan(view)
            top = first_row(plan.length, plan.row_count, plan.top - clicks * WHEEL_ROWS, 0)
            return replace(view, row_top=top)
        if self.parts.detail is not None and self.parts.detail.contains(x, y):
            step = self._files_up if clicks > 0 else self._files_down
            for _ in range(abs(clicks)):
                view = step(view)
            return view
        return self.show(view, view.index - clicks)

    def _drag(self, view: RecordingView, x: float) -> RecordingView:
        track = track_area(self.parts.timeline, self.parts.em)
        room = horizon(len(self.recording), view.index, view.hides_future)
        index = min(self.recording.last, index_at(x, room, track))
        return self.show(view, index) if index != view.index else view

    def _log_plan(self, view: RecordingView) -> LogPlan:
        assert self.parts.log is not None
        length = log_length(self.recording, view.index, len(self.situation.refused), view.hides_future)
        return LogPlan(self.recording, self.parts.log, self.parts.em, view.row_top, view.index, length)

    def _kept_top(self, view: RecordingView, row: int) -> int | None:
        """The first row of the log after a click on a row: the same as before, so that the rows stay in place."""
        if self.parts.log is None:
            return None
        plan = self._log_plan(view)
        return plan.top if plan.top <= row <= plan.bottom else None

    # The keyboard instead of the mouse

    def _nearest(self, x: float, y: float) -> Target | None:
        # Targets as wide as the window, the timeline and the shade behind a dialog, would be nearest to anything.
        reachable = [target for target in self.scene.targets if target.box.w < self.parts.window.w * 0.95]
        return min(
            reachable,
            key=lambda target: hypot(target.box.center[0] - x, target.box.center[1] - y),
            default=None,
        )

    def move_focus(self, view: RecordingView, dx: int, dy: int) -> RecordingView:
        """Move the focus to the next target in a direction, if there is one."""
        current = self.scene.target_under(view.pointed, None)
        if current is None:
            return self._explain(replace(view, pointed=None))
        best = towards(self.scene.targets, current, dx, dy)
        return view if best is None else replace(view, pointed=best.id, pointer=None)
