"""SGN messages: every token in both directions, every spelling a reader must know, the schema, and where errors are."""

import json
from io import StringIO
from itertools import permutations
from random import Random
from typing import Any

import jsonschema
import pytest

from catan_p2p.game.board import DEFAULT_BOARD, DEFAULT_MAP, draw_map, make_map
from catan_p2p.game.cards import DEV_CARDS, ONE, RESOURCES
from catan_p2p.notation import Event, GameStarted, NotationError, NotExpressible, sgn
from catan_p2p.notation.sgn.words import places_of
from catan_p2p.view import events as e
from tests.for_each import for_each
from tests.notation import samples

PLACES = places_of(DEFAULT_BOARD)
UNTOLD = GameStarted((), DEFAULT_MAP)
"""A start that says nothing of its players, as files do that name none."""
MAP = next(sgn.lines([UNTOLD]))
CENTRE = PLACES.tiles[0, 0]
POINT = PLACES.intersections[(-1, 0), (0, -1), (0, 0)]
ROAD = PLACES.paths[tuple(sorted((POINT, PLACES.intersections[(0, -1), (0, 0), (1, -1)])))]
VALIDATOR = jsonschema.Draft202012Validator(sgn.schema())

MESSAGES: list[tuple[str, Event]] = [
    ('["1","BS",{"intersection":[[0,-1],[0,0],[-1,0]]}]', e.VillageBuilt(1, POINT)),
    ('["6","BC",{"intersection":[[0,-1],[0,0],[-1,0]]}]', e.CityBuilt(6, POINT)),
    ('["2","BR",{"path":[[[0,-1],[0,0],[-1,0]],[[1,-1],[0,0],[0,-1]]]}]', e.RoadBuilt(2, ROAD)),
    *(
        (f'["3","BD",{{"cCode":"{code}"}}]', e.DevCardBought(3, card))
        for code, card in zip(("MO", "YP", "RB", "KN", "VP"), DEV_CARDS, strict=True)
    ),
    *((f'["4","RD",{{"result":{dice}}}]', e.DiceRolled(4, dice)) for dice in range(2, 13)),
    *(
        (f'["5","PD",{{"cCode":"MO","rCodes":["{code}"]}}]', e.MonopolyPlayed(5, resource))
        for code, resource in zip("LBWGO", RESOURCES, strict=True)
    ),
    ('["2","PD",{"cCode":"YP","rCodes":["G","B"]}]', e.YearOfPlentyPlayed(2, "Grain", "Brick")),
    ('["2","PD",{"cCode":"KN"}]', e.KnightPlayed(2)),
    ('["2","PD",{"cCode":"VP"}]', e.VictoryPointPlayed(2)),
    (
        '["2","TR",[{"player":"2","resources":{"B":1,"O":-4}},{"player":"B","resources":{"B":-1,"O":4}}]]',
        e.BankTrade(2, 4 * ONE["Ore"], ONE["Brick"], None),
    ),
    (
        '["2","TR",[{"player":"2","resources":{"B":-1,"L":1,"O":-1}},{"player":"1","resources":{"B":1,"L":-1,"O":1}}]]',
        e.PlayerTrade(2, 1, ONE["Brick"] + ONE["Ore"], ONE["Lumber"]),
    ),
    (
        '["1","TR",[{"player":"1","resources":{"L":-1,"O":-2}},{"player":"B","resources":{"L":1,"O":2}}]]',
        e.CardsDiscarded(1, ONE["Lumber"] + 2 * ONE["Ore"]),
    ),
]


def read(*messages: str) -> list[Event]:
    return list(sgn.read(StringIO("".join(f"{line}\n" for line in (MAP, *messages)), newline="\n")))[1:]


def error_of(*lines: str) -> NotationError:
    with pytest.raises(NotationError) as raised:
        list(sgn.read(StringIO("".join(f"{line}\n" for line in lines), newline="\n")))
    return raised.value


