"""The fifteen decisions that the protocol leaves to a server (docs/guides/lmu.md), each with a test by its number.

The eighth is asked by section 14.
"""

import json
from dataclasses import replace
from typing import Any

import pytest

from catan_p2p.game.cards import ONE, total
from catan_p2p.game.constants import BRIEF
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.seats import TableMember
from catan_p2p.lmu.stand_in import LAPSED_S, MAX_TIMEOUTS
from catan_p2p.lmu.table import LmuTable
from tests.lmu.memory_game import table_of, told_to, with_dice
from tests.lmu.scenes import RawClient, Scene, kinds, only, over_a_socket, server_of, statuses
from tests.positions import position

RICH = {1: "4 Lumber, 4 Brick, 4 Wool, 4 Grain, 4 Ore"}
WHOLE = {
    "id",
    "Status",
    "Siegpunkte",
    "Rohstoffe",
    "Rittermacht",
    "Entwicklungskarten",
    "Größte Rittermacht",
    "Längste Handelsstraße",
}


async def test_1_hallo_is_not_acknowledged_and_what_is_unknown_is_omitted() -> None:
    async with server_of(players=3) as (_, port, _tcp, _games):
        client = await RawClient.at(port)
        await client.next()
        await client.send({"Hallo": {"Version": "Test"}})
        assert "Willkommen" in await client.next()
        assert (await client.next())["Statusupdate"]["Spieler"].keys() == WHOLE
        heard = await client.fine("Spieler", {"Name": "Leia", "Farbe": "Orange"})
        assert heard[0]["Statusupdate"]["Spieler"].keys() == WHOLE | {"Name", "Farbe"}


async def test_2_spiel_starten_twice_is_answered_twice_and_counted_once() -> None:
    async with server_of(players=3) as (_, port, _tcp, games):
        clients = [await RawClient.at(port) for _ in range(3)]
        for client, colour in zip(clients, ("Rot", "Blau", "Weiß"), strict=True):
            await client.greet(colour, colour)
        for client in clients[:2]:
            await client.fine("Spiel starten")
            await client.fine("Spiel starten")
        assert games == []
        heard = await clients[2].fine("Spiel starten")
        names = kinds(heard)
        before = heard[: names.index("Spiel gestartet")]
        waiting = [one for one in only(before, "Statusupdate") if one["Spieler"]["Status"] == "Wartet auf Spielbeginn"]
        assert {one["Spieler"]["id"] for one in waiting} == {client.id for client in clients}
        assert names.count("Spiel gestartet") == 1
        await clients[0].fine("Spiel starten")


@over_a_socket()
async def test_3_the_order_is_rolled_by_the_server_before_the_set_up(game: Scene) -> None:
    heard = kinds(game.started)
    begin = heard.index("Spiel gestartet")
    rolls = heard.count("Würfelwurf")
    assert rolls >= 3
    assert heard[begin + 1 : begin + 1 + rolls] == ["Würfelwurf"] * rolls
    assert "Dorf bauen" in statuses(game.started).values()


@over_a_socket()
async def test_4_kosten_come_first_and_no_status_is_repeated(game: Scene) -> None:
    await game.put(position(3, phase="TradingBuilding", rules=BRIEF, hands=RICH))
    one = game.seats[0]
    road = {"Typ": "Straße", "Ort": game.road(22)}
    assert kinds(await one.fine("Bauen", road)) == ["Kosten", "Bauvorgang"]
    assert kinds(await one.fine("Entwicklungskarte kaufen")) == ["Kosten", "Entwicklungskarte gekauft"]
    trade = {"Angebot": {"Wolle": 3, "Erz": 0}, "Nachfrage": {"Holz": 1}}
    assert await one.refused("Seehandel", trade)
    await game.put(position(3, phase="TradingBuilding", rules=BRIEF, hands=RICH))
    trade = {"Angebot": {"Wolle": 4}, "Nachfrage": {"Holz": 1}}
    assert kinds(await one.fine("Seehandel", trade)) == ["Kosten", "Ertrag"]


@over_a_socket()
async def test_5_the_road_touches_the_village_and_the_second_yield_is_public(game: Scene) -> None:
    gained = []
    for village, road in ((20, 23), (15, 16), (10, 9), (54, 72), (36, 57), (43, 64)):
        client = game.seats[game.game.state.su_ap - 1]
        await client.fine("Bauen", {"Typ": "Dorf", "Ort": game.spot(village)})
        elsewhere = 64 if road != 64 else 23
        assert "Dorf" in await client.refused("Bauen", {"Typ": "Straße", "Ort": game.road(elsewhere)})
        await client.fine("Bauen", {"Typ": "Straße", "Ort": game.road(road)})
        bystander = next(other for other in game.seats if other is not client)
        gained += only(await bystander.heard(), "Ertrag")
    assert gained
    assert all("Unbekannt" not in one["Rohstoffe"] for one in gained)


