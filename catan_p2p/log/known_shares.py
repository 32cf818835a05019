"""Draws that all players make together, as a log holds them: shares that lead back to pledges, and their outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from catan_p2p.game.actions import Action, Call, EmptyBuild, Excuse, Pledge, Reveal, RollDice
from catan_p2p.game.actions.drawing import is_open, is_shared
from catan_p2p.game.actions.roll_dice import two_dice
from catan_p2p.game.actions.turn import has_enough
from catan_p2p.game.chance import ROLLS_OF_AN_EXCUSE, Nonce, Share, SharedDraw, share_before
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import settlement
from catan_p2p.game.state import NOTHING_HIDDEN, State
from catan_p2p.log.commit import LogEntry


class KnownShares(NamedTuple):
    """The known shares of one game, as an immutable value.

    ``draws`` counts the draws that were called for. A game in which the acting player draws has none.
    """

    game: str
    draws: int = 0
    newest: Mapping[Player, Share] = {}
    """By player, the newest share that was told; before the first one, the pledge."""
    number: Mapping[Player, int] = {}
    """By player, the number of that share in their chain."""
    spent_apart: Mapping[Player, int] = {}
    """By player, the number up to which shares were told for calls that are not in the line."""
    revealed: Mapping[Player, Share] = {}
    """The shares of the current draw."""
    nonces: Mapping[Player, Nonce | None] = {}
    """By player, the nonce of their pledge, None if it has none."""
    roll: int = 1
    """Where shares of rolls are told ahead: the number of the next roll, whether or not a call precedes it."""
    newest_ahead: Mapping[Player, Share] = {}
    """By player, the newest share of a roll that was told; before the first one, the pledge."""
    number_ahead: Mapping[Player, int] = {}
    """By player, the number of the roll that this share is for."""

    def after(self, entry: LogEntry, share: Share) -> KnownShares:
        """The shares known after an accepted or written commit that tells one."""
        action = entry.action
        player, is_pledge, is_call = action.player, isinstance(action, Pledge), isinstance(action, Call)
        return self._replace(
            draws=self.draws + is_call,
            newest={**self.newest, player: share},
            number={**self.number, player: 0 if is_pledge else self.next_number(player)},
            revealed={player: share} if is_call else {**self.revealed, player: share},
            nonces={**self.nonces, player: entry.nonce} if is_pledge else self.nonces,
        )

    def after_turn(self, entry: LogEntry, after: State) -> KnownShares:
        """What is known about rolls after an accepted or written commit, where their shares are told ahead.

        No player's choice affects the number of a roll: only ends of turns count, and excuses.
        """
        action, known = entry.action, self
        if entry.ahead is not None:
            number = self._ahead_number(after, action)
            known = self._replace(
                newest_ahead={**self.newest_ahead, action.player: entry.ahead},
                number_ahead={**self.number_ahead, action.player: number},
            )
        if isinstance(action, Excuse):
            return known._replace(roll=known.roll + ROLLS_OF_AN_EXCUSE)
        return known._replace(roll=known.roll + 1) if isinstance(action, EmptyBuild) else known

    def _ahead_number(self, state: State, action: Action) -> int:
        """The number of the roll whose share an action tells ahead; the same before and after the action."""
        if isinstance(action, Pledge):
            return 0
        # Before the player's next turn, each of the others rolls once.
        return self.roll + len(state.present) - 1 if isinstance(action, EmptyBuild) else self.roll

    def ahead_number(self, before: State, action: Action) -> int | None:
        """The number of the roll up to which an action tells the player's shares ahead; None if it tells none."""
        if not before.constants.rules.chance_ahead:
            return None
        is_telling = (
            isinstance(action, Pledge)
            or (isinstance(action, EmptyBuild) and not _is_won(before, action.player))
            or (isinstance(action, RollDice) and _is_rolled_ahead(before))
        )
        return self._ahead_number(before, action) if is_telling else None

    def _drawn_ahead(self, state: State, own: Share) -> SharedDraw:
        """The roll from the active player's own share and those that the others have told ahead."""
        shares = [(state.ap, own)]
        for player in state.present:
            if player != state.ap:
                share = self.newest_ahead[player]
                # The newest share is for a later roll: hashing it leads back to the one for this roll.
                for _ in range(self.number_ahead[player] - self.roll):
                    share = share_before(self.game, player, share, of_rolls=True)
                shares.append((player, share))
        return SharedDraw(self.game, self.roll, tuple(sorted(shares)), is_ahead=True)

    def spend(self, player: Player, number: int) -> KnownShares:
        """The shares known once those of a player up to a number, which is higher than before, count as told."""
        return self._replace(spent_apart={**self.spent_apart, player: number})

    def spent(self, player: Player) -> int:
        """The number up to which a player's shares count as told."""
        told = self.number.get(player, 0)
        return max(told, self.spent_apart.get(player, 0)) if self.spent_apart else told

    def next_number(self, player: Player) -> int:
        """The number of the share that a player tells next."""
        return 1 + self.spent(player)

    def draw(self, state: State, action: Action | None = None, ahead: Share | None = None) -> SharedDraw | None:
        """The draw that an action settles in this state; None if nothing is drawn or somebody has yet to reveal.

        Excusing its caller drops it. ``ahead`` is the share that the action tells of a roll
        whose other shares were told ahead.
        """
        if ahead is not None and _is_rolled_ahead(state) and (action is None or isinstance(action, RollDice)):
            return self._drawn_ahead(state, ahead)
        is_about_leaving = action is not None and action.rule == "leaving"
        if state.tp != "Drawing" or True in state.due or not is_shared(state) or is_about_leaving:
            return None
        return SharedDraw(self.game, self.draws, tuple(sorted(self.revealed.items())))

    def entry(self, action: Action, before: State, draw: SharedDraw | None, share: Share | None) -> LogEntry:
        """Return the contents of an action's message."""
        number = self.draws + 1 if isinstance(action, Call) and share is not None else None
        return LogEntry(action, share, number, _shows(action, before, draw))

    def _problem_ahead(self, entry: LogEntry, before: State) -> str | None:
        """What is wrong with the share that a message tells ahead, None if nothing is."""
        action, share, number = entry.action, entry.ahead, self.ahead_number(before, entry.action)
        if share is None or number is None:
            if share is not None:
                return "it tells a share ahead where none is due"
            return None if number is None else f"it does not tell the player's share of roll {number}"
        if number:
            known, steps = self.newest_ahead[action.player], number - self.number_ahead[action.player]
            if not _leads_back(self.game, action.player, share, known, steps, of_rolls=True):
                return (
                    f"the share {share[:10]} of roll {number} does not lead back to {known[:10]} of roll "
                    f"{number - steps}, told before by the same player"
                )
        return None

    def problem(self, entry: LogEntry, before: State, draw: SharedDraw | None) -> str | None:
        """What is wrong with the share or the outcome in a message, None if nothing is.

        ``before`` is the state before the action, none of whose guards is broken; ``draw`` is the draw that it settles.
        """
        action, share = entry.action, entry.share
        if before.constants.rules.chance_ahead and (wrong := self._problem_ahead(entry, before)) is not None:
            return wrong
        if before.hid is not NOTHING_HIDDEN and isinstance(action, Reveal) and (share is None) == is_shared(before):
            return "it reveals no share" if share is None else "it reveals a share where none is due"
        if isinstance(action, Call) and share is not None and entry.draw != self.draws + 1:
            return f"it calls for draw {entry.draw}, expected draw {self.draws + 1}"
        if share is not None and action.player in self.newest:
            known = self.newest[action.player]
            # More than one step where shares in between were told on another branch.
            steps = self.next_number(action.player) - self.number[action.player]
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
            what = "roll" if draw.is_ahead else "draw"
            return f"{what} {draw.number} makes {_outcome(expected, shows)}, not {_outcome(action, entry.shows)}"
        return None


def _is_won(state: State, player: Player) -> bool:
    """Whether a player who ends their turn wins the game with that."""
    return state.constants.rules.win_check == "turn_end" and has_enough(state, player)


def _is_rolled_ahead(state: State) -> bool:
    """Whether the next action is a roll without a call, since all shares but the active player's were told ahead."""
    return state.tp == "DiceRoll" and state.is_ahead and is_open(state, "RollDice")


def _leads_back(game: str, player: Player, share: Share, known: Share, steps: int, *, of_rolls: bool = False) -> bool:
    for _ in range(steps):
        share = share_before(game, player, share, of_rolls=of_rolls)
    return share == known


def _shows(action: Action, before: State, draw: SharedDraw | None) -> tuple[int, int] | None:
    return two_dice(before, draw.numbers()) if draw is not None and action.drawn == "dice" else None


def _outcome(action: Action, shows: tuple[int, int] | None) -> str:
    outcome = action.outcome
    return f"{outcome or action}" if shows is None else "{} ({} and {})".format(outcome, *shows)
