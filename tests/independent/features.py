"""What catanatron's players work out anew for every position of their search, worked out once for equal ones.

The values are catanatron's own, and so are the games: alpha-beta needs half the time or less. ``arena --anew`` plays
without it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import catanatron.models.board
import catanatron.state
import catanatron_gym.features as theirs
from catanatron.models.enums import CITY, RESOURCES, ROAD, SETTLEMENT

MOST = 50_000
"""So many positions are remembered before all are forgotten."""

Features = dict[str, float]


class _Copier:
    """In place of ``pickle`` in catanatron, which copies two containers of small ones with it, and nothing else."""

    @staticmethod
    def dumps(container: Any) -> Any:
        return container

    @staticmethod
    def loads(container: Any) -> Any:
        if isinstance(container, defaultdict):  # a board's connected components: sets in lists, by colour
            return defaultdict(list, {colour: [set(one) for one in found] for colour, found in container.items()})
        return {
            colour: defaultdict(list, {kind: [*places] for kind, places in built.items()})
            for colour, built in container.items()
        }


def _buildings(state: Any, colour: Any) -> tuple[tuple[Any, ...], ...]:
    built = state.buildings_by_color[colour]
    return tuple(built[SETTLEMENT]), tuple(built[CITY])


def remember() -> None:
    """Let catanatron remember features; those of players that none of its value functions asks for are left out."""
    catanatron.models.board.pickle = catanatron.state.pickle = _Copier
    ask_anew = theirs.build_production_features(True)
    produced: dict[Any, Features] = {}
    reached: dict[Any, Features] = {}

    def production(game: Any, colour: Any) -> Features:
        state, board = game.state, game.state.board
        place = state.colors.index(colour)
        next_colour = state.colors[(place + 1) % len(state.colors)]
        key = board.map, board.robber_coordinate, _buildings(state, colour), _buildings(state, next_colour)
        if key not in produced:
            if len(produced) >= MOST:
                produced.clear()
            found = ask_anew(game, colour)
            produced[key] = {name: value for name, value in found.items() if "_P0_" in name or "_P1_" in name}
        return produced[key]

    def production_features(consider_robber: bool) -> Any:
        assert consider_robber
        return production

    def reachability_features(game: Any, colour: Any, levels: int) -> Features:
        state, board = game.state, game.state.board
        key = (
            board.map,
            levels,
            state.colors.index(colour),
            frozenset(theirs.get_zero_nodes(game, colour)),
            frozenset(board.board_buildable_ids),
            tuple((_buildings(state, one), tuple(state.buildings_by_color[one][ROAD])) for one in state.colors),
        )
        if key not in reached:
            if len(reached) >= MOST:
                reached.clear()
            reached[key] = _reachable(game, colour, levels)
        return reached[key]

    theirs.build_production_features = production_features
    theirs.reachability_features = reachability_features


def _reachable(game: Any, colour: Any, levels: int) -> Features:
    """catanatron's ``reachability_features``, of the player who asks alone."""
    board = game.state.board
    zero = frozenset(theirs.get_zero_nodes(game, colour))
    free = theirs.get_owned_or_buildable(game, colour, board.buildable_node_ids(colour, True))
    enemy_nodes = frozenset(node for node, built in board.buildings.items() if built is not None and built[0] != colour)
    enemy_roads = frozenset(edge for edge, whose in board.roads.items() if whose is not None and whose != colour)
    around = theirs.iter_level_nodes(enemy_nodes, enemy_roads, levels, zero)
    found: Features = {}
    for level, nodes in ((0, zero), *((level, nodes) for level, nodes, _ in around)):
        production = theirs.count_production(frozenset(free.intersection(nodes)), board.map)
        for resource in RESOURCES:
            found[f"P0_{level}_ROAD_REACHABLE_{resource}"] = production[resource]
    return found
