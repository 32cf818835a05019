"""The lobby as rows: what a person does there, and what is seen then. Each story is played by mouse and by keyboard."""

from dataclasses import replace
from pathlib import Path
from types import FunctionType

import pytest

from catan_p2p.sessions.messages import (
    AnswerQuestion,
    FindTables,
    GameBegun,
    JoinTable,
    LeadPeers,
    OpenTable,
    PlayerArrived,
    QuestionAsked,
    ReadTerms,
    TableFailed,
    TableNews,
    TableOpened,
    TablesFound,
    TermsRead,
)
from catan_p2p.sessions.new_table import NewTable
from catan_p2p.sessions.saved_games import tables_folder
from catan_p2p.tables.invitation import parse_invitation
from catan_p2p.tables.setup import at_one_screen
from tests.visualizer.play.front import INVITATION, SHOWN, WORDS, Front
from tests.visualizer.play.person import COLOURS, Hands
from visualizer.drawing.renderer import SceneRenderer

pytestmark = pytest.mark.usefixtures("home")
DIRECT = "git://192.0.2.1:9401/#direct-0-" + 42 * "x" + "g"
TERMS = parse_invitation(INVITATION)
assert TERMS is not None
OFFERED = TermsRead(("Red", "Blue", "Green"), WORDS, ("Blue", "Green"))
QUESTION = QuestionAsked("Blue gives the address git://192.0.2.1:9402/: use it?")
RELAY = "https://git.example.org/table.git"
OPEN = f"use open; type {RELAY}; press Enter"
LOOK = f"use join; paste {INVITATION}; use look"
OPENED = TableOpened(INVITATION, WORDS)
ENDED = TableFailed("the process that plays the game has ended unexpectedly")
CONSTANTS = ("Blue", "Red", "Green", "Orange"), frozenset({"Blue", "Red"}), at_one_screen("brief", 4)
FOUND = TablesFound(((INVITATION, f"Red, Blue: {WORDS}"), (INVITATION[:-1] + "h", "\x1b[31mBlue, Green")))
COME = [TableNews("Green, Ada, has come (2 of 4)"), PlayerArrived("Green"), PlayerArrived("Blue")]
HEARD = TableNews("Red waits for Blue"), TableNews("Blue has come (2 of 2)")
STRONG = (("Green", "strategist:20ms"), ("Orange", "strategist:20ms"))


class Words:
    """Equals every text with this beginning, this part and this end, that lacks what it is to be without."""

    def __init__(self, begin: str = "", part: str = "", end: str = "", without: str = "\0") -> None:
        self.begin, self.part, self.end, self.without = begin, part, end, without

    def __eq__(self, text: object) -> bool:
        assert isinstance(text, str)
        is_framed = text.startswith(self.begin) and text.endswith(self.end)
        return is_framed and self.part in text and self.without not in text

    def __repr__(self) -> str:
        return f"{self.begin}...{self.part}...{self.end} without {self.without!r}"


def begin(session: Front) -> None:
    """The game of the table begins, and the window goes there."""
    session.tell(GameBegun(session.asked.path))  # type: ignore[union-attr]
    session.frame()


def break_clipboard(session: Front) -> None:
    session.lobby._clipboard.works = False  # type: ignore[attr-defined]


def led(session: Front) -> LeadPeers:
    """How one sits down at the table that was asked for."""
    return LeadPeers(session.asked.path)  # type: ignore[union-attr]


def saved(session: Front) -> Path:
    return tables_folder()


