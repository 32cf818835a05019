"""``.catan`` files, line by line: every token in both directions, every dialect, and where errors are."""

from collections.abc import Callable
from datetime import datetime
from io import StringIO

import pytest

from catan_p2p.game.board import DEFAULT_MAP, THREE_TO_ONE
from catan_p2p.game.cards import ONE, RESOURCES
from catan_p2p.notation import Event, GameStarted, NotationError, NotExpressible, Participant, catanlog
from catan_p2p.notation.coordinates import STANDARD_PLACES as PLACES
from catan_p2p.view import events as e
from tests.for_each import for_each
from tests.notation import samples

HEADER = """\
catanlog v0.10.0
timestamp: 2016-02-15 22:45:00
players: 4
name: josh, color: blue, seat: 1
name: mike, color: orange, seat: 2
name: hoskins, color: red, seat: 3
name: timo, color: green, seat: 4
terrain: ore wheat wheat wood brick wheat sheep sheep ore brick wood sheep brick wood ore wheat wood sheep desert
numbers: 10 12 9 8 5 6 11 5 8 10 9 2 6 11 3 4 3 4 None
ports: 3:1(1 NW) wood(2 W) brick(4 W) 3:1(5 SW) 3:1(6 SE) sheep(8 SE) 3:1(9 E) ore(10 NE) wheat(12 NE)
...CATAN!
"""
BLUE, ORANGE, RED, GREEN = 1, 2, 3, 4
NODE, EDGE = PLACES.nodes["(1 NW)"], PLACES.edges["(1 NW)"]
TILE = PLACES.tiles[1]

LINES: list[tuple[str, Event]] = [
    ("blue rolls 8", e.DiceRolled(BLUE, 8)),
    ("red rolls 2 ...DEUCES!", e.DiceRolled(RED, 2)),
    ("green moves robber to 1, steals from red", e.BanditMoved(GREEN, TILE, RED, None)),
    ("green moves robber to 1, steals from nobody", e.BanditMoved(GREEN, TILE, 0, "none")),
    ("blue buys road, builds at (1 NW)", e.RoadBuilt(BLUE, EDGE)),
    ("blue buys settlement, builds at (1 NW)", e.VillageBuilt(BLUE, NODE)),
    ("orange buys city, builds at (1 NW)", e.CityBuilt(ORANGE, NODE)),
    ("red buys dev card", e.DevCardBought(RED, None)),
    (
        "blue trades [3 wheat] to port 3:1 for [1 sheep]",
        e.BankTrade(BLUE, 3 * ONE["Grain"], ONE["Wool"], "3:1"),
    ),
    ("blue trades [4 ore] to port 4:1 for [1 wood]", e.BankTrade(BLUE, 4 * ONE["Ore"], ONE["Lumber"], "4:1")),
    (
        "orange trades [6 wheat] to port wheat for [3 ore]",
        e.BankTrade(ORANGE, 6 * ONE["Grain"], 3 * ONE["Ore"], "Grain"),
    ),
    ("blue trades [] to port 4:1 for []", e.BankTrade(BLUE, 0, 0, "4:1")),
    (
        "green trades [1 brick, 1 wheat] to player red for [1 sheep]",
        e.PlayerTrade(GREEN, RED, ONE["Grain"] + ONE["Brick"], ONE["Wool"]),
    ),
    ("green trades [] to player red for [1 sheep]", e.PlayerTrade(GREEN, RED, 0, ONE["Wool"])),
    ("blue plays knight", e.KnightPlayed(BLUE)),
    (
        "blue plays road builder, builds at (1 NW) and (19 E)",
        e.RoadBuildingPlayed(BLUE, EDGE, PLACES.edges["(19 E)"]),
    ),
    ("blue plays road builder, builds at (1 NW) and (1 NW)", e.RoadBuildingPlayed(BLUE, EDGE, None)),
    ("red plays year of plenty, takes wood and brick", e.YearOfPlentyPlayed(RED, "Lumber", "Brick")),
    ("red plays monopoly on ore", e.MonopolyPlayed(RED, "Ore")),
    ("red plays victory point", e.VictoryPointPlayed(RED)),
    ("green ends turn after 15s", e.TurnEnded(GREEN, 15)),
    ("green ends turn after -3s", e.TurnEnded(GREEN, -3)),
    ("green ends turn after 1735689600s", e.TurnEnded(GREEN, 1735689600)),
    ("green wins", e.GameWon(GREEN)),
]