@for_each(("message", "event"), MESSAGES, ids=[message for message, _ in MESSAGES])
def test_every_kind_of_message_in_both_directions(message: str, event: Event) -> None:
    assert read(message) == [event]
    assert list(sgn.lines([UNTOLD, event]))[1:] == [message]
    VALIDATOR.validate(json.loads(message))


def test_a_robbery_is_two_messages() -> None:
    moved = '["1","MR",{"tile":[0,0]}]'
    stolen = '["1","ST",[{"player":"1","resources":{"W":1}},{"player":"3","resources":{"W":-1}}]]'
    village = MESSAGES[0][0]
    event = e.BanditMoved(1, CENTRE, 3, "Wool")
    assert read(village, moved, stolen)[1:] == [event]
    assert list(sgn.lines([UNTOLD, event]))[1:] == [moved, stolen]
    assert read(village, moved)[1:] == [e.BanditMoved(1, CENTRE, None, "none")]
    assert read(village, moved, '["2","RD",{"result":3}]')[1:] == [
        e.BanditMoved(1, CENTRE, None, "none"),
        e.DiceRolled(2, 3),
    ]


def test_the_bandit_before_the_first_village_only_stands() -> None:
    moved = '["1","MR",{"tile":[0,0]}]'
    assert read(moved, MESSAGES[0][0])[0] == e.BanditStands(1, CENTRE)
    assert list(sgn.lines([UNTOLD, e.BanditStands(1, CENTRE)]))[1:] == [moved]


def test_up_to_two_roads_after_road_building_are_free() -> None:
    card, road = '["2","PD",{"cCode":"RB"}]', MESSAGES[2][0]
    assert read(card) == [e.RoadBuildingPlayed(2, None, None)]
    assert read(card, road) == [e.RoadBuildingPlayed(2, ROAD, None)]
    assert read(card, road, road) == [e.RoadBuildingPlayed(2, ROAD, ROAD)]
    assert read(card, road, road, road) == [e.RoadBuildingPlayed(2, ROAD, ROAD), e.RoadBuilt(2, ROAD)]
    assert read(card, '["3","RD",{"result":3}]', road) == [
        e.RoadBuildingPlayed(2, None, None),
        e.DiceRolled(3, 3),
        e.RoadBuilt(2, ROAD),
    ]
    for event, count in ((e.RoadBuildingPlayed(2, ROAD, ROAD), 3), (e.RoadBuildingPlayed(2, ROAD, None), 2)):
        assert len(list(sgn.lines([UNTOLD, event]))[1:]) == count


def test_every_token_of_every_family_in_both_directions() -> None:
    for event in samples.every_token():
        lines = list(sgn.lines([UNTOLD, e.VillageBuilt(1, 1), event]))
        for line in lines[1:]:
            VALIDATOR.validate(json.loads(line))
        back = list(sgn.read(StringIO("".join(f"{line}\n" for line in lines), newline="\n")))[2:]
        assert back == [read_back(event)] * (len(lines) > 2), event


def read_back(event: Event) -> Event:
    """What of an event can be read in an SGN file, once there is a village."""
    if isinstance(event, e.BankTrade):
        return e.BankTrade(event.player, event.give, event.receive, None)
    if isinstance(event, e.BanditMoved) and event.card == "none":
        return e.BanditMoved(event.player, event.to, None, "none")
    if isinstance(event, e.BanditStands):
        return e.BanditMoved(event.player, event.at, None, "none")
    return event


def test_ends_have_no_messages() -> None:
    assert list(sgn.lines([UNTOLD, e.TurnEnded(1, 5), e.GameWon(1)]))[1:] == []


# Spellings that a reader must know


def test_an_intersection_is_a_set_of_tiles() -> None:
    for point, text in enumerate(PLACES.intersection_texts[1:], 1):
        for tiles in permutations(json.loads(text)):
            assert read(f'["1","BS",{{"intersection":{json.dumps(tiles)}}}]') == [e.VillageBuilt(1, point)]


def test_a_path_is_a_set_of_intersections() -> None:
    for road, text in enumerate(PLACES.path_texts[1:], 1):
        one, other = json.loads(text)
        for path in ([one, other], [other, one], [one[::-1], other[::-1]]):
            assert read(f'["1","BR",{{"path":{json.dumps(path)}}}]') == [e.RoadBuilt(1, road)]


