"""For every guard of every action an instance in which this guard is broken and, where possible, no other."""

from tests.game.actions.cases import GuardCase
from tests.game.actions.guard_cases.absence import ABSENCE
from tests.game.actions.guard_cases.building import BUILDING
from tests.game.actions.guard_cases.cards import PROGRESS
from tests.game.actions.guard_cases.chance import CHANCE
from tests.game.actions.guard_cases.dice import BANDIT, DICE
from tests.game.actions.guard_cases.hidden import HIDDEN_GUARDS
from tests.game.actions.guard_cases.returns import RETURNS
from tests.game.actions.guard_cases.setup import SETUP, START
from tests.game.actions.guard_cases.trades import DOMESTIC, TRADES
from tests.game.actions.hidden_positions import keyed
from tests.game.actions.talk_cases import TALK_GUARDS

GUARD_CASES: tuple[GuardCase, ...] = tuple(
    case._replace(state=keyed(case.state))
    for case in (
        *CHANCE,
        *ABSENCE,
        *RETURNS,
        *START,
        *SETUP,
        *DICE,
        *BANDIT,
        *TRADES,
        *DOMESTIC,
        *BUILDING,
        *PROGRESS,
        *TALK_GUARDS,
        *HIDDEN_GUARDS,
    )
)
"""At least one case for each guard of each action."""