def read(body: str, header: str = HEADER) -> list[Event]:
    return list(catanlog.read(StringIO(header + body, newline="\n")))


def read_line(line: str) -> list[Event]:
    return read(line + "\n")[1:]


def error_of(text: str) -> NotationError:
    with pytest.raises(NotationError) as raised:
        list(catanlog.read(StringIO(text, newline="\n")))
    return raised.value


def canonical(line: str) -> str:
    # 19 E is the west edge of 17, which has the lower id
    return line.replace("(19 E)", "(17 W)")


@for_each(("line", "event"), LINES, ids=[line for line, _ in LINES])
def test_every_kind_of_line_in_both_directions(line: str, event: Event) -> None:
    assert read_line(line) == [event]
    assert list(catanlog.lines([*read(""), event]))[-1] == canonical(line)


@pytest.mark.parametrize(("kind", "what", "event_of"), [("node", "city", e.CityBuilt), ("edge", "road", e.RoadBuilt)])
def test_every_spelling_of_a_place_is_read_and_the_canonical_one_written(
    kind: str, what: str, event_of: Callable[[int, int], Event]
) -> None:
    for spelled, place in getattr(PLACES, f"{kind}s").items():
        (event,) = read_line(f"blue buys {what}, builds at {spelled}")
        assert event == event_of(BLUE, place), spelled
        last = list(catanlog.lines([*read(""), event]))[-1]
        assert last == f"blue buys {what}, builds at {getattr(PLACES, f'{kind}_names')[place]}", spelled


def test_every_token_of_every_family_in_both_directions() -> None:
    for event in samples.every_token():
        lines = list(catanlog.lines([samples.start(), event]))[11:]
        back = samples.read_back(samples.written([samples.start(), event], "catan"), "catan")[1:]
        assert back == [read_back(event) for _ in lines], event


def read_back(event: Event) -> Event:
    """What of an event can be read in a ``.catan`` file."""
    if isinstance(event, e.DevCardBought):
        return e.DevCardBought(event.player, None)
    if isinstance(event, e.BanditMoved) and event.victim:
        return e.BanditMoved(event.player, event.to, event.victim, None)
    return event


def test_what_the_format_cannot_say_is_left_out() -> None:
    silent = [e.BanditStands(1, 19), e.CardsDiscarded(2, ONE["Ore"])]
    assert len(list(catanlog.lines([samples.start(), *silent]))) == 11


# The header


def test_the_header_says_who_plays_on_which_map() -> None:
    (start,) = read("")
    assert isinstance(start, GameStarted)
    assert start.map == DEFAULT_MAP
    assert start.started == datetime(2016, 2, 15, 22, 45)
    assert start.players[2] == Participant(3, "hoskins", "red")
    assert samples.written([start], "catan") == HEADER


def test_players_are_numbered_by_seat_whatever_their_order_in_the_file() -> None:
    lines = HEADER.splitlines(keepends=True)
    start, event = read("red rolls 8\n", "".join([*lines[:3], *lines[3:7][::-1], *lines[7:]]))
    assert isinstance(start, GameStarted)
    assert [player.colour for player in start.players] == ["blue", "orange", "red", "green"]
    assert event == e.DiceRolled(RED, 8)


def test_a_board_without_ports() -> None:
    lines = HEADER.splitlines()
    header = "\n".join([*lines[:9], "ports: ", lines[10], ""])
    (start,) = read("", header)
    assert isinstance(start, GameStarted)
    assert start.map.wharfs == ()
    assert samples.written([start], "catan") == header


def test_every_kind_of_port_on_every_edge_of_the_coast() -> None:
    types = [THREE_TO_ONE, *RESOURCES]
    lines = HEADER.splitlines()
    words = ("3:1", "wood", "brick", "sheep", "wheat", "ore")
    coast = [name for name in PLACES.edges if _is_coast(name)]
    assert len(coast) == 30
    for i, edge in enumerate(coast):
        (start,) = read("", "\n".join([*lines[:9], f"ports: {words[i % 6]}{edge}", lines[10], ""]))
        assert isinstance(start, GameStarted)
        assert [wharf.type for wharf in start.map.wharfs] == [types[i % 6]]
        assert samples.written([start], "catan").splitlines()[9] == f"ports: {words[i % 6]}{edge}"


