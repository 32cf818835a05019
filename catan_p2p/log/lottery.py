"""Chance that all players make together, as a log holds it: shares that lead back to pledges, and what they draw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from catan_p2p.game.actions import Action, Call, Pledge, Reveal
from catan_p2p.game.actions.drawing import is_shared
from catan_p2p.game.actions.roll_dice import two_dice
from catan_p2p.game.chance import Draw, Nonce, Share, share_before
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import settlement
from catan_p2p.game.state import NOTHING_HIDDEN, State
from catan_p2p.log.commit import Entry


class Lottery(NamedTuple):
    """The shares of one game that are known so far: a value that never changes.

    ``draws`` counts the draws that were called for. A game whose chance is the actor's has none.
    """

    game: str
    draws: int = 0
    newest: Mapping[Player, Share] = {}
    """By player the newest share that was told; before the first, the pledge."""
    number: Mapping[Player, int] = {}
    """By player the number of that share in their chain."""
    spent_apart: Mapping[Player, int] = {}
    """By player the number up to which their shares were told, perhaps, on a branch that did not survive."""
    revealed: Mapping[Player, Share] = {}
    """The shares of the draw under way."""
    nonces: Mapping[Player, Nonce | None] = {}
    """By player what their pledge tells besides the share, None if it tells nothing."""

    def after(self, entry: Entry, share: Share) -> Lottery:
        """What is known after the message of a commit that tells a share, and was accepted or written."""
        action = entry.action
        player, is_pledge, is_call = action.player, isinstance(action, Pledge), isinstance(action, Call)
        return Lottery(
            self.game,
            draws=self.draws + is_call,
            newest={**self.newest, player: share},
            number={**self.number, player: 0 if is_pledge else self.next_number(player)},
            spent_apart=self.spent_apart,
            revealed={player: share} if is_call else {**self.revealed, player: share},
            nonces={**self.nonces, player: entry.nonce} if is_pledge else self.nonces,
        )

    def spend(self, spent: Mapping[Player, int]) -> Lottery:
        """What is known once players' shares up to these numbers count as told."""
        more = {player: max(number, self.spent_apart.get(player, 0)) for player, number in spent.items()}
        return self._replace(spent_apart={**self.spent_apart, **more}) if more else self

    def spent(self, player: Player) -> int:
        """The number of a player's share up to which all count as told."""
        told = self.number.get(player, 0)
        return max(told, self.spent_apart.get(player, 0)) if self.spent_apart else told

    def next_number(self, player: Player, spent: int = 0) -> int:
        """Which share of their chain a player tells next, where those up to ``spent`` count as told as well."""
        told = self.spent(player)
        return 1 + (told if told > spent else spent)

    def draw(self, state: State, action: Action | None = None) -> Draw | None:
        """The draw that an action settles in this state, None if nothing is drawn or somebody still has to reveal.

        Votes settle none, and those who go on without its caller drop it.
        """
        is_about_leaving = action is not None and action.rule == "leaving"
        if state.tp != "Drawing" or True in state.due or not is_shared(state) or is_about_leaving:
            return None
        return Draw(self.game, self.draws, tuple(sorted(self.revealed.items())))

    def entry(self, action: Action, before: State, draw: Draw | None, share: Share | None) -> Entry:
        """What the message of an action tells."""
        number = self.draws + 1 if isinstance(action, Call) and share is not None else None
        return Entry(action, share, number, _shows(action, before, draw))

    def problem(self, entry: Entry, before: State, draw: Draw | None, spent: int = 0) -> str | None:
        """What is wrong with the share or the outcome that a message tells, None if nothing is.

        ``before`` is the state before the action, and none of its guards is broken; ``draw`` is what it settles. The
        player's shares up to ``spent`` count as told by what the commit merges.
        """
        action, share = entry.action, entry.share
        if before.hid is not NOTHING_HIDDEN and isinstance(action, Reveal) and (share is None) == is_shared(before):
            return "it reveals no share" if share is None else "it reveals a share that nobody asks for"
        if isinstance(action, Call) and share is not None and entry.draw != self.draws + 1:
            return f"it calls for draw {entry.draw} after {self.draws} draws"
        if share is not None and action.player in self.newest:
            known = self.newest[action.player]
            steps = self.next_number(action.player, spent) - self.number[action.player]
            if not _leads_back(self.game, action.player, share, known, steps):
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
    return two_dice(before, draw.numbers()) if draw is not None and action.drawn == "dice" else None


def _outcome(action: Action, shows: tuple[int, int] | None) -> str:
    outcome = action.outcome
    return f"{outcome or action}" if shows is None else "{} ({} and {})".format(outcome, *shows)
