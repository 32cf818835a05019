"""Section 14 of the protocol, question by question, each asked over a real socket."""

from collections import Counter
from functools import partial
from random import Random

import pytest

from catan_p2p.game.cards import count, total, unpack
from catan_p2p.game.constants import BRIEF
from catan_p2p.game.state import State, taken
from tests.lmu.memory_game import with_dice
from tests.lmu.scenes import RawClient, Scene, kinds, only, over_a_socket, scene, server_of, statuses
from tests.positions import position

trading = partial(position, 3, phase="TradingBuilding", rules=BRIEF)

# 14.1 Eröffnungsphase


async def test_koennen_nur_spieler_mit_unterschiedlicher_farbe_an_einem_spiel_teilnehmen() -> None:
    async with server_of(players=3) as (_, port, tcp, games):
        ann, ben, cid = [await RawClient.at(port), await RawClient.at(tcp, tcp=True), await RawClient.at(port)]
        await ann.greet("Ann", "Rot")
        await ben.greet("Ben", "Rot")
        await ann.fine("Spiel starten")
        *_, answer = await ben.ask("Spiel starten")
        assert answer == {"Fehler": {"Meldung": "Farbe bereits vergeben"}}
        await ben.fine("Spieler", {"Name": "Ben", "Farbe": "Blau"})
        await ben.fine("Spiel starten")
        await cid.greet("Cid", "Blau")
        assert (await cid.ask("Spiel starten"))[-1] == {"Fehler": {"Meldung": "Farbe bereits vergeben"}}
        assert games == []
        await cid.refused("Spieler", {"Name": "Cid", "Farbe": "Grün"})  # only for five and six
        await cid.fine("Spieler", {"Name": "Cid", "Farbe": "Weiß"})
        assert "Spiel gestartet" in kinds(await cid.fine("Spiel starten"))


@over_a_socket()
async def test_kann_man_sich_an_ein_laufendes_spiel_nicht_mehr_verbinden(game: Scene) -> None:
    late = await RawClient.at(game.port)
    await late.next()
    await late.send({"Hallo": {"Version": "Test"}})
    assert await late.next() == {"Fehler": {"Meldung": "Das Spiel läuft bereits"}}
    with pytest.raises(EOFError):
        await late.next()
    assert await game.seats[0].heard() == []


async def chart_of(seed: int) -> dict[str, object]:
    async with scene(map="variable", seed=seed) as there:
        return only(there.started, "Spiel gestartet")[0]["Karte"]  # type: ignore[no-any-return]


async def test_ist_der_spielaufbau_variabel_und_wird_der_raeuber_auf_die_wueste_gesetzt() -> None:
    found = [await chart_of(seed) for seed in range(4)]
    layouts = set()
    for chart in found:
        fields: list[dict[str, object]] = chart["Felder"]  # type: ignore[assignment]
        assert len(fields) == 37
        land = [(field["Typ"], field.get("Zahl")) for field in fields if field["Typ"] != "Meer"]
        assert Counter(kind for kind, _ in land) == {
            "Ackerland": 4,
            "Weideland": 4,
            "Wald": 4,
            "Hügelland": 3,
            "Gebirge": 3,
            "Wüste": 1,
        }
        [desert] = [field for field in fields if field["Typ"] == "Wüste"]
        assert chart["Räuber"] == desert["Ort"]
        assert "Zahl" not in desert
        assert len(chart["Häfen"]) == 9  # type: ignore[arg-type]
        layouts.add(tuple(land))
    assert len(layouts) == len(found)


async def test_ist_die_spielerreihenfolge_zufaellig() -> None:
    async def first(seed: int) -> tuple[int, list[object]]:
        async with scene(seed=seed) as there:
            leader = next(id for id, status in statuses(there.started).items() if status == "Dorf bauen")
            return leader, only(there.started, "Würfelwurf")

    found = [await first(seed) for seed in range(12)]
    assert {leader for leader, _ in found} == {1, 2, 3}
    for leader, rolls in found:
        last = {roll["Spieler"]: sum(roll["Wurf"]) for roll in rolls}  # type: ignore[index]
        assert last[leader] == max(last.values())


