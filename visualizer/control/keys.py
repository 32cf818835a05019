"""From the names of keys to commands; what a key means depends on whether something is open or has the focus."""

from dataclasses import replace

from ..commands import BY_KEY
from ..view import RecordingView
from .control import CommandResult, ViewController

_ARROWS = {"Left": (-1, 0), "Right": (1, 0), "Up": (0, -1), "Down": (0, 1)}


def press_key(control: ViewController, view: RecordingView, key: str) -> CommandResult:
    """Carry out a key, spelled as in the table of commands, such as ``Shift+Right``; other keys do nothing.

    In the dialog for jumping, digits are typed. With the focus of ``explain`` the arrows move it and Enter clicks.
    """
    focused = view.pointed is not None and view.pointer is None
    if view.dialog == "jump":
        if key == "Enter" and not focused:
            return control.type(view, "go")
        if key == "Backspace":
            return control.type(view, "del")
        text = " " if key == "Space" else key
        if len(text) == 1 and (text.isalnum() or text == " "):
            return control.type(replace(view, pointed=None), text)
    if key in _ARROWS and (focused or view.dialog is not None):
        return CommandResult(control.move_focus(view, *_ARROWS[key]))
    if key == "Enter" and focused and view.pointed is not None:
        return control.click(view, view.pointed)
    if BY_KEY.get(key) == "player":
        return CommandResult(control.next_of_player(replace(view, notice=None), int(key)))
    name = BY_KEY.get(key) or BY_KEY.get(key.upper() if len(key) == 1 else key)
    if name is None:
        return CommandResult(view)
    return control.command(view, name)
