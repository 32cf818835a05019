"""The settings of a person's window, kept from game to game."""

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path

PACES = (0.0, 0.25, 0.7, 1.5)
"""The seconds that computer players may take for an action."""
UNDO = (0.0, 3.0, 6.0)
"""The seconds for which an action can be undone before it is sent."""
SCALES = (0.8, 1.0, 1.25, 1.5, 2.0)
"""The factors by which texts may be scaled."""


@dataclass(slots=True)
class WindowSettings:
    """The settings."""

    asks: bool = True
    """Whether actions that cannot be taken back need a confirmation."""
    sound: bool = True
    motion: bool = True
    """Whether dice, pieces and cards are animated."""
    hints: bool = True
    declines: bool = True
    """Whether offers that the person cannot pay are declined."""
    pace_s: float = 0.7
    undo_s: float = 0.0
    scale: float = 1.0
    name: str = ""
    """The person's name at tables with other people; empty for the colour."""
    relay: str = ""
    """The relay at which a table was opened last."""
    server: str = ""
    """The URL of the LMU server at which a seat was taken last."""
    seen_hints: tuple[str, ...] = ()

    def change(self, name: str) -> None:
        """Change a setting to its next value."""
        match name:
            case "asks":
                self.asks = not self.asks
            case "sound":
                self.sound = not self.sound
            case "motion":
                self.motion = not self.motion
            case "declines":
                self.declines = not self.declines
            case "hints":
                self.hints, self.seen_hints = not self.hints, ()
            case "pace":
                self.pace_s = PACES[(PACES.index(self.pace_s) + 1) % len(PACES)]
            case "undo":
                self.undo_s = UNDO[(UNDO.index(self.undo_s) + 1) % len(UNDO)]
            case "scale":
                self.scale = SCALES[(SCALES.index(self.scale) + 1) % len(SCALES)]

    def resize(self, by: int) -> None:
        """Make texts larger by this many steps of ``SCALES``, within its limits."""
        self.scale = SCALES[max(0, min(len(SCALES) - 1, SCALES.index(self.scale) + by))]


def read_settings(file: Path) -> WindowSettings:
    """The settings in a file; values that cannot be read have their defaults."""
    settings = WindowSettings()
    with suppress(OSError, ValueError, AttributeError):
        raw = json.loads(file.read_text("utf-8"))
        for each in fields(WindowSettings):
            value = raw.get(each.name)
            now = getattr(settings, each.name)
            if isinstance(value, list):
                value = tuple(str(hint) for hint in value)
            if type(value) is type(now):
                setattr(settings, each.name, value)
    # A person may have edited the file: the nearest of the values that the dialog has.
    settings.scale = min(SCALES, key=lambda scale: abs(scale - settings.scale))
    settings.pace_s = min(PACES, key=lambda pace: abs(pace - settings.pace_s))
    settings.undo_s = min(UNDO, key=lambda undo: abs(undo - settings.undo_s))
    return settings


def write_settings(file: Path, settings: WindowSettings) -> None:
    """Save the settings; if that is impossible, they last until the window is closed."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = file.with_suffix(".new")
        beside.write_text(json.dumps(asdict(settings), indent=2) + "\n", "utf-8")
        beside.replace(file)
