"""The state of the oracle's game as dicts, and what every action makes of it, in place."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from typing import Any

from tests.oracle.island import Island

RESOURCES = ("Lumber", "Brick", "Wool", "Grain", "Ore")
CARDS = ("Monopoly", "YearOfPlenty", "RoadBuilding", "Knight", "VictoryPoint")
COST = {
    "road": Counter(Lumber=1, Brick=1),
    "village": Counter(Lumber=1, Brick=1, Wool=1, Grain=1),
    "city": Counter(Grain=2, Ore=3),
    "card": Counter(Wool=1, Grain=1, Ore=1),
}


def cards(counts: tuple[int, ...]) -> Counter[str]:
    """Resource cards from five counts."""
    return +Counter(dict(zip(RESOURCES, counts, strict=True)))


def can_pay(hand: Counter[str], cost: Counter[str]) -> bool:
    """Whether every card of the cost is in the hand."""
    return not cost - hand


class OracleGame:
    """One game. ``state`` holds everything that changes; ``rules`` are the rule constants by name."""

    def __init__(self, island: Island, players: int, rules: dict[str, Any]) -> None:
        self.island, self.rules = island, rules
        self.seats = list(range(1, players + 1))
        by_dice = rules["start_order"] != "seat"
        self.state: dict[str, Any] = {
            "stage": "Rolling" if by_dice else "PhaseOne",
            "placing": 1,
            "first": 1,
            "rolls": dict.fromkeys(self.seats, 0),
            "turn": 1,
            "phase": "bot",
            "dice": 0,
            "played": 0,
            "builder": 0,
            "bandit": island.start,
            "pile": Counter(),
            "longest": 0,
            "army": 0,
            "limit": dict.fromkeys(self.seats, 0),
            "offer": (Counter(), Counter()),
            "answer": dict.fromkeys(self.seats, "none"),
            "villages": {},
            "cities": {},
            "roads": {},
            "bank": cards(rules["resource_pool"]),
            "deck": Counter(dict(zip(CARDS, rules["dev_card_pool"], strict=True))),
            "hand": {p: Counter() for p in self.seats},
            "bought": {p: Counter() for p in self.seats},
            "available": {p: Counter() for p in self.seats},
            "open": {p: Counter() for p in self.seats},
        }

    # Looking

    def owner(self, point: int) -> int:
        """Whose settlement is on a point, 0 if nobody's."""
        return self.state["villages"].get(point) or self.state["cities"].get(point) or 0

    def left(self, player: int, piece: str) -> int:
        """How many roads, villages or cities a player has not placed."""
        return self.rules[piece] - sum(whose == player for whose in self.state[piece].values())

    def road_length(self, player: int) -> int:
        """The player's longest road."""
        own = {road for road, whose in self.state["roads"].items() if whose == player}
        return self.island.longest_road(own, {p for p in self.island.point if self.owner(p) not in (0, player)})

    def points(self, player: int) -> int:
        """Villages, cities, victory points, and two for each bonus."""
        s = self.state
        built = list(s["villages"].values()).count(player) + 2 * list(s["cities"].values()).count(player)
        return built + s["open"][player]["VictoryPoint"] + 2 * (s["longest"] == player) + 2 * (s["army"] == player)

    def after_dice(self) -> str:
        """Where a turn goes on after the dice, the bandit and an offer."""
        return "TradingBuilding" if self.rules["combined_trade_build"] else "Trading"

    def takers(self, player: int, wanted: Counter[str]) -> set[int]:
        """Who else holds all of these cards."""
        return {q for q in self.seats if q != player and can_pay(self.state["hand"][q], wanted)}

    def clockwise(self, player: int) -> list[int]:
        """Everybody after a player, the player last."""
        i = self.seats.index(player)
        return self.seats[i + 1 :] + self.seats[: i + 1]

    # Acting

    def act(self, name: str, player: int, *choice: Any) -> None:
        """Carry an action out that is allowed."""
        getattr(self, f"_{name}")(player, *choice)
        s = self.state
        own_turn = s["phase"] not in ("bot", "SpecialBuilding", "top")
        if self.rules["win_check"] == "at_once" and own_turn and self.points(s["turn"]) >= self.rules["points_to_win"]:
            s["phase"] = "top"

    def _pay(self, player: int, cost: Counter[str]) -> None:
        self.state["hand"][player] -= cost
        self.state["bank"] += cost

    def _bonus(self, holder: int, has: dict[int, int], least: int) -> int:
        best = [p for p in self.seats if has[p] == max(has.values())]
        if max(has.values()) < least:
            return 0
        return holder if holder in best else best[0] if len(best) == 1 else 0

    def _count_roads(self) -> None:
        lengths = {p: self.road_length(p) for p in self.seats}
        self.state["longest"] = self._bonus(self.state["longest"], lengths, self.rules["longest_road_min"])

    def _RollForStart(self, player: int, dice: int) -> None:
        s = self.state
        s["rolls"][player] = dice
        if 0 in s["rolls"].values():
            s["placing"] = min(p for p in self.seats if s["rolls"][p] == 0)
            return
        best = [p for p in self.seats if s["rolls"][p] == max(s["rolls"].values())]
        if len(best) > 1:
            s["rolls"] = {p: 0 if p in best else 1 for p in self.seats}
            s["placing"] = best[0]
        else:
            s.update(stage="PhaseOne", placing=best[0], first=best[0], turn=best[0])
            s["rolls"] = dict.fromkeys(self.seats, 0)

    def _SetupPhaseOne(self, player: int, point: int, road: int) -> None:
        s = self.state
        s["villages"][point], s["roads"][road] = player, player
        following = self.clockwise(player)[0]
        if following == s["first"]:
            s["stage"] = "PhaseTwo"
        else:
            s["placing"] = following

    def _SetupPhaseTwo(self, player: int, point: int, road: int) -> None:
        s = self.state
        s["villages"][point], s["roads"][road] = player, player
        self._pay(player, Counter())
        earned = Counter(self.island.around(point))
        s["hand"][player] += earned
        s["bank"] -= earned
        if player == s["first"]:
            s["phase"] = "DiceRoll"
        else:
            s["placing"] = self.clockwise(player)[-2]

    def _RollDice(self, player: int, dice: int) -> None:
        s = self.state
        s["dice"] = dice
        if dice == 7:
            for p in self.seats:
                size = s["hand"][p].total()
                s["limit"][p] = size - size // 2 if size > self.rules["hand_limit"] else 0
            s["phase"] = "Discarding" if any(s["limit"].values()) else "MovingBandit"
            return
        s["phase"] = self.after_dice()
        due = {p: self._due(p, dice) for p in self.seats}
        needed: Counter[str] = sum(due.values(), Counter())
        short = {kind for kind in needed if needed[kind] > s["bank"][kind]}
        if short and self.rules["shortage"] == "nobody":
            return
        for kind in short:
            earners = [p for p in self.seats if due[p][kind]]
            for p in earners:
                due[p][kind] = s["bank"][kind] if len(earners) == 1 else 0
        for p in self.seats:
            s["hand"][p] += due[p]
            s["bank"] -= due[p]

    def _due(self, player: int, dice: int) -> Counter[str]:
        due: Counter[str] = Counter()
        for point, tiles in self.island.point.items():
            for tile in tiles:
                if self.island.number[tile] == dice and tile != self.state["bandit"] and self.owner(point) == player:
                    (card,) = {kind for kind in self.island.around(point) if self._yields(tile, kind)}
                    due[card] += 2 if point in self.state["cities"] else 1
        return due

    def _yields(self, tile: int, kind: str) -> bool:
        return {"forest": "Lumber", "hills": "Brick", "pasture": "Wool", "fields": "Grain", "mountains": "Ore"}.get(
            self.island.terrain[tile]
        ) == kind

    def _Discard(self, player: int, counts: tuple[int, ...]) -> None:
        self._pay(player, cards(counts))

    def _rob(self, player: int, tile: int, victim: int, card: str) -> None:
        self.state["bandit"] = tile
        if card != "none":
            self.state["hand"][victim] -= Counter([card])
            self.state["hand"][player][card] += 1

    def _MoveBandit(self, player: int, tile: int, victim: int, card: str) -> None:
        self._rob(player, tile, victim, card)
        self.state["limit"] = dict.fromkeys(self.seats, 0)
        self.state["phase"] = self.after_dice()

    def _EmptyTrade(self, player: int) -> None:
        self.state["phase"] = "Building"

    def _bank_trade(self, player: int, rate: int, give: str, receive: str) -> None:
        self._pay(player, Counter({give: rate}))
        self.state["hand"][player][receive] += 1
        self.state["bank"] -= Counter([receive])

    def _TradeFourToOne(self, player: int, give: str, receive: str) -> None:
        self._bank_trade(player, 4, give, receive)

    def _TradeThreeToOne(self, player: int, give: str, receive: str) -> None:
        self._bank_trade(player, 3, give, receive)

    def _TradeTwoToOne(self, player: int, give: str, receive: str) -> None:
        self._bank_trade(player, 2, give, receive)

    def _OfferTrade(self, player: int, give: tuple[int, ...], receive: tuple[int, ...]) -> None:
        s = self.state
        asked = self.takers(player, cards(receive))
        s.update(phase="Offering", offer=(cards(give), cards(receive)))
        s["answer"] = {p: "asked" if p in asked else "none" for p in self.seats}

    def _AnswerTrade(self, player: int, answer: str) -> None:
        self.state["answer"][player] = answer

    def _ConcludeTrade(self, player: int, partner: int) -> None:
        give, receive = self.state["offer"]
        hand = self.state["hand"]
        hand[player] = hand[player] - give + receive
        hand[partner] = hand[partner] - receive + give
        self._WithdrawTrade(player)

    def _WithdrawTrade(self, player: int) -> None:
        s = self.state
        s.update(phase=self.after_dice(), offer=(Counter(), Counter()), answer=dict.fromkeys(self.seats, "none"))

    def _EmptyBuild(self, player: int) -> None:
        s = self.state
        own_turn = s["phase"] != "SpecialBuilding"
        if own_turn and self.rules["win_check"] == "turn_end" and self.points(player) >= self.rules["points_to_win"]:
            s["phase"] = "top"
            return
        s["available"][player] += s["bought"][player]
        s["bought"][player] = Counter()
        order = [s["turn"], *self.clockwise(s["turn"])[:-1]]
        later = order[order.index(player) + 1 :] if self.rules["special_building"] else []
        builders = [p for p in later if any(can_pay(s["hand"][p], cost) for cost in COST.values())]
        if builders:
            s.update(phase="SpecialBuilding", builder=builders[0])
        else:
            s.update(phase="DiceRoll", turn=self.clockwise(s["turn"])[0], dice=0, played=0, builder=0)

    def _BuildRoad(self, player: int, road: int) -> None:
        self._pay(player, COST["road"])
        self.state["roads"][road] = player
        self._count_roads()

    def _BuildVillage(self, player: int, point: int) -> None:
        self._pay(player, COST["village"])
        self.state["villages"][point] = player
        self._count_roads()

    def _BuildCity(self, player: int, point: int) -> None:
        self._pay(player, COST["city"])
        self.state["cities"][point] = self.state["villages"].pop(point)

    def _BuyDevCard(self, player: int, card: str) -> None:
        self._pay(player, COST["card"])
        self.state["deck"][card] -= 1
        self.state["open" if card == "VictoryPoint" else "bought"][player][card] += 1

    def _play(self, player: int, card: str) -> None:
        self.state["available"][player][card] -= 1
        self.state["open" if card == "Knight" else "pile"][player if card == "Knight" else card] += (
            Counter([card]) if card == "Knight" else 1
        )
        if self.rules["dev_cards_per_turn"]:
            self.state["played"] += 1

    def _PlayMonopoly(self, player: int, kind: str) -> None:
        self._play(player, "Monopoly")
        hand = self.state["hand"]
        hand[player][kind] = sum(hand[p].pop(kind, 0) for p in self.seats)

    def _PlayYearOfPlenty(self, player: int, first: str, second: str) -> None:
        self._play(player, "YearOfPlenty")
        self.state["hand"][player] += Counter([first]) + Counter([second])
        self.state["bank"] -= Counter([first]) + Counter([second])

    def _PlayRoadBuilding(self, player: int, first: int, second: int) -> None:
        self._play(player, "RoadBuilding")
        self.state["roads"][first] = player
        if second:
            self.state["roads"][second] = player
        self._count_roads()

    def _PlayKnight(self, player: int, tile: int, victim: int, card: str) -> None:
        self._play(player, "Knight")
        self._rob(player, tile, victim, card)
        knights = {p: self.state["open"][p]["Knight"] for p in self.seats}
        self.state["army"] = self._bonus(self.state["army"], knights, self.rules["largest_army_min"])

    def snapshot(self) -> dict[str, Any]:
        """The state with no counts of nothing, to be compared."""

        def plain(value: Any) -> Any:
            if isinstance(value, Counter):
                return {kind: n for kind, n in value.items() if n}
            if isinstance(value, dict):
                return {key: plain(part) for key, part in value.items()}
            return tuple(map(plain, value)) if isinstance(value, tuple) else value

        return {name: plain(value) for name, value in deepcopy(self.state).items()}
