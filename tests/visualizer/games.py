"""Games for the viewer's tests: in memory, and written step by step into a real repository."""

from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

from catan_p2p.game.actions import Action
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.board import DEFAULT_BOARD, Board
from catan_p2p.game.constants import Constants
from catan_p2p.game.rules import apply, awaited, decisions, draw, initial_state
from catan_p2p.log.game import new_game
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.reading import read_root
from catan_p2p.log.refs import COLOURS, local_ref
from catan_p2p.log.root import root_commit
from catan_p2p.log.storage.store import GitStore
from tests.visualizer.maps import MAPS
from visualizer.data.recording import GameRecording, RecordedPlayer, record
from visualizer.pictures.shapes import extent

FOUR_DISCARDS = 163
"""A seed for four random players: the discards are steps 310 to 313."""


@cache
def boards() -> dict[str, Board]:
    return {name: DEFAULT_BOARD if name == "default" else Board(map) for name, map in MAPS.items()}


def random_actions(constants: Constants, seed: int, most: int = 2000) -> list[Action]:
    """What random players do until one has won, nobody can move, or so many actions are over."""
    rng, state, found = Random(seed), initial_state(constants), []
    while not state.is_over and len(found) < most:
        options = decisions(state, awaited(state)[0])
        if not options:
            break
        found.append(draw(state, rng.choice(options), rng))
        state = apply(state, found[-1])
    return found


def seats(count: int) -> list[RecordedPlayer]:
    return [RecordedPlayer(i, colour, colour) for i, colour in enumerate(COLOURS[:count], 1)]


def recorded(constants: Constants, seed: int, title: str = "", most: int = 2000) -> GameRecording:
    return record(constants, random_actions(constants, seed, most), seats(constants.player_count), title)


class WrittenGame:
    """A game in a real repository that grows action by action, as its players would write it."""

    def __init__(self, path: Path, constants: Constants, number: int = 0) -> None:
        self.path = path
        self.game = new_game(number, constants)
        self.store = GitStore.create(path, branch=f"Red_{number}")
        self.root, _ = root_commit(self.game, "test", 1000, self.store.add)
        for player in constants.players:
            self.store.record(local_ref(self.game.branch(player)), self.root, None)
        self.store.publish()
        graph = read_root(self.root, self.store.read)
        assert isinstance(graph, CommitGraph)
        self.graph = graph
        self.commits = [self.root]

    def write(self, *actions: Action) -> None:
        """Write actions on the branches of those who act, and publish them."""
        for action in actions:
            after = apply(self.graph.before(action), action)
            base, replies = self.graph.head, dict(self.graph.replies)
            step = self.graph.write(action, after, 1000 + len(self.commits), self.store.add)
            if is_reply(action):
                self.store.record(local_ref(self.game.branch_for(base, action)), step.commit, None)
            else:
                ref = local_ref(self.game.branch(action.player))
                self.store.record(ref, step.commit, self.store.own_ref(ref))
                for reply in replies.values():
                    branch = self.game.branch_for(base, reply.action)
                    self.store.delete_ref(local_ref(branch), reply.commit)
            self.graph.add(step)
            self.commits.append(step.commit)
        self.store.publish()

    def close(self) -> None:
        self.store.close()


def overlap(one: tuple[tuple[float, float], ...], other: tuple[tuple[float, float], ...], slack: float = 0.0) -> bool:
    """Whether two convex polygons have more than ``slack`` in common, measured along their sides' normals."""
    if not extent(one).overlaps(extent(other), slack):
        return False
    for polygon in (one, other):
        for (x0, y0), (x1, y1) in pairwise((*polygon, polygon[0])):
            nx, ny = y1 - y0, x0 - x1
            length = (nx * nx + ny * ny) ** 0.5
            if not length:
                continue
            a = [(x * nx + y * ny) / length for x, y in one]
            b = [(x * nx + y * ny) / length for x, y in other]
            if max(a) <= min(b) + slack or max(b) <= min(a) + slack:
                return False
    return True
