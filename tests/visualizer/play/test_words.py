"""Words between players in the window: typed, sent, shown."""

from pathlib import Path

import pygame

from catan_p2p.game.constants import BRIEF
from catan_p2p.limits import MAX_LETTERS
from catan_p2p.sessions.messages import ChatHeard, LeadPeers, NotSaid, PeersSeated, SayToAll
from tests.positions import position
from tests.visualizer.play.memory import Memory, memory_session
from tests.visualizer.play.person import Session
from visualizer.drawing.fonts import FontSet
from visualizer.play.table import LocalTable
from visualizer.play.talk import wrapped

TURN = position(3, phase="TradingBuilding", rules=BRIEF, hands={1: "1 Lumber, 1 Brick"})


def opened(path: Path, has_chat: bool = True, size: tuple[int, int] = (800, 600)) -> tuple[Session, Memory]:
    """A window whose player has the others elsewhere."""
    session, memory = memory_session(path, TURN, size=size)
    session.window.session.worker.table = LocalTable(LeadPeers(path / "table", has_chat=has_chat), ("Red",))
    memory.tell(PeersSeated((("Red", path, None),)))
    session.frame()
    return session, memory


def said(memory: Memory) -> list[str]:
    return [order.text for order in memory.orders if isinstance(order, SayToAll)]


def names(session: Session) -> list[str]:
    return [one.name for one in session.screen.clickables]


def test_a_message_is_typed_and_said_by_keys(tmp_path: Path) -> None:
    session, memory = opened(tmp_path)
    with session:
        session.use("say", "keys")
        session.type("wood for  brié? 😀")
        session.press("Backspace")
        session.press("Enter")
        assert said(memory) == ["wood for  brié?"]
        session.press("e")
        session.type("e")
        session.press("Escape")
        assert "end turn" in names(session), "letters are typed, Escape leads back"
        session.use("say", "keys")
        assert session.window.session.worker.talk.line.typed == "e", "what was begun is kept"
    assert not memory.done


def test_a_message_is_said_by_mouse(tmp_path: Path) -> None:
    session, memory = opened(tmp_path, size=(640, 480))
    with session:
        session.use("say")
        session.type("hello")
        session.use("send")
        session.use("send")
        assert said(memory) == ["hello"], "nothing is no message"
        session.click_at(5, 5)
        assert "end turn" in names(session)


def test_the_key_that_opens_the_line_is_no_part_of_it(tmp_path: Path) -> None:
    session, _ = opened(tmp_path)
    with session:
        for event in (
            pygame.event.Event(pygame.KEYDOWN, key=pygame.K_i, unicode="i", mod=0),
            pygame.event.Event(pygame.TEXTINPUT, text="i"),
        ):
            pygame.event.post(event)
        session.frame()
        session.type("i")
        assert session.window.session.worker.talk.line.typed == "i"


def test_a_message_is_not_longer_than_is_heard_and_one_line(tmp_path: Path) -> None:
    session, memory = opened(tmp_path)
    with session:
        session.use("say", "keys")
        session.type("a\nb\x1b" + "c" * 500)
        session.press("Enter")
    assert said(memory) == ["ab" + "c" * (MAX_LETTERS - 2)]


def test_what_is_heard_is_shown_escaped(tmp_path: Path) -> None:
    session, memory = opened(tmp_path)
    with session:
        memory.tell(ChatHeard("Red", "Blue", "a\x1b[31m\u202egnol " + "x" * 200))
        memory.tell(ChatHeard("Blue", "Green", "not for this seat"))
        session.frame()
        assert session.screen.said == (("Blue", "a\\x1b[31m\\u202egnol " + "x" * 200),)
        assert ("Blue", f"says: {session.screen.said[0][1]}") in session.window.table_view.words()
        session.use("say")
        assert session.screen.said


def test_what_was_not_taken_is_told_and_can_be_said_again(tmp_path: Path) -> None:
    session, memory = opened(tmp_path)
    with session:
        session.use("say", "keys")
        session.type("again")
        session.press("Enter")
        memory.tell(NotSaid("Red", "again", "wait a little"))
        session.frame()
        assert session.screen.notice == "wait a little"
        session.press("Enter")
    assert said(memory) == ["again", "again"]


def test_without_chat_or_others_there_is_nothing_to_say(tmp_path: Path) -> None:
    session, _ = opened(tmp_path, has_chat=False)
    with session:
        assert "say" not in names(session)
        session.press("i")
        assert session.screen.title != "talk"
    session, _ = memory_session(tmp_path, TURN)
    with session:
        assert "say" not in names(session), "all play here"


def test_long_messages_are_broken_and_nothing_is_lost(fonts: FontSet) -> None:
    for text in ("one two three " * 6, "x" * 280, ""):
        rows = wrapped(fonts.width, text, 14, 200)
        assert "".join(rows).replace(" ", "") == text.replace(" ", "")
        assert all(fonts.width(row, 14) <= 200 for row in rows)
