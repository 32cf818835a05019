"""A window at a real table: closed and opened again, several people, a process that dies, seats handed over."""

import os
import signal
from pathlib import Path

import pygame
import pytest

from catan_p2p.log.audit import audit
from catan_p2p.sessions.messages import LeadPeers
from catan_p2p.sessions.new_table import NewTable, lay
from catan_p2p.sessions.saved_games import seats_here
from catan_p2p.tables.chat_writing import say
from tests.positions import position
from tests.visualizer.play.memory import memory_session
from tests.visualizer.play.person import Script, Session, new_window, settings, window_at
from visualizer.play.table import LocalTable

pytestmark = [pytest.mark.long, pytest.mark.sampled(4)]

SEVENS = "brief; HandLimit = 1; Dice = 7 8; StartOrder = seat"


def begin(session: Session) -> None:
    """Settle twice."""
    script = Script(session, "keys")
    while True:
        screen = session.until(lambda seen: seen.is_mine)
        state = session.state
        assert state is not None
        if state.tp != "bot":
            return
        script.step(screen)


def to_discard(session: Session) -> None:
    """Play on until cards must be discarded."""
    script = Script(session, "keys")
    script.most_offers = 0
    for _ in range(60):
        screen = session.until(lambda seen: seen.is_mine)
        if "discard" in screen.title:
            return
        script.step(screen)
    raise AssertionError("no seven")


def again(path: Path) -> Session:
    """A new window at a table that is there."""
    return Session(window_at(LocalTable(LeadPeers(path), ("Red",))))


def test_a_window_closed_in_the_middle_of_a_discard_comes_back_there(tmp_path: Path) -> None:
    path = tmp_path / "table"
    with Session(new_window(path, 2, rules=SEVENS)) as session:
        begin(session)
        to_discard(session)
        before = session.screen.title
        name = next(one.name for one in session.screen.clickables if one.name.startswith("give "))
        session.use(name)
    with again(path) as session:
        screen = session.until(lambda seen: seen.is_mine)
        assert screen.title == before
        to_discard(session)
        while "discard" not in (names := [one.name for one in session.screen.clickables]):
            session.use(next(name for name in names if name.startswith("give ")))
        session.use("discard")
        session.until(lambda seen: not session.window.session.seat.is_busy)
    assert audit(path / "Red").is_fine


def test_a_window_closed_in_the_middle_of_an_offer_comes_back_there(tmp_path: Path) -> None:
    path = tmp_path / "table"
    slow = settings(pace_s=0.0)
    with Session(new_window(path, 2, rules="brief; StartOrder = seat", options=slow)) as session:
        begin(session)
        for _ in range(60):
            screen = session.until(lambda seen: seen.is_mine)
            names = [one.name for one in screen.clickables]
            if "offer" in names:
                break
            session.use(next(name for name in ("roll", "yes", "end turn", "reject", *names) if name in names))
        session.use("offer")
        give = next(one.name for one in session.screen.clickables if one.name.startswith("give "))
        session.use(give)
        wanted = [one.name for one in session.screen.clickables if one.name.startswith("take ")]
        for name in wanted:
            session.use(name, "keys")
            names = [one.name for one in session.screen.clickables]
            if "make offer" in names:
                break
            session.use(name.replace("take ", "take less "), "keys")
        session.use("make offer")
        session.until(lambda seen: session.state is not None and session.state.tp == "Offering")
    with again(path) as session:
        screen = session.until(lambda seen: seen.is_mine)
        assert "withdraw" in [one.name for one in screen.clickables]
        session.use("withdraw", "keys")
        session.until(lambda seen: session.state is not None and session.state.tp == "TradingBuilding")


def test_the_process_that_leads_the_peers_is_started_again(tmp_path: Path) -> None:
    with Session(new_window(tmp_path / "table", 2, rules="thesis")) as session:
        begin(session)
        link = session.window.session.worker.link
        assert link is not None
        os.kill(link._process.pid, signal.SIGTERM)
        link._process.wait()
        session.until(lambda seen: session.window.session.worker.link is not link)
        length = len(session.recording or ())
        session.until(lambda seen: seen.is_mine)
        session.use("roll")
        session.until(lambda seen: len(session.recording or ()) > length)


def test_two_people_play_at_one_screen_and_do_not_see_each_others_hands(tmp_path: Path) -> None:
    path = tmp_path / "table"
    with Session(new_window(path, 2, ("Red", "Blue"), rules="thesis")) as session:
        seats = set()
        script = Script(session, "keys")
        for _ in range(40):
            screen = session.until(lambda seen: seen.is_mine or seen.is_over or seen.title == "curtain")
            recording = session.recording
            assert recording is not None
            if screen.title != "curtain":
                seats.add(screen.seat)
                other = 2 if screen.seat == "Red" else 1
                assert recording.veiled == {other}
            script.step(screen)
        assert seats == {"Red", "Blue"}
    assert [seat.policy for seat in seats_here(path)] == [None, None]


def test_open_hands_are_shown_to_everybody(tmp_path: Path) -> None:
    for opens, veiled in ((True, frozenset()), (False, {2, 3, 4})):
        session, _ = memory_session(tmp_path, position(4, hands={2: "1 Ore"}), opens_hands=opens)
        with session:
            assert session.recording is not None
            assert session.recording.veiled == veiled


def test_a_seat_is_handed_to_a_computer_player_and_taken_back(tmp_path: Path) -> None:
    with Session(new_window(tmp_path / "table", 2, rules="thesis")) as session:
        session.until(lambda seen: seen.is_mine)
        session.use("play for me")
        session.until(lambda seen: len(session.recording or ()) > 12)
        session.use("take back")
        screen = session.until(lambda seen: seen.is_mine)
        assert "a computer plays" not in screen.title


def test_a_picture_of_every_dialog_is_drawn(tmp_path: Path) -> None:
    with Session(new_window(tmp_path / "table", 2)) as session:
        session.until(lambda seen: seen.is_mine)
        for name in ("settings", "keys"):
            plain = pygame.image.tobytes(session.surface, "RGB")
            session.use(name, "mouse")
            assert session.screen.title == name
            assert pygame.image.tobytes(session.surface, "RGB") != plain
            session.use("close", "mouse")
            session.frame()
        scale = session.window.viewer.canvas.scale
        session.use("settings", "keys")
        session.use("text size", "keys")
        assert session.window.viewer.canvas.scale != scale


def test_what_another_player_says_is_shown_once_whatever_becomes_of_the_process(tmp_path: Path) -> None:
    path = tmp_path / "table"
    lay(path, NewTable(("Red", "Blue"), frozenset({"Red"}), seed=1))
    say(path / "Blue", "good luck")
    with again(path) as session:
        session.until(lambda seen: seen.said == (("Blue", "good luck"),))
        link = session.window.session.worker.link
        assert link is not None
        link._process.kill()
        session.until(lambda seen: session.window.session.worker.link is not link)
        say(path / "Blue", "again")
        screen = session.until(lambda seen: ("Blue", "again") in seen.said)
        assert screen.said == (("Blue", "good luck"), ("Blue", "again"))
