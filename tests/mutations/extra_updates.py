"""Mistakes about what an action leaves alone: each puts one thing more back to what it was at first.

The names of the parts are those of tests/game/actions/asymmetric.py: ``rc:own``, ``ans:named``, ``due:other``.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from catan_p2p.game.actions import ACTIONS, HIDDEN_ACTIONS, KIND_NAMED, Action, ActionKind
from catan_p2p.game.constants import Player
from catan_p2p.game.state import NOTHING_HIDDEN, Buildings, Hand, State, initial_state
from tests.game.actions.asymmetric import naming, role

_WHOLE = ("sup", "su_ap", "first", "ap", "dice", "pd", "sb", "ba", "dp", "lr", "la", "offer", "call", "bnk")
_OWNERS = ("su_ap", "first", "ap", "sb", "lr", "la")
_OF_SEATS = ("rolls", "lim", "ans", "prop", "made", "due", "away", "ret", "ahead", "r")
_OF_HIDDEN_SEATS = ("sealed", "bought", "held")
_HIDDEN = ("shuffles", "wanted", "back")


class ExtraUpdate(NamedTuple):
    """An action that changes one thing more."""

    action: str
    part: str

    @property
    def what(self) -> str:
        """In words."""
        return f"{self.action}: {self.part}"

    @property
    def kind(self) -> ActionKind:
        """The action with the mistake."""
        whole = next(kind for kind in (*ACTIONS, *HIDDEN_ACTIONS) if kind.name == self.action)
        return replace(whole, effect=lambda state, action: updated(whole.effect(state, action), action, self.part))


def extra_updates() -> Iterator[ExtraUpdate]:
    """Of every action every part put back to what it was at first, and every owner that becomes who acts.

    But nobody acts who is away.
    """
    for kind in KIND_NAMED.values():
        roles = ("own", "named", "other") if naming(kind) else ("own", "other")
        parts = (*_OF_SEATS, *Hand._fields, *Buildings._fields, *_OF_HIDDEN_SEATS)
        yield from (ExtraUpdate(kind.name, name) for name in _WHOLE)
        yield from (ExtraUpdate(kind.name, f"{name} is who acts") for name in _OWNERS)
        whose = ((name, who) for name in parts for who in roles if (name, who) != ("away", "own"))
        yield from (ExtraUpdate(kind.name, f"{name}:{who}") for name, who in whose)
        yield from (ExtraUpdate(kind.name, f"hid.{name}") for name in _HIDDEN)


def updated(state: State, action: Action, part: str) -> State:
    """The state with one part of it as it was at first."""
    first = initial_state(state.constants)
    if part.endswith(" is who acts"):
        return state._replace(**{part.partition(" ")[0]: action.player})
    name, _, who = part.partition(":")
    if not who:
        if name.startswith("hid."):
            name = name.removeprefix("hid.")
            return state._replace(hid=state.hid._replace(**{name: getattr(NOTHING_HIDDEN, name)}))
        return state._replace(**{name: getattr(first, name)})
    for player in state.constants.players:
        if role(action, player) == who:
            state = _of_seat(state, first, player, name)
    return state


def _of_seat(state: State, first: State, player: Player, name: str) -> State:
    seat = slice(player - 1, player)

    def mixed(old: tuple[object, ...], new: tuple[object, ...]) -> tuple[object, ...]:
        return (*old[: player - 1], *new[seat], *old[player:])

    if name in _OF_HIDDEN_SEATS:
        return state._replace(
            hid=state.hid._replace(**{name: mixed(getattr(state.hid, name), getattr(first.hid, name))})
        )
    if name in _OF_SEATS:
        return state._replace(**{name: mixed(getattr(state, name), getattr(first, name))})
    component = "h" if name in Hand._fields else "b"
    old, new = getattr(state, component), getattr(first, component)
    changed = old[player - 1]._replace(**{name: getattr(new[player - 1], name)})
    return state._replace(**{component: (*old[: player - 1], changed, *old[player:])})
