"""The game as a hypothesis state machine: one rule for each action, the invariants after every step."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from catan_p2p.game.actions import ACTIONS, KIND_OF, ActionKind, AnswerTrade, ConcludeTrade, ProposeTrade, WithdrawTrade
from catan_p2p.game.constants import PROFILES, profile
from catan_p2p.game.invariants import INVARIANTS, Invariant, InvariantBroken, changed_components, check
from catan_p2p.game.rules import NotEnabled, apply, awaited, broken_guards, enabled
from catan_p2p.game.state import State
from tests.positions import random_game

TALK = {AnswerTrade, ConcludeTrade, ProposeTrade, WithdrawTrade}
"""What can be done while others are awaited."""


class Game(RuleBasedStateMachine):
    """A game of two to six players, by any profile, that goes on where a random one was left, early or late."""

    state: State
    before: State | None

    @initialize(
        rules=st.sampled_from(tuple(PROFILES)),
        seed=st.integers(0, 30),
        players=st.integers(2, 6),
        steps=st.integers(0, 700),
    )
    def begin(self, rules: str, seed: int, players: int, steps: int) -> None:
        """A random game of some steps, whatever these are."""
        chosen = profile(rules, players)
        if chosen.domestic_trade and not chosen.offer_max:
            chosen = replace(chosen, offer_max=2)  # it would take minutes to list thousands of offers
        *_, self.state = random_game(seed, players, steps=steps, rules=chosen)
        self.before = None

    def take(self, kind: ActionKind, choice: st.DataObject) -> None:
        """One of the instances of an action, of any player who can take it."""
        instances = self.instances(kind)
        action = instances[choice.draw(st.integers(0, len(instances) - 1), label="instance")]
        assert broken_guards(self.state, action) == ()
        self.before, self.state = self.state, apply(self.state, action)
        assert changed_components(self.state, self.before)

    def instances(self, kind: ActionKind) -> list[Any]:
        """All instances of an action that somebody can take now."""
        return [action for player in self.state.constants.players for action in kind.instances(self.state, player)]

    @rule(seed=st.integers(0, 2**32))
    def try_whatever_comes(self, seed: int) -> None:
        """A random instance of every action is applied if it is listed, and refused with its guards if not."""
        rng = Random(seed)
        for kind in ACTIONS:
            player = rng.choice(self.state.constants.players)
            action = kind.sample(self.state.constants, player, rng)
            if action in kind.instances(self.state, player):
                apply(self.state, action)
            else:
                with pytest.raises(NotEnabled) as refusal:
                    apply(self.state, action)
                assert refusal.value.guards == KIND_OF[type(action)].broken(self.state, action) != ()

    @invariant()
    def checking_what_changed_finds_nothing_either(self) -> None:
        """Both ways to check agree."""
        check(self.state)
        check(self.state, self.before)

    @invariant()
    def the_game_goes_on_until_somebody_has_won(self) -> None:
        """Whoever is awaited can do something; others can at most talk, with table talk; nobody can after the end."""
        talk = TALK if self.state.constants.rules.table_talk else set()
        for player in self.state.constants.players:
            if player in awaited(self.state):
                assert enabled(self.state, player)
            else:
                assert {type(action) for action in enabled(self.state, player)} <= talk
        assert bool(awaited(self.state)) != self.state.is_over


def _rule_of(kind: ActionKind) -> Callable[..., None]:
    def step(self: Game, choice: st.DataObject) -> None:
        self.take(kind, choice)

    step.__name__ = kind.snake_name
    return precondition(lambda self: bool(self.instances(kind)))(rule(choice=st.data())(step))


def _invariant_of(one: Invariant) -> Callable[[Game], None]:
    def holds(self: Game) -> None:
        if not one.holds(self.state):
            raise InvariantBroken(one.name)

    holds.__name__ = one.name
    return invariant()(holds)


for _kind in ACTIONS:
    setattr(Game, _kind.snake_name, _rule_of(_kind))
for _one in INVARIANTS:
    setattr(Game, _one.name, _invariant_of(_one))

QUICK = settings(max_examples=40, stateful_step_count=30)

TestGame = Game.TestCase
TestGame.settings = QUICK


@pytest.mark.soak
class TestManyGames(Game.TestCase):
    """The same for longer."""

    settings = settings(QUICK, max_examples=1500, stateful_step_count=60)
