"""What our client does where a server refuses, loses or garbles what matters: it goes on, or says why it cannot."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from itertools import product
from typing import Any

import pytest

from catan_p2p.game.constants import BRIEF
from catan_p2p.lmu import client
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.client import ClientGame, ClientSettings, play
from catan_p2p.lmu.client_player import MAX_PAUSES, MAX_REFUSED, REPEATS, ClientPlayer
from catan_p2p.lmu.codec import UnreadableJson
from catan_p2p.lmu.connection import StreamWire, WholeReader
from catan_p2p.lmu.framing import JsonSplitter
from catan_p2p.lmu.lenient import UndecidedMessage, read_leniently
from catan_p2p.lmu.model import ClientModel
from catan_p2p.lmu.notifications import SeatPerson, chart, names_of, player_state
from catan_p2p.lmu.person import PersonPlayer
from catan_p2p.lmu.words import COLOUR_WORDS, OK, STATUSES, Status
from tests.positions import position

POOR = {1: "4 Wool, 1 Grain, 1 Ore", 2: "3 Ore, 3 Brick", 3: "3 Wool, 3 Brick"}
RICH = {1: "4 Lumber, 4 Brick, 4 Wool, 4 Grain, 4 Ore", 2: "3 Ore", 3: "3 Wool"}
CARDS = {1: "1 Knight, 1 Monopoly, 1 YearOfPlenty"}
Sends = list[m.ClientMessage]


def kind_of(message: m.ClientMessage) -> tuple[type[m.ClientMessage], str]:
    """What is refused together."""
    return type(message), getattr(message, "kind", "")


class Asked:
    """Our client in a game, as the player whose turn it is."""

    def __init__(
        self,
        status: Status = "Würfeln",
        policy: str = "random",
        seed: int = 0,
        hands: Any = RICH,
        player: ClientPlayer | None = None,
    ) -> None:
        self.state = position(3, phase="TradingBuilding", rules=BRIEF, hands=hands, available=CARDS)
        self.player = player or ClientPlayer("test", "Ann", "Red", policy, seed)
        for message in (m.PlayerWelcome(1), m.RequestReply(OK), m.RequestReply(OK)):
            self.player.hear(message)
        self.player.hear(m.GameStartedMessage(chart(names_of(self.state, (1, 2, 3)), self.state)))
        for player in (2, 3):
            self.player.hear(self.status(player, "Warten"))
        self.sends = self.player.hear(self.status(1, status))

    def status(self, player: int, status: Status) -> m.StatusUpdate:
        """What the server tells of a player."""
        person = SeatPerson(player, f"Player {player}", [*COLOUR_WORDS][player - 1])
        return m.StatusUpdate(player_state(self.state, player, person, status, viewer=1))

    def refused_until(self, accepted: type[m.ClientMessage] | None, status: m.StatusUpdate | None = None) -> Sends:
        """What is sent while all is refused but one kind, and maybe the status told again with every refusal."""
        said = []
        while self.sends and not isinstance(self.sends[0], accepted or type(None)):
            [message] = self.sends
            said.append(message)
            self.sends = self.player.hear(m.RequestReply("Jetzt nicht"))
            if status is not None and (more := self.player.hear(status)):
                self.sends = more
        return said + self.sends


@pytest.mark.parametrize(
    ("policy", "seed", "is_asked_again"), [*product(("random", "builder"), range(8), (False, True))]
)
def test_a_kind_that_was_refused_is_left_out_until_the_dice_are_rolled(
    policy: str, seed: int, is_asked_again: bool
) -> None:
    asked = Asked("Würfeln", policy, seed)
    said = asked.refused_until(m.RollRequest, asked.status(1, "Würfeln") if is_asked_again else None)
    assert isinstance(said[-1], m.RollRequest)
    assert len({type(message) for message in said}) == len(said)


@pytest.mark.parametrize("seed", range(8))
def test_a_turn_in_which_all_is_refused_is_ended(seed: int) -> None:
    asked = Asked("Handeln oder Bauen", seed=seed)
    said = asked.refused_until(m.EndTurn)
    kinds = [kind_of(message) for message in said]
    assert isinstance(said[-1], m.EndTurn)
    assert len(set(kinds)) == len(kinds)


def test_what_was_refused_is_tried_again_in_the_next_turn() -> None:
    asked = Asked("Handeln oder Bauen", seed=3)
    first = {kind_of(message) for message in asked.refused_until(m.EndTurn)}
    asked.player.hear(m.RequestReply(OK))
    asked.player.hear(asked.status(1, "Warten"))
    asked.sends = asked.player.hear(asked.status(1, "Handeln oder Bauen"))
    assert len(first) > 2
    assert {kind_of(message) for message in asked.refused_until(m.EndTurn)} & (first - {(m.EndTurn, "")})


@pytest.mark.parametrize("status", ["Würfeln", "Handeln oder Bauen", "Räuber versetzen", "Dorf bauen"])
def test_where_everything_is_refused_the_client_pauses_tries_again_and_in_the_end_says_so(status: Status) -> None:
    asked = Asked(status)
    rounds = [asked.refused_until(None)]
    while not asked.player.is_over:
        assert asked.player.waits == "again"
        assert asked.player.pauses == len(rounds) - 1 <= MAX_PAUSES
        asked.sends = asked.player.give_up_waiting()
        rounds.append(asked.refused_until(None))
    assert len(rounds) == MAX_PAUSES + 2
    assert all(0 < len(said) <= MAX_REFUSED + 1 for said in rounds[:-1])
    assert asked.player.failure is not None
    assert "Jetzt nicht" in asked.player.failure


def test_a_move_that_is_not_answered_is_said_again_and_in_the_end_another_one_is_made() -> None:
    asked = Asked("Handeln oder Bauen", "builder")
    while isinstance(asked.sends[0], m.BankTradeRequest | m.BuyCard | m.OfferTradeRequest):
        asked.sends = asked.player.hear(m.RequestReply("Jetzt nicht"))
    [message] = asked.sends
    for _ in range(REPEATS):
        assert asked.player.waits == "again"
        assert asked.player.give_up_waiting() == [message]
    assert asked.player.waits == "answer"
    [other] = asked.player.give_up_waiting()
    assert kind_of(other) != kind_of(message)


@pytest.mark.parametrize("message", [m.BuyCard, m.BankTradeRequest, m.OfferTradeRequest])
def test_what_might_be_done_twice_is_not_said_again(message: type[m.ClientMessage]) -> None:
    found = 0
    for seed in range(40):
        asked = Asked("Handeln oder Bauen", "builder" if message is m.OfferTradeRequest else "random", seed, POOR)
        asked.refused_until(message)
        if asked.sends:
            found += 1
            assert asked.player.waits == "answer"
            assert not any(isinstance(sent, message) for sent in asked.player.give_up_waiting())
    assert found


def test_a_server_that_loses_messages_gets_the_next_ones_after_a_pause_each() -> None:
    asked = Asked("Würfeln", "builder")
    assert not asked.player.loses_messages
    asked.player.give_up_waiting()
    asked.player.hear(m.RequestReply(OK))
    assert asked.player.loses_messages


# Before the game


def lobby() -> tuple[ClientPlayer, Sends]:
    player = ClientPlayer("test", "Ann", "Blue", "builder", 0)
    return player, player.hear(m.PlayerWelcome(1))


def own(status: Status, colour: str | None = None) -> m.StatusUpdate:
    return m.StatusUpdate(m.PlayerState(1, status, colour, "Ann" if colour else None))


def test_a_name_that_is_lost_is_said_again_and_no_start_without_a_colour() -> None:
    player, sends = lobby()
    for _ in range(3):
        assert sends == [m.ChooseName("Ann", "Blue")]
        assert player.waits == "again"
        sends = player.give_up_waiting()
        player.hear(own("Spiel starten"))
    assert player.hear(m.RequestReply(OK)) == [m.ReadyToStart()]


@pytest.mark.parametrize("shows", [True, False], ids=["and shows the status", "and shows nothing"])
def test_a_start_that_is_lost_is_said_again_until_the_own_status_is_another_one(shows: bool) -> None:
    player, _ = lobby()
    assert player.hear(m.RequestReply(OK)) == [m.ReadyToStart()]
    for _ in range(MAX_PAUSES):
        if shows:
            player.hear(own("Spiel starten", "Blue"))
        assert player.waits == "again"
        assert player.give_up_waiting() == [m.ReadyToStart()]
    player.hear(own("Wartet auf Spielbeginn", "Blue"))
    assert player.waits == "quiet"
    assert player.give_up_waiting() == []
    assert player.waits is None


def test_a_start_that_was_accepted_and_not_carried_out_is_said_again_later() -> None:
    player, _ = lobby()
    player.hear(m.RequestReply(OK))
    player.hear(m.RequestReply(OK))
    player.hear(own("Spiel starten", "Blue"))
    assert player.waits == "answer"
    assert player.give_up_waiting() == [m.ReadyToStart()]
    assert player.hear(m.RequestReply("Spiel läuft schon")) == []
    assert player.lobby.colours[0] == "Blue"


def test_a_server_that_never_answers_to_a_name_is_asked_for_the_start_too() -> None:
    player, sends = lobby()
    said = [sends, *(player.give_up_waiting() for _ in range(6))]
    assert m.ReadyToStart() in [message for sent in said for message in sent]
    player.hear(own("Wartet auf Spielbeginn", "Red"))
    player.give_up_waiting()
    assert player.waits is None


def test_a_greeting_that_is_lost_is_said_again() -> None:
    player = ClientPlayer("test", "Ann", "Blue", "builder", 0)
    [greeting] = player.hear(m.ServerHello("x", "1.0"))
    assert player.waits == "again"
    assert player.give_up_waiting() == [greeting]
    assert player.hear(m.PlayerWelcome(1)) == [m.ChooseName("Ann", "Blue")]


def test_a_name_that_is_taken_is_another_one_then_and_keeps_its_colour() -> None:
    player, _ = lobby()
    assert player.hear(m.RequestReply("Name bereits vergeben.")) == [m.ChooseName("Ann 2", "Blue")]
    assert player.hear(m.RequestReply("Name bereits vergeben.")) == [m.ChooseName("Ann 3", "Blue")]
    assert player.hear(m.RequestReply(OK)) == [m.ReadyToStart()]


def test_no_two_clients_say_something_again_at_the_same_time() -> None:
    player, _ = lobby()
    settings = ClientSettings("tcp://x:1", "Ann")
    waits = []
    for share in (0.7, 1.4):
        waits.append(client._timeout(player, settings, share))
    assert waits == [settings.again_s * 0.7, settings.again_s * 1.4]
    for _ in range(MAX_PAUSES):
        player.give_up_waiting()
    assert client._timeout(player, settings, 1.0) == settings.answer_s


# What decides


def begun(**members: Any) -> Any:
    state = position(3, phase="DiceRoll", rules=BRIEF)
    return (
        m.as_json(m.GameStartedMessage(chart(names_of(state, (1, 2, 3)), state)))["Spiel gestartet"]["Karte"] | members
    )


@pytest.mark.parametrize(
    ("body", "winner"),
    [
        ({"Nachricht": "Ende", "Sieger": 2}, 2),
        ({"Nachricht": "Ende", "Spieler": 2}, 2),
        ({"Spieler": {"id": 2}}, 2),
        ({"Nachricht": "Verbindung verloren", "Sieger": -1}, None),
        ({"Nachricht": "Ende", "Sieger": None}, None),
        ({"Nachricht": "Ende", "Sieger": "Ann"}, None),
        ({"Nachricht": 7, "Sieger": 2}, 2),
        ({}, None),
        (None, None),
        ([], None),
        ("Ann hat gewonnen", None),
    ],
)
def test_every_end_ends_the_game(body: Any, winner: int | None) -> None:
    asked = Asked()
    message = read_leniently({"Spiel beendet": body})
    assert isinstance(message, m.GameOver)
    assert message.winner == winner
    asked.player.hear(message)
    assert asked.player.is_over
    assert (asked.player.failure is None) == (winner is not None)
    assert winner is not None or "without a winner" in str(asked.player.failure)


@pytest.mark.parametrize("said", ["OK", "ok", "Ok.", {"Nachricht": "OK"}, {"Meldung": "ok!"}, True])
def test_every_yes_is_a_yes(said: Any) -> None:
    assert read_leniently({"Serverantwort": said}) == m.RequestReply(OK)


@pytest.mark.parametrize("said", ["Nein", {"Meldung": "Nein"}, False, None, {}, []])
def test_everything_else_is_a_no(said: Any) -> None:
    assert read_leniently({"Serverantwort": said}) != m.RequestReply(OK)


@pytest.mark.parametrize(
    ("said", "status"),
    [
        *((status, status) for status in STATUSES),
        ("Warten bis alle ihre Karten abgegeben haben", "Warten"),
        ("Handeln oder bauen", "Handeln oder Bauen"),
        ("Handeln und Bauen", "Handeln oder Bauen"),
        ("Strasse bauen", "Straße bauen"),
        ("Karten wegen Raeuber abgeben", "Karten wegen Räuber abgeben"),
        ("Karten wegen Räuber abzugeben", "Karten wegen Räuber abgeben"),
        (" Würfeln ", "Würfeln"),
    ],
)
@pytest.mark.parametrize("is_flat", [False, True])
def test_a_status_in_other_words_is_understood(said: str, status: str, is_flat: bool) -> None:
    player = {"id": 1, "Status": said, "Farbe": "Weis", "Siegpunkte": "drei", "Rohstoffe": {"Holz": -1}}
    message: Any = read_leniently({"Statusupdate": player if is_flat else {"Spieler": player}})
    assert (message.player.id, message.player.status, message.player.colour) == (1, status, "White")
    assert message.player.points is None


@pytest.mark.parametrize(
    "chart",
    [
        begun(Räuber=None),
        begun(Räuber={"Ort": {"x": 0, "y": 0}}),
        begun(Häfen=None, Gebäude="keine"),
        begun(Gebäude=[{"Typ": "Siedlung"}, 7, None]),
        {name: one for name, one in begun().items() if name == "Felder"},
        {
            **begun(),
            "Felder": [{**one, "Typ": "Wasser" if one["Typ"] == "Meer" else one["Typ"]} for one in begun()["Felder"]],
        },
    ],
)
@pytest.mark.parametrize("is_flat", [False, True])
def test_a_map_with_broken_members_is_a_map(chart: Any, is_flat: bool) -> None:
    player, _ = lobby()
    player.hear(read_leniently({"Spiel gestartet": chart if is_flat else {"Karte": chart}}))
    assert player.model.board is not None
    assert len(player.model.board.land) == 19


async def at_server(lines: list[Any]) -> tuple[ClientGame, list[str]]:
    """Our client at a server that says this and then nothing more; and what its user is told meanwhile."""
    told: list[str] = []

    async def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write("".join(json.dumps(line) + "\n" for line in lines).encode())
        with contextlib.suppress(OSError):
            while await reader.read(1000):
                pass
        writer.close()

    server = await asyncio.start_server(accepted, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    chosen = ClientSettings(f"tcp://127.0.0.1:{port}", "Ann", answer_s=0.05, again_s=0.01, quiet_s=0.01, returns=0)
    played = ClientGame.new(chosen)
    played.tell = told.append
    async with server:
        await asyncio.wait_for(play(chosen, played), 60)
    return played, told


HELLO = [{"Hallo": {"Version": "x", "Protokoll": "1.0"}}, {"Willkommen": {"id": 1}}]


@pytest.mark.long
@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([], "the server does not answer 'Hallo'"),
        (HELLO, "the server does not answer 'Spieler'"),
        ([*HELLO, {"Serverantwort": "OK"}], "the server does not answer 'Spiel starten'"),
        (
            [*HELLO, {"Spiel gestartet": {"Karte": {"Felder": 3}}}],
            "an unreadable message: Spiel gestartet: Karte.Felder: ",
        ),
        ([*HELLO, {"Spiel gestartet": 7}], "an unreadable message: Spiel gestartet: "),
        (
            [*HELLO, {"Spiel gestartet": {"Karte": begun()}}, {"Statusupdate": {"Spieler": {"id": 1, "Status": "?"}}}],
            "an unreadable message: Statusupdate: ",
        ),
        ([*HELLO, {"Statusupdate": {"Spieler": {"id": 1, "Status": "Würfeln"}}}], "has sent no map"),
    ],
)
def test_what_keeps_the_client_from_playing_is_told_and_it_ends(lines: list[Any], why: str) -> None:
    played, _ = asyncio.run(at_server(lines))
    assert why in str(played.client_player.failure)
    assert played.client_player.is_over


def test_a_user_hears_that_a_server_does_not_answer_before_it_is_given_up() -> None:
    _, told = asyncio.run(at_server(HELLO))
    assert "the server does not answer 'Spieler': sent again" in told


def test_nobody_waits_for_the_number_that_a_client_had_until_it_was_known() -> None:
    model = ClientModel()
    for id in (9, 2):
        model.hear(m.PlayerWelcome(id, None))
        model.hear(m.StatusUpdate(m.PlayerState(id, "Warten", "Red", "Ann", 0, 0, 0, 0, False, False)))
    assert [*model.players] == [2]


@pytest.mark.parametrize("is_person", [False, True])
def test_who_cannot_tell_whose_turn_it_is_waits_for_an_answer_and_then_says_so(is_person: bool) -> None:
    person = PersonPlayer("test", "Ann", "Red", "builder", 0, lambda news: None) if is_person else None
    player = Asked("Warten", player=person).player
    player.misread(m.StatusUpdate, "Statusupdate: Status: ?", 1)
    assert player.waits == "answer"
    assert player.give_up_waiting() == []
    assert player.failure == "the server has sent an unreadable message: Statusupdate: Status: ?"


def test_a_move_that_is_underway_makes_nobody_give_up_earlier() -> None:
    asked = Asked("Würfeln", "builder")
    asked.player.misread(m.StatusUpdate, "Statusupdate: Status: ?", 1)
    assert asked.player.waits == "answer"


def test_somebody_else_s_status_that_cannot_be_read_keeps_nobody_from_playing() -> None:
    with pytest.raises(UndecidedMessage) as error:
        read_leniently({"Statusupdate": {"Spieler": {"id": 2, "Status": "denkt nach"}}})
    asked = Asked()
    asked.player.misread(error.value.kind, str(error.value), error.value.player)
    asked.sends = asked.player.hear(m.RequestReply(OK))
    assert not asked.player.is_over
    assert not asked.player.trouble


def test_what_decides_nothing_is_read_as_strictly_as_before() -> None:
    for value in ({"Bauvorgang": {}}, {"Würfelwurf": {"Spieler": 1, "Wurf": [7, 8]}}, {"Unsinn": 1}, [], 7):
        with pytest.raises(UnreadableJson) as error:
            read_leniently(value)
        assert not isinstance(error.value, UndecidedMessage)


async def test_the_end_is_heard_though_the_connection_breaks_right_after_it() -> None:
    end = {"Spiel beendet": {"Nachricht": "Ende", "Sieger": 1}}
    reader = WholeReader()
    reader.feed_data(json.dumps(end).encode() + b"\n")
    reader.set_exception(ConnectionResetError("reset by the server"))
    wire = StreamWire(reader, None)  # type: ignore[arg-type]
    assert [one async for one in wire.objects(JsonSplitter())] == [end]


def test_a_client_that_can_no_longer_write_still_reads_what_has_come() -> None:
    class Closing:
        """A connection that has ended for whoever writes."""

        async def objects(self, splitter: JsonSplitter) -> AsyncIterator[Any]:
            for value in (*HELLO, {"Spiel beendet": {"Nachricht": "Ende", "Sieger": 1}}):
                yield value

        async def write(self, texts: list[str]) -> None:
            raise ConnectionResetError("reset by the server")

        async def close(self) -> None:
            pass

        def abort(self) -> None:
            pass

    async def connected(url: str) -> Closing:
        return Closing()

    played = asyncio.run(play(ClientSettings("tcp://x:1", "Ann", returns=0), connected=connected))
    assert played.client_player.is_over
