"""Replies: what several players owe at the same time on the same state, and can commit concurrently.

They commute: each changes only what belongs to the player (and the bank, which simply adds up, and the phase, which
ends with the last pledge), so every order of them leads to the same state. The next other action merges all of them.
With table talk, or when it excuses the player whom they would serve, it need not wait for them: replies that it does
not merge have no effect.
"""

from catan_p2p.game.actions.absence import asked_for_cards_by
from catan_p2p.game.actions.answer_trade import is_asked
from catan_p2p.game.actions.discard import owed
from catan_p2p.game.actions.excuse import Excuse
from catan_p2p.game.actions.offering import is_talking
from catan_p2p.game.actions.parts import Action, ReplyKind
from catan_p2p.game.actions.propose_trade import may_propose
from catan_p2p.game.constants import Player
from catan_p2p.game.state import NOTHING_HIDDEN, State, TurnPhase


def is_reply(action: Action) -> bool:
    """Whether the action is a reply."""
    return action.reply is not None


def reply_kinds(state: State) -> tuple[ReplyKind, ...]:
    """The kinds of replies for which the state's phase exists, whether or not one is still owed."""
    if is_talking(state):
        return ("answer", "proposal") if state.tp == "Offering" else ("proposal",)
    if state.tp == "top" and state.hid is not NOTHING_HIDDEN:
        return ("opening",)
    return _KIND_IN_PHASE.get(state.tp, ())


_KIND_IN_PHASE: dict[TurnPhase, tuple[ReplyKind, ...]] = {
    "Discarding": ("loss",),
    "Offering": ("answer",),
    "Pledging": ("pledge",),
    "Drawing": ("chance",),
    "Surrendering": ("loss",),
    "Signing": ("end",),
}


def owes_reply(state: State, player: Player) -> bool:
    """Whether the game waits for a reply of this player."""
    if state.tp == "Discarding":
        return owed(state, player) > 0
    if state.tp == "Offering":
        return is_asked(state, player)
    return state.tp != "Shuffling" and state.due[player - 1]


def may_reply(state: State, player: Player) -> bool:
    """Whether this player may reply, whether or not the game waits for it."""
    return owes_reply(state, player) or may_propose(state, player)


def are_optional(state: State) -> bool:
    """Whether any next other action may come before all replies to this state; with table talk it may."""
    return is_talking(state)


def may_skip_replies(state: State, action: Action) -> bool:
    """Whether this action, which is no reply, may come before all replies to a state.

    Besides table talk, that is the excuse of a player who has asked for sealed cards: no reply with those is needed.
    """
    if are_optional(state):
        return True
    players = state.constants.players
    return isinstance(action, Excuse) and any(asked_for_cards_by(state, one) == action.absent for one in players)
