"""The answer to an offer, which players give concurrently, as they discard."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from catan_p2p.game.actions.parameters import Reply, Seat
from catan_p2p.game.actions.parts import Action, unmet, with_seat
from catan_p2p.game.cards import NO_CARDS, Cards, covers
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State


@dataclass(frozen=True, slots=True)
class AnswerTrade(Action):
    """Player ``player`` accepts or rejects the standing offer; nothing changes hands yet.

    Mirrors ``AnswerTrade(p, answer)`` in spec/Catan.tla.
    """

    player: Seat
    answer: Reply

    phases = ("Offering",)
    reply = "answer"

    def needs(self, state: State) -> Cards:
        """What an offer that is accepted asks for."""
        return state.offer.receive if self.answer == "accept" else NO_CARDS


def is_asked(state: State, player: Player) -> bool:
    """Whether the player still owes an answer."""
    return state.ans[player - 1] == "asked"


def may_accept(state: State, player: Player) -> bool:
    """Whether the player holds what the standing offer asks for; without table talk nobody else is asked."""
    rules = state.constants.rules
    is_sure = not rules.table_talk and rules.hands == "open"
    return is_sure or covers(state.h[player - 1].rc, state.offer.receive)


def broken(state: State, action: AnswerTrade) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.tp == "Offering" or "AT1 phase",
        is_asked(state, action.player) or "AT2 asked",
        action.answer == "reject" or may_accept(state, action.player) or "AT3 hand",
    )


def effect(state: State, action: AnswerTrade) -> State:
    """The state after the action, whose guards must hold."""
    return state._replace(ans=with_seat(state.ans, action.player, action.answer))


def instances(state: State, player: Player) -> Sequence[AnswerTrade]:
    """Both instances, if enabled: accept, then reject."""
    if state.tp != "Offering" or not is_asked(state, player):
        return ()
    return _both(player) if may_accept(state, player) else _both(player)[1:]


@lru_cache
def _both(player: Player) -> tuple[AnswerTrade, AnswerTrade]:
    return (AnswerTrade(player, "accept"), AnswerTrade(player, "reject"))
