"""The header of a ``.catan`` file: version, time, players and board."""

from collections.abc import Iterator
from datetime import datetime

from catan_p2p.game.board import DEFAULT_BOARD as NUMBERED
from catan_p2p.game.board import HexCoordinates, Map, MapError, Terrain, Tile, Wharf, WharfType, make_map
from catan_p2p.notation.catanlog import words
from catan_p2p.notation.coordinates import STANDARD_PLACES as PLACES
from catan_p2p.notation.errors import NotationError, NotExpressible
from catan_p2p.notation.lines import LineCursor
from catan_p2p.notation.players import is_colour, is_text
from catan_p2p.view.events import GameStarted, Participant

VERSION = "0.10.0"
"""The version of the format that is written; version 0.10.1 of the reference writer prints the same."""

MIN_PLAYERS, MAX_PLAYERS = 2, 6
_SEA = [tile for tile in NUMBERED.map.tiles if not tile.is_land]
_UNKNOWN_TIME = datetime(1970, 1, 1)


def read_header(lines: Iterator[tuple[int, str]]) -> GameStarted:
    """The header at the beginning of these lines, up to and including ``...CATAN!``."""
    others = "or the beginning of a game in SGN, JSON of catanatron or colonist.io, or a log of JSettlers"
    cursor = _next(lines, "catanlog", f"'catanlog', {others}")
    version = _version(cursor)
    started = _timestamp(_next(lines, "timestamp: "))
    players = _players(lines)
    map = _map(lines)
    cursor = _next(lines, words.LAST_HEADER_LINE)
    cursor.end()
    return GameStarted(players, map, started, version, line=1, column=1)


def _next(lines: Iterator[tuple[int, str]], start: str, expected: str | None = None) -> LineCursor:
    number, text = next(lines, (0, ""))
    if not number:
        raise NotationError(f"the file ends in its header, expected {expected or repr(start)}")
    cursor = LineCursor(text, number)
    if not cursor.sees(start):
        raise cursor.error(expected or repr(start))
    return cursor


def _version(cursor: LineCursor) -> str:
    cursor.take(" ")
    cursor.sees("v")
    start = cursor.at
    if cursor.number("a version of the format", 0, 999_999_999) != 0:
        cursor.at = start
        raise cursor.error("a version of the format that begins with 0.")
    for _ in range(2):
        cursor.take(".")
        cursor.number("a version of the format", 0, 999_999_999)
    cursor.end()
    return cursor.text[start:]


def _timestamp(cursor: LineCursor) -> datetime:
    start = cursor.at
    text = cursor.text[start:]
    for pattern in ("%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S.%f"):
        try:
            time = datetime.strptime(text, pattern)
        except ValueError:
            continue
        if text in (time.isoformat(" ", "seconds"), time.isoformat(" ", "microseconds")):
            return time
    raise cursor.error("a time such as 2016-02-15 22:45:00")


def _players(lines: Iterator[tuple[int, str]]) -> tuple[Participant, ...]:
    cursor = _next(lines, "players: ")
    count = cursor.number("a number of players", MIN_PLAYERS, MAX_PLAYERS)
    cursor.end()
    found: dict[int, Participant] = {}
    colours: set[str] = set()
    for _ in range(count):
        cursor = _next(lines, "name: ")
        player = _player(cursor)
        if player.seat in found:
            # A seat is one digit, the last of the line.
            cursor.at = len(cursor.text) - 1
            raise cursor.error("a seat that nobody has yet")
        if player.colour in colours:
            cursor.at = cursor.text.rindex(", color: ") + len(", color: ")
            raise cursor.error("a color that nobody has yet")
        found[player.seat] = player
        colours.add(player.colour)
    return tuple(found[seat] for seat in sorted(found))


def _player(cursor: LineCursor) -> Participant:
    """One player. The line is split at its last ``, color: ``, since a name may contain that text."""
    start, text = cursor.at, cursor.text
    at_seat = text.rfind(", seat: ")
    at_colour = text.rfind(", color: ", start, max(at_seat, start))
    if at_colour < start:
        raise cursor.error("a name, then ', color: ', then ', seat: '")
    cursor.at = at_colour + len(", color: ")
    colour = text[cursor.at : at_seat]
    if not is_colour(colour):
        raise cursor.error("a color: one word")
    name = text[start:at_colour]
    if not is_text(name):
        cursor.at = start
        raise cursor.error("UTF-8 text")
    cursor.at = at_seat + len(", seat: ")
    seat = cursor.number("a seat", 1, MAX_PLAYERS)
    cursor.end()
    return Participant(seat, name, colour)


def _map(lines: Iterator[tuple[int, str]]) -> Map:
    cursor = _next(lines, "terrain: ")
    terrains = _terrains(cursor)
    cursor = _next(lines, "numbers: ")
    numbers = _numbers(cursor, terrains)
    tiles = [
        Tile(NUMBERED.map.tiles[PLACES.tiles[id] - 1].at, terrain, number)
        for id, (terrain, number) in enumerate(zip(terrains, numbers, strict=True), 1)
    ]
    cursor = _next(lines, "ports:")
    try:
        return make_map([*tiles, *_SEA], _ports(cursor))
    except MapError as error:
        raise NotationError(str(error), cursor.line, 1) from None


