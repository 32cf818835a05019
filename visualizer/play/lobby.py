"""The lobby: what can be played, before anybody sits at a table. Nothing here draws or knows of pygame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from catan_p2p.game.board import DEFAULT_MAP_NAME, MAPS, MapError
from catan_p2p.game.constants import PROFILES, UnsupportedRules
from catan_p2p.log.refs import COLOURS
from catan_p2p.players.policies import POLICIES
from catan_p2p.sessions.messages import Sit
from catan_p2p.sessions.new_table import NewTable
from catan_p2p.sessions.saved_games import new_table_path, unfinished_table
from catan_p2p.tables.setup import new_constants

from ..view import TargetId
from .menu import Item, Menu, meant, stepped
from .settings import Settings, write_settings
from .table import Table


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is chosen for a new game."""

    players: int = 4
    policy: str = "builder"
    rules: str = "standard"
    map: str = DEFAULT_MAP_NAME
    colour: str = COLOURS[0]

    @property
    def colours(self) -> tuple[str, ...]:
        """Who plays, in the order of seats: whoever chooses is the first."""
        others = [colour for colour in COLOURS if colour != self.colour]
        return (self.colour, *others[: self.players - 1])

    def problem(self) -> str:
        """Why there is no such game; empty if there is one."""
        try:
            new_constants(self.rules, self.colours, self.map)
        except (MapError, UnsupportedRules) as error:
            return f"There is no such game: {error}"
        return ""

    def changed(self, name: str, by: int) -> Wishes:
        """The same with the next value of one of them, or the one before."""
        values = _VALUES[name]
        at = (values.index(getattr(self, name)) + by) % len(values)
        return replace(self, **{name: values[at]})  # type: ignore[arg-type]


_VALUES: Mapping[str, Sequence[object]] = {
    "players": range(2, len(COLOURS) + 1),
    "policy": tuple(POLICIES),
    "rules": tuple(reversed(PROFILES)),
    "map": tuple(MAPS),
    "colour": COLOURS,
}
_WORDS = {
    "players": "Players",
    "policy": "Computer players play like",
    "rules": "Rules",
    "map": "Map",
    "colour": "Your colour",
}
_BACK = Item(("lobby", "back"), "back", "Back", "Escape")


class Lobby:
    """The pages of the lobby, one of which is open: ``start``, or ``computers``.

    ``existing`` makes a table of the folder of a game that is there.
    """

    def __init__(self, settings: Settings, settings_file: Path, existing: Callable[[Path], Table]) -> None:
        self.settings, self._file, self._existing = settings, settings_file, existing
        self.wishes = Wishes()
        self.page = ""
        self.focused: TargetId | None = None
        self.notice = ""
        """What went wrong."""
        self.goes_to: Table | str = ""
        """Where the person wants to go from here: to a table, or ``away``; empty to stay."""
        self.left: Path | None = None
        """Where the game lies that was left last."""
        self.open()

    def open(self, page: str = "start", notice: str = "") -> None:
        """Turn to a page."""
        self.page, self.focused, self.notice = page, None, notice
        self.goes_to = ""
        if page == "start":
            self.left = unfinished_table()

    # What is shown

    @property
    def menu(self) -> Menu:
        """The page that is open."""
        match self.page:
            case "computers":
                begin = Item(("lobby", "begin"), "begin", "Begin", "Enter", is_main=True)
                told = "You play, and a computer plays everybody else."
                items = [*self._values("players", "policy", "rules", "map", "colour"), begin, _BACK]
                return Menu("Play against computers", told, items, self.notice)
        return Menu("Catan", "", self._start_items(), self.notice)

    def _start_items(self) -> list[Item]:
        items = [
            Item(("lobby", "computers"), "computers", "Play against computers", "C", is_main=self.left is None),
            Item(("lobby", "leave"), "leave", "Leave", "Q"),
        ]
        if self.left is not None:
            words = f"Go on with the game of {_spelled_time(self.left.name)}"
            items.insert(0, Item(("lobby", "go on"), "go on", words, "Enter", is_main=True))
        return items

    def _values(self, *names: str) -> list[Item]:
        """A line for each of these wishes: a click takes the next value."""
        wishes = self.wishes
        return [
            Item(("value", name), name, _WORDS[name], str(key), str(getattr(wishes, name)))
            for key, name in enumerate(names, 1)
        ]

    # What is done

    def press(self, key: str) -> None:
        """Obey a key."""
        items = self.menu.items
        if key in ("Tab", "Down", "Shift+Tab", "Up"):
            self.focused = stepped([item.id for item in items], self.focused, 1 if key in ("Tab", "Down") else -1)
        elif key in ("Left", "Right") and self.focused is not None and self.focused[0] == "value":
            self._change(str(self.focused[1]), 1 if key == "Right" else -1)
        elif (item := meant(items, self.focused, key)) is not None:
            self.obey(item.id)
        elif key in ("+", "-"):
            self.settings.resize(-1 if key == "-" else 1)
            write_settings(self._file, self.settings)

    def obey(self, target: TargetId) -> None:
        """Do what a line says."""
        match target:
            case ("value", str(name)):
                self._change(name, 1)
            case ("lobby", "go on") if self.left is not None:
                self.goes_to = self._existing(self.left)
            case ("lobby", "computers"):
                self.open("computers")
            case ("lobby", "begin"):
                self._begin()
            case ("lobby", "back"):
                self.open()
            case ("lobby", "leave"):
                self.goes_to = "away"

    def _change(self, name: str, by: int) -> None:
        self.wishes = self.wishes.changed(name, by)
        self.notice = self.wishes.problem()

    def _begin(self) -> None:
        """Begin a game with computer players."""
        wishes = self.wishes
        self.notice = wishes.problem()
        if not self.notice:
            me = wishes.colour
            new = NewTable(wishes.colours, frozenset({me}), wishes.rules, wishes.map, wishes.policy)
            self.goes_to = Table(Sit(new_table_path().absolute(), new), [me])


def _spelled_time(name: str) -> str:
    """The name of a table's folder as a date and a time; a name that is none as it is."""
    day, _, time = name.partition(" ")
    hour, _, rest = time.partition(".")
    return f"{day}, {hour}:{rest.partition('.')[0]}" if rest else name
