"""Games of this project as other programs would record them: replays of colonist.io and logs of JSettlers.

Public samples of both formats come without a licence to ship them, or under another one than ours; these are our own.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from catan_p2p import notation
from catan_p2p.game.board import THREE_TO_ONE, board_of
from catan_p2p.game.cards import RESOURCES, Cards, count, unpack
from catan_p2p.notation import Event, GameStarted
from catan_p2p.notation.coordinates import STANDARD_PLACES, axial_of
from catan_p2p.view import events as e
from tests.notation import samples

# colonist.io

_RESOURCE_NUMBERS = {resource: number for number, resource in enumerate(RESOURCES, 1)}
_CARD_NUMBERS = {"Knight": 11, "VictoryPoint": 12, "Monopoly": 13, "RoadBuilding": 14, "YearOfPlenty": 15}
COLONIST_COLOURS = (1, 5, 2, 3, 4, 6)


def _listed(cards: Cards) -> list[int]:
    return [number for resource, number in _RESOURCE_NUMBERS.items() for _ in range(count(cards, resource))]


def _corner(tiles: Sequence[tuple[int, int]]) -> dict[str, int]:
    """A corner as the top or the bottom of a tile."""
    for x, y in tiles:
        if {(x, y - 1), (x + 1, y - 1)} <= {*tiles}:
            return {"x": x, "y": y, "z": 0}
        if {(x, y + 1), (x - 1, y + 1)} <= {*tiles}:
            return {"x": x, "y": y, "z": 1}
    raise AssertionError(tiles)


def _edge(tiles: Sequence[tuple[int, int]]) -> dict[str, int]:
    for x, y in tiles:
        for z, other in enumerate([(x, y - 1), (x - 1, y), (x - 1, y + 1)]):
            if other in tiles:
                return {"x": x, "y": y, "z": z}
    raise AssertionError(tiles)


def colonist_map(start: GameStarted) -> dict[str, Any]:
    """The state of the map; tiles, corners and edges have the board's numbers."""
    board = board_of(start.map)
    at = [(0, 0), *(axial_of(tile.at) for tile in start.map.tiles)]
    kinds = {None: 0, **_RESOURCE_NUMBERS}
    return {
        "tileHexStates": {
            str(number): {
                "x": at[number][0],
                "y": at[number][1],
                "type": kinds[tile.resource],
                "diceNumber": tile.number or 0,
            }
            for number, tile in enumerate(start.map.tiles, 1)
            if tile.is_land
        },
        "portEdgeStates": {
            str(i): {
                **_edge([at[number] for number in pair]),
                "type": 1 if type == THREE_TO_ONE else 1 + _RESOURCE_NUMBERS[type],
            }
            for i, (pair, type) in enumerate(board.wharf_tiles)
        },
        "tileCornerStates": {
            str(point): _corner([at[tile] for tile in triple])
            for point, triple in enumerate(board.settlement_tiles)
            if point
        },
        "tileEdgeStates": {
            str(point): _edge([at[tile] for tile in pair]) for point, pair in enumerate(board.road_tiles) if point
        },
    }


