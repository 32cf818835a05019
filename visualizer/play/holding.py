"""What has been decided on and is not sent yet: for a few seconds it can be undone, if the person wants that."""

from math import ceil
from typing import NamedTuple

from catan_p2p.game import actions
from catan_p2p.game.state import State
from catan_p2p.sessions.messages import Deal

from .choices import Moment
from .draft import Choice, Wish
from .questions import question


class Held(NamedTuple):
    """An action that is sent at a time, in seconds since 1970, unless it is undone."""

    action: actions.Action
    deal: Deal
    until: float


def can_wait(action: actions.Action) -> bool:
    """Whether an action may be held back: it reveals nothing, to its player or to others, and promises nothing.

    A roll, a card that is bought or stolen, and the cards that a monopoly brings are seen as soon as they are drawn.
    Whoever could undo them could try until they like what comes. A vote and a claim have been waited for long enough.
    """
    reveals = isinstance(action, actions.Robbery | actions.PlayMonopoly) or action.drawn is not None
    return not reveals and not isinstance(action, actions.Vote | actions.Claim)


def held_moment(state: State, held: Held, names: tuple[str, ...], now: float) -> Moment:
    """What can be chosen while an action is held back."""
    words = question(state, held.action, names)
    title = f"Sent in {max(1, ceil(held.until - now))} s: {words[0].lower()}{words[1:]}"
    undo = Choice(("do", "undo"), "undo", "Undo", "Escape", Wish("undo"), icon="previous_action")
    send = Choice(("do", "send now"), "send now", "Send now", "Enter", Wish("send now"), icon="accept", is_main=True)
    return Moment(title=title, hint="", choices=[send, undo], is_mine=True)
