"""The bandit's move after a seven, once every discard is made."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from catan_p2p.game.actions import robbery
from catan_p2p.game.actions.discard import is_discard_due
from catan_p2p.game.actions.drawing import is_drawn, settled
from catan_p2p.game.actions.parameters import Seat, StolenCard, TileNumber, Victim
from catan_p2p.game.actions.parts import Action, NumberSource, unmet
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State


@dataclass(frozen=True, slots=True)
class MoveBandit(Action):
    """Player ``player`` moves the bandit to tile ``to`` and steals ``card`` from ``victim``.

    Mirrors ``MoveBandit(p, to, victim, card)`` in spec/Catan.tla (thesis, action 4, second part).
    """

    player: Seat
    to: TileNumber
    victim: Victim
    card: StolenCard

    phases = ("Discarding", "MovingBandit", "Drawing")
    drawn = "card"


def broken(state: State, action: MoveBandit) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.phase in ("Discarding", "MovingBandit") or "MB1 phase",
        state.ap == action.player or "MB2 turn",
        not is_discard_due(state) or "MB3 discards",
        robbery.is_elsewhere(state, action.to) or "MB4 elsewhere",
        robbery.is_land(state, action.to) or "MB5 land",
        robbery.is_target(state, action.player, action.to) or "MB6 target",
        robbery.is_victim(state, action.player, action.to, action.victim) or "MB7 victim",
        robbery.is_card_of(state, action.victim, action.card) or "MB8 card",
        is_drawn(state, "MoveBandit", action.to, action.victim) or "MB9 drawn",
    )


def effect(state: State, action: MoveBandit) -> State:
    """The state after the action, whose guards must hold."""
    return settled(state)._replace(
        tp=state.after_dice,
        ba=action.to,
        lim=(0,) * len(state.lim) if any(state.lim) else state.lim,
        h=robbery.steal(state, action.player, action.victim, action.card),
        hid=robbery.sealed_after(state, action.player, action.victim, action.card),
    )


def instances(state: State, player: Player) -> Sequence[MoveBandit]:
    """Every enabled instance, by tile, victim and card."""
    return [
        MoveBandit(player, to, victim, card)
        for to, victim in _moves(state, player)
        for card in robbery.stealable(state, victim)
    ]


def decisions(state: State, player: Player) -> Sequence[MoveBandit]:
    """One instance for each tile and victim: which card is stolen is chance."""
    return [MoveBandit(player, to, victim, robbery.stealable(state, victim)[0]) for to, victim in _moves(state, player)]


def draw(state: State, action: MoveBandit, rng: NumberSource) -> MoveBandit:
    """The same move with a card drawn uniformly from the victim's hand."""
    return replace(action, card=robbery.draw_stolen(state, action.victim, rng))


def _moves(state: State, player: Player) -> tuple[tuple[int, Player], ...]:
    if state.phase not in ("Discarding", "MovingBandit") or state.ap != player or is_discard_due(state):
        return ()
    return tuple(move for move in robbery.robberies(state, player) if is_drawn(state, "MoveBandit", *move))
