"""Everything that a client can do wrong: it is answered or let go, nothing changes, and nobody else notices."""

import asyncio
import json
import socket
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from catan_p2p.game.constants import BRIEF, profile
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.admission import SeatlessClients, address_group
from catan_p2p.lmu.hosting import ServerSettings
from catan_p2p.lmu.words import STATUSES
from tests.lmu.samples import CLIENT, changed, places, without
from tests.lmu.scenes import GENEROUS, RawClient, Scene, kinds, only, over_a_socket, scene, server_of, statuses
from tests.positions import position, set_up

HANDS = {1: "2 Lumber, 2 Brick, 2 Wool, 2 Grain, 3 Ore", 2: "2 Wool", 3: "1 Ore"}
CARDS = {1: "1 Knight, 1 Monopoly, 1 YearOfPlenty, 1 RoadBuilding"}
MANY = {**HANDS, 1: "4 Lumber, 4 Ore"}

POSITIONS: dict[str, Any] = {
    "Dorf bauen": lambda: set_up(3, rules=BRIEF),
    "Straße bauen": lambda: set_up(3, rules=BRIEF),
    "Würfeln": lambda: position(3, phase="DiceRoll", rules=BRIEF, hands=HANDS, available=CARDS),
    "Karten wegen Räuber abgeben": lambda: position(3, phase="Discarding", rules=BRIEF, hands=MANY),
    "Räuber versetzen": lambda: position(3, phase="MovingBandit", rules=BRIEF, hands=HANDS),
    "Handeln oder Bauen": lambda: position(3, phase="TradingBuilding", rules=BRIEF, hands=HANDS, available=CARDS),
    "Warten": lambda: position(3, phase="TradingBuilding", turn=2, rules=BRIEF, hands=HANDS, available=CARDS),
}
"""Of every status within a game a position in which seat 1 has it."""

ALWAYS = {"Chatnachricht senden", "Spiel starten"}
ALLOWED: dict[str, set[str]] = {
    "Dorf bauen": {"Bauen"},
    "Straße bauen": {"Bauen"},
    "Würfeln": {"Würfeln", "Ritter ausspielen", "Monopol", "Erfindung", "Straßenbaukarte ausspielen"},
    "Karten wegen Räuber abgeben": {"Karten abgeben"},
    "Räuber versetzen": {"Räuber versetzen"},
    "Handeln oder Bauen": {
        "Bauen",
        "Entwicklungskarte kaufen",
        "Ritter ausspielen",
        "Straßenbaukarte ausspielen",
        "Monopol",
        "Erfindung",
        "Seehandel",
        "Handel anbieten",
        "Zug beenden",
    },
    "Warten": set(),
}
"""What may be sent in which status."""


def fitting(game: Scene, status: str) -> dict[str, Any]:
    """Of every message a body that makes sense in that status."""
    board = game.game.state.constants.board
    empty = next(
        tile
        for tile in board.land
        if tile != game.game.state.ba and not board.corners[tile] & game.game.state.others(1)
    )
    building = {"Typ": "Straße", "Ort": game.road(22)}
    if status == "Dorf bauen":
        building = {"Typ": "Dorf", "Ort": game.spot(20)}
    elif status == "Straße bauen":
        building = {"Typ": "Straße", "Ort": game.road(23)}
    return {
        "Hallo": {"Version": "again"},
        "Chatnachricht senden": {"Nachricht": "!"},
        "Spieler": {"Name": "Other", "Farbe": "Weiß"},
        "Spiel starten": {},
        "Würfeln": {},
        "Karten abgeben": {"Abgeben": {"Holz": 4}},
        "Räuber versetzen": {"Ort": game.place(empty)},
        "Bauen": building,
        "Entwicklungskarte kaufen": {},
        "Ritter ausspielen": {"Ort": game.place(empty)},
        "Straßenbaukarte ausspielen": {"Straße 1": game.road(22), "Straße 2": game.road(21)},
        "Monopol": {"Rohstoff": "Wolle"},
        "Erfindung": {"Rohstoffe": {"Holz": 2}},
        "Seehandel": {"Angebot": {"Erz": 4} if status == "x" else {"Holz": 4}, "Nachfrage": {"Lehm": 1}},
        "Handel anbieten": {"Angebot": {"Holz": 1}, "Nachfrage": {"Wolle": 1}},
        "Handel annehmen": {"Handel id": 1, "Annehmen": True},
        "Handel abschließen": {"Handel id": 1, "Mitspieler": game.ids[1]},
        "Handel abbrechen": {"Handel id": 1},
        "Zug beenden": {},
    }


