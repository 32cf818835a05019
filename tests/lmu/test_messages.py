"""Every message, member and word of the protocol: written exactly, read tolerantly, and as the schema says."""

import json
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from catan_p2p.lmu import messages as m
from catan_p2p.lmu import words
from catan_p2p.lmu.codec import UnknownCards, UnreadableJson
from tests.lmu.samples import CLIENT, OTHER, OWN, SERVER, all_none, changed, places, without

SCHEMA = json.loads(files("catan_p2p.lmu").joinpath("message.schema.json").read_text(encoding="utf-8"))
EVERY = [("client", one) for one in CLIENT] + [("server", one) for one in SERVER]


def validator(side: str) -> Any:
    schema = {"$ref": f"#/$defs/{side}", "$defs": SCHEMA["$defs"]}
    return jsonschema.Draft202012Validator(schema)


VALID = {side: validator(side) for side in ("client", "server")}


def read(value: Any, side: Any) -> Any:
    try:
        return m.read_message(value, side)
    except UnreadableJson as error:
        return error


def by_name(case: tuple[str, Any]) -> str:
    return f"{case[0]}-{type(case[1]).__name__}"


def test_there_is_a_sample_of_every_message() -> None:
    for side, samples in (("client", CLIENT), ("server", SERVER)):
        assert {type(one) for one in samples} == set(m.MESSAGES[side].values())  # type: ignore[index]


@pytest.mark.parametrize("case", EVERY, ids=by_name)
def test_what_is_written_is_valid_and_is_read_again(case: tuple[str, Any]) -> None:
    side, message = case
    for one in (message, all_none(message)):
        value = json.loads(m.write_message(one))
        assert list(VALID[side].iter_errors(value)) == []
        assert read(value, side) == one
        assert m.write_message(read(value, side)) == m.write_message(one)


@pytest.mark.sampled(6)
@pytest.mark.long
@pytest.mark.parametrize("case", EVERY, ids=by_name)
def test_every_member_counts_for_reader_and_schema_alike(case: tuple[str, Any]) -> None:
    """What the schema refuses in a value of another type, or that lacks something, the reader refuses, and no more."""
    side, message = case
    value = m.as_json(message)
    for path in places(value):
        for wrong in ("", "Quatsch", -1, 2**40, 3.5, True, [], {}, [1], {"x": 1}):
            other = changed(value, path, wrong)
            is_fine = VALID[side].is_valid(other)
            found = read(other, side)
            if is_fine:
                assert not isinstance(found, UnreadableJson), (path, wrong)
            elif not isinstance(found, UnreadableJson):
                # told apart by the schema alone: an unknown member, and what is empty for a message without members
                assert VALID[side].is_valid(m.as_json(found)), (path, wrong)
                assert wrong in ("", [], {}, {"x": 1}), (path, wrong, found)
        lacking = without(value, path)
        assert VALID[side].is_valid(lacking) == (not isinstance(read(lacking, side), UnreadableJson)), path


def enumerations() -> list[tuple[str, list[str]]]:
    return [(name, one["enum"]) for name, one in SCHEMA["$defs"].items() if "enum" in one]


def test_every_enumeration_of_the_schema_is_ours() -> None:
    assert dict(enumerations()) == {
        "farbe": list(words.COLOUR_WORDS.values()),
        "rohstoff": list(words.RESOURCE_WORDS.values()),
        "gebäudetyp": list(words.BUILDING_KINDS),
        "status": list(words.STATUSES),
    }
    defs = SCHEMA["$defs"]
    assert set(defs["feld"]["properties"]["Typ"]["enum"]) == set(words.TERRAIN_WORDS.values())
    assert set(defs["hafen"]["properties"]["Typ"]["enum"]) == set(words.WHARF_WORDS.values())
    bought = next(one for one in defs["server"]["oneOf"] if "Entwicklungskarte gekauft" in one["required"])
    cards = bought["properties"]["Entwicklungskarte gekauft"]["properties"]["Entwicklungskarte"]["enum"]
    assert set(cards) == {*words.DEV_CARD_WORDS.values(), words.UNKNOWN}


