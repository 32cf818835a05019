"""The public description of the screen: all that a script needs to play, and all that it gets."""

from typing import NamedTuple

from ..view import TargetId
from ..window.canvas import Canvas


class ClickTarget(NamedTuple):
    """Something that can be clicked."""

    name: str
    """Such as ``roll``, ``end turn``, ``point 12``, ``give Ore``."""
    area: tuple[int, int, int, int]
    """Left, top, width and height in the window; a script clicks on the middle."""
    keys: tuple[str, ...]
    """Keys that do the same, pressed one after the other."""


class ScreenDescription(NamedTuple):
    """What is on the screen now."""

    title: str
    """The title of the seat: whose turn it is, or what is to be chosen."""
    is_mine: bool
    """Whether the game waits for the player of this seat."""
    seat: str
    """The colour of the seat."""
    clickables: tuple[ClickTarget, ...]
    refusals: tuple[tuple[str, str], ...]
    """The names of choices that are shown but cannot be made, with the reasons shown."""
    notice: str
    is_over: bool
    said: tuple[tuple[str, str], ...] = ()
    """The chat: colours and messages."""


def clickable(canvas: Canvas, name: str, id: TargetId, keys: tuple[str, ...]) -> ClickTarget:
    """A click target on the canvas; its area is empty if the canvas does not show it."""
    scene = canvas.scene
    target = scene.target_under(id, None) if scene is not None else None
    return ClickTarget(name, canvas.in_window(target.box) if target is not None else (0, 0, 0, 0), keys)
