"""The commit graph as lanes and lines: one lane a player, further lanes for the branches of replies."""

from typing import NamedTuple

from catan_p2p.game.constants import Player

from .recording import GameRecording, PlayedStep


class GraphEdge(NamedTuple):
    """A line from a parent to its child, each given by row and lane.

    It follows one lane all the way and changes lanes right after the parent, or with ``late`` right before the child.
    """

    parent_row: int
    parent_lane: int
    row: int
    lane: int
    late: bool
    player: Player


def lane_of(recording: GameRecording, step: PlayedStep) -> int:
    """The lane of a step: its player's, or for each of the replies to one commit a lane right of all players."""
    if not step.is_reply:
        return step.player - 1
    first = step.index
    while recording.steps[first - 1].is_reply:
        first -= 1
    return len(recording.seats) + step.index - first


def lane_count(recording: GameRecording) -> int:
    """How many lanes the whole recording needs."""
    return len(recording.seats) + recording.most_replies


def edges_into(recording: GameRecording, row: int) -> list[GraphEdge]:
    """The lines that end at a row."""
    step = recording.steps[row]
    lane = lane_of(recording, step)
    found = []
    for commit in step.parents:
        parent_row = recording.row_of.get(commit)
        if parent_row is not None:
            parent = recording.steps[parent_row]
            player = parent.player if parent.is_reply else step.player
            found.append(GraphEdge(parent_row, lane_of(recording, parent), row, lane, parent.is_reply, player))
    return found


def edges_between(recording: GameRecording, top: int, bottom: int) -> list[GraphEdge]:
    """The lines visible in the rows from ``top`` to ``bottom``."""
    # A line spans at most the replies to one commit, so a few rows below are enough.
    last = min(recording.last, bottom + len(recording.seats) + 2)
    return [
        edge
        for row in range(max(0, top), last + 1)
        for edge in edges_into(recording, row)
        if edge.parent_row <= bottom and edge.row >= top
    ]