def _is_coast(name: str) -> bool:
    from catan_p2p.game.board import DEFAULT_BOARD

    one, other = DEFAULT_BOARD.road_tiles[PLACES.edges[name]]
    return DEFAULT_MAP.tiles[one - 1].is_land != DEFAULT_MAP.tiles[other - 1].is_land


def test_a_name_with_commas_is_split_at_the_last_color() -> None:
    name = "x, color: y, seat: 1"
    header = HEADER.replace("name: josh,", f"name: {name},")
    (start,) = read("", header)
    assert isinstance(start, GameStarted)
    assert start.players[0].name == name
    assert samples.written([start], "catan") == header


@for_each(
    ("players", "what"),
    [
        ((), "those of this game are unknown"),
        ((Participant(1, "a\nb", "red"),), "has no escape"),
        ((Participant(1, "a", "light red"),), "expected one word"),
        ((Participant(1, "a", "nobody"),), "expected one word"),
    ],
)
def test_players_that_the_header_cannot_say(players: tuple[Participant, ...], what: str) -> None:
    with pytest.raises(NotExpressible, match=what):
        list(catanlog.lines([GameStarted(players, DEFAULT_MAP)]))


def test_only_the_standard_island_can_be_written() -> None:
    tiles = tuple(tile for tile in DEFAULT_MAP.tiles if tile.at.row < 2 or not tile.is_land)
    with pytest.raises(NotExpressible, match="only the standard island"):
        list(catanlog.lines([GameStarted(samples.participants(2), DEFAULT_MAP._replace(tiles=tiles))]))


@for_each(
    ("old", "new", "line", "column", "expected"),
    [
        ("catanlog v0.10.0", "catanlog", 1, 9, "' '"),
        ("catanlog v0.10.0", "catanlog v1.0.0", 1, 11, "a version of the format that begins with 0."),
        ("catanlog v0.10.0", "settlers", 1, 1, "'catanlog'"),
        ("22:45:00", "22:75:00", 2, 12, "a time such as"),
        ("22:45:00", "22:45", 2, 12, "a time such as"),
        ("22:45:00", "22:45:00.5", 2, 12, "a time such as"),
        ("players: 4", "players: 7", 3, 10, "a number of players (2 to 6)"),
        ("players: 4", "players: 5", 8, 1, "'name: '"),
        ("seat: 2", "seat: 1", 5, 34, "a seat that nobody has yet"),
        ("seat: 2", "seat: 0", 5, 34, "a seat (1 to 6)"),
        ("orange, seat", "blue, seat", 5, 20, "a color that nobody has yet"),
        ("orange, seat", "light blue, seat", 5, 20, "a color: one word"),
        (", color: orange", "", 5, 7, "a name, then ', color: '"),
        ("terrain: ore", "terrain: gold", 8, 10, "the terrain of tile 1"),
        (" desert", "", 8, 107, "' '"),
        ("numbers: 10", "numbers: 7", 9, 10, "a number other than 7"),
        ("numbers: 10", "numbers: None", 9, 10, "the number of tile 1, which is ore"),
        (" None", " 4", 9, 51, "'None'"),
        ("ports: 3:1(1 NW)", "ports: gold(1 NW)", 10, 8, "a port, one of 3:1, wood"),
        ("ports: 3:1(1 NW)", "ports: 3:1(1 N)", 10, 11, "an edge on the coast"),
        ("ports: 3:1(1 NW)", "ports: 3:1(1 E)", 10, 11, "an edge on the coast"),
        ("wood(2 W)", "wood(1 NW)", 10, 22, "an edge without a port"),
        ("...CATAN!", "..CATAN!", 11, 1, "'...CATAN!'"),
    ],
)
def test_an_error_in_the_header_names_line_column_and_what_was_expected(
    old: str, new: str, line: int, column: int, expected: str
) -> None:
    assert old in HEADER
    error = error_of(HEADER.replace(old, new, 1))
    assert (error.line, error.column) == (line, column), error
    assert f"expected {expected}" in str(error)


