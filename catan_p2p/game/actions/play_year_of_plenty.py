"""Playing a year of plenty card."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from catan_p2p.game.actions import progress
from catan_p2p.game.actions.parameters import ResourceCard, Seat
from catan_p2p.game.actions.parts import Action, unmet, with_seat
from catan_p2p.game.cards import ONE, RESOURCES, Cards, covers
from catan_p2p.game.constants import Player
from catan_p2p.game.state import PLAY_PHASES, State


@dataclass(frozen=True, slots=True)
class PlayYearOfPlenty(Action):
    """Player ``player`` takes a card of ``first`` and one of ``second`` from the bank.

    Mirrors ``PlayYearOfPlenty(p, first, second)`` in spec/Catan.tla.
    """

    player: Seat
    first: ResourceCard
    second: ResourceCard

    phases = PLAY_PHASES | {"DiceRoll"}
    unveils = "YearOfPlenty"


def broken(state: State, action: PlayYearOfPlenty) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        progress.is_playing_phase(state) or "PY1 phase",
        state.ap == action.player or "PY2 turn",
        progress.has_available(state, action.player, "YearOfPlenty") or "PY3 available",
        covers(state.bnk.rc, ONE[action.first] + ONE[action.second]) or "PY4 stock",
        progress.is_within_limit(state) or "PY5 limit",
    )


def effect(state: State, action: PlayYearOfPlenty) -> State:
    """The state after the action, whose guards must hold."""
    gain = ONE[action.first] + ONE[action.second]
    hand = progress.without_card(state.h[action.player - 1], "YearOfPlenty")
    return state.heard._replace(
        pd=progress.played_cards(state),
        dp=state.dp + ONE["YearOfPlenty"],
        bnk=state.bnk._replace(rc=state.bnk.rc - gain),
        h=with_seat(state.h, action.player, hand._replace(rc=hand.rc + gain)),
    )


def instances(state: State, player: Player) -> Sequence[PlayYearOfPlenty]:
    """Every enabled instance, by the first, then the second resource."""
    if not progress.may_play(state, player, "YearOfPlenty"):
        return ()
    return _plays(player, state.bnk.rc)


@lru_cache(maxsize=1 << 9)
def _plays(player: Player, stock: Cards) -> tuple[PlayYearOfPlenty, ...]:
    return tuple(
        PlayYearOfPlenty(player, first, second)
        for first in RESOURCES
        for second in RESOURCES
        if covers(stock, ONE[first] + ONE[second])
    )