@pytest.mark.parametrize("status", POSITIONS)
async def test_every_message_in_every_status_is_allowed_or_refused_with_a_text(status: str) -> None:
    async with scene(3) as game:
        one = game.seats[0]
        for kind in m.MESSAGES["client"]:
            state = POSITIONS[status]()
            if kind == "Seehandel" and status in ALLOWED and "Seehandel" in ALLOWED[status]:
                state = position(3, phase="TradingBuilding", rules=BRIEF, hands={1: "4 Lumber"})
            await game.put(state)
            if status == "Straße bauen":
                game.table.play.village = 20
            before = (game.game.state, game.table.play.village, [*game.table.play.offers])
            *heard, answer = await one.ask(kind, fitting(game, status)[kind])
            if kind in ALLOWED[status] | ALWAYS:
                assert answer == {"Serverantwort": "OK"}, kind
            else:
                assert answer["Serverantwort"] not in ("", "OK"), kind
                assert heard == []
                assert (game.game.state, game.table.play.village, [*game.table.play.offers]) == before
                assert [await client.heard() for client in game.seats[1:]] == [[], []]


def test_every_status_is_asked() -> None:
    before = {"Spiel starten", "Wartet auf Spielbeginn"}
    assert set(STATUSES) == {*POSITIONS, *before, "Bauen", "Verbindung verloren"}


async def test_every_message_before_the_game_and_while_waiting_for_it() -> None:
    async with server_of(players=3) as (_, port, _tcp, games):
        client = await RawClient.at(port)
        await client.next()
        for kind in ("Würfeln", "Spiel starten", "Chatnachricht senden", "Quatsch"):
            await client.send({kind: {}})
            assert await client.next() == {"Serverantwort": "Erst Hallo sagen"}
        await client.send({"Hallo": {"Version": "Test"}})
        client.id = (await client.next())["Willkommen"]["id"]
        assert "Name" in await client.refused("Spiel starten")
        samples = {one.KEY: m.as_json(one)[one.KEY] for one in CLIENT}
        for waits in (False, True):
            for kind, sample in samples.items():
                if kind in ("Chatnachricht senden", "Spiel starten") or (kind == "Spieler" and not waits):
                    continue
                assert await client.refused(kind, sample)
            await client.fine("Spieler", samples["Spieler"]) if not waits else None
            assert (await client.ask("Spiel starten"))[-1] == {"Serverantwort": "OK"}
        assert games == []


async def test_every_message_in_special_building() -> None:
    async with scene(5) as game:
        hands = {1: "1 Lumber, 1 Brick", 3: "1 Lumber, 1 Brick, 1 Wool, 1 Grain, 1 Ore"}
        rules = profile("brief", 6)
        await game.put(position(5, phase="TradingBuilding", rules=rules, hands=hands))
        told = statuses(await game.seats[0].fine("Zug beenden"))
        assert told == {game.ids[0]: "Warten", game.ids[1]: "Bauen"}
        await game.seats[1].heard()
        # seat 2 can pay for nothing: nobody hears that, the phase is theirs all the same
        for kind, sample in fitting(game, "Bauen").items():
            if kind not in {"Zug beenden", *ALWAYS}:
                assert await game.seats[1].refused(kind, sample)
                assert await game.seats[0].refused(kind, sample)
        assert statuses(await game.seats[1].fine("Zug beenden"))[game.ids[2]] == "Bauen"
        three = game.seats[2]
        await three.heard()
        assert await three.refused("Seehandel", {"Angebot": {"Holz": 4}, "Nachfrage": {"Erz": 1}})
        assert await three.refused("Handel anbieten", {"Angebot": {"Holz": 1}, "Nachfrage": {"Erz": 1}})
        assert kinds(await three.fine("Entwicklungskarte kaufen")) == ["Kosten", "Entwicklungskarte gekauft"]
        await three.fine("Zug beenden")
        await game.seats[3].fine("Zug beenden")
        last = await game.seats[4].fine("Zug beenden")
        assert statuses(last)[game.ids[1]] == "Würfeln"


