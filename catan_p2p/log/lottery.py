"""Chance that all players make together, as a log holds it: shares that lead back to pledges, and what they draw."""

from __future__ import annotations

from catan_p2p.game.actions import Action, BuyDevCard, Call, MoveBandit, PlayKnight, Pledge, RollDice, RollForStart
from catan_p2p.game.actions.roll_dice import two_dice
from catan_p2p.game.chance import Draw, Nonce, Share, share_before
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import settlement
from catan_p2p.game.state import State
from catan_p2p.log.commit import Entry


class Lottery:
    """The shares of one game that are known so far.

    ``draws`` counts the draws that were called for. A game whose chance is the actor's has none.
    """

    def __init__(self, game: str) -> None:
        self.draws = 0
        self._game = game
        self._newest: dict[Player, Share] = {}
        """By player the newest share that was told; before the first, the pledge."""
        self._number: dict[Player, int] = {}
        """By player the number of that share in their chain."""
        self._spent: dict[Player, int] = {}
        """By player the number up to which their shares were told, perhaps, on a branch that did not survive."""
        self._revealed: dict[Player, Share] = {}
        """The shares of the draw under way."""
        self._nonces: dict[Player, Nonce | None] = {}
        """By player what their pledge tells besides the share."""

    def take_in(self, entry: Entry) -> None:
        """Take note of what the message of a commit tells that was accepted or written."""
        action, share = entry.action, entry.share
        if share is None:
            return
        self._number[action.player] = 0 if isinstance(action, Pledge) else self.next_number(action.player)
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

    def spend(self, player: Player, number: int) -> None:
        """Take note that a player's shares up to a number count as told."""
        self._spent[player] = max(number, self._spent.get(player, 0))

    def spent(self, player: Player) -> int:
        """The number of a player's share up to which all count as told."""
        return max(self._number.get(player, 0), self._spent.get(player, 0))

    def next_number(self, player: Player, spent: int = 0) -> int:
        """Which share of their chain a player tells next, where those up to ``spent`` count as told as well."""
        return 1 + max(self.spent(player), spent)

    def draw(self) -> Draw:
        """The draw under way, with all shares that are known of it."""
        return Draw(self._game, self.draws, tuple(sorted(self._revealed.items())))

    def entry(self, action: Action, before: State, draw: Draw | None, share: Share | None) -> Entry:
        """What the message of an action tells."""
        number = self.draws + 1 if isinstance(action, Call) else None
        return Entry(action, share, number, _shows(action, before, draw))

    def problem(self, entry: Entry, before: State, draw: Draw | None, spent: int = 0) -> str | None:
        """What is wrong with the share or the outcome that a message tells, None if nothing is.

        ``before`` is the state before the action, and none of its guards is broken; ``draw`` is what it settles. The
        player's shares up to ``spent`` count as told by what the commit merges.
        """
        action, share = entry.action, entry.share
        if isinstance(action, Call) and entry.draw != self.draws + 1:
            return f"it calls for draw {entry.draw} after {self.draws} draws"
        if share is not None and action.player in self._newest:
            known = self._newest[action.player]
            steps = self.next_number(action.player, spent) - self._number[action.player]
            if not _leads_back(self._game, action.player, share, known, steps):
                where = "" if steps == 1 else f"in {steps} steps "
                return (
                    f"the share {share[:10]} does not lead {where}back to {known[:10]}, told before by the same player"
                )
        if draw is None:
            return None
        expected = settlement(before, draw.numbers())
        shows = _shows(expected, before, draw)
        if action != expected or entry.shows != shows:
            return f"draw {draw.number} makes {_outcome(expected, shows)}, not {_outcome(action, entry.shows)}"
        return None


def _leads_back(game: str, player: Player, share: Share, known: Share, steps: int) -> bool:
    for _ in range(steps):
        share = share_before(game, player, share)
    return share == known


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