def colonist_event(event: Event, colours: Sequence[int], perspective: int | None = None) -> Iterable[dict[str, Any]]:
    """The changes of state that an event makes; who has a perspective sees only their own stolen and bought cards."""

    def log(*texts: dict[str, Any], **change: Any) -> dict[str, Any]:
        return {
            "input": {"deltaS": 1.5},
            "stateChange": {"gameLogState": {str(9 + i): entry for i, entry in enumerate(texts)}, **change},
        }

    player = colours[event.player - 1] if hasattr(event, "player") else 0
    own = {"playerColor": player}
    if isinstance(event, e.VillageBuilt | e.CityBuilt):
        piece = {"type": 5, "pieceEnum": 2 if isinstance(event, e.VillageBuilt) else 3, **own}
        yield log({"text": piece}, mapState={"tileCornerStates": {str(event.at): {"owner": player}}})
    elif isinstance(event, e.RoadBuilt):
        piece = {"type": 5, "pieceEnum": 0, **own}
        yield log({"text": piece}, mapState={"tileEdgeStates": {str(event.at): {"owner": player}}})
    elif isinstance(event, e.DiceRolled):
        one, other = event.pair or (max(1, event.dice - 6), min(6, event.dice - 1))
        yield log({"text": {"type": 10, "firstDice": one, "secondDice": other, **own}})
    elif isinstance(event, e.BanditMoved):
        texts: list[dict[str, Any]] = [{"from": player, "text": {"type": 11, **own}}]
        if event.victim and event.card != "none":
            victim = colours[event.victim - 1]
            if event.card is not None and perspective in (None, event.player, event.victim):
                card = _RESOURCE_NUMBERS[event.card]
                told = {"type": 14, "cardEnums": [card], "playerColor": victim}
                texts.append({"from": player, "text": told, "specificRecipients": [player]})
            else:
                told = {"type": 16, "playerColorThief": player, "playerColorVictim": victim, "cardEnums": [0]}
                texts.append({"from": player, "text": told})
        yield log(*texts, mechanicRobberState={"locationTileIndex": event.to})
    elif isinstance(event, e.DevCardBought):
        number = _CARD_NUMBERS[event.card] if event.card and perspective in (None, event.player) else 10
        cards = {"players": {str(player): {"developmentCardsBoughtThisTurn": [number]}}}
        yield log({"text": {"type": 1, **own}}, mechanicDevelopmentCardsState=cards)
    elif isinstance(event, e.KnightPlayed):
        yield log({"text": {"type": 20, "cardEnum": 11, **own}})
    elif isinstance(event, e.RoadBuildingPlayed):
        yield log({"text": {"type": 20, "cardEnum": 14, **own}})
        for at in (event.first, event.second):
            if at is not None:
                yield from colonist_event(e.RoadBuilt(event.player, at), colours)
    elif isinstance(event, e.YearOfPlentyPlayed):
        cards = [_RESOURCE_NUMBERS[event.first], _RESOURCE_NUMBERS[event.second]]  # type: ignore[assignment]
        yield log({"text": {"type": 20, "cardEnum": 15, **own}})
        yield log({"text": {"type": 21, "cardEnums": cards, **own}})
    elif isinstance(event, e.MonopolyPlayed):
        yield log({"text": {"type": 20, "cardEnum": 13, **own}})
        yield log({"text": {"type": 86, "amountStolen": 1, "cardEnum": _RESOURCE_NUMBERS[event.resource], **own}})
    elif isinstance(event, e.CardsDiscarded):
        listed = _listed(event.cards)
        seen = listed if perspective in (None, event.player) else [9] * len(listed)
        yield log({"text": {"type": 55, "cardEnums": seen, **own}})
    elif isinstance(event, e.BankTrade | e.PlayerTrade):
        told = {"givenCardEnums": _listed(event.give), "receivedCardEnums": _listed(event.receive), **own}
        other = {"acceptingPlayerColor": colours[event.other - 1]} if isinstance(event, e.PlayerTrade) else {}
        yield log({"text": {"type": 115 if other else 116, **told, **other}})
    elif isinstance(event, e.TurnEnded):
        yield log({"text": {"type": 44}}, currentState={"completedTurns": 1})


def as_colonist(events: Sequence[Event], points: int = 10, perspective: int | None = None, **settings: Any) -> str:
    """A game as a replay, its players in the order of play."""
    start = events[0]
    assert isinstance(start, GameStarted)
    colours = COLONIST_COLOURS[: len(start.players)]
    changes: list[dict[str, Any]] = []
    ended: dict[str, Any] = {}
    active = 1
    for event in events[1:]:
        made = list(colonist_event(event, colours, perspective))
        if isinstance(event, e.GameWon):
            winner = {"color": colours[event.player - 1], "winningPlayer": True, "victoryPoints": {"0": points}}
            ended = {"players": {str(winner["color"]): winner}}
        elif not isinstance(event, e.TurnEnded) and made and event.player != active:  # type: ignore[attr-defined]
            if not isinstance(event, e.CardsDiscarded | e.PlayerTrade):
                active = event.player  # type: ignore[attr-defined]
                made[0]["stateChange"].setdefault("currentState", {})["currentTurnPlayerColor"] = colours[active - 1]
        changes += made
    return json.dumps(
        {
            "data": {
                "eventHistory": {
                    "events": changes,
                    "startTime": "2025-07-14T20:06:13.496Z",
                    "endGameState": ended,
                    "initialState": {
                        "mapState": colonist_map(start),
                        "currentState": {"currentTurnPlayerColor": colours[0]},
                    },
                },
                "playerUserStates": [
                    {"username": player.name, "selectedColor": colour}
                    for player, colour in zip(start.players, colours, strict=True)
                ],
                "playOrder": list(colours),
                "gameSettings": {"victoryPointsToWin": points, "cardDiscardLimit": 7, **settings},
                "databaseGameId": "1",
            }
        }
    )


