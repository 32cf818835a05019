"""The other side of a game: catanatron's state, moved by our actions and read in our words.

Everything that is chance for catanatron (dice, the card stolen, the card drawn, the cards discarded) is given to it
with the action, as its own logs give it. catanatron knows neither domestic trade nor rolling for the start: an offer
that is concluded moves the cards by hand, and its game begins when ours knows who begins.
"""

import random
from collections.abc import Callable
from typing import Any

from catanatron.game import Game
from catanatron.models.actions import generate_playable_actions
from catanatron.models.enums import (
    CITY,
    KNIGHT,
    MONOPOLY,
    ROAD,
    ROAD_BUILDING,
    SETTLEMENT,
    VICTORY_POINT,
    YEAR_OF_PLENTY,
    ActionPrompt,
    ActionType,
)
from catanatron.models.enums import Action as TheirAction
from catanatron.models.player import Color, SimplePlayer
from catanatron.state import State as TheirState
from catanatron.state import apply_action
from catanatron.state_functions import get_largest_army, get_longest_road_color

from catan_p2p import actions as ours
from catan_p2p.game.board import numbers
from catan_p2p.game.cards import DEV_CARDS, RESOURCES, Cards, DevCard, pack, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from tests.independent.island import THEIR_RESOURCE, Island, island_of

COLOURS: tuple[Color, ...] = tuple(Color)
"""catanatron's colours; seat 1 has the first, whoever begins."""

THEIR_CARD: dict[DevCard, str] = {
    "Monopoly": MONOPOLY,
    "YearOfPlenty": YEAR_OF_PLENTY,
    "RoadBuilding": ROAD_BUILDING,
    "Knight": KNIGHT,
    "VictoryPoint": VICTORY_POINT,
}

RATE: dict[type, int] = {ours.TradeFourToOne: 4, ours.TradeThreeToOne: 3, ours.TradeTwoToOne: 2}