async def settle(game: Scene, seat: int, village: int, road: int) -> list[object]:
    client = game.seats[seat - 1]
    await client.fine("Bauen", {"Typ": "Dorf", "Ort": game.spot(village)})
    return await client.fine("Bauen", {"Typ": "Straße", "Ort": game.road(road)})


def awaited(game: Scene) -> int:
    return game.game.state.su_ap


FREE = ((20, 23), (15, 16), (10, 9), (54, 72), (36, 57), (43, 64))


@over_a_socket()
async def test_kann_ein_spieler_genau_zwei_siedlungen_und_zwei_strassen_bauen(game: Scene) -> None:
    order = []
    for village, road in FREE:
        seat = awaited(game)
        order.append(seat)
        client = game.seats[seat - 1]
        assert await client.refused("Bauen", {"Typ": "Straße", "Ort": game.road(road)})
        heard = await client.fine("Bauen", {"Typ": "Dorf", "Ort": game.spot(village)})
        assert "Kosten" not in kinds(heard)
        assert statuses(heard)[client.id] == "Straße bauen"
        assert await client.refused("Bauen", {"Typ": "Dorf", "Ort": game.spot(1)})
        await client.fine("Bauen", {"Typ": "Straße", "Ort": game.road(road)})
    assert Counter(order) == {1: 2, 2: 2, 3: 2}
    assert order == order[::-1]
    leader = game.seats[order[0] - 1]
    assert await leader.refused("Bauen", {"Typ": "Dorf", "Ort": game.spot(1)})
    assert game.game.state.tp == "DiceRoll"
    assert [points.bit_count() for points in (*game.game.state.s.villages, *game.game.state.r)] == [2] * 6


@over_a_socket()
async def test_kann_eine_strasse_nur_an_die_dazugehoerige_siedlung_gebaut_werden(game: Scene) -> None:
    for village, road in FREE[:3]:
        await settle(game, awaited(game), village, road)
    client = game.seats[awaited(game) - 1]
    await client.fine("Bauen", {"Typ": "Dorf", "Ort": game.spot(54)})
    for elsewhere in (64, 22, 10):
        assert "Dorf" in await client.refused("Bauen", {"Typ": "Straße", "Ort": game.road(elsewhere)})
    await client.fine("Bauen", {"Typ": "Straße", "Ort": game.road(72)})


@over_a_socket()
async def test_ist_die_abstandsregel_korrekt(game: Scene) -> None:
    await settle(game, awaited(game), 20, 23)
    client = game.seats[awaited(game) - 1]
    for near in (20, 19, 17):
        assert await client.refused("Bauen", {"Typ": "Dorf", "Ort": game.spot(near)})
    await client.fine("Bauen", {"Typ": "Dorf", "Ort": game.spot(11)})
    await game.put(trading(hands={1: "1 Lumber, 1 Brick, 1 Wool, 1 Grain"}))
    assert "Zu nah" in await game.seats[0].refused("Bauen", {"Typ": "Dorf", "Ort": game.spot(19)})


@over_a_socket()
async def test_erhaelt_ein_spieler_am_ende_der_eroeffnungsphase_die_rohstoffe_der_zweiten_siedlung(game: Scene) -> None:
    for village, road in FREE[:3]:
        assert only(await settle(game, awaited(game), village, road), "Ertrag") == []
    for village, road in FREE[3:]:
        seat = awaited(game)
        gained = only(await settle(game, seat, village, road), "Ertrag")
        due = game.game.state.constants.board.first_yield[village]
        words = dict(zip(("Holz", "Lehm", "Wolle", "Getreide", "Erz"), unpack(due), strict=True))
        expected = {word: n for word, n in words.items() if n}
        assert gained == ([{"Spieler": game.ids[seat - 1], "Rohstoffe": expected}] if expected else [])
        assert game.game.state.h[seat - 1].rc == due


# 14.2 Normales Spiel


@over_a_socket()
async def test_kann_man_nur_einmal_pro_zug_wuerfeln(game: Scene) -> None:
    await game.put(position(3, phase="DiceRoll", rules=BRIEF))
    game.game.script = lambda decision, drawn: with_dice(drawn, 4)
    heard = await game.seats[0].fine("Würfeln")
    assert kinds(heard)[0] == "Würfelwurf"
    assert statuses(heard) == {game.ids[0]: "Handeln oder Bauen"}
    assert await game.seats[0].refused("Würfeln")
    assert await game.seats[1].refused("Würfeln")


