"""Positions of games of hidden hands: what is sealed is missing in the bank."""

from dataclasses import replace
from typing import Any

from catan_p2p.game.board import FirstPlacement
from catan_p2p.game.constants import BRIEF, THESIS, Constants
from catan_p2p.game.state import NOTHING_HIDDEN, HiddenCounts, State, initial_state
from tests.positions import ROADS, VILLAGES, cards, position

HIDDEN = replace(THESIS, chance="joint", hands="hidden")
HIDDEN_BRIEF = replace(BRIEF, chance="joint", hands="hidden")
SIGNED = replace(HIDDEN, leaving=True, signed_end=True)
OPENING = tuple(FirstPlacement(seat, VILLAGES[seat][i], ROADS[seat][i], False) for seat in (1, 2, 3) for i in (0, 1))
"""Of three players."""
SHUFFLING = initial_state(Constants(HIDDEN))._replace(tp="Shuffling", due=(False, False))


def hidden(players: int = 2, **changes: Any) -> HiddenCounts:
    """What is hidden of a game after the shuffles: nothing, but for the changes."""
    none = (0,) * players
    nothing = NOTHING_HIDDEN._replace(sealed=none, bought=none, held=none, shuffles=players, keyless=(False,) * players)
    return nothing._replace(**changes)


def hiding(state: State, of: str = "", **changes: Any) -> State:
    """A position with hidden cards; those ``of`` these words are sealed, and not in the bank."""
    bank = state.bnk._replace(rc=state.bnk.rc - cards(of))
    return state._replace(hid=hidden(state.constants.player_count, **changes), bnk=bank)


def keyed(state: State) -> State:
    """The same where the keys of who is away, and of nobody else, do not seal the deck, unless it says otherwise."""
    is_told = state.hid is NOTHING_HIDDEN or any(state.hid.keyless)
    return state if is_told else state._replace(hid=state.hid._replace(keyless=state.away))


def signing(*due: bool) -> State:
    """The end of a game that player 1 has won, which these still have to sign."""
    return hiding(position(len(due), phase="Signing", due=due, rules=SIGNED), deck="rest")


def asked(players: int = 2, of: str = "", due: tuple[bool, ...] = (False, True), **changes: Any) -> State:
    """A monopoly of player 1 on ore, which others owe something to."""
    known, rules = changes.pop("hands", None), changes.pop("rules", HIDDEN)
    state = position(players, phase="Surrendering", due=due, hands=known, rules=rules)
    return hiding(state, of, wanted="Ore", back="Building", **changes)
