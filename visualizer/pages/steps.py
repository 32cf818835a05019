"""The data that a page has of each step of a game: changes in a list of values, and a sentence."""

from bisect import bisect_left
from typing import Any

from catan_p2p.game.board import numbers
from catan_p2p.game.cards import count, total
from catan_p2p.game.constants import NO_OWNER
from catan_p2p.view.events import DiceRolled

from ..data.recording import SEVEN, GameRecording, PlayedStep
from ..pictures.panels.players import active
from ..pictures.words import phase, sentence

MAX_STEPS = 50_000
"""A page of more steps is refused: it would have several megabytes."""
_UNSHOWN = ("pledge", "chance")
"""Kinds of replies that change nothing a page shows."""
_TURN_ENDS, _ROUND_ENDS, _SEVEN = 1, 2, 4
"""The kinds of steps that a page can jump to, as bits."""


class TooManySteps(ValueError):
    """A game has too many steps for a page."""


class ShownSteps:
    """The steps of a recording as a page has them, brought up to date as it grows.

    ``steps`` has for each step the player's index ``p``, the words ``w``, the changes ``d`` as index, value, index,
    value, ... and, if the page can jump to it, the bits ``s``.
    """

    def __init__(self) -> None:
        self.steps: list[dict[str, Any]] = []
        self._indices: list[int] = []
        """The index of each step in the recording."""

    def take(self, recording: GameRecording, kept: int) -> int:
        """Add what the recording has beyond its first ``kept`` steps, and forget what it had there before.

        Returns how many steps are unchanged; ``TooManySteps`` if there are more than ``MAX_STEPS``, which are kept.
        """
        stands = bisect_left(self._indices, kept)
        del self._indices[stands:], self.steps[stands:]
        before = values(recording, recording.steps[self._indices[-1] if stands else 0])
        stops = 0
        for step in recording.steps[kept:]:
            # The end of a turn may be a step that is left out; then the next shown step has its bits.
            stops |= _stops(recording, step)
            if step.reply_kind in _UNSHOWN:
                continue
            if len(self.steps) >= MAX_STEPS:
                raise TooManySteps(f"more steps than a page takes, expected at most {MAX_STEPS}")
            now = values(recording, step)
            changed = [x for i, (old, new) in enumerate(zip(before, now, strict=True)) if old != new for x in (i, new)]
            told = {"p": step.player - 1, "w": sentence(recording, step), "d": changed}
            self.steps.append(told | {"s": stops} if stops else told)
            self._indices.append(step.index)
            before, stops = now, 0
        return stands


def _stops(recording: GameRecording, step: PlayedStep) -> int:
    """The bits of a step: whether a turn or a round ends with it, and whether it rolls a seven."""
    ends = ((_TURN_ENDS, recording.turn_ends), (_ROUND_ENDS, recording.round_ends))
    found = sum(bit for bit, indices in ends if _is_in(indices, step.index))
    return found | _SEVEN * any(isinstance(event, DiceRolled) and event.dice == SEVEN for event in step.events)


def _is_in(indices: list[int], index: int) -> bool:
    at = bisect_left(indices, index)
    return at < len(indices) and indices[at] == index


def values(recording: GameRecording, step: PlayedStep) -> list[int | str]:
    """The values that a page shows after a step.

    Settlement points, roads, bandit, dice, active player, phase, and seven values of each player; ``page.js`` reads
    them in this order.
    """
    state, known, board = step.state, step.known, recording.constants.board
    points = [0] * board.settlement_count
    roads = [0] * board.road_count
    for seat in recording.constants.players:
        for built, value in ((state.s.villages, 2 * seat - 1), (state.s.cities, 2 * seat)):
            for point in numbers(built[seat - 1]):
                points[point - 1] = value
        for road in numbers(state.r[seat - 1]):
            roads[road - 1] = seat
    told = "" if state.is_over else phase(recording, state)
    found: list[int | str] = [*points, *roads, state.ba, state.dice, active(state), told]
    for seat, hand in enumerate(state.h, 1):
        cards = known.hand(seat).number
        number = cards.low if cards.is_exact else str(cards)
        bought = total(hand.bc + hand.ac) + known.unknown(seat)
        bonuses = (int(state.lr == seat != NO_OWNER), int(state.la == seat != NO_OWNER), int(state.away[seat - 1]))
        found += [recording.points[step.index][seat - 1], number, bought, count(hand.uc, "Knight"), *bonuses]
    return found
