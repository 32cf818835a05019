"""Our game and catanatron's beside one another: after every action the same, but for the known differences."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from catanatron.models.actions import monopoly_possibilities, robber_possibilities, year_of_plenty_possibilities
from catanatron.models.enums import ActionType

from catan_p2p import actions as ours
from catan_p2p.game.actions.discard import owed
from catan_p2p.game.actions.placement import open_roads, open_settlement_points, touched_settlement_points
from catan_p2p.game.board import numbers
from catan_p2p.game.cards import DEV_CARDS, RESOURCES, count, pack, total, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import awaited, enabled
from catan_p2p.game.scoring import player_points, trail_length
from catan_p2p.game.state import State
from tests.independent.differences import (
    Known,
    can_pay_road,
    cards_by_rule_book,
    holder_by_rule_book,
    longest_walk,
    robberies_by_rule_book,
    trades_by_rule_book,
)
from tests.independent.island import OUR_RESOURCE
from tests.independent.opinion import RATE, Opinion

CARD_ACTIONS: dict[ActionType, str] = {
    ActionType.PLAY_KNIGHT_CARD: "Knight",
    ActionType.PLAY_MONOPOLY: "Monopoly",
    ActionType.PLAY_YEAR_OF_PLENTY: "YearOfPlenty",
    ActionType.PLAY_ROAD_BUILDING: "RoadBuilding",
}
OUR_CARD_ACTIONS: dict[type, str] = {
    ours.PlayKnight: "Knight",
    ours.PlayMonopoly: "Monopoly",
    ours.PlayYearOfPlenty: "YearOfPlenty",
    ours.PlayRoadBuilding: "RoadBuilding",
}


class Disagreement(AssertionError):
    """The two sides differ in a way that is not known."""


@dataclass(slots=True)
class Tally:
    """What was compared, and which known differences were met."""

    games: int = 0
    turns: int = 0
    actions: int = 0
    values: int = 0
    options: int = 0
    known: Counter[Known] = field(default_factory=Counter)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.games + other.games,
            self.turns + other.turns,
            self.actions + other.actions,
            self.values + other.values,
            self.options + other.options,
            self.known + other.known,
        )


class Agreement:
    """One game on both sides, compared after every action."""

    def __init__(self, state: State, tally: Tally) -> None:
        self.opinion = Opinion(state)
        self.tally = tally
        self.bought: Counter[str] = Counter(dict(zip(DEV_CARDS, unpack(state.h[state.ap - 1].bc), strict=True)))
        """What the active player has bought this turn, counted here by the actions."""
        self.compare(state)

    def follow(self, before: State, action: ours.Action, after: State) -> None:
        """Carry an action out on the other side and compare; ``Disagreement`` if anything differs unexpectedly."""
        opinion = self.opinion
        if isinstance(action, ours.Discard):
            self._same(f"{action}: cards", total(action.cards), opinion.discard_size(action.player))
        elif isinstance(action, ours.BuyDevCard):
            self.bought[action.card] += 1
        elif isinstance(action, ours.EmptyBuild):
            self.bought.clear()
        try:
            if isinstance(action, ours.ConcludeTrade):
                opinion.swap(action.player, action.partner, before.offer.give, before.offer.receive)
                self.tally.known[Known.DOMESTIC_TRADE] += 1
            else:
                opinion.perform(action)
        except (ValueError, AssertionError) as error:
            raise Disagreement(f"catanatron refuses {action}: {error}") from error
        self.tally.actions += 1
        try:
            self._midway(before, action)
            if isinstance(action, ours.RollDice):
                self._shortage(before, action, after)
            if isinstance(action, ours.BuildRoad | ours.BuildVillage | ours.PlayRoadBuilding):
                self._longest_road(before, action, after)
            self.compare(after)
            if isinstance(action, ours.EmptyBuild):
                self.tally.turns += 1
                self._networks(after)
        except Disagreement as error:
            raise Disagreement(f"after {action}: {error}") from None

    def _same(self, what: str, ours: Any, theirs: Any) -> None:
        self.tally.values += 1
        if ours != theirs:
            raise Disagreement(f"{what}: ours {ours}, catanatron {theirs}")

    def _same_options(self, what: str, ours: set[Any], theirs: set[Any]) -> None:
        self.tally.options += 1
        if ours != theirs:
            raise Disagreement(f"{what}: only ours {sorted(ours - theirs)}, only catanatron {sorted(theirs - ours)}")

    # Values

    def compare(self, state: State) -> None:
        """Everything that both sides know of a state, and everything that can be done in it."""
        opinion, same = self.opinion, self._same
        for seat in state.constants.players:
            hand = state.h[seat - 1]
            same(f"hand of player {seat}", unpack(hand.rc), unpack(opinion.hand(seat)))
            *waiting, _ = unpack(hand.bc + hand.ac)
            *_, knights, victory_points = unpack(hand.uc)
            same(f"development cards of player {seat}", (*waiting, victory_points), opinion.cards(seat))
            same(f"knights played by player {seat}", knights, opinion.played(seat)[3])
            same(f"points of player {seat}", player_points(state, seat), opinion.points(seat))
            same(f"supply of player {seat}", tuple(state.b[seat - 1]), opinion.supply(seat))
        played = [sum(cards) for cards in zip(*map(opinion.played, state.constants.players), strict=True)]
        same("progress cards played", unpack(state.dp)[:3], tuple(played[:3]))
        same("bank", unpack(state.bnk.rc), opinion.bank)
        same("development cards left", unpack(state.bnk.dc), opinion.cards_left)
        same("longest road", state.lr, opinion.longest_road)
        same("largest army", state.la, opinion.largest_army)
        same("robber", state.ba, opinion.robber)
        standing = {p: (seat, False) for seat in state.constants.players for p in numbers(state.s.villages[seat - 1])}
        standing |= {p: (seat, True) for seat in state.constants.players for p in numbers(state.s.cities[seat - 1])}
        same("settlements", standing, opinion.villages)
        lying = {road: seat for seat in state.constants.players for road in numbers(state.r[seat - 1])}
        same("roads", lying, opinion.roads)
        self._winner(state)
        if state.tp == "Discarding" and any(owed(state, seat) for seat in state.constants.players):
            same("first to discard", min(awaited(state), key=opinion.seats.index), opinion.to_move)
        elif state.tp not in ("Offering", "top"):
            same("player to move", awaited(state), (opinion.to_move,))
            if state.tp != "bot":
                same("dice rolled", state.tp != "DiceRoll", opinion.has_rolled)
                same("card played", state.pd > 0, opinion.has_played)
            self._options(state)

    def _winner(self, state: State) -> None:
        enough = self.opinion.points_to_win
        leaders = {seat for seat in state.constants.players if self.opinion.points(seat) >= enough}
        winner = self.opinion.winner
        self._same("whether anybody has enough points", winner != 0, bool(leaders))
        if state.is_over:
            self._same("winner", state.ap in leaders, True)
        elif leaders:
            # Almanac, "Ending the Game": "You can only win during your turn."
            if state.ap in leaders:
                raise Disagreement(f"winner: ours nobody, catanatron player {winner}")
            self.tally.known[Known.WIN_OFF_TURN] += 1

    # Known differences in what an action does

    def _shortage(self, before: State, action: ours.RollDice, after: State) -> None:
        opinion = self.opinion
        for resource in RESOURCES:
            due = self._due(before, action, resource)
            stock = count(before.bnk.rc, resource)
            if len(due) != 1 or not 0 < stock < sum(due.values()):
                continue
            (seat,) = due
            self._same(f"{resource} for player {seat} alone", count(after.bnk.rc, resource), 0)
            self.tally.known[Known.SHORTAGE_OF_ONE] += 1
            rest = pack(stock if other == resource else 0 for other in RESOURCES)
            opinion.set_hand(seat, opinion.hand(seat) + rest)
            opinion.set_bank(pack(opinion.bank) - rest)
            opinion.ask()

    def _due(self, before: State, action: ours.RollDice, resource: str) -> dict[Player, int]:
        """Cards of a resource that a roll yields, by player, on catanatron's board."""
        due: Counter[Player] = Counter()
        for cube, tile in self.opinion.island.map.land_tiles.items():
            if tile.number != action.dice or cube == self.opinion.theirs.board.robber_coordinate:
                continue
            if OUR_RESOURCE[tile.resource] == resource:
                for node in tile.nodes.values():
                    if node in self.opinion.theirs.board.buildings:
                        colour, kind = self.opinion.theirs.board.buildings[node]
                        due[self.opinion.seat(colour)] += 2 if kind == "CITY" else 1
        return dict(due)

    def _longest_road(self, before: State, action: Any, after: State) -> None:
        opinion = self.opinion
        lengths, theirs = {}, {}
        for seat in after.constants.players:
            theirs[seat] = opinion.road_length(seat)
            # Our engine does not measure fewer roads than the card takes.
            lengths[seat] = trail_length(after, seat) or longest_walk(opinion, seat)
            self.tally.values += 1
        cut_or_built = after.constants.players if isinstance(action, ours.BuildVillage) else (action.player,)
        for seat in cut_or_built:
            self._same(f"longest road of player {seat}, every walk tried", lengths[seat], longest_walk(opinion, seat))
        self._same("holder by the rule book", after.lr, holder_by_rule_book(lengths, before.lr))
        differ = {seat for seat, length in lengths.items() if length != theirs[seat]}
        for seat in differ:
            at_least = longest_walk(opinion, seat, may_end_at_adversary=False)
            if not at_least <= theirs[seat] < lengths[seat]:
                raise Disagreement(f"length of player {seat}'s road: ours {lengths[seat]}, catanatron {theirs[seat]}")
            self.tally.known[Known.ROAD_TO_ADVERSARY] += 1
        if after.lr != opinion.longest_road:
            most = max(lengths.values())
            tied = [*lengths.values()].count(most) > 1
            if isinstance(action, ours.BuildVillage) and (tied or most < 5):
                self.tally.known[Known.ROAD_CARD_AFTER_CUT] += 1
            elif not differ:
                return  # compare() tells
        if differ or after.lr != opinion.longest_road:
            opinion.give_longest_road(after.lr, lengths)
            opinion.ask()

    def _midway(self, before: State, action: Any) -> None:
        """The choice in the middle of an action that is two on the other side: the road beside a village, and such."""
        if isinstance(action, ours.SetupPhaseOne | ours.SetupPhaseTwo):
            roads = {one.road for one in enabled(before, action.player) if one.at == action.at}  # type: ignore[attr-defined]
            self._same_options("roads beside the village", roads, self.opinion.midway)
        elif isinstance(action, ours.PlayRoadBuilding):
            seconds = {
                one.second
                for one in enabled(before, action.player)
                if isinstance(one, ours.PlayRoadBuilding) and one.first == action.first
            }
            self._same_options("second free roads", seconds - {0}, self.opinion.midway)
            if self.opinion.is_cut_short:
                self._same("a free road that could be paid", False, can_pay_road(before.h[action.player - 1].rc))
                self.tally.known[Known.FREE_ROADS_PAID] += 1

    # Options

    def _options(self, state: State) -> None:
        (player,) = awaited(state)
        found = enabled(state, player)
        by_kind: dict[type, list[Any]] = {}
        for action in found:
            by_kind.setdefault(type(action), []).append(action)
        if state.tp == "bot":
            self._places("villages to begin with", {action.at for action in found}, ActionType.BUILD_SETTLEMENT)  # type: ignore[attr-defined]
            return
        if state.tp in ("Discarding", "MovingBandit"):
            theirs = set(self.opinion.playable(ActionType.MOVE_ROBBER))
            self._robberies(player, by_kind.get(ours.MoveBandit, []), theirs)
            return
        self._moment(by_kind, ours.RollDice, ActionType.ROLL)
        self._moment(by_kind, ours.EmptyBuild, ActionType.END_TURN)
        self._moment(by_kind, ours.BuyDevCard, ActionType.BUY_DEVELOPMENT_CARD)
        self._places("villages", {a.at for a in by_kind.get(ours.BuildVillage, ())}, ActionType.BUILD_SETTLEMENT)
        self._places("cities", {a.at for a in by_kind.get(ours.BuildCity, ())}, ActionType.BUILD_CITY)
        roads = {self.opinion.island.road[edge] for edge in self.opinion.playable(ActionType.BUILD_ROAD)}
        self._same_options("roads to build", {a.at for a in by_kind.get(ours.BuildRoad, ())}, roads)
        self._trades(player, by_kind)
        self._cards(player, by_kind)

    def _places(self, what: str, points: set[int], kind: ActionType) -> None:
        self._same_options(what, points, {self.opinion.island.point[node] for node in self.opinion.playable(kind)})

    def _moment(self, by_kind: dict[type, list[Any]], kind: type, theirs: ActionType) -> None:
        self._same(f"{theirs.value} possible", kind in by_kind, bool(self.opinion.playable(theirs)))

    def _trades(self, player: Player, by_kind: dict[type, list[Any]]) -> None:
        offered = {(RATE[kind], a.give, a.receive) for kind in RATE for a in by_kind.get(kind, ())}
        expected = trades_by_rule_book(self.opinion, player)
        self._same_options("trades with the bank", offered, expected)
        best = {give: min(rate for rate, other, _ in expected if other == give) for _, give, _ in expected}
        theirs = {
            (sum(card is not None for card in trade[:4]), OUR_RESOURCE[trade[0]], OUR_RESOURCE[trade[4]])
            for trade in self.opinion.playable(ActionType.MARITIME_TRADE)
        }
        self._same_options(
            "trades at the best rate", {trade for trade in offered if trade[0] == best[trade[1]]}, theirs
        )
        if offered != theirs:
            self.tally.known[Known.WORSE_RATE] += 1

    def _cards(self, player: Player, by_kind: dict[type, list[Any]]) -> None:
        opinion = self.opinion
        playable = {card for kind, card in OUR_CARD_ACTIONS.items() if kind in by_kind}
        theirs = {card for kind, card in CARD_ACTIONS.items() if opinion.playable(kind)}
        expected, known = cards_by_rule_book(opinion, player, theirs, self.bought)
        self._same_options("development cards to play", playable, expected)
        self.tally.known.update(known)
        if "YearOfPlenty" in playable:
            self._plenty(player, by_kind[ours.PlayYearOfPlenty])
        if "RoadBuilding" in playable:
            first = {action.first for action in by_kind[ours.PlayRoadBuilding]}
            self._same_options("first free roads", first, opinion.open_roads(player))
        if "Monopoly" in playable:
            named = {OUR_RESOURCE[action.value] for action in monopoly_possibilities(opinion.colour(player))}
            self._same_options("monopolies", {action.resource for action in by_kind[ours.PlayMonopoly]}, named)
        if "Knight" in playable:
            theirs_now = {a.value for a in robber_possibilities(opinion.theirs, opinion.colour(player))}
            self._robberies(player, by_kind[ours.PlayKnight], theirs_now)

    def _plenty(self, player: Player, plays: list[Any]) -> None:
        chosen = {tuple(sorted((play.first, play.second), key=RESOURCES.index)) for play in plays}
        takings = year_of_plenty_possibilities(self.opinion.colour(player), [*self.opinion.bank])
        theirs = {tuple(OUR_RESOURCE[resource] for resource in action.value) for action in takings}
        single = {taken for taken in theirs if len(taken) == 1}
        if single:
            self._same("a lack in the bank", min(self.opinion.bank) < 2, True)
            self.tally.known[Known.ONE_CARD_OF_PLENTY] += 1
        self._same_options("years of plenty", chosen, theirs - single)

    def _robberies(self, player: Player, moves: list[Any], theirs: set[Any]) -> None:
        allowed = {(move.to, move.victim) for move in moves}
        expected = robberies_by_rule_book(self.opinion, player)
        self._same_options("robberies", allowed, expected)
        with_cards = {(to, victim) for to, victim in expected if victim and self.opinion.hand(victim)}
        with_cards |= {(to, 0) for to, _ in expected if all(tile != to for tile, _ in with_cards)}
        named = {(self.opinion.island.tile[cube], self.opinion.seat(colour)) for cube, colour, _ in theirs}
        self._same_options("robberies of players with cards", with_cards, named)
        if allowed != named:
            self.tally.known[Known.EMPTY_HANDED_VICTIM] += 1

    def _networks(self, state: State) -> None:
        """Where everybody could build, whoever is to move and whatever they can pay."""
        free = open_settlement_points(state)
        for seat in state.constants.players:
            self._same_options(
                f"open roads of player {seat}", set(numbers(open_roads(state, seat))), self.opinion.open_roads(seat)
            )
            reached = set(numbers(touched_settlement_points(state, seat) & free))
            theirs = self.opinion.open_villages(seat)
            self._same_options(f"open villages of player {seat}", reached, theirs)
