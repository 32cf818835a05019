"""The dialogs of the window as data: their lines, and the line that a key chooses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..view import TargetId
from .settings import PACES, WindowSettings

if TYPE_CHECKING:
    from catan_p2p.game.state import State

_PACE_WORDS = dict(zip(PACES, ("at once", "fast", "slowly enough to follow", "slowly"), strict=True))


class MenuItem(NamedTuple):
    """A line of a dialog, which can be clicked."""

    id: TargetId
    name: str
    words: str
    key: str
    note: str = ""
    is_main: bool = False
    badge: str = ""
    """The colour of the player whom the line is about."""
    typed: str | None = None
    """The text typed so far, if this is a line to type in; ``words`` is its placeholder."""


class MenuAside(NamedTuple):
    """What is shown beside the lines: how the game begins, and an explanation, one paragraph per line of ``told``."""

    title: str
    told: str
    begins: State | None = None
    colours: tuple[str, ...] = ()
    """The colours of the players in that picture, in the order of seats."""


class Menu(NamedTuple):
    """A dialog: its title, sentences (one paragraph per line of ``told``), and lines to click."""

    title: str
    told: str
    items: Sequence[MenuItem]
    problem: str = ""
    """What went wrong, in words."""
    seats: Sequence[tuple[str, bool]] = ()
    """The colours of a waiting table, and whether each player has joined."""
    aside: MenuAside | None = None
    is_wide: bool = False
    """Whether the dialog is wide, for long lines."""


_CLOSE = MenuItem(("set", "close"), "close", "Back to the game", "Enter", is_main=True)
TALK_ITEMS = (
    MenuItem(("talk", "send"), "send", "Say it", "Enter", is_main=True),
    MenuItem(("talk", "close"), "close", "Back", "Escape"),
)
"""The buttons below the line in which a message is typed."""


def _settings_items(settings: WindowSettings) -> list[MenuItem]:

    def on(value: bool) -> str:
        return "yes" if value else "no"

    return [
        MenuItem(("set", "asks"), "asks", "Confirm what cannot be taken back", "1", on(settings.asks)),
        MenuItem(("set", "sound"), "sound", "Sounds", "2", on(settings.sound)),
        MenuItem(("set", "motion"), "motion", "Animate dice, pieces and cards", "3", on(settings.motion)),
        MenuItem(("set", "hints"), "hints", "Hints for new players", "4", on(settings.hints)),
        MenuItem(("set", "pace"), "pace", "Computer players move", "5", _PACE_WORDS[settings.pace_s]),
        MenuItem(("set", "declines"), "declines", "Decline offers that I cannot pay", "6", on(settings.declines)),
        MenuItem(
            ("set", "undo"),
            "undo",
            "Undo before it is sent",
            "7",
            f"{settings.undo_s:g} s" if settings.undo_s else "no",
        ),
        MenuItem(("set", "scale"), "text size", "Text size", "8", f"{settings.scale:g}"),
        _CLOSE,
    ]


def menu_of(dialog: str, settings: WindowSettings, failure: str, curtain: str, winner: str) -> Menu:
    """The open ``dialog``, or the ``curtain`` for the player of that colour; a menu without lines if nothing is open.

    ``failure`` is why the table has ended, ``winner`` the name of the winner.
    """
    match dialog:
        case "settings":
            return Menu("Settings", "", _settings_items(settings))
        case "failure":
            leave = MenuItem(("begin", "leave"), "leave", "Leave", "Enter", is_main=True)
            return Menu("The game cannot go on here", f"{failure[:1].upper()}{failure[1:]}.", [leave])
        case "leaving":
            told = (
                "Your last action has not reached the others yet. The window closes as soon as it has. If you leave "
                "now, it is sent when you go on with this game."
            )
            leave = MenuItem(("begin", "leave"), "leave now", "Leave now", "Q")
            return Menu("Not everything is sent yet", told, [leave, _CLOSE._replace(key="Escape", is_main=False)])
        case "keys" | "rules":
            return Menu("Keys", "", [_CLOSE])
        case "history":
            again = MenuItem(("again",), "new game", "Play again", "N")
            items = [_CLOSE._replace(words="Look at the table"), again] if winner else [_CLOSE]
            return Menu(f"{winner} has won" if winner else "So far", "", items)
        case "talk":
            return Menu("", "", TALK_ITEMS)
    return Menu("", "", [MenuItem(("curtain", curtain), "sit down", "", "Enter", is_main=True)] if curtain else [])


def meant(items: Sequence[MenuItem], focused: TargetId | None, key: str) -> MenuItem | None:
    """The line that a key chooses."""
    spelled = spelled_key(key)
    if spelled in ("Enter", "Space"):
        item = next((item for item in items if item.id == focused), None)
        return item or next((item for item in items if item.is_main), None)
    return next((item for item in items if item.key == spelled), None)


def spelled_key(key: str) -> str:
    """A key as buttons name it: letters are capital."""
    return key.upper() if len(key) == 1 else key


def stepped(ids: Sequence[TargetId], focused: TargetId | None, by: int) -> TargetId | None:
    """The next focus, one step on or back among ``ids``; None if there are none."""
    if not ids:
        return None
    at = ids.index(focused) + by if focused in ids else (0 if by > 0 else -1)
    return ids[at % len(ids)]