@over_a_socket()
async def test_pipelined_fragmented_doubled_and_late_messages(game: Scene) -> None:
    await game.put(position(3, phase="TradingBuilding", rules=BRIEF, hands=HANDS))
    one, two, _ = game.seats
    road = {"Bauen": {"Typ": "Straße", "Ort": game.road(22)}}
    for client in (one, two):
        await client.heard()
    await one.send_text(
        json.dumps(road) + json.dumps(road) + json.dumps({"Zug beenden": {}}) + json.dumps({"Zug beenden": {}})
    )
    answers = [(await one.answer())[-1]["Serverantwort"] == "OK" for _ in range(4)]
    assert answers == [True, False, True, False]
    assert game.game.state.ap == 2
    text = json.dumps({"Würfeln": {}})
    await two.heard()
    if two.writer is not None:
        for char in text + "\n":
            two.writer.write(char.encode())
            await two.writer.drain()
    else:
        for char in text:
            await two.socket.send(char)
    assert only(await two.answer(), "Würfelwurf") != []


NASTY = (
    "",
    "null",
    "[]",
    '"Würfeln"',
    "{",
    "}",
    "{}",
    '{"Würfeln"',
    '{"Würfeln":{}',
    '{"Würfeln":{}}}',
    '{"Bauen":{"Typ":"Dorf","Ort":null}}',
    '{"Bauen":{"Typ":"Straße","Ort":[{"x":1,"y":1},{"x":1,"y":1}]}}',
    '{"Bauen":{"Typ":"Dorf","Ort":[{"x":99,"y":99},{"x":-99,"y":0},{"x":0,"y":0}]}}',
    '{"Handel anbieten":{"Angebot":{"Holz":-5},"Nachfrage":{"Erz":1}}}',
    '{"Handel anbieten":{"Angebot":{},"Nachfrage":{"Erz":1}}}',
    '{"Handel abschließen":{"Handel id":1,"Mitspieler":2147483647}}',
    '{"Handel annehmen":{"Handel id":-1,"Annehmen":true}}',
    '{"Monopol":{"Rohstoff":"Gold"}}',
    '{"Spieler":{"Name":"x","Farbe":"Lila"}}',
    '{"Seehandel":{"Angebot":{"Holz":1e308},"Nachfrage":{"Erz":1}}}',
    '{"Karten abgeben":{"Abgeben":{"Holz":NaN}}}',
    '{"Karten abgeben":{"Abgeben":{"Holz":' + "9" * 5000 + "}}}",
    '{"Chatnachricht senden":{"Nachricht":"\\ud800"}}',
    '{"a":' * 30 + "1" + "}" * 30,
    '{"Ritter ausspielen":{"Ort":{"x":0,"y":0},"Ziel":0}}',
    '{"Zug beenden":{},"Würfeln":{}}',
    "\x00\x01\x02",
    "GET /catan HTTP/1.1",
)


@over_a_socket()
async def test_nasty_texts_change_nothing_and_the_next_message_counts(game: Scene) -> None:
    await game.put(position(3, phase="DiceRoll", turn=2, rules=BRIEF, hands=HANDS))
    before = game.game.state
    for client in game.seats:
        for text in NASTY:
            await client.send_text(text)
        await client.send({"Monopol": {"Rohstoff": "Holz"}})
        while True:
            [answer] = await client.answer()
            if answer["Serverantwort"] == "Du hast keine solche Karte, die du jetzt ausspielen darfst":
                break
            if answer["Serverantwort"] == "Du bist nicht am Zug":
                break
            assert answer["Serverantwort"] not in ("", "OK")
        assert game.game.state is before


def mutant(rng: Random, game: Scene) -> str:
    """A message that is damaged somehow, or only senseless."""
    value = m.as_json(rng.choice(CLIENT))
    for _ in range(rng.randint(0, 2)):
        path = rng.choice([*places(value)] or [()])
        if path:
            how = rng.random()
            if how < 0.2:
                value = without(value, path)
            else:
                value = changed(value, path, rng.choice(VALUES))
        if not isinstance(value, dict) or not value:
            break
    text = json.dumps(value, ensure_ascii=False)
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        at = rng.randrange(len(text) + 1)
        how = rng.random()
        if how < 0.4:
            text = text[:at] + text[at + rng.randint(1, 4) :]
        elif how < 0.8:
            text = text[:at] + rng.choice(('"', "{", "}", "[", "ä", "\\", "0", "-", "\ufffd", "\n")) + text[at:]
        else:
            text = text[at:]
    return text


VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    2,
    3,
    10**12,
    2.5,
    "",
    "Dorf",
    "Stadt",
    "Erz",
    [],
    {},
    [[]],
    {"x": 0, "y": 0},
)


async def bombard(mutants: int, seed: int, players: int = 3) -> tuple[int, int]:
    """Send mutants from every client over its socket while the game goes on: how many were answered, and allowed."""
    rng = Random(seed)
    answered = allowed = 0
    async with scene(players, seed=seed, patience_s=1e9) as game:
        chosen = [
            position(
                players, phase=phase, rules=BRIEF if players < 5 else profile("brief", 6), hands=HANDS, available=CARDS
            )
            for phase in ("DiceRoll", "TradingBuilding", "MovingBandit")
        ]
        sent = 0
        while sent < mutants:
            for member in game.table.members:
                member.refused_in_a_row = 0
            if rng.random() < 0.3 or game.table.is_over:
                await game.put(rng.choice(chosen))
            client = rng.choice(game.seats)
            batch = [mutant(rng, game) for _ in range(rng.randint(1, 40))]
            for text in batch:
                await client.send_text(text)
            sent += len(batch)
            # whatever was left open ends with a line that begins a message; its answer is the last one
            await client.send_text(json.dumps({"Handel abbrechen": {"Handel id": 2_000_000_000}}))
            while True:
                *heard, answer = await client.answer()
                mine(heard, client, game)
                answered += 1
                allowed += answer == {"Serverantwort": "OK"}
                if "gibt es nicht, oder nicht mehr" in str(answer) or "jetzt nicht möglich" in str(answer):
                    if await barrier(client):
                        break
            for other in game.seats:
                mine(await other.heard(), other, game)
    return answered, allowed


async def barrier(client: RawClient) -> bool:
    """Whether the client is up to date: a marked chat message comes back, and its answer after it."""
    await client.send({"Chatnachricht senden": {"Nachricht": "barrier"}})
    while True:
        message = await client.next()
        if (
            message.get("Chatnachricht", {}).get("Nachricht") == "barrier"
            and message["Chatnachricht"].get("Absender") == client.id
        ):
            assert (await client.answer())[-1] == {"Serverantwort": "OK"}
            return True


def mine(heard: list[Any], client: RawClient, game: Scene) -> None:
    """Nothing that a client hears tells it the cards of another."""
    for message in heard:
        for player in (one["Spieler"] for one in only([message], "Statusupdate")):
            if player["id"] != client.id and game.table.play is not None:
                assert player["Rohstoffe"].keys() <= {"Unbekannt"}
                assert player["Entwicklungskarten"].keys() <= {"Unbekannt"}
        for bought in only([message], "Entwicklungskarte gekauft"):
            assert bought["Spieler"] == client.id or bought["Entwicklungskarte"] == "Unbekannt"


def test_mutated_messages_do_no_harm() -> None:
    answered, allowed = asyncio.run(bombard(2_000, seed=1))
    assert answered > 500
    assert 0 < allowed < answered / 2


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_a_hundred_thousand_mutated_messages_do_no_harm(seed: int) -> None:
    asyncio.run(bombard(10_000, seed=100 + seed, players=3 + seed % 4))


# Limits


async def test_too_many_refused_messages_in_a_row_and_a_client_is_let_go() -> None:
    async with scene(3) as game:
        await game.put(position(3, phase="DiceRoll", rules=BRIEF))
        for _ in range(300):
            await game.seats[1].send({"Würfeln": {}})
        with pytest.raises(EOFError):
            while True:
                await game.seats[1].next()
        assert statuses(await game.seats[0].heard())[game.ids[1]] == "Verbindung verloren"
        await game.seats[0].fine("Würfeln")


async def test_a_message_without_an_end_ends_the_connection_and_no_other() -> None:
    async with scene(3) as game:
        await game.seats[1].send_text('{"Chatnachricht senden":{"Nachricht":"' + "x" * 200_000)
        with pytest.raises((EOFError, OSError)):
            while True:
                await game.seats[1].next()
        await game.seats[0].heard()
        await game.seats[2].heard()


