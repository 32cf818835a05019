"""What a user looks at: the step that is shown, how it plays, what is pointed at, and which dialog is open."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

TargetId: TypeAlias = tuple[Hashable, ...]
"""What an area of the screen stands for, such as ``("tile", 7)`` or ``("row", 120)``."""

Tab = Literal["players", "log"]
TABS: tuple[Tab, ...] = ("players", "log")
Dialog = Literal["help", "jump", "peer"]
SPEEDS: tuple[float, ...] = (0.5, 1, 2, 4, 8, 16, 32, 64)
"""Actions a second."""
FILMS = (".gif", ".mp4")
"""The suffixes of film files."""


@dataclass(frozen=True, slots=True)
class RecordingView:
    """How a recording is shown. An immutable value: commands make a new one from the old."""

    index: int = 0
    """The step that is shown."""
    playing: bool = False
    speed: float = 4
    live: bool = False
    """Whether the newest step is shown as soon as it arrives."""
    tab: Tab = "players"
    hides_future: bool = False
    """Whether later steps are hidden: no rows, no curve, and no length of the game."""
    row_top: int | None = None
    """The first row of the log, None if the log follows the step that is shown."""
    file_top: int = 0
    """How many of the changed files are scrolled out of sight."""
    pointed: TargetId | None = None
    """What the mouse points at, or the keyboard's focus is on."""
    pointer: tuple[float, float] | None = None
    """Where the mouse is; None if the keyboard chose ``pointed``."""
    pressed: bool = False
    """Whether the timeline is being dragged."""
    dialog: Dialog | None = None
    typed: str = ""
    """What has been typed into the dialog for jumping."""
    notice: str | None = None
    """A message to the user, shown until the next command."""


@dataclass(frozen=True, slots=True)
class ShownRefusal:
    """A refused commit: it is in the repository, but not part of the game."""

    commit: str
    parents: tuple[str, ...]
    """Those of its parents that belong to the game."""
    colour: str
    """The player whose branch leads to it."""
    branch: str
    reason: str
    """A word for it, such as ``guard``."""
    detail: str
    """What exactly is wrong."""


@dataclass(frozen=True, slots=True)
class ViewSituation:
    """What the viewer knows besides the game: where it comes from and who else plays."""

    source: str = ""
    """Where the game comes from: a path, or the player whose replica it is."""
    following: bool = False
    peers: tuple[str, ...] = ()
    """Colours whose replicas can be looked at."""
    peer: str | None = None
    """Whose replica is shown, None for the most advanced."""
    behind: tuple[tuple[str, int], ...] = field(default=())
    """By how many steps each replica is behind the most advanced one."""
    problem: str | None = None
    """Why the repository cannot be read, or not further."""
    reading: str | None = None
    """What is being read while there is nothing to show yet."""
    waits: str | None = None
    """Who has joined a table whose game has not begun, in words."""
    refused: tuple[ShownRefusal, ...] = ()
    """Commits of the shown replica, or without one of any, that are refused."""
    remark: str | None = None
    """What to know about the whole game, such as that it is a public view."""