STORIES: dict[str, list[tuple[object, str, object]]] = {
    "a game against computers is chosen line by line": [
        ("", "shown", f"start: {SHOWN['start']}"),
        ("use computers", "shown", f"computers: {SHOWN['computers']}"),
        ("use people; use strength; use rules; use colour; use begin; frame", "table.people", ("Blue", "Red")),
        ("", "table.sit.new.rules", Words(part="Hands = hidden")),
        ("", "table.sit.new", NewTable(*CONSTANTS, "default", "strategist:20ms")),
        ("", "table.sit.path.parent", saved),
        ("frame; frame; frame", "seat", "Blue"),
    ],
    "the arrows change a line both ways and Escape goes back": [
        ("press c; press Down; press Left; press Left; press Right", "lobby.options.players", 3),
        ("press Down; press Down; press Down; press Down; press Enter", "lobby.options.map", "beginners"),
        ("press Tab; press Shift+Tab; press Left", "lobby.options.map", "default"),
        ("press Escape", "title", "start"),
        ("press q", "front.running", False),
    ],
    "a game that cannot be is told at once and not begun": [
        ("use computers; use players; use map", "title", "computers"),
        ("", "notice", "There is no such game: beginners: for at most 4 players, not 5"),
        ("use begin; frame", "title", "computers"),
        ("", "sat_down", []),
        ("use map", "notice", ""),
    ],
    "leaving the table closes the window": [
        ("use computers; use begin; frame; frame; frame; press q; frame", "front.running", False),
    ],
    "joining looks at the table and takes any free seat": [
        (f"press j; type j; paste  {INVITATION}\n", "lobby.typed.join", INVITATION),
        ("use paste", "lobby.typed.join", INVITATION),
        ("press Enter", "orders", [ReadTerms(TERMS)]),
        ([OFFERED, ENDED], "link.is_closed", True),
        ("", "shown", "seat: Blue Green back"),
        ("", "told", Words(part="All draw together\nThe others may go on")),
        ("use Green", "orders", [ReadTerms, JoinTable]),
        ("", "asked.invitation", TERMS),
        ("", "asked.colour", "Green"),
        ("", "asked.path.parent", saved),
        (TableNews("Green has a seat; waiting for Red to begin"), "told", "Green has a seat; waiting for Red to begin"),
        (begin, "table.sit", led),
    ],
    "a table in this network asks for no relay and is announced there": [
        ("use open; use meeting", "shown", f"open: {SHOWN['open'].replace(' relay paste', '')}"),
        ("type not typed anywhere; use open it", "orders", [OpenTable]),
        ("", "asked.place", ("0.0.0.0", 0)),
        ("", "asked.is_announced", True),
        ([TableOpened(DIRECT, WORDS), *HEARD], "told", Words(part=f"yours. To others, send this line:\n{DIRECT}")),
        ("", "lobby.settings.relay", ""),
        ("", "lobby.typed.open", ""),
        ("press Escape; use open; use meeting", "lobby.options.announced", "no"),
    ],
    "a guest without a relay is found here and asked about the addresses of others": [
        (f"press j; paste {DIRECT}; use look", "orders", [ReadTerms]),
        (OFFERED, "title", "seat"),
        ("use Green", "orders", [ReadTerms, JoinTable]),
        ("", "asked.listen", ("0.0.0.0", 0)),
        (QUESTION, "shown", "waiting: yes no back"),
        ("", "told", Words(end="use it?")),
        ("press Enter", "link.given", []),  # nothing is agreed to by habit
        ("press y", "link.given", [AnswerQuestion(True)]),
        ("", "shown", "waiting: back"),
        ("press Tab", "lobby.focused", ("lobby", "back")),
        (QUESTION, "shown", "waiting: yes no back"),
        ("", "told", Words(end="use it?")),
        ("press Enter", "link.given", [AnswerQuestion(True)]),
        ("", "shown", "waiting: yes no back"),
        ("press n", "link.given", [AnswerQuestion(True), AnswerQuestion(False)]),
        ("", "shown", "waiting: back"),
    ],
    "who opens a table in a folder is told of other copies": [
        ("use open; type {here}/friends.git; use open it; use open it", "title", "waiting"),
        (OPENED, "told", Words(part="that path replaces the part before the #.")),
    ],
    "opening shows the invitation and who has come": [
        (f"use open; type {RELAY}; use players; use open it", "orders", [OpenTable]),
        ("", "asked.place", RELAY),
        ("", "asked.rules", "standard"),
        ("", "asked.map", "default"),
        ("", "asked.colours", COLOURS[:5]),
        ([OPENED, *HEARD], "told", Words("", INVITATION, "Red waits for Blue\nBlue has come (2 of 2)", "copy")),
        ("use copy", "lobby._clipboard.text", INVITATION),
        (begin, "table.sit", led),
        ("", "settings_on_disk.relay", RELAY),
    ],
    **{
        f"no invitation: {name}": [
            (f"use join; paste {text}; use look", "notice", Words(notice)),
            ("", "title", "join"),
            ("use invitation; type x", "notice", ""),
            ("", "orders", []),
        ]
        for name, text, notice in (
            ("nothing", "", "Paste the line"),
            ("a word", "hello", "This is not an invitation"),
            ("its end is cut off", INVITATION[:-1], "The invitation was cut"),
            ("one # too many", f"{INVITATION}#", "The invitation was cut"),
            ("twice the same", f"{INVITATION}{INVITATION}", "The invitation was cut"),
        )
    },
    **{
        f"no relay is made where the program happens to be: {relay or 'nothing'}": [
            (f"use open; type {relay}; press Enter", "notice", Words("Type ")),
            ("", "orders", []),
        ]
        for relay in ("", "friends.git", "../friends")
    },
    "a folder that does not exist is made only when asked again": [
        ("use open; type {here}/frends.git; use open it", "title", "open"),
        ("", "notice", "There is no such folder. Do it again to make it a new relay."),
        ("type /other; use open it", "notice", Words("There is no such folder.")),
        ("", "orders", []),
        ("use open it", "title", "waiting"),
        ("", "orders", [OpenTable]),
    ],
    "a table that cannot be reached is said where it can be mended": [
        (LOOK, "title", "waiting"),
        (TableFailed("no such host\x1b[2J"), "notice", "No seat was taken: no such host\\x1b[2J"),
        ("", "title", "join"),
        ("press Escape", "title", "start"),
        ("use open; type https://nobody.invalid/; press Enter", "title", "waiting"),
        (TableFailed("no such host"), "notice", "No table was opened: no such host"),
        ("", "title", "open"),
    ],
    "Escape ends what waits and leads back": [
        (f"{LOOK}; press Escape", "link.is_closed", True),
        ("", "shown", f"join: {SHOWN['join']}"),
        ("use look", "title", "waiting"),
        (OFFERED, "title", "seat"),
        ("press Escape", "title", "join"),
        ("use look", "title", "waiting"),
        (replace(OFFERED, free=()), "notice", "Every seat at this table is taken."),
        ("press Escape; press Escape", "title", "start"),
    ],
    "a clipboard that does not work is told": [
        (OPEN, "title", "waiting"),
        (OPENED, "notice", ""),
        (break_clipboard, "notice", ""),
        ("press c", "notice", "The clipboard does not take the line: type it elsewhere."),
    ],
    "a name is kept and goes to the table": [
        ("use name; type  Ada<; press Enter", "title", "name"),
        ("", "notice", Words("The name 'Ada<' has < or >")),
        ("press Backspace; press Enter", "title", "start"),
        ("", "settings_on_disk.name", "Ada"),
        (OPEN, "orders", [OpenTable]),
        ("", "asked.name", "Ada"),
        ("", "asked.is_announced", False),
        ("press Escape; use computers; use begin; frame", "table.sit.new.names", (("Red", "Ada"),)),
    ],
    "tables in this network are listed and looked at": [
        ("use join; use near", "orders", [FindTables()]),
        ("", "shown", "near: back"),
        (TablesFound(()), "told", Words(part="No table is announced")),
        (FOUND, "shown", "near: table 1 table 2 back"),
        ("", "words", Words(without="\x1b")),
        ("use table 1", "orders", [FindTables(), ReadTerms(TERMS)]),
        ("press Escape; use near", "title", "near"),
        (TableFailed("zeroconf, which is not installed"), "notice", "Zeroconf, which is not installed."),
        ("", "title", "join"),
    ],
    "who has come is seen while one waits": [
        (OPEN, "title", "waiting"),
        ([OPENED, TableNews("Red waits for Blue, Green and Orange")], "told", Words(end="Blue, Green and Orange")),
        (COME, "seats", (("Red", True), ("Blue", True), ("Green", True), ("Orange", False))),
    ],
    "what is pointed at is explained": [
        ("use open; point patience", "lobby.menu.aside.title", "Wait for a silent player: 10 minutes"),
        ("press Tab; press Tab", "lobby.menu.aside.title", "Players: 4"),
        ("press Shift+Tab; press Shift+Tab", "lobby.menu.aside.title", "The relay"),
    ],
    "patience and computers are chosen and go to the table": [
        (f"use open; type {RELAY}; use computers; use computers; use strength; use patience", "title", "open"),
        ("use open it", "orders", [OpenTable]),
        ("", "asked.patience_s", 3600),
        ("", "asked.computers", STRONG),
    ],
}


