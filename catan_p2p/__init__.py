"""One game of Catan is one Git history: play such games, read them, and work with their positions.

A whole game without Git, then a game of your own, move by move:

>>> import random, catan_p2p
>>> game = catan_p2p.play(players=4, rules="thesis", seed=1)
>>> game.winner, game.turns, game[10].action
('Green', 71, BuildRoad(player=1, at=12))
>>> rng = random.Random(7)
>>> state = catan_p2p.new_game(players=3, rules="standard", seed=7)
>>> while catan_p2p.to_move(state):
...     choices = catan_p2p.legal_actions(state)
...     state = catan_p2p.apply(state, rng.choice(choices), rng)
...
>>> state
<State: player 3 has won; points 5 4 10>

What to import:

whole games   play, load, load_all; they give a Game, which is a sequence of Step
a position    Position, PublicPosition, Holding (game.position(40).legal_moves())
moves         new_game, to_move, legal_actions, legal_offers, apply, draw, chance_outcomes, broken_guards
values        State, Board, Rules, actions (the kinds of moves), Undrawn and Outcome (chance that is still open)
players       POLICIES, Policy
errors        NotEnabled, ChanceUndecided

``help(catan_p2p.play)`` explains one of them; docs/guides/library.md shows them at work. They are kept by semantic
versioning. ``catan_p2p.env`` has environments for Gymnasium and PettingZoo. All other modules may change.
"""

from __future__ import annotations

__version__ = "1.0.0"

TYPE_CHECKING = False  # not from typing: importing that takes as long as starting Python
if TYPE_CHECKING:
    from typing import Any

    from catan_p2p import actions as actions
    from catan_p2p.api.choices import ChanceUndecided as ChanceUndecided
    from catan_p2p.api.choices import Outcome as Outcome
    from catan_p2p.api.choices import Undrawn as Undrawn
    from catan_p2p.api.choices import apply as apply
    from catan_p2p.api.choices import broken_guards as broken_guards
    from catan_p2p.api.choices import chance_outcomes as chance_outcomes
    from catan_p2p.api.choices import draw as draw
    from catan_p2p.api.choices import legal_actions as legal_actions
    from catan_p2p.api.choices import legal_offers as legal_offers
    from catan_p2p.api.choices import new_game as new_game
    from catan_p2p.api.choices import to_move as to_move
    from catan_p2p.api.games import Game as Game
    from catan_p2p.api.games import Step as Step
    from catan_p2p.api.loading import load as load
    from catan_p2p.api.loading import load_all as load_all
    from catan_p2p.api.playing import play as play
    from catan_p2p.api.positions import Holding as Holding
    from catan_p2p.api.positions import Position as Position
    from catan_p2p.api.positions import PublicPosition as PublicPosition
    from catan_p2p.game.board import Board as Board
    from catan_p2p.game.constants import Rules as Rules
    from catan_p2p.game.rules import NotEnabled as NotEnabled
    from catan_p2p.game.state import State as State
    from catan_p2p.players.policies import POLICIES as POLICIES
    from catan_p2p.players.policies import Policy as Policy

_WHERE = {
    name: where
    for where, names in {
        "": "actions",
        "api.choices": "ChanceUndecided Outcome Undrawn apply broken_guards chance_outcomes draw legal_actions "
        "legal_offers new_game to_move",
        "api.games": "Game Step",
        "api.loading": "load load_all",
        "api.playing": "play",
        "api.positions": "Holding Position PublicPosition",
        "game.board": "Board",
        "game.constants": "Rules",
        "game.rules": "NotEnabled",
        "game.state": "State",
        "players.policies": "POLICIES Policy",
    }.items()
    for name in names.split()
}
"""The module of each name, below this package. A module is imported when one of its names is first used."""

__all__ = ["__version__", *_WHERE]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    where = _WHERE[name]
    if not where:
        return import_module(f"{__name__}.{name}")
    value = getattr(import_module(f"{__name__}.{where}"), name)
    globals()[name] = value  # the next access does not come here
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
