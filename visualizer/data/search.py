"""Finding steps of a game: by a commit's id, or by words such as ``seven`` or ``point 34``."""

import re
from collections.abc import Iterable

from catan_p2p.game.board import longest_trail, numbers
from catan_p2p.game.constants import Player
from catan_p2p.game.scoring import trail_length
from catan_p2p.game.state import State
from catan_p2p.view.events import put_down

from .recording import GameRecording, PlayedStep

EXAMPLES = "an id, seven, a colour, point 34, road 12, tile 5, turn 9, step 120"
"""What can be searched for, in words."""


def sevens(recording: GameRecording) -> list[int]:
    """The steps at which a seven was rolled."""
    return [mark.index for mark in recording.marks if mark.kind == "seven"]


def steps_of(recording: GameRecording, player: Player) -> list[int]:
    """The steps of a player."""
    return [step.index for step in recording.steps if step.action is not None and step.player == player]


def steps_at(recording: GameRecording, kind: str, number: int) -> list[int]:
    """The steps that put something on a ``point``, a ``road`` or a ``tile``."""
    return [step.index for step in recording.steps if (kind, number) in touched(step)]


_PLACES = {"road": "road", "village": "point", "city": "point", "bandit": "tile"}


def touched(step: PlayedStep) -> list[tuple[str, int]]:
    """The points, roads and tiles on which a step puts pieces."""
    return [(_PLACES[piece], at) for event in step.events for piece, at in put_down(event)]


def look_for(recording: GameRecording, text: str, index: int) -> list[int]:
    """The steps that a text refers to, those after ``index`` first: a commit's id or its beginning, or ``EXAMPLES``."""
    wanted = " ".join(text.lower().split())
    if wanted in ("seven", "sevens"):
        return onward(sevens(recording), index)
    for seat in recording.seats:
        if wanted in (seat.colour.lower(), f"player {seat.player}"):
            return onward(steps_of(recording, seat.player), index)
    found = re.fullmatch(r"(point|road|tile|turn|step) ?(\d{1,6})", wanted)
    if found is None:
        return recording.find(wanted)
    kind, number = found[1], int(found[2])
    if kind == "step":
        return [number] if number < len(recording) else []
    if kind == "turn":
        return [recording.turns.index(number)] if number in recording.turns else []
    return onward(steps_at(recording, kind, number), index)


def onward(indices: Iterable[int], index: int) -> list[int]:
    """The indices after ``index``, then the others, both in order."""
    found = list(indices)
    return [i for i in found if i > index] + [i for i in found if i <= index]


def trail_roads(state: State, player: Player) -> list[int]:
    """The roads of one longest trail of a player; none if the player has too few roads for the bonus card.

    Each road is left out if the trail gets no shorter without it, so that one trail remains.
    """
    length, roads = trail_length(state, player), state.r[player - 1]
    if not length:
        return []
    for road in numbers(roads):
        fewer = roads & ~(1 << road)
        if longest_trail(state.constants.board, fewer, state.others(player)) == length:
            roads = fewer
    return list(numbers(roads))
