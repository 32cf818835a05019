"""A person at an LMU server: whole games, words, offers, a lost connection, and a server that lies."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from catan_p2p.game import actions
from catan_p2p.game.cards import ONE, count, covers, total
from catan_p2p.game.scoring import player_points
from catan_p2p.lmu import messages as m
from catan_p2p.notation import load_view
from catan_p2p.sessions.messages import LeadPeers
from catan_p2p.view.events import (
    EVENTS,
    BonusMoved,
    CardsDiscarded,
    CardsGained,
    CardsUnpaid,
    DevCardBought,
    DiceRolled,
    TradeAnswered,
    TradeOffered,
    VictoryPointPlayed,
)
from catan_p2p.view.observe import observe, veil
from tests.lmu.hosting import games_by_us
from tests.lmu.server_habits import SERVER_HABITS
from tests.lmu.test_hostile_server import Liar
from tests.visualizer.play.at_server import Running, client, ended, running, seat_window
from tests.visualizer.play.front import Pinned
from tests.visualizer.play.person import Hands, Script, Session, settings
from tests.visualizer.play.x_display import lacking, virtual_display
from visualizer.play.at_server import ServerSeats
from visualizer.play.front_window import FrontWindow
from visualizer.play.lobby import Lobby
from visualizer.play.motion import gains
from visualizer.play.settings import read_settings
from visualizer.play.table import LocalTable
from visualizer.play.window import PlayWindow
from visualizer.window.screen import open_screen

pytestmark = pytest.mark.sampled(8)


def seat_of(session: Session, there: Running) -> Any:
    """The person's hand as the game has it."""
    state, seat = there.games[0].state, session.window.session.seat
    return state.h[seat.player - 1]


class Comparing(Script):
    """Compares what the window shows with the game itself whenever the person is asked."""

    def __init__(self, session: Session, hands: Hands, there: Running, seed: int) -> None:
        super().__init__(session, hands, seed)
        self.there, self.compared = there, 0

    def step(self, screen: Any) -> None:
        shown, real = self.session.state, self.there.games[0].state
        assert shown is not None
        if real.tp not in ("bot", "top", "Discarding") and screen.is_mine and shown.tp not in ("bot", "Offering"):
            # The game waits for the person; what follows an action may come a moment after it.
            screen = self.session.until(lambda seen: seen.is_mine and self.is_shown())
            self.compared += 1
        super().step(screen)

    def is_shown(self) -> bool:
        """Whether the window shows the game as far as the person may know it."""
        shown, real, own = self.session.state, self.there.games[0].state, self.session.window.session.seat.player - 1
        assert shown is not None and self.session.recording is not None
        known = self.session.recording.steps[-1].known
        held = zip((*known.hands, known.bank), (*(hand.rc for hand in real.h), real.bnk.rc), strict=True)
        return (
            all(covers(cards, hand.low) and covers(hand.high, cards) for hand, cards in held)
            and (shown.h[own].rc, shown.h[own].ac, shown.h[own].bc) == (real.h[own].rc, real.h[own].ac, real.h[own].bc)
            and [total(hand.rc) for hand in shown.h] == [total(hand.rc) for hand in real.h]
            and (shown.s, shown.r, shown.b) == (real.s, real.r, real.b)
            and (shown.ba, shown.lr, shown.la) == (real.ba, real.lr, real.la)
        )


