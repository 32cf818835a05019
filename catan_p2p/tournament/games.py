"""The games of a tournament: each deal is played once in every rotation of the seats, with the same luck.

Luck is drawn separately for each purpose: the k-th roll of a deal shows the same dice, regardless of who rolls and what
was built. The same holds for start rolls, thefts and development cards. The card that is drawn from a hand or the deck
still depends on its contents.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.new_game import new_constants
from catan_p2p.game.randomness import CountedRandomness
from catan_p2p.game.scoring import points_of
from catan_p2p.game.state import State
from catan_p2p.log.refs import COLOURS
from catan_p2p.players.policies import make_policy
from catan_p2p.players.unlogged import play_out

MAX_ACTIONS = 20_000


@dataclass(frozen=True, slots=True)
class TournamentSetup:
    """Everything that determines a tournament: the policies by seat, the rules, the map, the seed, and the cap."""

    policies: tuple[str, ...]
    rules: str = "brief"
    map: str = "default"
    seed: int = 0
    max_actions: int = MAX_ACTIONS


@dataclass(frozen=True, slots=True)
class TournamentGame:
    """One game: its deal and rotation, the policies by seat, and the winner: a seat from 0, None if nobody won."""

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


def play_deal(entry: TournamentSetup, number: int) -> TournamentGame:
    """Play game ``number`` of a tournament, from 0. The number determines the deal and the rotation of seats."""
    count = len(entry.policies)
    deal, rotation = divmod(number, count)
    seats = entry.policies[rotation:] + entry.policies[:rotation]
    made = {name: make_policy(name) for name in set(seats)}
    constants = new_constants(entry.rules, COLOURS[:count], entry.map, entry.seed, deal)
    randomness = CountedRandomness(entry.seed, deal)
    last, actions, turns = play_out(constants, [made[name] for name in seats], randomness, entry.max_actions)
    return TournamentGame(deal, rotation, seats, _winner(last), points_of(last), actions, turns)


def _winner(state: State) -> int | None:
    return None if state.winner is None else state.winner - 1


def whole_deals(games: int, policies: Sequence[str]) -> int:
    """This many games, rounded up to whole deals, so that every policy plays every seat equally often."""
    return -(-games // len(policies)) * len(policies)
