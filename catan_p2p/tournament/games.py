"""The games of a tournament: each deal is played once in every rotation of the seats, with the same luck.

Luck is drawn separately for each purpose: the k-th roll of a deal shows the same dice, whoever rolls and whatever was
built. The same goes for start rolls, thefts and development cards. What is drawn from a hand or the deck still depends
on its contents.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from catan_p2p.game import rules as engine
from catan_p2p.game.actions import RollDice
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.scoring import points_of
from catan_p2p.game.state import State, initial_state
from catan_p2p.game.watching import watches
from catan_p2p.log.refs import COLOURS
from catan_p2p.players.choosing import checked, decided
from catan_p2p.players.policies import make_policy

MAX_ACTIONS = 20_000


@dataclass(frozen=True, slots=True)
class Entry:
    """What determines a tournament: the line-up by seat, the rules, the map, the seed."""

    policies: tuple[str, ...]
    rules: str = "brief"
    map: str = "default"
    seed: int = 0
    max_actions: int = MAX_ACTIONS


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game: its deal and rotation, who sat where, and who won; ``winner`` is a seat from 0, None if nobody won."""

    deal: int
    rotation: int
    seats: tuple[str, ...]
    winner: int | None
    points: tuple[int, ...]
    actions: int
    turns: int

    @property
    def winning_policy(self) -> str | None:
        """The name of the winning policy."""
        return None if self.winner is None else self.seats[self.winner]


def play_deal(entry: Entry, number: int) -> Outcome:
    """Game ``number`` of a tournament, from 0: the deal and the rotation of seats follow from the number."""
    count = len(entry.policies)
    deal, rotation = divmod(number, count)
    seats = entry.policies[rotation:] + entry.policies[:rotation]
    made = {name: checked(make_policy(name)) for name in set(seats)}
    watching = watches(made.values())
    constants = new_constants(entry.rules, COLOURS[:count], entry.map, entry.seed, deal)
    state, actions, turns = initial_state(constants), 0, 0
    luck = _Luck(entry.seed, deal)
    while not state.is_over and actions < entry.max_actions:
        player = engine.awaited(state)[0]
        rng = Random(f"{entry.seed}/{deal}/choice/{actions}/{player}")
        before, action = state, decided(state, player, made[seats[player - 1]], rng, luck.of)
        state = engine.apply(before, action)
        for watch in watching:
            watch(before, action, state)
        actions += 1
        turns += isinstance(action, RollDice)
    return Outcome(deal, rotation, seats, _winner(state), points_of(state), actions, turns)


def _winner(state: State) -> int | None:
    return None if state.winner is None else state.winner - 1


class _Luck:
    """The random generators of one deal, one for each kind of action that asks for luck."""

    def __init__(self, seed: int, deal: int) -> None:
        self._prefix = f"{seed}/{deal}/"
        self._drawn: Counter[str] = Counter()

    def of(self, name: str) -> Random:
        """The generator for the next action of a kind."""
        self._drawn[name] += 1
        return Random(f"{self._prefix}{name}/{self._drawn[name]}")


def whole_deals(games: int, policies: Sequence[str]) -> int:
    """This many games, rounded up to whole deals, so that every policy has every seat equally often."""
    return -(-games // len(policies)) * len(policies)