@over_a_socket()
async def test_ist_die_zufallsverteilung_der_wuerfelaugen_plausibel(game: Scene) -> None:
    game.game.rng = Random(14)
    sums: Counter[int] = Counter()
    rolls = 360
    for _ in range(rolls):
        await game.put(position(3, phase="DiceRoll", rules=BRIEF))
        [roll] = only(await game.seats[0].fine("Würfeln"), "Würfelwurf")
        assert all(1 <= die <= 6 for die in roll["Wurf"])
        sums[sum(roll["Wurf"])] += 1
    ways = {dice: 6 - abs(7 - dice) for dice in range(2, 13)}
    chi_square = sum((sums[dice] - rolls * n / 36) ** 2 / (rolls * n / 36) for dice, n in ways.items())
    assert chi_square < 29.6  # one in a thousand with ten degrees of freedom, and the seed is fixed


@over_a_socket()
async def test_geht_bauen_und_handeln_erst_nachdem_gewuerfelt_wurde(game: Scene) -> None:
    rich = {1: "9 Lumber, 9 Brick, 9 Wool, 9 Grain, 9 Ore"}
    await game.put(position(3, phase="DiceRoll", rules=BRIEF, hands=rich))
    actions = (
        ("Bauen", {"Typ": "Straße", "Ort": game.road(22)}),
        ("Entwicklungskarte kaufen", {}),
        ("Seehandel", {"Angebot": {"Holz": 4}, "Nachfrage": {"Erz": 1}}),
        ("Handel anbieten", {"Angebot": {"Holz": 1}, "Nachfrage": {"Erz": 1}}),
        ("Zug beenden", {}),
    )
    for kind, body in actions:
        assert await game.seats[0].refused(kind, body)
    game.game.script = lambda decision, drawn: with_dice(drawn, 2)
    await game.seats[0].fine("Würfeln")
    game.game.script = lambda decision, drawn: drawn
    for kind, body in actions:
        await game.seats[0].fine(kind, body)


def row_of_roads(game: Scene, length: int) -> tuple[list[int], list[int]]:
    """Roads in a row from point 20 away from everything, and the points between them."""
    board = game.game.state.constants.board
    state = position(3, rules=BRIEF)
    blocked = state.others(1)

    def walk(at: int, roads: list[int], points: list[int]) -> tuple[list[int], list[int]] | None:
        if len(roads) == length:
            return roads, points
        for road, ends in enumerate(board.ends):
            if at in ends and road not in roads and not any(taken >> road & 1 for taken in state.r[1:]):
                [other] = [end for end in ends if end != at]
                near = sum(1 << one for one in points)
                if not (blocked | near | 1 << 20) >> other & 1:
                    found = walk(other, [*roads, road], [*points, other])
                    if found is not None:
                        return found
        return None

    found = walk(19, [23], [19])
    assert found is not None
    return found


@over_a_socket()
async def test_wird_die_laengste_handelsstrasse_korrekt_erkannt_und_wieder_aberkannt(game: Scene) -> None:
    roads, points = row_of_roads(game, 5)
    state = trading(roads={1: (*roads[:4], 64)}, hands={1: "1 Lumber, 1 Brick"})
    await game.put(state)
    heard = await game.seats[0].fine("Bauen", {"Typ": "Straße", "Ort": game.road(roads[4])})
    assert kinds(heard) == ["Kosten", "Bauvorgang", "Längste Handelsstraße"]
    assert only(heard, "Längste Handelsstraße") == [{"Spieler": game.ids[0]}]
    [told] = only(await game.seats[0].fine("Zug beenden"), "Statusupdate")[:1]
    assert told["Spieler"]["Längste Handelsstraße"] is True
    assert told["Spieler"]["Siegpunkte"] == 4
    # a village of another player in the middle cuts it, and nobody has it any more
    middle = points[2]
    board = state.constants.board
    beside = next(road for road, ends in enumerate(board.ends) if middle in ends and road not in roads)
    cut = trading(
        turn=2,
        roads={1: (*roads, 64), 2: (16, 57, beside)},
        hands={2: "1 Lumber, 1 Brick, 1 Wool, 1 Grain"},
        longest_road=1,
    )
    await game.put(cut)
    heard = await game.seats[1].fine("Bauen", {"Typ": "Dorf", "Ort": game.spot(middle)})
    assert only(heard, "Längste Handelsstraße") == [{}]


