"""Whole games on both sides: played by our engine, without Git, and followed in catanatron action by action."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import NamedTuple

from catan_p2p.game.actions import Action
from catan_p2p.game.constants import BRIEF, Constants
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.rules import apply, awaited, decisions, draw
from catan_p2p.game.state import State, initial_state
from catan_p2p.log.refs import COLOURS
from catan_p2p.players.policies import POLICIES, Policy
from tests.independent.agreement import Agreement, Disagreement, Tally
from tests.independent.fighters import RoadFighter, enriched, loaded

MAX_ACTIONS = 20_000
FIGHT_ACTIONS = 1_000
"""How long a game of fighters is followed: they need not come to an end."""
CHOOSERS: dict[str, Callable[[], Policy]] = {**POLICIES, "fighter": RoadFighter}
MAPS = ("default", "variable", "variable-free", "beginners")


class Setting(NamedTuple):
    """What determines a game."""

    players: int
    map: str
    policy: str
    """Of every player."""
    kind: str
    """``fair``; ``loaded``: with dice that like two sums; ``rich``: with full hands at the start, too; ``short``: as
    rich, but five points win."""
    seed: int

    def __str__(self) -> str:
        return f"{self.players} players, {self.map} map, {self.policy}, {self.kind}, seed {self.seed}"

    @property
    def constants(self) -> Constants:
        """Standard rules, the map drawn from the seed where it is drawn."""
        rules = replace(BRIEF, points_to_win=5) if self.kind == "short" else BRIEF
        return replace(new_constants("brief", COLOURS[: self.players], self.map, self.seed), rules=rules)


class Game:
    """A game on standard rules, played by our engine alone.

    Who owes a discard or an answer gives it in the order of play from the starting player, as catanatron asks for it.
    """

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.state = initial_state(setting.constants)
        self._rng, self._chooser = Random(setting.seed), CHOOSERS[setting.policy]()
        is_rich = setting.kind in ("rich", "short")
        while self.state.sup == "Rolling" or (is_rich and self.state.tp == "bot"):
            self.state = apply(self.state, self._choose())
        if is_rich:
            self.state = enriched(self.state)

    def _choose(self) -> Action:
        state, setting, rng = self.state, self.setting, self._rng
        player = min(awaited(state), key=lambda seat: (seat - state.first) % setting.players)
        action = draw(state, self._chooser.choose(state, player, decisions(state, player), rng), rng)
        return action if setting.kind == "fair" else loaded(action, setting.seed, rng)

    def moves(self) -> Iterator[tuple[State, Action, State]]:
        """Every action from here to the end, with the state before and after."""
        is_fight = self.setting.policy == "fighter"
        for _ in range(FIGHT_ACTIONS if is_fight else MAX_ACTIONS):
            if self.state.is_over:
                return
            before, action = self.state, self._choose()
            self.state = apply(before, action)
            yield before, action, self.state
        if not is_fight:
            raise AssertionError(f"{self.setting}: no winner after {MAX_ACTIONS} actions")


def replay(setting: Setting) -> Tally:
    """Play a game on both sides; what was compared. ``Disagreement`` tells what differs and where."""
    tally = Tally(games=1)
    game = Game(setting)
    agreement = Agreement(game.state, tally)
    for number, (before, action, after) in enumerate(game.moves(), 1):
        try:
            agreement.follow(before, action, after)
        except Disagreement as error:
            raise Disagreement(f"{setting}, action {number}: {error}") from error
    return tally