@over_a_socket()
async def test_6_robbing_the_poor_is_an_empty_ertrag_and_the_roller_waits_for_discards(game: Scene) -> None:
    one, two, _ = game.seats
    board = game.game.state.constants.board
    to = next(tile for tile in board.land if board.corners[tile] >> 15 & 1 and tile != game.game.state.ba)
    for body in ({"Ort": game.place(to), "Ziel": two.id}, {"Ort": game.place(to)}):
        await game.put(position(3, phase="MovingBandit", rules=BRIEF, hands={1: "1 Ore"}))
        heard = await one.fine("Räuber versetzen", body)
        assert kinds(heard) == ["Räuber versetzt", "Ertrag", "Statusupdate"]
        assert only(heard, "Ertrag") == [{"Spieler": one.id, "Rohstoffe": {}}]
        assert only(heard, "Räuber versetzt")[0]["Ziel"] == two.id
    game.game.script = lambda decision, drawn: with_dice(drawn, 7)
    await game.put(position(3, phase="DiceRoll", rules=BRIEF, hands={2: "8 Ore"}))
    assert statuses(await one.fine("Würfeln"))[one.id] == "Warten"
    await game.put(position(3, phase="DiceRoll", rules=BRIEF, hands={1: "8 Wool", 2: "8 Ore"}))
    assert statuses(await one.fine("Würfeln"))[one.id] == "Karten wegen Räuber abgeben"
    assert statuses(await one.fine("Karten abgeben", {"Abgeben": {"Wolle": 4}}))[one.id] == "Warten"


@over_a_socket()
async def test_7_cards_before_the_dice_leave_the_status_and_erfindung_takes_two_of_a_kind(game: Scene) -> None:
    await game.put(position(3, phase="DiceRoll", rules=BRIEF, available={1: "1 YearOfPlenty"}))
    one, two, _ = game.seats
    heard = await one.fine("Erfindung", {"Rohstoffe": {"Erz": 2}})
    assert heard == [
        {"Erfindung": {"Spieler": one.id, "Rohstoffe": {"Erz": 2}}},
        {"Ertrag": {"Spieler": one.id, "Rohstoffe": {"Erz": 2}}},
    ]
    assert (await two.heard())[-2:] == [heard[0], {"Ertrag": {"Spieler": one.id, "Rohstoffe": {"Unbekannt": 2}}}]
    await one.fine("Würfeln")


def test_8_is_asked_by_section_14() -> None:
    from tests.lmu import test_section_14

    assert callable(test_section_14.test_funktioniert_der_bankhandel)


def offering(patience_s: float = 40.0) -> tuple[LmuTable, list[TableMember], Any, Any]:
    table, members, game, clock = table_of(3, patience_s=patience_s)
    game.state = position(
        3,
        phase="TradingBuilding",
        rules=BRIEF,
        hands={1: "2 Wool", 2: "2 Ore", 3: "2 Ore"},
        board=game.state.constants.board,
    )
    table._show_statuses()
    table.take_outbox()
    return table, members, game, clock


def heard(table: LmuTable, member: TableMember) -> list[Any]:
    return [json.loads(text) for text in told_to(table, member)]


def test_9_offers_stand_side_by_side_until_the_turn_ends_and_silence_is_no() -> None:
    table, members, _, clock = offering()
    offer = m.OfferTradeRequest(ONE["Wool"], ONE["Ore"])
    for _ in range(2):
        table.receive(members[0], offer)
    first, second = (one["Handel id"] for one in only(heard(table, members[1]), "Handelsangebot"))
    assert first != second
    table.receive(members[1], m.CancelTrade(first))
    said = heard(table, members[0])
    assert only(said, "Handelsangebot angenommen") == [
        {"Mitspieler": members[1].id, "Handel id": first, "Annehmen": False}
    ]
    assert only(said, "Handelsangebot abgebrochen") == [{"Spieler": members[1].id, "Handel id": first}]
    table.receive(members[2], m.AnswerTradeRequest(second, True))
    table.take_outbox()
    assert not table.step()
    clock.now += 10.0
    while table.step():
        pass
    answers = only(heard(table, members[0]), "Handelsangebot angenommen")
    assert [(one["Mitspieler"], one["Handel id"], one["Annehmen"]) for one in answers] == [
        (members[2].id, first, False),
        (members[1].id, second, False),
    ]
    table.receive(members[0], m.EndTurn())
    table.take_outbox()
    table.receive(members[0], m.ConcludeTradeRequest(second, members[2].id))
    assert "Serverantwort" in heard(table, members[0])[0]
    assert table.play is not None
    assert table.play.offers == {}


