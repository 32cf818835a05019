"""Playing a monopoly card."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from catan_p2p.game.actions import progress
from catan_p2p.game.actions.parameters import ResourceCard, Seat
from catan_p2p.game.actions.parts import Action, unmet, with_seat
from catan_p2p.game.actions.surrender import surrendering
from catan_p2p.game.cards import ONE, RESOURCES, count
from catan_p2p.game.constants import Player
from catan_p2p.game.state import PLAY_PHASES, State


@dataclass(frozen=True, slots=True)
class PlayMonopoly(Action):
    """Player ``player`` takes all cards of ``resource`` from everybody else.

    Where hands are hidden, these are the known ones; ``Surrender`` brings the sealed ones.

    Mirrors ``PlayMonopoly(p, res)`` in spec/Catan.tla.
    """

    player: Seat
    resource: ResourceCard

    phases = PLAY_PHASES | {"DiceRoll"}
    unveils = "Monopoly"


def broken(state: State, action: PlayMonopoly) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        progress.is_playing_phase(state) or "PM1 phase",
        state.ap == action.player or "PM2 turn",
        progress.has_available(state, action.player, "Monopoly") or "PM3 available",
        progress.is_within_limit(state) or "PM4 limit",
    )


def effect(state: State, action: PlayMonopoly) -> State:
    """The state after the action, whose guards must hold."""
    card = ONE[action.resource]
    taken = [card * count(hand.rc, action.resource) for hand in state.h]
    hands = tuple(hand._replace(rc=hand.rc - lost) if lost else hand for hand, lost in zip(state.h, taken, strict=True))
    winner = progress.without_card(hands[action.player - 1], "Monopoly")
    after = state.heard._replace(
        pd=progress.played_cards(state),
        dp=state.dp + ONE["Monopoly"],
        h=with_seat(hands, action.player, winner._replace(rc=winner.rc + sum(taken))),
    )
    if not any(state.hid.sealed) or not any(due := surrendering(after)):
        return after
    asked = state.hid._replace(wanted=action.resource, back=state.tp)
    return after._replace(tp="Surrendering", due=due, hid=asked)


def instances(state: State, player: Player) -> Sequence[PlayMonopoly]:
    """Every enabled instance, in the order of resources."""
    return _plays(player) if progress.may_play(state, player, "Monopoly") else ()


@lru_cache
def _plays(player: Player) -> tuple[PlayMonopoly, ...]:
    return tuple(PlayMonopoly(player, resource) for resource in RESOURCES)