class Opinion:
    """catanatron's view of one game. It begins when our game knows who begins, or at any position."""

    def __init__(self, state: State) -> None:
        self.island: Island = island_of(state.constants.board)
        self.seats: tuple[Player, ...] = tuple(
            (state.first - 1 + i) % state.constants.player_count + 1 for i in range(state.constants.player_count)
        )
        """Our seats in the order of play from whoever begins: the order of catanatron's players."""
        self.points_to_win = state.constants.rules.points_to_win
        self.theirs = self._new()
        self.midway: set[int] = set()
        """Road points that could follow the first half of the last action, if it was two on this side."""
        self.is_cut_short = False
        """Whether catanatron ended the last road building card after its first road."""
        if state.tp != "bot":
            self._take_up(state)

    def _new(self) -> TheirState:
        chance = random.getstate()  # it shuffles with the generator that everybody shares
        theirs = TheirState([SimplePlayer(self.colour(seat)) for seat in self.seats], self.island.map)
        random.setstate(chance)
        theirs.players.sort(key=lambda player: self.seats.index(self.seat(player.color)))
        theirs.colors = tuple(player.color for player in theirs.players)
        theirs.color_to_index = {colour: i for i, colour in enumerate(theirs.colors)}
        theirs.playable_actions = generate_playable_actions(theirs)
        return theirs

    def _take_up(self, state: State) -> None:
        """The position of ours: pieces, cards, phase. Roads are laid one after the other, each where it may lie."""
        board, theirs, island = self.theirs.board, self.theirs, self.island
        for seat in self.seats:
            colour, left = self.colour(seat), state.b[seat - 1]
            for point in numbers(state.s.of(seat)):
                board.build_settlement(colour, island.node[point], initial_build_phase=True)
            for point in numbers(state.s.cities[seat - 1]):
                board.build_city(colour, island.node[point])
            for kind, points in ((SETTLEMENT, state.s.villages[seat - 1]), (CITY, state.s.cities[seat - 1])):
                theirs.buildings_by_color[colour][kind] = [island.node[point] for point in numbers(points)]
            self._set(seat, "SETTLEMENTS_AVAILABLE", left.village)
            self._set(seat, "CITIES_AVAILABLE", left.city)
            self._set(seat, "ROADS_AVAILABLE", left.road)
        for seat in self.seats:
            waiting = [island.edge[road] for road in numbers(state.r[seat - 1])]
            theirs.buildings_by_color[self.colour(seat)][ROAD] = [*waiting]
            while waiting:
                buildable = board.buildable_edges(self.colour(seat))
                edge = next((edge for edge in waiting if edge in buildable), None)
                if edge is None:  # cut off by a settlement of somebody else's
                    edge = waiting[0]
                    board.connected_components[self.colour(seat)].append(set(edge))
                waiting.remove(edge)
                board.build_road(self.colour(seat), edge)
        board.robber_coordinate = island.cube[state.ba]
        for seat in self.seats:
            self.set_hand(seat, state.h[seat - 1].rc)
            self._take_up_cards(state, seat)
            self.give_army(seat, state.la == seat)
        self.give_longest_road(state.lr, {seat: board.road_lengths[self.colour(seat)] for seat in self.seats})
        self.set_bank(state.bnk.rc)
        theirs.development_listdeck = [
            THEIR_CARD[card] for card, n in zip(DEV_CARDS, unpack(state.bnk.dc), strict=True) for _ in range(n)
        ]
        theirs.is_initial_build_phase = False
        theirs.current_player_index = theirs.current_turn_index = self.seats.index(state.ap)
        theirs.current_prompt = {"MovingBandit": ActionPrompt.MOVE_ROBBER, "Discarding": ActionPrompt.DISCARD}.get(
            state.tp, ActionPrompt.PLAY_TURN
        )
        self._set(state.ap, "HAS_ROLLED", state.tp != "DiceRoll")
        self._set(state.ap, "HAS_PLAYED_DEVELOPMENT_CARD_IN_TURN", state.pd > 0)
        self.ask()

    def _take_up_cards(self, state: State, seat: Player) -> None:
        hand = state.h[seat - 1]
        for card, waiting, played in zip(DEV_CARDS, unpack(hand.bc + hand.ac), unpack(hand.uc), strict=True):
            if card == "VictoryPoint":
                self._set(seat, f"{THEIR_CARD[card]}_IN_HAND", played)
            else:
                self._set(seat, f"{THEIR_CARD[card]}_IN_HAND", waiting)
                self._set(seat, f"PLAYED_{THEIR_CARD[card]}", played)
        if seat == self.seats[0]:  # who played the progress cards is not in our state
            for card, n in zip(DEV_CARDS[:3], unpack(state.dp)[:3], strict=True):
                self._set(seat, f"PLAYED_{THEIR_CARD[card]}", n)
        points = (
            state.s.villages[seat - 1].bit_count()
            + 2 * state.s.cities[seat - 1].bit_count()
            + self._get(seat, f"{VICTORY_POINT}_IN_HAND")
        )
        self._set(seat, "ACTUAL_VICTORY_POINTS", points)
        self._set(seat, "VICTORY_POINTS", points - self._get(seat, f"{VICTORY_POINT}_IN_HAND"))

    # Names

    def colour(self, seat: Player) -> Color:
        """catanatron's colour of a seat."""
        return COLOURS[seat - 1]

    def seat(self, colour: Color | None) -> Player:
        """The seat of a colour, 0 for nobody."""
        return 0 if colour is None else COLOURS.index(colour) + 1

    def _get(self, seat: Player, what: str) -> Any:
        return self.theirs.player_state[f"P{self.seats.index(seat)}_{what}"]

    def _set(self, seat: Player, what: str, value: Any) -> None:
        self.theirs.player_state[f"P{self.seats.index(seat)}_{what}"] = value

    # Reading

    def hand(self, seat: Player) -> Cards:
        """The resource cards of a player."""
        return pack(self._get(seat, f"{THEIR_RESOURCE[resource]}_IN_HAND") for resource in RESOURCES)

    def cards(self, seat: Player) -> tuple[int, ...]:
        """The development cards a player holds, in our order."""
        return tuple(self._get(seat, f"{THEIR_CARD[card]}_IN_HAND") for card in DEV_CARDS)

    def played(self, seat: Player) -> tuple[int, ...]:
        """The development cards a player has played, in our order."""
        return tuple(self._get(seat, f"PLAYED_{THEIR_CARD[card]}") for card in DEV_CARDS)

    def points(self, seat: Player) -> int:
        """Victory points, hidden ones too."""
        return self._get(seat, "ACTUAL_VICTORY_POINTS")

    def supply(self, seat: Player) -> tuple[int, int, int]:
        """Roads, villages and cities that a player has left."""
        return tuple(self._get(seat, f"{piece}_AVAILABLE") for piece in ("ROADS", "SETTLEMENTS", "CITIES"))  # type: ignore[return-value]

    def road_length(self, seat: Player) -> int:
        """What catanatron takes for the length of a player's longest road."""
        return self.theirs.board.road_lengths[self.colour(seat)]

    @property
    def longest_road(self) -> Player:
        """Who holds the longest road."""
        return self.seat(get_longest_road_color(self.theirs))

    @property
    def largest_army(self) -> Player:
        """Who holds the largest army."""
        return self.seat(get_largest_army(self.theirs)[0])

    @property
    def bank(self) -> tuple[int, ...]:
        """The resource cards of the bank."""
        return tuple(self.theirs.resource_freqdeck)

    @property
    def cards_left(self) -> tuple[int, ...]:
        """The development cards of the bank, in our order."""
        return tuple(self.theirs.development_listdeck.count(THEIR_CARD[card]) for card in DEV_CARDS)

    @property
    def robber(self) -> int:
        """The robber's tile by our number."""
        return self.island.tile[self.theirs.board.robber_coordinate]

    @property
    def villages(self) -> dict[int, tuple[Player, bool]]:
        """What stands on our settlement points: whose, and whether it is a city."""
        return {
            self.island.point[node]: (self.seat(colour), kind == CITY)
            for node, (colour, kind) in self.theirs.board.buildings.items()
        }

    @property
    def roads(self) -> dict[int, Player]:
        """Whose roads lie on our road points."""
        lying = self.theirs.board.roads.items()  # every edge in both directions
        return {self.island.road[edge]: self.seat(colour) for edge, colour in lying if edge[0] < edge[1]}

    @property
    def to_move(self) -> Player:
        """Whose decision it is."""
        return self.seat(self.theirs.current_color())

    @property
    def has_rolled(self) -> bool:
        """Whether the player to move has rolled the dice."""
        return self._get(self.to_move, "HAS_ROLLED")

    @property
    def has_played(self) -> bool:
        """Whether the player to move has played a development card this turn."""
        return self._get(self.to_move, "HAS_PLAYED_DEVELOPMENT_CARD_IN_TURN")

    @property
    def winner(self) -> Player:
        """Who has won as catanatron sees it: the last in its order with enough points."""
        game = Game([], initialize=False)
        game.state, game.vps_to_win = self.theirs, self.points_to_win
        return self.seat(game.winning_color())

    def discard_size(self, seat: Player) -> int:
        """How many cards catanatron would let a player discard, were it left to choose them."""
        trial, chance = self.theirs.copy(), random.getstate()
        apply_action(trial, TheirAction(self.colour(seat), ActionType.DISCARD, None))
        random.setstate(chance)
        return len(trial.actions[-1].value)

    def playable(self, *kinds: ActionType) -> list[Any]:
        """The values of catanatron's playable actions of some kinds."""
        return [action.value for action in self.theirs.playable_actions if action.action_type in kinds]

    def open_roads(self, seat: Player) -> set[int]:
        """Where a player's network may go on, whoever is to move and whatever they can pay."""
        return {self.island.road[edge] for edge in self.theirs.board.buildable_edges(self.colour(seat))}

    def open_villages(self, seat: Player) -> set[int]:
        """Where a player's network reaches a point for a village, whatever they can pay."""
        return {self.island.point[node] for node in self.theirs.board.buildable_node_ids(self.colour(seat))}

    # Putting right

    def ask(self) -> None:
        """Let catanatron list the playable actions anew."""
        self.theirs.playable_actions = generate_playable_actions(self.theirs)

    def set_hand(self, seat: Player, cards: Cards) -> None:
        """Put these resource cards into a player's hand."""
        for resource, n in zip(RESOURCES, unpack(cards), strict=True):
            self._set(seat, f"{THEIR_RESOURCE[resource]}_IN_HAND", n)

    def set_bank(self, cards: Cards) -> None:
        """Put these resource cards into the bank."""
        self.theirs.resource_freqdeck = [*unpack(cards)]

    def give_army(self, seat: Player, has_army: bool) -> None:
        """Give the largest army to a player, or take it."""
        points = 2 * (has_army - self._get(seat, "HAS_ARMY"))
        self._set(seat, "HAS_ARMY", has_army)
        for what in ("VICTORY_POINTS", "ACTUAL_VICTORY_POINTS"):
            self._set(seat, what, self._get(seat, what) + points)

    def give_longest_road(self, holder: Player, lengths: dict[Player, int]) -> None:
        """Make these the lengths of the longest roads, and this the player who holds the card, with its points."""
        board = self.theirs.board
        for seat in self.seats:
            board.road_lengths[self.colour(seat)] = lengths[seat]
            self._set(seat, "LONGEST_ROAD_LENGTH", lengths[seat])
            has_road = seat == holder
            points = 2 * (has_road - self._get(seat, "HAS_ROAD"))
            self._set(seat, "HAS_ROAD", has_road)
            for what in ("VICTORY_POINTS", "ACTUAL_VICTORY_POINTS"):
                self._set(seat, what, self._get(seat, what) + points)
        board.road_color = self.colour(holder) if holder else None
        # Whoever wants the card must have more than its holder, or than all who share the most.
        board.road_length = max(4, *lengths.values()) if not holder else lengths[holder]

    # Moving

    def perform(self, action: ours.Action) -> None:
        """Carry out an action of ours; ``ValueError`` or ``AssertionError`` from catanatron if it refuses."""
        for kind, do in _DOING.items():
            if isinstance(action, kind):
                do(self, action)
                return

    def _do(self, player: Player, kind: ActionType, value: Any = None) -> None:
        apply_action(self.theirs, TheirAction(self.colour(player), kind, value))

    def _settle(self, action: ours.SetupPhaseOne) -> None:
        self._do(action.player, ActionType.BUILD_SETTLEMENT, self.island.node[action.at])
        self.midway = {self.island.road[edge] for edge in self.playable(ActionType.BUILD_ROAD)}
        self._do(action.player, ActionType.BUILD_ROAD, self.island.edge[action.road])

    def _roll(self, action: ours.RollDice) -> None:
        low = max(1, action.dice - 6)
        self._do(action.player, ActionType.ROLL, (low, action.dice - low))

    def _discard(self, action: ours.Discard) -> None:
        given = [THEIR_RESOURCE[r] for r, n in zip(RESOURCES, unpack(action.cards), strict=True) for _ in range(n)]
        self._do(action.player, ActionType.DISCARD, given)

    def _rob(self, action: ours.MoveBandit | ours.PlayKnight) -> None:
        if isinstance(action, ours.PlayKnight):
            self._do(action.player, ActionType.PLAY_KNIGHT_CARD)
        # Nobody is robbed of nothing: catanatron names a victim only together with a card.
        robbed = (None, None) if action.card == "none" else (self.colour(action.victim), THEIR_RESOURCE[action.card])
        self._do(action.player, ActionType.MOVE_ROBBER, (self.island.cube[action.to], *robbed))

    def _trade(self, action: Any) -> None:
        rate = RATE[type(action)]
        given = [THEIR_RESOURCE[action.give]] * rate + [None] * (4 - rate)
        self._do(action.player, ActionType.MARITIME_TRADE, (*given, THEIR_RESOURCE[action.receive]))

    def _lay_free_roads(self, action: ours.PlayRoadBuilding) -> None:
        self._do(action.player, ActionType.PLAY_ROAD_BUILDING)
        self._do(action.player, ActionType.BUILD_ROAD, self.island.edge[action.first])
        self.midway = self.open_roads(action.player) if self.supply(action.player)[0] else set()
        self.is_cut_short = bool(self.midway) and not self.theirs.is_road_building
        if action.second:
            self.theirs.is_road_building = True
            self._do(action.player, ActionType.BUILD_ROAD, self.island.edge[action.second])
        self.theirs.is_road_building, self.theirs.free_roads_available = False, 0
        self.ask()

    def _take(self, action: ours.PlayYearOfPlenty) -> None:
        taken = (THEIR_RESOURCE[action.first], THEIR_RESOURCE[action.second])
        self._do(action.player, ActionType.PLAY_YEAR_OF_PLENTY, taken)

    def swap(self, one: Player, other: Player, given: Cards, received: Cards) -> None:
        """Let two players trade: catanatron has no notion of it."""
        self.set_hand(one, self.hand(one) - given + received)
        self.set_hand(other, self.hand(other) + given - received)
        self.ask()