def test_coordinates_may_be_strings_as_in_older_files() -> None:
    message = '["1","BS",{"intersection":[["0","-1"],["0","0"],["-1","0"]]}]'
    assert read(message) == [e.VillageBuilt(1, POINT)]


def test_messages_may_be_objects_as_in_version_0_4() -> None:
    message = '{"value":{"result":4},"aCode":"RD","player":"1"}'
    assert read(message) == [e.DiceRolled(1, 4)]
    _, line = json.loads(MAP)[:2], json.loads(MAP)
    start = {"aCode": "DM", "player": "1", "value": line[2]}
    (event,) = sgn.read(StringIO(json.dumps(start) + "\n"))
    assert isinstance(event, GameStarted)
    assert event.map == DEFAULT_MAP


def test_blanks_within_a_message() -> None:
    assert read(' [ "4" , "RD" , { "result" : 5 } ] ') == [e.DiceRolled(4, 5)]


def test_the_two_entries_of_a_trade_may_come_in_either_order() -> None:
    mine = '{"resources":{"L":2,"B":-1},"player":"2"}'
    banks = '{"player":"B","resources":{"B":1,"L":-2}}'
    event = e.BankTrade(2, ONE["Brick"], 2 * ONE["Lumber"], None)
    assert read(f'["2","TR",[{mine},{banks}]]') == read(f'["2","TR",[{banks},{mine}]]') == [event]


def test_the_sender_of_a_trade_need_not_be_in_it() -> None:
    trade = '[{"player":"4","resources":{"W":-1,"O":1}},{"resources":{"O":-1,"W":1},"player":"3"}]'
    assert read(f'["3","TR",{trade}]') == [e.PlayerTrade(3, 4, ONE["Ore"], ONE["Wool"])]
    assert read(f'["4","TR",{trade}]') == [e.PlayerTrade(4, 3, ONE["Wool"], ONE["Ore"])]
    assert read(f'["1","TR",{trade}]') == [e.PlayerTrade(4, 3, ONE["Wool"], ONE["Ore"])]


def test_the_victim_may_be_named_first() -> None:
    theft = '["4","ST",[{"resources":{"L":-1},"player":"2"},{"player":"4","resources":{"L":1}}]]'
    assert read(MESSAGES[0][0], '["4","MR",{"tile":["0","0"]}]', theft)[1:] == [e.BanditMoved(4, CENTRE, 2, "Lumber")]


def test_an_empty_list_of_resources_for_a_card_that_has_none() -> None:
    assert read('["2","PD",{"cCode":"KN","rCodes":[]}]') == [e.KnightPlayed(2)]


# The map


def test_the_map_lists_all_tiles_and_harbors() -> None:
    value = json.loads(MAP)[2]
    assert len(value["tiles"]) == 37
    assert len(value["harbors"]) == 9
    assert value["tiles"][0] == {"tile": [0, -3], "tCode": "S", "rNumber": None}
    (start,) = sgn.read(StringIO(MAP + "\n"))
    assert isinstance(start, GameStarted)
    assert start.map == DEFAULT_MAP
    assert start.players == ()


def test_a_map_in_any_order() -> None:
    message = json.loads(MAP)
    message[2]["tiles"].reverse()
    message[2]["harbors"].reverse()
    (start,) = sgn.read(StringIO(json.dumps(message) + "\n"))
    assert isinstance(start, GameStarted)
    assert start.map == DEFAULT_MAP


def test_a_larger_island() -> None:
    start = GameStarted((), draw_map("large", Random(1)))
    text = samples.written([start], "sgn")
    assert samples.read_back(text, "sgn") == [start]
    VALIDATOR.validate(json.loads(text))


def test_maps_that_cannot_be_written() -> None:
    few = make_map([tile for tile in DEFAULT_MAP.tiles if tile.at.row < 2], ())
    with pytest.raises(NotExpressible, match="at least 37 tiles and 8 harbors"):
        list(sgn.lines([GameStarted(samples.participants(2), few)]))


