"""For every part of every invariant a state in which it is broken, and the sound state from which it departs."""

from tests.game.broken_states.away import AWAY
from tests.game.broken_states.board import BOARD
from tests.game.broken_states.broken_state import BrokenState
from tests.game.broken_states.conservation import CARRIED, CONSERVATION
from tests.game.broken_states.draws import DRAWS
from tests.game.broken_states.hidden import HIDDEN_STATES
from tests.game.broken_states.offers import OFFERS
from tests.game.broken_states.order import ORDER
from tests.game.broken_states.turns import TURNS
from tests.game.broken_states.types import TYPES

BROKEN_STATES: tuple[BrokenState, ...] = (
    *AWAY,
    *TYPES,
    *DRAWS,
    *CONSERVATION,
    *CARRIED,
    *BOARD,
    *TURNS,
    *ORDER,
    *OFFERS,
    *HIDDEN_STATES,
)
"""At least one state for each operand of each part of each invariant.

tests/game/test_invariants.py holds it to that.
"""