# JSettlers

_CLAY_FIRST = ("Brick", "Ore", "Wool", "Grain", "Lumber")
_SOC_CARDS = {"RoadBuilding": 1, "YearOfPlenty": 2, "Monopoly": 3, "VictoryPoint": 5, "Knight": 9}
_NUMBERS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
_FACINGS = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))


def _set(cards: Cards, unknown: int = 0) -> str:
    wood, clay, sheep, wheat, ore = unpack(cards)
    return f"clay={clay}|ore={ore}|sheep={sheep}|wheat={wheat}|wood={wood}|unknown={unknown}"


def soclog_board(start: GameStarted) -> str:
    """The message with the board."""
    board = board_of(start.map)
    by_axial = {axial_of(tile.at): (number, tile) for number, tile in enumerate(start.map.tiles, 1)}
    ports = {}
    for pair, type in board.wharf_tiles:
        sea, land = (axial_of(start.map.tiles[n - 1].at) for n in sorted(pair, key=lambda n: n in board.land))
        facing = 1 + _FACINGS.index((land[0] - sea[0], land[1] - sea[1]))
        ports[sea] = 6 + facing if type == THREE_TO_ONE else facing << 4 | 1 + _CLAY_FIRST.index(type)
    hexes, numbers = [], []
    for r in range(-3, 4):
        for q in range(max(-3, -3 - r), min(3, 3 - r) + 1):
            _, tile = by_axial[q, r]
            land_kind = 0 if tile.resource is None else 1 + _CLAY_FIRST.index(tile.resource)
            hexes.append(land_kind if tile.is_land else ports.get((q, r), 6))
            numbers.append(_NUMBERS.index(tile.number) if tile.number else -1)
    listed = [" ".join(map(str, values)) for values in (hexes, numbers)]
    return f"all:SOCBoardLayout:game=g|hexLayout={{ {listed[0]} }}|numberLayout={{ {listed[1]} }}|robberHex=0x77"


