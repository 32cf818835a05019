"""The shares that a player has told on branches that did not survive: none of them may be used again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

from catan_p2p.game.actions import Reveal
from catan_p2p.game.chance import Share
from catan_p2p.game.constants import Constants, Player
from catan_p2p.log.commit import decode_commit, parse_entry
from catan_p2p.log.storage.objects import ObjectId


class ToldShares:
    """One player's shares on those branches; ``highest`` is the number of the last one, 0 if there is none.

    ``highest_ahead`` is the same for shares of rolls that are told ahead. ``reveals`` maps calls to the player's
    reveals for them.
    """

    def __init__(self, player: Player, constants: Constants, number_of: Callable[[Share, bool], int]) -> None:
        self.highest = self.highest_ahead = 0
        self.reveals: dict[ObjectId, ObjectId] = {}
        self._player = player
        self._constants = constants
        self._number_of = number_of

    def take_in(self, commits: Iterable[tuple[ObjectId, bytes]]) -> ObjectId | None:
        """Note the shares in these commits; return the newest own commit that tells one."""
        newest = None
        for commit, data in commits:
            parts = decode_commit(data)
            entry = parse_entry(parts.message, self._constants)
            if entry.action.player != self._player:
                continue
            if isinstance(entry.action, Reveal) and entry.share is None:
                # Of hidden cards: two replies to one call, written at two times, would prove a lie.
                self.reveals[parts.parents[0]] = newest = commit
            if entry.ahead is not None:
                with suppress(ValueError):
                    number = self._number_of(entry.ahead, True)
                    if number >= self.highest_ahead:
                        self.highest_ahead, newest = number, commit
            if entry.share is None:
                continue
            try:
                number = self._number_of(entry.share, False)
            except ValueError:
                continue  # it is of another chain than the one that counts, and will not be told again
            if number >= self.highest:
                self.highest, newest = number, commit
            if isinstance(entry.action, Reveal):
                self.reveals[parts.parents[0]] = commit
        return newest


def withheld_share(name: str) -> str:
    """Why a player makes no draw now, and what they can do."""
    return (
        f"{name} has told the next share for another draw, which did not survive, and never tells a share twice: "
        "do what needs no draw, or wait until the others go on"
    )


def withheld_cards(name: str) -> str:
    """Why a player does not disclose sealed cards now."""
    return f"{name} does not tell sealed cards to a proven liar: wait until the others go on without that player"
