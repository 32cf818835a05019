"""A session without a window and without pygame: what is chosen becomes orders, what the worker says becomes words."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from catan_p2p.game.actions import ACTIONS, ActionKind, EmptyBuild, Excuse, RollDice
from catan_p2p.game.constants import BRIEF, STANDARD, Constants
from catan_p2p.game.state import State
from catan_p2p.sessions.messages import (
    ActionRefused,
    AwayPlayers,
    CarryOut,
    ConnectionTrouble,
    HandSeat,
    LeadPeers,
    MovesSent,
    PeersSeated,
    TableFailed,
)
from tests.positions import position
from tests.visualizer.play.memory import Memory, MemoryLink, memory_session
from tests.visualizer.play.person import Session
from visualizer.control.replay import ReplayFeed
from visualizer.pictures.shapes import Text
from visualizer.play.draft import SeatRequest
from visualizer.play.pending_action import can_wait
from visualizer.play.session import ScreenSession
from visualizer.play.settings import WindowSettings
from visualizer.play.table import LocalTable
from visualizer.play.worker import TableWorker
from visualizer.view import RecordingView

TURN = position(3, phase="TradingBuilding", rules=BRIEF, hands={1: "1 Lumber, 1 Brick"})
BLUE_IS_AWAITED = position(3, turn=2, phase="TradingBuilding", rules=replace(BRIEF, leaving=True))


class Clock:
    """A clock that stands still until it is set."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def begun(
    path: Path, state: State = TURN, people: tuple[str, ...] = ("Red",), clock: Clock | None = None, **more: object
) -> tuple[ScreenSession, Memory]:
    memory = Memory(state)
    table = LocalTable(LeadPeers(path), people)
    replay = ReplayFeed(memory, RecordingView(live=True))  # type: ignore[arg-type]
    link = lambda sit, woken: MemoryLink(memory)  # noqa: E731
    worker = TableWorker(table, memory.look, link, clock or Clock())  # type: ignore[arg-type]
    session = ScreenSession(replay, worker, WindowSettings(), path / "settings.json", **more)  # type: ignore[arg-type]
    session.start()
    tick(session)
    return session, memory


def tick(session: ScreenSession) -> None:
    session.replay.tick(0.0)
    session.tick()


def choose(session: ScreenSession, *names: str) -> None:
    for name in names:
        session.choose(next(choice for choice in session.seat.moment.all() if choice.name == name))
        tick(session)


def test_a_session_needs_no_pygame() -> None:
    code = "import visualizer.play.session, sys; print('pygame' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_what_is_chosen_is_asked_once_and_carried_out(tmp_path: Path) -> None:
    session, memory = begun(tmp_path)
    assert session.is_on_turn
    choose(session, "end turn", "no")
    assert not memory.done
    choose(session, "end turn", "yes")
    assert memory.done == [EmptyBuild(1)]
    assert not session.is_on_turn


def test_whoever_wants_no_question_is_not_asked(tmp_path: Path) -> None:
    session, memory = begun(tmp_path)
    session.obey(("set", "asks"))
    choose(session, "end turn")
    assert memory.done == [EmptyBuild(1)]


def test_nothing_is_chosen_while_an_action_is_on_its_way(tmp_path: Path) -> None:
    session, memory = begun(tmp_path, position(3, phase="DiceRoll", rules=BRIEF))
    (roll,) = (choice for choice in session.seat.moment.all() if choice.name == "roll")
    session.choose(roll)
    session.choose(roll)
    assert len(memory.orders) == 1
    assert session.seat.is_busy
    tick(session)
    assert not session.seat.is_busy


