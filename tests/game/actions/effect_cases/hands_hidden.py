"""Cases of open hands in games of hidden ones, where nothing is sealed: what is hidden is left alone there, too."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from catan_p2p.game.state import State
from tests.game.actions.cases import EffectCase
from tests.game.actions.hidden_positions import hidden


def with_hidden_hands(cases: Iterable[EffectCase]) -> Iterator[EffectCase]:
    """Of each action without a case of hidden hands the first that can be one: nobody wins, and dice are called for."""
    left = {type(case.action) for case in cases} - {
        type(case.action) for case in cases if case.before.constants.rules.hands == "hidden"
    }
    for case in cases:
        is_drawn = case.before.call != case.after.call
        if case.before.constants.rules.returns:  # nobody comes back where hands are hidden
            continue
        if type(case.action) in left and case.after.tp != "top" and (is_drawn or not hasattr(case.action, "dice")):
            left.remove(type(case.action))
            yield case._replace(
                what=f"{case.what}; hands are hidden", before=_hiding(case.before), after=_hiding(case.after)
            )


def _hiding(state: State) -> State:
    constants = state.constants
    rules = replace(constants.rules, chance="joint", hands="hidden")
    return state._replace(constants=replace(constants, rules=rules), hid=hidden(constants.player_count))
