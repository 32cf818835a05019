"""With --strict a server sends nothing that the protocol's text does not name, and our client to it neither."""

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from catan_p2p.lmu import client
from catan_p2p.lmu.hosting import ServerSettings
from catan_p2p.lmu.seats import TableSettings
from catan_p2p.lmu.server_connection import OutgoingMessages
from tests.lmu.hosting import hosting, played_by_us

pytestmark = pytest.mark.long

TEXT, NUMBER, FLAG = "a text", "a number", "true or false"
PLACE = {"x": NUMBER, "y": NUMBER}
RESOURCES = dict.fromkeys(("Holz", "Lehm", "Wolle", "Getreide", "Erz", "Unbekannt"), NUMBER)
CARDS = dict.fromkeys(("Ritter", "Straßenbau", "Monopol", "Erfindung", "Siegpunkt", "Unbekannt"), NUMBER)
BUILDING = {"Eigentümer": NUMBER, "Typ": TEXT, "Ort": [PLACE]}
CHART = {
    "Felder": [{"Ort": PLACE, "Typ": TEXT, "Zahl": NUMBER}],
    "Gebäude": [BUILDING],
    "Häfen": [{"Ort": [PLACE], "Typ": TEXT}],
    "Räuber": PLACE,
}
PLAYER = {
    "id": NUMBER,
    "Farbe": TEXT,
    "Name": TEXT,
    "Status": TEXT,
    "Siegpunkte": NUMBER,
    "Rohstoffe": RESOURCES,
    "Rittermacht": NUMBER,
    "Entwicklungskarten": CARDS,
    "Größte Rittermacht": FLAG,
    "Längste Handelsstraße": FLAG,
}
OFFER = {"Angebot": RESOURCES, "Nachfrage": RESOURCES}
ROADS = {"Straße 1": [PLACE], "Straße 2": [PLACE]}
ROBBERY = {"Ort": PLACE, "Ziel": NUMBER}
SERVER: dict[str, Any] = {
    "Hallo": {"Version": TEXT, "Protokoll": TEXT},
    "Willkommen": {"id": NUMBER},
    "Serverantwort": TEXT,
    "Fehler": {"Meldung": TEXT},
    "Chatnachricht": {"Absender": NUMBER, "Nachricht": TEXT},
    "Spiel gestartet": {"Karte": CHART},
    "Spiel beendet": {"Nachricht": TEXT, "Sieger": NUMBER},
    "Statusupdate": {"Spieler": PLAYER},
    "Würfelwurf": {"Spieler": NUMBER, "Wurf": [NUMBER]},
    "Ertrag": {"Spieler": NUMBER, "Rohstoffe": RESOURCES},
    "Kosten": {"Spieler": NUMBER, "Rohstoffe": RESOURCES},
    "Räuber versetzt": {"Spieler": NUMBER, **ROBBERY},
    "Bauvorgang": {"Gebäude": BUILDING},
    "Entwicklungskarte gekauft": {"Spieler": NUMBER, "Entwicklungskarte": TEXT},
    "Längste Handelsstraße": {"Spieler": NUMBER},
    "Größte Rittermacht": {"Spieler": NUMBER},
    "Handelsangebot": {"Spieler": NUMBER, "Handel id": NUMBER, **OFFER},
    "Handelsangebot angenommen": {"Mitspieler": NUMBER, "Handel id": NUMBER, "Annehmen": FLAG},
    "Handel ausgeführt": {"Spieler": NUMBER, "Mitspieler": NUMBER},
    "Handelsangebot abgebrochen": {"Spieler": NUMBER, "Handel id": NUMBER},
    "Ritter ausspielen": {"Spieler": NUMBER, **ROBBERY},
    "Straßenbaukarte ausspielen": {"Spieler": NUMBER, **ROADS},
    "Monopol": {"Spieler": NUMBER, "Rohstoff": TEXT},
    "Erfindung": {"Spieler": NUMBER, "Rohstoffe": RESOURCES},
}
"""Every message of a server with every member, from the text of the protocol, sections 5 to 12; not from our schema."""
CLIENT: dict[str, Any] = {
    "Hallo": {"Version": TEXT},
    "Chatnachricht senden": {"Nachricht": TEXT},
    "Spieler": {"Name": TEXT, "Farbe": TEXT},
    "Spiel starten": {},
    "Würfeln": {},
    "Karten abgeben": {"Abgeben": RESOURCES},
    "Räuber versetzen": ROBBERY,
    "Zug beenden": {},
    "Bauen": {"Typ": TEXT, "Ort": [PLACE]},
    "Entwicklungskarte kaufen": {},
    "Seehandel": OFFER,
    "Handel anbieten": OFFER,
    "Handel annehmen": {"Handel id": NUMBER, "Annehmen": FLAG},
    "Handel abschließen": {"Handel id": NUMBER, "Mitspieler": NUMBER},
    "Handel abbrechen": {"Handel id": NUMBER},
    "Ritter ausspielen": ROBBERY,
    "Straßenbaukarte ausspielen": ROADS,
    "Monopol": {"Rohstoff": TEXT},
    "Erfindung": {"Rohstoffe": RESOURCES},
}
STATUSES = [
    "Spiel starten",
    "Wartet auf Spielbeginn",
    "Dorf bauen",
    "Straße bauen",
    "Würfeln",
    "Karten wegen Räuber abgeben",
    "Räuber versetzen",
    "Handeln oder Bauen",
    "Bauen",
    "Warten",
    "Verbindung verloren",
]
"""As the text of the protocol lists them ("Statusmeldungen"); not from our words."""