async def test_the_number_of_messages_a_second_is_limited_and_chat_more_so() -> None:
    limits = ServerSettings(
        messages_per_s=50.0, messages_at_once=10.0, chats_per_s=1e-3, chats_at_once=8.0, linger_s=0.0
    )

    async with scene(3, limits) as game:
        one = game.seats[0]
        answers = []
        for _ in range(12):
            await one.send({"Chatnachricht senden": {"Nachricht": "spam"}})
        for _ in range(12):
            answers.append((await one.answer())[-1]["Serverantwort"])
        assert "Zu viele Chatnachrichten" in answers
        begin = asyncio.get_running_loop().time()
        for _ in range(30):
            await one.send({"Karten abgeben": {"Abgeben": {}}})
        for _ in range(30):
            await one.answer()
        # thirty messages with ten at once take at least twenty fiftieths of a second, however fast the machine
        assert asyncio.get_running_loop().time() - begin > 0.2


async def test_the_number_of_connections_without_a_seat_is_limited() -> None:
    settings = ServerSettings(max_connections=4, linger_s=0.0)
    async with server_of(settings, players=3) as (server, port, tcp, _games):
        waiting = [await RawClient.at(port), await RawClient.at(tcp, tcp=True)]
        for client in waiting:
            assert "Hallo" in await client.next()
        for i in range(4):
            waiting.append(await RawClient.at((port, tcp)[i % 2], tcp=i % 2 == 1))
            assert "Hallo" in await waiting[-1].next()
            assert await waiting[i].next() == {"Fehler": {"Meldung": "Zu viele Verbindungen"}}
            with pytest.raises(EOFError):
                await waiting[i].next()
            assert len(server.strangers) == 2, "half of four, for all come from one address"


def test_an_address_with_a_crowd_lets_only_its_own_go() -> None:
    gone: list[str] = []
    strangers = SeatlessClients(6)

    def come(group: str, name: str) -> None:
        strangers.admit(group, lambda: gone.append(name))

    come("friend", "first")
    for number in range(20):
        come("crowd", f"crowd {number}")
    for number in range(2):
        come(f"other {number}", f"other {number}")
    come("late", "late")
    assert gone == [f"crowd {number}" for number in range(18)]
    assert len(strangers) == 6


