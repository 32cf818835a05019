"""What a party signs about a change of the view, as the text of a commit, and the trailer ``After`` of every commit.

``vote player_1 round 2`` and its trailers: what it is, the player, the number of the view that is left, the round, and,
of a vote, the parties for whom its voter has waited. What else a vote, a proposal or an acceptance says is in its
parents. ``request player_1`` asks to come back, and has no round; where hands are hidden, it opens all sealed cards of
its party: for each seat that has any, in the order of seats, ``Shown`` and ``Seal``. Every commit of such a game ends
with ``After``: the previous commit of its player.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from typing import Literal, NamedTuple, TypeAlias

from catan_p2p.game.actions.parameters import CARDS
from catan_p2p.game.cards import Cards, is_valid
from catan_p2p.game.constants import Player
from catan_p2p.log.game import FormatError
from catan_p2p.log.storage.objects import ObjectId

MessageKind: TypeAlias = Literal["vote", "propose", "accept", "request"]
"""Paxos's promise (1b), accept request (2a) and accepted (2b); and the request of a party that was left out."""


class HandOpening(NamedTuple):
    """All sealed cards of a seat, and the proof that they are these: a resealing after which no card is left."""

    shown: Cards
    seal: bytes


class ViewMessage(NamedTuple):
    """A vote, a proposal or an acceptance in one round of the change from a view, or a request to come back in it."""

    kind: MessageKind
    player: Player
    """The first seat of the party."""
    view: int
    round: int = 0
    waits: tuple[Player, ...] = ()
    """Of a vote: the parties, by first seat, that are awaited, and for which its voter has waited one patience."""
    openings: tuple[HandOpening, ...] = ()
    """Of a request."""

    @property
    def reply(self) -> None:
        """None: it is no reply."""
        return

    @property
    def rule(self) -> str:
        """It is no action of the game."""
        return "views"


_NUMBER = "0|[1-9][0-9]{0,4}"
_MESSAGE = re.compile(
    r"(?P<kind>vote|propose|accept|request) player_[1-6](?: round [0-9]+)?\n\nAction: (?P=kind)\n"
    rf"Player: (?P<player>[1-6])\nView: (?P<view>{_NUMBER})\n(?:Round: (?P<round>{_NUMBER})\n)?"
    r"(?:Waits: (?P<waits>-|[1-6](?: [1-6])*)\n)?"
    r"(?P<openings>(?:Shown: [0-9A-Za-z, ]{1,100}\nSeal: [0-9A-Za-z+/=]{1,100}\n){0,6})"
)
_OPENING = re.compile(r"Shown: (.*)\nSeal: (.*)\n")
_AFTER = re.compile(r"After: ([0-9a-f]{40})\n")


def message_text(message: ViewMessage) -> str:
    """Return the text of a message, without ``After``."""
    kind, player, view, number, waits, openings = message
    said = f"Action: {kind}\nPlayer: {player}\nView: {view}\n"
    if kind == "request":
        shown = (f"Shown: {CARDS.spell(one.shown)}\nSeal: {b64encode(one.seal).decode()}\n" for one in openings)
        return f"{kind} player_{player}\n\n{said}{''.join(shown)}"
    text = f"{kind} player_{player} round {number}\n\n{said}Round: {number}\n"
    return text + f"Waits: {' '.join(map(str, waits)) or '-'}\n" if kind == "vote" else text


def read_message(text: str) -> ViewMessage | None:
    """Parse the text of a message; None if it is none of these, ``FormatError`` if it is misspelt."""
    if (found := _MESSAGE.fullmatch(text)) is None:
        return None
    waits = found["waits"] or "-"
    kind: MessageKind = found["kind"]  # type: ignore[assignment]
    who = () if waits == "-" else tuple(map(int, waits.split(" ")))
    try:
        openings = tuple(
            HandOpening(CARDS.parse(shown), b64decode(seal, validate=True))
            for shown, seal in _OPENING.findall(found["openings"])
        )
    except (ValueError, KeyError, OverflowError):
        raise FormatError(f"the message of {kind} opens no cards") from None
    message = ViewMessage(kind, int(found["player"]), int(found["view"]), int(found["round"] or 0), who, openings)
    are_cards = all(is_valid(one.shown) for one in openings)
    if not are_cards or message_text(message) != text or list(who) != sorted({*who}):
        raise FormatError(f"the message of {kind} is not in its canonical spelling")
    return message


def with_after(text: str, after: ObjectId) -> str:
    """Return the text of a commit's message with the previous commit of its player."""
    return f"{text}After: {after}\n"


def split_after(text: str) -> tuple[str, ObjectId | None]:
    """Return a commit's message without the previous commit of its player, and that commit, None if it names none."""
    start = text.rfind("\n", 0, -1) + 1
    found = _AFTER.fullmatch(text, start)
    return (text, None) if found is None else (text[:start], ObjectId(found[1]))