@over_a_socket()
async def test_funktioniert_die_ertragsberechnung(game: Scene) -> None:
    """Player 1 has settled beside the tiles 11, 17 and 18; on 17 or 18 the bandit blocks."""
    board = game.game.state.constants.board
    tile = next(t for t in board.settlement_tiles[20] if board.map.tiles[t - 1].number is not None)
    dice = board.map.tiles[tile - 1].number
    game.game.script = lambda decision, drawn: with_dice(drawn, dice or 0)
    await game.put(position(3, phase="DiceRoll", rules=BRIEF, villages={1: (43,)}, cities={1: (20,)}))
    with_city = only(await game.seats[0].fine("Würfeln"), "Ertrag")
    await game.put(position(3, phase="DiceRoll", rules=BRIEF))
    with_village = only(await game.seats[0].fine("Würfeln"), "Ertrag")
    await game.put(position(3, phase="DiceRoll", rules=BRIEF, bandit=tile))
    blocked = only(await game.seats[0].fine("Würfeln"), "Ertrag")

    def own(found: list[dict[str, object]]) -> int:
        return sum(sum(one["Rohstoffe"].values()) for one in found if one["Spieler"] == game.ids[0])  # type: ignore[attr-defined]

    assert own(with_city) == own(with_village) + 1
    assert own(blocked) == own(with_village) - 1


@over_a_socket()
async def test_funktioniert_der_raeuber(game: Scene) -> None:
    hands = {1: "2 Wool", 2: "5 Ore, 4 Grain", 3: "8 Lumber"}
    await game.put(position(3, phase="DiceRoll", rules=BRIEF, hands=hands))
    game.game.script = lambda decision, drawn: with_dice(drawn, 7)
    one, two, three = game.seats
    told = statuses(await one.fine("Würfeln"))
    abgeben = "Karten wegen Räuber abgeben"
    assert told == {one.id: "Warten", two.id: abgeben, three.id: abgeben}
    await two.heard()
    await three.heard()
    where = next(
        tile
        for tile in game.game.state.constants.board.land
        if game.game.state.constants.board.corners[tile] >> 15 & 1 and tile != game.game.state.ba
    )
    move = {"Ort": game.place(where), "Ziel": two.id}
    assert await one.refused("Räuber versetzen", move)
    assert await one.refused("Karten abgeben", {"Abgeben": {"Wolle": 1}})
    assert await two.refused("Karten abgeben", {"Abgeben": {"Erz": 3}})
    assert await two.refused("Karten abgeben", {"Abgeben": {"Lehm": 4}})
    paid = await two.fine("Karten abgeben", {"Abgeben": {"Erz": 3, "Getreide": 1}})
    assert only(paid, "Kosten") == [{"Spieler": two.id, "Rohstoffe": {"Getreide": 1, "Erz": 3}}]
    assert only(await three.heard(), "Kosten") == [{"Spieler": two.id, "Rohstoffe": {"Unbekannt": 4}}]
    await three.fine("Karten abgeben", {"Abgeben": {"Holz": 4}})
    assert statuses(await one.heard())[one.id] == "Räuber versetzen"
    assert await one.refused("Räuber versetzen", {"Ort": game.place(game.game.state.ba)})
    assert await one.refused("Räuber versetzen", {"Ort": game.place(where), "Ziel": three.id})
    assert await one.refused("Räuber versetzen", {"Ort": {"x": -3, "y": 3}})
    stolen = await one.fine("Räuber versetzen", move)
    assert kinds(stolen) == ["Räuber versetzt", "Kosten", "Ertrag", "Statusupdate"]
    [lost], [won] = only(stolen, "Kosten"), only(stolen, "Ertrag")
    assert lost["Rohstoffe"] == won["Rohstoffe"]
    assert set(won["Rohstoffe"]) <= {"Erz", "Getreide"}
    assert only(await three.heard(), "Ertrag") == [{"Spieler": one.id, "Rohstoffe": {"Unbekannt": 1}}]
    assert only(await two.heard(), "Kosten")[-1] == {"Spieler": two.id, "Rohstoffe": lost["Rohstoffe"]}
    assert [total(hand.rc) for hand in game.game.state.h] == [3, 4, 4]


