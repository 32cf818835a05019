"""Playing a development card: when it may be done, and where the card goes."""

from catan_p2p.game.cards import NO_CARDS, ONE, DevCard, count
from catan_p2p.game.constants import Player
from catan_p2p.game.state import PLAY_PHASES, Hand, State, TurnPhase


def is_playing_phase(state: State) -> bool:
    """Whether cards may be played in this phase: while trading or building, by the rule book also before the dice."""
    return is_playing(state, state.tp)


def is_playing(state: State, phase: TurnPhase) -> bool:
    """Whether cards may be played in this phase of the turn."""
    return phase in PLAY_PHASES or (phase == "DiceRoll" and state.constants.rules.dev_card_before_dice)


def is_within_limit(state: State) -> bool:
    """Whether another card may be played this turn (rule book: one a turn)."""
    limit = state.constants.rules.dev_cards_per_turn
    return limit == 0 or state.pd < limit


def played_cards(state: State) -> int:
    """How many cards have been played this turn after one more; 0 where the rules do not count them."""
    return state.pd + 1 if state.constants.rules.dev_cards_per_turn else state.pd


def has_available(state: State, player: Player, card: DevCard) -> bool:
    """Whether the player holds a card that was not bought this turn."""
    return count(state.h[player - 1].ac, card) > 0


def may_play(state: State, player: Player, card: DevCard, phase: TurnPhase | None = None) -> bool:
    """The guards that the four cards share: phase (by default the state's), turn, card and limit at once."""
    if state.h[player - 1].ac == NO_CARDS:  # as in most hands, where the four cards need not be looked up one by one
        return False
    return (
        has_available(state, player, card)
        and state.ap == player
        and is_playing(state, phase or state.tp)
        and is_within_limit(state)
    )


def without_card(hand: Hand, card: DevCard) -> Hand:
    """The hand after an available card has left it."""
    return hand._replace(ac=hand.ac - ONE[card])