def play(path: Path, players: int, hands: Hands, seed: int) -> None:
    """Play a whole game, and compare what was shown of it."""
    with running(players=players, seed=seed) as there:
        with Session(seat_window(path, client(there.url))[0]) as session:
            script = Comparing(session, hands, there, seed)
            screen = script.play()
            assert screen.is_over
            recording, real = session.recording, there.games[0].state
            assert recording is not None
            shown = recording.steps[-1].state
            assert shown.ap == real.ap
            assert player_points(shown, shown.ap) == player_points(real, real.ap)
            own = session.window.session.seat.player
            assert recording.veiled == frozenset(recording.constants.players) - {own}
        log = there.games[0].log
        done = [
            event
            for one in log
            for event in veil(observe(one.action, one.before, one.after, one.dice), recording.veiled)
        ]
        told = [event for step in recording.steps for event in recording.told(step)]
        for kind in (*EVENTS, CardsGained, CardsUnpaid, BonusMoved):
            if kind not in (CardsDiscarded, DevCardBought, TradeOffered, TradeAnswered, VictoryPointPlayed):
                assert [one for one in told if type(one) is kind] == [one for one in done if type(one) is kind], kind
        rolls = [one for one in log if isinstance(one.action, actions.RollDice)]
        seen = [step for step in recording.steps if isinstance(step.event, DiceRolled)]
        for step, one in zip(seen, rolls, strict=True):
            assert step.event.pair == one.dice
            if one.action.dice != 7:
                got = {
                    player: new.rc - old.rc
                    for player, (old, new) in enumerate(zip(one.before.h, one.after.h, strict=True), 1)
                    if new.rc != old.rc
                }
                assert gains(recording, step.index) == got
        assert script.compared > 3


@pytest.mark.long
@pytest.mark.parametrize(
    ("players", "hands", "seed"),
    [
        (4, "mouse", 1),
        (3, "keys", 2),
        *(
            pytest.param(players, hands, seed, marks=pytest.mark.soak)
            for players in (3, 4, 5, 6)
            for hands in ("mouse", "keys")
            for seed in (3, 4)
        ),
    ],
)
def test_a_whole_game_is_played_at_a_server_and_shown_as_it_was(
    tmp_path: Path, players: int, hands: Hands, seed: int
) -> None:
    play(tmp_path, players, hands, seed)


HABITS = tuple(habit for habit in SERVER_HABITS if habit != "names no winner")


MANY_HABITS = frozenset({"numbers players from 0", "never acknowledges", "refuses with Fehler"})


@pytest.mark.long
@pytest.mark.soak
@pytest.mark.parametrize(
    "habits",
    [MANY_HABITS, *(frozenset({habit}) for habit in HABITS)],
    ids=lambda habits: " + ".join(sorted(habits)),
)
def test_a_whole_game_is_played_at_a_foreign_server(tmp_path: Path, habits: frozenset[str]) -> None:
    with running(players=3, seed=1) as there:
        chosen = client(there.url, quiet_s=0.05)
        with Session(seat_window(tmp_path, chosen, habits=habits)[0]) as session:
            script = Script(session, "keys", 2)
            assert script.play().is_over
            state = session.state
            assert state is not None
            assert state.ap == there.games[0].state.ap


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_a_game_at_a_foreign_server_begins_and_goes_on(tmp_path: Path) -> None:
    """The first choices of a game like those above: the set-up, some turns, and what they build."""
    with running(players=3, seed=1) as there:
        chosen = client(there.url, quiet_s=0.05)
        with Session(seat_window(tmp_path, chosen, habits=MANY_HABITS)[0]) as session:
            script = Script(session, "keys", 2)
            script.play(400)
            assert sum(script.used.values()) == 400 or session.screen.is_over
            own = session.window.session.seat.player
            done = [one.action for one in there.games[0].log]
            for kind in (actions.RollDice, actions.EmptyBuild):
                assert any(isinstance(one, kind) and one.player == own for one in done), kind


def test_special_building_is_asked_at_a_table_of_five(tmp_path: Path) -> None:
    with running(players=5, seed=1) as there, Session(seat_window(tmp_path, client(there.url))[0]) as session:
        script = Script(session, "keys", 1)
        for _ in range(400):
            screen = session.until(lambda seen: seen.is_mine or seen.is_over)
            if session.state is not None and session.state.tp == "SpecialBuilding":
                break
            script.step(screen)
        assert "between the turns" in screen.title
        session.use("end turn")


