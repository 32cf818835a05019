"""Somebody who plays by mouse or by keyboard and knows nothing but the public description of the screen."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Literal

import pygame

from catan_p2p.game.state import State
from catan_p2p.sessions.messages import LeadPeers
from catan_p2p.sessions.new_table import NewTable
from visualizer.data.recording import GameRecording
from visualizer.play.screen import ClickTarget, ScreenDescription
from visualizer.play.settings import WindowSettings
from visualizer.play.table import LocalTable
from visualizer.play.window import PlayWindow
from visualizer.view import TargetId
from visualizer.window.screen import open_screen

Hands = Literal["mouse", "keys"]
PATIENCE_S = 120.0
COLOURS = ("Red", "Blue", "Green", "Orange", "White", "Brown")
_KEYS = {
    "Enter": pygame.K_RETURN,
    "Space": pygame.K_SPACE,
    "Tab": pygame.K_TAB,
    "Backspace": pygame.K_BACKSPACE,
    "Escape": pygame.K_ESCAPE,
    "End": pygame.K_END,
    "Home": pygame.K_HOME,
    "Left": pygame.K_LEFT,
    "Right": pygame.K_RIGHT,
    "Up": pygame.K_UP,
    "Down": pygame.K_DOWN,
    "F11": pygame.K_F11,
}
TOOLS = ("say", "log", "history", "rules", "play for me", "settings", "keys", "leave")


def settings(**changes: object) -> WindowSettings:
    """Settings for a script: no sound, nothing moves slowly, computer players move at once."""
    made = WindowSettings(sound=False, motion=False, hints=False, pace_s=0.0)
    for name, value in changes.items():
        setattr(made, name, value)
    return made


class Session:
    """A real window that is driven frame by frame, by events."""

    def __init__(self, window: PlayWindow, patience_s: float = PATIENCE_S) -> None:
        self.window, self.patience_s = window, patience_s
        window.start()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.window.stop()

    def frame(self) -> None:
        for event in pygame.event.get():
            self.window.handle(event)
        self.window.tick(1 / 60)
        self.window.show()

    @property
    def recording(self) -> GameRecording | None:
        """Of the table's game; None in the lobby."""
        viewer = getattr(self.window, "viewer", None)
        return viewer.replay.recording if viewer is not None else None

    @property
    def state(self) -> State | None:
        return self.window.session.seat.state

    @property
    def surface(self) -> pygame.Surface:
        return self.window.viewer.canvas.screen.surface()

    @property
    def screen(self) -> ScreenDescription:
        return self.window.describe()

    def until(self, is_so: object) -> ScreenDescription:
        """Frames until something holds of the description; fails where nothing happens at the table for too long."""
        end, known = time.monotonic() + self.patience_s, 0
        while True:
            self.window.tick(1 / 60)
            screen = self.screen
            if (length := len(self.recording or ())) != known:
                end, known = time.monotonic() + self.patience_s, length
            if is_so(screen):  # type: ignore[operator]
                self.frame()
                return self.screen
            assert time.monotonic() < end, f"never came: {screen}"
            time.sleep(0.01)

    # What a hand does

    def press(self, key: str) -> None:
        held, _, name = key.rpartition("+")
        code = _KEYS[name] if name in _KEYS else pygame.key.key_code(name.lower())
        unicode = "" if name in _KEYS else chr(code & 31) if held == "Ctrl" else name.lower()
        mod = {"": 0, "Shift": pygame.KMOD_SHIFT, "Ctrl": pygame.KMOD_LCTRL}[held]
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, unicode=unicode, mod=mod))
        self.frame()

    def type(self, text: str) -> None:
        pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text=text))
        self.frame()

    def click_at(self, x: int, y: int) -> None:
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=(x, y), rel=(0, 0), buttons=(0, 0, 0)))
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(x, y), button=1))
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(x, y), button=1))
        self.frame()

    def click_on(self, id: TargetId) -> None:
        """Click the middle of what stands on the picture for something, whether it can be chosen or not."""
        scene = self.window.viewer.canvas.scene
        target = scene.target_under(id, None) if scene is not None else None
        assert target is not None, id
        x, y = target.box.center
        self.click_at(round(x), round(y))

    def find(self, name: str) -> ClickTarget:
        found = [one for one in self.screen.clickables if one.name == name]
        assert found, f"{name}: there is only {[one.name for one in self.screen.clickables]}"
        return found[0]

    def use(self, name: str, hands: Hands = "mouse") -> None:
        """Click something, or press its keys."""
        one = self.find(name)
        if hands == "keys":
            for key in one.keys:
                self.press(key)
            return
        x, y, w, h = one.area
        assert w > 0 and h > 0, f"{name} is nowhere on the screen"
        self.click_at(x + w // 2, y + h // 2)


def new_window(
    path: Path,
    players: int = 4,
    people: tuple[str, ...] = ("Red",),
    rules: str = "brief",
    seed: int = 1,
    size: tuple[int, int] = (1280, 800),
    options: WindowSettings | None = None,
    policy: str = "builder",
    chance: str = "actor",
    map: str = "default",
) -> PlayWindow:
    new = NewTable(COLOURS[:players], frozenset(people), rules, map, policy, seed, chance)
    return window_at(LocalTable(LeadPeers(path, new), people), size, options)


def window_at(
    table: LocalTable, size: tuple[int, int] = (1280, 800), options: WindowSettings | None = None
) -> PlayWindow:
    file = table.sit.path.parent / "settings.json"
    return PlayWindow(table, open_screen(size), options or settings(), file, lambda _: table)


class Script:
    """Plays whatever comes: chooses at random, but does not go back and forth, and knows what to want."""

    def __init__(self, session: Session, hands: Hands, seed: int = 1, *, talks: bool = False) -> None:
        self.session, self.hands, self.talks = session, hands, talks
        self.rng = Random(seed)
        self.used: Counter[str] = Counter()
        self.offers, self.most_offers = 0, 4

    def play(self, most: int = 100_000) -> ScreenDescription:
        """Play to the end of the game, or for so many choices."""
        for _ in range(most):
            screen = self.session.until(self._can_do_something)
            if screen.is_over:
                break
            self.step(screen)
        return self.session.screen

    def _can_do_something(self, seen: ScreenDescription) -> bool:
        may_talk = self.talks and any(one.name == "propose" for one in seen.clickables) and self.rng.random() < 0.1
        return seen.is_mine or seen.is_over or seen.title == "curtain" or may_talk

    def step(self, screen: ScreenDescription) -> None:
        """Choose one thing."""
        names = [one.name for one in screen.clickables if one.name not in TOOLS]
        name = self.chosen(names)
        self.used[" ".join(name.split()[:1]) if name.split()[-1].isdigit() else name] += 1
        self.session.use(name, self.hands)

    def chosen(self, names: list[str]) -> str:
        """What a lively player would do."""
        for sure in ("sit down", "yes", "roll", "trade", "discard", "take them", "stop trading"):
            if sure in names and (sure != "stop trading" or self.rng.random() < 0.5):
                return sure
        if "make offer" in names and self.rng.random() < 0.7:
            self.offers += 1
            return "make offer"
        places = [name for name in names if name.split()[0] in ("point", "road", "tile") and name[-1].isdigit()]
        wanted = [name for name in ("city", "village", "card", "knight", "monopoly", "year of plenty") if name in names]
        if wanted and self.rng.random() < 0.9:
            return self.rng.choice(wanted)
        points = [name for name in places if name.startswith("point")]
        if points:
            return self.rng.choice(points)
        for name in ("road building", "bank", "offer"):
            if name in names and self.rng.random() < 0.3 and (name != "offer" or self.offers < self.most_offers):
                return name
        rest = [name for name in names if name not in ("cancel", "no", "new game") and " less " not in name]
        rest = [name for name in rest if name != "offer" or self.offers < self.most_offers]
        if "end turn" in rest:
            ways = [name for name in rest if name.startswith("road") and name != "road building"]
            return self.rng.choice(ways) if ways and self.rng.random() < 0.5 else "end turn"
        return self.rng.choice(rest if rest not in ([], ["to"]) else names)  # an offer goes to one or all for ever
