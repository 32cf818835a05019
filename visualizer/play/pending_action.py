"""Actions that are held back for a few seconds, in which they can be undone, if the settings say so."""

from math import ceil
from typing import NamedTuple

from catan_p2p.game import actions
from catan_p2p.game.state import State
from catan_p2p.sessions.messages import AgreedDeal

from .choices import SeatMoment
from .draft import SeatChoice, SeatRequest
from .questions import question


class PendingAction(NamedTuple):
    """An action that is sent at a time, in seconds since 1970, unless it is undone."""

    action: actions.Action
    deal: AgreedDeal
    until: float


def can_wait(action: actions.Action) -> bool:
    """Whether an action may be held back and undone: it reveals nothing, to its player or to others.

    A roll, a card that is bought or stolen, and the cards of a monopoly are seen as soon as they are drawn. A player
    who could undo these could try again until they like the result. Votes and claims have waited long enough already.
    """
    reveals = isinstance(action, actions.Robbery | actions.PlayMonopoly) or action.drawn is not None
    return not reveals and not isinstance(action, actions.Excuse | actions.Claim)


def held_moment(state: State, held: PendingAction, names: tuple[str, ...], now: float) -> SeatMoment:
    """The choices while an action is held back: to send it now, or to undo it."""
    words = question(state, held.action, names)
    title = f"Sent in {max(1, ceil(held.until - now))} s: {words[0].lower()}{words[1:]}"
    undo = SeatChoice(("do", "undo"), "undo", "Undo", "Escape", SeatRequest("undo"), icon="previous_action")
    send = SeatChoice(
        ("do", "send now"), "send now", "Send now", "Enter", SeatRequest("send now"), icon="accept", is_main=True
    )
    return SeatMoment(title=title, hint="", choices=[send, undo], is_mine=True)
