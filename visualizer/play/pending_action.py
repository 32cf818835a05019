"""What has been decided on and is not sent yet: for a few seconds it can be undone, if the person wants that."""

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
    """Whether an action may be held back: it reveals nothing, to its player or to others, and promises nothing.

    A roll, a card that is bought or stolen, and the cards that a monopoly brings are seen as soon as they are drawn.
    Whoever could undo them could try until they like what comes. A vote and a claim have been waited for long enough.
    """
    reveals = isinstance(action, actions.Robbery | actions.PlayMonopoly) or action.drawn is not None
    return not reveals and not isinstance(action, actions.Vote | actions.Claim)


def held_moment(state: State, held: PendingAction, names: tuple[str, ...], now: float) -> SeatMoment:
    """What can be chosen while an action is held back."""
    words = question(state, held.action, names)
    title = f"Sent in {max(1, ceil(held.until - now))} s: {words[0].lower()}{words[1:]}"
    undo = SeatChoice(("do", "undo"), "undo", "Undo", "Escape", SeatRequest("undo"), icon="previous_action")
    send = SeatChoice(
        ("do", "send now"), "send now", "Send now", "Enter", SeatRequest("send now"), icon="accept", is_main=True
    )
    return SeatMoment(title=title, hint="", choices=[send, undo], is_mine=True)