# What cannot be said


@for_each(
    "event",
    [
        e.DevCardBought(1, None),
        e.BanditMoved(1, CENTRE, 2, None),
        e.BanditMoved(1, CENTRE, None, "Ore"),
        e.BankTrade(1, ONE["Ore"], 0, "4:1"),
        e.BankTrade(1, 0, 0, "4:1"),
        e.PlayerTrade(1, 2, ONE["Ore"], ONE["Ore"]),
        e.CardsDiscarded(1, 0),
        samples.start(),
    ],
    ids=repr,
)
def test_an_event_that_it_can_neither_say_nor_leave_out(event: Event) -> None:
    with pytest.raises(NotExpressible):
        list(sgn.lines([UNTOLD, event]))


# Errors


@pytest.mark.parametrize(
    ("message", "column", "expected"),
    [
        ("", 1, "Expecting value"),
        ("[", 2, "Expecting value"),
        ("[1,2", 5, "Expecting ',' delimiter"),
        ('["1","RD"]', 1, "[player, code, value]"),
        ('["1","RD",{"result":3},0]', 1, "[player, code, value]"),
        ('"RD"', 1, "[player, code, value]"),
        ('{"player":"1","aCode":"RD"}', 1, "[player, code, value]"),
        ('["7","RD",{"result":3}]', 2, 'a player, "1" to "6"'),
        ('["B","RD",{"result":3}]', 2, 'a player, "1" to "6"'),
        ('[1,"RD",{"result":3}]', 2, 'a player, "1" to "6"'),
        ('["1","XX",{"result":3}]', 6, "a code, one of BC, BD"),
        ('["1",3,{"result":3}]', 6, "a code of two letters"),
        ('["1","RD",{"result":13}]', 21, "a sum of two dice (2 to 12)"),
        ('["1","RD",{"result":1}]', 21, "a sum of two dice (2 to 12)"),
        ('["1","RD",{"result":3.0}]', 21, "a sum of two dice"),
        ('["1","RD",{"result":true}]', 21, "a sum of two dice"),
        ('["1","RD",{"result":"3"}]', 21, "a sum of two dice"),
        ('["1","RD",[3]]', 11, "an object with result"),
        ('["1","RD",{}]', 11, "an object with result"),
        ('["1","RD",{"result":3,"player":"1"}]', 23, "no member but result"),
        ('["1","RD",{"result":3,"result":3}]', 1, "'result' is there twice"),
        ('["1","RD",{"result":NaN}]', 1, "NaN is not a number"),
        ('["1","RD",{"result":' + "9" * 5000 + "}]", 1, "not JSON"),
        ('["1","BS",{"tile":[0,0]}]', 12, "no member but intersection"),
        ('["1","BS",{"intersection":[[0,0],[0,1]]}]', 27, "an array of 3 tiles"),
        ('["1","BS",{"intersection":[[0,0],[0,1],[2,0]]}]', 27, "three tiles of the map that meet"),
        ('["1","BS",{"intersection":[[0,0],[0,1],[0,"x"]]}]', 43, "a coordinate (-99 to 99)"),
        ('["1","BS",{"intersection":[[0,0],[0,1],[0,"01"]]}]', 43, "a coordinate"),
        ('["1","BS",{"intersection":[[0,0],[0,1],[0]]}]', 40, "an array of 2 coordinates"),
        ('["1","BR",{"path":[[[0,0],[0,1],[-1,1]],[[0,0],[0,1],[-1,1]]]}]', 19, "two neighbouring intersections"),
        ('["1","BD",{"cCode":"SO"}]', 20, "a development card, one of KN, MO"),
        ('["1","PD",{"cCode":"MO"}]', 11, "an object with cCode and rCodes, for MO"),
        ('["1","PD",{"cCode":"MO","rCodes":["B","B"]}]', 34, "an array of 1 resources"),
        ('["1","PD",{"cCode":"MO","rCodes":["KN"]}]', 35, "a resource, one of B, G"),
        ('["1","PD",{"cCode":"YP","rCodes":["B"]}]', 34, "an array of 2 resources"),
        ('["1","PD",{"cCode":"KN","rCodes":["B"]}]', 34, "an array of 0 resources"),
        ('["1","MR",{"tile":[4,0]}]', 19, "a tile of the map"),
        ('["1","TR",[{"player":"1","resources":{"B":1}}]]', 11, "an array of 2 entries"),
        (
            '["1","TR",[{"player":"1","resources":{"B":1}},{"player":"1","resources":{"B":-1}}]]',
            57,
            "another player than in the first entry",
        ),
        (
            '["1","TR",[{"player":"1","resources":{"B":1}},{"player":"2","resources":{"B":1}}]]',
            73,
            "the opposite of the first entry's resources",
        ),
        (
            '["1","TR",[{"player":"1","resources":{"B":0}},{"player":"2","resources":{"B":0}}]]',
            38,
            "at least one card",
        ),
        (
            '["1","TR",[{"player":"1","resources":{}},{"player":"2","resources":{}}]]',
            38,
            "an object of resources and numbers",
        ),
        (
            '["1","TR",[{"player":"1","resources":{"X":1}},{"player":"2","resources":{"X":-1}}]]',
            39,
            "a resource, one of B, G",
        ),
        (
            '["1","TR",[{"player":"one","resources":{"B":1}},{"player":"2","resources":{"B":-1}}]]',
            22,
            'a player, "1" to "6", or "B"',
        ),
        ('["1","ST",[]]', 11, "an array of 2 entries"),
        (
            '["1","ST",[{"player":"1","resources":{"B":1}},{"player":"2","resources":{"B":-1}}]]',
            6,
            "a theft right after the same player has moved the robber",
        ),
        (
            '["3","ST",[{"player":"1","resources":{"B":1}},{"player":"2","resources":{"B":-1}}]]',
            11,
            "the thief, who says it, and a victim",
        ),
        (
            '["1","ST",[{"player":"1","resources":{"B":-1}},{"player":"2","resources":{"B":1}}]]',
            11,
            "one card for the thief",
        ),
        (
            '["1","ST",[{"player":"1","resources":{"B":2}},{"player":"2","resources":{"B":-2}}]]',
            11,
            "one card for the thief",
        ),
        (MAP, 6, "no second map"),
        ('["1","RD",{"result":3}]\r', 24, "LF"),
    ],
)
def test_an_error_names_line_column_and_what_was_expected(message: str, column: int, expected: str) -> None:
    error = error_of(MAP, '["1","RD",{"result":3}]', message)
    assert error.line == 3
    assert expected in str(error)
    assert error.column == column, error


