"""Counterexamples as moves of the game instead of TLC's states."""

from collections.abc import Sequence
from dataclasses import fields
from itertools import pairwise

from catan_p2p.game.actions import KIND_OF, Action
from catan_p2p.game.actions.parameters import CARDS, OFFERED
from catan_p2p.game.cards import describe
from catan_p2p.game.rules import apply, enabled
from catan_p2p.game.state import State
from catan_p2p.model_check.states import parse_variables


def describe_moves(states: Sequence[State]) -> tuple[str, ...]:
    """One line for each step: the action and the phase that it leads to.

    A step that is no action of the program is described by the components that change.
    """
    if not states:
        return ()
    lines = [f"begin: {_where(states[0])}"]
    lines += [f"{_step(before, after)}: {_where(after)}" for before, after in pairwise(states)]
    return tuple(lines)


def _where(state: State) -> str:
    if state.sup == "Rolling":
        return f"rolling for the start, player {state.su_ap} to act"
    if state.tp == "SpecialBuilding":
        return f"phase {state.tp} of player {state.sb}, after the turn of player {state.ap}"
    if state.tp == "bot":
        return f"set-up, {state.sup}, player {state.su_ap} to act"
    return f"phase {state.tp}, turn of player {state.ap}"


def _step(before: State, after: State) -> str:
    action = explain(before, after)
    if action is not None:
        return describe_action(action)
    return f"no action of the program leads here, which changes {changed(before, after)}"


def explain(before: State, after: State) -> Action | None:
    """The action of the program that leads from one state to another; None if there is none."""
    for player in before.constants.players:
        for action in enabled(before, player):
            if apply(before, action) == after:
                return action
    return None


def changed(before: State, after: State) -> str:
    """The names of the components that differ, or ``nothing``."""
    names = [name for name, old, new in zip(before._fields, before, after, strict=True) if old != new]
    return ", ".join(names) or "nothing"


def describe_network(text: str) -> str:
    """A state of ``MCTrails.tla`` in one line: the roads of player 1 and the village of player 2."""
    network = parse_variables(text)["G"]
    roads = [str(rp) for rp, owner in enumerate(network["r"], 1) if owner]
    villages = [f", player 2 a village at {sp}" for sp, point in enumerate(network["s"], 1) if point["own"]]
    return f"player 1 has roads at {', '.join(roads) or 'no place'}{''.join(villages)}"


def describe_action(action: Action) -> str:
    """An action in words, such as ``BuildRoad player 2 at 17``."""
    kind = KIND_OF[type(action)]
    words = [f"{kind.name} player {action.player}"]
    for field in fields(action):  # type: ignore[arg-type]
        if field.name == "player":
            continue
        value = getattr(action, field.name)
        is_cards = kind.parameters[field.name] in (CARDS, OFFERED)
        words.append(f"{field.name} {describe(value) if is_cards else value}")
    return " ".join(words)
