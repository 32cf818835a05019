"""Random games on the program's side and on the referee's: the same files, the same guards broken."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

from catan_p2p.game.actions import ACTIONS, KIND_OF, Action
from catan_p2p.game.board import Board, board_of
from catan_p2p.game.board.layouts import ISLAND, LARGE_ISLAND
from catan_p2p.game.board.variable import spiral_map
from catan_p2p.game.constants import Constants
from catan_p2p.game.rules import any_offer, apply, awaited, broken_guards, decisions, draw
from catan_p2p.game.state import State, initial_state
from catan_p2p.log.game import GameDefinition, game_files, new_game
from catan_p2p.log.tree import first_tree, hash_only
from tests.referee import referee
from tests.seat_keys import PUBLIC_KEYS

MOST = 400
"""An action with more ways than this is tried in some of them."""
SOME = 12


def board_for(players: int, seed: int) -> Board:
    """A drawn map, large for five and six."""
    return board_of(spiral_map(LARGE_ISLAND if players > 4 else ISLAND, Random(seed)))


def retold(action: Action) -> referee.Action:
    """An action in the referee's words."""
    kind = KIND_OF[type(action)]
    told: referee.Action = {"name": kind.snake_name, "player": action.player}
    for name in kind.parameters:
        value = getattr(action, name)
        is_offer = kind.snake_name in ("offer_trade", "offer_trade_to", "propose_trade")
        if name in ("cards", "shown") or (is_offer and name in ("give", "receive")):
            value = dict(zip(referee.RESOURCES, _counts(value), strict=True))
        told[name.capitalize()] = value
    return told


def _counts(cards: int) -> tuple[int, ...]:
    from catan_p2p.game.cards import unpack

    return unpack(cards)


def conceivable(constants: Constants, game: referee.Game, player: int, rng: Random) -> Iterator[Action]:
    """Every action that a message can name, of some kinds only a few."""
    island = game.island
    values: dict[str, list[Any]] = {
        "player": [*game.players],
        "victim": [0, *game.players],
        "point": [*island.point],
        "road": [*island.road],
        "second": [*([0] if game.rules["RoadBuildingNeeds"] == 1 else []), *island.road],
        "tile": [*island.name],
        "goal": [0, *island.name],
        "sum": [*range(2, 13)],
        **{domain: [*words] for domain, words in referee.WORDS.items()},
    }
    for kind in ACTIONS:
        domains = [*referee.PARAMETERS[kind.snake_name].values()]
        ways = 1
        for domain in domains:
            ways *= len(values.get(domain, range(MOST + 1)))
        if ways <= MOST:
            yield from (kind.cls(player, *chosen) for chosen in product(*(values[domain] for domain in domains)))
            continue
        for _ in range(SOME):
            yield kind.cls(player, *(domain.sample(constants, rng) for domain in kind.parameters.values()))


class Disagreement(AssertionError):
    """The two sides differ."""


class Pair:
    """One game on both sides."""

    def __init__(self, constants: Constants) -> None:
        self.program: GameDefinition = new_game(0, constants, keys=PUBLIC_KEYS)
        self.game = referee.Game(game_files(self.program))
        self.state = initial_state(constants)
        self.other = referee.first_state(self.game)

    def compare(self) -> None:
        """The files of both states are the same, by the id of the tree."""
        ours = first_tree(self.program, self.state, hash_only).root
        theirs = referee.tree_id(referee.state_files(self.game, self.other))
        if ours != theirs:
            raise Disagreement(f"{self.state} and {self.other}")

    def compare_guards(self, rng: Random) -> None:
        """Whatever anybody could name is enabled on both sides, or breaks the same guards."""
        for player in self.game.players:
            tried = [*conceivable(self.program.constants, self.game, player, rng), *decisions(self.state, player)]
            for action in tried:
                ours = tuple(tag.split(" ")[0] for tag in broken_guards(self.state, action))
                theirs = referee.broken_guards(self.game, self.other, retold(action))
                if ours != theirs:
                    raise Disagreement(f"{action}: program {ours}, referee {theirs}")

    def act(self, action: Action) -> None:
        """Take an action on both sides; the pledges and shares that are due on the way to it say nothing here."""
        if referee.broken_guards(self.game, self.other, retold(action)):
            raise Disagreement(f"the referee refuses {action}")
        self.other = referee.effect(self.game, self.other, retold(action))
        self.state = apply(self.state, action)


def chosen(state: State, rng: Random) -> Action:
    """A random choice; building is preferred, so that games come to something."""
    player = rng.choice(awaited(state))
    found = decisions(state, player)
    building = [one for one in found if type(one).__name__.startswith(("Build", "Buy", "Play"))]
    decision = rng.choice(building if building and rng.random() < 0.7 else found)
    return draw(state, any_offer(state, decision, rng), rng)


def leaving(state: State, rng: Random, often: float) -> Action | None:
    """Somebody goes on without the player who is awaited, as often as that."""
    from catan_p2p.game.actions import Claim, ComeBack, Excuse
    from catan_p2p.game.actions.absence import all_awaited

    if not state.constants.rules.leaving or rng.random() > often:
        return None
    back = [one for player in state.present for one in KIND_OF[ComeBack].instances(state, player)]
    if back and rng.random() < 0.5:
        return rng.choice(back)
    for absent in all_awaited(state):
        for player in state.present:
            for action in (Excuse(player, absent), Claim(player, absent)):
                if not broken_guards(state, action):
                    return action
    return None


def play(constants: Constants, seed: int, most: int, every: int, often: float = 0.01) -> State:
    """A random game on both sides; guards are compared every so many actions. The state at its end."""
    rng, pair = Random(seed), Pair(constants)
    for n in range(most):
        pair.compare()
        if n % every == 0:
            pair.compare_guards(rng)
        if pair.state.is_over:
            break
        pair.act(leaving(pair.state, rng, often) or chosen(pair.state, rng))
    return pair.state
