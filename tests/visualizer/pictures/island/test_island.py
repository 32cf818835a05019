"""The island's pieces: everything that stands on a board is drawn, in its place, and nothing covers anything else."""

from itertools import combinations
from random import Random

import pytest

from catan_p2p.game.actions import BuildVillage
from catan_p2p.game.board import Board, numbers
from catan_p2p.game.constants import Constants
from catan_p2p.game.rules import initial_state
from catan_p2p.game.state import PlacedSettlements, State
from catan_p2p.view.events import DiceRolled
from tests.for_each import for_each
from tests.visualizer.games import boards, overlap, recorded
from visualizer.data.recording import GameRecording, PlayedStep
from visualizer.pictures.island import island, pieces
from visualizer.pictures.island.geometry import IslandGeometry, geometry
from visualizer.pictures.island.land import terrain_layer
from visualizer.pictures.scene import DiscTarget
from visualizer.pictures.shapes import Circle, Polygon, Rect, Sprite, Text

AREA = Rect(8, 42, 604, 620)
COLOURS = ("Red", "Blue", "Green", "Orange", "White", "Brown")


def crowded(board: Board, players: int, seed: int) -> State:
    """A road on every road point and a village or a city wherever the distance rule leaves room."""
    rng = Random(seed)
    state = initial_state(Constants(board=board, player_count=players))
    villages, cities, roads = [0] * players, [0] * players, [0] * players
    closed = 0
    points = list(range(1, board.settlement_count + 1))
    rng.shuffle(points)
    for point in points:
        if not closed >> point & 1:
            rng.choice((villages, cities))[rng.randrange(players)] |= 1 << point
            closed |= board.adjacent_settlements[point] | 1 << point
    for road in range(1, board.road_count + 1):
        roads[rng.randrange(players)] |= 1 << road
    where = rng.choice(board.land)
    return state._replace(s=PlacedSettlements(tuple(villages), tuple(cities)), r=tuple(roads), ba=where)


def standing(place: IslandGeometry, state: State) -> list[Sprite]:
    """Everything that stands on the board."""
    colours = COLOURS[: len(state.r)]
    return [
        *island.tokens(place, state, [DiceRolled(1, 8)]),
        *island.roads(place, state, colours),
        *island.settlements(place, state, colours),
        island.bandit(place, state),
        *(pieces.wharf(wharf) for wharf in place.wharfs),
    ]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", boards())
@pytest.mark.parametrize("area", [AREA, Rect(0, 0, 350, 340), Rect(0, 0, 1800, 1750)])
def test_nothing_on_a_crowded_board_overlaps(name: str, seed: int, area: Rect) -> None:
    board = boards()[name]
    place = IslandGeometry(board, area)
    sprites = standing(place, crowded(board, 6, seed))
    # Sprites stand on whole pixels.
    for one, other in combinations(sprites, 2):
        assert not overlap(one.outline, other.outline, slack=1.2), (one.name, other.name)


@for_each("name", boards())
def test_everything_on_a_crowded_board_lies_in_the_area(name: str) -> None:
    board = boards()[name]
    place = IslandGeometry(board, AREA)
    for sprite in standing(place, crowded(board, 4, 1)):
        assert all(AREA.inset(-1).contains(x, y) for x, y in sprite.outline), sprite.name


@for_each("name", boards())
def test_every_piece_is_drawn_once_at_its_point_in_its_owners_colour(name: str) -> None:
    board = boards()[name]
    place = IslandGeometry(board, AREA)
    state = crowded(board, 4, 2)
    found = {(s.name[0], s.name[1], s.x, s.y) for s in island.settlements(place, state, COLOURS[:4])}
    expected = {
        (kind, COLOURS[seat], round(place.settlements[point][0]), round(place.settlements[point][1]))
        for kind, sets in (("village", state.s.villages), ("city", state.s.cities))
        for seat, points in enumerate(sets)
        for point in numbers(points)
    }
    assert found == expected
    roads = island.roads(place, state, COLOURS[:4])
    assert len(roads) == board.road_count
    for colour, points in zip(COLOURS, state.r, strict=False):
        assert sum(road.name[1] == colour for road in roads) == points.bit_count()
    middles = {(round((x0 + x1) / 2), round((y0 + y1) / 2)) for (x0, y0), (x1, y1) in place.roads[1:]}
    assert {(road.x, road.y) for road in roads} == middles


