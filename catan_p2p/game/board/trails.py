"""Networks of roads: where a player may build next, and the longest trail."""

from functools import lru_cache

from catan_p2p.game.board.board import Board
from catan_p2p.game.board.points import Points, numbers


@lru_cache(maxsize=1 << 11)
def reach(board: Board, roads: Points, own: Points, foreign: Points) -> tuple[Points, Points]:
    """What a player's network touches: settlement points where their roads end, road points where they may go on.

    ``roads`` are the player's roads, ``own`` and ``foreign`` the settlements of the player and of all adversaries. A
    road continues from an own settlement, or from the end of an own road unless an adversary's settlement stands there
    (thesis, section 2.1.1; rule book, "Building"). Whether a road point is free is not looked at.
    """
    touched = 0
    for road in numbers(roads):
        touched |= board.end_points[road]
    open_roads = 0
    for point in numbers(own | touched & ~foreign):
        open_roads |= board.roads_at[point]
    return touched, open_roads


@lru_cache(maxsize=1 << 11)
def longest_trail(board: Board, roads: Points, foreign: Points) -> int:
    """Length of the longest trail of these roads: no road twice, no passing through a point in ``foreign``.

    A trail of maximal length starts where an odd number of roads meet, or its whole part of the network is one
    closed trail. So the search starts at odd points, and once in every part that has none. At most three roads meet
    at a point; exponential only in the number of loops.
    """
    meeting: dict[int, list[tuple[int, int]]] = {}
    for road in numbers(roads):
        ends = board.ends[road]
        # A foreign settlement or a missing point ends a single road, so it gets a node of its own.
        # Negative numbers, so that they never clash with a point.
        nodes = [end if not foreign >> end & 1 else -(2 * road + i) for i, end in enumerate(ends)]
        nodes += [-(2 * road + i) for i in range(len(ends), 2)]
        for here, there in (nodes, nodes[::-1]):
            meeting.setdefault(here, []).append((road, there))
    longest = 0
    for part in _parts(meeting):
        # In a part without odd nodes the trail is closed, and may start anywhere.
        starts = [node for node in part if len(meeting[node]) % 2] or part[:1]
        longest = max(longest, *(_longest_from(start, meeting, 0) for start in starts))
    return longest


def _parts(meeting: dict[int, list[tuple[int, int]]]) -> list[list[int]]:
    parts = []
    seen: set[int] = set()
    for start in meeting:
        if start in seen:
            continue
        part = [start]
        seen.add(start)
        for node in part:
            for _, there in meeting[node]:
                if there not in seen:
                    seen.add(there)
                    part.append(there)
        parts.append(part)
    return parts


def _longest_from(node: int, meeting: dict[int, list[tuple[int, int]]], used: Points) -> int:
    best = 0
    for road, there in meeting[node]:
        if not used >> road & 1:
            best = max(best, 1 + _longest_from(there, meeting, used | 1 << road))
    return best
