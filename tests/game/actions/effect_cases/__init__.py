"""For every action positions before and after it, with the components of the state that it changes."""

from tests.game.actions.asymmetric import asymmetric
from tests.game.actions.cases import EffectCase
from tests.game.actions.effect_cases.absence import ABSENCE
from tests.game.actions.effect_cases.building import ROADS, SETTLEMENTS
from tests.game.actions.effect_cases.bystanders import BYSTANDERS
from tests.game.actions.effect_cases.cards import CARDS
from tests.game.actions.effect_cases.chance import CHANCE
from tests.game.actions.effect_cases.dice import BANDIT, ROLLS, STANDARD_ROLLS
from tests.game.actions.effect_cases.hands_hidden import with_hidden_hands
from tests.game.actions.effect_cases.hidden import HIDDEN_EFFECTS
from tests.game.actions.effect_cases.returns import RETURNS
from tests.game.actions.effect_cases.setup import FIRST_ROUND, SECOND_ROUND, START
from tests.game.actions.effect_cases.trades import DOMESTIC, TOWN_TRADES, TRADES
from tests.game.actions.effect_cases.turns import STANDARD_TURN_ENDS, TURN_ENDS, WINS
from tests.game.actions.hidden_positions import keyed
from tests.game.actions.talk_cases import TALK_EFFECTS

_CASES: tuple[EffectCase, ...] = tuple(
    case._replace(before=keyed(case.before), after=keyed(case.after))
    for case in (
        *CHANCE,
        *ABSENCE,
        *RETURNS,
        *START,
        *FIRST_ROUND,
        *SECOND_ROUND,
        *ROLLS,
        *STANDARD_ROLLS,
        *BANDIT,
        *TRADES,
        *TOWN_TRADES,
        *DOMESTIC,
        *TURN_ENDS,
        *STANDARD_TURN_ENDS,
        *WINS,
        *ROADS,
        *SETTLEMENTS,
        *CARDS,
        *TALK_EFFECTS,
        *HIDDEN_EFFECTS,
        *BYSTANDERS,
    )
)
"""At least one case for each action, and for each of the outcomes that docs/reference/model.md tells apart."""

PLAIN_CASES: tuple[EffectCase, ...] = (*_CASES, *with_hidden_hands(_CASES))
"""The same, and one in a game of hidden hands for each action that has none there: positions of the game."""

EFFECT_CASES: tuple[EffectCase, ...] = tuple(map(asymmetric, PLAIN_CASES))
"""The same where no two seats are alike, and nothing that an action leaves alone is as it was at first."""