def at_wharf(type: str) -> int:
    board = position(3).constants.board
    return next(at for at in range(1, board.settlement_count + 1) if board.wharf_points[type] >> at & 1)


@over_a_socket()
async def test_funktioniert_der_bankhandel(game: Scene) -> None:
    one = game.seats[0]

    async def trades(wharf: str | None, give: dict[str, int], receive: dict[str, int]) -> bool:
        villages = {} if wharf is None else {1: (20, at_wharf(wharf)), 2: (), 3: ()}
        await game.put(trading(hands={1: "8 Lumber, 6 Wool"}, villages=villages, roads={2: (), 3: ()}))
        heard = await one.ask("Seehandel", {"Angebot": give, "Nachfrage": receive})
        if heard[-1] == {"Serverantwort": "OK"}:
            assert kinds(heard[:-1]) == ["Kosten", "Ertrag"]
            assert only(heard, "Kosten") == [{"Spieler": one.id, "Rohstoffe": give}]
            assert only(heard, "Ertrag") == [{"Spieler": one.id, "Rohstoffe": receive}]
            return True
        assert len(heard) == 1
        return False

    assert await trades(None, {"Holz": 4}, {"Erz": 1})
    assert await trades(None, {"Holz": 8}, {"Erz": 1, "Lehm": 1})
    assert await trades(None, {"Holz": 4, "Wolle": 4}, {"Erz": 2})
    assert await trades("ThreeToOne", {"Holz": 3}, {"Erz": 1})
    assert await trades("ThreeToOne", {"Holz": 4}, {"Erz": 1})
    assert await trades("ThreeToOne", {"Holz": 7}, {"Erz": 2})
    assert await trades("Lumber", {"Holz": 2}, {"Erz": 1})
    assert await trades("Lumber", {"Holz": 2, "Wolle": 4}, {"Erz": 1, "Getreide": 1})
    assert not await trades(None, {"Holz": 3}, {"Erz": 1})
    assert not await trades(None, {"Holz": 5}, {"Erz": 1})
    assert not await trades(None, {"Holz": 4}, {"Holz": 1})
    assert not await trades(None, {"Holz": 4}, {"Erz": 2})
    assert not await trades(None, {"Holz": 12}, {"Erz": 3})
    assert not await trades(None, {"Holz": 4}, {})
    assert not await trades(None, {}, {"Erz": 1})
    assert not await trades("Lumber", {"Wolle": 2}, {"Erz": 1})
    assert not await trades("ThreeToOne", {"Holz": 2, "Wolle": 1}, {"Erz": 1})


@over_a_socket()
async def test_funktioniert_der_handel_mit_mitspielern(game: Scene) -> None:
    one, two, three = game.seats
    hands = {1: "3 Wool, 1 Lumber", 2: "2 Ore", 3: "1 Grain"}
    await game.put(trading(hands=hands))
    wool, ore = {"Wolle": 1}, {"Erz": 1}
    for give, receive in (
        ({"Wolle": -1}, ore),
        (wool, {"Erz": -1}),
        (wool, {}),
        ({}, ore),
        (wool, {"Wolle": 2}),
        ({"Wolle": 2}, {"Wolle": 1}),
        (wool, {"Wolle": 1, "Erz": 1}),
        ({"Wolle": 4}, ore),
        ({"Lehm": 1}, ore),
    ):
        assert await one.refused("Handel anbieten", {"Angebot": give, "Nachfrage": receive})
    assert await two.refused("Handel anbieten", {"Angebot": ore, "Nachfrage": wool})
    [offer] = only(await one.fine("Handel anbieten", {"Angebot": wool, "Nachfrage": ore}), "Handelsangebot")
    assert offer == {"Spieler": one.id, "Handel id": offer["Handel id"], "Angebot": wool, "Nachfrage": ore}
    assert only(await two.heard(), "Handelsangebot") == only(await three.heard(), "Handelsangebot") == [offer]
    trade = {"Handel id": offer["Handel id"]}
    assert await one.refused("Handel annehmen", {**trade, "Annehmen": True})
    assert await three.refused("Handel annehmen", {**trade, "Annehmen": True})
    await three.fine("Handel annehmen", {**trade, "Annehmen": False})
    assert await one.refused("Handel abschließen", {**trade, "Mitspieler": two.id})
    await two.fine("Handel annehmen", {**trade, "Annehmen": True})
    assert await one.refused("Handel abschließen", {**trade, "Mitspieler": three.id})
    assert await one.refused("Handel abschließen", {**trade, "Mitspieler": one.id})
    assert await two.refused("Handel abschließen", {**trade, "Mitspieler": two.id})
    done = await one.fine("Handel abschließen", {**trade, "Mitspieler": two.id})
    assert kinds(done)[-5:] == ["Handel ausgeführt", "Kosten", "Kosten", "Ertrag", "Ertrag"]
    assert [unpack(hand.rc) for hand in game.game.state.h] == [(1, 0, 2, 0, 1), (0, 0, 1, 0, 1), (0, 0, 0, 1, 0)]
    assert await one.refused("Handel abschließen", {**trade, "Mitspieler": two.id})


