"""What a game's constants say, as arrays of numbers: built once, shared by all its flat states."""

from __future__ import annotations

from catan_p2p.game.actions.offering import LISTED
from catan_p2p.game.actions.parts import COST_CITY, COST_DEV_CARD, COST_ROAD, COST_VILLAGE
from catan_p2p.game.actions.robbery import FRIENDLY_BELOW
from catan_p2p.game.board import WHARF_TYPES, numbers
from catan_p2p.game.cards import RESOURCES
from catan_p2p.game.constants import Constants
from catan_p2p.game.flat import places


def padded(values: list[int], length: int) -> list[int]:
    """The values, and zeros up to this length."""
    return values + zeros(length - len(values))


def zeros(length: int) -> list[int]:
    """This many zeros."""
    return [0] * length


class FlatTables:
    """Rules and board of a game. Entry 0 of what is indexed by points, tiles and seats is unused."""

    def __init__(self, constants: Constants) -> None:
        self._set_rules(constants)
        board, most = constants.board, places.MOST
        self.settlements, self.roads = board.settlement_count, board.road_count
        self.bit = [1 << i for i in range(most - 1)] + [0]
        self.one = [1 << 8 * i for i in range(5)] + [0, 0, 0]
        self.corners = padded(list(board.corners), most)
        self.edges = padded(list(board.edges), most)
        self.end_points = padded(list(board.end_points), most)
        self.roads_at = padded(list(board.roads_at), most)
        self.crowd = padded([0] + [1 << i | near for i, near in enumerate(board.adjacent_settlements) if i], most)
        self.first_yield = padded(list(board.first_yield), most)
        self.end_a = padded([ends[0] if ends else 0 for ends in board.ends], most)
        self.end_b = padded([ends[1] if len(ends) > 1 else 0 for ends in board.ends], most)
        meeting = [padded(list(numbers(roads)), 4) for roads in board.roads_at]
        self.meeting = padded([road for roads in meeting for road in roads], 4 * most)
        """The road points at a settlement point: the four entries from four times its number on, 0 for none."""
        self.land_count = len(board.land)
        self.land = padded(list(board.land), most)
        self.land_row = zeros(most)
        """The row of each land tile among the land tiles, from 1; 0 for sea."""
        for row, tile in enumerate(board.land, 1):
            self.land_row[tile] = row
        self.everywhere = (1 << board.settlement_count + 1) - 2
        wharfs = [board.wharf_points[type] for type in (*RESOURCES, WHARF_TYPES[0])]
        self.wharfs = padded(wharfs, 8)
        """Where there is a wharf for each resource, then for all of them."""
        first, tiles, corners, cards = [0], [0], [0], [0]
        for dice in range(15):
            for tile, there, card in board.producers.get(dice, ()):
                tiles.append(tile)
                corners.append(there)
                cards.append(card)
            first.append(len(tiles) - 1)
        self.producing = first
        """For each sum of the dice where its producers begin; they end where those of the next sum begin."""
        self.tile = padded(tiles, most + 1)
        self.tile_corners = padded(corners, most + 1)
        self.tile_card = padded(cards, most + 1)

    def _set_rules(self, constants: Constants) -> None:
        rules = constants.rules
        self.players = constants.player_count
        self.tiles = constants.board.tile_count
        self.after_dice = places.TRADING_BUILDING if rules.combined_trade_build else places.TRADING
        self.bandit_blocks = int(rules.bandit_blocks_building)
        self.only_adversaries = int(rules.bandit_targets == "adversary")
        self.friendly = int(rules.bandit_targets == "friendly")
        self.friendly_below = FRIENDLY_BELOW
        self.shortage_nobody = int(rules.shortage == "nobody")
        self.cards_per_turn = rules.dev_cards_per_turn
        self.before_dice = int(rules.dev_card_before_dice)
        self.at_once = int(rules.win_check == "at_once")
        self.domestic = int(rules.domestic_trade)
        self.talk = int(rules.table_talk)
        self.offers = rules.offers_per_turn
        self.proposals = rules.proposals_per_turn
        self.side_most = rules.side_max
        self.listed_most = rules.offer_max or LISTED
        self.needs = rules.road_building_needs
        self.goal = rules.points_to_win
        self.hand_limit = rules.hand_limit
        self.trail_least = rules.longest_road_min
        self.army_least = rules.largest_army_min
        self.pool = rules.resource_pool
        self.special = int(rules.special_building)
        self.by_seat = int(rules.start_order == "dice_then_seat")
        self.opened = int(bool(constants.opening))
        self.first_sum = rules.dice[0]
        self.sums = [int(i in rules.dice) for i in range(16)]
        self.cost_road, self.cost_village = COST_ROAD, COST_VILLAGE
        self.cost_city, self.cost_card = COST_CITY, COST_DEV_CARD


class MoveScratch:
    """Where moves are listed: a state and its copies share one."""

    def __init__(self) -> None:
        self.moves = zeros(places.MOVES)
        self.ways = zeros(6 * places.CARDS)
        """In how many ways an amount can be taken from the kinds from one on."""