def test_deep_nesting_is_an_error_whether_or_not_this_python_reads_it() -> None:
    error = error_of(MAP, "[" * 30_000 + "]" * 30_000)
    assert (error.line, error.column) == (2, 1)
    assert "nested too deeply" in str(error) or "[[..., expected" in str(error).replace("'", "")


def test_a_theft_by_another_player_is_an_error() -> None:
    stolen = '["1","ST",[{"player":"1","resources":{"W":1}},{"player":"3","resources":{"W":-1}}]]'
    assert "a theft right after" in str(error_of(MAP, MESSAGES[0][0], '["2","MR",{"tile":[0,0]}]', stolen))
    assert "a theft right after" in str(error_of(MAP, MESSAGES[0][0], '["1","MR",{"tile":[0,0]}]', stolen, stolen))


def broken_maps() -> list[tuple[str, Any, str]]:
    def changed(change: Any) -> Any:
        message = json.loads(MAP)
        change(message[2])
        return message

    return [
        ("a tile is missing", changed(lambda value: value["tiles"].pop(18)), "an array of 37 to 127 tiles"),
        (
            "land without a neighbour",
            changed(lambda value: value["tiles"][0].update(tile=[9, 9])),
            "land whose six neighbours are all on the map",
        ),
        ("a tile twice", changed(lambda value: value["tiles"][1].update(tile=[0, -3])), "a tile that is not there yet"),
        ("an unknown code", changed(lambda value: value["tiles"][20].update(tCode="X")), "a terrain, one of H, M"),
        ("a seven", changed(lambda value: value["tiles"][20].update(rNumber=7)), "a number, 2 to 6 or 8 to 12"),
        ("no number", changed(lambda value: value["tiles"][20].update(rNumber=None)), "a number, 2 to 6 or 8 to 12"),
        ("a number at sea", changed(lambda value: value["tiles"][0].update(rNumber=4)), "null, for sea"),
        (
            "few harbors",
            changed(lambda value: value.update(harbors=value["harbors"][:7])),
            "an array of 8 to 127 harbors",
        ),
        ("no harbors", changed(lambda value: value.pop("harbors")), "an object with tiles and harbors"),
        (
            "a harbor twice",
            changed(lambda value: value["harbors"].append(value["harbors"][0])),
            "a path on the coast without a harbor",
        ),
        (
            "a harbor inland",
            changed(lambda value: value["harbors"][0].update(path=json.loads(PLACES.path_texts[ROAD]))),
            "a path on the coast without a harbor",
        ),
        ("an unknown harbor", changed(lambda value: value["harbors"][0].update(hCode="HRX")), "a harbor, one of HR"),
    ]


