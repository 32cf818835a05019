"""The end of a turn, or of the game."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from catan_p2p.game.actions.parameters import Seat
from catan_p2p.game.actions.parts import COSTS, Action, could_pay, unmet, with_hand, with_seat
from catan_p2p.game.actions.turn import has_enough, passed_on
from catan_p2p.game.cards import NO_CARDS
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.state import BUILD_PHASES, NOTHING_HIDDEN, State


@dataclass(frozen=True, slots=True)
class EmptyBuild(Action):
    """Player ``player`` stops building: they have won, or the turn passes to the next player.

    Mirrors ``EmptyBuild(p)`` in spec/Catan.tla (thesis, action 9).
    """

    player: Seat

    phases = BUILD_PHASES
    is_pass = True


def broken(state: State, action: EmptyBuild) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.tp in BUILD_PHASES or "EB1 phase",
        state.builder == action.player or "EB2 turn",
    )


def effect(state: State, action: EmptyBuild) -> State:
    """The state after the action, whose guards must hold."""
    player, state = action.player, state.heard
    special = state.tp == "SpecialBuilding"
    if not special and state.constants.rules.win_check == "turn_end" and has_enough(state, player):
        return state._replace(tp="top")
    hand = state.h[player - 1]
    after = state._replace(h=with_hand(state, player, bc=NO_CARDS, ac=hand.ac + hand.bc)) if hand.bc else state
    if after.hid is not NOTHING_HIDDEN and (new := after.hid.bought[player - 1]):
        held = with_seat(after.hid.held, player, after.hid.held[player - 1] + new)
        after = after._replace(hid=after.hid._replace(held=held, bought=with_seat(after.hid.bought, player, 0)))
    if state.constants.rules.special_building:
        builder = next_special_builder(after, player)
        if builder != NO_OWNER:
            return after._replace(tp="SpecialBuilding", sb=builder)
    return passed_on(after._replace(ahead=_ahead_after(after, player)) if state.constants.rules.chance_ahead else after)


def _ahead_after(state: State, player: Player) -> tuple[bool, ...]:
    """The players whose shares of the next roll are revealed once this player ends the turn: ``AheadAfter``."""
    ahead, following = with_seat(state.ahead, player, True), state.next_player(player)
    return with_seat(ahead, following, False) if has_cards_before_dice(state, following) else ahead


def has_cards_before_dice(state: State, player: Player) -> bool:
    """Whether a player can play or show a development card before the dice: ``HasCardsBeforeDice``."""
    if state.hid is not NOTHING_HIDDEN and state.hid.held[player - 1]:
        return True
    return state.constants.rules.dev_card_before_dice and state.h[player - 1].ac != NO_CARDS


def next_special_builder(state: State, player: Player) -> Player:
    """The next player, up to the active one, who can pay for anything and so builds; or nobody: ``NextBuilder``."""
    n = state.constants.player_count
    for place in range((player - state.ap) % n + 1, n):
        other = (state.ap + place - 1) % n + 1
        if not state.away[other - 1] and any(could_pay(state, other, cost) for cost in COSTS):
            return other
    return NO_OWNER


def instances(state: State, player: Player) -> Sequence[EmptyBuild]:
    """The one instance, if enabled."""
    return (
        _only(player)
        if state.tp in BUILD_PHASES and (state.sb if state.tp == "SpecialBuilding" else state.ap) == player
        else ()
    )


@lru_cache
def _only(player: Player) -> tuple[EmptyBuild]:
    return (EmptyBuild(player),)
