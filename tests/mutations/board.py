"""Mistakes in the island, its points and its trails."""

from tests.mutations.mutation import GUARD, Mutation

BOARD: tuple[Mutation, ...] = (
    Mutation(
        "points between sea tiles",
        "game/board/board.py",
        "if c in beside[b] and land & {a, b, c}",
        "if c in beside[b]",
        "game/board/test_board.py::test_two_islands_share_no_road",
    ),
    Mutation(
        "a desert is sea",
        "game/board/tiles.py",
        'return self.terrain != "sea"',
        "return self.terrain in YIELD",
        "test_errata.py::test_s12_a_desert_on_the_coast_keeps_its_corners",
    ),
    Mutation(
        "a wharf serves every corner of its tiles",
        "game/board/board.py",
        "if wharf_type == type and set(pair) <= set(triple)",
        "if wharf_type == type and set(pair) & set(triple)",
        "game/board/test_board.py::test_every_wharf_serves_two_points",
    ),
    Mutation(
        "a foreign settlement does not cut a trail",
        "game/board/trails.py",
        "end if not foreign >> end & 1 else -(2 * road + i)",
        "end",
        "game/board/test_trails.py::test_a_trail",
    ),
    Mutation(
        "the longest road of one part of a network only",
        "game/board/trails.py",
        "    for part in _parts(meeting):",
        "    for part in _parts(meeting)[:1]:",
        "game/board/test_trails.py::test_a_trail",
    ),
    Mutation(
        "the longest road of the first end only",
        "game/board/trails.py",
        "starts = [node for node in part if len(meeting[node]) % 2] or part[:1]",
        "starts = part[:1]",
        "test_errata.py::test_s4_the_longest_road_is_the_longest_trail_in_any_order",
    ),
    Mutation(
        "all roads of a player are a road",
        "game/board/trails.py",
        "            best = max(best, 1 + _longest_from(there, meeting, used | 1 << road))",
        "            best += 1 + _longest_from(there, meeting, used | 1 << road)",
        "game/board/test_trails.py::test_a_trail",
    ),
    Mutation(
        "a road continues through an adversary's settlement",
        "game/board/trails.py",
        "own | touched & ~foreign",
        "own | touched",
        "test_errata.py::test_s17_a_road_does_not_continue_through_an_adversarys_settlement",
    ),
    Mutation(
        "no road starts at an own settlement",
        "game/board/trails.py",
        "own | touched & ~foreign",
        "touched & ~foreign",
        "game/board/test_trails.py::test_a_road_may_start_at_an_own_settlement",
    ),
    Mutation(
        "a hand covers a cost if one type is enough",
        "game/cards.py",
        "- cost & BORROW_BITS == BORROW_BITS",
        "- cost & BORROW_BITS != 0",
        GUARD,
    ),
    Mutation(
        "adversaries' settlements are all settlements",
        "game/state.py",
        "return taken(self.s) & ~self.s.of(player)",
        "return taken(self.s)",
        "game/test_state.py::test_adversaries_settlements_are_all_but_the_players",
    ),
)
