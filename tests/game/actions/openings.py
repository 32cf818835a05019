"""Games whose villages lie on the board from the beginning, for what the first state of a game looks like."""

from dataclasses import replace

from catan_p2p.game.board import FirstPlacement
from catan_p2p.game.constants import BRIEF, Constants

_OPENING = (
    FirstPlacement(1, 20, 23, False),
    FirstPlacement(1, 43, 64, True),
    FirstPlacement(2, 15, 16, True),
    FirstPlacement(2, 36, 57, False),
)

OPENED_BY_DICE = Constants(BRIEF, player_count=2, opening=_OPENING)
"""Who rolls most begins."""

OPENINGS = (Constants(replace(BRIEF, start_order="seat"), player_count=2, opening=_OPENING), OPENED_BY_DICE)
"""The same, and a game that player 1 begins."""
