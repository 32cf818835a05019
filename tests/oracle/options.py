"""What may be done in the oracle's game, found by trying everything that could be named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

from tests.oracle.game import CARDS, COST, RESOURCES, OracleGame, can_pay, cards

Step = tuple[Any, ...]
"""The action's name, the player, and the choices; cards are five counts."""


def options(game: OracleGame, player: int) -> Iterator[Step]:
    """Everything that a player may do now, but for offers, discards and their many ways: see ``may_offer``."""
    s = game.state
    phase = s["phase"]
    if phase == "bot":
        yield from _beginnings(game, player)
    elif phase == "DiceRoll" and s["turn"] == player:
        yield from (("RollDice", player, dice) for dice in game.rules["dice"])
    elif phase in ("Discarding", "MovingBandit"):
        if s["turn"] == player and not any(owed(game, p) for p in game.seats):
            yield from (("MoveBandit", player, *robbery) for robbery in _robberies(game, player))
    elif phase == "Offering":
        yield from _answers(game, player)
    if phase in ("Trading", "TradingBuilding") and s["turn"] == player:
        yield from _bank_trades(game, player)
        if phase == "Trading":
            yield "EmptyTrade", player
    builder = s["builder"] if phase == "SpecialBuilding" else s["turn"]
    if phase in ("Building", "TradingBuilding", "SpecialBuilding") and builder == player:
        yield "EmptyBuild", player
        yield from _buildings(game, player)
    playing = ("Trading", "Building", "TradingBuilding", *(["DiceRoll"] if game.rules["dev_card_before_dice"] else []))
    limit = game.rules["dev_cards_per_turn"]
    if phase in playing and s["turn"] == player and not (limit and s["played"] >= limit):
        yield from _cards(game, player)


def owed(game: OracleGame, player: int) -> int:
    """How many cards a player has to discard."""
    limit = game.state["limit"][player]
    return max(0, game.state["hand"][player].total() - limit) if limit else 0


def may_discard(game: OracleGame, player: int, counts: tuple[int, ...]) -> bool:
    """Whether the player discards just what they owe, out of their hand."""
    owes = owed(game, player)
    return bool(owes) and sum(counts) == owes and can_pay(game.state["hand"][player], cards(counts))


def ways_to_discard(game: OracleGame, player: int) -> int:
    """In how many ways a player can."""
    hand = game.state["hand"][player]
    ranges = (range(hand[kind] + 1) for kind in RESOURCES)
    return sum(may_discard(game, player, counts) for counts in product(*ranges))


def may_offer(game: OracleGame, player: int, give: tuple[int, ...], receive: tuple[int, ...]) -> bool:
    """Whether the player may offer this for that."""
    s, most = game.state, game.rules["offer_max"]
    return (
        game.rules["domestic_trade"]
        and s["phase"] in ("Trading", "TradingBuilding")
        and s["turn"] == player
        and 1 <= sum(give) <= most
        and 1 <= sum(receive) <= most
        and not any(a and b for a, b in zip(give, receive, strict=True))
        and can_pay(s["hand"][player], cards(give))
        and bool(game.takers(player, cards(receive)))
    )


def _beginnings(game: OracleGame, player: int) -> Iterator[Step]:
    s = game.state
    if s["placing"] != player:
        return
    if s["stage"] == "Rolling":
        yield from (("RollForStart", player, dice) for dice in game.rules["dice"])
        return
    for point in game.island.point:
        if _is_open(game, point) and (s["stage"] == "PhaseOne" or not Counter(game.island.around(point)) - s["bank"]):
            for road in game.island.roads_at[point]:
                if road not in s["roads"] and not _is_blocked(game, game.island.road[road]):
                    yield f"Setup{s['stage']}", player, point, road


def _is_blocked(game: OracleGame, tiles: frozenset[int]) -> bool:
    return game.rules["bandit_blocks_building"] and game.state["bandit"] in tiles


def _is_open(game: OracleGame, point: int) -> bool:
    """Free, nobody next to it, and not beside the bandit where he blocks."""
    return not any(map(game.owner, {point} | game.island.neighbours[point])) and not _is_blocked(
        game, game.island.point[point]
    )