def test_a_file_that_ends_in_its_header() -> None:
    for end in range(len(HEADER)):
        assert error_of(HEADER[:end])


# Dialects


@for_each("version", ["catanlog 0.5.10", "catanlog v0.4.5", "catanlog 0.8.2", "catanlog v0.9.4"])
def test_versions_with_and_without_a_letter(version: str) -> None:
    (start,) = read("", HEADER.replace("catanlog v0.10.0", version))
    assert isinstance(start, GameStarted)
    assert start.version == version.split(" ")[1].removeprefix("v")


def test_fractional_seconds_in_the_timestamp() -> None:
    (start,) = read("", HEADER.replace("22:45:00", "22:45:00.681384"))
    assert isinstance(start, GameStarted)
    assert start.started == datetime(2016, 2, 15, 22, 45, 0, 681384)


OLD_LINES: list[tuple[str, list[Event]]] = [
    ("blue rolls 8 ", [e.DiceRolled(BLUE, 8)]),
    ("blue ends turn", [e.TurnEnded(BLUE, None)]),
    (
        "blue plays dev card: knight, moves robber to 1, steals from red",
        [e.KnightPlayed(BLUE), e.BanditMoved(BLUE, TILE, RED, None)],
    ),
    (
        "blue plays dev card: knight, moves robber to 1, steals from nobody",
        [e.KnightPlayed(BLUE), e.BanditMoved(BLUE, TILE, 0, "none")],
    ),
    ("blue plays dev card: monopoly on ore", [e.MonopolyPlayed(BLUE, "Ore")]),
    (
        "blue plays dev card: year of plenty, takes ore and ore",
        [e.YearOfPlentyPlayed(BLUE, "Ore", "Ore")],
    ),
    (
        "blue plays dev card: road builder, builds at (1 NW) and (1 W)",
        [e.RoadBuildingPlayed(BLUE, EDGE, PLACES.edges["(1 W)"])],
    ),
    ("blue plays dev card: victory point", [e.VictoryPointPlayed(BLUE)]),
    ("blue buys settlement, builds at 137", [e.VillageBuilt(BLUE, PLACES.nodes["(19 NE)"])]),
    ("blue buys road, builds at 136", [e.RoadBuilt(BLUE, PLACES.edges["(19 E)"])]),
    ("blue moves robber to 153, steals from red", [e.BanditMoved(BLUE, PLACES.tiles[17], RED, None)]),
]


@for_each(("line", "events"), OLD_LINES, ids=[line for line, _ in OLD_LINES])
def test_lines_of_older_dialects_are_read(line: str, events: list[Event]) -> None:
    assert read_line(line) == events


# Errors


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        ("", 1, "a player, one of blue, orange, red, green"),
        ("white rolls 8", 1, "a player, one of blue"),
        ("blue", 5, "' '"),
        ("blue rolls 13", 12, "a sum of two dice (2 to 12)"),
        ("blue rolls 08", 12, "a sum of two dice"),
        ("blue rolls 2", 13, "' ...DEUCES!'"),
        ("blue rolls 8 ...DEUCES!", 14, "the end of the line"),
        ("blue sings", 6, "what the player does, one of rolls"),
        ("blue moves robber to 20, steals from red", 22, "a tile (1 to 19)"),
        ("blue moves robber to 1, steals from pink", 37, "a player, one of"),
        ("blue buys castle", 11, "'road, builds at '"),
        ("blue buys city, builds at (1 E)", 27, "a node such as"),
        ("blue buys road, builds at (1 N)", 27, "an edge such as"),
        ("blue buys road, builds at (20 NW)", 27, "an edge such as"),
        ("blue trades [1 gold] to port 4:1 for [1 ore]", 16, "a resource, one of wood"),
        ("blue trades [0 ore] to port 4:1 for [1 ore]", 14, "a number of cards (1 to 127)"),
        ("blue trades [4 ore] to port 2:1 for [1 ore]", 29, "a port, one of 4:1, 3:1"),
        ("blue trades [4 ore] to player blue for [1 ore]", 31, "another player"),
        ("blue trades [4 ore] to port 4:1 for [1 wood", 44, "', '"),
        ("blue trades [127 ore, 1 ore] to port 4:1 for [1 wood]", 23, "at most 127 cards"),
        ("blue plays chess", 12, "'knight', 'road builder'"),
        ("blue plays monopoly on gold", 24, "a resource, one of"),
        ("blue plays knight ", 18, "the end of the line"),
        ("blue ends turn after s", 22, "a number of seconds"),
        ("blue ends turn after 9", 23, "'s'"),
        ("blue wins!", 6, "what the player does"),
        ("blue rolls 8blue ends turn", 13, "the end of the line"),
        ("blue rolls ٨", 12, "a sum of two dice"),
    ],
)
def test_an_error_names_line_column_and_what_was_expected(line: str, column: int, expected: str) -> None:
    error = error_of(f"{HEADER}blue rolls 8\n{line}\n")
    assert (error.line, error.column) == (13, column), error
    assert f"expected {expected}" in str(error)
    assert str(error).startswith(f"line 13, column {column}: ")