def test_what_is_said_is_heard(tmp_path: Path) -> None:
    with running(players=3, seed=1) as there, Session(seat_window(tmp_path, client(there.url))[0]) as session:
        session.until(lambda seen: any(one.name == "say" for one in seen.clickables))
        session.use("say")
        session.type("hello")
        session.use("send")
        screen = session.until(lambda seen: seen.said)
        assert screen.said == (("Blue", "hello"),)
        assert there.server is not None and there.loop is not None
        hosted = there.server._hosted[0]
        hosted.table._outbox += [(member, m.ChatReceived("all hear this")) for member in hosted.table.members]
        there.loop.call_soon_threadsafe(there.server._deliver, hosted)
        screen = session.until(lambda seen: len(seen.said) > 1)
        session.frame()
        assert screen.said[1] == ("", "the server says: all hear this")
        session.use("close")
        assert session.window.table_view.words()[-1] == ("", "the server says: all hear this")


def to_the_turn(session: Session) -> Script:
    """Play until the person may trade."""
    script = Script(session, "keys", 1)
    script.most_offers = 0
    for _ in range(200):
        screen = session.until(lambda seen: seen.is_mine)
        if any(one.name == "end turn" for one in screen.clickables):
            return script
        script.step(screen)
    raise AssertionError("never on turn")


def deal(session: Session, there: Running, cards: int, player: int | None = None) -> None:
    """Let the person hold these cards: as if by a roll that all have seen."""
    seat = session.window.session.seat.player if player is None else player
    game = there.games[0]
    hands = list(game.state.h)
    gained = cards - hands[seat - 1].rc
    hands[seat - 1] = hands[seat - 1]._replace(rc=cards)
    game.state = game.state._replace(h=tuple(hands), bnk=game.state.bnk._replace(rc=game.state.bnk.rc - gained))


def tell(there: Running) -> None:
    """Have the server tell every status again."""
    assert there.server is not None and there.loop is not None
    hosted = there.server._hosted[0]

    def again() -> None:
        for member in hosted.table.members:
            hosted.table._send_status(member)
        there.server._deliver(hosted)  # type: ignore[union-attr]

    there.loop.call_soon_threadsafe(again)


def test_an_offer_can_be_taken_back_while_others_think(tmp_path: Path) -> None:
    """A program that never answers keeps nobody waiting who sits at a window."""
    with running(players=3, seed=1) as there, Session(seat_window(tmp_path, client(there.url))[0]) as session:
        to_the_turn(session)
        deal(session, there, 2 * ONE["Wool"] + ONE["Lumber"])
        tell(there)
        session.until(lambda seen: any(one.name == "offer" for one in seen.clickables))
        session.until(lambda seen: session.state is not None and count(seat_of(session, there).rc, "Wool") == 2
                      and count(session.state.h[session.window.session.seat.player - 1].rc, "Wool") == 2)  # fmt: skip
        for name in ("offer", "give Wool", "take Ore", "make offer"):
            session.use(name, "keys")
        screen = session.until(lambda seen: any(one.name in ("withdraw", "offer") for one in seen.clickables))
        assert not any(one.name == "propose" for one in screen.clickables)
        if any(one.name == "withdraw" for one in screen.clickables):
            session.use("withdraw", "keys")
        session.until(lambda seen: any(one.name == "end turn" for one in seen.clickables))
        assert session.state is not None
        assert session.state.tp == "TradingBuilding"


def test_a_refusal_of_the_server_stands_at_the_seat(tmp_path: Path) -> None:
    with running(players=3, seed=1) as there, Session(seat_window(tmp_path, client(there.url))[0]) as session:
        to_the_turn(session)
        deal(session, there, ONE["Lumber"] + ONE["Brick"])
        tell(there)
        session.until(lambda seen: any(one.name == "road" for one in seen.clickables))
        deal(session, there, 0)  # and the window is not told
        session.use("road")
        session.use(next(one.name for one in session.screen.clickables if one.name.startswith("road ")))
        session.use("yes")
        screen = session.until(lambda seen: seen.notice)
        assert screen.notice == "the server says: Dafür fehlen dir Rohstoffe"
        assert screen.is_mine