def unnamed(value: Any, named: Any, where: str) -> list[str]:
    """What is in a value that the text does not name."""
    if isinstance(named, dict):
        if not isinstance(value, dict):
            return [where]
        return [
            found
            for name, inner in value.items()
            for found in (unnamed(inner, named[name], f"{where}.{name}") if name in named else [f"{where}.{name}"])
        ]
    if isinstance(named, list):
        return [where] if not isinstance(value, list) else [x for one in value for x in unnamed(one, named[0], where)]
    kind: Any = {TEXT: str, NUMBER: int, FLAG: bool}[named]
    return [] if type(value) is kind else [where]


def problems(texts: list[str], named: dict[str, Any]) -> Counter[str]:
    """What is not named in messages, by where it stands."""
    found: Counter[str] = Counter()
    for text in texts:
        message = json.loads(text)
        found.update(unnamed(message, named, ""))
        found.update(["not one message"] * (len(message) != 1))
        status = message.get("Statusupdate", {}).get("Spieler", {}).get("Status", STATUSES[0])
        found.update([f"status {status}"] * (status not in STATUSES))
    return found


def strict_game(
    out: Path, players: int, *, strict: bool, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[str], list[str]]:
    """Everything that a server sends to anybody in one whole game, and all that clients send to it."""
    sent: list[str] = []
    said: list[str] = []
    queue, say = OutgoingMessages.send, client._say

    def queue_and_note(outgoing: OutgoingMessages, text: str) -> None:
        sent.append(text)
        queue(outgoing, text)

    async def say_and_note(wire: Any, played: Any, spelling: Any, messages: Any, pause_s: float) -> None:
        said.extend(spelling.write(message) for message in messages)
        await say(wire, played, spelling, messages, pause_s)

    monkeypatch.setattr(OutgoingMessages, "send", queue_and_note)
    monkeypatch.setattr(client, "_say", say_and_note)

    async def body() -> None:
        table = TableSettings(players, seed=4, out=out, strict=strict)
        async with hosting(ServerSettings(games=1, linger_s=0.0), table) as hosted:
            await played_by_us(hosted, players, 4)

    asyncio.run(body())
    return sent, said


@pytest.mark.sampled(3)
@pytest.mark.parametrize("players", [4, 5])
def test_nothing_is_sent_that_the_protocol_does_not_name(
    players: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent, said = strict_game(tmp_path, players, strict=True, monkeypatch=monkeypatch)
    assert problems(sent, SERVER) == {}
    assert problems(said, CLIENT) == {}
    kinds = {next(iter(json.loads(text))) for text in sent}
    assert {"Willkommen", "Spiel gestartet", "Statusupdate", "Kosten", "Bauvorgang", "Spiel beendet"} <= kinds


def test_the_token_is_the_only_thing_beyond_the_protocol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent, said = strict_game(tmp_path, 3, strict=False, monkeypatch=monkeypatch)
    assert problems(sent, SERVER) == {".Willkommen.Token": 3}
    assert problems(said, CLIENT) == {}
