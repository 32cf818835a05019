"""Mistakes that somebody could make in the engine, each with the test that must notice it.

The guards' deletions follow from the source: every ``condition or "TAG word"`` becomes ``True``. So do wrong seats and
extra updates (mirror.py). Everything else is the table ``MUTATIONS``. tests/test_mutations.py makes all of them, one at
a time.
"""

from tests.mutations.board import BOARD
from tests.mutations.building import BUILDING
from tests.mutations.cards import CARDS
from tests.mutations.checks import CHECKS
from tests.mutations.dice import BANDIT, DICE
from tests.mutations.flat import FLAT
from tests.mutations.foreign_files import FOREIGN_FILES
from tests.mutations.hidden import HIDDEN
from tests.mutations.leaving import LEAVING
from tests.mutations.lmu import LMU
from tests.mutations.merging import MERGING
from tests.mutations.mutation import Mutation
from tests.mutations.policies import POLICIES
from tests.mutations.rule_book import RULE_BOOK
from tests.mutations.scoring import SCORING
from tests.mutations.sealing import SEALING
from tests.mutations.setup import SET_UP
from tests.mutations.storage import STORAGE
from tests.mutations.trades import TRADES

MUTATIONS: tuple[Mutation, ...] = (
    *BOARD,
    *SET_UP,
    *DICE,
    *BANDIT,
    *TRADES,
    *BUILDING,
    *CARDS,
    *SCORING,
    *RULE_BOOK,
    *POLICIES,
    *CHECKS,
    *SEALING,
    *HIDDEN,
    *LMU,
    *FLAT,
    *STORAGE,
    *FOREIGN_FILES,
    *MERGING,
    *LEAVING,
)
"""Mistakes beside the missing guards. Those inside the invariants are made by tests/game/test_invariants.py itself."""