def test_a_file_without_a_final_newline() -> None:
    error = error_of(HEADER + "blue rolls 8")
    assert (error.line, error.column) == (12, 13)
    assert "expected a newline at the end of the file" in str(error)


def test_a_line_that_ends_with_carriage_return() -> None:
    assert "CR LF" in str(error_of(HEADER + "blue rolls 8\r\n"))


def test_a_line_without_end_is_not_kept_in_memory() -> None:
    error = error_of(HEADER + "blue rolls 8" * 1000 + "\n")
    assert "more than 4096 characters" in str(error)


def test_a_byte_that_is_not_text_is_an_error() -> None:
    assert "UTF-8" in str(error_of(HEADER.replace("josh", "jo\udcffsh")))


# Going on after errors


LENIENT: dict[str, tuple[str, dict[tuple[int, int], Event], list[tuple[int, int]]]] = {
    "a broken line is left out": (
        "blue rolls 8\nblue sings\nblue ends turn after 9s\n",
        {(12, 1): e.DiceRolled(BLUE, 8), (14, 1): e.TurnEnded(BLUE, 9)},
        [(13, 6)],
    ),
    "two lines glued together are both read": (
        "blue rolls 8blue ends turn after 9s\n",
        {(12, 1): e.DiceRolled(BLUE, 8), (12, 13): e.TurnEnded(BLUE, 9)},
        [(12, 13)],
    ),
    "fragments before a whole line are left out": (
        "red trades [2 wood]red trades [2 wood]red buys dev card\n",
        {(12, 39): e.DevCardBought(RED, None)},
        [(12, 20)],
    ),
    "a trade with a player is not cut at the player": (
        "red trades [1 wood] to player blue for [1 ore]blue rolls 8\n",
        {(12, 1): e.PlayerTrade(RED, BLUE, ONE["Lumber"], ONE["Ore"]), (12, 47): e.DiceRolled(BLUE, 8)},
        [(12, 47)],
    ),
    "a missing final newline is reported and the line read": (
        "blue rolls 8",
        {(12, 1): e.DiceRolled(BLUE, 8)},
        [(12, 13)],
    ),
    "an endless line is skipped": (
        "x" * 20_000 + "\nblue rolls 8\n",
        {(13, 1): e.DiceRolled(BLUE, 8)},
        [(12, 4097)],
    ),
}
"""What is read after errors: the text, the events by line and column, and where the errors are."""


@pytest.mark.parametrize("what", LENIENT)
def test_after_an_error_the_rest_is_read(what: str) -> None:
    body, wanted, places = LENIENT[what]
    errors: list[NotationError] = []
    events = list(catanlog.read(StringIO(HEADER + body, newline="\n"), errors.append))[1:]
    assert {(event.line, event.column): event for event in events} == wanted
    assert [(error.line, error.column) for error in errors] == places


def test_events_know_where_they_were_read() -> None:
    events = read("blue rolls 8\nblue ends turn after 9s\n")
    assert [(event.line, event.column) for event in events] == [(1, 1), (12, 1), (13, 1)]
    assert events[1] == e.DiceRolled(BLUE, 8)
