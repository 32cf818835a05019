"""What the window at a table shows: the picture of the moment, and the same as data."""

from __future__ import annotations

import time

from catan_p2p.game.rules import awaited
from catan_p2p.game.state import State
from catan_p2p.shown import shown

from ..pictures.layout import layout
from ..pictures.panels.players import Panel
from ..pictures.panels.table import has_table
from ..pictures.picture import SeatPicture, picture
from ..pictures.scene import Scene, Target
from ..pictures.words import sentences
from ..view import TargetId
from .at_table import FLASH_S
from .choosing import Choosing
from .dialogs import curtain, keys_dialog, list_dialog
from .dock import TOOLS, Seen, Tool, dock
from .draft import Choice
from .hints import HINTS
from .marks import lit, proposed
from .screen import Clickable, Description
from .talk import talk_panel

_FLASH_STEPS = 12
_WORDS_SHOWN, _WORDS_S = 3, 60.0
"""So many messages stand below what has happened, those of the last minute."""


class Showing(Choosing):
    """A window in which people choose, as it looks."""

    # Pictures

    def _compose(self, size: tuple[int, int]) -> Scene:
        measure = self.renderer.fonts.width
        table = self.recording is not None and has_table(self.recording.constants.rules)
        parts = layout(*size, self.view.tab, self._text_scale, table, True)
        window, em = parts.window, parts.em
        dialog = self._dialog(window, em)
        panels: list[Panel] = []
        state = self.state
        if state is not None and self.recording is not None and parts.seat is not None:
            found = self.moment
            board = self.recording.constants.board
            marks = lit(board, parts.island, found.places, self.focused, self.draft) if not self.is_busy else None
            asked = proposed(board, parts.island, self.draft)
            panels = [panel for panel in (marks, asked) if panel is not None]
            panels.append(dock(parts.seat, found, self._seen(state), self.focused, em, measure))
            if self.dialog == "talk":
                dialog = talk_panel(self.heard, self.line, self.focused, window, parts.seat, em, measure)
        seat = SeatPicture(tuple(panels), dialog, self._notes())
        scene = picture(self.recording, self.view, self.situation, size, measure, self._text_scale, seat)
        if dialog is not None and state is None:
            scene = Scene(size, scene.background, (*scene.layers, dialog.layer), dialog.targets)
        return scene

    def _dialog(self, window: object, em: float) -> Panel | None:
        measure = self.renderer.fonts.width
        if self.dialog in ("settings", "unfinished", "failure"):
            title, told, items = self._lines()
            return list_dialog(title, told, items, self.focused, window, em, measure)  # type: ignore[arg-type]
        if self.dialog == "keys":
            return keys_dialog(window, em, measure)  # type: ignore[arg-type]
        if self.curtain and self.state is not None:
            return curtain(self.curtain, window, em, measure)  # type: ignore[arg-type]
        return None

    def _seen(self, state: State) -> Seen:
        found = self.moment
        flash = round(self._flash_s / FLASH_S * _FLASH_STEPS) / _FLASH_STEPS
        notice = self.notice or "; ".join(self.trouble[:1])
        hint = ""
        if self.settings.hints and found.hint not in self.settings.seen_hints:
            hint = HINTS.get(found.hint, "")
        return Seen(
            self.colour,
            self.player,
            state,
            self._waiting(state),
            self._news() + self._words(),
            notice,
            hint,
            self.colour in self.played,
            flash if found.is_mine else 0.0,
            self.is_busy,
            self._tools(),
        )

    def _tools(self) -> tuple[Tool, ...]:
        """What stands at the seat whatever the moment."""
        return tuple(tool for tool in TOOLS if tool.name != "say" or self.can_talk)

    def _words(self) -> tuple[tuple[str, str], ...]:
        """What was said lately."""
        late = [said for said in self.heard[-_WORDS_SHOWN:] if time.time() - said.at < _WORDS_S]
        return tuple((said.colour, f"says: {shown(said.text)}") for said in late)

    def _waiting(self, state: State) -> str:
        assert self.recording is not None
        if state.is_over:
            return "The game is over"
        names = [self.recording.colour(player) for player in awaited(state)]
        who = " and ".join("you" if name == self.colour else name for name in names)
        return f"waiting for {who}, {_duration(time.time() - self._since)}"

    def _news(self) -> tuple[tuple[str, str], ...]:
        """What others have done since the person last acted, before what the person is doing now."""
        assert self.recording is not None
        found: list[tuple[str, str]] = []
        for step in reversed(self.recording.steps[: self.view.index + 1]):
            if step.action is None or (step.player == self.player and found):
                break
            if step.player != self.player:
                colour = self.recording.colour(step.player)
                found.append((colour, sentences(self.recording, step)[0].removeprefix(f"{colour} ")))
        return tuple(reversed(found))

    def _notes(self) -> dict[TargetId, list[str]]:
        notes: dict[TargetId, list[str]] = {("seat",): [], ("shade",): []}
        for tool in self._tools():
            notes["tool", tool.name] = [tool.words, f"Key {tool.key}."]
        for choice in self.moment.choices:
            if choice.refusal:
                notes[choice.id] = [choice.words, choice.refusal.capitalize() + "."]
        return notes

    # The public description

    def _reachable(self) -> list[Choice]:
        """What the keyboard's focus can be on, in the order of Tab."""
        return [choice for choice in self.moment.all() if choice.then is not None]

    def describe(self) -> Description:
        """What is on the screen, for scripts."""
        found = self.moment
        said = tuple((message.colour, shown(message.text)) for message in self.heard)
        if self.dialog or self._curtain_is_drawn:
            items = self._items()
            clickables = tuple(self._clickable(item.name, item.id, (item.key,)) for item in items)
            return Description(self.dialog or "curtain", False, self.colour, clickables, (), self.notice, False, said)
        choices = [] if self.is_busy else self._reachable()
        ids = [choice.id for choice in choices]
        at = ids.index(self.focused) if self.focused in ids else -1
        clickables = tuple(
            self._clickable(
                choice.name, choice.id, (choice.key,) if choice.key else ("Tab",) * ((i - at) % len(ids)) + ("Enter",)
            )
            for i, choice in enumerate(choices)
        )
        refusals = tuple((choice.name, choice.refusal) for choice in found.all() if choice.then is None)
        over = self.state is not None and self.state.is_over
        mine = found.is_mine and not self.is_busy
        tools = tuple(self._clickable(tool.name, ("tool", tool.name), (tool.key,)) for tool in self._tools())
        return Description(found.title, mine, self.colour, clickables + tools, refusals, self.notice, over, said)

    def _clickable(self, name: str, id: TargetId, keys: tuple[str, ...]) -> Clickable:
        x, y, w, h = 0.0, 0.0, 0.0, 0.0
        target: Target | None = self._scene.target_under(id, None) if self._scene is not None else None
        if target is not None:
            lw, lh = self._logical_size
            pw, ph = self.screen.points()
            box = target.box
            x, y, w, h = box.x * pw / lw, box.y * ph / lh, box.w * pw / lw, box.h * ph / lh
        return Clickable(name, (round(x), round(y), round(w), round(h)), keys)


def _duration(seconds: float) -> str:
    """A while in words: ``12 s``, ``3 min``, ``2 h``, ``5 days``."""
    whole = max(0, int(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min"
    return f"{whole // 3600} h" if whole < 48 * 3600 else f"{whole // 86400} days"
