"""Rules and positions that cases of several subjects begin with."""

from dataclasses import replace

from catan_p2p.game.constants import BRIEF, THESIS
from catan_p2p.game.state import CalledDraw

APART = replace(BRIEF, combined_trade_build=False, dev_cards_per_turn=2, roads=3)
"""The phases kept apart, two cards a turn, few roads."""

EIGHT_POINTS = {"villages": {1: (20, 43)}, "cities": {1: (50, 9, 1)}}

# Player 1's roads around tile 11: a row of five from point 9 by 8, 11, 19 to 20 with the last one, 19, at point 17.
FOUR_ROADS = (23, 21, 10, 8, 64)
FIVE_ROADS = (*FOUR_ROADS, 19)
PAYS = {"hands": {1: "1 Lumber, 1 Brick, 1 Ore"}}
PAID = {"hands": {1: "1 Ore"}}

CARD_PRICE = {"hands": {1: "2 Wool, 1 Grain, 1 Ore"}}
CALLED_FOR_DICE = CalledDraw("RollDice", "DiceRoll", 0, 0)
CALLED_FOR_START = {"tp": "Drawing", "call": CalledDraw("RollForStart", "bot", 0, 0)}
JOINT = replace(THESIS, chance="joint")
AHEAD = replace(BRIEF, chance="joint", chance_ahead=True)
