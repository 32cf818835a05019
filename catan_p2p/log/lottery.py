"""Chance that all players make together, as a log holds it: shares that lead back to pledges, and what they draw."""

from __future__ import annotations

from catan_p2p.actions import Action, BuyDevCard, Call, MoveBandit, PlayKnight, Pledge, RollDice, RollForStart
from catan_p2p.actions.roll_dice import two_dice
from catan_p2p.chance import Draw, Nonce, Share, share_before
from catan_p2p.constants import Player
from catan_p2p.log.commit import Entry
from catan_p2p.rules import settlement
from catan_p2p.state import State


class Lottery:
    """The shares of one game that are known so far.

    ``draws`` counts the draws that were called for. A game whose chance is the actor's has none.
    """

    def __init__(self, game: str) -> None:
        self.draws = 0
        self._game = game
        self._newest: dict[Player, Share] = {}
        """By player the newest share that was told; before the first, the pledge."""
        self._revealed: dict[Player, Share] = {}
        """The shares of the draw under way."""
        self._nonces: dict[Player, Nonce | None] = {}
        """By player what their pledge tells besides the share."""

    def take_in(self, entry: Entry) -> None:
        """Take note of what the message of a commit tells that was accepted or written."""
        action, share = entry.action, entry.share
        if share is None:
            return
        self._newest[action.player] = share
        if isinstance(action, Pledge):
            self._nonces[action.player] = entry.nonce
        if isinstance(action, Call):
            self.draws += 1
            self._revealed = {}
        self._revealed[action.player] = share

    def nonce_of(self, player: Player) -> Nonce | None:
        """The nonce in a player's pledge, None if there is no pledge of theirs or it tells none."""
        return self._nonces.get(player)

    def draw(self) -> Draw:
        """The draw under way, with all shares that are known of it."""
        return Draw(self._game, self.draws, tuple(sorted(self._revealed.items())))

    def entry(self, action: Action, before: State, draw: Draw | None, share: Share | None) -> Entry:
        """What the message of an action tells."""
        number = self.draws + 1 if isinstance(action, Call) else None
        return Entry(action, share, number, _shows(action, before, draw))

    def problem(self, entry: Entry, before: State, draw: Draw | None) -> str | None:
        """What is wrong with the share or the outcome that a message tells, None if nothing is.

        ``before`` is the state before the action, and none of its guards is broken; ``draw`` is what it settles.
        """
        action, share = entry.action, entry.share
        if isinstance(action, Call) and entry.draw != self.draws + 1:
            return f"it calls for draw {entry.draw} after {self.draws} draws"
        if share is not None and action.player in self._newest:
            known = self._newest[action.player]
            if share_before(self._game, action.player, share) != known:
                return f"the share {share[:10]} does not lead back to {known[:10]}, told before by the same player"
        if draw is None:
            return None
        expected = settlement(before, draw.numbers())
        shows = _shows(expected, before, draw)
        if action != expected or entry.shows != shows:
            return f"draw {draw.number} makes {_outcome(expected, shows)}, not {_outcome(action, entry.shows)}"
        return None


def _shows(action: Action, before: State, draw: Draw | None) -> tuple[int, int] | None:
    if draw is None or not isinstance(action, RollDice | RollForStart):
        return None
    return two_dice(before, draw.numbers())


def _outcome(action: Action, shows: tuple[int, int] | None) -> str:
    if isinstance(action, RollDice | RollForStart):
        return f"{action.dice}" if shows is None else "{} ({} and {})".format(action.dice, *shows)
    if isinstance(action, MoveBandit | PlayKnight | BuyDevCard):
        return str(action.card)
    return str(action)
