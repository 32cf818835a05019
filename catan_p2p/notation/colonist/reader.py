"""Reading a replay of colonist.io: events from the entries of its log, places and cards from its changes of state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from catan_p2p.game.cards import NO_CARDS, ONE, Cards, DevCard, Resource
from catan_p2p.game.constants import Player
from catan_p2p.notation.colonist.island import RESOURCES, Island, read_island
from catan_p2p.notation.documents import WholeFile, checked, member, optional, read_document, whole
from catan_p2p.notation.errors import NotationError
from catan_p2p.notation.lines import OnError, reporter
from catan_p2p.view import events as e

_CARDS: dict[int, DevCard] = {
    11: "Knight",
    12: "VictoryPoint",
    13: "Monopoly",
    14: "RoadBuilding",
    15: "YearOfPlenty",
}
_UNKNOWN_CARD = 10
_UNSEEN = 9
"""Stands for a hidden resource card."""
_COLOURS = (
    "",
    "red",
    "blue",
    "orange",
    "green",
    "black",
    "bronze",
    "silver",
    "gold",
    "white",
    "purple",
    "mystic",
    "pink",
)
_MOST_EVENTS = 100_000
_EXPANSIONS = ("extensionSetting", "scenarioSetting", "mapSetting")


def read(handle: WholeFile, on_error: OnError | None = None) -> Iterator[e.Event]:
    """The events of a replay; the line of an event is the number of the replay's event, from 1.

    ``NotationError`` at the first error; with ``on_error``, the error of an event is passed to it and the event is left
    out.
    """
    report = reporter(on_error)
    document = read_document(handle)
    data = member(document, "data", dict, "the file") if "data" in document else document
    history = member(data, "eventHistory", dict, "data")
    first = member(history, "initialState", dict, "eventHistory")
    settings = optional(data, "gameSettings", dict, "data") or {}
    for name in _EXPANSIONS:
        if settings.get(name) not in (None, 0):
            raise NotationError(f"gameSettings, {name}: {settings[name]}, expected 0: the base game")
    island = read_island(member(first, "mapState", dict, "initialState"))
    order = [whole(colour, 1, len(_COLOURS) - 1, "playOrder") for colour in member(data, "playOrder", list, "data")]
    if not 2 <= len(order) <= 6 or len({*order}) != len(order):
        raise NotationError(f"playOrder: {len(order)} players, expected 2 to 6 different ones")
    yield e.GameStarted(
        _participants(data, order),
        island.map,
        _started(history),
        rules=_rules(settings, len(order)),
        headers=tuple(_headers(data, history)),
        line=1,
        column=1,
    )
    reader = _ColonistReader(island, order)
    yield from reader.bandit(first)
    events = member(history, "events", list, "eventHistory")
    if len(events) > _MOST_EVENTS:
        raise NotationError(f"events: {len(events)}, expected at most {_MOST_EVENTS}")
    for number, value in enumerate(events, 1):
        try:
            yield from reader.take(value, number)
        except NotationError as error:
            report(NotationError(f"event {number}: {error.reason}", number))
    yield from reader.rest()
    yield from _winner(history, reader, settings)


# The start of the game


def _participants(data: dict[str, Any], order: list[int]) -> tuple[e.Participant, ...]:
    names = {}
    for value in optional(data, "playerUserStates", list, "data") or []:
        user = checked(value, dict, "playerUserStates")
        name = user.get("username")
        if isinstance(name, str) and isinstance(user.get("selectedColor"), int):
            names[user["selectedColor"]] = "".join(letter for letter in name if letter.isprintable())[:64]
    return tuple(
        e.Participant(seat, names.get(colour) or _COLOURS[colour].capitalize(), _COLOURS[colour])
        for seat, colour in enumerate(order, 1)
    )


def _started(history: dict[str, Any]) -> datetime | None:
    text = history.get("startTime")
    if not isinstance(text, str):
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise NotationError(f"startTime: {text[:40]!r}, expected a time") from None
    return (time if time.tzinfo is None else time.astimezone(UTC)).replace(tzinfo=None)


def _rules(settings: dict[str, Any], players: int) -> str:
    """The rule book's rules, as changed by the settings of the game."""
    rules = ["standard"]
    if settings.get("friendlyRobber") is True:
        rules.append("BanditTargets = friendly")
    points = settings.get("victoryPointsToWin")
    if points not in (None, 10):
        rules.append(f"PointsToWin = {whole(points, 3, 40, 'victoryPointsToWin')}")
    limit = settings.get("cardDiscardLimit")
    if limit not in (None, 7):
        rules.append(f"HandLimit = {whole(limit, 1, 100, 'cardDiscardLimit')}")
    return "; ".join(rules)


