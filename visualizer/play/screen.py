"""The public description of what is on the screen: all that a script needs to play, and all that it gets."""

from typing import NamedTuple

from ..view import TargetId
from ..window.canvas import Canvas


class ClickTarget(NamedTuple):
    """Something that can be clicked."""

    name: str
    """Such as ``roll``, ``end turn``, ``point 12``, ``give Ore``."""
    area: tuple[int, int, int, int]
    """Left, top, width and height in the window; a click on its middle does it."""
    keys: tuple[str, ...]
    """Keys that do the same, one after the other."""


class ScreenDescription(NamedTuple):
    """What is on the screen now."""

    title: str
    """What the seat says: whose turn it is, or what is to be chosen."""
    is_mine: bool
    """Whether the game waits for whoever sits here."""
    seat: str
    """Whose seat it is: a colour."""
    clickables: tuple[ClickTarget, ...]
    refusals: tuple[tuple[str, str], ...]
    """What is shown and cannot be done, with the reason that stands there."""
    notice: str
    is_over: bool
    said: tuple[tuple[str, str], ...] = ()
    """What players have said, and who."""


def clickable(canvas: Canvas, name: str, id: TargetId, keys: tuple[str, ...]) -> ClickTarget:
    """Something on the canvas that can be clicked; nowhere if the canvas does not show it."""
    scene = canvas.scene
    target = scene.target_under(id, None) if scene is not None else None
    return ClickTarget(name, canvas.in_window(target.box) if target is not None else (0, 0, 0, 0), keys)
