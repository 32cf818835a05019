"""Every command of the viewer with its keys and its words: the one table that keys, buttons and help are made from."""

from typing import NamedTuple


class Command(NamedTuple):
    """A command: its name, what it does in words, and its keys."""

    name: str
    words: str
    keys: tuple[str, ...]


COMMANDS: tuple[Command, ...] = (
    Command("play", "play or pause", ("Space",)),
    Command("next_action", "one action forward", ("Right",)),
    Command("previous_action", "one action back", ("Left",)),
    Command("next_turn", "one turn forward", ("Shift+Right", "Down")),
    Command("previous_turn", "one turn back", ("Shift+Left", "Up")),
    Command("next_round", "one round forward", ("Ctrl+Right", "Page Down")),
    Command("previous_round", "one round back", ("Ctrl+Left", "Page Up")),
    Command("first", "to the beginning", ("Home",)),
    Command("last", "to the newest step", ("End",)),
    Command("faster", "play faster", ("+", "=")),
    Command("slower", "play slower", ("-",)),
    Command("next_seven", "to the next seven", ("7",)),
    Command("previous_seven", "to the previous seven", ("Ctrl+7",)),
    Command("player", "to the next step of player 1, 2, ...", ("1", "2", "3", "4", "5", "6")),
    Command("jump", "jump to a commit, a player, a point, ...", ("G", "/")),
    Command("future", "hide what is still to come, or show it", ("V",)),
    Command("follow", "show new steps as they come", ("F",)),
    Command("peer", "choose whose replica is shown", ("P",)),
    Command("tab", "players or log, in a narrow window", ("Tab",)),
    Command("explain", "explain with the arrow keys", ("E",)),
    Command("files_down", "scroll the changed files down", ("]",)),
    Command("files_up", "scroll the changed files up", ("[",)),
    Command("save", "save a picture of the window", ("S",)),
    Command("fullscreen", "fill the screen, or leave full screen", ("F11",)),
    Command("help", "this list", ("?", "H", "F1")),
    Command("close", "close what is open", ("Escape",)),
    Command("quit", "leave the viewer", ("Q",)),
)
BY_NAME: dict[str, Command] = {command.name: command for command in COMMANDS}
BY_KEY: dict[str, str] = {key: command.name for command in COMMANDS for key in command.keys}


def spelled(command: str) -> str:
    """The words of a command with its keys: ``one turn forward (Shift+Right, Down)``."""
    found = BY_NAME[command]
    return f"{found.words} ({', '.join(found.keys)})"