def _simply(kind: ActionType, value: Callable[[Opinion, Any], Any] = lambda opinion, action: None) -> Any:
    def do(opinion: Opinion, action: Any) -> None:
        opinion._do(action.player, kind, value(opinion, action))

    return do


_DOING: dict[type, Callable[[Opinion, Any], None]] = {
    ours.SetupPhaseOne: Opinion._settle,
    ours.SetupPhaseTwo: Opinion._settle,
    ours.RollDice: Opinion._roll,
    ours.Discard: Opinion._discard,
    ours.MoveBandit: Opinion._rob,
    ours.PlayKnight: Opinion._rob,
    ours.TradeFourToOne: Opinion._trade,
    ours.TradeThreeToOne: Opinion._trade,
    ours.TradeTwoToOne: Opinion._trade,
    ours.EmptyBuild: _simply(ActionType.END_TURN),
    ours.BuildRoad: _simply(ActionType.BUILD_ROAD, lambda opinion, action: opinion.island.edge[action.at]),
    ours.BuildVillage: _simply(ActionType.BUILD_SETTLEMENT, lambda opinion, action: opinion.island.node[action.at]),
    ours.BuildCity: _simply(ActionType.BUILD_CITY, lambda opinion, action: opinion.island.node[action.at]),
    ours.BuyDevCard: _simply(ActionType.BUY_DEVELOPMENT_CARD, lambda opinion, action: THEIR_CARD[action.card]),
    ours.PlayMonopoly: _simply(ActionType.PLAY_MONOPOLY, lambda opinion, action: THEIR_RESOURCE[action.resource]),
    ours.PlayYearOfPlenty: Opinion._take,
    ours.PlayRoadBuilding: Opinion._lay_free_roads,
}
"""How an action of ours is carried out; one that is missing changes nothing on the other side."""