def far_apart(wanted: int) -> list[int]:
    """Settlement points that keep the distance from everything in a usual position, and from one another."""
    state, found = position(3), []
    board, shut = state.constants.board, taken(state.s)
    for at in range(1, board.settlement_count + 1):
        if len(found) < wanted and not (board.adjacent_settlements[at] | 1 << at) & shut:
            found.append(at)
            shut |= 1 << at
    return found


@over_a_socket()
async def test_verhaelt_sich_das_programm_korrekt_wenn_ein_spieler_10_siegpunkte_erreicht(game: Scene) -> None:
    state = trading(
        villages={1: (43,)},
        cities={1: (20, *far_apart(2))},
        unveiled={1: "2 VictoryPoint"},
        hands={1: "3 Ore, 2 Grain"},
    )
    await game.put(state)
    one, two, _ = game.seats
    heard = await one.fine("Bauen", {"Typ": "Stadt", "Ort": game.spot(43)})
    assert kinds(heard)[:2] == ["Kosten", "Bauvorgang"]
    [end] = only(heard, "Spiel beendet")
    assert end["Sieger"] == one.id
    name = only(heard, "Statusupdate")[-1]["Spieler"]["Name"]
    assert end["Nachricht"] == f"Spieler {name} hat das Spiel gewonnen."
    others = [message for message in await collected(two) if "Statusupdate" in message]
    assert others[-1]["Statusupdate"]["Spieler"]["Siegpunkte"] == 10


async def collected(client: RawClient) -> list[object]:
    """Everything up to the end of the game."""
    heard = []
    while True:
        message = await client.next()
        heard.append(message)
        if "Spiel beendet" in message:
            return heard


@over_a_socket()
async def test_stimmt_die_haeufigkeitsverteilung_der_entwicklungskarten_und_was_wenn_alle_aufgekauft_sind(
    game: Scene,
) -> None:
    one, two, _ = game.seats
    drawn: Counter[str] = Counter()
    price = position(3, hands={1: "1 Wool, 1 Grain, 1 Ore"}).h[0].rc

    def rich() -> State:
        last = game.game.state
        hands = (last.h[0]._replace(rc=price), *last.h[1:])
        return last._replace(h=hands, bnk=last.bnk._replace(rc=BRIEF.resource_pool - price))

    await game.put(trading())
    for _ in range(25):
        game.game.state = rich()
        [bought] = only(await one.fine("Entwicklungskarte kaufen"), "Entwicklungskarte gekauft")
        drawn[bought["Entwicklungskarte"]] += 1
        assert only(await two.heard(), "Entwicklungskarte gekauft") == [
            {"Spieler": one.id, "Entwicklungskarte": "Unbekannt"}
        ]
    assert drawn == {"Ritter": 14, "Siegpunkt": 5, "Straßenbau": 2, "Monopol": 2, "Erfindung": 2}
    game.game.state = rich()
    before = game.game.state
    assert "Bank" in await one.refused("Entwicklungskarte kaufen")
    assert game.game.state is before
    await one.fine("Zug beenden")


