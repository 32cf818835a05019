"""Where everything is in the two arrays of a flat state, and the numbers that stand for phases, answers and kinds.

One array has numbers and cards, the other sets of points. What each player has is a block of eight places, one for each
seat; place 0 of a block is nobody's. The build of the compiled core reads these constants as they are written here: one
assignment of whole numbers a line.
"""

from __future__ import annotations

# Numbers and cards: one place each.
SUP = 0
SU_AP = 1
FIRST = 2
AP = 3
TP = 4
DICE = 5
PD = 6
SB = 7
BA = 8
LR = 9
LA = 10
GIVE = 11
RECEIVE = 12
BANK = 13
STOCK = 14
DP = 15

# Numbers and cards: a block of seats each. PG and PR are the two sides of a proposal.
ROLLS = 16
LIM = 24
ANS = 32
PG = 40
PR = 48
MADE = 56
AWAY = 64
RC = 72
BC = 80
AC = 88
UC = 96
ROAD = 104
VILLAGE = 112
CITY = 120
TOLD = 128
"""From here on, what follows from the rest: how many villages, cities and roads are on the board, trails, proposals."""
VILLAGES = 128
CITIES = 136
ROADS = 144
TRAIL = 152
PROPOSALS = 160
NUMBERS = 161

# Sets of points: a block of seats each.
VILLAGES_ON = 0
CITIES_ON = 8
ROADS_ON = 16
SETS_TOLD = 24
"""From here on, what follows from the rest."""
TAKEN = 24
CROWDED = 25
ROADS_TAKEN = 26
TRAIL_ROADS = 32
TRAIL_CUT = 40
REACH_ROADS = 48
REACH_OWN = 56
REACH_CUT = 64
REACH_ENDS = 72
REACH_OPEN = 80
SETS = 88

# Stages of the set-up, in the order of ``SETUP_PHASES``, and phases of a turn.
ROLLING = 0
PHASE_ONE = 1
PHASE_TWO = 2
BOT = 1
DICE_ROLL = 2
DISCARDING = 3
MOVING_BANDIT = 4
TRADING = 5
BUILDING = 6
TRADING_BUILDING = 7
OFFERING = 8
SPECIAL_BUILDING = 9
TOP = 10

# Answers, in the order of ``ANSWERS``.
NONE = 0
ASKED = 1
ACCEPT = 2
REJECT = 3

# Kinds of actions, in the order of ``ACTIONS``; none is 0, 1 or 2.
ROLL_FOR_START = 3
SETUP_PHASE_ONE = 4
SETUP_PHASE_TWO = 5
ROLL_DICE = 6
DISCARD = 7
MOVE_BANDIT = 8
EMPTY_TRADE = 9
TRADE_FOUR = 10
TRADE_THREE = 11
TRADE_TWO = 12
OFFER_TRADE = 13
ANSWER_TRADE = 14
PROPOSE_TRADE = 15
CONCLUDE_TRADE = 16
WITHDRAW_TRADE = 17
EMPTY_BUILD = 18
BUILD_ROAD = 19
BUILD_VILLAGE = 20
BUILD_CITY = 21
BUY_DEV_CARD = 22
PLAY_MONOPOLY = 23
PLAY_YEAR = 24
PLAY_ROADS = 25
PLAY_KNIGHT = 26
SECOND_ROAD = 27
"""No kind of action: what a learner names after the first of two free roads."""

# Development cards, in the order of ``DEV_CARDS``.
MONOPOLY = 0
YEAR = 1
PAVING = 2
KNIGHT = 3
POINT = 4

# The parts of a move: kind, player, and up to three more; cards take the place of all three.
PLAYER_AT = 5
A_AT = 8
B_AT = 20
C_AT = 32
PART = 4095

NOBODY = 0
NO_CARD = 5
"""Instead of a stolen card where there is none."""
MOST = 128
"""How many points of a kind, and how many tiles, a map may have, and the unused number 0."""
MOVES = 18432
"""More moves than a player can ever have, discards aside: 127 roads by 126, and some thousand others."""
CARDS = 640
"""More cards than anybody can owe."""

# The network: what describes a seat, the hidden numbers, and how many robberies and pairs are looked at closely.
INPUTS = 105
HIDDEN = 32
WEIGHTS = 3424
CLOSELY = 4

# What learners observe and choose: room for seats, points, roads and land tiles, how many numbers describe a seat and a
# tile, more decisions than have a number, and how many cards of a kind are offered at most.
SEEN_SEATS = 6
SEEN_POINTS = 80
SEEN_ROADS = 109
SEEN_LANDS = 30
OF_SEAT = 26
OF_TILE = 8
CHOICES = 1536
OFFERED = 2