def test_a_refusal_is_told_in_the_words_of_the_rules(tmp_path: Path) -> None:
    session, memory = begun(tmp_path, position(3, phase="DiceRoll", rules=BRIEF))
    memory.state = TURN  # the game has gone on meanwhile
    choose(session, "roll")
    assert not memory.done
    assert session.notice
    assert not session.seat.is_busy
    memory.tell(ActionRefused("Red", "the log is full"))
    tick(session)
    assert session.notice == "the log is full"
    memory.tell(ConnectionTrouble(("Blue cannot be reached",)))
    tick(session)
    assert session.worker.trouble == ("Blue cannot be reached",)
    assert isinstance(session.seat.done, RollDice)


def test_who_leaves_before_all_is_sent_stays_until_it_is_or_goes_at_once(tmp_path: Path) -> None:
    for to, wish in (("away", "leave"), ("new", "new_game")):
        session, memory = begun(tmp_path)
        memory.tell(MovesSent(False))
        tick(session)
        for _ in range(2):
            session.wish(SeatRequest(wish))
            tick(session)
            assert (session.dialog, session.goes_to) == ("leaving", "")
            session.press("Enter")  # nobody goes by habit
            session.press("Escape")
            tick(session)
            assert (session.dialog, session.goes_to) == ("", "")
        session.wish(SeatRequest("play for me"))
        session.wish(SeatRequest(wish))
        assert memory.orders[-1] == HandSeat("Red", None)
        memory.tell(MovesSent(True))
        tick(session)
        assert session.goes_to == to
        session, memory = begun(tmp_path)
        memory.tell(MovesSent(False))
        tick(session)
        session.wish(SeatRequest(wish))
        session.press("q")
        assert session.goes_to == to


def test_what_was_decided_is_waited_for_only_where_somebody_plays_elsewhere(tmp_path: Path) -> None:
    for here, goes_to in ((1, ""), (3, "away")):
        session, memory = begun(tmp_path, position(3, phase="DiceRoll", rules=BRIEF))
        memory.tell(PeersSeated(tuple((colour, tmp_path, None) for colour in ("Red", "Blue", "Green")[:here])))
        tick(session)
        session.choose(next(choice for choice in session.seat.moment.all() if choice.name == "roll"))
        session.leave()
        assert session.goes_to == goes_to
        tick(session)
        assert session.goes_to == "away"


def test_the_vote_stands_at_the_seat_as_long_as_the_peer_says_that_it_is_possible(tmp_path: Path) -> None:
    clock = Clock()
    session, memory = begun(tmp_path, BLUE_IS_AWAITED, clock=clock)

    def offered() -> bool:
        tick(session)
        return any(choice.name == "without Blue" for choice in session.seat.moment.all())

    clock.now += 3600  # of the window's own clock nobody asks
    assert not offered()
    memory.tell(AwayPlayers("Red", (2,)))
    assert offered()
    session.wish(SeatRequest("play for me"))
    assert offered(), "a computer that plays takes no button away"
    choose(session, "without Blue", "yes")
    assert memory.orders[-1] == CarryOut("Red", Excuse(1, 2))
    memory.tell(AwayPlayers("Red", ()))
    assert not offered()


def test_the_seat_says_how_a_vote_stands_and_not_as_a_problem(tmp_path: Path) -> None:
    before = "you can vote to go on without Blue now (2 of 3 must vote)"
    after = "you have voted to go on without Blue (2 of 3 must vote; voted: Red; not voted yet: Green)"
    window, memory = memory_session(tmp_path, BLUE_IS_AWAITED)
    with window:
        memory.tell(AwayPlayers("Red", (2,), before))
        window.frame()
        assert _drawn(window).count("You can vote to go on without Blue now (2 of 3 must vote)") == 1
        for key in ("g", "return"):
            window.press(key)
        assert memory.done == [Excuse(1, 2)]
        memory.tell(AwayPlayers("Red", (), after))
        window.frame()
        assert "You have voted to go on without Blue (2 of 3 must vote; voted: Red" in _drawn(window)
        assert window.screen.notice == ""


def _drawn(window: Session) -> str:
    shapes = [shape for layer in window.window.table_view.scene().layers for shape in layer.shapes]
    return " ".join(shape.text for shape in shapes if isinstance(shape, Text))


