"""Games that policies have played are played again: with the same seed every policy decides the same.

recorded.tsv says of each game what to play and what came of it: a digest of all its actions. Where a policy is to
decide something else, ``python -m tests.players.test_recorded`` writes the digests anew.
"""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from catan_p2p.game.actions import Action
from catan_p2p.game.constants import PROFILES, Player
from catan_p2p.game.move_watcher import watches
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.rules import apply, awaited, initial_state
from catan_p2p.game.state import State
from catan_p2p.lmu.computer_player import with_guesses
from catan_p2p.log.commit import action_message
from catan_p2p.log.refs import COLOURS
from catan_p2p.players.choosing import decided, shown_decisions
from catan_p2p.players.policies import POLICIES, Policy, make_policy
from tests.log.table import hidden_log
from tests.players.test_away import leave

TABLE = Path(__file__).with_name("recorded.tsv")
HIDDEN = "; Hands = hidden"
GUESSING = "lmu:"
"""Before the name of a policy that decides on random cards in others' hands, as at an LMU table."""


class Game(NamedTuple):
    """What to play: ``policies`` by seat, or fewer that take turns; up to so many actions."""

    rules: str
    map: str
    players: int
    policies: tuple[str, ...]
    seed: int
    leaves: int
    """After so many actions player 2 leaves as soon as that is possible; 0: never."""
    most: int


class Guessing:
    """A computer player of an LMU table, which looks at no more than the numbers of others' cards."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def choose(self, state: State, player: Player, offered: Sequence[Action], rng: Random) -> Action:
        guess = with_guesses(state, player, rng)
        chosen = self._policy.choose(guess, player, shown_decisions(guess, player), rng)
        return chosen if chosen in offered else rng.choice(offered)


def policy_of(name: str) -> Policy:
    return Guessing(make_policy(name.removeprefix(GUESSING))) if name.startswith(GUESSING) else make_policy(name)


def played(game: Game) -> list[Action]:
    """The actions of a game in which everybody sees all hands."""
    policies = [policy_of(game.policies[seat % len(game.policies)]) for seat in range(game.players)]
    state = initial_state(new_constants(game.rules, COLOURS[: game.players], game.map, game.seed))
    watching, rng, done = watches(policies), Random(game.seed), list[Action]()
    while not state.is_over and len(done) < game.most:
        action = leave(state, 2) if 0 < game.leaves <= len(done) else None
        if action is None:
            player = awaited(state)[0]
            action = decided(state, player, policies[player - 1], rng)
        before, state = state, apply(state, action)
        for watch in watching:
            watch(before, action, state)
        done.append(action)
    return done


def played_hidden(game: Game) -> list[Action]:
    """The actions of a game in which everybody sees their own hand, as all see them in the end."""
    is_leaving = game.leaves > 0
    table = hidden_log(
        game.rules.removesuffix(HIDDEN), game.players, game.seed, leaving=is_leaving, policies=game.policies
    )
    if is_leaving:
        table.play_until(lambda state: len(table.actions) >= game.leaves and is_in_turn(state))
        table.excuse(2) if game.players > 2 else table.claim(2)
    table.play_until(lambda state: state.is_over or len(table.actions) >= game.most)
    return table.actions


def is_in_turn(state: State) -> bool:
    return state.is_over or (state.tp in ("Trading", "TradingBuilding") and state.ap == 2)


def recorded() -> list[tuple[Game, str]]:
    """What to play, and the digest of it."""
    rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]]
    return [
        (Game(rules, map, int(players), tuple(policies.split()), int(seed), int(leaves), int(most)), digest)
        for rules, map, players, policies, seed, leaves, most, digest in rows
    ]


GAMES = recorded()


def digest_of(game: Game) -> str:
    actions = (played_hidden if game.rules.endswith(HIDDEN) else played)(game)
    return sha256("".join(map(action_message, actions)).encode()).hexdigest()[:16]


@pytest.mark.long
@pytest.mark.sampled(20)
@pytest.mark.parametrize("number", range(len(GAMES)))
def test_every_policy_decides_as_it_did(number: int) -> None:
    game, digest = GAMES[number]
    assert digest_of(game) == digest, game


def test_all_policies_play_by_all_rules() -> None:
    games = [game for game, _ in GAMES]
    assert len(games) >= 200
    assert {game.players for game in games} == {2, 3, 4, 5, 6}
    assert {game.rules.partition(";")[0] for game in games} == {*PROFILES}
    for name in (*POLICIES, "strategist:20ms", "strategist:100ms", f"{GUESSING}builder", f"{GUESSING}strategist"):
        own = [game for game in games if name in game.policies]
        assert any(game.leaves for game in own), name
        assert any("Chance = joint" in game.rules for game in own), name
        assert any(game.rules.endswith(HIDDEN) for game in own) or name.startswith(GUESSING), name


def main() -> None:
    """Play all games again and write what comes of them."""
    head = TABLE.read_text(encoding="utf-8").partition("\n")[0]
    rows = [(*game[:3], " ".join(game.policies), *game[4:], digest_of(game)) for game, _ in GAMES]
    TABLE.write_text("\n".join([head, *("\t".join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