def test_a_lost_connection_is_told_and_the_seat_is_had_back(tmp_path: Path) -> None:
    with running(players=3, seed=1) as there, Session(seat_window(tmp_path, client(there.url))[0]) as session:
        to_the_turn(session)
        there.cut()
        session.until(lambda seen: session.window.session.worker.trouble)
        session.until(lambda seen: not session.window.session.worker.trouble and seen.is_mine)
        length = len(session.recording or ())
        session.use("end turn")
        if any(one.name == "yes" for one in session.screen.clickables):
            session.use("yes")
        session.until(lambda seen: len(session.recording or ()) > length)


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
@pytest.mark.parametrize("players", [3, 4, 6])
def test_a_window_that_was_closed_comes_back_to_its_game(players: int, tmp_path: Path) -> None:
    with running(players=players, seed=2, patience_s=600.0) as there:
        with Session(seat_window(tmp_path, client(there.url))[0]) as session:
            script = to_the_turn(session)
            for _ in range(8):
                script.step(session.until(lambda seen: seen.is_mine))
            seat = session.window.session.seat.player
        with Session(seat_window(tmp_path, client(there.url))[0]) as session:
            session.until(lambda seen: seen.is_mine)
            assert session.window.session.seat.player == seat
            script = Comparing(session, "keys", there, 3)
            assert script.is_shown()
            for _ in range(8):
                script.step(session.until(lambda seen: seen.is_mine))
        assert len(there.games) == 1


def test_a_computer_player_plays_on_for_the_person(tmp_path: Path) -> None:
    with running(players=3, seed=1) as there, Session(seat_window(tmp_path, client(there.url))[0]) as session:
        session.until(lambda seen: seen.is_mine)
        session.use("play for me")
        session.until(lambda seen: seen.is_over)
        own = session.window.session.seat.player
        assert session.recording is not None
        assert sum(isinstance(step.event, DiceRolled) for step in session.recording.steps
                   if step.player == own) > 5  # fmt: skip


def test_a_colour_that_is_taken_gives_way_to_another(tmp_path: Path) -> None:
    with running(players=3, seed=1) as there, Session(seat_window(tmp_path, client(there.url))[0]) as session:
        session.until(lambda seen: seen.is_mine or len(session.recording or ()) > 0)
        assert session.window.session.seat.colour == "Blue"
    values = [
        {"Hallo": {"Version": "x", "Protokoll": "1.0"}},
        {"Willkommen": {"id": 1}},
        {"Fehler": {"Meldung": "Farbe bereits vergeben"}},
    ]
    window, wires = seat_window(tmp_path, client("ws://nowhere/catan"), values, stays=True)
    with Session(window) as session:
        session.until(lambda seen: wires and len(wires[0].sent) > 2)
        colours = [json.loads(text)["Spieler"]["Farbe"] for text in wires[0].sent if "Spieler" in text]
        assert colours == ["Blau", "Rot"]


def test_nobody_there_is_told_in_the_window(tmp_path: Path) -> None:
    with Session(seat_window(tmp_path, client("tcp://127.0.0.1:1"))[0]) as session:
        session.until(lambda seen: seen.title == "failure")
        assert "cannot connect" in session.window.session.failure


def test_an_end_without_a_winner_is_told_as_one(tmp_path: Path) -> None:
    values = [
        {"Hallo": {"Version": "x", "Protokoll": "1.0"}},
        {"Willkommen": {"id": 1}},
        {"Spiel beendet": {"Nachricht": "Rot ist weg", "Sieger": -1}},
    ]
    with Session(seat_window(tmp_path, client("ws://nowhere/catan"), values)[0]) as session:
        session.until(lambda seen: seen.title == "failure")
        told = session.window.session.failure
        assert told == "the server has ended the game without a winner: Rot ist weg"


def test_a_server_that_lets_nobody_come_back_ends_the_game_with_words(tmp_path: Path) -> None:
    values = [{"Hallo": {"Version": "x", "Protokoll": "1.0"}}, {"Willkommen": {"id": 1}}]
    with Session(seat_window(tmp_path, client("ws://nowhere/catan"), values)[0]) as session:
        session.until(lambda seen: seen.title == "failure")
        assert "lets nobody come back" in session.window.session.failure


