"""The lobby: a menu of games and tables. Nothing here draws or uses pygame."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any, Protocol

from catan_p2p.limits import MAX_INVITATION_CHARACTERS, MAX_NAME_BYTES, MAX_URL_CHARACTERS
from catan_p2p.log.game import chosen_name_problem
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.transport.remote import local_path
from catan_p2p.safe_text import shown
from catan_p2p.sessions.messages import (
    AnswerQuestion,
    BeforeTable,
    FindTables,
    GameBegun,
    JoinTable,
    LeadPeers,
    ListGames,
    News,
    OpenTable,
    PlayerArrived,
    QuestionAsked,
    ReadTerms,
    TableFailed,
    TableNews,
    TableOpened,
    TablesFound,
    TermsRead,
    UnfinishedGame,
)
from catan_p2p.sessions.new_table import NewTable
from catan_p2p.sessions.saved_games import new_table_path, unfinished_tables, waiting_tables
from catan_p2p.sessions.worker_client import WorkerLink
from catan_p2p.tables.announcing import in_short
from catan_p2p.tables.invitation import Invitation, is_mangled, parse_invitation
from catan_p2p.tables.seat import read_settings
from catan_p2p.tables.setup import STRENGTHS, at_one_screen, strength_of
from catan_p2p.tables.waiting_folder import leave_room

from ..view import TargetId
from .explanations import TITLES, explanation, pictured
from .menu import Menu, MenuAside, MenuItem, meant, stepped
from .new_game_options import NETWORK, PATIENCES, RELAY, NewGameOptions
from .settings import WindowSettings, write_settings
from .table import LARGE, LocalTable

_TABLES_SHOWN = 6
_GAMES_SHOWN = 8
_NAME_SHOWN = 24
"""How many characters of the name of an awaited player are shown."""
_LINES_TOLD = 6
"""How many of the latest messages about a table are shown."""


class TextClipboard(Protocol):
    """A clipboard for text."""

    def copy(self, text: str) -> bool:
        """Put a text on the clipboard; returns whether that worked."""

    def paste(self) -> str:
        """The text on the clipboard, empty if there is none."""


HERE = ("0.0.0.0", 0)
"""The listening address of a table without a relay: all addresses of this machine, and any free port."""
_BACK = MenuItem(("lobby", "back"), "back", "Back", "Escape")
_PASTE = MenuItem(("lobby", "paste"), "paste", "Paste", "Ctrl+V")
_FIELDS = {
    "open": ("relay", "the path of a shared folder, or the URL of a repository", MAX_URL_CHARACTERS),
    "join": ("invitation", "the line that the host has sent you", MAX_INVITATION_CHARACTERS),
    "server": ("server", "ws://HOST:8080/catan, or tcp://HOST:PORT", MAX_URL_CHARACTERS),
    "name": ("name", "your name; without one you are called by your colour", MAX_NAME_BYTES),
}
"""The pages with a line to type in: the name of the line, its placeholder, and its maximal length."""


_COPIES = "If a player's copy of that folder has another path, that path replaces the part before the #."


class Lobby:
    """The pages of the lobby, one of which is open.

    ``start`` leads to ``computers``, ``open``, ``join``, ``server``, ``name`` and ``games``. ``join`` leads to
    ``near``, the tables that are announced in this network, and to ``seat``, where a colour is chosen. On the page
    ``waiting`` a worker process waits for other players, or reads the terms of a table. ``existing`` makes a table from
    the folder of a saved game.
    """

    def __init__(
        self,
        settings: WindowSettings,
        settings_file: Path,
        existing: Callable[[Path], LocalTable],
        clipboard: TextClipboard,
        link: Callable[[BeforeTable], WorkerLink] = WorkerLink,
    ) -> None:
        self.settings, self._file, self._existing = settings, settings_file, existing
        self._clipboard, self._make_link = clipboard, link
        self.options = NewGameOptions()
        self.typed = {"open": settings.relay, "join": "", "server": settings.server, "name": settings.name}
        """The text typed on each page that has a line for it."""
        self.page = ""
        self.focused: TargetId | None = None
        self.notice = ""
        """What went wrong, in words."""
        self._made_if_asked_again = ""
        """A folder that does not exist; the person was asked whether it is to be made."""
        self.explained = ""
        """The option whose explanation is shown."""
        self.goes_to: LocalTable | str = ""
        """Where the person wants to go from here: to a table, or ``away``; empty to stay."""
        self.left: Path | None = None
        """The folder of the unfinished game that was played last."""
        self.waited_for: tuple[Path, dict[str, Any]] | None = None
        """The folder of the table where the person waited last for a game to begin, and what was agreed there."""
        self.games: list[tuple[Path, dict[str, Any] | None]] = []
        """The unfinished games and waiting tables, the newest first; what was agreed is None for a game."""
        self._known: dict[Path, UnfinishedGame] = {}
        self._first = 0
        """The index of the game on the first line."""
        self._link: WorkerLink | None = None
        self._asked: BeforeTable | None = None
        """The last order to the worker process."""
        self._offered = TermsRead((), "", ())
        self._invited = TableOpened("", "")
        self._found: tuple[tuple[str, str], ...] | None = None
        self._told: list[str] = []
        self._come: list[str] = []
        self._question = ""
        """The question that the worker process waits for an answer to."""
        self._is_copied = False
        self.turn_to()

    def turn_to(self, page: str = "start", notice: str = "") -> None:
        """Open a page."""
        self.page, self.notice, self.goes_to = page, notice, ""
        self.focused = ("type", page) if self.has_field else None
        self.explained = {"computers": "players", "open": "meeting"}.get(page, "")
        if page == "start":
            self.left = next(unfinished_tables(), None)
            self.waited_for = next(iter(waiting_tables()), None)
            self.games = _all_games()

    def meet_again(self, path: Path, player: int, count: int) -> None:
        """Prepare the next game after one between people: its host opens a table at the same place, others join.

        The map is a random one, and as many seats are filled by computers.
        """
        try:
            seat = read_settings(path)
        except StoreError:
            return  # a table of another kind
        if seat.relay is None and seat.listen is None:
            return
        self.typed |= {"open": seat.relay or self.typed["open"], "join": ""}
        meeting = RELAY if seat.relay is not None else NETWORK
        if meeting != self.options.meeting:
            self.options = self.options.changed("meeting", 1)
        map, computers = "variable" if count < LARGE else "large", len(seat.computers)
        strengths = [strength_of(policy) for policy in seat.computers.values()]
        strength = next((word for word in strengths if word in STRENGTHS), self.options.strength)
        self.options = replace(self.options, players=count, map=map, computers=computers, strength=strength)
        self.turn_to("open" if player == 1 else "join")

    def stop(self) -> None:
        """Stop the worker process, in a thread, so that the window does not wait for it."""
        link, self._link = self._link, None
        if link is not None:
            Thread(target=link.close, name="the end of waiting", daemon=True).start()

    # What is shown

    @property
    def menu(self) -> Menu:
        """The page that is open."""
        match self.page:
            case "computers":
                begin = MenuItem(("lobby", "begin"), "begin", "Begin", "Enter", is_main=True)
                items = [*self._values("players", "people", "strength", "rules", "map", "colour"), begin, _BACK]
                return Menu("Play against computers", "", items, self.notice, aside=self._aside())
            case "open":
                begin = MenuItem(("lobby", "open it"), "open it", "Open the table", "Enter", is_main=True)
                names = ["meeting", "players", "computers", "strength", "rules", "map", "colour", "hands", "patience"]
                if not self.options.computers:
                    names.remove("strength")
                meeting, *values = self._values(*names, "announced")
                field = [self._field(), _PASTE] if self.options.meeting == RELAY else []
                items = [meeting, *field, *values, begin, _BACK]
                return Menu("Open a table", "", items, self.notice, aside=self._aside())
            case "join":
                look = MenuItem(("lobby", "look"), "look", "Look at the table", "Enter", is_main=True)
                told = "The host of a table sends you one line, the invitation."
                near = MenuItem(("lobby", "near"), "near", "Tables in this network", "F")
                return Menu("Join a table", told, [self._field(), _PASTE, look, near, _BACK], self.notice)
            case "server":
                sit = MenuItem(("lobby", "sit down"), "sit down", "Sit down", "Enter", is_main=True)
                told = "A server of the LMU Catan-Protokoll deals the cards, and hides those of other players."
                items = [self._field(), _PASTE, *self._values("colour"), sit, _BACK]
                return Menu("Play at an LMU server", told, items, self.notice)
            case "name":
                keep = MenuItem(("lobby", "keep name"), "keep name", "Use this name", "Enter", is_main=True)
                told = "The name that the other players at a table see. It is also in the log of the game."
                return Menu("Your name", told, [self._field(), keep, _BACK], self.notice)
            case "near":
                return self._near_menu()
            case "games":
                return self._games_menu()
            case "seat":
                items = [
                    MenuItem(("seat", colour), colour, f"Play as {colour}", str(key), badge=colour)
                    for key, colour in enumerate(self._offered.free, 1)
                ]
                return Menu(f"A table of {_and(self._offered.colours)}", _terms(self._offered.words), [*items, _BACK],
                            self.notice)  # fmt: skip
            case "waiting":
                return self._waiting_menu()
        return Menu("Catan", "", self._start_items(), self.notice)

    def _start_items(self) -> list[MenuItem]:
        items = [
            MenuItem(("lobby", "computers"), "computers", "Play against computers", "C"),
            MenuItem(("lobby", "open"), "open", "Open a table for other people", "O"),
            MenuItem(("lobby", "join"), "join", "Join a table", "J"),
            MenuItem(("lobby", "server"), "server", "Play at an LMU server", "S"),
            MenuItem(("lobby", "name"), "name", "Your name", "N", shown(self.settings.name)),
            MenuItem(("lobby", "leave"), "leave", "Leave", "Q"),
        ]
        if self.waited_for is not None:
            is_host = bool(self.waited_for[1].get("host"))
            words = f"Go back to the table that you have {'opened' if is_host else 'joined'}"
            items.insert(0, MenuItem(("lobby", "wait"), "wait", words, "W"))
        if len(self.games) > 1:
            words = "All your games and tables"
            items.insert(0, MenuItem(("lobby", "games"), "games", words, "A", str(len(self.games))))
        if self.left is not None:
            words = f"Go on with the game of {_spelled_time(self.left.name)}"
            items.insert(0, MenuItem(("lobby", "go on"), "go on", words, "G"))
        return [items[0]._replace(is_main=True), *items[1:]]

    def _games_menu(self) -> Menu:
        """A page of the games that can be gone on with."""
        here = self.games[self._first : self._first + _GAMES_SHOWN]
        items = [
            MenuItem(("game", str(path)), f"game {key}", *self._words_of(path, agreed, str(key)), is_main=key == 1)
            for key, (path, agreed) in enumerate(here, 1)
        ]
        if len(self.games) > _GAMES_SHOWN:
            pages = -(-len(self.games) // _GAMES_SHOWN)
            note = f"page {self._first // _GAMES_SHOWN + 1} of {pages}"
            items.append(MenuItem(("lobby", "more games"), "more games", "More games", "M", note))
        return Menu("All your games and tables", "", [*items, _BACK], self.notice, is_wide=True)

    def _words_of(self, path: Path, agreed: Mapping[str, Any] | None, key: str) -> tuple[str, str, str]:
        """The words of a game (when it began, and with whom), its key, and whom it waits for."""
        begun = _spelled_time(path.name)
        if agreed is not None:
            seats = [str(colour) for colour in agreed.get("colours", ())]
            what = f"a table of {_and(seats)}" if seats else f"a seat as {agreed.get('colour')}"
            return f"{begun}: {shown(what)}", key, "waits for players"
        game = self._known.get(path)
        if game is None:
            return begun, key, ""
        who = shown(f"with {_and(game.others)}")
        if game.is_awaited:
            return f"{begun}, {who}", key, "your turn"
        awaited = f"{len(game.awaited)} players" if len(game.awaited) > 1 else shown("".join(game.awaited))
        return f"{begun}, {who}", key, f"waits for {awaited[:_NAME_SHOWN]}"

    def _go_on_with(self, path: Path) -> None:
        """Continue one of the games, or wait again at one of the tables."""
        agreed = dict(self.games).get(path)
        if agreed is None:
            self.stop()
            self.goes_to = self._existing(path)
        else:
            self._wait_again(path, agreed)

    def _near_menu(self) -> Menu:
        found = self._found
        told = "The descriptions come from the hosts. You read the terms before you take a seat."
        if found is None:
            told = "Looking for tables ..."
        elif not found:
            told = "No table is announced in this network yet. The host of a table can announce it."
        items = [
            MenuItem(("table", invitation), f"table {key}", shown(in_short(words)), str(key), is_main=key == 1)
            for key, (invitation, words) in enumerate((found or ())[:_TABLES_SHOWN], 1)
        ]
        return Menu("Tables in this network", told, [*items, _BACK], self.notice, is_wide=True)

    def _waiting_menu(self) -> Menu:
        told = [shown(line[:1].upper() + line[1:]) for line in self._told[-_LINES_TOLD:]]
        if isinstance(self._asked, ReadTerms):
            return Menu("Join a table", "Reading the terms of the table ...", [_BACK])
        if self._link is None:
            forget = MenuItem(("lobby", "forget"), "forget", "Forget this table", "X")
            return Menu("The table cannot be reached", "\n".join(told), [forget, _BACK], self.notice)
        invitation = self._invited.invitation
        if self._question:
            yes = MenuItem(("answer", True), "yes", "Yes", "Y")
            no = MenuItem(("answer", False), "no", "No", "N")
            return Menu("A question", shown(self._question[:1].upper() + self._question[1:]), [yes, no, _BACK])
        if not invitation:
            return Menu("Waiting for the table", "\n".join(told), [_BACK], self.notice)
        words = "Copied: send it to the other players" if self._is_copied else "Copy the invitation"
        copy = MenuItem(("lobby", "copy"), "copy", words, "C", is_main=True)
        who = "Send this line to the other players, and to nobody else:"
        if isinstance(self._asked, OpenTable) and self._asked.is_announced:
            who = "Players who look for tables in this network find yours. To others, send this line:"
        copies = [_COPIES] if isinstance(self._asked, OpenTable) and _is_folder(self._asked.place) else []
        lines = [_terms(self._invited.words), "", who, invitation, *copies, "", *told]
        colours = self._asked.colours if isinstance(self._asked, OpenTable) else ()
        seats = tuple((colour, colour == colours[0] or colour in self._come) for colour in colours)
        return Menu("Your table waits for the others", "\n".join(lines), [copy, _BACK], self.notice, seats)

    @property
    def has_field(self) -> bool:
        """Whether the page has a line to type in."""
        return self.page in _FIELDS and (self.page != "open" or self.options.meeting == RELAY)

    @property
    def is_typing(self) -> bool:
        """Whether letters go to the line of the page."""
        return self.focused == ("type", self.page)

    def _values(self, *names: str) -> list[MenuItem]:
        """A line for each of these options: a click chooses the next value."""
        options = self.options
        return [
            MenuItem(("value", name), name, TITLES[name], str(key % 10), str(getattr(options, name)))
            for key, name in enumerate(names, 1)
        ]

    def _field(self) -> MenuItem:
        name, hint, _ = _FIELDS[self.page]
        return MenuItem(("type", self.page), name, hint, "", typed=self.typed[self.page])

    def _aside(self) -> MenuAside:
        """A picture of how the game begins, and the explanation of the option that was pointed at last."""
        name = self.explained
        value = "" if name == "relay" else f": {getattr(self.options, name)}"
        return MenuAside(
            f"{TITLES[name]}{value}", explanation(name, self.options), pictured(self.options), self.options.colours
        )

    def point(self, target: TargetId | None) -> None:
        """Explain the option that is pointed at."""
        match target:
            case ("value", str(name)) if self.explained:
                self.explained = name
            case ("type", "open") if self.explained:
                self.explained = "relay"

    def keys_of(self, item: MenuItem) -> tuple[str, ...]:
        """The keys that choose a line, pressed one after the other, from where the focus is."""
        ids = [other.id for other in self.menu.items]
        is_typing = self.is_typing
        if item.typed is None and (item.key in ("Escape", "Ctrl+V") or is_typing == (item.key == "Enter")):
            return (item.key,)
        if item.key == "Enter" and self.focused is None:
            return ("Enter",)
        steps = ids.index(item.id) - ids.index(self.focused) if self.focused in ids else ids.index(item.id) + 1
        return ("Tab",) * (steps % len(ids)) + (() if item.typed is not None else ("Enter",))

    # What is done

    def type(self, text: str) -> None:
        """Add the printable characters of a text to the line, as far as there is room."""
        if self.is_typing:
            most = _FIELDS[self.page][2]
            added = "".join(letter for letter in text if letter.isprintable())
            self._write((self.typed[self.page] + added)[:most])

    def _write(self, text: str) -> None:
        self.typed[self.page], self.notice = text, ""

    def press(self, key: str) -> None:
        """Handle a key."""
        items = self.menu.items
        if key in ("Tab", "Down", "Shift+Tab", "Up"):
            self.focused = stepped([item.id for item in items], self.focused, 1 if key in ("Tab", "Down") else -1)
            self.point(self.focused)
        elif key in ("Left", "Right") and self.focused is not None and self.focused[0] == "value":
            self._change(str(self.focused[1]), 1 if key == "Right" else -1)
        elif self.is_typing and key not in ("Escape", "Ctrl+V"):
            if key == "Backspace":
                self._write(self.typed[self.page][:-1])
            elif key == "Enter" and (item := meant(items, None, key)) is not None:
                self.obey(item.id)
        elif (item := meant(items, self.focused, key)) is not None:
            self.obey(item.id)
        elif key in ("+", "-"):
            self.settings.resize(-1 if key == "-" else 1)
            write_settings(self._file, self.settings)

    def obey(self, target: TargetId) -> None:
        """Carry out a line of the menu."""
        match target:
            case ("value", str(name)):
                self._change(name, 1)
            case ("type", str()):
                self.focused = target
            case ("seat", str(colour)) if isinstance(self._asked, ReadTerms):
                self._join(new_table_path().absolute(), self._asked.invitation, colour)
            case ("answer", bool(is_yes)) if self._link is not None:
                self._question = ""
                self._link.give(AnswerQuestion(is_yes))
            case ("table", str(invitation)):
                self.typed["join"] = invitation
                self._look()
            case ("game", str(path)):
                self._go_on_with(Path(path))
            case ("lobby", "computers" | "open" | "join" | "server" | "name" as page):
                self.turn_to(str(page))
            case ("lobby", str(what)):
                self._do(what)

    def _do(self, what: str) -> None:
        match what:
            case "go on" if self.left is not None:
                self.goes_to = self._existing(self.left)
            case "games":
                self._known, self._first = {}, 0
                self._ask(ListGames(), "games")
            case "more games":
                self._first = self._first + _GAMES_SHOWN if self._first + _GAMES_SHOWN < len(self.games) else 0
            case "begin":
                self._begin()
            case "open it":
                self._open()
            case "look":
                self._look()
            case "near":
                self._found = None
                self._ask(FindTables(), "near")
            case "keep name":
                self._keep_name()
            case "sit down":
                self._sit_at_server()
            case "wait" if self.waited_for is not None:
                self._wait_again(*self.waited_for)
            case "copy":
                self._is_copied = self._clipboard.copy(self._invited.invitation)
                self.notice = "" if self._is_copied else "The clipboard does not take the line: type it elsewhere."
            case "paste":
                self.focused = ("type", self.page)
                if pasted := self._clipboard.paste().strip():
                    self._write("")  # what is pasted is a whole line: it takes the place of what was there
                    self.type(pasted)
            case "forget" if isinstance(self._asked, JoinTable | OpenTable):
                leave_room(self._asked.path)
                self.turn_to()
            case "back":
                self.stop()
                is_looking = self.page in ("seat", "near") or (
                    self.page == "waiting" and isinstance(self._asked, ReadTerms)
                )
                self.turn_to("join" if is_looking else "start")
                self._asked = None
            case "leave":
                self.goes_to = "away"

    def _change(self, name: str, by: int) -> None:
        self.options = self.options.changed(name, by)
        self.point(("value", name))
        self.notice = self.options.problem()
        if self.focused == ("type", self.page) and not self.has_field:
            self.focused = None

    def _begin(self) -> None:
        """Begin a game with computer players."""
        options = self.options
        self.notice = options.problem()
        if not self.notice:
            names = ((options.colour, self.settings.name),) if self.settings.name and options.people == 1 else ()
            new = NewTable(
                options.colours,
                frozenset(options.here),
                at_one_screen(options.rules, options.players),
                options.map,
                STRENGTHS[options.strength],
                names=names,
            )
            self.goes_to = LocalTable(LeadPeers(new_table_path().absolute(), new), options.here)

    def _sit_at_server(self) -> None:
        """Take a seat at the server whose URL was typed."""
        url = self.typed["server"].strip()
        if find_spec("websockets") is None:
            self.notice = "This needs a library: pip install 'catan-p2p[lmu]'."
        elif not url.startswith(("ws://", "wss://", "tcp://")):
            self.notice = "Type the URL of a server: ws://HOST:8080/catan, or tcp://HOST:PORT."
        else:
            from .at_server import NAMELESS, ServerTable, seat_settings

            self.settings.server = self.typed["server"] = url
            write_settings(self._file, self.settings)
            self.goes_to = ServerTable(seat_settings(url, self._name or NAMELESS, self.options.colour))

    @property
    def _name(self) -> str | None:
        return self.settings.name or None

    def _keep_name(self) -> None:
        """Keep the name that was typed, if it is allowed at tables."""
        name = self.typed["name"].strip()
        problem = chosen_name_problem(name, "") if name else None
        if problem is not None:
            self.notice = f"{problem[:1].upper()}{problem[1:]}."
            return
        self.settings.name = self.typed["name"] = name
        write_settings(self._file, self.settings)
        self.turn_to()

    # Tables of people

    def _open(self) -> None:
        """Open a table at the relay that was typed, or in this network."""
        options, relay = self.options, self.typed["open"].strip()
        if relay.startswith("~"):
            relay = str(Path(relay).expanduser())

        folder = local_path(relay)
        is_new = options.meeting == RELAY and folder is not None and not folder.exists()
        # Asked once: the second Enter says that it was no slip of the keys.
        is_meant, self._made_if_asked_again = relay == self._made_if_asked_again, ""
        if options.meeting == NETWORK:
            self.notice = options.problem()
        elif not relay:
            self.notice = "Type where the players meet: a URL, or a folder."
        elif folder is not None and "://" not in relay and not folder.is_absolute():
            self.notice = "Type a URL, or the whole path of a folder."
        elif not (problem := options.problem()) and is_new and not is_meant:
            self.notice = "There is no such folder. Do it again to make it a new relay."
            self._made_if_asked_again = relay
        else:
            self.notice = problem
        if not self.notice:
            path, announced = new_table_path().absolute(), options.announced == "yes"
            place = HERE if options.meeting == NETWORK else relay
            computers = tuple((colour, STRENGTHS[options.strength]) for colour in options.computer_seats)
            self._ask(
                OpenTable(
                    path,
                    place,
                    options.colours,
                    options.rules,
                    options.map,
                    self._name,
                    announced,
                    options.hands,
                    PATIENCES[options.patience],
                    computers,
                )
            )

    def _join(self, path: Path, invitation: Invitation, colour: str) -> None:
        """Take a seat, or wait for it again."""
        self._ask(JoinTable(path, invitation, colour, self._name, HERE if invitation.is_direct else None))

    def _look(self) -> None:
        """Read the terms of the table that was typed, or wait again if a seat was taken with this invitation."""
        text = self.typed["join"].strip()
        invitation = parse_invitation(text)
        if invitation is None:
            self.notice = _what_is_wrong(text)
        else:
            rooms = waiting_tables()
            room = next(((path, agreed) for path, agreed in rooms if agreed.get("invitation") == str(invitation)), None)
            self._ask(ReadTerms(invitation)) if room is None else self._wait_again(*room)

    def _wait_again(self, path: Path, agreed: Mapping[str, Any]) -> None:
        """Go on waiting for a game to begin."""
        invitation = parse_invitation(str(agreed.get("invitation", "")))
        if agreed.get("host"):
            # The table keeps the rules and the map that were agreed; these only have to suit any number of players.
            rules, map = NewGameOptions().rules, NewGameOptions().map
            place = HERE if "port" in agreed else str(agreed.get("relay"))
            announced = agreed.get("announced") is True
            self._ask(OpenTable(path, place, tuple(agreed.get("colours", ())), rules, map, is_announced=announced))
        elif isinstance(invitation, Invitation):
            self._join(path, invitation, str(agreed.get("colour")))

    def _ask(self, order: BeforeTable, page: str = "waiting") -> None:
        """Start a worker process with an order, and show the page that waits for it."""
        self.stop()
        self.turn_to(page)
        self._told, self._come = [], []
        self._question, self._invited, self._is_copied = "", TableOpened("", ""), False
        self._asked, self._link = order, self._make_link(order)

    def tick(self) -> None:
        """Handle the news of the worker process."""
        link = self._link
        for news in link.take() if link is not None else ():
            if self._link is link:  # some news end the process: what it says after them is stale
                self._hear(news)

    def _hear(self, news: News) -> None:
        match news:
            case TableNews(words):
                self._told.append(words)
            case PlayerArrived(colour):
                self._come.append(colour)
            case QuestionAsked(question):
                self._question, self.focused = question, None
            case TableOpened(_, _):
                self._invited = news
                if isinstance(self._asked, OpenTable) and isinstance(self._asked.place, str):
                    self.settings.relay = self.typed["open"] = self._asked.place
                    write_settings(self._file, self.settings)
            case TablesFound(tables):
                self._found = tables
            case UnfinishedGame(path):
                self._known[path] = news
            case TermsRead(_, _, free):
                self.stop()
                self._offered = news
                self.turn_to("seat", "" if free else "Every seat at this table is taken.")
            case GameBegun(path):
                self.stop()
                self.goes_to = self._existing(path)
            case TableFailed(words):
                self.stop()
                self._fail(shown(words))

    def _fail(self, words: str) -> None:
        """Show what went wrong on the page where the person can try again."""
        paths = [path for path, _ in waiting_tables()]
        if isinstance(self._asked, JoinTable | OpenTable) and self._asked.path in paths:
            self.notice = words  # a seat was taken, or a table opened: the person can wait on
        elif isinstance(self._asked, FindTables):
            self.turn_to("join", f"{words[:1].upper()}{words[1:]}.")
        else:
            is_host = isinstance(self._asked, OpenTable)
            what = "No table was opened" if is_host else "No seat was taken"
            self.turn_to("open" if is_host else "join", f"{what}: {words}")


def _all_games() -> list[tuple[Path, dict[str, Any] | None]]:
    """The unfinished games and the waiting tables, the newest first."""
    games: list[tuple[Path, dict[str, Any] | None]] = [(path, None) for path in unfinished_tables()]
    return sorted((*games, *waiting_tables()), key=lambda game: game[0].name, reverse=True)


def _what_is_wrong(text: str) -> str:
    """Why a line is not an invitation."""
    if not text:
        return "Paste the line that the host has sent you, or type it."
    if is_mangled(text):
        return "The invitation was cut or changed when it was copied: it ends with 43 letters. Copy the whole line."
    return "This is not an invitation: that is one line, with a # near its end. Copy the whole line of the host."


def _terms(words: str) -> str:
    """The terms of a table, a line for each."""
    from catan_p2p.tables.terms import declined

    return "\n".join(shown(part[:1].upper() + part[1:]) for part in [*words.split("; "), *declined(words)])


def _and(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def _spelled_time(name: str) -> str:
    """The name of a table's folder as a date and a time; any other name unchanged."""
    day, _, time = name.replace("_", " ").partition(" ")
    hour, _, rest = time.partition(".")
    return f"{day}, {hour}:{rest.partition('.')[0]}" if rest else name


def _is_folder(place: object) -> bool:
    """Whether the relay is a folder, of which each player may have a copy."""
    return isinstance(place, str) and local_path(place) is not None