@pytest.mark.parametrize(
    ("host", "group"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_addresses_are_counted_by_what_one_person_has(host: str, group: str) -> None:
    assert address_group(host) == group


async def test_sockets_that_never_shake_hands_keep_nobody_out() -> None:
    settings = ServerSettings(max_connections=8, linger_s=0.0)
    async with server_of(settings, players=3) as (_, port, _tcp, _games):
        silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(40)]
        try:
            client = await RawClient.at(port)
            assert "Hallo" in await client.next()
            open_ones = 0
            for one in silent:
                one.setblocking(False)
                try:
                    open_ones += one.recv(1) != b""
                except BlockingIOError:
                    open_ones += 1
                except ConnectionError:
                    pass
            assert open_ones <= 4
        finally:
            for one in silent:
                one.close()


@pytest.mark.parametrize("token", ["Zürich", "\u2028", "x", "", "\ud800", "a" * 999])
async def test_a_wrong_token_of_any_characters_is_a_wrong_token(token: str) -> None:
    async with scene(3) as game:
        client = await RawClient.at(game.tcp, tcp=True)
        assert "Hallo" in await client.next()
        await client.send({"Hallo": {"Version": "Test", "Name": "Player 0", "Token": token}})
        answer = await client.next()
        assert answer.keys() & {"Fehler", "Serverantwort"}
        if "Fehler" in answer:
            assert answer["Fehler"]["Meldung"] == "Das Spiel läuft bereits"
        await game.seats[0].heard()


def as_from(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Lets the connections that come after a call seem to come from an address."""

    def come_from(address: str) -> None:
        monkeypatch.setattr("catan_p2p.lmu.server_connection.group_of", lambda transport: address)

    return come_from


async def test_one_address_does_not_hold_all_seats_of_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    come_from = as_from(monkeypatch)

    async with server_of(players=3) as (_, port, tcp, games):
        come_from("192.0.2.1")
        crowd = []
        for i, colour in enumerate(("Rot", "Blau", "Weiß")):
            crowd.append(await RawClient.at((port, tcp)[i % 2], tcp=i % 2 == 1))
            await crowd[-1].greet(f"Crowd {i}", colour)
        guests = []
        for i in range(2):
            come_from(f"198.51.100.{i}")
            guests.append(await RawClient.at((port, tcp)[i % 2], tcp=i % 2 == 1))
            await guests[-1].greet(f"Guest {i}", ("Weiß", "Blau")[i])
        for client in crowd[1:]:
            while (heard := await client.next()).keys() != {"Fehler"}:
                pass
            assert heard["Fehler"]["Meldung"] == "Der Platz wird für andere gebraucht"
            with pytest.raises(EOFError):
                await client.next()
        come_from("203.0.113.1")
        late = await RawClient.at(port)
        await late.next()
        await late.send({"Hallo": {"Version": "Test"}})
        assert "Fehler" in await late.next(), "nobody has more than one seat now"
        for client in (crowd[0], *guests):
            await client.fine("Spiel starten")
        assert len(games) == 1


async def test_one_address_leaves_the_last_table_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    come_from = as_from(monkeypatch)

    async with server_of(replace(GENEROUS, tables=2), players=3) as (_, port, tcp, games):
        come_from("192.0.2.1")
        for i, colour in enumerate(("Rot", "Blau", "Weiß")):
            client = await RawClient.at((port, tcp)[i % 2], tcp=i % 2 == 1)
            await client.greet(f"Crowd {i}", colour)
            await client.fine("Spiel starten")
        assert len(games) == 1
        another = await RawClient.at(tcp, tcp=True)
        await another.next()
        await another.send({"Hallo": {"Version": "Test"}})
        assert await another.next() == {"Fehler": {"Meldung": "Der letzte freie Tisch ist für andere"}}
        come_from("198.51.100.1")
        guest = await RawClient.at(tcp, tcp=True)
        await guest.greet("Guest", "Rot")


async def test_a_client_that_never_says_hallo_is_let_go() -> None:
    async with server_of(ServerSettings(hello_s=0.1, linger_s=0.0)) as (_, _port, tcp, _games):
        client = await RawClient.at(tcp, tcp=True)
        await client.next()
        with pytest.raises(EOFError):
            await client.next()


async def test_a_client_that_never_reads_is_cut_and_the_others_play_on() -> None:
    async with scene(3, replace(GENEROUS, max_backlog_bytes=100_000)) as game:
        deaf = next(client for client in game.seats if client.writer is not None)
        deaf.writer.transport.pause_reading()  # type: ignore[union-attr]
        talker, other = (client for client in game.seats if client is not deaf)
        member = next(member for member in game.table.members if member.id == deaf.id)
        for _ in range(12_000):
            await talker.fine("Chatnachricht senden", {"Nachricht": "x" * 1000})
            if not member.is_there:
                break
        assert not member.is_there
        assert statuses(await other.heard())[deaf.id] == "Verbindung verloren"


async def test_trouble_at_one_table_is_not_anothers() -> None:
    async with server_of(ServerSettings(tables=2, linger_s=0.0), players=3) as (server, port, tcp, games):
        seats = []
        for i in range(6):
            client = await RawClient.at((port, tcp)[i % 2], tcp=i % 2 == 1)
            await client.greet(f"Player {i}", ("Rot", "Blau", "Weiß")[i % 3])
            await client.fine("Spiel starten")
            seats.append(client)
        assert len(games) == 2

        def broken(decision: Any, drawn: Any) -> Any:
            raise ZeroDivisionError("on purpose")

        games[0].script = broken
        leader = games[0].state.su_ap
        one = next(client for client in seats[:3] if server._hosted[0].table.members[leader - 1].id == client.id)
        board = games[0].state.constants.board
        names = server._hosted[0].table.play.names  # type: ignore[union-attr]
        village = m.as_json(m.BuildRequest("Dorf", names.places.settlements[20]))
        road = m.as_json(
            m.BuildRequest("Straße", names.places.roads[next(r for r, e in enumerate(board.ends) if 20 in e)])
        )
        await one.send(village)
        await one.send(road)
        answers = [(await one.answer())[-1] for _ in range(2)]
        while "Fehler" not in answers[-1]:
            answers.append((await one.answer())[-1])
        assert len(server.troubles) == 1
        server.troubles.clear()
        for client in seats[3:]:
            await client.heard()
