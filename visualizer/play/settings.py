"""How a person likes to play: kept from game to game."""

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path

PACES = (0.0, 0.25, 0.7, 1.5)
"""How many seconds computer players take for an action."""
UNDO = (0.0, 3.0, 6.0)
"""For how many seconds what was decided on can be undone, before it is sent."""
SCALES = (0.8, 1.0, 1.25, 1.5, 2.0)
"""By which factor texts are scaled."""


@dataclass(slots=True)
class WindowSettings:
    """What can be set."""

    asks: bool = True
    """Whether what cannot be taken back is asked once."""
    sound: bool = True
    motion: bool = True
    """Whether dice roll, and pieces and cards are seen on their way."""
    hints: bool = True
    declines: bool = True
    """Whether offers are declined that the person cannot pay."""
    pace_s: float = 0.7
    undo_s: float = 0.0
    scale: float = 1.0
    name: str = ""
    """What the person is called at tables of people; empty for their colour."""
    relay: str = ""
    """Where a table was opened last."""
    server: str = ""
    """At which LMU server a seat was taken last."""
    seen_hints: tuple[str, ...] = ()

    def change(self, name: str) -> None:
        """Change one of them to the next value that it can have."""
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
        """Make texts so many steps larger, as far as that goes."""
        self.scale = SCALES[max(0, min(len(SCALES) - 1, SCALES.index(self.scale) + by))]


def read_settings(file: Path) -> WindowSettings:
    """The settings in a file; what cannot be read is as it is at first."""
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
    settings.scale = min(SCALES, key=lambda scale: abs(scale - settings.scale))
    settings.pace_s = min(PACES, key=lambda pace: abs(pace - settings.pace_s))
    settings.undo_s = min(UNDO, key=lambda undo: abs(undo - settings.undo_s))
    return settings


def write_settings(file: Path, settings: WindowSettings) -> None:
    """Keep the settings; where that is impossible they last as long as the window."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = file.with_suffix(".new")
        beside.write_text(json.dumps(asdict(settings), indent=2) + "\n", "utf-8")
        beside.replace(file)