def waits(table: LmuTable, clock: Any) -> float:
    assert table._stand_in is not None
    when = table._stand_in.wakes_at()
    assert when is not None
    return when - clock.now  # type: ignore[no-any-return]


def test_9_who_let_an_offer_lapse_holds_up_the_next_ones_for_a_moment_only() -> None:
    table, members, _, clock = offering()
    offer = m.OfferTradeRequest(ONE["Wool"], ONE["Ore"])
    table.receive(members[0], offer)
    table.receive(members[2], m.AnswerTradeRequest(1, accepts=False))
    assert waits(table, clock) == 10.0
    clock.now += 10.0
    while table.step():
        pass
    table.receive(members[0], offer)
    table.receive(members[2], m.AnswerTradeRequest(2, accepts=False))
    assert waits(table, clock) == LAPSED_S
    table.receive(members[1], m.AnswerTradeRequest(2, accepts=False))
    table.receive(members[0], offer)
    table.receive(members[2], m.AnswerTradeRequest(3, accepts=False))
    assert waits(table, clock) == 10.0


def test_9_offers_have_any_size() -> None:
    table, members, game, _ = offering()
    rules, board = replace(BRIEF, offer_max=0), game.state.constants.board
    hands = {1: "7 Wool", 2: "9 Ore"}
    game.state = position(3, phase="TradingBuilding", rules=rules, hands=hands, board=board)
    table.receive(members[0], m.OfferTradeRequest(7 * ONE["Wool"], 9 * ONE["Ore"]))
    table.receive(members[1], m.AnswerTradeRequest(1, accepts=True))
    table.receive(members[0], m.ConcludeTradeRequest(1, members[1].id))
    assert "Handel ausgeführt" in kinds(heard(table, members[2]))
    assert total(game.state.h[0].rc) == 9


def test_10_the_server_says_nothing_of_its_own_and_refusals_are_counted() -> None:
    table, members, _, _ = table_of(3, fill="builder")
    for member in members:
        member.is_computer = True
    chats = 0
    for _ in range(200):
        table.step()
        chats += sum(isinstance(message, m.ChatReceived) for _, message in table.take_outbox())
    assert chats == 0
    table.refuse(members[0], "no")
    assert members[0].refused_in_a_row == 1


@pytest.mark.parametrize(
    ("phase", "hands", "status"),
    [
        ("DiceRoll", {}, "Würfeln"),
        ("TradingBuilding", {}, "Handeln oder Bauen"),
        ("MovingBandit", {}, "Räuber versetzen"),
        ("Discarding", {1: "8 Ore"}, "Karten wegen Räuber abgeben"),
    ],
)
def test_11_a_watchdog_acts_for_a_silent_player(phase: str, hands: dict[int, str], status: str) -> None:
    table, members, game, clock = table_of(3, patience_s=40.0)
    game.state = position(3, phase=phase, rules=BRIEF, hands=hands, board=game.state.constants.board)
    for member in members:
        member.status = None
    table._show_statuses()
    assert members[0].status == status
    clock.now += 39.9
    assert not table.step()
    clock.now += 0.2
    before = game.state
    assert table.step()
    assert game.state is not before
    assert members[0].status != status
    assert any("silent" in note for note in table.take_notes())
    assert members[0].timeouts == 1


def test_11_the_set_up_is_played_on_too_and_after_some_times_the_whole_game() -> None:
    table, members, game, clock = table_of(3, patience_s=40.0)
    for _ in range(2000):
        if table.is_over:
            break
        if not table.step():
            clock.now += 41.0
        table.take_outbox()
    assert table.is_over
    assert game.state.is_over
    assert all(member.is_computer and member.timeouts == MAX_TIMEOUTS for member in members)


def test_11_who_acts_again_has_the_seat_back_without_a_token() -> None:
    table, members, _, clock = table_of(3, patience_s=40.0, strict=True)
    while not any(member.is_computer for member in members):
        if not table.step():
            clock.now += 41.0
    silent = next(member for member in members if member.is_computer)
    table.take_outbox()
    table.receive(silent, m.SendChat("asleep"))
    assert silent.is_computer
    table.receive(silent, m.RollRequest())
    assert not silent.is_computer
    assert silent.timeouts == 0
    assert any("plays again" in note for note in table.take_notes())