@pytest.mark.parametrize("status", words.STATUSES)
def test_every_status_is_read_and_written(status: words.Status) -> None:
    value = m.as_json(m.StatusUpdate(m.PlayerState(1, status)))
    assert VALID["server"].is_valid(value)
    assert read(value, "server").player.status == status


@pytest.mark.parametrize("word", words.RESOURCE_WORDS.values())
def test_every_resource_is_read_in_capitals_too(word: str) -> None:
    assert read({"Monopol": {"Rohstoff": word.upper()}}, "client") == read({"Monopol": {"Rohstoff": word}}, "client")
    plain, capital = ({"Karten abgeben": {"Abgeben": {one: 2}}} for one in (word, word.upper()))
    assert read(plain, "client") == read(capital, "client")


@pytest.mark.parametrize(
    ("value", "same_as"),
    [
        ({"Würfeln": None}, {"Würfeln": {}}),
        ({"Würfeln": []}, {"Würfeln": {}}),
        ({"Würfeln": {"Zufall": 3}}, {"Würfeln": {}}),
        (
            {"Räuber versetzen": {"Ort": {"x": 0, "y": 1}, "Ziel": None}},
            {"Räuber versetzen": {"Ort": {"x": 0, "y": 1}}},
        ),
        ({"Handel abbrechen": {"Handel id": 3.0}}, {"Handel abbrechen": {"Handel id": 3}}),
        ({"würfeln": {}}, {"Würfeln": {}}),
        ({"Wuerfeln": {}, "Zeit": 7}, {"Würfeln": {}}),
        ({"Spiel Starten": {}}, {"Spiel starten": {}}),
        ({"Handel abbrechen": {"Handel Id": 3}}, {"Handel abbrechen": {"Handel id": 3}}),
        (
            {"Spieler": {"Name": "a\ud800\u0007\u202e \u200bb ", "Farbe": "weiss"}},
            {"Spieler": {"Name": "a b", "Farbe": "Weiß"}},
        ),
        ({"Karten abgeben": {"Abgeben": {"Holz": 1, "Erz": None}}}, {"Karten abgeben": {"Abgeben": {"Holz": 1}}}),
    ],
)
def test_reading_forgives_what_does_no_harm(value: Any, same_as: Any) -> None:
    assert read(value, "client") == m.read_message(same_as, "client")


@pytest.mark.parametrize(
    "value",
    [
        {},
        [],
        None,
        "Würfeln",
        {"Würfeln": {}, "Zug beenden": {}},
        {"Wurfeln": {}},
        {"Würfelwurf": {"Spieler": 1, "Wurf": [1, 2]}},
        {"Handel anbieten": {"Angebot": {"Holz": -1}, "Nachfrage": {"Erz": 1}}},
        {"Handel anbieten": {"Angebot": {"Unbekannt": 1}, "Nachfrage": {"Erz": 1}}},
        {"Spieler": {"Name": "a" * 61, "Farbe": "Rot"}},
        {"Spieler": {"Name": "a", "Farbe": "Red"}},
        {"Chatnachricht senden": {"Nachricht": "a" * 1001}},
        {"Bauen": {"Typ": "Dorf", "Ort": [{"x": 1, "y": 1}]}},
        {"Karten abgeben": {"Abgeben": {"Holz": 10**30}}},
        {"Karten abgeben": {"Abgeben": {"Holz": True}}},
    ],
)
def test_reading_refuses_the_rest_and_says_why(value: Any) -> None:
    found = read(value, "client")
    assert isinstance(found, UnreadableJson)
    assert str(found)


def test_own_cards_are_open_and_those_of_others_are_a_number() -> None:
    own, other = m.as_json(m.StatusUpdate(OWN)), m.as_json(m.StatusUpdate(OTHER))
    assert own["Statusupdate"]["Spieler"]["Rohstoffe"] == {"Holz": 1, "Erz": 2}
    assert own["Statusupdate"]["Spieler"]["Entwicklungskarten"] == {"Ritter": 2, "Siegpunkt": 1}
    assert other["Statusupdate"]["Spieler"]["Rohstoffe"] == {"Unbekannt": 7}
    assert m.as_json(m.CardsPaid(1, UnknownCards(1))) == {"Kosten": {"Spieler": 1, "Rohstoffe": {"Unbekannt": 1}}}
