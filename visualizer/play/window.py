"""The window in which people play: obeys their mouse and their keyboard."""

from __future__ import annotations

from dataclasses import replace

import pygame

from ..control.control import towards
from ..control.keys import press_key
from ..view import TargetId
from .draft import Choice, Wish
from .places import refusal_at
from .showing import Showing

_ARROWS = {"Left": (-1, 0), "Right": (1, 0), "Up": (0, -1), "Down": (0, 1)}
_VIEWER_KEYS = frozenset({"Home", "End", "Page Up", "Page Down", "Left", "Right", "[", "]", "F11"})
_WITH_SHIFT = {pygame.K_TAB: "Tab"} | {getattr(pygame, f"K_{digit}"): str(digit) for digit in range(10)}
_SHIFTED = {"F1": "?", "H": "?"}


class PlayWindow(Showing):
    """A window with a seat: the viewer on the person's own repository, and below it what they can do."""

    def handle(self, event: pygame.event.Event) -> None:
        """Obey one event."""
        if self.recording is None and self.dialog and event.type == pygame.MOUSEBUTTONDOWN and self._scene is not None:
            target = self._scene.target_at(*self._point(event.pos))
            if target is not None:
                self._click(target.id)
            return
        if event.type == pygame.TEXTINPUT:
            self._type(event.text)
            return
        if event.type == pygame.KEYDOWN and event.mod & pygame.KMOD_SHIFT and (key := _WITH_SHIFT.get(event.key)):
            self._key(f"Shift+{key}")
            return
        super().handle(event)

    def tick(self, seconds: float) -> None:
        """Let so much time pass."""
        self._is_opened_now = False
        super().tick(seconds)

    # Keys

    def _key(self, key: str) -> None:
        key = _SHIFTED.get(key, key)
        if self.dialog or self._curtain_is_drawn:
            self._dialog_key(key)
            return
        if self.recording is None or self._scene is None:
            if key in ("Q", "q", "Escape"):
                self.running = False
            return
        self.view = replace(self.view, pointed=None, pointer=None)
        if key in ("Tab", "Shift+Tab"):
            self._move_on(1 if key == "Tab" else -1)
        elif key in _ARROWS and self._reachable():
            self._move(*_ARROWS[key])
        elif (choice := self._chosen_by(key)) is not None:
            self.choose(choice)
        elif key in ("+", "="):
            self._set_scale(1)
        elif key == "-":
            self._set_scale(-1)
        elif (name := {key: name for name, _, key in self._tools()}.get(key.upper())) is not None:
            self.wish(Wish(name))
        elif key in ("L", "l"):
            self.view = press_key(self._control(self.recording, self._scene), self.view, "Tab").view
        elif key in _VIEWER_KEYS:
            self._take(press_key(self._control(self.recording, self._scene), self.view, key))

    def _chosen_by(self, key: str) -> Choice | None:
        choices = list(self.moment.all())
        if key in ("Enter", "Space"):
            if self.focused is not None:
                return next((choice for choice in choices if choice.id == self.focused), None)
            return next((choice for choice in choices if choice.is_main), None)
        spelled = key.upper() if len(key) == 1 else key
        return next((choice for choice in choices if choice.key == spelled), None)

    def _move_on(self, by: int) -> None:
        ids = [choice.id for choice in self._reachable()]
        if ids:
            at = ids.index(self.focused) + by if self.focused in ids else (0 if by > 0 else -1)
            self.focused = ids[at % len(ids)]

    def _move(self, dx: int, dy: int) -> None:
        """Move the focus to what lies that way."""
        assert self._scene is not None
        ids = {choice.id for choice in self._reachable()}
        targets = [target for target in self._scene.targets if target.id in ids and target.is_button]
        current = next((target for target in reversed(targets) if target.id == self.focused), None)
        if current is None:
            self._move_on(1)
        elif (found := towards(targets, current, dx, dy)) is not None:
            self.focused = found.id

    # Mouse

    def _mouse(self, event: pygame.event.Event, control: object) -> None:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            assert self._scene is not None
            target = self._scene.target_at(*self._point(event.pos))
            if target is not None and self._click(target.id):
                return
        super()._mouse(event, control)  # type: ignore[arg-type]

    def _click(self, target: TargetId) -> bool:
        """Do what a click does; False if it is the viewer's."""
        kind = target[0]
        if kind in ("set", "begin", "curtain", "talk"):
            self._click_dialog(target)
            return True
        if kind in ("seat", "shade"):
            return True
        if kind == "tool":
            self.wish(Wish(str(target[1])))
            return True
        choice = next((choice for choice in self.moment.all() if choice.id == target), None)
        if choice is not None:
            self.choose(choice)
            return True
        if kind in ("point", "road", "tile"):
            self.notice = self._why_not_there(str(kind), int(str(target[1])))
            return True
        return kind in ("player", "lane", "hand", "card", "points", "pieces", "bonus", "wharf", "goto")

    def _why_not_there(self, kind: str, number: int) -> str:
        """Why nothing can be done at a place, where something is being looked for."""
        state = self.state
        if state is None or not self.moment.is_mine or not self.is_now:
            return ""
        return refusal_at(state, self.player, self.draft, kind, number)
