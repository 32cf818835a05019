"""Reading catanatron's JSON: the map, then the events of each action."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from catan_p2p.game import board
from catan_p2p.game.cards import NO_CARDS, ONE, RESOURCES, Cards, DevCard, Resource
from catan_p2p.game.constants import Player
from catan_p2p.notation.catanatron.words import CARD_OF, DIRECTION_OF, RESOURCE_OF, RESOURCE_WORDS, Cube, places_of
from catan_p2p.notation.coordinates import EDGE_DIRECTIONS, tile_at
from catan_p2p.notation.documents import WholeFile, checked, member, one_of, read_document, whole
from catan_p2p.notation.errors import NotationError
from catan_p2p.notation.lines import OnError, reporter
from catan_p2p.notation.players import parse_player
from catan_p2p.view import events as e

_TERRAIN_OF: dict[str, board.Terrain] = {RESOURCE_WORDS[resource]: terrain for terrain, resource in board.YIELD.items()}
_MOST_PLAYERS = 6
_MOST_ACTIONS = 200_000


def read(handle: WholeFile, on_error: OnError | None = None) -> Iterator[e.Event]:
    """The events of a game; the line of an event is the number of its action, from 1.

    ``NotationError`` at the first error; with ``on_error``, an action's error is passed to it, and the action left out.
    """
    report = reporter(on_error)
    document = read_document(handle)
    if document.keys().isdisjoint({"colors", "tiles", "actions", "action_records"}):
        told = ", ".join([repr(name) for name in document][:5]) or "nothing"
        raise NotationError(
            f"a JSON object with {told[:100]}, expected a game of catanatron (colors, tiles and actions) "
            "or a replay of colonist.io (eventHistory)"
        )
    colours = _colours(document)
    map = _map(document)
    yield e.GameStarted(_participants(document, colours), map, line=1, column=1)
    reader = _CatanatronReader(colours, _nodes(document))
    for number, value in enumerate(_actions(document), 1):
        try:
            yield from reader.take(value, number)
        except NotationError as error:
            report(NotationError(f"action {number}: {error.reason}", number))
    yield from reader.rest()
    winner = document.get("winning_color")
    if winner is not None:
        yield e.GameWon(reader.player(winner, "winning_color"), line=reader.number + 1)


def _colours(document: dict[str, Any]) -> list[str]:
    colours = [checked(colour, str, "colors") for colour in member(document, "colors", list, "the file")]
    if not 2 <= len(colours) <= _MOST_PLAYERS or len({*colours}) != len(colours):
        raise NotationError(f"colors: {len(colours)}, expected 2 to {_MOST_PLAYERS} different ones")
    if any(not colour.isascii() or not colour.isalpha() for colour in colours):
        raise NotationError("colors: expected one word for each")
    return colours


def _participants(document: dict[str, Any], colours: list[str]) -> tuple[e.Participant, ...]:
    """The players of the colours; our writer adds ``players`` for colours and names that catanatron lacks."""
    if "players" not in document:
        return tuple(e.Participant(seat, colour.capitalize(), colour.lower()) for seat, colour in enumerate(colours, 1))
    told = [parse_player(*pair) for pair in enumerate(member(document, "players", list, "the file"), 1)]
    players = tuple(player for player in told if player is not None)
    if not len(told) == len(players) == len(colours) == len({player.colour for player in players}):
        raise NotationError(f"players: expected {len(colours)} objects with a color each, and perhaps a name")
    return players


def _actions(document: dict[str, Any]) -> Iterator[list[Any]]:
    """Each action as colour, type and value; the action records of later versions have the result as their value."""
    name = "action_records" if "action_records" in document else "actions"
    values = member(document, name, list, "the file")
    if len(values) > _MOST_ACTIONS:
        raise NotationError(f"{name}: {len(values)}, expected at most {_MOST_ACTIONS}")
    for number, value in enumerate(values, 1):
        where = f"action {number}"
        told = checked(value, list, where)
        if name == "action_records":
            if len(told) != 2:
                raise NotationError(f"{where}: expected an action and its result", number)
            action, result = checked(told[0], list, where), told[1]
            told = [*action[:2], _with_result(action, result)]
        yield told


def _with_result(action: list[Any], result: Any) -> Any:
    value = action[2] if len(action) > 2 else None
    if result is None:
        return value
    if action[1:2] == ["MOVE_ROBBER"] and type(value) is list:
        return [*value[:2], result]
    return result


# The map


def _cube(value: object, where: str) -> Cube:
    three = [whole(number, -99, 99, where) for number in checked(value, list, where)]
    if len(three) != 3 or three[0] + three[1] + three[2] != 0:
        raise NotationError(f"{where}: expected three coordinates whose sum is 0")
    return three[0], three[1], three[2]


def _map(document: dict[str, Any]) -> board.Map:
    """The island; missing sea tiles are added, since they count in the numbers of places."""
    tiles, wharfs = [], []
    for i, value in enumerate(member(document, "tiles", list, "the file")[:500]):
        where = f"tiles, {i}"
        entry = checked(value, dict, where)
        q, _, r = cube = _cube(member(entry, "coordinate", list, where), where)
        told = member(entry, "tile", dict, where)
        kind = member(told, "type", str, where)
        if cube not in places_of().tiles:
            raise NotationError(f"{where}: {list(cube)}, expected a tile of the standard island")
        tiles.append(_tile(told, kind, tile_at((q, r)), where))
        if kind == "PORT":
            step = EDGE_DIRECTIONS[one_of(member(told, "direction", str, where), DIRECTION_OF, where)]
            resource = told.get("resource")
            type: board.WharfType = board.THREE_TO_ONE if resource is None else one_of(resource, RESOURCE_OF, where)
            at, land = tile_at((q, r)), tile_at((q + step[0], r + step[1]))
            wharfs.append(board.Wharf((at, land) if at < land else (land, at), type))
    told_at = {tile.at for tile in tiles}
    tiles += [tile for tile in board.DEFAULT_BOARD.map.tiles if not tile.is_land and tile.at not in told_at]
    try:
        if {tile.at for tile in tiles if tile.is_land} != {t.at for t in board.DEFAULT_BOARD.map.tiles if t.is_land}:
            raise board.MapError("expected the standard island of 19 land tiles")
        return board.make_map(tiles, wharfs)
    except board.MapError as error:
        raise NotationError(f"tiles: {error}") from None


def _tile(told: dict[str, Any], kind: str, at: Any, where: str) -> board.Tile:
    if kind in ("WATER", "PORT"):
        return board.Tile(at, "sea", None)
    if kind == "DESERT":
        return board.Tile(at, "desert", None)
    if kind != "RESOURCE_TILE":
        raise NotationError(f"{where}: {kind!r}, expected RESOURCE_TILE, DESERT, PORT or WATER")
    number = whole(told.get("number"), 2, 12, f"{where}, number")
    if number == 7:
        raise NotationError(f"{where}: a tile with the number 7")
    return board.Tile(at, one_of(told.get("resource"), _TERRAIN_OF, where), number)


def _nodes(document: dict[str, Any]) -> dict[int, int]:
    """From corner numbers to settlement points; they are the same in every document."""
    return places_of().nodes


class _CatanatronReader:
    """Reads the actions one by one; a road building card is held back for its roads, a discard for its other cards."""

    def __init__(self, colours: list[str], nodes: dict[int, int]) -> None:
        self._players: dict[str, Player] = {colour: seat for seat, colour in enumerate(colours, 1)}
        self._nodes = nodes
        # Two villages and two roads each. Actions do not mark the ends of set-up turns, so they are counted.
        self._setup_left = 4 * len(colours)
        self._placed: Counter[Player] = Counter()
        self._free: e.RoadBuildingPlayed | None = None
        self._free_left = 0
        self._discarded: e.CardsDiscarded | None = None
        self.number = 0

    def player(self, value: object, where: str) -> Player:
        """The player of a colour."""
        return one_of(value, self._players, where)

    def take(self, value: list[Any], number: int) -> Iterator[e.Event]:
        """The events of an action."""
        self.number = number
        if len(value) != 3:
            raise NotationError("expected a colour, a type and a value")
        player = self.player(value[0], "colour")
        name = checked(value[1], str, "type")
        if name == "BUILD_ROAD" and self._free is not None and self._free.player == player and self._free_left:
            yield from self._free_road(player, value[2])
            return
        if name == "DISCARD_RESOURCE" and self._discarded is not None and self._discarded.player == player:
            self._discarded = replace(self._discarded, cards=self._discarded.cards + self._card(value[2]))
            return
        yield from self.rest()
        parse = _PARSERS.get(name)
        if parse is None:
            raise NotationError(f"{name!r}, expected one of {', '.join(_PARSERS)}")
        yield from parse(self, player, value[2])

    def rest(self) -> Iterator[e.Event]:
        """The event that was held back, if any."""
        if self._free is not None:
            yield self._free
            self._free = None
        if self._discarded is not None:
            yield self._discarded
            self._discarded = None

    def _free_road(self, player: Player, value: object) -> Iterator[e.Event]:
        assert self._free is not None
        at = self._edge(value)
        self._free_left -= 1
        first = self._free.first
        self._free = e.RoadBuildingPlayed(
            player, at if first is None else first, None if first is None else at, line=self._free.line
        )
        if not self._free_left:
            yield from self.rest()

    def _node(self, value: object) -> int:
        node = whole(value, 0, 999, "a corner")
        if node not in self._nodes:
            raise NotationError(f"corner {node}, expected 0 to {len(self._nodes) - 1}")
        return self._nodes[node]

    def _edge(self, value: object) -> int:
        ends = checked(value, list, "an edge")
        if len(ends) != 2:
            raise NotationError("an edge: expected two corners")
        one, other = (whole(node, 0, 999, "a corner") for node in ends)
        road = places_of().roads.get((min(one, other), max(one, other)))
        if road is None:
            raise NotationError(f"edge {one}, {other}: expected two neighbouring corners")
        return road

    def _card(self, value: object) -> Cards:
        return ONE[one_of(value, RESOURCE_OF, "a card")]

    def _cards(self, value: object, most: int) -> list[Resource]:
        cards = checked(value, list, "cards")
        if not 1 <= len(cards) <= most:
            raise NotationError(f"{len(cards)} cards, expected 1 to {most}")
        return [one_of(card, RESOURCE_OF, "a card") for card in cards]

    # One method for each type of action

    def _village(self, player: Player, value: object) -> Iterator[e.Event]:
        self._setup_left -= 1
        self._placed[player] += 1
        yield e.VillageBuilt(player, self._node(value), line=self.number)

    def _road(self, player: Player, value: object) -> Iterator[e.Event]:
        yield e.RoadBuilt(player, self._edge(value), line=self.number)
        self._setup_left -= 1
        if self._setup_left >= 0:
            yield e.TurnEnded(player, None, line=self.number)

    def _city(self, player: Player, value: object) -> Iterator[e.Event]:
        yield e.CityBuilt(player, self._node(value), line=self.number)

    def _buy(self, player: Player, value: object) -> Iterator[e.Event]:
        card: DevCard | None = None if value is None else one_of(value, CARD_OF, "a development card")
        yield e.DevCardBought(player, card, line=self.number)

    def _roll(self, player: Player, value: object) -> Iterator[e.Event]:
        dice = [whole(number, 1, 6, "a die") for number in checked(value, list, "the dice")]
        if len(dice) != 2:
            raise NotationError(f"{len(dice)} dice, expected 2")
        yield e.DiceRolled(player, sum(dice), (dice[0], dice[1]), line=self.number)

    def _discard(self, player: Player, value: object) -> Iterator[e.Event]:
        yield e.CardsDiscarded(player, sum(ONE[card] for card in self._cards(value, 95)), line=self.number)

    def _discard_one(self, player: Player, value: object) -> Iterator[e.Event]:
        """The first card of a discard, which catanatron writes card by card since March 2026."""
        self._discarded = e.CardsDiscarded(player, self._card(value), line=self.number)
        return iter(())

    def _robber(self, player: Player, value: object) -> Iterator[e.Event]:
        told = checked(value, list, "a move of the robber")
        if len(told) not in (2, 3):
            raise NotationError("a move of the robber: expected a tile, a colour and a card")
        tile = places_of().tiles.get(_cube(told[0], "a tile"))
        if tile is None:
            raise NotationError(f"{told[0]}: expected a tile of the standard island")
        if told[1] is None:
            # catanatron names no victim without cards
            yield e.BanditMoved(player, tile, None, "none", line=self.number)
            return
        card: Resource | None = None if len(told) < 3 or told[2] is None else one_of(told[2], RESOURCE_OF, "a card")
        yield e.BanditMoved(player, tile, self.player(told[1], "colour"), card, line=self.number)

    def _knight(self, player: Player, value: object) -> Iterator[e.Event]:
        yield e.KnightPlayed(player, line=self.number)

    def _plenty(self, player: Player, value: object) -> Iterator[e.Event]:
        cards = self._cards(value, 2)
        if len(cards) == 1:
            raise NotationError("a year of plenty with one card, expected two")
        yield e.YearOfPlentyPlayed(player, cards[0], cards[1], line=self.number)

    def _monopoly(self, player: Player, value: object) -> Iterator[e.Event]:
        yield e.MonopolyPlayed(player, one_of(value, RESOURCE_OF, "a resource"), line=self.number)

    def _road_building(self, player: Player, value: object) -> Iterator[e.Event]:
        self._free, self._free_left = e.RoadBuildingPlayed(player, None, None, line=self.number), 2
        return iter(())

    def _maritime(self, player: Player, value: object) -> Iterator[e.Event]:
        cards = checked(value, list, "a trade")
        if len(cards) != 5 or cards[4] is None:
            raise NotationError("a trade: expected up to four cards to give and one to get")
        give = [one_of(card, RESOURCE_OF, "a card") for card in cards[:4] if card is not None]
        receive = ONE[one_of(cards[4], RESOURCE_OF, "a card")]
        yield e.BankTrade(player, sum(ONE[card] for card in give), receive, None, line=self.number)

    def _confirm(self, player: Player, value: object) -> Iterator[e.Event]:
        told = checked(value, list, "a trade")
        if len(told) != 11:
            raise NotationError("a trade: expected five numbers, five numbers and a colour")
        counts = [whole(number, 0, 24, "a number of cards") for number in told[:10]]
        give, receive = _counted(counts[:5]), _counted(counts[5:])
        yield e.PlayerTrade(player, self.player(told[10], "colour"), give, receive, line=self.number)

    def _silent(self, player: Player, value: object) -> Iterator[e.Event]:
        return iter(())

    def _go_on(self, player: Player, value: object) -> Iterator[e.Event]:
        other = self.player(value, "whom the others go on without")
        if other == player:
            raise NotationError("expected the colour of another player")
        if self._setup_left > 0:
            # The placements that the excused player will not make.
            self._setup_left -= 2 * (2 - self._placed[other])
        yield e.PlayerExcused(player, other, line=self.number)

    def _go_on_with(self, player: Player, value: object) -> Iterator[e.Event]:
        yield e.PlayerReturned(player, self.player(value, "whom the others go on with again"), line=self.number)

    def _end(self, player: Player, value: object) -> Iterator[e.Event]:
        yield e.TurnEnded(player, None, line=self.number)


def _counted(counts: list[int]) -> Cards:
    assert tuple(RESOURCE_WORDS) == RESOURCES
    cards = NO_CARDS
    for resource, n in zip(RESOURCES, counts, strict=True):
        cards += n * ONE[resource]
    return cards


_PARSERS: dict[str, Callable[[_CatanatronReader, Player, object], Iterator[e.Event]]] = {
    "ROLL": _CatanatronReader._roll,
    "MOVE_ROBBER": _CatanatronReader._robber,
    "DISCARD": _CatanatronReader._discard,
    "DISCARD_RESOURCE": _CatanatronReader._discard_one,
    "BUILD_ROAD": _CatanatronReader._road,
    "BUILD_SETTLEMENT": _CatanatronReader._village,
    "BUILD_CITY": _CatanatronReader._city,
    "BUY_DEVELOPMENT_CARD": _CatanatronReader._buy,
    "PLAY_KNIGHT_CARD": _CatanatronReader._knight,
    "PLAY_YEAR_OF_PLENTY": _CatanatronReader._plenty,
    "PLAY_MONOPOLY": _CatanatronReader._monopoly,
    "PLAY_ROAD_BUILDING": _CatanatronReader._road_building,
    "MARITIME_TRADE": _CatanatronReader._maritime,
    "OFFER_TRADE": _CatanatronReader._silent,
    "ACCEPT_TRADE": _CatanatronReader._silent,
    "REJECT_TRADE": _CatanatronReader._silent,
    "CANCEL_TRADE": _CatanatronReader._silent,
    "CONFIRM_TRADE": _CatanatronReader._confirm,
    "END_TURN": _CatanatronReader._end,
    "GO_ON_WITHOUT": _CatanatronReader._go_on,
    "GO_ON_WITH": _CatanatronReader._go_on_with,
}