async def test_12_a_lost_client_comes_back_with_its_token_or_is_played_on() -> None:
    async with server_of(players=3, patience_s=1e6, map="default") as (server, port, tcp, games):
        clients, tokens = [], []
        for i, colour in enumerate(("Rot", "Blau", "Weiß")):
            client = await RawClient.at((port, tcp)[i % 2], tcp=i % 2 == 1)
            await client.next()
            await client.send({"Hallo": {"Version": "Test"}})
            welcome = (await client.next())["Willkommen"]
            client.id, token = welcome["id"], welcome["Token"]
            tokens.append(token)
            clients.append(client)
            await client.fine("Spieler", {"Name": colour, "Farbe": colour})
        for client in clients:
            await client.fine("Spiel starten")
        await clients[0].heard()
        await clients[1].close()
        while "Statusupdate" not in (lost := await clients[0].next()):
            pass
        assert lost["Statusupdate"]["Spieler"]["Status"] == "Verbindung verloren"
        for name, token in (("Blau", "x"), ("Rot", tokens[1])):
            stranger = await RawClient.at(port)
            await stranger.next()
            await stranger.send({"Hallo": {"Version": "Test", "Name": name, "Token": token}})
            assert "Fehler" in await stranger.next()
        again = await RawClient.at(port)
        await again.next()
        await again.send({"Hallo": {"Version": "Test", "Name": "Blau", "Token": tokens[1]}})
        assert (await again.next())["Willkommen"]["id"] == clients[1].id
        assert (await again.next())["Spiel gestartet"]["Karte"]["Räuber"]
        told = statuses(await again.heard())
        assert told.keys() == {client.id for client in clients}
        assert "Verbindung verloren" not in told.values()
        assert server._hosted[0].table.members[0].is_there
        assert games[0].finished == 0


def test_12_a_lost_client_is_played_on_when_its_time_is_over() -> None:
    table, members, _, clock = table_of(3, patience_s=40.0)
    leader = next(member for member in members if member.status == "Dorf bauen")
    table.leave(leader)
    assert only(heard(table, next(one for one in members if one is not leader)), "Statusupdate")
    clock.now += 41.0
    assert table.step()
    assert leader.is_computer
    assert table.step()
    assert table.play is not None
    assert table.play.game.state.s.of(leader.player)


async def test_12_strict_servers_send_nothing_that_the_protocol_does_not_name() -> None:
    async with server_of(players=3, strict=True) as (_, port, _tcp, _games):
        client = await RawClient.at(port)
        await client.next()
        await client.send({"Hallo": {"Version": "Test", "Name": "x", "Token": "y"}})
        assert (await client.next())["Willkommen"].keys() == {"id"}


def test_13_is_asked_by_section_14() -> None:
    from tests.lmu import test_section_14 as section

    assert callable(section.test_verhaelt_sich_das_programm_korrekt_wenn_ein_spieler_10_siegpunkte_erreicht)
    assert all("Siegpunkt" not in kind for kind in m.MESSAGES["client"])


@over_a_socket()
async def test_14_the_largest_army_is_told_only_when_it_changes(game: Scene) -> None:
    one = game.seats[0]
    state = position(3, phase="TradingBuilding", rules=BRIEF, available={1: "2 Knight"}, unveiled={1: "2 Knight"})
    await game.put(state)
    free = [
        t
        for t in state.constants.board.land
        if t != state.ba and not state.constants.board.corners[t] & state.others(1)
    ]
    heard = await one.fine("Ritter ausspielen", {"Ort": game.place(free[0])})
    assert only(heard, "Größte Rittermacht") == [{"Spieler": one.id}]
    game.game.state = game.game.state._replace(pd=0)
    heard = await one.fine("Ritter ausspielen", {"Ort": game.place(free[1])})
    assert "Größte Rittermacht" not in kinds(heard)


@over_a_socket()
async def test_15_unbekannt_is_a_number(game: Scene) -> None:
    await game.put(position(3, phase="TradingBuilding", rules=BRIEF, hands=RICH, bought={1: "1 Knight"}))
    await game.seats[0].fine("Zug beenden")
    [told] = [
        one["Spieler"]
        for one in only(await game.seats[1].heard(), "Statusupdate")
        if one["Spieler"]["id"] == game.ids[0]
    ]
    assert told["Rohstoffe"] == {"Unbekannt": 20}
    assert told["Entwicklungskarten"] == {"Unbekannt": 1}
    assert total(game.game.state.h[0].rc) == 20