class SoclogWriter:
    """Writes the messages of a game, its players in the order of play on seats 0 to 3."""

    def __init__(self, events: Sequence[Event]) -> None:
        start = events[0]
        assert isinstance(start, GameStarted)
        self.lines = ["SOC game event log: type=F, version=2500, created_at=1636807754, now=1636807889, game_name=g"]
        self.time_s = 0.0
        self.is_setup = True
        self.settled = 0
        self.count = len(start.players)
        self.nodes = {point: node for node, point in STANDARD_PLACES.hexgrid_nodes.items()}
        self.edges = {point: edge for edge, point in STANDARD_PLACES.hexgrid_edges.items()}
        self.tiles = {tile: number for number, tile in STANDARD_PLACES.hexgrid_tiles.items()}
        self.put("all:SOCNewGameWithOptions:game=g|param1=-1|param2=BC=t4,N7=f7,RD=f,PL=4")
        for seat, player in enumerate(start.players):
            self.put(f"all:SOCSitDown:game=g|nickname={player.name}|playerNumber={seat}|robotFlag=false")
        self.put(soclog_board(start))
        self.put("all:SOCStartGame:game=g|gameState=5")
        self.put("all:SOCTurn:game=g|playerNumber=0|gameState=5")
        for event in events[1:]:
            self.time_s += 1.25
            self.tell(event)

    def put(self, message: str) -> None:
        minutes, seconds = divmod(self.time_s, 60)
        self.lines.append(f"{int(minutes)}:{seconds:06.3f}:{message}")

    def tell(self, event: Event) -> None:
        """The messages of an event."""
        pn = event.player - 1 if hasattr(event, "player") else 0
        if isinstance(event, e.VillageBuilt | e.CityBuilt):
            piece = 1 if isinstance(event, e.VillageBuilt) else 2
            self.put(f"all:SOCPutPiece:game=g|playerNumber={pn}|pieceType={piece}|coord={self.nodes[event.at]:x}")
        elif isinstance(event, e.RoadBuilt):
            self.put(f"all:SOCPutPiece:game=g|playerNumber={pn}|pieceType=0|coord={self.edges[event.at]:x}")
        elif isinstance(event, e.TurnEnded):
            self.settled += self.is_setup
            self.is_setup = self.settled < 2 * self.count
            state = 5 if self.is_setup else 15
            following = self._next(pn)
            self.put(f"all:SOCTurn:game=g|playerNumber={following}|gameState={state}")
        elif isinstance(event, e.DiceRolled):
            self.put(f"f{pn}:SOCRollDice:game=g")
            self.put(f"all:SOCDiceResult:game=g|param={event.dice}")
        elif isinstance(event, e.BanditMoved):
            self.put(f"all:SOCMoveRobber:game=g|playerNumber={pn}|coord={self.tiles[event.to]:x}")
            if event.victim and event.card != "none":
                told = f"perp={pn}|victim={event.victim - 1}|resType={{}}|amount=1|isGainLose=true"
                if event.card:
                    self.put(f"p{pn}:SOCRobberyResult:game=g|{told.format(1 + _CLAY_FIRST.index(event.card))}")
                self.put(f"!p[{pn}, {event.victim - 1}]:SOCRobberyResult:game=g|{told.format(6)}")
        elif isinstance(event, e.DevCardBought):
            if event.card:
                card = _SOC_CARDS[event.card]
                self.put(f"p{pn}:SOCDevCardAction:game=g|playerNum={pn}|actionType=DRAW|cardType={card}")
            self.put(f"!p{pn}:SOCDevCardAction:game=g|playerNum={pn}|actionType=DRAW|cardType=0")
            self.put(f"all:SOCSimpleAction:game=g|pn={pn}|actType=1|v1=22|v2=0")
        elif isinstance(event, e.KnightPlayed):
            self._play(pn, "Knight")
        elif isinstance(event, e.RoadBuildingPlayed):
            self._play(pn, "RoadBuilding")
            for at in (event.first, event.second):
                if at is not None:
                    self.tell(e.RoadBuilt(event.player, at))
        elif isinstance(event, e.YearOfPlentyPlayed):
            self._play(pn, "YearOfPlenty")
            cards = sum(1 << 8 * RESOURCES.index(resource) for resource in (event.first, event.second))
            self.put(f"all:SOCPickResources:game=g|resources={_set(cards)}|pn={pn}|reason=2")
        elif isinstance(event, e.MonopolyPlayed):
            self._play(pn, "Monopoly")
            self.put(f"all:SOCSimpleAction:game=g|pn={pn}|actType=3|v1=1|v2={1 + _CLAY_FIRST.index(event.resource)}")
        elif isinstance(event, e.CardsDiscarded):
            self.put(f"p{pn}:SOCDiscard:game=g|playerNum={pn}|resources={_set(event.cards)}")
            unknown = _set(0, sum(unpack(event.cards)))
            self.put(f"!p{pn}:SOCDiscard:game=g|playerNum={pn}|resources={unknown}")
        elif isinstance(event, e.BankTrade):
            self.put(f"all:SOCBankTrade:game=g|give={_set(event.give)}|get={_set(event.receive)}|pn={pn}")
        elif isinstance(event, e.PlayerTrade):
            sets = f"toAccepting={_set(event.give)}|toOffering={_set(event.receive)}"
            self.put(f"all:SOCAcceptOffer:game=g|accepting={event.other - 1}|offering={pn}|{sets}")
        elif isinstance(event, e.GameWon):
            self.put("all:SOCGameState:game=g|state=1000")

    def _next(self, pn: int) -> int:
        if not self.is_setup and self.settled == 2 * self.count:
            self.settled += 1
            return 0
        if self.is_setup:
            return self.settled if self.settled < self.count else 2 * self.count - 1 - self.settled
        return (pn + 1) % self.count

    def _play(self, pn: int, card: str) -> None:
        self.put(f"all:SOCDevCardAction:game=g|playerNum={pn}|actionType=PLAY|cardType={_SOC_CARDS[card]}")


def as_soclog(events: Sequence[Event]) -> str:
    """A game as a log of JSettlers, its players in the order of play."""
    return "".join(f"{line}\n" for line in SoclogWriter(events).lines)


def events_of_(constants: Any, steps: Any) -> list[notation.Event]:
    """The events of a game of ours, with the players' usual names."""
    return list(notation.events_of(constants, samples.participants(constants.player_count), steps, samples.STARTED_S))


def rotated_hands(state: Any) -> list[Any]:
    """The hands in the order of play."""
    first = state.first - 1 if state.first else 0
    return [*state.h[first:], *state.h[:first]]