@over_a_socket()
async def test_kann_man_nur_eine_entwicklungskarte_pro_zug_ausspielen(game: Scene) -> None:
    await game.put(trading(available={1: "2 Monopoly, 1 YearOfPlenty"}))
    await game.seats[0].fine("Monopol", {"Rohstoff": "Erz"})
    assert "Nur eine" in await game.seats[0].refused("Monopol", {"Rohstoff": "Holz"})
    assert "Nur eine" in await game.seats[0].refused("Erfindung", {"Rohstoffe": {"Holz": 2}})


@over_a_socket()
async def test_verbleiben_ritter_und_siegpunktkarten_beim_spieler_und_verlassen_fortschrittskarten_das_spiel(
    game: Scene,
) -> None:
    cards = {1: "1 Monopoly, 1 YearOfPlenty, 1 RoadBuilding, 3 Knight"}
    for kind, body in (
        ("Monopol", {"Rohstoff": "Erz"}),
        ("Erfindung", {"Rohstoffe": {"Holz": 2}}),
        ("Straßenbaukarte ausspielen", {"Straße 1": game.road(22), "Straße 2": game.road(21)}),
        ("Ritter ausspielen", {"Ort": game.place(6)}),
    ):
        state = trading(available=cards, unveiled={1: "2 VictoryPoint, 2 Knight"})
        await game.put(state)
        if kind == "Ritter ausspielen":
            empty = next(
                t
                for t in state.constants.board.land
                if t != state.ba and not state.constants.board.corners[t] & state.others(1)
            )
            body = {"Ort": game.place(empty)}
        heard = await game.seats[0].fine(kind, body)
        assert {**only(heard, kind)[0], **body} == {**body, "Spieler": game.ids[0]}
        after = game.game.state
        hand = after.h[0]
        assert count(hand.uc, "VictoryPoint") == 2
        if kind == "Ritter ausspielen":
            assert count(hand.uc, "Knight") == 3
            assert after.dp == 0
            assert only(heard, "Größte Rittermacht") == [{"Spieler": game.ids[0]}]
        else:
            assert count(hand.uc, "Knight") == 2
            assert total(after.dp) == 1
        [told] = only(await game.seats[0].fine("Zug beenden"), "Statusupdate")[:1]
        assert told["Spieler"]["Entwicklungskarten"]["Siegpunkt"] == 2
        assert sum(told["Spieler"]["Entwicklungskarten"].values()) == 7


@over_a_socket()
async def test_kann_man_entwicklungskarten_jederzeit_im_zug_ausspielen_aber_nicht_die_eben_gekauften(
    game: Scene,
) -> None:
    one, two, _ = game.seats
    await game.put(position(3, phase="DiceRoll", rules=BRIEF, available={1: "1 Monopoly"}))
    heard = await one.fine("Monopol", {"Rohstoff": "Erz"})
    assert kinds(heard) == ["Monopol", "Ertrag"]
    game.game.script = lambda decision, drawn: with_dice(drawn, 2)
    await one.fine("Würfeln")
    game.game.script = lambda decision, drawn: drawn
    await game.put(trading(bought={1: "1 Monopoly"}, available={2: "1 Monopoly"}))
    assert "darfst" in await one.refused("Monopol", {"Rohstoff": "Erz"})
    assert await two.refused("Monopol", {"Rohstoff": "Erz"})
    # a victory point wins in the very turn in which it is bought
    winning = trading(
        cities={1: (20, 43, *far_apart(2))},
        villages={1: ()},
        unveiled={1: "1 VictoryPoint"},
        hands={1: "1 Wool, 1 Grain, 1 Ore"},
    )
    await game.put(winning)
    game.game.script = lambda decision, drawn: type(drawn)(1, "VictoryPoint")
    assert only(await one.fine("Entwicklungskarte kaufen"), "Spiel beendet")[0]["Sieger"] == one.id


QUESTIONS = 23


def test_every_question_has_its_test() -> None:
    """Two tests answer two questions each."""
    own = [name for name, one in globals().items() if name.startswith("test_") and callable(one)]
    double = [name for name in own if "_und_wird_der_raeuber" in name or "_und_was_wenn_" in name]
    assert len(own) - 1 + len(double) == QUESTIONS
