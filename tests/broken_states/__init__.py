"""For every part of every invariant a state in which it is broken, and the sound state from which it departs."""

from __future__ import annotations

from tests.broken_states.away import AWAY
from tests.broken_states.board import BOARD
from tests.broken_states.broken_state import BrokenState
from tests.broken_states.conservation import CARRIED, CONSERVATION
from tests.broken_states.draws import DRAWS
from tests.broken_states.offers import OFFERS
from tests.broken_states.order import ORDER
from tests.broken_states.turns import TURNS
from tests.broken_states.types import TYPES

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
)
"""At least one state for each operand of each part of each invariant; tests/test_invariants.py holds it to that."""