@for_each(("what", "message", "expected"), broken_maps(), ids=[what for what, _, _ in broken_maps()])
def test_a_broken_map_is_an_error(what: str, message: Any, expected: str) -> None:
    error = error_of(json.dumps(message))
    assert expected in str(error)
    assert error.line == 1
    assert error.column > 1


def test_the_first_line_is_the_map() -> None:
    assert '"DM", the map, before anything else' in str(error_of('["1","RD",{"result":3}]'))
    with pytest.raises(NotationError, match="the file is empty"):
        list(sgn.read(StringIO("")))


def test_going_on_after_errors() -> None:
    errors: list[NotationError] = []
    lines = (MAP, '["1","RD",{"result":13}]', "{", '["1","RD",{"result":12}]')
    events = list(sgn.read(StringIO("".join(f"{line}\n" for line in lines)), errors.append))
    assert events[1:] == [e.DiceRolled(1, 12)]
    assert [error.line for error in errors] == [2, 3]


# The schema


@for_each(
    "message",
    [
        '["1","PD",{"cCode":"MO","rCodes":["KN"]}]',
        '["1","PD",{"cCode":"MO","rCodes":["O","O"]}]',
        '["1","PD",{"cCode":"YP","rCodes":["O"]}]',
        '["1","PD",{"cCode":"MO"}]',
        '["1","PD",{"cCode":"KN","rCodes":["O"]}]',
        '["1","ST"]',
        '["1","ST",[]]',
        '["1","ST",[{"player":"1","resources":{"B":1}},{"player":"B","resources":{"B":-1}}]]',
        '["1","TR",[{"player":"1","resources":{"B":1}},{"player":"x","resources":{"B":-1}}]]',
        '["1","TR",[{"player":"1","resources":{"B":1}},{"player":"B"}]]',
        '["1","TR",[{"player":"1","resources":{}},{"player":"2","resources":{}}]]',
        '["B","RD",{"result":3}]',
        '["1","RD",{"result":13}]',
        '["1","RD",{"result":3,"player":"1"}]',
        '["1","BS",{"intersection":[["0","-1"],["0","0"],["-1","0"]]}]',
        '{"player":"1","aCode":"RD","value":{"result":3}}',
    ],
)
def test_the_schema_refuses(message: str) -> None:
    assert not VALIDATOR.is_valid(json.loads(message))


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(sgn.schema())


@for_each(("what", "message", "expected"), broken_maps(), ids=[what for what, _, _ in broken_maps()])
def test_the_schema_refuses_maps_as_far_as_it_can(what: str, message: Any, expected: str) -> None:
    if what not in ("land without a neighbour", "a tile twice", "a harbor twice", "a harbor inland"):
        assert not VALIDATOR.is_valid(message)