@for_each("name", boards())
def test_every_tile_with_a_number_has_a_token_that_says_it(name: str) -> None:
    board = boards()[name]
    place = IslandGeometry(board, AREA)
    state = initial_state(Constants(board=board))
    tokens = island.tokens(place, state)
    wanted = [(place.tiles[i], tile.number) for i, tile in enumerate(board.map.tiles, 1) if tile.number]
    assert len(tokens) == len(wanted)
    for token, ((x, y), number) in zip(tokens, wanted, strict=True):
        assert abs(token.x - x) <= 1
        assert abs(token.y - y) < place.size * 0.1
        assert [shape.text for shape in token.shapes if isinstance(shape, Text)] == [str(number)]
        dots = [shape for shape in token.shapes if isinstance(shape, Circle) and shape.radius < place.size * 0.05]
        assert len(dots) == sum(a + b == number for a in range(1, 7) for b in range(1, 7))


def test_six_and_eight_are_red_and_a_blocked_token_is_grey() -> None:
    def ink(number: int, blocked: bool) -> object:
        token = pieces.token(number, 0, 0, 50, blocked, False)
        return next(shape.color for shape in token.shapes if isinstance(shape, Text))

    for number in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12):
        r, g, _ = ink(number, False)
        assert (r > 2 * g) == (number in (6, 8))
        assert ink(number, True) != ink(number, False)


def test_a_roll_lights_the_tokens_that_yield_and_not_the_bandits(game: GameRecording) -> None:
    step = next(s for s in game.steps if isinstance(s.event, DiceRolled) and s.event.dice == 8)
    place = geometry(game.constants.board, AREA)
    lit = [token for token in island.tokens(place, step.state, step.events) if token.name[4]]
    assert lit
    assert all(token.name[1] == 8 for token in lit)
    moved = step.state._replace(ba=next(i for i, t in enumerate(game.constants.board.map.tiles, 1) if t.number == 8))
    fewer = [token for token in island.tokens(place, moved, step.events) if token.name[4]]
    assert len(fewer) == len(lit) - 1


def test_what_was_just_built_has_a_golden_ring_around_it(game: GameRecording) -> None:
    step = next(s for s in game.steps if isinstance(s.action, BuildVillage))
    place = geometry(game.constants.board, AREA)
    layer = island.pieces_layer(game.constants.board, AREA, COLOURS[:4], step)
    ring = next(shape for shape in layer.shapes if isinstance(shape, Circle))
    assert isinstance(step.action, BuildVillage)
    assert (ring.x, ring.y) == place.settlements[step.action.at]


def test_the_terrain_layer_is_the_same_for_every_step(game: GameRecording) -> None:
    board = game.constants.board
    assert terrain_layer(board, AREA) is terrain_layer(board, AREA)


@for_each("name", boards())
def test_every_tile_point_road_and_wharf_can_be_pointed_at(name: str) -> None:
    board = boards()[name]
    targets = {target.id: target for target in island.island_targets(board, AREA)}
    place = geometry(board, AREA)
    for point in range(1, board.settlement_count + 1):
        target = targets["point", point]
        assert isinstance(target.area, DiscTarget)
        assert target.contains(*place.settlements[point])
    assert all(("road", road) in targets for road in range(1, board.road_count + 1))
    assert all(("wharf", i) in targets for i in range(len(board.wharf_tiles)))
    assert all(targets["tile", tile].contains(*place.tiles[tile]) for tile in board.land)


def test_marks_tell_all_players_apart_without_colour() -> None:
    from visualizer.pictures.palette import mark

    def form(colour: str) -> list[object]:
        return [shape.points if isinstance(shape, Polygon) else type(shape) for shape in mark(colour, (0, 0, 0))]

    forms = [form(colour) for colour in COLOURS]
    assert all(one != other for one, other in combinations(forms, 2))


def test_games_are_drawn_on_every_map_from_beginning_to_end() -> None:
    for name, board in boards().items():
        if name == "one tile":
            continue
        recording = recorded(Constants(board=board, player_count=2), 1, most=150)
        place = geometry(board, AREA)
        for step in recording.steps[:: max(1, len(recording) // 20)]:
            sprites = standing(place, step.state)
            assert isinstance(step, PlayedStep)
            for one, other in combinations(sprites, 2):
                assert not overlap(one.outline, other.outline, slack=1.2), (name, one.name, other.name)