def _terrains(cursor: LineCursor) -> list[Terrain]:
    found = []
    for i in range(len(PLACES.tiles)):
        if i:
            cursor.take(" ")
        start = cursor.at
        word = cursor.word()
        if word not in words.TERRAIN_OF:
            cursor.at = start
            raise cursor.error(f"the terrain of tile {i + 1}, {words.one_of(words.TERRAIN_OF)}")
        found.append(words.TERRAIN_OF[word])
    cursor.end()
    return found


def _numbers(cursor: LineCursor, terrains: list[Terrain]) -> list[int | None]:
    found: list[int | None] = []
    for i, terrain in enumerate(terrains):
        if i:
            cursor.take(" ")
        if terrain == "desert":
            cursor.take(words.NO_NUMBER)
            found.append(None)
            continue
        start = cursor.at
        number = cursor.number(f"the number of tile {i + 1}, which is {words.TERRAIN_WORDS[terrain]}", 2, 12)
        if number == 7:
            cursor.at = start
            raise cursor.error("a number other than 7")
        found.append(number)
    cursor.end()
    return found


def _ports(cursor: LineCursor) -> list[Wharf]:
    """All wharfs of a line; a board without any is written ``ports: ``."""
    found: dict[tuple[HexCoordinates, HexCoordinates], Wharf] = {}
    if cursor.text in ("ports: ", "ports:"):
        return []
    while cursor.at < len(cursor.text):
        cursor.take(" ")
        start = cursor.at
        type = words.WHARF_OF.get(cursor.word("("))
        if type is None:
            cursor.at = start
            raise cursor.error(f"a port, {words.one_of(words.WHARF_OF)}")
        edge = cursor.text[cursor.at : cursor.text.find(")", cursor.at) + 1]
        tiles = _COAST.get(edge)
        if tiles is None:
            raise cursor.error("an edge on the coast, such as (2 W)")
        if tiles in found:
            raise cursor.error("an edge without a port")
        found[tiles] = Wharf(tiles, type)
        cursor.take(edge)
    return list(found.values())


def _name_coast() -> dict[str, tuple[HexCoordinates, HexCoordinates]]:
    tiles = NUMBERED.map.tiles
    coast = {}
    for name, point in PLACES.edges.items():
        one, other = (tiles[number - 1] for number in NUMBERED.road_tiles[point])
        if one.is_land != other.is_land:
            coast[name] = (one.at, other.at)
    return coast


_COAST = _name_coast()
"""The edges between land and sea, by name, each with its two tiles in ascending order."""
_COAST_NAMES = {tiles: name for name, tiles in _COAST.items()}


def header_lines(event: GameStarted) -> Iterator[str]:
    """The lines of a header, without their ends; ``NotExpressible`` for what the format cannot express."""
    map = event.map
    by_place = {tile.at: tile for tile in map.tiles}
    islands = {at for at, tile in by_place.items() if tile.is_land}
    if islands != _LAND or len(map.tiles) != len(NUMBERED.map.tiles):
        raise NotExpressible(
            f".catan has only the standard island of {len(_LAND)} land tiles, this map has {len(islands)}"
        )
    if not event.players:
        raise NotExpressible(".catan names its players, but those of this game are unknown")
    yield f"catanlog v{event.version or VERSION}"
    yield f"timestamp: {(event.started or _UNKNOWN_TIME).isoformat(' ')}"
    yield f"players: {len(event.players)}"
    for player in sorted(event.players):
        _check_player(player)
        yield f"name: {player.name}, color: {player.colour}, seat: {player.seat}"
    land = [by_place[NUMBERED.map.tiles[tile - 1].at] for tile in PLACES.tiles.values()]
    yield "terrain: " + " ".join(words.TERRAIN_WORDS[tile.terrain] for tile in land)
    yield "numbers: " + " ".join(str(tile.number or words.NO_NUMBER) for tile in land)
    yield "ports: " + " ".join(f"{words.WHARF_WORDS[type]}{edge}" for _, edge, type in sorted(_wharfs(map)))
    yield words.LAST_HEADER_LINE


def _wharfs(map: Map) -> Iterator[tuple[int, str, WharfType]]:
    """Tile id, edge and type of every wharf."""
    for wharf in map.wharfs:
        edge = _COAST_NAMES[wharf.tiles]
        yield int(edge.strip("()").split(" ")[0]), edge, wharf.type


_LAND = {tile.at for tile in NUMBERED.map.tiles if tile.is_land}


def _check_player(player: Participant) -> None:
    if "\n" in player.name or "\r" in player.name or not is_text(player.name):
        raise NotExpressible(f"player {player.seat} is called {player.name!r}, .catan has no escape for that")
    if not is_colour(player.colour):
        raise NotExpressible(f"the color of player {player.seat} is {player.colour!r}, expected one word")
