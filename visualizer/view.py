"""What is looked at: the place in the game, how it plays, what is pointed at, and which dialog is open."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

TargetId: TypeAlias = tuple[Hashable, ...]
"""What a place on the screen stands for, such as ``("tile", 7)`` or ``("row", 120)``."""

Tab = Literal["players", "log"]
TABS: tuple[Tab, ...] = ("players", "log")
Dialog = Literal["help", "jump", "peer"]
SPEEDS: tuple[float, ...] = (0.5, 1, 2, 4, 8, 16, 32, 64)
"""Actions a second."""
FILMS = (".gif", ".mp4")
"""What the names of films end with."""


@dataclass(frozen=True, slots=True)
class RecordingView:
    """One look at a recording. All of it is a value: commands make a new one from the old."""

    index: int = 0
    """The step that is shown."""
    playing: bool = False
    speed: float = 4
    live: bool = False
    """Whether the newest step is shown as soon as it arrives."""
    tab: Tab = "players"
    hides_future: bool = False
    """Whether nothing is shown of what is still to come: no later rows, no curve, no length."""
    row_top: int | None = None
    """The first row of the log, None where the log follows the step that is shown."""
    file_top: int = 0
    """How many of the changed files are scrolled away."""
    pointed: TargetId | None = None
    """What the mouse points at, or the keyboard's focus is on."""
    pointer: tuple[float, float] | None = None
    """Where the mouse is; None where the keyboard chose."""
    pressed: bool = False
    """Whether the timeline is being dragged."""
    dialog: Dialog | None = None
    typed: str = ""
    """What has been typed into the dialog for jumping."""
    notice: str | None = None
    """A message to the user, shown until the next command."""


@dataclass(frozen=True, slots=True)
class ShownRefusal:
    """A commit that is refused: it stands in the repository, and is no part of the game."""

    commit: str
    parents: tuple[str, ...]
    """Those of its parents that belong to the game."""
    colour: str
    """Whose branch leads to it."""
    branch: str
    reason: str
    """A word for it, such as ``guard``."""
    detail: str
    """What exactly is wrong."""


@dataclass(frozen=True, slots=True)
class ViewSituation:
    """What the viewer knows besides the game: where it comes from and who else plays."""

    source: str = ""
    """What is shown as the origin: a path, or whose replica it is."""
    following: bool = False
    peers: tuple[str, ...] = ()
    """Colours whose replicas can be looked at."""
    peer: str | None = None
    """Whose replica is shown, None for the most advanced."""
    behind: tuple[tuple[str, int], ...] = field(default=())
    """Of each replica by how many steps it is behind the most advanced one."""
    problem: str | None = None
    """What keeps the repository from being read (further)."""
    reading: str | None = None
    """What is being read while there is nothing to show yet."""
    waits: str | None = None
    """Who has come to a table whose game has not begun."""
    refused: tuple[ShownRefusal, ...] = ()
    """Commits of the shown replica, or without one of any, that are refused."""
    remark: str | None = None
    """What to know about the whole game, such as that it is a public view."""
