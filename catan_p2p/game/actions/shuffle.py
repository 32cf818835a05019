"""The shuffle of the deck, by each player in the order of seats: before a game of hidden hands begins."""

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.actions.parameters import Seat
from catan_p2p.game.actions.parts import Action, unmet
from catan_p2p.game.constants import Player
from catan_p2p.game.state import DeckStage, State, first_phase


@dataclass(frozen=True, slots=True)
class Shuffle(Action):
    """Player ``player`` shuffles the deck; the new one is in the commit, not in the state."""

    player: Seat

    phases = ("Shuffling",)
    rule = "hands"


def broken(state: State, action: Shuffle) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.tp == "Shuffling" or "SH1 phase",
        state.to_act == action.player or "SH2 turn",
    )


def effect(state: State, action: Shuffle) -> State:
    """The state after the action, whose guards must hold."""
    shuffles, hidden = state.hid.shuffles + 1, state.hid
    if shuffles < len(state.present):
        return state._replace(hid=hidden._replace(shuffles=shuffles))
    if hidden.deck == "keys":
        return state._replace(hid=hidden._replace(shuffles=0, deck="first"))
    after = state._replace(hid=hidden._replace(shuffles=shuffles))
    if not state.constants.rules.leaving:
        return after._replace(tp=first_phase(state.constants))
    if hidden.deck == "back":
        return after.resumed._replace(hid=after.resumed.hid._replace(keyless=state.away))
    return shuffled_back(after.resumed)


def shuffled_anew(state: State, stage: DeckStage = "rest") -> State:
    """The state in which those who are there shuffle the rest of the deck before play goes on, if there is any."""
    if state.is_over or not state.deck_size:
        return state
    return state._replace(tp="Shuffling", hid=state.hid._replace(shuffles=0, back=state.tp, deck=stage))


def shuffled_back(state: State) -> State:
    """The state in which they do so with the keys of who is back, if anybody is: ``ShuffledBack``."""
    is_back = any(not away and lacks for away, lacks in zip(state.away, state.hid.keyless, strict=True))
    return shuffled_anew(state, "back") if is_back else state


def begun_anew(state: State) -> State:
    """The state in which those who are there tell their keys for the deck and shuffle all of it before play begins."""
    return state._replace(tp="Shuffling", hid=state.hid._replace(shuffles=0, back=state.tp, deck="keys"))


def instances(state: State, player: Player) -> Sequence[Shuffle]:
    """The one instance, if enabled."""
    return (Shuffle(player),) if state.tp == "Shuffling" and state.to_act == player else ()