def _headers(data: dict[str, Any], history: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "Site", "colonist.io"
    number = data.get("databaseGameId")
    if isinstance(number, str) and number.isdigit():
        yield "Game", number[:32]


def _winner(history: dict[str, Any], reader: _ColonistReader, settings: dict[str, Any]) -> Iterator[e.Event]:
    """The win of a game that ended by points; a player who is merely left alone has too few."""
    ended = optional(history, "endGameState", dict, "eventHistory") or {}
    for value in (optional(ended, "players", dict, "endGameState") or {}).values():
        player = checked(value, dict, "endGameState, players")
        if player.get("winningPlayer") is True:
            points = optional(player, "victoryPoints", dict, "endGameState") or {}
            worth = sum(whole(n, 0, 99, "victoryPoints") * _WORTH.get(kind, 0) for kind, n in points.items())
            if worth >= (settings.get("victoryPointsToWin") or 10):
                yield e.GameWon(reader.player(player.get("color"), "endGameState"), line=reader.number)


_WORTH = {"0": 1, "1": 2, "2": 1, "3": 2, "4": 2}
"""Points for each settlement, city, victory point card, the largest army and the longest road."""


class _ColonistReader:
    """Reads the events one by one; a robbery is held back for its card, a road building card for its roads."""

    def __init__(self, island: Island, order: list[int]) -> None:
        self._island = island
        self._players: dict[int, Player] = {colour: seat for seat, colour in enumerate(order, 1)}
        self._active: Player = 1
        self._turn_s = 0.0
        self._held: e.BanditMoved | e.RoadBuildingPlayed | None = None
        self._is_robbed = False
        self.number = 0

    def player(self, value: object, where: str) -> Player:
        """The player of a colour."""
        colour = whole(value, 1, len(_COLOURS) - 1, f"{where}, colour")
        if colour not in self._players:
            raise NotationError(f"{where}: colour {colour} does not play")
        return self._players[colour]

    def bandit(self, first: dict[str, Any]) -> Iterator[e.Event]:
        """The event of the bandit's starting place."""
        robber = optional(first, "mechanicRobberState", dict, "initialState")
        if robber is not None:
            yield e.BanditStands(1, self._tile(robber))
        self._pass_on(optional(first, "currentState", dict, "initialState") or {})

    def take(self, value: object, number: int) -> Iterator[e.Event]:
        """The events of one event of the replay."""
        self.number = number
        told = checked(value, dict, "the event")
        spent = (optional(told, "input", dict, "the event") or {}).get("deltaS")
        if isinstance(spent, int | float) and 0 <= spent < 10**6:
            self._turn_s += spent
        change = optional(told, "stateChange", dict, "the event") or {}
        state = optional(change, "currentState", dict, "stateChange") or {}
        # Where a turn ends in this event, its entries still belong to the old player, and the turn passes on below.
        if "completedTurns" not in state:
            self._pass_on(state)
        log = optional(change, "gameLogState", dict, "stateChange") or {}
        for key in sorted(log, key=lambda key: (len(key), key)):
            entry = checked(log[key], dict, "gameLogState")
            text = optional(entry, "text", dict, "gameLogState") or {}
            read_entry = _ENTRIES.get(text.get("type", -1)) if isinstance(text.get("type"), int) else None
            if read_entry is not None:
                yield from read_entry(self, text, entry, change)
        if "completedTurns" in state:
            yield from self.rest()
            yield e.TurnEnded(self._active, round(self._turn_s), line=number)
            self._turn_s = 0.0
            self._pass_on(state)

    def _pass_on(self, state: dict[str, Any]) -> None:
        """Make the player whom the state names the active one, if it names any."""
        if state.get("currentTurnPlayerColor") is not None:
            self._active = self.player(state["currentTurnPlayerColor"], "currentState")

    def rest(self) -> Iterator[e.Event]:
        """The event that was held back, if any."""
        held, self._held, self._is_robbed = self._held, None, False
        if held is not None:
            yield held

    def _tile(self, robber: dict[str, Any]) -> int:
        index = whole(robber.get("locationTileIndex"), 0, 999, "locationTileIndex")
        if index not in self._island.tiles:
            raise NotationError(f"locationTileIndex: {index}, expected the number of a tile")
        return self._island.tiles[index]

    def _actor(self, text: dict[str, Any]) -> Player:
        return self.player(text.get("playerColor"), "playerColor")

    def _resources(self, value: object, where: str) -> Cards:
        cards = NO_CARDS
        for number in checked(value, list, where)[:95]:
            cards += ONE[self._resource(number, where)]
        return cards

    def _resource(self, value: object, where: str) -> Resource:
        return RESOURCES[whole(value, 1, 5, where)]

    # One method for each type of log entry

    def _built(self, text: dict[str, Any], entry: dict[str, Any], change: dict[str, Any]) -> Iterator[e.Event]:
        player = self._actor(text)
        piece = text.get("pieceEnum")
        if piece == 0:
            yield from self._road(player, self._place(change, "tileEdgeStates", self._island.edges))
            return
        yield from self.rest()
        at = self._place(change, "tileCornerStates", self._island.corners)
        if piece == 2:
            yield e.VillageBuilt(player, at, line=self.number)
        elif piece == 3:
            yield e.CityBuilt(player, at, line=self.number)
        else:
            raise NotationError(f"pieceEnum: {piece}, expected 0, 2 or 3")

    def _road(self, player: Player, at: int) -> Iterator[e.Event]:
        held = self._held
        if isinstance(held, e.RoadBuildingPlayed) and held.player == player and held.second is None:
            first = at if held.first is None else held.first
            self._held = e.RoadBuildingPlayed(player, first, None if held.first is None else at, line=held.line)
            if held.first is not None:
                yield from self.rest()
            return
        yield from self.rest()
        yield e.RoadBuilt(player, at, line=self.number)

    def _place(self, change: dict[str, Any], name: str, points: dict[int, int]) -> int:
        states = member(member(change, "mapState", dict, "stateChange"), name, dict, "mapState")
        keys = [key for key in states if key.isascii() and key.isdigit() and len(key) <= 6 and int(key) in points]
        if len(keys) != 1:
            raise NotationError(f"{name}: {len(keys)} places, expected one")
        return points[int(keys[0])]

    def _bought(self, text: dict[str, Any], entry: dict[str, Any], change: dict[str, Any]) -> Iterator[e.Event]:
        yield from self.rest()
        player = self._actor(text)
        states = optional(change, "mechanicDevelopmentCardsState", dict, "stateChange") or {}
        of_players = optional(states, "players", dict, "mechanicDevelopmentCardsState") or {}
        own = optional(of_players, str(text.get("playerColor")), dict, "players") or {}
        bought = optional(own, "developmentCardsBoughtThisTurn", list, "players") or [_UNKNOWN_CARD]
        number = whole(bought[-1], _UNKNOWN_CARD, 15, "developmentCardsBoughtThisTurn")
        yield e.DevCardBought(player, _CARDS.get(number), line=self.number)

    def _rolled(self, text: dict[str, Any], entry: dict[str, Any], change: dict[str, Any]) -> Iterator[e.Event]:
        yield from self.rest()
        one, other = (whole(text.get(name), 1, 6, name) for name in ("firstDice", "secondDice"))
        # the server rolls when a player's time is up, and names nobody then
        player = self._active if text.get("playerColor") is None else self._actor(text)
        yield e.DiceRolled(player, one + other, (one, other), line=self.number)

    def _moved(self, text: dict[str, Any], entry: dict[str, Any], change: dict[str, Any]) -> Iterator[e.Event]:
        yield from self.rest()
        to = self._tile(member(change, "mechanicRobberState", dict, "stateChange"))
        self._held = e.BanditMoved(self._actor(text), to, None, "none", line=self.number)

    def _stolen(self, text: dict[str, Any], entry: dict[str, Any], change: dict[str, Any]) -> Iterator[e.Event]:
        """One theft has up to three entries: for the thief, for the victim, and for all others."""
        held = self._held
        if not isinstance(held, e.BanditMoved):
            raise NotationError("a theft without a move of the robber")
        if text["type"] == 16:
            victim = self.player(text.get("playerColorVictim"), "playerColorVictim")
        elif text["type"] == 14:
            victim = self._actor(text)
        else:  # to the victim, and so the thief is named
            recipients = optional(entry, "specificRecipients", list, "gameLogState") or [0]
            victim = self.player(recipients[0], "specificRecipients")
        cards = optional(text, "cardEnums", list, "the theft") or [0]
        number = 0 if cards[0] == _UNSEEN else whole(cards[0], 0, 5, "cardEnums")
        known: Resource | None = RESOURCES.get(number)
        if self._is_robbed and held.card is not None:
            known = held.card if held.card != "none" else known
        self._held, self._is_robbed = e.BanditMoved(held.player, held.to, victim, known, line=held.line), True
        return iter(())

    def _played(self, text: dict[str, Any], entry: dict[str, Any], change: dict[str, Any]) -> Iterator[e.Event]:
        yield from self.rest()
        player = self._actor(text)
        card = _CARDS.get(whole(text.get("cardEnum"), 11, 15, "cardEnum"))
        if card == "Knight":
            yield e.KnightPlayed(player, line=self.number)
        elif card == "RoadBuilding":
            self._held = e.RoadBuildingPlayed(player, None, None, line=self.number)

    def _plenty(self, text: dict[str, Any], entry: dict[str, Any], change: dict[str, Any]) -> Iterator[e.Event]:
        yield from self.rest()
        cards = [
            None if card == _UNSEEN else self._resource(card, "cardEnums")
            for card in member(text, "cardEnums", list, "year of plenty")
        ]
        if len(cards) != 2:
            raise NotationError(f"year of plenty: {len(cards)} cards, expected 2")
        yield e.YearOfPlentyPlayed(self._actor(text), cards[0], cards[1], line=self.number)

    def _monopoly(self, text: dict[str, Any], entry: dict[str, Any], change: dict[str, Any]) -> Iterator[e.Event]:
        yield from self.rest()
        yield e.MonopolyPlayed(self._actor(text), self._resource(text.get("cardEnum"), "cardEnum"), line=self.number)

    def _discarded(self, text: dict[str, Any], entry: dict[str, Any], change: dict[str, Any]) -> Iterator[e.Event]:
        yield from self.rest()
        numbers = checked(text.get("cardEnums"), list, "cardEnums")[:95]
        seen = [number for number in numbers if number != _UNSEEN]
        cards = self._resources(seen, "cardEnums") if seen else NO_CARDS
        yield e.CardsDiscarded(self._actor(text), cards, len(numbers) - len(seen), line=self.number)

    def _traded(self, text: dict[str, Any], entry: dict[str, Any], change: dict[str, Any]) -> Iterator[e.Event]:
        yield from self.rest()
        player = self._actor(text)
        give = self._resources(text.get("givenCardEnums"), "givenCardEnums")
        receive = self._resources(text.get("receivedCardEnums"), "receivedCardEnums")
        if text["type"] == 116:
            yield e.BankTrade(player, give, receive, None, line=self.number)
        else:
            other = self.player(text.get("acceptingPlayerColor"), "acceptingPlayerColor")
            yield e.PlayerTrade(player, other, give, receive, line=self.number)


_ENTRIES: dict[int, Callable[[_ColonistReader, dict[str, Any], dict[str, Any], dict[str, Any]], Iterator[e.Event]]] = {
    1: _ColonistReader._bought,
    4: _ColonistReader._built,
    5: _ColonistReader._built,
    10: _ColonistReader._rolled,
    11: _ColonistReader._moved,
    14: _ColonistReader._stolen,
    15: _ColonistReader._stolen,
    16: _ColonistReader._stolen,
    20: _ColonistReader._played,
    21: _ColonistReader._plenty,
    55: _ColonistReader._discarded,
    86: _ColonistReader._monopoly,
    115: _ColonistReader._traded,
    116: _ColonistReader._traded,
    141: _ColonistReader._rolled,
}
"""The reader of each type of log entry; all other types are ignored.

These numbers, and those of cards, pieces and colours, are those of colonist.io's own client, as public programs that
read its messages list them (``src/protocol.js`` of Rastipunk/colonist-card-tracker).
"""