def seen(session: Front, what: str) -> object:
    """What has this dotted name in the window, in its description, or on its page."""
    first, *rest = what.split(".")
    found: object = next(
        getattr(one, first) for one in (session, session.screen, session.lobby.menu) if hasattr(one, first)
    )
    for name in rest:
        found = found[name] if isinstance(found, dict) else getattr(found, name)
    return found


def is_wanted(found: object, wanted: object) -> bool:
    """Whether something is of a wanted type, or as wanted; lists are compared one by one."""
    if isinstance(found, list) and isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(is_wanted, found, wanted))
    return isinstance(found, wanted) if isinstance(wanted, type) else wanted == found


@pytest.mark.parametrize("hands", ["mouse", "keys"])
@pytest.mark.parametrize("story", STORIES)
def test_the_lobby_shows(tmp_path: Path, story: str, hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    if hands == "keys":  # the pictures are those that are drawn by mouse
        monkeypatch.setattr(SceneRenderer, "draw", lambda renderer, scene, surface: [])
    with Front(tmp_path) as session:
        for done, what, wanted in STORIES[story]:
            session.do(done, hands)
            now = wanted(session) if isinstance(wanted, FunctionType) else wanted
            assert is_wanted(seen(session, what), now), (done, what, seen(session, what), now)