def test_a_worker_that_falls_is_started_again_three_times_with_the_seats_it_played(tmp_path: Path) -> None:
    session, memory = begun(tmp_path)
    session.wish(SeatRequest("play for me"))
    for time in range(1, 4):
        memory.tell(TableFailed("it fell"))
        tick(session)
        assert session.notice == "it fell; it is started again"
        assert memory.orders == [HandSeat("Red", "strategist")] * (time + 1)
    memory.tell(TableFailed("it fell"))
    tick(session)
    assert (session.dialog, session.failure) == ("failure", "it fell")
    session.press("Enter")
    assert session.goes_to == "away"


def test_the_curtain_falls_between_two_people_and_a_draft_stays_behind_it(tmp_path: Path) -> None:
    session, _ = begun(tmp_path, people=("Red", "Blue"))
    assert session.shown_curtain == "Red"
    assert not session.is_on_turn
    session.press("Enter")
    assert session.is_on_turn
    choose(session, "end turn", "yes")
    assert session.shown_curtain == "Blue"
    session.obey(("curtain", "Blue"))
    assert (session.seat.colour, session.seat.player, session.shown_curtain) == ("Blue", 2, "")


def undoing(path: Path, state: State = TURN) -> tuple[ScreenSession, Memory, Clock]:
    """A session that holds for three seconds back what can be undone."""
    clock = Clock()
    session, memory = begun(path, state, clock=clock)
    session.settings.undo_s = 3.0
    return session, memory, clock


def test_what_was_decided_on_is_sent_after_a_while_unless_it_is_undone(tmp_path: Path) -> None:
    session, memory, clock = undoing(tmp_path)
    choose(session, "end turn", "yes")
    assert session.seat.moment.title == "Sent in 3 s: end your turn"
    assert [choice.name for choice in session.seat.reachable] == ["send now", "undo"]
    clock.now += 2.5
    tick(session)
    assert session.seat.moment.title == "Sent in 1 s: end your turn"
    choose(session, "undo")
    clock.now += 10
    tick(session)
    assert memory.done == [] and session.is_on_turn
    choose(session, "end turn", "yes")
    clock.now += 3
    tick(session)
    assert memory.done == [EmptyBuild(1)]


@pytest.mark.parametrize("how", ["send now", "leave", "play for me"])
def test_what_is_held_back_is_sent_at_once_by_whoever_goes_on(how: str, tmp_path: Path) -> None:
    session, memory, _ = undoing(tmp_path)
    choose(session, "end turn", "yes")
    session.wish(SeatRequest(how))
    assert memory.done == [EmptyBuild(1)]
    assert [type(order) for order in memory.orders] == [CarryOut, *([HandSeat] if how == "play for me" else [])]


def test_what_is_held_back_is_not_sent_once_the_game_has_gone_on(tmp_path: Path) -> None:
    session, memory, clock = undoing(tmp_path)
    choose(session, "end turn", "yes")
    memory.carry_out(EmptyBuild(1))
    tick(session)
    clock.now += 3
    tick(session)
    assert memory.done == []
    assert session.notice == "The game has gone on: your action no longer fits, and was not sent"


@pytest.mark.parametrize("kind", ACTIONS, ids=lambda kind: kind.name)
def test_nothing_that_reveals_something_can_be_undone(kind: ActionKind) -> None:
    constants = Constants(replace(STANDARD, chance="joint", leaving=True))
    action = kind.sample(constants, 1, Random(1))
    reveals = {"RollDice", "RollForStart", "BuyDevCard", "MoveBandit", "PlayKnight", "PlayMonopoly"}
    assert can_wait(action) == (kind.name not in {*reveals, "Excuse", "Claim"})


def test_a_roll_is_sent_at_once(tmp_path: Path) -> None:
    session, memory, _ = undoing(tmp_path, position(3, phase="DiceRoll", rules=BRIEF))
    choose(session, "roll")
    assert len(memory.done) == 1
