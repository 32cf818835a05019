"""Playing a knight card."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from catan_p2p.game.actions import progress, robbery
from catan_p2p.game.actions.drawing import is_drawn, settled
from catan_p2p.game.actions.parameters import Seat, StolenCard, TileNumber, Victim
from catan_p2p.game.actions.parts import Action, NumberSource, unmet, with_seat
from catan_p2p.game.actions.turn import won
from catan_p2p.game.cards import ONE
from catan_p2p.game.constants import Player
from catan_p2p.game.scoring import largest_army_holder
from catan_p2p.game.state import PLAY_PHASES, State


@dataclass(frozen=True, slots=True)
class PlayKnight(Action):
    """Player ``player`` unveils a knight, moves the bandit to tile ``to`` and steals ``card`` from ``victim``.

    Mirrors ``PlayKnight(p, to, victim, card)`` in spec/Catan.tla.
    """

    player: Seat
    to: TileNumber
    victim: Victim
    card: StolenCard

    phases = PLAY_PHASES | {"DiceRoll", "Drawing"}
    unveils = "Knight"
    drawn = "card"


def broken(state: State, action: PlayKnight) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        progress.is_playing(state, state.phase) or "PK1 phase",
        state.ap == action.player or "PK2 turn",
        progress.has_available(state, action.player, "Knight") or "PK3 available",
        robbery.is_elsewhere(state, action.to) or "PK4 elsewhere",
        robbery.is_land(state, action.to) or "PK5 land",
        robbery.is_target(state, action.player, action.to) or "PK6 target",
        robbery.is_victim(state, action.player, action.to, action.victim) or "PK7 victim",
        robbery.is_card_of(state, action.victim, action.card) or "PK8 card",
        progress.is_within_limit(state) or "PK9 limit",
        is_drawn(state, "PlayKnight", action.to, action.victim) or "PK10 drawn",
    )


def effect(state: State, action: PlayKnight) -> State:
    """The state after the action, whose guards must hold."""
    hands = robbery.steal(state, action.player, action.victim, action.card)
    hand = progress.without_card(hands[action.player - 1], "Knight")
    hands = with_seat(hands, action.player, hand._replace(uc=hand.uc + ONE["Knight"]))
    hidden = robbery.sealed_after(state, action.player, action.victim, action.card)
    after = settled(state)._replace(pd=progress.played_cards(state), ba=action.to, h=hands, hid=hidden)
    holder = largest_army_holder(after)
    return won(after if holder == state.la else after._replace(la=holder))


def instances(state: State, player: Player) -> Sequence[PlayKnight]:
    """Every enabled instance, by tile, victim and card."""
    return [
        PlayKnight(player, to, victim, card)
        for to, victim in _moves(state, player)
        for card in robbery.stealable(state, victim)
    ]


def decisions(state: State, player: Player) -> Sequence[PlayKnight]:
    """One instance for each tile and victim: which card is stolen is chance."""
    return [PlayKnight(player, to, victim, robbery.stealable(state, victim)[0]) for to, victim in _moves(state, player)]


def _moves(state: State, player: Player) -> tuple[tuple[int, Player], ...]:
    if not progress.may_play(state, player, "Knight", state.phase):
        return ()
    return tuple(move for move in robbery.robberies(state, player) if is_drawn(state, "PlayKnight", *move))


def draw(state: State, action: PlayKnight, rng: NumberSource) -> PlayKnight:
    """The same play with a card drawn uniformly from the victim's hand."""
    return replace(action, card=robbery.draw_stolen(state, action.victim, rng))