def _robberies(game: OracleGame, player: int) -> Iterator[tuple[int, int, str]]:
    others = {
        tile: {game.owner(p) for p, tiles in game.island.point.items() if tile in tiles} - {0, player}
        for tile in game.island.land - {game.state["bandit"]}
    }
    if game.rules["bandit_targets"] == "adversary" and any(others.values()):
        others = {tile: living for tile, living in others.items() if living}
    for tile, living in others.items():
        for victim in living or {0}:
            held = [kind for kind in RESOURCES if victim and game.state["hand"][victim][kind]]
            yield from ((tile, victim, card) for card in held or ["none"])


def _answers(game: OracleGame, player: int) -> Iterator[Step]:
    s = game.state
    if s["answer"][player] == "asked":
        yield from (("AnswerTrade", player, answer) for answer in ("accept", "reject"))
    if s["turn"] == player and "asked" not in s["answer"].values():
        yield "WithdrawTrade", player
        yield from (("ConcludeTrade", player, p) for p in game.seats if s["answer"][p] == "accept")


def _bank_trades(game: OracleGame, player: int) -> Iterator[Step]:
    s = game.state
    wharfs = {kind for p, kinds in game.island.wharfs.items() if game.owner(p) == player for kind in kinds}
    for give, receive in product(RESOURCES, repeat=2):
        if give != receive and s["bank"][receive]:
            for name, rate, wharf in (("Four", 4, None), ("Three", 3, "ThreeToOne"), ("Two", 2, give)):
                if s["hand"][player][give] >= rate and (wharf is None or wharf in wharfs):
                    yield f"Trade{name}ToOne", player, give, receive


def _reaches(game: OracleGame, player: int, road: int, roads: dict[int, int]) -> bool:
    """Whether the player's network comes to an end of a road: a settlement, or a road past nobody else's."""
    return any(
        game.owner(end) == player
        or (not game.owner(end) and any(roads.get(other) == player for other in game.island.roads_at[end]))
        for end in game.island.ends[road]
    )


def _may_lay(game: OracleGame, player: int, road: int, roads: dict[int, int]) -> bool:
    free = road not in roads and not _is_blocked(game, game.island.road[road])
    return free and _reaches(game, player, road, roads)


def _buildings(game: OracleGame, player: int) -> Iterator[Step]:
    s, hand = game.state, game.state["hand"][player]
    if can_pay(hand, COST["road"]) and game.left(player, "roads"):
        yield from (("BuildRoad", player, r) for r in game.island.road if _may_lay(game, player, r, s["roads"]))
    if can_pay(hand, COST["village"]) and game.left(player, "villages"):
        for point in game.island.point:
            if _is_open(game, point) and any(s["roads"].get(r) == player for r in game.island.roads_at[point]):
                yield "BuildVillage", player, point
    if can_pay(hand, COST["city"]) and game.left(player, "cities"):
        for point, whose in s["villages"].items():
            if whose == player and not _is_blocked(game, game.island.point[point]):
                yield "BuildCity", player, point
    if can_pay(hand, COST["card"]):
        yield from (("BuyDevCard", player, card) for card in CARDS if s["deck"][card])


def _cards(game: OracleGame, player: int) -> Iterator[Step]:
    s = game.state
    held = s["available"][player]
    if held["Monopoly"]:
        yield from (("PlayMonopoly", player, kind) for kind in RESOURCES)
    if held["YearOfPlenty"]:
        for pair in product(RESOURCES, repeat=2):
            if can_pay(s["bank"], Counter(pair)):
                yield "PlayYearOfPlenty", player, *pair
    if held["Knight"]:
        yield from (("PlayKnight", player, *robbery) for robbery in _robberies(game, player))
    left = game.left(player, "roads")
    if held["RoadBuilding"] and left >= game.rules["road_building_needs"]:
        for first in game.island.road:
            if _may_lay(game, player, first, s["roads"]):
                with_first = {**s["roads"], first: player}
                seconds = [r for r in game.island.road if _may_lay(game, player, r, with_first)]
                if left > 1:
                    yield from (("PlayRoadBuilding", player, first, second) for second in seconds)
                if game.rules["road_building_needs"] == 1 and (left == 1 or not seconds):
                    yield "PlayRoadBuilding", player, first, 0