def test_the_lobby_leads_to_a_server_and_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CATAN_P2P_HOME", str(tmp_path / "home"))

    def sit_down(table: LocalTable, fullscreen: bool) -> PlayWindow:
        seats = ServerSeats()
        return PlayWindow(table, screen, settings(), tmp_path / "settings.json", link=seats.link, feed=seats.feed)

    with running(players=3, seed=1) as there:
        lobby = Lobby(settings(name="Eve"), tmp_path / "settings.json",
                      lambda path: LocalTable(LeadPeers(path), ("Red",)), Pinned(f" {there.url}\n"))  # fmt: skip
        screen = open_screen((1000, 700))
        front: Any = FrontWindow(lobby, screen, sit_down)
        with Session(front) as session:
            session.frame()
            session.use("server", "keys")
            session.use("sit down", "keys")
            assert session.screen.notice.startswith("Type the URL of a server")
            session.use("paste", "mouse")
            session.use("sit down", "keys")
            session.until(lambda seen: front.table is not None and seen.is_mine)
            assert [one.name for one in front.table.session.replay.recording.seats].count("Eve") == 1
            front.table.session.goes_to = "new"
            front.table.session.worker.table.again = lambda: None
            session.frame()
            session.until(lambda seen: front.table is None)
            assert read_settings(tmp_path / "settings.json").server == there.url


# A server that lies


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """What one client of four heard in a whole game."""
    [played] = asyncio.run(games_by_us(4, 1, tmp_path_factory.mktemp("game"), seed=9))
    return [json.loads(m.write_message(message)) for message in played[0].heard]


def survive(path: Path, recorded: list[Any], seed: int) -> int:
    """Show a stream of lies, and choose at random whatever can be chosen; how many steps were shown."""
    rng = Random(seed)
    stream = Liar(recorded, seed).stream()
    chosen = client("ws://nowhere/catan", returns=0)
    with Session(seat_window(path, chosen, stream)[0]) as session:
        link: Any = session.window.session.worker.link
        while link._thread.is_alive():
            session.frame()
            found = [one for one in session.screen.clickables if one.name not in ("leave", "new game")]
            if found:
                session.use(rng.choice(found).name, "keys")
        ended(session)
        return len(session.recording or ())


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_20_streams_of_lies_are_shown(tmp_path: Path, recorded: list[Any]) -> None:
    shown = [survive(tmp_path, recorded, seed) for seed in range(20)]
    assert sum(number > 10 for number in shown) > 5, shown


@pytest.mark.soak
def test_2_000_streams_of_lies_are_shown(tmp_path: Path, recorded: list[Any]) -> None:
    for seed in range(2_000):
        survive(tmp_path, recorded, 50_000 + seed)


# The verb


@pytest.mark.first
@pytest.mark.sampled(5, together=True)
@pytest.mark.long
@pytest.mark.skipif(lacking() is not None, reason=lacking() or "")
def test_a_game_at_a_server_is_played_on_a_real_display(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    with running(players=4, seed=5) as there, virtual_display() as display:
        command = [sys.executable, "-m", "tests.visualizer.play.guest", "mouse", "", "--"]
        command += ["lmu", "play", there.url, "--name", "Eve", "--colour", "Blau", "--out", str(seen)]
        environment = {**os.environ, **display, "CATAN_P2P_HOME": str(tmp_path / "home")}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        state = there.games[0].state
    assert done.returncode == 0, done.stderr
    view = load_view(seen)
    assert view.findings == ()
    assert view.winner == state.ap


def test_no_display_is_told_in_a_sentence(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment |= {"SDL_VIDEODRIVER": "x11", "CATAN_P2P_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "catan_p2p", "lmu", "play", "ws://127.0.0.1:1/catan"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("catan-p2p lmu play: ")
    assert "Traceback" not in done.stderr


def test_who_has_come_is_shown_before_the_game_begins(tmp_path: Path) -> None:
    with (
        running(players=3, fill=None, seed=1) as there,
        Session(seat_window(tmp_path, client(there.url))[0]) as session,
    ):
        session.until(lambda seen: session.window.viewer.replay.situation.waits)
        session.until(lambda seen: "ready" in (session.window.viewer.replay.situation.waits or ""))
        assert session.window.viewer.replay.situation.waits == "At the table: you (Blue, ready)"
